"""Whether the points of a saved report that claim an assurance have it: its order statistics, or its test, again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.assured import least_true_positives, most_false_positives, shows_precision
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.compute.roc.operating import PointRule
    from rocconf.gate.consistent_row import Row
    from rocconf.messages import Message


def promise_faults(
    row: Row, rule: PointRule, *, tp: int | None, fp: int | None, totals: Mapping[str, Any]
) -> Iterator[Message]:
    """Yield a fault if these counts do not have the assurance of the rule that chose them; None is unknown."""
    if rule.assurance is None or _is_kept(rule, tp, fp, totals["positives"], totals["negatives"]):
        return
    yield message("report-promise", where=row.where, rule=rule.text)


def _is_kept(rule: PointRule, tp: int | None, fp: int | None, p: int, q: int) -> bool:
    (limit,), assurance = rule.numbers, rule.assurance
    if assurance is None:
        return True
    if rule.name == "fpr":
        most = most_false_positives(limit, assurance, q)
        return most is not None and (fp is None or fp <= most)
    if rule.name == "tpr":
        least = least_true_positives(limit, assurance, p)
        return least is not None and (tp is None or tp >= least)
    return tp is None or fp is None or shows_precision(tp, fp, limit, assurance)
