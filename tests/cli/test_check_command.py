"""`rocconf check` refuses what a run would refuse before it reads anything, lists the rules, and never ends with a quiet 0."""

import shlex

import pytest

GATE = '[[gate]]\ncommand = "sweep"\nname = "ranks well"\nmetric = "auc"\nop = ">="\nvalue = 0.8\nlevel = 0.9\n'
CHOSEN = '[[gate]]\ncommand = "compare"\nmetric = "delta_tpr"\nat = "youden"\nop = ">="\nvalue = -0.02\n'


@pytest.fixture
def configured(tmp_path):
    def write(text, name="rocconf.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")

    return write


def test_a_configuration_is_listed_in_words(rocconf, configured, tmp_path):
    configured('[data]\nlabel = "sick"\nscore = ["a", "b"]\n' + GATE + CHOSEN + 'severity = "warn"\n')
    ran = rocconf("check")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        f"configuration: {tmp_path / 'rocconf.toml'}",
        "  label: sick",
        "  score: a, b",
        "sweep: 1 rule",
        "  ranks well: auc >= 0.8 (level 0.9)",
        "compare: 1 rule",
        "  delta_tpr@youden >= -0.02 (only warns; needs --choose-on FILE or --allow-in-sample)",
    ]
    configured(GATE, "release.toml")
    assert rocconf("check", "--config", "release.toml").out.splitlines()[1:] == [
        "sweep: 1 rule",
        "  ranks well: auc >= 0.8 (level 0.9)",
    ]


def test_without_a_configuration_nothing_was_checked(rocconf):
    ran = rocconf("check")
    assert (ran.status, ran.out) == (2, "")
    assert "nothing to check: no rocconf.toml" in ran.err
    assert rocconf("check", "--config", "missing.toml").status == 2


def test_a_configuration_of_defaults_only_is_said_to_have_no_rules(rocconf, configured):
    configured('[data]\nlabel = "sick"\n')
    ran = rocconf("check")
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "no rules: the configuration has defaults only")


def test_every_rule_that_is_wrong_is_named_at_once(rocconf, configured):
    configured(GATE.replace("0.8", '"8"') + CHOSEN.replace("compare", "compaer") + GATE.replace("auc", "auk"))
    ran = rocconf("check")
    assert (ran.status, ran.out) == (2, "")
    assert "[[gate]] 1 value must be int or float" in ran.err
    assert "[[gate]] 2: unknown command 'compaer'; did you mean 'compare'?" in ran.err
    configured(GATE.replace("0.8", "80") + CHOSEN.replace("delta_tpr", "delta_tnr") + GATE.replace("auc", "auk"))
    ran = rocconf("check")
    assert (ran.status, ran.out) == (2, "")
    for said in (
        "3 faults",
        "auc lies in [0, 1]; 0.8?",
        "no metric 'delta_tnr'",
        "no metric 'auk'; did you mean 'auc'?",
    ):
        assert said in ran.err


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("sweep no.csv --require 'auc >= 0.7'", 0, "sweep: valid, 2 rules"),
        ("compare no.csv --baseline b --choose-on c.csv", 0, "compare: valid, 1 rule"),
        ("gate report.json", 0, "gate: valid, 2 rules"),
        ("tango -", 0, "tango: valid, no rule"),
        ("sweep no.csv --isolated", 2, "nothing would be judged"),
        ("compare no.csv --baseline b", 2, "--choose-on FILE"),
        ("sweep no.csv --require 'auc >= 7'", 2, "auc lies in [0, 1]; 0.07?"),
        ("sweep no.csv --require 'fpr@half <= 0.1'", 2, "no rule 'half' for an operating point"),
        ("sweep no.csv --level 95", 2, "a level must be between 0 and 1"),
        ("sweep no.csv --nonsense", 2, "No such option"),
        ("sweep no.csv -o missing/a.json", 2, "there is no directory"),
        ("swep no.csv", 2, "did you mean 'sweep'?"),
        ("sweep --help", 2, "runs no analysis"),
        ("--version", 2, "runs no analysis"),
        ("check", 2, "takes another command"),
        ("chi2-contours --positives 5 --negatives 9", 0, "chi2-contours: valid, no rule"),
    ],
)
def test_a_command_is_checked_without_its_files(rocconf, configured, line, status, said):
    configured(GATE + CHOSEN)
    ran = rocconf("check", "--", *shlex.split(line), stdin="")
    assert ran.status == status, ran.err
    assert said in ran.out + ran.err
    assert ": valid" not in ran.out or status == 0


def test_options_of_the_command_stand_after_it(rocconf, configured):
    configured(GATE, "release.toml")
    ran = rocconf("check", "--config", "release.toml", "--", "sweep", "no.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "--config belongs to the command after --" in ran.err
    assert rocconf("check", "--", "sweep", "no.csv", "--config", "release.toml").status == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sweep no.csv --max-fpr 2", "max_fpr"),
        ("compare no.csv --max-fpr 0", "max_fpr"),
        ("sweep no.csv --prevalence 2", "prevalence"),
        ("sweep no.csv --where nope", "COLUMN=VALUE"),
        ("sweep no.csv --na nope", "error or drop"),
        ("sweep no.csv --delimiter ab", "delimiter"),
        ("sweep no.csv no.csv", "twice"),
        ("chi2-contours no.csv --permutations 0", "permutations"),
        ("compare no.csv --margin 2", "margin"),
        ("compare no.csv --band nope", "band"),
        ("tango no.csv --test nope", "test"),
        ("sweep no.csv --at nope", "operating point"),
        ("compare no.csv --all-pairs --require 'delta_auc >= -0.1'", "--all-pairs"),
        ("compare no.csv --baseline a --require 'delta_auc[a] >= -0.1'", "a is the baseline"),
        ("compare no.csv --baseline saved.json --require 'delta_cauc >= -0.1'", "drawn from the cases"),
    ],
)
def test_what_can_be_refused_without_data_is_refused_before_it_is_looked_for(rocconf, configured, line, said):
    configured("{}", "saved.json")
    for arguments in (shlex.split(line), ["check", "--", *shlex.split(line), "--require", "auc >= 0.5"]):
        ran = rocconf(*arguments)
        assert (ran.status, ran.out) == (2, "")
        assert said.replace("_", "-") in ran.err.replace("_", "-")
        assert "no such file" not in ran.err


def test_a_rule_at_a_level_of_its_own_that_the_run_cannot_have_is_refused_before_data(rocconf, configured):
    rule = '[[gate]]\ncommand = "tango"\nmetric = "{}"\nop = ">="\nvalue = 0.1\nlevel = 0.9\n'
    configured(rule.format("confident_points"))
    ran = rocconf("tango", "no.csv")
    assert ran.status == 2
    assert "confident_points is of the level of the run" in ran.err
    assert "no such file" in rocconf("tango", "no.csv", "--level", "0.9").err
