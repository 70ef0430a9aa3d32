"""Completion: by the variables that shells set, in this process, and once in a real bash."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import environment

from rocconf.cli.completion import complete
from rocconf.compute.compare import BAND_KINDS
from rocconf.compute.roc.operating import FORMS
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.plot import kinds
from rocconf.report import FORMATS


@pytest.fixture
def words(tmp_path, monkeypatch, capsys):
    """Complete a line, in a folder with tables."""
    (tmp_path / "cases.csv").write_text("churned,p_churn,my model\n1,0.5,0.5\n", encoding="utf-8")
    (tmp_path / "semi.csv").write_text("a;b\n1;2\n", encoding="utf-8")
    (tmp_path / "bad.parquet").write_text("no parquet", encoding="utf-8")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\0\0")
    monkeypatch.chdir(tmp_path)

    def run(line, shell="bash"):
        monkeypatch.setenv("_ROCCONF_COMPLETE", f"complete_{shell}")
        if shell == "bash":
            monkeypatch.setenv("COMP_WORDS", line)
            monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        else:
            monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
            monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        assert complete() == 0
        said = capsys.readouterr()
        assert said.err == ""
        return said.out.split("\n")[:-1]

    return run


def test_commands_and_options_complete(words):
    assert words("rocconf se") == ["sensibility"]
    assert set(words("rocconf sweep --a")) >= {"--at", "--all", "--allow-in-sample"}


def test_values_complete_from_where_they_are_defined(words):
    assert words("rocconf sweep --format ") == list(FORMATS)
    assert words("rocconf tango --test m") == [test for test in TESTS if test.startswith("m")]
    assert words("rocconf compare --band ") == list(BAND_KINDS)
    assert words("rocconf tango --plot ") == [f"{kind}:" for kind in kinds("tango")]
    assert words("rocconf sensibility --unlabelled --plot ") == ["distributions:"]
    assert words("rocconf sweep --interval ") == ["robust", "delong"]
    assert words("rocconf sweep --na d") == ["drop"]
    rules = [word.strip("'") for word in words("rocconf sweep --at ")]
    assert [rule for rule in rules if rule not in FORMS] == ["recall>=", "sensitivity>=", "specificity>=", "fnr<="]
    assert {"youden", "fpr<=", "threshold="} <= set(rules)
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("option", ["--score", "--label", "--id"])
def test_the_columns_of_the_file_complete(words, option):
    assert words(f"rocconf sweep cases.csv {option} ") == ["churned", "p_churn", "'my model'"]
    assert words(f"rocconf sweep cases.csv {option} p") == ["p_churn"]
    assert words(f"rocconf sweep -q cases.csv {option} p") == ["p_churn"]


@pytest.mark.parametrize("option", ["-o", "--out", "--plot", "--config"])
def test_a_file_that_is_written_or_configures_has_no_columns_to_complete(words, option):
    assert words(f"rocconf sweep {option} cases.csv --score p") in ([], [""])


def test_each_shell_gets_its_own_quoting(words):
    assert words("rocconf sweep cases.csv --score my", "fish") == ["my model"]
    assert '"my model"' in words("rocconf sweep cases.csv --score my", "zsh")[0]


def test_the_delimiter_on_the_line_is_used(words):
    assert words("rocconf sweep semi.csv --delimiter semicolon --score ") == ["a", "b"]


@pytest.mark.parametrize("file", ["missing.csv", "bad.parquet", "binary.csv", "-", ".", "'open"])
def test_what_cannot_be_read_completes_to_nothing_and_says_nothing(words, file):
    assert words(f"rocconf sweep {file} --score p") in ([], [""])


def test_a_crash_says_nothing(words, monkeypatch):
    monkeypatch.setattr("rocconf.cli.completion._columns", None)
    with pytest.raises(AssertionError, match="1 == 0"):
        words("rocconf sweep cases.csv --score ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_shown_its_script(rocconf, shell):
    ran = rocconf("--show-completion", shell)
    assert (ran.status, ran.err) == (0, "")
    assert f"_ROCCONF_COMPLETE=complete_{shell}" in ran.out


def test_the_script_is_installed_where_the_shell_looks(rocconf, tmp_path):
    ran = rocconf("--install-completion", env={"HOME": str(tmp_path), "SHELL": "/bin/fish"})
    installed = tmp_path / ".config" / "fish" / "completions" / "rocconf.fish"
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"fish completion is installed in {installed}: open a new shell\n"
    assert "complete --command rocconf" in installed.read_text(encoding="utf-8")


@pytest.mark.parametrize("env", [{"SHELL": "/bin/csh"}, {"SHELL": ""}])
def test_an_unknown_shell_is_told_what_to_type(rocconf, env):
    ran = rocconf("--show-completion", env=env)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("rocconf --show-completion bash\n")
    assert "takes bash, zsh, fish" in rocconf("--show-completion", "tcsh").err


def test_a_line_with_arguments_is_a_run(rocconf, tmp_path):
    (tmp_path / "cases.csv").write_text("label,score\n" + "1,0.1\n0,0.9\n" * 40, encoding="utf-8")
    env = {"_ROCCONF_COMPLETE": "complete_bash", "COMP_WORDS": "rocconf ", "COMP_CWORD": "1"}
    assert rocconf("sweep", "cases.csv", "--require", "auc >= 0.9", env=env).status == 1
    assert rocconf(env=env).out.startswith("sweep\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_a_column(rocconf, tmp_path):
    (tmp_path / "cases.csv").write_text("churned,p_churn\n1,0.5\n", encoding="utf-8")
    command = tmp_path / "rocconf"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m rocconf "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "script").write_text(rocconf("--show-completion", "bash").out, encoding="utf-8")
    line = "source script; COMP_WORDS=(rocconf sweep cases.csv --score p); COMP_CWORD=4; _rocconf_completion rocconf"
    done = subprocess.run(
        ["bash", "--norc", "-c", f'{line}; echo "${{COMPREPLY[@]}}"'],
        cwd=tmp_path,
        env=environment(PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("p_churn\n", "")
