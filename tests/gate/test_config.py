"""A configuration file means what it says, and nothing in it is passed over."""

import os
from pathlib import Path

import pytest

from rocconf.cli.judging import _may_hold_rules
from rocconf.conditions import parse_conditions
from rocconf.errors import UsageError
from rocconf.gate.config import find_config, read_config

COMMANDS = ("sweep", "compare")
GATE = '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.8\n'


def written(folder, text, name="rocconf.toml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder, text):
    return read_config(written(folder, text), COMMANDS)


def test_a_gate_is_a_rule_of_its_command(tmp_path):
    text = GATE + 'name = "good enough"\nlevel = 0.9\nseverity = "warn"\nwhere = {site = "A", year = 2024}\n'
    config = read(tmp_path, text)
    (rule,) = config.rules("sweep")
    assert config.rules("compare") == ()
    assert (rule.metric, rule.op, rule.limit, rule.level, rule.severity) == ("auc", ">=", 0.8, 0.9, "warn")
    assert (rule.name, rule.where) == ("good enough", parse_conditions({"site": "A", "year": 2024}, "where"))
    (unnamed,) = read(tmp_path, GATE + "name = ''\n").rules("sweep")
    assert unnamed.name == "auc >= 0.8"


@pytest.mark.parametrize("keys", ['metric = "tpr[F]"\nat = "fpr<=0.01"', 'metric = "tpr[F]@fpr<=0.01"'])
def test_a_metric_may_name_its_model_and_operating_point(tmp_path, keys):
    (rule,) = read(tmp_path, GATE.replace('metric = "auc"', keys)).rules("sweep")
    assert (rule.metric, rule.model, rule.at) == ("tpr", "F", "fpr<=0.01")
    assert rule.name == "tpr[F]@fpr<=0.01 >= 0.8"


def test_the_data_has_defaults(tmp_path):
    text = '[data]\nlabel = "sick"\nscore = "S"\npositive = true\nwhere = {site = 3}\n'
    expected = {"label": "sick", "score": ["S"], "positive": "true", "where": ["site=3"]}
    assert read(tmp_path, text).data == expected


@pytest.mark.parametrize("nearer", ["", "[data]\nlabel = 'label'\n"])
def test_a_nearer_file_without_rules_does_not_hide_those_above(tmp_path, nearer):
    """An empty file in a folder below let a failing model pass."""
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "rocconf.toml").write_text(GATE)
    (below / "rocconf.toml").write_text(nearer)
    with pytest.raises(UsageError, match=r"has no rules, and those of .* would be ignored"):
        find_config(below, COMMANDS)
    (below / "rocconf.toml").write_text(f"root = true\n{nearer}")
    assert find_config(below, COMMANDS).gates == ()
    (below / "rocconf.toml").write_text(nearer + GATE)
    assert len(find_config(below, COMMANDS).gates) == 1
    (tmp_path / "rocconf.toml").unlink()
    (below / "rocconf.toml").write_text(nearer)
    assert find_config(below, COMMANDS).path == below / "rocconf.toml"


def test_files_above_that_are_not_ours_may_be_of_any_content(tmp_path):
    below = tmp_path / "a"
    below.mkdir()
    (below / "rocconf.toml").write_text("[data]\nlabel = 'label'\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = {{ cookiecutter.gate }}\n")
    (tmp_path / "rocconf.toml").mkdir()
    assert find_config(below, COMMANDS).path == below / "rocconf.toml"


def test_the_nearest_file_is_found(tmp_path):
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_config(below, COMMANDS).path is None
    outer = written(tmp_path, GATE)
    assert find_config(below, COMMANDS).path == outer
    nearer = written(tmp_path / "a", "[tool.other]\n", "pyproject.toml")
    assert find_config(below, COMMANDS).path == outer
    written(tmp_path / "a", "[tool.rocconf]\nroot = true\n[tool.rocconf.data]\nlabel = 'y'\n", "pyproject.toml")
    assert find_config(below, COMMANDS).path == nearer
    own = written(tmp_path / "a", GATE)
    with pytest.raises(UsageError, match=r"pyproject\.toml has rules too"):
        find_config(below, COMMANDS)
    nearer.write_text("[tool.other]\n", encoding="utf-8")
    assert find_config(below, COMMANDS).path == own


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[dat]\n", "unknown key 'dat'; did you mean 'data'"),
        ("[data]\nlable = 'y'\n", "unknown key 'lable'; did you mean 'label'"),
        ("[data]\nlabel = 3\n", "label must be str, not 3"),
        (GATE + "metrik = 'auc'\n", "unknown key 'metrik'; did you mean 'metric'"),
        (GATE.replace("sweep", "sweeep"), "unknown command 'sweeep'; did you mean 'sweep'"),
        (GATE.replace("0.8", "'0.8'"), "value must be int or float, not '0.8'"),
        (GATE.replace("0.8", "true"), "value must be int or float, not True"),
        (GATE.replace(">=", "=>"), "op must be one of >=, >, <=, <, ==, not '=>'"),
        ("\x00" + GATE, "cannot be read as a configuration"),
        (GATE + "on_undefined = 'Pass'\n", "on_undefined must be one of inconclusive, pass, fail, not 'Pass'"),
        (GATE + "severity = 'loud'\n", "severity must be one of error, warn, not 'loud'"),
        (GATE.replace('op = ">="\n', ""), "no key 'op'"),
        (GATE.replace("0.8", "nan"), "the limit must be finite"),
        (GATE.replace('"auc"', '"auc >= 1"'), "is not NAME"),
        (GATE + "where = 'site'\n", "where takes COLUMN=VALUE"),
        ("gate = 3\n", "gate must be list, not 3"),
        ("gate = [3]\n", "is not a table of keys"),
        ("[data", "cannot be read as a configuration"),
        (GATE.replace("\n", "\r"), "cannot be read as a configuration"),  # it alone ends no line
        (GATE.encode() + b"# \xff\n", "cannot be read as a configuration"),
        (GATE + GATE.replace("auc", "tpr@youden") + "at = 'closest'\n", "[[gate]] 2"),
        (GATE.replace("0.8", "9" * 5000), "cannot be read as a configuration"),
        ("a = " + "[" * 5000, "cannot be read as a configuration"),
        (GATE + "level = 95\n", "[[gate]] 1: rule 'auc >= 0.8': a level must be between 0 and 1, not 95"),
        (GATE + "where = {'a=b' = 1}\n", "where: 'a=b=1': the column of a condition cannot contain =, < or >"),
        ("[data]\nscore = [3]\n", "score must be names of columns, not [3]"),
        ("[data]\npositive = 1.5\n", "positive must be str or int or bool, not 1.5"),
        (GATE + "level = 1\n", "a level must be between 0 and 1, not 1"),
        (GATE + "level = nan\n", "a level must be between 0 and 1, not nan"),
        (
            GATE + "where = {site = ['A', 'B']}\n",
            "the value of 'site' must be a text, a whole number or true or false, not ['A', 'B']",
        ),
        (GATE + "where = {site = 1.10}\n", "not 1.1: write it in quotes"),
        (GATE + "where = 'site==A'\n", "where: 'site==A': write COLUMN=VALUE with one ="),
        (GATE + "where = 'age>=old'\n", "'age>=old' compares numbers, and 'old' is not one"),
        (GATE + "where = ['site=A', 'site=B']\n", "where: no row has two values of site"),
        ("[gate]\nmetric = 'auc'\n", "write [[gate]], in two brackets"),
        (GATE.replace("[[gate]]", "[[gates]]"), "unknown key 'gates'; did you mean 'gate'"),
        (GATE.replace("[[gate]]", "[[Gate]]"), "unknown key 'Gate'; did you mean 'gate'"),
        (GATE.replace("metric", "Metric"), "unknown key 'Metric'; did you mean 'metric'"),
        (GATE + "allow_identical = 'yes'\n", "allow_identical must be bool, not 'yes'"),
        (f"[tool.rocconf]\n{GATE}", "unknown key 'tool'"),
        (GATE.replace("0.8", "9007199254740993"), "a 64-bit float cannot hold the whole number 9007199254740993"),
        (GATE + "where = [3]\n", "where takes COLUMN=VALUE (or !=, and <, <=, >, >= for numbers), not '3'"),
        (GATE.replace("0.8", "1" + "0" * 400), "the limit must be finite"),
        (GATE.replace("0.8", "9e999"), "the limit must be finite"),
        (GATE + GATE.replace("auc", "auc@"), "no operating point after @"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as error:
        read_config(path, COMMANDS)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: ")


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(UsageError, match=r"nope\.toml: no such file$"):
        read_config(tmp_path / "nope.toml", COMMANDS)
    with pytest.raises(UsageError, match="cannot be read"):
        read_config(tmp_path, COMMANDS)


@pytest.mark.parametrize("written_by", ["utf-8-sig", "utf-8"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_any_editor_may_have_written_it(tmp_path, written_by, ends):
    assert len(read(tmp_path, GATE.replace("\n", ends).encode(written_by)).rules("sweep")) == 1


@pytest.mark.parametrize("name", ["rocconf.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.mkdir(),
        lambda path: path.symlink_to("nowhere"),
        lambda path: path.symlink_to(path.name),
        *(
            lambda path, encoding=encoding: path.write_bytes(f"[tool.rocconf]\n{GATE}".encode(encoding))
            for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32")
        ),
    ],
)
def test_a_configuration_that_cannot_be_read_is_not_none(tmp_path, name, make):
    make(tmp_path / name)
    assert _may_hold_rules(str(tmp_path / name))
    with pytest.raises(UsageError, match=rf"{name}: (cannot be read|no such file)"):
        find_config(tmp_path, COMMANDS)


@pytest.mark.parametrize("name", ["rocconf.toml", "pyproject.toml"])
def test_a_folder_that_cannot_be_searched_is_not_one_without_rules(tmp_path, monkeypatch, name):
    """As root may search any folder, the refusal is planted."""

    def refused(path, *_args, **_options):
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return found(path)

    found = os.lstat
    monkeypatch.setattr(Path, "lstat", refused)
    monkeypatch.setattr(os, "lstat", refused)
    assert _may_hold_rules(str(tmp_path / name))
    with pytest.raises(UsageError, match=rf"{name}: cannot be read \(Permission denied\)"):
        find_config(tmp_path, COMMANDS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[tool.Rocconf]\n{GATE}", "'Rocconf' is not 'rocconf': the case"),
        ("[Tool.rocconf.data]\nlabel = 'y'\n", "'Tool' is not 'tool': the case"),
        ("[rocconf.data]\nlabel = 'y'\n", r"\[rocconf\] is not \[tool.rocconf\]"),
        ("[[tool.rocconf.gates]]\nvalue = 1\n", "unknown key 'gates'; did you mean 'gate'"),
        ("[tool.rocconf.gate]\nvalue = 1\n", r"write \[\[gate\]\], in two brackets"),
        ("[tool.rocconf\n", "cannot be read as a configuration"),
        ("tool.rocconf = 3\n", r"\[tool.rocconf\] is not a table"),
    ],
)
def test_a_section_that_is_nearly_ours_is_not_passed_over(tmp_path, text, said):
    path = written(tmp_path, text, "pyproject.toml")
    assert _may_hold_rules(str(path))
    with pytest.raises(UsageError, match=said):
        find_config(tmp_path, COMMANDS)
