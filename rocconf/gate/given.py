"""Rules that the options of a run leave nothing to judge by, though its command knows the metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocconf.gate.rule import Rule

PERMUTED = ("max_chi2_p", "drift_p", "drift_within_p")
RESTATED = ("precision", "npv")


def refuse_by_options(rules: Iterable[Rule], options: Mapping[str, Any]) -> None:
    """Refuse rules about numbers that a run with these options shows otherwise than a rule would judge them."""
    for rule in rules:
        why = _why_not(rule, options)
        if why:
            raise UsageError(f"rule {rule.text!r}: {why}")


def _why_not(rule: Rule, options: Mapping[str, Any]) -> str:
    test, permutations = options.get("test") or "tango", options.get("permutations")
    if rule.metric in RESTATED and options.get("prevalence") is not None:
        return "it is restated by --prevalence, and has no interval so"
    if rule.metric == "diff" and test != "tango":
        return f"the error difference is judged on Tango's interval, and --test is {test}"
    if rule.metric in PERMUTED and permutations is not None and not _is_reachable(rule, permutations):
        return (
            f"the least p of {permutations} permutations is 1/{permutations + 1}, so the rule always says the same; more "
            "permutations reach further"
        )
    return ""


def _is_reachable(rule: Rule, permutations: int) -> bool:
    """Whether a p of so many permutations can be on either side of the limit."""
    least = 1 / (permutations + 1)
    return rule.limit > least or (rule.limit == least and rule.op not in (">=", "<"))
