"""The simulations run, do not depend on the number of cores, and keep the promises that the documents quote."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context

import pytest
from conftest import ROOT, environment

SIMULATE = ROOT / "benchmarks" / "simulate.py"
SIMULATED = ROOT / "benchmarks" / "SIMULATIONS.md"
HEADING = "## How often it is right"


def simulated(*options):
    return subprocess.run(
        [sys.executable, str(SIMULATE), *options], env=environment(), capture_output=True, text=True, check=False
    )


def lines_of_tables(text):
    return [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]


@pytest.mark.parametrize("name", ["twice", "equal", "rates", "formulas", "bands"])
def test_a_few_runs_make_every_row_of_the_page(name):
    done = simulated("--only", name, "--runs", "2", "--cores", "1", "--date", "2009-01-01")
    assert "Traceback" not in done.stderr, done.stderr
    section = done.stdout.split("\n## ")[-1]
    whole = SIMULATED.read_text(encoding="utf-8")
    (wanted,) = (part for part in whole.split("\n## ") if part.splitlines()[0] == section.splitlines()[0])
    assert len(lines_of_tables(section)) == len(lines_of_tables(wanted))
    assert "- date: 2009-01-01" in done.stdout


def test_the_number_of_cores_changes_no_digit():
    one, two = (simulated("--only", "twice", "--runs", "60", "--cores", cores) for cores in ("1", "2"))
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout


def test_a_broken_promise_is_detected(monkeypatch):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    running = import_module("simulations.running")
    seldom = running.Promise("seldom", running.Share(50, 1000), most=0.025)
    assert not seldom.is_kept
    assert running.Promise("seldom", running.Share(38, 1000), most=0.025).is_kept  # within three standard errors
    assert not running.Promise("never", running.Share(1, 1000), most=0.0, slack=0).is_kept
    assert not running.Promise("often", running.Share(900, 1000), least=0.93, most=0.97, slack=0).is_kept


def test_the_page_breaks_no_promise():
    assert "NOT KEPT" not in SIMULATED.read_text(encoding="utf-8")


def test_the_page_describes_the_simulations_as_they_are(monkeypatch):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    simulate, text = import_module("simulate"), SIMULATED.read_text(encoding="utf-8")
    assert simulate.ABOUT in text
    assert [
        each.key for each in simulate.SIMULATIONS.values() if f"{each.runs:,} runs per row. {each.about}" not in text
    ] == []


def test_the_methods_quote_what_was_simulated():
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    quoted = [line for line in lines_of_tables(section) if "±" in line or " of " in line]
    whole = set(lines_of_tables(SIMULATED.read_text(encoding="utf-8")))
    assert len(quoted) > 10
    assert [line for line in quoted if line not in whole] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "runs"), [("twice", 300), ("equal", 1000), ("rates", 500), ("bands", 300)])
def test_the_promises_are_kept(monkeypatch, name, runs):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{SIMULATE.parent}")
    simulations, running = import_module("simulate"), import_module("simulations.running")
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        result = running.run(simulations.SIMULATIONS[name], pool, runs=runs)
    assert result.promises
    assert [(each.text, str(each.share)) for each in result.promises if not each.is_within(3)] == []
