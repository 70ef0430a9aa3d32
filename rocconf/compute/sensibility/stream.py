r"""Cases in the order of their times: a row for each window, and an alarm that is valid at any time.

Three conformal test martingales (see `rocconf.compute.stats.martingale`) follow the cases after those of a reference: one
of the scores of the positives, one of the scores of the negatives, and one of the labels, so that a change of prevalence and
one of the scores within a class are told apart. Each alarms when it reaches :math:`3/(1 - level)`: without a change, the
probability that any of them ever does is at most 1 - level, however long the stream and whenever it is looked at.

Cases of equal times have no order, and come in a random one. A class may have too few cases for its martingale to reach the
alarm whatever they are; the number of alarms is unknown then, not 0.

References
----------
.. [1] W. Klement, P. Flach, N. Japkowicz, S. Matwin (2009), on classification sensibility and concept drift; time-stamped
   data are its first future work.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import same_counts, shares_all_cases
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.drift_statistics import rejection_at
from rocconf.compute.sensibility.midpoint import split
from rocconf.compute.sensibility.struggle import split_record, struggle_interval
from rocconf.compute.sensibility.windows import time_text, windows_of
from rocconf.compute.stats.martingale import Reference, conformal_p, most_after, simple_jumper
from rocconf.compute.stats.seeds import generator
from rocconf.dataclass import dataclass
from rocconf.errors import SPELLED_OUT, UsageError
from rocconf.messages import message
from rocconf.metric import Metric
from rocconf.records import ScoreCounts
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocconf.compute.sensibility.midpoint import Midpoint
    from rocconf.messages import Message
    from rocconf.records import Counts, Flags, Floats, Interval, IntervalKind, Predictions, Times

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
MARTINGALE_COLUMNS = (
    MODEL,
    Column("stream", "text"),
    Column("n", "count"),
    Column("log10_peak", "number"),
    Column("log10_alarm", "number"),
    Column("can_alarm", "flag"),
    Column("alarm", "flag"),
    Column("alarm_window", "text", "the martingale has not reached the alarm"),
    Column("alarm_at", "text", "the martingale has not reached the alarm"),
    Column("meaning", "text"),
)

UNTOLD = "none"
"""The text for a window without alarms."""


@dataclass(frozen=True, slots=True, eq=False)
class Martingale:
    """The martingale of one stream: its cases, as places in the order of time, and its logarithm after each of them."""

    stream: str
    cases: Counts
    logarithms: Floats
    alarm_from: float
    """The logarithm of the value that is an alarm."""

    @property
    def can_alarm(self) -> bool:
        """Whether so many cases could reach the alarm at all."""
        return most_after(len(self.cases)) / LN_10 >= self.alarm_from / LN_10

    @property
    def alarm(self) -> int | None:
        """The place of the case, in the order of time, at which it alarms."""
        reached = np.flatnonzero(self.logarithms >= self.alarm_from)
        return int(self.cases[reached[0]]) if len(reached) else None

    def peak(self, start: int, end: int) -> float:
        """Return the largest logarithm of the cases at some places, or that of the last case before them."""
        first, last = np.searchsorted(self.cases, [start, end]).tolist()
        before = float(self.logarithms[first - 1]) if first else 0.0
        return max(before, float(self.logarithms[first:last].max(initial=-np.inf)))


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The cases of a window, the places of the first and of the one after the last, and its row."""

    name: str
    start: int
    end: int
    row: dict[str, Any]
    interpretable: bool
    """Whether the midpoint, if there is one, is within the range of the scores."""


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
            told = ", ".join(f"{_of(each)} from {self.time_of(each.alarm)}" for each in alarmed)
            return message("answer-alarm", **found, told=told)
        largest = max(self.martingales, key=_peak)
        told = f"{_value(_peak(largest))} ({_of(largest)})"
        code = "answer-no-alarm" if self.drift_alarm is not None else "answer-alarm-unknown"
        return message(code, **found, told=told, windows=len(self.windows))

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        return tuple(self._caveats())

    def _caveats(self) -> Iterator[Message]:
        for each in self.martingales:
            if not each.can_alarm:
                yield message("too-few-to-alarm", model=self.model, stream=_of(each), cases=len(each.cases))
        outside = [window.name for window in self.windows if not window.interpretable]
        if outside:
            found = ", ".join(outside[:SPELLED_OUT]) + ", ..." * (len(outside) > SPELLED_OUT)
            yield message("midpoints-outside", model=self.model, n=len(outside), windows=len(self.windows), found=found)
        if self.was_chosen:
            yield message("every-chosen", every=self.every, windows=len(self.windows))
        if self.times.kind == "zoned":
            yield message("times-in-utc")

    def time_of(self, place: int | None) -> str | None:
        """Return the time of a case as text."""
        return None if place is None else time_text(self.times, int(self.order[place]))

    def on_screen(self) -> Table:
        """Return the windows, each with the streams that alarm from it on."""
        begins = [self.martingale_record(each) for each in self.martingales]
        rows = [
            row | {"alarm_from": ", ".join(each["stream"] for each in begins if each["alarm_window"] == row["window"])}
            for row in (window.row for window in self.windows)
        ]
        return Table.of("windows", (*WINDOW_COLUMNS, Column("alarm_from", "text")), rows)

    def martingale_record(self, of: Martingale) -> dict[str, Any]:
        """Return the row of a martingale."""
        inside = [
            window.name for window in self.windows if of.alarm is not None and window.start <= of.alarm < window.end
        ]
        return {
            "model": self.model,
            "stream": of.stream,
            "n": len(of.cases),
            "log10_peak": _peak(of) / LN_10,
            "log10_alarm": of.alarm_from / LN_10,
            "can_alarm": of.can_alarm,
            "alarm": of.alarm is not None,
            "alarm_window": inside[0] if inside else None,
            "alarm_at": self.time_of(of.alarm),
            "meaning": _meaning(of, self.time_of(of.alarm)),
        }


def windows_table(stream: Stream | None) -> Table:
    """Return a row for each window; none without times."""
    return Table.of("windows", WINDOW_COLUMNS, [window.row for window in stream.windows] if stream else [])


def martingales_table(stream: Stream | None) -> Table:
    """Return a row for each martingale; none without times."""
    records = [stream.martingale_record(each) for each in stream.martingales] if stream else []
    return Table.of("martingales", MARTINGALE_COLUMNS, records)


def stream(
    cases: Predictions,
    reference: ScoreCounts,
    *,
    model: str,
    midpoint: Midpoint,
    every: str | int | None,
    level: float,
    interval: IntervalKind,
    bootstrap: int,
    seed: int,
    over: Interval | None = None,
) -> Stream:
    """Return the windows and the martingales of one model.

    Parameters
    ----------
    cases
        The cases with their times.
    reference
        The counts of the model on earlier cases.
    model
        The name of the model.
    midpoint, level, interval, bootstrap, seed
        As for `sensibility`.
    every
        The length of the windows (see `rocconf.compute.sensibility.windows`).
    over
        The range by which the scores of the reference were rescaled.
    """
    times: Times = cases.times  # type: ignore[assignment]  # checked by the caller
    rng = generator(seed)
    windows = windows_of(times, every)
    order = np.lexsort((rng.random(len(cases)), times.values))
    labels, scores = cases.labels[order], cases.scores[model][order]
    if over is not None:
        scores = (scores - over.lower) / (over.upper - over.lower)
    _refuse_same_cases(ScoreCounts.of(scores, labels, ~labels, lower_is_positive=cases.lower_is_positive), reference)
    martingales = _martingales(labels, scores, reference, rng, log(3 / rejection_at(level)))

    def window(name: str, start: int, end: int, begins: str, ends: str) -> Window:
        of_window, its_labels = scores[start:end], labels[start:end]
        counts = ScoreCounts.of(
            of_window, its_labels, ~its_labels, model=model, lower_is_positive=cases.lower_is_positive
        )
        row = {
            "model": model,
            "window": name,
            "start": begins,
            "end": ends,
            "n": counts.n,
            "positives": counts.p,
            "negatives": counts.q,
            **_statistics(counts, midpoint, level=level, interval=interval, bootstrap=bootstrap, seed=seed),
            **{f"log10_peak_{each.stream}": each.peak(start, end) / LN_10 for each in martingales},
            "alarms": alarms_text(each.stream for each in martingales if each.alarm is not None and each.alarm < end),
        }
        return Window(name, start, end, row, _is_inside(row["midpoint"], of_window))

    edges = np.searchsorted(windows.of_case[order], np.arange(len(windows) + 1)).tolist()
    bounds = windows.bounds()
    found = tuple(map(window, windows.names(), edges, edges[1:], bounds, bounds[1:]))
    return Stream(model, times, order, found, windows.every.text, every is None, martingales, level)


def alarms_text(streams: Iterable[str]) -> str:
    """Return the streams in alarm as text."""
    return ", ".join(streams) or UNTOLD


def _martingales(
    labels: Flags, scores: Floats, reference: ScoreCounts, rng: np.random.Generator, alarm_from: float
) -> tuple[Martingale, ...]:
    tau_of_score, tau_of_label = rng.random(len(labels)), rng.random(len(labels))
    ascending = slice(None) if reference.lower_is_positive else slice(None, None, -1)
    earlier = reference.scores[ascending]
    found = []
    of_classes = zip(STREAMS, (labels, ~labels), (reference.positives, reference.negatives), strict=False)
    for name, of_class, counts in of_classes:
        places = np.flatnonzero(of_class)
        p = conformal_p(scores[places], Reference(earlier, counts[ascending]), tau_of_score[places])
        found.append(Martingale(name, places, simple_jumper(p), alarm_from))
    totals = Reference(np.array([0.0, 1.0]), np.array([reference.q, reference.p]))
    p = conformal_p(labels.astype(np.float64), totals, tau_of_label)
    return (*found, Martingale(STREAMS[2], np.arange(len(labels)), simple_jumper(p), alarm_from))


def _statistics(
    counts: ScoreCounts, midpoint: Midpoint, *, level: float, interval: IntervalKind, bootstrap: int, seed: int
) -> dict[str, Any]:
    """Return the statistics of a window; they have no value if it lacks a class."""
    if not (counts.p and counts.q):
        return dict.fromkeys(column.name for column in WINDOW_COLUMNS[7:18])
    at, area = split(counts, midpoint), auc(counts, level=level, interval=interval)
    limits = struggle_interval(counts, midpoint, at, replicates=bootstrap, seed=seed, level=level)
    return {
        **split_record(at, limits),
        "auc": area.value,
        "auc_lower": area.interval.lower,
        "auc_upper": area.interval.upper,
        "auc_se": area.se,
        "auc_df": area.df,
    }


def _is_inside(midpoint: float | None, scores: Floats) -> bool:
    return midpoint is None or bool(scores.min() <= midpoint <= scores.max())


def _refuse_same_cases(counts: ScoreCounts, reference: ScoreCounts) -> None:
    """Refuse a reference whose cases are among those of the stream, or the other way round: changes would not show.

    Equal sets are told elsewhere.
    """
    if not same_counts(counts, reference) and shares_all_cases(counts, reference):
        raise UsageError("reference-in-stream")


def _peak(martingale: Martingale) -> float:
    """Return the largest logarithm; a martingale begins at 1."""
    return float(martingale.logarithms.max(initial=0.0))


def _of(martingale: Martingale) -> str:
    return "labels" if martingale.stream == STREAMS[2] else f"scores of {martingale.stream}"


def _value(logarithm: float) -> str:
    """Return a martingale from its logarithm, which may be too large for a float."""
    return f"{np.exp(logarithm):.3g}" if logarithm < 200 else f"1e{logarithm / LN_10:.0f}"


def _meaning(martingale: Martingale, time: str | None) -> str:
    subject = "prevalence" if martingale.stream == STREAMS[2] else f"the {_of(martingale)}"
    if time is not None:
        return f"{subject} changed: alarm at {time}, largest value {_value(_peak(martingale))}"
    if not martingale.can_alarm:
        return f"too few cases to find a change of {subject}"
    return f"no evidence that {subject} changed: largest value {_value(_peak(martingale))}"
