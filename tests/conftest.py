"""Run rocconf as its users do: as a process, in a folder of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("rocconf", deadline=None)  # a busy machine is no fault
settings.load_profile("rocconf")

ROOT = Path(__file__).parents[1]
SAMPLE_DATA = ROOT / "sample_data"
REFERENCE = ROOT / "tests" / "reference"


@dataclass(frozen=True)
class Ran:
    """What a process left behind."""

    status: int
    out: str
    err: str


def environment(**more):
    """Give a process the same surroundings everywhere."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "PYTHONWARNINGS": "error", **more}


@pytest.fixture
def rocconf(tmp_path):
    """Run a command in a new folder."""

    def run(*arguments, stdin=None, env=None, code=None):
        command = [sys.executable, "-c", code, *arguments] if code else [sys.executable, "-m", "rocconf", *arguments]
        done = subprocess.run(
            [str(part) for part in command],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env=environment(**(env or {})),
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def table1():
    """The ten cases of the sensibility paper's Table 1."""
    return SAMPLE_DATA / "table1.csv"
