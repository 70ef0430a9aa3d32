"""What a plan assumes: the numbers, the options that all its questions share, and the conditions they are about."""

from __future__ import annotations

from dataclasses import fields
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from rocconf.compute.plan import SIMULATION, Condition, FormulaQuestion, Mix, RateQuestion, Size, require_power
from rocconf.compute.roc.auc import require_interval_kind
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.seeds import generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.gate.rule import GateRule, in_full
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.compute.plan import Question
    from rocconf.records import IntervalKind

FEWEST = 5
"""The simulated samples that at least are expected to pass, and not to."""

LEAST_RUNS, MOST_RUNS = 100, 100_000

OPEN = ("auc", "baseline_auc", "prevalence")
"""The assumed numbers that are neither 0 nor 1."""

RATES = {"tpr": "tpr", "fpr": "fpr", "specificity": "fpr"}
"""The metrics of an operating point that are planned, each with the number that is assumed."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The numbers that are assumed, None where they are not."""

    auc: float | None = None
    baseline_auc: float | None = None
    correlation: float | None = None
    tpr: float | None = None
    baseline_tpr: float | None = None
    fpr: float | None = None
    baseline_fpr: float | None = None
    disagree: str | None = None
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name, value in self.given.items():
            is_open = name in OPEN
            if isinstance(value, float | int) and name != "correlation" and not _is_share(value, is_open=is_open):
                ends = {"opening": "(", "closing": ")"} if is_open else {"opening": "[", "closing": "]"}
                raise UsageError("plan-share", name=name, option=name.replace("_", "-"), value=value, **ends)
        if self.correlation is not None and not -1 < self.correlation < 1:
            raise UsageError("plan-correlation", correlation=self.correlation)
        if self.disagree is not None:
            disagreement(self.disagree)

    @property
    def given(self) -> dict[str, float | str]:
        """Those that are assumed."""
        return {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) is not None}


def _is_share(value: float, *, is_open: bool) -> bool:
    return 0 < value < 1 if is_open else 0 <= value <= 1


class Disagreement(NamedTuple):
    """The shares of the cases of a class that only the new model has right, and only its baseline."""

    more: float
    less: float


def disagreement(text: str) -> Disagreement:
    """Parse NEW:OLD, the shares of the cases that only one of two models has right."""
    try:
        more, less = map(float, text.split(":"))
    except ValueError:
        raise UsageError("plan-disagree-form", found=text) from None
    if not (more >= 0 and less >= 0 and more + less <= 1):
        raise UsageError("plan-disagree-range", found=text)
    return Disagreement(more, less)


@dataclass(frozen=True, slots=True)
class Common:
    """What all questions share."""

    power: float
    level: float
    kind: IntervalKind
    runs: int
    seed: int
    given: Size | None

    def __post_init__(self) -> None:
        require_power(self.power)
        require_level(self.level)
        require_interval_kind(self.kind)
        if not LEAST_RUNS <= self.runs <= MOST_RUNS:
            raise UsageError("plan-runs", runs=self.runs, least=LEAST_RUNS, most=MOST_RUNS)
        generator(self.seed)


def is_rate(metric: str) -> bool:
    """Return whether a metric is a rate that is planned, or a difference of one."""
    return metric.removeprefix(DELTA) in RATES


def given_size(truth: Truth, positives: int | None, negatives: int | None, cases: int | None) -> Size | None:
    """Return the size whose power is asked for; None of a class that is to follow from the prevalence."""
    for name, value in (("positives", positives), ("negatives", negatives), ("cases", cases)):
        if value is not None and value < 1:
            raise UsageError("plan-size", name=name, value=value)
    if cases is not None:
        if positives is not None or negatives is not None:
            raise UsageError("plan-cases-and-classes")
        if truth.prevalence is None:
            raise UsageError("plan-cases-without-prevalence")
        return Mix(truth.prevalence).of_cases(cases)
    return None if positives is None and negatives is None else Size(positives, negatives)


def size_for(question: Question, given: Size | None) -> Size | None:
    """Return the size whose power is asked for, the other class by the prevalence."""
    if given is None or given.cases is not None:
        return given
    of_positives = given.positives is not None
    return question.mix.size((given.positives if of_positives else given.negatives) or 1, of_positives=of_positives)


def condition_of(rule: GateRule, common: Common) -> Condition:
    """Return the condition of a rule, at its own level or that of the plan."""
    level = common.level if rule.level is None else rule.level
    return Condition(rule.text, rule.metric, rule.op, rule.limit, level, common.kind)


def half_width_of(half_width: float, truth: Truth, common: Common, *, paired: bool = False) -> Condition:
    """Return the condition of the half-width of an area's interval."""
    if number_of(truth) != "auc":
        raise UsageError("plan-half-width-of-rate")
    metric = f"{DELTA}auc" if paired or truth.correlation is not None else "auc"
    text = f"{metric} within {in_full(half_width)}"
    return Condition(text, metric, "<=", half_width, common.level, common.kind, is_half_width=True)


def number_of(truth: Truth) -> str:
    """Return the metric that is assumed, or the area."""
    return "tpr" if truth.tpr is not None else "fpr" if truth.fpr is not None else "auc"


def require_askable(questions: Iterable[Question], common: Common) -> None:
    """Reject sizes and powers that say nothing about a question."""
    for question in questions:
        _require_size(question, common.given)
        _require_enough_runs(question, common)


def _require_enough_runs(question: Question, common: Common) -> None:
    """Reject a power so near to 0 or 1 that hardly a simulated sample is on the other side."""
    least = ceil(round(FEWEST / min(common.power, 1 - common.power), 3))
    if question.method == SIMULATION and common.runs < least:
        raise UsageError("plan-runs-of-power", power=common.power, runs=common.runs, least=least)


def _require_size(question: Question, given: Size | None) -> None:
    """Reject a size that says nothing about a rule: of the other class alone, or for a formula."""
    if given is None:
        return
    rule = question.condition.rule
    if isinstance(question, FormulaQuestion):
        raise UsageError("plan-size-by-formula", rule=rule)
    size = size_for(question, given)
    if size is None or question.unit_of(size) is None:
        raise UsageError(
            "plan-size-of-other-class", rule=rule, name="positives" if question.counts_positives else "negatives"
        )


def paired_rate(condition: Condition, model: str, found: Disagreement, mix: Mix, *, of_positives: bool) -> RateQuestion:
    """Return the question about a difference of two rates, which no case that both models have right takes part in."""
    of_class = "positives" if of_positives else "negatives"
    words = (
        f"{100 * found.more:.3g}% of the {of_class} are right in the model alone and {100 * found.less:.3g}% "
        "in its baseline alone"
    )
    return RateQuestion(condition, model, words, mix, found.more - found.less, of_positives, found.more, found.less)
