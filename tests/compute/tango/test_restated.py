"""The confident segment at another prevalence: the same as with other numbers of negatives."""

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.compute.roc.counts import count
from rocconf.records import ScoreCounts


def restated(counts, prevalence, **options):
    """Return the rows of the table by the prevalence."""
    return rocconf.tango(counts, prevalence=prevalence, **options).table("restated").records()


@pytest.fixture(scope="module")
def hypothyroid():
    return count(rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score="B"))


def test_a_tenth_of_the_negatives_moves_the_segment_up_the_curve(hypothyroid):
    """151 positives and 301.2 negatives."""
    here, there = restated(hypothyroid, 151 / (151 + 301.2))
    assert [round(here[key], 2) for key in ("tpr_low", "tpr_high")] == [0.74, 0.81]
    assert [round(there[key], 3) for key in ("tpr_low", "tpr_high")] == [0.881, 0.954]
    assert (here["weight"], there["weight"]) == (1, pytest.approx(0.1))


def test_the_first_row_is_the_segment_of_the_data(hypothyroid):
    result = rocconf.tango(hypothyroid, prevalence=0.2)
    here, summary = result.table("restated").records()[0], result.summary()
    for key in ("prevalence", "confident_points", "threshold_low", "threshold_high", "cauc", "cauc_roc"):
        assert here[key] == summary[key]


@pytest.mark.parametrize("times", [1, 2, 5, 40])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_weighted_negatives_are_repeated_negatives(times, level):
    rng = np.random.default_rng(times)
    scores = np.round(rng.normal(size=300), 1)
    labels = rng.random(300) < 1 / (1 + np.exp(-scores))
    values = np.unique(scores)
    positives, negatives = (np.array([(scores[which] == v).sum() for v in values]) for which in (labels, ~labels))
    repeated = ScoreCounts.of(values, positives, times * negatives)
    there = restated(ScoreCounts.of(values, positives, negatives), repeated.p / repeated.n, level=level)[1]
    whole = rocconf.tango(repeated, level=level).summary()
    for key in ("confident_points", "threshold_low", "threshold_high", "cauc", "cauc_roc"):
        assert there[key] == pytest.approx(whole[key], abs=1e-12)


def test_fewer_negatives_never_move_the_segment_down(hypothyroid):
    ends = [restated(hypothyroid, prevalence)[1]["tpr_high"] for prevalence in (0.05, 0.1, 0.2, 0.5)]
    assert ends == sorted(ends)


def test_nothing_confident_is_null_with_a_reason():
    counts = ScoreCounts.of([0.9, 0.1], [0, 50], [50, 0])
    result = rocconf.tango(counts, prevalence=0.01)
    there = result.table("restated").records()[1]
    assert (there["confident_points"], there["tpr_low"], there["threshold_low"], there["cauc"]) == (0, None, None, 0)
    assert any("at no threshold" in str(sentence) for sentence in result.conclusions)


@pytest.mark.parametrize(
    ("prevalence", "test"), [(0, "tango"), (1, "tango"), (-0.1, "tango"), (2, "tango"), (0.2, "exact")]
)
def test_what_cannot_be_restated_is_refused(hypothyroid, prevalence, test):
    with pytest.raises(rocconf.UsageError):
        rocconf.tango(hypothyroid, prevalence=prevalence, test=test)


def test_the_segment_that_rules_are_about_does_not_change(hypothyroid):
    plain, other = (rocconf.tango(hypothyroid, prevalence=prevalence) for prevalence in (None, 0.5))
    assert plain.summary() == other.summary()
    assert plain.table().records() == other.table().records()
    assert len(plain.table("restated")) == 0
