"""What rules, typed or of a configuration, are judged on: which rows, threshold, level and replicates."""

import json
import os
import re
import subprocess

import pytest
from conftest import ROOT, environment
from examples import make_folder
from gating import configure, section, write_cases, write_models

from rocconf.cli.commands import ANALYSES
from rocconf.gate import read_config

SWEEP = ("sweep", "new.csv", "--score", "score", "--format", "json")
ALLOWED = ("--format", "json", "--allow-in-sample")


@pytest.fixture
def models(tmp_path):
    return write_models(tmp_path)


def gates_of(ran):
    return json.loads(ran.out)["gates"]


def test_rules_and_defaults_stand_in_a_file_and_what_is_typed_comes_first(rocconf, models):
    data = '[data]\nlabel = "site"\npositive = "A"\nna = "drop"\n\n'
    configure(models, data, section("auc >= 0.9"), section("auc >= 1", "tango"))
    ran = rocconf(*SWEEP)
    assert (ran.status, len(gates_of(ran))) == (1, 1)
    assert json.loads(ran.out)["inputs"][0]["positive"] == "A"
    assert f"configuration: {models / 'rocconf.toml'}" in ran.err
    typed = rocconf(*SWEEP, "--label", "label", "--positive", "1")
    assert json.loads(typed.out)["summary"]["auc"] > 0.85
    assert rocconf(*SWEEP, "--isolated").status == 0
    with (models / "new.csv").open("a", encoding="utf-8") as file:
        file.write("c,1,,A\n")
    assert json.loads(rocconf(*SWEEP).out)["inputs"][0]["dropped"] == 1
    assert rocconf(*SWEEP, "--na", "error").status == 2


def test_a_rule_of_another_command_is_not_judged_but_checked(rocconf, models):
    configure(models, section("delta_auc >= 0", "compare"))
    told = "nothing is judged: the configuration has no rule for sweep"
    assert told in rocconf(*SWEEP).err
    assert told not in rocconf(*SWEEP, "-q").err
    assert told not in rocconf(*SWEEP, "--require", "auc >= 0.5").err
    assert "nothing is judged" not in rocconf("compare", "new.csv", "--baseline", "old.csv").err
    configure(models, section("caucc >= 0.1", "tango"))
    ran = rocconf(*SWEEP)
    assert ran.status == 2
    assert "did you mean 'cauc'" in ran.err


@pytest.mark.parametrize(
    ("rule", "keys", "says"),
    [
        ("tpr >= 0.5", {}, "tpr needs an operating point"),
        ("tpr@youden >= 0.5", {}, "flatters it"),
        ("auc >= 0.2", {"where": "region=north"}, "no column 'region'"),
        ("partial_auc >= 0.2", {}, "needs --max-fpr"),
        ("auc[third] >= 0.2", {}, "no model 'third'"),
    ],
)
def test_an_error_about_a_rule_of_the_configuration_names_file_and_gate(rocconf, models, rule, keys, says):
    configure(models, section("auc >= 0.1"), section(rule, **keys), name="c.toml")
    ran = rocconf(*SWEEP, "--config", "c.toml", "-q")
    assert (ran.status, ran.out) == (2, "")
    for words in (says, "c.toml", "[[gate]] 2"):
        assert words in ran.err
    assert "[[gate]] 1" not in ran.err


def test_a_rule_may_be_about_a_slice_and_at_a_level_of_its_own(rocconf, models):
    configure(models, section("n == 100", where="site=A"), section("auc >= 0.5", level=0.5))
    ran = rocconf(*SWEEP, "--require", "auc >= 0.5")
    of_slice, narrow, wide = gates_of(ran)
    assert (json.loads(ran.out)["summary"]["n"], of_slice["value"]) == (200, 100)
    assert (narrow["level"], wide["level"]) == (0.5, 0.95)
    assert narrow["upper"] - narrow["lower"] < wide["upper"] - wide["lower"]
    text = (models / "new.csv").read_text(encoding="utf-8")
    piped = rocconf("sweep", "-", *SWEEP[2:], stdin=text)
    assert gates_of(piped)[0]["value"] == 100


def test_a_slice_is_judged_at_the_threshold_of_the_whole(rocconf, models):
    rule = "threshold@youden >= -9"
    configure(models, section(rule), section(rule, where="site=A"))
    whole, part = gates_of(rocconf(*SWEEP, "--allow-in-sample"))
    assert whole["value"] == part["value"]
    assert part["n"] == 100
    assert part["name"] == "threshold@youden >= -9, site=A"
    assert ", site=A" in part["message"]


def test_a_slice_is_compared_at_the_thresholds_of_the_whole(rocconf, models):
    metrics = ("accuracy[new]", "accuracy[old]", "delta_accuracy[new]")
    configure(models, *(section(f"{metric}@youden < 0.9", "compare", where="site=A") for metric in metrics))
    run = ("compare", "new.csv", "--baseline", "old.csv", "--score", "score", *ALLOWED)
    new, old, difference = gates_of(rocconf(*run))
    assert difference["value"] == pytest.approx(new["value"] - old["value"])
    assert new["in_sample"] is True
    whole = json.loads(rocconf(*run, "--at", "youden", "--isolated").out)["tables"]["operating_points"]
    assert {gate["model"]: gate["threshold"] for gate in (new, old)} == {
        point["model"]: point["threshold"] for point in whole
    }


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("run", [("tango", "new.csv"), ("compare", "new.csv", "old.csv", "--baseline", "old")])
def test_what_a_rule_judges_is_bootstrapped(rocconf, run):
    (gate,) = gates_of(rocconf(*run, "--score", "score", "--format", "json", "-q", "--require", "cauc >= 0.001"))
    assert gate["lower"] < gate["value"] < gate["upper"]


@pytest.mark.parametrize(("first", "value"), [([1, 1, 0, 0], 2.0), ([1, 0, 1, 0], "inf")])
def test_an_infinite_number_judges_and_is_written(rocconf, tmp_path, first, value):
    write_cases(tmp_path / "inf.csv", label=first, score=["inf", 2, 1, 0])
    ran = rocconf("sweep", "inf.csv", *ALLOWED, "--require", "threshold@fpr<=0 >= 0")
    (gate,) = gates_of(ran)
    assert (ran.status, gate["value"]) == (0, value)
    assert "chosen in-sample" in gate["message"]


def blocks(text, kind):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("document", ["docs/gates.md", "docs/ci.md"])
def test_the_documents_configurations_are_read(tmp_path, document):
    for block in blocks((ROOT / document).read_text(encoding="utf-8"), "toml"):
        configure(tmp_path, block)
        assert read_config(tmp_path / "rocconf.toml", ANALYSES).rules("sweep")


@pytest.mark.thorough
def test_the_recipe_for_make_judges_a_report_again_without_the_data(models):
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (config,) = blocks(text, "toml")
    (models / "new.csv").rename(models / "predictions.csv")
    (models / "Makefile").write_text(blocks(text, "make")[1], encoding="utf-8")
    make_folder(models)
    surroundings = environment(PATH=f"{models / 'bin'}:{os.environ['PATH']}")
    made = []
    for limit, status in (("0.99", 2), ("0.7", 0)):
        configure(models, config.replace("0.85", limit).replace("0.80", "0.5"))
        done = subprocess.run(
            ["make", "release.ok"], cwd=models, env=surroundings, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        made.append((models / "report.json").stat().st_mtime_ns)
    assert made[0] == made[1]
    assert (models / "release.ok").exists()
