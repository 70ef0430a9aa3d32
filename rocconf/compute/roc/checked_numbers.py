"""Whether the whole numbers that a file has are those of the counts beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.counts import same_counts
from rocconf.compute.stats.placements import SUMS, placements_of, placements_of_sums
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.records import ScoreCounts
    from rocconf.whole_numbers import PairNumbers, WholeNumbers


def require_sums_of(counts: ScoreCounts) -> None:
    """Reject exact counts beside sums of other cases."""
    if counts.sums is not None:
        _require_sums(counts, counts.sums)


def _require_sums(counts: ScoreCounts, sums: Sequence[int]) -> None:
    positives, negatives = placements_of(counts.tp, counts.fp)
    expected = positives.sums[0], negatives.sums[0], positives.products[0][0], negatives.products[0][0]
    _require_same(counts, SUMS, sums, expected)


def _require_same(counts: ScoreCounts, keys: Sequence[str], numbers: Sequence[int], counted: Sequence[int]) -> None:
    for key, found, expected in zip(keys, numbers, counted, strict=True):
        if found != expected:
            raise UsageError("numbers-of-others", model=counts.model, key=key, found=found, expected=expected)


def _require_numbers_of(counts: ScoreCounts, numbers: WholeNumbers) -> None:
    """Reject numbers of other cases than were counted."""
    found = numbers.turned() if counts.lower_is_positive else numbers
    sizes = found.positives, found.negatives
    _require_same(counts, ("positives", "negatives"), sizes, (counts.p, counts.q))
    if counts.wide is not None:
        placements_of_sums(counts.tp, counts.fp, counts.wide, found.sums)
    else:
        _require_sums(counts, found.sums)


def require_pairs_of(
    models: Sequence[ScoreCounts], pairs: Sequence[PairNumbers], alone: Mapping[str, WholeNumbers] | None = None
) -> None:
    """Reject pairs, or numbers of models, of other cases than were counted, and an order that cannot be the same."""
    known: Mapping[str, ScoreCounts] = {counts.model: counts for counts in models}
    of_pairs = [(name, own) for each in pairs for name, own in each.of_each.items()]
    for name, numbers in (*(alone or {}).items(), *of_pairs):
        if name not in known:
            raise UsageError("numbers-without-counts", model=name, found=", ".join(known))
        _require_numbers_of(known[name], numbers)
    for each in pairs:
        wrong = _wrong_flag(each, known[each.model], known[each.baseline])
        if wrong:
            raise UsageError("numbers-flag", model=each.model, baseline=each.baseline, key=wrong)


def _wrong_flag(pair: PairNumbers, one: ScoreCounts, other: ScoreCounts) -> str | None:
    """Return which flag of a pair contradicts the counts; of scores in bins only those that differ tell something."""
    is_same = same_counts(one, other)
    if one.wide is not None or other.wide is not None:
        return "same_scores" if pair.same_scores and not is_same else None
    if pair.same_order and not (np.array_equal(one.tp, other.tp) and np.array_equal(one.fp, other.fp)):
        return "same_order"
    # the same order of equally distributed scores leaves no other score to a case
    return "same_scores" if pair.same_order and pair.same_scores != is_same else None
