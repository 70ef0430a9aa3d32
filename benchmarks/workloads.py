"""The workloads: the data, the contestants, and the goals for rocconf."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from contest import Contestant
from stored import Data, rocconf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from contest import Outcome

HERE = Path(__file__).resolve().parent
OURS, FLOOR, FLOOR_WITH_IDS, YARDSTICK = "rocconf", "floor", "floor with ids", "import numpy"
SKLEARN, POLARS, DUCKDB, PROC, ROCR = "pandas + scikit-learn", "polars query", "duckdb SQL", "R pROC", "R ROCR"
PACKED = "polars + numpy"
PEERS = (YARDSTICK, SKLEARN, PACKED, POLARS, DUCKDB, PROC, ROCR)
QUERIES = (POLARS, DUCKDB)
IDS = "an id that stands twice is an error, so ids are read: `floor with ids` does that much"
PAIRS = "the floor, which reads, sorts and places the cases of three models, is hardly faster"
CURVES = "each model is swept too, with its measures: the floor makes no curve"
START = "the floor, which is Python, numpy and rich with one sort, takes nearly as long"


@dataclass(frozen=True)
class Goal:
    """A limit on the ratio of rocconf to the best of some contestants; `why` it is missed, if that is known."""

    text: str
    limit: float
    others: tuple[str, ...]
    which: Literal["at most", "at least"] = "at least"
    what: Literal["time", "memory"] = "time"
    why: str = ""

    def ratio(self, outcomes: Sequence[Outcome]) -> float | None:
        """Return the ratio: rocconf to the best for `at most`, the best to rocconf for `at least`; None if none ran."""
        costs = {o.contestant.name: o.least if self.what == "time" else float(o.peak) for o in outcomes}
        others = [costs[name] for name in self.others if name in costs]
        if not others:
            return None
        return costs[OURS] / min(others) if self.which == "at most" else min(others) / costs[OURS]

    def is_met(self, ratio: float) -> bool:
        """Whether a ratio meets the goal."""
        return ratio <= self.limit if self.which == "at most" else ratio >= self.limit


@dataclass(frozen=True)
class Workload:
    """A task on some data, the contestants that do it, and the goals."""

    key: str
    title: str
    data: Data | None
    contestants: Callable[[Path], list[Contestant]]
    goals: tuple[Goal, ...]


def workloads(*, quick: bool) -> list[Workload]:
    """Return all workloads; quick ones run the same commands on little data, and have no goals."""
    small, middle, large = (500, 2_000, 5_000) if quick else (10_000, 1_000_000, 10_000_000)
    near_floor = Goal("at most 1.15 x the floor", 1.15, (FLOOR,), "at most")
    full = [
        Workload(
            "start",
            "rocconf --help",
            None,
            _starters,
            (Goal("at most 1.0 x `import numpy`", 1.0, (YARDSTICK,), "at most"),),
        ),
        Workload(
            "csv-10k",
            f"csv of {small:,} rows, full sweep, rich table",
            Data("csv", small),
            _sweepers(small=True),
            (
                Goal("at most 1.8 x `import numpy`", 1.8, (YARDSTICK,), "at most", why=START),
                Goal("faster than every peer", 1.0, (SKLEARN, POLARS, DUCKDB, PROC, ROCR)),
            ),
        ),
        Workload(
            "csv-1M",
            f"csv of {middle:,} rows with ids, times and texts, full sweep, AUC, DeLong's error",
            Data("csv", middle, "usual"),
            _sweepers(),
            (*_fair(4.5, 0.6), Goal("at least 3 x as fast as pROC", 3, (PROC,))),
        ),
        Workload(
            "csv-10M",
            f"csv of {large:,} rows with ids, times and texts, full sweep, AUC, DeLong's error",
            Data("csv", large, "usual"),
            _sweepers(),
            (*_fair(5, 0.65), Goal("at least 10 x as fast as pROC", 10, (PROC,))),
        ),
        Workload(
            "parquet-10M",
            f"parquet of {large:,} rows with ids, times and texts, full sweep, AUC, DeLong's error",
            Data("parquet", large, "usual"),
            _sweepers(),
            _fair(6, 0.4),
        ),
        Workload(
            "compare-10k",
            f"csv of {small:,} rows, two models compared, rich table",
            Data("csv", small, "2"),
            _comparers(),
            (Goal("faster than every peer", 1.0, (PROC,)),),
        ),
        Workload(
            "compare-1M",
            f"csv of {middle:,} rows, three models compared in pairs: DeLong, Tango at two operating points",
            Data("csv", middle, "3"),
            _comparers("0.5", "0.3", floor="models.py"),
            (Goal("at least 9 x as fast as pROC", 9, (PROC,), why=PAIRS), near_floor),
        ),
        Workload(
            "compare-10M",
            f"csv of {large:,} rows, two models compared: paired DeLong",
            Data("csv", large, "2"),
            _comparers(floor="paired.py"),
            (Goal("at least 9 x as fast as pROC", 9, (PROC,)), replace(near_floor, why=CURVES)),
        ),
    ]
    return [replace(workload, goals=()) for workload in full] if quick else full


def _fair(times: float, memory: float) -> tuple[Goal, ...]:
    return (
        Goal("at most 1.0 x polars + numpy", 1.0, (PACKED,), "at most", why=IDS),
        Goal(f"at least {times:g} x as fast as pandas + scikit-learn", times, (SKLEARN,), why=IDS),
        Goal(
            f"peak memory at most {memory:g} x pandas + scikit-learn", memory, (SKLEARN,), "at most", "memory", why=IDS
        ),
        Goal("faster than every query", 1.0, QUERIES),
        Goal("at most 1.15 x the floor", 1.15, (FLOOR,), "at most", why=IDS),
        Goal("at most 1.15 x the floor with ids", 1.15, (FLOOR_WITH_IDS,), "at most"),
    )


def _starters(_: Path) -> list[Contestant]:
    return [
        Contestant(OURS, rocconf("--help"), answers=False),
        Contestant(FLOOR, _floor("start.py", "--help"), answers=False),
        IMPORT_NUMPY,
    ]


def _sweepers(*, small: bool = False) -> Callable[[Path], list[Contestant]]:
    def contestants(path: Path) -> list[Contestant]:
        file, answer = str(path), path.with_suffix(".answer.json")
        ours = rocconf("sweep", file, "--label", "label", "--score", "score", "--format", "table")
        return [
            Contestant(OURS, ours, answer_command=(*ours, "-o", f"summary:{answer}"), answer_in=answer),
            Contestant(FLOOR, _floor(*(["small.py", "sweep"] if small else ["large.py"]), file)),
            *([IMPORT_NUMPY] if small else [Contestant(FLOOR_WITH_IDS, _floor("large.py", file, "--ids"))]),
            _python(SKLEARN, "pandas_sklearn.py", file, needs=("pandas", "sklearn", "pyarrow")),
            _python(PACKED, "polars_numpy.py", file, needs=("polars",)),
            _python(POLARS, "polars_query.py", file, needs=("polars",)),
            _python(DUCKDB, "duckdb_sql.py", file, needs=("duckdb",)),
            _r(PROC, "pROC", file),
            _r(ROCR, "ROCR", file),
        ]

    return contestants


def _comparers(*points: str, floor: str = "") -> Callable[[Path], list[Contestant]]:
    """Compare all pairs of models, also at operating points, where pROC only counts discordant cases."""

    def contestants(path: Path) -> list[Contestant]:
        file, answer = str(path), path.with_suffix(".answer.json")
        at = [part for point in points for part in ("--at", f"threshold={point}")]
        ours = rocconf("compare", file, "--all-pairs", "--interval", "delong", *at, "--format", "table")
        return [
            Contestant(OURS, ours, answer_command=(*ours, "-o", f"pairs:{answer}"), answer_in=answer),
            *([Contestant(FLOOR, _floor(floor, file))] if floor else []),
            *([] if floor or points else [IMPORT_NUMPY]),
            _r(PROC, "pROC", file, *points, script="paired_pROC"),
        ]

    return contestants


IMPORT_NUMPY = Contestant(YARDSTICK, (sys.executable, "-c", "import numpy"), answers=False)


def _floor(script: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, str(HERE / "floor" / script), *arguments)


def _python(name: str, script: str, file: str, *, needs: tuple[str, ...]) -> Contestant:
    missing = [package for package in needs if find_spec(package) is None]
    absent = f"{', '.join(missing)} not installed" if missing else ""
    return Contestant(name, (sys.executable, str(HERE / "peers" / script), file), absent)


def _r(name: str, package: str, file: str, *more: str, script: str = "") -> Contestant:
    absent = "" if package in r_packages() else f"R or its package {package} not installed"
    if file.endswith(".parquet"):
        absent = absent or "reads no parquet"
    return Contestant(
        name, ("Rscript", "--vanilla", str(HERE / "peers" / f"{script or package}.R"), file, *more), absent
    )


@cache
def r_packages() -> dict[str, str]:
    """Return the versions of R and of the packages that the peers need, those that are installed."""
    if shutil.which("Rscript") is None:
        return {}
    code = (
        "cat('R', as.character(getRversion()), '\n');"
        "for (name in c('pROC', 'ROCR', 'data.table')) if (nzchar(system.file(package = name)))"
        " cat(name, as.character(packageVersion(name)), '\n')"
    )
    done = subprocess.run(["Rscript", "--vanilla", "-e", code], capture_output=True, text=True, check=False)
    return dict(line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)
