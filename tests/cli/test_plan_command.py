"""`rocconf plan`: from numbers, a pilot, a report and a configuration, what it prints, and that it never passes a model."""

import csv
import inspect
import io
import json
import re
import shlex

import pytest
from conftest import SAMPLE_DATA

from rocconf.cli.plan import plan as plan_command
from rocconf.compute.plan import PlanOptions

TPR = ("--require", "tpr >= 0.8", "--tpr", "0.9")
PILOT = SAMPLE_DATA / "spectf_cv80.csv"
PAIR = ("--score", "F", "--score", "T", "--baseline", "T")
FAST = ("--runs", "200", "-q")


def answer_of(ran):
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def rows_of(ran):
    assert ran.status == 0, ran.err
    return list(csv.DictReader(io.StringIO(ran.out)))


def test_the_defaults_are_those_of_the_library():
    shown = {name: each.default for name, each in inspect.signature(plan_command).parameters.items()}
    library = {name: each.default for name, each in inspect.signature(PlanOptions).parameters.items()}
    for name in ("power", "runs", "seed", "level", "interval"):
        assert shown[name] == library[name]


def test_the_answer_begins_with_the_cases_and_has_the_power_of_other_sizes(rocconf):
    lines = rocconf("plan", *TPR, "--prevalence", "0.1", "--format", "table").out.splitlines()
    assert lines[:2] == [
        "tpr >= 0.8 takes 113 positives in 1,130 cases to pass with 80% power, if the tpr",
        "  is 0.9 (robust, 95%)",
    ]
    assert len(lines) <= 23
    assert next(line.split() for line in lines if line.lstrip().startswith("113 "))[:4] == [
        "113",
        "1,017",
        "1,130",
        "0.843",
    ]


def test_the_keys_are_the_contract(rocconf):
    answer = answer_of(rocconf("plan", *TPR, "--format", "json"))
    assert answer["schema"] == "rocconf/plan/3"
    assert list(answer["rows"][0]) == [
        *("model", "rule", "verdict", "power", "positives", "negatives", "cases", "reached", "reached_error"),
        *("cases_error", "classical_cases", "metric", "value", "op", "limit", "level", "interval", "method", "reason"),
    ]
    assert list(answer["tables"]) == ["models", "power"]
    assert list(answer["tables"]["power"][0]) == [
        *("model", "rule", "positives", "negatives", "cases", "pass", "fail", "inconclusive", "error", "needed"),
    ]
    assert answer["options"]["assumed"] == {"tpr": 0.9}
    assert answer["summary"]["positives"] == 113
    missing = {key for row in answer["rows"] for key, value in row.items() if value is None}
    assert missing <= {entry["key"] for entry in answer["undefined"] if entry["table"] == "rows"}


def test_files_hold_each_table(rocconf, tmp_path):
    ran = rocconf("plan", *TPR, "-q", "-o", "plan.json", "-o", "plan.csv", "-o", "power:power.csv", "-o", "plan.md")
    assert ran.status == 0
    assert json.loads((tmp_path / "plan.json").read_text())["rows"][0]["positives"] == 113
    assert "113" in (tmp_path / "plan.csv").read_text()
    assert len((tmp_path / "power.csv").read_text().splitlines()) == 8
    assert "takes 113 positives" in (tmp_path / "plan.md").read_text()
    for options in ((), ("--require", "auc >= 0.1"), ("--require", "positives >= 1")):
        ran = rocconf("gate", "plan.json", *options)  # a plan is no evidence
        assert ran.status == 2
        assert "report of rocconf plan" in ran.err


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("--auc .85 --margin .05 --correlation .8 --prevalence .5 --power .8", "delta_auc > -0.05"),
        ("--auc .9 --limit .8 --prevalence .5", "auc >= 0.8"),
        ("--tpr .9 --limit .8", "tpr >= 0.8"),
        ("--fpr .03 --limit .05", "fpr <= 0.05"),
        ("--tpr .9 --margin .1 --correlation .8", "delta_tpr > -0.1"),
        ("--margin .1 --disagree 0.02:0.02", "delta_tpr > -0.1"),
        ("--fpr .1 --margin .1 --correlation .5", "delta_specificity > -0.1"),
        ("--half-width .05 --auc .85 --prevalence .5", "auc within 0.05"),
        ("--require 'delta_auc>=-0.05' --auc .85 --correlation .8 --prevalence .5", "delta_auc >= -0.05"),
    ],
)
def test_a_question_can_be_asked_in_the_words_of_a_study(rocconf, line, rule):
    (row,) = [
        row for row in rows_of(rocconf("plan", *shlex.split(line), "--format", "csv", *FAST)) if not row["reason"]
    ]
    assert row["rule"] == rule
    assert int(row["positives"] or row["negatives"]) > 10


def test_two_rules_are_planned_side_by_side(rocconf):
    line = ("plan", *TPR, "--require", "fpr <= 0.05", "--fpr", "0.02")
    ran = rocconf(*line, "--format", "table")
    assert "tpr >= 0.8 takes 113 positives" in ran.out
    assert "fpr <= 0.05 takes" in ran.out
    answer = answer_of(rocconf(*line, "--format", "json", "-q"))
    assert [row["verdict"] for row in answer["tables"]["models"]] == ["pass", "pass"]
    assert answer["summary"] is None


@pytest.mark.parametrize("rule", ["auc >= 0.8", "auc >= 0.6", "auc >= 0.7"])
def test_a_plan_exits_with_0_whether_or_not_a_size_is_enough_and_has_no_verdict(rocconf, rule):
    ran = rocconf("plan", "--require", rule, "--auc", "0.7", "--prevalence", "0.5", "--format", "json", *FAST)
    answer = answer_of(ran)
    assert (answer["verdict"], answer["exit_code"], answer["gates"]) == (None, 0, [])


def test_what_makes_an_exit_status_is_no_option_of_a_plan(rocconf):
    for option in ("--exit-zero", "--inconclusive", "--github", "--allow-in-sample"):
        ran = rocconf("plan", *TPR, option, *(["pass"] if option == "--inconclusive" else []))
        assert ran.status == 2
        assert f"plan has no option {option}" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "what is to be shown?"),
        ("--auc 0.9", "--limit 0.8 --auc 0.85 --prevalence 0.1"),
        ("--require 'auc >= 0.9' --prevalence .2", "--require 'auc >= 0.9' --prevalence 0.2 --auc 0.95"),
        ("--margin .01 --auc .85", "--require 'delta_auc > -0.01' --auc 0.85 --correlation 0.8 --prevalence 0.1"),
        ("--require 'fpr <= 0.05'", "--require 'fpr <= 0.05' --fpr 0.025"),
        ("--half-width .02", "--half-width 0.02 --auc 0.85 --prevalence 0.1"),
    ],
)
def test_what_is_missing_is_named_with_a_command_that_works(rocconf, line, words):
    ran = rocconf("plan", *shlex.split(line))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    command = ran.err[ran.err.index("like rocconf plan") :].strip().removeprefix("like rocconf ")
    assert rocconf(*shlex.split(command), *FAST).status == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--require 'auc >= 0.8' --auc .9 --baseline-auc 2 --prevalence .1", "--baseline-auc 2 is not in (0, 1)"),
        ("--require 'tpr >= 0.8' --tpr .9 --label y", "--label applies to a pilot, and no FILE is given"),
        ("--require 'tpr >= 0.8' --tpr .9 --baseline F", "--baseline applies to a pilot, and no FILE is given"),
        ("a.csv b.csv --require 'auc >= 0.8'", "one pilot"),
        ("nope.csv --require 'auc >= 0.8'", "nope.csv"),
        ("--require 'tpr >= 0.8' --tpr .9 --plot roc:a.png", "roc"),
    ],
)
def test_bad_input_is_refused(rocconf, line, words):
    ran = rocconf("plan", *shlex.split(line))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


def test_a_pilot_of_two_models_is_planned_with_all_its_numbers(rocconf):
    rules = ("delta_auc >= 0.1", "tpr@threshold=0.5 >= 0.7", "f1@threshold=0.5 >= 0.7")
    line = ("plan", PILOT, *PAIR, *(word for rule in rules for word in ("--require", rule)))
    rows = rows_of(rocconf(*line, "--format", "csv", *FAST))
    by_rule = {row["rule"]: row for row in rows if not row["reason"]}
    assert [by_rule[rule]["method"] for rule in rules] == ["simulation", "enumeration", "formula"]
    assert {row["model"] for row in rows} == {"F"}
    assert float(by_rule["delta_auc >= 0.1"]["value"]) == pytest.approx(0.2025)
    assert "only 40 positives to plan with" in rocconf("plan", PILOT, *PAIR, "--require", rules[1]).err


def test_the_prevalence_of_a_pilot_can_be_replaced(rocconf):
    line = ("plan", PILOT, "--score", "F", "--require", "auc >= 0.8", "--format", "csv", *FAST)
    even, rare = rows_of(rocconf(*line))[0], rows_of(rocconf(*line, "--prevalence", "0.1"))[0]
    assert int(even["cases"]) == 2 * int(even["positives"])
    assert int(rare["cases"]) == 10 * int(rare["positives"])
    assert int(rare["positives"]) < int(even["positives"])


def test_a_pilot_rests_on_no_guess(rocconf):
    for line, words in (
        (("--require", "auc >= 0.8"), "--score S"),
        ((*PAIR[:4], "--margin", "0.1"), "--baseline"),
        ((*PAIR, "--margin", "0.1", "--auc", "0.9"), "leave out the file or --auc"),
    ):
        ran = rocconf("plan", PILOT, *line)
        assert ran.status == 2
        assert words in ran.err
    assert "[plan-in-sample]" in rocconf("plan", PILOT, "--score", "F", "--require", "tpr@youden >= 0.6").err


def test_a_figure_without_a_curve_leaves_nothing_written(rocconf, tmp_path):
    line = ("--score", "F", "--require", "f1@threshold=0.5 >= 0.7", "-o", "plan.csv", "--plot", "power.png")
    ran = rocconf("plan", PILOT, *line)
    assert ran.status == 2
    assert "no curve" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def report(rocconf):
    """A saved comparison whose rule is open."""
    rule = ("--require", "delta_auc >= 0.15")
    assert rocconf("compare", PILOT, *PAIR, *rule, "-q", "-o", "report.json").status == 3
    return "report.json"


def test_the_cases_of_a_saved_report_many_times_end_the_interval_at_the_limit(rocconf, report, tmp_path):
    rows = [rows_of(rocconf("plan", report, "--power", power, "--format", "csv", "-q"))[0] for power in ("0.5", "0.8")]
    assert (rows[0]["rule"], rows[0]["method"], rows[0]["model"]) == ("delta_auc >= 0.15", "formula", "F")
    even, more = (int(row["positives"]) for row in rows)
    assert 1.5 < more / even < (1 + 0.8416 / 1.96) ** 2  # less than by the root of the cases: pseudo-cases are fewer
    header, *cells = [line.partition(",")[2] for line in PILOT.read_text().splitlines()]  # no ids, which would repeat
    (tmp_path / "many.csv").write_text("\n".join([header, *cells * round(even / 40), ""]))
    ran = rocconf("compare", "many.csv", *PAIR, "--format", "json", "-q")
    pair = json.loads(ran.out)["tables"]["pairs"][0]
    assert pair["difference_lower"] == pytest.approx(0.15, abs=0.003)
    typed = rows_of(rocconf("plan", report, "--require", "auc >= 0.95", "--format", "csv", "-q"))
    assert [(row["verdict"], bool(row["cases"])) for row in typed] == [("pass", False), ("fail", True)]


def test_an_open_verdict_says_the_positives_of_a_plan_of_even_chances(rocconf):
    line = ("sweep", PILOT, "--score", "F", "--require", "auc >= 0.85", "-o", "report.json")
    ran = rocconf(*line)
    assert ran.status == 3
    (hint,) = [part for part in ran.err.split("; ") if part.startswith("about ")]
    positives = re.search(r" in all \(([\d,]+) positive\)", hint)[1]
    planned = rows_of(rocconf("plan", "report.json", "--power", "0.5", "--format", "csv", "-q"))[0]
    assert int(planned["positives"]) == int(positives.replace(",", ""))


def test_a_report_has_its_own_numbers(rocconf, report, tmp_path):
    for option in (("--auc", "0.8"), ("--margin", "0.1"), ("--level", "0.9"), ("--cases", "9")):
        ran = rocconf("plan", report, *option)
        assert ran.status == 2
        assert f"leave out {option[0]}" in ran.err
    assert rocconf("plan", report, "--plot", "power.png").status == 2
    assert not (tmp_path / "power.png").exists()


def test_a_report_without_rules_or_with_a_tampered_number_is_refused(rocconf, report, tmp_path):
    rocconf("sweep", PILOT, "--score", "F", "-q", "-o", "plain.json")
    assert "what is to be shown?" in rocconf("plan", "plain.json").err
    content = json.loads((tmp_path / report).read_text())
    content["tables"]["pairs"][0]["difference_lower"] = 0.149
    (tmp_path / "edited.json").write_text(json.dumps(content))
    assert rocconf("plan", "edited.json").status == 2


def test_rules_of_a_configuration_are_planned_and_others_counted(rocconf, tmp_path):
    gate = '[[gate]]\ncommand = "{}"\nmetric = "{}"\nop = "{}"\nvalue = {}\n'
    rules = [("sweep", "auc", ">=", 0.8), ("compare", "delta_auc", ">=", -0.05), ("sweep", "positives", ">=", 50)]
    (tmp_path / "rocconf.toml").write_text("".join(gate.format(*rule) for rule in rules))
    numbers = ("--auc", "0.88", "--correlation", "0.8", "--prevalence", "0.5", *FAST)
    answer = answer_of(rocconf("plan", *numbers, "--format", "json"))
    assert answer["options"]["require"] == ["auc >= 0.8", "delta_auc >= -0.05"]
    assert "plan-left-out" in [caveat["code"] for caveat in answer["caveats"]]
    assert rocconf("plan", "--isolated", *numbers).status == 2
    typed = answer_of(rocconf("plan", *TPR, "-q", "--format", "json"))
    assert typed["options"]["require"] == ["tpr >= 0.8"]


def test_check_lists_the_rules_of_a_plan(rocconf):
    ran = rocconf("check", "--", "plan", *TPR)
    assert ran.out.splitlines() == ["plan: valid, 1 rule", "  tpr >= 0.8"]
    assert rocconf("check", "--", "plan", "--require", "tpr >= 0.8").status == 2
