"""Count cases by distinct score: one sort, after which nothing about a single model needs the rows again.

A float64 that is not negative has the order of its bits, and its sign bit is free. Score and label are packed into
one 64-bit integer, score above label, so that one sort of plain integers orders both and brings ties together.
Negative scores are sorted apart, by magnitude. Every float keeps its place: infinities, subnormals, and -0.0, which
is 0.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import UsageError
from rocconf.records import Interval, Predictions, ScoreCounts, slices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Packed = NDArray[np.uint64]

ONE = np.uint64(1)
MAGNITUDE = np.uint64((1 << 63) - 1)


def count(predictions: Predictions, model: str | None = None) -> ScoreCounts:
    """Count the positives and negatives at each distinct score of one model."""
    if model is None:
        if len(predictions.models) > 1:
            raise UsageError(f"say which model to count: {', '.join(predictions.models)}")
        model = predictions.models[0]
    descending = not predictions.lower_is_positive
    thresholds, tp, fp = _cumulated(predictions.labels, predictions.scores[model], descending=descending)
    return ScoreCounts(
        thresholds,
        tp,
        fp,
        model=model,
        lower_is_positive=predictions.lower_is_positive,
        sources=predictions.sources,
    )


def count_each(predictions: Predictions) -> tuple[ScoreCounts, ...]:
    """Count every model of the predictions."""
    return tuple(count(predictions, model) for model in predictions.models)


def require_counts(found: object) -> None:
    """Refuse what an analysis of one model cannot work on, and say what makes counts of it."""
    if isinstance(found, ScoreCounts):
        return
    if isinstance(found, Predictions):
        several = ", or those of each model: rocconf.count_each(predictions)" if len(found.models) > 1 else ""
        raise UsageError(f"an analysis wants counts: rocconf.count(predictions){several}")
    raise UsageError(f"an analysis wants counts (rocconf.count, rocconf.read_counts), not {type(found).__name__}")


def score_range(*sets: ScoreCounts) -> Interval:
    """Return the lowest and the highest score of one or more sets of cases."""
    ends = [float(counts.scores[end]) for counts in sets for end in (0, -1)]
    return Interval(min(ends), max(ends))


def rescaled(counts: ScoreCounts, over: Interval | None = None) -> ScoreCounts:
    """Stretch the scores to [0, 1]: (score - lowest) / (highest - lowest), by default over their own range."""
    over = over or score_range(counts)
    reach = over.upper - over.lower
    if not (np.isfinite(reach) and reach > 0):
        raise UsageError(f"scores from {over.lower:g} to {over.upper:g} cannot be rescaled to [0, 1]")
    stretched = ScoreCounts.of(
        (counts.scores - over.lower) / reach,
        counts.positives,
        counts.negatives,
        model=counts.model,
        lower_is_positive=counts.lower_is_positive,
        sources=counts.sources,
    )
    if len(stretched) < len(counts):
        lost = len(counts) - len(stretched)
        raise UsageError(
            f"{counts.model}: stretched to [0, 1], {lost} of {len(counts)} distinct scores would become equal to a neighbour "
            f"(they lie from {over.lower:g} to {over.upper:g}); quantiles:K or a list of thresholds needs no rescaling"
        )
    return stretched


def _cumulated(labels: Flags, scores: Floats, *, descending: bool) -> tuple[Floats, Counts, Counts]:
    room, negative = _packed(labels, scores), scores < 0
    if not negative.any():
        return _compress(room, descending=descending)
    halves = [_some(room, negative), _some(room, ~negative)]
    del room, negative  # and each half when it is counted: memory is what large files lack
    above = _compress(halves.pop(), descending=descending)
    below = _compress(halves.pop(), descending=not descending)
    np.negative(below[0], out=below[0])
    first, second = (above, below) if descending else (below, above)
    return (
        np.concatenate([first[0], second[0][1:]]),
        np.concatenate([first[1], second[1][1:] + first[1][-1]]),
        np.concatenate([first[2], second[2][1:] + first[2][-1]]),
    )


def _packed(labels: Flags, scores: Floats) -> Packed:
    """Return the magnitude of each score with its label beneath, behind one free place; the sign falls out at the top."""
    room: Packed = np.empty(len(scores) + 1, dtype=np.uint64)
    np.left_shift(scores.view(np.uint64), ONE, out=room[1:])
    room[1:] |= labels
    return room


def _some(room: Packed, which: Flags) -> Packed:
    """Return some of the packed scores, behind one free place."""
    return np.concatenate([room[:1], room[1:][which]])


def _compress(room: Packed, *, descending: bool) -> tuple[Floats, Counts, Counts]:
    """Bring ties together: sorted, a distinct score ends where the next one differs.

    The thresholds take the place of the packed scores, one after the other: new memory is what large files wait for.
    """
    packed = room[1:]
    if descending:
        packed ^= ~ONE  # the order of all bits but the label's turns round
    packed.sort()
    last = _ends_of_ties(packed)
    distinct = int(np.count_nonzero(last))
    tp = np.empty(distinct + 1, dtype=np.int64)
    fp = np.empty(distinct + 1, dtype=np.int64)
    tp[0] = fp[0] = 0
    done, positives = 1, 0
    for part in slices(len(packed)):
        piece = packed[part]
        ends = np.flatnonzero(last[part])
        mine = slice(done, done + len(ends))
        cumulated = np.cumsum(piece & ONE, dtype=np.int64)
        np.add(cumulated[ends], positives, out=tp[mine])
        np.subtract(ends + (part.start + 1), tp[mine], out=fp[mine])
        room[mine] = piece[ends] >> ONE  # never ahead of what is still to be read
        done, positives = mine.stop, positives + int(cumulated[-1])
    bits = room[: distinct + 1] if 2 * distinct > len(packed) else room[: distinct + 1].copy()
    if descending:
        bits ^= MAGNITUDE
    thresholds = bits.view(np.float64)
    thresholds[0] = np.inf if descending else -np.inf
    return thresholds, tp, fp


def _ends_of_ties(packed: Packed) -> Flags:
    last = np.ones(len(packed), dtype=np.bool_)
    for part in slices(len(packed) - 1):
        score = packed[part.start : part.stop + 1] >> ONE
        np.not_equal(score[1:], score[:-1], out=last[part])
    return last
