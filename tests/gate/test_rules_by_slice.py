"""Rules about every slice: the worst slice decides, the level holds over all, and no slice is left out."""

import numpy as np
import pytest
from analyses import sliced
from gating import judged as judged_again
from gating import text_of

import rocconf
from rocconf.compute.roc.auc import auc
from rocconf.errors import UsageError
from rocconf.gate import GateRule, overall
from rocconf.records import Predictions

CASES = sliced()


SWEPT = rocconf.sweep_slices(CASES, "new", at="threshold=0.5")
COMPARED = rocconf.compare_slices(CASES, baseline="old", at="threshold=0.5")


def judged(rule, result=SWEPT, **options):
    return rocconf.judge(result, rule, **options)


def outcomes_of(verdicts):
    return {verdict.part.value: verdict.outcome for verdict in verdicts}


def test_there_is_a_verdict_for_every_slice_and_the_worst_one_decides():
    values = sorted(each.result.auc.value for each in SWEPT.slices if each.by == "region")
    found = judged(f"auc by region >= {(values[0] + values[-1]) / 2 - 0.035:.3f}")
    outcomes = outcomes_of(found)
    assert list(outcomes) == ["north", "south", ""]
    assert len(set(outcomes.values())) > 1
    assert overall(found) == max(outcomes.values(), key=("pass", "inconclusive", "fail").index)


def test_every_slice_is_judged_at_the_level_of_one_of_all():
    for verdict, part in zip(judged("auc by region >= 0.6"), SWEPT.slices, strict=False):
        assert verdict.level == pytest.approx(1 - 0.05 / 3, abs=1e-15)
        assert verdict.measure.interval == auc(part.result.counts, level=verdict.level).interval
        assert verdict.to_dict()["rule_level"] == 0.95
        assert "95% over 3 slices" in verdict.message
    (found, *_) = judged(GateRule("auc", ">=", 0.6, level=0.9, by="sex"))
    assert found.level == pytest.approx(0.95, abs=1e-15)


def test_undecided_slices_leave_the_rule_open_and_do_not_count():
    found = judged("auc by region >= 0.55", rocconf.sweep_slices(sliced(small=12, one_class=True), "new"))
    assert outcomes_of(found) == {
        **dict.fromkeys(("north", "south", ""), "pass"),
        **dict.fromkeys(("small", "healthy"), "inconclusive"),
    }
    assert {verdict.part.slices for verdict in found} == {3}
    assert [verdict.level for verdict in found] == pytest.approx([1 - 0.05 / 3] * len(found))
    small = next(verdict for verdict in found if verdict.part.value == "small")
    assert "region=small is not judged (fewer than 10 cases of a class: " in small.message
    assert overall(found) == "inconclusive"
    none = judged("auc by region >= 0.55", rocconf.sweep_slices(CASES, "new", by="region", min_cases=700))
    assert set(outcomes_of(none).values()) == {"inconclusive"}


def rows(*, lost="", regions=("north", "south", "lost"), model="score"):
    """Return a file of cases by region, without scores in one of them."""
    lines = [f"id,label,{model},region"]
    for case in range(240):
        region = regions[case // 2 % len(regions)]
        is_high = bool(case % 2) != (case % (7 if model == "new" else 9) == 0)
        score = "" if region == lost else f"0.{'8' if is_high else '2'}{case % 10}"
        lines.append(f"{case},{case % 2},{score},{region}")
    return "\n".join(lines).encode()


def of_files(tmp_path, *files):
    """Read files of the same cases, each without the rows that lack a score."""
    read = []
    for at, text in enumerate(files):
        (tmp_path / f"{at}.csv").write_bytes(text)
        model = text.decode().partition("\n")[0].split(",")[2]
        read.append(rocconf.read_predictions(tmp_path / f"{at}.csv", score=model, id="id", by="region", na="drop"))
    return read


@pytest.mark.parametrize("lost_by", ["sweep", "first", "second", "second alone"])
def test_a_slice_that_lost_all_its_cases_leaves_the_rule_open(tmp_path, lost_by):
    if lost_by == "sweep":
        result = rocconf.sweep_slices(*of_files(tmp_path, rows(lost="lost")))
    else:
        old = rows(lost="lost" * (lost_by == "first"), model="old")
        new = rows(lost="lost" * (lost_by != "first"), model="new")
        if lost_by == "second alone":
            old = b"\n".join(line for line in old.split(b"\n") if not line.endswith(b"lost"))
        result = rocconf.compare_slices(rocconf.pair(of_files(tmp_path, old, new)), baseline="old")
    rules = ["auc by region >= 0.5", *["delta_auc by region >= -0.5"] * (lost_by != "sweep")]
    verdicts = rocconf.judge(result, rules)
    by_value = {"lost": "inconclusive", "north": "pass", "south": "pass"}
    assert [(each.part.value, each.outcome) for each in verdicts] == [*by_value.items()] * len(rules)
    assert {each.part.slices for each in verdicts} == {2}
    (row,) = (row for row in result.table("slices").records() if row["slice"] == "lost" and row["model"] != "old")
    assert (row["n"], row["positives"], row["negatives"], row["prevalence"], row["decided"]) == (0, 0, 0, None, False)
    for asked in ([], rules):
        saved = judged_again(text_of(result, verdicts=verdicts), *asked)
        assert [each.outcome for each in saved] == [each.outcome for each in verdicts]


def test_rows_of_no_interest_leave_no_slice(tmp_path):
    (tmp_path / "a.csv").write_bytes(rows(lost="lost"))
    where = ["region!=lost"]
    found = rocconf.read_predictions(tmp_path / "a.csv", score="score", by="region", na="drop", where=where)
    assert [each.value for each in rocconf.sweep_slices(found).slices] == ["north", "south"]


def test_a_slice_without_cases_is_no_test(tmp_path):
    (found,) = of_files(tmp_path, rows(lost="lost"))
    for each in rocconf.sweep_slices(found).slices:
        for of in each.from_rest:
            assert of.p_adjusted == (of.difference and of.difference.p)  # two slices with cases are one test
    alone = found.where(found.groups[0].places == 1)
    said = [caveat.code for caveat in rocconf.sweep_slices(alone).caveats]
    assert "slice-of-all" in said


def test_a_slice_is_judged_at_the_threshold_of_the_whole_only_if_that_is_allowed():
    result, rule = rocconf.sweep_slices(CASES, "new", by="region", at="youden"), "tpr@youden by region >= 0.1"
    elsewhere = rocconf.count(sliced(seed=8), "new")
    own = rocconf.sweep(elsewhere, at="youden").points[0].threshold
    for options, expected in (
        ({"allow_in_sample": True}, (result.points[0].threshold, True)),
        ({"choose_on": {"new": elsewhere}}, (own, False)),
    ):
        found = judged(rule, result, **options)
        assert {(verdict.measure.at.threshold, verdict.measure.at.in_sample) for verdict in found} == {expected}


ASSURED = rocconf.sweep_slices(CASES, "new", at="fpr<=0.2", assurance=0.99)
COUNTS = rocconf.count(CASES, "new")
DRAWN = "no interval at the level of a single slice"


@pytest.mark.parametrize(
    ("result", "rule", "said"),
    [
        (SWEPT, "auc by age >= 0.6", "not divided by age"),
        (SWEPT, "thresholds by region >= 5", DRAWN),
        (SWEPT, "mcb by region <= 0.5", "mcb needs calibrated=True"),
        (SWEPT, "auc by region >= 1.5", "lies in"),
        (SWEPT, "auc by  >= 0.5", "auc by"),
        (SWEPT, "tpr by region@threshold=0.5 >= 0.1", "'tpr@threshold=0.5 by region >= 0.8'"),
        (SWEPT, "tpr@youden by region >= 0.1", "allow"),
        *((COMPARED, f"{rule}", DRAWN) for rule in ("cauc by region >= 0.1", "confident_points by sex >= 1")),
        (COMPARED, "delta_cauc by sex >= -0.1", DRAWN),
        (rocconf.tango(COUNTS), "auc by region >= 0.6", "tango has no slices"),
        (rocconf.sweep(COUNTS), "auc by region >= 0.6", "not divided by region"),
        # a promise is about all cases
        (ASSURED, "fpr@fpr<=0.2 assured 0.99 by region <= 0.2", "allow"),
        (ASSURED, "tpr@fpr<=0.2 assured 0.99 by sex >= 0.1", "allow"),
    ],
)
def test_rules_that_cannot_be_judged_are_refused(result, rule, said):
    with pytest.raises(UsageError, match=said):
        judged(rule, result)
    if result is ASSURED:
        assert judged(rule.replace(" by region", "").replace(" by sex", ""), result)


def test_no_slice_passes_for_want_of_a_value_and_a_plan_is_about_none():
    with pytest.raises(UsageError, match="cannot be 'pass' beside by"):
        GateRule("auc", ">=", 0.5, by="region", on_undefined="pass")
    found = judged("precision@threshold=2 by region >= 0.2")
    assert {(verdict.outcome, verdict.is_without_value) for verdict in found} == {("inconclusive", True)}
    with pytest.raises(UsageError, match="about one set of cases"):
        rocconf.plan("auc by region >= 0.8", auc=0.9, prevalence=0.2)


def test_models_that_agree_in_a_slice_leave_its_rule_open():
    south = CASES.groups[0].places == CASES.groups[0].names.index("south")
    new = np.where(south, CASES.scores["old"], CASES.scores["new"])
    twins = Predictions(CASES.labels, {"old": CASES.scores["old"], "new": new}, groups=CASES.groups)
    result, rule = rocconf.compare_slices(twins, baseline="old"), "delta_auc by region >= -0.5"
    assert outcomes_of(judged(rule, result)) == {"north": "pass", "south": "inconclusive", "": "pass"}
    assert overall(judged(rule, result, allow_identical=True)) == "pass"
