"""The help: short with `-h`, complete and in groups with `--help`, and what a mistyped command is answered."""

import sys

import pytest
import typer

from rocconf.cli import app
from rocconf.cli.commands import ABOUT, BY_MEANING, COMMANDS
from rocconf.cli.help import GROUPS, SHORT, group_of
from rocconf.errors import UsageError

GROUP = typer.main.get_command(app)


def shown(capsys, *arguments):
    """Return what is printed, in this process."""
    GROUP.main(args=list(arguments), prog_name="rocconf", standalone_mode=False)
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_short_help_fits_a_screen_and_has_at_most_ten_options_and_an_example(capsys, command):
    lines = shown(capsys, command, "-h").splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  -") for line in lines) <= 10
    assert f"  {ABOUT[command].example}" in lines
    assert lines[-1] == f"All options: rocconf {command} --help"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_long_help_has_every_option_once_below_the_heading_of_its_group(capsys, command):
    text = shown(capsys, command, "--help")
    sections, heading = {}, ""
    for line in text.splitlines():
        heading = line[:-1] if line.endswith(":") and not line.startswith(" ") else heading
        sections.setdefault(heading, []).append(line.strip().split(" ")[0].rstrip(","))
    for parameter in GROUP.get_command(None, command).params:
        if parameter.param_type_name == "option":
            group = group_of(parameter.name)
            assert [name for name, words in sections.items() if parameter.opts[0] in words] == [group]
            assert group in GROUPS


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "explain"])
def test_the_short_help_has_options_and_the_long_one_more(capsys, command):
    short, long = (
        {line.strip().split(" ")[0].rstrip(",") for line in shown(capsys, command, way).splitlines()}
        for way in ("-h", "--help")
    )
    assert any(word.startswith("-") for word in short)
    assert {word for word in short if word.startswith("--")} < {word for word in long if word.startswith("--")}


def test_every_option_of_the_short_help_exists():
    names = {parameter.name for command in COMMANDS for parameter in GROUP.get_command(None, command).params}
    assert set(SHORT) <= names


def test_the_help_lists_each_command_with_the_question_it_answers(capsys):
    text = " ".join(shown(capsys, "--help").split())
    assert all(f"{command} {ABOUT[command].question}" in text for command in COMMANDS)
    assert all(about.question.endswith("?") for about in ABOUT.values())
    assert set(ABOUT) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_a_command_has_options_that_it_takes(command):
    words = ABOUT[command].example.partition(" -- ")[0].split()
    assert words[:2] == ["rocconf", command]
    options = {option for parameter in GROUP.get_command(None, command).params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("drift", "did you mean 'sensibility'?"),
        ("roc", "did you mean 'sweep'?"),
        ("AUC", "did you mean 'sweep'?"),
        ("threshold", "did you mean 'sweep'?"),
        ("ci", "did you mean 'tango'?"),
        ("confidence", "did you mean 'tango'?"),
        ("delong", "did you mean 'compare'?"),
        ("diff", "did you mean 'compare'?"),
        ("versus", "did you mean 'compare'?"),
        ("chi2_contours", "did you mean 'chi2-contours'?"),
        ("sweeep", "did you mean 'sweep'?"),
        ("scores.csv", "did you mean 'rocconf sweep scores.csv'?"),
    ],
)
def test_an_unknown_command_is_answered_by_spelling_or_meaning(tmp_path, monkeypatch, word, meant):
    (tmp_path / "scores.csv").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as refused:
        GROUP.main(args=[word], prog_name="rocconf", standalone_mode=False)
    assert f"no command {word!r}; {meant}" in str(refused.value)


def test_no_command_is_suggested_that_does_not_exist():
    words = [word for name, words in BY_MEANING.items() if name not in COMMANDS for word in (name, *words)]
    for word in [*words, "frobnicate"]:
        with pytest.raises(UsageError) as refused:
            GROUP.main(args=[word], prog_name="rocconf", standalone_mode=False)
        assert str(refused.value).startswith(f"no command {word!r}")
        assert "did you mean 'plan'" not in str(refused.value) or "plan" in COMMANDS


def test_no_word_means_two_commands_or_is_one():
    words = [word for words in BY_MEANING.values() for word in words]
    assert len(set(words)) == len(words)
    assert set(words).isdisjoint(COMMANDS)


def test_the_help_loads_nothing_heavy_and_needs_no_docstring(rocconf):
    code = (
        "import sys\n"
        "from rocconf.__main__ import _run\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'matplotlib', 'polars', 'rich'}\n"
        "for line in (['--help'], ['sweep', '-h'], ['compare', '--help']):\n"
        "    sys.argv = ['rocconf', *line]\n"
        "    _run()\n"
        "    print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    ran = rocconf(code=code, env={"PYTHONOPTIMIZE": "2"})
    assert ran.err == "[]\n" * 3
    assert "How good are these scores" in ran.out
    assert "Overlapping intervals or bands" in " ".join(ran.out.split())
    assert sys.flags.optimize == 0
