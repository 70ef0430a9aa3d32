"""The paired bootstrap: the measures of a replicate by their definitions, one draw for all models, and its duality."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ks_2samp

from rocconf import Predictions, count
from rocconf.compute.compare import compare
from rocconf.compute.compare.paired_bootstrap import SEGMENT, draw_replicates
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango import MEASURES
from rocconf.compute.tango.segment import confident_segment

MISSING = 9.0
"""A replicate without a confident threshold has no mean difference."""


def made(seed, p=12, q=15, models=2, decimals=1):
    rng = np.random.default_rng(seed)
    labels = np.arange(p + q) < p
    base = rng.normal(size=p + q) + labels
    scores = {f"m{at}": (base + 0.7 * rng.normal(size=p + q)).round(decimals) for at in range(models)}
    return Predictions(labels, scores)


def model_measures(predictions, **more):
    return compare(predictions, interval="delong", **more).models


@pytest.mark.parametrize("turned", [False, True])
def test_every_model_is_measured_on_the_same_drawn_cases(turned):
    """A measure that only the drawn cases decide, with either model's scores, is found in both."""
    plain = made(1)
    sign = -1 if turned else 1
    scores = {name: sign * column for name, column in plain.scores.items()}
    scores["again"] = sign * (plain.scores["m0"] * 2 + 5)
    predictions = Predictions(plain.labels, scores, lower_is_positive=turned)
    found = draw_replicates(predictions, model_measures(predictions), replicates=50, seed=3)
    assert (found.replicates[0] == found.replicates[2])[~np.isnan(found.replicates[0])].all()
    assert (found.replicates[0] != found.replicates[1]).any()


@pytest.mark.thorough
@pytest.mark.parametrize("thresholds", ["distinct", "0,0.5,0.8,1,1.2,1.5,1.8"])
@pytest.mark.parametrize("interval", ["robust", "delong"])
def test_replicates_of_pairs_have_the_distribution_of_resampled_cases(thresholds, interval):
    predictions = made(2, p=25, q=30)
    models = compare(predictions, interval=interval, thresholds=thresholds).models
    found = draw_replicates(predictions, models, replicates=6000, seed=4)
    rng, theirs = np.random.default_rng(5), []
    positives, negatives = np.flatnonzero(predictions.labels), np.flatnonzero(~predictions.labels)
    for _ in range(1000):
        cases = np.concatenate([rng.choice(positives, 25), rng.choice(negatives, 30)])
        drawn = Predictions(predictions.labels[cases], {name: of[cases] for name, of in predictions.scores.items()})
        theirs.append([by_definition(curve(count(drawn, name), thresholds)) for name in drawn.models])
    expected = np.array(theirs)
    for place, name in enumerate(SEGMENT):
        at = list(MEASURES).index(name)
        one, two = (np.nan_to_num(of[:, place].round(12), nan=MISSING) for of in found.replicates)
        first, second = (expected[:, model, at].round(12) for model in (0, 1))
        assert ks_2samp(one, first).pvalue > 1e-3, name
        assert ks_2samp(one - two, first - second).pvalue > 1e-3, name


def by_definition(roc):
    segment = confident_segment(roc, TESTS["tango"])
    values = [getattr(segment, name) for name in MEASURES]
    return [MISSING if value is None else value for value in values]


def test_turning_the_scores_does_not_matter():
    plain = made(4, models=3)
    turned = Predictions(plain.labels, {name: -of for name, of in plain.scores.items()}, lower_is_positive=True)
    found, expected = (compare(cases, bootstrap=60, max_fpr=0.4) for cases in (turned, plain))
    assert found.table("pairs").records() == expected.table("pairs").records()


def test_models_on_other_cases_are_drawn_apart():
    first = count(made(9, p=20, q=20, models=1))
    same = [first, replace(first, model="again")]
    apart = draw_replicates(same, model_measures(same), replicates=400, seed=2)
    one, other = (of[:, list(MEASURES).index("cauc")] for of in apart.replicates)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.2
    assert one.std() == pytest.approx(other.std(), rel=0.2)


def test_the_one_case_of_a_class_is_drawn_every_time_and_tells_nothing():
    records = compare(made(13, p=1, q=30), bootstrap=60, interval="delong").table("pairs").records()
    (drawn,) = [record for record in records if record["metric"] == "cauc"]
    assert drawn["difference"] is not None
    assert (drawn["difference_lower"], drawn["difference_upper"], drawn["p"]) == (None,) * 3


def test_at_listed_thresholds_models_of_one_order_are_not_alike():
    labels = np.array([True, *[False] * 9])
    scores = np.linspace(0.9, 0.1, 10)
    predictions = Predictions(labels, {"a": scores, "b": scores / 3, "c": scores.copy()})
    pairs = compare(predictions, bootstrap=60, thresholds="0.5").pairs
    found = {(pair.model, pair.metric): pair.difference for pair in pairs}
    assert (found["b", "aved_abs"].value, found["b", "aved_abs"].p) != (0, 1)
    assert (found["b", "aved_abs"].interval.lower, found["b", "aved_abs"].interval.upper) == (-np.inf, np.inf)
    for alike in (found["b", "average_precision"], found["c", "aved_abs"]):
        assert (alike.value, alike.interval.lower, alike.interval.upper) == (0, 0, 0)
    own = {
        pair.model: pair.difference for pair in compare(predictions, bootstrap=60).pairs if pair.metric == "aved_abs"
    }
    assert (own["b"].interval.lower, own["b"].interval.upper) == (0, 0)


@pytest.mark.parametrize(("replicates", "said"), [(30, True), (39, False), (0, False)])
def test_too_few_replicates_are_said_to_be_too_few(replicates, said):
    caveats = {caveat.code for caveat in compare(made(14), bootstrap=replicates).caveats}
    assert ("few-replicates" in caveats) is said
    assert ("bootstrap-pairs" in caveats) is bool(replicates)
