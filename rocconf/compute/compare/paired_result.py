"""What all results with pairs of models say of them: sentences, whose words follow from the intervals, and warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.compare.pairs import pairs_of_slices
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.slices import columns_of, listed, spelled
from rocconf.compute.stats.estimate import SQUARE_AND_ADD
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.compare.pairs import Pair, PairOptions
    from rocconf.compute.roc.slices import Slice
    from rocconf.compute.stats.estimate import Measured
    from rocconf.compute.stats.margin import Margin
    from rocconf.messages import Message
    from rocconf.records import Interval

NEAR = 0.25
"""Within this part of its reach a difference has no direction to speak of."""

ROUNDING = 1e-12
"""1 - level is rarely exact."""


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
    if excludes_zero(found):
        maybe = "" if p is None or p <= 1 - level + ROUNDING else "maybe-"
        return f"answer-{maybe}{'better' if lower > 0 else 'worse'}"
    if abs(found.value) <= NEAR * (upper - lower) / 2:
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
