r"""Cases in the order of their times: a row for each window, and an alarm that is valid at any time.

Three conformal test martingales (see `rocconf.compute.stats.martingale`) follow the cases after those of a reference: one
of the scores of the positives, one of the scores of the negatives, and one of the labels, so that a change of prevalence and
one of the scores within a class are told apart. Each alarms when it reaches :math:`3/(1 - level)`: without a change, the
probability that any of them ever does is at most 1 - level, however long the stream and whenever it is looked at.

Cases of equal times have no order, and come in a random one. A class may have too few cases for its martingale to reach the
alarm whatever they are; the number of alarms is unknown then, not 0.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.counts import same_counts, shares_all_cases
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.windows import time_text, windows_of
from rocconf.compute.stats.martingale import conformal_p, most_after, simple_jumper
from rocconf.compute.stats.permutation import rejection_at
from rocconf.compute.stats.seeds import generator
from rocconf.dataclass import dataclass
from rocconf.errors import SPELLED_OUT, UsageError
from rocconf.messages import message
from rocconf.metric import Metric
from rocconf.records import ScoreCounts
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.compute.sensibility.curves import Sensibility
    from rocconf.messages import Message
    from rocconf.records import Counts, Flags, Floats, Predictions, Times

STREAMS = ("positives", "negatives", "labels")
"""What the martingales follow: the scores of each class, and the labels."""

ENDS = ("lower", "upper")
LN_10 = log(10)
PLAIN = 200 / LN_10
"""The power of ten up to which a value is written in digits."""

DRIFT_ALARM = Metric(
    "drift_alarm",
    "count",
    "no column of times was named, or a class has too few cases for its martingale to reach the alarm",
    most=len(STREAMS),
    lower_is_better=True,
    depends_on_level=True,
    needs="time",
)

NOT_REACHED = "the martingale has not reached the alarm"
LACKS_CLASS = "the window has no positive or no negative case"
COLUMNS = {
    "windows": (
        MODEL,
        *(Column(name, "text") for name in ("window", "start", "end")),
        *(Column(name, "count") for name in ("n", "positives", "negatives")),
        Column("midpoint", "score", LACKS_CLASS),
        *(Column(name, "count", LACKS_CLASS) for name in ("sensible", "non_sensible")),
        Column("struggle_ratio", "number", f"{LACKS_CLASS}, or no case is sensible"),
        *(Column(f"struggle_ratio_{end}", "number", f"{LACKS_CLASS}, or the limit is unknown") for end in ENDS),
        *(Column(name, "share", LACKS_CLASS) for name in ("auc", *(f"auc_{end}" for end in ENDS))),
        Column("auc_se", "number", f"{LACKS_CLASS}, or DeLong's variance is 0 or undefined"),
        Column("auc_df", "number", f"{LACKS_CLASS}, or a single case of a class", spare=True),
        *(Column(f"log10_peak_{name}", "number", spare=True) for name in STREAMS),
        Column("alarms", "text"),
    ),
    "martingales": (
        MODEL,
        Column("stream", "text"),
        Column("n", "count"),
        *(Column(name, "number") for name in ("log10_peak", "log10_alarm")),
        *(Column(name, "flag") for name in ("can_alarm", "alarm")),
        *(Column(name, "text", NOT_REACHED) for name in ("alarm_window", "alarm_at")),
        Column("meaning", "text"),
    ),
}
"""The columns of each table."""


@dataclass(frozen=True, slots=True, eq=False)
class Martingale:
    """The martingale of one stream: its cases, by their index in the order of time, and its logarithm after each of them."""

    stream: str
    cases: Counts
    log10: Floats
    log10_alarm: float
    """The logarithm of the value that is an alarm."""

    @property
    def subject(self) -> str:
        """What it follows, in words."""
        return self.stream if self.stream == "labels" else f"scores of {self.stream}"

    @property
    def can_alarm(self) -> bool:
        """Whether this many cases could reach the alarm at all."""
        return most_after(len(self.cases)) / LN_10 >= self.log10_alarm

    @property
    def alarm(self) -> int | None:
        """The case at which it alarms."""
        reached = np.flatnonzero(self.log10 >= self.log10_alarm)
        return int(self.cases[reached[0]]) if len(reached) else None

    @property
    def log10_peak(self) -> float:
        """The largest logarithm; a martingale begins at 1."""
        return float(self.log10.max(initial=0.0))

    @property
    def largest(self) -> str:
        """The largest value, which may be too large for a float."""
        return f"{10**self.log10_peak:.3g}" if self.log10_peak < PLAIN else f"1e{self.log10_peak:.0f}"

    def peak_in(self, start: int, end: int) -> float:
        """Return the largest logarithm in a window, including that of the last case before it."""
        first, last = np.searchsorted(self.cases, [start, end]).tolist()
        before = float(self.log10[first - 1]) if first else 0.0
        return max(before, float(self.log10[first:last].max(initial=-np.inf)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stream:
    """The cases of one model in the order of their times, after those of a reference."""

    model: str
    times: Times
    order: Counts
    windows: tuple[dict[str, Any], ...]
    """The row of each window."""
    outside: tuple[str, ...]
    """The windows whose midpoint lies outside their scores."""
    every: str
    was_chosen: bool
    """Whether the length of the windows was chosen by the span of the times."""
    martingales: tuple[Martingale, ...]
    level: float

    @property
    def drift_alarm(self) -> int | None:
        """The number of martingales that have reached the alarm; None if one of them could not have."""
        if not all(each.can_alarm for each in self.martingales):
            return None
        return sum(each.alarm is not None for each in self.martingales)

    @property
    def in_words(self) -> Message:
        """The answer in a sentence: which streams alarm, and when."""
        found = {"model": self.model, "limit": f"{3 / rejection_at(self.level):.6g}"}
        alarmed = [each for each in self.martingales if each.alarm is not None]
        if alarmed:
            told = ", ".join(f"{each.subject} from {self.time_of(each.alarm)}" for each in alarmed)
            return message("answer-alarm", **found, told=told)
        highest = max(self.martingales, key=lambda each: each.log10_peak)
        code = "answer-no-alarm" if self.drift_alarm is not None else "answer-alarm-unknown"
        return message(code, **found, told=f"{highest.largest} ({highest.subject})", windows=len(self.windows))

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        model, outside, windows = self.model, self.outside, len(self.windows)
        found = [
            message("too-few-to-alarm", model=model, stream=each.subject, cases=len(each.cases))
            for each in self.martingales
            if not each.can_alarm
        ]
        if outside:
            names = ", ".join(outside[:SPELLED_OUT]) + ", ..." * (len(outside) > SPELLED_OUT)
            found.append(message("midpoints-outside", model=model, n=len(outside), windows=windows, found=names))
        if self.was_chosen:
            found.append(message("every-chosen", every=self.every, windows=windows))
        if self.times.kind == "zoned":
            found.append(message("times-in-utc"))
        return tuple(found)

    def time_of(self, case: int | None) -> str | None:
        """Return the time of a case as text."""
        return None if case is None else time_text(self.times, int(self.order[case]))

    def window_of(self, case: int | None) -> str | None:
        """Return the name of the window of a case."""
        if case is None:
            return None
        ends = np.cumsum([row["n"] for row in self.windows])
        name: str = self.windows[np.searchsorted(ends, case, side="right")]["window"]
        return name

    def on_screen(self) -> Table:
        """Return the windows, each with the streams that alarm from it on."""
        begins = [(each.stream, self.window_of(each.alarm)) for each in self.martingales]
        rows = [
            row | {"alarm_from": ", ".join(stream for stream, name in begins if name == row["window"])}
            for row in self.windows
        ]
        return Table.of("windows", (*COLUMNS["windows"], Column("alarm_from", "text")), rows)

    def records(self, name: str) -> Sequence[dict[str, Any]]:
        """Return a row for each window, or for each martingale."""
        return self.windows if name == "windows" else [self._record(each) for each in self.martingales]

    def _record(self, of: Martingale) -> dict[str, Any]:
        alarm = of.alarm is not None, self.window_of(of.alarm), self.time_of(of.alarm)
        values = len(of.cases), of.log10_peak, of.log10_alarm, of.can_alarm, *alarm, self._meaning(of)
        return record_of(COLUMNS["martingales"], (self.model, of.stream, *values))

    def _meaning(self, of: Martingale) -> str:
        """Return what a martingale shows, in words."""
        subject = "prevalence" if of.stream == "labels" else f"the {of.subject}"
        if of.alarm is not None:
            return f"{subject} changed: alarm at {self.time_of(of.alarm)}, largest value {of.largest}"
        if not of.can_alarm:
            return f"too few cases to find a change of {subject}"
        return f"no evidence that {subject} changed: largest value {of.largest}"


def stream(
    cases: Predictions,
    reference: ScoreCounts,
    analyse: Callable[[ScoreCounts], Sensibility],
    *,
    model: str,
    every: str | int | None,
    level: float,
    seed: int,
) -> Stream:
    """Return the windows and the martingales of one model; `analyse` is the analysis of a window with both classes."""
    times: Times = cases.times  # type: ignore[assignment]  # checked by the caller
    rng, windows = generator(seed), windows_of(times, every)
    order = np.lexsort((rng.random(len(cases)), times.values))
    labels, scores = cases.labels[order], cases.scores[model][order]

    def counted(part: slice) -> ScoreCounts:
        flags, lower_is_positive = labels[part], cases.lower_is_positive
        return ScoreCounts.of(scores[part], flags, ~flags, model=model, lower_is_positive=lower_is_positive)

    whole = counted(slice(None))
    if not same_counts(whole, reference) and shares_all_cases(whole, reference):  # equal sets have a warning
        raise UsageError("reference-in-stream")
    log10_alarm = log(3 / rejection_at(level)) / LN_10
    martingales = _martingales(labels, scores, reference, rng, log10_alarm)
    outside = []

    def window(name: str, start: int, end: int, begins: str, ends: str) -> dict[str, Any]:
        counts = counted(slice(start, end))
        result = analyse(counts) if counts.p and counts.q else None
        if result and not result.interpretable:
            outside.append(name)
        row = dict.fromkeys(column.name for column in COLUMNS["windows"])
        row |= {key: value for key, value in result.summary().items() if key in row} if result else {}
        row |= {"model": model, "window": name, "start": begins, "end": ends}
        row |= {"n": counts.n, "positives": counts.p, "negatives": counts.q}
        row |= {f"log10_peak_{each.stream}": each.peak_in(start, end) for each in martingales}
        alarmed = [each.stream for each in martingales if each.alarm is not None and each.alarm < end]
        return row | {"alarms": ", ".join(alarmed) or "none"}

    places = np.searchsorted(windows.of_case[order], np.arange(len(windows) + 1)).tolist()
    bounds = windows.bounds()
    rows = tuple(map(window, windows.names(), places, places[1:], bounds, bounds[1:]))
    return Stream(model, times, order, rows, tuple(outside), windows.every, every is None, martingales, level)


def _martingales(
    labels: Flags, scores: Floats, reference: ScoreCounts, rng: np.random.Generator, log10_alarm: float
) -> tuple[Martingale, ...]:
    of_score, of_label = rng.random(len(labels)), rng.random(len(labels))  # for ties
    ascending = slice(None) if reference.lower_is_positive else slice(None, None, -1)
    earlier, by_label = reference.scores[ascending], (np.array([0.0, 1.0]), np.array([reference.q, reference.p]))
    streams = (
        (np.flatnonzero(labels), scores, (earlier, reference.positives[ascending]), of_score),
        (np.flatnonzero(~labels), scores, (earlier, reference.negatives[ascending]), of_score),
        (np.arange(len(labels)), labels.astype(float), by_label, of_label),
    )
    return tuple(
        Martingale(name, at, simple_jumper(conformal_p(values[at], *known, tau[at])) / LN_10, log10_alarm)
        for name, (at, values, known, tau) in zip(STREAMS, streams, strict=True)
    )
