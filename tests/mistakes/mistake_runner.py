"""Run a mistake as its user would: in a folder of its own, with the files that it names."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from in_process import environment, run_in_process
from mistake_files import edited

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Mistake:
    """A command line and how it must end; a status of 0 needs `codes`, the warnings or notes that name the mistake."""

    name: str
    run: str
    status: int
    says: str = ""
    codes: tuple = ()
    toml: str = ""
    files: dict = field(default_factory=dict)
    env: dict = field(default_factory=dict)
    edits: dict = field(default_factory=dict)
    """Values to write into reports, by the path in the report."""
    shell: bool = False
    """Whether a shell runs it, with the real program; otherwise it is run in this process."""


class Ran(NamedTuple):
    """What a mistake left behind."""

    status: int
    out: str
    err: str
    report: dict | None


def mistakes_of(name):
    """Return the list of a file."""
    return [Mistake(**each) for each in tomllib.loads((HERE / name).read_text(encoding="utf-8"))["mistake"]]


def run_mistake(mistake, shared, folder):
    """Run a mistake in an empty folder, to which the files that it names are copied."""
    for path in shared.iterdir():
        if path.name in mistake.run + mistake.toml:
            (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)
    for name, changes in mistake.edits.items():
        (folder / name).write_text(edited((folder / name).read_text(encoding="utf-8"), **changes), encoding="utf-8")
    for name, text in mistake.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if mistake.toml:
        (folder / "rocconf.toml").write_text(mistake.toml, encoding="utf-8")
    ran = _in_a_shell(mistake, folder) if mistake.shell else _in_process(mistake, folder)
    report = folder / "report.json"
    return Ran(*ran, json.loads(report.read_text(encoding="utf-8")) if report.exists() else None)


def _in_process(mistake, folder, out_file="report.json"):
    ran = run_in_process([*shlex.split(mistake.run), "-o", out_file], folder=folder, env=mistake.env)
    return ran.status, ran.out, ran.err


def _in_a_shell(mistake, folder):
    program = folder / ".bin" / "rocconf"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom rocconf.__main__ import program\nprogram()\n", encoding="utf-8")
    program.chmod(0o755)
    surroundings = environment(**{"PATH": f"{program.parent}:{os.environ['PATH']}", **mistake.env})
    done = subprocess.run(
        ["bash", "-c", mistake.run], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def write_reports(folder):
    """Write the reports, which are of today's rocconf."""
    for name, run in REPORTS.items():
        done = _in_process(Mistake(name, run, 0), folder, name)
        assert done[0] == 0, done


REPORTS = {
    "new.json": "sweep new.csv --at threshold=0.5 --isolated",
    "old.json": "sweep old.csv --at threshold=0.5 --isolated",
    "other.json": "sweep other.csv --at threshold=0.5 --isolated",
    "swapped.json": "sweep swapped.csv --isolated",
    "insample.json": "sweep new.csv --at youden --isolated",
    "failed.json": "sweep new.csv --isolated --require 'auc >= 0.97' --exit-zero",
    "verdicts.json": "gate failed.json --isolated --exit-zero",
    "compared.json": "compare new.csv --baseline old.csv --isolated",
}
