"""Rules that are probably not what was meant: on the wrong side, of other commands, or in place of those that failed."""

import pytest

import rocconf
from rocconf.gate import parse_gate_rule, passes_worse


@pytest.fixture
def two(tmp_path):
    """A file of two models, of which the new one is better."""
    rows = [f"{at % 2},{(at * 7 % 83) / 83 + at % 2 / 3:.3f},{(at * 11 % 83) / 83:.3f}" for at in range(80)]
    (tmp_path / "two.csv").write_text("\n".join(["label,new,old", *rows, ""]), encoding="utf-8")
    return ["compare", "two.csv", "--score", "old", "--score", "new", "--baseline", "old"]


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
def test_a_bound_on_the_side_of_the_better_models_is_warned_of(rocconf, two, rule, warned):
    ran = rocconf(*two, "--require", rule)
    assert (WRONG_SIDE in ran.err) == warned
    assert rocconf(*two, "--require", rule, "-q").status == ran.status


@pytest.mark.parametrize(("rule", "passes"), [("delta_aved_abs >= -0.1", True), ("delta_aved_abs <= 0.1", False)])
def test_where_lower_values_are_better_the_sides_are_exchanged(rule, passes):
    assert passes_worse(parse_gate_rule(rule), rocconf.Comparison) == passes


def test_the_warning_is_in_the_report_and_in_its_gate(rocconf, two):
    rocconf(*two, "--require", "delta_auc <= 0.9", "-o", "report.json")
    assert WRONG_SIDE in rocconf("gate", "report.json", "--require", "delta_auc <= 0.9").err


@pytest.mark.usefixtures("two")
def test_a_gate_with_other_rules_says_that_those_of_the_report_failed(rocconf):
    sweep = ("sweep", "two.csv", "--score", "new", "-o", "report.json")
    assert rocconf(*sweep, "--require", "auc >= 0.999").status == 1
    for rules, replaced in ((["auc >= 0.1"], True), (["auc >= 0.1", "auc >= 0.999"], False)):
        typed = [word for rule in rules for word in ("--require", rule)]
        ran = rocconf("gate", "report.json", *typed)
        assert ("of which these did not pass: auc >= 0.999" in ran.err) == replaced
    rocconf(*sweep, "--require", "auc >= 0.2")
    assert "did not pass" not in rocconf("gate", "report.json", "--require", "auc >= 0.1").err


@pytest.mark.usefixtures("two")
def test_a_configuration_without_rules_for_a_report_is_told_of(rocconf, tmp_path):
    assert rocconf("sweep", "two.csv", "--score", "new", "-o", "report.json", "--require", "auc >= 0.999").status == 1
    (tmp_path / "c.toml").write_text('[[gate]]\ncommand = "compare"\nmetric = "delta_auc"\nop = ">="\nvalue = -0.1\n')
    ran = rocconf("gate", "report.json", "--config", "c.toml")
    assert ran.status == 1
    assert "the configuration has no rule for sweep, so the rules that the report carries are judged" in ran.err


FIRST = '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.1\n'


@pytest.mark.parametrize(
    ("gate", "says"),
    [
        ('metric = "tpr"\nop = ">="\nvalue = 0.5', "tpr needs an operating point"),
        ('metric = "tpr"\nat = "youden"\nop = ">="\nvalue = 0.5', "flatters it"),
        ('metric = "auc"\nop = ">="\nvalue = 0.2\nwhere = { region = "north" }', "no column 'region'"),
        ('metric = "partial_auc"\nop = ">="\nvalue = 0.2', "needs --max-fpr"),
        ('metric = "auc[third]"\nop = ">="\nvalue = 0.2', "no model 'third'"),
    ],
)
@pytest.mark.usefixtures("two")
def test_an_error_about_a_rule_of_the_configuration_names_file_and_gate(rocconf, tmp_path, gate, says):
    (tmp_path / "c.toml").write_text(f'{FIRST}[[gate]]\ncommand = "sweep"\n{gate}\n', encoding="utf-8")
    ran = rocconf("sweep", "two.csv", "--score", "new", "--config", "c.toml", "-q")
    assert (ran.status, ran.out) == (2, "")
    for words in (says, "c.toml", "[[gate]] 2"):
        assert words in ran.err
    assert "[[gate]] 1" not in ran.err


@pytest.mark.usefixtures("two")
def test_a_baseline_that_is_among_the_files_is_to_be_named(rocconf, tmp_path):
    for name in ("old.csv", "new.csv"):
        (tmp_path / name).write_text("id,label,score\n1,1,0.9\n2,0,0.2\n3,1,0.4\n4,0,0.5\n", encoding="utf-8")
    ran = rocconf("compare", "old.csv", "new.csv", "--baseline", "./old.csv")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("name its model: --baseline old\n")


def test_an_identical_baseline_that_is_allowed_is_said_to_be(rocconf, tmp_path):
    for name in ("old.csv", "new.csv"):
        (tmp_path / name).write_text("id,label,score\n1,1,0.9\n2,0,0.2\n3,1,0.4\n4,0,0.5\n", encoding="utf-8")
    rule = ("compare", "old.csv", "new.csv", "--baseline", "old", "--require", "delta_auc >= -0.1")
    open_, allowed = rocconf(*rule), rocconf(*rule, "--allow-identical")
    assert (open_.status, allowed.status) == (3, 0)
    assert "compared with itself, which decides nothing unless identical scores are allowed\n" in open_.err
    assert "compared with itself, which is allowed here\n" in allowed.err
