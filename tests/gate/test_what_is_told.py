"""What a gate tells in a run: which baseline, which cases, and what there was nothing to judge by."""

import json
import re

import numpy as np
import pytest
from conftest import SAMPLE_DATA


@pytest.fixture
def cases(tmp_path):
    """Two models of two hundred cases, each in a file of its own; the new one's is also there in another order."""
    random = np.random.default_rng(3)
    labels = np.arange(200) % 2
    old, new = (random.normal(size=200) + shift * labels for shift in (1.2, 1.8))
    rows = {"old.csv": [f"c{at},{labels[at]},{old[at]}" for at in range(200)]}
    rows["new.csv"] = [f"c{at},{labels[at]},{new[at]}" for at in range(200)]
    rows["turned.csv"] = rows["new.csv"][::-1]
    rows["fewer.csv"] = rows["new.csv"][:150]
    rows["renamed.csv"] = [f"x{row}" for row in rows["old.csv"]]
    for name, lines in rows.items():
        (tmp_path / name).write_text("\n".join(["id,label,score", *lines, ""]), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("cases")
def test_a_difference_is_told_with_its_baseline(rocconf):
    ran = rocconf("compare", "new.csv", "old.csv", "--baseline", "new", "--require", "delta_auc >= 0.3", "-q")
    assert ran.status == 1
    assert "old less new: delta_auc is" in ran.err
    assert rocconf("sweep", "new.csv", "--require", "auc >= 0.99", "-q").err.count(" less ") == 0


@pytest.mark.usefixtures("cases")
def test_a_saved_difference_is_told_alike(rocconf):
    rules = ("--require", "delta_auc >= 0.3")
    ran = rocconf("compare", "new.csv", "--baseline", "old.csv", *rules, "-q", "-o", "report.json")
    assert rocconf("gate", "report.json", "-q").err == ran.err


@pytest.mark.usefixtures("cases")
def test_a_report_that_lacks_a_difference_is_made_again_with_its_baseline(rocconf):
    assert rocconf("compare", "new.csv", "--baseline", "old.csv", "-q", "-o", "report.json").status == 0
    ran = rocconf("gate", "report.json", "--require", "delta_tpr@threshold=1 >= 0")
    assert "run rocconf compare FILE --baseline old --at threshold=1 -o report.json" in ran.err


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(("file", "status"), [("turned.csv", 2), ("fewer.csv", 2), ("old.csv", 0)])
def test_thresholds_are_never_chosen_on_the_judged_cases_in_another_order(rocconf, file, status):
    ran = rocconf("sweep", "new.csv", "--at", "youden", "--choose-on", file, "-q")
    assert ran.status == status
    said = {"turned.csv": "these are the cases that are judged", "fewer.csv": "are in the other one, too"}
    assert said.get(file, "") in ran.err


def test_a_few_scores_are_not_taken_for_the_same_cases(rocconf, tmp_path):
    (tmp_path / "one.csv").write_text("label,score\n" + "1,2\n0,1\n" * 3, encoding="utf-8")
    (tmp_path / "other.csv").write_text("label,score\n" + "0,1\n1,2\n" * 3, encoding="utf-8")
    assert rocconf("sweep", "one.csv", "--at", "youden", "--choose-on", "other.csv", "-q").status == 0


@pytest.mark.usefixtures("cases")
def test_a_configuration_without_a_rule_for_the_command_is_told(rocconf, tmp_path):
    gate = '[[gate]]\ncommand = "compare"\nmetric = "delta_auc"\nop = ">="\nvalue = 0\n'
    (tmp_path / "rocconf.toml").write_text(gate, encoding="utf-8")
    told = "nothing is judged: the configuration has no rule for sweep"
    assert told in rocconf("sweep", "new.csv").err
    assert told not in rocconf("sweep", "new.csv", "-q").err
    assert told not in rocconf("sweep", "new.csv", "--require", "auc >= 0.5").err
    assert "nothing is judged" not in rocconf("compare", "new.csv", "--baseline", "old.csv").err


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("recall@threshold=1 >= 0.5", "tpr"),
        ("PPV@threshold=1 >= 0.5", "precision"),
        ("roc_auc >= 0.5", "auc"),
        ("ap >= 0.5", "average_precision"),
    ],
)
def test_other_words_for_a_metric_are_understood(rocconf, rule, meant):
    ran = rocconf("sweep", "new.csv", "--require", rule)
    assert ran.status == 2
    assert f"did you mean {meant!r}?" in ran.err


def test_an_interval_that_cannot_be_known_is_told_so(rocconf):
    """2000 replicates know no interval of this level."""
    run = ("tango", SAMPLE_DATA / "dis.csv", "--score", "F", "--level", "0.99999", "--require", "cauc >= 0.1")
    ran = rocconf(*run, "-q", "--format", "json")
    assert ran.status == 3
    (gate,) = json.loads(ran.out)["gates"]
    assert gate["message"].endswith(", whose interval cannot be known: the evidence does not decide")


@pytest.mark.usefixtures("cases")
def test_ids_that_have_nothing_in_common_are_told_so(rocconf):
    assert "no id is in both files" in rocconf("compare", "new.csv", "--baseline", "renamed.csv").err
    assert "no id is in both files" not in rocconf("compare", "new.csv", "--baseline", "fewer.csv").err


@pytest.mark.usefixtures("cases")
def test_files_of_one_stem_are_called_by_their_folders(rocconf, tmp_path):
    for folder, file in (("new", "new.csv"), ("old", "old.csv")):
        (tmp_path / folder).mkdir()
        (tmp_path / file).rename(tmp_path / folder / "scores.csv")
    ran = rocconf("compare", "new/scores.csv", "--baseline", "old/scores.csv", "-q", "--format", "json")
    assert [row["model"] for row in json.loads(ran.out)["rows"]] == ["new/scores", "old/scores"]
    (tmp_path / "new" / "scores.tsv").write_bytes((tmp_path / "new" / "scores.csv").read_bytes())
    again = rocconf("compare", "new/scores.csv", "new/scores.tsv", "--by-row", "--delimiter", ",", "-q")
    assert again.status == 2
    assert "two models are called new/scores" in again.err


@pytest.mark.usefixtures("cases")
def test_reports_of_one_stem_are_called_by_their_folders(rocconf, tmp_path):
    for folder in ("new", "old"):
        (tmp_path / folder).mkdir()
        assert rocconf("sweep", f"{folder}.csv", "-q", "-o", f"{folder}/report.json").status == 0
    ran = rocconf("gate", "new/report.json", "old/report.json", "--require", "auc >= 0.5", "-q", "--format", "json")
    assert [gate["model"] for gate in json.loads(ran.out)["gates"]] == [
        "new/report.json:score",
        "old/report.json:score",
    ]


@pytest.mark.parametrize(
    ("limit", "low", "told"),
    [
        # the reach of 0.0199911 shrinks a little faster than with the root of the cases: 151 (0.0199911 / 0.0192879)^2
        # are 162.2 positives, and 151 (0.0199911 / 0.0042879)^2 are 3,282
        (0.01, "0.009", "about 175 more cases like these, 3,338 in all (160 positive)"),
        (0.025, "0.009", "about 44,017 more cases like these, 47,180 in all (2,253 positive)"),
    ],
)
def test_an_open_verdict_says_how_many_cases_it_takes(rocconf, limit, low, told):
    models = ("--score", "S", "--score", "F", "--baseline", "S")
    file, rule = SAMPLE_DATA / "hypothyroid.csv", f"delta_auc >= {limit}"
    live = rocconf("compare", file, *models, "--require", rule, "-o", "report.json", "-q")
    saved = rocconf("gate", "report.json", "--require", rule, "-q")
    assert (live.status, saved.status) == (3, 3)
    for ran in (live, saved):
        assert f"(95%, robust): it could be as low as {low}, which is not >= {limit}; " in ran.err
        assert f"{told}, would decide for the rule if the value stays as it is" in ran.err


def test_a_rule_on_false_alarms_asks_for_more_negatives(rocconf):
    file = SAMPLE_DATA / "hypothyroid.csv"
    ran = rocconf("sweep", file, "--score", "F", "--require", "fpr@threshold=0.5 <= 0.006", "-q")
    assert ran.status == 3
    more, whole, negatives = (
        int(number.replace(",", ""))
        for number in re.search(
            r"about (\S+) more cases like these, (\S+) in all \((\S+) negative\), would", ran.err
        ).groups()
    )
    assert whole == 3163 + more
    assert negatives == pytest.approx(whole * 3012 / 3163, abs=1)


def test_an_open_slice_asks_for_cases_of_that_slice(rocconf):
    rule = ("--require", "auc by region >= 0.75", "-q")
    ran = rocconf("sweep", SAMPLE_DATA / "readmission.csv", "--score", "new", *rule)
    assert ran.status == 3
    more, whole, positives = re.search(
        r"about (\S+) more cases of region=south, (\S+) in all \((\S+) positive\), would decide against", ran.err
    ).groups()
    assert int(whole.replace(",", "")) == 578 + int(more.replace(",", ""))
    assert int(positives.replace(",", "")) > 108
    of_it = ("--where", "region=south", "--level", "0.99", "--require", "auc >= 0.75", "-q")
    alone = rocconf("sweep", SAMPLE_DATA / "readmission.csv", "--score", "new", *of_it)
    assert f", {whole} in all ({positives} positive), would decide against" in alone.err, "the level over five slices"


def test_a_change_that_only_single_tests_find_is_told_by_the_verdict_of_the_whole(rocconf, tmp_path):
    """Among 2,000 negatives the whole hardly sees 20 positives, which all have other scores now."""
    for name, score in (("old", 0.9), ("new", 0.1)):
        negatives = [(0, (number * 37 % 2000) / 2500) for number in range(2000)]
        cells = "".join(f"{label},{value}\n" for label, value in [*negatives, *[(1, score)] * 20])
        (tmp_path / f"{name}.csv").write_text(f"label,score\n{cells}", encoding="utf-8")
    rule = ("--require", "drift_p >= 0.05")
    live = rocconf("sensibility", "new.csv", "--reference", "old.csv", "--permutations", "99", *rule, "-o", "r.json")
    saved = rocconf("gate", "r.json", *rule)
    for ran in (live, saved):
        (gate,) = [line for line in ran.err.splitlines() if "gate passed" in line]
        assert "a test of one part does" in gate
        assert "within the classes 0.01" in gate
    assert "but single tests do: AUC (p < 0.0001), scores within the classes (p 0.01" in live.err
