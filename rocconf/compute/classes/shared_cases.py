"""Pair the models of several files on the same cases of several classes, by id or by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.compare import match_cases, require_all_rows, require_labels
from rocconf.errors import InputError, UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.messages import Message
    from rocconf.records import ClassPredictions


def pair_classes(several: Sequence[ClassPredictions], *, by_row: bool = False) -> ClassPredictions:
    """Return the predictions of all models on the cases of the first.

    Cases without a value in one of them, which were dropped, are left out of all.

    Parameters
    ----------
    several
        Predictions of the same cases and classes, each with ids; their models have different names.
    by_row
        Whether cases are matched by the order of their rows instead of their ids.
    """
    names = Counter(name for each in several for name in each.models)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise UsageError("models-share-name", names=", ".join(twice))
    if by_row:
        require_all_rows(several)
    elif len(several) > 1:
        several = _without_dropped(several)
    first, *others = several
    scores, sources = dict(first.scores), list(first.sources)
    for other in others:
        if other.lower_is_positive != first.lower_is_positive:
            raise UsageError("pair-directions")
        if other.classes != first.classes:
            raise InputError(_where(first, other), [_other_classes(first, other)])
        rows = match_cases(first, other, by_row=by_row)
        require_labels(first, other, other.labels[rows], classes=first.classes, by_row=by_row)
        scores |= {name: columns[rows] for name, columns in other.scores.items()}
        sources += other.sources
    if by_row and others:
        by_order = message("by-row", files=" and ".join(map(_name, several)))
        sources[0] = replace(sources[0], caveats=(*sources[0].caveats, by_order))
    return replace(first, scores=scores, sources=tuple(sources))


def _without_dropped(several: Sequence[ClassPredictions]) -> list[ClassPredictions]:
    dropped = {case for each in several for source in each.sources for case in source.dropped_ids}
    return [_without(each, dropped) for each in several] if dropped else list(several)


def _without(cases: ClassPredictions, dropped: set[str]) -> ClassPredictions:
    if cases.ids is None:
        return cases
    kept = np.array([case not in dropped for case in cases.ids], dtype=np.bool_)
    left, more = int(np.count_nonzero(kept)), int(np.count_nonzero(~kept))
    if not more:
        return cases
    told = "1 more case was" if more == 1 else f"{more} more cases were"
    caveat = message("dropped-elsewhere", file=_name(cases), cases=told, kept=left)
    sources = tuple(
        replace(each, n=left, positives=left, dropped=each.dropped + more, caveats=(*each.caveats, caveat))
        for each in cases.sources
    )
    scores = {name: columns[kept] for name, columns in cases.scores.items()}
    return replace(cases, labels=cases.labels[kept], scores=scores, ids=cases.ids[kept], sources=sources)


def _other_classes(first: ClassPredictions, other: ClassPredictions) -> Message:
    return message(
        "classes-differ",
        first=", ".join(first.classes),
        first_file=_name(first),
        second=", ".join(other.classes),
        second_file=_name(other),
    )


def _name(cases: ClassPredictions) -> str:
    return " + ".join(source.name for source in cases.sources) or ", ".join(cases.models)


def _where(first: ClassPredictions, other: ClassPredictions) -> str:
    return f"{_name(first)} and {_name(other)}"
