"""How often intervals of clustered cases miss the truth, and rules on them pass a model at their limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from rocconf import Predictions, count_each
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.records import DELONG, UNKNOWN, Grouping
from simulations.running import Promise, Share, Simulation, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from rocconf.records import Interval

NORMAL = NormalDist()
CORRELATION = 0.8
"""The correlation of the two models, of clusters and of cases."""
WORSE = 0.03
"""How far the AUC of the new model is below that of the old."""
MEAN_SIZE = 5
THRESHOLD = NORMAL.inv_cdf(0.9)
LEAST = {"auc": 0.93, "delta_auc": 0.93}
"""The least coverage of areas."""
RULES = ("auc", "delta_auc", "tpr", "specificity", "delta_tpr", "delta_accuracy")
SHOWN = ("tpr, Wilson", "specificity, Wilson", "delta_tpr, Tango")
"""The intervals that tables show, beside those that rules are judged on."""


@dataclass(frozen=True)
class Setting:
    """Clusters of normal scores: so much of their variance within a class lies between clusters."""

    clusters: int
    correlation: float
    auc: float = 0.85
    sizes: str = "equal"
    """equal, or unequal: geometric, of the same mean."""
    labels: str = "mixed"
    """mixed: each case is positive with probability 0.4; or whole: each cluster is."""

    @property
    def in_words(self) -> str:
        """The clusters."""
        return f"{self.clusters} clusters, {self.sizes} sizes, {self.labels} labels"

    @property
    def distances(self) -> tuple[float, float]:
        """How far apart the means of the classes are, for the new and the old model."""
        new, old = (NORMAL.inv_cdf(area) * 2**0.5 for area in (self.auc - WORSE, self.auc))
        return new, old

    @property
    def truth(self) -> dict[str, float]:
        """The true areas and rates of the new model, and its differences from the old one."""
        new, old = (1 - NORMAL.cdf(THRESHOLD - distance) for distance in self.distances)
        share = 0.4
        return {
            "auc": self.auc - WORSE,
            "delta_auc": -WORSE,
            "tpr": new,
            "specificity": 0.9,
            "delta_tpr": new - old,
            "delta_accuracy": share * (new - old),
        }

    def draw(self, rng: Generator) -> Predictions:
        """Return cases of both classes, in two clusters or more of each."""
        while True:
            geometric = rng.geometric(1 / MEAN_SIZE, size=self.clusters)
            sizes = np.full(self.clusters, MEAN_SIZE) if self.sizes == "equal" else geometric
            cluster = np.repeat(np.arange(self.clusters), sizes)
            drawn = rng.random(self.clusters)[cluster] if self.labels == "whole" else rng.random(len(cluster))
            labels = drawn < 0.4
            if min(len(np.unique(cluster[labels])), len(np.unique(cluster[~labels]))) > 1:
                break
        mixed = np.array([[1.0, CORRELATION], [0.0, (1 - CORRELATION**2) ** 0.5]])
        of_clusters = (rng.normal(size=(self.clusters, 2)) @ mixed)[cluster]
        of_cases = rng.normal(size=(len(cluster), 2)) @ mixed
        noise = self.correlation**0.5 * of_clusters + (1 - self.correlation) ** 0.5 * of_cases
        scores = {name: noise[:, at] + self.distances[at] * labels for at, name in enumerate(("new", "old"))}
        return Predictions(labels, scores, clusters=Grouping.of("cluster", cluster))


def missed(setting: Setting, rng: Generator, runs: int) -> Tally:
    """Count where the true values lie: inside the intervals, below or above."""
    tally: Tally = Counter()
    truth = setting.truth
    for _ in range(runs):
        for name, interval in intervals(setting.draw(rng)).items():
            true = truth[name.partition(",")[0]]
            side = "below" if true < interval.lower else "above" if true > interval.upper else "inside"
            tally[f"{name} {side}"] += 1
    return tally


def intervals(cases: Predictions) -> dict[str, Interval]:
    """Return the intervals that rules are judged on, and those of tables."""
    both = OnSameCases(cases, tuple(map(Observed, count_each(cases))))
    new, pair = both.models[0], both.pair(0, 1)
    row = int(np.count_nonzero(new.counts.scores >= THRESHOLD))
    single, paired = new.cells(int(new.counts.tp[row]), int(new.counts.fp[row])), pair.cells((THRESHOLD, THRESHOLD))
    rates = {name: AT_A_POINT[name] for name in ("tpr", "specificity", "accuracy")}
    found = {
        "auc": AUC.estimate(new),
        "delta_auc": AUC.paired(pair),
        **{name: rates[name].estimate(single) for name in ("tpr", "specificity")},
        **{f"{name}, Wilson": rates[name].estimate(single, DELONG) for name in ("tpr", "specificity")},
        **{f"delta_{name}": rates[name].paired(paired) for name in ("tpr", "accuracy")},
        "delta_tpr, Tango": rates["tpr"].paired(paired, DELONG),
    }
    return {name: UNKNOWN if each is None else each.interval(0.95) or UNKNOWN for name, each in found.items()}


def _rows(setting: Setting, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    about = setting.in_words, f"{setting.correlation:g}, {setting.auc:g}"
    return [
        (*about, name, *(str(Share(tally[f"{name} {side}"], runs)) for side in ("inside", "below", "above")))
        for name in (*RULES, *SHOWN)
    ]


def _promises(setting: Setting, tally: Tally, runs: int) -> list[Promise]:
    worst = max((max(tally[f"{name} below"], tally[f"{name} above"]), name) for name in RULES)
    text = f"{setting.in_words}, correlation {setting.correlation:g}, AUC {setting.auc:g}: a rule passes a model at its limit at most 2.5%"
    return [Promise(f"{text} (worst: {worst[1]})", Share(worst[0], runs), most=0.025)]


def _settings() -> Sequence[Setting]:
    sizes = ("equal", "unequal")
    return (
        *(Setting(n, r, sizes=size) for n, r, size in product((15, 30, 60), (0.1, 0.5), sizes)),
        *(Setting(n, 0.5, sizes=size, labels="whole") for n, size in product((30, 60), sizes)),
        *(Setting(n, r, auc=0.95) for n, r in product((30, 60), (0.1, 0.5))),
    )


SIMULATIONS = (
    Simulation(
        key="clusters",
        title="Clusters: `--cluster`",
        about=(
            f"Clusters of {MEAN_SIZE} cases on average. The correlation is that of the scores of two cases of one class in a "
            f"cluster, beside the AUC of the old model; that of the new one is {WORSE:g} lower. Rates are at a fixed threshold "
            "(specificity 0.9). `Wilson` and `Tango` are the intervals of tables, all others those of rules."
        ),
        runs=1000,
        settings=_settings(),
        simulate=missed,
        headings=("clusters", "correlation, AUC", "interval of", "coverage", "truth below", "truth above"),
        rows=_rows,
        promises=_promises,
    ),
)
