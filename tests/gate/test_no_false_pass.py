"""Ways to end with 0 without evidence, each tried through rules, options and configurations: none does."""

import numpy as np
import pytest

RULE = '[[gate]]\ncommand = "sweep"\nmetric = "{}"\nop = "{}"\nvalue = {}\n'


@pytest.fixture
def cases(tmp_path):
    """A model of no skill: what judges it must not end with 0."""
    random = np.random.default_rng(3)
    rows = [f"c{at},{at % 2},{random.random():.4f},{'xy'[at % 3 == 0]}" for at in range(100)]
    (tmp_path / "a.csv").write_text("\n".join(["id,label,score,site", *rows, ""]), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    "rules",
    [
        ("auc>=0.9",),
        (" auc  >=  .9 ",),
        ("auc >= 0.9", "auc <= 0.9"),
        ("auc[score] >= 0.9",),
        ("auc >= 9e-1",),
        ("auc >= -0.9",),
        ("auc >= 0",),
        ("auc >= 1e-400",),
        ("auc >= -1e-400",),
        ("auc < 2",),
        ("auc <= 1.0000001",),
        ("0.9 <= auc",),
        ("auc => 0.9",),
        ("auc >= 0.9 or n >= 5",),
        ("auc >= 0.9\n",),
        ("",),
        (" ",),
        ("n >= 2",),
        ("positives > 0.5",),
        ("tp@threshold=0.5 > -1",),
        ("partial_auc <= 0.5",),
        ("average_precision > 0",),
        ("threshold@closest >= -1",),
        ("tpr@threshold=0.5 <= 1",),
        ("youden_j@threshold=0.5 >= -1",),
        ("lift@threshold=0.5 > -1",),
        ("prevalence < 1",),
        ("auc >= 0.9", "n >= 50"),
    ],
)
def test_no_rule_lets_a_model_without_skill_pass(rocconf, rules):
    required = [part for rule in rules for part in ("--require", rule)]
    ran = rocconf("sweep", "a.csv", *required)
    assert ran.status in (1, 2, 3), ran.err


@pytest.mark.parametrize(
    "text",
    [
        RULE.format("auc", ">=", 0.9),
        RULE.format("auc", ">=", 0.9) + RULE.format("n", ">=", 50),
        RULE.format("auc", ">=", 0.9) * 2,
        RULE.format("auc", ">=", "true"),
        RULE.format("auc", ">=", "-inf"),
        RULE.format("auc", ">=", "nan"),
        RULE.format("auc", ">=", -1),
        RULE.format("auc", "<=", 1),
        RULE.format("partial_auc", "<=", 0.5) + 'on_undefined = "pass"\n',
        RULE.format("Auc", ">=", 0.9),
        RULE.replace("sweep", "Sweep").format("auc", ">=", 0.9),
        RULE.replace("sweep", "gate").format("auc", ">=", 0.9),
        RULE.replace("[[gate]]", "[gate]").format("auc", ">=", 0.9),
        RULE.replace("[[gate]]", "[[gates]]").format("auc", ">=", 0.9),
        RULE.replace("[[gate]]", "[[tool.rocconf.gate]]").format("auc", ">=", 0.9),
        RULE.format("auc", ">=", 0.9) + 'where = {site = "nowhere"}\n',
        RULE.format("auc", ">=", 0.9) + 'where = {nothing = "x"}\n',
        RULE.format("auc", ">=", 0.9) + 'where = ["site=x", "site=y"]\non_undefined = "pass"\n',
        RULE.format("auc", ">=", 0.9) + 'severity = "warning"\n',
        RULE.format("auc", ">=", 0.9) + 'on_undefined = "Pass"\n',
        RULE.format("auc[nobody]", ">=", 0.9),
        RULE.format("precision", "<=", 0.9) + 'at = "threshold=9"\n',
        "\x00" + RULE.format("auc", ">=", 0.9),
    ],
)
def test_no_configuration_lets_a_model_without_skill_pass(rocconf, cases, text):
    (cases / "rocconf.toml").write_text(text, encoding="utf-8")
    assert rocconf("sweep", "a.csv").status in (1, 2, 3)
    assert rocconf("sweep", "a.csv", "--config", "rocconf.toml").status in (1, 2, 3)
    assert rocconf("sweep", "a.csv", "--isolated", "-o", "a.json", "-q").status == 0
    assert rocconf("gate", "a.json").status in (1, 2, 3)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["rocconf.toml", "pyproject.toml"])
def test_no_encoding_hides_a_rule(rocconf, cases, name, encoding):
    section = "tool.rocconf." if name == "pyproject.toml" else ""
    text = RULE.replace("[[", f"[[{section}").format("auc", ">=", 0.9)
    (cases / name).write_bytes(text.encode(encoding))
    assert rocconf("sweep", "a.csv").status == 2


def test_a_pass_without_a_value_is_never_silent(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        RULE.format("auc", ">=", 0.9) + 'where = {site = "nowhere"}\non_undefined = "pass"\n', encoding="utf-8"
    )
    ran = rocconf("sweep", "a.csv", "-q", "-o", "a.json")
    assert ran.status == 0  # as the rule says
    assert "warning: gate passed without a value: auc >= 0.9, site=nowhere" in ran.err
    assert "warning: gate passed without a value" in rocconf("gate", "a.json", "-q").err


def test_a_report_carries_no_rule_that_could_not_fail(rocconf, cases):
    rocconf("sweep", "a.csv", "--require", "auc >= 0.001", "-o", "a.json", "-q")
    report = (cases / "a.json").read_text(encoding="utf-8")
    assert report.count('"limit": 0.001') == 1
    (cases / "a.json").write_text(report.replace('"limit": 0.001', '"limit": -1'), encoding="utf-8")
    assert rocconf("gate", "a.json").status == 2
