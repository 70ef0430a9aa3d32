"""Rules about every slice: the worst slice decides, the level holds over all, and no slice is left out."""

import json
from functools import cache

import numpy as np
import pytest

import rocconf
from rocconf.answer import Answer
from rocconf.compute.roc.auc import auc
from rocconf.errors import RocconfError, UsageError
from rocconf.gate import STATUS, GateRule, judge_reports, judge_results, overall, parse_gate_rule
from rocconf.read import Input, read_report
from rocconf.records import Grouping, Predictions

N = 700
RULES = (
    *(
        "auc by region >= 0.6",
        "auc by region >= 0.75",
        "tpr@threshold=1 by region >= 0.1",
        "fpr@threshold=1 by region <= 0.5",
    ),
    *("average_precision by region >= 0.2", "precision@threshold=2 by region >= 0.9", "auc by sex >= 0.7"),
    *("auc.point by region >= 0.5", "positives by sex >= 20"),
)
DIFFERENCES = (
    *("delta_auc by region >= -0.3", "delta_auc by sex >= -0.05", "delta_tpr@threshold=1 by sex >= -0.2"),
    *("delta_accuracy@threshold=1 by region >= -0.5", "auc[new] by sex >= 0.5"),
)


def cases(*, small=0, one_class=False, seed=2):
    """Return cases of three regions, one of which may be small, and another of one class."""
    random = np.random.default_rng(seed)
    region = random.choice(["north", "south", ""], N).astype(object)
    region[:small] = "small"
    labels = random.random(N) < 0.4
    if one_class:
        region[-20:], labels[-20:] = "healthy", False
    old = np.round(1 / (1 + np.exp(-(random.normal(size=N) + 2 * labels))), 3) * 2
    new = np.round(np.clip(old + 0.1 * random.normal(size=N), 0, 2), 3)
    groups = (Grouping.of("region", region), Grouping.of("sex", random.choice(["f", "m"], N)))
    return Predictions(labels, {"old": old / 2, "new": new / 2}, groups=groups)


def at_half(rules):
    """Return rules for scores in [0, 1]."""
    return [rule.replace("threshold=1", "threshold=0.5").replace("threshold=2", "threshold=0.9") for rule in rules]


@cache
def run(*, small=0, one_class=False, compares=False):
    found = cases(small=small, one_class=one_class)
    if compares:
        return rocconf.compare_slices(found, baseline="old", at=["threshold=0.5"])
    return rocconf.sweep_slices(found, "new", at="threshold=0.5")


def judged(rule, result):
    return rocconf.judge(result, rule)


def test_there_is_a_verdict_for_every_slice_and_the_worst_one_decides():
    values = sorted(each.result.auc.value for each in run().slices if each.by == "region")
    found = judged(f"auc by region >= {(values[0] + values[-1]) / 2 - 0.035:.3f}", run())
    assert [verdict.part.value for verdict in found] == ["north", "south", ""]
    outcomes = [verdict.outcome for verdict in found]
    assert len(set(outcomes)) > 1
    assert overall(found) == max(outcomes, key=("pass", "inconclusive", "fail").index)


def test_every_slice_is_judged_at_the_level_of_one_of_all():
    result = run()
    for verdict, part in zip(judged("auc by region >= 0.6", result), result.slices, strict=False):
        level = 1 - 0.05 / 3
        assert verdict.level == pytest.approx(level, abs=1e-15)
        expected = auc(part.result.counts, level=verdict.level)
        assert verdict.measure.interval == expected.interval
        assert verdict.to_dict()["rule_level"] == 0.95
        assert "95% over 3 slices" in verdict.message


def test_a_level_of_the_rule_is_that_over_all_slices():
    (found, *_) = judged(GateRule("auc", ">=", 0.6, level=0.9, by="sex"), run())
    assert found.level == pytest.approx(0.95, abs=1e-15)


def test_undecided_slices_leave_the_rule_open_and_do_not_count():
    found = judged("auc by region >= 0.55", run(small=12, one_class=True))
    outcomes = {verdict.part.value: verdict.outcome for verdict in found}
    assert outcomes == {
        "north": "pass",
        "south": "pass",
        "": "pass",
        "small": "inconclusive",
        "healthy": "inconclusive",
    }
    assert {verdict.part.slices for verdict in found} == {3}
    assert [verdict.level for verdict in found] == pytest.approx([1 - 0.05 / 3] * len(found))
    small = next(verdict for verdict in found if verdict.part.value == "small")
    assert "region=small is not judged (fewer than 10 cases of a class: " in small.message
    assert overall(found) == "inconclusive"


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
    record = Answer((result,), tuple(each.to_dict() for each in verdicts), "inconclusive", 3).to_dict()
    for asked in ([], rules):
        assert [each.outcome for each in again(json.dumps(record), *asked)] == [each.outcome for each in verdicts]


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


def test_no_decided_slice_leaves_the_rule_open():
    result = rocconf.sweep_slices(cases(), "new", by="region", min_cases=N)
    found = judged("auc by region >= 0.55", result)
    assert {verdict.outcome for verdict in found} == {"inconclusive"}


def test_a_slice_is_judged_at_the_threshold_of_the_whole_only_if_that_is_allowed():
    result = rocconf.sweep_slices(cases(), "new", by="region", at="youden")
    with pytest.raises(UsageError, match="allow"):
        judged("tpr@youden by region >= 0.1", result)
    found = rocconf.judge(result, "tpr@youden by region >= 0.1", allow_in_sample=True)
    assert {(verdict.measure.at.threshold, verdict.measure.at.in_sample) for verdict in found} == {
        (result.points[0].threshold, True)
    }
    chosen = rocconf.count(cases(seed=8), "new")
    found = rocconf.judge(result, "tpr@youden by region >= 0.1", choose_on={"new": chosen})
    own = rocconf.sweep(chosen, at="youden").points[0].threshold
    assert {(verdict.measure.at.threshold, verdict.measure.at.in_sample) for verdict in found} == {(own, False)}


@pytest.mark.parametrize(
    "rule", ["fpr@fpr<=0.2 assured 0.99 by region <= 0.2", "tpr@fpr<=0.2 assured 0.99 by sex >= 0.1"]
)
def test_a_promise_is_about_all_cases_and_not_about_a_slice(rule):
    result = rocconf.sweep_slices(cases(), "new", at="fpr<=0.2", assurance=0.99)
    covered = rule.replace(" by region", "").replace(" by sex", "")
    assert rocconf.judge(result, covered)
    with pytest.raises(UsageError, match="allow"):
        judged(rule, result)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("auc by age >= 0.6", "not divided by age"),
        ("thresholds by region >= 5", "no interval at the level of a single slice"),
        ("mcb by region <= 0.5", "mcb needs calibrated=True"),
        ("auc by region >= 1.5", "lies in"),
        ("auc by  >= 0.5", "auc by"),
        ("tpr by region@threshold=0.5 >= 0.1", "'tpr@threshold=0.5 by region >= 0.8'"),
    ],
)
def test_rules_that_cannot_be_judged_are_refused(rule, said):
    with pytest.raises(UsageError, match=said):
        judged(rule, run())


@pytest.mark.parametrize("rule", ["cauc by region >= 0.1", "delta_cauc by sex >= -0.1", "confident_points by sex >= 1"])
def test_measures_that_are_drawn_are_refused(rule):
    with pytest.raises(UsageError, match="no interval at the level of a single slice"):
        judged(rule, run(compares=True))


def test_commands_without_slices_refuse_them():
    counts = rocconf.count(cases(), "new")
    with pytest.raises(UsageError, match="tango has no slices"):
        judged("auc by region >= 0.6", rocconf.tango(counts))
    with pytest.raises(UsageError, match="not divided by region"):
        judged("auc by region >= 0.6", rocconf.sweep(counts))


def test_no_slice_passes_for_want_of_a_value():
    with pytest.raises(UsageError, match="cannot be 'pass' beside by"):
        GateRule("auc", ">=", 0.5, by="region", on_undefined="pass")
    found = judged("precision@threshold=1 by region >= 0.2", rocconf.sweep_slices(cases(), "new", at="threshold=1"))
    assert {verdict.outcome for verdict in found if verdict.is_without_value} <= {"inconclusive"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("auc by region >= 0.8", ("auc", None, None, "region")),
        ("auc[a by b] by my region >= 0.8", ("auc", "a by b", None, "my region")),
        ("auc[a by b] >= 0.8", ("auc", "a by b", None, None)),
        ("tpr[m]@fpr<=0.1   by  region>=0.8", ("tpr", "m", "fpr<=0.1", "region")),
        ("auc.point by region > 0.8", ("auc", None, None, "region")),
    ],
)
def test_the_column_stands_last(text, parts):
    rule = parse_gate_rule(text)
    assert (rule.metric, rule.model, rule.at, rule.by) == parts
    assert parse_gate_rule(rule.text) == GateRule(**{name: getattr(rule, name) for name in SLOTS} | {"name": rule.text})


SLOTS = GateRule.__slots__


def test_models_that_agree_in_a_slice_leave_its_rule_open():
    found = cases()
    south = found.groups[0].places == found.groups[0].names.index("south")
    new = np.where(south, found.scores["old"], found.scores["new"])
    twins = Predictions(found.labels, {"old": found.scores["old"], "new": new}, groups=found.groups)
    verdicts = judged("delta_auc by region >= -0.5", rocconf.compare_slices(twins, baseline="old"))
    assert {verdict.part.value: verdict.outcome for verdict in verdicts} == {
        "north": "pass",
        "south": "inconclusive",
        "": "pass",
    }
    assert (
        overall(
            rocconf.judge(
                rocconf.compare_slices(twins, baseline="old"), "delta_auc by region >= -0.5", allow_identical=True
            )
        )
        == "pass"
    )


# saved reports


@cache
def saved(*, compares=False, small=0, rules=None):
    result = run(compares=compares, small=small, one_class=small > 0)
    given = rules or tuple(at_half(DIFFERENCES if compares else RULES))
    verdicts = judge_results([parse_gate_rule(rule) for rule in given], [result], choose_on={})
    outcome = overall(verdicts)
    return json.dumps(Answer((result,), tuple(each.to_dict() for each in verdicts), outcome, STATUS[outcome]).to_dict())


def report_of(text):
    return read_report(Input("a.json", None, text.encode()))


def kind_of(report):
    return {"sweep": rocconf.Sweep, "compare": rocconf.Comparison}[report.command]


def again(text, *rules):
    report = report_of(text)
    asked = [parse_gate_rule(rule) for rule in rules]
    return judge_reports([report], [asked], [kind_of(report)], allow_in_sample=False, asked={}).verdicts[0]


@pytest.mark.parametrize("small", [0, 12])
@pytest.mark.parametrize("compares", [False, True])
def test_a_saved_report_has_the_verdicts_of_its_run(compares, small):
    text = saved(compares=compares, small=small)
    expected = [
        (gate["name"], gate["slice"], gate["verdict"], gate["lower"], gate["level"])
        for gate in json.loads(text)["gates"]
    ]
    found = [each.to_dict() for each in again(text)]
    assert [(gate["name"], gate["slice"], gate["verdict"], gate["lower"], gate["level"]) for gate in found] == expected


@pytest.mark.parametrize("rule", at_half(RULES))
def test_a_rule_is_judged_on_a_report_as_on_its_result(rule):
    text = saved() if "0.9" in rule else saved(rules=("auc >= 0.5",))
    live = [verdict.to_dict() for verdict in judged(rule, run())]
    found = [verdict.to_dict() for verdict in again(text, rule)]
    for one, other in zip(live, found, strict=True):
        same = ("slice", "verdict", "slices", "level", "n", "positives")
        assert {key: one[key] for key in same} == {key: other[key] for key in same}
        for key in ("value", "lower", "upper"):
            assert (one[key] is None) == (other[key] is None)
            assert one[key] is None or one[key] == pytest.approx(other[key], rel=1e-9)


@pytest.mark.parametrize("compares", [False, True])
def test_a_report_without_slices_cannot_tell(compares):
    result = run(compares=compares)
    found = cases()
    plain = (
        rocconf.compare(found, baseline="old", at=["threshold=0.5"])
        if compares
        else rocconf.sweep(rocconf.count(found, "new"), at="threshold=0.5")
    )
    assert type(plain) is type(result)
    with pytest.raises(RocconfError, match=r"not divided by region: run .*--by region"):
        again(json.dumps(Answer((plain,)).to_dict()), "auc by region >= 0.5")


def test_a_difference_that_the_run_did_not_have_needs_the_run():
    with pytest.raises(RocconfError, match=r"--by region --require 'delta_average_precision by region >= -0\.5'"):
        again(saved(compares=True), "delta_average_precision by region >= -0.5")


def without_slice(record):
    for unit in record["evidence"]:
        unit["slices"] = [each for each in unit["slices"] if each["value"] != "south"]
    record["gates"] = [gate for gate in record["gates"] if gate["slice"] != "south"]


def without_evidence(record):
    for unit in record["evidence"]:
        unit["slices"][0]["evidence"] = None


@pytest.mark.parametrize("change", [without_slice, without_evidence])
def test_a_report_without_one_of_its_slices_is_refused(change):
    record = json.loads(saved())
    change(record)
    with pytest.raises(RocconfError, match="changed since"):
        again(json.dumps(record))


def test_the_verdict_on_all_cases_is_not_that_on_a_slice_of_the_same_level():
    text = saved(rules=("auc by sex >= 0.7",))
    (whole,) = again(text, "auc >= 0.7")
    assert whole.measure.n == N
    rule = GateRule("auc", ">=", 0.7, level=0.975)
    report = report_of(text)
    ((whole,),) = judge_reports([report], [[rule]], [rocconf.Sweep], allow_in_sample=False, asked={}).verdicts
    assert whole.measure.n == N


def test_a_plan_is_not_about_every_slice():
    with pytest.raises(UsageError, match="about one set of cases"):
        rocconf.plan("auc by region >= 0.8", auc=0.9, prevalence=0.2)
