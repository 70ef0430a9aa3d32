"""Count cases by distinct score, with one sort.

Nonnegative float64 numbers have the order of their bits, and their sign bit is free. Score and label are packed into
one 64-bit integer, score above label, so that one sort of plain integers orders both and brings ties together. Negative
scores are sorted separately, by magnitude. Infinities and subnormals keep their order, and -0.0 equals 0.0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bins import joined
from rocconf.compute.roc.binned import require_scores
from rocconf.compute.roc.curve import rows_at
from rocconf.errors import UndefinedError, UsageError
from rocconf.examples import example
from rocconf.records import ClusteredCases, Interval, Predictions, ScoreCounts, are_no_chance, slices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Packed = NDArray[np.uint64]

FEW_SCORES = 10
"""The most distinct scores that two sets of cases may share by chance."""

ONE = np.uint64(1)
MAGNITUDE = np.uint64((1 << 63) - 1)


def count(predictions: Predictions, model: str | None = None) -> ScoreCounts:
    """Return the numbers of positives and negatives at each distinct score of one model."""
    if model is None:
        if len(predictions.models) > 1:
            raise UsageError("which-model", first=predictions.models[0], found=", ".join(predictions.models))
        model = predictions.models[0]
    if model not in predictions.models:
        raise UsageError("no-model", name=model, found=", ".join(predictions.models))
    descending = not predictions.lower_is_positive
    thresholds, tp, fp = _cumulated(predictions.labels, predictions.scores[model], descending=descending)
    counts = ScoreCounts(
        thresholds,
        tp,
        fp,
        model=model,
        lower_is_positive=predictions.lower_is_positive,
        sources=predictions.sources,
    )
    found = predictions.clusters
    if found is None:
        return counts
    rows = rows_at(counts, predictions.scores[model])
    found = found.used()
    if len(found.names) == 1:
        raise UndefinedError("single-cluster", column=found.column, cluster=example(found.names[0]), n=len(found))
    cases = ClusteredCases(found.column, rows, predictions.labels, found.places, len(found.names), found.names)
    sources = (replace(source, cluster=found.column, clusters=len(found.names)) for source in counts.sources)
    return replace(counts, clusters=cases, sources=tuple(sources))


def count_each(predictions: Predictions) -> tuple[ScoreCounts, ...]:
    """Return the counts of every model of the predictions.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/dis.csv", score=["S", "F"])
    >>> [counts.model for counts in rocconf.count_each(cases)]
    ['S', 'F']
    """
    return tuple(count(predictions, model) for model in predictions.models)


def same_counts(one: ScoreCounts, other: ScoreCounts) -> bool:
    """Whether the labels are the same at the same scores, which no two sets of many cases have by chance."""
    if one.tops is not None or other.tops is not None:
        ends = joined(one.ends, other.ends)
        one, other = one.within(ends), other.within(ends)
    pairs = ((one.thresholds, other.thresholds), (one.tp, other.tp), (one.fp, other.fp))
    return all(np.array_equal(first, second) for first, second in pairs)


def have_same_cases(one: ScoreCounts, other: ScoreCounts) -> bool:
    """Whether labels and scores are the same, which does not happen by chance between different cases."""
    return one is other or (are_no_chance(one.positives, one.negatives) and same_counts(one, other))


def shares_all_cases(one: ScoreCounts, other: ScoreCounts) -> bool:
    """Whether all cases of a set are among those of another; few, or rounded, scores may all occur in both by chance."""
    small, large = sorted((one, other), key=lambda each: each.n)
    few = len(small) <= FEW_SCORES or 2 * len(large) < large.n
    if few or small.tops is not None or large.tops is not None or small.lower_is_positive != large.lower_is_positive:
        return False
    theirs, own = _by_score(large), _by_score(small)
    at = np.searchsorted(theirs[0], own[0]).clip(max=len(large) - 1)
    return np.array_equal(theirs[0][at], own[0]) and all((theirs[k][at] >= own[k]).all() for k in (1, 2))


def is_of_same_cases(one: ScoreCounts, other: ScoreCounts) -> bool:
    """Whether the cases of a set are those of another, or all among them."""
    return have_same_cases(one, other) or shares_all_cases(one, other)


def _by_score(counts: ScoreCounts) -> tuple[Floats, Counts, Counts]:
    turned = slice(None) if counts.lower_is_positive else slice(None, None, -1)
    return counts.scores[turned], counts.positives[turned], counts.negatives[turned]


def require_counts(found: object) -> None:
    """Reject anything but counts, with a message that names the function to use."""
    if isinstance(found, Predictions):
        raise UsageError("predictions-not-counts" if len(found.models) == 1 else "several-not-counts")
    if not isinstance(found, ScoreCounts):
        raise UsageError("not-counts", found=type(found).__name__)


def score_range(*sets: ScoreCounts) -> Interval:
    """Return the least and the greatest score of one or more sets of cases."""
    ends = [float(counts.scores[end]) for counts in sets for end in (0, -1)]
    return Interval(min(ends), max(ends))


def rescaled(counts: ScoreCounts, over: Interval | None = None) -> ScoreCounts:
    """Return counts with the scores rescaled to [0, 1]: (score - least) / range, by default their own range."""
    require_scores(counts, "bins-rescale")
    over = over or score_range(counts)
    width = over.upper - over.lower
    if not (np.isfinite(width) and width > 0):
        raise UsageError("rescale-range", lower=over.lower, upper=over.upper)
    stretched = ScoreCounts.of(
        (counts.scores - over.lower) / width,
        counts.positives,
        counts.negatives,
        model=counts.model,
        lower_is_positive=counts.lower_is_positive,
        sources=tuple(replace(source, rescaled=True) for source in counts.sources),
    )
    lost = len(counts) - len(stretched)
    if lost:
        raise UsageError(
            "rescale-ties", model=counts.model, lost=lost, scores=len(counts), lower=over.lower, upper=over.upper
        )
    return replace(stretched, clusters=counts.clusters)  # of the same rows, as no two scores have become one


def _cumulated(labels: Flags, scores: Floats, *, descending: bool) -> tuple[Floats, Counts, Counts]:
    room, negative = _packed(labels, scores), scores < 0
    if not negative.any():
        return _compress(room, descending=descending)
    halves = [_some(room, negative), _some(room, ~negative)]
    del room, negative  # like each half once it is counted: memory is short for large files
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
    """Return the magnitude of each score above its label, after one unused element; the sign is shifted out."""
    room: Packed = np.empty(len(scores) + 1, dtype=np.uint64)
    np.left_shift(scores.view(np.uint64), ONE, out=room[1:])
    room[1:] |= labels
    return room


def _some(room: Packed, which: Flags) -> Packed:
    """Return some of the packed scores, after one unused element."""
    return np.concatenate([room[:1], room[1:][which]])


def _compress(room: Packed, *, descending: bool) -> tuple[Floats, Counts, Counts]:
    """Return the distinct scores and their cumulated counts, from packed scores.

    The thresholds overwrite the packed scores, as allocating memory takes most of the time of large files.
    """
    packed = room[1:]
    if descending:
        packed ^= ~ONE  # reverses the order of all bits but the label
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
        rows = slice(done, done + len(ends))
        cumulated = np.cumsum(piece & ONE, dtype=np.int64)
        np.add(cumulated[ends], positives, out=tp[rows])
        np.subtract(ends + (part.start + 1), tp[rows], out=fp[rows])
        room[rows] = piece[ends] >> ONE  # never ahead of what is still to be read
        done, positives = rows.stop, positives + int(cumulated[-1])
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
