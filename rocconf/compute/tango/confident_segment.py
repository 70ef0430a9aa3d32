"""The confident segment of a ROC curve: where false negatives and false positives do not differ in number.

At every threshold the error difference is (b - c) / n, of b false negatives and c false positives among n cases. The
threshold is confident if the interval for it contains 0, and the confident thresholds form one segment of the curve
[1]_. A threshold is equivalent within a margin D if the interval lies inside (-D, D), Tango's test of equivalence
applied to both sides: unlike the confident segment, that grows with n and with quality.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.clustered import clustered_test
from rocconf.compute.roc.costs import COST, COST_COLUMNS
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.least_cost import LEAST_COLUMNS, least_cost
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.roc.rates import COST_KEYS, COUNTED, matrix_values
from rocconf.compute.roc.rows import THRESHOLD, CurveRows
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_columns, summary_of
from rocconf.compute.stats.bootstrap import REPLICATES, least_replicates
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.seeds import SEED
from rocconf.compute.tango.restated import Restated, restated_segment
from rocconf.compute.tango.segment import MEASURES, NO_CONFIDENT, confident_segment, segment_columns
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.metric import Metric, count_metric, score_metric
from rocconf.records import CHUNK, ROBUST, UNKNOWN, slices
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.least_cost import LeastCost
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.estimate import Measured
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.compute.stats.resampling import Draws, Progress
    from rocconf.compute.stats.tango_interval import Limits
    from rocconf.compute.tango.segment import Segment
    from rocconf.compute.tango.segment_bootstrap import SegmentBootstrap
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts, Source
    from rocconf.table import Rows, Values

NO_MARGIN = "no margin of equivalence was given"
NO_FINITE_END = "no threshold is confident, or this end is the row with nothing predicted positive"
NO_EQUIVALENT = "no margin was given, or no threshold with a finite value is equivalent within it"

RESTATED = (
    MODEL,
    Column("prevalence", "share"),
    Column("weight", "number"),
    Column("confident_points", "count"),
    Column("threshold_low", "score", NO_FINITE_END),
    Column("threshold_high", "score", NO_FINITE_END),
    Column("fpr_low", "share", NO_CONFIDENT),
    Column("fpr_high", "share", NO_CONFIDENT),
    Column("tpr_low", "share", NO_CONFIDENT),
    Column("tpr_high", "share", NO_CONFIDENT),
    Column("cauc", "number"),
    Column("cauc_roc", "number"),
)


@dataclass(frozen=True, slots=True, repr=False)
class ConfidentSegment(Result):
    """The confident segment of one model."""

    command: ClassVar[str] = "tango"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "restated")
    point_metrics: ClassVar[tuple[Metric, ...]] = (COST,)
    metrics: ClassVar[tuple[Metric, ...]] = (
        count_metric("thresholds", least=1),
        count_metric("confident_points", depends_on_level=True),
        *(score_metric(f"threshold_{end}", NO_FINITE_END, depends_on_level=True) for end in ("low", "high")),
        *MEASURES.values(),
        count_metric("equivalent_points", depends_on_level=True, needs="margin"),
        *(
            score_metric(f"equivalent_threshold_{end}", depends_on_level=True, needs="margin")
            for end in ("low", "high")
        ),
    )

    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "rows": (
            *("threshold", "fn", "fp", "diff", "confident", "cost", "lower", "p", "equivalent"),
            *("tp", "tn", "tpr", "fpr"),
        ),
        "models": ("model", "auc", "threshold_low", "threshold_high", "auc_lower", "positives", "n"),
    }
    marks: ClassVar[str] = "the ends of the confident segment, and where misses (fn) and false alarms (fp) differ least"

    counts: ScoreCounts
    curve: Curve
    auc: Measured
    test: PairedTest
    segment: Segment
    level: float = 0.95
    thresholds: str = "distinct"
    margin: float | None = None
    equivalent: range | None = None
    """The rows that are equivalent within the margin, if there is one."""
    restated: Restated | None = None
    """The segment at another prevalence, if there is one."""
    bootstrap: SegmentBootstrap | None = None
    least_cost: LeastCost | None = None
    """The least cost, if costs were given."""

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]  # the segment is restated only if asked
        """The tables that the formats for people show beside the summary and the rows."""
        return ("restated",) if self.restated else ()

    @property
    def confident(self) -> range:
        """The confident rows."""
        return range(self.segment.first, self.segment.stop)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return {
            "level": self.level,
            "interval": self.auc.kind,
            "test": self.test.name,
            "margin": self.margin,
            "prevalence": self.restated.prevalence if self.restated else None,
            "thresholds": self.thresholds,
            "cost": self.least_cost and self.least_cost.costs.text,
            "bootstrap": self.bootstrap.replicates if self.bootstrap else 0,
            "seed": self.bootstrap.seed if self.bootstrap else None,
            "lower_is_positive": self.counts.lower_is_positive,
            "cluster": self.counts.clusters and self.counts.clusters.column,
        }

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases."""
        return self.counts.sources

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        model, found = self.counts.model, model_caveats(self.counts, self.auc)
        found += [message("cauc"), message("cauc-inferred"), self._thresholds_caveat()]
        if not len(self.segment):
            found.append(message("no-confident-point", model=model))
        beside = self._confident_beside()
        if beside:
            found.append(message("several-segments", model=model, beside=beside))
        few = self._always_confident()
        if few:
            confident, most = len(self.segment), int(normal_quantile(self.level) ** 2)
            found.append(message("few-errors", model=model, few=few, confident=confident, most=most, level=self.level))
        if self.bootstrap:
            replicates, empty = self.bootstrap.replicates, self.bootstrap.empty
            found.append(message("bootstrap", replicates=replicates, seed=self.bootstrap.seed))
            if replicates < least_replicates(self.level):
                found.append(message("few-replicates", level=self.level, least=least_replicates(self.level)))
            if empty:
                found.append(message("bootstrap-empty", model=model, empty=empty, replicates=replicates))
        return tuple(found)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences: where the segment is, and the AUC."""
        low, high = self.ends(self.confident)
        found = {"model": self.counts.model, "thresholds": f"{len(self.curve):,}"}
        ends = {"low": wording.score(low), "high": wording.score(high), "confident": f"{len(self.segment):,}"}
        if not len(self.segment):
            where = message("answer-no-segment", **found)
        elif high is None:
            where = message("answer-segment-from-nothing", **found, low=ends["low"], confident=ends["confident"])
        elif low is None:
            where = message("answer-segment-to-nothing", **found, high=ends["high"], confident=ends["confident"])
        else:
            where = message("answer-segment", **found, **ends)
        restated = (self._restated_answer(self.restated),) if self.restated else ()
        of_cost = () if self.least_cost is None else (self.least_cost.conclusion,)
        return (where, *restated, *super().conclusions, *of_cost)

    def _restated_answer(self, restated: Restated) -> Message:
        """Return the sentence on the segment at another prevalence."""
        run = range(restated.segment.first, restated.segment.stop)
        if not run:
            return message("answer-restated-none", model=self.counts.model, prevalence=restated.prevalence)
        low, high = (wording.rate(int(self.curve.tp[row]) / self.counts.p) for row in (run[0], run[-1]))
        return message(
            "answer-restated",
            model=self.counts.model,
            prevalence=restated.prevalence,
            thresholds=" to ".join(wording.score(end) if end is not None else "nothing" for end in self.ends(run)),
            tpr=f"{low} to {high}",
        )

    def _thresholds_caveat(self) -> Message:
        """Return which numbers depend on the thresholds: a list of them has another segment."""
        if self.thresholds == "distinct":
            return message("aved")
        return message("chosen-thresholds", thresholds=self.thresholds)

    def _confident_beside(self) -> int:
        """Return the number of confident thresholds outside the segment, of which there are none of independent cases."""
        if self.test.is_one_run:
            return 0
        flags = ~self.test.differs(self.curve.confusion(slice(None)), self.level)
        return int(np.count_nonzero(flags)) - len(self.segment)

    def _always_confident(self) -> int:
        """Return the number of confident thresholds with b + c <= z^2, which the score test cannot reject."""
        if self.test.name != "tango" or not self.test.is_one_run:
            return 0
        most, few = normal_quantile(self.level) ** 2, 0
        for part in slices(len(self.segment)):
            rows = slice(self.segment.first + part.start, self.segment.first + part.stop)
            few += int((self.counts.p - self.curve.tp[rows] + self.curve.fp[rows] <= most).sum())
        return few

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`), or the segment here and at another prevalence (`restated`)."""
        return {"rows": self._rows, "models": self._models, "restated": self._restated}[name]()

    def _restated(self) -> Table:
        here = Restated(self.counts.p / self.counts.n, 1.0, self.segment)
        both = (here, self.restated) if self.restated else ()
        return Table.of("restated", RESTATED, [self._restated_record(each) for each in both])

    def _restated_record(self, each: Restated) -> dict[str, Any]:
        run, counts = range(each.segment.first, each.segment.stop), self.counts
        low, high = self.ends(run)
        at = (run[0], run[-1]) if run else ()
        fpr: list[float | None] = [int(self.curve.fp[row]) / counts.q for row in at] or [None, None]
        tpr: list[float | None] = [int(self.curve.tp[row]) / counts.p for row in at] or [None, None]
        return {
            "model": counts.model,
            "prevalence": each.prevalence,
            "weight": each.weight,
            "confident_points": len(run),
            "threshold_low": low,
            "threshold_high": high,
            "fpr_low": fpr[0],
            "fpr_high": fpr[1],
            "tpr_low": tpr[0],
            "tpr_high": tpr[1],
            "cauc": each.segment.cauc,
            "cauc_roc": each.segment.cauc_roc,
        }

    def _rows(self) -> Table:
        no_margin = NO_MARGIN if self.margin is None else ""
        columns = (
            MODEL,
            THRESHOLD,
            *(Column(name, "count", spare=name == "tn") for name in COUNTED),
            Column("tpr", "share", spare=True),
            Column("fpr", "share", spare=True),
            Column("diff", "number"),
            Column("lower", "number", self.test.no_interval),
            Column("upper", "number", self.test.no_interval),
            Column("z", "number", self.test.no_z, spare=True),
            Column("p", "p", self.test.no_p),
            Column("confident", "flag"),
            Column("equivalent", "flag", no_margin),
            *(COST_COLUMNS if self.least_cost else ()),
        )
        return Table("rows", columns, (Block(len(self.curve), self._values(), self._rows_to_keep()),))

    def _values(self) -> Callable[[str, Rows], Values]:
        """Return the function of a column at some rows; the limits of a chunk are computed once for both columns."""
        columns = CurveRows(self.counts.model, self.curve, self._of_matrix)

        @lru_cache(maxsize=1)
        def limits_of_chunk(start: int, stop: int) -> Limits:
            return self.test.limits(self.curve.confusion(slice(start, stop)), self.level)

        def limits(rows: Rows) -> Limits:
            if isinstance(rows, slice) and rows.step in (None, 1) and 0 < rows.stop - rows.start <= CHUNK:
                return limits_of_chunk(rows.start, rows.stop)
            return self.test.limits(self.curve.confusion(rows), self.level)

        def values(key: str, rows: Rows) -> Values:
            if key in ("lower", "upper"):
                return np.asarray(getattr(limits(rows), key))
            if key == "confident" and not self.test.is_one_run:
                return ~self.test.differs(self.curve.confusion(rows), self.level)
            if key in ("confident", "equivalent"):
                return self._is_in(getattr(self, key), rows)
            return columns.values(key, rows)

        return values

    def _of_matrix(self, key: str, m: Confusion) -> Values:
        if self.least_cost is not None and key in COST_KEYS:
            return self.least_cost.costs.values(key, m, level=self.level, sizes=getattr(self.test, "sizes", None))
        if key == "z":
            return self.test.z(m)
        return self.test.p(m, of=len(self.curve)) if key == "p" else matrix_values(key, m)

    def _is_in(self, run: range | None, rows: Rows) -> Values:
        at = np.arange(*rows.indices(len(self.curve))) if isinstance(rows, slice) else rows
        return np.full(len(at), None, dtype=object) if run is None else (at >= run.start) & (at < run.stop)

    def _rows_to_keep(self) -> Any:
        """Return the ends of the confident and of the equivalent rows, and the row in which the errors differ least."""
        ends = [row for run in (self.confident, self.equivalent) if run for row in (run[0], run[-1])]
        return np.unique(np.array([*ends, self._most_balanced()], dtype=np.intp))

    def _most_balanced(self) -> int:
        """Return the row in which the numbers of misses and false alarms differ least; their difference falls."""

        def difference(row: int) -> int:
            return self.counts.p - int(self.curve.tp[row]) - int(self.curve.fp[row])

        turn = bisect_left(range(len(self.curve)), True, key=lambda row: difference(row) <= 0)
        near = [row for row in (turn - 1, turn) if 0 <= row < len(self.curve)]
        return min(near, key=lambda row: abs(difference(row)))

    def _models(self) -> Table:
        columns = (
            *summary_columns(self.counts),
            Column("test", "text"),
            Column("margin", "share", NO_MARGIN),
            Column("thresholds", "count"),
            Column("confident_points", "count"),
            Column("threshold_low", "score", NO_FINITE_END),
            Column("threshold_high", "score", NO_FINITE_END),
            *segment_columns(with_limits=self.bootstrap is not None),
            Column("equivalent_points", "count", NO_MARGIN),
            Column("equivalent_threshold_low", "score", NO_EQUIVALENT),
            Column("equivalent_threshold_high", "score", NO_EQUIVALENT),
            *(LEAST_COLUMNS if self.least_cost else ()),
        )
        low, high = self.ends(self.confident)
        equivalent_low, equivalent_high = self.ends(self.equivalent)
        record = {
            **summary_of(self.counts, self.auc),
            "test": self.test.name,
            "margin": self.margin,
            "thresholds": len(self.curve),
            "confident_points": len(self.segment),
            "threshold_low": low,
            "threshold_high": high,
            **self._measured(),
            "equivalent_points": None if self.equivalent is None else len(self.equivalent),
            "equivalent_threshold_low": equivalent_low,
            "equivalent_threshold_high": equivalent_high,
            **(self.least_cost.record() if self.least_cost else {}),
        }
        return Table.of("models", columns, [record])

    def _measured(self) -> dict[str, float | None]:
        record: dict[str, float | None] = {}
        for name in MEASURES:
            record[name] = getattr(self.segment, name)
            if self.bootstrap:
                interval = self.bootstrap.draws[name].interval(self.level) if record[name] is not None else UNKNOWN
                record[f"{name}_lower"], record[f"{name}_upper"] = interval.ends
        return record

    def drawn(self, name: str) -> Draws | None:
        """Return a measure with its replicates: those of the result, or some drawn for a rule; None without a value."""
        value = getattr(self.segment, name)
        found = self.bootstrap or self.bootstrapped(REPLICATES, SEED)
        return None if value is None else replace(found.draws[name], value=value)

    def bootstrapped(self, replicates: int, seed: int, progress: Progress | None = None) -> SegmentBootstrap:
        """Return the bootstrap intervals of all measures."""
        from rocconf.compute.tango.segment_bootstrap import segment_bootstrap

        return segment_bootstrap(
            self.curve,
            self.test,
            level=self.level,
            replicates=replicates,
            seed=seed,
            fixed_thresholds=self.thresholds != "distinct",
            progress=progress,
        )

    def ends(self, run: range | None) -> tuple[float | None, float | None]:
        """Return the least and the greatest threshold of a run of rows, None for the nothing-positive row."""
        if not run:
            return None, None
        ends = [float(self.curve.thresholds[row]) if row else None for row in (run[-1], run[0])]
        low, high = reversed(ends) if self.counts.lower_is_positive else ends
        return low, high


def tango(
    counts: ScoreCounts,
    *,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    thresholds: str = "distinct",
    test: str = "tango",
    margin: float | None = None,
    prevalence: float | None = None,
    cost: str | Costs | None = None,
    bootstrap: int = 0,
    seed: int = SEED,
    progress: Progress | None = None,
) -> ConfidentSegment:
    """Return the confident segment of one model.

    Parameters
    ----------
    counts
        The numbers of positives and negatives at each distinct score.
    level
        The level of every interval and of the test.
    interval
        How the interval of the AUC is computed: `robust` or `delong` (see `rocconf.compute.stats.auc_intervals`).
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; the AUC is always that of all scores.
    test
        The test that decides whether a threshold is confident (see `rocconf.compute.stats.paired_tests`).
    margin
        The error difference, as a share of the cases, within which a threshold counts as equivalent.
    prevalence
        Another prevalence to restate the segment for, in the table `restated`.
    cost
        The costs of a false positive and a false negative, `FP:FN` or `FP:FN:PREVALENCE`, for the cost per case.
    bootstrap
        The number of replicates for intervals of the areas and the mean differences; 0 for no intervals.
    seed
        The seed of the bootstrap.
    progress
        Called with the number of replicates finished since the last call.
    """
    from rocconf.compute.stats.paired_tests import paired_test

    require_counts(counts)
    costs = parse_costs(cost)
    chosen, at = paired_test(test), curve(counts, thresholds)
    if prevalence is not None:
        require_independent(counts, "clusters-restated")
    if counts.clusters is not None:
        chosen = clustered_test(chosen, counts, counts.clusters)
    equivalent = None
    if margin is not None:
        from rocconf.compute.tango.equivalence import equivalent_rows

        equivalent = equivalent_rows(at, chosen, margin, level=level)
    result = ConfidentSegment(
        counts=counts,
        curve=at,
        auc=auc(counts, level=level, interval=interval),
        test=chosen,
        segment=confident_segment(at, chosen, level=level),
        level=level,
        thresholds=thresholds,
        margin=margin,
        equivalent=equivalent,
        restated=None if prevalence is None else restated_segment(at, chosen, prevalence, level=level),
        least_cost=None if costs is None else least_cost(counts, costs),
    )
    return replace(result, bootstrap=result.bootstrapped(bootstrap, seed, progress)) if bootstrap else result
