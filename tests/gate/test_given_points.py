"""Rules about points that are given by their rates: from class totals alone, live and from a saved report."""

import pytest
from conftest import SAMPLE_DATA
from gating import configure, required, section

TOTALS = ["chi2-contours", "--positives", "5", "--negatives", "55"]
POINTS = ["--point", "0.1,0.8", "--point", "0,0.2", "--point", "0.8,0.2"]


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("chi2@point=0.1,0.8 >= 16.85", 0),
        ("chi2@point=0.1,0.8 >= 16.86", 1),
        ("chi2@point=.1,.8 < 16.86", 0),
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
def test_a_rule_has_one_verdict_live_and_saved(rocconf, tmp_path, rule, status):
    typed = required(rule)
    assert rocconf(*TOTALS, *POINTS, "-q", "-o", "plain.json").status == 0
    live = rocconf(*TOTALS, *POINTS, *typed, "-q", "-o", "judged.json")
    saved = rocconf("gate", "plain.json", *typed, "-q")
    assert (live.status, saved.status) == (status, status), live.err + saved.err
    assert status == 2 or rocconf("gate", "judged.json", "-q").status == status
    configure(tmp_path, section(rule, "chi2-contours"))
    assert rocconf(*TOTALS, *POINTS, "-q").status == status


def test_a_point_says_nothing_of_a_model(rocconf, tmp_path):
    run = ["chi2-contours", SAMPLE_DATA / "table1.csv", "--point", "0,1", "--permutations", "9", "-q"]
    rule = required("chi2@point=0,1 >= 3")
    assert rocconf(*run, "-o", "r.json").status == 0
    for refused in (rocconf(*run, *rule), rocconf("gate", tmp_path / "r.json", *rule)):
        assert refused.status == 2
        assert "says nothing of a model" in refused.err


def test_other_commands_have_no_such_points_and_totals_no_slices(rocconf, tmp_path):
    ran = rocconf("sweep", SAMPLE_DATA / "table1.csv", "--require", "chi2@point=0,1 >= 3")
    assert ran.status == 2
    assert "only chi2-contours" in ran.err
    configure(tmp_path, section("chi2@point=0,0.2 >= 3", "chi2-contours", where="region=north"))
    ran = rocconf(*TOTALS, *POINTS)
    assert ran.status == 2
    assert "slices" in ran.err
