"""Measure rocconf, the floor and its peers side by side in one run: `make bench`, or `python benchmarks/run.py`.

Only ratios within one run count. A run of all works writes benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from contest import DisagreementError, run_contest
from machine import description
from tell import Measured, page, print_rich
from works import FLOOR, OURS, PEERS, YARDSTICK, Work, works

HERE = Path(__file__).resolve().parent
KERNELS = """
## Kernels, by number of cases

By themselves, on one core, in processor time: what costs n log n hardly grows a case, and what memory must be waited for
does. fbroc (bootstrap) and PropCIs (Tango's interval) are not run.

"""


def main() -> None:
    asked = _arguments()
    chosen = [work for work in works(quick=asked.quick) if not asked.only or work.key in asked.only]
    try:
        measured = [_measure(work, asked) for work in chosen]
    except (DisagreementError, RuntimeError) as error:
        sys.exit(f"benchmarks: {error}")
    print_rich(measured)
    whole = not (asked.only or asked.peer or asked.quick)
    results = asked.results or (HERE / "RESULTS.md" if whole else None)
    if results:
        kernels = "" if asked.only or asked.peer else _kernels(quick=asked.quick)
        results.write_text(
            page(measured, description(), repeat=asked.repeat, date=asked.date) + kernels, encoding="utf-8"
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    keys = [work.key for work in works(quick=True)]
    parser.add_argument("--only", action="append", choices=keys, metavar="WORK", help=f"one of {', '.join(keys)}")
    parser.add_argument("--peer", action="append", choices=PEERS, metavar="PEER", help=f"one of {', '.join(PEERS)}")
    parser.add_argument("--repeat", type=int, default=7, metavar="N", help="turns of every contestant (default 7)")
    parser.add_argument("--quick", action="store_true", help="small data, to see that everything runs")
    parser.add_argument("--data", type=Path, default=Path("out/bench"), metavar="FOLDER", help="where data is kept")
    parser.add_argument("--results", type=Path, metavar="FILE", help="where to write the page")
    parser.add_argument("--date", help="a date to stand on the page")
    asked = parser.parse_args()
    if asked.repeat < 1:
        parser.error("--repeat must be at least 1")
    return asked


def _measure(work: Work, asked: argparse.Namespace) -> Measured:
    _tell(work.title)
    path = asked.data
    if work.data:
        path = work.data.path(asked.data)
        if not path.exists():
            _tell(f"making {path}")  # in a process of its own: what this one holds counts as every contestant's
            models = [] if work.data.models == 1 else [str(work.data.models)]
            making = [sys.executable, str(HERE / "data.py"), str(path), str(work.data.rows), *models]
            subprocess.run(making, check=True)
    peers = set(asked.peer or PEERS) | {OURS, FLOOR, YARDSTICK}
    contestants = [contestant for contestant in work.contestants(path) if contestant.name in peers]
    outcomes = run_contest(contestants, repeat=asked.repeat, tell=_tell)
    return Measured(work, outcomes, [contestant for contestant in contestants if contestant.absent])


def _kernels(*, quick: bool) -> str:
    """Return the page's part about the kernels, measured in a process of its own."""
    _tell("kernels")
    command = [sys.executable, str(HERE / "kernels.py"), *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return KERNELS + done.stdout


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
