"""Simulate level, power and coverage: `make simulate`, or `python benchmarks/simulate.py`.

The results depend on the seed and the number of runs only, not on the number of cores. A run of all simulations writes
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

from simulations import bands, classes, clusters, coverage, gates, limits, points, sliced, streams
from simulations.running import SEED, run

from rocconf import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulations.running import Simulated

HERE = Path(__file__).resolve().parent
LIMITS = "limits"
SIMULATIONS = {
    each.key: each
    for each in (
        *gates.SIMULATIONS,
        *coverage.SIMULATIONS,
        *bands.SIMULATIONS,
        *points.SIMULATIONS,
        *streams.SIMULATIONS,
        *clusters.SIMULATIONS,
        *classes.SIMULATIONS,
        *sliced.SIMULATIONS,
    )
}

ABOUT = """\
Written by `make simulate`. Cases are drawn from a known truth and analysed by rocconf, and the outcomes are counted.
Each share has its Monte Carlo standard error; where 0 of n runs are counted, the true share can be as large as 3/n. Two
models have normal scores in each class, with a correlation of 0.8 between the models.
"""


def main() -> None:
    options = _arguments()
    results, errors = [], []
    with ProcessPoolExecutor(options.cores, get_context("spawn")) as pool:
        for key in options.only or (LIMITS, *SIMULATIONS):
            print(f"simulating {key}", file=sys.stderr, flush=True)
            if key == LIMITS:
                errors = limits.simulate(pool, options.runs)
            else:
                results.append(run(SIMULATIONS[key], pool, runs=options.runs))
    text = page(results, errors, date=options.date)
    path = options.results or (None if options.only or options.runs else HERE / "SIMULATIONS.md")
    if path:
        path.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    broken = [promise.text for result in results for promise in result.promises if not promise.is_kept]
    for text in broken:
        print(f"NOT KEPT: {text}", file=sys.stderr)
    sys.exit(bool(broken))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    keys = ", ".join((LIMITS, *SIMULATIONS))
    parser.add_argument(
        "--only", action="append", choices=(LIMITS, *SIMULATIONS), metavar="NAME", help=f"one of {keys}"
    )
    parser.add_argument(
        "--runs", type=int, metavar="N", help="runs of every setting (default: depends on the simulation)"
    )
    parser.add_argument("--cores", type=int, default=os.cpu_count(), metavar="N", help="processes (default: all cores)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="the page to write")
    parser.add_argument("--date", help="the date on the page")
    options = parser.parse_args()
    if options.runs is not None and options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def page(results: Sequence[Simulated], errors: Sequence[limits.Error] = (), *, date: str | None) -> str:
    """Return the page: first the promises, then the errors of rules at their limit, then all other results."""
    lines = ["# Simulated", "", ABOUT]
    lines += [f"- date: {date}"] if date else []
    lines += [
        f"- seed: {SEED}",
        f"- rocconf {__version__}, numpy {version('numpy')}, Python {platform.python_version()}",
    ]
    promises = [
        (promise.text, str(promise.share), "kept" if promise.is_kept else "NOT KEPT")
        for result in results
        for promise in result.promises
    ]
    if promises:
        lines += ["", "## Promises", "", *_table(("promise", "result", ""), promises, text_columns=1)]
    lines += limits.section(errors) if errors else []
    for result in results:
        simulation = result.simulation
        lines += ["", f"## {simulation.title}", "", f"{result.runs:,} runs per row. {simulation.about}", ""]
        lines += _table(simulation.headings, result.rows, text_columns=3)
    return "\n".join(lines) + "\n"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int) -> list[str]:
    """Return a Markdown table; the columns after those of text are aligned as numbers."""
    marks = ["---" if place < text_columns else "---:" for place in range(len(headings))]
    return ["| " + " | ".join(line) + " |" for line in (headings, marks, *rows)]


if __name__ == "__main__":
    main()
