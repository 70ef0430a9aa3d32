"""A model compared with itself is no evidence: no rule on a difference passes on it unless identical scores are allowed."""

import json

import numpy as np
import pytest
from gating import configure, required, section, write_cases

import rocconf

RULES = (
    *("delta_auc >= -0.5", "delta_auc.point >= -0.5", "delta_auc <= 0.5", "delta_tpr@threshold=0.5 >= -0.5"),
    *("delta_specificity@threshold=0.5 >= -0.5", "delta_accuracy@threshold=0.5 >= -0.5"),
)
DRAWN = ("delta_average_precision >= -0.5", "delta_partial_auc >= -0.1", "delta_cauc >= -0.5", "delta_aved_abs <= 0.5")
HOW = {
    "paired by id": ("new.csv", "--baseline", "copy.csv"),
    "paired by id, in another order": ("new.csv", "--baseline", "turned.csv"),
    "paired by row": ("new.csv", "copy.csv", "--baseline", "copy", "--by-row"),
    "one file": ("both.csv", "--score", "a", "--score", "b", "--baseline", "b"),
    "unpaired": ("new.csv", "copy.csv", "--baseline", "copy", "--unpaired"),
    "unpaired, in another order": ("new.csv", "turned.csv", "--baseline", "turned", "--unpaired"),
    "a report": ("new.csv", "--baseline", "saved.json"),
    "a report of the copy": ("new.csv", "--baseline", "turned.json"),
}
PAIRED = ("compare", "new.csv", "--score", "score", "--baseline", "copy.csv", "-q", "-o", "report.json")


@pytest.fixture
def folder(tmp_path, rocconf):
    """One model under several names, and another one of the same order."""
    random, at = np.random.default_rng(3), np.arange(120)
    labels = at % 2
    scores = np.round(1 / (1 + np.exp(-random.normal(size=120) - 1.5 * labels)), 4)
    ids, site = np.array([f"c{each}" for each in at]), np.where(at % 3 == 0, "y", "x")
    for name, order in (("new", at), ("copy", at), ("turned", at[::-1])):
        write_cases(tmp_path / f"{name}.csv", id=ids[order], label=labels[order], score=scores[order], site=site[order])
    write_cases(tmp_path / "both.csv", id=ids, label=labels, a=scores, b=scores, c=scores**2, site=site)
    for name, report in (("new", "saved.json"), ("turned", "turned.json")):
        run = rocconf("sweep", f"{name}.csv", "--score", "score", "--at", "threshold=0.5", "-q", "-o", report)
        assert run.status == 0, run.err
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("how", HOW)
def test_no_rule_on_a_difference_decides(rocconf, how):
    drawn = () if "report" in how else ("--bootstrap", "50", "--max-fpr", "0.2")
    rules = required(*RULES, *(DRAWN if drawn else ()))
    score = () if how == "one file" else ("--score", "score")
    # what one model draws in two streams differs, and the rules must be open all the same
    run = ("compare", *HOW[how], *score, *drawn, "--at", "threshold=0.5", "--format", "json", "-q")
    ran = rocconf(*run, *rules, "-o", "report.json")
    assert ran.status == 3, ran.err
    answer = json.loads(ran.out)
    assert {gate["verdict"] for gate in answer["gates"]} == {"inconclusive"}
    assert all("compared-with-itself" in gate["codes"] for gate in answer["gates"])
    assert "compared-with-itself" in {caveat["code"] for caveat in answer["caveats"]}
    assert "compared with itself, which decides nothing unless identical scores are allowed\n" in ran.err
    if "report" not in how and "unpaired" not in how:
        values = {(gate["value"], gate["lower"], gate["upper"]) for gate in answer["gates"]}
        assert values <= {(0, 0, 0), (0, None, None)}
    for carried_or_asked in ((), rules):
        again = rocconf("gate", "report.json", *carried_or_asked, "--format", "json")
        assert again.status == 3, again.err
        messages = [gate["message"] for gate in json.loads(again.out)["gates"]]
        assert messages == [gate["message"] for gate in answer["gates"]]
        assert rocconf("gate", "report.json", *carried_or_asked, "--allow-identical").status == 0
    allowed = rocconf(*run, *rules, "--allow-identical")
    assert allowed.status == 0
    assert all("with itself, which is allowed here" in gate["message"] for gate in json.loads(allowed.out)["gates"])
    # a report without the rules knows it too
    assert rocconf(*run, "-o", "bare.json").status == 0
    assert rocconf("gate", "bare.json", *rules).status == 3


@pytest.mark.usefixtures("folder")
def test_the_same_order_with_other_scores_is_another_model(rocconf):
    run = ("compare", "both.csv", "--score", "a", "--score", "c", "--baseline", "a", "-q", "--format", "json")
    ran = rocconf(*run, "--require", "delta_auc >= -0.01")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["value"], gate["lower"], gate["upper"], gate["codes"]) == (0, 0, 0, 0, [])


@pytest.mark.parametrize("where", [{}, {"where": "site=x"}])
def test_of_the_words_of_a_configuration_only_allow_identical_lets_it_pass(rocconf, folder, where):
    for word in ("fail", "inconclusive", "pass"):
        configure(folder, section("delta_auc >= -0.5", "compare", on_undefined=word, **where))
        assert rocconf(*PAIRED).status == 3
        assert rocconf("gate", "report.json").status == 3
    assert rocconf("gate", "report.json", "--isolated").status == 3
    assert rocconf("gate", "report.json", "--isolated", "--allow-identical").status == 0
    configure(folder, section("delta_auc >= -0.5", "compare", allow_identical=True, **where))
    ran = rocconf(*PAIRED, "--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["allow_identical"], gate["codes"]) == (0, True, ["compared-with-itself"])
    assert rocconf("gate", "report.json", "--isolated").status == 0
    configure(folder, section("delta_auc >= -0.5", "compare", **where))
    assert rocconf("gate", "report.json").status == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("rule", ["drift_p >= 0.1", "drift_within_p.point > 0.1"])
def test_drift_since_the_same_scores_stays_open_too(rocconf, rule):
    run = ("sensibility", "new.csv", "--score", "score", "--reference", "copy.csv", "--permutations", "99")
    options = ("--bootstrap", "0", "-q", "-o", "report.json", "--require", rule)
    for typed in ((*run, *options), ("gate", "report.json"), ("gate", "report.json", "--require", rule)):
        assert rocconf(*typed).status == 3
    for typed in (("gate", "report.json", "--require", rule), (*run, *options)):
        assert rocconf(*typed, "--allow-identical").status == 0


def test_the_library_lets_a_model_pass_against_itself_only_if_asked():
    scores = np.arange(120) / 120
    cases = rocconf.Predictions(np.arange(120) % 2 == 1, {"a": scores, "b": scores})
    compared = rocconf.compare(cases, baseline="b")
    assert rocconf.judge(compared, "delta_auc >= -0.5")[0].outcome == "inconclusive"
    assert rocconf.judge(compared, "delta_auc >= -0.5", allow_identical=True)[0].outcome == "pass"
