"""How often an interval holds the true difference, and on which side it misses."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rocconf import compare
from simulations.gates import POINT
from simulations.running import Share, Simulation, Tally
from simulations.truth import NEW, NORMAL, OLD, Models

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.random import Generator

    from rocconf.records import Interval

FORMULAS = {
    "auc": "difference of the AUC, DeLong paired",
    "tpr": "difference of tpr, Tango",
    "specificity": "difference of specificity, Tango",
    "accuracy": "difference of accuracy, Tango",
    "one auc": "AUC of one model, DeLong, logit",
}
RESAMPLED = ("partial_auc", "average_precision", "cauc", "cauc_roc", "aved_abs")
REPLICATES = 400
MAX_FPR = 0.2
RUNS_FOR_MEANS = 4000


def by_formula(models: Models, rng: Generator, runs: int) -> Tally:
    """Look where the true values lie: within the intervals, below or above them."""
    truth = {**models.differences, "one auc": NORMAL.cdf(models.distances[0] / 2**0.5)}
    tally: Tally = Counter()
    for cases in models.draw(rng, runs):
        result = compare(cases, baseline=OLD, at=[POINT])
        _look(tally, {pair.metric: pair.difference.interval for pair in result.pairs if pair.difference}, truth)
        (new,) = (model for model in result.models if model.name == NEW)
        _look(tally, {"one auc": new.sweep.auc.interval}, truth)
    return tally


def by_bootstrap(models: Models, rng: Generator, runs: int) -> Tally:
    """Look where the mean differences lie, of samples of this size."""
    truth, tally = _means(models), Counter[str]()
    for cases in models.draw(rng, runs):
        seed = int(rng.integers(2**31))
        result = compare(cases, baseline=OLD, max_fpr=MAX_FPR, bootstrap=REPLICATES, seed=seed)
        found = {pair.metric: pair.difference.interval for pair in result.pairs if pair.difference}
        _look(tally, {name: found[name] for name in RESAMPLED if name in found}, truth)
    return tally


def _look(tally: Tally, found: Mapping[str, Interval], truth: Mapping[str, float]) -> None:
    for name, interval in found.items():
        side = "below" if truth[name] < interval.lower else "above" if truth[name] > interval.upper else "held"
        tally[f"{name} {side}"] += 1


@cache
def _means(models: Models) -> dict[str, float]:
    """Return the mean differences of many samples, from a seed of their own."""
    found = []
    for cases in models.draw(np.random.default_rng(1), RUNS_FOR_MEANS):
        result = compare(cases, baseline=OLD, max_fpr=MAX_FPR)
        measured = {model.name: model.measures for model in result.models}
        found.append([measured[NEW][name] - measured[OLD][name] for name in RESAMPLED])
    return dict(zip(RESAMPLED, np.nanmean(found, axis=0).tolist(), strict=True))


def _counted(name: str, tally: Tally) -> list[Share]:
    sides = [tally[f"{name} {side}"] for side in ("held", "below", "above")]
    return [Share(times, sum(sides)) for times in sides]


def _rows(models: Models, tally: Tally, names: Mapping[str, str]) -> list[tuple[str, ...]]:
    truth = f"{models.auc - models.worse:g}, {models.auc:g}"
    return [(models.size, truth, said, *map(str, _counted(name, tally))) for name, said in names.items()]


HEADINGS = ("cases", "AUCs", "interval of", "holds the truth", "truth below", "truth above")

SIMULATIONS = (
    Simulation(
        key="formulas",
        title="Intervals by formula, nominal 0.95",
        about=(
            "The new model's AUC and the old one's are given; rates are those at a fixed threshold (fpr 0.106). DeLong's "
            "interval is symmetric, and with few positives and an AUC near 1 the difference is not."
        ),
        runs=5000,
        settings=(
            Models(50, 50, worse=0.03),
            Models(20, 400, worse=0.03),
            Models(50, 950, worse=0.03),
            Models(150, 150, worse=0.03),
            Models(500, 500, worse=0.03),
            Models(50, 950, auc=0.97, worse=0.03),
        ),
        simulate=by_formula,
        headings=HEADINGS,
        rows=lambda models, tally, _: _rows(models, tally, FORMULAS),
        promises=lambda *_: [],
    ),
    Simulation(
        key="bootstrap",
        title="Intervals of differences by bootstrap, nominal 0.95",
        about=(
            f"{REPLICATES} replicates each, partial areas up to {MAX_FPR}. The truth is the mean difference in samples of "
            f"this size ({RUNS_FOR_MEANS:,} of them), because cauc and aved depend on the size."
        ),
        runs=600,
        settings=(Models(50, 250, worse=0.03), Models(200, 200, worse=0.03), Models(50, 950, worse=0.03)),
        simulate=by_bootstrap,
        headings=HEADINGS,
        rows=lambda models, tally, _: _rows(models, tally, dict(zip(RESAMPLED, RESAMPLED, strict=True))),
        promises=lambda *_: [],
    ),
)
