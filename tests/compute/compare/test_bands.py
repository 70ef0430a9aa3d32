"""Bands: published sizes, the definition drawn the slow way, what they promise, and how often they keep it."""

from itertools import pairwise

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st

from rocconf import Predictions, UndefinedError, UsageError, read_predictions
from rocconf.compute.compare.bands import KINDS, band, fixed_width
from rocconf.compute.compare.bands.band_kinds import GRID, Drawing, tpr_at
from rocconf.compute.compare.bands.binormal import fit_binormal
from rocconf.compute.compare.bands.simultaneous import critical_deviance
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.stats.resampling import resampled

BOOTSTRAPPED = ("pointwise", "simultaneous", "fixed-width")


def curve_of(labels, scores):
    return curve(count(Predictions(np.array(labels, dtype=bool), {"m": np.array(scores, dtype=float)})))


def binormal_curve(seed, p=60, q=80, a=1.2, decimals=3):
    rng = np.random.default_rng(seed)
    scores = np.concatenate([a + rng.normal(size=p), rng.normal(size=q)]).round(decimals)
    return curve_of(np.arange(p + q) < p, scores)


@pytest.mark.parametrize(("model", "area"), [("S", 0.487), ("T", 0.610), ("F", 0.512), ("B", 0.623)])
def test_fixed_width_bands_have_the_areas_of_the_paper(model, area):
    """More than half of ROC space, or nearly (Elazmeh, Japkowicz and Matwin 2006, Figure 4)."""
    roc = curve(count(read_predictions(SAMPLE_DATA / "dis.csv", score=model)))
    assert band(roc, "fixed-width").area == pytest.approx(area, abs=0.04)


@pytest.mark.parametrize("seed", range(12))
def test_the_gap_of_a_fixed_width_band_is_the_largest_along_its_slope(seed):
    """Measured at a hundred thousand places along the slope; the gap itself is found at corners alone."""
    roc = binormal_curve(seed, p=7, q=30, decimals=1)
    tilt = np.sqrt(roc.q / roc.p)
    drawn = next(resampled(roc.confusion(np.arange(len(roc))), 1, np.random.default_rng(seed)))
    along = np.linspace(0, 1 + tilt, 100_001)
    theirs = np.interp(along, drawn.tp[0] / roc.p + tilt * drawn.fp[0] / roc.q, drawn.tp[0] / roc.p)
    slow = np.abs(theirs - np.interp(along, roc.tpr + tilt * roc.fpr, roc.tpr)).max()
    found = fixed_width(roc, level=0.5, drawing=Drawing(1, seed))
    assert found == pytest.approx(slow, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decimals", [0, 3])
def test_a_band_holds_its_curve_is_monotone_and_widens_with_the_level(kind, decimals):
    roc = binormal_curve(2, decimals=decimals)
    found, wider = (band(roc, kind, level=level, replicates=300) for level in (0.8, 0.99))
    assert wider.area > found.area
    assert ((found.lower >= 0) & (found.upper <= 1)).all()
    if kind != "working-hotelling":  # which is around its own curve
        assert ((found.lower <= found.tpr + 1e-12) & (found.tpr <= found.upper + 1e-12)).all()
    if kind != "pointwise":  # whose limits are drawn apart at each rate
        assert min(np.diff(found.lower).min(), np.diff(found.upper).min()) >= -1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_order_of_the_scores_and_the_seed_decide(kind):
    labels = np.arange(90) < 40
    scores = np.random.default_rng(4).normal(size=90) + labels
    first, again = (band(curve_of(labels, each), kind, replicates=100, seed=7) for each in (scores, np.exp(3 * scores)))
    others = [band(curve_of(labels, scores), kind, replicates=100, seed=seed) for seed in (8, 9, 10)]
    assert (first.lower == again.lower).all()
    assert (first.upper == again.upper).all()
    assert any((first.lower != other.lower).any() for other in others) == (kind in BOOTSTRAPPED)


def test_an_unknown_band_and_a_bootstrap_without_replicates_are_rejected():
    with pytest.raises(UsageError, match=r"no band 'wide' .*fixed-width"):
        band(binormal_curve(1), "wide")
    with pytest.raises(UsageError, match="at least one replicate"):
        band(binormal_curve(1), "pointwise", replicates=0)


UNDEFINED = [
    *(
        (kind, labels, scores, why)
        for kind in ("pointwise", "fixed-width")
        for labels, scores, why in (
            ([1, 1, 0, 0], [4, 3, 2, 1], "all bootstrapped curves are equal"),
            ([1, 1, 0, 0], [1, 1, 1, 1], "all bootstrapped curves are equal"),
            ([1, 0, 0, 0], [2, 3, 1, 0], "a class has a single case"),
        )
    ),
    *(("working-hotelling", [1, 1, 0, 0], scores, "overlap too little") for scores in ([4, 3, 2, 1], [1, 1, 0, 0])),
]


@pytest.mark.parametrize(("kind", "labels", "scores", "why"), UNDEFINED)
def test_curves_that_cannot_vary_or_overlap_too_little_have_no_band(kind, labels, scores, why):
    with pytest.raises(UndefinedError, match=why):
        band(curve_of(labels, scores), kind, replicates=50)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=10))
def test_the_curve_at_a_rate_is_its_highest_point(cases):
    roc = curve_of(*zip(*cases, (True, 0), (False, 4), strict=True))
    for fpr in roc.fpr:
        assert tpr_at(roc, np.array([fpr]))[0] == pytest.approx(1.0 if fpr == 1 else roc.tpr[roc.fpr == fpr].max())


# pointwise


def test_pointwise_limits_are_those_of_resampled_cases():
    rng, labels = np.random.default_rng(6), np.arange(120) < 70
    positives, negatives = (rng.normal(size=70) + 1).round(1), rng.normal(size=50).round(1)
    found = band(curve_of(labels, np.concatenate([positives, negatives])), "pointwise", replicates=4000)
    drawn = [
        tpr_at(curve_of(labels, np.concatenate([rng.choice(positives, 70), rng.choice(negatives, 50)])), GRID)
        for _ in range(1500)
    ]
    for limit, expected in zip((found.lower, found.upper), np.quantile(drawn, (0.025, 0.975), axis=0), strict=True):
        assert limit == pytest.approx(expected, abs=0.06)
        assert np.abs(limit - expected).mean() < 0.012


# simultaneous


def deviance(share, expected, size):
    parts = (share, expected), (1 - share, 1 - expected)
    return 2 * size * sum(part * np.log(part / of) for part, of in parts if part > 0)


@pytest.mark.parametrize("decimals", [0, 3])
def test_simultaneous_limits_are_where_the_deviance_from_the_curve_is_the_critical_one(decimals):
    roc = binormal_curve(8, p=30, q=45, decimals=decimals)
    found = band(roc, "simultaneous", replicates=300, seed=2)
    largest = critical_deviance(roc, level=0.95, replicates=300, rng=np.random.default_rng(2))
    steps = np.linspace(0, 1, 400)
    x, y = (np.concatenate([a + steps * (b - a) for a, b in pairwise(of)]) for of in (roc.fpr, roc.tpr))
    for at in (3, 20, 50, 90):
        for limit, beyond in ((found.lower[at], -1e-2), (found.upper[at], 1e-2)):
            least = [
                min(
                    deviance(tpr, t, roc.p) + deviance(fpr, GRID[at], roc.q)
                    for fpr, tpr in zip(x[::20], y[::20], strict=True)
                )
                for t in np.clip((limit, limit + beyond), 1e-9, 1 - 1e-9)
            ]
            assert least[0] == pytest.approx(largest, rel=0.05) or limit in (0, 1)
            assert least[1] > largest or not 0 < limit + beyond < 1


def test_a_perfect_curve_keeps_a_band():
    found = band(curve_of([1] * 20 + [0] * 30, [1] * 20 + [0] * 30), "simultaneous", replicates=200)
    assert found.lower[50] < 0.95
    assert found.lower[0] == 0
    assert (found.upper == 1).all()


# ks


@pytest.mark.parametrize(("p", "at", "distance"), [(10, 29, 0.40925), (20, 40, 0.29408)])
def test_ks_has_the_published_critical_distances(p, at, distance):
    """D for 10 and 20 cases at 5% (Miller 1956, JASA 51, table 1); both hold at 0.95 squared."""
    labels = [1] * p + [0] * (30 - p)
    found = band(curve_of(labels, labels), "ks", level=0.95**2)
    assert found.lower[at] == 0
    assert found.lower[at + 1] == pytest.approx(1 - distance, abs=5e-5)


# working-hotelling

CT = {"negatives": [2, 11, 6, 6, 33], "positives": [33, 11, 2, 2, 3]}  # Hanley and McNeil (1982), from the surest on


def rated(negatives, positives):
    tp, fp = (np.concatenate([[0], np.cumsum(of)]) for of in (positives, negatives))
    return Curve(np.array([np.inf, *range(len(negatives), 0, -1)]), tp, fp, int(tp[-1]), int(fp[-1]))


def test_the_binormal_fit_of_the_ct_ratings_matches_the_published_one():
    """Stata's manual prints them for `rocfit`: intercept 1.656782 (0.310456), slope 0.713002 (0.215882)."""
    fit = fit_binormal(rated(**CT))
    assert (fit.a, fit.b) == pytest.approx((1.656782, 0.713002), abs=2e-5)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx((0.310456, 0.215882), rel=0.02)


def test_the_binormal_band_has_the_width_of_two_degrees_of_freedom():
    from scipy.special import ndtri
    from scipy.stats import chi2

    roc = rated(**CT)
    fit, found = fit_binormal(roc), band(roc, "working-hotelling", level=0.9)
    to_x = np.array([1, ndtri(0.3)])
    reach = (ndtri(found.upper[30]) - ndtri(found.lower[30])) / 2
    assert reach**2 / (to_x @ fit.covariance @ to_x) == pytest.approx(chi2.ppf(0.9, 2), rel=1e-9)
    assert (ndtri(found.upper[30]) + ndtri(found.lower[30])) / 2 == pytest.approx(fit.a + fit.b * to_x[1])


# threshold-averaged


def test_the_threshold_averaged_band_has_wilsons_intervals():
    """15 of 20 and 2 of 20: [.531, .888] and [.028, .301] (Wilson 1927, by Newcombe's tables)."""
    found = band(curve_of([1] * 20 + [0] * 20, [1] * 15 + [0] * 5 + [1] * 2 + [0] * 18), "threshold-averaged")
    assert (found.lower[30], found.upper[3]) == pytest.approx((0.5313, 0.8881), abs=0.005)


# how often a band holds the true curve


def coverage(kind, p, q, runs, *, a=1.0, b=1.0):
    from scipy.special import ndtr, ndtri

    rng = np.random.default_rng(10)
    truth = np.concatenate([[0], ndtr(a + b * ndtri(GRID[1:-1])), [1]])
    held = np.zeros((runs, len(GRID)), dtype=bool)
    for run in range(runs):
        scores = np.concatenate([(a + rng.normal(size=p)) / b, rng.normal(size=q)])
        found = band(curve_of(np.arange(p + q) < p, scores), kind, replicates=400, seed=run)
        held[run] = (found.lower <= truth + 1e-9) & (truth <= found.upper + 1e-9)
    return held


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 1), (1.5, 0.7)])
def test_the_simultaneous_band_keeps_its_level_with_few_negatives(a, b):
    """With balanced classes, or few positives: tests/test_simulations.py."""
    assert 0.92 <= coverage("simultaneous", 400, 20, 600, a=a, b=b).all(axis=1).mean() <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pointwise", "ks", "working-hotelling"])
def test_bands_keep_their_level_for_a_point_or_the_whole_curve(kind):
    held = coverage(kind, 100, 100, 600)
    if kind == "pointwise":
        assert held[:, 10:80].mean() == pytest.approx(0.95, abs=0.02)
    assert (held[:, 1:-1].all(axis=1).mean() > 0.93) == (kind != "pointwise")
