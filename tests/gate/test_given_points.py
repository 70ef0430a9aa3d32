"""Rules about points that are given by their rates: from class totals alone, live and from a saved report."""

import json

import pytest
from conftest import SAMPLE_DATA

TOTALS = ["chi2-contours", "--positives", "5", "--negatives", "55", "--isolated", "-q"]
POINTS = ["--point", "0.1,0.8", "--point", "0,0.2", "--point", "0.8,0.2"]


@pytest.fixture
def report(rocconf, tmp_path):
    ran = rocconf(*TOTALS, *POINTS, "--require", "chi2@point=.1,.8 >= 6.63", "-o", "r.json")
    assert ran.status == 0
    return tmp_path / "r.json"


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("chi2@point=0.1,0.8 >= 16.85", 0),
        ("chi2@point=0.1,0.8 >= 16.86", 1),
        ("chi2@point=0.1,0.8 < 16.86", 0),
        ("distance@point=0.1,0.8 >= 0.644", 0),
        ("distance@point=0.1,0.8 >= 0.645", 1),
        ("p@point=0,0.2 <= 0.05", 1),  # Fisher's is .083, chi-square's .0008
        ("p@point=0,0.2 <= 0.09", 0),
        ("p@point=0.1,0.8 <= 0.05", 3),  # 5.5 false positives have no exact test
        ("chi2@point=0.8,0.2 >= 1", 3),  # below the diagonal: worse than random predictions
        ("p@point=0.8,0.2 <= 0.99", 3),
        ("distance@point=0.8,0.2 >= 0.1", 3),
        ("chi2@point=0.3,0.8 >= 1", 2),  # a point that was not given
        ("tpr@point=0.1,0.8 >= 0.7", 2),
        ("chi2 >= 3", 2),
        ("chi2@threshold=0.5 >= 3", 2),
        ("auc >= 0.8", 2),
        ("distance@point=0.1,0.8 >= 5", 2),
        ("chi2@point=1.1,0.8 >= 5", 2),
    ],
)
def test_a_rule_has_one_verdict_live_and_saved(rocconf, report, rule, status):
    live = rocconf(*TOTALS, *POINTS, "--require", rule)
    saved = rocconf("gate", report, "--require", rule, "-q", "--isolated")
    assert (live.status, saved.status) == (status, status), live.err + saved.err


def test_a_point_says_nothing_of_a_model(rocconf, tmp_path):
    run = ["chi2-contours", SAMPLE_DATA / "table1.csv", "--point", "0,1", "--permutations", "9", "-q", "--isolated"]
    refused = rocconf(*run, "--require", "chi2@point=0,1 >= 3")
    assert refused.status == 2
    assert "says nothing of a model" in refused.err
    assert rocconf(*run, "-o", "r.json").status == 0
    saved = rocconf("gate", tmp_path / "r.json", "--require", "chi2@point=0,1 >= 3", "--isolated")
    assert saved.status == 2
    assert "says nothing of a model" in saved.err


def test_other_commands_have_no_such_points(rocconf):
    ran = rocconf("sweep", SAMPLE_DATA / "table1.csv", "--require", "chi2@point=0,1 >= 3", "--isolated")
    assert ran.status == 2
    assert "only chi2-contours" in ran.err


def test_a_slice_of_class_totals_is_refused(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "chi2-contours"\nmetric = "chi2"\nat = "point=0,0.2"\nop = ">="\nvalue = 3\n'
        'where = "region=north"\n',
        encoding="utf-8",
    )
    ran = rocconf("chi2-contours", "--positives", "5", "--negatives", "55", *POINTS)
    assert ran.status == 2
    assert "slices" in ran.err


def test_a_configured_rule_is_judged(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "chi2-contours"\nmetric = "chi2"\nat = "point=0,0.2"\nop = ">="\nvalue = 12\n',
        encoding="utf-8",
    )
    assert rocconf("chi2-contours", "--positives", "5", "--negatives", "55", *POINTS).status == 1


def test_the_verdicts_of_a_report_are_carried(rocconf, report):
    assert rocconf("gate", report, "--isolated", "-q").status == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("tables", "points", 0, key), 0.5) for key in ("chi2", "p", "tp", "distance", "contour_tpr", "accuracy")),
        (("tables", "points", 0, "p_method"), "chi2"),
        (("tables", "points", 0, "point"), "0.1,0.9"),
        (("tables", "points", 0, "model"), "other"),
        (("tables", "points"), []),
        (("options", "points"), ["0.1,0.8"]),
        (("options", "points"), ["0.1,0.8", "0,0.3"]),
        (("options", "points"), ["0.1,0.8", "x"]),
        (("gates", 0, "value"), 30.0),
        (("gates", 0, "value"), None),
        (("gates", 0, "threshold"), 0.5),
        (("gates", 0, "in_sample"), True),
        (("gates", 0, "lower"), 5.0),
        (("gates", 0, "judged_on"), "interval"),
        (("gates", 0, "limit"), 17.0),
        (("gates", 0, "at"), "point=0,1"),
        (("gates", 0, "metric"), "tpr"),
    ],
)
def test_an_edited_report_is_refused(rocconf, report, path, value):
    record = json.loads(report.read_text(encoding="utf-8"))
    *above, last = path
    inner = record
    for key in above:
        inner = inner[key]
    inner[last] = value
    report.write_text(json.dumps(record), encoding="utf-8")
    ran = rocconf("gate", report, "--isolated", "-q")
    assert ran.status == 2, ran.out
