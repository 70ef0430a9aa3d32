"""The part of a summary that all analyses share: the cases and the AUC, with their warnings and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.design import FEW_CLUSTERS, FEWEST_CLUSTERS, kish
from rocconf.messages import message
from rocconf.records import slices
from rocconf.table import Column, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import ClusteredCases, Flags, ScoreCounts

ONE_CLUSTER = "all cases of a class are of one cluster"
MODEL = Column("model", "text")

SUMMARY = (
    MODEL,
    Column("n", "count"),
    Column("positives", "count"),
    Column("negatives", "count"),
    Column("prevalence", "share"),
    Column("auc", "share"),
    Column("auc_lower", "share", ONE_CLUSTER),
    Column("auc_upper", "share", ONE_CLUSTER),
    Column("auc_se", "number", "DeLong's variance is 0 or undefined here"),
    Column("auc_df", "number", "DeLong's variance is undefined with a single case of a class", spare=True),
    Column("level", "share"),
    Column("interval", "text"),
)

OF_CLUSTERS = (
    *(Column(name, "count") for name in ("clusters", "positive_clusters", "negative_clusters")),
    *(Column(f"equal_{name}", "number") for name in ("clusters", "positive_clusters", "negative_clusters")),
)
"""The columns of clustered cases: the clusters, those with a positive, those with a negative, and each in equal sizes."""

OF_BINS = (
    Column("binned", "flag"),
    Column("auc_bin_lower", "share", "the AUC is exact"),
    Column("auc_bin_upper", "share", "the AUC is exact"),
)
"""The columns of scores in bins: whether they are, and the bounds of the AUC whatever the scores within the bins."""

NO_SCORES = "class totals alone have no scores"
"""Why class totals alone lack most of the summary."""

NEAR_PERFECT = 0.999
"""An AUC that hardly any model has on new cases."""

ENOUGH = 20
"""Cases of a class, or counts, that are not perfect, or even, by chance."""


def summary_columns(*counts: ScoreCounts) -> tuple[Column, ...]:
    """Return the columns of the shared part, with those of clusters if cases are clustered."""
    of_clusters = OF_CLUSTERS if any(each.clusters is not None for each in counts) else ()
    return (*SUMMARY, *of_clusters, *bin_columns(*counts))


def bin_columns(*counts: ScoreCounts) -> tuple[Column, ...]:
    """Return the columns of scores in bins, if there are any."""
    return OF_BINS if any(each.tops is not None for each in counts) else ()


def summary_of(counts: ScoreCounts, area: Measured) -> dict[str, Any]:
    """Return the shared part of the summary."""
    of_clusters = {} if counts.clusters is None else _of_clusters(counts.clusters)
    of_bins = {} if counts.tops is None else _of_bins(counts, area)
    return auc_record(counts.model, counts.p, counts.q, area) | of_clusters | of_bins


def auc_record(model: str, positives: int, negatives: int, area: Measured) -> dict[str, Any]:
    """Return the shared part of the summary of independent cases."""
    n = positives + negatives
    of_area = area.value, *area.interval.ends, area.se, area.df, area.level, area.kind
    return record_of(SUMMARY, (model, n, positives, negatives, positives / n, *of_area))


def _of_bins(counts: ScoreCounts, area: Measured) -> dict[str, Any]:
    ends = area.estimate.within.ends if area.estimate.within else (None, None)
    return record_of(OF_BINS, (counts.wide is not None, *ends))


def _of_clusters(cases: ClusteredCases) -> dict[str, float]:
    of_class = [np.bincount(cases.cluster[some], minlength=len(cases)) for some in (cases.positive, ~cases.positive)]
    sizes = (of_class[0] + of_class[1], *of_class)
    found = (*(int(np.count_nonzero(each)) for each in sizes), *map(kish, sizes))
    return record_of(OF_CLUSTERS, found)


def model_caveats(counts: ScoreCounts, area: Measured) -> list[Message]:
    """Return the warnings and notes of any analysis of these cases."""
    model, found = counts.model, [caveat for source in counts.sources for caveat in source.caveats]
    if counts.wide is not None:
        found.append(about_bins(counts, area, counts.wide))
    if counts.has_infinite:
        found.append(message("infinite-scores", model=model))
    if len(counts) <= 2:
        found.append(message("few-scores", model=model, scores=len(counts)))
    found += _about_clusters(counts)
    found += auc_caveats(model, counts.p, counts.q, area, lower_is_positive=counts.lower_is_positive)
    times = _copies(counts)
    if times > 1:
        found.append(message("repeated-cases", model=model, times=times))
    return found


def auc_caveats(
    model: str, positives: int, negatives: int, area: Measured, *, lower_is_positive: bool
) -> Iterator[Message]:
    """Yield the warnings and notes that an area alone gives rise to."""
    if area.estimate.is_newcombe:
        yield message("auc-interval", model=model)
    if area.value < 0.5:
        remedy = message("unset-lower-is-positive" if lower_is_positive else "set-lower-is-positive")
        yield message("auc-below-half", model=model, auc=area.value, remedy=remedy)
    if area.value >= NEAR_PERFECT and min(positives, negatives) >= ENOUGH:
        yield message("auc-near-perfect", model=model, auc=area.value)


def about_bins(counts: ScoreCounts, area: Measured, wide: Flags) -> Message:
    """Return a warning of scores in bins: what is exact, and what is not."""
    known = message("binned-exact")
    if area.estimate.within is not None:
        known = message("binned-within", lower=area.estimate.within.lower, upper=area.estimate.within.upper)
    return message("binned", model=counts.model, bins=int(np.count_nonzero(wide)), auc=known)


def has_few_clusters(counts: ScoreCounts) -> bool:
    """Whether the cases of a class are worth too few clusters for rules on intervals."""
    cases = counts.clusters
    return cases is not None and len(cases) < counts.n and min(_of_clusters(cases).values()) < FEWEST_CLUSTERS


def _about_clusters(counts: ScoreCounts) -> Iterator[Message]:
    """Yield a warning of few clusters of a class."""
    cases = counts.clusters
    few = FEW_CLUSTERS if cases is None else min(_of_clusters(cases).values())
    if cases is not None and few < FEW_CLUSTERS:
        sizes = {"few": few, "most": int(np.bincount(cases.cluster).max()), "n": counts.n}
        least = {"least": FEW_CLUSTERS, "fewest": FEWEST_CLUSTERS}
        yield message("few-clusters", model=counts.model, column=cases.column, **sizes, **least)


def _copies(counts: ScoreCounts) -> int:
    """Return the greatest common divisor of all counts; 1 if they are so few that they may have one by chance.

    Clusters may hold copies: they widen no interval, and narrow none.
    """
    if counts.clusters is not None:
        return 1
    divisor, seen = 0, 0
    for rows in slices(len(counts)):
        for cumulated in (counts.tp, counts.fp):
            found = np.diff(cumulated[rows.start : rows.stop + 1])
            divisor = int(np.gcd(divisor, np.gcd.reduce(found)))
            seen += int(np.count_nonzero(found))
        if divisor == 1:
            break
    return divisor if seen >= ENOUGH else 1
