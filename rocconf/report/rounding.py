"""Cells for people: rounded, with different scores written differently."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_VALUE = "–"

MORE_DIGITS = (*(f".{digits}g" for digits in range(7, 16)), "")
"""The formats of scores that are equal in six digits; the last one writes any two differently."""


def show(value: Any, kind: str) -> str:
    """Return one cell, rounded."""
    if is_missing(value):
        return NO_VALUE
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "list":
        return " ".join(_scores(value))
    if kind in ("text", "count"):
        return f"{value:.0f}" if isinstance(value, float) else visible(str(value))
    if kind == "p" and value < 0.0001:
        return f"{value:.1e}" if value > 0 else "<1e-307"  # no p is 0, but floats end there
    return f"{value:.4f}" if kind in ("share", "number", "p") and abs(value) < 1000 else f"{value:.6g}"


def show_column(values: Iterable[Any], kind: str) -> list[str]:
    """Return the cells of a column."""
    return _scores(values) if kind == "score" else [show(value, kind) for value in values]


def is_missing(value: Any) -> bool:
    """Whether there is no value."""
    return value is None or (isinstance(value, float) and isnan(value))


def _scores(values: Iterable[Any]) -> list[str]:
    """Return scores with as many digits as make different ones different, the same for all."""
    scores = list(values)
    texts = [show(score, "score") for score in scores]
    numbers = [None if text == NO_VALUE else float(score) for score, text in zip(scores, texts, strict=True)]
    for digits in MORE_DIGITS:
        if len(set(texts)) >= len(set(numbers)):
            break
        texts = [NO_VALUE if number is None else f"{number:{digits}}".removesuffix(".0") for number in numbers]
    return texts
