"""Bradley's ROC chart: where label and prediction are far from independent, and where a model is.

The contours of chi-square follow from the class totals alone. Scores add their thresholds, each with its chi-square and
p-value, the threshold of the largest chi-square, and a p-value that allows for its being the largest of many.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.answer import Result
from rocconf.compute.chi2_contours.contours import ClassTotals, Contour, contour, require_chi2
from rocconf.compute.chi2_contours.model_on_chart import POINT, ROW, ModelOnChart, max_chi2_p
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.costs import COST, Costs
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.given_point import GIVEN_COLUMNS, GIVEN_METRICS, GivenPoint, parse_given_points
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.least_cost import LEAST_COLUMNS, least_cost
from rocconf.compute.roc.metrics import NOTHING_POSITIVE
from rocconf.compute.roc.operating import (
    PointRule,
    operating_point,
    parse_costs,
    parse_point_rule,
    parse_point_rules,
    with_cheapest,
)
from rocconf.compute.roc.summary import MODEL, NO_SCORES, SUMMARY, bin_columns
from rocconf.compute.stats.chi2 import LEAST_EXPECTED, critical_value
from rocconf.compute.stats.normal import two_sided_p
from rocconf.compute.stats.seeds import SEED
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError
from rocconf.messages import message
from rocconf.metric import Metric, count_metric, p_metric, score_metric
from rocconf.records import ROBUST, ScoreCounts
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, Source

SIGNIFICANCE = (0.05, 0.01, 0.005)
"""Significant, highly significant and very highly significant in Bradley's words."""
TOO_MANY = "there are too many cases to permute their labels"

MODELS = (
    *SUMMARY,
    Column("thresholds", "count"),
    Column("null_point", "share"),
    Column("max_chi2", "number"),
    Column("max_chi2_threshold", "score", NOTHING_POSITIVE),
    Column("max_chi2_p", "p", TOO_MANY),
)
CONTOURS = (MODEL, Column("chi2", "number"), Column("branch", "text"), Column("fpr", "share"), Column("tpr", "share"))


@dataclass(frozen=True, slots=True, repr=False)
class Chi2Contours(Result):
    """The contours of chi-square for class totals, and the model with these totals, if there is one."""

    command: ClassVar[str] = "chi2-contours"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "contours", "operating_points", "points")
    metrics: ClassVar[tuple[Metric, ...]] = (
        count_metric("thresholds", least=1),
        Metric("null_point", unreached=(0.0, 1.0)),
        score_metric("max_chi2_threshold", NOTHING_POSITIVE),
        p_metric("max_chi2_p", lower_is_better=True),
    )
    given_metrics: ClassVar[tuple[Metric, ...]] = GIVEN_METRICS
    point_metrics: ClassVar[tuple[Metric, ...]] = (COST,)
    may_choose_on: ClassVar[bool] = True
    screen_tells: ClassVar[tuple[str, ...]] = ("in-sample",)
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "rows": (
            *("threshold", "tp", "fp", "cost", "cost_lower", "tpr", "fpr", "chi2", "p", "p_method", "accuracy"),
            *("fn", "tn"),
        ),
        "operating_points": ("model", "rule", "threshold", "cost", "tp", "fp", "chi2", "p", "tpr", "fpr", "accuracy"),
        "points": ("point", "tp", "fp", "chi2", "p", "p_method", "distance", "contour_tpr", "contour_fpr", "accuracy"),
    }

    totals: ClassTotals
    levels: tuple[float, ...]
    contours: tuple[Contour, ...]
    scored: ModelOnChart | None = None
    points: tuple[GivenPoint, ...] = ()
    """The points that were given by their rates."""

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of the model, if there is one."""
        return (self.scored.counts,) if self.scored else ()

    @property
    def counts(self) -> ScoreCounts:
        """The counts of the model."""
        return self._model.counts

    @property
    def auc(self) -> Measured:
        """The AUC of the model."""
        return self._model.auc

    @property
    def _model(self) -> ModelOnChart:
        if self.scored is None:
            raise UsageError("totals-without-scores")
        return self.scored

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]  # without scores there is nothing else to show
        """The tables that the formats for people show beside the summary and the rows."""
        tables = ("contours",) if self.scored is None else ("operating_points",)
        return ("points", *tables) if self.points else tables

    @property
    def significance(self) -> tuple[float, ...]:
        """The p-value of every level that has a contour, for a threshold chosen in advance."""
        return tuple(two_sided_p(sqrt(level)) for level in self.levels if level < self.totals.n)

    @property
    def has_small_expected_counts(self) -> bool:
        """Whether every threshold has an expected count below 5, so that every p-value is Fisher's."""
        return min(self.totals.p, self.totals.q) * (self.totals.n // 2) < LEAST_EXPECTED * self.totals.n

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        levels = {"levels": list(self.levels), "points": [point.rule.text for point in self.points]}
        if self.scored is None:
            return {"positives": self.totals.p, "negatives": self.totals.q, **levels}
        return levels | self.scored.options

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases, and of those on which the thresholds were chosen."""
        return self.scored.sources if self.scored else ()

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = self.scored.caveats if self.scored else [message("no-scores")]
        totals, beyond = self.totals, _beyond_reach(self.totals, self.levels)
        if beyond:
            found.append(message("no-contour", model=totals.model, levels=beyond, n=totals.n))
        if self.has_small_expected_counts:
            found.append(message("small-expected", model=totals.model, positives=totals.p, negatives=totals.q))
        rough = [point for point in self.points if not point.is_whole]
        if rough:
            poor = message("point-poor") if any(point.least_expected < LEAST_EXPECTED for point in rough) else ""
            told = "; ".join(f"({point.rule.text})" for point in rough)
            found.append(message("point-not-whole", model=totals.model, points=told, poor=poor))
        return tuple(found)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences: whether any threshold does better than chance, and the AUC."""
        if self.scored is None:
            levels = ", ".join(f"chi2 {level:.4g} (p {two_sided_p(sqrt(level)):.2g})" for level in self.levels)
            return (message("answer-contours", positives=self.totals.p, negatives=self.totals.q, levels=levels),)
        of_cost = (self.scored.least_cost.conclusion,) if self.scored.least_cost else ()
        return (self.scored.conclusion, *super().conclusions, *of_cost)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`), the contours, the operating points or the points that were given."""
        if name == "points":
            return Table.of(name, GIVEN_COLUMNS, [point.record(self.totals.model) for point in self.points])
        if name == "models":
            return self._models()
        if name == "contours":
            return self._contours()
        if self.scored is None:
            return Table.of(name, {"rows": ROW, "operating_points": POINT}[name], [])
        return {"rows": self.scored.rows, "operating_points": self.scored.operating_points}[name]()

    def _models(self) -> Table:
        totals, scored = self.totals, self.scored
        record = record_of(SUMMARY[:5], (totals.model, totals.n, totals.p, totals.q, totals.p / totals.n))
        record |= {"thresholds": 0, "null_point": totals.null_point}
        if scored is None:
            columns = [c if c.name in record else replace(c, undefined=NO_SCORES) for c in MODELS]
        else:
            columns = [*MODELS, *bin_columns(scored.counts), *(LEAST_COLUMNS if scored.least_cost else ())]
            record |= scored.summary()
        return Table.of("models", columns, [{c.name: record.get(c.name) for c in columns}])

    def _contours(self) -> Table:
        records = [
            record_of(CONTOURS, (self.totals.model, each.chi2, each.branch, fpr, tpr))
            for each in self.contours
            for fpr, tpr in zip(each.fpr.tolist(), each.tpr.tolist(), strict=True)
        ]
        return Table.of("contours", CONTOURS, records)


def chi2_contours(
    cases: ScoreCounts | ClassTotals,
    *,
    levels: Sequence[float] | None = None,
    significance: Sequence[float] | None = None,
    at: str | PointRule | Sequence[str | PointRule] = (),
    choose_on: ScoreCounts | None = None,
    points: Sequence[str | PointRule] = (),
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    cost: str | Costs | None = None,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Chi2Contours:
    """Return contours of chi-square on the ROC chart, and the thresholds of a model.

    Parameters
    ----------
    cases
        The numbers of positives and negatives of a model at each distinct score, or class totals alone, for which
        `at` and `choose_on` are rejected and the options after them ignored.
    levels
        The values of chi-square to draw contours of.
    significance
        The same, as the probability that a threshold chosen in advance exceeds the value by chance; by default 5%, 1%
        and 0.5%.
    at
        A rule for an operating point, or several (see `rocconf.compute.roc.operating`), beside the largest chi-square.
    choose_on
        Other cases on which the rules choose their thresholds, to be judged on these.
    points
        Points of the chart by their false and true positive rates, like `0.1,0.8`.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; they affect the rows only.
    level
        The level of the interval of the AUC.
    interval
        How it is computed: `robust` or `delong` (see `rocconf.compute.stats.estimate`).
    cost
        The costs of a false positive and a false negative, `FP:FN` or `FP:FN:PREVALENCE`: each point then has its cost
        per case, and the cheapest one is added.
    permutations, seed
        The number of permutations of the labels for the p-value of the largest chi-square, and their seed.
    progress
        Called with the number of permutations finished since the last call.
    """
    levels, costs, scored = contour_levels(levels, significance), parse_costs(cost), None
    if isinstance(cases, ClassTotals):
        totals = cases
        if at or choose_on is not None:
            raise UsageError("totals-without-scores")
        if min(levels) >= totals.n:
            raise UndefinedError("chi2-above-n", model=totals.model, levels=_beyond_reach(totals, levels), n=totals.n)
    else:
        require_counts(cases)
        totals = ClassTotals(cases.p, cases.q, cases.model)
        require_independent(cases, "clusters-chi2")
        rules = with_cheapest(_rules(at), costs)
        scored = ModelOnChart(
            counts=cases,
            curve=curve(cases, thresholds),
            auc=auc(cases, level=level, interval=interval),
            points=tuple(operating_point(cases, rule, choose_on=choose_on) for rule in rules),
            largest=operating_point(cases, parse_point_rule("chi2")),
            max_chi2_p=max_chi2_p(cases, permutations=permutations, seed=seed, progress=progress),
            thresholds=thresholds,
            permutations=permutations,
            seed=seed,
            chosen_on=() if choose_on is None else choose_on.sources,
            least_cost=None if costs is None else least_cost(cases, costs),
        )
    return Chi2Contours(
        totals=totals,
        levels=levels,
        contours=tuple(branch for level in levels if level < totals.n for branch in contour(totals, level)),
        scored=scored,
        points=tuple(GivenPoint(rule, totals.p, totals.q) for rule in parse_given_points(points)),
    )


def contour_levels(
    levels: Sequence[float] | None = None, significance: Sequence[float] | None = None
) -> tuple[float, ...]:
    """Return values of chi-square, given as such or by their significance, in ascending order."""
    if levels is not None and significance is not None:
        raise UsageError("levels-twice")
    if levels is None:
        levels = [critical_value(alpha) for alpha in (SIGNIFICANCE if significance is None else significance)]
    if not levels:
        raise UsageError("no-levels")
    for level in levels:
        require_chi2(level)
    return tuple(sorted(set(levels)))


def _rules(at: str | PointRule | Sequence[str | PointRule]) -> list[PointRule]:
    """Return the rules for operating points, the largest chi-square first, without repetition."""
    rules: dict[tuple[Any, ...], PointRule] = {}
    for rule in (parse_point_rule("chi2"), *parse_point_rules(at)):
        rules.setdefault(rule.meaning, rule)
    return list(rules.values())


def _beyond_reach(totals: ClassTotals, levels: Sequence[float]) -> str:
    """Return the levels that no chi-square of these totals exceeds, as text."""
    return ", ".join(f"{level:.4g}" for level in levels if level >= totals.n)
