"""No rule passes on a column or a baseline that nobody named: attempts to get the exit status 0."""

import json
import re
import shlex

import numpy as np
import pandas as pd
import polars as pl
import pytest
from gating import configure, required, section

import rocconf as library
from rocconf.errors import UsageError
from rocconf.naming import stem

N = 400
DRAWN = np.random.default_rng(5)
LABELS = np.arange(N) % 2
OLD = np.clip(DRAWN.normal(0.3 + 0.4 * LABELS, 0.15), 0, 1)
NEW = np.clip(DRAWN.normal(0.45 + 0.1 * LABELS, 0.15), 0, 1)
IDS = DRAWN.permutation(N) * 7 + 3
FORMS = ["csv", "tsv", "csv.gz", "parquet"]
COMMANDS = {
    "sweep": "auc >= 0.1",
    "tango": "confident_points >= 0.5",
    "chi2-contours": "auc >= 0.1",
    "sensibility": "auc >= 0.1",
    "compare": "auc >= 0.1",
}
NOTHING_PASSES = pytest.mark.parametrize("form", FORMS)


def write(folder, name, **columns):
    """Write columns in the format of a file's suffix."""
    path, frame = folder / name, pd.DataFrame(columns)
    if name.endswith("parquet"):
        pl.DataFrame(frame.to_dict("list")).write_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if name.endswith("tsv") else ",")
    return name


def words(ran):
    """Return the words of the command that an error suggests."""
    (line,) = re.findall(r"^  try: rocconf (.*)$", ran.err, re.MULTILINE)
    return shlex.split(line)


def refused(ran, *said):
    """Whether nothing was judged, with these words."""
    assert (ran.status, ran.out) == (2, "")
    for each in said:
        assert each in ran.err


GUESS = "a rule never rests on a guess"
DELTA = required("delta_auc >= -0.01")


@NOTHING_PASSES
def test_an_id_is_not_the_baseline_of_a_worse_model(rocconf, tmp_path, form):
    file = write(tmp_path, f"a.{form}", customer_id=IDS, label=LABELS, p_old=OLD, p_new=NEW)
    ran = rocconf("compare", file, *DELTA, "-q")
    asked = f"{file}: which columns are the scores, and which model is the baseline? ({GUESS})\n"
    refused(ran, f"rocconf: {asked}  scores could be: p_old, p_new\n")
    assert words(ran)[1:5] == [file, *DELTA, "-q"]
    assert rocconf(*words(ran)).status == 1


@pytest.mark.parametrize("command", COMMANDS)
@NOTHING_PASSES
def test_no_command_judges_scores_that_nobody_named(rocconf, tmp_path, command, form):
    columns = {"p_old": OLD, "p_new": NEW} if command in ("compare", "tango") else {"p_new": NEW}
    file = write(tmp_path, f"a.{form}", label=LABELS, **columns)
    ran = rocconf(command, file, "--require", COMMANDS[command], "-q")
    refused(ran, GUESS)
    assert rocconf(*words(ran)).status == 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"uid": IDS, "points": IDS}, ""),
        ({"uid": IDS.astype(float), "points": IDS.astype(float)}, ""),
        ({"score": NEW, "prob": OLD}, "scores could be: score, prob\n"),
    ],
)
def test_neither_whole_numbers_nor_two_default_names_are_scores(rocconf, tmp_path, command, columns, said):
    file = write(tmp_path, "a.parquet", label=LABELS, **columns)
    for rule in ((), ("--require", COMMANDS[command])):
        refused(rocconf(command, file, *rule, "-q"), said)


def test_rules_of_a_configuration_rest_on_no_guess_either(rocconf, tmp_path):
    write(tmp_path, "a.csv", label=LABELS, p_old=OLD, p_new=NEW)
    rule = section("delta_auc >= -0.01", "compare")
    configure(tmp_path, rule)
    ran = rocconf("compare", "a.csv", "-q")
    refused(ran)
    (under_data,) = re.findall(r"or in rocconf\.toml, under \[data\]: (.*)", ran.err)
    assert under_data == 'score = ["p_old", "p_new"], baseline = "p_old"'
    assert rocconf(*words(ran)).status == 1
    data = "[data]\n" + under_data.replace(", baseline", "\nbaseline") + "\n"
    configure(tmp_path, data, rule)
    assert rocconf("compare", "a.csv", "-q").status == 1
    configure(tmp_path, data.replace('baseline = "p_old"', 'baseline = "p_new"'), rule)
    assert rocconf("compare", "a.csv", "-q").status == 0
    assert rocconf("compare", "a.csv", "-q", "--baseline", "p_old").status == 1


@pytest.mark.parametrize("severity", ["warn", "error"])
def test_a_configured_rule_about_a_slice_rests_on_no_guess(rocconf, tmp_path, severity):
    write(tmp_path, "a.csv", label=LABELS, p_new=NEW, site=["x"] * N)
    configure(tmp_path, section("auc >= 0.1", where="site=x", severity=severity))
    for options in ((), ("--exit-zero", "--inconclusive", "pass")):
        refused(rocconf("sweep", "a.csv", "-q", *options))
    assert rocconf("sweep", "a.csv", "-q", "--score", "p_new").status == 0


@pytest.mark.parametrize("unpaired", [(), ("--unpaired",)])
@NOTHING_PASSES
def test_the_first_of_several_files_is_no_baseline(rocconf, tmp_path, form, unpaired):
    files = [
        write(tmp_path, f"{name}.{form}", id=IDS, label=LABELS, score=of) for name, of in (("new", NEW), ("old", OLD))
    ]
    ran = rocconf("compare", *files, *unpaired, *DELTA, "-q")
    refused(ran, f"which model is the baseline? ({GUESS})\n  models: new, old\n")
    assert words(ran)[-2:] == ["--baseline", "old"]
    assert rocconf(*words(ran)).status == 1


@pytest.mark.parametrize("command", ["sweep", "tango", "compare"])
def test_a_saved_report_remembers_what_was_not_named(rocconf, tmp_path, command):
    columns = {"p_old": OLD, "p_new": NEW} if command != "sweep" else {"p_new": NEW}
    write(tmp_path, "a.csv", label=LABELS, **columns)
    assert rocconf(command, "a.csv", "-q", "-o", "report.json").status == 0
    gate = ("gate", "report.json", "--require", "auc >= 0.1", "-q")
    refused(rocconf(*gate), "would rest on a guess")
    named = [part for column in columns for part in ("--score", column)]
    assert rocconf(command, "a.csv", *named, "-q", "-o", "report.json").status == 0
    assert rocconf(*gate).status == 0


def test_a_saved_report_remembers_that_its_baseline_was_not_named(rocconf, tmp_path):
    write(tmp_path, "a.csv", label=LABELS, p_new=NEW, p_old=OLD)
    run = ("compare", "a.csv", "--score", "p_new", "--score", "p_old", "-q", "-o", "report.json")
    assert rocconf(*run).status == 0
    refused(rocconf("gate", "report.json", *DELTA, "-q"), "the baseline is p_new, the first model")
    assert rocconf("gate", "report.json", "--require", "auc >= 0.1", "-q").status == 0
    assert rocconf(*run, "--baseline", "p_new").status == 0
    assert rocconf("gate", "report.json", *DELTA, "-q").status == 0


def test_a_report_of_a_guess_is_no_baseline_of_a_rule(rocconf, tmp_path):
    write(tmp_path, "a.csv", label=LABELS, p_new=NEW)
    assert rocconf("sweep", "a.csv", "-q", "-o", "last.json").status == 0
    run = ("compare", "a.csv", "--score", "p_new", "--baseline", "last.json", "-q")
    refused(rocconf(*run, *DELTA), "p_new in last.json, taken for scores by their values")
    assert rocconf(*run).status == 0


@NOTHING_PASSES
def test_thresholds_are_chosen_on_the_scores_that_are_judged(rocconf, tmp_path, form):
    write(tmp_path, f"judged.{form}", label=LABELS, score=OLD)
    for column in ("prob", "p_old", "points"):
        write(tmp_path, f"other.{form}", label=LABELS, **{column: NEW})
        rule = ("--choose-on", f"other.{form}", "--require", "tpr@fpr<=0.9 >= 0.1")
        refused(rocconf("sweep", f"judged.{form}", *rule, "-q"), "no column 'score'")
    write(tmp_path, f"other.{form}", label=LABELS, score=NEW, prob=OLD)
    assert rocconf("sweep", f"judged.{form}", *rule, "-q").status == 0


def test_drift_is_tested_on_the_scores_that_are_judged(rocconf, tmp_path):
    write(tmp_path, "now.csv", label=LABELS, score=OLD)
    write(tmp_path, "then.csv", label=LABELS, prob=OLD)
    rule = ("--reference", "then.csv", "--permutations", "99", "--bootstrap", "0", "--require", "drift_p >= 0.02")
    refused(rocconf("sensibility", "now.csv", *rule, "-q"), "then.csv: no column 'score'")


@pytest.mark.parametrize("model", ["old", None])
def test_thresholds_are_not_chosen_on_the_counts_of_another_model(rocconf, tmp_path, model):
    write(tmp_path, "judged.csv", label=LABELS, score=OLD)
    counts = {"score": [0.9, 0.5, 0.1], "positives": [40, 20, 1], "negatives": [1, 20, 40]}
    write(tmp_path, "counts.csv", **({"model": [model] * 3} if model else {}), **counts)
    rule = ("--choose-on", "counts.csv", "--require", "tpr@fpr<=0.9 >= 0.1")
    ran = rocconf("sweep", "judged.csv", *rule, "-q")
    assert ran.status == (2 if model else 0), ran.err
    assert not model or "without model score (found: old)" in ran.err


def test_a_slice_is_judged_on_the_scores_of_the_whole(rocconf, tmp_path):
    write(tmp_path, "a.csv", label=LABELS, score=np.round(NEW), p_other=OLD)
    configure(tmp_path, section("auc >= 0.6", where="score=1.0"))
    ran = rocconf("sweep", "a.csv", "-q", "--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (gate["model"], gate["value"], ran.status) == ("score", 0.5, 1)


def test_a_late_value_that_is_no_fraction_is_an_error(rocconf, tmp_path):
    late = np.full(1500, 0.5)
    late[-1] = 1234
    write(tmp_path, "a.csv", label=np.arange(1500) % 2, spent=late)
    refused(rocconf("sweep", "a.csv", "-q"), "line 1501: spent 1234 lies outside [0, 1]")


FRAME = pd.DataFrame({"Unnamed: 0": range(N), "label": LABELS, "p_new": NEW, "p_old": OLD})


def test_the_library_judges_no_guess():
    cases = library.read_frame(FRAME)
    assert cases.models == ("p_new", "p_old")
    counts = library.count(cases, "p_new")
    with pytest.raises(
        UsageError, match="p_new, p_old in data frame, taken for scores by their values; name them with score="
    ):
        library.judge(library.sweep(counts), "auc >= 0.1")
    named = library.read_frame(FRAME, score=["p_new", "p_old"])
    with pytest.raises(UsageError, match="the baseline is p_new, the first model, as baseline named none"):
        library.judge(library.compare(named), "delta_auc >= -0.01")
    (verdict,) = library.judge(library.compare(named, baseline="p_old"), "delta_auc >= -0.01")
    assert verdict.outcome == "fail"


def test_the_library_chooses_no_threshold_on_a_guess():
    named = library.count(library.read_frame(FRAME[: N // 2], score="p_new"), "p_new")
    guessed = library.count(library.read_frame(FRAME[["label", "p_new"]][N // 2 :]), "p_new")
    with pytest.raises(UsageError, match="would rest on a guess"):
        library.judge(library.sweep(named), "tpr@youden >= 0.1", choose_on={"p_new": guessed})


@pytest.mark.parametrize("options", [("--na", "omit"), ("--delimiter", ";;"), ("--where", "x"), ("--positive", "")])
def test_bad_options_are_refused_before_a_file_is_opened(rocconf, options):
    for command in COMMANDS:
        ran = rocconf(command, "missing.csv", *options)
        assert ran.status == 2
        assert "missing.csv" not in ran.err
        assert options[0] in ran.err


def test_an_unpaired_baseline_file_has_one_model(rocconf, tmp_path):
    write(tmp_path, "m.v2.csv", label=LABELS, score=NEW)
    write(tmp_path, "several.csv", label=LABELS, a=OLD, b=NEW)
    ran = rocconf("compare", "m.v2.csv", "--unpaired", "--baseline", "several.csv", "-q")
    refused(ran, "--baseline several.csv has several models (several:a, several:b)")
    write(tmp_path, "m.v1.csv", label=LABELS, score=OLD)
    run = ("compare", "m.v2.csv", "--unpaired", "--baseline", "m.v1.csv", *DELTA, "-q", "--format", "json")
    ran = rocconf(*run)
    answer = json.loads(ran.out)
    assert ran.status == 1
    inputs = [(source["role"], source["name"]) for source in answer["inputs"]]
    assert inputs == [("data", "m.v2.csv"), ("baseline", "m.v1.csv")]
    assert answer["options"]["baseline"] == stem("m.v1.csv") == "m.v1"


EXPORT = {"customer_id": IDS, "churned": np.where(LABELS, "yes", "no"), "p churn": OLD, "it's": NEW}


@NOTHING_PASSES
def test_the_suggested_command_works_when_pasted(rocconf, tmp_path, form):
    file = write(tmp_path, f"-my export.{form}", **EXPORT)
    for run in (("sweep", "--at", "fpr<=0.1", "-q", "--", file), ("compare", f"./{file}", "-q")):
        ran = rocconf(*run)
        refused(ran)
        again = rocconf(*words(ran))
        assert again.status == 0, again.err
        assert set(words(ran)) >= {run[0], "-q", run[-1], "--label", "churned", "--positive", "yes"}


def test_the_suggested_command_names_the_scores_and_models_of_all_files(rocconf, tmp_path):
    for name, scores in (("new", NEW), ("old", OLD)):
        write(tmp_path, f"{name}.csv", id=IDS, sick=LABELS, p=scores)
        write(tmp_path, f"{name}2.csv", id=IDS, label=LABELS, risk=scores)
        write(tmp_path, f"{name}3.csv", id=IDS, label=LABELS, risk=scores, flipped=1 - scores)
        write(tmp_path, f"{name}4.csv", id=IDS, label=LABELS, **{f"risk_{name}": scores})
    for number in ("", "2", "3"):
        ran = rocconf("compare", f"new{number}.csv", f"old{number}.csv", *DELTA, "-q")
        again = rocconf(*words(ran))
        assert again.status == 1, again.err
    ran = rocconf("compare", "new4.csv", "old4.csv", *DELTA, "-q")
    refused(ran, "call the scores of each file score\n")
    assert "try:" not in ran.err


@pytest.mark.parametrize("column", ["-p", "--score", "a,b", "$(touch owned)", "x y"])
def test_the_suggested_command_keeps_odd_names(rocconf, tmp_path, column):
    write(tmp_path, "a.csv", label=LABELS, **{column: OLD, "other": NEW})
    again = rocconf(*words(rocconf("sweep", "a.csv", "-q")), "--format", "json", "--require", "auc >= 0.6")
    assert again.status == 0, again.err
    assert json.loads(again.out)["summary"]["model"] == column
