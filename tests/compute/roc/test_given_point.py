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
    row, exact = of(known).record("m"), known["fisher_p"]
    keys = {"chi2": "chi2", "distance": "d_eq17", "excess": "epsilon", "tp": "tp", "fp": "fp"}
    assert [row[key] for key in keys] == pytest.approx([known[key] for key in keys.values()], rel=1e-12)
    assert row["p"] == pytest.approx(known["p_chi2"] if exact is None else exact, rel=1e-9)
    of_whole = "chi2" if exact is None else "fisher"
    assert row["p_method"] == (of_whole if known["counts_are_integers"] else "approximate")
    assert of(known).least_expected == pytest.approx(known["min_expected"], rel=1e-12)


@each_point
def test_bradleys_equations_hold(known):
    """Equations 15 to 19 with the expected counts of equations 22 to 25."""
    point, p, q = of(known), known["positives"], known["negatives"]
    alpha, power, n, excess = known["fpr"], known["tpr"], p + q, of(known).record("m")["excess"]
    observed = {"tp": p * power, "fp": q * alpha, "fn": p * (1 - power), "tn": q * (1 - alpha)}
    flagged, others = p * power + q * alpha, p * (1 - power) + q * (1 - alpha)
    expected = {"tp": p * flagged / n, "fp": q * flagged / n, "fn": p * others / n, "tn": q * others / n}
    for cell, count in observed.items():
        assert abs(expected[cell] - count) == pytest.approx(excess)
    assert point.distance == pytest.approx(((excess / p) ** 2 + (excess / q) ** 2) ** 0.5)
    assert point.distance == pytest.approx(abs(power - alpha) * (p**2 + q**2) ** 0.5 / n)
    inverse = sum(1 / count for count in expected.values())
    assert point.chi2 == pytest.approx(point.distance**2 * p**2 * q**2 / (p**2 + q**2) * inverse)
    assert point.chi2 == pytest.approx(excess**2 * inverse)


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


def test_corners_have_their_chi2():
    for corner in ("0,0", "1,1"):
        row = given(corner, 5, 55).record("m")
        assert (row["chi2"], row["p"], row["distance"]) == (0, 1, 0)
    perfect = given("0,1", 5, 55).record("m")
    assert (perfect["chi2"], perfect["contour_tpr"], perfect["contour_fpr"]) == (60, 1, 0)


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
