"""Samples of every design - cases, clusters, weights, both - and the estimates of every metric on them."""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import SimpleNamespace

import numpy as np

from rocconf.compute.roc.calibration import CALIBRATION, Recalibration
from rocconf.compute.roc.cells import CellCases, PairedCells
from rocconf.compute.roc.costs import net_benefit_rate
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import STATISTICS, Influence, Ranks
from rocconf.compute.roc.metrics import AT_A_POINT, PREVALENCE, Rate
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.stats.design import Design
from rocconf.records import DELONG, ROBUST, Grouping, Predictions

MAX_FPR = 0.37
FOLDS = 3
DESIGNS = {"cases": (False, False), "clusters": (False, True), "weights": (True, False), "both": (True, True)}
"""Whether a design has weights, and clusters."""

POINT = {
    **AT_A_POINT,
    "prevalence": PREVALENCE,
    "cost": parse_costs("1:5").rate,
    "cost at a prevalence": parse_costs("3:1:0.1").rate,
    "net_benefit": net_benefit_rate(0.2),
}
METRICS = {**STATISTICS, "cv_auc": CV_AUC, **CALIBRATION, **POINT}
COMPARED = [name for name, metric in METRICS.items() if metric.has_difference or name == "cost at a prevalence"]


@dataclass(frozen=True)
class Sample:
    """Cases with the scores of two models, and optional weights and clusters."""

    label: np.ndarray
    scores: dict
    weights: np.ndarray | None = None
    unit: np.ndarray | None = None
    fold: np.ndarray | None = None
    thresholds: tuple = (0.5, 0.45)
    max_fpr: float = MAX_FPR

    def taken(self, cases):
        """Return some of the cases, in an order, or repeated."""
        columns = self.weights, self.unit, self.fold
        weights, unit, fold = (None if each is None else each[cases] for each in columns)
        scores = {name: of[cases] for name, of in self.scores.items()}
        return replace(self, label=self.label[cases], scores=scores, weights=weights, unit=unit, fold=fold)

    def of(self, new, old, thresholds):
        """Return the cases with models of other scores."""
        return replace(self, scores={"new": new, "old": old}, thresholds=thresholds)

    @property
    def exchanged(self):
        """The cases with the models in each other's place."""
        return self.of(self.scores["old"], self.scores["new"], self.thresholds[::-1])

    @cached_property
    def predictions(self):
        clusters = None if self.unit is None else Grouping.of("patient", [f"{each:03}" for each in self.unit])
        return Predictions(self.label, self.scores, clusters=clusters, folds=Grouping.of("fold", self.fold))

    @cached_property
    def design(self):
        units = 0 if self.unit is None else int(self.unit.max()) + 1
        return Design(self.label.astype(np.int8), weights=self.weights, unit=self.unit, units=units)

    def model(self, name="new", kind=ROBUST):
        """Return a model on the cases."""
        if self.weights is None:
            return Observed(count(self.predictions, name), kind, self.max_fpr)
        return Weighted(self, name, kind)

    def pair(self, kind=ROBUST):
        """Return both models."""
        models = tuple(self.model(name, kind) for name in ("new", "old"))
        return OnSameCases(self.predictions, models).pair(0, 1) if self.weights is None else WeightedPair(self, models)

    def flags(self, name):
        return self.scores[name] >= self.thresholds[name == "old"]

    def cells(self, name="new"):
        """Return the cases in their cells at the threshold of a model."""
        flags = self.flags(name)
        if self.weights is None:
            return self.model(name).cells(int((flags & self.label).sum()), int((flags & ~self.label).sum()))
        return CellCases(self.design, 2 * self.label + flags)

    def paired_cells(self):
        """Return the cases in the cells of both models."""
        if self.weights is None:
            return self.pair().cells(self.thresholds)
        return PairedCells(self.design, *(2 * self.label + self.flags(name) for name in ("new", "old")))

    def estimate(self, name, kind=ROBUST, model="new"):
        """Return a metric of one model; None without a value, or a form for this design."""
        metric = METRICS.get(name, name)
        if isinstance(metric, Rate):
            return metric.estimate(self.cells(model), kind)
        return metric.estimate(self.model(model, kind)) if self.weights is None or is_weighted(metric) else None

    def paired(self, name, kind=ROBUST):
        """Return the difference of both models."""
        metric = METRICS.get(name, name)
        if isinstance(metric, Rate):
            return metric.paired(self.paired_cells(), kind)
        return metric.paired(self.pair(kind)) if self.weights is None or is_weighted(metric) else None

    def estimates(self, name, kind=ROBUST, other=None):
        """Yield the metric of the model, its paired difference, and the difference from the model on other cases."""
        one = self.estimate(name, kind)
        yield from () if one is None else (one,)
        yield from self.differences(name, kind, other)

    def differences(self, name, kind=ROBUST, other=None):
        if name not in COMPARED:
            return
        paired = self.paired(name, kind)
        there = (other or self.taken(np.arange(len(self.label))[::2])).estimate(name, kind, "old")
        unpaired = METRICS[name].unpaired(self.estimate(name, kind), there)
        yield from (each for each in (paired, unpaired) if each is not None)


def is_weighted(metric):
    """Whether a metric has a form for weights: recalibration and folds are of counted cases."""
    return isinstance(metric, Rate) or not (metric.is_of_folds or isinstance(metric, Recalibration))


class Weighted:
    """One model on weighted cases."""

    is_binned = False

    def __init__(self, sample, name, kind):
        self.sample, self.kind, self.max_fpr, self.design = sample, kind, sample.max_fpr, sample.design
        self.counts = SimpleNamespace(p=int(sample.label.sum()), q=int((~sample.label).sum()))
        self.scores, self.places = np.unique(-sample.scores[name], return_inverse=True)
        self.probabilities = -self.scores, 1 + self.scores
        self.ranks = ranks_of(sample.label, self.places, sample.weights)

    def influence(self, statistic):
        return statistic.influence(self)

    def of_cases(self, statistic):
        return self.influence(statistic).of_cases(self.places, self.sample.label)

    def sums(self, influence, *, together, skewed):
        found = influence.of_cases(self.places, self.sample.label) if isinstance(influence, Influence) else influence
        return self.design.sums(found, together=together, skewed=skewed)


class WeightedPair:
    """Two models on weighted cases."""

    def __init__(self, sample, models):
        self.models, self.design = models, sample.design
        self.is_of_same_order = np.array_equal(*(model.places for model in models))

    def has_same_order(self, *, of_folds):
        """Whether the two put the cases in the same order; without folds."""
        assert not of_folds
        return self.is_of_same_order

    def sums(self, statistic):
        one, other = (model.of_cases(statistic) for model in self.models)
        return self.design.sums(one - other, together=statistic.together)


def ranks_of(label, places, weights):
    """Return the weights of both classes down to each score."""
    of_class = (np.bincount(places, weights * some, places.max() + 1) for some in (label, ~label))
    return Ranks(*(np.concatenate([[0.0], np.cumsum(each)]) for each in of_class))


@cache
def drawn(design, seed=1, p=17, q=26):
    """Return a sample of a design, whose scores tie and are probabilities inside (0, 1)."""
    rng = np.random.default_rng(seed)
    n = p + q
    label = rng.permutation(np.arange(n) < p)
    base = rng.normal(size=n) + 1.3 * label
    scores = {
        name: np.clip(np.round((base + noise * rng.normal(size=n)) * 4) / 20 + 0.42, 0.05, 0.95)
        for name, noise in (("new", 0.6), ("old", 1.2))
    }
    weighted, clustered = DESIGNS[design]
    weights = rng.choice([0.2, 0.5, 1.0], size=n)
    unit = rng.permutation((np.arange(n) ** 1.3).astype(int) % max(n // 3, 2))
    unit = np.unique(unit, return_inverse=True)[1]
    fold = np.where(label, np.cumsum(label), np.cumsum(~label)) % min(FOLDS, p, q)
    return Sample(label, scores, weights if weighted else None, unit if clustered else None, fold)


def kinds_of(name, design):
    """Return the kinds that a metric has in a design."""
    metric = METRICS[name]
    has_both = isinstance(metric, Rate) or getattr(metric, "is_classical", False)
    with_both = ("cases", "clusters") if has_both else ("cases",) if getattr(metric, "is_of_folds", False) else ()
    return (ROBUST, DELONG) if design in with_both else (ROBUST,)


EVERY = [
    (name, design, kind)
    for name, metric in METRICS.items()
    for design, (weighted, _) in DESIGNS.items()
    for kind in kinds_of(name, design)
    if is_weighted(metric) or not weighted
]
EVERY_DIFFERENCE = [each for each in EVERY if each[0] in COMPARED]
