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
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rocconf.compute.sensibility.curves import Sensibility
    from rocconf.messages import Message
    from rocconf.records import Counts, Flags, Floats, Predictions, Times

STREAMS = ("positives", "negatives", "labels")
"""What the martingales follow: the scores of each class, and the labels."""

LN_10 = log(10)

NO_ALARM_KNOWN = "no column of times was named, or a class has too few cases for its martingale to reach the alarm"
DRIFT_ALARM = Metric(
    "drift_alarm",
    "count",
    NO_ALARM_KNOWN,
    most=len(STREAMS),
    lower_is_better=True,
    depends_on_level=True,
    needs="time",
)

NOT_REACHED = "the martingale has not reached the alarm"
LACKS_CLASS = "the window has no positive or no negative case"
WINDOW_COLUMNS = (
    MODEL,
    Column("window", "text"),
    Column("start", "text"),
    Column("end", "text"),
    Column("n", "count"),
    Column("positives", "count"),
    Column("negatives", "count"),
    Column("midpoint", "score", LACKS_CLASS),
    Column("sensible", "count", LACKS_CLASS),
    Column("non_sensible", "count", LACKS_CLASS),
    Column("struggle_ratio", "number", f"{LACKS_CLASS}, or no case is sensible"),
    Column("struggle_ratio_lower", "number", f"{LACKS_CLASS}, or the limit is unknown"),
    Column("struggle_ratio_upper", "number", f"{LACKS_CLASS}, or the limit is unknown"),
    Column("auc", "share", LACKS_CLASS),
    Column("auc_lower", "share", LACKS_CLASS),
    Column("auc_upper", "share", LACKS_CLASS),
    Column("auc_se", "number", f"{LACKS_CLASS}, or DeLong's variance is 0 or undefined"),
    Column("auc_df", "number", f"{LACKS_CLASS}, or a single case of a class", spare=True),
    *(Column(f"log10_peak_{name}", "number", spare=True) for name in STREAMS),
    Column("alarms", "text"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Martingale:
    """The martingale of one stream: its cases, by their index in the order of time, and its logarithm after each of them."""

    stream: str
    cases: Counts
    logarithms: Floats
    alarm_from: float
    """The logarithm of the value that is an alarm."""

    @property
    def subject(self) -> str:
        """What it follows, in words."""
        return self.stream if self.stream == "labels" else f"scores of {self.stream}"

    @property
    def can_alarm(self) -> bool:
        """Whether this many cases could reach the alarm at all."""
        return most_after(len(self.cases)) / LN_10 >= self.alarm_from / LN_10

    @property
    def alarm(self) -> int | None:
        """The case at which it alarms."""
        reached = np.flatnonzero(self.logarithms >= self.alarm_from)
        return int(self.cases[reached[0]]) if len(reached) else None

    @property
    def peak(self) -> float:
        """The largest logarithm; a martingale begins at 1."""
        return float(self.logarithms.max(initial=0.0))

    @property
    def largest(self) -> str:
        """The largest value, which may be too large for a float."""
        return f"{np.exp(self.peak):.3g}" if self.peak < 200 else f"1e{self.peak / LN_10:.0f}"

    def peak_in(self, start: int, end: int) -> float:
        """Return the largest logarithm in a window, including that of the last case before it."""
        first, last = np.searchsorted(self.cases, [start, end]).tolist()
        before = float(self.logarithms[first - 1]) if first else 0.0
        return max(before, float(self.logarithms[first:last].max(initial=-np.inf)))


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The indices of the first case of a window and of the one after its last, its row, and the analysis of its cases."""

    name: str
    start: int
    end: int
    row: dict[str, Any]
    result: Sensibility | None
    """None if it lacks a class."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stream:
    """The cases of one model in the order of their times, after those of a reference."""

    model: str
    times: Times
    order: Counts
    windows: tuple[Window, ...]
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
        highest = max(self.martingales, key=lambda each: each.peak)
        code = "answer-no-alarm" if self.drift_alarm is not None else "answer-alarm-unknown"
        return message(code, **found, told=f"{highest.largest} ({highest.subject})", windows=len(self.windows))

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        return tuple(self._caveats())

    def _caveats(self) -> Iterator[Message]:
        for each in self.martingales:
            if not each.can_alarm:
                yield message("too-few-to-alarm", model=self.model, stream=each.subject, cases=len(each.cases))
        outside = [each.name for each in self.windows if each.result and not each.result.interpretable]
        if outside:
            found = ", ".join(outside[:SPELLED_OUT]) + ", ..." * (len(outside) > SPELLED_OUT)
            yield message("midpoints-outside", model=self.model, n=len(outside), windows=len(self.windows), found=found)
        if self.was_chosen:
            yield message("every-chosen", every=self.every, windows=len(self.windows))
        if self.times.kind == "zoned":
            yield message("times-in-utc")

    def time_of(self, case: int | None) -> str | None:
        """Return the time of a case as text."""
        return None if case is None else time_text(self.times, int(self.order[case]))

    def on_screen(self) -> Table:
        """Return the windows, each with the streams that alarm from it on."""
        begins = [(each.stream, self.window_of(each.alarm)) for each in self.martingales]
        rows = [
            window.row | {"alarm_from": ", ".join(stream for stream, name in begins if name == window.name)}
            for window in self.windows
        ]
        return Table.of("windows", (*WINDOW_COLUMNS, Column("alarm_from", "text")), rows)

    def table(self, name: str) -> Table:
        """Return a row for each window, or for each martingale."""
        if name == "windows":
            return Table.of(name, WINDOW_COLUMNS, [window.row for window in self.windows])
        return Table.of(name, list(MARTINGALE_COLUMNS), [self._record(each) for each in self.martingales])

    def _record(self, of: Martingale) -> dict[str, Any]:
        return {column.name: value(self, of) for column, value in MARTINGALE_COLUMNS.items()}

    def window_of(self, case: int | None) -> str | None:
        """Return the name of the window of a case."""
        return next((each.name for each in self.windows if case is not None and each.start <= case < each.end), None)

    def meaning(self, of: Martingale) -> str:
        """Return what a martingale shows, in words."""
        subject = "prevalence" if of.stream == "labels" else f"the {of.subject}"
        if of.alarm is not None:
            return f"{subject} changed: alarm at {self.time_of(of.alarm)}, largest value {of.largest}"
        if not of.can_alarm:
            return f"too few cases to find a change of {subject}"
        return f"no evidence that {subject} changed: largest value {of.largest}"


MARTINGALE_COLUMNS: dict[Column, Callable[[Stream, Martingale], Any]] = {
    MODEL: lambda stream, _: stream.model,
    Column("stream", "text"): lambda _, each: each.stream,
    Column("n", "count"): lambda _, each: len(each.cases),
    Column("log10_peak", "number"): lambda _, each: each.peak / LN_10,
    Column("log10_alarm", "number"): lambda _, each: each.alarm_from / LN_10,
    Column("can_alarm", "flag"): lambda _, each: each.can_alarm,
    Column("alarm", "flag"): lambda _, each: each.alarm is not None,
    Column("alarm_window", "text", NOT_REACHED): lambda stream, each: stream.window_of(each.alarm),
    Column("alarm_at", "text", NOT_REACHED): lambda stream, each: stream.time_of(each.alarm),
    Column("meaning", "text"): lambda stream, each: stream.meaning(each),
}
"""The columns of a martingale and their values."""


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

    _refuse_same_cases(counted(slice(None)), reference)
    martingales = _martingales(labels, scores, reference, rng, log(3 / rejection_at(level)))

    def window(name: str, start: int, end: int, begins: str, ends: str) -> Window:
        counts = counted(slice(start, end))
        result = analyse(counts) if counts.p and counts.q else None
        row = dict.fromkeys(column.name for column in WINDOW_COLUMNS) | (result.summary() if result else {})
        row |= {"model": model, "window": name, "start": begins, "end": ends}
        row |= {"n": counts.n, "positives": counts.p, "negatives": counts.q}
        row |= {f"log10_peak_{each.stream}": each.peak_in(start, end) / LN_10 for each in martingales}
        row["alarms"] = alarms_text(each.stream for each in martingales if each.alarm is not None and each.alarm < end)
        return Window(name, start, end, {column.name: row[column.name] for column in WINDOW_COLUMNS}, result)

    places = np.searchsorted(windows.of_case[order], np.arange(len(windows) + 1)).tolist()
    bounds = windows.bounds()
    found = tuple(map(window, windows.names(), places, places[1:], bounds, bounds[1:]))
    return Stream(model, times, order, found, windows.every, every is None, martingales, level)


def alarms_text(streams: Iterable[str]) -> str:
    """Return the streams in alarm as text."""
    return ", ".join(streams) or "none"


def _martingales(
    labels: Flags, scores: Floats, reference: ScoreCounts, rng: np.random.Generator, alarm_from: float
) -> tuple[Martingale, ...]:
    tau_of_score, tau_of_label = rng.random(len(labels)), rng.random(len(labels))
    ascending = slice(None) if reference.lower_is_positive else slice(None, None, -1)
    earlier, positives, negatives = (
        each[ascending] for each in (reference.scores, reference.positives, reference.negatives)
    )

    def martingale(name: str, at: Any, values: Floats, tau: Floats, known: tuple[Any, Any]) -> Martingale:
        return Martingale(name, at, simple_jumper(conformal_p(values[at], *known, tau[at])), alarm_from)

    flags, known_labels = labels.astype(np.float64), (np.array([0.0, 1.0]), [reference.q, reference.p])
    return (
        martingale("positives", np.flatnonzero(labels), scores, tau_of_score, (earlier, positives)),
        martingale("negatives", np.flatnonzero(~labels), scores, tau_of_score, (earlier, negatives)),
        martingale("labels", np.arange(len(labels)), flags, tau_of_label, known_labels),
    )


def _refuse_same_cases(counts: ScoreCounts, reference: ScoreCounts) -> None:
    """Refuse a reference whose cases are among those of the stream, or the other way round; equal sets have a warning."""
    if not same_counts(counts, reference) and shares_all_cases(counts, reference):
        raise UsageError("reference-in-stream")
