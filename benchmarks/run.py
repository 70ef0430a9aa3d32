"""Measure rocconf, the floor and the peers in one run: `make bench`, or `python benchmarks/run.py`.

Only ratios within a run are comparable. A run of all workloads writes benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

from contest import DisagreementError, run_contest
from corners import CORNERS, LARGE, SECONDS_OF_PEER, MeasuredCorner, measure_corners, yardstick
from growth import BY_CASES, BY_MODELS, FULL, SMALL, measure_growth
from machine import description
from results_page import Measured, Results, page, print_rich
from workloads import FLOOR, FLOOR_WITH_IDS, OURS, PEERS, YARDSTICK, Workload, workloads

HERE = Path(__file__).resolve().parent
ROWS, QUICK_ROWS = 1_000_000, 2_000
"""The rows of the corners."""

KERNELS = """
## Kernels, by number of cases

Each kernel alone, on one core, in processor time. The cost per case of an n log n kernel hardly grows with n, unless it
waits for memory. fbroc (bootstrap) and PropCIs (Tango's interval) are not run.

"""


def main() -> None:
    options = _arguments()
    sizes = SMALL if options.quick else FULL
    chosen = [each for each in workloads(quick=options.quick) if _is_chosen(each.key, "workloads", options)]
    works = [each for each in (*BY_CASES, *BY_MODELS) if _is_chosen(each.key, "growth", options)]
    try:
        results = Results(
            [_measure(each, options) for each in chosen],
            _corners(options),
            [measure_growth(each, sizes, options.data, log=_log) for each in works],
            options.repeat,
        )
        kernels = _kernels(quick=options.quick) if _is_chosen("kernels", "kernels", options) else ""
    except (DisagreementError, RuntimeError) as error:
        sys.exit(f"benchmarks: {error}")
    print_rich(results)
    whole = not (options.only or options.peer or options.quick)
    path = options.results or (HERE / "RESULTS.md" if whole else None)
    if path:
        path.write_text(page(results, description(), date=options.date, kernels=kernels), encoding="utf-8")


def _is_chosen(key: str, part: str, options: argparse.Namespace) -> bool:
    """Whether something is measured: everything, or what --only names by itself or by its part."""
    return not options.only or bool({key, part} & set(options.only))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    keys = [each.key for each in (*workloads(quick=True), *CORNERS, *LARGE, *BY_CASES, *BY_MODELS)]
    parts = ["workloads", "corners", "growth", "kernels"]
    parser.add_argument(
        "--only",
        action="append",
        choices=parts + keys,
        metavar="PART",
        help=f"a part ({', '.join(parts)}) or one of its lines: {', '.join(keys)} (repeatable)".replace("%", "%%"),
    )
    parser.add_argument("--peer", action="append", choices=PEERS, metavar="PEER", help=f"one of {', '.join(PEERS)}")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of every contestant (default 5)")
    parser.add_argument("--quick", action="store_true", help="small data, to test that everything runs")
    parser.add_argument("--large", action="store_true", help="also the corners of a hundred million rows")
    parser.add_argument(
        "--data", type=Path, default=Path("out/bench"), metavar="FOLDER", help="where the data is stored"
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="the page to write")
    parser.add_argument("--date", help="the date on the page")
    options = parser.parse_args()
    options.data = options.data.resolve()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def _measure(workload: Workload, options: argparse.Namespace) -> Measured:
    _log(workload.title)
    path = workload.data.ensure(options.data, _log) if workload.data else options.data
    peers = set(options.peer or PEERS) | {OURS, FLOOR, FLOOR_WITH_IDS, YARDSTICK}
    contestants = [contestant for contestant in workload.contestants(path) if contestant.name in peers]
    outcomes = run_contest(contestants, repeat=options.repeat, log=_log)
    return Measured(workload, outcomes, [contestant for contestant in contestants if contestant.absent])


def _corners(options: argparse.Namespace) -> list[MeasuredCorner]:
    """Return the corners measured; quick ones have no goals."""
    large = [each for each in LARGE if options.large or each.key in (options.only or ())]
    chosen = [each for each in (*CORNERS, *large) if _is_chosen(each.key, "corners", options)]
    if options.quick:
        chosen = [replace(each, seconds=inf, megabytes=None, rows=None) for each in chosen]
    if not chosen:
        return []
    rows = QUICK_ROWS if options.quick else ROWS
    scale = 1.0 if options.quick else yardstick(rows, options.data, repeat=options.repeat, log=_log) / SECONDS_OF_PEER
    return measure_corners(chosen, rows, options.data, scale=scale, repeat=min(options.repeat, 3), log=_log)


def _kernels(*, quick: bool) -> str:
    """Return the section about the kernels, measured in another process."""
    _log("kernels")
    command = [sys.executable, str(HERE / "kernels.py"), *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return KERNELS + done.stdout


def _log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
