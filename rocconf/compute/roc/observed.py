"""Models on their cases: what every metric is computed from, of one model or of two on the same cases."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.cells import CellCases, PairedCells
from rocconf.compute.roc.curve import PROBABILITY_SLACK
from rocconf.compute.roc.influence import Ranks, Sliced
from rocconf.compute.roc.ordering import ordering, same_order
from rocconf.compute.stats.design import APART, Design, RowDesign, designs_alike, shared
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.records import ROBUST
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.influence import Influence, Statistic
    from rocconf.compute.stats.design import Contributions, Shared
    from rocconf.compute.stats.estimate import Sums
    from rocconf.records import Counts, Flags, Floats, IntervalKind, Predictions, ScoreCounts


@dataclass(frozen=True, eq=False, repr=False)
class Observed:
    """One model on its cases."""

    counts: ScoreCounts
    kind: IntervalKind = ROBUST
    max_fpr: float | None = None

    def __post_init__(self) -> None:
        if self.counts.p == 0 or self.counts.q == 0:
            counts = self.counts
            raise UndefinedError("curve-one-class", model=counts.model, positives=counts.p, negatives=counts.q)

    @property
    def is_binned(self) -> bool:
        """Whether the scores are in bins."""
        return self.counts.wide is not None

    @cached_property
    def ranks(self) -> Ranks:
        """The cases by score."""
        return Ranks(self.counts.tp, self.counts.fp)

    @cached_property
    def design(self) -> Design:
        """What the cases weigh, and which belong together."""
        counts = self.counts
        if counts.clusters is None:
            return RowDesign.of(counts.tp, counts.fp)
        cases = counts.clusters
        return Design(cases.positive.view(np.int8), unit=cases.cluster, units=len(cases))

    @cached_property
    def probabilities(self) -> tuple[Floats, Floats] | None:
        """The probability of either class at each score; None if scores are no probabilities."""
        return probabilities(self.counts)

    @cached_property
    def _influences(self) -> dict[str, Influence | None]:
        return {}

    def influence(self, statistic: Statistic) -> Influence | None:
        """Return the influences on a measure; None where it has no value."""
        if statistic.name not in self._influences:
            self._influences[statistic.name] = statistic.influence(self)
        return self._influences[statistic.name]

    def sums(self, influence: Influence, *, together: bool, skewed: bool) -> Sums:
        """Return the sums of the contributions of each unit; `skewed` asks for those above the second power too."""
        if influence.each is not None and self.counts.folds is not None and self.counts.clusters is None:
            return Design(self.counts.folds.positive.view(np.int8)).sums(influence.each, together=together)
        return self.design.sums(self.by_item(influence), together=together, skewed=skewed)

    def by_item(self, influence: Influence) -> Any:
        """Return the influence of each item of the design: of the scores, or of clustered cases."""
        cases = self.counts.clusters
        return influence if cases is None else influence.of_cases(cases.row - 1, cases.positive)

    def shared_with(self, other: Observed, contributions: Callable[[Observed, Design], Contributions | None]) -> Shared:
        """Return what the estimates of two models on different cases share; clusters of one name are the same."""
        clusters, others = self.counts.clusters, other.counts.clusters
        if clusters is None or others is None:
            return APART
        designs = designs_alike((self.design, other.design), (clusters.names, others.names))
        if designs is None:
            return APART
        one, another = (contributions(of, design) for of, design in zip((self, other), designs, strict=True))
        return APART if one is None or another is None else shared(one, another)

    def cells(self, tp: int, fp: int) -> CellCases:
        """Return the cases in their cells at the threshold that predicts so many positive."""
        counts, cases = self.counts, self.counts.clusters
        if cases is None:
            return CellCases.counted(tp, fp, counts.p, counts.q)
        row = int(np.searchsorted(counts.tp + counts.fp, tp + fp))
        return CellCases(self.design, 2 * cases.positive + (cases.row <= row))


def probabilities(counts: ScoreCounts) -> tuple[Floats, Floats] | None:
    """Return the probabilities of being positive and negative at each distinct score, None if scores are none."""
    scores = counts.scores
    if not (scores.min() >= -PROBABILITY_SLACK and scores.max() <= 1 + PROBABILITY_SLACK):
        return None
    return (1 - scores, scores) if counts.lower_is_positive else (scores, 1 - scores)


@dataclass(frozen=True, eq=False, repr=False)
class OnSameCases:
    """Several models on the same cases."""

    predictions: Predictions
    models: tuple[Observed, ...]

    @cached_property
    def design(self) -> Design:
        """What the cases weigh, and which belong together."""
        found = self.predictions.clusters
        codes = self.predictions.labels.view(np.int8)
        if found is None:
            return Design(codes)
        used = found.used()
        return Design(codes, unit=used.places, units=len(used.names))

    @cached_property
    def _of_models(self) -> dict[Any, list[Any]]:
        return {}

    def scores(self, model: Observed) -> Floats:
        """Return the scores of a model, of which higher ones are more positive."""
        found = self.predictions.scores[model.counts.model]
        return -found if self.predictions.lower_is_positive else found

    def _of_model(self, quick: Any, at: int) -> Any:
        if quick not in self._of_models:
            columns = map(self.scores, self.models)
            work = partial(quick, self.predictions.labels)
            self._of_models[quick] = list(mapped(work, columns, together=1))
        return self._of_models[quick][at]

    def places(self, at: int) -> Counts:
        """Return the place of the score of each case among the distinct scores of a model."""
        found: Counts = self._of_model(_rows, at)
        return found

    def influence_of_cases(self, statistic: Statistic, at: int) -> Any:
        """Return the influence of each case on a measure of a model."""
        influence = self.models[at].influence(statistic)
        if statistic.of_cases is not None or influence is None:
            return self._of_model(statistic.of_cases, at)
        return influence.of_cases(self.places(at), self.predictions.labels)

    def pair(self, first: int, second: int) -> Paired:
        """Return two of the models."""
        return Paired(self, (first, second))


def _rows(labels: Flags, scores: Floats) -> Counts:  # noqa: ARG001  # as any way to the influence of each case
    """Return the place of the score of each case among the distinct scores, the most positive first."""
    cases, ends = ordering(scores)
    places = np.cumsum(ends, dtype=np.int64)
    rows = np.empty(len(cases), dtype=np.int64)
    rows[cases] = places[-1] - places + ends - 1
    return rows


@dataclass(frozen=True, eq=False, repr=False)
class Paired:
    """Two models on the same cases."""

    cases: OnSameCases
    at: tuple[int, int]

    @property
    def models(self) -> tuple[Observed, Observed]:
        """The two models."""
        first, second = self.at
        return self.cases.models[first], self.cases.models[second]

    @property
    def design(self) -> Design:
        """What the cases weigh, and which belong together."""
        return self.cases.design

    @property
    def _scores(self) -> list[Floats]:
        return [self.cases.scores(model) for model in self.models]

    @cached_property
    def is_of_same_order(self) -> bool:
        """Whether the two put the cases in the same order."""
        one, other = (model.counts for model in self.models)
        # models of one order have the same curve, which most have not
        is_same_curve = np.array_equal(one.tp, other.tp) and np.array_equal(one.fp, other.fp)
        return is_same_curve and same_order(*self._scores)

    def has_same_order(self, *, of_folds: bool) -> bool:
        """Whether the two put the cases, or those of each fold, in the same order."""
        folds = self.cases.predictions.folds
        if self.is_of_same_order or not of_folds or folds is None:
            return self.is_of_same_order
        parts, columns = (folds.places == place for place in range(len(folds.names))), self._scores
        return all(same_order(*(column[part] for column in columns)) for part in parts)

    @cached_property
    def is_identical(self) -> bool:
        """Whether every case has the same score."""
        first, second = self._scores
        return np.array_equal(first, second)

    def sums(self, statistic: Statistic) -> Sums:
        """Return the sums of the difference of two measures."""
        first, second = (self.cases.influence_of_cases(statistic, at) for at in self.at)
        scale = first.scale if isinstance(first, Sliced) else None
        difference = Sliced(lambda part: first[part] - second[part], scale)
        return self.design.sums(difference, together=statistic.together)

    def mean(self, first: Influence, second: Influence) -> tuple[float, Sums]:
        """Return the mean over all cases of the difference of two influences, and its sums."""
        labels, quick = self.cases.predictions.labels, self.cases.places
        one, other = (of.of_cases(quick(at), labels) for of, at in zip((first, second), self.at, strict=True))
        return first.value - second.value, self.design.sums(one - other, together=True)

    def cells(self, thresholds: tuple[float | None, float | None]) -> PairedCells:
        """Return the cases in their cells, each model at its threshold."""
        labels = self.cases.predictions.labels
        flags = [self._flags(model, threshold) for model, threshold in zip(self.models, thresholds, strict=True)]
        if self.design.is_plain:
            counted = np.bincount(4 * labels.view(np.int8) + 2 * flags[0] + flags[1], minlength=8)
            return PairedCells.counted(counted)
        return PairedCells(self.design, *(2 * labels + flag for flag in flags))

    def _flags(self, model: Observed, threshold: float | None) -> Flags:
        predictions = self.cases.predictions
        scores = predictions.scores[model.counts.model]
        if threshold is None:
            return np.zeros(len(scores), dtype=np.bool_)
        return np.asarray(scores <= threshold if predictions.lower_is_positive else scores >= threshold)
