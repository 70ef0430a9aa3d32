"""Each class against the rest by its own scores, and the averages over the classes, of one model or several."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.compute.classes.class_pairs import AVERAGES, class_pairs, design_of
from rocconf.compute.classes.units import CLASS_PAIRS, MODELS, ROWS, ClassArea, ModelClasses, unit_names
from rocconf.compute.compare import (
    Pair,
    PairedResult,
    PairOptions,
    adjusted,
    pairs_of,
    pairs_table,
    slice_pairs_answers,
    slice_pairs_table,
)
from rocconf.compute.roc.auc import auc, require_interval_kind
from rocconf.compute.roc.counts import count, count_each
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.roc.slice_results import options_of, slice_caveats, slice_conclusions, slices_table, with_names
from rocconf.compute.roc.summary import model_caveats
from rocconf.compute.stats.design import APART, designs_alike, shared
from rocconf.compute.stats.estimate import measured
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.normal import require_level
from rocconf.dataclass import dataclass
from rocconf.errors import TooFewCasesError, UsageError
from rocconf.messages import message
from rocconf.naming import ONE_VS_REST
from rocconf.records import ROBUST, ClassPredictions
from rocconf.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.compute.classes.class_pairs import ClassPairs
    from rocconf.compute.roc.slice_results import Slice
    from rocconf.compute.stats.design import Design
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import IntervalKind, ScoreCounts, Source

MAIN = "macro_auc"
"""The average that the answer begins with."""


@dataclass(frozen=True, slots=True)
class Asked(PairOptions):
    """The options of the analysis."""

    classes: tuple[str, ...]
    cluster: str | None
    """The column of clusters, None of independent cases."""


@dataclass(frozen=True, slots=True, repr=False)
class OneVsRest(PairedResult):
    """Each class against the rest, and the averages over the classes; of several models also the differences."""

    command: ClassVar[str] = ONE_VS_REST
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "class_pairs", "pairs", "slices", "slice_pairs")
    shown: ClassVar[tuple[str, ...]] = ("slice_pairs", "slices", "class_pairs", "pairs")
    has_slices: ClassVar[bool] = True
    sweeps: ClassVar[tuple[Any, ...]] = ()
    rows_title: ClassVar[str] = "classes and averages"
    has_points: ClassVar[bool] = False
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "models": ("model", "auc", "auc_lower", "positives", "prevalence"),
        "pairs": ("model", "metric", "difference", "difference_lower", "p_adjusted", "non_inferior", "equivalent"),
        "slices": ("by", "slice", "model", "metric", "value", "lower", "p_adjusted", "difference", "difference_lower"),
        "slice_pairs": ("by", "slice", "model", "metric", "difference", "difference_lower", "p_adjusted"),
    }
    metrics: ClassVar[tuple[Metric, ...]] = (AUC.difference,)
    average_metrics: ClassVar[tuple[Metric, ...]] = (
        *AVERAGES.values(),
        *(metric.difference for metric in AVERAGES.values()),
    )

    cases: ClassPredictions
    models: tuple[ModelClasses, ...]
    pairs: tuple[Pair, ...]
    asked: Asked
    design: Design
    """The cases of each class, and which belong together."""
    slices: tuple[Slice, ...] = ()
    """The slices of the cases, if they were asked for."""

    def __repr__(self) -> str:
        return f"OneVsRest(models={tuple(model.name for model in self.models)}, classes={self.asked.classes})"

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        options = asdict(self.asked)
        del options["all_pairs"]
        return {"classes": list(options.pop("classes"))} | options | options_of(self.slices)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases."""
        return self.cases.sources

    @property
    def units(self) -> tuple[ClassArea, ...]:
        """The classes of all models."""
        return tuple(each for model in self.models for each in model.classes)

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of every class that has cases."""
        return tuple(each.counts for each in self.units if each.counts is not None)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.sources for caveat in source.caveats]
        for each in self.units:
            if each.counts is not None and each.area is not None:
                found += model_caveats(each.counts, each.area)
        return tuple(dict.fromkeys([*found, *self._about_sizes(), *self.about_itself(), *slice_caveats(self.slices)]))

    def _about_sizes(self) -> Iterator[Message]:
        for each in self.models[0].classes:
            if each.counts is None:
                yield message("class-without-cases", name=each.of)
            elif each.counts.p == 1:
                yield message("class-of-one-case", name=each.of)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Message]:
        yield from self.answers(MAIN, "macro AUC")
        common: dict[str, Any] = {"kind": self.asked.interval, "level": wording.level(self.asked.level)}
        common |= {"cases": f"{len(self.cases):,}", "classes": len(self.asked.classes)}
        for model in self.models:
            texts = {}
            for name in (MAIN, "hand_till"):
                found = model.averages[name]
                limits = f" {wording.interval(*found.interval.ends)}" if found else ""
                texts[name] = f"{wording.rate(found.value if found else None)}{limits}"
            yield message("answer-classes", model=model.name, macro=texts[MAIN], till=texts["hand_till"], **common)
        if self.pairs:
            yield from slice_pairs_answers(self.slices, level=self.asked.level, metric=MAIN)
        else:
            yield from slice_conclusions(self.slices, self.models[0].name, level=self.asked.level, metric=MAIN)

    def title(self, name: str) -> str:
        """Return the title of a table in the formats for people."""
        if name == "pairs":
            return f"pairs: each model less {self.asked.baseline}"
        return "classes" if name == "models" else super().title(name)

    def on_screen(self, name: str) -> Table:
        """Return a table; the classes of several models leave their room to the pairs."""
        if name == "models" and self.pairs:
            return Table.of(name, MODELS, [])
        table = self.table(name)
        if not name.startswith("slice"):
            return table
        return with_names(table, [row for row in table.records() if row["metric"] in (AUC.name, MAIN)])

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary of each class (`models`), the pairs of classes or of models."""
        level, kind = self.asked.level, self.asked.interval
        if name == "pairs":
            return pairs_table(self.pairs, self.asked.limit)
        if name == "slice_pairs":
            return slice_pairs_table(self.slices, self.asked.limit)
        if name == "slices":
            units = [(each.name, AUC.name) for each in self.units]
            units += [(model.name, metric) for model in self.models for metric in AVERAGES]
            return slices_table(self.slices, units, self.table())
        if name == "class_pairs":
            return Table.of(
                name, CLASS_PAIRS, [row for model in self.models for row in model.pairs(self.asked.classes)]
            )
        if name == "models":
            return Table.of(name, MODELS, [each.summary(level, kind) for each in self.units])
        rows = [each.row(level, kind) for each in self.units]
        rows += [row for model in self.models for row in model.rows(level, kind)]
        return Table.of(name, ROWS, rows)


def one_vs_rest(
    cases: ClassPredictions,
    *,
    baseline: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
) -> OneVsRest:
    """Return each class against the rest, the averages over the classes, and the differences of several models.

    Parameters
    ----------
    cases
        Cases of several classes, with a score for each class and model.
    baseline
        The model that the others are compared with; by default the first.
    margin
        How much worse is still good enough: tests for non-inferiority.
    level
        The level of every interval.
    interval
        How intervals are computed: `robust` or `delong` (see `rocconf.compute.stats.estimate`).

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_classes("sample_data/wine.csv", label="cultivar", score="tree")
    >>> rocconf.one_vs_rest(cases).to_frame()["class"].tolist()[:3]
    ['class_0', 'class_1', 'class_2']
    """
    if not isinstance(cases, ClassPredictions):
        raise UsageError("needs-class-predictions", found=type(cases).__name__)
    require_level(level)
    require_interval_kind(interval)
    if np.count_nonzero(cases.sizes) < 2:
        where = " + ".join(source.name for source in cases.sources) or ", ".join(cases.models)
        raise TooFewCasesError(where, [message("one-class-of-several", n=len(cases), classes=len(cases.classes))])
    if len(cases.models) == 1 and not (baseline is None and margin is None):
        raise UsageError("one-model-of-classes", option="margin" if baseline is None else "baseline")
    which = pairs_of(cases.models, baseline, all_pairs=False) if len(cases.models) > 1 else []
    if margin is not None:
        Margin(margin)
    asked = Asked(
        level=level,
        interval=interval,
        baseline=cases.models[which[0][1]] if which else None,
        baseline_named=baseline is not None,
        all_pairs=False,
        margin=margin,
        lower_is_positive=cases.lower_is_positive,
        paired=True,
        classes=cases.classes,
        cluster=None if cases.clusters is None else cases.clusters.column,
    )
    names, design = unit_names(cases.models, cases.classes), design_of(cases)
    pairs = [class_pairs(cases, model, design, interval) for model in cases.models]
    models = tuple(
        ModelClasses(
            model,
            len(cases),
            min(cases.sizes),
            tuple(_class_area(cases, model, place, name, asked) for place, name in enumerate(names[model])),
            of_model.areas,
            {name: measured(of_model.average(name), level) for name in AVERAGES},
        )
        for model, of_model in zip(cases.models, pairs, strict=True)
    )
    differences = _differences(cases, models, pairs, asked) if which else ()
    return OneVsRest(cases, models, adjusted(differences), asked, design)


def _class_area(cases: ClassPredictions, model: str, place: int, name: str, asked: Asked) -> ClassArea:
    who = (name, model, cases.classes[place], len(cases))
    if not (cases.labels == place).any():
        return ClassArea(*who, None, None)
    counts = _counts(cases, model, place, name)
    return ClassArea(*who, counts, auc(counts, level=asked.level, interval=asked.interval))


def class_counts(cases: ClassPredictions) -> dict[str, ScoreCounts]:
    """Return the counts of each class of each model against the rest, by the name of both."""
    return {
        name: _counts(cases, model, place, name)
        for model, names in unit_names(cases.models, cases.classes).items()
        for place, name in enumerate(names)
    }


def _counts(cases: ClassPredictions, model: str, place: int, name: str) -> ScoreCounts:
    return replace(count(cases.against_rest(place), model), model=name, sources=())


def _differences(
    cases: ClassPredictions, models: Sequence[ModelClasses], pairs: Sequence[ClassPairs], asked: Asked
) -> Iterator[Pair]:
    """Yield how each class, and then each average, of the models differs from that of the baseline."""
    against = [_against_rest(cases, place, asked) for place in range(len(asked.classes))]
    for model, base in pairs_of(cases.models, asked.baseline, all_pairs=False):
        first, second = models[model], models[base]
        scores = list(zip(cases.scores[first.name].T, cases.scores[second.name].T, strict=True))
        are_same = [np.array_equal(*each) for each in scores]
        for place, observed in enumerate(against):
            found = None if observed is None else AUC.paired(observed.pair(model, base))
            difference = measured(found, asked.level, is_from_itself=are_same[place])
            yield Pair(first.classes[place].name, second.classes[place].name, AUC.name, None, difference, paired=True)
        is_of_same_order = all(same_order(*each) for each in scores)
        for name in AVERAGES:
            found = pairs[model].difference(pairs[base], name, is_of_same_order=is_of_same_order)
            difference = measured(found, asked.level, is_from_itself=all(are_same))
            yield Pair(first.name, second.name, name, None, difference, paired=True)


def _against_rest(cases: ClassPredictions, place: int, asked: Asked) -> OnSameCases | None:
    against = cases.against_rest(place)
    if not against.labels.any():
        return None
    return OnSameCases(against, tuple(Observed(counts, asked.interval) for counts in count_each(against)))


def averages_apart(result: OneVsRest, cases: ClassPredictions) -> Iterator[tuple[str, str, Estimate | None]]:
    """Yield for each model and average how the cases of a result differ from others, all of which have every class."""
    sets, designs = (result.cases, cases), (result.design, design_of(cases))
    names = [each.clusters.used().names for each in sets if each.clusters is not None]
    units = designs_alike(designs, (names[0], names[1])) if len(names) > 1 else None
    for model in result.models:
        both = [class_pairs(*each, result.asked.interval) for each in zip(sets, [model.name] * 2, designs, strict=True)]
        for name in AVERAGES:
            of_units = zip(units or (), both, strict=units is not None)
            found = [design.contributed(each.influences[name]) for design, each in of_units]
            common = shared(*found) if found else APART
            yield model.name, name, AUC.unpaired(both[0].average(name), both[1].average(name), common)
