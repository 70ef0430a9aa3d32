"""The statistics of drift, each with its p-value and an interpretation in one sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.relabel import within_distance
from rocconf.compute.stats.auc_difference import unpaired_auc_difference
from rocconf.dataclass import dataclass
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.sensibility.midpoint import Split
    from rocconf.compute.sensibility.relabel import Division
    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import ScoreCounts


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of the difference of two sets; `p` is None where there is no test."""

    name: str
    value: float
    p: float | None
    meaning: str
    p_adjusted: float | None = None

    def below(self, alpha: float) -> bool:
        """Whether the test rejects."""
        return self.p is not None and self.p <= alpha


def drift_table(model: str, statistics: Sequence[Statistic]) -> Table:
    """Return statistics as a table."""
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
    """Return the distance of the joint distributions of score and label."""
    change = _moved("score and label together", p, alpha)
    return Statistic("D_joint", value, p, f"{change}: of all cases, up to {value:.3f} lie elsewhere")


def of_sensibility(value: float, p: float, p_adjusted: float, splits: tuple[Split, Split], alpha: float) -> Statistic:
    """Return the distance of the curves of sensibility."""
    change, (new, old) = _moved("the sensibility curve", p_adjusted, alpha), splits
    midpoints = f"midpoint {new.midpoint:.3f} here, {old.midpoint:.3f} in the reference"
    return Statistic("D_sens", value, p, f"{change}: up to {value:.3f} apart; {midpoints}", p_adjusted)


def of_capability(value: float, p: float, p_adjusted: float, splits: tuple[Split, Split], alpha: float) -> Statistic:
    """Return the distance of the curves of capability."""
    change, (new, old) = _moved("the capability curve", p_adjusted, alpha), splits
    ratios = f"struggle ratio {new.struggle_ratio:.3f} here, {old.struggle_ratio:.3f} in the reference"
    return Statistic("D_cap", value, p, f"{change}: up to {value:.3f} apart; {ratios}", p_adjusted)


def of_prevalence(counts: ScoreCounts, reference: ScoreCounts, p: float, alpha: float) -> Statistic:
    """Return the difference of the prevalences."""
    new, old = counts.p / counts.n, reference.p / reference.n
    change = _moved("the class balance", p, alpha)
    return Statistic("prevalence", new - old, p, f"{change}: {new:.3f} positive here, {old:.3f} in the reference")


def of_within(positives: Division, negatives: Division, p: float, alpha: float) -> Statistic:
    """Return the distance of the scores within the classes."""
    apart = [float(each.ks()[0]) for each in (positives, negatives)]
    change = _moved("the scores within the classes", p, alpha)
    return Statistic(
        "within_class_ks",
        float(within_distance(positives, negatives)[0]),
        p,
        f"{change}: up to {apart[0]:.3f} of the positives and {apart[1]:.3f} of the negatives lie elsewhere",
    )


def of_auc(new: Auc, old: Auc, alpha: float) -> Statistic:
    """Return the difference of the AUCs, by the test for unpaired samples of their kind."""
    found = unpaired_auc_difference(new, old)
    areas = f"AUC {new.value:.3f} here, {old.value:.3f} in the reference"
    change = "no test of the ranking" if found.p is None else _moved("the ranking", found.p, alpha)
    return Statistic("auc", found.value, found.p, f"{change}: {areas}")


def rejection_at(level: float) -> float:
    """Return the largest p-value at which a test rejects; 1 - 0.9 is a little less than 0.1 in floats."""
    return float(1 - Fraction(repr(float(level))))


def _moved(what: str, p: float, alpha: float) -> str:
    return f"{what} moved" if p <= alpha else f"no evidence that {what} moved"
