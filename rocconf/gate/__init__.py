"""Rules that a release must meet, judged on intervals, with three verdicts.

Rules are checked before any input is read (`check_rules`), and judged on results (`judge_results`) or on saved reports
(`judge_reports`), with the same evidence (`rocconf.compute.evidence`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.gate.apply_rules import judge, judge_results, judge_undecided
from rocconf.gate.check_rules import check_options, check_rules, is_beyond_intervals, passes_worse
from rocconf.gate.config import Config, find_config, raise_all, read_config
from rocconf.gate.promises import chooses_in_sample
from rocconf.gate.rule import GateRule, parse_gate_rule
from rocconf.gate.verdict import STATUS, Outcome, Verdict, Verdicts, overall, worst

if TYPE_CHECKING:
    from rocconf.gate.plan_rules import check_plan, is_planned, plan, plan_from_report
    from rocconf.gate.result import GateResult, judge_reports, replaced_failures, require_data

__all__ = [
    "STATUS",
    "Config",
    "GateResult",
    "GateRule",
    "Outcome",
    "Verdict",
    "Verdicts",
    "check_options",
    "check_plan",
    "check_rules",
    "chooses_in_sample",
    "find_config",
    "is_beyond_intervals",
    "is_planned",
    "judge",
    "judge_reports",
    "judge_results",
    "judge_undecided",
    "overall",
    "parse_gate_rule",
    "passes_worse",
    "plan",
    "plan_from_report",
    "raise_all",
    "read_config",
    "replaced_failures",
    "require_data",
    "worst",
]


OF_REPORTS = ("GateResult", "judge_reports", "replaced_failures", "require_data")
OF_PLANS = ("check_plan", "is_planned", "plan", "plan_from_report")


def __getattr__(name: str) -> Any:
    """Load what judges saved reports, and what plans, where it is used: a run judges its own results."""
    if name in OF_PLANS:
        from rocconf.gate import plan_rules

        return getattr(plan_rules, name)
    if name not in OF_REPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rocconf.gate import result

    return getattr(result, name)
