"""Pair the models of several files on the same cases, by id or by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError, TooFewCasesError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.packed_texts import PackedTexts
from rocconf.records import MOST_CASES, Predictions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from rocconf.records import ClassPredictions, Grouping, Source

    Cases = Predictions | ClassPredictions
    AnyCases = TypeVar("AnyCases", Predictions, ClassPredictions)


def pair(several: Sequence[AnyCases], *, by_row: bool = False) -> AnyCases:
    """Return the predictions of all models on the cases of the first.

    Cases without a value in one of them, which were dropped, are left out of all.

    Parameters
    ----------
    several
        Predictions of the same cases, each with ids; their models have different names.
    by_row
        Whether cases are matched by the order of their rows instead of their ids.

    Examples
    --------
    >>> import rocconf
    >>> old = rocconf.read_predictions("sample_data/readmission.csv", score="old")
    >>> new = rocconf.read_predictions("sample_data/readmission.csv", score="new")
    >>> rocconf.pair([old, new]).models
    ('old', 'new')
    """
    names = Counter(name for each in several for name in each.models)
    if twice := [name for name, times in names.items() if times > 1]:
        raise UsageError("models-share-name", names=", ".join(twice))
    if by_row:
        _require_all_rows(several)
    else:
        several = _without_dropped(several)
    first, *others = several
    if any([each.column for each in _groups(other)] != [each.column for each in _groups(first)] for other in others):
        raise UsageError("pair-groups")
    if any(other.lower_is_positive != first.lower_is_positive for other in others):
        raise UsageError("pair-directions")
    scores = dict(first.scores)
    for other in others:
        if other.classes != first.classes:
            lists = {"first": ", ".join(first.classes), "second": ", ".join(other.classes)}
            files = {"first_file": _name(first), "second_file": _name(other)}
            raise InputError(f"{_name(first)} and {_name(other)}", [message("classes-differ", **lists, **files)])
        rows = match_cases(first, other, by_row=by_row)
        _require_same(first, other, first.labels, other.labels[rows], by_row=by_row)
        for one, two in zip(_groups(first), _groups(other), strict=True):
            here, there = (np.array(each.names, dtype=object)[each.places] for each in (one, two))
            _require_same(first, other, here, there[rows], by_row=by_row, column=one.column)
        scores |= {name: column[rows] for name, column in other.scores.items()}
    sources: tuple[Source, ...] = tuple(source for each in several for source in each.sources)
    if by_row and others:
        by_order = message("by-row", files=" and ".join(map(_name, several)))
        sources = (replace(sources[0], caveats=(*sources[0].caveats, by_order)), *sources[1:])
    without_times: dict[str, Any] = {"times": None} if isinstance(first, Predictions) else {}
    return replace(first, scores=scores, sources=sources, groups=_all_groups(several), **without_times)


def match_cases(first: Cases, other: Cases, *, by_row: bool) -> NDArray[np.intp] | slice:
    """Return the rows of the other at which the cases of the first are."""
    return _rows_by_order(first, other) if by_row else _rows_by_id(first, other)


def _require_all_rows(several: Sequence[Cases]) -> None:
    """Refuse files of which rows were dropped, where rows pair by their order."""
    dropped = [source for each in several for source in each.sources if source.dropped]
    if dropped and len(several) > 1:
        faults = [
            message("rows-left-out", file=source.name, dropped=source.dropped, rows=source.n + source.dropped)
            for source in dropped
        ]
        raise InputError(" and ".join(map(_name, several)), faults, hints=[message("by-row-needs-all")])


def _without_dropped(several: Sequence[AnyCases]) -> list[AnyCases]:
    """Return the predictions without the cases that one file has no value for."""
    dropped = {case for each in several for source in each.sources for case in source.dropped_ids}
    return [_without(each, dropped) for each in several] if dropped and len(several) > 1 else list(several)


def _without(cases: AnyCases, dropped: Collection[object]) -> AnyCases:
    if cases.ids is None:
        return cases
    kept = np.array([case not in dropped for case in cases.ids], dtype=np.bool_)
    more = len(kept) - int(np.count_nonzero(kept))
    if not more:
        return cases
    left = cases.where(kept)
    if isinstance(left, Predictions) and not all(left.sizes):
        raise TooFewCasesError(_name(cases), [message("paired-one-class", positives=left.sizes[1], n=len(left))])
    text = "1 more case was" if more == 1 else f"{more} more cases were"
    caveat = message("dropped-elsewhere", file=_name(cases), cases=text, kept=len(left))
    clusters = None if left.clusters is None else len(left.clusters.names)

    def with_more_dropped(source: Source) -> Source:
        return replace(source, dropped=source.dropped + more, caveats=(*source.caveats, caveat), clusters=clusters)

    return replace(left, sources=tuple(map(with_more_dropped, left.sources)))


def _rows_by_order(first: Cases, other: Cases) -> slice:
    where = f"{_name(first)} and {_name(other)}"
    if len(first) != len(other):
        raise InputError(where, [message("row-counts-differ", first=len(first), second=len(other))])
    if first.ids is not None and other.ids is not None:
        ids, others = (np.asarray(each.ids, dtype=object) for each in (first, other))
        differ = np.flatnonzero(ids != others)
        faults = [
            message("row-ids-differ", case=row + 1, first=example(ids[row]), second=example(others[row]))
            for row in differ[:SPELLED_OUT]
        ]
        if faults:
            raise InputError(where, faults, total=len(differ), hints=[message("pair-by-id")])
    return slice(None)


def _rows_by_id(first: Cases, other: Cases) -> NDArray[np.intp] | slice:
    """Return the rows of the other at which the cases of the first are; ids are looked at one by one to find faults."""
    ids, others = _packed(first), _packed(other)
    rows = None if ids is None or others is None else ids.rows_of(others)
    if rows is None:
        return _rows_of_each(first, other)
    return slice(None) if (rows == np.arange(len(rows))).all() else rows


def _packed(predictions: Cases) -> PackedTexts | None:
    """Return the ids as one text if they are texts."""
    ids = predictions.ids
    return ids if ids is None or isinstance(ids, PackedTexts) else PackedTexts.of(ids)


def _rows_of_each(first: Cases, other: Cases) -> NDArray[np.intp] | slice:
    ids, others = _ids(first), _ids(other)
    rows = _row_of_each(first, ids)
    if len(ids) == len(others) and bool((ids == others).all()):
        return slice(None)
    other_rows = _row_of_each(other, others)
    missing = [case for case in ids if case not in other_rows]
    extra = [case for case in others if case not in rows]
    if missing or extra:
        _reject_ids(first, other, missing, extra)
    return np.fromiter(map(other_rows.__getitem__, ids), dtype=np.intp, count=len(ids))


def _reject_ids(first: Cases, other: Cases, missing: list[object], extra: list[object]) -> NoReturn:
    """Raise the error of ids that are in one of two files only, naming some of either."""
    named = missing[: max(SPELLED_OUT - 2, SPELLED_OUT - len(extra))]
    faults = [message("id-only-in", id=example(case), file=_name(first)) for case in named]
    faults += [message("id-only-in", id=example(case), file=_name(other)) for case in extra[: SPELLED_OUT - len(named)]]
    hint = message("not-same-cases" if len(missing) < len(first) else "no-shared-id")
    where = f"{_name(first)} and {_name(other)}"
    raise InputError(where, faults, total=len(missing) + len(extra), hints=[hint])


def _ids(predictions: Cases) -> NDArray[np.object_]:
    if predictions.ids is None:
        raise InputError(_name(predictions), [message("no-ids")], hints=[message("name-the-ids")])
    if any(isinstance(case, float) and not abs(case) < MOST_CASES for case in predictions.ids.tolist()):
        raise InputError(_name(predictions), [message("ids-rounded")])
    return np.asarray(predictions.ids, dtype=object)


def _row_of_each(predictions: Cases, ids: NDArray[np.object_]) -> dict[object, int]:
    rows = {case: row for row, case in enumerate(ids)}
    if len(rows) < len(ids):
        faults = [
            message("id-repeated", id=example(case), times=times) for case, times in Counter(ids).items() if times > 1
        ]
        raise InputError(_name(predictions), faults, hints=[message("ids-differ")])
    return rows


def _require_same(
    first: Cases, other: Cases, one: NDArray[Any], two: NDArray[Any], *, by_row: bool, column: str | None = None
) -> None:
    """Refuse cases that are of another class, or have another value in a column of groups, in one of two files."""
    differ = np.flatnonzero(one != two)
    if not len(differ):
        return
    ids = None if by_row else first.ids
    faults = [
        message(
            "label-differs" if column is None else "group-differs",
            case=f"case {row + 1}" if ids is None else f"id {example(ids[row])!r}",
            first=first.classes[int(one[row])] if column is None else example(repr(one[row])),
            first_file=_name(first),
            second=first.classes[int(two[row])] if column is None else example(repr(two[row])),
            second_file=_name(other),
            **({} if column is None else {"column": column}),
        )
        for row in differ[:SPELLED_OUT]
    ]
    raise InputError(f"{_name(first)} and {_name(other)}", faults, total=len(differ))


def _all_groups(several: Sequence[Cases]) -> tuple[Grouping, ...]:
    """Return the groups of the first, with those of the others that lost all their cases."""
    columns = zip(*(each.groups for each in several), strict=True)
    return tuple(own.with_names(name for each in others for name in each.names) for own, *others in columns)


def _groups(predictions: Cases) -> tuple[Grouping, ...]:
    """Return all columns of groups, that of the clusters last."""
    return predictions.groups if predictions.clusters is None else (*predictions.groups, predictions.clusters)


def _name(predictions: Cases) -> str:
    return " + ".join(source.name for source in predictions.sources) or ", ".join(predictions.models)
