"""The AUCs of models on the same cases, compared by whole numbers in place of the cases.

Areas, intervals, tests and verdicts on a margin are those of `compare` on the cases, from the same sums (see
`rocconf.compute.stats.placements`). Other measures need the cases, and are not compared.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.compute.compare.model import AREA_ROWS
from rocconf.compute.compare.pairs import (
    Pair,
    PairedResult,
    PairOptions,
    adjusted,
    direction_caveats,
    pairs_of,
    pairs_table,
)
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
from rocconf.whole_numbers import PAIR_COLUMNS, PairNumbers, in_digits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.compute.stats.estimate import Estimate
    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import IntervalKind, ScoreCounts, Source
    from rocconf.whole_numbers import WholeNumbers


@dataclass(frozen=True, slots=True, repr=False)
class AucComparison(PairedResult):
    """The AUCs of several models on the same cases, and in pairs."""

    command: ClassVar[str] = COMPARE_AUC
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "pairs", "numbers")
    shown: ClassVar[tuple[str, ...]] = ("pairs",)
    summaries: ClassVar[tuple[str, ...]] = ("models", "pairs")
    has_points: ClassVar[bool] = False
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {"models": ("model", "auc", "auc_lower", "auc_se")}
    metrics: ClassVar[tuple[Metric, ...]] = (AUC.difference,)

    areas: Mapping[str, tuple[WholeNumbers, Measured]]
    """The numbers and the area of each model."""
    numbers: tuple[PairNumbers, ...]
    """The numbers of each model less its baseline."""
    pairs: tuple[Pair, ...]
    asked: PairOptions
    sources: tuple[Source, ...] = ()
    """The files that the numbers are from."""

    def __repr__(self) -> str:
        """Return the models and the baseline."""
        return f"AucComparison(models={tuple(self.areas)}, baseline={self.asked.baseline!r})"

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return asdict(self.asked)

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """None: there are sums of placements, and no scores."""
        return ()

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.sources for caveat in source.caveats]
        for name, (own, area) in self.areas.items():
            sizes = own.positives, own.negatives
            found += auc_caveats(name, *sizes, area, lower_is_positive=self.asked.lower_is_positive)
        found += direction_caveats([(name, area.interval) for name, (_, area) in self.areas.items()])
        return (*found, *self.about_itself(), *self.about_variances(), message("numbers-alone"))

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences."""
        found, first = self.answers(), self.numbers[0]
        return (*found, *self.answer_of_cases(len(found), first.positives + first.negatives, first.positives))

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summaries (`models`), the pairs, or the whole numbers of the pairs (`numbers`)."""
        if name == "pairs":
            return pairs_table(self.pairs, self.asked.limit)
        if name == "numbers":
            return Table.of(name, PAIR_COLUMNS, [in_digits(each.record()) for each in self.numbers])
        records = [auc_record(model, own.positives, own.negatives, area) for model, (own, area) in self.areas.items()]
        return Table.of(name, AREA_ROWS if name == "rows" else SUMMARY, records)


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
    """Compare the AUCs of models on the same cases by the whole numbers of their pairs, which are from `sources`.

    The options are those of `compare`.
    """
    require_level(level)
    require_interval_kind(interval)
    if margin is not None:
        Margin(margin)
    _require_agreeing(numbers)
    names = tuple(dict.fromkeys(name for each in numbers for name in (each.baseline, each.model)))
    which = [(names[first], names[second]) for first, second in pairs_of(names, baseline, all_pairs=all_pairs)]
    found = [_of(numbers, *pair) for pair in which]
    if lower_is_positive:
        found = [each.turned() for each in found]
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
    areas: dict[str, tuple[WholeNumbers, Measured]] = {}
    pairs = []
    for each in found:
        both = _placements(each)
        of_each = [_area(both, place, interval) for place in (0, 1)]
        for (name, own), area in zip(each.of_each.items(), of_each, strict=True):
            areas[name] = own, Measured(area, level)
        difference = Measured(_difference(each, both, of_each, interval), level, each.same_scores)
        pairs.append(Pair(each.model, each.baseline, AUC.name, None, difference, paired=True))
    return AucComparison({name: areas[name] for name in names}, tuple(found), adjusted(pairs), asked, tuple(sources))


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


def _placements(numbers: PairNumbers) -> tuple[Placements, Placements]:
    """Return the placements of the positives and of the negatives by the model, and by its baseline."""
    sizes = (numbers.positives, numbers.negatives), (numbers.negatives, numbers.positives)
    positives, negatives = (
        Placements(*size, (of.v, of.u), ((of.vv, of.vu), (of.vu, of.uu)), ((0, of.ddd), (-of.ddd, 0)))
        for size, of in zip(sizes, (numbers.pos, numbers.neg), strict=True)
    )
    return positives, negatives


def _area(both: tuple[Placements, Placements], place: int, kind: IntervalKind) -> Area:
    """Return the area of the model, or of its baseline, which is the second."""
    positives, negatives = both
    value = positives.sums[place] / (2 * positives.size * negatives.size)
    cases = positives.size, negatives.size
    return Area(value, sums_of(positives, negatives, place), min(cases), kind=kind, cases=cases)


def _difference(
    numbers: PairNumbers, both: tuple[Placements, Placements], areas: Sequence[Area], kind: IntervalKind
) -> Estimate:
    if numbers.same_scores or numbers.same_order:
        return Skewed(0.0, Sums.unknown(), 0.0, kind=kind, test=kind)
    pseudo = pseudo_of_areas(numbers.positives, numbers.negatives)
    return difference_of_areas(areas[0].value - areas[1].value, sums_of(*both, 0, 1), pseudo, kind, lambda: areas)
