"""How many cases would decide: the interval of so many cases, the margins of docs/intervals.md, and pROC's values."""

import json
from math import comb, inf
from statistics import NormalDist

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA

from rocconf import Predictions, count, read_predictions
from rocconf.compute.roc.influence import STATISTICS
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.stats.design import pseudo_of_areas
from rocconf.compute.stats.estimate import Area, Normal, Skewed, Sums
from rocconf.compute.stats.plan import (
    classical_size,
    least_hits,
    needed_times,
    obuchowski_variance,
    paired_reaches,
    rate_reaches,
    times_as_many,
)
from rocconf.compute.stats.shares import PairedShares, Share
from rocconf.records import Grouping

POWER = json.loads((REFERENCE / "power.json").read_text())
KINDS = ("robust", "delong")
RNG = np.random.default_rng(3)
LABELS, PATIENTS = np.arange(60) < 20, RNG.integers(25, size=60)
SCORES = {
    "new": 1 / (1 + np.exp(-RNG.normal(size=60) - LABELS)),
    "old": 1 / (1 + np.exp(-RNG.normal(size=60) - LABELS)),
}


def estimates(times, kind, *, clustered=False):
    """Return the estimates of a model, and of its difference from another, with each case so many times."""
    patients = [f"{copy} {patient}" for copy in range(times) for patient in PATIENTS]
    cases = Predictions(
        np.tile(LABELS, times),
        {name: np.tile(scores, times) for name, scores in SCORES.items()},
        clusters=Grouping.of("patient", patients) if clustered else None,
    )
    models = tuple(Observed(count(cases, name), kind) for name in SCORES)
    pair = OnSameCases(cases, models).pair(0, 1)
    thresholds = [float(np.quantile(scores, 0.6)) for scores in SCORES.values()]
    new = SCORES["new"] >= thresholds[0]
    cells = models[0].cells(times * int((new & LABELS).sum()), times * int((new & ~LABELS).sum()))
    for name, metric in STATISTICS.items():
        if name != "partial_auc":
            yield name, metric.estimate(models[0])
            yield f"delta_{name}", metric.paired(pair)
    for name in ("tpr", "precision", "f1", "mcc", "youden_j", "lift"):
        yield name, RATES[name].estimate(cells, kind)
        yield f"delta_{name}", RATES[name].paired(pair.cells(thresholds), kind)


@pytest.mark.parametrize(("kind", "clustered"), [("robust", False), ("delong", False), ("robust", True)])
def test_the_estimate_of_more_cases_is_that_of_the_same_cases_so_many_times(kind, clustered):
    """The cases of one class and the degrees of freedom of a single stratum are the same up to one case."""
    for (name, one), (_, many) in zip(*(estimates(times, kind, clustered=clustered) for times in (1, 50)), strict=True):
        if one is None:
            continue
        found, wanted = times_as_many(one, 50).interval(0.95), many.interval(0.95)
        width = wanted.upper - wanted.lower
        assert found.ends == pytest.approx(wanted.ends, abs=0.1 * width), name
        assert one == times_as_many(one, 1), name


@pytest.mark.parametrize("power", [0.5, 0.8])
@pytest.mark.parametrize("distance", [-0.1, 0.07])
def test_the_interval_of_the_needed_cases_ends_at_the_limit(distance, power):
    stretch = 1 + NormalDist().inv_cdf(power) / NormalDist().inv_cdf(0.975)
    for name, found in estimates(1, "robust"):
        if found is None:
            continue
        limit = found.value + distance
        times = needed_times(found, limit, level=0.95, power=power)
        interval = times_as_many(found, times).interval(0.95)
        reach = (interval.upper if distance > 0 else interval.lower) - found.value
        assert reach * stretch == pytest.approx(distance, rel=1e-5), name


def test_no_number_of_cases_decides_on_a_value_at_the_limit_or_without_a_variance():
    assert needed_times(Normal(0.1, 0.01), 0.1, level=0.95) == inf
    assert needed_times(Normal(0.1, 0.01), 0.1 + 1e-9, level=0.95) == inf
    assert needed_times(Area(0.9, Sums.unknown(), 1), 0.5, level=0.95) == inf
    newcombe = Area(0.9, Sums.unknown(), 1, cases=(1, 30))
    assert 1 < needed_times(newcombe, 0.85, level=0.95) < inf


@pytest.mark.parametrize(
    ("margin", "p", "q", "least"),
    [(0.01, 10, 10**7, 171), (0.01, 7, 7, 242), (0.02, 9, 10**7, 87), (0.02, 5, 5, 122), (0.05, 5, 5, 50)],
)
def test_a_margin_needs_the_positives_of_the_docs_even_without_any_variance(margin, p, q, least):
    sums = Sums(p + q, (p, q), (0.0, 0.0), (p, q), 0.0, 0.0, 0.0, 0.0)
    times = needed_times(Skewed(0.0, sums, pseudo_of_areas(p, q)), -margin, level=0.95)
    assert np.ceil(times * p) == pytest.approx(least, abs=1)


def variances_of(entry):
    """Return the distance, and the variances of one positive under the null hypothesis and the alternative, as pROC."""
    if entry["kind"] == "one":
        kappa = entry["ncontrols"] / entry["ncases"]
        return entry["auc"] - 0.5, obuchowski_variance(0.5, kappa), obuchowski_variance(entry["auc"], kappa)
    cases = read_predictions(SAMPLE_DATA / entry["file"], score=[entry["first"], entry["second"]])
    models = tuple(Observed(count(cases, entry[name]), "delong") for name in ("first", "second"))
    auc, p = STATISTICS["auc"], models[0].counts.p
    difference, (one, other) = auc.paired(OnSameCases(cases, models).pair(0, 1)), map(auc.estimate, models)
    covariance = (one.variance + other.variance - difference.variance) / 2
    return difference.value, p * 2 * (one.variance - covariance), p * difference.variance


@pytest.mark.parametrize("entry", POWER["proc"], ids=lambda each: f"{each['kind']}-{each['solve']}")
def test_the_classical_size_equals_that_of_proc(entry):
    """Where pROC solves for the power of a size, the size of that power is the one it was given."""
    found = classical_size(*variances_of(entry), level=1 - entry["sig_level"], power=entry["power"])
    assert found == pytest.approx(entry["ncases"], rel=1e-12 if entry["solve"] != "power" else 1e-9)
    assert classical_size(0.0, 0.2, 0.15, level=0.9, power=0.7) == inf


# how often the interval of a rate reaches a limit: published enumerations, and sums over all samples


@pytest.mark.parametrize("row", POWER["tango"], ids=lambda row: f"n={row['n']}")
def test_the_enumerations_of_tango_are_the_references(row):
    def reaches(more, less, limit):
        return paired_reaches(row["n"], row[more], row[less], limit, level=row["level"], kind="delong")

    assert reaches("p_b", "p_c", -row["margin"]) == pytest.approx(row["power_non_inferior"], abs=1e-11)
    excluded = reaches("p_b", "p_c", 0.0) + reaches("p_c", "p_b", 0.0)
    assert excluded == pytest.approx(row["power_zero_excluded"], abs=1e-11)


@pytest.mark.parametrize("row", POWER["wilson"], ids=lambda row: f"n={row['n']}")
def test_the_sums_of_wilson_are_the_references(row):
    n = np.array([row["n"]])
    assert least_hits(n, row["limit"], level=0.95, kind="delong").tolist() == [row["least_k"]]
    found = rate_reaches(n, row["p"], row["limit"], level=0.95, kind="delong")
    assert found[0] == pytest.approx(row["power_wilson_lower_ge_limit"], abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("rate", "limit", "level"), [(0.9, 0.8, 0.95), (0.3, 0.2, 0.9), (0.05, 0.04, 0.99), (1.0, 0.9, 0.95)]
)
def test_the_share_of_a_rate_is_the_sum_over_all_samples(rate, limit, level, kind):
    sizes = (1, 2, 9, 28, 29, 61)
    slow = [
        sum(
            comb(n, k) * rate**k * (1 - rate) ** (n - k)
            for k in range(n + 1)
            if Share(k, n, kind).interval(level).lower >= limit
        )
        for n in sizes
    ]
    found = rate_reaches(np.array(sizes), rate, limit, level=level, kind=kind)
    assert found == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n", "more", "less", "limit"),
    [(1, 0.3, 0.2, -0.5), (9, 0.25, 0.1, -0.1), (17, 0.05, 0.05, -0.2), (24, 0.5, 0.5, -0.3), (24, 0.4, 0.1, 0.05)],
)
def test_the_share_of_a_paired_difference_is_the_sum_over_all_samples(n, more, less, limit, kind):
    slow = sum(
        comb(n, b) * comb(n - b, c) * more**b * less**c * (1 - more - less) ** (n - b - c)
        for b in range(n + 1)
        for c in range(n - b + 1)
        if PairedShares(b, c, n, kind).interval(0.9).lower >= limit
    )
    assert paired_reaches(n, more, less, limit, level=0.9, kind=kind) == pytest.approx(slow, abs=1e-12)


def test_a_limit_that_no_sample_reaches_is_never_reached():
    assert rate_reaches(np.array([5, 28]), 0.99, 0.9, level=0.95, kind="robust").tolist() == [0, 0]
    assert paired_reaches(3, 0.1, 0.1, -0.01, level=0.95, kind="robust") == 0


def test_certain_differences_are_added_up_too():
    assert paired_reaches(50, 1.0, 0.0, 0.5, level=0.95, kind="robust") == pytest.approx(1)
    assert paired_reaches(50, 0.0, 0.0, -0.2, level=0.95, kind="delong") == 1
