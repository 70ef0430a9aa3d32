r"""Designs: how many cases of each class there are, what they weigh, and which belong together.

A design turns influences into the sums of an estimate, and says what share of a class an unseen unit may stand for: of
n cases of one weight 1/n. Cases of unequal weight may have missed a heavy one, and clusters whole ones. With
:math:`L = -\ln 0.025`, :math:`o_k` is the larger of 1/n and the largest of

.. math:: \min\left(w_i, \tfrac1L \sum_{j \in k: w_j \ge w_i} w_j\right) / W_k

over the cases of class k.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.compute.stats.estimate import PSEUDO_CASES, Sums
from rocconf.dataclass import dataclass
from rocconf.records import slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Codes = NDArray[np.integer[Any]]

RULE_OF_THREE = -log(0.025)
FLOOR = sqrt(3 / 14)
"""The least reach of a pseudo-case: 3.5 of them then have three quarters of the variance of one at +-1."""
VANISHING = 1e-30
"""The share of the largest squared influence below which a sum of squares is 0."""
ALIKE = 1.05
"""The most that the largest of equal weights may be above the smallest."""
ENOUGH = 50
"""The cases of a class that would show a weight of their own."""
MATCHED = 0.1
"""The share of the squares of single cases below which contributions cancel within units."""

FEW_CLUSTERS = 30
"""The clusters below which the intervals of rates miss too often."""
FEWEST_CLUSTERS = 10
"""The clusters of equal size below which how much clusters differ is not known well enough for any interval of rules."""


@dataclass(frozen=True)
class Design:
    """Cases, or items that stand for several independent cases of weight 1."""

    of_class: Codes
    """The class of each item, from 0 on."""
    classes: int = 2
    times: Floats | None = None
    """How many cases each item stands for; None for one each."""
    weights: Floats | None = None
    """The weight of each case; None for 1 each."""
    unit: Codes | None = None
    """The unit of each case, from 0 on; None where each case is its own."""
    units: int = 0
    classes_fixed: bool = False
    """Whether the class totals are fixed by design."""

    @cached_property
    def mass(self) -> Floats:
        """The weight of each class."""
        if self.weights is None:
            return np.array(self.cases, dtype=np.float64)
        return _added(self.of_class, self.mass_of_items, self.classes)

    @property
    def mass_of_items(self) -> Floats:
        """The weight of each item."""
        found = self.times if self.times is not None else self.weights
        return np.ones(self.items) if found is None else found

    def added_up(self, of_cases: Floats) -> Floats:
        """Return a number of each case, added up over each unit."""
        return of_cases if self.unit is None else _added(self.unit, of_cases, self.units)

    @cached_property
    def cases(self) -> tuple[int, ...]:
        """The cases of each class."""
        if self.times is None:
            return tuple(int(np.count_nonzero(self.of_class == k)) for k in range(self.classes))
        return tuple(round(each) for each in _added(self.of_class, self.times, self.classes).tolist())

    @property
    def is_plain(self) -> bool:
        """Whether the cases are independent and of one weight."""
        return self.weights is None and self.unit is None

    @cached_property
    def units_of_classes(self) -> tuple[int, ...]:
        """The units with a case of each class."""
        return self.cases if self.unit is None else tuple(np.count_nonzero(self._masses, axis=1).tolist())

    @cached_property
    def all_units(self) -> int:
        """The number of units."""
        return sum(self.cases) if self.unit is None else int(np.count_nonzero(self._masses.any(axis=0)))

    @cached_property
    def kish(self) -> tuple[float, ...]:
        """The number of units of equal mass in each class."""
        return tuple(map(float, self.mass)) if self.is_plain else tuple(map(kish, self._masses))

    @cached_property
    def _masses(self) -> Floats:
        """The mass of each unit in each class."""
        return self._of_class_and_unit(self.mass_of_items)

    def _of_class_and_unit(self, of_items: Floats) -> Floats:
        """Return a number of each item, added up over each class of each unit."""
        unit, units = (np.arange(self.items), self.items) if self.unit is None else (self.unit, self.units)
        at = self.of_class.astype(np.int64) * units + unit
        return _added(at, of_items, self.classes * units).reshape(self.classes, units)

    @cached_property
    def own_shares(self) -> tuple[float, ...]:
        """The share of each class that one more case may stand for, by the weights of the class alone."""
        if self.weights is None:
            return tuple(1 / n for n in self.cases)
        heaviest = (float(np.minimum(own, _missed(own)).max()) for own in self._weights_of_classes)
        return tuple(
            max(1 / n, own / float(mass)) for n, own, mass in zip(self.cases, heaviest, self.mass, strict=True)
        )

    @property
    def _weights_of_classes(self) -> list[Floats]:
        return [self.mass_of_items[self.of_class == k] for k in range(self.classes)]

    @cached_property
    def case_shares(self) -> tuple[float, ...]:
        """The share of each class that one more case may stand for."""
        if self.weights is None:
            return self.own_shares
        are_alike = [float(own.max() / own.min()) <= ALIKE for own in self._weights_of_classes]
        shares, of_all = [], _missed(self.weights) / float(self.mass.sum())
        for own, is_alike, mass, n in zip(self.own_shares, are_alike, self.mass, self.cases, strict=True):
            is_shown = is_alike and (all(are_alike) or n >= ENOUGH or self.classes_fixed)
            shares.append(own if is_shown else max(own, float(np.minimum(self.weights / mass, of_all).max())))
        return tuple(shares)

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """The share of each class that an unseen unit may stand for."""
        return self._of_units(self.case_shares)

    @cached_property
    def own_unit_shares(self) -> tuple[float, ...]:
        """The share of each class that an unseen unit may stand for, by the weights of the class alone."""
        return self._of_units(self.own_shares)

    def _of_units(self, shares: Sequence[float]) -> tuple[float, ...]:
        each = zip(shares, self.cases, self.units_of_classes, strict=True)
        return tuple(min(1.0, share * (n / units)) for share, n, units in each)

    def fewest(self, factors: Sequence[float] = ()) -> float:
        """Return the cases m of the smaller class, each class as far as it counts: divided by its factor."""
        factors = factors or (1.0,) * self.classes
        each = zip(factors, self.shares, self.kish, strict=True)
        return min(min(1 / (factor * share), equal / factor) for factor, share, equal in each)

    def missed_variance(self, reach: Sequence[float]) -> float:
        """Return what the variance of an area lacks where weights may have missed heavy cases."""
        each = zip(reach, self.shares, self.own_unit_shares, strict=True)
        return PSEUDO_CASES * sum(h**2 * (share**2 - own**2) for h, share, own in each)

    def pseudo(self, reach: Sequence[float]) -> float:
        """Return the variance of pseudo-cases that move an area by a reach."""
        return PSEUDO_CASES * sum((h * share) ** 2 for h, share in zip(reach, self.shares, strict=True))

    def pseudo_of_mean(self, largest: Iterable[float], reach: Iterable[float], sums: Sums) -> float:
        """Return the variance of pseudo-cases of a mean over all cases.

        For each class `largest` is the largest difference that one case can make, and `reach` how far from the mean of
        the class that of the other is.
        """
        total = float(self.mass.sum())
        moved = matched = 0.0
        rows = zip(
            self.mass, largest, reach, self.case_shares, self.shares, self.cases, self.units_of_classes, strict=True
        )
        for mass, r, h, case, share, n, units in rows:
            of_clusters = min(max(sums.clustering, 1.0), n / units) if not is_matched(sums) else n / units
            moved = max(moved, float(mass) / total * r * min(1.0, case * of_clusters))
            matched += (float(mass) / total * h * share) ** 2
        return float(PSEUDO_CASES * max(moved**2, matched))

    def sums(self, influence: Any, *, together: bool = False, skewed: bool = True) -> Sums:
        """Return the sums of an influence of each item, which can be sliced.

        `together` takes all classes as one stratum, whose total alone counts as known; `skewed` asks for the powers above
        the second too.
        """
        if self.unit is not None:
            return self._sums_of_units(influence, together=together)
        return self._sums_of_cases(influence, together=together, skewed=skewed)

    def contributions(self, influence: Any, *, together: bool = False) -> Floats:
        """Return what each unit contributes, for the correlation with another estimate of the same units."""
        return self.added_up(self.centred(_whole(influence, self.of_class), self._strata(together=together)))

    def centred(self, numbers: Floats, stratum: Codes) -> Floats:
        """Return what each item adds to the sum of the means of the strata, beyond the mean of its own.

        Of an item that stands for several cases, it is what each of them adds.
        """
        weights = self.mass_of_items
        mass = np.bincount(stratum, weights)
        mass = np.where(mass > 0, mass, 1.0)
        means = np.bincount(stratum, numbers * weights) / mass
        each = (numbers - means[stratum]) / mass[stratum]
        return each if self.weights is None else each * self.weights

    def _strata(self, *, together: bool) -> Codes:
        return np.zeros_like(self.of_class) if together else self.of_class

    def _sums_of_units(self, influence: Any, *, together: bool) -> Sums:
        psi = _whole(influence, self.of_class)
        single = self.centred(psi, self._strata(together=together))
        of_strata, masses = self._of_class_and_unit(single), self._masses
        if together:
            of_strata, masses = of_strata.sum(axis=0, keepdims=True), masses.sum(axis=0, keepdims=True)
        of_units = of_strata.sum(axis=0)
        least = VANISHING * float(np.abs(psi).max(initial=0.0)) ** 2
        *squares, second = (0.0 if square < least else square for square in map(_squared, (*of_strata, of_units)))
        return Sums(
            self.all_units,
            tuple(np.count_nonzero(masses, axis=1).tolist()),
            tuple(squares),
            tuple(map(kish, masses)),
            second,
            float((of_units**3).sum()),
            float((of_units**4).sum()),
            _squared(single),
        )

    def contributed(self, influence: Any, *, together: bool = False, within: Flags | None = None) -> Contributions:
        """Return the contributions of each unit with their sums; `within` are the cases that the estimate rests on."""
        if self.unit is None:
            raise TypeError("each case is a unit of its own")
        used = self.unit if within is None else self.unit[within]
        is_under = np.bincount(used, minlength=self.units) > 0
        sums = self.sums(influence, together=together)
        return Contributions(self.contributions(influence, together=together), is_under, sums)

    def _sums_of_cases(self, influence: Any, *, together: bool, skewed: bool) -> Sums:
        """Add up independent cases, a piece and a class at a time."""
        parts = list(slices(self.items))
        mass = np.full(self.classes, self.mass.sum()) if together else self.mass
        means = getattr(influence, "means", None)
        if means is None:
            totals = np.sum([*mapped(lambda part: self._totals(influence, part), parts)], axis=0)
            means = (np.full(self.classes, totals.sum()) if together else totals) / mass

        def powers(part: slice) -> list[tuple[float, float, float, float]]:
            """Return of each class the powers 2 to 4 and the largest square."""
            found = []
            for (psi, weights, times), mean in zip(self._by_class(influence, part), means, strict=True):
                apart = _times(psi - float(mean), weights)
                square = apart * apart
                counted = _times(square, times)
                more = ((counted * apart).sum(), (counted * square).sum()) if skewed else (0.0, 0.0)
                found.append((counted.sum(), *more, square.max(initial=0.0)))
            return found

        each, scale = np.array(list(mapped(powers, parts))), getattr(influence, "scale", None)
        mass = mass if scale is None else mass / scale
        squares, third, fourth = (each[:, :, k].sum(axis=0) / mass ** (k + 2) for k in range(3))
        # influences are at most a few times as large as they are apart from their mean
        largest = (each[:, :, 3].max(axis=0) + np.square(means)) / mass**2
        squares = np.where(squares < VANISHING * largest, 0.0, squares)
        second, n, equal = float(squares.sum()), self.cases, self.kish
        if together:
            n, equal = (sum(n),), (float(self.mass.sum()) if self.weights is None else kish(self.weights),)
        of_strata = (second,) if together else tuple(squares.tolist())
        return Sums(sum(n), n, of_strata, equal, second, float(third.sum()), float(fourth.sum()), second)

    def _totals(self, influence: Any, part: slice) -> list[float]:
        return [_times(_times(psi, weights), times).sum() for psi, weights, times in self._by_class(influence, part)]

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.of_class)

    def _by_class(self, influence: Any, part: slice) -> Iterator[tuple[Floats, Any, Any]]:
        """Yield for each class the influences of some of its items, their weights, and how many cases each stands for."""
        psi, of_class = influence[part], self.of_class[part]
        for k in range(self.classes):
            own = of_class == k
            weights, times = (None if each is None else each[part][own] for each in (self.weights, self.times))
            yield psi[own].astype(np.float64, copy=False), weights, times


@dataclass(frozen=True)
class RowDesign(Design):
    """Independent cases of weight 1 of two classes, counted at each of many scores.

    Its influences are those of a negative and of a positive at each score.
    """

    positives: Counts = field(kw_only=True)
    """Cumulated, the first number 0."""
    negatives: Counts = field(kw_only=True)

    @classmethod
    def of(cls, positives: Counts, negatives: Counts) -> RowDesign:
        """Return the design of cumulated counts."""
        return cls(np.zeros(0, dtype=np.int8), positives=positives, negatives=negatives)

    @cached_property
    def cases(self) -> tuple[int, ...]:
        """The negatives and the positives."""
        return int(self.negatives[-1]), int(self.positives[-1])

    @property
    def items(self) -> int:
        """The number of scores."""
        return len(self.positives) - 1

    def _by_class(self, influence: Any, part: slice) -> Iterator[tuple[Floats, Any, Any]]:
        rows = slice(part.start, part.stop + 1)
        yield influence.of_negative[part], None, np.diff(self.negatives[rows])
        yield influence.of_positive[part], None, np.diff(self.positives[rows])


def _whole(influence: Any, of_class: Codes) -> Floats:
    """Return the influence of each item."""
    psi, scale = np.asarray(influence[:], dtype=np.float64), getattr(influence, "scale", None)
    return psi if scale is None else psi * scale[of_class]


def _times(numbers: Floats, factors: Any) -> Floats:
    """Return numbers times factors, None of which are 1."""
    return numbers if factors is None else numbers * factors


def _squared(numbers: Floats) -> float:
    return float((numbers**2).sum())


def pseudo_of_areas(p: float, q: float) -> float:
    """Return the variance of pseudo-cases of a difference of areas, below which it never falls."""
    return PSEUDO_CASES * FLOOR**2 * (1 / p**2 + 1 / q**2)


def is_matched(sums: Sums) -> bool:
    """Whether the contributions of the cases of a unit cancel."""
    return sums.second < MATCHED * sums.case_squares


class Contributions(NamedTuple):
    """What each unit contributes to an estimate."""

    of_units: Floats
    is_under: Flags
    """Which units have a case that the estimate rests on."""
    sums: Sums


class Shared(NamedTuple):
    """What estimates on different cases share: their correlation, and the units with a case under either."""

    correlation: float = 0.0
    units: float = 1.0
    is_any: bool = False
    """Whether some unit has a case under both."""


APART = Shared()
"""Estimates that share no unit."""


def shared(first: Contributions, second: Contributions) -> Shared:
    """Return what two estimates share, whose units are numbered alike."""
    if not (first.is_under & second.is_under).any():
        return APART
    units = float(np.count_nonzero(first.is_under | second.is_under))
    return Shared(correlation(first.of_units, second.of_units, first.sums, second.sums), units, is_any=True)


def designs_alike(
    designs: tuple[Design, Design], names: tuple[Sequence[str], Sequence[str]]
) -> tuple[Design, Design] | None:
    """Return two designs with their units numbered alike, by the names of these; None if no name is in both."""
    (one, other), (own, others) = designs, names
    numbers = {name: at for at, name in enumerate(own)}
    if numbers.keys().isdisjoint(others):
        return None
    of_other = np.array([numbers.setdefault(name, len(numbers)) for name in others])
    return replace(one, units=len(numbers)), replace(other, unit=of_other[other.unit], units=len(numbers))


def correlation(first: Floats, second: Floats, of_first: Sums, of_second: Sums) -> float:
    """Return the correlation of two estimates, from what each unit contributes to either."""
    if any(sums.second < 1e-26 * sums.case_squares or not sums.second for sums in (of_first, of_second)):
        return 0.0
    return float((first * second).sum()) / sqrt(of_first.second * of_second.second)


def _added(codes: Codes, numbers: Floats, length: int) -> Floats:
    return np.bincount(codes, numbers, minlength=length).astype(np.float64, copy=False)


def kish(masses: Floats | Counts) -> float:
    """Return the number of units of equal mass that are worth as much (Kish)."""
    total, squares = float(masses.sum()), float(np.square(masses, dtype=np.float64).sum())
    return total**2 / squares if squares else 0.0


def _missed(weights: Floats) -> Floats:
    """Return for each weight how much of cases at least as heavy the sample may have missed."""
    order = np.sort(weights)
    above = np.append(np.cumsum(order[::-1])[::-1], 0.0)
    return above[np.searchsorted(order, weights, side="left")] / RULE_OF_THREE
