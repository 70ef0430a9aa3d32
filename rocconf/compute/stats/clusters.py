"""How many clusters there are, and whether they are enough to tell how much clusters differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.records import Counts

FEW_CLUSTERS = 30
"""The clusters below which the intervals of rates miss too often."""

FEWEST_CLUSTERS = 10
"""The clusters of equal size below which how much clusters differ is not known well enough for any interval of rules."""


def equal_clusters(sizes: Counts) -> float:
    """Return Kish's number of clusters of equal size, from the cases of each cluster."""
    n = int(sizes.sum())
    return n * n / sum(int(size) ** 2 for size in sizes) if n else 0.0


def tell_too_little(equal: float, clusters: int, n: int) -> bool:
    """Whether n cases of some clusters do not tell how much clusters differ; cases that are all apart do."""
    return clusters < n and equal < FEWEST_CLUSTERS
