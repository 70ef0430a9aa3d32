"""Operating points: rules that choose a threshold among all distinct scores.

========================= ===============================================================================
``closest``               the least distance to (0, 1), Hamel's ranking of classifiers
``youden``                the largest tpr - fpr
``accuracy``              the largest share of right predictions
``f1``, ``fbeta=B``       the largest F measure: recall weighs B times as much as precision
``mcc``                   the largest correlation of label and prediction, 0 where all are predicted alike
``chi2``                  the largest chi-square of label and prediction, where tpr >= fpr (Bradley)
``cost=FP:FN``            the least expected cost, of FP a false positive and FN a false negative, at the
                          prevalence of the data or at another one: ``cost=FP:FN:PREVALENCE``
``fpr<=X``, ``tpr>=X``    Neyman and Pearson's: the largest tpr within a false positive rate, the smallest
                          fpr that reaches a true positive rate; ``specificity>=1-X`` is the first, and
                          ``recall>=X``, ``sensitivity>=X`` and ``fnr<=1-X`` are the second
``precision>=X``          the largest tpr of the thresholds that reach a precision
``alerts<=N``             as many cases flagged as possible, at most N; ``alerts<=P%`` at most this share
``threshold=X``, ``X``    this threshold, whatever the data
========================= ===============================================================================

``fpr<=X``, ``tpr>=X`` and ``precision>=X`` may end in ``assured D``: then the rate holds of the population, and not
only of these cases, in a share D of all samples (`rocconf.compute.roc.assured`).

Of tied points, the one with the smallest fp, then the largest tp, is chosen, and all are listed
(`rocconf.compute.roc.choices`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.assured import assured_threshold
from rocconf.compute.roc.choices import best_rows
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import curve, exact_number, float_number, require_edges, row_at
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message, number_meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from rocconf.compute.roc.costs import Costs
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts

SIMPLE = ("closest", "youden", "accuracy", "mcc", "chi2")
MOST_BETA = 1000
"""How many times as much as precision recall may weigh at most, and precision as recall."""

SHORT = {"f1": "fbeta=1", "cost": "cost=1:1"}
FORMS = (
    "closest, youden, accuracy, f1, fbeta=B, mcc, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X, precision>=X, "
    "alerts<=N, alerts<=P% or threshold=X"
)
GIVEN = "point"
"""The name of a point that is given by its rates, which no rule chooses and no data has."""
SPELLINGS = {"recall>=": "tpr", "sensitivity>=": "tpr", "specificity>=": "fpr", "fnr<=": "tpr"}
"""Other ways to write the limit of a rate, each with that rate."""
TURNED = ("specificity>=", "fnr<=")
"""The spellings whose limit is 1 minus that of the rate."""
PROMISES = ("fpr", "tpr", "precision")
"""The rules that can be assured."""
ASSURED = " assured "
WRITTEN = re.compile(rf"(cost=|fbeta=|threshold=|fpr<=|tpr>=|precision>=|alerts<=|{'|'.join(SPELLINGS)})(.+)")

FEW_BELOW = 0.1
"""The share of the cases below a fraction that is a threshold of scores beyond 1, if these are not percent."""


@dataclass(frozen=True, slots=True)
class PointRule:
    """A rule that chooses a threshold; `text` is the rule as it was written."""

    text: str
    name: str
    numbers: tuple[Fraction, ...] = ()
    assurance: Fraction | None = None
    """The share of samples in which the rate is to hold of the population; None promises nothing."""

    @property
    def chooses(self) -> bool:
        """Whether the threshold depends on the data, so that choosing and judging on the same cases flatters."""
        return self.name not in ("threshold", GIVEN)

    @property
    def meaning(self) -> tuple[str, tuple[Fraction, ...], Fraction | None]:
        """What is equal for rules that are written differently but mean the same."""
        return self.name, self.numbers, self.assurance

    @property
    def costs(self) -> Costs:
        """The costs of a rule that takes the cheapest threshold."""
        from rocconf.compute.roc.costs import Costs

        return Costs(self.text.replace(" ", "").removeprefix("cost="), *self.numbers)


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The threshold that a rule chose, its counts on the cases judged, and the thresholds that tie with it.

    A threshold of None predicts nothing positive.
    """

    rule: PointRule
    threshold: float | None
    tp: int
    fp: int
    in_sample: bool
    tied: tuple[float | None, ...] = ()


def parse_point_rules(
    at: str | PointRule | Iterable[str | PointRule], assurance: str | float | None = None
) -> list[PointRule]:
    """Return rules from a text or several; rules are returned unchanged, but for the assurance that they lack.

    A threshold that is not chosen needs none.
    """
    rules = [at] if isinstance(at, str | PointRule) else at
    parsed = [rule if isinstance(rule, PointRule) else parse_point_rule(rule) for rule in rules]
    for rule in parsed:
        _require_of_data(rule)
    if assurance is None:
        return parsed
    share = parse_assurance(assurance)
    found = [rule if rule.assurance or not rule.chooses else _assured(rule, share) for rule in parsed]
    if not any(rule.assurance for rule in found):
        raise UsageError("assurance-of-nothing")
    return found


def parse_point_rule(text: str) -> PointRule:
    """Return a rule from its text."""
    squeezed, mark, assurance = text.replace(" ", "").partition(ASSURED.strip())
    rule = _without_assurance(squeezed, text)
    return _assured(rule, parse_assurance(assurance)) if mark else rule


def _without_assurance(squeezed: str, text: str) -> PointRule:
    if squeezed in SIMPLE:
        return PointRule(text, squeezed)
    if squeezed.startswith(f"{GIVEN}="):
        return parse_given_point(squeezed.removeprefix(f"{GIVEN}="), text)
    bare = float_number(squeezed)
    if bare is not None:
        return PointRule(text, "threshold", (bare,))
    found = WRITTEN.fullmatch(SHORT.get(squeezed, squeezed))
    if not found:
        raise UsageError("unknown-point-rule", rule=text, known=FORMS)
    written, limit = found.groups()
    name = SPELLINGS.get(written, written.rstrip("=<>"))
    if name == "alerts" and limit.endswith("%"):
        name, limit = "alerts%", limit.removesuffix("%")
    numbers = tuple(_number(part, text) for part in limit.split(":"))
    _require_numbers(name, numbers, text)
    if written in TURNED:
        numbers = (1 - numbers[0],)
    return PointRule(text, name, numbers)


def _require_numbers(name: str, numbers: Sequence[Fraction], text: str) -> None:
    """Reject numbers that a rule of this name cannot have."""
    first = numbers[0]
    faults = {
        "point-rule-form": len(numbers) not in ((2, 3) if name == "cost" else (1,)),
        "point-rule-rate": name in PROMISES and not 0 <= first <= 1,
        "point-rule-beta": name == "fbeta" and not 1 <= MOST_BETA * first <= MOST_BETA**2,
        "point-rule-alerts": name == "alerts" and not (first >= 1 and first.denominator == 1),
        "point-rule-alerts-share": name == "alerts%" and not 0 < first <= 100,
        "point-rule-costs": name == "cost" and min(numbers[:2]) <= 0,
        "point-rule-prevalence": name == "cost" and not all(0 < prevalence < 1 for prevalence in numbers[2:]),
    }
    for code in (code for code, is_found in faults.items() if is_found):
        raise UsageError(code, rule=text)


def parse_assurance(assurance: str | float) -> Fraction:
    """Return an assurance as the decimal that it is written as."""
    number = exact_number(str(assurance))
    if number is None or not 0 < float(number) < 1:
        raise UsageError("assurance-range", found=str(assurance))
    decimal = exact_number(repr(float(number)))  # which is what a report and the text of a rule have
    return number if decimal is None else decimal


def require_unrestated(rules: Iterable[PointRule], prevalence: float | None) -> None:
    """Reject a promise of the precision of these cases where precisions are shown for another prevalence."""
    for rule in rules:
        if prevalence is not None and rule.name == "precision" and rule.assurance is not None:
            raise UsageError("assurance-restated", rule=rule.text, prevalence=prevalence)


def _assured(rule: PointRule, assurance: Fraction) -> PointRule:
    if rule.name not in PROMISES:
        raise UsageError("assurance-of-rule", rule=rule.text)
    text = rule.text if ASSURED.strip() in rule.text else f"{rule.text}{ASSURED}{float(assurance)!r}"
    return replace(rule, text=text, assurance=assurance)


def parse_given_point(rates: str, text: str | None = None) -> PointRule:
    """Return the point of a false and a true positive rate, like 0.1,0.8; its text is as it was written."""
    text = rates.replace(" ", "") if text is None else text
    parts = rates.split(",")
    if len(parts) != 2:
        raise UsageError("given-point-form", found=rates)
    numbers = tuple(_number(part.strip(), text) for part in parts)
    if not all(0 <= number <= 1 for number in numbers):
        raise UsageError("point-rule-rate", rule=text)
    return PointRule(text, GIVEN, numbers)


def _require_of_data(rule: PointRule) -> None:
    """Reject a point that is given by its rates where a threshold is looked for."""
    if rule.name == GIVEN:
        raise UsageError("unknown-point-rule", rule=rule.text, known=FORMS)


def parse_costs(costs: str | Costs | None) -> Costs | None:
    """Return the costs of FP:FN or FP:FN:PREVALENCE; costs and None are returned unchanged."""
    if not isinstance(costs, str):
        return costs
    try:
        return parse_point_rule(f"cost={costs}").costs
    except UsageError:
        raise UsageError("cost-form", found=costs) from None


def cost_rule(costs: Costs) -> PointRule:
    """Return the rule that takes the cheapest threshold."""
    return PointRule(f"cost={costs.text}", "cost", costs.numbers)


def with_cheapest(rules: Sequence[PointRule], costs: Costs | None) -> list[PointRule]:
    """Return the rules and, where there are costs, the one that takes the cheapest threshold, once."""
    cheapest = [] if costs is None else [cost_rule(costs)]
    return [*rules, *(each for each in cheapest if each.meaning not in {rule.meaning for rule in rules})]


def operating_point(counts: ScoreCounts, rule: PointRule, *, choose_on: ScoreCounts | None = None) -> OperatingPoint:
    """Return the operating point of a rule, its threshold chosen on the same or on other cases."""
    _require_of_data(rule)
    chosen_on = counts if choose_on is None else choose_on
    require_counts(chosen_on)
    if chosen_on.lower_is_positive != counts.lower_is_positive:
        raise UsageError("choose-on-direction")
    threshold, *tied = _chosen(chosen_on, rule)
    if threshold is not None:
        require_edges(counts, np.array([threshold]))
    row, in_sample = row_at(counts, threshold), choose_on is None and rule.chooses
    return OperatingPoint(rule, threshold, int(counts.tp[row]), int(counts.fp[row]), in_sample, tuple(tied))


def point_caveats(counts: ScoreCounts, points: Sequence[OperatingPoint], honest: str = "") -> Iterator[Message]:
    """Yield warnings of thresholds chosen on the cases they are shown for, and of those on another scale.

    An assured threshold keeps its promise although it was chosen there. `honest` says what the rates would be.
    """
    rules = ", ".join(point.rule.text for point in points if point.in_sample and point.rule.assurance is None)
    if rules:
        yield message("in-sample", rules=rules, honest=honest)
    for point in points:
        if point.threshold is None and point.rule.name.startswith("alerts"):
            yield message("alerts-none", model=counts.model, rule=point.rule.text)
    for point in points:
        yield from scale_caveats(counts, point.threshold)


def scale_caveats(counts: ScoreCounts, threshold: float | None) -> Iterator[Message]:
    """Yield a warning if a threshold seems to be on another scale than the scores.

    It lies outside their range, or it is a fraction, they are percent (or the like), and it divides off less than a
    tenth of the cases.
    """
    if threshold is None:
        return
    least, most = sorted(float(score) for score in counts.scores[[0, -1]])
    share = 0.0
    if least <= threshold <= most:
        if not 0 < threshold < 1 < most or least < 0:
            return
        below = counts.scores < threshold
        share = float((counts.positives + counts.negatives)[below].sum()) / counts.n
        if share >= FEW_BELOW:
            return
    yield message("threshold-scale", model=counts.model, threshold=threshold, share=1 - share, lower=least, upper=most)


def _chosen(counts: ScoreCounts, rule: PointRule) -> list[float | None]:
    """Return the best thresholds, the chosen one first."""
    if not rule.chooses:
        return [float(rule.numbers[0])]
    if rule.assurance is not None:
        return [assured_threshold(counts, rule, rule.assurance)]
    return [float(counts.thresholds[row]) if row else None for row in best_rows(curve(counts), rule, counts.model)]


def _number(text: str, rule: str) -> Fraction:
    number = float_number(text)
    if number is None:
        raise UsageError("point-rule-number", rule=rule, found=text, meant=number_meant(text))
    return number
