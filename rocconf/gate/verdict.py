"""The verdict of a rule on a measure: pass, fail or inconclusive.

A metric with an interval passes if the whole interval meets the rule, fails if no part of it does, and is otherwise
inconclusive. Counts, thresholds and p-values are judged as they are.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, isinf
from typing import TYPE_CHECKING, Any, Literal

from rocconf import wording
from rocconf.compute.classes import AVERAGES
from rocconf.compute.evidence import Entry, Measure, Unavailable, entry_record, unit_record
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.roc.slice_results import EMPTY
from rocconf.compute.stats.design import FEWEST_CLUSTERS
from rocconf.compute.stats.plan import needed_times
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.gate.check_rules import is_beyond_intervals
from rocconf.gate.promises import chooses_in_sample
from rocconf.gate.rule import POINT, in_full
from rocconf.messages import message
from rocconf.metric import DELTA, decided
from rocconf.records import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.compute.evidence import Evidence, Unit
    from rocconf.gate.rule import GateRule
    from rocconf.messages import Message

Outcome = Literal["pass", "inconclusive", "fail"]
FROM_BEST: tuple[Outcome, ...] = ("pass", "inconclusive", "fail")
INTERVAL, VALUE = "interval", "value"
SIX_DIGITS = 1e6
"""The least number of which six digits would round a count."""
MOST_TIMES = 1e6
"""From so many times the cases on, a value is so close to the limit that no number of cases is proposed."""
OF_NEGATIVES = ("fpr", "specificity", "delta_fpr", "delta_specificity")
"""The metrics whose intervals depend on the number of negatives alone."""
STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "inconclusive": 3}
"""The exit status of each outcome."""


@dataclass(frozen=True, slots=True)
class Part:
    """The slice that a verdict is on, the number of slices that are decided, and the level that holds for all of them."""

    value: str
    slices: int
    level: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a rule for one model, with the measure that was judged."""

    rule: GateRule
    command: str
    model: str
    measure: Measure | Unavailable
    level: float
    outcome: Outcome
    message: str
    unit: Unit
    """The subject of the evidence, by its name in the run."""
    caveats: tuple[Message, ...] = ()
    """What must be known of the evidence; the message ends with it."""
    part: Part | None = None
    """The slice, of a rule about every slice."""

    def __bool__(self) -> bool:
        return self.outcome == "pass"

    @property
    def is_without_value(self) -> bool:
        """Whether there was nothing to judge."""
        return isinstance(self.measure, Unavailable)

    @property
    def is_flattered(self) -> bool:
        """Whether its threshold was chosen on the cases judged without a promise that covers the rule."""
        at = self.measure.at
        return at is not None and at.in_sample and chooses_in_sample(self.rule, self.level)

    @property
    def is_judged_on_interval(self) -> bool:
        """Whether an interval was judged, not a value."""
        return _judged_on(self.rule, self.measure) == INTERVAL

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as it stands in JSON.

        A limit that is null beside `judged_on: interval` is unknown.
        """
        measure, at = self.measure, self.measure.at
        value, interval = (measure.value, measure.interval) if isinstance(measure, Measure) else (None, None)
        lower, upper = interval.ends if interval else (None, None)
        return {
            "name": self.rule.name,
            "command": self.command,
            "model": self.model,
            "metric": self.rule.metric + POINT * self.rule.point_only,
            "at": self.rule.at,
            "op": self.rule.op,
            "limit": self.rule.limit,
            "level": self.level,
            "interval": measure.kind if isinstance(measure, Measure) else None,
            "value": _in_json(value),
            "lower": lower,
            "upper": upper,
            "n": measure.n,
            "positives": measure.positives,
            "where": [condition.text for condition in self.rule.where],
            "by": self.rule.by,
            "slice": self.part and self.part.value,
            "slices": self.part and self.part.slices,
            "rule_level": self.part.level if self.part else self.level,
            "threshold": None if at is None else _in_json(at.threshold),
            "in_sample": None if at is None else at.in_sample,
            "judged_on": _judged_on(self.rule, measure),
            "on_undefined": self.rule.on_undefined,
            "allow_identical": self.rule.allow_identical,
            "reason": measure.reason if isinstance(measure, Unavailable) else None,
            "severity": self.rule.severity,
            "codes": [caveat.code for caveat in self.caveats],
            "verdict": self.outcome,
            "message": self.message,
            "evidence": self._evidence,
        }

    @property
    def _evidence(self) -> dict[str, Any]:
        """What was judged, as a report holds it."""
        measure = self.measure
        reason = measure.reason if isinstance(measure, Unavailable) else ""
        entry = entry_record(self.rule.metric, self.rule.at, measure.entry or Entry(None, reason, measure.at))
        return unit_record(replace(self.unit, n=measure.n, positives=measure.positives), [entry])


class Verdicts(tuple[Verdict, ...]):
    """The verdicts of rules, true only if every rule passed: `assert rocconf.judge(result, "auc >= 0.85")` is a gate."""

    __slots__ = ()

    @property
    def verdict(self) -> Outcome:
        """The worst outcome of the rules of severity error; inconclusive without a rule."""
        return overall(self)

    @property
    def exit_code(self) -> int:
        """The exit status of the command line: 0 pass, 1 fail, 3 inconclusive."""
        return STATUS[self.verdict]

    def __bool__(self) -> bool:
        return self.verdict == "pass"

    def __add__(self, others: Any) -> Verdicts:
        return Verdicts((*self, *others))

    def __radd__(self, others: Any) -> Verdicts:
        return Verdicts((*others, *self))

    def __mul__(self, times: Any) -> Verdicts:
        return Verdicts(tuple(self) * times)

    __rmul__ = __mul__

    def __getitem__(self, at: Any) -> Any:
        found = tuple(self)[at]
        return Verdicts(found) if isinstance(at, slice) else found

    def __repr__(self) -> str:
        lines = (f"  {each.outcome}: {each.rule.text}: {each.message}" for each in self)
        return "\n".join([f"Verdicts: {self.verdict}", *lines])


def verdict_of(
    rule: GateRule,
    measure: Measure | Unavailable,
    *,
    evidence: Evidence,
    model: str | None = None,
    part: Part | None = None,
) -> Verdict:
    """Return the verdict of a rule on a measure of this evidence, whose model may be given another name.

    `part` is the slice that a rule about every slice is judged on.
    """
    model = evidence.model if model is None else model
    level = evidence.level if rule.level is None else rule.level
    if rule.op == "==" and isinstance(measure, Measure) and not measure.is_count:
        raise UsageError("rule-equality", rule=rule.text)
    outcome = outcome_of(rule, measure)
    if isinstance(measure, Measure) and rule.point_only:
        _require_decided(rule, measure, model)
    of_whom = f"{model} less {evidence.baseline}" if rule.is_difference and evidence.baseline is not None else model
    subject = _subject(rule, of_whom, measure, part)
    told_level = wording.level(level) if part is None else f"{wording.level(part.level)} over {_slices(part.slices)}"
    sentence = (
        _undefined_sentence(rule, measure, subject, part)
        if isinstance(measure, Unavailable)
        else _sentence(
            rule,
            measure,
            subject,
            told_level=told_level,
            outcome=outcome,
            beyond=is_beyond_intervals(rule, evidence.kind),
        )
    )
    if isinstance(measure, Measure) and outcome == "inconclusive" and measure.interval and _may_decide(rule, measure):
        like = f"of {rule.by}={part.value or EMPTY}" if part is not None else "like these"
        sentence += _needed(rule, measure, evidence, level=level, like=like)
    caveats = evidence.caveats_on(rule.metric)
    if isinstance(measure, Measure) and measure.is_from_itself:
        itself = evidence.baseline if rule.is_difference else "the reference"
        decides = message("itself-is-allowed" if rule.allow_identical else "itself-decides-nothing")
        caveats += (message("compared-with-itself", model=model, baseline=itself, decides=decides),)
    caveats += _about_clusters(rule, measure, evidence)
    told = "; ".join([sentence, *map(str, caveats)])
    return Verdict(rule, evidence.kind.command, model, measure, level, outcome, told, evidence.unit, caveats, part)


def _require_decided(rule: GateRule, measure: Measure, model: str) -> None:
    """Reject a rule on a value that is only known to lie on both sides of the limit."""
    if measure.within is None:
        return
    ends = measure.within.lower, measure.within.upper
    if len({outcome_of(rule, replace(measure, value=end)) for end in ends}) > 1:
        raise UsageError("bins-value", rule=rule.text, model=model, lower=ends[0], upper=ends[1])


def _about_clusters(rule: GateRule, measure: Measure | Unavailable, evidence: Evidence) -> tuple[Message, ...]:
    """Return why an interval of clustered cases is unknown, which is so only where clusters are too few or too unequal."""
    if (
        evidence.unit.clusters is None
        or not isinstance(measure, Measure)
        or measure.interval != UNKNOWN
        or rule.point_only
    ):
        return ()
    return (message("clusters-decide-nothing", fewest=FEWEST_CLUSTERS),)


def _slices(number: int) -> str:
    return "1 slice" if number == 1 else f"{number} slices"


def overall(verdicts: Iterable[Verdict]) -> Outcome:
    """Return the worst outcome of the rules of severity error; inconclusive if no rule was judged."""
    return worst("pass" if verdict.rule.severity == "warn" else verdict.outcome for verdict in verdicts)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the worst outcome."""
    return max(outcomes, key=FROM_BEST.index, default="inconclusive")


def outcome_of(rule: GateRule, measure: Measure | Unavailable) -> Outcome:
    """Return the outcome of a rule on a measure."""
    if isinstance(measure, Unavailable):
        return rule.on_undefined
    if measure.is_from_itself and not rule.allow_identical:
        return "inconclusive"
    lower, upper = measure.value, measure.value
    if measure.interval and _judged_on(rule, measure) == INTERVAL:
        lower, upper = measure.interval.lower, measure.interval.upper
    good, bad = decided(rule.op, lower, upper, rule.limit)
    return "pass" if good else "fail" if bad else "inconclusive"


def _judged_on(rule: GateRule, measure: Measure | Unavailable) -> str | None:
    """Return the basis of the outcome: the interval, the value, or None where there is no value."""
    if isinstance(measure, Unavailable):
        return None
    return VALUE if measure.interval is None or rule.point_only else INTERVAL


def _subject(rule: GateRule, model: str, measure: Measure | Unavailable, part: Part | None = None) -> str:
    """Return what was judged: the metric, the rows, the threshold, and whether it was chosen in-sample."""
    subject = f"{model}: {rule.metric}" + (f" at {rule.at}" if rule.at else "") + rule.of_slice
    if part is not None:
        subject += f", {rule.by}={part.value or EMPTY}"
    if measure.at is None or rule.at is None or not parse_point_rule(rule.at).chooses:
        return subject
    where = "in-sample" if measure.at.in_sample else "on other cases"
    found = measure.at.threshold
    threshold = "nothing positive" if found is None else f"threshold {found:.6g}"
    return f"{subject} ({threshold}, chosen {where})"


def _undefined_sentence(rule: GateRule, measure: Unavailable, subject: str, part: Part | None) -> str:
    if part is not None and measure.is_of_few:  # which may have a value, in the table of slices
        return f"{subject} is not judged ({measure.reason})"
    asked = replace(rule, model=None).text  # the subject names the model, in a report perhaps by another name
    return f"{subject} is undefined ({measure.reason}), so {asked} cannot be judged"


def _sentence(
    rule: GateRule, measure: Measure, subject: str, *, told_level: str, outcome: Outcome, beyond: bool
) -> str:
    limit, value = in_full(rule.limit) + ", which no interval reaches" * beyond, _apart(measure.value, rule.limit)
    is_open = measure.is_from_itself and not rule.allow_identical
    if measure.interval is None or _judged_on(rule, measure) == VALUE:
        return f"{subject} is {value}, and the rule is {rule.op} {limit}"
    if isinf(measure.interval.lower) and isinf(measure.interval.upper):
        return f"{subject} is {value}, whose interval cannot be known: the evidence does not decide"
    lower, upper = (_apart(end, rule.limit) for end in (measure.interval.lower, measure.interval.upper))
    kind = f", {measure.kind}" if measure.kind else ""
    found = f"{subject} is {value} [{lower}, {upper}] ({told_level}{kind})"
    if is_open:
        return f"{found}, and the rule is {rule.op} {limit}"
    ends = {"low": lower, "high": upper}
    worst, best = ("low", "high") if rule.op in (">", ">=") else ("high", "low")
    if outcome == "inconclusive":
        return f"{found}: it could be as {worst} as {ends[worst]}, which is not {rule.op} {limit}"
    return (
        f"{found}: even the {worst} end is {rule.op} {limit}"
        if outcome == "pass"
        else (f"{found}: even the {best} end is not {rule.op} {limit}")
    )


def _may_decide(rule: GateRule, measure: Measure) -> bool:
    """Whether more cases may decide: not on a comparison with itself, nor on what bins leave unknown."""
    within = measure.within
    return not measure.is_from_itself and not (within and within.lower <= rule.limit <= within.upper)


def _needed(rule: GateRule, measure: Measure, evidence: Evidence, *, level: float, like: str) -> str:
    """Return about how many more cases would decide, as the end of a sentence; empty where that is unknown."""
    p, q = measure.positives, measure.n - measure.positives
    is_average = rule.metric.removeprefix(DELTA) in AVERAGES
    if measure.estimate is None or measure.interval == UNKNOWN or (rule.is_difference if is_average else not (p and q)):
        return ""
    times = needed_times(measure.estimate, rule.limit, level=level)
    if not times < MOST_TIMES:
        return ""
    if is_average:
        return f"; {_in_all(measure, times, 'like these')}, would decide if the value stays as it is"
    side = "for" if outcome_of(rule, replace(measure, interval=None)) == "pass" else "against"
    if evidence.unit.clusters is not None:
        clusters = evidence.unit.clusters
        more = ceil(clusters * (times - 1))
        about = f"about {more:,} more cluster{'s' * (more != 1)} like these, {clusters + more:,} in all"
    else:
        asked = "negative" if rule.metric in OF_NEGATIVES else "positive"
        about = f"{_in_all(measure, times, like)} ({ceil((q if asked == 'negative' else p) * times):,} {asked})"
    return f"; {about}, would decide {side} the rule if the value stays as it is"


def _in_all(measure: Measure, times: float, like: str) -> str:
    """Return about how many more cases there must be, and how many these are with those at hand."""
    more = ceil(measure.n * (times - 1))
    return f"about {more:,} more case{'s' * (more != 1)} {like}, {measure.n + more:,} in all"


def _apart(value: float, limit: float) -> str:
    """Return a number in three digits, or as many more as keep it on its side of a limit and apart from -1, 0 and 1."""
    texts = [*(f"{value:.{digits}f}" for digits in range(3, 9)), f"{value:.6g}"] if abs(value) < SIX_DIGITS else []
    sides = (limit, -1, 0, 1)
    for text in texts:
        rounded = float(text)
        if all((rounded < side, rounded > side) == (value < side, value > side) for side in sides):
            return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return in_full(value)


def _in_json(value: float | None) -> float | str | None:
    """Return an infinite score as text, as JSON has no number for it."""
    return str(value) if value is not None and isinf(value) else value
