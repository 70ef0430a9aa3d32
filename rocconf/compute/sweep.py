"""Sweep the thresholds of a model: the confusion matrix and every rate at each, the AUC, and operating points.

The construction is that of Hamel's chapter on ROC model assessment, with intervals.

References
----------
.. [1] L. Hamel (2009), Model assessment with ROC curves, in Encyclopedia of Data Warehousing and Mining, 1316-1323.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf import wording
from rocconf.answer import Result, auc_answer
from rocconf.compute.roc.auc import AREA_COLUMNS, area_values, auc, require_max_fpr
from rocconf.compute.roc.calibration import CALIBRATION, CALIBRATION_COLUMNS, Calibration, calibration
from rocconf.compute.roc.concavities import CONCAVITY_COLUMNS, concavity_records
from rocconf.compute.roc.costs import COST, NET_BENEFIT, NET_BENEFIT_COLUMNS, PointContext, net_benefit_record
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.folds import CV_AUC, MEAN_COLUMNS, Folds, folds_table
from rocconf.compute.roc.honest import (
    HonestRate,
    has_honest_rates,
    honest_columns,
    honest_rates,
    honest_record,
    honest_words,
)
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.least_cost import LEAST_COLUMNS, LeastCost, least_cost
from rocconf.compute.roc.observed import Observed
from rocconf.compute.roc.operating import (
    OperatingPoint,
    PointRule,
    operating_point,
    parse_costs,
    parse_point_rules,
    point_caveats,
    require_unrestated,
    with_cheapest,
)
from rocconf.compute.roc.rates import COUNTED, POINT_COLUMNS, RESTATED, THRESHOLD, CurveRows, Rates, point_record
from rocconf.compute.roc.slice_results import (
    columns_of,
    options_of,
    points_on_screen,
    slice_caveats,
    slice_conclusions,
    slice_points_table,
    slices_on_screen,
    slices_table,
)
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_columns, summary_of
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.metric import Metric, count_metric
from rocconf.records import ROBUST
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.slice_results import Slice
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts, Source


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Result):
    """All thresholds of one model."""

    command: ClassVar[str] = "sweep"
    table_names: ClassVar[tuple[str, ...]] = (
        *("rows", "models", "operating_points", "hull", "concavities"),
        *("effective_sizes", "slices", "slice_points", "folds"),
    )
    metrics: ClassVar[tuple[Metric, ...]] = (
        count_metric("thresholds", least=1),
        *AREAS.values(),
        *CALIBRATION.values(),
        CV_AUC,
    )
    point_metrics: ClassVar[tuple[Metric, ...]] = (COST, NET_BENEFIT)
    may_choose_on: ClassVar[bool] = True
    has_slices: ClassVar[bool] = True
    screen_tells: ClassVar[tuple[str, ...]] = ("in-sample",)
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "rows": (
            *("threshold", "tp", "fp", "cost", "cost_lower", "precision", "tpr", "fpr", "tpr_lower", "precision_lower"),
            *("fpr_lower", "fn", "tn", "specificity", "npv", "accuracy", "f1", "mcc", "lift"),
        ),
        "operating_points": (
            *("model", "rule", "threshold", "cost", "cost_lower", "precision", "tpr", "fpr", "tpr_lower"),
            *("precision_lower", "fpr_lower", "tp", "fp", "fn", "tn"),
        ),
        "slices": (
            *("by", "slice", "positives", "auc", "auc_lower", "difference", "p_adjusted", "difference_lower"),
            *("negatives", "prevalence"),
        ),
        "slice_points": (
            *("by", "slice", "rule", "tpr", "tpr_lower", "tpr_p_adjusted", "fpr", "fpr_lower", "fpr_p_adjusted"),
            *("tpr_difference", "fpr_difference", "tp", "fp"),
        ),
        "folds": ("fold", "n", "positives", "prevalence", "auc", "auc_lower"),
    }

    observed: Observed
    curve: Curve
    auc: Measured
    areas: Mapping[str, float | None]
    """The bootstrapped areas by name, None without a largest false positive rate to go to."""
    points: tuple[OperatingPoint, ...]
    rates: Rates
    thresholds: str = "distinct"
    concavities: int = 0
    """The number of random orders that test each concavity."""
    chosen_on: tuple[Source, ...] = ()
    least_cost: LeastCost | None = None
    """The least cost, if costs were given."""
    honest: tuple[Mapping[str, HonestRate], ...] = ()
    """The honest rates of each operating point, by their names."""
    calibration: Calibration | None = None
    """The measures of the scores as probabilities, if they were asked for."""
    slices: tuple[Slice, ...] = ()
    """The slices of the cases, if they were asked for."""
    folds: Folds | None = None
    """The folds of a cross-validation, if the cases have them."""

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]  # only what was asked for
        """The tables that the formats for people show beside the summary and the rows."""
        of_slices = ("slices", "slice_points") * bool(self.slices)
        of_folds = ("folds",) * (self.folds is not None)
        return (*of_slices, *of_folds, "operating_points", *("concavities",) * bool(self.concavities))

    @property
    def counts(self) -> ScoreCounts:
        """The numbers of positives and negatives at each distinct score."""
        return self.observed.counts

    @property
    def sweeps(self) -> tuple[Sweep, ...]:
        """The sweep of each model."""
        return (self,)

    @property
    def context(self) -> PointContext:
        """What the metrics of an operating point depend on, beside its cases."""
        is_calibrated = self.calibration is not None and self.observed.probabilities is not None
        return PointContext(self.rates.costs, is_calibrated, self.counts.lower_is_positive)

    @property
    def average_precision(self) -> float:
        """The mean of the precision over the positives."""
        return self.areas["average_precision"] or 0.0

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return {
            "level": self.rates.level,
            "interval": self.auc.kind,
            "thresholds": self.thresholds,
            "at": [point.rule.text for point in self.points],
            "intervals": self.rates.intervals,
            "prevalence": self.rates.prevalence,
            "max_fpr": self.observed.max_fpr,
            "concavities": self.concavities,
            "cost": self.rates.costs and self.rates.costs.text,
            "calibration": self.calibration is not None,
            "lower_is_positive": self.counts.lower_is_positive,
            "cluster": self.counts.clusters and self.counts.clusters.column,
            **options_of(self.slices),
            "fold": self.folds and self.folds.column,
        }

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases, and of those on which the thresholds were chosen."""
        return self.counts.sources + tuple(replace(source, role="choose_on") for source in self.chosen_on)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.chosen_on for caveat in source.caveats]
        honest = honest_words(self.points, self.honest, positives=self.counts.p)
        found += [*model_caveats(self.counts, self.auc), *point_caveats(self.counts, self.points, honest)]
        if self.calibration is not None and self.counts.lower_is_positive:
            found.append(message("read-as-negative", model=self.counts.model))
        if self.counts.clusters is not None and any(map(has_honest_rates, self.points)):
            found.append(message("clusters-not-honest", model=self.counts.model))
        if self.rates.prevalence is not None:
            found.append(message("prevalence", prevalence=self.rates.prevalence))
        of_folds = self.folds.caveats(self.counts.model) if self.folds else ()
        return (*found, *slice_caveats(self.slices), *of_folds)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        model, partial = self.counts.model, self.areas["partial_auc"]
        more = f", average precision {wording.rate(self.average_precision)}"
        if partial is not None:
            more += f", partial AUC {wording.rate(partial)} up to fpr {self.observed.max_fpr:g}"
        optional = (
            self.least_cost and self.least_cost.conclusion,
            self.calibration and self.calibration.conclusion(model, self.rates.level),
            self.folds and self.folds.conclusion(model),
        )
        of_slices = slice_conclusions(self.slices, model, level=self.auc.level)
        return (auc_answer(self.summary(), more), *(each for each in optional if each), *of_slices)

    def keys_on_screen(self, name: str) -> tuple[str, ...]:
        """Return the keys of a table for a screen; where intervals were asked for, these come before the counts."""
        keys = self.screen.get(name, ())
        if name.startswith("slice"):
            return keys if len(columns_of(self.slices)) > 1 else keys[1:]
        if not self.rates.intervals:
            return keys
        return tuple(sorted(keys, key=lambda key: key in COUNTED))

    def about_screen(self, name: str) -> tuple[Message, ...]:
        """Return the notes under a table on a screen: the prevalence for which precision is restated."""
        restated = self.rates.prevalence
        if name == "slices":
            return (message("screen-slices"),)
        return (message("restated", prevalence=restated),) if name == "rows" and restated is not None else ()

    def on_screen(self, name: str) -> Table:
        """Return a table with the interval of each rate; slices with the rates of the only point, if there is one."""
        table = replace(self, rates=replace(self.rates, intervals=True)).table(name)
        on_screen = {"slices": slices_on_screen, "slice_points": points_on_screen}
        return on_screen[name](table) if name in on_screen else table

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`), the operating points, the hull, the concavities or the slices."""
        model = self.counts.model
        tables: dict[str, Callable[[], Table]] = {
            "rows": lambda: self._rows(name, self.curve),
            "models": self._models,
            "operating_points": self._operating_points,
            "hull": self._hull,
            "concavities": self._concavities,
            "effective_sizes": self._sizes,
            "slices": lambda: slices_table(self.slices, [(model, AUC.name)], self._models()),
            "slice_points": lambda: slice_points_table(self.slices, [(model, self.points, self.rates)]),
            "folds": lambda: folds_table(self.folds, model),
        }
        return tables[name]()

    def _rows(self, name: str, roc: Curve) -> Table:
        block = Block(len(roc), CurveRows(self.counts.model, roc, self.rates.values).values)
        return Table(name, (MODEL, THRESHOLD, *self.rates.columns), (block,))

    def _hull(self) -> Table:
        roc = curve(self.counts)
        return self._rows("hull", roc.at(hull_rows(roc)))

    def _models(self) -> Table:
        columns = (*summary_columns(self.counts), Column("thresholds", "count"), *AREA_COLUMNS)
        record = summary_of(self.counts, self.auc) | {"thresholds": len(self.curve), **self.areas}
        record["max_fpr"] = self.observed.max_fpr
        parts = (self.least_cost, self.calibration, self.folds)
        for part, of_part in zip(parts, (LEAST_COLUMNS, CALIBRATION_COLUMNS, MEAN_COLUMNS), strict=True):
            if part is not None:
                columns += of_part
                record |= part.record()
        return Table.of("models", columns, [record])

    def _operating_points(self) -> Table:
        columns = (*POINT_COLUMNS, *self.rates.columns)
        columns += honest_columns() if any(self.honest) else ()
        columns += NET_BENEFIT_COLUMNS if self.calibration else ()
        return Table.of("operating_points", columns, [*map(self._point_record, self.points, self.honest)])

    def _point_record(self, point: OperatingPoint, honest: Mapping[str, HonestRate]) -> dict[str, Any]:
        p, q, level = self.counts.p, self.counts.q, self.rates.level
        record = point_record(self.counts.model, point) | self.rates.record(point.tp, point.fp, p, q)
        if any(self.honest):
            record |= honest_record(honest)
        if self.calibration:
            cells, rate = self.observed.cells(point.tp, point.fp), NET_BENEFIT.bound(self.context, point.threshold)
            record |= net_benefit_record(cells, rate, level=level)
        return record

    def _concavities(self) -> Table:
        rows = concavity_records(curve(self.counts), self.counts.model, orders=self.concavities)
        return Table.of("concavities", CONCAVITY_COLUMNS, rows)

    def _sizes(self) -> Table:
        from rocconf.compute.roc.clustered import sizes_table

        return sizes_table(self.observed, self.points, level=self.rates.level)


def sweep(
    counts: ScoreCounts,
    *,
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    at: str | PointRule | Sequence[str | PointRule] = ("closest",),
    choose_on: ScoreCounts | None = None,
    assurance: float | None = None,
    honest: bool = True,
    intervals: bool = False,
    prevalence: float | None = None,
    max_fpr: float | None = None,
    concavities: int = 0,
    cost: str | Costs | None = None,
    calibrated: bool = False,
) -> Sweep:
    """Return all thresholds of one model.

    Parameters
    ----------
    counts
        The numbers of positives and negatives at each distinct score.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; they affect the rows only.
    level
        The level of every interval.
    interval
        How the interval of the AUC is computed: `robust` or `delong` (see `rocconf.compute.stats.estimate`).
    at
        A rule for an operating point, or several (see `rocconf.compute.roc.operating`).
    choose_on
        Other cases on which the rules choose their thresholds, to be judged on `counts`.
    assurance
        The share of samples in which the rates that rules promise (`fpr<=X`, `tpr>=X`, `precision>=X`) are to hold of
        the population; no other rule may choose a threshold then.
    honest
        Whether to estimate the rates of thresholds chosen on `counts` without the optimism of choosing them there.
    intervals
        Whether to add Wilson's interval to the rates.
    prevalence
        The prevalence to restate precision and npv for.
    max_fpr
        The false positive rate up to which the partial area is taken.
    concavities
        The number of random orders that test each concavity against chance; 0 for no tests.
    cost
        The costs of a false positive and a false negative, `FP:FN` or `FP:FN:PREVALENCE`: each point then has its cost
        per case, and the cheapest one is added.
    calibrated
        Whether to measure the scores as probabilities: Brier score, logarithmic loss, miscalibration, discrimination,
        and the net benefit of each point.
    """
    if concavities < 0:
        raise UsageError("concavity-orders", orders=concavities)
    require_counts(counts)
    if calibrated and any(source.rescaled for source in counts.sources):
        raise UsageError("rescaled-calibration")
    if concavities:  # the table of which is not always asked for
        require_independent(counts, "clusters-concavities")
    require_max_fpr(max_fpr)
    observed, costs = Observed(counts, interval, max_fpr), parse_costs(cost)
    rules = with_cheapest(parse_point_rules(at, assurance), costs)
    require_unrestated(rules, prevalence)
    points = tuple(operating_point(counts, rule, choose_on=choose_on) for rule in rules)
    sizes = None
    if counts.clusters is not None:
        from rocconf.compute.roc.clustered import row_sizes

        sizes = row_sizes(counts)
    return Sweep(
        observed=observed,
        curve=curve(counts, thresholds),
        auc=auc(observed, level=level, interval=interval),
        areas=area_values(observed),
        points=points,
        rates=Rates(intervals=intervals, prevalence=prevalence, level=level, costs=costs, sizes=sizes),
        thresholds=thresholds,
        concavities=concavities,
        chosen_on=() if choose_on is None else choose_on.sources,
        least_cost=None if costs is None else least_cost(counts, costs),
        honest=(
            honest_rates(counts, points, level=level, restated=RESTATED if prevalence else ())
            if honest and counts.clusters is None
            else ({},) * len(points)
        ),
        calibration=calibration(observed, level=level) if calibrated else None,
        folds=Folds.of(observed, level=level),
    )
