"""Measure rocconf, the floor and the peers in one run: `make bench`, or `python benchmarks/run.py`.

Only ratios within a run are comparable. A run of all workloads writes benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from contest import DisagreementError, run_contest
from machine import description
from results_page import Measured, page, print_rich
from workloads import FLOOR, OURS, PEERS, YARDSTICK, Workload, workloads

HERE = Path(__file__).resolve().parent
KERNELS = """
## Kernels, by number of cases

Each kernel alone, on one core, in processor time. The cost per case of an n log n kernel hardly grows with n, unless it
waits for memory. fbroc (bootstrap) and PropCIs (Tango's interval) are not run.

"""


def main() -> None:
    options = _arguments()
    chosen = [each for each in workloads(quick=options.quick) if not options.only or each.key in options.only]
    try:
        measured = [_measure(each, options) for each in chosen]
    except (DisagreementError, RuntimeError) as error:
        sys.exit(f"benchmarks: {error}")
    print_rich(measured)
    whole = not (options.only or options.peer or options.quick)
    results = options.results or (HERE / "RESULTS.md" if whole else None)
    if results:
        kernels = "" if options.only or options.peer else _kernels(quick=options.quick)
        results.write_text(
            page(measured, description(), repeat=options.repeat, date=options.date) + kernels, encoding="utf-8"
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    keys = [each.key for each in workloads(quick=True)]
    parser.add_argument("--only", action="append", choices=keys, metavar="WORKLOAD", help=f"one of {', '.join(keys)}")
    parser.add_argument("--peer", action="append", choices=PEERS, metavar="PEER", help=f"one of {', '.join(PEERS)}")
    parser.add_argument("--repeat", type=int, default=7, metavar="N", help="runs of every contestant (default 7)")
    parser.add_argument("--quick", action="store_true", help="small data, to test that everything runs")
    parser.add_argument(
        "--data", type=Path, default=Path("out/bench"), metavar="FOLDER", help="where the data is stored"
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="the page to write")
    parser.add_argument("--date", help="the date on the page")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def _measure(workload: Workload, options: argparse.Namespace) -> Measured:
    _log(workload.title)
    path = options.data
    if workload.data:
        path = workload.data.path(options.data)
        if not path.exists():
            _log(f"making {path}")  # in another process: the memory of this one counts as every contestant's
            making = [sys.executable, str(HERE / "data.py"), str(path), str(workload.data.rows), workload.data.form]
            subprocess.run(making, check=True)
    peers = set(options.peer or PEERS) | {OURS, FLOOR, YARDSTICK}
    contestants = [contestant for contestant in workload.contestants(path) if contestant.name in peers]
    outcomes = run_contest(contestants, repeat=options.repeat, log=_log)
    return Measured(workload, outcomes, [contestant for contestant in contestants if contestant.absent])


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
