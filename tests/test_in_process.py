"""A command that the tests run in their own process ends as a process does, and leaves nothing changed."""

import gc
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from conftest import ROOT, SAMPLE_DATA

TABLE1 = SAMPLE_DATA / "table1.csv"
LINES = [
    [],
    ["--help"],
    ["--version"],
    ["swep"],
    ["sweep"],
    ["sweep", "none.csv"],
    ["sweep", TABLE1, "--nonsense"],
    ["sweep", TABLE1, "--format", "table", "--require", "auc >= 0.9", "--label", "label", "--score", "score"],
    ["sweep", TABLE1, "-o", "a.json", "--plot", "a.svg", "--require", "auc >= 0.01"],
    ["sweep", "-", "--format", "json"],
]


@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=pytest.mark.thorough if at % 4 else []) for at, line in enumerate(LINES)],
    ids=lambda line: " ".join(map(str, line[:1] + line[2:])),
)
def test_a_run_in_process_ends_as_a_process_does(rocconf, process, tmp_path, line):
    ends = []
    for run in (rocconf, process):
        ran = run(*line, stdin="label,score\n1,0.9\n0,0.4\n1,0.3\n0,0.2\n", env={"COLUMNS": "70"})
        files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        for name in files:
            (tmp_path / name).unlink()
        ends.append((ran.status, ran.out, ran.err, files))
    assert ends[0] == ends[1]


def test_a_run_in_process_changes_nothing(rocconf):
    def state():
        handlers = [signal.getsignal(number) for number in signal.valid_signals()]
        streams = [sys.stdin, sys.stdout, sys.stderr, *(os.fstat(number).st_ino for number in range(3))]
        here = [Path.cwd(), sys.argv, sys.modules["__main__"], gc.isenabled()]
        return handlers, streams, here, dict(os.environ), list(warnings.filters), np.geterr(), dict(mpl.rcParams)

    before = state()
    for line in LINES:
        rocconf(*line, env={"A_NEW_VARIABLE": "1"})
    assert state() == before


def test_a_warning_in_process_is_an_error(rocconf, monkeypatch):
    monkeypatch.setattr("rocconf.__main__._run", lambda: warnings.warn("old", DeprecationWarning, stacklevel=1))
    assert rocconf("--version").err.startswith("rocconf: internal error: DeprecationWarning: old")


def test_what_a_library_writes_to_a_descriptor_is_seen(rocconf, monkeypatch):
    monkeypatch.setattr("rocconf.__main__._run", lambda: os.write(2, b"from below\n") and 1)
    ran = rocconf("--version")
    assert (ran.status, ran.err) == (1, "from below\n")


def test_an_end_without_a_number_is_no_verdict(rocconf, monkeypatch):
    monkeypatch.setattr("rocconf.__main__.main", lambda: sys.exit("broken"))
    assert rocconf("--version").status == 2


def test_no_process_of_a_test_inherits_ignored_or_blocked_signals(tmp_path):
    child = "import signal\nprint(signal.getsignal(15), signal.getsignal(1), signal.getsignal(3), signal.pthread_sigmask(0, []))"
    parent = f"import conftest, subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])"
    started = f"import signal, subprocess, sys\nsignal.pthread_sigmask(0, [2, 15])\nsubprocess.run([sys.executable, '-c', {parent!r}])"
    done = subprocess.run(
        ["bash", "-c", "trap '' INT TERM HUP QUIT; exec \"$@\"", "bash", sys.executable, "-c", started],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "0 0 0 set()\n", done.stderr
