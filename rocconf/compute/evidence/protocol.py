"""The evidence on one model: an estimate for every metric that a rule can be about, and so its interval at any level.

A result finds its estimates when they are asked for, a saved report holds those of its run; what follows from an
estimate is here, for both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field
from math import sqrt
from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.costs import COST
from rocconf.compute.roc.given_point import is_given
from rocconf.compute.roc.influence import AUC, PARTIAL_AUC
from rocconf.compute.roc.metrics import AT_A_POINT, NOTHING_POSITIVE, PREVALENCE
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.stats.normal import normal_quantile
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError, UsageError
from rocconf.metric import DELTA, Metric, count_metric, score_metric
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import PointRule
    from rocconf.messages import Message
    from rocconf.records import IntervalKind

COUNTS = {"n": 2, "positives": 1, "negatives": 1}
"""The counts of the cases, and the least numbers that there is a curve for."""
WHOLE: dict[str, Metric] = {
    metric.name: metric
    for metric in (*(count_metric(name, least=least) for name, least in COUNTS.items()), PREVALENCE, AUC)
}
"""The metrics of any model."""

POINT: dict[str, Metric] = {
    metric.name: metric
    for metric in (*map(count_metric, COUNTED), score_metric("threshold", NOTHING_POSITIVE), *AT_A_POINT.values())
}
"""The metrics of any model at an operating point."""

TOO_FEW = "fewer than"
"""How the reason begins why nothing is decided on a slice."""

FREE_OF_PREVALENCE = (
    *(AUC.name, PARTIAL_AUC.name, COST.name),
    *("tpr", "fpr", "specificity", "youden_j", "balanced_accuracy"),
)
"""The measures that do not depend on prevalence; rules on the cost of different cases name the prevalence."""
OTHER_PREVALENCE = "the cases of the two models differ in prevalence, on which the measure depends"
DRIFT = "drift"
"""The prefix of the metrics of a test for drift."""


@dataclass(frozen=True, slots=True)
class At:
    """The threshold of an operating point, None for nothing positive, and whether it was chosen on the cases judged."""

    threshold: float | None
    in_sample: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one metric of a model: its estimate, or the reason why it has no value."""

    estimate: Any = None
    reason: str = ""
    at: At | None = None
    level: float | None = None
    """The level of the run, of a number that depends on it."""
    is_open: bool = False
    """Whether too few clusters leave its interval unknown to rules."""
    is_from_itself: bool = False
    """Whether a model was compared with itself, which is not evidence."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The value of a metric, its interval if it has one, and the number of cases."""

    value: float
    interval: Interval | None = None
    n: int = 0
    positives: int = 0
    at: At | None = None
    is_count: bool = False
    kind: IntervalKind | None = None
    """The kind of the interval; None of one that was bootstrapped."""
    is_from_itself: bool = False
    """Whether a model was compared with itself, which is not evidence."""
    within: Interval | None = None
    """Where the value lies, if scores in bins do not tell it exactly."""
    entry: Entry | None = field(default=None, compare=False, repr=False)
    """What it was found from."""

    @property
    def estimate(self) -> Any:
        """The estimate, which has other levels and sizes too; None of a measure that was not computed here."""
        return self.entry and self.entry.estimate


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why a metric has no value."""

    reason: str
    n: int = 0
    positives: int = 0
    at: At | None = None
    entry: Entry | None = field(default=None, compare=False, repr=False)
    """What it was found from."""

    @property
    def is_of_few(self) -> bool:
        """Whether a slice has too few cases for a verdict, though the metric may have a value there."""
        return self.reason.startswith(TOO_FEW)


@dataclass(frozen=True, slots=True)
class SliceOfEvidence:
    """A slice: its cases, and the evidence on the model in it, None where there are too few cases for a verdict."""

    value: str
    n: int
    positives: int
    min_cases: int
    evidence: Evidence | None

    @property
    def too_few(self) -> Unavailable:
        """Why nothing is decided."""
        found = f"{self.positives} positive and {self.n - self.positives} negative"
        return Unavailable(f"{TOO_FEW} {self.min_cases} cases of a class: {found}", self.n, self.positives)


def metrics_of(result: type[Result], *, at_point: bool) -> dict[str, Metric]:
    """Return the metrics of a result that a rule can be about, of the whole curve or at an operating point."""
    if at_point and not result.has_points:
        return {}
    common, own = (POINT, result.point_metrics) if at_point else (WHOLE, (*result.metrics, *result.average_metrics))
    return common | {metric.name: metric for metric in own}


def metrics_at(result: type[Result], at: str | None) -> dict[str, Metric]:
    """Return the metrics that a rule can be about at an operating point, as it is written, or of the whole curve."""
    if at is not None and is_given(parse_point_rule(at)):
        return {metric.name: metric for metric in result.given_metrics}
    return metrics_of(result, at_point=at is not None)


def require_baseline(name: str, model: str, baseline: str | None) -> None:
    """Reject a difference of a model without a baseline."""
    if baseline is None:
        raise UsageError("difference-all-pairs", metric=f"{DELTA}{name}")
    if model == baseline:
        raise UsageError("difference-of-baseline", metric=f"{DELTA}{name}", model=model)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a verdict says of a model: its cases, and with what it was compared."""

    model: str
    level: float
    n: int
    positives: int
    baseline: str | None = None
    is_paired: bool = False
    """Whether the model was compared with its baseline on the same cases."""
    clusters: int | None = None
    """The number of clusters, None of independent cases."""
    cases_of_baseline: tuple[int, int] | None = None
    """The number of cases and positives of the baseline, where it was measured on other cases."""
    is_average: bool = False
    """Whether this is about all classes of a model together."""
    has_reference_scores: bool = False
    """Whether the reference of a test for drift has the same scores."""
    is_binned: bool = False
    """Whether the scores are in bins."""
    caveats: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    """What must be known of any verdict on a metric, by the beginning of its name."""

    @property
    def negatives(self) -> int:
        """The number of negatives."""
        return self.n - self.positives


class Evidence(ABC):
    """The evidence on one model."""

    unit: Unit
    options: Mapping[str, Any]
    """The options of the run."""

    @property
    @abstractmethod
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""

    @abstractmethod
    def entry(self, name: str, at: PointRule | None) -> Entry:
        """Return what is known of a metric, at an operating point or of the whole curve."""

    def other_level(self, name: str, level: float) -> RocconfError:  # noqa: ARG002  # a report names the command
        """Return the error of a number that depends on the level and is asked for at another one."""
        return UsageError("level-of-run", metric=name)

    @abstractmethod
    def slices(self, by: str) -> list[SliceOfEvidence]:
        """Return the slices of a column; empty if the cases were not divided by it."""

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.unit.model

    @property
    def level(self) -> float:
        """The level of the run."""
        return self.unit.level

    @property
    def baseline(self) -> str | None:
        """The model that others are compared with."""
        return self.unit.baseline

    @property
    def is_baseline(self) -> bool:
        """Whether the model is the one that others are compared with."""
        return self.model == self.baseline

    def is_about(self, name: str) -> bool:
        """Whether the metric is one of this model, not of one of its classes or of all of them together."""
        averages = {metric.name for metric in self.kind.average_metrics}
        return (name in averages) == self.unit.is_average

    def caveats_on(self, name: str) -> tuple[Message, ...]:
        """Return what must be known of any verdict on a metric."""
        return tuple(each for start, found in self.unit.caveats.items() if name.startswith(start) for each in found)

    def evidence(
        self, name: str, at: PointRule | None = None, level: float | None = None, *, with_interval: bool = True
    ) -> Measure | Unavailable:
        """Return a metric, or `delta_` and a metric, with its interval at a level, by default that of the run.

        Without a value, return the reason.
        """
        unit, level = self.unit, self.level if level is None else level
        if unit.is_binned and not self.is_known_in_bins(name, at):
            raise UsageError("bins-metric", metric=name, model=self.model)
        found = self.entry(name, at)
        if found.level is not None and found.level != level:
            raise self.other_level(name, level)
        base = name.removeprefix(DELTA)
        reason = found.reason if found.estimate is None else ""
        if not reason and base != name and base not in FREE_OF_PREVALENCE and self._has_other_prevalence(level):
            reason = OTHER_PREVALENCE
        if found.estimate is None or reason:
            return Unavailable(reason, unit.n, unit.positives, found.at, found)
        interval = found.estimate.interval(level) if with_interval else None
        return Measure(
            found.estimate.value,
            UNKNOWN if interval is not None and found.is_open else interval,
            unit.n,
            unit.positives,
            found.at,
            is_count=metrics_at(self.kind, None if at is None else at.text)[name].kind == "count",
            kind=found.estimate.kind,
            is_from_itself=found.is_from_itself or (name.startswith(DRIFT) and unit.has_reference_scores),
            within=getattr(found.estimate, "within", None),
            entry=found,
        )

    def is_known_in_bins(self, name: str, at: PointRule | None) -> bool:
        """Whether a metric does not depend on the scores within bins: a matrix at a threshold, and the AUC, do not."""
        return name in WHOLE if at is None else name in POINT or name == COST.name

    def _has_other_prevalence(self, level: float) -> bool:
        """Whether the prevalence differs from that of the cases of the baseline by more than chance."""
        other = self.unit.cases_of_baseline
        if other is None:
            return False
        (n, positives), (n_other, positives_other) = (self.unit.n, self.unit.positives), other
        shared = (positives + positives_other) / (n + n_other)
        spread = sqrt(shared * (1 - shared) * (1 / n + 1 / n_other))
        return bool(abs(positives / n - positives_other / n_other) > normal_quantile(level) * spread)
