"""Sensibility, capability and the struggle ratio, which use the scores that a ROC curve ignores.

At a threshold, sensibility is the accuracy on the sensible cases of `rocconf.compute.sensibility.midpoint`, capability
that on the others, and the struggle ratio is the number of the others for each sensible one.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import count, require_counts, rescaled, same_counts, score_range
from rocconf.compute.roc.curve import Curve, curve, require_scores, row_at
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.rates import THRESHOLD, CurveRows, matrix_values
from rocconf.compute.roc.summary import MODEL, SUMMARY, bin_columns, model_caveats, summary_of
from rocconf.compute.sensibility.drift_decision import Drift, drift, statistics_table
from rocconf.compute.sensibility.midpoint import Midpoint, Split, is_wilson, parse_midpoint, split, struggle_of
from rocconf.compute.sensibility.stream import COLUMNS as STREAM_COLUMNS
from rocconf.compute.sensibility.stream import DRIFT_ALARM, Stream, stream
from rocconf.compute.stats.seeds import SEED, least_replicates
from rocconf.compute.stats.shares import Odds, Share, Wider
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.metric import Metric, count_metric, p_metric, score_metric
from rocconf.records import ROBUST
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.estimate import Measured
    from rocconf.compute.stats.resampling import Draws
    from rocconf.messages import Message
    from rocconf.records import Interval, IntervalKind, Predictions, ScoreCounts, Source
    from rocconf.table import Values

ROWS = (
    MODEL,
    THRESHOLD,
    Column("sensibility", "share", "no case is sensible"),
    Column("capability", "share", "no case is non-sensible"),
    Column("accuracy", "share"),
)
INFINITE = "no case may be sensible: the ratio is infinite"
STRUGGLE_RATIO = Metric("struggle_ratio", "number", INFINITE, most=inf, lower_is_better=True, has_interval=True)


@dataclass(frozen=True, slots=True, repr=False)
class Sensibility(Result):
    """Sensibility and capability of one model at all thresholds, and its drift since a reference."""

    command: ClassVar[str] = "sensibility"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "drift", "windows", "martingales")
    metrics: ClassVar[tuple[Metric, ...]] = (
        *(score_metric("midpoint"), count_metric("sensible"), count_metric("non_sensible"), STRUGGLE_RATIO),
        *(p_metric("drift_p", needs="reference"), p_metric("drift_within_p", needs="reference")),
        DRIFT_ALARM,
    )
    shown: ClassVar[tuple[str, ...]] = ("windows", "martingales", "drift")
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "windows": (
            *("window", "struggle_ratio", "struggle_ratio_lower", "auc", "auc_lower", "alarm_from", "midpoint", "n"),
            "positives",
        ),
        "drift": ("statistic", "value", "p", "p_adjusted", "meaning"),
        "rows": ("threshold", "sensibility", "capability", "accuracy", "tp", "fp"),
        "models": ("model", "struggle_ratio", "struggle_ratio_lower", "auc", "auc_lower", "midpoint", "n"),
    }
    marks: ClassVar[str] = "the threshold next to the midpoint"
    screen_tells: ClassVar[tuple[str, ...]] = ("midpoint-outside",)

    counts: ScoreCounts
    curve: Curve
    auc: Measured
    midpoint: Midpoint
    split: Split
    struggle: Draws | Odds
    """The struggle ratio, which has an interval at every level."""
    thresholds: str = "distinct"
    bootstrap: int = 1000
    seed: int = SEED
    permutations: int = 999
    stretched_from: Interval | None = None
    reference: Sensibility | None = None
    drift: Drift | None = None
    time: str | None = None
    stream: Stream | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return {
            "level": self.auc.level,
            "interval": self.auc.kind,
            "thresholds": self.thresholds,
            "midpoint": self.midpoint.text,
            "rescale": self.stretched_from is not None,
            "bootstrap": self.bootstrap,
            "seed": self.seed,
            "reference": self.reference is not None,
            "permutations": self.permutations if self.reference else None,
            "lower_is_positive": self.counts.lower_is_positive,
            "time": self.time,
            "every": self.stream.every if self.stream else None,
        }

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases and of the reference."""
        earlier = self.reference.sources if self.reference else ()
        return self.counts.sources + tuple(replace(source, role="reference") for source in earlier)

    @property
    def interpretable(self) -> bool:
        """Whether the midpoint is within the range of the scores."""
        scores = score_range(self.counts)
        return scores.lower <= self.split.midpoint <= scores.upper

    @property
    def struggle_interval(self) -> Interval:
        """The interval of the struggle ratio."""
        return self.struggle.limits(1 - self.auc.level)

    @property
    def estimates(self) -> dict[str, Wider]:
        """The estimates of rules beside those of every model: with few errors replicates are too much alike."""
        exact = Odds(Share(self.split.non_sensible, self.counts.n))
        return {STRUGGLE_RATIO.name: Wider(self.struggle, exact)}

    @property
    def interval_method(self) -> str:
        """The method of the interval of the struggle ratio: bootstrap or Wilson."""
        return "Wilson" if is_wilson(self.split, self.bootstrap) else "bootstrap"

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        model, over, found = self.counts.model, self.stretched_from, model_caveats(self.counts, self.auc)
        if over:
            found.append(message("rescaled", model=model, lower=over.lower, upper=over.upper))
        if self.counts.lower_is_positive:
            found.append(message("probability-of-negative", model=model))
        if self.midpoint.method == "half":
            found.append(message("midpoint-half", model=model))
        found += self.split_caveats(model)
        if self.reference:
            found += self.reference.split_caveats(f"{model} in the reference")
        return (*found, *(self.stream.caveats if self.stream else ()), *(self.drift.caveats if self.drift else ()))

    def split_caveats(self, model: str) -> Iterator[Message]:
        """Yield the warnings and notes of the midpoint and the struggle ratio; `model` names the cases."""
        at, least = self.split, least_replicates(self.auc.level)
        if not self.interpretable:
            yield message("midpoint-outside", **self._about_midpoint(model))
        if at.non_sensible == 0:
            yield message("all-sensible", model=model)
        if at.sensible == 0:
            yield message("none-sensible", model=model)
        if self.interval_method == "Wilson":
            yield message("struggle-wilson", model=model)
        elif self.bootstrap < least:
            yield message("few-replicates", level=self.auc.level, least=least)

    def _about_midpoint(self, model: str) -> dict[str, Any]:
        """Return the parameters of the messages about a midpoint outside the scores."""
        scores, at = score_range(self.counts), self.split.midpoint
        remedy = message("midpoint-among-scores" if self.midpoint.method == "number" else "try-fixed-midpoint")
        return {"model": model, "midpoint": at, "lower": scores.lower, "upper": scores.upper, "remedy": remedy}

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences: whether the domain has changed, how many cases struggle, and the AUC."""
        changed = (self.drift.in_words,) if self.drift else ()
        if self.stream:
            return (self.stream.in_words, *changed, *super().conclusions)
        return (*changed, self._in_words, *super().conclusions)

    @property
    def _in_words(self) -> Message:
        """The struggle ratio in a sentence."""
        if not self.interpretable:
            return message("answer-midpoint-outside", **self._about_midpoint(self.counts.model))
        ratio, told = self.split.struggle_ratio, message("struggle-infinite")
        if isfinite(ratio):
            limits = wording.interval(_finite(self.struggle_interval.lower), _finite(self.struggle_interval.upper))
            level = wording.level(self.auc.level)
            told = message("struggle-told", ratio=f"{ratio:.3f}", interval=limits, level=level)
        sizes = {"sensible": self.split.sensible, "n": self.counts.n, "midpoint": f"{self.split.midpoint:.3g}"}
        return message("answer-sensible", model=self.counts.model, **sizes, struggle=told)

    def on_screen(self, name: str) -> Table:
        """Return a table, the rows with the counts that a screen chooses rows by."""
        if name == "windows" and self.stream:
            return self.stream.on_screen()
        table = self.table(name)
        counted = (Column("tp", "count"), Column("fp", "count")) if name == "rows" else ()
        return replace(table, columns=(*table.columns, *counted))

    def table(self, name: str = "rows") -> Table:
        """Return the rows or the summary (`models`); `drift` needs a reference, `windows` and `martingales` times too."""
        if name in STREAM_COLUMNS:
            return Table.of(name, STREAM_COLUMNS[name], self.stream.records(name) if self.stream else [])
        if name == "drift":
            return self.drift.table() if self.drift else statistics_table(name, self.counts.model, ())
        return {"rows": self._rows, "models": self._models}[name]()

    def _rows(self) -> Table:
        row = row_at(self.counts, self.split.midpoint)
        at_midpoint = np.flatnonzero(self.curve.thresholds == self.counts.thresholds[row])
        columns = CurveRows(self.counts.model, self.curve, self._of_matrix)
        return Table("rows", ROWS, (Block(len(self.curve), columns.values, at_midpoint),))

    def _of_matrix(self, key: str, matrix: Confusion) -> Values:
        curves = {"sensibility": self.split.sensibility, "capability": self.split.capability}
        return curves[key](matrix.tp, matrix.fp) if key in curves else matrix_values(key, matrix)

    def _models(self) -> Table:
        record = summary_of(self.counts, self.auc) | {column.name: value(self) for column, value in COLUMNS.items()}
        return Table.of("models", (*SUMMARY, *COLUMNS, *bin_columns(self.counts)), [record])


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


NO_REFERENCE = "no reference was given"
COLUMNS: dict[Column, Callable[[Sensibility], Any]] = {
    Column("thresholds", "count"): lambda result: len(result.curve),
    Column("midpoint", "score"): lambda result: result.split.midpoint,
    Column("midpoint_method", "text"): lambda result: result.midpoint.method,
    Column("sensible", "count"): lambda result: result.split.sensible,
    Column("non_sensible", "count"): lambda result: result.split.non_sensible,
    STRUGGLE_RATIO.column: lambda result: _finite(result.split.struggle_ratio),
    STRUGGLE_RATIO.limit_columns[0]: lambda result: _finite(result.struggle_interval.lower),
    STRUGGLE_RATIO.limit_columns[1]: lambda result: _finite(result.struggle_interval.upper),
    Column("drift_p", "p", NO_REFERENCE): lambda result: result.drift and result.drift.joint.p,
    Column("drift_within_p", "p", NO_REFERENCE): lambda result: result.drift and result.drift.within.p,
    Column("drift_statistic", "number", NO_REFERENCE): lambda result: result.drift and result.drift.joint.value,
    Column("drift_conclusion", "text", NO_REFERENCE): lambda result: result.drift and result.drift.conclusion,
    DRIFT_ALARM.column: lambda result: result.stream and result.stream.drift_alarm,
}
"""The columns of the summary that other analyses lack, with their values; what is infinite has no value."""


def sensibility(
    counts: ScoreCounts,
    *,
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    midpoint: str | float | Midpoint = "half",
    rescale: bool = False,
    bootstrap: int = 1000,
    seed: int = SEED,
    reference: ScoreCounts | None = None,
    permutations: int = 999,
    cases: Predictions | None = None,
    time: str | None = None,
    every: str | int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sensibility:
    """Return the sensibility of one model, and a test of whether the domain has changed since a reference.

    Parameters
    ----------
    counts
        The numbers of positives and negatives at each distinct score; the scores are probabilities.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; they affect the rows only.
    level
        The level of every interval; a test of drift rejects at p <= 1 - level.
    interval
        How the interval of an AUC, and the test of a difference of two, are computed: `robust` or `delong` (see `rocconf.compute.stats.estimate`).
    midpoint
        `half`, `fixed`, `class-mean`, `overall-mean` or a number (see `rocconf.compute.sensibility.midpoint`).
    rescale
        Whether to rescale the scores to [0, 1] first, with those of the reference.
    bootstrap
        The number of resamples for the interval of the struggle ratio; with 0 it is Wilson's, which takes the midpoint
        as known.
    seed
        The seed of the bootstrap and of the permutations.
    reference
        The counts of the model on earlier held-out cases, never those it was trained on.
    permutations
        The number of relabellings for the test of drift.
    cases
        The cases of the counts with their times, to follow them in windows and by martingales, which needs a reference.
    time
        The name of their column, which the result repeats.
    every
        The length of the windows: month, week, day, or a number of days or of the units of times that are numbers; by
        default it depends on the span of the times.
    progress
        Called with the number of relabellings finished since the last call.
    """
    sets = [counts] if reference is None else [counts, reference]
    for each in sets:
        require_counts(each)
        require_independent(each, "clusters-sensibility")
        if not np.isfinite((each.ends.least[0], each.ends.most[-1])).all():
            require_scores(each, "bins-sensibility")
    if cases is not None:
        _require_cases(cases, counts, reference)
    over = score_range(*sets) if rescale else None
    if over:
        sets = [rescaled(each, over) for each in sets]
    method = parse_midpoint(midpoint)

    def alone(of: ScoreCounts) -> Sensibility:
        at = split(of, method)
        return Sensibility(
            counts=of,
            curve=curve(of, thresholds),
            auc=auc(of, level=level, interval=interval),
            midpoint=method,
            split=at,
            struggle=struggle_of(of, method, at, replicates=bootstrap, seed=seed),
            thresholds=thresholds,
            bootstrap=bootstrap,
            seed=seed,
            permutations=permutations,
            stretched_from=over,
        )

    new, *old = [alone(each) for each in sets]
    if not old:
        return new
    changed = drift(
        *sets, midpoint=method, level=level, interval=interval, permutations=permutations, seed=seed, progress=progress
    )
    found = replace(new, reference=old[0], drift=changed)
    if cases is None:
        return found
    if over:
        scores = (cases.scores[counts.model] - over.lower) / (over.upper - over.lower)
        cases = replace(cases, scores={counts.model: scores})
    followed = stream(cases, sets[1], alone, model=counts.model, every=every, level=level, seed=seed)
    return replace(found, time=time or "time", stream=followed)


def _require_cases(cases: Predictions, counts: ScoreCounts, reference: ScoreCounts | None) -> None:
    """Refuse cases without times, or others than those of the counts, and a stream without a reference."""
    if cases.times is None:
        raise UsageError("no-times")
    if reference is None:
        raise UsageError("time-needs-reference")
    if counts.model not in cases.scores or not same_counts(count(cases, counts.model), counts):
        raise UsageError("cases-not-counts", model=counts.model)
