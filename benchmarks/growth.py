"""How the time and the memory of each command grow with the number of cases, and with the number of models.

Each command runs at several sizes. What it takes above a run on very little data is fitted on logs: an exponent of 1 is
linear. The time is that of all cores together, which other work on the machine hardly changes.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from math import log as ln
from pathlib import Path
from typing import TYPE_CHECKING

from contest import timed
from stored import placed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ONE = ("--label", "label", "--score", "score")
TWO = ("--label", "label", "--score", "new_1", "--score", "new_2", "--baseline", "new_1")
TOLERANCE = 0.15
"""How far an exponent may exceed that of n log n: what no longer fits the cache costs more per case."""

LONGEST = 20.0
"""Sizes at which a run would take more seconds than this are left out."""

QUICK, SLOWEST_START = 0.02, 0.2
"""What counts as growth: so many seconds above the start, and this share of it."""

LEAST_MEMORY = 8e6
"""The bytes above those of the start that count as growth."""

ABOUT = """\
## Growth

Seconds on all cores and peak memory of whole commands, and the exponents with which they grow above a run on {start}
cases: fitted on logs over all sizes, and between the last two. n log n itself has an exponent of about 1.07 here; a
command is called worse if an exponent exceeds that by more than {tolerance} (what outgrows the cache costs more per case).
Memory is called worse than n by the same measure. A size at which a run would take more than {longest:g} s is left out
(`–`), and so is an exponent where little is above the start.
"""


@dataclass(frozen=True)
class Work:
    """A command whose growth is measured; `{scores}` stands for the options that name all models of a file."""

    key: str
    title: str
    command: tuple[str, ...]
    of_models: bool = False
    why: str = ""
    """Why it grows faster than n log n, if it does."""


BY_CASES = (
    Work("growth-sweep", "sweep, csv", ("sweep", "@usual.csv", *ONE)),
    Work("growth-parquet", "sweep, parquet", ("sweep", "@usual.parquet", *ONE)),
    Work("growth-ndjson", "sweep, JSON lines", ("sweep", "@usual.ndjson", *ONE)),
    Work("growth-rows", "sweep, rows as csv", ("sweep", "@usual.csv", *ONE, "-o", "rows:out.csv")),
    Work("growth-json", "sweep, rows as JSON", ("sweep", "@usual.csv", *ONE, "-o", "rows:out.json")),
    Work("growth-html", "sweep, report.html", ("sweep", "@usual.csv", *ONE, "-o", "out.html")),
    Work("growth-plot", "sweep, figure", ("sweep", "@usual.csv", *ONE, "--plot", "out.png")),
    Work(
        "growth-rule",
        "sweep, a rule on average precision",
        (*("sweep", "@usual.csv", *ONE, "--require", "average_precision >= 0.05"), "--exit-zero"),
    ),
    Work("growth-calibration", "sweep --calibration", ("sweep", "@usual.csv", *ONE, "--calibration")),
    Work("growth-by", "sweep --by", ("sweep", "@usual.csv", *ONE, "--by", "region")),
    Work("growth-cluster", "sweep --cluster", ("sweep", "@grouped.csv", *ONE, "--cluster", "patient")),
    Work("growth-fold", "sweep --fold", ("sweep", "@grouped.csv", *ONE, "--fold", "fold")),
    Work("growth-concavities", "sweep --concavities 100", ("sweep", "@usual.csv", *ONE, "--concavities", "100")),
    Work("growth-classes", "sweep --one-vs-rest", ("sweep", "@classes.csv", "--one-vs-rest", "--label", "label")),
    Work("growth-tango", "tango", ("tango", "@usual.csv", *ONE)),
    Work("growth-tango-bootstrap", "tango --bootstrap 1000", ("tango", "@usual.csv", *ONE, "--bootstrap", "1000")),
    Work("growth-chi2", "chi2-contours", ("chi2-contours", "@usual.csv", *ONE)),
    Work("growth-sensibility", "sensibility", ("sensibility", "@usual.csv", *ONE)),
    Work("growth-drift", "sensibility --reference", ("sensibility", "@usual.csv", "--reference", "@moved.csv", *ONE)),
    Work(
        "growth-time",
        "sensibility --time",
        ("sensibility", "@usual.csv", "--reference", "@moved.csv", *ONE, "--time", "scored", "--every", "day"),
    ),
    Work("growth-compare", "compare", ("compare", "@2.csv", *TWO)),
    Work(
        "growth-compare-bootstrap",
        "compare --bootstrap 1000",
        ("compare", "@2.csv", *TWO, "--bootstrap", "1000"),
        why="the weights of ten million cases, a byte each, are gathered from memory that no cache holds",
    ),
    Work("growth-bands", "compare --band simultaneous", ("compare", "@2.csv", *TWO, "--band", "simultaneous")),
    Work("growth-join", "compare, two files joined by id", ("compare", "@usual.csv", "@moved.csv", "--id", "id", *ONE)),
    Work("growth-count", "count", ("count", "@usual.csv", *ONE, "-o", "out.parquet")),
    Work("growth-plan", "plan on a pilot", ("plan", "@usual.csv", *ONE, "--require", "auc >= 0.85")),
    Work(
        "growth-gate",
        "gate on a saved report",
        ("gate", "@report.json", "--require", "auc >= 0.5", "--exit-zero"),
    ),
)
BY_MODELS = (
    Work("models-sweep", "sweep", ("sweep", "{file}", "{scores}"), of_models=True),
    Work("models-tango", "tango", ("tango", "{file}", "{scores}"), of_models=True),
    Work("models-compare", "compare", ("compare", "{file}", "{scores}"), of_models=True),
    Work(
        "models-pairs",
        "compare --all-pairs",
        ("compare", "{file}", "{scores}", "--all-pairs"),
        of_models=True,
        why="m models have m (m - 1) / 2 pairs",
    ),
    Work(
        "models-bootstrap",
        "compare --bootstrap 100",
        ("compare", "{file}", "{scores}", "--bootstrap", "100"),
        of_models=True,
    ),
)
"""The work that is measured at 2 to 20 models."""


@dataclass(frozen=True)
class Sizes:
    """The numbers of cases and of models to measure at, and where to start from."""

    start: int
    cases: tuple[int, ...]
    models: tuple[int, ...]
    cases_of_models: int


FULL = Sizes(200, (10_000, 100_000, 1_000_000, 10_000_000), (2, 5, 10, 20), 100_000)
SMALL = Sizes(200, (500, 1_000), (2, 3), 500)


@dataclass(frozen=True)
class Point:
    """What a run took: its size, the seconds on all cores, and the bytes."""

    size: int
    seconds: float
    peak: float


@dataclass(frozen=True)
class Grown:
    """The points of some work and what the smallest run takes, or the error that it ended with."""

    work: Work
    sizes: tuple[int, ...]
    start: Point
    points: tuple[Point, ...] = ()
    failed: str = ""

    @property
    def of_time(self) -> Exponents | None:
        """The exponents of the time."""
        start = min(point.seconds for point in (self.start, *self.points))  # few cases may take longer than many
        least = max(QUICK, SLOWEST_START * start)
        return exponents([(point.size, point.seconds - start) for point in self.points], least)

    @property
    def of_memory(self) -> Exponents | None:
        """The exponents of the memory."""
        return exponents([(point.size, point.peak - self.start.peak) for point in self.points], LEAST_MEMORY)

    @property
    def faults(self) -> list[str]:
        """What grows faster than n log n, memory faster than n."""
        if self.failed:
            return [f"failed: {self.failed}"]
        what = "m" if self.work.of_models else "n"
        reference = _of_n_log_n(self.sizes)
        faults = []
        if self.of_time and self.of_time.worst > reference + TOLERANCE:
            faults.append(f"time grows faster than {what} log {what}")
        if self.of_memory and self.of_memory.worst > 1 + TOLERANCE:
            faults.append(f"memory grows faster than {what}")
        return faults

    @property
    def row(self) -> tuple[str, ...]:
        """The row of the table."""
        found = {point.size: point for point in self.points}
        why = f" ({self.work.why})" * bool(self.work.why and self.faults)
        return (
            self.work.title,
            f"{self.start.seconds:.2f}",
            *(f"{found[size].seconds:.2f}" if size in found else "–" for size in self.sizes),
            str(self.of_time or "–"),
            *(f"{found[size].peak / 1e6:.0f}" if size in found else "–" for size in self.sizes),
            str(self.of_memory or "–"),
            "; ".join(self.faults) + why,
        )


@dataclass(frozen=True)
class Exponents:
    """The exponent over all sizes, and that between the last two."""

    fitted: float
    last: float

    @property
    def worst(self) -> float:
        """The larger one."""
        return max(self.fitted, self.last)

    def __str__(self) -> str:
        return f"{self.fitted:.2f}, {self.last:.2f}"


def exponents(points: Sequence[tuple[int, float]], least: float) -> Exponents | None:
    """Return the exponents of growth of the points above a least value; None if there are fewer than two."""
    logs = [(ln(size), ln(value)) for size, value in points if value > least]
    if len(logs) < 2:
        return None
    (before, lower), (after, upper) = logs[-2:]
    return Exponents(_slope(logs), (upper - lower) / (after - before))


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least squares."""
    x_mean, y_mean = (sum(point[at] for point in points) / len(points) for at in (0, 1))
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)


def _of_n_log_n(sizes: Sequence[int]) -> float:
    return _slope([(ln(size), ln(size * ln(size))) for size in sizes])


def headings(sizes: Sequence[int], what: str) -> tuple[str, ...]:
    """Return the headings of a table."""
    return (
        f"seconds, then MB, by {what}",
        "start",
        *(f"{size:,}" for size in sizes),
        "exponents",
        *(f"{size:,}" for size in sizes),
        "exponents",
        "",
    )


def measure_growth(work: Work, sizes: Sizes, folder: Path, *, log: Callable[[str], None]) -> Grown:
    """Measure a command at each size, up to the one that would take too long."""
    at = sizes.models if work.of_models else sizes.cases
    points: list[Point] = []
    start, wall = Point(0, 0, 0), 0.0
    try:
        smallest = (2, sizes.start) if work.of_models else (sizes.start, sizes.start)
        start, _ = _run(placed(_of_models(work, smallest[0]), smallest[1], folder, log), smallest[0], repeat=3)
        for size in at:
            if points and wall * size / points[-1].size > LONGEST:
                break
            cases = sizes.cases_of_models if work.of_models else size
            command = placed(_of_models(work, size), cases, folder, log)
            point, wall = _run(command, size, repeat=1 if wall > 1 else 2)
            points.append(point)
    except RuntimeError as error:
        return Grown(work, at, start, failed=str(error).splitlines()[-1])
    log(f"{work.title}: " + ", ".join(f"{point.size:,}: {point.seconds:.2f} s" for point in points))
    return Grown(work, at, start, tuple(points))


def _of_models(work: Work, models: int) -> tuple[str, ...]:
    """Return the command of so many models, if it is one of models."""
    if not work.of_models:
        return work.command
    scores = [word for model in range(models) for word in ("--score", f"new_{model + 1}")]
    named = {"{file}": [f"@{models}.parquet"], "{scores}": ["--label", "label", *scores]}
    return tuple(each for word in work.command for each in named.get(word, [word]))


def _run(command: tuple[str, ...], size: int, *, repeat: int) -> tuple[Point, float]:
    """Return what the command takes at a size, and the wall seconds."""
    with tempfile.TemporaryDirectory() as written:
        turns = [timed(command, Path(written)) for _ in range(repeat)]
    return Point(size, min(turn[1] for turn in turns), max(turn[2] for turn in turns)), min(turn[0] for turn in turns)
