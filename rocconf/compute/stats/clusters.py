r"""Variances where cases belong together, like the images of a patient: the clusters are independent, not the cases.

**An area** [1]_. With :math:`X_i, Y_i` the sums of the placements of the positives and of the negatives of cluster i,
:math:`m_i, n_i` their numbers, I clusters, of which I10 have a positive and I01 a negative,

.. math:: a_i = \frac{X_i - m_i A}{P}, \quad b_i = \frac{Y_i - n_i A}{Q}, \quad
   v = \frac{I_{10}}{I_{10}-1}\sum a_i^2 + \frac{I_{01}}{I_{01}-1}\sum b_i^2 + \frac{2I}{I-1}\sum a_i b_i

For a difference of two areas the placements are the differences of those of the models.

**A share** of n cases, h of them hits, is worth as many independent cases as would give it its variance [2]_: with
:math:`x_i` hits among the :math:`m_i` cases of cluster i,

.. math:: n_\text{eff} = \frac{p(1-p)\,n^2}{\sum_i (x_i - m_i p)^2}

and as many as there are clusters where that is 0/0. Wilson's interval takes it for n. The difference of two shares on
the same cases, of b and c discordant ones, is such a mean too: :math:`x_i = b_i - c_i`, and :math:`(b+c)/n - \delta^2`
in place of p(1-p).

Few clusters with a miss hardly tell how alike the cases of a cluster are, and a miss alone looks like independent cases.
The size for verdicts is therefore smaller, by the square of Student's quantile over the normal one [3]_, with
:math:`(\sum r_i^2)^2/\sum r_i^4` degrees of freedom of the residuals :math:`r_i = x_i - m_i p`; but not smaller than
:math:`n^2/\sum m_i^2`, the number of clusters of equal size where all cases of a cluster are alike.

In both, clusters of one case give what independent cases do, and repeating every case inside its cluster changes nothing.

References
----------
.. [1] N. A. Obuchowski (1997), Biometrics 53, 567-578.
.. [2] J. N. K. Rao, A. J. Scott (1992), Biometrics 48, 577-585.
.. [3] E. L. Korn, B. I. Graubard (1998), Survey Methodology 24, 193-201.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.auc_intervals import DelongVariance
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.student import student_quantile
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats, IntervalKind

    Numbers = NDArray[Any]

FEW_CLUSTERS = 30
"""The clusters below which the intervals of rates miss too often."""

FEWEST_CLUSTERS = 10
"""The clusters of equal size below which how much clusters differ is not known well enough for any interval of rules."""


@dataclass(frozen=True, slots=True)
class EffectiveSize:
    """How many independent cases some clustered ones are worth, for a share or a mean of them."""

    clusters: int
    """The clusters with such cases."""
    equal_clusters: float
    """As many clusters of equal size would vary as much if all cases of a cluster were alike."""
    effective_n: float
    df: float | None
    """The degrees of freedom of the variance; None where it is 0."""

    def record(self) -> dict[str, float | int | None]:
        """Return the columns of a table."""
        return {
            "clusters": self.clusters,
            "equal_clusters": self.equal_clusters,
            "effective_n": self.effective_n,
            "effective_df": self.df,
        }

    def of(self, level: float, kind: IntervalKind) -> float:
        """Return the size for an interval; it is smaller for `robust`, as few clusters estimate the variance poorly."""
        if kind != ROBUST:
            return self.effective_n
        least = min(self.effective_n, self.equal_clusters)
        if self.df is None:
            return least
        shrinking = normal_quantile(level) / student_quantile(level, self.df)
        return max(least, self.effective_n * shrinking**2)

    def of_counts(self, *counts: float, n: float, level: float, kind: IntervalKind) -> tuple[float, ...]:
        """Return counts among n cases, and n, as so many independent cases have them."""
        size = self.of(level, kind)
        return (*(count / n * size for count in counts), size)


def equal_clusters(sizes: Counts) -> float:
    """Return Kish's number of clusters of equal size, from the cases of each cluster."""
    n = int(sizes.sum())
    return n * n / sum(int(size) ** 2 for size in sizes) if n else 0.0


def tell_too_little(equal: float, clusters: int, n: int) -> bool:
    """Whether n cases of so many clusters do not tell how much clusters differ; cases that are all apart do."""
    return clusters < n and equal < FEWEST_CLUSTERS


@dataclass(frozen=True, slots=True)
class DiscordantClusters:
    """The cases for and against a difference, and their effective size."""

    only_first: int
    only_second: int
    size: EffectiveSize

    def record(self) -> dict[str, float | int | None]:
        """Return the columns of a table."""
        return {"only_first": self.only_first, "only_second": self.only_second, **self.size.record()}


def effective_size(residuals: Floats, sizes: Counts, spread: float) -> EffectiveSize:
    """Return the effective size of a mean, from its residuals and the cases of each cluster.

    `spread` is the variance of one case, were the cases independent.
    """
    n, clusters = int(sizes.sum()), int(np.count_nonzero(sizes))
    largest = int(sizes.max(initial=0)) or 1
    equal = (n / largest) ** 2 / float(((sizes / largest) ** 2).sum()) if n else 0.0
    most = float(np.abs(residuals).max(initial=0.0))
    if not (most and spread > 0):
        return EffectiveSize(clusters, equal, float(clusters), None)
    squares = (residuals / most) ** 2  # so that the square of a small one is not 0
    total = float(squares.sum())
    return EffectiveSize(clusters, equal, spread * (n / most) ** 2 / total, total**2 / float((squares * squares).sum()))


def size_of_share(hits: Counts, sizes: Counts) -> EffectiveSize:
    """Return the effective size of a share, from the hits and the cases of each cluster."""
    n, h = int(sizes.sum()), int(hits.sum())
    if not n:
        return EffectiveSize(0, 0.0, 0.0, None)
    # the misses in place of 1 - p, which keeps the digits of a share near 1
    residuals = (hits * (n - h) - (sizes - hits) * h) / n
    return effective_size(residuals, sizes, h / n * ((n - h) / n))


def size_of_difference(more: Counts, less: Counts, sizes: Counts) -> EffectiveSize:
    """Return the effective size of a difference of two shares on the same cases.

    Parameters
    ----------
    more, less
        For each cluster the cases that count for and against the difference.
    sizes
        The cases of each cluster.
    """
    n, b, c = int(sizes.sum()), int(more.sum()), int(less.sum())
    residuals = ((more - less) * n - sizes * (b - c)) / n
    # (b + c)/n - delta^2 without a cancellation
    spread = (4 * b * c + (b + c) * (n - b - c)) / n**2
    return effective_size(residuals, sizes, spread)


@dataclass(frozen=True, slots=True)
class ClusterMeans:
    """What each cluster adds to an area: the a and b of the formula."""

    of_positives: Floats
    of_negatives: Floats
    has_positives: Flags
    has_negatives: Flags

    @property
    def variance(self) -> DelongVariance:
        """The variance, whose parts are those of the two classes and of the clusters that have both."""
        positives, negatives = (int(np.count_nonzero(has)) for has in (self.has_positives, self.has_negatives))
        clusters = len(self.of_positives)
        return DelongVariance(
            _corrected(self.of_positives, self.of_positives, positives),
            _corrected(self.of_negatives, self.of_negatives, negatives),
            positives,
            negatives,
            shared=2 * _corrected(self.of_positives, self.of_negatives, clusters),
            clusters=clusters,
        )

    @property
    def third_cumulant(self) -> float:
        """The third cumulant of the area."""
        return float(((self.of_positives + self.of_negatives) ** 3).sum())

    def less(self, other: ClusterMeans) -> ClusterMeans:
        """Return the difference from another model on the same cases."""
        return ClusterMeans(
            self.of_positives - other.of_positives,
            self.of_negatives - other.of_negatives,
            self.has_positives,
            self.has_negatives,
        )

    def covariance(self, other: ClusterMeans) -> float:
        """Return the covariance of the areas of two models on the same cases."""
        positives, negatives = (int(np.count_nonzero(has)) for has in (self.has_positives, self.has_negatives))
        clusters = len(self.of_positives)
        return (
            _corrected(self.of_positives, other.of_positives, positives)
            + _corrected(self.of_negatives, other.of_negatives, negatives)
            + _corrected(self.of_positives, other.of_negatives, clusters)
            + _corrected(self.of_negatives, other.of_positives, clusters)
        )


def cluster_means(twice: Counts, labels: Flags, cluster: Counts, clusters: int) -> ClusterMeans:
    """Return what each cluster adds to an area.

    Parameters
    ----------
    twice
        Twice the placement of each case among those of the other class, as a whole number.
    labels
        Whether each case is positive.
    cluster
        The cluster of each case, from 0 on.
    clusters
        The number of clusters.
    """
    p = int(np.count_nonzero(labels))
    q = len(labels) - p
    means, has = [], []
    for of_class, size, other in ((labels, p, q), (~labels, q, p)):
        total = int(twice[of_class].sum())
        cases = np.bincount(cluster[of_class], minlength=clusters)
        # less the mean placement, a whole number and a rest: equal placements then differ by exactly 0
        mean, rest = divmod(total, size)
        apart = np.bincount(cluster[of_class], weights=(twice[of_class] - mean).astype(np.float64), minlength=clusters)
        means.append((apart - cases * (rest / size)) / (2.0 * size * other))
        has.append(cases > 0)
    return ClusterMeans(means[0], means[1], has[0], has[1])


def _corrected(first: Floats, second: Floats, clusters: int) -> float:
    """Return the sum of products, as for a mean of so many clusters; NaN of a single one."""
    return float((first * second).sum()) * (clusters / (clusters - 1)) if clusters > 1 else float("nan")
