"""Sweep or compare all cases and each slice of them, and compare each slice with the rest.

A slice is analysed as its cases alone would be, at the thresholds of the whole: nobody runs a model at another one for
each slice. A slice and the rest are different cases, so they are compared like models on different cases: areas by
square-and-add of the two intervals [1]_, rates by corrected score intervals.

References
----------
.. [1] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.compare import compare
from rocconf.compute.roc.counts import count, count_each
from rocconf.compute.roc.curve import require_scores
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import Observed
from rocconf.compute.roc.slices import MIN_CASES, RATES, FromRest, Slice, adjusted
from rocconf.compute.stats.estimate import Measured
from rocconf.compute.sweep import Sweep, sweep
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import CountsOfSlice, GroupedCounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.compute.compare import Comparison
    from rocconf.records import Grouping, Predictions, ScoreCounts


@dataclass(frozen=True, slots=True, eq=False)
class CasesOfSlice:
    """The cases with one value of a column, and all others."""

    by: str
    value: str
    cases: Predictions
    rest: Predictions

    @property
    def positives(self) -> int:
        """The number of positives."""
        return int(np.count_nonzero(self.cases.labels))

    @property
    def negatives(self) -> int:
        """The number of negatives."""
        return len(self.cases) - self.positives


def cases_of_slices(predictions: Predictions, by: str | Sequence[str] | None = None) -> Iterator[CasesOfSlice]:
    """Yield the slices of each column, by default of all that the cases are grouped by, those without cases too."""
    for grouping in _groupings(predictions, by):
        for place, value in enumerate(grouping.names):
            own = grouping.places == place
            yield CasesOfSlice(grouping.column, value, predictions.where(own), predictions.where(~own))


def _groupings(predictions: Predictions, by: str | Sequence[str] | None) -> list[Grouping]:
    known = {each.column: each for each in predictions.groups}
    return [known[column] for column in _asked(tuple(known), by)]


def _asked(known: Sequence[str], by: str | Sequence[str] | None) -> list[str]:
    """Return the columns of slices, by default all."""
    asked = list(known) if by is None else [by] if isinstance(by, str) else list(by)
    unknown = [column for column in asked if column not in known]
    if unknown or not asked:
        raise UsageError("slices-without-groups", column=", ".join(unknown) or "?", found=", ".join(known) or "none")
    return asked


def counts_of_slices(
    cases: Predictions | GroupedCounts, model: str, by: str | Sequence[str] | None = None
) -> Iterator[CountsOfSlice]:
    """Yield the counts of the slices of each column, by default of all that the cases are grouped by."""
    if isinstance(cases, GroupedCounts):
        for column in _asked(cases.columns, by):
            yield from cases.slices(column)
        return
    for part in cases_of_slices(cases, by):
        yield CountsOfSlice(part.by, part.value, count(part.cases, model), count(part.rest, model))


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
    predictions
        The cases, with the columns that divide them (`by` of `read_predictions`), or the counts of each group (`by` of
        `read_counts`).
    model
        The model, if there are several.
    by
        The columns; by default all of them.
    min_cases
        The least number of cases of each class on which a slice is decided.
    choose_on
        Other cases on which operating points choose their thresholds; a slice has those of the whole.
    **options
        The options of `sweep`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score="new", by="region")
    >>> [each.value for each in rocconf.sweep_slices(cases).slices[:3]]
    ['capital', 'east', 'islands']
    """
    require_min_cases(min_cases)
    whole = predictions.whole if isinstance(predictions, GroupedCounts) else count(predictions, model)
    if model not in (None, whole.model):
        raise UsageError("no-model", name=model, found=whole.model)
    if isinstance(predictions, GroupedCounts):
        require_scores(whole, "bins-slices")
    result = sweep(whole, choose_on=choose_on, **options)
    found = []
    for part in counts_of_slices(predictions, whole.model, by):
        own, of_slice, of_rest = part.own, None, list[FromRest]()
        if own.p and own.q:
            of_slice = sweep(own, choose_on=choose_on or whole, **{**options, "honest": False})
            of_rest += _from_rest((own.p, own.q), result, of_slice, part.rest, min_cases)
        counted = {whole.model: _counted(own, result)}
        found.append(Slice(part.by, part.value, own.p, own.q, min_cases, of_slice, counted, tuple(of_rest)))
    return replace(result, slices=adjusted(found))


def compare_slices(
    predictions: Predictions,
    *,
    by: str | Sequence[str] | None = None,
    min_cases: int = MIN_CASES,
    choose_on: Mapping[str, ScoreCounts] | None = None,
    **options: Any,
) -> Comparison:
    """Compare models on the same cases, and on each slice of them.

    Parameters
    ----------
    predictions
        The models on the same cases, with the columns that divide these (`by` of `read_predictions`).
    by
        The columns; by default all of them.
    min_cases
        The least number of cases of each class on which a slice is decided.
    choose_on
        For each model the counts of other cases on which operating points choose its thresholds; a slice has those of
        the whole.
    **options
        The options of `compare`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score=["old", "new"], by="region")
    >>> result = rocconf.compare_slices(cases, baseline="old")
    >>> result.to_frame("slice_pairs")["metric"].unique().tolist()
    ['auc']
    """
    require_min_cases(min_cases)
    result = compare(predictions, choose_on=choose_on, **options)
    swept = [model.sweep for model in result.models]
    wholes = {each.model: each for each in count_each(predictions)}
    found = []
    for part in cases_of_slices(predictions, by):
        of_slice, of_rest = None, list[FromRest]()
        if part.positives and part.negatives:
            of_slice = compare(part.cases, choose_on=choose_on or wholes, **{**options, "band": None})
            for one, other in zip(swept, of_slice.models, strict=True):
                rest = count(part.rest, one.counts.model)
                of_rest += _from_rest((part.positives, part.negatives), one, other.sweep, rest, min_cases)
        own = [each.sweep.counts for each in of_slice.models] if of_slice else count_each(part.cases)
        counted = {each.model: _counted(each, whole) for each, whole in zip(own, swept, strict=True)}
        sizes = part.positives, part.negatives
        found.append(Slice(part.by, part.value, *sizes, min_cases, of_slice, counted, tuple(of_rest)))
    return replace(result, slices=adjusted(found))


def _counted(cases: ScoreCounts, whole: Sweep) -> tuple[tuple[int, int], ...]:
    """Return the true and false positives of a model at each operating point of the whole."""
    found = []
    for point in whole.points:
        if point.threshold is None:
            found.append((0, 0))
            continue
        scores = cases.scores
        row = np.count_nonzero(scores <= point.threshold if cases.lower_is_positive else scores >= point.threshold)
        found.append((int(cases.tp[row]), int(cases.fp[row])))
    return tuple(found)


def require_min_cases(min_cases: int) -> None:
    """Reject a number of cases on which nothing could be decided."""
    if min_cases < 1:
        raise UsageError("min-cases-range", found=min_cases)


def _from_rest(
    sizes: tuple[int, int], whole: Sweep, of_slice: Sweep, rest: ScoreCounts, min_cases: int
) -> Iterator[FromRest]:
    """Yield how the area and the rates of a slice of so many positives and negatives differ from those of the rest."""
    model, (positives, negatives) = whole.counts.model, sizes
    if min(positives, negatives, rest.p, rest.q) < min_cases:
        return
    level, own, others = of_slice.auc.level, of_slice.observed, Observed(rest, of_slice.observed.kind)
    difference = AUC.unpaired(AUC.estimate(own), AUC.estimate(others))
    yield FromRest(model, AUC.name, None, difference and Measured(difference, level))
    for rule, (point, total) in enumerate(zip(of_slice.points, whole.points, strict=True)):
        cells = own.cells(point.tp, point.fp), others.cells(total.tp - point.tp, total.fp - point.fp)
        for name in RATES:
            rate = AT_A_POINT[name]
            found = rate.unpaired(*(rate.estimate(each, own.kind) for each in cells))
            yield FromRest(model, name, rule, found and Measured(found, level))
