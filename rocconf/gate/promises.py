"""Which rules may judge an operating point on the cases that chose its threshold: those that its promise covers.

A threshold of ``fpr<=x assured D`` has a true fpr above x in a share 1 - D of samples at most. So a rule about this
rate at a limit of x or more passes a worse model no more often than that, which is within the error that every rule
has on one side if D >= (1 + level)/2. And the threshold depends on the scores of the negatives alone: for the
positives it is as good as one chosen on other cases, so their tpr has its usual interval. ``tpr>=x`` is the mirror;
the threshold of ``precision>=x`` depends on both classes.

Anything else that is judged on these cases, be it a stricter limit, a part of the cases, every slice of them or the value without its
interval, was chosen to look good.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocconf.compute.roc.operating import parse_point_rule

if TYPE_CHECKING:
    from rocconf.compute.roc.operating import PointRule
    from rocconf.gate.rule import GateRule

PROMISED = {
    ("fpr", "fpr"): ("<", "<="),
    ("fpr", "specificity"): (">", ">="),
    ("tpr", "tpr"): (">", ">="),
    ("precision", "precision"): (">", ">="),
}
"""The rate that a point promises, a metric of it, and the comparisons that the promise is about."""

OTHER_CLASS = {("fpr", "tpr"), ("tpr", "fpr"), ("tpr", "specificity")}
"""The rate that a point promises, and the metrics of the class whose scores did not choose its threshold."""


def chooses_in_sample(rule: GateRule, level: float | None) -> bool:
    """Return whether a rule may not choose its threshold on the cases that it judges, in a run of this level."""
    if rule.at is None:
        return False
    at = parse_point_rule(rule.at)
    return at.chooses and not _is_covered(rule, at, level if rule.level is None else rule.level)


def _is_covered(rule: GateRule, at: PointRule, level: float | None) -> bool:
    if at.assurance is None or level is None or rule.point_only or rule.where or rule.by is not None:
        return False
    about = at.name, rule.metric
    if about in OTHER_CLASS:
        return True
    if rule.op not in PROMISED.get(about, ()) or at.assurance < (1 + _decimal(level)) / 2:
        return False
    promised = 1 - at.numbers[0] if rule.metric == "specificity" else at.numbers[0]
    limit = _decimal(rule.limit)
    if limit == promised:
        return len(rule.op) > 1
    return (limit > promised) == (rule.op[0] == "<")


def _decimal(number: float) -> Fraction:
    """Return a float as the shortest decimal that it is written as: 1/10 for 0.1, and not 2^-55 more."""
    return Fraction(repr(float(number)))
