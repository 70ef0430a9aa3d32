"""A run never replaces a file that it reads, whatever for and under whatever name, and never writes a file twice."""

import os
import shutil
from pathlib import Path

import pytest
from conftest import SAMPLE_DATA

from rocconf.cli import app
from rocconf.cli.claimed import Claimed, ignores_case
from rocconf.errors import UsageError

TOML = '[data]\nscore = "S"\n'
NAMES = ("data.csv", "other.csv", "base.json", "rocconf.toml")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a file for every role, each also as an image by a link."""
    shutil.copy(SAMPLE_DATA / "dis.csv", tmp_path / "data.csv")
    shutil.copy(SAMPLE_DATA / "dis.csv", tmp_path / "other.csv")
    (tmp_path / "base.json").write_text("{}", encoding="utf-8")
    (tmp_path / "rocconf.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "inner").mkdir()
    for name in NAMES:
        (tmp_path / f"link-{name}.csv").symlink_to(name)
        (tmp_path / f"hard-{name}.svg").hardlink_to(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(*arguments):
    with pytest.raises(UsageError) as raised:
        app([str(part) for part in arguments], standalone_mode=False)
    return raised.value


def spellings(name):
    """Give the file's own name, other spellings of its path and links to it, which are written as figures too."""
    own = [f"-o {name}", f"-o inner/../{name}"] if not name.endswith(".toml") else []
    return [*own, f"-o link-{name}.csv", f"--plot hard-{name}.svg"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sweep data.csv", "data.csv"),
        ("sweep inner/../data.csv", "data.csv"),
        ("tango link-data.csv.csv", "data.csv"),
        ("sweep data.csv --choose-on other.csv", "other.csv"),
        ("sensibility data.csv --reference other.csv", "other.csv"),
        ("compare data.csv --baseline other.csv", "other.csv"),
        ("compare data.csv --baseline base.json", "base.json"),
        ("sweep data.csv", "rocconf.toml"),
        ("compare data.csv --isolated --unpaired other.csv", "other.csv"),
        ("check -- compare data.csv --baseline base.json", "base.json"),
    ],
)
def test_no_input_is_replaced_whatever_it_is_read_for(folder, line, name):
    before = (folder / name).read_bytes()
    for written in spellings(name):
        error = refusal(*line.split(), *written.split())
        assert error.code == "overwrites-input", written
        assert written.split()[1] in str(error)
    assert (folder / name).read_bytes() == before


@pytest.mark.parametrize("written", ["base.json", "link-base.json.csv", "link-rocconf.toml.csv"])
@pytest.mark.usefixtures("folder")
def test_gate_replaces_neither_a_report_nor_the_configuration(written):
    assert refusal("gate", "base.json", "-o", written).code == "overwrites-input"


def test_a_shared_configuration_is_not_replaced(folder):
    (folder / "rocconf.toml").unlink()
    (folder / "pyproject.toml").write_text("[tool.rocconf.data]\nna = 'drop'\n", encoding="utf-8")
    (folder / "rows.csv").symlink_to("pyproject.toml")
    assert refusal("sweep", "data.csv", "-o", "rows.csv").code == "overwrites-input"


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.usefixtures("folder")
def test_a_file_that_is_read_as_standard_input_is_not_replaced(rocconf, name):
    code = "import os\nos.dup2(os.open('data.csv', os.O_RDONLY), 0)\nfrom rocconf.__main__ import program; program()"
    ran = rocconf("sweep", name, "--score", "S", "--isolated", "-o", "data.csv", code=code)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"rocconf: data.csv: would overwrite {name}, which this run reads; name another file\n"


def test_the_file_that_the_answer_is_redirected_to_is_not_written_by_the_run(folder, monkeypatch):
    with (folder / "rows.csv").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert refusal("sweep", "data.csv", "-o", "rows.csv").code == "written-twice"
    with (folder / "data.csv").open("a", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert str(refusal("sweep", "data.csv")).startswith("standard output: would overwrite data.csv")


@pytest.mark.parametrize(
    "written",
    [
        ("-o", "new.csv", "-o", "inner/../new.csv"),
        ("-o", "new.csv", "-o", "there/new.csv"),
        ("-o", "old.json", "-o", "hard.json"),
        ("--plot", "new.svg", "--plot", "pr:./new.svg"),
    ],
)
def test_no_file_is_written_twice(folder, written):
    (folder / "there").symlink_to(".")
    (folder / "old.json").write_text("", encoding="utf-8")
    (folder / "hard.json").hardlink_to(folder / "old.json")
    assert refusal("sweep", "data.csv", *written).code == "written-twice"


def test_names_that_differ_in_case_are_one_where_the_folder_takes_them_for_one(tmp_path):
    """A link of the other case makes the folder look like one of a file system that ignores case."""
    folder = tmp_path / "folder"
    folder.mkdir()
    assert not ignores_case(folder)
    Claimed().add(folder / "a.csv", folder / "a.csv")
    (tmp_path / "FOLDER").symlink_to(folder)
    assert ignores_case(folder)
    claimed = Claimed()
    claimed.add(folder / "a.csv", folder / "a.csv")
    with pytest.raises(UsageError, match="written twice"):
        claimed.add(folder / "A.csv", folder / "A.csv")


def test_the_default_streams_are_no_files(folder, monkeypatch):
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        monkeypatch.setattr("sys.stdout", nowhere)
        monkeypatch.setattr("sys.stderr", None)  # closed
        assert app(["sweep", "data.csv", "-q", "-o", "new.csv", "--format", "csv"], standalone_mode=False) == 0
    assert (folder / "new.csv").exists()
