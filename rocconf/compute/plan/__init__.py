"""How many cases a rule needs, and how often it is decided with others (`rocconf plan`)."""

from rocconf.compute.plan.plan import POWER, RUNS, SMALL_PILOT, Asked, Plan, Planned, plan_for, require_power
from rocconf.compute.plan.populations import Binormal, Pilot
from rocconf.compute.plan.questions import (
    SIMULATION,
    AreaQuestion,
    Condition,
    FormulaQuestion,
    Mix,
    Question,
    RateQuestion,
    Size,
)

__all__ = [
    "POWER",
    "RUNS",
    "SIMULATION",
    "SMALL_PILOT",
    "AreaQuestion",
    "Asked",
    "Binormal",
    "Condition",
    "FormulaQuestion",
    "Mix",
    "Pilot",
    "Plan",
    "Planned",
    "Question",
    "RateQuestion",
    "Size",
    "plan_for",
    "require_power",
]
