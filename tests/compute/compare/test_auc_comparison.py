"""Whole numbers of pairs: the same comparison as of the cases, and no numbers that cases cannot have."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import whole_numbers_of

from rocconf import Predictions, UsageError, compare
from rocconf.compute.compare import compare_aucs
from rocconf.compute.compare.placed_cases import _Agreement
from rocconf.errors import RocconfError
from rocconf.whole_numbers import PAIRS, PairNumbers, WholeNumbers

SCORES = {
    "tied": st.sampled_from([-np.inf, -1.5, 0.0, 0.1, 0.1 + 2**-55, 0.5, np.inf]),
    "distinct": st.floats(allow_nan=False),
    "skewed": st.floats(0, 1).map(lambda share: share**30),
    "constant": st.just(0.25),
}


@st.composite
def several(draw, least=1):
    """Cases of both classes with the scores of two or three models."""
    p, q = draw(st.integers(least, 8)), draw(st.integers(least, 12))
    labels = np.array(draw(st.permutations([True] * p + [False] * q)))
    models = draw(st.integers(2, 3))
    scores = {}
    for name in "abc"[:models]:
        kind = SCORES[draw(st.sampled_from(sorted(SCORES)))]
        scores[name] = np.array(draw(st.lists(kind, min_size=p + q, max_size=p + q)), dtype=np.float64)
    if draw(st.integers(0, 4)) == 0:
        turn = draw(st.sampled_from([lambda column: column.copy(), np.arctan]))
        scores["b"] = turn(scores["a"])
    return Predictions(labels, scores, lower_is_positive=draw(st.booleans()))


def outcome(pair):
    found = pair.difference
    names = pair.model, pair.baseline, found.test, found.kind, found.is_from_itself
    return [*names, found.value, found.interval.lower, found.interval.upper, found.p, pair.p_adjusted]


def near(values):
    """The values, numbers but for rounding: those of cases are added up in floats."""
    return [pytest.approx(each, rel=1e-9, abs=1e-9) if isinstance(each, float) else each for each in values]


@given(several(), st.sampled_from(["robust", "delong"]), st.sampled_from([0.8, 0.95, 0.99]), st.booleans())
def test_a_comparison_by_numbers_is_that_of_the_cases(cases, kind, level, all_pairs):
    asked = {"all_pairs": True} if all_pairs else {"baseline": cases.models[-1]}
    asked |= {"interval": kind, "level": level, "margin": 0.1}
    expected = compare(cases, **asked)
    found = compare_aucs(whole_numbers_of(cases), lower_is_positive=cases.lower_is_positive, **asked)
    for pair, other in zip(found.pairs, (each for each in expected.pairs if each.metric == "auc"), strict=True):
        assert outcome(pair) == near(outcome(other))
    models = {record["model"]: record for record in expected.table("models").records()}
    for record in found.table("models").records():
        assert list(record.values()) == near(models[record["model"]][key] for key in record)


@given(several())
def test_numbers_are_turned_exchanged_and_read_back(cases):
    opposite = replace(cases, scores={name: -column for name, column in cases.scores.items()})
    back = replace(cases, scores=dict(reversed(cases.scores.items())))
    exchanged = {(each.model, each.baseline): each for each in whole_numbers_of(back)}
    for each, turned in zip(whole_numbers_of(cases), whole_numbers_of(opposite), strict=True):
        assert each.turned() == turned
        assert each.of_model.turned() == turned.of_model
        assert each.exchanged() == exchanged[each.baseline, each.model]
        assert PairNumbers.of({key: str(value) for key, value in each.record().items()}) == each
        assert WholeNumbers.of(each.of_model.record()) == each.of_model


LABELS = np.arange(60) % 3 == 0
RNG = np.random.default_rng(4)
FIRST = RNG.normal(size=60) + LABELS
CASES = Predictions(LABELS, {"old": FIRST, "new": FIRST + RNG.normal(size=60) / 2, "other": RNG.normal(size=60)})
NUMBERS = whole_numbers_of(CASES)
SUMS = tuple(name for name in PAIRS if name.startswith(("pos_", "neg_")))


@pytest.mark.parametrize(("key", "change"), list(product(SUMS, [1, -1, 7, 10**6])))
def test_an_edited_sum_is_refused_unless_it_is_of_possible_cases(key, change):
    """A change of one sum by a multiple of what the checks know may remain; of one, or of much, never."""
    record = NUMBERS[0].record()
    if key.endswith("vu") and change in (1, -1, 7):
        pytest.skip("a sum of products has no parity")
    with pytest.raises(RocconfError, match="must be"):
        PairNumbers.of({**record, key: record[key] + change})


@given(several(least=2), st.sampled_from(SUMS), st.integers(-50, 50))
def test_an_edited_sum_never_breaks_the_analysis(cases, key, change):
    record = whole_numbers_of(cases)[0].record()
    try:
        edited = PairNumbers.of({**record, key: record[key] + change})
    except RocconfError:
        return  # as most are
    (pair,) = compare_aucs([edited]).pairs
    assert pair.difference.interval.lower <= pair.difference.value <= pair.difference.interval.upper


IMPOSSIBLE = [
    ({"same_order": "true"}, "vu"),
    ({"same_scores": "true"}, "same_order"),
    ({"same_order": "maybe"}, "true or false"),
    *(({"pos_v": value}, "in digits") for value in ("1e5", "12.5", None, 12.0)),
    ({"positives": "0"}, "positives"),
    ({"positives": str(2**60)}, "positives"),
    ({"model": "old"}, "another model"),
    ({"model": " "}, "name of a model"),
]


@pytest.mark.parametrize(("edit", "words"), IMPOSSIBLE)
def test_impossible_records_are_refused(edit, words):
    with pytest.raises(RocconfError, match=words):
        PairNumbers.of(NUMBERS[0].record() | edit)


def test_numbers_of_one_model_are_refused_if_their_sums_differ():
    record = NUMBERS[0].of_model.record()
    with pytest.raises(RocconfError, match="sum_w"):
        WholeNumbers.of({**record, "sum_w": record["sum_w"] + 2})


OTHERS = whole_numbers_of(Predictions(LABELS, {**CASES.scores, "old": -FIRST}))
FEWER = whole_numbers_of(CASES.where(np.arange(60) > 2))
PAIRS_REFUSED = [
    ([NUMBERS[0], OTHERS[1]], {}, "old has other whole numbers"),
    ([NUMBERS[0], FEWER[1]], {}, "other whole numbers"),
    ([NUMBERS[0], replace(FEWER[2], model="x", baseline="y")], {}, "not of the same cases"),
    ([NUMBERS[0], NUMBERS[0].exchanged()], {}, "twice"),
    (NUMBERS[:2], {"baseline": "new"}, "no whole numbers of other and new"),
]


@pytest.mark.parametrize(("numbers", "options", "words"), PAIRS_REFUSED)
def test_pairs_that_do_not_fit_together_are_refused(numbers, options, words):
    with pytest.raises(UsageError, match=words):
        compare_aucs(numbers, **options)


def test_models_that_agree_within_ranges_of_cases_alone_are_of_another_order():
    for scores, is_same in (([4.0, 6.0], True), ([7.0, 8.0], False), ([5.0, 5.0], False)):
        agreement = _Agreement()
        agreement.add(np.array([2.0, 3.0]), np.array([7.0, 9.0]))
        agreement.add(np.array([0.0, 1.0]), np.array(scores))
        assert agreement.same_order is is_same


def test_the_first_baseline_is_that_of_the_first_pair():
    assert compare_aucs(NUMBERS).asked.baseline == "old"
    assert [pair.baseline for pair in compare_aucs(NUMBERS, all_pairs=True).pairs] == ["old", "old", "new"]


@pytest.mark.parametrize("sign", [-1, 1])
def test_cubes_out_of_range_are_refused(sign):
    """No case has a larger difference than all of the other class, so that cubes have a bound on either side."""
    record = NUMBERS[0].record()
    most = 2 * record["negatives"]
    squares = record["pos_vv"] + record["pos_uu"] - 2 * record["pos_vu"]
    least = record["pos_v"] - record["pos_u"]
    cubes = sign * most * squares
    cubes += sign * ((least - cubes) * sign % 6 + 6)
    with pytest.raises(RocconfError, match="pos_ddd"):
        PairNumbers.of({**record, "pos_ddd": cubes})
