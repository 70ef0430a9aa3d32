"""Concavities: what lies below the hull, and the test of each by enumeration, by simulation and on known curves."""

from itertools import combinations

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.compute.roc.concavities import Concavity, chance_p, concavities, concavity_records
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.records import ScoreCounts


def curve_of(labels):
    """Return the curve of cases in the order of their scores, the highest first."""
    labels = np.array(labels, dtype=bool)
    scores = np.arange(len(labels), 0, -1.0)
    return curve(ScoreCounts.of(scores, labels.astype(int), (~labels).astype(int)))


def counted(labels):
    labels = np.array([False, *labels])
    return Concavity(0, len(labels) - 1, np.cumsum(labels), np.maximum(np.cumsum(~labels) - 1, 0))


def orders_below(p, q):
    """Yield every order that stays strictly below its diagonal, with its AUC, the slow and obvious way."""
    n = p + q
    for places in combinations(range(n), p):
        order = [at in places for at in range(n)]
        tp = np.cumsum(order)
        if all(tp[k] * q < (k + 1 - tp[k]) * p for k in range(n - 1)):
            yield order, sum(tp[k] for k in range(n) if not order[k]) / (p * q)


@pytest.mark.parametrize(("p", "q"), [(2, 3), (3, 4), (2, 6), (4, 5)])
def test_p_is_the_share_of_the_orders_below_the_line_that_are_as_deep(p, q):
    orders = list(orders_below(p, q))
    for order, auc in orders[::3]:
        exact = np.mean([other <= auc + 1e-12 for _, other in orders])
        assert chance_p(counted(order), orders=20_000, rng=np.random.default_rng(1)) == pytest.approx(exact, abs=0.02)


def test_of_model_without_skill_every_concavity_rejects_as_often_as_its_level():
    """The hull selects what is tested, and the p-values are still those of chance."""
    rng, ps = np.random.default_rng(5), []
    for _ in range(60):
        found = concavities(curve_of(rng.random(200) < 0.4))
        ps += [chance_p(each, orders=199, rng=rng) for each in found if min(each.p, each.q) >= 5]
    assert len(ps) > 60
    assert 0.25 < np.mean(np.array(ps) <= 0.5) < 0.75
    assert np.mean(np.array(ps) <= 0.05) < 0.13


BACKWARDS = [True] * 20 + [False] * 30 + [True] * 30 + [False] * 20


def test_a_stretch_that_ranks_backwards_is_found():
    [row] = concavity_records(curve_of(BACKWARDS), "m", orders=1999)
    assert row.pop("p_adjusted") == row.pop("p") < 0.002
    assert row == {
        "model": "m", "threshold_low": 22, "threshold_high": 80, "fpr_low": 0, "fpr_high": 0.6, "tpr_low": 0.4,
        "tpr_high": 1, "positives": 30, "negatives": 30, "auc": 0, "area": pytest.approx(0.5 * 0.6 * 0.6),
    }  # fmt: skip


def test_concavities_are_what_the_hull_adds():
    for name in ("spect.csv", "hypothyroid.csv"):
        for counts in rocconf.count_each(rocconf.read_predictions(SAMPLE_DATA / name, score=list("STFB"))):
            roc = curve(counts)
            corners = hull_rows(roc)
            hull = np.trapezoid(roc.tp[corners] / roc.p, roc.fp[corners] / roc.q)
            added = hull - rocconf.sweep(counts).auc.value
            rows = concavity_records(roc, "m")
            assert sum(row["area"] for row in rows) == pytest.approx(added, abs=1e-12)
            assert all(row["auc"] < 0.5 for row in rows)


def test_points_on_the_hull_divide_a_range_and_a_perfect_order_has_none():
    [first, second] = concavities(curve_of([False, True, False, True]))
    assert (first.first, first.last, second.first, second.last) == (0, 2, 2, 4)
    assert concavities(curve_of([True, True, False, False])) == []


def test_tied_cases_make_the_test_conservative():
    """Two groups within the range, the first with fewer positives than at random: p is not below Fisher's."""
    each = Concavity(0, 2, np.array([0, 1, 6]), np.array([0, 5, 10]))
    fisher = 2 / 9
    assert chance_p(each, orders=999, rng=np.random.default_rng(1)) > fisher


def test_large_ranges_are_drawn_on_a_smaller_scale():
    labels = np.repeat([False, True], 4000)
    rng = np.random.default_rng(1)
    mixed = np.concatenate([labels[::2], rng.permuted(labels)])
    assert chance_p(counted(labels), orders=99, rng=rng) < 0.03
    assert chance_p(counted(mixed), orders=99, rng=rng) < 0.05


def test_the_direction_mirrors_the_thresholds():
    cases = rocconf.Predictions(np.array(BACKWARDS), {"m": np.arange(100.0)}, lower_is_positive=True)
    [row] = rocconf.sweep(rocconf.count(cases)).table("concavities").records()
    assert (row["threshold_low"], row["threshold_high"]) == (20, 78)


def test_a_test_is_made_only_on_request_and_again_with_the_same_p():
    counts = rocconf.count(rocconf.read_predictions(SAMPLE_DATA / "spect.csv", score="B"))
    untested, tested, again = (
        rocconf.sweep(counts, concavities=orders).table("concavities").records() for orders in (0, 99, 99)
    )
    assert [row["p"] for row in untested] == [None] * 3
    assert all(row["p"] <= row["p_adjusted"] <= 1 for row in tested)
    assert [row["auc"] for row in tested] == [row["auc"] for row in untested]
    assert tested == again
    with pytest.raises(rocconf.UsageError):
        rocconf.sweep(counts, concavities=-1)


@pytest.mark.parametrize("ties", [1, 3, 7])
@pytest.mark.parametrize("negatives", [353, 5003])
def test_one_positive_below_all_negatives_proves_nothing(negatives, ties):
    """The hull picks every negative before the last positive: no other order is below the line."""
    fp = np.unique([*range(0, negatives, ties), negatives - ties + 1, negatives])
    tp = np.zeros(len(fp), dtype=int)
    tp[-1] = 1
    each = Concavity(0, len(fp) - 1, tp, fp)
    assert chance_p(each, orders=99, rng=np.random.default_rng(1)) == 1


def test_what_rounding_can_change_is_no_evidence():
    """On the smaller scale the group of one negative before all others is lost, and every AUC is 1/2."""
    each = Concavity(0, 2, np.array([0, 0, 2]), np.array([0, 1, 5000]))
    assert chance_p(each, orders=99, rng=np.random.default_rng(1)) == 1
