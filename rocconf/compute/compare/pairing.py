"""Bring the models of several files together on the cases they share, found by id or, if asked for, by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError, TooFewCasesError, UsageError
from rocconf.records import Caveat, Predictions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from rocconf.records import Flags

NO_IDS = "--id names the column of ids; --by-row pairs rows by their order"
NOTHING_SHARED = "no id is in both: they may be spelled differently, or --id names another column"
OTHER_CASES = "models are compared on the same cases; --unpaired compares them on different ones"


def pair(several: Sequence[Predictions], *, by_row: bool = False) -> Predictions:
    """Put all models on the cases of the first predictions.

    A case that was dropped from one of them, as it has no value there, is left out of all.

    Parameters
    ----------
    several
        Predictions of the same cases, each with ids; their models have different names.
    by_row
        Whether the first row of one is the same case as the first row of the others, and so on.
    """
    _require_names(several)
    if by_row:
        _require_all_rows(several)
    else:
        several = _without_dropped(several)
    first, *others = several
    if any(other.lower_is_positive != first.lower_is_positive for other in others):
        raise UsageError("predictions of opposite directions cannot be paired")
    scores = dict(first.scores)
    for other in others:
        rows = _rows_by_order(first, other) if by_row else _rows_by_id(first, other)
        _require_labels(first, other, other.labels[rows], by_row=by_row)
        scores |= {name: column[rows] for name, column in other.scores.items()}
    sources = tuple(source for each in several for source in each.sources)
    if by_row and others:
        said = Caveat("by-row", f"{' and '.join(map(_name, several))} are paired by the order of their rows")
        sources = (replace(sources[0], caveats=(*sources[0].caveats, said)), *sources[1:])
    return Predictions(first.labels, scores, first.ids, first.lower_is_positive, sources)


def _require_names(several: Sequence[Predictions]) -> None:
    names = Counter(name for each in several for name in each.models)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise UsageError(f"two models are called {', '.join(twice)}: give the files or columns different names")


def _require_all_rows(several: Sequence[Predictions]) -> None:
    dropped = [source for each in several for source in each.sources if source.dropped]
    if dropped and len(several) > 1:
        faults = [
            f"{source.name}: {source.dropped} of {source.n + source.dropped} rows were left out" for source in dropped
        ]
        where = " and ".join(map(_name, several))
        raise InputError(where, faults, hint="what is left cannot be paired by its order; --id names a column of ids")


def _without_dropped(several: Sequence[Predictions]) -> list[Predictions]:
    """Leave out everywhere the cases that one file has no value for."""
    dropped = {case for each in several for source in each.sources for case in source.dropped_ids}
    return [_without(each, dropped) for each in several] if dropped and len(several) > 1 else list(several)


def _without(predictions: Predictions, dropped: Collection[object]) -> Predictions:
    if predictions.ids is None:
        return predictions
    kept = np.array([case not in dropped for case in predictions.ids], dtype=np.bool_)
    more = len(kept) - int(np.count_nonzero(kept))
    if not more:
        return predictions
    labels = predictions.labels[kept]
    positives = int(np.count_nonzero(labels))
    if positives in (0, len(labels)):
        left = f"{positives} of the {len(labels)} cases with a value in every file are positive"
        raise TooFewCasesError(_name(predictions), [f"only one class: {left}, and both classes are needed"])
    cases = "1 more case was" if more == 1 else f"{more} more cases were"
    said = f"{_name(predictions)}: {cases} left out, without a value in another file, {len(labels)} are left"
    sources = tuple(
        replace(
            source,
            n=len(labels),
            positives=positives,
            negatives=len(labels) - positives,
            dropped=source.dropped + more,
            caveats=(*source.caveats, Caveat("dropped", said)),
        )
        for source in predictions.sources
    )
    scores = {name: column[kept] for name, column in predictions.scores.items()}
    return Predictions(labels, scores, predictions.ids[kept], predictions.lower_is_positive, sources)


def _rows_by_order(first: Predictions, other: Predictions) -> slice:
    where = f"{_name(first)} and {_name(other)}"
    if len(first) != len(other):
        raise InputError(where, [f"{len(first)} and {len(other)} rows cannot be paired by their order"])
    if first.ids is not None and other.ids is not None:
        differ = np.flatnonzero(first.ids != other.ids)
        faults = [f"case {row + 1} is id {first.ids[row]!r} and id {other.ids[row]!r}" for row in differ[:5]]
        if faults:
            raise InputError(where, faults, total=len(differ), hint="without --by-row cases are paired by id")
    return slice(None)


def _rows_by_id(first: Predictions, other: Predictions) -> NDArray[np.intp] | slice:
    """Return where the cases of the first stand in the other."""
    mine, theirs = _ids(first), _ids(other)
    known = _places(first, mine)
    if len(mine) == len(theirs) and bool((mine == theirs).all()):
        return slice(None)
    places = _places(other, theirs)
    missing = [case for case in mine if case not in places]
    extra = [case for case in theirs if case not in known]
    if missing or extra:
        hint = OTHER_CASES if len(missing) < len(mine) else NOTHING_SHARED
        faults = [f"id {case!r} stands only in {_name(first)}" for case in missing[: max(3, 5 - len(extra))]]
        faults += [f"id {case!r} stands only in {_name(other)}" for case in extra[: 5 - len(faults)]]
        where = f"{_name(first)} and {_name(other)}"
        raise InputError(where, faults, total=len(missing) + len(extra), hint=hint)
    return np.fromiter(map(places.__getitem__, mine), dtype=np.intp, count=len(mine))


def _ids(predictions: Predictions) -> NDArray[np.object_]:
    if predictions.ids is None:
        raise InputError(_name(predictions), ["no ids, by which to find its cases in the other files"], hint=NO_IDS)
    return predictions.ids


def _places(predictions: Predictions, ids: NDArray[np.object_]) -> dict[object, int]:
    places = {case: row for row, case in enumerate(ids)}
    if len(places) < len(ids):
        faults = [f"id {case!r} stands there {times} times" for case, times in Counter(ids).items() if times > 1]
        raise InputError(_name(predictions), faults, hint="every case must have an id of its own")
    return places


def _require_labels(first: Predictions, other: Predictions, labels: Flags, *, by_row: bool) -> None:
    differ = np.flatnonzero(first.labels != labels)
    if not len(differ):
        return
    named = [f"case {row + 1}" if by_row or first.ids is None else f"id {first.ids[row]!r}" for row in differ[:5]]
    said = {True: "positive", False: "negative"}
    faults = [
        f"{case} is {said[bool(first.labels[row])]} in {_name(first)} and {said[bool(labels[row])]} in {_name(other)}"
        for case, row in zip(named, differ, strict=False)
    ]
    raise InputError(f"{_name(first)} and {_name(other)}", faults, total=len(differ))


def _name(predictions: Predictions) -> str:
    return " + ".join(source.name for source in predictions.sources) or ", ".join(predictions.models)
