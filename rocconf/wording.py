"""Numbers as sentences and screens have them: rounded, but never to a bound that they do not reach."""

from __future__ import annotations

from math import isfinite

NO_VALUE = "–"
LEAST_P = 0.0001
DIGITS = 3
MOST_DIGITS = 9


def rate(value: float | None, digits: int = DIGITS) -> str:
    """Return a number of [-1, 1] in three digits, or as many more as keep it apart from -1, 0 and 1."""
    if value is None or not isfinite(value):
        return NO_VALUE
    for places in range(digits, MOST_DIGITS):
        text = f"{value:.{places}f}"
        if value in (-1, 0, 1) or float(text) not in (-1, 0, 1):
            return text.removeprefix("-") if float(text) == 0 else text
    return f"{value:.3g}"


def signed(value: float | None) -> str:
    """Return a difference, with its sign."""
    text = rate(value)
    return f"+{text}" if value is not None and value > 0 else text


def interval(lower: float | None, upper: float | None, digits: int = DIGITS) -> str:
    """Return an interval."""
    return f"[{rate(lower, digits)}, {rate(upper, digits)}]"


def p_value(p: float | None) -> str:
    """Return a p-value, in two significant digits."""
    if p is None:
        return "no test"
    return f"p {p:.2g}" if p >= LEAST_P else f"p < {LEAST_P:g}"


def percent(share: float) -> str:
    """Return a share as a percentage: one decimal, or two significant digits below 1%."""
    if share == 0 or share >= 0.01:
        return f"{100 * share:.1f}%".replace("100.0%", "100%" if share == 1 else ">99.9%")
    return f"{100 * share:.2g}%"


def level(share: float) -> str:
    """Return the level of an interval as a percentage, in full."""
    return f"{100 * share:.10g}%"


def cases(n: int, positives: int, clusters: int | None = None) -> str:
    """Return how many cases there are, in how many clusters if they are not independent, and how many are positive."""
    within = "" if clusters is None else f" in {clusters:,} clusters"
    return f"{n:,} {'case' if n == 1 else 'cases'}{within}, {positives:,} positive"


def score(value: float | None) -> str:
    """Return a threshold."""
    return NO_VALUE if value is None else f"{value:.6g}"
