"""Pairs of models: every difference of a model and its baseline, with limits, a test, a verdict on a margin and words.

The words follow from the interval and p. All results with pairs of models say the same of them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import COST, NET_BENEFIT
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.slice_results import BY, SLICE, columns_of, listed, spelled
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.estimate import SQUARE_AND_ADD
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.shares import PairedShares
from rocconf.compute.tango import MEASURES
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.metric import NO_DIFFERENCE, UNKNOWN_LIMIT
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.compute.roc.slice_results import Slice
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import Interval, IntervalKind

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

NEAR = 0.25
"""Within this part of its reach a difference has no direction to speak of."""

ROUNDING = 1e-12
"""1 - level is rarely exact."""

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
    return Table.of("pairs", columns, [pair.record(margin) for pair in pairs])


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


class PairedResult(Result):
    """Several models, and the differences of pairs of them."""

    __slots__ = ()
    rows_are_thresholds: ClassVar[bool] = False
    rows_title: ClassVar[str] = ""
    slices: Sequence[Slice] = ()
    asked: PairOptions
    pairs: tuple[Pair, ...]

    def title(self, name: str) -> str:
        """Return the title of a table in the formats for people."""
        if name != "pairs":
            return super().title(name)
        pairs = "pairs" if self.asked.all_pairs else f"pairs: each model less {self.asked.baseline}"
        return f"{pairs} (interval of the AUC: {self.asked.interval})"

    def keys_on_screen(self, name: str) -> tuple[str, ...]:
        """Return the keys of a table for a screen, without the column of slices if there is only one."""
        keys = super().keys_on_screen(name)
        return keys[1:] if name.startswith("slice") and len(columns_of(self.slices)) == 1 else keys

    def answers(self, metric: str = AUC.name, what: str = "AUC") -> list[Message]:
        """Return a sentence on each pair."""
        pairs = [pair for pair in self.pairs if pair.metric == metric and pair.difference is not None]
        return [in_words(pair, self.asked, several=len(pairs) > 1, what=what) for pair in pairs]

    def answer_of_cases(self, pairs: int, n: int, positives: int, clusters: int | None = None) -> Iterator[Message]:
        """Yield what all sentences have in common: the kind of the intervals, and the cases."""
        how = {"kind": self.asked.interval, "level": wording.level(self.asked.level), "count": pairs}
        if not self.asked.paired:
            yield from [message("answer-pairs-unpaired", **how)] * (pairs > 1)
            return
        cases = wording.cases(n, positives, clusters)
        yield message("answer-pairs", **how, cases=cases) if pairs > 1 else message("answer-cases", cases=cases)

    def about_itself(self) -> Iterator[Message]:
        """Yield a warning of each measure in which a model is compared with itself."""
        for pair in self.pairs:
            if pair.difference and pair.difference.is_from_itself:
                decides = message("itself-decides-nothing")
                yield message("compared-with-itself", model=pair.model, baseline=pair.baseline, decides=decides)

    def about_variances(self) -> Iterator[Message]:
        """Yield a note on each difference whose variance is 0 or unknown."""
        for pair in self.pairs:
            if pair.difference and pair.difference.test == SQUARE_AND_ADD:
                yield message("no-variance", model=pair.model, baseline=pair.baseline)


def in_words(pair: Pair, asked: PairOptions, *, several: bool, what: str) -> Message:
    """Return the sentence on a pair; of several pairs the p-value is adjusted for their number."""
    found = pair.difference
    if found is None or found.is_from_itself:
        return message("answer-itself", model=pair.model, baseline=pair.baseline)
    p = pair.p_adjusted if several else found.p
    how = [] if several else [*([found.kind] if found.kind else []), "paired" if pair.paired else "unpaired"]
    how.append(wording.p_value(p))
    return message(
        _code_of(found, p, level=asked.level),
        model=pair.model,
        baseline=pair.baseline,
        what=what,
        difference=f"{wording.signed(found.value)} {wording.interval(*found.interval.ends)}",
        how=", ".join(how),
        margin=_about_margin(found, asked.limit) if asked.limit else "",
    )


def direction_caveats(limits: Sequence[tuple[str, Interval]]) -> Iterator[Message]:
    """Yield a warning if scores go in opposite directions by their intervals, which one option cannot turn."""
    low = [name for name, interval in limits if interval.upper < 0.5]
    high = [name for name, interval in limits if interval.lower > 0.5]
    if low and high:
        yield message("mixed-directions", low=", ".join(low), high=", ".join(high))


def _code_of(found: Measured, p: float | None, *, level: float) -> str:
    """Return the sentence: sure if the interval excludes 0 and the p-value rejects, else a direction or none."""
    lower, upper = found.interval.lower, found.interval.upper
    if excludes_zero(found) and (p is None or p <= 1 - level + ROUNDING):
        return "answer-better" if lower > 0 else "answer-worse"
    if not excludes_zero(found) and abs(found.value) <= NEAR * (upper - lower) / 2:
        return "answer-no-difference"
    return "answer-maybe-better" if found.value > 0 else "answer-maybe-worse"


def excludes_zero(found: Measured) -> bool:
    """Whether the interval of a difference excludes 0."""
    return found.interval.lower > 0 or found.interval.upper < 0


def _about_margin(found: Measured, margin: Margin) -> Message:
    return message("not-worse-by" if margin.non_inferior(found.interval) else "maybe-worse-by", margin=margin.size)


def slice_pairs_answers(slices: Sequence[Slice], *, level: float, metric: str = AUC.name) -> Iterator[Message]:
    """Yield for each column and pair where a model gains and loses most."""
    found = [(each, pair) for each, pair in pairs_of_slices(slices) if each.is_decided and pair.metric == metric]
    for by in columns_of(slices):
        for model, baseline in dict.fromkeys((pair.model, pair.baseline) for _, pair in found):
            own = [
                (pair.difference.value, each.name, pair.p_adjusted)
                for each, pair in found
                if each.by == by and (pair.model, pair.baseline) == (model, baseline) and pair.difference is not None
            ]
            if own:
                own.sort(key=lambda each: each[0])
                yield message(
                    "answer-slice-pairs",
                    by=by,
                    model=model,
                    baseline=baseline,
                    metric=spelled(metric),
                    lowest=wording.signed(own[0][0]),
                    lowest_name=own[0][1],
                    highest=wording.signed(own[-1][0]),
                    highest_name=own[-1][1],
                    decided=len({name for _, name, _ in own}),
                    of=sum(each.by == by for each in slices),
                    differing=_differing(own, level),
                )


def _differing(found: Sequence[tuple[float, str, float | None]], level: float) -> str | Message:
    """Return the slices in which a model is surely worse or better, given its differences from the lowest on."""
    sure = [
        (value, f"{name} ({wording.p_value(p)})")
        for value, name, p in found
        if p is not None and p <= 1 - level + ROUNDING
    ]
    worse, better = [name for value, name in sure if value < 0], [name for value, name in sure[::-1] if value > 0]
    parts = [("slice-pairs-worse", worse), ("slice-pairs-better", better)]
    told = [str(message(code, names=listed(names))) for code, names in parts if names]
    return "; ".join(told) or message("slice-pairs-do-not-differ")
