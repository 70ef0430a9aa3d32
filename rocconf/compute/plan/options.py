"""The options of a plan: the numbers that are assumed, the questions, and how they are answered."""

from __future__ import annotations

from dataclasses import KW_ONLY  # noqa: TC003  # looked up by its name
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.compute.plan.questions import FORMULA, SIMULATION, Size
from rocconf.compute.roc.auc import require_interval_kind
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.compute.plan.questions import Question
    from rocconf.records import IntervalKind

POWER, RUNS = 0.8, 2000
"""The power that is planned for, and the simulated samples of each size, by default."""

LEAST_RUNS, MOST_RUNS = 100, 100_000

FEWEST = 5
"""The simulated samples that at least are expected to pass, and not to."""

NUMBERS = ("auc", "baseline_auc", "correlation", "tpr", "baseline_tpr", "fpr", "baseline_fpr", "disagree")
"""The options that are assumed numbers, beside the prevalence."""

SHARES = ("auc", "baseline_auc", "tpr", "baseline_tpr", "fpr", "baseline_fpr", "prevalence")
OPEN = ("auc", "baseline_auc", "prevalence")
"""The shares that are neither 0 nor 1."""


class Disagreement(NamedTuple):
    """The shares of the cases of a class that only the new model has right, and only its baseline."""

    more: float
    less: float

    @classmethod
    def parse(cls, text: str) -> Disagreement:
        """Parse NEW:OLD."""
        try:
            more, less = map(float, text.split(":"))
        except ValueError:
            raise UsageError("plan-disagree-form", found=text) from None
        if not (more >= 0 and less >= 0 and more + less <= 1):
            raise UsageError("plan-disagree-range", found=text)
        return cls(more, less)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The options of a plan, but its rules and its pilot; `rocconf.plan` documents them. Numbers that are not assumed are None."""

    _: KW_ONLY
    auc: float | None = None
    baseline_auc: float | None = None
    correlation: float | None = None
    tpr: float | None = None
    baseline_tpr: float | None = None
    fpr: float | None = None
    baseline_fpr: float | None = None
    disagree: str | None = None
    prevalence: float | None = None
    limit: float | None = None
    margin: float | None = None
    half_width: float | None = None
    positives: int | None = None
    negatives: int | None = None
    cases: int | None = None
    power: float = POWER
    level: float = 0.95
    interval: IntervalKind = ROBUST
    runs: int = RUNS
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in SHARES:
            value, is_open = getattr(self, name), name in OPEN
            if value is not None and not (0 < value < 1 if is_open else 0 <= value <= 1):
                ends = {"opening": "(", "closing": ")"} if is_open else {"opening": "[", "closing": "]"}
                raise UsageError("plan-share", name=name, option=name.replace("_", "-"), value=value, **ends)
        if self.correlation is not None and not -1 < self.correlation < 1:
            raise UsageError("plan-correlation", correlation=self.correlation)
        if self.disagree is not None:
            Disagreement.parse(self.disagree)
        self._require_size()
        if not 0 < self.power < 1:
            raise UsageError("plan-power", power=self.power)
        require_level(self.level)
        require_interval_kind(self.interval)
        if not LEAST_RUNS <= self.runs <= MOST_RUNS:
            raise UsageError("plan-runs", runs=self.runs, least=LEAST_RUNS, most=MOST_RUNS)
        generator(self.seed)

    def _require_size(self) -> None:
        for name in ("positives", "negatives", "cases"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError("plan-size", name=name, value=value)
        if self.cases is None:
            return
        if self.positives is not None or self.negatives is not None:
            raise UsageError("plan-cases-and-classes")
        if self.prevalence is None:
            raise UsageError("plan-cases-without-prevalence")

    @property
    def assumed(self) -> dict[str, Any]:
        """The numbers that are assumed, but the prevalence, by the names of their options."""
        return {name: getattr(self, name) for name in NUMBERS if getattr(self, name) is not None}

    @property
    def number(self) -> str:
        """The metric that is assumed, or the area."""
        return "tpr" if self.tpr is not None else "fpr" if self.fpr is not None else "auc"

    @property
    def size(self) -> Size | None:
        """The size whose power is asked for; None of a class that is to follow from the prevalence."""
        if self.cases is not None:
            positives = round(self.cases * (self.prevalence or 0.5))
            return Size(positives, self.cases - positives)
        return None if self.positives is None and self.negatives is None else Size(self.positives, self.negatives)


def require_askable(questions: Iterable[Question], asked: PlanOptions) -> None:
    """Reject a size of the other class alone, or for a formula, and a power that hardly a simulated sample misses or has."""
    least = ceil(round(FEWEST / min(asked.power, 1 - asked.power), 3))
    for question in questions:
        rule = question.condition.rule
        if asked.size is not None and question.method == FORMULA:
            raise UsageError("plan-size-by-formula", rule=rule)
        if asked.size is not None and question.unit_of(question.completed(asked.size)) is None:
            name = "positives" if question.counts_positives else "negatives"
            raise UsageError("plan-size-of-other-class", rule=rule, name=name)
        if question.method == SIMULATION and asked.runs < least:
            raise UsageError("plan-runs-of-power", power=asked.power, runs=asked.runs, least=least)
