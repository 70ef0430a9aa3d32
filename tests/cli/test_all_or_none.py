"""All outputs of a run are there, or none: an older report is not replaced by one of a run that failed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rocconf.errors import RocconfError
from rocconf.report.files import append, replacing, together

OUTPUTS = ("gate.json", "rows.csv", "page.html", "roc.png")
OLDER = "of an earlier run"


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{i % 2},{(i * 37 % 101) / 101}\n" for i in range(200))
    (tmp_path / "cases.csv").write_text(f"label,score\n{rows}")
    for name in OUTPUTS:
        (tmp_path / name).write_text(OLDER)
    return tmp_path


def run(folder, end="", *, out="gate.json rows.csv page.html", before="", **variables):
    outputs = " ".join(f"-o {name}" for name in out.split())
    command = f"{before} {sys.executable} -m rocconf sweep cases.csv {outputs} --plot roc:roc.png --require 'n == 200' -q {end}"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def left(folder):
    others = ("cases.csv", "summary.md", "key")
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in others}
    return found == dict.fromkeys(OUTPUTS, OLDER.encode())


def test_all_are_there_of_a_run_that_succeeds(folder):
    done = run(folder, "--github", GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
    assert (done.returncode, done.stderr) == (0, "")
    assert all((folder / name).read_bytes() != OLDER.encode() for name in OUTPUTS)
    assert sorted(path.name for path in folder.iterdir()) == sorted((*OUTPUTS, "cases.csv", "summary.md"))


@pytest.mark.parametrize(
    ("end", "options"),
    [
        (">&-", {}),
        ("> /dev/full", {}),
        ("--github", {"GITHUB_STEP_SUMMARY": "nowhere/summary.md"}),
        ("--github", {"GITHUB_STEP_SUMMARY": "/dev/full"}),
        ("", {"before": "ulimit -f 20;", "out": "gate.json page.html"}),
        ("", {"out": "gate.json rows.csv nowhere/page.html"}),
    ],
    ids=["closed", "full", "no-summary", "full-summary", "full-disk", "no-directory"],
)
def test_none_is_there_of_a_run_that_fails(folder, end, options):
    done = run(folder, end, **options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert left(folder)


@pytest.mark.parametrize("summary", ["gate.json", "cases.csv", "out.tsv", "pipe", "key"])
def test_the_step_summary_is_no_other_file_of_the_run(folder, summary):
    if summary == "pipe":
        os.mkfifo(folder / "pipe")
    elif summary == "out.tsv":
        (folder / summary).write_text("")
    (folder / "key").write_text("the key of the release")
    before = (folder / "cases.csv").read_bytes()
    end = "--github > out.tsv" if summary == "out.tsv" else "--github --key key"
    assert run(folder, end, GITHUB_STEP_SUMMARY=summary).returncode == 2
    assert (folder / "cases.csv").read_bytes() == before
    assert (folder / "key").read_text() == "the key of the release"
    assert all((folder / name).read_text() == OLDER for name in OUTPUTS)


@pytest.mark.parametrize("stop", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_signal_between_two_renames_leaves_every_file_as_it_was(folder, stop, at):
    """The files of a stopped run were partly new."""
    summary = folder / "summary.md"
    summary.write_text("before")
    code = f"""
import os, signal, sys
from pathlib import Path
rename, count = Path.replace, []
def replace(self, target):
    found = rename(self, target)
    count.append(target)
    if len(count) == {at}:
        os.kill(os.getpid(), signal.{stop})
    return found
Path.replace = replace
sys.argv = ["rocconf", "sweep", "cases.csv", *"-o gate.json -o rows.csv -o page.html -q --github --require n==200".split()]
from rocconf.__main__ import program
program()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)},
        capture_output=True,
        check=False,
    )
    assert done.returncode in (130, 143), done.stderr
    assert left(folder)
    assert summary.read_text() == "before"


def test_a_step_summary_may_be_nowhere(folder):
    assert run(folder, "--github", GITHUB_STEP_SUMMARY="/dev/null").returncode == 0
    assert (folder / "gate.json").read_text() != OLDER


def test_a_file_that_cannot_be_put_back_stays_under_its_other_name(tmp_path, monkeypatch):
    one, other, third = (tmp_path / name for name in ("a.csv", "b.csv", "c.csv"))
    one.write_text(OLDER)
    rename, done = Path.replace, []

    def replace(self, target):
        if done:
            raise OSError(28, "No space left on device")
        done.append(target)
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", replace)

    def write():
        with together():
            for path in (one, other, third):
                with replacing(path) as temporary:
                    temporary.write_text("new")

    with pytest.raises(RocconfError, match=r"b\.csv"):
        write()
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["new", OLDER]


def test_a_failure_to_clean_up_is_no_failure(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(OLDER)

    def refuse(*_, **__):
        raise OSError(5, "Input/output error")

    with together():
        for path in paths:
            with replacing(path) as temporary:
                temporary.write_text("new")
        monkeypatch.setattr(Path, "unlink", refuse)
    assert [path.read_text() for path in paths] == ["new", "new"]


def test_a_reader_that_leaves_early_is_no_failure(folder):
    done = run(folder, "--format ndjson | head -1")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "gate.json").read_text() != OLDER


def test_a_summary_of_a_run_that_fails_after_it_is_cut_again(tmp_path):
    summary, one, other = (tmp_path / name for name in ("summary.md", "one.csv", "other.csv"))
    summary.write_text("before\n")
    one.write_text(OLDER)

    def write():
        with together():
            for path in (one, tmp_path / "new.csv", other):
                with replacing(path) as temporary:
                    temporary.write_text("new")
            append(summary, b"new\n")
            assert summary.read_text() == "before\nnew\n"
            other.mkdir()  # the last rename fails

    with pytest.raises(RocconfError, match=r"other\.csv"):
        write()
    assert (summary.read_text(), one.read_text()) == ("before\n", OLDER)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "other.csv", "summary.md"]


def test_a_file_system_without_links_has_copies(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    test_a_summary_of_a_run_that_fails_after_it_is_cut_again(tmp_path)
