"""Analyse all cases and each slice of them, and compare each slice with the rest.

A slice is analysed as its cases alone would be, at the thresholds of the whole: nobody runs a model at another one for
each slice. A slice and the rest are different cases, so they are compared like models on different cases; the clusters
that have cases in both make the two depend on each other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from rocconf.compute.roc.counts import count_each
from rocconf.compute.roc.curve import require_scores, row_at
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import Observed
from rocconf.compute.roc.slice_results import MIN_CASES, RATES, FromRest, Slice, adjusted
from rocconf.compute.stats.estimate import measured
from rocconf.compute.sweep import Sweep, sweep
from rocconf.errors import UsageError
from rocconf.records import CasesOfSlice, ClassPredictions, GroupedCounts, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.compute.classes import OneVsRest
    from rocconf.compute.compare import Comparison
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.records import Flags

    Cases = Predictions | ClassPredictions | GroupedCounts | tuple[Predictions, ...]
    """Cases with the columns that divide them: of one set, or of a set for each model."""
    AnyResult = TypeVar("AnyResult", bound=Result)
    Points = Mapping[str, Sequence[OperatingPoint]]


def cases_of_slices(cases: Cases, by: str | Sequence[str] | None = None) -> Iterator[CasesOfSlice]:
    """Yield the slices of each column, by default of all that the cases are grouped by, those without cases too."""
    if isinstance(cases, GroupedCounts):
        for column in _asked(cases.columns, by):
            yield from cases.slices(column)
        return
    several = cases if isinstance(cases, tuple) else (cases,)
    known = [{each.column: each for each in one.groups} for one in several]
    shared = [column for column in known[0] if all(column in each for each in known)]
    for column in _asked(shared, by):
        groupings = [each[column] for each in known]
        groupings = [each.with_names(name for other in groupings for name in other.names) for each in groupings]
        for place, value in enumerate(groupings[0].names):
            own = [each.places == place for each in groupings]
            yield CasesOfSlice(column, value, _some(cases, own), _some(cases, [~each for each in own]))


def _some(cases: Any, kept: Sequence[Flags]) -> Any:
    if isinstance(cases, tuple):
        return tuple(each.where(own) for each, own in zip(cases, kept, strict=True))
    return cases.where(kept[0])


def _asked(known: Sequence[str], by: str | Sequence[str] | None) -> list[str]:
    """Return the columns of slices, by default all."""
    asked = list(known) if by is None else [by] if isinstance(by, str) else list(by)
    unknown = [column for column in asked if column not in known]
    if unknown or not asked:
        raise UsageError("slices-without-groups", column=", ".join(unknown) or "?", found=", ".join(known) or "none")
    return asked


def counts_of(cases: Any) -> dict[str, ScoreCounts]:
    """Return the counts of each model, or of each class of each model against the rest."""
    if isinstance(cases, ScoreCounts):
        return {cases.model: cases}
    if isinstance(cases, GroupedCounts):
        return {cases.whole.model: cases.whole}
    if isinstance(cases, ClassPredictions):
        from rocconf.compute.classes import class_counts  # a sweep needs no classes

        return class_counts(cases)
    if isinstance(cases, tuple):
        return {model: counts for each in cases for model, counts in counts_of(each).items()}
    return {counts.model: counts for counts in count_each(cases)}


def with_slices(
    cases: Cases,
    analyse: Callable[[Any, Any], AnyResult],
    *,
    by: str | Sequence[str] | None = None,
    min_cases: int = MIN_CASES,
    more: Callable[[AnyResult, Any], Iterator[FromRest]] | None = None,
) -> AnyResult:
    """Return the analysis of all cases with that of each slice.

    `analyse` takes cases and, if these are a slice, the result of all cases; `more` yields further differences of a
    slice, given by its result, from the rest.
    """
    if min_cases < 1:
        raise UsageError("min-cases-range", found=min_cases)
    found = []
    whole: Any = analyse(cases, None)
    points: Points = {each.counts.model: each.points for each in whole.sweeps}
    for part in cases_of_slices(cases, by):
        of_slice, from_rest = analyse(part.own, whole) if all(_sizes(part.own)) else None, list[FromRest]()
        # an analysis has counted its cases
        own = counts_of(part.own) if of_slice is None else {each.model: each for each in of_slice.model_counts}
        if of_slice is not None:
            rest = counts_of(part.rest)
            compared = [name for name in own if min(*_sizes(own[name]), *_sizes(rest[name])) >= min_cases]
            for name in compared:
                from_rest += _from_rest(name, own[name], rest[name], points.get(name, ()), whole.options)
            if more is not None and len(compared) == len(own):
                from_rest += more(of_slice, part.rest)
        counted = {name: tuple(_predicted(own[name], each) for each in of_model) for name, of_model in points.items()}
        sizes = {name: (counts.p, counts.q) for name, counts in own.items()}
        found.append(Slice(part.by, part.value, sizes, min_cases, of_slice, counted, tuple(from_rest)))
    result: AnyResult = replace(whole, slices=adjusted(found))
    return result


def _sizes(cases: Any) -> tuple[int, ...]:
    """Return the number of cases of each class, of several sets one after the other."""
    if isinstance(cases, tuple):
        return tuple(size for each in cases for size in each.sizes)
    return (cases.p, cases.q) if isinstance(cases, ScoreCounts) else cases.sizes


def _predicted(cases: ScoreCounts, point: OperatingPoint) -> tuple[int, int]:
    """Return the true and false positives at a threshold."""
    row = row_at(cases, point.threshold)
    return int(cases.tp[row]), int(cases.fp[row])


def _from_rest(
    name: str, own: ScoreCounts, rest: ScoreCounts, points: Sequence[OperatingPoint], options: Mapping[str, Any]
) -> Iterator[FromRest]:
    """Yield how the area and the rates of a slice differ from those of the rest."""
    one, other = (Observed(each, options["interval"]) for each in (own, rest))
    yield FromRest(name, AUC.name, None, measured(AUC.apart(one, other), options["level"]))
    for rule, point in enumerate(points):
        at = (one, *_predicted(own, point)), (other, *_predicted(rest, point))
        for rate in RATES:
            yield FromRest(name, rate, rule, measured(AT_A_POINT[rate].apart(at), options["level"]))


def sweep_slices(
    predictions: Predictions | GroupedCounts,
    model: str | None = None,
    *,
    by: str | Sequence[str] | None = None,
    min_cases: int = MIN_CASES,
    choose_on: ScoreCounts | None = None,
    **options: Any,
) -> Sweep:
    """Return all thresholds of one model, and those of each slice of its cases.

    Parameters
    ----------
    predictions, model
        The cases, with the columns that divide them (`by` of `read_predictions`), or the counts of each group (`by` of
        `read_counts`); and the model, if there are several.
    by, min_cases
        The columns, by default all; and the least number of cases of each class on which a slice is decided.
    choose_on, **options
        Other cases on which operating points choose their thresholds, and the options of `sweep`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score="new", by="region")
    >>> [each.value for each in rocconf.sweep_slices(cases).slices[:3]]
    ['capital', 'east', 'islands']
    """
    if isinstance(predictions, GroupedCounts):
        if model not in (None, predictions.whole.model):
            raise UsageError("no-model", name=model, found=predictions.whole.model)
        require_scores(predictions.whole, "bins-slices")
    else:
        predictions = predictions.of_model(model)

    def analyse(cases: Any, whole: Sweep | None) -> Sweep:
        (counts,) = counts_of(cases).values()
        if whole is None:
            return sweep(counts, choose_on=choose_on, **options)
        return sweep(counts, choose_on=choose_on or whole.counts, **{**options, "honest": False})

    return with_slices(predictions, analyse, by=by, min_cases=min_cases)


def sweep_folds(
    predictions: Predictions,
    model: str | None = None,
    *,
    fold: str | None = None,
    choose_on: ScoreCounts | None = None,
    **options: Any,
) -> Sweep:
    """Return all thresholds of one model, and the AUC of each fold with their mean.

    Parameters
    ----------
    predictions, model
        The cases, each scored by a model fitted on the other folds; and the model, if there are several.
    fold
        The column (`by` of `read_predictions`); by default the only one that the cases are grouped by.
    choose_on, **options
        Other cases on which operating points choose their thresholds, and the options of `sweep`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score="new", by="fold")
    >>> round(rocconf.sweep_folds(cases).summary()["cv_auc"], 3)
    0.879
    """
    return sweep_with(predictions.with_folds(fold), model, choose_on=choose_on, **options)


def sweep_with(
    cases: ScoreCounts | Predictions | GroupedCounts,
    model: str | None = None,
    *,
    by: Sequence[str] = (),
    fold: str | None = None,
    min_cases: int = MIN_CASES,
    choose_on: ScoreCounts | None = None,
    **options: Any,
) -> Sweep:
    """Return all thresholds of one model, with slices and folds as far as columns of these are named."""
    if fold is not None and isinstance(cases, Predictions):
        cases = cases.with_folds(fold)
    if by and not isinstance(cases, ScoreCounts):
        return sweep_slices(cases, model, by=by, min_cases=min_cases, choose_on=choose_on, **options)
    (counts,) = counts_of(cases.of_model(model) if isinstance(cases, Predictions) else cases).values()
    return sweep(counts, choose_on=choose_on, **options)


def compare_cases(cases: Any, **options: Any) -> Comparison:
    """Compare models on the same cases, or the models of a tuple on different ones."""
    from rocconf.compute.compare import compare  # a sweep compares nothing

    return compare(cases if isinstance(cases, Predictions) else tuple(counts_of(cases).values()), **options)


def compare_slices(
    predictions: Predictions | Sequence[Predictions],
    *,
    by: str | Sequence[str] | None = None,
    min_cases: int = MIN_CASES,
    choose_on: Mapping[str, ScoreCounts] | None = None,
    **options: Any,
) -> Comparison:
    """Compare models, and on each slice of their cases.

    Parameters
    ----------
    predictions
        The models on the same cases, with the columns that divide these (`by` of `read_predictions`), or several of
        these on different cases.
    by, min_cases
        The columns, by default all; and the least number of cases of each class on which a slice is decided.
    choose_on, **options
        For each model the counts of other cases on which operating points choose its thresholds, and the options of
        `compare`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score=["old", "new"], by="region")
    >>> result = rocconf.compare_slices(cases, baseline="old")
    >>> result.to_frame("slice_pairs")["metric"].unique().tolist()
    ['auc']
    """
    if options.get("reported") is not None:  # its model has no slices
        raise UsageError("slices-with", option="reported")

    def analyse(cases: Any, whole: Comparison | None) -> Comparison:
        if whole is None:
            return compare_cases(cases, choose_on=choose_on, **options)
        wholes = {each.model: each for each in whole.model_counts}
        return compare_cases(cases, choose_on=choose_on or wholes, **{**options, "band": None})

    cases = predictions if isinstance(predictions, Predictions) else tuple(predictions)
    return with_slices(cases, analyse, by=by, min_cases=min_cases)


def one_vs_rest_slices(
    cases: ClassPredictions, *, by: str | Sequence[str] | None = None, min_cases: int = MIN_CASES, **options: Any
) -> OneVsRest:
    """Return each class against the rest and the averages over the classes, and those of each slice of the cases.

    Parameters
    ----------
    cases
        Cases of several classes, with the columns that divide them (`by` of `read_classes`).
    by, min_cases
        The columns, by default all; and the least number of cases of each class on which a slice is decided.
    **options
        The options of `one_vs_rest`.

    Examples
    --------
    >>> import rocconf
    >>> wines = rocconf.read_classes("sample_data/wine.csv", label="cultivar", score="tree")
    >>> halves = rocconf.Grouping.of("half", [case % 2 for case in range(len(wines))])
    >>> cases = rocconf.ClassPredictions(wines.classes, wines.labels, wines.scores, groups=(halves,))
    >>> [each.value for each in rocconf.one_vs_rest_slices(cases).slices]
    ['0', '1']
    """
    from rocconf.compute.classes import averages_apart, one_vs_rest

    def more(of_slice: OneVsRest, rest: ClassPredictions) -> Iterator[FromRest]:
        for model, metric, found in averages_apart(of_slice, rest):
            yield FromRest(model, metric, None, measured(found, of_slice.asked.level))

    return with_slices(cases, lambda some, _: one_vs_rest(some, **options), by=by, min_cases=min_cases, more=more)
