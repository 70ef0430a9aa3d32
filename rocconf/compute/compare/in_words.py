"""A difference of two AUCs in a sentence, whose words follow from the interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf import wording
from rocconf.compute.compare.pairs import pairs_of_slices
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.slices import columns_of, listed, spelled
from rocconf.compute.stats.estimate import SQUARE_AND_ADD
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.compare.pairs import Pair
    from rocconf.compute.roc.slices import Slice
    from rocconf.compute.stats.estimate import Measured
    from rocconf.compute.stats.margin import Margin
    from rocconf.messages import Message
    from rocconf.records import Interval

NEAR = 0.25
"""Within this part of its reach a difference has no direction to speak of."""

ROUNDING = 1e-12
"""1 - level is rarely exact."""


def in_words(pair: Pair, margin: Margin | None, *, level: float, several: bool, what: str = "AUC") -> Message:
    """Return the sentence on a pair; of several pairs the p-value is adjusted for their number."""
    found = pair.difference
    if found is None or found.is_from_itself:
        return message("answer-itself", model=pair.model, baseline=pair.baseline)
    p = pair.p_adjusted if several else found.p
    how = [] if several else [*([found.kind] if found.kind else []), "paired" if pair.paired else "unpaired"]
    how.append(wording.p_value(p))
    return message(
        code_of(found, p, level=level),
        model=pair.model,
        baseline=pair.baseline,
        what=what,
        difference=f"{wording.signed(found.value)} {wording.interval(*found.interval.ends)}",
        how=", ".join(how),
        margin=_about_margin(found, margin) if margin else "",
    )


def direction_caveats(limits: Sequence[tuple[str, Interval]]) -> Iterator[Message]:
    """Yield a warning if scores go in opposite directions by their intervals, which one option cannot turn."""
    low = [name for name, interval in limits if interval.upper < 0.5]
    high = [name for name, interval in limits if interval.lower > 0.5]
    if low and high:
        yield message("mixed-directions", low=", ".join(low), high=", ".join(high))


def itself_caveats(pairs: Sequence[Pair]) -> Iterator[Message]:
    """Yield a warning of each measure in which a model is compared with itself."""
    for pair in pairs:
        if pair.difference and pair.difference.is_from_itself:
            decides = message("itself-decides-nothing")
            yield message("compared-with-itself", model=pair.model, baseline=pair.baseline, decides=decides)


def no_variance_caveats(pairs: Sequence[Pair]) -> Iterator[Message]:
    """Yield a note on each difference whose variance is 0 or unknown."""
    for pair in pairs:
        if pair.difference and pair.difference.test == SQUARE_AND_ADD:
            yield message("no-variance", model=pair.model, baseline=pair.baseline)


def code_of(found: Measured, p: float | None, *, level: float) -> str:
    """Return the sentence: sure if the interval excludes 0 and the p-value rejects, else a direction or none."""
    lower, upper = found.interval.lower, found.interval.upper
    rejects = p is None or p <= 1 - level + ROUNDING
    if excludes_zero(found):
        sure = {True: ("answer-better", "answer-worse"), False: ("answer-maybe-better", "answer-maybe-worse")}[rejects]
        return sure[0] if lower > 0 else sure[1]
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
        for which in dict.fromkeys((pair.model, pair.baseline) for _, pair in found):
            own = [
                (each.name, pair)
                for each, pair in found
                if each.by == by and (pair.model, pair.baseline) == which and pair.difference is not None
            ]
            if own:
                yield _slice_pairs_answer(by, own, of=sum(each.by == by for each in slices), level=level)


def _slice_pairs_answer(by: str, found: Sequence[tuple[str, Pair]], *, of: int, level: float) -> Message:
    """Return the sentence on the differences of two models in the slices of a column with enough cases, of so many."""
    known = [(pair.difference.value, name, pair) for name, pair in found if pair.difference is not None]
    known.sort(key=lambda each: each[0])
    sure = [
        (value, f"{name} ({wording.p_value(pair.p_adjusted)})")
        for value, name, pair in known
        if pair.p_adjusted is not None and pair.p_adjusted <= 1 - level + ROUNDING
    ]
    worse, better = [name for value, name in sure if value < 0], [name for value, name in sure[::-1] if value > 0]
    parts = [
        str(message(code, names=listed(names)))
        for code, names in (("slice-pairs-worse", worse), ("slice-pairs-better", better))
        if names
    ]
    first = found[0][1]
    return message(
        "answer-slice-pairs",
        by=by,
        model=first.model,
        baseline=first.baseline,
        metric=spelled(first.metric),
        lowest=wording.signed(known[0][0]),
        lowest_name=known[0][1],
        highest=wording.signed(known[-1][0]),
        highest_name=known[-1][1],
        decided=len({name for name, _ in found}),
        of=of,
        differing="; ".join(parts) or message("slice-pairs-do-not-differ"),
    )
