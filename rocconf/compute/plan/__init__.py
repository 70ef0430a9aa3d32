"""How many cases a rule needs, and how often it is decided with others (`rocconf plan`)."""

from rocconf.compute.plan.options import POWER, RUNS, Disagreement, PlanOptions, require_askable
from rocconf.compute.plan.plan import SMALL_PILOT, Plan, Planned, plan_for
from rocconf.compute.plan.populations import Binormal, Pilot
from rocconf.compute.plan.questions import AreaQuestion, Condition, FormulaQuestion, Question, RateQuestion

__all__ = [
    "POWER",
    "RUNS",
    "SMALL_PILOT",
    "AreaQuestion",
    "Binormal",
    "Condition",
    "Disagreement",
    "FormulaQuestion",
    "Pilot",
    "Plan",
    "PlanOptions",
    "Planned",
    "Question",
    "RateQuestion",
    "plan_for",
    "require_askable",
]
