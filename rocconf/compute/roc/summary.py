"""The part of a summary that all analyses share: the cases and the AUC, with their warnings and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.clusters import FEW_CLUSTERS, FEWEST_CLUSTERS, equal_clusters
from rocconf.messages import message
from rocconf.records import slices
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.messages import Message
    from rocconf.records import ClusteredCases, ScoreCounts

MODEL = Column("model", "text")

SUMMARY = (
    MODEL,
    Column("n", "count"),
    Column("positives", "count"),
    Column("negatives", "count"),
    Column("prevalence", "share"),
    Column("auc", "share"),
    Column("auc_lower", "share"),
    Column("auc_upper", "share"),
    Column("auc_se", "number", "DeLong's variance is 0 or undefined here"),
    Column("auc_df", "number", "DeLong's variance is undefined with a single case of a class", spare=True),
    Column("level", "share"),
    Column("interval", "text"),
)

OF_CLUSTERS = (
    Column("clusters", "count"),
    Column("positive_clusters", "count"),
    Column("negative_clusters", "count"),
    Column("equal_clusters", "number"),
    Column("equal_positive_clusters", "number"),
    Column("equal_negative_clusters", "number"),
)
"""The columns of clustered cases: the clusters, those with a positive, those with a negative, and each in equal sizes."""

NO_SCORES = "class totals alone have no scores"
"""Why class totals alone lack most of the summary."""


NEAR_PERFECT = 0.999
"""An AUC that hardly any model has on new cases."""

ENOUGH = 20
"""Cases of a class, or counts, that are not perfect, or even, by chance."""


def summary_columns(*counts: ScoreCounts) -> tuple[Column, ...]:
    """Return the columns of the shared part, with those of clusters if cases are clustered."""
    return (*SUMMARY, *(OF_CLUSTERS if any(each.clusters is not None for each in counts) else ()))


def summary_of(counts: ScoreCounts, area: Auc) -> dict[str, Any]:
    """Return the shared part of the summary."""
    own = {} if counts.clusters is None else _of_clusters(counts.clusters)
    return auc_record(counts.model, counts.p, counts.q, area) | own


def auc_record(model: str, positives: int, negatives: int, area: Auc) -> dict[str, Any]:
    """Return the shared part of the summary of independent cases."""
    return {
        "model": model,
        "n": positives + negatives,
        "positives": positives,
        "negatives": negatives,
        "prevalence": positives / (positives + negatives),
        "auc": area.value,
        "auc_lower": area.interval.lower,
        "auc_upper": area.interval.upper,
        "auc_se": area.se,
        "auc_df": area.df,
        "level": area.level,
        "interval": area.kind,
    }


def _of_clusters(cases: ClusteredCases) -> dict[str, float]:
    of_class = [np.bincount(cases.cluster[some], minlength=len(cases)) for some in (cases.positive, ~cases.positive)]
    sizes = (of_class[0] + of_class[1], *of_class)
    found = (*(int(np.count_nonzero(each)) for each in sizes), *map(equal_clusters, sizes))
    return dict(zip((column.name for column in OF_CLUSTERS), found, strict=True))


def model_caveats(counts: ScoreCounts, area: Auc) -> list[Message]:
    """Return the warnings and notes of any analysis of these cases."""
    model, found = counts.model, [caveat for source in counts.sources for caveat in source.caveats]
    if np.isinf(counts.scores[[0, -1]]).any():
        found.append(message("infinite-scores", model=model))
    if len(counts) <= 2:
        found.append(message("few-scores", model=model, scores=len(counts)))
    if counts.clusters is not None:
        found += _about_clusters(counts, counts.clusters)
    found += auc_caveats(model, counts.p, counts.q, area, lower_is_positive=counts.lower_is_positive)
    times = _copies(counts)
    if times > 1:
        found.append(message("repeated-cases", model=model, times=times))
    return found


def auc_caveats(model: str, positives: int, negatives: int, area: Auc, *, lower_is_positive: bool) -> Iterator[Message]:
    """Yield the warnings and notes that an area alone gives rise to."""
    if area.is_newcombe:
        yield message("auc-interval", model=model)
    if area.value < 0.5:
        remedy = message("unset-lower-is-positive" if lower_is_positive else "set-lower-is-positive")
        yield message("auc-below-half", model=model, auc=area.value, remedy=remedy)
    if area.value >= NEAR_PERFECT and min(positives, negatives) >= ENOUGH:
        yield message("auc-near-perfect", model=model, auc=area.value)


def _about_clusters(counts: ScoreCounts, cases: ClusteredCases) -> list[Message]:
    """Return a warning of few clusters of a class."""
    few = min(_of_clusters(cases).values())
    if few >= FEW_CLUSTERS:
        return []
    most = int(np.bincount(cases.cluster).max())
    return [
        message(
            "few-clusters",
            model=counts.model,
            column=cases.column,
            few=few,
            most=most,
            n=counts.n,
            least=FEW_CLUSTERS,
            fewest=FEWEST_CLUSTERS,
        )
    ]


def _copies(counts: ScoreCounts) -> int:
    """Return the greatest common divisor of all counts; 1 if they are so few that they may have one by chance."""
    divisor, seen = 0, 0
    for rows in slices(len(counts)):
        for cumulated in (counts.tp, counts.fp):
            found = np.diff(cumulated[rows.start : rows.stop + 1])
            divisor = int(np.gcd(divisor, np.gcd.reduce(found)))
            seen += int(np.count_nonzero(found))
        if divisor == 1:
            break
    return divisor if seen >= ENOUGH else 1
