"""The coverage of intervals, and on which side they miss the true value."""

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
    """Count where the true values lie: inside the intervals, below or above."""
    truth = {**models.differences, "one auc": NORMAL.cdf(models.distances[0] / 2**0.5)}
    tally: Tally = Counter()
    for cases in models.draw(rng, runs):
        result = compare(cases, baseline=OLD, at=[POINT], interval="delong")
        _add(tally, {pair.metric: pair.difference.interval for pair in result.pairs if pair.difference}, truth)
        (new,) = (model for model in result.models if model.name == NEW)
        _add(tally, {"one auc": new.sweep.auc.interval}, truth)
    return tally


def by_bootstrap(models: Models, rng: Generator, runs: int) -> Tally:
    """Count where the mean differences of samples of this size lie."""
    truth, tally = _mean_differences(models), Counter[str]()
    for cases in models.draw(rng, runs):
        seed = int(rng.integers(2**31))
        asked = {"max_fpr": MAX_FPR, "bootstrap": REPLICATES, "seed": seed}
        result = compare(cases, baseline=OLD, interval="delong", **asked)
        intervals = {pair.metric: pair.difference.interval for pair in result.pairs if pair.difference}
        _add(tally, {name: intervals[name] for name in RESAMPLED if name in intervals}, truth)
    return tally


def _add(tally: Tally, intervals: Mapping[str, Interval], truth: Mapping[str, float]) -> None:
    for name, interval in intervals.items():
        side = "below" if truth[name] < interval.lower else "above" if truth[name] > interval.upper else "inside"
        tally[f"{name} {side}"] += 1


@cache
def _mean_differences(models: Models) -> dict[str, float]:
    """Return the mean differences of many samples."""
    differences = []
    for cases in models.draw(np.random.default_rng(1), RUNS_FOR_MEANS):
        result = compare(cases, baseline=OLD, max_fpr=MAX_FPR)
        measured = {model.name: model.sweep.areas | model.measures for model in result.models}
        differences.append([measured[NEW][name] - measured[OLD][name] for name in RESAMPLED])
    return dict(zip(RESAMPLED, np.nanmean(differences, axis=0).tolist(), strict=True))


def _shares(name: str, tally: Tally) -> list[Share]:
    sides = [tally[f"{name} {side}"] for side in ("inside", "below", "above")]
    return [Share(times, sum(sides)) for times in sides]


def _rows(models: Models, tally: Tally, names: Mapping[str, str]) -> list[tuple[str, ...]]:
    truth = f"{models.auc - models.worse:g}, {models.auc:g}"
    return [(models.size, truth, label, *map(str, _shares(name, tally))) for name, label in names.items()]


HEADINGS = ("cases", "AUCs", "interval of", "coverage", "truth below", "truth above")

SIMULATIONS = (
    Simulation(
        key="formulas",
        title="Intervals by formula, nominal 0.95",
        about=(
            "`AUCs` are the true AUCs of the new and the old model; rates are at a fixed threshold (fpr 0.106). DeLong's "
            "interval is symmetric; with few positives and an AUC near 1 the distribution of the difference is not."
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
        title="Intervals of differences of other measures, nominal 0.95",
        about=(
            f"Areas by formula, cauc and aved by {REPLICATES} replicates; partial areas up to a false positive rate of "
            f"{MAX_FPR}. The truth is the mean difference "
            f"of {RUNS_FOR_MEANS:,} samples of this size, because cauc and aved depend on the size."
        ),
        runs=600,
        settings=(Models(50, 250, worse=0.03), Models(200, 200, worse=0.03), Models(50, 950, worse=0.03)),
        simulate=by_bootstrap,
        headings=HEADINGS,
        rows=lambda models, tally, _: _rows(models, tally, dict(zip(RESAMPLED, RESAMPLED, strict=True))),
        promises=lambda *_: [],
    ),
)
