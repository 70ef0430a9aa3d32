"""A rule of a gate: what must hold of which number, as it is written on the command line or in a file.

`METRIC OP VALUE`, where METRIC is `NAME`, `NAME[MODEL]`, `NAME@OPERATING-POINT` or `NAME[MODEL]@OPERATING-POINT`, and OP
is the last comparison in the text: `tpr@fpr<=0.01 >= 0.8` asks for 0.8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from rocconf.errors import UsageError

Op = Literal[">=", ">", "<=", "<", "=="]
Severity = Literal["error", "warn"]

WRITTEN = re.compile(r"(?P<metric>.*?)(?P<op>>=|<=|==|>|<)(?P<limit>[^<>=]*)", re.DOTALL)
METRIC = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\s*(?:\[(?P<model>.*)\])?\s*(?:@(?P<at>[^\]]*))?", re.DOTALL)
"""A model's name may have brackets of its own, and an operating point has none."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
"""What everybody reads as one number; Python alone would also take 1_0 for ten."""
POINT_AFTER_MODEL = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*\[(?P<model>.*)\]\s*\.point\s*(?:@.*)?", re.DOTALL)
DELTA = "delta_"
POINT = ".point"
"""Ends the name of a metric that is to be judged without its interval."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold, of which models, and what follows if it does not."""

    metric: str
    op: Op
    limit: float
    model: str | None = None
    at: str | None = None
    point_only: bool = False
    name: str = ""
    level: float | None = None
    severity: Severity = "error"
    where: tuple[tuple[str, str], ...] = ()
    on_undefined: Literal["inconclusive", "pass", "fail"] = "inconclusive"

    def __post_init__(self) -> None:
        if not isfinite(self.limit):
            raise UsageError(f"rule {self.text!r}: the limit must be finite")
        if self.level is not None and not 0 < self.level < 1:
            raise UsageError(f"rule {self.text!r}: a level must be between 0 and 1, not {self.level:g}")

    @property
    def text(self) -> str:
        """The rule as it is written."""
        model = f"[{self.model}]" if self.model is not None else ""
        at = f"@{self.at}" if self.at is not None else ""
        return f"{self.metric}{POINT * self.point_only}{model}{at} {self.op} {written(self.limit)}{self.of_slice}"

    @property
    def is_difference(self) -> bool:
        """Whether the rule is about a model less its baseline."""
        return self.metric.startswith(DELTA)

    @property
    def of_slice(self) -> str:
        """The rows the rule is about, where they are not all."""
        return "".join(f", {column}={value}" for column, value in self.where)


def parse_rule(text: str) -> Rule:
    """Read a rule from the command line."""
    parts = WRITTEN.fullmatch(text)
    if not parts:
        raise UsageError(f"rule {text!r} is not METRIC OP VALUE, like 'auc >= 0.85' or 'tpr@fpr<=0.01 >= 0.8'")
    name, model, at, point_only = parse_metric(parts["metric"], text)
    limit = parts["limit"].strip()
    if not NUMBER.fullmatch(limit):
        raise UsageError(f"rule {text!r}: {limit!r} is not a number")
    if not isfinite(float(limit)):
        raise UsageError(f"rule {text!r}: the limit must be finite")
    return Rule(name, parts["op"], float(limit), model, at, point_only, name=" ".join(text.split()))  # type: ignore[arg-type]


def written(number: float) -> str:
    """Write a number in as few digits as tell it from every other."""
    return repr(float(number)).removesuffix(".0")


def parse_metric(text: str, rule: str) -> tuple[str, str | None, str | None, bool]:
    """Read the left side of a rule: name, model, operating point, and whether only the point is judged."""
    found = METRIC.fullmatch(text.strip())
    late = POINT_AFTER_MODEL.fullmatch(text.strip())
    if late:
        raise UsageError(f"rule {rule!r}: {POINT} stands before the model: {late['name']}{POINT}[{late['model']}]")
    if not found:
        raise UsageError(f"rule {rule!r}: {text.strip()!r} is not NAME, NAME[MODEL] or NAME[MODEL]@OPERATING-POINT")
    name = found["name"].removesuffix(POINT)
    if "." in name:
        raise UsageError(f"rule {rule!r}: {found['name']!r} is no name of a number (only .point may follow one)")
    at = found["at"].strip() if found["at"] is not None else None
    if at == "":
        raise UsageError(f"rule {rule!r}: no operating point after @")
    return name, found["model"], at, found["name"].endswith(POINT)
