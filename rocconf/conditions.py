"""Conditions on the rows of a table: `region=north`, `age>=65`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.pattern import pattern

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
"""How a condition compares a cell with its value."""

CONDITION = pattern(r"(?P<column>[^=<>]+?)(?P<op>!=|<=|>=|=|<|>)(?P<value>.*)", re.DOTALL)
DECIMAL = pattern(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,9})?", re.ASCII)
"""A number that conditions compare exactly."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the cells of a column.

    `=` and `!=` compare the text of a cell, so that no two keys become one: `007` is not `7`. The others compare exact
    numbers.
    """

    column: str
    op: Operator
    value: str

    def __post_init__(self) -> None:
        if not self.column or re.search(r"[=<>]|!$", self.column):
            raise UsageError("condition-column", condition=self.text, column=self.column)
        if self.value.startswith("="):
            raise UsageError("condition-equals", condition=self.text)
        if self.is_of_numbers and not DECIMAL.fullmatch(self.value.strip()):
            raise UsageError("condition-number", condition=self.text, value=self.value)

    @property
    def is_of_numbers(self) -> bool:
        """Whether cells must be numbers."""
        return self.op not in ("=", "!=")

    @property
    def text(self) -> str:
        """The condition as it is written."""
        return f"{self.column}{self.op}{self.value}"

    def excludes(self, other: Condition) -> bool:
        """Whether no cell meets both conditions."""
        if self.column != other.column:
            return False
        if not (self.is_of_numbers or other.is_of_numbers):
            return "=" in (self.op, other.op) and (self.value == other.value) == (self.op != other.op)
        return self._is_below(other) or other._is_below(self)

    def _is_below(self, other: Condition) -> bool:
        """Whether the numbers of this condition are less than those of another."""
        if self.op not in ("<", "<=", "=") or other.op not in (">", ">=", "="):
            return False
        if not (DECIMAL.fullmatch(self.value.strip()) and DECIMAL.fullmatch(other.value.strip())):
            return False
        from decimal import Decimal

        most, least = Decimal(self.value.strip()), Decimal(other.value.strip())
        return most < least or (most == least and (self.op == "<" or other.op == ">"))


def are_exclusive(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether no case meets two sets of conditions, as they are written."""
    sets = (parse_conditions(texts, "where") for texts in (one, other))
    return any(first.excludes(second) for first, second in product(*sets))


def parse_condition(text: str, option: str) -> Condition:
    """Parse a condition; the column's name ends at the first operator."""
    parts = CONDITION.fullmatch(text)
    if not parts:
        raise UsageError("condition-form", option=option, found=text)
    return Condition(parts["column"], parts["op"], parts["value"])  # type: ignore[arg-type]  # the pattern has them


def parse_conditions(where: object, option: str) -> tuple[Condition, ...]:
    """Return conditions from their texts, or from a table of columns and the values that they equal."""
    if isinstance(where, Mapping):
        return tuple(Condition(column, "=", _key(column, value)) for column, value in where.items())
    texts = [where] if isinstance(where, str) else where
    if not isinstance(texts, Sequence):
        raise UsageError("condition-form", option=option, found=where)
    return tuple(parse_condition(str(text), option) for text in texts)


def _key(column: str, value: object) -> str:
    """Return the text of a value; a float has more than one."""
    if isinstance(value, str):
        return value
    if not isinstance(value, int):
        raise UsageError("condition-value", column=column, found=value)
    return str(value).lower() if isinstance(value, bool) else str(value)
