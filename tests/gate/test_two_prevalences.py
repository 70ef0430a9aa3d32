"""Costs of models on different cases: a rule needs the prevalence, as fewer positives alone lower a cost."""

import numpy as np
import pytest

import rocconf as library
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts

RULE = "delta_cost@threshold=0.5 <= 0"


def worse_on_fewer_positives(cost):
    """Return a comparison with a model that finds half of its 20 positives, of one that finds 90% of its 300."""
    scores = np.array([1.0, 0.0])
    worse = ScoreCounts.of(scores, [10, 10], [100, 880], model="worse")
    better = ScoreCounts.of(scores, [270, 30], [30, 670], model="better")
    return library.compare([better, worse], baseline="better", at=["threshold=0.5"], cost=cost)


def test_a_worse_model_on_fewer_positives_costs_less():
    (pair,) = (
        each for each in worse_on_fewer_positives("1:50").pairs if (each.metric, each.at) == ("cost", "threshold=0.5")
    )
    assert pair.difference.interval.upper < 0


def test_a_rule_on_costs_of_different_cases_needs_a_prevalence():
    with pytest.raises(UsageError, match=r"1:50:0\.05"):
        library.judge(worse_on_fewer_positives("1:50"), RULE)
    (verdict,) = library.judge(worse_on_fewer_positives("1:50:0.3"), RULE)
    assert verdict.outcome == "fail"


def test_a_report_is_refused_too(rocconf, tmp_path):
    for name, found, positives in (("worse", 10, 20), ("better", 270, 300)):
        scores = [(1, 1)] * found + [(1, 0)] * (positives - found) + [(0, 0)] * (1000 - positives)
        rows = "".join(f"{label},{score}\n" for label, score in scores)
        (tmp_path / f"{name}.csv").write_text(f"label,score\n{rows}")
    files = ["worse.csv", "--baseline", "better.csv", "--unpaired", "--at", "threshold=0.5", "-q", "--isolated"]
    assert rocconf("compare", *files, "--cost", "1:50", "-o", "r.json").status == 0
    for run in (("compare", *files, "--cost", "1:50"), ("gate", "r.json", "--isolated")):
        ran = rocconf(*run, "--require", RULE)
        assert (ran.status, "--cost 1:50:0.05" in ran.err) == (2, True), ran.err


def write_models(folder):
    """Write cases of a better model, of a worse one with fewer positives, and of one like the better."""
    for name, found, positives in (("worse", 10, 20), ("better", 200, 300), ("alike", 195, 305)):
        scores = [(1, 1)] * found + [(1, 0)] * (positives - found) + [(0, 0)] * (1000 - positives)
        rows = "".join(f"{label},{score}\n" for label, score in scores)
        (folder / f"{name}.csv").write_text(f"label,score\n{rows}")


def test_a_difference_that_depends_on_prevalence_is_not_judged_between_two(rocconf, tmp_path):
    """Accuracy is better where nearly all cases are negative, whatever the model."""
    write_models(tmp_path)
    rules = ["--require", "delta_accuracy@threshold=0.5 >= -0.05", "--isolated"]
    for model, statuses in (("worse", (3, 3, 3)), ("alike", (0, 0, 0))):
        run = ["compare", f"{model}.csv", "--baseline", "better.csv", "--unpaired", "--at", "threshold=0.5", "-q"]
        live = rocconf(*run, *rules, "-o", "judged.json")
        plain = rocconf(*run, "--isolated", "-o", "plain.json")
        assert plain.status == 0
        carried, asked = rocconf("gate", "judged.json", "--isolated"), rocconf("gate", "plain.json", *rules)
        assert (live.status, carried.status, asked.status) == statuses, (live.err, carried.err, asked.err)
        if model == "worse":
            assert "differ in prevalence" in live.err
            assert "differ in prevalence" in asked.err
    recall = ["--require", "delta_tpr@threshold=0.5 >= -0.05", "--isolated", "-q", "--at", "threshold=0.5"]
    assert rocconf("compare", "worse.csv", "--baseline", "better.csv", "--unpaired", *recall).status == 3


@pytest.mark.parametrize(("model", "statuses"), [("worse", (3, 3, 3)), ("alike", (0, 0, 0))])
def test_nor_between_the_cases_of_a_report_and_others(model, statuses, rocconf, tmp_path):
    write_models(tmp_path)
    rules = ["--require", "delta_accuracy@threshold=0.5 >= -0.05"]
    at = ["--at", "threshold=0.5", "-q", "--isolated"]
    assert rocconf("sweep", "better.csv", *at, "-o", "better.json").status == 0
    run = ["compare", f"{model}.csv", "--baseline", "better.json", *at]
    live = rocconf(*run, *rules, "-o", "judged.json")
    assert rocconf(*run, "-o", "plain.json").status == 0
    carried, asked = rocconf("gate", "judged.json", "--isolated"), rocconf("gate", "plain.json", *rules, "--isolated")
    assert (live.status, carried.status, asked.status) == statuses, (live.err, carried.err, asked.err)
    recall = ["--require", "delta_tpr@threshold=0.5 >= -0.5", "--isolated"]
    assert "differ in prevalence" not in rocconf("gate", "plain.json", *recall).err
