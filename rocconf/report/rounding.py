"""Cells for people: rounded, and different scores written differently."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MISSING = "–"

MORE_DIGITS = (*(f".{digits}g" for digits in range(7, 16)), "")
"""How scores are written that are alike in six digits; at last in as many as tell any two apart."""


def show(value: Any, kind: str) -> str:
    """Write one cell, rounded."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return MISSING
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "list":
        return " ".join(_scores(value))
    if kind in ("text", "count"):
        return f"{value:.0f}" if isinstance(value, float) else str(value)
    if kind == "p" and value < 0.0001:
        return f"{value:.1e}" if value > 0 else "<1e-307"  # no p is 0, but floats end there
    return f"{value:.4f}" if kind in ("share", "number", "p") and abs(value) < 1000 else f"{value:.6g}"


def show_column(values: Iterable[Any], kind: str) -> list[str]:
    """Write the cells of a column."""
    return _scores(values) if kind == "score" else [show(value, kind) for value in values]


def _scores(values: Iterable[Any]) -> list[str]:
    """Write scores, different ones differently: with as many digits as that takes, the same for all."""
    scores = list(values)
    texts = [show(score, "score") for score in scores]
    numbers = [None if text == MISSING else float(score) for score, text in zip(scores, texts, strict=True)]
    for digits in MORE_DIGITS:
        if len(set(texts)) >= len(set(numbers)):
            break
        texts = [MISSING if number is None else f"{number:{digits}}".removesuffix(".0") for number in numbers]
    return texts


def is_missing(value: Any) -> bool:
    """Whether there is no value."""
    return value is None or (isinstance(value, float) and isnan(value))
