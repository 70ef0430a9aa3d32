r"""What a plan asks: how often an interval meets a rule in samples of a size, if the truth is known.

An area or a difference of two areas is simulated. A rate at an operating point has a binomial number of hits, and the
difference of two rates on the same cases a trinomial, over which is summed. Of any other metric, and of a report, the
estimate at hand is taken as that of more cases (`rocconf.compute.stats.plan`).

Rules that want a small number are mirrored: `fpr <= 0.1` is met as often as `specificity >= 0.9`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field
from math import ceil, erfc, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf.compute.plan.search import MOST, Found, least_size, simulated_size
from rocconf.compute.plan.simulated import expected, expected_spread, samples
from rocconf.compute.stats.plan import classical_size, needed_times, obuchowski_variance, paired_reaches, rate_reaches
from rocconf.dataclass import dataclass
from rocconf.metric import decided

if TYPE_CHECKING:
    from rocconf.compute.plan.populations import Population
    from rocconf.compute.stats.score_tests import Limits
    from rocconf.records import Flags, IntervalKind

PASS, FAIL, NARROW = "pass", "fail", "narrow"
SIMULATION, ENUMERATION, FORMULA = "simulation", "enumeration", "formula"

AT_LIMIT = "the value is the limit"
MEETS, MEETS_NOT = "the value meets the rule", "the value does not meet the rule"
TOO_MANY = f"more than {MOST:,} cases of a class"

QUIET, MOST_QUIET, MOST_QUIET_OF_PAIRS = 4, 2000, 60
"""The sizes in a row that must have the power, times the distance of the value to the limit, and the most of them."""


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of cases; None where the prevalence that they follow from is unknown."""

    positives: int | None
    negatives: int | None

    @classmethod
    def of_class(cls, unit: int, prevalence: float | None, *, of_positives: bool) -> Size:
        """Return the size with a number of cases of a class."""
        share = prevalence if of_positives or prevalence is None else 1 - prevalence
        other = None if share is None else max(ceil(round(unit * (1 - share) / share, 6)), 1)
        return cls(unit, other) if of_positives else cls(other, unit)

    @property
    def cases(self) -> int | None:
        """All of them."""
        return None if self.positives is None or self.negatives is None else self.positives + self.negatives

    @property
    def of_classes(self) -> tuple[int, int]:
        """The positives and the negatives, 1 of a class that is unknown."""
        return self.positives or 1, self.negatives or 1


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

    def met(self, drawn: Limits) -> tuple[Flags, Flags]:
        """Return which intervals meet the rule, or are narrow enough, and which fail it."""
        if self.is_half_width:
            half = (drawn.upper - drawn.lower) / 2
            return decided(self.op, half, half, self.limit)
        return decided(self.op, drawn.lower, drawn.upper, self.limit)


@dataclass(frozen=True, slots=True)
class Question(ABC):
    """A condition, and what is assumed to be true."""

    method: ClassVar[str]

    condition: Condition
    model: str
    truth: str
    """What is assumed, in words."""
    prevalence: float | None

    if TYPE_CHECKING:

        @property
        def value(self) -> float:
            """The true value."""

        @property
        def counts_positives(self) -> bool:
            """Whether positives are counted, and negatives follow; otherwise it is the other way round."""

    def size_of(self, unit: int) -> Size:
        """Return the size with so many cases of the class that is counted."""
        return Size.of_class(unit, self.prevalence, of_positives=self.counts_positives)

    def completed(self, size: Size) -> Size:
        """Return a size with both classes, as far as the prevalence is known."""
        if size.cases is not None:
            return size
        of_positives = size.positives is not None
        unit = (size.positives if of_positives else size.negatives) or 1
        return Size.of_class(unit, self.prevalence, of_positives=of_positives)

    def unit_of(self, size: Size) -> int | None:
        """Return how many cases of the class that is counted a size has."""
        return size.positives if self.counts_positives else size.negatives

    def share(self, size: Size) -> Share | None:  # noqa: ARG002  # of a formula only the cases of a power are known
        """Return how often the condition is met in samples of a size; None where only a formula is known."""
        return None

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

    population: Population
    runs: int
    seed: int
    _shares: dict[Size, Share] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The true area, or the true difference."""
        areas = self.population.areas
        return areas[0] - areas[1] if len(areas) > 1 else areas[0]

    @property
    def counts_positives(self) -> bool:
        """Whether positives are the smaller class, which is counted."""
        return (self.prevalence or 0) <= 0.5

    def share(self, size: Size) -> Share | None:
        """Return how often the condition is met in simulated samples."""
        if size.cases is None:
            return None
        if size not in self._shares:
            passes, fails = (float(each.mean()) for each in self.condition.met(self._samples(size)))
            self._shares[size] = Share(passes, None if self.condition.is_half_width else fails, self.runs)
        return self._shares[size]

    def _samples(self, size: Size) -> Limits:
        condition = self.condition
        how: Any = {"level": condition.level, "kind": condition.kind}
        return samples(self.population, *size.of_classes, runs=self.runs, seed=self.seed, **how)

    def find(self, verdict: str, power: float) -> Found | None:
        """Return the size of the smaller class by simulation, which starts from the intervals that are expected."""
        start = least_size(lambda unit: self._expected(unit, verdict), power)
        if start is None:
            return None
        if self.condition.is_half_width:
            return self._narrow(start, power)

        def share_of(unit: int) -> float:
            share = self.share(self.size_of(unit))
            return share.of(verdict) if share else 0.0

        found = simulated_size(share_of, power, start=start, runs=self.runs)
        return found if found.size <= MOST else None

    def classical(self, power: float) -> float | None:
        """Return the smaller class by Obuchowski's form for one area, by the large-sample variance for a difference."""
        (p, q), limit = self.size_of(1000).of_classes, self.condition.limit
        if self.condition.is_half_width or self.prevalence is None:
            return None
        kappa = q / p
        if len(self.population.areas) == 1:
            if not (0 < limit < 1 and 0 < self.value < 1):
                return None
            variances = [obuchowski_variance(area, kappa) for area in (limit, self.value)]
        else:
            variances = [p * expected_spread(self.population, p, q) ** 2] * 2
        positives = classical_size(self.value - limit, *variances, level=self.condition.level, power=power)
        return positives if self.counts_positives else positives * kappa

    def _narrow(self, start: int, power: float) -> Found | None:
        """Return the size whose intervals are narrow enough: half-widths shrink with the root of the size."""
        unit = start
        for _ in range(3):
            drawn = self._samples(self.size_of(unit))
            half = float(np.quantile((drawn.upper - drawn.lower) / 2, power))
            before, unit = unit, max(ceil(unit * (half / self.condition.limit) ** 2), 2)
            if unit == before:
                break
        return Found(unit) if unit <= MOST else None

    def _expected(self, unit: int, verdict: str) -> float:
        """Return about how often the condition is met, from the interval that is expected of a size."""
        (p, q), condition = self.size_of(unit).of_classes, self.condition
        if min(p, q) < 2:
            return 0.0
        found = expected(self.population, p, q, level=condition.level, kind=condition.kind)
        if condition.is_half_width:
            return float(condition.met(found)[0][0])
        from_below = condition.is_upwards == (verdict == PASS)
        beyond = float(found.lower[0] - condition.limit if from_below else condition.limit - found.upper[0])
        spread = expected_spread(self.population, p, q)
        return float(beyond > 0) if spread == 0 else erfc(-beyond / spread / sqrt(2)) / 2


@dataclass(frozen=True, slots=True)
class RateQuestion(Question):
    """A rate of one class at an operating point, or its difference between two models on the same cases.

    Of a difference, `more` and `less` are the shares of the cases that only the model, or only its baseline, has right.
    """

    method: ClassVar[str] = ENUMERATION

    value: float
    counts_positives: bool
    more: float | None = None
    less: float | None = None

    @classmethod
    def paired(
        cls,
        condition: Condition,
        model: str,
        prevalence: float | None,
        shares: tuple[float, float],
        *,
        of_positives: bool,
    ) -> RateQuestion:
        """Return the question about a difference, from the shares that only the model, and only its baseline, has right."""
        (more, less), of_class = shares, "positives" if of_positives else "negatives"
        words = (
            f"{100 * more:.3g}% of the {of_class} are right in the model alone and {100 * less:.3g}% "
            "in its baseline alone"
        )
        return cls(condition, model, words, prevalence, more - less, of_positives, more, less)

    def share(self, size: Size) -> Share | None:
        """Return how often the condition is met, added up."""
        unit = self.unit_of(size)
        return None if unit is None else Share(self._share(unit, PASS), self._share(unit, FAIL))

    def find(self, verdict: str, power: float) -> Found | None:
        """Return from how many cases of the class on the verdict has the power."""
        most = MOST_QUIET if self.more is None else MOST_QUIET_OF_PAIRS
        quiet = min(ceil(QUIET / abs(self.value - self.condition.limit)), most)
        size = least_size(lambda unit: self._share(unit, verdict), power, quiet=quiet)
        return None if size is None else Found(size)

    def classical(self, power: float) -> float | None:
        """Return the cases of the class by the normal distribution."""
        limit = self.condition.limit
        if self.more is None or self.less is None:
            variances = limit * (1 - limit), self.value * (1 - self.value)
        else:
            variances = (self.more + self.less - self.value**2,) * 2
        return classical_size(self.value - limit, *variances, level=self.condition.level, power=power)

    def _share(self, unit: int, verdict: str) -> float:
        """Return how often the lower limit of the rate reaches the limit, or that of its complement."""
        limit, mirrored = self.condition.limit, self.condition.is_upwards != (verdict == PASS)
        how: Any = {"level": self.condition.level, "kind": self.condition.kind}
        if self.more is not None and self.less is not None:
            found = (self.less, self.more, -limit) if mirrored else (self.more, self.less, limit)
            return paired_reaches(unit, *found, **how)
        rate, limit = (1 - self.value, 1 - limit) if mirrored else (self.value, limit)
        return float(rate_reaches(np.array([unit]), rate, limit, **how)[0])


@dataclass(frozen=True, slots=True)
class FormulaQuestion(Question):
    """Any metric with an estimate at hand, which is taken as that of more cases."""

    method: ClassVar[str] = FORMULA
    counts_positives: ClassVar[bool] = True

    estimate: Any
    positives: int
    """The positives that the estimate is from."""

    @property
    def value(self) -> float:
        """The value at hand."""
        return float(self.estimate.value)

    def find(self, verdict: str, power: float) -> Found | None:  # noqa: ARG002  # the side follows from the value
        """Return how many positives, with negatives in proportion, would decide if the value stays as it is."""
        times = needed_times(self.estimate, self.condition.limit, level=self.condition.level, power=power)
        most = MOST / max(self.positives, 1)
        return Found(max(ceil(times * self.positives), 1)) if times <= most else None
