"""Simulate how often rocconf keeps what it promises: `make simulate`, or `python benchmarks/simulate.py`.

What is found depends on the seed and the number of runs alone, not on the cores. A run of all simulations writes
benchmarks/SIMULATIONS.md.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded: the runs take the cores

import argparse
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from simulations import bands, coverage, gates
from simulations.running import SEED, run

from rocconf import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulations.running import Simulated

HERE = Path(__file__).resolve().parent
SIMULATIONS = {each.key: each for each in (*gates.SIMULATIONS, *coverage.SIMULATIONS, *bands.SIMULATIONS)}

ABOUT = """\
Written by `make simulate`: cases are drawn from a known truth, given to rocconf's own functions, and counted by what
was said of them. A share stands with its Monte Carlo standard error; 0 of so many runs may in truth be as much as
three in so many. Two models have normal scores in either class that correlate by 0.8 between the models.
"""


def main() -> None:
    asked = _arguments()
    found = []
    with ProcessPoolExecutor(asked.cores, get_context("spawn")) as pool:
        for key in asked.only or SIMULATIONS:
            print(f"simulating {key}", file=sys.stderr, flush=True)
            found.append(run(SIMULATIONS[key], pool, runs=asked.runs))
    text = page(found, date=asked.date)
    results = asked.results or (None if asked.only or asked.runs else HERE / "SIMULATIONS.md")
    if results:
        results.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    broken = [promise.words for one in found for promise in one.promises if not promise.is_kept]
    for words in broken:
        print(f"NOT KEPT: {words}", file=sys.stderr)
    sys.exit(bool(broken))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    keys = ", ".join(SIMULATIONS)
    parser.add_argument("--only", action="append", choices=SIMULATIONS, metavar="NAME", help=f"one of {keys}")
    parser.add_argument("--runs", type=int, metavar="N", help="runs of every setting (default: as many as each says)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), metavar="N", help="processes (default: all cores)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="where to write the page")
    parser.add_argument("--date", help="a date to stand on the page")
    asked = parser.parse_args()
    if asked.runs is not None and asked.runs < 1:
        parser.error("--runs must be at least 1")
    return asked


def page(found: Sequence[Simulated], *, date: str | None) -> str:
    """Return the page: first what was promised, then everything."""
    lines = ["# Simulated", "", ABOUT]
    lines += [f"- date: {date}"] if date else []
    lines += [
        f"- seed: {SEED}",
        f"- rocconf {__version__}, numpy {version('numpy')}, Python {platform.python_version()}",
    ]
    promises = [
        (promise.words, str(promise.share), "kept" if promise.is_kept else "NOT KEPT")
        for one in found
        for promise in one.promises
    ]
    if promises:
        lines += ["", "## What is promised", "", *_table(("promise", "found", ""), promises, words=1)]
    for one in found:
        simulation = one.simulation
        lines += ["", f"## {simulation.title}", "", f"{one.runs:,} runs of each line. {simulation.about}", ""]
        lines += _table(simulation.headings, one.rows, words=3)
    return "\n".join(lines) + "\n"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> list[str]:
    """Return a table of Markdown whose first columns are words, and the others numbers."""
    marks = ["---" if place < words else "---:" for place in range(len(headings))]
    return ["| " + " | ".join(line) + " |" for line in (headings, marks, *rows)]


if __name__ == "__main__":
    main()
