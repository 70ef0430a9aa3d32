"""What a gate tells in a run: which baseline, which cases, what would decide, and rules that are probably not meant so."""

import json
import re

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from gating import configure, required, section, write_cases, write_models

import rocconf
from rocconf.gate import parse_gate_rule, passes_worse

NEW, COMPARE = ("sweep", "new.csv", "-q"), ("compare", "new.csv", "--baseline", "old.csv")


@pytest.fixture(autouse=True)
def models(tmp_path):
    return write_models(tmp_path)


def test_a_difference_is_told_with_its_baseline_live_and_saved(rocconf):
    ran = rocconf(*COMPARE, "--require", "delta_auc >= 0.3", "-q", "-o", "report.json")
    assert ran.status == 1
    assert "new less old: delta_auc is" in ran.err
    assert rocconf("gate", "report.json", "-q").err == ran.err
    assert " less " not in rocconf(*NEW, "--require", "auc >= 0.99").err
    lacking = rocconf("gate", "report.json", "--require", "delta_tpr@threshold=1 >= 0")
    assert "run rocconf compare FILE --baseline old --at threshold=1 -o report.json" in lacking.err


def test_an_interval_that_cannot_be_known_is_told_so(rocconf):
    """2000 replicates know no interval of this level."""
    run = ("tango", SAMPLE_DATA / "dis.csv", "--score", "F", "--level", "0.99999", "--require", "cauc >= 0.1")
    ran = rocconf(*run, "-q", "--format", "json")
    assert ran.status == 3
    (gate,) = json.loads(ran.out)["gates"]
    assert gate["message"].endswith(", whose interval cannot be known: the evidence does not decide")


def test_ids_that_have_nothing_in_common_are_told_so(rocconf, models):
    text = (models / "old.csv").read_text(encoding="utf-8")
    (models / "fewer.csv").write_text("\n".join(text.splitlines()[:151]), encoding="utf-8")
    (models / "renamed.csv").write_text(text.replace("\nc", "\nx"), encoding="utf-8")
    for baseline, told in (("renamed.csv", True), ("fewer.csv", False)):
        ran = rocconf("compare", "new.csv", "--baseline", baseline)
        assert (ran.status, "no id is in both files" in ran.err) == (2, told)


def test_files_and_reports_of_one_stem_are_called_by_their_folders(rocconf, models):
    for name in ("new", "old"):
        (models / name).mkdir()
        assert rocconf("sweep", f"{name}.csv", "-q", "-o", f"{name}/report.json").status == 0
        (models / f"{name}.csv").rename(models / name / "scores.csv")
    ran = rocconf("compare", "new/scores.csv", "--baseline", "old/scores.csv", "-q", "--format", "json")
    assert [row["model"] for row in json.loads(ran.out)["rows"]] == ["new/scores", "old/scores"]
    (models / "new" / "scores.tsv").write_bytes((models / "new" / "scores.csv").read_bytes())
    again = rocconf("compare", "new/scores.csv", "new/scores.tsv", "--by-row", "--delimiter", ",", "-q")
    assert again.status == 2
    assert "two models are called new/scores" in again.err
    ran = rocconf("gate", "new/report.json", "old/report.json", "--require", "auc >= 0.5", "-q", "--format", "json")
    judged = [gate["model"] for gate in json.loads(ran.out)["gates"]]
    assert judged == ["new/report.json:score", "old/report.json:score"]


MORE = r"about (\S+) more cases {like}, (\S+) in all \((\S+) {of}\), would decide"


def numbers(text, like, of):
    """Return how many more cases would decide, how many these are in all, and how many of them of a class."""
    found = re.search(MORE.format(like=like, of=of), text)
    return [int(number.replace(",", "")) for number in found.groups()]


@pytest.mark.parametrize(
    ("limit", "low", "told"),
    [
        # the reach of 0.0199911 shrinks a little faster than with the root of the cases: 151 (0.0199911 / 0.0192879)^2
        # are 162.2 positives, and 151 (0.0199911 / 0.0042879)^2 are 3,282
        (0.01, "0.009", [175, 3338, 160]),
        (0.025, "0.009", [44017, 47180, 2253]),
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
        assert numbers(ran.err, "like these", "positive") == told
        assert "would decide for the rule if the value stays as it is" in ran.err


def test_a_rule_on_false_alarms_asks_for_more_negatives(rocconf):
    rule = ("--score", "F", "--require", "fpr@threshold=0.5 <= 0.006", "-q")
    ran = rocconf("sweep", SAMPLE_DATA / "hypothyroid.csv", *rule)
    assert ran.status == 3
    more, whole, negatives = numbers(ran.err, "like these", "negative")
    assert whole == 3163 + more
    assert negatives == pytest.approx(whole * 3012 / 3163, abs=1)


def test_an_open_slice_asks_for_cases_of_that_slice(rocconf):
    run = ("sweep", SAMPLE_DATA / "readmission.csv", "--score", "new", "-q")
    ran = rocconf(*run, "--require", "auc by region >= 0.75")
    assert ran.status == 3
    more, whole, positives = numbers(ran.err, "of region=south", "positive")
    assert (whole, positives > 108) == (578 + more, True)
    alone = rocconf(*run, "--where", "region=south", "--level", "0.99", "--require", "auc >= 0.75")
    assert numbers(alone.err, "like these", "positive") == [more, whole, positives], "the level over five slices"


def test_a_change_that_only_single_tests_find_is_told_by_the_verdict_of_the_whole(rocconf, tmp_path):
    """Among 2,000 negatives the whole hardly sees 20 positives, which all have other scores now."""
    at = np.arange(2000)
    for name, score in (("then", 0.9), ("now", 0.1)):
        scores = np.r_[at * 37 % 2000 / 2500, np.full(20, score)]
        write_cases(tmp_path / f"{name}.csv", label=[0] * 2000 + [1] * 20, score=scores)
    rule = ("--require", "drift_p >= 0.05")
    live = rocconf("sensibility", "now.csv", "--reference", "then.csv", "--permutations", "99", *rule, "-o", "r.json")
    saved = rocconf("gate", "r.json", *rule)
    for ran in (live, saved):
        (gate,) = [line for line in ran.err.splitlines() if "gate passed" in line]
        assert "a test of one part does" in gate
        assert "within the classes 0.01" in gate
    assert "but single tests do: AUC (p < 0.0001), scores within the classes (p 0.01" in live.err


# rules that are probably not what was meant

WRONG_SIDE = "the worse the model, the surer it passes"


@pytest.mark.parametrize(
    ("rule", "warned"),
    [
        ("delta_auc <= 0.9", True),
        ("delta_auc < 0.9", True),
        ("delta_auc >= -0.9", False),
        ("auc <= 0.99", False),
    ],
)
def test_a_bound_on_the_side_of_the_better_models_is_warned_of(rocconf, rule, warned):
    ran = rocconf(*COMPARE, "--require", rule, "-o", "report.json")
    assert rocconf(*COMPARE, "--require", rule, "-q").status == ran.status
    for told in (ran.err, rocconf("gate", "report.json", "--require", rule).err):
        assert (WRONG_SIDE in told) == warned


@pytest.mark.parametrize(("rule", "passes"), [("delta_aved_abs >= -0.1", True), ("delta_aved_abs <= 0.1", False)])
def test_where_lower_values_are_better_the_sides_are_exchanged(rule, passes):
    assert passes_worse(parse_gate_rule(rule), rocconf.Comparison) == passes


def test_a_gate_with_other_rules_says_that_those_of_the_report_failed(rocconf, models):
    assert rocconf(*NEW, "-o", "report.json", *required("auc >= 0.999")).status == 1
    for rules, replaced in ((["auc >= 0.1"], True), (["auc >= 0.1", "auc >= 0.999"], False)):
        ran = rocconf("gate", "report.json", *required(*rules))
        assert ("of which these did not pass: auc >= 0.999" in ran.err) == replaced
    configure(models, section("delta_auc >= -0.1", "compare"), name="c.toml")
    ran = rocconf("gate", "report.json", "--config", "c.toml")
    assert ran.status == 1
    assert "the configuration has no rule for sweep, so the rules that the report carries are judged" in ran.err
    rocconf(*NEW, "-o", "report.json", *required("auc >= 0.2"))
    assert "did not pass" not in rocconf("gate", "report.json", *required("auc >= 0.1")).err


def test_a_baseline_that_is_among_the_files_is_to_be_named(rocconf):
    ran = rocconf("compare", "old.csv", "new.csv", "--baseline", "./old.csv")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("name its model: --baseline old\n")
