"""Each class against the rest by its own scores, and the averages over the classes, of one model or several."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.classes.class_pairs import AVERAGES, averages_of, class_pairs, class_weights, pair_weights
from rocconf.compute.classes.units import MODELS, ROWS, ClassArea, ModelClasses, unit_names
from rocconf.compute.compare import (
    Pair,
    adjusted,
    in_words,
    pairs_of,
    pairs_table,
    slice_pairs_answers,
    slice_pairs_table,
)
from rocconf.compute.roc.auc import auc, require_interval_kind
from rocconf.compute.roc.counts import count, count_each
from rocconf.compute.roc.influence import AUC, difference_of_areas
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.roc.slices import (
    columns_of,
    options_of,
    slice_caveats,
    slice_conclusions,
    slices_table,
    with_names,
)
from rocconf.compute.roc.summary import MODEL, model_caveats
from rocconf.compute.stats.design import APART, FLOOR, Design, designs_alike, shared
from rocconf.compute.stats.estimate import Area, Measured, Skewed, Sums, measured
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.normal import require_level
from rocconf.dataclass import dataclass
from rocconf.errors import TooFewCasesError, UsageError
from rocconf.messages import message
from rocconf.naming import ONE_VS_REST
from rocconf.records import ROBUST, ClassPredictions
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.compute.classes.class_pairs import ClassPairs
    from rocconf.compute.roc.slices import Slice
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import Floats, IntervalKind, ScoreCounts, Source

MAIN = "macro_auc"
"""The average that the answer begins with."""

NO_AREA = "a class has no cases"
CLASS_PAIRS = (
    MODEL,
    Column("class", "text"),
    Column("other", "text"),
    Column("auc_of_class", "share", NO_AREA),
    Column("auc_of_other", "share", NO_AREA),
    Column("auc", "share", NO_AREA),
)
"""The columns of the pairs of classes: each against the other by its own score, and the mean of the two."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the analysis."""

    classes: tuple[str, ...]
    level: float
    interval: IntervalKind
    baseline: str | None
    baseline_named: bool
    margin: float | None
    lower_is_positive: bool
    paired: bool = True
    cluster: str | None = None
    """The column of clusters, None of independent cases."""


@dataclass(frozen=True, slots=True, repr=False)
class OneVsRest(Result):
    """Each class against the rest, and the averages over the classes; of several models also the differences."""

    command: ClassVar[str] = ONE_VS_REST
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "class_pairs", "pairs", "slices", "slice_pairs")
    shown: ClassVar[tuple[str, ...]] = ("slice_pairs", "slices", "class_pairs", "pairs")
    has_slices: ClassVar[bool] = True
    sweeps: ClassVar[tuple[Any, ...]] = ()
    rows_title: ClassVar[str] = "classes and averages"
    rows_are_thresholds: ClassVar[bool] = False
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
        return asdict(self.asked) | {"classes": list(self.asked.classes)} | options_of(self.slices)

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
    def margin(self) -> Margin | None:
        """The margin of non-inferiority and equivalence."""
        return None if self.asked.margin is None else Margin(self.asked.margin)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.sources for caveat in source.caveats]
        for each in self.units:
            if each.counts is not None and each.area is not None:
                found += model_caveats(each.counts, each.area)
        return tuple(dict.fromkeys([*found, *self._about_sizes(), *self._about_pairs(), *slice_caveats(self.slices)]))

    def _about_sizes(self) -> Iterator[Message]:
        for each in self.models[0].classes:
            if each.counts is None:
                yield message("class-without-cases", name=each.of)
            elif each.counts.p == 1:
                yield message("class-of-one-case", name=each.of)

    def _about_pairs(self) -> Iterator[Message]:
        for pair in self.pairs:
            if pair.difference and pair.difference.is_from_itself:
                decides = message("itself-decides-nothing")
                yield message("compared-with-itself", model=pair.model, baseline=pair.baseline, decides=decides)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Message]:
        several = len(self.models) > 2
        for pair in self.pairs:
            if pair.metric == MAIN and pair.difference is not None:
                yield in_words(pair, self.margin, level=self.asked.level, several=several, what="macro AUC")
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

    def keys_on_screen(self, name: str) -> tuple[str, ...]:
        """Return the keys of a table for a screen, without the column of slices if there is only one."""
        keys = self.screen.get(name, ())
        return keys[1:] if name.startswith("slice") and len(columns_of(self.slices)) == 1 else keys

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary of each class (`models`), the pairs of classes or of models."""
        level, kind = self.asked.level, self.asked.interval
        if name == "pairs":
            return pairs_table(self.pairs, self.margin)
        if name == "slice_pairs":
            return slice_pairs_table(self.slices, self.margin)
        if name == "slices":
            units = [(each.name, AUC.name) for each in self.units]
            units += [(model.name, metric) for model in self.models for metric in AVERAGES]
            return slices_table(self.slices, units, self.table())
        if name == "class_pairs":
            return Table.of(name, CLASS_PAIRS, list(self._class_pairs()))
        if name == "models":
            return Table.of(name, MODELS, [each.summary(level, kind) for each in self.units])
        rows = [each.row(level, kind) for each in self.units]
        rows += [row for model in self.models for row in model.rows(level, kind)]
        return Table.of(name, ROWS, rows)

    def _class_pairs(self) -> Iterator[dict[str, Any]]:
        classes = self.asked.classes
        for model in self.models:
            for own, of_class in enumerate(classes):
                for other in range(own + 1, len(classes)):
                    areas = model.areas[own][other], model.areas[other][own]
                    yield {
                        "model": model.name,
                        "class": of_class,
                        "other": classes[other],
                        "auc_of_class": areas[0],
                        "auc_of_other": areas[1],
                        "auc": None if areas[0] is None or areas[1] is None else (areas[0] + areas[1]) / 2,
                    }


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
    sizes = np.bincount(cases.labels, minlength=len(cases.classes))
    if np.count_nonzero(sizes) < 2:
        where = " + ".join(source.name for source in cases.sources) or ", ".join(cases.models)
        raise TooFewCasesError(where, [message("one-class-of-several", n=len(cases), classes=len(sizes))])
    named = baseline is not None
    if len(cases.models) == 1:
        if baseline is not None or margin is not None:
            raise UsageError("one-model-of-classes", option="baseline" if named else "margin")
    else:
        first = pairs_of(cases.models, baseline, all_pairs=False)[0][1]
        baseline = cases.models[first]
    if margin is not None:
        Margin(margin)
    clusters = None if cases.clusters is None else cases.clusters.column
    asked = Asked(cases.classes, level, interval, baseline, named, margin, cases.lower_is_positive, cluster=clusters)
    return _analysed(cases, asked)


def _analysed(cases: ClassPredictions, asked: Asked) -> OneVsRest:
    sizes = np.bincount(cases.labels, minlength=len(cases.classes)).tolist()
    names = unit_names(cases.models, cases.classes)
    pairs, design = [class_pairs(cases, model) for model in cases.models], _design(cases)
    models = tuple(
        ModelClasses(
            model,
            len(cases),
            min(sizes),
            tuple(_class_area(cases, model, place, names[model][place], asked) for place in range(len(sizes))),
            tuple(tuple(None if np.isnan(area) else area for area in row) for row in of_model.areas.tolist()),
            _averages(of_model, design, asked),
        )
        for model, of_model in zip(cases.models, pairs, strict=True)
    )
    return OneVsRest(cases, models, adjusted(_differences(cases, models, pairs, design, asked)), asked, design)


def _design(cases: ClassPredictions) -> Design:
    """Return the design of the cases, a stratum a class."""
    if cases.clusters is None:
        return Design(cases.labels, len(cases.classes))
    used = cases.clusters.used()
    return Design(cases.labels, len(cases.classes), unit=used.places, units=len(used.names))


def class_counts(cases: ClassPredictions) -> dict[str, ScoreCounts]:
    """Return the counts of each class of each model against the rest, by the name of both."""
    names = unit_names(cases.models, cases.classes)
    units = [(model, place, name) for model in cases.models for place, name in enumerate(names[model])]
    return {name: _counts(cases, model, place, name) for model, place, name in units}


def _counts(cases: ClassPredictions, model: str, place: int, name: str) -> ScoreCounts:
    return replace(count(cases.against_rest(place), model), model=name, sources=())


def averages_apart(result: OneVsRest, cases: ClassPredictions) -> Iterator[tuple[str, str, Estimate | None]]:
    """Yield for each model and average how the cases of a result differ from others, all of which have every class."""
    sets, designs = (result.cases, cases), (result.design, _design(cases))
    names = [each.clusters.used().names for each in sets if each.clusters is not None]
    alike = designs_alike(designs, (names[0], names[1])) if len(names) > 1 else None
    for model in result.models:
        pairs = [class_pairs(each, model.name) for each in sets]
        values = [averages_of(each.areas, design.cases) for each, design in zip(pairs, designs, strict=True)]
        for name in AVERAGES:
            influences = [each.influences[name] for each in pairs]
            first, second = (
                _average(of[name] or 0.0, influence, name, design, result.asked.interval)
                for of, influence, design in zip(values, influences, designs, strict=True)
            )
            common = APART
            if alike is not None:
                renumbered = zip(alike, influences, strict=True)
                common = shared(*(design.contributed(influence) for design, influence in renumbered))
            yield model.name, name, AUC.unpaired(first, second, common)


def _class_area(cases: ClassPredictions, model: str, place: int, name: str, asked: Asked) -> ClassArea:
    who = (name, model, cases.classes[place], len(cases))
    if not (cases.labels == place).any():
        return ClassArea(*who, None, None)
    counts = _counts(cases, model, place, name)
    return ClassArea(*who, counts, auc(counts, level=asked.level, interval=asked.interval))


def _average(value: float, influence: Floats, name: str, design: Design, kind: IntervalKind) -> Area:
    """Return an average over classes: all areas of pairs are areas of strata, a class each."""
    return Area(value, design.sums(influence), design.fewest(_factors(name, design)), kind=kind)


def _factors(name: str, design: Design) -> tuple[float, ...]:
    """Return what the cases of each class count in an average."""
    return class_weights(pair_weights(design.cases)[name])


def _averages(pairs: ClassPairs, design: Design, asked: Asked) -> dict[str, Measured | None]:
    values = averages_of(pairs.areas, design.cases)
    return {
        name: None
        if value is None
        else Measured(_average(value, pairs.influences[name], name, design, asked.interval), asked.level)
        for name, value in values.items()
    }


def _differences(
    cases: ClassPredictions, models: tuple[ModelClasses, ...], pairs: list[ClassPairs], design: Design, asked: Asked
) -> Iterator[Pair]:
    if asked.baseline is None:
        return
    against = [_against_rest(cases, place, asked) for place in range(len(asked.classes))]
    for model, base in pairs_of(cases.models, asked.baseline, all_pairs=False):
        first, second = models[model], models[base]
        same_scores, same_orders = [], []
        for place, observed in enumerate(against):
            who, difference = (first.classes[place].name, second.classes[place].name), None
            new, old = (cases.scores[each.name][:, place] for each in (first, second))
            same_scores.append(np.array_equal(new, old))
            same_orders.append(same_order(new, old))
            if observed is not None:
                found = AUC.paired(observed.pair(model, base))
                difference = measured(found, asked.level, is_from_itself=same_scores[-1])
            yield Pair(*who, AUC.name, None, difference, paired=True)
        for name in AVERAGES:
            one, other = first.averages[name], second.averages[name]
            if one is None or other is None:
                yield Pair(first.name, second.name, name, None, None, paired=True)
                continue
            estimate: Estimate = Skewed(0.0, Sums.unknown(), 0.0, kind=asked.interval, test=asked.interval)
            if not all(same_orders):
                estimate = difference_of_areas(
                    one.value - other.value,
                    design.sums(pairs[model].influences[name] - pairs[base].influences[name]),
                    design.pseudo([FLOOR * factor for factor in _factors(name, design)]),
                    asked.interval,
                    partial(_estimates, one, other),
                )
            difference = Measured(estimate, asked.level, all(same_scores))
            yield Pair(first.name, second.name, name, None, difference, paired=True)


def _estimates(*areas: Measured) -> list[Any]:
    return [area.estimate for area in areas]


def _against_rest(cases: ClassPredictions, place: int, asked: Asked) -> OnSameCases | None:
    against = cases.against_rest(place)
    if not against.labels.any():
        return None
    return OnSameCases(against, tuple(Observed(counts, asked.interval) for counts in count_each(against)))
