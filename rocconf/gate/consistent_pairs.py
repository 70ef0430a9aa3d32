"""Whether the differences of a saved comparison follow from the values of its models."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.classes import AVERAGES
from rocconf.compute.compare import (
    BOOTSTRAP,
    CLUSTERED,
    COMPARED,
    CROSS_FITTED,
    Discordance,
    Hits,
    hits,
    paired_cost,
    paired_difference,
    paired_net_benefit,
    unpaired_cost,
    unpaired_difference,
    unpaired_net_benefit,
)
from rocconf.compute.roc.auc import AREAS
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import COST, NET_BENEFIT, acting_from
from rocconf.compute.roc.operating import parse_costs, parse_point_rule
from rocconf.compute.stats.auc_difference import (
    SQUARE_AND_ADD,
    difference_without_variance,
    normal_difference,
    pseudo_variance,
    unpaired_auc_difference,
)
from rocconf.compute.stats.clusters import EffectiveSize
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.estimate import ITSELF, Measured
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.mean_interval import MEAN, PSEUDO_CASES
from rocconf.compute.stats.normal import normal_quantile, two_sided_p
from rocconf.compute.stats.weighted_sum import MOVER
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError
from rocconf.gate.consistent_classes import average_pair_faults
from rocconf.gate.consistent_row import ABSOLUTE, RELATIVE, Row, are_limits, is_count, is_multiple, is_number, is_same
from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.records import DELONG, ROBUST, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.records import IntervalKind
    from rocconf.saved import SavedPoint, SavedReport


KEYS = ("baseline", "difference", "difference_lower", "difference_upper", "p", "p_adjusted", "test", "paired", "margin")
"""What every row has, beside the keys that are required when it is read."""


ITSELF_SAID = ("compared-with-itself", "same-model")
"""The warning that a model was compared with itself, and its name in schema 1."""


def pair_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    """Yield what the differences of a comparison cannot be."""
    rows = [Row(f"pairs[{at}]", record) for at, record in enumerate(report.record["tables"].get("pairs", []))]
    metrics = {metric.name: metric for metric in (*kind.metrics, *kind.average_metrics, *kind.point_metrics)}
    seen: set[Any] = set()
    missing = [
        message("field-missing", where=row.where, key=key) for row in rows for key in KEYS if key not in row.record
    ]
    yield from missing
    for row in () if missing else rows:
        record = row.record
        try:
            at = None if record["at"] is None else parse_point_rule(record["at"]).meaning
            metric = metrics[f"{DELTA}{record['metric']}"]
        except (RocconfError, KeyError):
            yield row.impossible("metric" if f"{DELTA}{record['metric']}" not in metrics else "at", "one of compare")
            return
        key = (record["model"], record.get("baseline"), record["metric"], at)
        if key in seen:
            yield message("report-twice", where=row.where, what=f"{record['metric']} of {record['model']}")
        seen.add(key)
        yield from _names(row, report)
        for name in ("difference", "difference_lower", "difference_upper"):
            yield from row.out_of_range(name, metric)
        yield from row.disordered("difference_lower", "difference_upper")
    over_all = [] if missing or report.part else [*adjusted_faults(rows), *_said_faults(rows, report)]
    faults = missing or [*over_all, *_from_itself(rows)]
    yield from faults if not missing else ()
    for row in () if faults else rows:
        if row.record["model"] not in report.units:  # which has been said
            continue
        of_all = row.record["metric"] in AVERAGES
        yield from average_pair_faults(row, report) if of_all else _Pair.of(row, report).faults()
        yield from _margin(row, lower_is_better=metrics[f"{DELTA}{row.record['metric']}"].lower_is_better)


def _names(row: Row, report: SavedReport) -> Iterator[Message]:
    baseline, options = row.record.get("baseline"), report.options
    if row.record["model"] not in report.units:
        yield message("saved-model-unknown", where=row.where, model=row.record["model"])
    if not options.get("all_pairs"):
        yield from row.differing({"baseline": report.baseline_of(row.record["model"])})
    elif baseline not in report.models:
        yield message("saved-model-unknown", where=row.where, model=str(baseline))
    yield from row.differing({"margin": options.get("margin")})
    if "paired" in options:
        yield from row.differing({"paired": options["paired"]})


def _from_itself(rows: list[Row]) -> Iterator[Message]:
    """Yield what contradicts that a model was compared with itself: then no difference from it is evidence."""
    pairs = _compared_with_themselves(rows)
    for row in rows:
        is_from_itself = (row.record["model"], row.record["baseline"]) in pairs
        if is_from_itself and row.record["difference"] is not None:
            yield from row.differing({"test": ITSELF})


def _compared_with_themselves(rows: list[Row]) -> set[tuple[str, str]]:
    return {(row.record["model"], row.record["baseline"]) for row in rows if row.record["test"] == ITSELF}


def _said_faults(rows: list[Row], report: SavedReport) -> Iterator[Message]:
    pairs = _compared_with_themselves(rows)
    said = {str(caveat) for caveat in report.caveats if caveat.code in ITSELF_SAID}
    if len(said) != len(pairs):
        yield message("report-itself", pairs=len(pairs), caveats=len(said))


def adjusted_faults(rows: list[Row]) -> Iterator[Message]:
    """Yield p-values whose adjustment for their number is another."""
    families: dict[Any, list[Row]] = {}
    for row in rows:
        if row.record["p"] is not None and not row.has_number("p"):
            yield row.impossible("p", "a number")
        elif row.has_number("p"):
            if not 0 <= row.record["p"] <= 1:
                yield row.impossible("p", "in [0, 1]")
                return
            families.setdefault((row.record["metric"], row.record["at"]), []).append(row)
        else:
            yield from row.differing({"p": None, "p_adjusted": None})
    for family in families.values():
        for row, p in zip(family, holm([row.record["p"] for row in family]), strict=True):
            yield from row.differing({"p_adjusted": p})


def _margin(row: Row, *, lower_is_better: bool) -> Iterator[Message]:
    margin, lower, upper = (row.record[key] for key in ("margin", "difference_lower", "difference_upper"))
    if margin is None or row.record["difference"] is None:
        return
    try:
        size, limits = Margin(margin), Interval.open(lower, upper)
    except (RocconfError, TypeError):
        yield row.impossible("margin", "in (0, 1)")
        return
    found = {"non_inferior": size.non_inferior(limits, lower_is_better=lower_is_better)}
    yield from row.differing(found | {"equivalent": size.equivalent(limits)})


def _auc(record: Mapping[str, Any]) -> Measured:
    limits = Interval(record["auc_lower"], record["auc_upper"])
    of = ("positive_clusters", "negative_clusters") if "clusters" in record else ("positives", "negatives")
    classes = record[of[0]], record[of[1]]
    return Measured(
        record["auc"], record["auc_se"], record.get("auc_df"), *classes, limits, record["level"], record["interval"]
    )


@dataclass(frozen=True)
class _Pair:
    """A difference with the summaries and the operating points of its two models; a report's are not known."""

    row: Row
    report: SavedReport
    models: tuple[Mapping[str, Any] | None, ...]
    points: tuple[SavedPoint | None, ...]

    @classmethod
    def of(cls, row: Row, report: SavedReport) -> _Pair:
        names = (row.record["model"], row.record["baseline"])
        at = None if row.record["at"] is None else parse_point_rule(row.record["at"]).meaning
        points = {(each.model, parse_point_rule(each.rule).meaning): each for each in report.points}
        return cls(
            row,
            report,
            tuple(report.models.get(name) for name in names),
            tuple(None if at is None else points.get((name, at)) for name in names),
        )

    @property
    def level(self) -> float:
        return self.report.level or 0.0

    @property
    def _classes(self) -> tuple[int, int]:
        """The positives and negatives of the model that is compared or of its baseline, or the clusters of either."""
        model = next(each for each in self.models if each is not None)
        if "clusters" in model:
            return model["positive_clusters"], model["negative_clusters"]
        return model["positives"], model["negatives"]

    def faults(self) -> Iterator[Message]:
        record = self.row.record
        if record["difference"] is None:
            yield from self.row.differing(dict.fromkeys(("difference_lower", "difference_upper", "p", "test")))
        elif record["test"] == ITSELF:
            yield from self._itself()
        elif record["at"] is not None:
            yield from self._rate()
        elif record["metric"] == "auc":
            yield from self._area()
        elif record["metric"] in CALIBRATION:
            yield from self._probabilities()
        elif self._is_robust_area:
            yield from self.row.differing({"interval": ROBUST})
            yield from self._values(record["metric"])
            yield from self._robust(self._max_fpr if AREAS[record["metric"]].undefined else 1.0)
        else:
            yield from self._drawn()

    def _itself(self) -> Iterator[Message]:
        """Yield what contradicts a difference that decides nothing, but may be allowed to."""
        if self.row.record["at"] is None:
            yield from self._values(self.row.record["metric"])
        yield from self.row.disordered("difference_lower", "difference_upper", "difference")

    def _values(self, key: str) -> Iterator[Message]:
        """Yield a difference that is not that of the two values."""
        first, second = self.models
        values: list[Any] = [each.get(key) for each in (first, second) if each is not None]
        if None in values or first is None:
            yield self.row.fault("difference", None)
        elif second is not None:
            yield from self.row.differing({"difference": values[0] - values[1]})
        elif not -RELATIVE <= values[0] - self.row.record["difference"] <= 1 + RELATIVE:
            yield self.row.impossible("difference", f"{values[0]!r} less a value in [0, 1]")

    def _drawn(self) -> Iterator[Message]:
        """Yield what contradicts a bootstrap: its p-value counts replicates, and agrees with the interval."""
        record, replicates = self.row.record, self.report.options.get("bootstrap")
        yield from self.row.differing({"test": BOOTSTRAP})
        yield from self._values(record["metric"])
        lower, upper, p = record["difference_lower"], record["difference_upper"], record["p"]
        if p is None or lower is None or upper is None:
            return
        if replicates and p < 1 and not is_multiple(p, 2 / (replicates + 1)):
            yield self.row.impossible("p", f"a multiple of 2/{replicates + 1}")
        if (p < 1 - self.level - ABSOLUTE) != (lower > 0 or upper < 0):
            yield self.row.fault("p", "one that agrees with the interval")

    def _area(self) -> Iterator[Message]:
        """Yield what contradicts the interval of a difference of two areas, which is of one kind."""
        first, second = self.models
        yield from self._values("auc")
        yield from self.row.differing({"interval": self.report.options.get("interval", "delong")})
        areas = [_auc(each) for each in (first, second) if each is not None]
        if len(areas) == 2 and not self.row.record["paired"]:
            again = unpaired_auc_difference(*areas)
            yield from self.row.differing({"p": again.p, "test": again.test})
            yield from are_limits(self.row, "difference_lower", "difference_upper", again.interval)
        elif self.row.record["interval"] == ROBUST:
            yield from self._robust(1.0)
        else:
            yield from self._delong(areas)

    @property
    def _is_robust_area(self) -> bool:
        metric = AREAS.get(self.row.record["metric"])
        return metric is not None and metric.has_influences and self.report.options.get("interval") == ROBUST

    @property
    def _max_fpr(self) -> float:
        limit: Any = self.report.options.get("max_fpr")
        return float(limit) if is_number(limit) and 0 < limit <= 1 else 1.0

    def _robust(self, scale: float) -> Iterator[Message]:
        """Yield what contradicts the robust interval of areas up to a false positive rate.

        Its pseudo-cases give it a least width, and p agrees with it.
        """
        row, (difference, lower, upper, p) = self.row, (self.row.record[key] for key in KEYS[1:5])
        yield from row.differing({"test": ROBUST})
        disordered = list(row.disordered("difference_lower", "difference_upper", "difference"))
        p_cases, q_cases = self._classes
        if min(p_cases, q_cases) < 2 and self.row.record["metric"] in AREAS:
            return
        if disordered or None in (lower, upper, p):
            yield from disordered or [row.impossible("difference_lower", "a number")]
            return
        pseudo = pseudo_variance(p_cases, max(q_cases * scale, 1.0)) * row.record["paired"]
        least = normal_quantile(self.level) * sqrt(pseudo) * scale - ABSOLUTE
        is_of_one_order = difference == lower == upper == 0
        is_wide = lower <= max(difference - least, -scale) and upper >= min(difference + least, scale)
        if not (is_wide or is_of_one_order):
            yield row.impossible("difference_lower", f"at least {least:g} from the difference")
        if (p < 1 - self.level - ABSOLUTE) != (lower > 0 or upper < 0):
            yield row.fault("p", "one that agrees with the interval")

    def _delong(self, areas: list[Measured]) -> Iterator[Message]:
        """Yield what contradicts DeLong's interval, whose variance is between the bounds of the two standard errors."""
        row, record = self.row, self.row.record
        difference, lower, upper = (record[key] for key in ("difference", "difference_lower", "difference_upper"))
        if record["test"] == SQUARE_AND_ADD:
            yield from row.differing({"p": None})
            if len(areas) == 2:
                limits = difference_without_variance(areas[0], areas[1]).interval
                yield from are_limits(row, "difference_lower", "difference_upper", limits)
            return
        yield from row.differing({"test": DELONG})
        disordered = list(row.disordered("difference_lower", "difference_upper", "difference"))
        if disordered or None in (lower, upper):
            yield from disordered or [row.impossible("difference_lower", "a number")]
            return
        reach = max(difference - lower, upper - difference)  # a limit of -1 or 1 may be cut off
        if reach == 0:
            yield from row.differing({"difference": 0.0, "p": 1.0})
            return
        variance = (reach / normal_quantile(self.level)) ** 2
        again = normal_difference(difference, variance, self.level)
        yield from are_limits(row, "difference_lower", "difference_upper", again.interval)
        yield from row.differing({"p": two_sided_p(difference / sqrt(variance))})
        errors = [each.se for each in areas if each.se is not None]
        if len(errors) == 2 and lower > -1 and upper < 1 and self.report.options.get("cluster") is None:
            bounds = abs(errors[0] - errors[1]), sum(errors)
            if not bounds[0] * (1 - RELATIVE) - ABSOLUTE <= sqrt(variance) <= bounds[1] * (1 + RELATIVE) + ABSOLUTE:
                yield row.impossible("difference_upper", "within the bounds of the two standard errors")

    def _rate(self) -> Iterator[Message]:
        """Yield what contradicts the counts of the two operating points."""
        row, record, first = self.row, self.row.record, self.models[0]
        kind: IntervalKind = self.report.options.get("interval", DELONG)
        yield from row.differing({"interval": kind})
        if record["metric"] in (COST.name, NET_BENEFIT.name) and first is not None and self.points[0] is not None:
            yield from self._priced(kind)
            return
        if record["metric"] not in COMPARED or first is None or self.points[0] is None:
            yield row.impossible("metric", f"one of {', '.join(COMPARED)} at an operating point of the report")
            return
        counted = self.counted(record["metric"])
        if len(counted) < 2:  # a fault of the inputs
            return
        if not record["paired"]:
            again = unpaired_difference(*counted, level=self.level, kind=kind)
            yield from row.differing({"difference": again.value, "p": again.p, "test": again.test})
            yield from are_limits(row, "difference_lower", "difference_upper", again.interval)
        else:
            net, n = counted[0].hits - counted[1].hits, counted[0].n
            test = paired_difference(Discordance(0, 0, n), level=self.level, kind=kind).test
            yield from row.differing({"difference": net / n, "test": test})
            yield from self._discordance(net, n, kind) if self._clusters is None else self._clustered(net, n, kind)

    @property
    def _clusters(self) -> int | None:
        """The number of clusters, None of independent cases."""
        return None if self.models[0] is None else self.models[0].get("clusters")

    def _clustered(self, net: int, n: int, kind: IntervalKind) -> Iterator[Message]:
        """Yield limits that do not follow from the discordant cases and their effective size, which the row has."""
        row, record = self.row, self.row.record
        for key in (column.name for column in CLUSTERED):
            if key not in record:
                yield message("field-missing", where=row.where, key=key)
                return
        more, less, clusters = (record[key] for key in ("only_first", "only_second", "clusters"))
        equal, size, df = (record[key] for key in ("equal_clusters", "effective_n", "effective_df"))
        if not (is_count(more) and is_count(less) and more - less == net and more + less <= n):
            yield row.impossible("only_first", f"counts that differ by {net}, of {n} cases")
            return
        of_rate = {"tpr": "positive_clusters", "specificity": "negative_clusters"}.get(record["metric"], "clusters")
        of_model = self.models[0] or {}
        yield from row.differing(
            {"clusters": of_model.get(of_rate), "equal_clusters": of_model.get(f"equal_{of_rate}")}
        )
        if not (is_number(equal) and 1 - RELATIVE <= equal <= clusters * (1 + RELATIVE)):
            yield row.impossible("equal_clusters", f"in [1, {clusters}]")
            return
        if df is None:
            yield from row.differing({"effective_n": float(clusters)})
        elif not (is_number(df) and 1 - RELATIVE <= df <= clusters * (1 + RELATIVE)):
            yield row.impossible("effective_df", f"in [1, {clusters}]")
            return
        if not (is_number(size) and size > 0):
            yield row.impossible("effective_n", "above 0")
            return
        of = Discordance(more, less, n, EffectiveSize(clusters, equal, size, df))
        found = paired_difference(of, level=self.level, kind=kind)
        yield from row.differing({"p": found.p})
        yield from are_limits(row, "difference_lower", "difference_upper", found.interval)

    def _priced(self, kind: IntervalKind) -> Iterator[Message]:
        """Yield contradictions between a difference and the costs or net benefits of the two operating points."""
        row, metric = self.row, self.row.record["metric"]
        costs, probability = parse_costs(self.report.options.get("cost")), self._probability
        if (costs if metric == COST.name else probability) is None:
            yield row.impossible("metric", "one that these options and thresholds have")
            return
        matrices = [
            Confusion(np.array([point.tp]), np.array([point.fp]), model["positives"], model["negatives"])
            for point, model in zip(self.points, self.models, strict=True)
            if point is not None and model is not None
        ]
        if len(matrices) < 2:  # the other is in another report
            yield from row.disordered("difference_lower", "difference_upper", "difference")
            return
        of: dict[str, Any] = {"level": self.level, "kind": kind}
        if row.record["paired"]:
            found = {rate: self._found(rate, kind) for rate in ("tpr", "specificity")}
            known = {rate: of_rate for rate, of_rate in found.items() if of_rate is not None}
            if len(known) < len(found):
                yield row.impossible("metric", "one beside the differences of tpr and specificity")
                return
            again = (
                paired_cost(known, costs, **of)
                if metric == COST.name and costs is not None
                else paired_net_benefit(known, probability or 0.0, **of)
            )
        else:
            again = (
                unpaired_cost(matrices[0], matrices[1], costs, **of)
                if metric == COST.name and costs is not None
                else unpaired_net_benefit(matrices[0], matrices[1], probability or 0.0, **of)
            )
        yield from row.differing({"difference": again.value, "p": again.p, "test": again.test})
        yield from are_limits(row, "difference_lower", "difference_upper", again.interval)

    @property
    def _probability(self) -> float | None:
        """The probability from which one acts, if the points of both models have the same."""
        thresholds = {point.threshold for point in self.points if point is not None}
        if len(thresholds) > 1 or self.report.options.get("calibration") is not True:
            return None
        turned = self.report.options.get("lower_is_positive") is True
        return acting_from(thresholds.pop(), lower_is_positive=turned)

    def _probabilities(self) -> Iterator[Message]:
        """Yield contradictions in a difference of measures of probabilities: in values, order, width and p-value."""
        row, record = self.row, self.row.record
        if "interval" not in record:
            yield message("field-missing", where=row.where, key="interval")
            return
        tests = (MEAN, MOVER, CROSS_FITTED)
        if record["test"] not in tests:
            yield row.impossible("test", f"one of {', '.join(tests)}")
        yield from self._values(record["metric"])
        faults = list(row.disordered("difference_lower", "difference_upper", "difference"))
        yield from faults
        lower, upper, p = (record[key] for key in ("difference_lower", "difference_upper", "p"))
        if faults or None in (lower, upper):
            return
        n, is_robust = self.models[0]["n"] if self.models[0] else 1, record["interval"] == ROBUST
        if record["test"] != MOVER and is_robust:
            least = normal_quantile(self.level) * sqrt(PSEUDO_CASES) / n * (1 - RELATIVE)
            if not (lower <= record["difference"] - least and record["difference"] + least <= upper):
                yield row.impossible("difference_lower", f"at least {least:g} from the difference")
        if p is not None and (p < 1 - self.level - ABSOLUTE) != (lower > 0 or upper < 0):
            yield row.fault("p", "one that agrees with the interval")

    def _found(self, rate: str, kind: IntervalKind) -> Discordance | None:
        """Return the discordant cases of a rate that is compared at the same operating point."""
        here = self.row.record
        for record in self.report.record["tables"]["pairs"]:
            if record["metric"] == rate and all(record[key] == here[key] for key in ("model", "baseline", "at")):
                again = replace(self, row=Row(self.row.where, record))
                counted = again.counted(rate)
                net, n = counted[0].hits - counted[1].hits, counted[0].n
                return again.discordance(net, n, kind)
        return None

    def counted(self, rate: str) -> list[Hits]:
        """Return how many cases each model predicts right at the operating point; those of a report by the difference."""
        found = [
            hits(point.tp, point.fp, model["positives"], model["negatives"])[rate]
            for point, model in zip(self.points, self.models, strict=True)
            if point is not None and model is not None
        ]
        reported = self.report.baseline_report
        if len(found) == 1 and reported is not None and reported["positives"] and reported["negatives"]:
            n = hits(0, 0, reported["positives"], reported["negatives"])[rate].n
            deduced = round((found[0].share - self.row.record["difference"]) * n)
            found.append(Hits(min(max(deduced, 0), n), n))
        return found

    def _discordance(self, net: int, n: int, kind: IntervalKind) -> Iterator[Message]:
        """Yield limits that no number of discordant cases gives: they and p follow from it, and widen as it grows."""
        row, record = self.row, self.row.record
        lower, upper = record["difference_lower"], record["difference_upper"]
        if lower is None or upper is None or record["p"] is None:
            yield row.impossible("difference_lower", "a number")
            return
        found = paired_difference(self.discordance(net, n, kind), level=self.level, kind=kind)
        yield from row.differing({"p": found.p})
        yield from are_limits(row, "difference_lower", "difference_upper", found.interval)

    def discordance(self, net: int, n: int, kind: IntervalKind) -> Discordance:
        """Return the discordant cases whose interval is as wide as that of the row."""
        lower, upper = self.row.record["difference_lower"], self.row.record["difference_upper"]
        least, most = 0, (n - abs(net)) // 2  # discordant cases that cancel each other

        def of(cancelling: int) -> Discordance:
            return Discordance(cancelling + max(net, 0), cancelling + max(-net, 0), n)

        while least < most:
            middle = (least + most) // 2
            limits = paired_difference(of(middle), level=self.level, kind=kind).interval
            width = limits.upper - limits.lower
            if is_same(width, upper - lower) or width >= upper - lower:
                most = middle
            else:
                least = middle + 1
        return of(least)
