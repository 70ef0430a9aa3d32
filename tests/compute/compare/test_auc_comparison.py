"""Whole numbers of pairs: the definition case by case, and the same digits as a comparison of the cases."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf import Predictions, UsageError, compare
from rocconf.compute.compare import compare_aucs, whole_numbers_of
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


def by_definition(cases, first, second):
    """The sums over each class, from all pairs of cases."""
    found = {}
    for prefix, own in (("pos", True), ("neg", False)):
        sums = dict.fromkeys(("v", "u", "vv", "vu", "uu", "ddd"), 0)
        for at in np.flatnonzero(cases.labels == own):
            v, u = (
                sum(
                    2 * int(of[at] > of[other] if own else of[other] > of[at]) + int(of[at] == of[other])
                    for other in np.flatnonzero(cases.labels != own)
                )
                for of in (cases.scores[first], cases.scores[second])
            )
            for name, value in zip(sums, (v, u, v * v, v * u, u * u, (v - u) ** 3), strict=True):
                sums[name] += value
        found |= {f"{prefix}_{name}": value for name, value in sums.items()}
    return found


@given(several())
def test_whole_numbers_are_sums_over_all_pairs_of_cases(cases):
    for each in whole_numbers_of(cases):
        expected = by_definition(cases, each.model, each.baseline)
        assert {key: each.record()[key] for key in expected} == expected


def rounded(values):
    """Round to the digits that sums in another order keep."""
    return [float(f"{each:.9g}") if isinstance(each, float) else each for each in values]


def outcome(pair):
    found = pair.difference
    limits = found.interval.lower, found.interval.upper
    return rounded([pair.model, pair.baseline, found.value, *limits, found.p, found.kind, pair.p_adjusted])


@given(several(), st.sampled_from(["robust", "delong"]), st.sampled_from([0.8, 0.95, 0.99]), st.booleans())
def test_a_comparison_by_numbers_is_that_of_the_cases(cases, kind, level, all_pairs):
    asked = {"all_pairs": True} if all_pairs else {"baseline": cases.models[-1]}
    asked |= {"interval": kind, "level": level, "margin": 0.1}
    expected = compare(cases, **asked)
    numbers = whole_numbers_of(cases)
    found = compare_aucs(numbers, lower_is_positive=cases.lower_is_positive, **asked)
    assert list(map(outcome, found.pairs)) == [outcome(pair) for pair in expected.pairs if pair.metric == "auc"]
    keys = found.table("models").names
    models, of_cases = (
        sorted([rounded(record[key] for key in keys) for record in of.table("models").records()], key=str)
        for of in (found, expected)
    )
    assert models == of_cases
    verdicts = [(row["non_inferior"], row["equivalent"]) for row in found.table("pairs").records()]
    assert verdicts == [(row["non_inferior"], row["equivalent"]) for row in expected.table("pairs").records()]


@given(several())
def test_scores_of_the_opposite_sign_have_turned_numbers(cases):
    opposite = replace(cases, scores={name: -column for name, column in cases.scores.items()})
    for found, expected in zip(whole_numbers_of(cases), whole_numbers_of(opposite), strict=True):
        assert found.turned() == expected
        assert found.of_model.turned() == expected.of_model


@given(several())
def test_exchanged_numbers_are_those_of_the_models_exchanged(cases):
    back = replace(cases, scores=dict(reversed(cases.scores.items())))
    found = {(each.model, each.baseline): each for each in whole_numbers_of(back)}
    for each in whole_numbers_of(cases):
        assert found[each.baseline, each.model] == each.exchanged()


@given(several())
def test_numbers_survive_their_record_in_digits(cases):
    for each in whole_numbers_of(cases):
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


FLAGS = [
    ({"same_order": "true"}, "vu"),
    ({"same_scores": "true"}, "same_order"),
    ({"same_order": "maybe"}, "true or false"),
    ({"pos_v": "1e5"}, "in digits"),
    ({"pos_v": "12.5"}, "in digits"),
    ({"pos_v": None}, "in digits"),
    ({"pos_v": 12.0}, "in digits"),
    ({"positives": "0"}, "positives"),
    ({"positives": str(2**60)}, "positives"),
    ({"model": "old"}, "another model"),
    ({"model": " "}, "name of a model"),
]


@pytest.mark.parametrize(("edit", "words"), FLAGS)
def test_impossible_records_are_refused(edit, words):
    with pytest.raises(RocconfError, match=words):
        PairNumbers.of(NUMBERS[0].record() | edit)


def test_numbers_of_one_model_are_refused_if_their_sums_differ():
    record = NUMBERS[0].of_model.record()
    with pytest.raises(RocconfError, match="sum_w"):
        WholeNumbers.of({**record, "sum_w": record["sum_w"] + 2})


def test_a_model_must_have_the_same_numbers_in_all_its_pairs():
    other = Predictions(LABELS, {**CASES.scores, "old": -FIRST})
    with pytest.raises(UsageError, match="old has other whole numbers"):
        compare_aucs([NUMBERS[0], whole_numbers_of(other)[1]])


def test_pairs_of_other_cases_are_refused():
    fewer = CASES.where(np.arange(60) > 2)
    with pytest.raises(UsageError, match="other whole numbers"):
        compare_aucs([NUMBERS[0], whole_numbers_of(fewer)[1]])
    renamed = replace(whole_numbers_of(fewer)[2], model="x", baseline="y")
    with pytest.raises(UsageError, match="not of the same cases"):
        compare_aucs([NUMBERS[0], renamed])


def test_a_pair_that_occurs_twice_is_refused_in_either_order():
    with pytest.raises(UsageError, match="twice"):
        compare_aucs([NUMBERS[0], NUMBERS[0].exchanged()])


def test_a_pair_that_was_not_counted_is_refused():
    with pytest.raises(UsageError, match="no whole numbers of other and new"):
        compare_aucs(NUMBERS[:2], baseline="new")


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
