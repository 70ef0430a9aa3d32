"""Points that are given by their rates: reference values, Bradley's equations, and what is refused."""

import json
from fractions import Fraction

import pytest
from conftest import REFERENCE

import rocconf
from rocconf.compute.chi2_contours import ClassTotals, contour
from rocconf.compute.roc.given_point import GivenPoint
from rocconf.compute.roc.operating import parse_given_point, parse_point_rule

POINTS = json.loads((REFERENCE / "chi2_point.json").read_text(encoding="utf-8"))["values"]
each_point = pytest.mark.parametrize("known", POINTS, ids=lambda known: f"{known['positives']}-{known['tpr']}")


def given(rates, p, q):
    return GivenPoint(parse_given_point(rates), p, q)


def of(known):
    return given(f"{known['fpr']},{known['tpr']}", known["positives"], known["negatives"])


@each_point
def test_chi2_p_and_distance_agree_with_the_reference(known):
    row = of(known).record("m")
    assert row["chi2"] == pytest.approx(known["chi2"], rel=1e-12)
    assert row["distance"] == pytest.approx(known["d_eq17"], rel=1e-12)
    assert row["excess"] == pytest.approx(known["epsilon"], rel=1e-12)
    assert (row["tp"], row["fp"]) == pytest.approx((known["tp"], known["fp"]), rel=1e-12)
    p = known["p_chi2"] if known["fisher_p"] is None else known["fisher_p"]
    assert row["p"] == pytest.approx(p, rel=1e-9)
    if not known["counts_are_integers"]:
        assert row["p_method"] == "approximate"
    else:
        assert row["p_method"] == ("chi2" if known["fisher_p"] is None else "fisher")
    assert of(known).least_expected == pytest.approx(known["min_expected"], rel=1e-12)


@each_point
def test_bradleys_equations_hold(known):
    """Equations 15 to 19 with the expected counts of equations 22 to 25."""
    point, p, q = of(known), known["positives"], known["negatives"]
    alpha, power, n = known["fpr"], known["tpr"], p + q
    beta = 1 - power
    expected = {
        "tn": q * (q * (1 - alpha) + beta * p) / n,
        "fp": q * (p * power + alpha * q) / n,
        "fn": p * (q * (1 - alpha) + beta * p) / n,
        "tp": p * (p * power + alpha * q) / n,
    }
    observed = {"tp": p * power, "fp": q * alpha, "fn": p * beta, "tn": q * (1 - alpha)}
    for cell, count in observed.items():
        assert abs(expected[cell] - count) == pytest.approx(point.record("m")["excess"])
    steps = (expected["tp"] - observed["tp"]) / p, (expected["fp"] - observed["fp"]) / q
    assert point.distance == pytest.approx((steps[0] ** 2 + steps[1] ** 2) ** 0.5)
    assert point.distance == pytest.approx(abs(power - alpha) * (p**2 + q**2) ** 0.5 / n)
    inverse = sum(1 / count for count in expected.values())
    assert point.chi2 == pytest.approx(point.distance**2 * p**2 * q**2 / (p**2 + q**2) * inverse)
    assert point.chi2 == pytest.approx(point.record("m")["excess"] ** 2 * inverse)


def test_the_distance_is_the_perpendicular_one_only_for_classes_of_one_size():
    assert given("0.2,0.7", 30, 30).distance == pytest.approx(0.5 / 2**0.5)
    assert given("0.1,0.8", 5, 55).distance > 0.7 / 2**0.5


@each_point
def test_the_contour_ends_where_the_drawn_one_does(known):
    point = of(known)
    row = point.record("m")
    upper, lower = contour(ClassTotals(known["positives"], known["negatives"]), point.chi2)
    assert row["contour_tpr"] == pytest.approx(upper.tpr[0], abs=1e-12)
    assert row["contour_fpr"] == pytest.approx(upper.fpr[-1], abs=1e-12)
    branch = lower if known["tpr"] < known["fpr"] else upper
    gaps = (branch.fpr - known["fpr"]) ** 2 + (branch.tpr - known["tpr"]) ** 2
    assert gaps.min() ** 0.5 < 0.01


def test_whole_counts_are_decided_exactly():
    assert given("1/3,0.2", 5, 3).is_whole
    assert not given("0.333333333333,0.2", 5, 3).is_whole
    assert given("0.29,0.5", 2, 100).fp == 29
    assert given(".1,.8", 5, 55).rule.numbers == (Fraction(1, 10), Fraction(4, 5))


@pytest.mark.parametrize("corner", ["0,0", "1,1"])
def test_one_prediction_for_all_cases_has_no_chi2(corner):
    row = given(corner, 5, 55).record("m")
    assert (row["chi2"], row["p"], row["distance"]) == (0, 1, 0)


def test_a_perfect_point_has_a_chi2_of_n():
    row = given("0,1", 5, 55).record("m")
    assert (row["chi2"], row["contour_tpr"], row["contour_fpr"]) == (60, 1, 0)


@pytest.mark.parametrize("text", ["0.1", "0.1,0.2,0.3", "0.1;0.8", "a,b", "10,80", "-0.1,0.5", "", "nan,0.5"])
def test_what_is_no_point_is_refused(text):
    with pytest.raises(rocconf.UsageError):
        rocconf.chi2_contours(ClassTotals(5, 55), points=[text])
    with pytest.raises(rocconf.UsageError):
        parse_point_rule(f"point={text}")


def test_a_given_point_is_no_rule_that_chooses_a_threshold():
    counts = rocconf.ScoreCounts.of([0.9, 0.1], [1, 0], [0, 1])
    for at in ("point=0.1,0.8", parse_point_rule("point=0.1,0.8")):
        with pytest.raises(rocconf.UsageError, match=r"no rule 'point=0\.1,0\.8'"):
            rocconf.sweep(counts, at=at)


def test_a_point_is_listed_once_however_it_is_written():
    result = rocconf.chi2_contours(ClassTotals(5, 55), points=["0.1,0.8", ".10, .80", "0,1"])
    assert [row["point"] for row in result.table("points").records()] == ["0.1,0.8", "0,1"]


def test_an_approximate_p_is_announced_and_a_poor_one_called_so():
    def warned(p, q):
        caveats = rocconf.chi2_contours(ClassTotals(p, q), points=["0.1,0.8"]).caveats
        return [str(caveat) for caveat in caveats if caveat.code == "point-not-whole"]

    assert "a poor one" in warned(5, 55)[0]
    assert "a poor one" not in warned(31, 55)[0]
    assert warned(30, 50) == []
