"""Count cases by distinct score, with one sort (`rocconf.packed_scores`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bins import joined
from rocconf.compute.roc.curve import require_scores, rows_at
from rocconf.errors import UsageError
from rocconf.packed_scores import PackedScores
from rocconf.records import ClusteredCases, Grouping, Interval, Predictions, ScoreCounts, are_no_chance
from rocconf.threads import mapped

if TYPE_CHECKING:
    from rocconf.records import Counts, Flags, Floats

FEW_SCORES = 10
"""The most distinct scores that two sets of cases may share by chance."""


def count(predictions: Predictions, model: str | None = None) -> ScoreCounts:
    """Return the numbers of positives and negatives at each distinct score of one model."""
    if model is None or model not in predictions.models:
        (model,) = predictions.of_model(model).models
    packed = PackedScores(descending=not predictions.lower_is_positive, expected=len(predictions))
    packed.add(predictions.labels, predictions.scores[model])
    thresholds, tp, fp = packed.cumulated()
    counts = ScoreCounts(
        thresholds,
        tp,
        fp,
        model=model,
        lower_is_positive=predictions.lower_is_positive,
        sources=predictions.sources,
    )
    if predictions.clusters is predictions.folds is None:
        return counts
    rows = rows_at(counts, predictions.scores[model])
    clusters, folds = (_cases_of(each, rows, predictions.labels) for each in (predictions.clusters, predictions.folds))
    if clusters is None:
        return replace(counts, folds=folds)
    sources = (replace(source, cluster=clusters.column, clusters=len(clusters)) for source in counts.sources)
    return replace(counts, clusters=clusters, folds=folds, sources=tuple(sources))


def _cases_of(found: Grouping | None, rows: Counts, labels: Flags) -> ClusteredCases | None:
    """Return the cases one by one, with the group of each."""
    if found is None:
        return None
    found = found.used()
    return ClusteredCases(found.column, rows, labels, found.places, len(found.names), found.names)


def part_of(counts: ScoreCounts, own: Flags) -> ScoreCounts:
    """Return the counts of some of the cases, which are known one by one by their folds."""
    cases = counts.folds
    if cases is None:
        raise TypeError("the cases of these counts are not known one by one")
    rows, labels = cases.row[own], cases.positive[own]
    positives, negatives = (np.bincount(rows[some] - 1, minlength=len(counts)) for some in (labels, ~labels))
    found = ScoreCounts.of(
        counts.scores, positives, negatives, model=counts.model, lower_is_positive=counts.lower_is_positive
    )
    if counts.clusters is None:
        return found
    clusters = Grouping(counts.clusters.column, counts.clusters.names, counts.clusters.cluster[own])
    return replace(found, clusters=_cases_of(clusters, rows_at(found, counts.scores[rows - 1]), labels))


def count_each(predictions: Predictions) -> tuple[ScoreCounts, ...]:
    """Return the counts of every model of the predictions.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/dis.csv", score=["S", "F"])
    >>> [counts.model for counts in rocconf.count_each(cases)]
    ['S', 'F']
    """
    return tuple(mapped(partial(count, predictions), predictions.models, together=1))


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
    return replace(
        stretched, clusters=counts.clusters, folds=counts.folds
    )  # of the same rows, as no two scores have become one
