import csv
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm
from strategies import examples

from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.score_tests import tango_interval
from rocconf.errors import UndefinedError, UsageError

REFERENCE = Path(__file__).parents[2] / "reference"


def rows(name):
    with (REFERENCE / name).open(newline="") as file:
        return list(csv.DictReader(file))


GRID = rows("tango.csv")
PUBLISHED = [row for row in rows("tango_published.csv") if row["quantity"] == "Tango CI"]

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


@pytest.mark.parametrize("row", GRID[::170], ids=lambda row: f"{row['b']},{row['c']},{row['n']},{row['level']}")
def test_the_reference_solves_the_equation_of_the_paper(row):
    b, c, n, level = int(row["b"]), int(row["c"]), int(row["n"]), row["level"]
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
        for end, sign in (("lower", +1), ("upper", -1)):
            d = mpmath.mpf(row[end])
            if abs(d) == 1:
                continue
            w = -b - c + (2 * n - b + c) * d
            q21 = (mpmath.sqrt(w**2 + 8 * n * c * d * (1 - d)) - w) / (4 * n)
            score = (b - c - n * d) / mpmath.sqrt(n * (2 * q21 + d * (1 - d)))
            assert abs(score - sign * z) < 1e-9


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['b']},{row['c']},{row['n']}")
def test_matches_published_intervals(row):
    lower, upper = one(int(row["b"]), int(row["c"]), int(row["n"]), float(row["level"]))
    half_a_digit = 0.5 * 10 ** -int(row["digits"]) + 1e-12
    assert lower == pytest.approx(float(row["lower_or_value"]), abs=half_a_digit)
    assert upper == pytest.approx(float(row["upper"]), abs=half_a_digit)


@given(tables(), LEVELS)
@examples(150)
def test_agrees_with_a_bisection_on_the_score(table, level):
    assert one(*table, level) == pytest.approx(by_bisection(*table, level), abs=2e-15)


@pytest.mark.parametrize(("b", "c", "n"), [(12, 2, 50), (1, 7, 21), (0, 3, 40), (30, 29, 900)])
def test_agrees_with_root_finding_on_the_equation_of_the_paper(b, c, n):
    def excess(d, sign):
        w = -b - c + (2 * n - b + c) * d
        q21 = (np.sqrt(w**2 + 8 * n * c * d * (1 - d)) - w) / (4 * n)
        return (b - c - n * d) - sign * norm.isf(0.025) * np.sqrt(n * (2 * q21 + d * (1 - d)))

    middle = (b - c) / n
    lower = brentq(excess, -1 + 1e-12, middle - 1e-12, args=(1,), xtol=1e-14)
    upper = brentq(excess, middle + 1e-12, 1 - 1e-12, args=(-1,), xtol=1e-14)
    assert one(b, c, n) == pytest.approx((lower, upper), abs=1e-11)


@pytest.mark.parametrize("counts", [(0, 159, 161), (2, 3161, 3163), (4591, 18761, 10**6), (98, 0, 100)])
def test_holds_where_the_roots_of_the_quartic_fail(counts):
    assert one(*counts) == pytest.approx(by_bisection(*counts), abs=1e-14)


@given(st.integers(2, 10**9), st.floats(0.001, 0.999))
def test_holds_where_the_cubic_has_a_double_root(n, share):
    """With c = 0 the two largest roots meet at ab = 2nz^2."""
    b = min(max(int(share * n), 1), n - 1)
    z = np.sqrt(b * (n - b) / (2 * n))
    level = 1 - 2 * norm.sf(z)
    assume(0 < level < 1)
    for near in (np.nextafter(level, 0), level, np.nextafter(level, 1)):
        assume(0 < near < 1)
        assert one(b, 0, n, near) == pytest.approx(by_bisection(b, 0, n, near), abs=1e-9)


@given(st.integers(0, 10**6), st.integers(0, 10**6), LEVELS)
def test_has_a_closed_form_for_equal_counts(b, rest, level):
    n, z = 2 * b + rest, norm.isf((1 - level) / 2)
    assume(n)
    reach = z * np.sqrt(2 * b + z * z) / (n + z * z)
    assert one(b, b, n, level) == pytest.approx((-reach, reach), abs=1e-15, rel=1e-13)


@given(st.integers(0, 10**6), st.integers(1, 10**6), LEVELS)
def test_is_wilsons_where_all_cases_are_errors(b, c, level):
    share = wilson(b, b + c, level=level)
    assert one(b, c, b + c, level) == pytest.approx((2 * share.lower - 1, 2 * share.upper - 1), abs=1e-14)


@given(st.integers(1, 10**9), LEVELS)
def test_reaches_1_where_all_cases_are_errors_of_one_kind(n, level):
    z2 = norm.isf((1 - level) / 2) ** 2
    lower, upper = one(n, 0, n, level)
    assert upper == 1
    assert lower == pytest.approx((n - z2) / (n + z2), abs=1e-15)
    assert one(0, n, n, level)[0] == -1


@given(tables(most=2**53), LEVELS)
@example((0, 0, 1), 1 - 2**-53)
@example((1, 0, 1), 1e-17)
@example((1, 2, 10**9), 1 - 2**-53)
@example((0, 2**53, 2**53), 1e-17)
def test_is_within_minus_1_and_1_and_holds_the_estimate(table, level):
    b, c, n = table
    lower, upper = one(*table, level)
    assert -1 <= lower <= upper <= 1
    assert lower - 1e-15 <= (b - c) / n <= upper + 1e-15


@given(tables(most=2**53), LEVELS)
def test_is_mirrored_exactly_when_the_counts_are_swapped(table, level):
    b, c, n = table
    lower, upper = one(b, c, n, level)
    assert one(c, b, n, level) == (-upper, -lower)


@given(tables(), LEVELS)
def test_rises_with_b_and_falls_with_c(table, level):
    b, c, n = table
    assume(b + c < n)
    here, more_b, more_c = one(b, c, n, level), one(b + 1, c, n, level), one(b, c + 1, n, level)
    assert more_b[0] >= here[0]
    assert more_b[1] >= here[1]
    assert more_c[0] <= here[0]
    assert more_c[1] <= here[1]


@given(tables(most=10**6), st.floats(0.01, 0.98))
def test_widens_with_the_level(table, level):
    narrow, wide = one(*table, level), one(*table, level + 0.01)
    assert wide[0] <= narrow[0]
    assert wide[1] >= narrow[1]


@given(tables(), LEVELS)
def test_holds_zero_exactly_when_mcnemars_test_does_not_reject(table, level):
    b, c, _ = table
    z2 = norm.isf((1 - level) / 2) ** 2
    assume(abs((b - c) ** 2 - z2 * (b + c)) > 1e-6)  # not on the edge itself
    lower, upper = one(*table, level)
    assert (lower <= 0 <= upper) == ((b - c) ** 2 <= z2 * (b + c))


def test_many_tables_at_once_have_the_intervals_of_each_alone():
    rng = np.random.default_rng(5)
    n = rng.integers(1, 1000, 40_000)
    b = rng.integers(0, n + 1)
    c = rng.integers(0, n - b + 1)
    lower, upper = tango_interval(b, c, n)
    for at in rng.integers(0, len(n), 200):
        assert (lower[at], upper[at]) == one(int(b[at]), int(c[at]), int(n[at]))


def test_broadcasts_and_keeps_the_shape():
    limits = tango_interval([[1], [2]], [0, 3, 4], 10)
    assert limits.lower.shape == limits.upper.shape == (2, 3)
    assert limits.lower[1, 2] == one(2, 4, 10)[0]
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


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_an_invalid_level_is_rejected(level):
    with pytest.raises(UsageError, match="a level must be between 0 and 1"):
        tango_interval(1, 2, 20, level)
