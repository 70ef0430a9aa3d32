"""The scores of a month without labels against those of a reference."""

from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp

import rocconf
from rocconf import Scores, unlabelled

SOME = st.lists(st.integers(0, 12).map(lambda k: k / 8), min_size=1, max_size=60)


def slow_psi(new, old):
    """Return PSI from its definition, case by case."""
    old = sorted(old)
    ends = sorted({next(s for s in old if 10 * sum(each <= s for each in old) >= k * len(old)) for k in range(1, 10)})
    edges = [-np.inf, *ends, np.inf]
    cells = list(pairwise(edges))

    def shares(scores):
        return [(sum(a < s <= b for s in scores) + 0.5) / (len(scores) + len(cells) / 2) for a, b in cells]

    return sum((a - b) * log(a / b) for a, b in zip(shares(new), shares(old), strict=True)), len(cells)


@pytest.mark.filterwarnings("ignore")  # of p-values, which nobody asks for
@settings(max_examples=40)
@given(SOME, SOME)
def test_the_statistics_are_those_of_their_definitions(new, old):
    found = unlabelled(Scores.of(new), Scores.of(old), permutations=1)
    psi, cells = slow_psi(new, old)
    assert found.ks.value == pytest.approx(ks_2samp(new, old, method="asymp").statistic, abs=1e-12)
    assert found.psi.value == pytest.approx(psi, abs=1e-12)
    assert len(found.cells.new) == cells


def test_a_score_at_a_decile_belongs_to_the_cell_below_and_tied_deciles_are_one():
    old = [k / 10 for k in range(1, 11)]

    def psi(*new):
        return unlabelled(Scores.of(new), Scores.of(old), permutations=1).psi.value

    assert psi(*[0.1] * 10) == pytest.approx(psi(*[0.100001] * 10)) == pytest.approx(slow_psi([0.1] * 10, old)[0])
    assert psi(0.1, 0.05) == psi(0.1, 0.1) > psi(0.1, 0.15)
    tied = unlabelled(Scores.of([0.1, 0.5]), Scores.of([0.5] * 8 + [0.7, 0.9]), permutations=1)
    assert tied.summary()["psi_cells"] == 3  # up to .5, up to .7, above
    assert "fewer-cells" in [caveat.code for caveat in tied.caveats]


def test_p_is_the_share_of_all_assignments_that_reach_the_value():
    new, old = [0.9, 0.8, 0.6, 0.6], [0.1, 0.6, 0.3]
    pool = new + old

    def statistics(places):
        ours = [pool[at] for at in places]
        others = [pool[at] for at in range(len(pool)) if at not in places]
        return ks_2samp(ours, others, method="asymp").statistic, slow_psi(ours, others)[0]

    values = np.array([statistics(places) for places in combinations(range(7), 4)])
    exact = (values >= np.array(statistics(range(4))) - 1e-9).mean(axis=0)
    found = unlabelled(Scores.of(new), Scores.of(old), permutations=1000, seed=4)
    assert [found.ks.p, found.psi.p] == pytest.approx(exact.tolist(), abs=4 * 0.5 / 1000**0.5)


def test_cases_may_be_counted_by_score_and_both_tests_are_adjusted_for_their_number():
    rng = np.random.default_rng(1)
    new, old = rng.integers(0, 9, 80) / 8, rng.integers(0, 7, 90) / 8
    counted, listed = (
        unlabelled(each, Scores.of(old), permutations=99)
        for each in (Scores.of(*np.unique(new, return_counts=True)), Scores.of(new))
    )
    assert counted.table().records() == listed.table().records()
    low, high = sorted([counted.ks.p, counted.psi.p])
    adjusted = sorted([counted.ks.p_adjusted, counted.psi.p_adjusted])
    assert adjusted == pytest.approx([min(1, 2 * low), max(min(1, 2 * low), high)])


def test_beyond_the_cells_values_are_those_of_all_scores(monkeypatch):
    rng = np.random.default_rng(6)
    new, old = Scores.of(rng.normal(2, 1, 300)), Scores.of(rng.normal(0, 1, 300))
    fine = unlabelled(new, old, permutations=39)
    monkeypatch.setattr("rocconf.compute.stats.permutation.CELLS", 50)
    coarse = unlabelled(new, old, permutations=39)
    assert (coarse.ks.value, coarse.psi.value) == (fine.ks.value, fine.psi.value)
    assert coarse.ks.p == coarse.psi.p == 1 / 40


def test_a_change_of_the_ranking_alone_does_not_show():
    scores = np.arange(200) / 200
    found = unlabelled(Scores.of(scores), Scores.of(scores[::-1]), permutations=19)
    assert (found.ks.value, found.psi.value, found.have_moved) == (0, 0, False)
    assert "a change of the classes' ranking cannot show" in found.conclusions[0].text("library").split(".")[-1]
    assert [caveat.code for caveat in found.caveats] == ["same-scores", "few-permutations"]


@pytest.mark.parametrize(("values", "cases"), [([], []), ([0.2, 0.1], [1, 1]), ([0.1, 0.2], [1, 0]), ([0.1], [1, 1])])
def test_records_that_are_no_scores_are_refused(values, cases):
    with pytest.raises(rocconf.RocconfError):
        Scores(np.array(values, dtype=float), np.array(cases, dtype=np.int64))
    with pytest.raises(rocconf.RocconfError, match="NaN"):
        Scores.of([*values, float("nan")])
