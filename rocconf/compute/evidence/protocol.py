"""The evidence on one model: every metric that a rule can be about, with its interval at any level.

A result and a saved report use the same formulas and the same summary. A result can also choose another operating
point, bootstrap an area and compare again; a report is limited to what it contains.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from rocconf.compute.classes import AVERAGES
from rocconf.compute.roc.auc import AREAS, AUC
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import (
    COST,
    NET_BENEFIT,
    NO_NET_BENEFIT,
    acting_from,
    net_benefit,
    net_benefit_interval,
)
from rocconf.compute.roc.given_point import BELOW_DIAGONAL, NOT_WHOLE, GivenPoint, is_given
from rocconf.compute.roc.metrics import AT_A_POINT, NOTHING_POSITIVE
from rocconf.compute.roc.operating import parse_costs, parse_point_rule
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.stats.auc_intervals import auc_from
from rocconf.compute.stats.class_averages import average_interval
from rocconf.compute.stats.clusters import tell_too_little
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.proportion import proportion_interval
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError, UndefinedError, UsageError
from rocconf.metric import DELTA, NO_DIFFERENCE, Metric, count_metric, score_metric
from rocconf.records import ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.stats.clusters import EffectiveSize
    from rocconf.messages import Message
    from rocconf.records import IntervalKind

COUNTS = {"n": 2, "positives": 1, "negatives": 1}
"""The counts of the cases, and the least numbers that there is a curve for."""
WHOLE = {
    metric.name: metric
    for metric in (
        *(count_metric(name, least=least) for name, least in COUNTS.items()),
        Metric("prevalence", unreached=(0.0, 1.0), interval_method="formula"),
        AUC,
    )
}
"""The metrics of any model."""

POINT = {
    metric.name: metric
    for metric in (*map(count_metric, COUNTED), score_metric("threshold", NOTHING_POSITIVE), *AT_A_POINT.values())
}
"""The metrics of any model at an operating point."""

NO_COSTS = "the costs of errors were not given"
NO_CALIBRATION = "the scores were not measured as probabilities"
TOO_FEW = "fewer than"
"""How the reason begins why nothing is decided on a slice."""

FREE_OF_PREVALENCE = (AUC.name, "partial_auc", "tpr", "specificity", COST.name)
"""The measures that do not depend on prevalence; rules on the cost of different cases name the prevalence."""
OTHER_PREVALENCE = "the cases of the two models differ in prevalence, on which the measure depends"
DRIFT = "drift"
"""The prefix of the metrics of a test for drift."""
DRIFT_P = "drift_p"
"""The metric of the joint test for drift."""


OF_POSITIVES, OF_NEGATIVES, OF_ALL = ("positive_", "positives"), ("negative_", "negatives"), ("", "n")
"""The clusters with some cases, and these cases, in a summary."""
RESTS_ON = {"tpr": (OF_POSITIVES,), "specificity": (OF_NEGATIVES,), "accuracy": (OF_ALL,)}
"""The cases that differences of rates rest on; all else rests on those of both classes."""


@dataclass(frozen=True, slots=True)
class At:
    """The threshold of an operating point, None for nothing positive, and whether it was chosen on the cases judged."""

    threshold: float | None
    in_sample: bool


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


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why a metric has no value."""

    reason: str
    n: int = 0
    positives: int = 0
    at: At | None = None

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


class Point(Protocol):
    """An operating point, in a result or a saved report."""

    @property
    def threshold(self) -> float | None:
        """The threshold; None predicts nothing positive."""

    @property
    def in_sample(self) -> bool:
        """Whether it was chosen on the cases judged."""

    @property
    def tp(self) -> int:
        """The true positives."""

    @property
    def fp(self) -> int:
        """The false positives."""


def metrics_of(result: type[Result], *, at_point: bool) -> dict[str, Metric]:
    """Return the metrics of a result that a rule can be about, of the whole curve or at an operating point."""
    if at_point and not result.has_points:
        return {}
    common, own = (POINT, result.point_metrics) if at_point else (WHOLE, (*result.metrics, *result.average_metrics))
    return common | {metric.name: metric for metric in own}


def about_drift(caveats: Iterable[Message]) -> tuple[Message, ...]:
    """Return the caveats at the end of a verdict on the joint test for drift."""
    return tuple(caveat for caveat in caveats if caveat.code == "part-alone")


def metrics_at(result: type[Result], at: str | None) -> dict[str, Metric]:
    """Return the metrics that a rule can be about at an operating point, as it is written, or of the whole curve."""
    if at is not None and is_given(parse_point_rule(at)):
        return {metric.name: metric for metric in result.given_metrics}
    return metrics_of(result, at_point=at is not None)


class Paired(Protocol):
    """The difference of two models in a metric, in a result or a saved report."""

    @property
    def model(self) -> str:
        """The model that is compared with its baseline."""

    @property
    def metric(self) -> str:
        """The metric."""

    @property
    def at(self) -> str | None:
        """The rule of the operating point, as it was written."""


AnyPair = TypeVar("AnyPair", bound=Paired)


def find_pair(pairs: Iterable[AnyPair], model: str, metric: str, at: PointRule | None) -> AnyPair | None:
    """Return the difference of a model in a metric, at an operating point of the same meaning."""
    for pair in pairs:
        there = None if pair.at is None else parse_point_rule(pair.at).meaning
        if (pair.model, pair.metric, there) == (model, metric, at and at.meaning):
            return pair
    return None


def require_baseline(name: str, model: str, baseline: str | None) -> None:
    """Reject a difference of a model without a baseline."""
    if baseline is None:
        raise UsageError("difference-all-pairs", metric=f"{DELTA}{name}")
    if model == baseline:
        raise UsageError("difference-of-baseline", metric=f"{DELTA}{name}", model=model)


class Evidence(ABC):
    """The evidence on one model."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The name of the model."""

    @property
    @abstractmethod
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""

    @property
    def command(self) -> str:
        """The command of the analysis."""
        return self.kind.command

    @property
    @abstractmethod
    def baseline(self) -> str | None:
        """The model that others are compared with."""

    @property
    @abstractmethod
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, Any]:
        """The options of the run."""

    @property
    def level(self) -> float:
        """The level of the run."""
        level: float = self.summary["level"]
        return level

    @property
    def is_baseline(self) -> bool:
        """Whether the model is the one that others are compared with."""
        return self.model == self.baseline

    @property
    def is_paired(self) -> bool:
        """Whether the model was compared with its baseline on the same cases."""
        return False

    @property
    def has_reference_scores(self) -> bool:
        """Whether the reference of a test for drift has the same scores."""
        return False

    @property
    def clusters(self) -> int | None:
        """The number of clusters, None of independent cases."""
        found: int | None = self.summary.get("clusters")
        return found

    def sizes(self, point: Point) -> Mapping[str, EffectiveSize] | None:  # noqa: ARG002  # of independent cases
        """Return the effective size of each rate at an operating point; None of independent cases."""
        return None

    def is_about(self, name: str) -> bool:
        """Whether the metric is one of this model, not of one of its classes or of all of them together."""
        return all(metric.name != name for metric in self.kind.average_metrics)

    @property
    def cases_of_baseline(self) -> tuple[int, int] | None:
        """The number of cases and positives of the baseline, where it was measured on other cases."""
        return None

    def slices(self, by: str) -> list[SliceOfEvidence]:  # noqa: ARG002  # most evidence has none
        """Return the slices of a column; empty if the cases were not divided by it."""
        return []

    def caveats_on(self, name: str) -> tuple[Message, ...]:  # noqa: ARG002  # most evidence needs none
        """Return what must be known of any verdict on a metric."""
        return ()

    @abstractmethod
    def reason(self, name: str) -> str:
        """Return why the summary lacks a value."""

    @abstractmethod
    def point(self, at: PointRule) -> Point:
        """Return an operating point."""

    @abstractmethod
    def missing_interval(self, name: str, level: float) -> Interval | None:
        """Return the interval of a number of the summary whose limits the summary lacks."""

    @abstractmethod
    def other_level(self, name: str, level: float) -> RocconfError:
        """Return the error of a number of the summary that is asked for at another level than that of the run."""

    @abstractmethod
    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:
        """Return the difference of a metric from the baseline; None where one of the models has no value."""

    def evidence(
        self, name: str, at: PointRule | None = None, level: float | None = None, *, with_interval: bool = True
    ) -> Measure | Unavailable:
        """Return a metric with its interval, or why it has no value.

        Parameters
        ----------
        name
            The metric, like `auc`, or `delta_auc` for the difference from the baseline.
        at
            The operating point; None for a metric of the whole curve.
        level
            The level of the interval; by default that of the run.
        with_interval
            Whether to compute an interval that needs replicates.
        """
        self._require_known(name, at)
        if at is not None and is_given(at):
            return self._at_given(at, name)
        level = self.level if level is None else level
        n, positives = self.summary["n"], self.summary["positives"]
        point = None if at is None else self.point(at)
        where = None if point is None else At(point.threshold, point.in_sample)
        if name.startswith(DELTA):
            return self._difference(name.removeprefix(DELTA), at, level, where)
        if point is not None:
            return self._at_point(point, name, level, with_interval=with_interval)
        value, interval = self._whole(name, level, with_interval=with_interval)
        if value is None:
            return Unavailable(self.reason(name) if name in self.summary else NO_CALIBRATION, n, positives)
        has_kind = self._metric(name).interval_method == "formula" or self._is_robust_area(name)
        kind = self.summary["interval"] if has_kind else None
        return Measure(
            value,
            interval,
            n,
            positives,
            is_count=self._metric(name).kind == "count",
            kind=kind,
            is_from_itself=name.startswith(DRIFT) and self.has_reference_scores,
            within=self._within(name),
        )

    @property
    def is_binned(self) -> bool:
        """Whether the scores are in bins."""
        return self.summary.get("binned") is True

    def _require_known(self, name: str, at: PointRule | None) -> None:
        """Reject a metric that depends on the scores within bins: a matrix at a threshold, and the AUC, do not."""
        at_edge = at is not None and not name.startswith(DELTA) and name != NET_BENEFIT.name
        if self.is_binned and not (at_edge or name in (*COUNTS, "prevalence", AUC.name)):
            raise UsageError("bins-metric", metric=name, model=self.model)

    def _within(self, name: str) -> Interval | None:
        """Return where the AUC lies, if scores in bins do not tell it exactly."""
        if name != AUC.name or self.summary.get("auc_bin_lower") is None:
            return None
        return Interval(self.summary["auc_bin_lower"], self.summary["auc_bin_upper"])

    def _difference(self, name: str, at: PointRule | None, level: float, where: At | None) -> Measure | Unavailable:
        """Return the difference of a metric from the baseline."""
        n, positives = self.summary["n"], self.summary["positives"]
        if name not in FREE_OF_PREVALENCE and self._has_other_prevalence(level):
            return Unavailable(OTHER_PREVALENCE, n, positives, where)
        found = self.difference(name, at, level)
        if found is None:
            return Unavailable(NO_DIFFERENCE, n, positives, where)
        interval = UNKNOWN if self._clusters_tell_too_little(name) else found.interval
        return Measure(found.value, interval, n, positives, where, kind=found.kind, is_from_itself=found.is_from_itself)

    def _clusters_tell_too_little(self, name: str) -> bool:
        """Whether the clusters with the cases that an area or a rate rests on do not tell how much clusters differ."""
        if self.clusters is None:
            return False
        return any(
            tell_too_little(self.summary[f"equal_{of}clusters"], self.summary[f"{of}clusters"], self.summary[cases])
            for of, cases in RESTS_ON.get(name, (OF_POSITIVES, OF_NEGATIVES))
        )

    def _has_other_prevalence(self, level: float) -> bool:
        """Whether the prevalence differs from that of the cases of the baseline by more than chance."""
        other = self.cases_of_baseline
        if other is None:
            return False
        (n, positives), (n_other, positives_other) = (self.summary["n"], self.summary["positives"]), other
        shared = (positives + positives_other) / (n + n_other)
        spread = sqrt(shared * (1 - shared) * (1 / n + 1 / n_other))
        return bool(abs(positives / n - positives_other / n_other) > normal_quantile(level) * spread)

    def _at_given(self, at: PointRule, name: str) -> Measure | Unavailable:
        """Return a metric of a point that is given by its rates, which follows from the class totals."""
        n, p = self.summary["n"], self.summary["positives"]
        point, where = GivenPoint(at, p, n - p), At(None, in_sample=False)
        if point.tpr < point.fpr:
            return Unavailable(BELOW_DIAGONAL, n, p, where)
        if name == "p" and not point.is_whole:
            return Unavailable(NOT_WHOLE, n, p, where)
        values = {"chi2": point.chi2, "p": point.p_value, "distance": point.distance}
        return Measure(values[name], None, n, p, where)

    def _is_robust_area(self, name: str) -> bool:
        """Whether an area other than the AUC has a robust interval in this run."""
        return name in AREAS and AREAS[name].has_influences and self.summary["interval"] == ROBUST

    def _metric(self, name: str) -> Metric:
        return metrics_of(self.kind, at_point=False)[name]

    def _at_point(self, point: Point, name: str, level: float, *, with_interval: bool) -> Measure | Unavailable:
        n, p, where = self.summary["n"], self.summary["positives"], At(point.threshold, point.in_sample)
        matrix = Confusion(np.array([point.tp]), np.array([point.fp]), p, n - p)
        own = self._own_number(point, matrix, name, level, where)
        if own is not None:
            return own
        rate = AT_A_POINT[name]
        value = float(rate.of(matrix)[0])
        if value != value:  # noqa: PLR0124  # only NaN differs from itself
            return Unavailable(rate.undefined, n, p, where)
        if self.clusters is not None and not with_interval:  # the interval of some rates takes cases as independent
            return Measure(value, None, n, p, where)
        kind: IntervalKind = self.summary["interval"]
        sizes = self.sizes(point)
        interval = rate.interval(matrix, level, kind, sizes)
        if sizes is not None and _tell_too_little(name, sizes, matrix):
            interval = UNKNOWN
        return Measure(value, interval, n, p, where, kind=kind)

    def _own_number(
        self, point: Point, matrix: Confusion, name: str, level: float, where: At
    ) -> Measure | Unavailable | None:
        """Return a metric of an operating point that is no rate: a count, the threshold, a cost; None of a rate."""
        n, p = matrix.n, matrix.p
        if name in COUNTED:
            return Measure(int(getattr(matrix, name)[0]), None, n, p, where, is_count=True)
        if name == "threshold":
            found = point.threshold
            return Unavailable(NOTHING_POSITIVE, n, p, where) if found is None else Measure(found, None, n, p, where)
        if name == COST.name:
            return self._cost(matrix, level, where)
        if name == NET_BENEFIT.name:
            return self._net_benefit(point, level, where)
        return None

    def _require_independent(self, name: str) -> None:
        """Reject an interval that takes cases as independent where they are clustered."""
        if self.clusters is not None:
            raise UsageError("clusters-metric", metric=name)

    def _cost(self, matrix: Confusion, level: float, where: At) -> Measure | Unavailable:
        """Return the cost per case at a point."""
        self._require_independent(COST.name)
        n, p, costs = matrix.n, matrix.p, parse_costs(self.options.get("cost"))
        if costs is None:
            return Unavailable(NO_COSTS, n, p, where)
        kind: IntervalKind = self.summary["interval"]
        return Measure(float(costs.of(matrix)[0]), costs.interval(matrix, level, kind), n, p, where, kind=kind)

    def _net_benefit(self, point: Point, level: float, where: At) -> Measure | Unavailable:
        """Return the net benefit at a point."""
        self._require_independent(NET_BENEFIT.name)
        n, p = self.summary["n"], self.summary["positives"]
        probability = acting_from(point.threshold, lower_is_positive=self.options.get("lower_is_positive") is True)
        if "brier" not in self.summary:
            return Unavailable(NO_CALIBRATION, n, p, where)
        if probability is None or self.summary["brier"] is None:
            return Unavailable(NO_NET_BENEFIT, n, p, where)
        kind: IntervalKind = self.summary["interval"]
        value = net_benefit(point.tp, point.fp, n, probability)
        interval = net_benefit_interval(point.tp, point.fp, n, probability, level=level, kind=kind)
        return Measure(value, interval, n, p, where, kind=kind)

    def _whole(self, name: str, level: float, *, with_interval: bool) -> tuple[float | None, Interval | None]:
        """Return a metric of the whole curve with its interval."""
        n, positives = self.summary["n"], self.summary["positives"]
        if name in COUNTS:
            return self.summary[name], None
        if name == "prevalence":
            if self.clusters is not None:
                if with_interval:
                    self._require_independent(name)
                return positives / n, None
            return positives / n, proportion_interval(positives, n, level=level, kind=self.summary["interval"])
        value = self.number(name) if name in self.summary or name not in CALIBRATION else None
        if value is None:
            return None, None
        if self._metric(name).depends_on_level and level != self.number("level"):
            raise self.other_level(name, level)
        interval = self._interval(name, value, level, with_interval=with_interval)
        return value, UNKNOWN if interval and self._clusters_tell_too_little(name) else interval

    def _interval(self, name: str, value: float, level: float, *, with_interval: bool) -> Interval | None:
        method = self._metric(name).interval_method
        if method == "none":
            return None
        if self.clusters is not None and name != AUC.name:
            if with_interval:
                self._require_independent(name)
            return None
        if f"{name}_lower" in self.summary and level == self.number("level"):
            interval = Interval.open(self.number(f"{name}_lower"), self.number(f"{name}_upper"))
            return self._as_known(interval) if method == "bootstrap" else interval
        if name in AVERAGES:
            spread = self.number(f"{name}_se"), self.number(f"{name}_df"), self.summary[f"{name}_fewest"]
            return average_interval(value, *spread, level=level, kind=self.summary["interval"])
        if name == AUC.name:
            se = self.number("auc_se")
            if se is not None and not (se > 0 and 0 < value < 1):
                raise UndefinedError("impossible-se", area=value, se=se)
            kind = self.summary["interval"]
            df = self.number("auc_df") if kind == ROBUST else None
            within = self._within(name)
            return auc_from(value, se, df, *self._classes, level=level, kind=kind, within=within).interval
        return self.missing_interval(name, level) if with_interval else None

    @property
    def _classes(self) -> tuple[int, int]:
        if self.clusters is not None:
            return self.summary["positive_clusters"], self.summary["negative_clusters"]
        return self.summary["positives"], self.summary["negatives"]

    def _as_known(self, drawn: Interval) -> Interval:
        """Return the interval of replicates, unknown with a single case of a class or where all are equal."""
        return drawn if min(self._classes) > 1 and drawn.lower < drawn.upper else UNKNOWN

    def number(self, name: str) -> float | None:
        """Return a number of the summary, None where it has no value."""
        value: float | None = self.summary[name]
        return value


def _tell_too_little(name: str, sizes: Mapping[str, EffectiveSize], matrix: Confusion) -> bool:
    """Whether the clusters with the cases that a rate at a point rests on do not tell how much clusters differ."""
    for each in ("tpr", "fpr") if name == "mcc" else (name,):
        share = AT_A_POINT[each].share
        trials = matrix.n if share is None else int(np.asarray(share(matrix)[1]).flat[0])
        if tell_too_little(sizes[each].equal_clusters, sizes[each].clusters, trials):
            return True
    return False
