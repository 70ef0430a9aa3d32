"""Models on different cases: what depends on the prevalence is not compared between two of them.

Fewer positives alone lower a cost, and accuracy is better where nearly all cases are negative, whatever the model.
"""

import numpy as np
import pytest
from gating import required, write_cases

import rocconf as library
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts

COST = "delta_cost@threshold=0.5 <= 0"


def worse_on_fewer_positives(cost):
    """Return a comparison with a model that finds half of its 20 positives, of one that finds 90% of its 300."""
    scores = np.array([1.0, 0.0])
    worse = ScoreCounts.of(scores, [10, 10], [100, 880], model="worse")
    better = ScoreCounts.of(scores, [270, 30], [30, 670], model="better")
    return library.compare([better, worse], baseline="better", at=["threshold=0.5"], cost=cost)


def test_a_worse_model_on_fewer_positives_costs_less_so_a_rule_needs_a_prevalence():
    pairs = {(each.metric, each.at): each.difference for each in worse_on_fewer_positives("1:50").pairs}
    assert pairs["cost", "threshold=0.5"].interval.upper < 0
    with pytest.raises(UsageError, match=r"1:50:0\.05"):
        library.judge(worse_on_fewer_positives("1:50"), COST)
    (verdict,) = library.judge(worse_on_fewer_positives("1:50:0.3"), COST)
    assert verdict.outcome == "fail"


@pytest.fixture
def models(tmp_path):
    """Cases of a better model, of a worse one with fewer positives, and of one like the better."""
    for name, found, positives in (("worse", 10, 20), ("better", 200, 300), ("alike", 195, 305)):
        labels, scores = np.arange(1000) < positives, np.arange(1000) < found
        write_cases(tmp_path / f"{name}.csv", label=labels.astype(int), score=scores.astype(int))


AT = ("--at", "threshold=0.5", "-q")


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("baseline", [("better.csv", "--unpaired"), ("better.json",)])
@pytest.mark.parametrize(("model", "status"), [("worse", 3), ("alike", 0)])
def test_a_difference_that_depends_on_prevalence_is_not_judged_between_two(rocconf, model, status, baseline):
    assert rocconf("sweep", "better.csv", *AT, "-o", "better.json").status == 0
    run, rules = (
        ["compare", f"{model}.csv", *AT, "--baseline", *baseline],
        required("delta_accuracy@threshold=0.5 >= -0.05"),
    )
    live = rocconf(*run, *rules, "-o", "judged.json")
    assert rocconf(*run, "-o", "plain.json").status == 0
    asked = rocconf("gate", "plain.json", *rules)
    assert (live.status, rocconf("gate", "judged.json").status, asked.status) == (status,) * 3, live.err + asked.err
    for ran in (live, asked):
        assert ("differ in prevalence" in ran.err) == (model == "worse")
    recall = rocconf("gate", "plain.json", *required("delta_tpr@threshold=0.5 >= -0.05"))
    assert "differ in prevalence" not in recall.err


@pytest.mark.usefixtures("models")
def test_a_rule_on_costs_without_a_prevalence_is_refused_of_a_report_too(rocconf):
    run = ("compare", "worse.csv", "--baseline", "better.csv", "--unpaired", *AT, "--cost", "1:50")
    assert rocconf(*run, "-o", "r.json").status == 0
    for typed in (run, ("gate", "r.json")):
        ran = rocconf(*typed, *required(COST))
        assert (ran.status, "--cost 1:50:0.05" in ran.err) == (2, True), ran.err
