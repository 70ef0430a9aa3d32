"""Whole numbers of cases: every case is placed by each model, and the products of its placements are added up.

Cases that do not fit into memory are placed by one model after the other, each time in its order: they are read in
ranges of the model's scores, the highest first, and the numbers of positives and negatives of the ranges before are
carried along. The placements take the place of the scores in the cases, which are then read in the order of the next
model; after the last one every case has all its placements.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from rocconf.compute.roc.ordering import placements, same_order
from rocconf.compute.stats.placements import placements_of_cases
from rocconf.errors import UndefinedError
from rocconf.whole_numbers import ClassSums, PairNumbers, WholeNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rocconf.compute.stats.placements import Placements
    from rocconf.records import Flags, Floats


class _Cases(Protocol):
    """Some cases, with the scores of each model or, once it is placed, its placements."""

    @property
    def labels(self) -> Flags: ...

    @property
    def columns(self) -> tuple[Any, ...]: ...

    def with_column(self, at: int, column: Any, /) -> Any: ...


class _Pile(Protocol):
    """Cases that are read in the order of one of their columns; those of one score may be too many for memory."""

    @property
    def positives(self) -> int: ...

    @property
    def negatives(self) -> int: ...

    @property
    def is_one_score(self) -> bool: ...

    def ordered(self) -> Iterator[_Pile]: ...

    def rows(self) -> Iterator[_Cases]: ...

    def whole(self) -> _Cases: ...


class CountedNumbers(NamedTuple):
    """The whole numbers of models, and of every pair of them."""

    models: dict[str, WholeNumbers]
    pairs: tuple[PairNumbers, ...]


class _Agreement:
    """Whether two models put the cases in the same order, and have the same scores, as far as cases were added."""

    def __init__(self) -> None:
        self.same_order = self.same_scores = True
        self._least: tuple[float, float] | None = None

    def add(self, first: Floats, second: Floats) -> None:
        """Add the next cases, whose scores by the first model are at most those of all cases before."""
        if self._least is not None:
            is_tied, least = first.max() == self._least[0], self._least[1]
            self.same_order &= bool(second.max() == least if is_tied else second.max() < least)
        self.same_order = self.same_order and same_order(first, second)
        self.same_scores = self.same_scores and np.array_equal(first, second)
        self._least = first.min(), second.min()


def numbers_of_pile(
    pile: _Pile, models: Sequence[str], new_pile: Callable[[Iterable[Any], int], _Pile]
) -> CountedNumbers:
    """Return the whole numbers of cases.

    `pile` has the cases in the order of the first model, and `new_pile` makes one in the order of another column.
    """
    p, q = pile.positives, pile.negatives
    if not (p and q):
        raise UndefinedError("curve-one-class", model=", ".join(models), positives=p, negatives=q)
    agreements = {pair: _Agreement() for pair in combinations(range(len(models)), 2)}
    for at in range(1, len(models)):
        pile = new_pile(_placed(pile, at - 1, q, agreements), at)
    last = _placed(pile, len(models) - 1, q, agreements)
    both = placements_of_cases(((rows.labels, rows.columns) for rows in last), p, q)
    of_models = {
        model: WholeNumbers(p, q, *(each.sums[at] for each in both), *(each.products[at][at] for each in both))
        for at, model in enumerate(models)
    }
    of_pairs = (
        PairNumbers(
            models[later],
            models[earlier],
            p,
            q,
            _class_sums(both[0], later, earlier),
            _class_sums(both[1], later, earlier),
            same_order=agreement.same_order,
            same_scores=agreement.same_scores,
        )
        for (earlier, later), agreement in agreements.items()
    )
    return CountedNumbers(of_models, tuple(of_pairs))


def _placed(pile: _Pile, at: int, q: int, agreements: dict[tuple[int, int], _Agreement]) -> Iterator[_Cases]:
    """Yield all cases with the placements by a model in place of its scores."""
    tp = fp = 0
    for part in pile.ordered():
        below, above = 2 * (q - fp - part.negatives), 2 * tp
        for rows in part.rows() if part.is_one_score else (part.whole(),):
            scores, labels = rows.columns[at], rows.labels
            for (first, second), agreement in agreements.items():
                if first == at:
                    agreement.add(scores, rows.columns[second])
            tied = part.negatives, part.positives
            own = np.where(labels, *tied) if part.is_one_score else placements(labels, scores)
            yield rows.with_column(at, own + np.where(labels, below, above))
        tp, fp = tp + part.positives, fp + part.negatives


def _class_sums(of_class: Placements, first: int, second: int) -> ClassSums:
    """Return the sums of a class that the whole numbers of two models have."""
    sums, products = of_class.sums, of_class.products
    squares = products[first][first], products[first][second], products[second][second]
    return ClassSums(sums[first], sums[second], *squares, of_class.cubes[first][second])
