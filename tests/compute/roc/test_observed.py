"""Areas on the same cases: DeLong's numbers, the definition by pairs of cases, pROC, and another implementation."""

import csv
import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from in_r import run_in_r

from rocconf import Predictions, UndefinedError
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.records import DELONG, ROBUST, Grouping

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
    """Areas, DeLong's covariance and the third cumulant of the difference, from all pairs, in fractions."""
    labels = np.array(labels, dtype=bool)
    placed = []
    for scores in models:
        of, among = np.array(scores)[labels][:, None], np.array(scores)[~labels]
        kernel = np.array([[Fraction(int(x), 2) for x in row] for row in (of > among) * 2 + (of == among) * 1])
        placed.append((kernel.sum(axis=1) / kernel.shape[1], kernel.sum(axis=0) / kernel.shape[0]))

    def apart(of_class):
        return of_class - of_class.sum() / len(of_class)

    def covariance(first, second):
        each = ((apart(x) @ apart(y), len(x) * (len(x) - 1)) for x, y in zip(first, second, strict=True))
        return sum(Fraction(total) / n for total, n in each)

    differences = [apart(x - y) for x, y in zip(*placed, strict=True)]
    third = sum((each**3).sum() / len(each) ** 3 for each in differences)
    areas = [rows.sum() / len(rows) for rows, _ in placed]
    return areas, [[covariance(one, other) for other in placed] for one in placed], third


class Areas:
    """The areas of models on the same cases."""

    def __init__(self, cases, kind=ROBUST):
        self.models = tuple(Observed(count(cases, name), kind) for name in cases.models)
        self.cases = OnSameCases(cases, self.models)

    def alone(self, at):
        return AUC.estimate(self.models[at])

    def difference(self, first, second):
        return AUC.paired(self.cases.pair(first, second))

    @property
    def covariance(self):
        """The covariance of the first two, from the variances of both and of their difference."""
        one, other = (self.alone(at).variance for at in (0, 1))
        return one, other, (one + other - self.difference(0, 1).sums.variance) / 2


def numbers(estimate, level=0.95):
    found = estimate.interval(level)
    return estimate.value, found.lower, found.upper


def test_the_worked_example():
    cases_ = predictions(LABELS, FIRST, SECOND)
    found = Areas(cases_)
    assert [found.alone(at).value for at in (0, 1)] == [0.84, 0.8]
    assert found.covariance == pytest.approx((0.0192, 0.024, 0.014), abs=1e-15)
    difference = Areas(cases_, DELONG).difference(0, 1)
    z = 0.04 / (0.0192 + 0.024 - 2 * 0.014) ** 0.5
    assert z == pytest.approx(0.3244428422615253, abs=1e-12)
    assert difference.p == pytest.approx(0.7456027889274613, abs=1e-12)
    reach = 1.959963984540054 * 0.0152**0.5
    assert numbers(difference) == pytest.approx((0.04, 0.04 - reach, 0.04 + reach), abs=1e-12)


@given(cases(), st.booleans())
def test_agrees_with_counting_all_pairs_of_cases(drawn, turned):
    labels, *models = drawn
    sign = -1 if turned else 1
    areas, ((one, both), (_, other)), third = by_definition(labels, *models)
    found = Areas(predictions(labels, *(sign * np.array(model) for model in models), lower_is_positive=turned))
    assert [found.alone(at).value for at in (0, 1)] == list(map(float, areas))
    difference = found.difference(0, 1)
    if not found.cases.pair(0, 1).is_of_same_order:
        variance = float(one + other - 2 * both)
        assert difference.sums.variance == pytest.approx(variance, rel=1e-12, abs=1e-17)
        assert difference.sums.third == pytest.approx(float(third), rel=1e-9, abs=1e-15)
    variances = [found.alone(at).variance for at in (0, 1)]
    assert variances == pytest.approx([float(one), float(other)], rel=1e-12, abs=1e-17)


@given(cases(least=1), st.sampled_from([ROBUST, DELONG]))
def test_a_monotone_transform_of_the_scores_changes_no_digit(drawn, kind):
    labels, first, second = drawn
    ranks = np.unique(first, return_inverse=True)[1] * 7.0
    here, there = (Areas(predictions(labels, one, second), kind) for one in (first, ranks))
    assert here.difference(0, 1) == there.difference(0, 1)
    same = Areas(predictions(labels, first, ranks), kind).difference(0, 1)
    assert (*numbers(same), same.p) == (0, 0, 0, 1)


def test_the_same_order_in_each_fold_is_no_order_of_all_cases():
    folds, shifted = np.arange(10) % 2, np.array(FIRST) + np.arange(10) % 2
    pair = Areas(predictions(LABELS, FIRST, shifted, folds=Grouping.of("fold", folds))).cases.pair(0, 1)
    assert CV_AUC.paired(pair).interval(0.95).ends == (0, 0)
    assert AUC.paired(pair).interval(0.95).ends != (0, 0)


@pytest.mark.parametrize("second", [[3, 4, 2, 0, 1], [1, 1, 1, 1, 1]])
def test_without_a_variance_there_are_classical_limits_but_no_test(second):
    found = Areas(predictions([1, 1, 1, 0, 0], [4, 3, 2, 1, 0], second), DELONG)
    difference, alone = found.difference(0, 1), [found.alone(at) for at in (0, 1)]
    assert (difference.p, difference.test) == (None, "square-and-add")
    (one, low, up), (other, least, most) = map(numbers, alone)
    expected = one - other, one - other - np.hypot(one - low, most - other), min(one - other + np.hypot(up - one, other - least), 1)  # fmt: skip
    assert numbers(difference) == pytest.approx(expected)


def test_one_case_of_a_class_has_an_interval_without_a_variance():
    cases_ = predictions([1, 0, 0, 0], [3, 2, 1, 0], [2, 3, 1, 0])
    difference = Areas(cases_, DELONG).difference(0, 1)
    assert (difference.test, difference.p) == ("square-and-add", None)
    assert numbers(difference)[1] < -0.4
    robust = Areas(cases_).difference(0, 1)
    assert (*numbers(robust)[1:], robust.p) == (-1, 1, 1)


def test_one_class_is_an_error():
    with pytest.raises(UndefinedError, match="both classes"):
        Areas(predictions([1, 1], [1, 2]))


@pytest.mark.thorough
def test_the_variance_of_millions_of_cases_is_that_of_their_placements():
    rng = np.random.default_rng(5)
    labels = rng.random(4_000_000) < 0.5
    first = rng.normal(size=len(labels)) + labels
    second = np.round(first + rng.normal(size=len(labels)), 3)
    found = Areas(predictions(labels, first, second))
    rows, columns = [], []
    for scores in (first, second):  # another way to the placements: counts below and above by rank
        rank = np.unique(scores, return_inverse=True)[1]
        of = [np.cumsum(np.bincount(rank[labels == side], minlength=rank.max() + 1)) for side in (True, False)]
        p, q = of[0][-1], of[1][-1]
        rows.append(((np.append(0, of[1][:-1]) + of[1])[rank[labels]]) / (2 * q))
        columns.append(1 - ((np.append(0, of[0][:-1]) + of[0])[rank[~labels]]) / (2 * p))
    (one, both), (_, other) = np.cov(rows) / p + np.cov(columns) / q
    assert found.covariance == pytest.approx((one, other, both), rel=1e-9)


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
    found = Areas(predictions(labels, *models), DELONG)
    pairs = [(r, s) for r in range(4) for s in range(r + 1, 4)]
    for (r, s), (statistic, p, low, high, unpaired) in zip(pairs, theirs, strict=True):
        difference, apart = found.difference(r, s), AUC.unpaired(found.alone(r), found.alone(s))
        assert difference.value / difference.variance**0.5 == pytest.approx(statistic, rel=1e-9)
        assert difference.p == pytest.approx(p, rel=1e-9)
        assert numbers(difference)[1:] == pytest.approx((low, high), rel=1e-9)
        assert apart.value / apart.variance**0.5 == pytest.approx(unpaired, rel=1e-9)


REFERENCES = json.loads((REFERENCE / "robust_auc.json").read_text(encoding="utf-8"))


@cache
def sample(name):
    with (SAMPLE_DATA / f"{name}.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    models = {key: np.array([float(row[key]) for row in rows]) for key in "STFB"}
    return Areas(Predictions(np.array([row["label"] == "1" for row in rows]), models))


@pytest.mark.parametrize("row", REFERENCES["weka"], ids=str)
def test_robust_intervals_agree_with_another_implementation(row):
    found, at = sample(row["file"]), "STFB".index
    if "single" in row:
        assert numbers(found.alone(at(row["single"]))) == pytest.approx(row["auc"], abs=1e-12)
        return
    difference = found.difference(at(row["model"]), at(row["baseline"]))
    assert numbers(difference) == pytest.approx(row["difference"], abs=1e-12)
    assert numbers(difference, 0.9) == pytest.approx(row["level_0.9"], abs=1e-12)


def test_the_worked_example_agrees_with_another_implementation():
    worked = REFERENCES["worked"]
    found = Areas(predictions(worked["labels"], worked["s1"], worked["s2"]))
    for model in (0, 1):
        assert numbers(found.alone(model)) == pytest.approx(worked[f"single_s{model + 1}"], abs=1e-12)
    difference = found.difference(1, 0)
    for level, key in ((0.95, "s2_minus_s1"), (0.9, "level_0.9"), (0.99, "level_0.99")):
        assert numbers(difference, level) == pytest.approx(worked[f"difference_{key}"], abs=1e-12)


def test_without_a_variance_a_robust_interval_has_a_width():
    perfect = REFERENCES["perfect"]
    p, q = perfect["P"], perfect["Q"]
    labels = [1] * p + [0] * q
    found = Areas(predictions(labels, range(p + q, 0, -1), labels, [0] * (p + q)))
    for other, key in ((1, "two_perfect_models_of_different_order"), (2, "all_tied_to_perfect")):
        assert numbers(found.difference(0, other)) == pytest.approx(perfect[key], abs=1e-12)


# clusters
