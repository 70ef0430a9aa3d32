r"""What a plan asks: how often an interval meets a rule in samples of a size, if the truth is known.

An area or a difference of two areas is simulated. A rate at an operating point has a binomial number of hits, and the
difference of two rates on the same cases a trinomial, over which is summed. Of any other metric, and of a report, the
interval at hand is scaled (`rocconf.compute.stats.plan`).

Rules that want a small number are turned round: `fpr <= 0.1` is met as often as `specificity >= 0.9`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field
from math import ceil, erfc, inf, isfinite, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocconf.compute.plan.populations import Part
from rocconf.compute.plan.search import MOST, Found, least_size, likely_size, simulated_size
from rocconf.compute.plan.simulated import area_limits, difference_limits, expected_spread, samples
from rocconf.compute.stats.plan import classical_size, needed_cases, obuchowski_variance
from rocconf.compute.stats.rate_power import paired_reaches, rate_reaches
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from rocconf.compute.plan.populations import Population
    from rocconf.compute.plan.simulated import Samples
    from rocconf.records import Flags, Floats, Interval, IntervalKind

PASS, FAIL, NARROW = "pass", "fail", "narrow"
SIMULATION, ENUMERATION, FORMULA = "simulation", "enumeration", "formula"

AT_LIMIT = "the value is the limit"
MEETS, MEETS_NOT = "the value meets the rule", "the value does not meet the rule"
TOO_MANY = f"more than {MOST:,} cases of a class"

QUIET = 4
"""The sizes in a row that must have the power, times the distance of the value to the limit."""


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of cases; None where the prevalence that they follow from is unknown."""

    positives: int | None
    negatives: int | None

    @property
    def cases(self) -> int | None:
        """All of them."""
        return None if self.positives is None or self.negatives is None else self.positives + self.negatives


@dataclass(frozen=True, slots=True)
class Mix:
    """The share of the cases that is positive, if it is known."""

    prevalence: float | None

    def of_positives(self, p: int) -> Size:
        """Return the size with so many positives."""
        if self.prevalence is None:
            return Size(p, None)
        return Size(p, max(ceil(round(p * (1 - self.prevalence) / self.prevalence, 6)), 1))

    def of_negatives(self, q: int) -> Size:
        """Return the size with so many negatives."""
        if self.prevalence is None:
            return Size(None, q)
        return Size(max(ceil(round(q * self.prevalence / (1 - self.prevalence), 6)), 1), q)

    def of_cases(self, n: int) -> Size:
        """Return the size of so many cases."""
        p = round(n * (self.prevalence or 0.5))
        return Size(p, n - p)


@dataclass(frozen=True, slots=True)
class Share:
    """How often a rule passes and fails in samples of a size, with the standard error of what was simulated."""

    passes: float
    fails: float | None
    runs: int | None = None

    def of(self, verdict: str) -> float:
        """Return the share of a verdict."""
        return (self.fails or 0.0) if verdict == FAIL else self.passes

    def error_of(self, verdict: str) -> float | None:
        """Return the standard error of the share of a verdict; None of one that is exact."""
        share = self.of(verdict)
        return None if self.runs is None else sqrt(share * (1 - share) / self.runs)


@dataclass(frozen=True, slots=True)
class Condition:
    """The rule, or the half-width, that an interval is to meet."""

    rule: str
    metric: str
    op: str
    limit: float
    level: float
    kind: IntervalKind
    is_half_width: bool = False

    @property
    def is_upwards(self) -> bool:
        """Whether large values meet the rule."""
        return self.op in (">=", ">")

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What can be planned for."""
        return (NARROW,) if self.is_half_width else (PASS, FAIL)

    def why_never(self, value: float, verdict: str) -> str:
        """Return why a verdict takes no number of cases, empty if it takes one."""
        if self.is_half_width:
            return ""
        if value == self.limit:
            return AT_LIMIT
        meets = (value > self.limit) == self.is_upwards
        return "" if meets == (verdict == PASS) else MEETS if verdict == FAIL else MEETS_NOT

    def met(self, lower: Floats, upper: Floats, verdict: str) -> Flags:
        """Return whether intervals lead to a verdict."""
        if self.is_half_width:
            return (upper - lower) / 2 <= self.limit
        limit = self.limit
        passes, fails = {
            ">=": (lower >= limit, upper < limit),
            ">": (lower > limit, upper <= limit),
            "<=": (upper <= limit, lower > limit),
            "<": (upper < limit, lower >= limit),
        }[self.op]
        return passes if verdict == PASS else fails


class Question(ABC):
    """A condition, and what is assumed to be true."""

    method: ClassVar[str]

    condition: Condition
    model: str
    value: float
    """The true value."""
    truth: str
    """What is assumed, in words."""

    @property
    @abstractmethod
    def counts_positives(self) -> bool:
        """Whether positives are counted, and negatives follow; otherwise it is the other way round."""

    @abstractmethod
    def size_of(self, unit: int) -> Size:
        """Return the size with so many cases of the class that is counted."""

    @abstractmethod
    def unit_of(self, size: Size) -> int | None:
        """Return how many cases of the class that is counted a size has."""

    @abstractmethod
    def share(self, size: Size) -> Share | None:
        """Return how often the condition is met in samples of a size; None where only a formula is known."""

    @abstractmethod
    def find(self, verdict: str, power: float) -> Found | None:
        """Return how many cases of the class that is counted lead to a verdict with a power; None if no number does."""

    def classical(self, power: float) -> float | None:  # noqa: ARG002  # not every question has a classical form
        """Return the number of the class that is counted by the classical form, which Wald's interval follows."""
        return None


@dataclass(frozen=True, slots=True)
class AreaQuestion(Question):
    """An area, or the difference of two areas on the same cases."""

    method: ClassVar[str] = SIMULATION

    condition: Condition
    model: str
    truth: str
    population: Population
    mix: Mix
    runs: int
    seed: int
    _shares: dict[tuple[int, int], Share] = field(default_factory=dict)
    _drawn: dict[tuple[int, int], Samples] = field(default_factory=dict)

    @property
    def value(self) -> float:  # type: ignore[override]  # it follows from the population
        """The true area, or the true difference."""
        areas = self.population.areas
        return areas[0] - areas[1] if len(areas) > 1 else areas[0]

    @property
    def counts_positives(self) -> bool:
        """Whether positives are the smaller class, which is counted."""
        return (self.mix.prevalence or 0) <= 0.5

    def size_of(self, unit: int) -> Size:
        """Return the size with so many cases of the smaller class."""
        return self.mix.of_positives(unit) if self.counts_positives else self.mix.of_negatives(unit)

    def unit_of(self, size: Size) -> int | None:
        """Return the cases of the smaller class."""
        return size.positives if self.counts_positives else size.negatives

    def share(self, size: Size) -> Share | None:
        """Return how often the condition is met in simulated samples."""
        p, q = size.positives, size.negatives
        if p is None or q is None:
            return None
        if (p, q) not in self._shares:
            drawn = self.samples(p, q)
            met = [float(self.condition.met(drawn.lower, drawn.upper, verdict).mean()) for verdict in (PASS, FAIL)]
            fails = None if self.condition.is_half_width else met[1]
            self._shares[p, q] = Share(met[0], fails, self.runs)
        return self._shares[p, q]

    def samples(self, p: int, q: int) -> Samples:
        """Return the intervals of simulated samples; a class of one case has none that says anything."""
        if min(p, q) < 2:
            empty = np.zeros(self.runs)
            return samples_without_spread(empty)
        condition = self.condition
        return samples(
            self.population, p, q, runs=self.runs, seed=self.seed, level=condition.level, kind=condition.kind
        )

    def find(self, verdict: str, power: float) -> Found | None:
        """Return the size of the smaller class by simulation, which starts from the intervals that are expected."""
        start = likely_size(lambda unit: self._expected(unit, verdict), power)
        if start is None:
            return None

        def share_of(unit: int) -> float:
            share = self.share(self.size_of(unit))
            return share.of(verdict) if share else 0.0

        if self.condition.is_half_width:
            return self._narrow(start, power)
        found = simulated_size(share_of, power, start=start, runs=self.runs)
        return found if found.size <= MOST else None

    def classical(self, power: float) -> float | None:
        """Return the smaller class by Obuchowski's form for one area, by the large-sample variance for a difference."""
        size, level = self.size_of(1000), self.condition.level
        if self.condition.is_half_width or size.positives is None or size.negatives is None:
            return None
        distance, kappa = self.value - self.condition.limit, size.negatives / size.positives
        if len(self.population.areas) == 1:
            if not (0 < self.condition.limit < 1 and 0 < self.value < 1):
                return None
            variances = [obuchowski_variance(area, kappa) for area in (self.condition.limit, self.value)]
        else:
            variances = [size.positives * expected_spread(self.population, size.positives, size.negatives) ** 2] * 2
        positives = classical_size(distance, *variances, level=level, power=power)
        return positives if self.counts_positives else positives * kappa

    def _narrow(self, start: int, power: float) -> Found | None:
        """Return the size whose intervals are narrow enough: half-widths shrink with the root of the size."""
        unit = start
        for _ in range(3):
            size = self.size_of(unit)
            drawn = self.samples(size.positives or 1, size.negatives or 1)
            half = float(np.quantile((drawn.upper - drawn.lower) / 2, power))
            following = max(ceil(unit * (half / self.condition.limit) ** 2), 2)
            if following == unit:
                break
            unit = following
        return Found(unit) if unit <= MOST else None

    def _expected(self, unit: int, verdict: str) -> float:
        """Return about how often the condition is met, from the interval that is expected of a size."""
        size = self.size_of(unit)
        p, q = size.positives or 1, size.negatives or 1
        if min(p, q) < 2:
            return 0.0
        parts = [
            Part(np.array([each.mean]), np.array([each.second / of]), np.array([each.third / of**2]))
            for each, of in zip(self.population.moments, (p, q), strict=True)
        ]
        limits = difference_limits if len(self.population.areas) > 1 else area_limits
        condition = self.condition
        lower, upper = limits(
            np.array([self.value]), parts[0], parts[1], p, q, level=condition.level, kind=condition.kind
        )
        if condition.is_half_width:
            return float((upper[0] - lower[0]) / 2 <= condition.limit)
        from_below = condition.is_upwards == (verdict == PASS)
        beyond = lower[0] - condition.limit if from_below else condition.limit - upper[0]
        spread = expected_spread(self.population, p, q)
        return float(beyond > 0) if spread == 0 else erfc(-beyond / spread / sqrt(2)) / 2


def samples_without_spread(values: Floats) -> Samples:
    """Return samples whose intervals decide nothing."""
    from rocconf.compute.plan.simulated import Samples

    return Samples(values, np.full(len(values), -inf), np.full(len(values), inf))


@dataclass(frozen=True, slots=True)
class RateQuestion(Question):
    """A rate of one class at an operating point, or its difference between two models on the same cases.

    Of a difference, `more` and `less` are the shares of the cases that only the model, or only its baseline, has right.
    """

    method: ClassVar[str] = ENUMERATION

    condition: Condition
    model: str
    truth: str
    value: float
    mix: Mix
    counts_positives: bool
    more: float | None = None
    less: float | None = None
    _shares: dict[int, Share] = field(default_factory=dict)

    def size_of(self, unit: int) -> Size:
        """Return the size with so many cases of the class."""
        return self.mix.of_positives(unit) if self.counts_positives else self.mix.of_negatives(unit)

    def unit_of(self, size: Size) -> int | None:
        """Return the cases of the class."""
        return size.positives if self.counts_positives else size.negatives

    def share(self, size: Size) -> Share | None:
        """Return how often the condition is met, added up."""
        unit = self.unit_of(size)
        if unit is None:
            return None
        if unit not in self._shares:
            self._shares[unit] = Share(self._share(unit, PASS), self._share(unit, FAIL))
        return self._shares[unit]

    def find(self, verdict: str, power: float) -> Found | None:
        """Return from how many cases of the class on the verdict has the power."""
        distance = abs(self.value - self.condition.limit)
        quiet = min(ceil(QUIET / distance), 60 if self.more is not None else 2000)
        size = least_size(lambda unit: self._share(unit, verdict), power, quiet=quiet)
        return None if size is None else Found(size)

    def classical(self, power: float) -> float | None:
        """Return the cases of the class by the normal distribution."""
        limit, level = self.condition.limit, self.condition.level
        if self.more is None or self.less is None:
            variances = limit * (1 - limit), self.value * (1 - self.value)
        else:
            spread = self.more + self.less - self.value**2
            variances = spread, spread
        return classical_size(self.value - limit, *variances, level=level, power=power)

    def _share(self, unit: int, verdict: str) -> float:
        """Return how often the lower limit of the rate reaches the limit, or that of its complement."""
        condition, turned = self.condition, self.condition.is_upwards != (verdict == PASS)
        level, kind = condition.level, condition.kind
        if self.more is not None and self.less is not None:
            more, less, limit = (
                (self.less, self.more, -condition.limit) if turned else (self.more, self.less, condition.limit)
            )
            return paired_reaches(unit, more, less, limit, level=level, kind=kind)
        rate, limit = (1 - self.value, 1 - condition.limit) if turned else (self.value, condition.limit)
        return float(rate_reaches(np.array([unit]), rate, limit, level=level, kind=kind)[0])


@dataclass(frozen=True, slots=True)
class FormulaQuestion(Question):
    """Any metric with an interval at hand, which is scaled to more cases."""

    method: ClassVar[str] = FORMULA

    condition: Condition
    model: str
    truth: str
    value: float
    interval: Interval
    at_hand: Size
    has_floor: bool = False

    @property
    def counts_positives(self) -> bool:
        """Whether positives are counted, as they are where negatives are in proportion."""
        return True

    def size_of(self, unit: int) -> Size:
        """Return the size with so many positives, and negatives in proportion."""
        p, q = self.at_hand.positives or 1, self.at_hand.negatives or 1
        return Size(unit, ceil(unit * q / p))

    def unit_of(self, size: Size) -> int | None:
        """Return the positives."""
        return size.positives

    def share(self, size: Size) -> Share | None:  # noqa: ARG002  # only the cases of a power are known
        """Return None: the formula knows the cases of a power."""
        return None

    def find(self, verdict: str, power: float) -> Found | None:  # noqa: ARG002  # the side follows from the value
        """Return how many positives, with negatives in proportion, would decide if the value stays as it is."""
        p, q = self.at_hand.positives or 1, self.at_hand.negatives or 1
        needed = needed_cases(
            self.value,
            self.interval,
            self.condition.limit,
            p,
            q,
            level=self.condition.level,
            power=power,
            has_floor=self.has_floor,
        )
        if not isfinite(needed.times) or needed.times * p > MOST:
            return None
        return Found(max(ceil(needed.times * p), needed.least_positives or 0, 1))
