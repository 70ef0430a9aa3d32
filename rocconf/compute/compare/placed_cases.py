"""Whole numbers of cases that need not fit into memory: placed by one model after the other, each time in its order.

The cases are read in ranges of a model's scores, the highest first, and the number of positives and negatives of the
ranges before is carried along. The placements take the place of the scores in the cases, which are then read in the
order of the next model; after the last one every case has all its placements, and their products are added up.
"""

from __future__ import annotations

from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from rocconf.compute.compare.auc_comparison import class_sums
from rocconf.compute.roc.ordering import placements, same_order
from rocconf.compute.stats.placements import Placements, class_placements
from rocconf.errors import UndefinedError
from rocconf.whole_numbers import PairNumbers, WholeNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rocconf.records import Flags


class Cases(Protocol):
    """Some cases."""

    @property
    def labels(self) -> Flags:
        """The labels."""

    @property
    def columns(self) -> tuple[Any, ...]:
        """The scores of each model or, once it is placed, its placements."""

    def with_column(self, at: int, column: Any, /) -> Any:
        """Return the cases with another column in this place."""


class Pile(Protocol):
    """Cases that are read in the order of one of their columns."""

    @property
    def positives(self) -> int:
        """The number of positives."""

    @property
    def negatives(self) -> int:
        """The number of negatives."""

    @property
    def is_one_score(self) -> bool:
        """Whether all cases have the same score, and may be too many for memory."""

    def ordered(self) -> Iterator[Pile]:
        """Yield ranges of the cases from the highest scores on."""

    def rows(self) -> Iterator[Cases]:
        """Yield the cases, some at a time."""

    def whole(self) -> Cases:
        """Return the cases."""


class CountedNumbers(NamedTuple):
    """The whole numbers of models, and of every pair of them."""

    models: dict[str, WholeNumbers]
    pairs: tuple[PairNumbers, ...]


class _Order:
    """Whether two models put the cases in the same order, as far as they were read in that of the first."""

    def __init__(self) -> None:
        self.is_same = True
        self._least = inf
        self._has_any = False

    def add_range(self, least: float, most: float, *, is_same: bool) -> None:
        """Add the next range of cases, whose scores by the first model are below those of all ranges before.

        `least` and `most` are the scores of its cases by the second model, and `is_same` tells whether both models put
        the cases of the range in the same order.
        """
        is_below = not self._has_any or most < self._least
        self.is_same, self._least, self._has_any = self.is_same and is_same and is_below, least, True


def numbers_of_pile(
    pile: Pile, models: Sequence[str], new_pile: Callable[[Iterable[Any], int], Pile]
) -> CountedNumbers:
    """Return the whole numbers of cases.

    Parameters
    ----------
    pile
        The cases, to be read in the order of the first model.
    models
        The names of the models, in the order of the columns.
    new_pile
        Makes a pile of cases, to be read in the order of another column.
    """
    p, q = pile.positives, pile.negatives
    if not (p and q):
        raise UndefinedError("curve-one-class", model=", ".join(models), positives=p, negatives=q)
    pairs = list(combinations(range(len(models)), 2))
    orders, identical = {pair: _Order() for pair in pairs}, dict.fromkeys(pairs, True)
    for at in range(len(models) - 1):
        pile = new_pile(_compared(_placed(pile, at, q, orders), identical, at), at + 1)
    last = _placed(pile, len(models) - 1, q, orders)
    positives, negatives = _added(last, len(models), p, q)
    return CountedNumbers(
        {
            model: WholeNumbers(
                *(p, q, positives.sums[at], negatives.sums[at]), positives.products[at][at], negatives.products[at][at]
            )
            for at, model in enumerate(models)
        },
        tuple(
            PairNumbers(
                *(models[later], models[earlier], p, q),
                class_sums(positives, later, earlier),
                class_sums(negatives, later, earlier),
                orders[earlier, later].is_same,
                identical[earlier, later],
            )
            for earlier, later in pairs
        ),
    )


def _placed(pile: Pile, at: int, q: int, orders: dict[tuple[int, int], _Order]) -> Iterator[tuple[Cases, Any]]:
    """Yield all cases with the placements by a model in place of its scores, and those scores."""
    tp = fp = 0
    others = [later for earlier, later in orders if earlier == at]
    for part in pile.ordered():
        below, above = 2 * (q - fp - part.negatives), 2 * tp
        if part.is_one_score:
            ends = {later: [inf, -inf] for later in others}
            for rows in part.rows():
                for later in others:
                    column = rows.columns[later]
                    ends[later] = [min(ends[later][0], column.min()), max(ends[later][1], column.max())]
                own = np.where(rows.labels, below + part.negatives, above + part.positives)
                yield rows.with_column(at, own), rows.columns[at]
            for later, (least, most) in ends.items():
                orders[at, later].add_range(least, most, is_same=least == most)
        else:
            rows = part.whole()
            scores = rows.columns[at]
            for later in others:
                column = rows.columns[later]
                orders[at, later].add_range(column.min(), column.max(), is_same=same_order(scores, column))
            own = placements(rows.labels, scores) + np.where(rows.labels, below, above)
            yield rows.with_column(at, own), scores
        tp, fp = tp + part.positives, fp + part.negatives


def _compared(placed: Iterator[tuple[Cases, Any]], identical: dict[tuple[int, int], bool], at: int) -> Iterator[Cases]:
    """Yield the cases, and note which later models have other scores than the one that was placed."""
    for rows, scores in placed:
        for (one, other), is_so_far in identical.items():
            if one == at and is_so_far:
                identical[one, other] = np.array_equal(scores, rows.columns[other])
        yield rows


def _added(placed: Iterator[tuple[Cases, Any]], models: int, p: int, q: int) -> tuple[Placements, Placements]:
    """Return the sums over both classes."""
    nothing = tuple((0,) * models for _ in range(models))
    positives, negatives = (Placements(n, other, nothing[0], nothing, nothing) for n, other in ((p, q), (q, p)))
    for rows, _ in placed:
        positives += class_placements(rows.columns, rows.labels, p, q)
        negatives += class_placements(rows.columns, ~rows.labels, q, p)
    return positives, negatives
