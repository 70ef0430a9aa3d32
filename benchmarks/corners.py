"""The corners in which a command once took long, or much memory: what it takes now, and the goal.

A goal is a time on a machine on which scikit-learn sweeps a csv of a million rows in 0.97 s; it is scaled by the time
that takes here.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contest import timed
from stored import Data, placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HERE = Path(__file__).resolve().parent
SECONDS_OF_PEER = 0.97
"""The seconds of scikit-learn on the machine of the goals."""

NAMED = ("--label", "label", "--score")
ABOUT = """\
## Corners

Work that once took long, or much memory, at a million rows unless said. The goals are for a machine on which pandas and
scikit-learn sweep the csv of a million rows in {yardstick:.2f} s; here that takes {here:.2f} s, and the goals are scaled.
Those of 100M rows are measured with `--large`. `now` is the least of several times, `cores` the least time summed over all cores, `MB` the peak memory.
"""


@dataclass(frozen=True)
class Corner:
    """Some work with its goals at a million rows, unless `rows` says otherwise; what the goals are missed for, if known."""

    key: str
    title: str
    command: tuple[str, ...]
    seconds: float
    megabytes: float | None = None
    rows: int | None = None
    why: str = ""


CORNERS = (
    Corner(
        "bootstrap",
        "two models compared, `--bootstrap 1000`",
        ("compare", "@2.csv", *NAMED, "new_1", "--score", "new_2", "--bootstrap", "1000"),
        3.5,
    ),
    Corner(
        "drift",
        "drift, 999 relabellings",
        ("sensibility", "@shuffled.csv", "--reference", "@moved.csv", *NAMED, "score"),
        2.5,
    ),
    Corner(
        "rule-10%",
        "a rule on average precision, 10% positives",
        ("sweep", "@common.csv", *NAMED, "score", "--require", "average_precision >= 0.1", "--exit-zero"),
        2.0,
    ),
    Corner(
        "rule-1%",
        "a rule on average precision, 1% positives",
        ("sweep", "@rare.csv", *NAMED, "score", "--require", "average_precision >= 0.01", "--exit-zero"),
        1.5,
    ),
    Corner("report", "report.json", ("sweep", "@usual.csv", *NAMED, "score", "-o", "out.json"), 0.24),
    Corner(
        "gate",
        "a saved report of a million cases judged",
        ("gate", "@report.json", "--require", "auc >= 0.8", "--exit-zero"),
        0.3,
        40,
    ),
    Corner("ndjson", "rows as ndjson", ("sweep", "@usual.csv", *NAMED, "score", "-o", "rows:out.ndjson"), 1.5, 280),
    Corner("json", "rows as JSON", ("sweep", "@usual.csv", *NAMED, "score", "-o", "rows:out.json"), 1.5, 280),
    Corner("csv.gz", "rows as csv.gz", ("sweep", "@usual.csv", *NAMED, "score", "-o", "rows:out.csv.gz"), 1.75),
    Corner("quoted", "37 columns, commas in quotes", ("sweep", "@wide.csv", *NAMED, "score"), 0.68),
    Corner(
        "join",
        "two files joined by ids of text",
        ("compare", "@shuffled.csv", "@moved.csv", "--id", "id", *NAMED, "score"),
        0.70,
    ),
    Corner(
        "20-models",
        "20 models, parquet",
        ("compare", "@20.parquet", "--label", "label", "--all-pairs"),
        0.75,
        380,
        why="every model is swept too: floor/models.py, which checks nothing, takes as long",
    ),
)
LARGE = (
    Corner(
        "100M-rounded",
        "100M rows of parquet, rounded scores, counted",
        ("count", "@rounded.parquet", *NAMED, "score", "-o", "out.parquet"),
        0.8,
        260,
        100_000_000,
        why="the floor and duckdb take as long: counting.py",
    ),
    Corner(
        "100M-distinct",
        "100M rows of parquet, all scores distinct, swept",
        ("sweep", "@distinct.parquet", *NAMED, "score"),
        1.7,
        1150,
        100_000_000,
        why="the curve is kept, 24 bytes a row; floor/large.py, which keeps as much, takes three times as long",
    ),
)
"""Corners of a hundred million rows, which are measured only if asked for: their files take long to make."""

HEADINGS = ("work", "now, s", "cores, s", "MB", "goal, s", "goal, MB", "")


@dataclass(frozen=True)
class MeasuredCorner:
    """A corner with its time, its processor time and its peak memory, or the error that it ended with."""

    corner: Corner
    scale: float
    seconds: float = 0.0
    processor_seconds: float = 0.0
    peak: float = 0.0
    failed: str = ""

    @property
    def faults(self) -> list[str]:
        """The goals that are missed."""
        if self.failed:
            return [f"failed: {self.failed}"]
        faults = []
        if self.seconds > (limit := self.corner.seconds * self.scale):
            faults.append(f"{self.seconds:.2f} s is more than {limit:.2f} s")
        if self.corner.megabytes is not None and self.peak / 1e6 > self.corner.megabytes:
            faults.append(f"{self.peak / 1e6:.0f} MB is more than {self.corner.megabytes:g} MB")
        return faults

    @property
    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        megabytes = "–" if self.corner.megabytes is None else f"{self.corner.megabytes:g}"
        why = f" ({self.corner.why})" * bool(self.corner.why)
        return (
            self.corner.title,
            f"{self.seconds:.2f}",
            f"{self.processor_seconds:.2f}",
            f"{self.peak / 1e6:.0f}",
            f"{self.corner.seconds * self.scale:.2f}".replace("inf", "–"),
            megabytes,
            f"NOT MET: {'; '.join(self.faults)}{why}" if self.faults else "met",
        )


def yardstick(rows: int, folder: Path, *, repeat: int, log: Callable[[str], None]) -> float:
    """Return the least seconds of scikit-learn on the usual csv."""
    path = Data("csv", rows, "usual").ensure(folder, log)
    peer = (sys.executable, str(HERE / "peers" / "pandas_sklearn.py"), str(path))
    return min(timed(peer, folder)[0] for _ in range(repeat))


def measure_corners(
    corners: Iterable[Corner], rows: int, folder: Path, *, scale: float, repeat: int, log: Callable[[str], None]
) -> list[MeasuredCorner]:
    """Measure corners one after the other."""
    measured = []
    for corner in corners:
        command = placed(corner.command, corner.rows or rows, folder, log)
        measured.append(_measured(corner, command, scale=scale, repeat=repeat))
        log(f"{corner.title}: {measured[-1].failed or f'{measured[-1].seconds:.2f} s'}")
    return measured


def _measured(corner: Corner, command: tuple[str, ...], *, scale: float, repeat: int) -> MeasuredCorner:
    try:
        with tempfile.TemporaryDirectory() as written:
            turns = [timed(command, Path(written)) for _ in range(repeat)]
    except RuntimeError as error:
        return MeasuredCorner(corner, scale, failed=str(error).splitlines()[-1])
    seconds, processor_seconds = (min(turn[at] for turn in turns) for at in (0, 1))
    return MeasuredCorner(corner, scale, seconds, processor_seconds, max(turn[2] for turn in turns))
