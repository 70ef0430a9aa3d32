"""A rule of a gate: a condition on a metric, as it is written on the command line or in a file.

`METRIC OP VALUE`, where METRIC is `NAME`, `NAME[MODEL]`, `NAME@OPERATING-POINT` or `NAME[MODEL]@OPERATING-POINT`, and OP
is the last comparison in the text: `tpr@fpr<=0.01 >= 0.8` asks for 0.8. A METRIC that ends in `by COLUMN` is that of
every slice: the cases with one value of the column.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Literal

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import number_meant
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from rocconf.conditions import Condition

Op = Literal[">=", ">", "<=", "<", "=="]
Severity = Literal["error", "warn"]

WRITTEN = re.compile(r"(?P<metric>.*?)(?P<op>>=|<=|==|>|<)(?P<limit>[^<>=]*)", re.DOTALL)
METRIC = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\s*(?:\[(?P<model>.*)\])?\s*(?:@(?P<at>[^\]]*))?", re.DOTALL)
"""The name of a model may contain brackets, an operating point may not."""
BY = re.compile(r"(?P<metric>.*\S)\s+by\s+(?P<by>[^\s\]][^\]]*?)\s*", re.DOTALL)
"""A metric of every slice: the column stands behind the model and the operating point."""
MOST_DIGITS = 309
"""The digits of the largest float."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
"""A number without the underscores that Python accepts, as in 1_0."""
POINT_AFTER_MODEL = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*\[(?P<model>.*)\]\s*\.point\s*(?:@.*)?", re.DOTALL)
POINT = ".point"
"""The suffix of a metric that is to be judged without its interval."""

WORDS = {
    "op": (">=", ">", "<=", "<", "=="),
    "severity": ("error", "warn"),
    "on_undefined": ("inconclusive", "pass", "fail"),
}
"""What some parts of a rule can be."""


@dataclass(frozen=True, slots=True)
class GateRule:
    """A condition on a metric, the models it is about, and its severity."""

    metric: str
    op: Op
    limit: float
    model: str | None = None
    at: str | None = None
    point_only: bool = False
    name: str = ""
    level: float | None = None
    severity: Severity = "error"
    where: tuple[Condition, ...] = ()
    on_undefined: Literal["inconclusive", "pass", "fail"] = "inconclusive"
    allow_identical: bool = False
    """Whether a model may be compared with itself."""
    by: str | None = None
    """The column whose every value is a slice that must meet the condition."""

    def __post_init__(self) -> None:
        for key, words in WORDS.items():
            if getattr(self, key) not in words:
                raise UsageError("rule-word", rule=self.text, key=key, found=getattr(self, key), known=", ".join(words))
        if not isfinite(self.limit):
            raise UsageError("rule-limit-infinite", rule=self.text)
        if self.level is not None and not 0 < self.level < 1:
            raise UsageError("rule-level", rule=self.text, level=self.level)
        if self.by is not None:
            self._require_open_slices(self.by)

    def _require_open_slices(self, by: str) -> None:
        """Refuse what would let a slice pass without evidence, or make slices of a slice."""
        if not by.strip():
            raise UsageError("rule-by-blank", rule=self.text)
        if "@" in by and self.at is None:
            raise UsageError("rule-by-point", rule=self.text, by=by.partition("@")[0], at=by.partition("@")[2])
        if self.where:
            raise UsageError("rule-by-and-where", rule=self.text)
        if self.on_undefined == "pass":
            raise UsageError("rule-by-undefined", rule=self.text)

    @property
    def text(self) -> str:
        """The rule as it is written."""
        model = f"[{self.model}]" if self.model is not None else ""
        at = f"@{self.at}" if self.at is not None else ""
        metric = f"{self.metric}{POINT * self.point_only}{model}{at}" + (
            f" by {self.by}" if self.by is not None else ""
        )
        return f"{metric} {self.op} {in_full(self.limit)}{self.of_slice}"

    @property
    def is_difference(self) -> bool:
        """Whether the rule is about a model less its baseline."""
        return self.metric.startswith(DELTA)

    @property
    def of_slice(self) -> str:
        """The conditions of the slice, as they end the rule's text; empty if the rule is about all rows."""
        return "".join(f", {condition.text}" for condition in self.where)


def parse_gate_rule(text: str) -> GateRule:
    """Parse a rule of the command line."""
    parts = WRITTEN.fullmatch(text)
    if not parts:
        raise UsageError("rule-form", rule=text)
    metric, by = split_by(parts["metric"])
    name, model, at, point_only = parse_metric(metric, text)
    limit = parts["limit"].strip()
    if not NUMBER.fullmatch(limit):
        raise UsageError("rule-limit", rule=text, limit=limit, meant=number_meant(limit))
    digits = limit.lstrip("+-0")  # int() refuses thousands of digits, and a float has at most 309
    if digits.isdigit() and (len(digits) > MOST_DIGITS or int(digits) != abs(float(limit))):
        raise UsageError("number-not-float", found=limit)
    written = " ".join(text.split())
    return GateRule(name, parts["op"], float(limit), model, at, point_only, name=written, by=by)  # type: ignore[arg-type]  # WRITTEN has the operators of `Op`


def split_by(metric: str) -> tuple[str, str | None]:
    """Return a metric, and the column of the slices that it is of."""
    found = BY.fullmatch(metric)
    return (found["metric"], found["by"]) if found else (metric, None)


def in_full(number: float) -> str:
    """Return a number in the fewest digits that identify it."""
    return repr(float(number)).removesuffix(".0")


def parse_metric(text: str, rule: str) -> tuple[str, str | None, str | None, bool]:
    """Return the parts of the left side of a rule: name, model, operating point, and whether only the value is judged."""
    found = METRIC.fullmatch(text.strip())
    late = POINT_AFTER_MODEL.fullmatch(text.strip())
    if late:
        raise UsageError("rule-point-place", rule=rule, name=late["name"], model=late["model"])
    if not found:
        raise UsageError("rule-metric-form", rule=rule, metric=text.strip())
    name = found["name"].removesuffix(POINT)
    if "." in name:
        raise UsageError("rule-metric-suffix", rule=rule, metric=found["name"])
    at = found["at"].strip() if found["at"] is not None else None
    if at == "":
        raise UsageError("rule-no-point", rule=rule)
    return name, found["model"], at, found["name"].endswith(POINT)
