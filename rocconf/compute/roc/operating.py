"""Operating points: rules that choose a threshold among all distinct scores.

========================= ===============================================================================
``closest``               the least distance to (0, 1), Hamel's ranking of classifiers
``youden``                the largest tpr - fpr
``accuracy``              the largest share of right predictions
``chi2``                  the largest chi-square of label and prediction, where tpr >= fpr (Bradley)
``cost=FP:FN``            the least expected cost, of FP a false positive and FN a false negative, at the
                          prevalence of the data or at another one: ``cost=FP:FN:PREVALENCE``
``fpr<=X``, ``tpr>=X``    Neyman and Pearson's: the largest tpr within a false positive rate, the smallest
                          fpr that reaches a true positive rate
``threshold=X``           this threshold, whatever the data
========================= ===============================================================================

Of tied points, the one with the smallest fp, then the largest tp, is chosen, and all are listed. Whether points tie
is decided in whole numbers: floats make a short list within 1e-9 of the best, Python integers choose from it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import curve, exact_number, require_float, rows_at
from rocconf.compute.stats.confusion import Confusion
from rocconf.errors import UsageError
from rocconf.messages import message, number_meant
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.curve import Curve
    from rocconf.messages import Message
    from rocconf.records import Counts, Floats, ScoreCounts

SHORT_LIST = 1e-9
"""The distance in floats from the best objective within which objectives are compared exactly."""
SIMPLE = ("closest", "youden", "accuracy", "chi2")
GIVEN = "point"
"""The name of a point that is given by its rates, which no rule chooses and no data has."""
FORMS = "closest, youden, accuracy, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X or threshold=X"


FEW_BELOW = 0.1
"""The share of the cases below a fraction that is a threshold of scores beyond 1, if these are not percent."""


@dataclass(frozen=True, slots=True)
class PointRule:
    """A rule that chooses a threshold; `text` is the rule as it was written."""

    text: str
    name: str
    numbers: tuple[Fraction, ...] = ()

    @property
    def chooses(self) -> bool:
        """Whether the threshold depends on the data, so that choosing and judging on the same cases flatters."""
        return self.name not in ("threshold", GIVEN)

    @property
    def meaning(self) -> tuple[str, tuple[Fraction, ...]]:
        """The name and numbers, equal for rules that are written differently but mean the same."""
        return self.name, self.numbers


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


def parse_point_rules(at: str | PointRule | Iterable[str | PointRule]) -> list[PointRule]:
    """Return rules from a text or several; rules are returned unchanged."""
    rules = [at] if isinstance(at, str | PointRule) else at
    parsed = [rule if isinstance(rule, PointRule) else parse_point_rule(rule) for rule in rules]
    for rule in parsed:
        _require_of_data(rule)
    return parsed


def parse_point_rule(text: str) -> PointRule:
    """Return a rule from its text."""
    squeezed = text.replace(" ", "")
    if squeezed in SIMPLE:
        return PointRule(text, squeezed)
    if squeezed.startswith(f"{GIVEN}="):
        return parse_given_point(squeezed.removeprefix(f"{GIVEN}="), text)
    if squeezed == "cost":
        return PointRule(text, "cost", (_number("1", text), _number("1", text)))
    found = re.fullmatch(r"(cost=|threshold=|fpr<=|tpr>=)(.+)", squeezed)
    if not found:
        raise UsageError("unknown-point-rule", rule=text, known=FORMS)
    name, numbers = found[1].rstrip("=<>"), tuple(_number(part, text) for part in found[2].split(":"))
    if len(numbers) not in ((2, 3) if name == "cost" else (1,)):
        raise UsageError("point-rule-form", rule=text)
    if name in ("fpr", "tpr") and not 0 <= numbers[0] <= 1:
        raise UsageError("point-rule-rate", rule=text)
    if name == "cost" and min(numbers[:2]) <= 0:
        raise UsageError("point-rule-costs", rule=text)
    if name == "cost" and not all(0 < prevalence < 1 for prevalence in numbers[2:]):
        raise UsageError("point-rule-prevalence", rule=text)
    return PointRule(text, name, numbers)


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
        return costs_of(parse_point_rule(f"cost={costs}"))
    except UsageError:
        raise UsageError("cost-form", found=costs) from None


def costs_of(rule: PointRule) -> Costs:
    """Return the costs of a rule that takes the cheapest threshold."""
    from rocconf.compute.roc.costs import Costs

    return Costs(rule.text.replace(" ", "").removeprefix("cost="), *rule.numbers)


def cost_rule(costs: Costs) -> PointRule:
    """Return the rule that takes the cheapest threshold."""
    return PointRule(f"cost={costs.text}", "cost", costs.numbers)


def with_cheapest(rules: Sequence[PointRule], costs: Costs | None) -> list[PointRule]:
    """Return the rules and, where there are costs, the one that takes the cheapest threshold, once."""
    found = list(rules)
    if costs is not None and all(rule.meaning != cost_rule(costs).meaning for rule in found):
        found.append(cost_rule(costs))
    return found


def operating_point(counts: ScoreCounts, rule: PointRule, *, choose_on: ScoreCounts | None = None) -> OperatingPoint:
    """Return the operating point of a rule, its threshold chosen on the same or on other cases."""
    _require_of_data(rule)
    chosen_on = counts if choose_on is None else choose_on
    require_counts(chosen_on)
    if chosen_on.lower_is_positive != counts.lower_is_positive:
        raise UsageError("choose-on-direction")
    threshold, *tied = _chosen(chosen_on, rule)
    row = 0 if threshold is None else int(rows_at(counts, np.array([threshold]))[0])
    return OperatingPoint(
        rule,
        threshold,
        int(counts.tp[row]),
        int(counts.fp[row]),
        in_sample=choose_on is None and rule.chooses,
        tied=tuple(tied),
    )


def point_caveats(counts: ScoreCounts, points: Sequence[OperatingPoint]) -> list[Message]:
    """Return warnings of thresholds chosen on the cases they are shown for, and of those on another scale."""
    rules = ", ".join(point.rule.text for point in points if point.in_sample)
    chosen = [message("in-sample", rules=rules)] if rules else []
    return chosen + [caveat for point in points for caveat in scale_caveats(counts, point.threshold)]


def scale_caveats(counts: ScoreCounts, threshold: float | None) -> list[Message]:
    """Return a warning if a threshold seems to be on another scale than the scores.

    It lies outside their range, or it is a fraction, they are percent (or the like), and it divides off less than a
    tenth of the cases.
    """
    if threshold is None:
        return []
    least, most = sorted(float(score) for score in counts.scores[[0, -1]])
    share = 0.0
    if least <= threshold <= most:
        if not 0 < threshold < 1 < most or least < 0:
            return []
        below = counts.scores < threshold
        share = float((counts.positives + counts.negatives)[below].sum()) / counts.n
        if share >= FEW_BELOW:
            return []
    return [
        message("threshold-scale", model=counts.model, threshold=threshold, share=1 - share, lower=least, upper=most)
    ]


def _chosen(counts: ScoreCounts, rule: PointRule) -> list[float | None]:
    """Return the best thresholds, the chosen one first."""
    if not rule.chooses:
        return [float(rule.numbers[0])]
    return [float(counts.thresholds[row]) if row else None for row in _best_rows(curve(counts), rule)]


def _best_rows(roc: Curve, rule: PointRule) -> list[int]:
    """Return the best rows, the chosen one first."""
    if rule.name == "fpr":
        return [_within_fpr(roc, float(rule.numbers[0]))]
    if rule.name == "tpr":
        return [_reaching_tpr(roc, float(rule.numbers[0]))]
    objective = _objective(roc.p, roc.q, rule)
    rows = _short_list(roc, objective.rough)
    matrices = list(zip(roc.tp[rows].tolist(), roc.fp[rows].tolist(), strict=True))
    values = [objective.exact(tp, fp) for tp, fp in matrices]
    best = max(values)
    ties = [(fp, -tp, row) for row, (tp, fp), value in zip(rows, matrices, values, strict=True) if value == best]
    return [int(row) for _, _, row in sorted(ties)]


def _short_list(roc: Curve, rough: Callable[[Counts, Counts], Floats]) -> NDArray[np.intp]:
    """Return the rows near the best, a chunk that fits the cache at a time."""
    best = -np.inf
    rows, values = [], []
    for part in slices(len(roc)):
        found = rough(roc.tp[part], roc.fp[part])
        best = max(best, float(found.max()))
        near = np.flatnonzero(found >= best - SHORT_LIST)
        rows.append(near + part.start)
        values.append(found[near])
    return np.concatenate(rows)[np.concatenate(values) >= best - SHORT_LIST]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Objective:
    """What a rule maximizes: in floats for many confusion matrices, scaled to about 1, and exactly for one."""

    rough: Callable[[Counts, Counts], Floats]
    exact: Callable[[int, int], Fraction | int]


def _objective(p: int, q: int, rule: PointRule) -> _Objective:
    if rule.name == "closest":
        return _Objective(
            lambda tp, fp: -((fp / q) ** 2) - ((p - tp) / p) ** 2,
            lambda tp, fp: -((fp * p) ** 2) - ((p - tp) * q) ** 2,
        )
    if rule.name == "youden":
        return _Objective(lambda tp, fp: tp / p - fp / q, lambda tp, fp: tp * q - fp * p)
    if rule.name == "accuracy":
        return _Objective(lambda tp, fp: (tp - fp) / (p + q), lambda tp, fp: tp - fp)
    if rule.name == "chi2":
        return _chi2_objective(p, q)
    return _cost_objective(p, q, rule)


def _cost_objective(p: int, q: int, rule: PointRule) -> _Objective:
    gain, loss = costs_of(rule).whole_weights(p, q)
    scale = max(gain * p, loss * q)
    return _Objective(
        lambda tp, fp: gain / scale * tp - loss / scale * fp,
        lambda tp, fp: gain * tp - loss * fp,
    )


def _chi2_objective(p: int, q: int) -> _Objective:
    """Return chi-square over n, -1 below the diagonal, which the rule excludes."""
    from fractions import Fraction

    def rough(tp: Counts, fp: Counts) -> Floats:
        m = Confusion(tp, fp, p, q)
        above, spread = m.association, m.predicted_positive * m.predicted_negative.astype(np.float64)
        with np.errstate(invalid="ignore"):  # 0/0 in the corners
            phi2 = above * above / (spread * (float(p) * q))
        return np.where(above < 0, -1.0, np.nan_to_num(phi2))

    def exact(tp: int, fp: int) -> Fraction | int:
        flagged, above = tp + fp, tp * q - fp * p
        if above <= 0:
            return -1 if above < 0 else 0
        return Fraction(above * above, flagged * (p + q - flagged))

    return _Objective(rough, exact)


def _within_fpr(roc: Curve, limit: float) -> int:
    """Return the row of the largest tpr with fp/Q <= limit, at the smallest such fp.

    Rates are compared as floats, as they are shown: .29 of 100 negatives is 29.
    """
    allowed = bisect_right(roc.fp, limit, key=lambda fp: fp / roc.q) - 1
    return int(np.searchsorted(roc.tp, roc.tp[allowed], side="left"))


def _reaching_tpr(roc: Curve, limit: float) -> int:
    """Return the row of the smallest fpr with tp/P >= limit, at the largest such tp."""
    reached = bisect_left(roc.tp, limit, key=lambda tp: tp / roc.p)
    return int(np.searchsorted(roc.fp, roc.fp[reached], side="right")) - 1


def _number(text: str, rule: str) -> Fraction:
    number = exact_number(text)
    if number is None:
        raise UsageError("point-rule-number", rule=rule, found=text, meant=number_meant(text))
    require_float(number, text)
    return number
