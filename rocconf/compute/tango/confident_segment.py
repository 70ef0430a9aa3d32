"""The result of `rocconf tango`: the confident segment of one model, with its rows, its measures and its areas."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
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
from rocconf.compute.roc.rates import COST_KEYS, COUNTED, THRESHOLD, CurveRows, matrix_values
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_columns, summary_of
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import paired_test
from rocconf.compute.stats.seeds import REPLICATES, SEED, least_replicates
from rocconf.compute.tango.segment import (
    MEASURES,
    NO_CONFIDENT,
    Restated,
    confident_segment,
    equivalent_rows,
    restated_segment,
    segment_columns,
)
from rocconf.compute.tango.segment_bootstrap import SegmentGauge, segment_bootstrap
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.metric import Metric, count_metric, score_metric
from rocconf.records import ROBUST, UNKNOWN
from rocconf.table import Block, Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.least_cost import LeastCost
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.estimate import Measured
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.compute.stats.resampling import Draws, Progress
    from rocconf.compute.tango.segment import Segment
    from rocconf.compute.tango.segment_bootstrap import SegmentBootstrap
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts, Source
    from rocconf.table import Rows, Values

NO_MARGIN = "no margin of equivalence was given"
NO_FINITE_END = "no threshold is confident, or this end is the row with nothing predicted positive"
NO_EQUIVALENT = "no margin was given, or no threshold with a finite value is equivalent within it"

RUN_COLUMNS = (
    Column("confident_points", "count"),
    Column("threshold_low", "score", NO_FINITE_END),
    Column("threshold_high", "score", NO_FINITE_END),
)
RESTATED = (
    *(MODEL, Column("prevalence", "share"), Column("weight", "number"), *RUN_COLUMNS),
    *(Column(f"{rate}_{end}", "share", NO_CONFIDENT) for rate in ("fpr", "tpr") for end in ("low", "high")),
    *(Column("cauc", "number"), Column("cauc_roc", "number")),
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
        score_metric("equivalent_threshold_low", depends_on_level=True, needs="margin"),
        score_metric("equivalent_threshold_high", depends_on_level=True, needs="margin"),
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
        return self.segment.rows

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
        model, found, confident = self.counts.model, model_caveats(self.counts, self.auc), len(self.segment)
        found += [message("cauc"), message("cauc-inferred")]
        is_listed = self.thresholds != "distinct"  # a list of thresholds has another segment
        found.append(message("chosen-thresholds", thresholds=self.thresholds) if is_listed else message("aved"))
        if not confident:
            found.append(message("no-confident-point", model=model))
        if not self.test.is_one_run:
            flags = ~self.test.differs(self.curve.confusion(slice(None)), self.level)
            if beside := int(np.count_nonzero(flags)) - confident:
                found.append(message("several-segments", model=model, beside=beside))
        elif self.test.name == "tango":  # the score test cannot reject b + c <= z^2
            most, rows = normal_quantile(self.level) ** 2, slice(self.segment.first, self.segment.stop)
            if few := int((self.counts.p - self.curve.tp[rows] + self.curve.fp[rows] <= most).sum()):
                values = {"few": few, "confident": confident, "most": int(most), "level": self.level}
                found.append(message("few-errors", model=model, **values))
        if self.bootstrap:
            replicates, empty, least = self.bootstrap.replicates, self.bootstrap.empty, least_replicates(self.level)
            found.append(message("bootstrap", replicates=replicates, seed=self.bootstrap.seed))
            if replicates < least:
                found.append(message("few-replicates", level=self.level, least=least))
            if empty:
                found.append(message("bootstrap-empty", model=model, empty=empty, replicates=replicates))
        return tuple(found)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences: where the segment is, and the AUC."""
        low, high = self.ends(self.confident)
        code, ends = "answer-segment", {"low": low, "high": high}
        if not self.confident:
            code, ends = "answer-no-segment", {}
        elif high is None:
            code, ends = "answer-segment-from-nothing", {"low": low}
        elif low is None:
            code, ends = "answer-segment-to-nothing", {"high": high}
        sizes = {"thresholds": f"{len(self.curve):,}", "confident": f"{len(self.segment):,}"}
        shown = {end: wording.score(threshold) for end, threshold in ends.items()}
        where = message(code, model=self.counts.model, **sizes, **shown)
        restated = (self._restated_answer(self.restated),) if self.restated else ()
        of_cost = () if self.least_cost is None else (self.least_cost.conclusion,)
        return (where, *restated, *super().conclusions, *of_cost)

    def _restated_answer(self, restated: Restated) -> Message:
        """Return the sentence on the segment at another prevalence."""
        run, of = restated.segment.rows, {"model": self.counts.model, "prevalence": restated.prevalence}
        if not run:
            return message("answer-restated-none", **of)
        thresholds = " to ".join(wording.score(end) if end is not None else "nothing" for end in self.ends(run))
        tpr = " to ".join(wording.rate(int(self.curve.tp[row]) / self.counts.p) for row in (run[0], run[-1]))
        return message("answer-restated", **of, thresholds=thresholds, tpr=tpr)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`), or the segment here and at another prevalence (`restated`)."""
        return {"rows": self._rows, "models": self._models, "restated": self._restated}[name]()

    def _restated(self) -> Table:
        here = Restated(self.counts.p / self.counts.n, 1.0, self.segment)
        both = (here, self.restated) if self.restated else ()
        return Table.of("restated", RESTATED, [self._restated_record(each) for each in both])

    def _restated_record(self, each: Restated) -> dict[str, Any]:
        run, segment = each.segment.rows, each.segment
        m = self.curve.confusion(np.array([run[0], run[-1]] if run else [], dtype=np.intp))
        rates = (*(m.fp / m.q).tolist(), *(m.tp / m.p).tolist()) if run else (None,) * 4
        values = (each.prevalence, each.weight, len(run), *self.ends(run), *rates, segment.cauc, segment.cauc_roc)
        return record_of(RESTATED, (self.counts.model, *values))

    def _rows(self) -> Table:
        columns = (
            MODEL,
            THRESHOLD,
            *(Column(name, "count", spare=name == "tn") for name in COUNTED),
            *(Column(name, "share", spare=True) for name in ("tpr", "fpr")),
            Column("diff", "number"),
            *(Column(name, "number", self.test.no_interval) for name in ("lower", "upper")),
            Column("z", "number", self.test.no_z, spare=True),
            Column("p", "p", self.test.no_p),
            Column("confident", "flag"),
            Column("equivalent", "flag", NO_MARGIN if self.margin is None else ""),
            *(COST_COLUMNS if self.least_cost else ()),
        )
        return Table("rows", columns, (Block(len(self.curve), self._values, self._rows_to_keep()),))

    def _values(self, key: str, rows: Rows) -> Values:
        """Return a column at some rows."""
        if key == "equivalent" or (key == "confident" and self.test.is_one_run):
            return self._is_in(getattr(self, key), rows)
        return CurveRows(self.counts.model, self.curve, self._of_matrix).values(key, rows)

    def _of_matrix(self, key: str, m: Confusion) -> Values:
        if self.least_cost is not None and key in COST_KEYS:
            return self.least_cost.costs.values(key, m, level=self.level, sizes=getattr(self.test, "sizes", None))
        if key in ("lower", "upper"):
            return np.asarray(getattr(self.test.limits(m, self.level), key))
        if key == "confident":
            return ~self.test.differs(m, self.level)
        if key == "z":
            return self.test.z(m)
        return self.test.p(m, of=len(self.curve)) if key == "p" else matrix_values(key, m)

    def _is_in(self, run: range | None, rows: Rows) -> Values:
        at = np.arange(*rows.indices(len(self.curve))) if isinstance(rows, slice) else rows
        return np.full(len(at), None, dtype=object) if run is None else (at >= run.start) & (at < run.stop)

    def _rows_to_keep(self) -> Any:
        """Return the ends of the confident and of the equivalent rows, and the row in which the errors differ least."""
        ends = [row for run in (self.confident, self.equivalent) if run for row in (run[0], run[-1])]

        def excess(row: int) -> int:
            return int(self.curve.tp[row]) + int(self.curve.fp[row]) - self.counts.p

        rows = range(len(self.curve))
        turn = bisect_left(rows, 0, key=excess)  # of false alarms over misses, which rises
        most_balanced = min(rows[max(turn - 1, 0) : turn + 1], key=lambda row: abs(excess(row)))
        return np.unique(np.array([*ends, most_balanced], dtype=np.intp))

    def _models(self) -> Table:
        equivalent, ends, least = self.equivalent, self.ends(self.equivalent), self.least_cost
        cells = (
            (Column("test", "text"), self.test.name),
            (Column("margin", "share", NO_MARGIN), self.margin),
            (Column("thresholds", "count"), len(self.curve)),
            *zip(RUN_COLUMNS, (len(self.segment), *self.ends(self.confident)), strict=True),
            *zip(segment_columns(with_limits=self.bootstrap is not None), self._measured(), strict=True),
            (Column("equivalent_points", "count", NO_MARGIN), None if equivalent is None else len(equivalent)),
            (Column("equivalent_threshold_low", "score", NO_EQUIVALENT), ends[0]),
            (Column("equivalent_threshold_high", "score", NO_EQUIVALENT), ends[1]),
        )
        columns = (*summary_columns(self.counts), *(column for column, _ in cells), *(LEAST_COLUMNS if least else ()))
        record = summary_of(self.counts, self.auc) | {column.name: value for column, value in cells}
        return Table.of("models", columns, [record | (least.record() if least else {})])

    def _measured(self) -> Iterator[float | None]:
        """Yield each measure, followed by its limits where they were drawn."""
        for name in MEASURES:
            yield (value := getattr(self.segment, name))
            if self.bootstrap:
                drawn = self.bootstrap.draws[name]
                yield from (UNKNOWN if value is None else drawn.limits(1 - self.level)).ends

    def drawn(self, name: str) -> Draws | None:
        """Return a measure with its replicates: those of the result, or some drawn for a rule; None without a value."""
        value = getattr(self.segment, name)
        if value is None:
            return None
        return replace((self.bootstrap or self.bootstrapped(REPLICATES, SEED)).draws[name], value=value)

    def bootstrapped(self, replicates: int, seed: int, progress: Progress | None = None) -> SegmentBootstrap:
        """Return the bootstrap intervals of all measures."""
        gauge = SegmentGauge(self.test, self.level, fixed_thresholds=self.thresholds != "distinct")
        return segment_bootstrap(self.curve, gauge, replicates=replicates, seed=seed, progress=progress)

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
        How the interval of the AUC is computed: `robust` or `delong` (docs/intervals.md).
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
    require_counts(counts)
    costs, chosen, roc = parse_costs(cost), paired_test(test), curve(counts, thresholds)
    if prevalence is not None:
        require_independent(counts, "clusters-restated")
    if counts.clusters is not None:
        chosen = clustered_test(chosen, counts, counts.clusters)
    result = ConfidentSegment(
        counts=counts,
        curve=roc,
        auc=auc(counts, level=level, interval=interval),
        test=chosen,
        segment=confident_segment(roc, chosen, level=level),
        level=level,
        thresholds=thresholds,
        margin=margin,
        equivalent=None if margin is None else equivalent_rows(roc, chosen, margin, level=level),
        restated=None if prevalence is None else restated_segment(roc, chosen, prevalence, level=level),
        least_cost=None if costs is None else least_cost(counts, costs),
    )
    return replace(result, bootstrap=result.bootstrapped(bootstrap, seed, progress)) if bootstrap else result
