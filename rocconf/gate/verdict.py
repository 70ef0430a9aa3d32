"""Judge a number by a rule. There are three answers, and only evidence gives the first two.

A number with an interval passes if the whole interval is on the good side, fails if all of it is on the bad side, and
is otherwise inconclusive. Counts, thresholds and p-values are judged as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isinf
from typing import TYPE_CHECKING, Any, Literal

from rocconf.compute.measures import range_of
from rocconf.compute.roc.operating import parse_rule as parse_point
from rocconf.errors import UsageError
from rocconf.gate.rule import POINT, written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.compute.measures import Measure
    from rocconf.gate.rule import Rule

Word = Literal["pass", "inconclusive", "fail"]
WORST: tuple[Word, ...] = ("pass", "inconclusive", "fail")
INTERVAL, VALUE = "interval", "value"
SIX_DIGITS = 1e6
"""From here on six digits would round a count."""
STATUS: dict[Word, int] = {"pass": 0, "fail": 1, "inconclusive": 3}


@dataclass(frozen=True, slots=True)
class At:
    """The threshold of an operating point, None for nothing positive, and whether it was chosen on the cases judged."""

    threshold: float | None
    in_sample: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says of one model."""

    rule: Rule
    command: str
    model: str
    measure: Measure
    level: float
    word: Word
    message: str
    at: At | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as it stands in JSON: what was asked, what was found, and what follows.

        A limit that is null beside `judged_on: interval` lies anywhere.
        """
        return {
            "name": self.rule.name,
            "command": self.command,
            "model": self.model,
            "metric": self.rule.metric + POINT * self.rule.point_only,
            "at": self.rule.at,
            "op": self.rule.op,
            "limit": self.rule.limit,
            "level": self.level,
            "value": _spelled(self.measure.value),
            "lower": _finite(self.measure.interval.lower) if self.measure.interval else None,
            "upper": _finite(self.measure.interval.upper) if self.measure.interval else None,
            "n": self.measure.n,
            "positives": self.measure.positives,
            "where": [f"{column}={value}" for column, value in self.rule.where],
            "threshold": None if self.at is None else _spelled(self.at.threshold),
            "in_sample": None if self.at is None else self.at.in_sample,
            "judged_on": _judged_on(self.rule, self.measure),
            "on_undefined": self.rule.on_undefined,
            "reason": self.measure.reason if self.measure.value is None else None,
            "severity": self.rule.severity,
            "verdict": self.word,
            "message": self.message,
        }


def judge(
    rule: Rule,
    measure: Measure,
    *,
    command: str,
    model: str,
    level: float,
    at: At | None = None,
    baseline: str | None = None,
) -> Verdict:
    """Judge one number by one rule; of a difference it is said from which baseline."""
    if rule.op == "==" and measure.value is not None and not measure.is_count:
        raise UsageError(f"rule {rule.text!r}: == is for counts")
    word = _word(rule, measure)
    of_whom = f"{model} less {baseline}" if rule.is_difference and baseline is not None else model
    message = _message(rule, measure, _subject(rule, of_whom, at), level, word)
    return Verdict(rule, command, model, measure, level, word, message, at)


def overall(verdicts: Iterable[Verdict]) -> Word:
    """Return the worst word of the rules that count; where no rule was judged at all, nothing is decided."""
    words: list[Word] = ["pass" if verdict.rule.severity == "warn" else verdict.word for verdict in verdicts]
    return max(words, key=WORST.index, default="inconclusive")


def _word(rule: Rule, measure: Measure) -> Word:
    if measure.value is None:
        return rule.on_undefined
    lower, upper = measure.value, measure.value
    if measure.interval and _judged_on(rule, measure) == INTERVAL:
        lower, upper = measure.interval.lower, measure.interval.upper
    good, bad = {
        ">=": (lower >= rule.limit, upper < rule.limit),
        ">": (lower > rule.limit, upper <= rule.limit),
        "<=": (upper <= rule.limit, lower > rule.limit),
        "<": (upper < rule.limit, lower >= rule.limit),
        "==": (lower == rule.limit, lower != rule.limit),
    }[rule.op]
    return "pass" if good else "fail" if bad else "inconclusive"


def _judged_on(rule: Rule, measure: Measure) -> str | None:
    """Say what decides: the interval, the value alone, or nothing where there is no value."""
    if measure.value is None:
        return None
    return VALUE if measure.interval is None or rule.point_only else INTERVAL


def always(rule: Rule) -> str:
    """Say why a rule passes whatever the cases, such as one that takes a share for a percentage; nothing if it can fail."""
    least, most = range_of(rule.metric)
    beyond = {">=": rule.limit <= least, ">": rule.limit < least, "<=": rule.limit >= most, "<": rule.limit > most}
    if beyond.get(rule.op):
        return f"as always: {rule.metric} is from {written(least)} to {written(most)}"
    return ""


def _subject(rule: Rule, model: str, at: At | None) -> str:
    """Say what was judged: of which rows, at which threshold, and whether that was chosen on them."""
    subject = f"{model}: {rule.metric}" + (f" at {rule.at}" if rule.at else "") + rule.of_slice
    if at is None or rule.at is None or not parse_point(rule.at).chooses:
        return subject
    where = "in-sample" if at.in_sample else "on other cases"
    threshold = "nothing positive" if at.threshold is None else f"threshold {at.threshold:.6g}"
    return f"{subject} ({threshold}, chosen {where})"


def _spelled(value: float | None) -> float | str | None:
    """Write an infinite score as its word, which JSON can hold."""
    return str(value) if value is not None and isinf(value) else value


def _finite(limit: float) -> float | None:
    return None if isinf(limit) else limit


def _message(rule: Rule, measure: Measure, subject: str, level: float, word: Word) -> str:
    if measure.value is None:
        asked = replace(rule, model=None).text  # the subject names the model, in a report perhaps by another name
        return f"{subject} is undefined ({measure.reason}), so {asked} cannot be judged"
    limit, found = written(rule.limit), _apart(measure.value, rule.limit)
    if always(rule):
        limit += f" ({always(rule)})"
    if measure.interval is None or _judged_on(rule, measure) == VALUE:
        return f"{subject} is {found}, and the rule is {rule.op} {limit}"
    if isinf(measure.interval.lower) and isinf(measure.interval.upper):
        return f"{subject} is {found}, whose interval cannot be known: the evidence does not decide"
    lower, upper = (_apart(end, rule.limit) for end in (measure.interval.lower, measure.interval.upper))
    found += f" [{lower}, {upper}] at {written(level)}"
    said = {
        "pass": f"all of it is {rule.op} {limit}",
        "fail": f"none of it is {rule.op} {limit}",
        "inconclusive": f"the interval lies across {limit}: the evidence does not decide",
    }
    return f"{subject} is {found}; {said[word]}"


def _apart(value: float, limit: float) -> str:
    """Write a number in six digits, or in all of them where six would put it on the wrong side of a limit."""
    rounded = float(f"{value:.6g}")
    alike = (rounded < limit, rounded > limit) == (value < limit, value > limit)
    return f"{value:.6g}" if alike and abs(value) < SIX_DIGITS else written(value)
