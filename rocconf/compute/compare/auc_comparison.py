"""The AUCs of models on the same cases, compared by whole numbers in place of the cases.

Areas, intervals, tests and verdicts on a margin are those of `compare` on the cases, from the same sums (see
`rocconf.compute.stats.placements`). Other measures need the cases, and are not compared.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.compare.in_words import direction_caveats, in_words, itself_caveats, no_variance_caveats
from rocconf.compute.compare.pairs import Pair, PairOptions, adjusted, pairs_of, pairs_table
from rocconf.compute.roc.auc import require_interval_kind
from rocconf.compute.roc.influence import AUC, difference_of_areas
from rocconf.compute.roc.summary import SUMMARY, auc_caveats, auc_record
from rocconf.compute.stats.design import pseudo_of_areas
from rocconf.compute.stats.estimate import Area, Measured, Skewed, Sums
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.placements import Placements, sums_of
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.naming import COMPARE_AUC
from rocconf.records import ROBUST
from rocconf.table import Table
from rocconf.whole_numbers import PAIR_COLUMNS, ClassSums, PairNumbers, in_digits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import IntervalKind, ScoreCounts, Source
    from rocconf.whole_numbers import WholeNumbers

ROWS = tuple(
    column for column in SUMMARY if column.name not in ("negatives", "prevalence", "auc_se", "auc_df", "level")
)


@dataclass(frozen=True, slots=True, repr=False)
class AucComparison(Result):
    """The AUCs of several models on the same cases, and in pairs."""

    command: ClassVar[str] = COMPARE_AUC
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "pairs", "numbers")
    shown: ClassVar[tuple[str, ...]] = ("pairs",)
    summaries: ClassVar[tuple[str, ...]] = ("models", "pairs")
    rows_title: ClassVar[str] = ""
    rows_are_thresholds: ClassVar[bool] = False
    has_points: ClassVar[bool] = False
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {"models": ("model", "auc", "auc_lower", "auc_se")}
    metrics: ClassVar[tuple[Metric, ...]] = (AUC.difference,)

    names: tuple[str, ...]
    numbers: tuple[PairNumbers, ...]
    """The numbers of each model less its baseline."""
    asked: PairOptions
    files: tuple[Source, ...] = ()

    def __repr__(self) -> str:
        """Return the models and the baseline."""
        return f"AucComparison(models={self.names}, baseline={self.asked.baseline!r})"

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return asdict(self.asked)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that the numbers are from."""
        return self.files

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """None: there are sums of placements, and no scores."""
        return ()

    @property
    def areas(self) -> dict[str, tuple[WholeNumbers, Measured]]:
        """The numbers and the area of each model."""
        asked, found = self.asked, {}
        for each in self.numbers:
            for place, (name, own) in enumerate(each.of_each.items()):
                found[name] = own, Measured(_of_one(each, place, asked.interval), asked.level)
        return {name: found[name] for name in self.names}

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The difference of each model and its baseline."""
        asked = self.asked
        return adjusted(
            Pair(each.model, each.baseline, AUC.name, None, _difference(each, asked.level, asked.interval), paired=True)
            for each in self.numbers
        )

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.files for caveat in source.caveats]
        for name, (own, area) in self.areas.items():
            sizes = own.positives, own.negatives
            found += auc_caveats(name, *sizes, area, lower_is_positive=self.asked.lower_is_positive)
        limits = [(name, area.interval) for name, (_, area) in self.areas.items()]
        about_pairs = (*itself_caveats(self.pairs), *no_variance_caveats(self.pairs))
        return (*found, *direction_caveats(limits), *about_pairs, message("numbers-alone"))

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        asked, pairs = self.asked, self.pairs
        several = len(pairs) > 1
        told = [in_words(pair, asked.limit, level=asked.level, several=several) for pair in pairs]
        first = self.numbers[0]
        cases = wording.cases(first.positives + first.negatives, first.positives)
        how = {"kind": asked.interval, "level": wording.level(asked.level), "count": len(pairs)}
        last = message("answer-pairs", **how, cases=cases) if several else message("answer-cases", cases=cases)
        return (*told, last)

    def title(self, name: str) -> str:
        """Return the title of a table in the formats for people."""
        return self.asked.title_of_pairs if name == "pairs" else super().title(name)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summaries (`models`), the pairs, or the whole numbers of the pairs (`numbers`)."""
        if name == "pairs":
            return pairs_table(self.pairs, self.asked.limit)
        if name == "numbers":
            return Table.of(name, PAIR_COLUMNS, [in_digits(each.record()) for each in self.numbers])
        records = [auc_record(model, own.positives, own.negatives, area) for model, (own, area) in self.areas.items()]
        return Table.of(name, ROWS if name == "rows" else SUMMARY, records)


def compare_aucs(
    numbers: Sequence[PairNumbers],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    margin: float | None = None,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    lower_is_positive: bool = False,
    sources: Sequence[Source] = (),
) -> AucComparison:
    """Compare the AUCs of models on the same cases by whole numbers.

    Parameters
    ----------
    numbers
        The whole numbers of the pairs of models.
    baseline
        The model that the others are compared with; by default the first, on which rules cannot rest.
    all_pairs
        Whether every model is compared with every other.
    margin
        How much worse is still good enough, for verdicts of non-inferiority and equivalence.
    level
        The level of every interval.
    interval
        How the intervals are computed: `robust` or `delong` (see `rocconf.compute.stats.estimate`).
    lower_is_positive
        Whether low scores mean positive.
    sources
        The files that the numbers are from.
    """
    require_level(level)
    require_interval_kind(interval)
    if margin is not None:
        Margin(margin)
    _require_agreeing(numbers)
    names = tuple(dict.fromkeys(name for each in numbers for name in (each.baseline, each.model)))
    which = [(names[first], names[second]) for first, second in pairs_of(names, baseline, all_pairs=all_pairs)]
    found = [_of(numbers, *pair) for pair in which]
    asked = PairOptions(
        level=level,
        interval=interval,
        baseline=None if all_pairs else which[0][1],
        baseline_named=baseline is not None,
        all_pairs=all_pairs,
        margin=margin,
        lower_is_positive=lower_is_positive,
        paired=True,
    )
    turned = (each.turned() for each in found) if lower_is_positive else found
    return AucComparison(names, tuple(turned), asked, tuple(sources))


def _of_one(numbers: PairNumbers, place: int, kind: IntervalKind) -> Area:
    """Return the area of the model, or of its baseline, which is the second."""
    positives, negatives = _both(numbers)
    value = positives.sums[place] / (2 * positives.size * negatives.size)
    cases = positives.size, negatives.size
    return Area(value, sums_of(positives, negatives, place), min(cases), kind=kind, cases=cases)


def _both(numbers: PairNumbers) -> tuple[Placements, Placements]:
    return (
        _placements(numbers.pos, numbers.positives, numbers.negatives),
        _placements(numbers.neg, numbers.negatives, numbers.positives),
    )


def _require_agreeing(numbers: Sequence[PairNumbers]) -> None:
    """Reject pairs of other cases, a model with other numbers in two pairs, and a pair that occurs twice."""
    seen: dict[str, tuple[WholeNumbers, str]] = {}
    pairs: set[frozenset[str]] = set()
    for each in numbers:
        pair = f"{each.model} and {each.baseline}"
        if frozenset((each.model, each.baseline)) in pairs:
            raise UsageError("numbers-pair-twice", pair=pair)
        pairs.add(frozenset((each.model, each.baseline)))
        for name, own in each.of_each.items():
            known, where = seen.setdefault(name, (own, pair))
            if own != known:
                there = known.record()
                key, here = next((key, value) for key, value in own.record().items() if value != there[key])
                raise UsageError(
                    "numbers-disagree", model=name, key=key, here=here, pair=pair, there=there[key], other=where
                )
    sizes = {(each.positives, each.negatives): f"{each.model} and {each.baseline}" for each in numbers}
    if len(sizes) > 1:
        raise UsageError("numbers-other-cases", found="; ".join(f"{p}+{q}: {pair}" for (p, q), pair in sizes.items()))


def _of(numbers: Sequence[PairNumbers], model: str, baseline: str) -> PairNumbers:
    for each in numbers:
        if (each.model, each.baseline) == (model, baseline):
            return each
        if (each.model, each.baseline) == (baseline, model):
            return each.exchanged()
    found = ", ".join(f"{each.model} and {each.baseline}" for each in numbers)
    raise UsageError("numbers-lack-pair", model=model, baseline=baseline, found=found)


def _placements(sums: ClassSums, size: int, other: int) -> Placements:
    products = ((sums.vv, sums.vu), (sums.vu, sums.uu))
    return Placements(size, other, (sums.v, sums.u), products, ((0, sums.ddd), (-sums.ddd, 0)))


def _difference(numbers: PairNumbers, level: float, kind: IntervalKind) -> Measured:
    if numbers.same_scores or numbers.same_order:
        return Measured(Skewed(0.0, Sums.unknown(), 0.0, kind=kind, test=kind), level, numbers.same_scores)
    areas, (positives, negatives) = [_of_one(numbers, place, kind) for place in (0, 1)], _both(numbers)
    value, sums = areas[0].value - areas[1].value, sums_of(positives, negatives, 0, 1)
    pseudo = pseudo_of_areas(positives.size, negatives.size)
    return Measured(difference_of_areas(value, sums, pseudo, kind, lambda: (areas[0], areas[1])), level)
