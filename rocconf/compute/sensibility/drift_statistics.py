"""What drift is measured by: each statistic with its p-value and what it means, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.relabel import within_distance
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.sensibility.midpoint import Split
    from rocconf.compute.sensibility.relabel import Part
    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import ScoreCounts


@dataclass(frozen=True, slots=True)
class Statistic:
    """One measure of how two sets differ; `p` is None where there is no test."""

    name: str
    value: float
    p: float | None
    meaning: str
    p_adjusted: float | None = None

    def below(self, alpha: float) -> bool:
        """Whether the test rejects."""
        return self.p is not None and self.p <= alpha


def drift_table(model: str, statistics: Sequence[Statistic]) -> Table:
    """Return statistics in rows."""
    columns = (
        MODEL,
        Column("statistic", "text"),
        Column("value", "number"),
        Column("p", "p", "the variance of the difference is 0 or undefined"),
        Column("p_adjusted", "p", "Holm's adjustment is for D_sens and D_cap together"),
        Column("meaning", "text"),
    )
    records = [
        {
            "model": model,
            "statistic": each.name,
            "value": each.value,
            "p": each.p,
            "p_adjusted": each.p_adjusted,
            "meaning": each.meaning,
        }
        for each in statistics
    ]
    return Table.of("drift", columns, records)


def of_joint(value: float, p: float, alpha: float) -> Statistic:
    """Say how far apart the joint distributions of score and label are."""
    said = _moved("score and label together", p, alpha)
    return Statistic("D_joint", value, p, f"{said}: of all cases, up to {value:.3f} lie elsewhere")


def of_sensibility(value: float, p: float, p_adjusted: float, splits: tuple[Split, Split], alpha: float) -> Statistic:
    """Say how far apart the curves of sensibility are."""
    said, (new, old) = _moved("the sensibility curve", p_adjusted, alpha), splits
    midpoints = f"midpoint {new.midpoint:.3f} here, {old.midpoint:.3f} in the reference"
    return Statistic("D_sens", value, p, f"{said}: up to {value:.3f} apart; {midpoints}", p_adjusted)


def of_capability(value: float, p: float, p_adjusted: float, splits: tuple[Split, Split], alpha: float) -> Statistic:
    """Say how far apart the curves of capability are."""
    said, (new, old) = _moved("the capability curve", p_adjusted, alpha), splits
    ratios = f"struggle ratio {new.struggle_ratio:.3f} here, {old.struggle_ratio:.3f} in the reference"
    return Statistic("D_cap", value, p, f"{said}: up to {value:.3f} apart; {ratios}", p_adjusted)


def of_prevalence(counts: ScoreCounts, reference: ScoreCounts, p: float, alpha: float) -> Statistic:
    """Say how the prevalences differ."""
    new, old = counts.p / counts.n, reference.p / reference.n
    said = _moved("the class balance", p, alpha)
    return Statistic("prevalence", new - old, p, f"{said}: {new:.3f} positive here, {old:.3f} in the reference")


def of_within(positives: Part, negatives: Part, p: float, alpha: float) -> Statistic:
    """Say how far apart the scores within the classes are."""
    apart = [part.furthest(1 / part.sizes) for part in (positives, negatives)]
    said = _moved("the scores within the classes", p, alpha)
    return Statistic(
        "within_class_ks",
        within_distance(positives, negatives),
        p,
        f"{said}: up to {apart[0]:.3f} of the positives and {apart[1]:.3f} of the negatives lie elsewhere",
    )


def of_auc(new: Auc, old: Auc, alpha: float) -> Statistic:
    """Say how the areas differ, by DeLong's test for unpaired samples."""
    difference, variance = new.value - old.value, (new.se or 0) ** 2 + (old.se or 0) ** 2
    areas = f"AUC {new.value:.3f} here, {old.value:.3f} in the reference"
    if new.se is None or old.se is None:
        return Statistic("auc", difference, None, f"no test of the ranking: {areas}")
    p = erfc(abs(difference) / sqrt(2 * variance))
    return Statistic("auc", difference, p, f"{_moved('the ranking', p, alpha)}: {areas}")


def rejection_at(level: float) -> float:
    """Return the p-value at which a test rejects; 1 - 0.9 is a little less than 0.1, which a p of 0.1 must not feel."""
    return round(1 - level, 12)


def _moved(what: str, p: float, alpha: float) -> str:
    return f"{what} moved" if p <= alpha else f"no evidence that {what} moved"
