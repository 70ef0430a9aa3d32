"""The result of a comparison: several models side by side, and every difference of two with its test."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.compute.compare.against_report import about_baseline
from rocconf.compute.compare.model import ROWS, ComparedModel, models_columns
from rocconf.compute.compare.paired_bootstrap import BOOTSTRAP
from rocconf.compute.compare.pairs import (
    OF_CURVES,
    OF_POINTS,
    PairedResult,
    PairOptions,
    direction_caveats,
    pairs_of_slices,
    pairs_table,
    slice_pairs_answers,
    slice_pairs_table,
)
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.clustered import SIZES
from rocconf.compute.roc.costs import COST, NET_BENEFIT
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.slice_results import options_of, slice_caveats, slice_points_table, slices_table, with_names
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.seeds import least_replicates
from rocconf.compute.tango import MEASURES
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.metric import Metric, count_metric, score_metric
from rocconf.table import Column, Table, stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.compute.compare.bands import Band
    from rocconf.compute.compare.compare_pairs import Cases, Differences
    from rocconf.compute.compare.pairs import Pair
    from rocconf.compute.roc.slice_results import Slice
    from rocconf.compute.sweep import Sweep
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts, Source
    from rocconf.saved import Reported

BANDS = (
    MODEL,
    Column("kind", "text"),
    Column("level", "share"),
    Column("fpr", "share"),
    Column("tpr", "share"),
    Column("lower", "share"),
    Column("upper", "share"),
)


MOST_TOLD = 2
"""The models up to which each has its own sentences."""


@dataclass(frozen=True, slots=True)
class ComparisonOptions(PairOptions):
    """The options of a comparison, as the output has them."""

    at: tuple[str, ...]
    thresholds: str
    max_fpr: float | None
    cost: str | None
    calibration: bool
    bootstrap: int
    seed: int
    band: str | None
    cluster: str | None = None
    """The column of clusters, None of independent cases."""
    fold: str | None = None
    """The column of the folds of a cross-validation."""


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(PairedResult):
    """Several models side by side, and in pairs."""

    command: ClassVar[str] = "compare"
    table_names: ClassVar[tuple[str, ...]] = (
        *("rows", "models", "pairs", "operating_points", "bands", SIZES),
        *("slices", "slice_points", "slice_pairs"),
    )
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "models": ("model", "auc", "auc_lower", "average_precision", "partial_auc"),
        "pairs": (
            *("model", "metric", "at", "difference", "difference_lower", "p_adjusted", "non_inferior", "equivalent"),
            "baseline",
        ),
        "slice_pairs": ("by", "slice", "model", "difference", "difference_lower", "p_adjusted", "non_inferior"),
    }
    summaries: ClassVar[tuple[str, ...]] = ("models", "pairs")
    may_choose_on: ClassVar[bool] = True
    has_slices: ClassVar[bool] = True
    metrics: ClassVar[tuple[Metric, ...]] = (
        *AREAS.values(),
        *CALIBRATION.values(),
        CV_AUC,
        *MEASURES.values(),
        *(
            count_metric("confident_points", depends_on_level=True),
            score_metric("threshold_low", depends_on_level=True),
            score_metric("threshold_high", depends_on_level=True),
        ),
        *(metric.difference for metric in OF_CURVES if metric.has_difference),
    )
    point_metrics: ClassVar[tuple[Metric, ...]] = (
        COST,
        NET_BENEFIT,
        *(metric.difference for metric in OF_POINTS if metric.has_difference),
    )

    cases: Cases
    choose_on: Mapping[str, ScoreCounts]
    models: tuple[ComparedModel, ...]
    which: tuple[tuple[int, int], ...]
    """The indices of each model and its baseline; the index of a report is that after the last model."""
    tests: Differences
    """Finds any difference of two models."""
    pairs: tuple[Pair, ...]
    asked: ComparisonOptions
    bands: tuple[Band | None, ...] = ()
    """The band of each model, None where it is undefined for the curve."""
    no_band: tuple[Message | None, ...] = ()
    """For each model the reason why there is no band, None if there is one."""
    reported: Reported | None = None
    slices: tuple[Slice, ...] = ()
    """The slices of the cases, if they were asked for."""

    def __repr__(self) -> str:
        """Return the models and the baseline."""
        return f"Comparison(models={tuple(model.name for model in self.models)}, baseline={self.asked.baseline!r})"

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return asdict(self.asked) | {"at": list(self.asked.at)} | options_of(self.slices)

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]  # slices only if they were asked for
        """The tables that the formats for people show beside the summary and the rows."""
        of_slices = ("slice_pairs", "slices", "slice_points") * bool(self.slices)
        return ("pairs", *of_slices, "operating_points")

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases, and of the baseline if it is a report."""
        of_models = tuple(source for model in self.models for source in model.sweep.sources)
        return of_models if self.reported is None else (*of_models, self.reported.source)

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of each model."""
        return tuple(model.counts for model in self.models)

    @property
    def sweeps(self) -> tuple[Sweep, ...]:
        """The sweep of each model."""
        return tuple(model.sweep for model in self.models)

    @property
    def about_baseline(self) -> tuple[Message, ...]:
        """What must be known of every difference from a report."""
        return about_baseline(self.model_counts, self.reported) if self.reported else ()

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        of_models = (caveat for model in self.models for caveat in model.caveats())
        return (
            *of_models,
            *direction_caveats([(model.name, model.sweep.auc.interval) for model in self.models]),
            message("max-chi2"),
            *self._about_pairs(),
            *self._about_bands(),
            *slice_caveats(self.slices),
        )

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences: how each model ranks against its baseline, and how many cases there are."""
        found, first = self.answers(), self.model_counts[0]
        if not found:
            return super().conclusions
        of_slices = slice_pairs_answers(self.slices, level=self.asked.level)
        clusters = None if first.clusters is None else len(first.clusters)
        of_cases = self.answer_of_cases(len(found), first.n, first.p, clusters)
        return (*found, *of_slices, *self._about_cost(), *of_cases)

    def about_screen(self, name: str) -> tuple[Message, ...]:
        """Return what a screen says under a table."""
        return (message("screen-slice-pairs"),) if name == "slice_pairs" else ()

    def _about_cost(self) -> Iterator[Message]:
        """Yield the cheapest threshold and the calibration of few models, as far as they were asked for."""
        for model in self.models if len(self.models) <= MOST_TOLD else ():
            if model.sweep.least_cost is not None:
                yield model.sweep.least_cost.conclusion
            if model.sweep.calibration is not None:
                yield model.sweep.calibration.conclusion(model.name, self.asked.level)

    def on_screen(self, name: str) -> Table:
        """Return a table; of the pairs those that are neither of the AUC nor of a measure of the papers."""
        if name == "slice_pairs":
            table = self.table(name)
            rows = [row for row in table.records() if row["metric"] == AUC.name]
            rows.sort(key=lambda row: (row["difference"] is None, row["difference"] or 0.0))
            return with_names(table, rows)
        if name == "pairs":
            return self._pairs_table([pair for pair in self.pairs if pair.metric not in (AUC.name, *MEASURES)])
        return self.table(name)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summaries (`models`), the pairs, the operating points, the bands or the slices."""
        if name == "pairs":
            return self._pairs_table(self.pairs)
        if name in ("operating_points", SIZES):
            return stack(model.sweep.table(name) for model in self.models)
        if name == "bands":
            bands = zip(self.models, self.bands, strict=bool(self.bands))
            return Table.of(name, BANDS, [row for model, band in bands if band for row in band.records(model.name)])
        if name.startswith("slice"):
            return self._table_of_slices(name)
        columns = ROWS if name == "rows" else models_columns(self.models)
        return Table.of(name, columns, [model.record() for model in self.models])

    def _pairs_table(self, pairs: Sequence[Pair]) -> Table:
        return pairs_table(pairs, self.asked.limit, clustered=self.asked.cluster is not None)

    def _table_of_slices(self, name: str) -> Table:
        """Return the slices of each model, their operating points, or the pairs of each slice."""
        if name == "slice_pairs":
            return slice_pairs_table(self.slices, self.asked.limit)
        if name == "slice_points":
            return slice_points_table(
                self.slices, [(model.name, model.sweep.points, model.sweep.rates) for model in self.models]
            )
        return slices_table(self.slices, [(model.name, AUC.name) for model in self.models], self.table("models"))

    def _about_pairs(self) -> Iterator[Message]:
        yield from self.about_baseline
        if self.reported is not None and self.reported.auc < 0.5:
            remedy = message("set-lower-is-positive")
            yield message("auc-below-half", model=self.reported.model, auc=self.reported.auc, remedy=remedy)
        yield from self.about_itself()
        if not all(pair.paired for pair in self.pairs):
            yield message("unpaired")
        for each, pair in pairs_of_slices(self.slices):
            if pair.difference and pair.difference.is_from_itself:
                names = {"model": pair.model, "baseline": pair.baseline}
                yield message("itself-in-slice", **names, by=each.by, slice=each.name)
        yield from self.about_variances()
        yield from self._about_bootstrap()

    def _about_bootstrap(self) -> Iterator[Message]:
        asked, least = self.asked, least_replicates(self.asked.level)
        drawn = [pair for pair in self.pairs if pair.difference and pair.difference.test == BOOTSTRAP]
        if not drawn:
            return
        least_p = min(2 / (asked.bootstrap + 1), 1)
        yield message("bootstrap-pairs", replicates=asked.bootstrap, seed=asked.seed, least=least_p)
        if asked.bootstrap < least:
            yield message("few-replicates", level=asked.level, least=least)
            return
        for pair in drawn:
            if pair.difference and None in pair.difference.interval.ends:
                yield message("no-limit", model=pair.model, baseline=pair.baseline, metric=pair.metric)

    def _about_bands(self) -> Iterator[Message]:
        if self.bands:
            yield message("bands")
        for model, why in zip(self.models, self.no_band, strict=bool(self.no_band)):
            if why:
                yield message("no-band", model=model.name, band=self.asked.band, why=why)
