import csv
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from strategies import examples

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import TESTS, paired_test
from rocconf.compute.stats.proportion import wilson
from rocconf.errors import UsageError

REFERENCE = Path(__file__).parents[2] / "reference"
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


def rows(name):
    with (REFERENCE / name).open(newline="") as file:
        return list(csv.DictReader(file))


PUBLISHED = rows("tango_published.csv")
KINDS = {
    "Tango CI": "tango",
    "Wald CI": "wald",
    "Newcombe method 10 (Wilson+corrected phi)": "newcombe",
    "Bonett-Price CI": "bonett-price",
    "Agresti-Min CI": "agresti-min",
    "McNemar asymptotic P": "tango",
    "McNemar exact conditional P": "exact",
    "McNemar mid-p P": "mid-p",
    "McNemar chi2 with CC: statistic, P": "mcnemar-cc",
}


def table(b, c, n, a=None):
    """A table of a true positives; without a, half of what is right."""
    a = (n - b - c) // 2 if a is None else a
    return Confusion(np.array([a]), np.array([c]), a + b, n - a - b)


def differs(name, b, c, n, level=0.95):
    m = table(b, c, n)
    return TESTS[name].differs_exactly(b, c, m.p, m.q, level)


@st.composite
def curves(draw, most=60):
    """The corners of a curve that goes up or right by any steps."""
    p, q = draw(st.integers(1, most)), draw(st.integers(1, most))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    steps = rng.permutation(np.repeat([True, False], [p, q]))
    keep = np.sort(rng.permutation(p + q - 1)[: draw(st.integers(0, p + q - 1))] + 1) if p + q > 1 else []
    at = np.concatenate([[0], keep, [p + q]]).astype(int)
    return Confusion(np.concatenate([[0], steps.cumsum()])[at], np.concatenate([[0], (~steps).cumsum()])[at], p, q)


@pytest.mark.parametrize(
    "row",
    [row for row in PUBLISHED if row["quantity"] in KINDS and row["quantity"].endswith(("CI", "phi)"))],
    ids=lambda row: f"{row['quantity']} {row['b']},{row['c']},{row['n']}",
)
def test_intervals_match_published_ones(row):
    a, b, c, n = (int(row[key]) for key in "abcn")
    limits = TESTS[KINDS[row["quantity"]]].limits(table(b, c, n, a), float(row["level"]))
    half_a_digit = 0.5 * 10 ** -int(row["digits"]) + 1e-12
    assert limits.lower[0] == pytest.approx(float(row["lower_or_value"]), abs=half_a_digit)
    assert limits.upper[0] == pytest.approx(float(row["upper"]), abs=half_a_digit)


@pytest.mark.parametrize(
    "row",
    [row for row in PUBLISHED if row["quantity"].startswith("McNemar") and row["agrees_to_printed_digits"] == "True"],
    ids=lambda row: f"{row['quantity']} {row['b']},{row['c']}",
)
def test_p_values_match_published_ones(row):
    test, m = TESTS[KINDS[row["quantity"]]], table(int(row["b"]), int(row["c"]), int(row["n"]), int(row["a"]))
    p = test.p(m)[0]
    if row["upper"]:  # the statistic, then p
        assert test.z(m)[0] ** 2 == pytest.approx(float(row["lower_or_value"]), abs=1e-6)
        assert p == pytest.approx(float(row["upper"]), abs=5e-5)
    else:
        assert p == pytest.approx(float(row["lower_or_value"]), abs=0.5 * 10 ** -int(row["digits"]) + 1e-9)


@pytest.mark.parametrize("row", rows("tango_worked.csv"), ids=lambda row: f"{row['b']},{row['c']}")
def test_the_score_and_the_exact_test_agree_with_the_worked_counts(row):
    b, c, n = (int(row[key]) for key in "bcn")
    m = table(b, c, n)
    assert TESTS["tango"].z(m)[0] == pytest.approx(float(row["z"]), rel=1e-14)
    assert TESTS["tango"].p(m)[0] == pytest.approx(float(row["p_mcnemar"]), rel=1e-12)
    assert TESTS["exact"].p(m)[0] == pytest.approx(float(row["p_exact"]), rel=1e-12)
    assert differs("tango", b, c, n) == (row["confident"] == "False")


@given(st.integers(0, 300), st.integers(0, 300))
@examples(60)
def test_the_binomial_tests_match_their_definitions(b, c):
    m, s, most = table(b, c, b + c + 10), b + c, max(b, c)
    exact = binomtest(b, s).pvalue if s else 1.0
    mid = min(Fraction(2 * sum(comb(s, k) for k in range(most, s + 1)) - comb(s, most), 2**s), Fraction(1))
    assert TESTS["exact"].p(m)[0] == pytest.approx(exact, rel=1e-11)
    assert TESTS["mid-p"].p(m)[0] == pytest.approx(float(mid) if b != c else 1.0, rel=1e-11)


def test_the_binomial_decision_holds_where_p_is_exactly_the_limit():
    assert TESTS["exact"].p(table(2, 0, 10))[0] == 0.5
    assert not differs("exact", 2, 0, 10, level=0.5)
    assert not differs("exact", 3, 0, 10, level=0.75)
    assert differs("exact", 4, 0, 10, level=0.75)
    assert not differs("mid-p", 2, 0, 10, level=0.75)  # 2 * (1/4) / 2


@pytest.mark.parametrize("name", TESTS)
def test_without_errors_nothing_differs(name):
    test, m = TESTS[name], table(0, 0, 20)
    assert not test.differs(m, 0.95)[0]
    assert not differs(name, 0, 0, 20)
    assert test.no_z or test.z(m)[0] == 0
    assert test.no_p or test.p(m)[0] == 1
    if not test.no_interval:
        lower, upper = test.limits(m, 0.95)
        assert lower[0] <= 0 <= upper[0]


@pytest.mark.parametrize("name", TESTS)
@given(m=curves(), level=LEVELS)
@examples(60)
def test_decision_p_and_interval_agree_along_a_curve(name, m, level):
    test = TESTS[name]
    rejected = test.differs(m, level)
    exactly = [test.differs_exactly(int(b), int(c), m.p, m.q, level) for b, c in zip(m.fn, m.fp, strict=True)]
    assert rejected.tolist() == exactly
    assert (np.diff(np.flatnonzero(~rejected)) == 1).all()
    if not test.no_p:
        p = test.p(m)
        assert ((p < 1 - level) == rejected)[np.abs(p - (1 - level)) > 1e-12].all()
    if test.no_interval:
        return
    lower, upper = test.limits(m, level)
    is_clear = np.minimum(np.abs(lower), np.abs(upper)) > 1e-12
    assert (((lower > 0) | (upper < 0)) == rejected)[is_clear].all()
    assert ((lower >= -1) & (lower <= upper) & (upper <= 1)).all()
    exchanged = test.limits(Confusion(m.q - m.fp, m.p - m.tp, m.q, m.p), level)  # negatives become the positives
    assert exchanged.lower == pytest.approx(-upper, abs=1e-12)
    assert exchanged.upper == pytest.approx(-lower, abs=1e-12)


def test_newcombes_interval_has_no_correction_where_label_and_prediction_are_opposed():
    a, b, c, d = 2, 10, 9, 1
    (p1, (l1, u1)), (p2, (l2, u2)) = ((hits / 22, wilson(hits, 22).ends) for hits in (a + b, a + c))
    phi = (a * d - b * c) / sqrt((a + b) * (c + d) * (a + c) * (b + d))
    lower = p1 - p2 - sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    upper = p1 - p2 + sqrt((p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2)
    limits = TESTS["newcombe"].limits(table(b, c, 22, a), 0.95)
    assert (limits.lower[0], limits.upper[0]) == pytest.approx((lower, upper), abs=1e-15)


@pytest.mark.parametrize("name", TESTS)
def test_decides_billions_of_cases(name):
    """b - c is 1.9 and 2.1 standard errors of 1e9 errors; (b - c)^2 alone would pass int64 further out."""
    for errors in (10**9, 10**11):
        half = errors // 2
        for z, expected in ((1.9, False), (2.1, True), (1e4, True)):
            t = int(z * sqrt(errors) / 2)
            b, c, n = half + t, half - t, 10 * errors
            m = table(b, c, n)
            assert TESTS[name].differs(m, 0.95)[0] == expected
            assert TESTS[name].differs_exactly(b, c, m.p, m.q, 0.95) == expected
            p = TESTS[name].p(m)[0]
            assert TESTS[name].no_p or (p < 0.05) == expected
            assert 0 <= p <= 1 or TESTS[name].no_p


def test_the_decision_is_exact_on_the_edge():
    """(b - c)^2 = z^2 (b + c) at z = 2: counts of which floats lose the last digits."""
    level = 0.9544997361036415
    while normal_quantile(level) < 2:
        level = np.nextafter(level, 1)
    z2 = Fraction(normal_quantile(level)) ** 2
    t = 2 * 10**8 + 1
    for s in range(t * t // 4 - 3, t * t // 4 + 4):
        if (s - t) % 2:
            continue
        b, c = (s + t) // 2, (s - t) // 2
        assert differs("tango", b, c, 3 * s, level) == (t * t > z2 * s)


def test_an_unknown_test_is_rejected_with_the_known_ones():
    with pytest.raises(UsageError, match=r"no test 'tangoo'.*tango, mcnemar-cc, exact, mid-p, wald, newcombe"):
        paired_test("tangoo")
