"""Pairs of models: every difference of a model and its baseline, each with limits, a test and a verdict on a margin."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import COST, NET_BENEFIT
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.slices import BY, SLICE
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.shares import PairedShares
from rocconf.compute.tango import MEASURES
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.metric import NO_DIFFERENCE, UNKNOWN_LIMIT
from rocconf.table import Column, Table, stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.compute.roc.slices import Slice
    from rocconf.compute.stats.estimate import Measured
    from rocconf.records import IntervalKind

OF_CURVES = (AUC, *AREAS.values(), *CALIBRATION.values(), CV_AUC, *MEASURES.values())
OF_POINTS = (*AT_A_POINT.values(), COST, NET_BENEFIT)
DIFFERENCES = {metric.name: metric for metric in (*OF_CURVES, *OF_POINTS) if metric.has_difference}
"""The metrics that are compared."""

TEST_NAMES = {
    "tango": "Tango",
    "tango-cc": "Tango, corrected",
    "newcombe": "Newcombe",
    "miettinen-nurminen-cc": "Miettinen-Nurminen, corrected",
    "mover": "MOVER",
    "mean": "mean",
    "cross-fitted": "cross-fitted",
}
"""What figures call the intervals of differences."""

NO_TEST = f"the variance of the difference is 0 or undefined, or {NO_DIFFERENCE}"
NO_LIMIT = f"{NO_DIFFERENCE}, or {UNKNOWN_LIMIT}"
NO_MARGIN = "no margin was given"
NO_VERDICT = f"{NO_MARGIN}, or {NO_DIFFERENCE}"

COLUMNS = (
    MODEL,
    Column("baseline", "text"),
    Column("metric", "text"),
    Column("at", "text", "a measure of the whole curve"),
    Column("difference", "number", NO_DIFFERENCE),
    Column("difference_lower", "number", NO_LIMIT),
    Column("difference_upper", "number", NO_LIMIT),
    Column("p", "p", NO_TEST, spare=True),
    Column("p_adjusted", "p", NO_TEST),
    Column("test", "text", NO_DIFFERENCE, spare=True),
    Column("interval", "text", "no interval of an AUC's difference", spare=True),
    Column("paired", "flag", spare=True),
    Column("margin", "number", NO_MARGIN, spare=True),
    Column("non_inferior", "flag", NO_VERDICT),
    Column("equivalent", "flag", NO_VERDICT),
)

NO_SIZE = "no difference of two rates, or of a model from itself"
CLUSTERED = (
    *(Column(name, "count", NO_SIZE, spare=True) for name in ("only_first", "only_second", "clusters")),
    *(Column(name, "number", NO_SIZE, spare=True) for name in ("equal_clusters", "effective_n")),
    Column("effective_df", "number", f"{NO_SIZE}, or a variance of 0", spare=True),
)
"""The columns of clustered cases: what the intervals of differences of rates follow from."""


@dataclass(frozen=True, slots=True)
class PairOptions:
    """The options of any comparison of pairs, as the output has them."""

    level: float
    interval: IntervalKind
    baseline: str | None
    baseline_named: bool
    """Whether the baseline was named, or is the first model for want of a name."""
    all_pairs: bool
    margin: float | None
    lower_is_positive: bool
    paired: bool

    @property
    def limit(self) -> Margin | None:
        """The margin of non-inferiority and equivalence."""
        return None if self.margin is None else Margin(self.margin)


@dataclass(frozen=True, slots=True)
class Pair:
    """A measure of a model less that of its baseline; the difference is None where one model has no value."""

    model: str
    baseline: str
    metric: str
    at: str | None
    difference: Measured | None
    paired: bool
    p_adjusted: float | None = None

    def record(self, margin: Margin | None) -> dict[str, Any]:
        """Return the row of the table."""
        found, limits = self.difference, self.difference and self.difference.interval
        turned = self.metric in DIFFERENCES and DIFFERENCES[self.metric].lower_is_better
        return {
            "model": self.model,
            "baseline": self.baseline,
            "metric": self.metric,
            "at": self.at,
            "difference": found and found.value,
            "difference_lower": limits and limits.ends[0],
            "difference_upper": limits and limits.ends[1],
            "p": found and found.p,
            "p_adjusted": self.p_adjusted,
            "test": found and found.test,
            "interval": found and found.kind,
            "paired": self.paired,
            "margin": margin and margin.size,
            "non_inferior": margin and limits and margin.non_inferior(limits, lower_is_better=turned),
            "equivalent": margin and limits and margin.equivalent(limits),
            **_clustered(found),
        }


def _clustered(found: Measured | None) -> dict[str, float | None]:
    """Return the columns of clustered cases."""
    estimate = found and found.estimate
    if not isinstance(estimate, PairedShares) or estimate.size is None:
        return dict.fromkeys(column.name for column in CLUSTERED)
    size = estimate.size
    numbers = estimate.only_first, estimate.only_second, size.units, size.kish, size.effective, size.df
    return dict(zip((column.name for column in CLUSTERED), numbers, strict=True))


def pairs_of(models: Sequence[str], baseline: str | None, *, all_pairs: bool) -> list[tuple[int, int]]:
    """Return the indices of each model and its baseline: the first model by default, or every earlier one for all pairs."""
    if all_pairs:
        if baseline is not None:
            raise UsageError("all-pairs-with-baseline")
        return [(later, earlier) for earlier, later in combinations(range(len(models)), 2)]
    if baseline is not None and baseline not in models:
        raise UsageError("unknown-baseline", baseline=baseline, found=", ".join(models))
    first = 0 if baseline is None else models.index(baseline)
    return [(at, first) for at in range(len(models)) if at != first]


def adjusted(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the pairs with the p-values of each measure, at each operating point, adjusted for their number (Holm)."""
    pairs = list(pairs)
    families: dict[tuple[str, str | None], list[int]] = {}
    for place, pair in enumerate(pairs):
        if pair.difference and pair.difference.p is not None:
            families.setdefault((pair.metric, pair.at), []).append(place)
    for places in families.values():
        raw = [found.p for place in places if (found := pairs[place].difference) and found.p is not None]
        for place, p in zip(places, holm(raw), strict=True):
            pairs[place] = replace(pairs[place], p_adjusted=p)
    return tuple(pairs)


def pairs_table(pairs: Sequence[Pair], margin: Margin | None, *, clustered: bool = False) -> Table:
    """Return the pairs as a table.

    Where all pairs have one baseline, its column is spare; where a margin was given, so is p_adjusted, as the verdict
    on the margin matters more.
    """
    spare = {"baseline"} if len({pair.baseline for pair in pairs}) == 1 else set()
    spare |= {"p_adjusted"} if margin else set()
    columns = [
        replace(column, spare=column.spare or column.name in spare)
        for column in (*COLUMNS, *(CLUSTERED if clustered else ()))
    ]
    by_pair = groupby(pairs, key=lambda pair: (pair.model, pair.baseline))
    of_pairs = [Table.of("pairs", columns, [pair.record(margin) for pair in found]) for _, found in by_pair]
    return stack(of_pairs or [Table.of("pairs", columns, [])])


def pairs_of_slices(slices: Sequence[Slice]) -> list[tuple[Slice, Pair]]:
    """Return the pairs of all slices, p adjusted for the number of pairs and slices of a measure."""
    found = [(each, pair) for each in slices for pair in getattr(each.result, "pairs", ())]
    pairs = adjusted(pair for _, pair in found)
    return [(each, pair) for (each, _), pair in zip(found, pairs, strict=True)]


def slice_pairs_table(slices: Sequence[Slice], margin: Margin | None) -> Table:
    """Return the differences of each pair in each slice."""
    columns = pairs_table([], margin).columns
    records = [pair.record(margin) | {"by": each.by, "slice": each.value} for each, pair in pairs_of_slices(slices)]
    return Table.of("slice_pairs", (columns[0], BY, SLICE, *columns[1:]), records)
