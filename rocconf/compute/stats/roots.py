"""Where functions of one number change sign, or a condition begins to hold."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BISECTIONS = 200
"""The most bisections; about 60 are usual."""

NEAREST, STEPS = 1e-14, 60
"""The distance between two ends that counts as none, and the most steps of false position; ten are usual."""


def bisect(inside: float, outside: float, is_beyond: Callable[[float], bool]) -> tuple[float, float]:
    """Return the last number inside of a limit and the first one outside."""
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            break
        inside, outside = (inside, middle) if is_beyond(middle) else (middle, outside)
    return inside, outside


def root(
    function: Callable[[float], float], above: tuple[float, float], below: tuple[float, float], *, close: float = 0.0
) -> float:
    """Return where a function is 0, or within `close` of it, from points at which it is above and below 0.

    By false position, in which an end that stays twice is weighed half (Illinois).
    """
    middle, stayed = below[0], 0
    for _ in range(STEPS):
        (start, over), (end, under) = above, below
        drop = over - under
        middle = start + (end - start) * (over / drop if 0 < drop < inf else 0.5)
        if middle in (start, end):
            break
        found = function(middle)
        if found > 0:
            above, below, stayed = (middle, found), (end, under / 2 if stayed > 0 else under), 1
        else:
            above, below, stayed = (start, over / 2 if stayed < 0 else over), (middle, found), -1
        if abs(found) <= close or abs(below[0] - above[0]) < NEAREST:
            break
    return middle
