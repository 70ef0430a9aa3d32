"""The interval of the struggle ratio: the bootstrap against every resample there is, and against the plain loop."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from strategies import counted

from rocconf.compute.sensibility import sensibility
from rocconf.compute.sensibility.midpoint import parse_midpoint, resampled_errors
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts


def errors_at_own_midpoint(scores, labels, method):
    """The errors of one resample, by the definition; None if it has no midpoint."""
    if labels.all() or not labels.any():
        return None
    high, low = scores[labels].mean(), scores[~labels].mean()
    midpoint = {
        "half": scores.sum() / (2 * labels.sum()),
        "fixed": low / (1 - high + low),
        "class-mean": (high + low) / 2,
        "overall-mean": scores.mean(),
        "0.5": 0.5,
    }[method]
    return int(((scores >= midpoint - 1e-12) != labels).sum())


@pytest.mark.parametrize("method", ["half", "fixed", "class-mean", "overall-mean", "0.5"])
def test_resamples_have_the_distribution_of_all_resamples(method):
    scores, labels = np.array([0.9, 0.6, 0.55, 0.2, 0.2]), np.array([1, 0, 1, 1, 0], bool)
    every = [
        errors_at_own_midpoint(scores[list(rows)], labels[list(rows)], method) for rows in product(range(5), repeat=5)
    ]
    usable = Counter(errors for errors in every if errors is not None)
    replicates = 20_000
    drawn = Counter(resampled_errors(counted(scores, labels), parse_midpoint(method), replicates).tolist())
    for errors in range(6):
        share = usable[errors] / usable.total()
        assert drawn[errors] / replicates == pytest.approx(share, abs=4 * (share * (1 - share) / replicates) ** 0.5)


@pytest.mark.thorough
@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_groups_of_scores_have_the_spread_of_the_plain_bootstrap(lower_is_positive):
    rng = np.random.default_rng(3)
    labels = rng.random(3000) < 0.3
    scores = rng.beta(1.5 + 2 * labels, 3)
    plain = []
    for _ in range(1500):
        rows = rng.integers(0, 3000, 3000)
        plain.append(errors_at_own_midpoint(scores[rows], labels[rows], "half"))
    counts = counted(1 - scores if lower_is_positive else scores, labels, lower_is_positive=lower_is_positive)
    grouped = resampled_errors(counts, parse_midpoint("half"), 6000)
    # four standard errors of the difference
    spread = np.std(plain)
    assert np.mean(grouped) == pytest.approx(np.mean(plain), abs=4 * spread * (1 / 1500 + 1 / 6000) ** 0.5)
    assert np.std(grouped) == pytest.approx(spread, rel=4 * (1 / 3000 + 1 / 12000) ** 0.5)


def test_the_interval_widens_with_the_level_and_depends_on_the_seed():
    labels = np.arange(200) % 5 < 2
    counts = counted(np.random.default_rng(6).beta(1 + labels, 2), labels)
    narrow, wide = (sensibility(counts, level=level).struggle_interval for level in (0.5, 0.99))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper
    first, again, other = (
        resampled_errors(counts, parse_midpoint("half"), 200, seed=seed).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_all_cases_on_one_side_still_have_an_interval():
    perfect, hopeless = (
        sensibility(counted([0.9, 0.8, 0.2, 0.1], labels)).struggle_interval for labels in ([1, 1, 0, 0], [0, 0, 1, 1])
    )
    assert (perfect.lower, hopeless.upper) == (0, np.inf)
    assert perfect.upper == pytest.approx(1.959964**2 / 4, rel=1e-6)  # Wilson's z^2/(n + z^2) in odds
    assert hopeless.lower == pytest.approx(4 / 1.959964**2, rel=1e-6)


@pytest.mark.parametrize(("bootstrap", "is_known"), [(38, False), (39, True)])
def test_with_too_few_resamples_for_the_level_the_limits_are_unknown(bootstrap, is_known):
    counts = ScoreCounts.of([0.9, 0.4, 0.7, 0.6, 0.2, 0.1], [9, 3, 2, 8, 1, 2], [1, 3, 2, 3, 8, 9])
    found = sensibility(counts, bootstrap=bootstrap)
    limits = [found.summary()[f"struggle_ratio_{end}"] for end in ("lower", "upper")]
    assert (None not in limits) is is_known
    assert ("few-replicates" in [caveat.code for caveat in found.caveats]) is not is_known
    reasons = {entry["key"]: entry["reason"] for entry in found.to_dict()["undefined"]}
    assert ("replicates leave the limit unknown" in reasons.get("struggle_ratio_lower", "")) is not is_known
    with pytest.raises(UsageError, match="bootstrap must not be negative"):
        sensibility(counts, bootstrap=-1)


@pytest.mark.slow
def test_the_bootstrap_interval_covers_the_true_ratio(record_property):
    rng, runs, covered = np.random.default_rng(7), 1000, 0
    # the ratio of the population, from very many cases of it
    labels = rng.random(4_000_000) < 0.4
    truth = sensibility(counted(rng.beta(1 + 2 * labels, 2), labels), bootstrap=0).split.struggle_ratio
    for run in range(runs):
        labels = rng.random(400) < 0.4
        found = sensibility(counted(rng.beta(1 + 2 * labels, 2), labels), bootstrap=400, seed=run)
        covered += found.struggle_interval.lower <= truth <= found.struggle_interval.upper
    record_property("covered", covered / runs)
    assert 0.93 <= covered / runs <= 0.97


@pytest.mark.parametrize("n", [20, 50])
def test_a_rule_on_the_struggle_ratio_keeps_its_level_with_few_errors(n):
    """Percentiles alone let a model at the limit pass in 14% of samples of 20 cases."""
    rng, runs, limit = np.random.default_rng(n), 200, 0.2
    passed = 0
    for _ in range(runs):
        labels, is_error = rng.random(n) < 0.5, rng.random(n) < limit / (1 + limit)
        if 0 < labels.sum() < n:
            scores = np.where(labels ^ is_error, 0.75, 0.25)
            found = sensibility(counted(scores, labels), midpoint="0.5", bootstrap=200)
            passed += found.estimates["struggle_ratio"].limits(0.05).upper <= limit
    assert passed <= 0.025 * runs + 3 * (0.025 * runs) ** 0.5
