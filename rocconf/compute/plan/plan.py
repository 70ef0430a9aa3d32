"""The plan of a measurement: the cases that a verdict needs, and how often it is reached with other numbers of cases."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.plan.questions import AT_LIMIT, ENUMERATION, FAIL, FORMULA, NARROW, PASS, SIMULATION, TOO_MANY
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.plan.options import PlanOptions
    from rocconf.compute.plan.questions import Question, Share, Size
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts, Source

SMALL_PILOT = 50
"""Below so many positives a pilot knows little of what it is planned with."""

FACTORS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
"""The sizes whose power is shown, as multiples of the size that is needed."""

MOST_FORMS = 2
"""Of more questions than this the sentences leave out the classical sizes."""

DIGITS = 3
"""Of the shares on a screen."""

CODES = {PASS: "plan-passes", FAIL: "plan-fails", NARROW: "plan-narrow"}
"""The message of each verdict that can be reached."""

ANY_SIZES = (100, 1000, 10_000)
"""Those that are shown where no size is enough."""

NOT_NEEDED = "no number of cases leads to this verdict: see reason"
NO_PREVALENCE = "the prevalence was not given"
EXACT = "the share is exact"
NO_CLASSICAL = "there is no classical form"

NUMBERS = ("positives", "negatives", "cases")
ROWS = (
    Column("model", "text"),
    Column("rule", "text"),
    Column("verdict", "text"),
    Column("power", "share"),
    *(Column(name, "count", f"{NOT_NEEDED}, or {NO_PREVALENCE}") for name in NUMBERS),
    Column("reached", "share", f"{NOT_NEEDED}, or it is by formula"),
    Column("reached_error", "number", EXACT),
    Column("cases_error", "number", "the number of cases is exact, or by formula"),
    Column("classical_cases", "number", f"{NO_CLASSICAL}, or {NO_PREVALENCE}"),
    Column("metric", "text"),
    Column("value", "number"),
    Column("op", "text"),
    Column("limit", "number"),
    Column("level", "share"),
    Column("interval", "text"),
    Column("method", "text"),
    Column("reason", "text", "the verdict can be reached"),
)
MODELS = (*ROWS[:7], Column("value", "number"), Column("level", "share"), Column("interval", "text"))
SIZES = (
    *ROWS[:2],
    *(Column(name, "count", NO_PREVALENCE) for name in NUMBERS),
    Column(PASS, "share"),
    Column(FAIL, "share", "a half-width has no failure"),
    Column("inconclusive", "share"),
    Column("error", "number", EXACT),
    Column("needed", "flag"),
)


@dataclass(frozen=True, slots=True)
class Need:
    """The cases that a verdict needs, or why no number is enough."""

    verdict: str
    size: Size | None
    share: Share | None = None
    error: float | None = None
    """The relative standard error of the size, where it was simulated."""
    classical: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AtSize:
    """How often a rule passes and fails in samples of a size."""

    size: Size
    share: Share
    is_needed: bool
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """The answer to one question."""

    question: Question
    needs: tuple[Need, ...]
    sizes: tuple[AtSize, ...]

    @property
    def need(self) -> Need:
        """The verdict that can be reached, or the first."""
        return next((need for need in self.needs if need.size is not None), self.needs[0])


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Result):
    """The cases that rules need, and the power of others. It judges no model."""

    command: ClassVar[str] = "plan"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "power")
    shown: ClassVar[tuple[str, ...]] = ("power",)
    rows_title: ClassVar[str] = "cases needed"
    rows_are_thresholds: ClassVar[bool] = False
    has_points: ClassVar[bool] = False
    model_counts: ClassVar[tuple[ScoreCounts, ...]] = ()

    plans: tuple[Planned, ...]
    asked: PlanOptions
    sources: tuple[Source, ...] = ()
    """The pilot, or the report."""
    about: tuple[Message, ...] = ()

    def __repr__(self) -> str:
        needed = ", ".join(f"{row['rule']!r}: {row['cases']}" for row in self.table("models").records())
        return f"Plan({needed})"

    @property
    def screen(self) -> dict[str, tuple[str, ...]]:  # type: ignore[override]  # the rule of a single one is in the answer
        """The table that fits a screen: the power of a few sizes."""
        keys: tuple[str, ...] = ("positives", "negatives", "cases", PASS)
        if not any(plan.question.condition.is_half_width for plan in self.plans):
            keys += (FAIL, "inconclusive")
        return {"power": keys if len(self.plans) == 1 else ("rule", *keys)}

    @property
    def options(self) -> dict[str, Any]:
        """The options of the plan."""
        names = ("power", "level", "interval", "prevalence", "runs", "seed")
        require = [plan.question.condition.rule for plan in self.plans]
        options = {name: getattr(self.asked, name) for name in names}
        return {"require": require, **options, "assumed": self.asked.assumed}

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.sources for caveat in source.caveats]
        return tuple(dict.fromkeys([*found, *self.about, message("plan-judges-nothing")]))

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Message]:
        for plan in self.plans:
            yield _about_needs(plan, self.asked)
            for at in plan.sizes:
                if at.is_given:
                    yield _about_size(plan, at)
        for method in dict.fromkeys(plan.question.method for plan in self.plans):
            of_method = [plan for plan in self.plans if plan.question.method == method]
            yield _about_method(of_method, method, self.asked)

    def table(self, name: str = "rows") -> Table:
        """Return the cases needed (`rows`), those of the verdict that can be reached (`models`), or the `power`."""
        if name == "power":
            return Table.of(name, SIZES, [_size_row(plan, at) for plan in self.plans for at in plan.sizes])
        if name == "models":
            return Table.of(name, MODELS, [_row(plan, plan.need, self.asked.power) for plan in self.plans])
        return Table.of(name, ROWS, [_row(plan, need, self.asked.power) for plan in self.plans for need in plan.needs])

    def on_screen(self, name: str) -> Table:
        """Return a table; of several rules the sizes that are needed or given, with shares that a column has room for."""
        if name != "power":
            return self.table(name)
        every = len(self.plans) == 1
        chosen = [(plan, at) for plan in self.plans for at in plan.sizes if every or at.is_needed or at.is_given]
        rows = [_size_row(plan, at) for plan, at in chosen]
        shares = (PASS, FAIL, "inconclusive")
        rounded = [row | {key: row[key] and round(row[key], DIGITS) for key in shares} for row in rows]
        return Table.of(name, SIZES, rounded)

    def title(self, name: str) -> str:
        """Return the title of a table in the formats for people."""
        return "share of samples by their number of cases" if name == "power" else super().title(name)


def plan_for(
    questions: Sequence[Question],
    asked: PlanOptions,
    *,
    sources: tuple[Source, ...] = (),
    about: tuple[Message, ...] = (),
) -> Plan:
    """Return the plan for some questions."""
    return Plan(tuple(_planned(question, asked) for question in questions), asked, sources, about)


def _planned(question: Question, asked: PlanOptions) -> Planned:
    needs = tuple(_need(question, verdict, asked.power) for verdict in question.condition.verdicts)
    if question.method == FORMULA:
        return Planned(question, needs, ())
    needed = [need.size for need in needs if need.size is not None]
    given = asked.size and question.completed(asked.size)
    units = {max(ceil((question.unit_of(size) or 0) * factor), 2) for size in needed for factor in FACTORS}
    sizes = {question.size_of(unit) for unit in units or ANY_SIZES} | ({given} if given else set())
    ordered = sorted(sizes, key=lambda size: (size.positives or 0, size.negatives or 0))
    shares = ((size, question.share(size)) for size in ordered)
    rows = (AtSize(size, share, size in needed, size == given) for size, share in shares if share is not None)
    return Planned(question, needs, tuple(rows))


def _need(question: Question, verdict: str, power: float) -> Need:
    why = question.condition.why_never(question.value, verdict)
    if why:
        return Need(verdict, None, reason=why)
    found = question.find(verdict, power)
    classical = question.classical(power)
    if found is None:
        return Need(verdict, None, classical=classical, reason=TOO_MANY)
    size = question.size_of(found.size)
    return Need(verdict, size, question.share(size), found.error, classical)


def _row(plan: Planned, need: Need, power: float) -> dict[str, Any]:
    question, condition, share = plan.question, plan.question.condition, need.share
    classical = None if need.classical is None else ceil(need.classical)
    return {
        **_what(question, need.size),
        "verdict": need.verdict,
        "power": power,
        "reached": share and share.of(need.verdict),
        "reached_error": share and share.error_of(need.verdict),
        "cases_error": need.error,
        "classical_cases": question.size_of(classical).cases if classical and classical < 1 << 53 else None,
        "metric": condition.metric,
        "value": question.value,
        "op": condition.op,
        "limit": condition.limit,
        "level": condition.level,
        "interval": condition.kind,
        "method": question.method,
        "reason": need.reason or None,
    }


def _size_row(plan: Planned, at: AtSize) -> dict[str, Any]:
    share = at.share
    return {
        **_what(plan.question, at.size),
        PASS: share.passes,
        FAIL: share.fails,
        "inconclusive": max(1 - share.passes - (share.fails or 0.0), 0.0),
        "error": share.error_of(PASS),
        "needed": at.is_needed,
    }


def _what(question: Question, size: Size | None) -> dict[str, Any]:
    cases = {name: None if size is None else getattr(size, name) for name in NUMBERS}
    return {"model": question.model, "rule": question.condition.rule, **cases}


def _about_needs(plan: Planned, asked: PlanOptions) -> Message:
    question, condition, need = plan.question, plan.question.condition, plan.need
    about: dict[str, Any] = {"rule": condition.rule, "truth": question.truth}
    if any(each.reason == AT_LIMIT for each in plan.needs):
        return message("plan-at-limit", **about, error=wording.percent((1 - condition.level) / 2))
    about |= {"kind": condition.kind, "level": wording.level(condition.level), "power": wording.level(asked.power)}
    if need.size is None:
        return message("plan-too-many", **about, most=TOO_MANY)
    return message(CODES[need.verdict], **about, size=_size_in_words(question, need.size))


def _about_size(plan: Planned, at: AtSize) -> Message:
    size = _size_in_words(plan.question, at.size).removeprefix("about ")
    fails = "" if at.share.fails is None else f", fails with {wording.percent(at.share.fails)}"
    passes = wording.percent(at.share.passes)
    return message("plan-at-size", size=size, rule=plan.question.condition.rule, passes=passes, fails=fails)


def _about_method(plans: Sequence[Planned], method: str, asked: PlanOptions) -> Message:
    needs = [(plan.question, need) for plan in plans for need in plan.needs if not need.reason]
    forms = [_count_in_words(question, ceil(need.classical)) for question, need in needs if need.classical is not None]
    told = message("plan-classical", sizes=" and ".join(forms)) if 0 < len(forms) <= MOST_FORMS else ""
    if method == SIMULATION:
        errors = [need.error for plan in plans for need in plan.needs if need.error is not None]
        size = wording.percent(max(errors)) if errors else ""
        of_size = message("plan-size-error", error=size) if size else ""
        share = wording.percent((asked.power * (1 - asked.power) / asked.runs) ** 0.5)
        return message("plan-simulated", runs=asked.runs, error=share, of_size=of_size, classical=told)
    if method == ENUMERATION:
        return message("plan-enumerated", classical=told)
    return message("plan-by-formula")


def _size_in_words(question: Question, size: Size) -> str:
    """Return a size: the cases of the class that counts, of how many cases."""
    about = "" if question.method == ENUMERATION else "about "
    text = f"{about}{_count_in_words(question, question.unit_of(size) or 0)}"
    return text if size.cases is None else f"{text} in {size.cases:,} cases"


def _count_in_words(question: Question, unit: int) -> str:
    """Return how many cases of the class that counts."""
    name = "positive" if question.counts_positives else "negative"
    return f"{unit:,} {name}{'s' * (unit != 1)}"
