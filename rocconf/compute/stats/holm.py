r"""Holm's adjustment of several p-values, which keeps the chance of any false rejection at the level of one test.

With the p-values in ascending order, :math:`\tilde p_i = \max_{j \le i} \min(1, (m - j + 1)\,p_j)`.

References
----------
.. [1] S. Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-values, in the order of the p-values."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
