"""A model compared with itself is no evidence: no rule on a difference passes on it unless identical scores are allowed."""

import json

import numpy as np
import pandas as pd
import pytest

import rocconf

RULES = (
    "delta_auc >= -0.5",
    "delta_auc.point >= -0.5",
    "delta_auc <= 0.5",
    "delta_tpr@threshold=0.5 >= -0.5",
    "delta_specificity@threshold=0.5 >= -0.5",
    "delta_accuracy@threshold=0.5 >= -0.5",
)
DRAWN = ("delta_average_precision >= -0.5", "delta_partial_auc >= -0.1", "delta_cauc >= -0.5", "delta_aved_abs <= 0.5")
HOW = {
    "paired by id": ("compare", "new.csv", "--baseline", "copy.csv"),
    "paired by id, in another order": ("compare", "new.csv", "--baseline", "turned.csv"),
    "paired by row": ("compare", "new.csv", "copy.csv", "--baseline", "copy", "--by-row"),
    "one file": ("compare", "both.csv", "--score", "a", "--score", "b", "--baseline", "b"),
    "unpaired": ("compare", "new.csv", "copy.csv", "--baseline", "copy", "--unpaired"),
    "unpaired, in another order": ("compare", "new.csv", "turned.csv", "--baseline", "turned", "--unpaired"),
    "a report": ("compare", "new.csv", "--baseline", "saved.json"),
    "a report of the copy": ("compare", "new.csv", "--baseline", "turned.json"),
}


def required(rules):
    return [part for rule in rules for part in ("--require", rule)]


@pytest.fixture
def folder(tmp_path, rocconf):
    """One model under several names, and another one of the same order."""
    random = np.random.default_rng(3)
    labels = np.arange(120) % 2
    scores = np.round(1 / (1 + np.exp(-random.normal(size=120) - 1.5 * labels)), 4)
    rows = [f"c{at},{labels[at]},{scores[at]},{'xy'[at % 3 == 0]}" for at in range(120)]
    for name, lines in {"new": rows, "copy": rows, "turned": rows[::-1]}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,label,score,site", *lines, ""]), encoding="utf-8")
    both = [f"c{at},{labels[at]},{scores[at]},{scores[at]},{scores[at] ** 2},{'xy'[at % 3 == 0]}" for at in range(120)]
    (tmp_path / "both.csv").write_text("\n".join(["id,label,a,b,c,site", *both, ""]), encoding="utf-8")
    for name in ("new", "turned"):
        target = "saved.json" if name == "new" else "turned.json"
        run = rocconf("sweep", f"{name}.csv", "--score", "score", "--at", "threshold=0.5", "-q", "-o", target)
        assert run.status == 0, run.err
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("how", HOW)
def test_no_rule_on_a_difference_decides(rocconf, how):
    drawn = () if "report" in how else ("--bootstrap", "50", "--max-fpr", "0.2")
    rules = required(RULES + (DRAWN if drawn else ()))
    score = () if how == "one file" else ("--score", "score")
    # what one model draws in two streams differs, and the rules must be open all the same
    run = (*HOW[how], *score, *drawn, "--at", "threshold=0.5", "--format", "json", "-q")
    ran = rocconf(*run, *rules, "-o", "report.json")
    assert ran.status == 3, ran.err
    answer = json.loads(ran.out)
    assert {gate["verdict"] for gate in answer["gates"]} == {"inconclusive"}
    assert all("compared-with-itself" in gate["codes"] for gate in answer["gates"])
    assert "compared-with-itself" in {caveat["code"] for caveat in answer["caveats"]}
    if "report" not in how and "unpaired" not in how:
        assert {(gate["value"], gate["lower"], gate["upper"]) for gate in answer["gates"]} <= {
            (0, 0, 0),
            (0, None, None),
        }
    for carried_or_asked in ((), rules):
        again = rocconf("gate", "report.json", *carried_or_asked, "--format", "json")
        assert again.status == 3, again.err
        assert [gate["message"] for gate in json.loads(again.out)["gates"]] == [
            gate["message"] for gate in answer["gates"]
        ]
    assert rocconf(*run, *rules, "--allow-identical").status == 0
    assert rocconf("gate", "report.json", "--allow-identical").status == 0
    assert rocconf("gate", "report.json", *rules, "--allow-identical").status == 0
    # a report without the rules knows it too
    assert rocconf(*run, "-o", "bare.json").status == 0
    assert rocconf("gate", "bare.json", *rules).status == 3


@pytest.mark.usefixtures("folder")
def test_the_same_order_with_other_scores_is_another_model(rocconf):
    run = ("compare", "both.csv", "--score", "a", "--score", "c", "--baseline", "a", "-q", "--format", "json")
    ran = rocconf(*run, "--require", "delta_auc >= -0.01")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["value"], gate["lower"], gate["upper"], gate["codes"]) == (0, 0, 0, 0, [])


RULE = '[[gate]]\ncommand = "compare"\nmetric = "delta_auc"\nop = ">="\nvalue = -0.5\n'


@pytest.mark.parametrize("on_undefined", ["pass", "fail", "inconclusive"])
@pytest.mark.parametrize("where", ["", 'where = {site = "x"}\n'])
def test_a_slice_and_a_rule_that_passes_what_is_undefined_stay_open(rocconf, folder, where, on_undefined):
    (folder / "rocconf.toml").write_text(RULE + where + f'on_undefined = "{on_undefined}"\n', encoding="utf-8")
    run = ("compare", "new.csv", "--score", "score", "--baseline", "copy.csv", "-q", "-o", "report.json")
    assert rocconf(*run).status == 3
    assert rocconf("gate", "report.json").status == 3
    assert rocconf("gate", "report.json", "--isolated").status == 3
    assert rocconf("gate", "report.json", "--isolated", "--allow-identical").status == 0


@pytest.mark.parametrize("where", ["", 'where = {site = "x"}\n'])
def test_a_rule_of_the_configuration_may_allow_it_and_its_report_says_so(rocconf, folder, where):
    (folder / "rocconf.toml").write_text(RULE + where + "allow_identical = true\n", encoding="utf-8")
    run = ("compare", "new.csv", "--score", "score", "--baseline", "copy.csv", "-q", "-o", "report.json")
    ran = rocconf(*run, "--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["allow_identical"], gate["codes"]) == (0, True, ["compared-with-itself"])
    assert rocconf("gate", "report.json", "--isolated").status == 0
    (folder / "rocconf.toml").write_text(RULE + where, encoding="utf-8")
    assert rocconf("gate", "report.json").status == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("rule", ["drift_p >= 0.1", "drift_within_p.point > 0.1"])
def test_drift_since_the_same_scores_stays_open_too(rocconf, rule):
    run = ("sensibility", "new.csv", "--score", "score", "--reference", "copy.csv", "--permutations", "99")
    options = ("--bootstrap", "0", "-q", "-o", "report.json", "--require", rule)
    assert rocconf(*run, *options).status == 3
    assert rocconf("gate", "report.json").status == 3
    assert rocconf("gate", "report.json", "--require", rule).status == 3
    assert rocconf("gate", "report.json", "--require", rule, "--allow-identical").status == 0
    assert rocconf(*run, *options, "--allow-identical").status == 0


def test_the_library_lets_a_model_pass_against_itself_only_if_asked():
    frame = pd.DataFrame({"label": [0, 1] * 60, "a": [at / 120 for at in range(120)]})
    cases = rocconf.read_frame(frame.assign(b=frame["a"]), label="label", score=["a", "b"])
    compared = rocconf.compare(cases, baseline="b")
    assert rocconf.judge(compared, "delta_auc >= -0.5")[0].outcome == "inconclusive"
    assert rocconf.judge(compared, "delta_auc >= -0.5", allow_identical=True)[0].outcome == "pass"
