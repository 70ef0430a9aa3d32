"""Warnings that the numbers themselves give: they name what is odd, and are silent on ordinary data."""

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.compute.roc.operating import scale_caveats

ODD = {"auc-near-perfect", "repeated-cases", "threshold-scale"}


def counts_of(positives, negatives, **options):
    scores = np.concatenate([positives, negatives]).astype(float)
    labels = np.arange(len(scores)) < len(positives)
    return rocconf.count(rocconf.Predictions(labels, {"m": scores}, **options))


def normal(shift=2.0, size=60, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 1, size), rng.normal(0, 1, size)


def codes(counts, **options):
    return {caveat.code for caveat in rocconf.sweep(counts, **options).caveats} & ODD


@pytest.mark.parametrize("name", ["dis", "hypothyroid", "sick", "sick-euthyroid", "spect", "spectf_cv80"])
def test_published_data_have_no_such_warning(name):
    cases = rocconf.read_predictions(SAMPLE_DATA / f"{name}.csv", score=["S", "T", "F", "B"])
    assert [codes(each) for each in rocconf.count_each(cases)] == [set()] * 4


@pytest.mark.parametrize(("size", "warned"), [(19, set()), (20, {"auc-near-perfect"})])
def test_a_perfect_curve_is_odd_from_twenty_cases_of_a_class_on(size, warned):
    assert codes(counts_of(np.arange(size) + 100.0, np.arange(30.0))) == warned


@pytest.mark.parametrize("times", [2, 3, 10])
def test_a_file_appended_to_itself_is_recognized(times):
    positives, negatives = (np.tile(scores, times) for scores in normal())
    (warning,) = (each for each in rocconf.sweep(counts_of(positives, negatives)).caveats if each.code in ODD)
    assert (warning.code, dict(warning.values)["times"]) == ("repeated-cases", times)


def test_one_more_case_ends_the_pattern():
    positives, negatives = (np.tile(scores, 2) for scores in normal())
    assert codes(counts_of(np.append(positives, 9.5), negatives)) == set()


def test_few_scores_may_have_even_counts_by_chance():
    assert codes(counts_of(np.tile(np.arange(9.0), 4), np.tile(np.arange(9.0), 2))) == set()


PERCENT = np.linspace(0.7, 99.3, 300)


@pytest.mark.parametrize(
    ("scores", "threshold", "warned"),
    [
        (PERCENT, 0.5, True),  # outside
        (PERCENT, 0.9, True),  # inside, but all but one are above
        (PERCENT, 50, False),
        (PERCENT / 100, 50, True),
        (PERCENT / 100, 0.5, False),
        (PERCENT / 100, 0.99, False),  # few alerts are no mistake
        (PERCENT - 50, 0.5, False),  # log-odds, say
        (np.arange(300) % 5, 0.5, False),  # counts of events: at least one
        (np.arange(300) % 5, 4, False),
        (np.arange(300) % 5, 5, True),
        (PERCENT, -1, True),
    ],
)
@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_a_threshold_on_another_scale_is_recognized(scores, threshold, warned, lower_is_positive):
    counts = counts_of(scores[::2], scores[1::2], lower_is_positive=lower_is_positive)
    assert len([*scale_caveats(counts, threshold)]) == warned
    assert codes(counts, at=f"threshold={threshold}") == ({"threshold-scale"} if warned else set())


def test_nothing_positive_is_on_no_scale():
    assert [*scale_caveats(counts_of(*normal()), None)] == []
