"""Areas on the same cases: DeLong's numbers, the definition by pairs of cases, pROC, and what has no variance."""

import csv
import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import example, given
from hypothesis import strategies as st
from in_r import run_in_r
from rocconf.compute.compare.paired_auc import (
    class_placements,
    paired_aucs,
    placements_one_by_one,
    sum_of_cubes,
)
from rocconf.compute.stats.auc_difference import unpaired_auc_difference

from rocconf import Predictions, UndefinedError
from rocconf.compute.compare import paired_auc
from rocconf.compute.roc.auc import auc, delong_variance
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve

LABELS = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
FIRST = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]
SECOND = [0.9, 0.7, 0.75, 0.8, 0.3, 0.35, 0.6, 0.4, 0.1, 0.2]


def predictions(labels, *models, **more):
    scores = {f"m{at}": np.array(model, dtype=float) for at, model in enumerate(models)}
    return Predictions(np.array(labels, dtype=bool), scores, **more)


@st.composite
def cases(draw, least=2):
    """Cases of both classes with two models' scores, many of them tied."""
    p, q = draw(st.integers(least, 7)), draw(st.integers(least, 7))
    labels = draw(st.permutations([1] * p + [0] * q))
    score = st.sampled_from([-1.5, 0.0, 0.1, 0.1 + 2**-55, 0.5, 1.0])
    return labels, *(draw(st.lists(score, min_size=p + q, max_size=p + q)) for _ in range(2))


def by_definition(labels, *models):
    """Areas and DeLong's covariance from all pairs of a positive and a negative, in fractions."""
    kernels = []
    for scores in models:
        positives = [score for score, label in zip(scores, labels, strict=True) if label]
        negatives = [score for score, label in zip(scores, labels, strict=True) if not label]
        kernels.append([[Fraction((x > y) * 2 + (x == y), 2) for y in negatives] for x in positives])

    def mean(values):
        return sum(values) / len(values)

    def covariance(first, second):
        a, b = mean(first), mean(second)
        return sum((x - a) * (y - b) for x, y in zip(first, second, strict=True)) / (len(first) - 1)

    rows = [[mean(row) for row in kernel] for kernel in kernels]
    columns = [[mean(column) for column in zip(*kernel, strict=True)] for kernel in kernels]
    return [mean(row) for row in rows], [
        [
            covariance(rows[r], rows[s]) / len(rows[0]) + covariance(columns[r], columns[s]) / len(columns[0])
            for s in range(len(models))
        ]
        for r in range(len(models))
    ]


def test_the_worked_example():
    found = paired_aucs(predictions(LABELS, FIRST, SECOND))
    assert found.values == (0.84, 0.8)
    assert found.covariance == pytest.approx(np.array([[0.0192, 0.014], [0.014, 0.024]]), abs=1e-15)
    difference = found.difference(0, 1, interval="delong")
    z = 0.04 / (0.0192 + 0.024 - 2 * 0.014) ** 0.5
    assert z == pytest.approx(0.3244428422615253, abs=1e-12)
    assert difference.p == pytest.approx(0.7456027889274613, abs=1e-12)
    reach = 1.959963984540054 * 0.0152**0.5
    assert difference.interval.lower == pytest.approx(0.04 - reach, abs=1e-12)
    assert difference.interval.upper == pytest.approx(0.04 + reach, abs=1e-12)


@given(cases(), st.booleans())
def test_agrees_with_counting_all_pairs_of_cases(drawn, turned):
    labels, *models = drawn
    sign = -1 if turned else 1
    given_ = predictions(labels, *(sign * np.array(model) for model in models), lower_is_positive=turned)
    areas, covariance = by_definition(labels, *models)
    found = paired_aucs(given_)
    assert found.values == tuple(float(area) for area in areas)
    assert found.covariance == pytest.approx(np.array(covariance, dtype=float), rel=1e-14, abs=1e-17)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_change_a_digit(drawn, random):
    labels, first, second = drawn
    order = list(range(len(labels)))
    random.shuffle(order)
    shuffled = predictions(*([column[at] for at in order] for column in drawn))
    found, again = paired_aucs(predictions(labels, first, second)), paired_aucs(shuffled)
    assert (found.covariance == again.covariance).all()
    assert found.difference(0, 1) == again.difference(0, 1)


@given(cases())
def test_exchanging_the_models_mirrors_the_difference(drawn):
    found = paired_aucs(predictions(*drawn))
    there, back = found.difference(0, 1), found.difference(1, 0)
    assert (there.value, there.p) == (-back.value, back.p)
    assert (there.interval.lower, there.interval.upper) == (-back.interval.upper, -back.interval.lower)


@given(cases())
def test_the_variance_of_one_model_is_that_of_its_curve(drawn):
    given_ = predictions(*drawn)
    found = paired_aucs(given_)
    roc = curve(count(given_, "m0"))
    assert found.covariance[0, 0] == pytest.approx(delong_variance(roc).value, rel=1e-12, abs=1e-17)


@given(cases(), st.floats(0.5, 0.99))
def test_the_classical_interval_excludes_0_exactly_when_its_test_rejects(drawn, level):
    difference = paired_aucs(predictions(*drawn)).difference(0, 1, level=level, interval="delong")
    if difference.test == "delong" and abs(difference.p - (1 - level)) > 1e-12:
        covers = difference.interval.lower <= 0 <= difference.interval.upper
        assert covers == (difference.p > 1 - level)


@given(cases(least=1))
def test_a_model_does_not_differ_from_itself_on_another_scale(drawn):
    labels, first, _ = drawn
    stretched = np.unique(first, return_inverse=True)[1] ** 2.0
    difference = paired_aucs(predictions(labels, first, stretched)).difference(0, 1)
    assert difference.value == 0
    assert (difference.interval.lower, difference.interval.upper, difference.p) == (0, 0, 1)


PERFECT, OTHERWISE_PERFECT, TIED = [4, 3, 2, 1, 0], [3, 4, 2, 0, 1], [1, 1, 1, 1, 1]


@pytest.mark.parametrize("second", [OTHERWISE_PERFECT, TIED])
def test_without_a_variance_there_are_limits_but_no_test(second):
    given_ = predictions([1, 1, 1, 0, 0], PERFECT, second)
    difference = paired_aucs(given_).difference(0, 1, interval="delong")
    alone = [auc(curve(count(given_, model)), interval="delong") for model in given_.models]
    assert (difference.p, difference.test) == (None, "square-and-add")
    assert difference.value == alone[0].value - alone[1].value
    low = np.hypot(alone[0].value - alone[0].interval.lower, alone[1].interval.upper - alone[1].value)
    high = np.hypot(alone[0].interval.upper - alone[0].value, alone[1].value - alone[1].interval.lower)
    assert difference.interval.lower == pytest.approx(difference.value - low)
    assert difference.interval.upper == pytest.approx(min(difference.value + high, 1))
    assert difference.interval.lower < difference.value


def test_one_case_of_a_class_has_an_interval_without_a_variance():
    found = paired_aucs(predictions([1, 0, 0, 0], [3, 2, 1, 0], [2, 3, 1, 0]))
    difference = found.difference(0, 1, interval="delong")
    assert (difference.test, difference.p) == ("square-and-add", None)
    assert difference.interval.lower < -0.4
    robust = found.difference(0, 1)
    assert (robust.interval.lower, robust.interval.upper, robust.p) == (-1, 1, 1)


def test_one_class_is_an_error():
    with pytest.raises(UndefinedError, match="both classes"):
        paired_aucs(predictions([1, 1], [1, 2]))


@pytest.mark.thorough
def test_sums_beyond_64_bits_are_exact():
    rng = np.random.default_rng(5)
    labels = rng.random(4_000_000) < 0.5
    first = rng.normal(size=len(labels)) + labels
    second = np.round(first + rng.normal(size=len(labels)), 3)
    found = paired_aucs(predictions(labels, first, second))
    assert found.positives.products[0][0] > 2**64
    ranks = [np.unique(scores, return_inverse=True)[1] for scores in (first, second)]
    rows, columns = [], []
    for rank in ranks:  # another way to the placements: counts below and above by rank
        of = [np.cumsum(np.bincount(rank[labels == side], minlength=rank.max() + 1)) for side in (True, False)]
        p, q = of[0][-1], of[1][-1]
        rows.append(((np.append(0, of[1][:-1]) + of[1])[rank[labels]]) / (2 * q))
        columns.append(1 - ((np.append(0, of[0][:-1]) + of[0])[rank[~labels]]) / (2 * p))
    assert found.covariance == pytest.approx(np.cov(rows) / p + np.cov(columns) / q, rel=1e-9)


R = """
suppressMessages(library(pROC))
data <- read.csv(file("stdin"))
curves <- lapply(data[-1], function(score) roc(data$label, score, direction = "<", levels = c(0, 1), quiet = TRUE))
pairs <- combn(length(curves), 2)
for (at in seq_len(ncol(pairs))) {
  first <- curves[[pairs[1, at]]]; second <- curves[[pairs[2, at]]]
  paired <- roc.test(first, second, method = "delong", paired = TRUE)
  other <- roc.test(first, second, method = "delong", paired = FALSE)
  cat(sprintf("%.17g %.17g %.17g %.17g %.17g\\n",
    paired$statistic, paired$p.value, paired$conf.int[1], paired$conf.int[2], other$statistic))
}
"""


def asked_of_r(columns):
    table = "\n".join(",".join(map(str, row)) for row in [columns, *zip(*columns.values(), strict=True)])
    printed = run_in_r(R, package="pROC", input=table)
    return [[json.loads(number) for number in line.split()] for line in printed.splitlines()]


@pytest.mark.parametrize("name", ["hypothyroid", "spectf_cv80"])
def test_agrees_with_the_r_package_proc(name):
    with (SAMPLE_DATA / f"{name}.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    columns = {key: [float(row[key]) for row in rows] for key in ("label", "S", "T", "F", "B")}
    theirs = asked_of_r(columns)
    labels, *models = columns.values()
    given_ = predictions(labels, *models)
    found = paired_aucs(given_)
    pairs = [(r, s) for r in range(4) for s in range(r + 1, 4)]
    for (r, s), (statistic, p, low, high, unpaired) in zip(pairs, theirs, strict=True):
        difference = found.difference(r, s, interval="delong")
        reach = (difference.interval.upper - difference.interval.lower) / 2 / 1.959963984540054
        assert difference.value / reach == pytest.approx(statistic, rel=1e-9)
        assert difference.p == pytest.approx(p, rel=1e-9)
        assert (difference.interval.lower, difference.interval.upper) == pytest.approx((low, high), rel=1e-9)
        apart = unpaired_auc_difference(found.alone(r, interval="delong"), found.alone(s, interval="delong"))
        reach = (apart.interval.upper - apart.interval.lower) / 2 / 1.959963984540054
        assert apart.value / reach == pytest.approx(unpaired, rel=1e-9)


def test_more_models_do_not_change_the_difference_of_two():
    two, three = (paired_aucs(predictions(LABELS, FIRST, SECOND, *more)) for more in ([], [LABELS]))
    assert two.difference(0, 1) == three.difference(0, 1)


KINDS = st.sampled_from(["robust", "delong"])
REFERENCES = json.loads((REFERENCE / "robust_auc.json").read_text(encoding="utf-8"))


@cache
def sample(name):
    with (SAMPLE_DATA / f"{name}.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    models = {key: np.array([float(row[key]) for row in rows]) for key in "STFB"}
    return Predictions(np.array([row["label"] == "1" for row in rows]), models)


def numbers(found):
    return found.value, found.interval.lower, found.interval.upper


@pytest.mark.parametrize("row", REFERENCES["weka"], ids=str)
def test_robust_intervals_agree_with_another_implementation(row):
    given_ = sample(row["file"])
    found, at = paired_aucs(given_), given_.models.index
    if "single" in row:
        model = row["single"]
        assert numbers(found.alone(at(model), interval="robust")) == pytest.approx(row["auc"], abs=1e-12)
        assert numbers(auc(curve(count(given_, model)), interval="robust")) == pytest.approx(row["auc"], abs=1e-12)
        return
    pair = at(row["model"]), at(row["baseline"])
    assert numbers(found.difference(*pair, interval="robust")) == pytest.approx(row["difference"], abs=1e-12)
    there = found.difference(*pair, level=0.9, interval="robust")
    assert numbers(there) == pytest.approx(row["level_0.9"], abs=1e-12)


def test_the_worked_example_agrees_with_another_implementation():
    worked = REFERENCES["worked"]
    found = paired_aucs(predictions(worked["labels"], worked["s1"], worked["s2"]))
    for model in (0, 1):
        assert numbers(found.alone(model, interval="robust")) == pytest.approx(
            worked[f"single_s{model + 1}"], abs=1e-12
        )
    for level, key in (
        (0.95, "difference_s2_minus_s1"),
        (0.9, "difference_level_0.9"),
        (0.99, "difference_level_0.99"),
    ):
        assert numbers(found.difference(1, 0, level=level, interval="robust")) == pytest.approx(worked[key], abs=1e-12)


def test_without_a_variance_a_robust_interval_has_a_width():
    perfect = REFERENCES["perfect"]
    p, q = perfect["P"], perfect["Q"]
    labels = [1] * p + [0] * q
    found = paired_aucs(predictions(labels, range(p + q, 0, -1), labels, [0] * (p + q)))
    wanted = perfect["two_perfect_models_of_different_order"]
    assert numbers(found.difference(0, 1, interval="robust")) == pytest.approx(wanted, abs=1e-12)
    wanted = perfect["all_tied_to_perfect"]
    assert numbers(found.difference(0, 2, interval="robust")) == pytest.approx(wanted, abs=1e-12)


def third_cumulant(labels, *models):
    """The third cumulant of the difference of two areas, from all pairs of a positive and a negative."""
    parts = []
    for turned in (False, True):
        own = [bool(label) != turned for label in labels]
        placed = []
        for scores in models:
            pairs = list(zip(scores, own, strict=True))
            others = [score for score, is_own in pairs if not is_own]
            sign = -1 if turned else 1
            placed.append(
                [
                    Fraction(sum((sign * (x > y) - sign * (x < y)) + 1 for y in others), 2 * len(others))
                    for x, is_own in pairs
                    if is_own
                ]
            )
        apart = [a - b for a, b in zip(*placed, strict=True)]
        mean = sum(apart) / len(apart)
        parts.append(sum((one - mean) ** 3 for one in apart) / len(apart) ** 3)
    return sum(parts)


@given(cases())
def test_the_third_cumulant_is_that_of_all_pairs_of_cases(drawn):
    found = paired_aucs(predictions(*drawn))
    ours = sum(part.third_cumulant(0, 1) for part in (found.positives, found.negatives))
    assert ours == pytest.approx(float(third_cumulant(*drawn)), rel=1e-13, abs=1e-18)


@pytest.mark.parametrize("size", [1000, 3_000_000, 2**31 - 1, 2**31, 2**40])
def test_sums_of_cubes_are_exact(size):
    found = np.random.default_rng(size).integers(-size, size, size=1 << 12, endpoint=True)
    assert sum_of_cubes(found) == sum(number**3 for number in found.tolist())
    largest = np.full(1 << 16, min(size, 2**31 - 1))
    assert sum_of_cubes(-largest) == -(1 << 16) * int(largest[0]) ** 3


@given(
    st.integers(1, 2**30 - 1).flatmap(
        lambda other: st.tuples(
            st.just(other),
            st.lists(st.tuples(st.booleans(), *[st.sampled_from([0, 1, other, 2 * other])] * 3), max_size=20),
        )
    )
)
@example((2**30 - 1, [(True, 2**31 - 2, 2**31 - 2, 0)] * 5000))  # the largest digits in more than one piece
@example((2**40, [(True, 2**41, 2**41 - 1, 0)] * 3))  # no digits of so large numbers
def test_products_of_digits_are_those_of_pairs_one_by_one(drawn):
    other, rows = drawn
    of_class = np.array([row[0] for row in rows], dtype=bool)
    columns = [np.array([row[at] for row in rows], dtype=np.int64) for at in (1, 2, 3)]
    found = class_placements(columns, of_class, len(rows), other)
    assert found == placements_one_by_one(columns, of_class, len(rows), other)
    one, two, three = ([row[at] for row in rows if row[0]] for at in (1, 2, 3))
    assert found.products[0][2] == sum(a * b for a, b in zip(one, three, strict=True))
    assert found.cubes[1][0] == sum((b - a) ** 3 for a, b in zip(one, two, strict=True))
    assert all(type(number) is int for row in (found.sums, *found.products, *found.cubes) for number in row)


def test_many_cases_are_added_up_in_pieces_of_digits(monkeypatch):
    monkeypatch.setattr(paired_auc, "placements_one_by_one", None)
    found = class_placements([np.arange(9000)] * 3, np.ones(9000, dtype=bool), 9000, 4500)
    assert found.sums == (9000 * 8999 // 2,) * 3


@given(cases(), KINDS)
def test_exchanging_the_models_mirrors_the_interval_of_either_kind(drawn, kind):
    found = paired_aucs(predictions(*drawn))
    there, back = (found.difference(*pair, interval=kind) for pair in ((0, 1), (1, 0)))
    assert (there.value, there.p, there.test) == (-back.value, back.p, back.test)
    assert (there.interval.lower, there.interval.upper) == (-back.interval.upper, -back.interval.lower)


@given(cases(), KINDS)
def test_a_monotone_transform_of_the_scores_changes_no_digit(drawn, kind):
    labels, first, second = drawn
    here = paired_aucs(predictions(labels, first, second))
    ranks = np.unique(first, return_inverse=True)[1] * 7.0
    there = paired_aucs(predictions(labels, ranks, second))
    assert here.difference(0, 1, interval=kind) == there.difference(0, 1, interval=kind)


@given(cases(), st.floats(0.5, 0.99))
def test_the_robust_interval_excludes_0_exactly_when_its_test_rejects(drawn, level):
    difference = paired_aucs(predictions(*drawn)).difference(0, 1, level=level, interval="robust")
    if abs(difference.p - (1 - level)) > 1e-9:
        assert (difference.interval.lower > 0 or difference.interval.upper < 0) == (difference.p < 1 - level)


def test_the_same_order_is_no_difference_of_either_kind():
    found = paired_aucs(predictions(LABELS, FIRST, np.exp(FIRST)))
    for kind in ("robust", "delong"):
        there = found.difference(0, 1, interval=kind)
        assert (*numbers(there), there.p) == (0, 0, 0, 1)
