"""Pair the models of several files on the same cases, by id or by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError, TooFewCasesError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.packed_texts import PackedTexts
from rocconf.records import MOST_CASES, ClassPredictions, Predictions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from rocconf.examples import Hidden
    from rocconf.records import Grouping, Source

    Cases = Predictions | ClassPredictions
    Rows = NDArray[np.intp] | slice

OfKind = TypeVar("OfKind", Predictions, ClassPredictions)


def pair(several: Sequence[OfKind], *, by_row: bool = False) -> OfKind:
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
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise UsageError("models-share-name", names=", ".join(twice))
    if by_row:
        _require_all_rows(several)
    found: list[Any] = list(several) if by_row else _without_dropped(several)
    first, *others = found
    scores = dict(first.scores)
    sources: list[Source] = list(first.sources)
    for other in others:
        _require_alike(first, other)
    for other in others:
        rows = match_cases(first, other, by_row=by_row)
        _require_labels(first, other, rows, by_row=by_row)
        _require_groups(first, other, rows, by_row=by_row)
        scores |= {name: column[rows] for name, column in other.scores.items()}
        sources += other.sources
    if by_row and others:
        by_order = message("by-row", files=" and ".join(map(_name, several)))
        sources[0] = replace(sources[0], caveats=(*sources[0].caveats, by_order))
    of_predictions = {"times": None, "groups": _all_groups(found)} if isinstance(first, Predictions) else {}
    paired: OfKind = replace(first, scores=scores, sources=tuple(sources), **of_predictions)
    return paired


def _require_alike(first: Cases, other: Cases) -> None:
    """Refuse files with other groups, classes or directions."""
    if [each.column for each in _groups(other)] != [each.column for each in _groups(first)]:
        raise UsageError("pair-groups")
    if other.lower_is_positive != first.lower_is_positive:
        raise UsageError("pair-directions")
    if _classes(other) != _classes(first):
        files = {"first_file": _name(first), "second_file": _name(other)}
        classes = {"first": ", ".join(_classes(first)), "second": ", ".join(_classes(other))}
        raise InputError(_names(first, other), [message("classes-differ", **files, **classes)])


def match_cases(first: Cases, other: Cases, *, by_row: bool) -> Rows:
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


def _without_dropped(several: Sequence[Cases]) -> list[Any]:
    """Return the predictions without the cases that one file has no value for."""
    dropped = {case for each in several for source in each.sources for case in source.dropped_ids}
    return [_without(each, dropped) for each in several] if dropped and len(several) > 1 else list(several)


def _without(cases: Cases, dropped: Collection[object]) -> Cases:
    if cases.ids is None:
        return cases
    kept = np.array([case not in dropped for case in cases.ids], dtype=np.bool_)
    more = int(np.count_nonzero(~kept))
    if not more:
        return cases
    left = cases.where(kept)
    clusters = None
    if isinstance(left, Predictions):
        positives = int(np.count_nonzero(left.labels))
        if positives in (0, len(left)):
            fault = message("paired-one-class", positives=positives, n=len(left))
            raise TooFewCasesError(_name(cases), [fault])
        clusters = None if left.clusters is None else len(left.clusters.names)
    are_left_out = "1 more case was" if more == 1 else f"{more} more cases were"
    caveat = message("dropped-elsewhere", file=_name(cases), cases=are_left_out, kept=len(left))
    sources = tuple(
        replace(each, dropped=each.dropped + more, caveats=(*each.caveats, caveat), clusters=clusters)
        for each in left.sources
    )
    return replace(left, sources=sources)


def _rows_by_order(first: Cases, other: Cases) -> slice:
    where = _names(first, other)
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


def _rows_by_id(first: Cases, other: Cases) -> Rows:
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


def _rows_of_each(first: Cases, other: Cases) -> Rows:
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
    raise InputError(_names(first, other), faults, total=len(missing) + len(extra), hints=[hint])


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


def _require_labels(first: Cases, other: Cases, rows: Rows, *, by_row: bool) -> None:
    """Refuse cases whose classes differ between two files."""
    classes, labels = _classes(first), other.labels[rows]
    differ = np.flatnonzero(first.labels != labels)
    values = ((classes[int(first.labels[row])], classes[int(labels[row])]) for row in differ)
    _reject("label-differs", first, other, differ, values, by_row=by_row)


def _require_groups(first: Cases, other: Cases, rows: Rows, *, by_row: bool) -> None:
    """Refuse cases that are in another group in one of two files."""
    for one, two in zip(_groups(first), _groups(other), strict=True):
        names, others = (np.array(each.names, dtype=object) for each in (one, two))
        found, there = names[one.places], others[two.places[rows]]
        differ = np.flatnonzero(found != there)
        values = ((example(repr(found[row])), example(repr(there[row]))) for row in differ)
        _reject("group-differs", first, other, differ, values, by_row=by_row, column=one.column)


def _reject(
    code: str,
    first: Cases,
    other: Cases,
    differ: NDArray[np.intp],
    values: Iterable[tuple[str | Hidden, str | Hidden]],
    *,
    by_row: bool,
    **more: str,
) -> None:
    """Refuse rows in which two files differ, if there are any, with the values of both."""
    ids = None if by_row else first.ids
    files = {"first_file": _name(first), "second_file": _name(other)}
    faults = [
        message(
            code,
            case=f"case {row + 1}" if ids is None else f"id {example(ids[row])!r}",
            first=one,
            second=two,
            **files,
            **more,
        )
        for row, (one, two) in islice(zip(differ, values, strict=True), SPELLED_OUT)
    ]
    if faults:
        raise InputError(_names(first, other), faults, total=len(differ))


def _classes(cases: Cases) -> tuple[str, ...]:
    return ("negative", "positive") if isinstance(cases, Predictions) else cases.classes


def _groups(cases: Cases) -> tuple[Grouping, ...]:
    """Return all columns of groups, that of the clusters last."""
    if not isinstance(cases, Predictions):
        return ()
    return cases.groups if cases.clusters is None else (*cases.groups, cases.clusters)


def _all_groups(several: Sequence[Predictions]) -> tuple[Grouping, ...]:
    """Return the groups of the first, with those of the others that lost all their cases."""
    columns = zip(*(each.groups for each in several), strict=True)
    return tuple(own.with_names(name for each in others for name in each.names) for own, *others in columns)


def _name(cases: Cases) -> str:
    return " + ".join(source.name for source in cases.sources) or ", ".join(cases.models)


def _names(first: Cases, other: Cases) -> str:
    return f"{_name(first)} and {_name(other)}"
