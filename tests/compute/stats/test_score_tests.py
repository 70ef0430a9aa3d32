"""Score intervals of differences: published values, the tests they invert, their symmetries, and how often they miss."""

import csv
from itertools import product
from math import log, sqrt
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2, chi2_contingency, multinomial, norm
from strategies import examples

from rocconf.compute.stats.score_tests import tango_interval
from rocconf.compute.stats.shares import OtherCases, PairedShares, Share
from rocconf.errors import UndefinedError

with (Path(__file__).parents[2] / "reference" / "tango.csv").open(newline="") as file:
    GRID = list(csv.DictReader(file))
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999999])


@st.composite
def tables(draw, most=10**9):
    n = draw(st.one_of(st.integers(1, 50), st.integers(1, most)))
    b = draw(st.one_of(st.integers(0, min(n, 5)), st.integers(0, n)))
    c = draw(st.one_of(st.integers(0, min(n - b, 5)), st.integers(0, n - b)))
    return b, c, n


def one(b, c, n, level=0.95):
    lower, upper = tango_interval(b, c, n, level)
    return float(lower), float(upper)


def by_bisection(b, c, n, level=0.95):
    """Tango's score falls in delta; its constrained variance is a sum of squares, so that no digit is lost."""
    z = norm.isf((1 - level) / 2)
    s, t = b + c, b - c
    m = n - s
    over = 4 * n * m + t * t
    centre = t * (n + m) / over if over else 0.0

    def score(d):
        if t == n * d:
            return 0.0
        root = np.sqrt(over * (d - centre) ** 2 + 16 * n * m * b * c / over) if over else s
        variance = n * ((s + t * d + root) / (2 * n) - d * d)
        return (t - n * d) / np.sqrt(variance) if variance > 0 else np.copysign(np.inf, t - n * d)

    def end(target, outside):
        inside = t / n
        for _ in range(80):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if abs(score(middle)) <= target else (inside, middle)
        return inside

    return (-1.0 if c == n else end(z, -1.0)), (1.0 if b == n else end(z, 1.0))


@pytest.mark.parametrize("level", ["0.90", "0.95", "0.99"])
def test_is_accurate_to_the_last_digits_up_to_a_billion_pairs(level):
    grid = [row for row in GRID if row["level"] == level]
    lower, upper = tango_interval(*([int(row[key]) for row in grid] for key in "bcn"), float(level))
    with mpmath.workdps(30):
        for row, low, high in zip(grid, lower, upper, strict=True):
            true_low, true_high = mpmath.mpf(row["lower"]), mpmath.mpf(row["upper"])
            allowed = max(1e-12, 1e-9 * (true_high - true_low)) / 1000  # a thousandth of what is promised
            assert abs(mpmath.mpf(float(low)) - true_low) <= allowed, row
            assert abs(mpmath.mpf(float(high)) - true_high) <= allowed, row


@given(tables(most=2**53), LEVELS)
@examples(150)
@example((0, 159, 161), 0.95)  # where the roots of the quartic fail
@example((2, 3161, 3163), 0.95)
@example((4591, 18761, 10**6), 0.95)
@example((98, 0, 100), 0.95)
@example((40, 60, 100), 0.95)  # all cases are errors
@example((100, 0, 100), 0.95)
@example((30, 30, 100), 0.95)
def test_agrees_with_a_bisection_on_the_score(table, level):
    assert one(*table, level) == pytest.approx(by_bisection(*table, level), abs=1e-14)


@given(st.integers(2, 10**9), st.floats(0.001, 0.999))
def test_holds_where_the_cubic_has_a_double_root(n, share):
    """With c = 0 the two largest roots meet at ab = 2nz^2."""
    b = min(max(int(share * n), 1), n - 1)
    level = 1 - 2 * norm.sf(np.sqrt(b * (n - b) / (2 * n)))
    assume(0 < level < 1 - 2**-52)
    for near in (np.nextafter(level, 0), level, np.nextafter(level, 1)):
        assert one(b, 0, n, near) == pytest.approx(by_bisection(b, 0, n, near), abs=1e-9)


@given(tables(most=2**53), LEVELS)
@example((0, 0, 1), 1 - 2**-53)
@example((1, 0, 1), 1e-17)
@example((1, 2, 10**9), 1 - 2**-53)
@example((0, 2**53, 2**53), 1e-17)
def test_holds_the_estimate_within_minus_1_and_1_and_is_mirrored_exactly(table, level):
    b, c, n = table
    lower, upper = one(*table, level)
    assert -1 <= lower <= upper <= 1
    assert lower - 1e-15 <= (b - c) / n <= upper + 1e-15
    assert one(c, b, n, level) == (-upper, -lower)


def test_many_tables_at_once_have_the_intervals_of_each_alone():
    limits = tango_interval([[1], [2]], [0, 3, 4], 10)
    each = [[one(b, c, 10) for c in (0, 3, 4)] for b in (1, 2)]
    assert np.stack(limits, axis=-1).tolist() == [[list(ends) for ends in row] for row in each]
    assert len(tango_interval([], [], [])) == 2


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((1, 2, 2), r"b \+ c cannot exceed n \(found b = 1, c = 2, n = 2\)"),
        ((-1, 2, 20), "b must be whole numbers .*found -1"),
        ((1, 2.5, 20), "c must be whole numbers .*found 2.5"),
        ((1, 2, float("nan")), "n must be whole numbers .*found nan"),
        ((1, 2, float("inf")), "n must be whole numbers"),
        ((0, 0, 2**54 + 1), r"n must be whole numbers from 0 to 2\^54"),
        ((2**53 + 1, 0, 2**54), r"b must be whole numbers from 0 to 2\^53"),
        (("1", 2, 20), "b must be counts"),
        ((True, 2, 20), "b must be counts"),
        ((0, 0, 0), "at least one pair"),
    ],
)
def test_invalid_counts_are_rejected(counts, message):
    with pytest.raises(UndefinedError, match=message):
        tango_interval(*counts)


# With a continuity correction


def unpaired(hits, n, others, m):
    return OtherCases(Share(hits, n), Share(others, m))


def likeliest(likelihoods, low, high):
    """Return where the likelihood of counts and their shares is largest."""

    def loss(x):
        return -sum(count * log(max(share, 1e-300)) for count, share in likelihoods(x) if count)

    return float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), LEVELS)
@settings(max_examples=40)
def test_a_paired_limit_is_where_the_corrected_test_just_rejects(b, c, rest, level):
    n, z = b + c + rest, norm.isf((1 - level) / 2)
    for limit in PairedShares(b, c, n).interval(level).ends:
        assume(-1 < limit < 1)

        def shares(x, limit=limit):
            return (b, x + limit), (c, x), (rest, 1 - 2 * x - limit)

        of_c = likeliest(shares, max(0, -limit), (1 - limit) / 2)
        variance = n * (2 * of_c + limit - limit**2)
        assert abs(b - c - n * limit) - 1 == pytest.approx(z * sqrt(variance), rel=1e-4)


@given(st.integers(1, 12), st.integers(1, 12), st.data(), LEVELS)
@settings(max_examples=40)
def test_an_unpaired_limit_is_where_the_corrected_test_just_rejects(n, m, data, level):
    hits, others = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    z = norm.isf((1 - level) / 2)
    for limit in unpaired(hits, n, others, m).interval(level).ends:
        assume(-1 < limit < 1)

        def shares(x, limit=limit):
            return (hits, x + limit), (n - hits, 1 - x - limit), (others, x), (m - others, 1 - x)

        rate = likeliest(shares, max(0, -limit), min(1, 1 - limit))
        first = rate + limit
        variance = (first * (1 - first) / n + rate * (1 - rate) / m) * (n + m) / (n + m - 1)
        away = abs(hits / n - others / m - limit) - (1 / n + 1 / m) / 2
        assert away == pytest.approx(z * sqrt(variance), rel=1e-4)


def test_the_p_values_are_those_of_the_corrected_tests():
    assert PairedShares(10, 3, 40).p == pytest.approx(chi2.sf((7 - 1) ** 2 / 13, 1), rel=1e-12)
    yates = chi2_contingency([[7, 3], [4, 11]], correction=True).statistic
    assert unpaired(7, 10, 4, 15).p == pytest.approx(chi2.sf(yates * 24 / 25, 1), rel=1e-12)
    assert PairedShares(4, 4, 9).p == 1
    assert unpaired(5, 5, 3, 3).p == 1


def test_the_correction_vanishes_where_cases_are_many():
    counts = 6 * 10**9, 5 * 10**9, 10**11
    assert PairedShares(*counts).interval(0.95).ends == pytest.approx(one(*counts), abs=2e-11)


def errors(limits, truth, probability):
    """Return how often the lower limits are above a truth, and the upper ones below it."""
    lower, upper = np.array(limits).T
    return probability[lower > truth + 1e-9].sum(), probability[upper < truth - 1e-9].sum()


@pytest.mark.parametrize("n", [5, 12, 25])
def test_a_paired_interval_keeps_its_level_at_every_truth(n):
    counts = np.array([(b, c, n - b - c) for b in range(n + 1) for c in range(n + 1 - b)])
    limits = [PairedShares(int(b), int(c), n).interval(0.95).ends for b, c, _ in counts]
    for more, less in list(product((0.0, 0.02, 0.1, 0.3), repeat=2))[1:]:
        probability = multinomial.pmf(counts, n, [more, less, 1 - more - less])
        assert max(errors(limits, more - less, probability)) < 0.025, (more, less)


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "m"), [(5, 5), (7, 12)])
def test_an_unpaired_interval_keeps_its_level_at_every_truth(n, m):
    hits, others = np.array(list(product(range(n + 1), range(m + 1)))).T
    limits = [unpaired(int(k), n, int(j), m).interval(0.95).ends for k, j in zip(hits, others, strict=True)]
    for rate, other in product((0.01, 0.05, 0.2, 0.5, 0.9, 0.98), repeat=2):
        probability = binom.pmf(hits, n, rate) * binom.pmf(others, m, other)
        assert max(errors(limits, rate - other, probability)) < 0.03, (rate, other)
