"""What every analysis says of a model before anything else: how many cases, the area, and what to beware of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.records import Caveat
from rocconf.table import Column

if TYPE_CHECKING:
    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import ScoreCounts

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
    Column("level", "share"),
)


def summary_of(counts: ScoreCounts, area: Auc) -> dict[str, Any]:
    """Return the part of the summary that all commands share."""
    return {
        "model": counts.model,
        "n": counts.n,
        "positives": counts.p,
        "negatives": counts.q,
        "prevalence": counts.p / counts.n,
        "auc": area.value,
        "auc_lower": area.interval.lower,
        "auc_upper": area.interval.upper,
        "auc_se": area.se,
        "level": area.level,
    }


def model_caveats(counts: ScoreCounts, area: Auc) -> list[Caveat]:
    """Say what weakens any answer about these cases."""
    found = [caveat for source in counts.sources for caveat in source.caveats]
    infinite = np.isinf(counts.scores[[0, -1]]).any()
    if infinite:
        found.append(Caveat("infinite-scores", f"{counts.model}: some scores are infinite; they rank first or last"))
    if len(counts) <= 2:
        found.append(
            Caveat(
                "few-scores",
                f"{counts.model}: only {len(counts)} distinct score{'s' * (len(counts) > 1)} (these look like labels, not "
                "scores), so the curve has few points",
            )
        )
    if area.se is None:
        found.append(
            Caveat(
                "auc-interval",
                f"{counts.model}: DeLong's variance of the AUC is 0 or undefined here; the interval is Newcombe's (2006, "
                "method 5)",
            )
        )
    if area.value < 0.5:
        found.append(
            Caveat(
                "auc-below-half",
                f"{counts.model}: the AUC is {area.value:.3f}, below 0.5: the scores rank worse than chance. If "
                f"{'higher' if counts.lower_is_positive else 'lower'} scores mean positive, "
                f"{'leave out' if counts.lower_is_positive else 'say'} --lower-is-positive; nothing was turned around",
            )
        )
    return found
