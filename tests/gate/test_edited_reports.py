"""A report that was edited is refused, or has the verdicts it had: only rules about what was drawn can change.

Every leaf of a genuine report of each command is nudged, replaced, emptied, spelled as text and removed, one at a time;
`make test` takes every sixty-first of these edits.
"""

import copy
import json
from dataclasses import replace
from functools import cache, partial
from itertools import islice

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.answer import Answer
from rocconf.bins import Ends, Thresholds
from rocconf.compute.compare import compare_aucs, whole_numbers_of
from rocconf.errors import RocconfError
from rocconf.gate import judge_reports, judge_results, overall, parse_gate_rule
from rocconf.gate.apply_rules import judge_rule
from rocconf.gate.consistency import require_consistent
from rocconf.gate.saved_model import SavedModel
from rocconf.read import Input, baseline_of, read_report

CASES = rocconf.read_predictions(SAMPLE_DATA / "dis.csv", score=["S", "F"])
COUNTS = {counts.model: counts for counts in rocconf.count_each(CASES)}
FLU, OTHER = (
    rocconf.count(rocconf.read_predictions(SAMPLE_DATA / f"{name}.csv")) for name in ("flu", "flu_population")
)
YEAR = rocconf.read_predictions(SAMPLE_DATA / "flu_year.csv", time="day")
AT = ("threshold=0.2", "youden", "fpr<=0.1")
PAIRS = rocconf.records.Grouping.of("pair", [place // 2 for place in range(len(CASES))])
CLUSTERED = replace(CASES, clusters=PAIRS)
BINNING = Thresholds(np.union1d([0.2, 0.3], COUNTS["F"].scores[::9]))
BINNED = COUNTS["F"].within(Ends(*map(np.unique, BINNING.ends(COUNTS["F"].scores))))
FIRST = rocconf.count(CASES.where(np.arange(len(CASES)) < 1500), "S")
WINE = rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar")


def reported():
    """Return the earlier model of a report."""
    text = json.dumps(Answer((rocconf.sweep(FIRST, at=AT[:1]),), (), None, 0).to_dict())
    return baseline_of(read_report(Input("old.json", None, text.encode()), newest=2, role="baseline"), None)


RUNS = {
    "sweep": (
        lambda: rocconf.sweep(COUNTS["F"], at=AT, max_fpr=0.2, cost="1:20", calibrated=True),
        ("tpr@threshold=0.3 >= 0.2",),
    ),
    "sweep of bins": (lambda: rocconf.sweep(BINNED, at=AT, max_fpr=0.2), ("tpr@threshold=0.3 >= 0.2",)),
    "tango": (lambda: rocconf.tango(COUNTS["F"], bootstrap=60, margin=0.1), ("cauc >= 0.001",)),
    "chi2-contours": (
        lambda: rocconf.chi2_contours(COUNTS["F"], at=AT, permutations=99, cost="1:20:0.1"),
        ("max_chi2_p <= 0.05",),
    ),
    "sensibility": (
        lambda: rocconf.sensibility(FLU, reference=OTHER, permutations=99, bootstrap=60),
        ("drift_p > 0.02",),
    ),
    "stream": (
        lambda: rocconf.sensibility(
            rocconf.count(YEAR), reference=FLU, permutations=19, bootstrap=40, cases=YEAR, time="day", every=92
        ),
        ("drift_alarm == 0", "drift_alarm <= 2"),
    ),
    "compare": (
        lambda: rocconf.compare(
            CASES, baseline="S", at=AT[:2], bootstrap=60, max_fpr=0.2, margin=0.05, cost="1:20", calibrated=True
        ),
        (
            "delta_cost@threshold=0.2 <= 0.1",
            "delta_brier <= 0.01",
            "delta_auc >= -0.2",
            "delta_tpr@threshold=0.2 >= -0.6",
            "delta_cauc >= -0.5",
        ),
    ),
    "sweep of clusters": (
        lambda: rocconf.sweep(rocconf.count(CLUSTERED, "F"), at=AT, intervals=True),
        ("tpr@threshold=0.2 >= 0.2", "specificity@threshold=0.2 >= 0.5"),
    ),
    "tango of clusters": (lambda: rocconf.tango(rocconf.count(CLUSTERED, "F"), margin=0.1), ("auc >= 0.6",)),
    "compare of clusters": (
        lambda: rocconf.compare(CLUSTERED, baseline="S", at=AT[:2], margin=0.05),
        ("delta_auc >= -0.2", "delta_tpr@threshold=0.2 >= -0.6", "delta_accuracy@threshold=0.2 >= 0"),
    ),
    "compare of different cases": (
        lambda: rocconf.compare([COUNTS["F"], FIRST], baseline="S", at=AT[:2], margin=0.05),
        ("delta_auc >= -0.6", "delta_tpr@threshold=0.2 >= -0.9", "delta_accuracy@threshold=0.2 >= 0"),
    ),
    "compare against a report": (
        lambda: rocconf.compare([COUNTS["F"]], reported=reported(), at=AT[:1]),
        ("delta_auc >= -0.6", "delta_tpr@threshold=0.2 >= -0.9", "delta_accuracy@threshold=0.2 >= 0"),
    ),
    "compare-auc": (
        lambda: compare_aucs(whole_numbers_of(CASES), baseline="S", margin=0.05),
        ("delta_auc >= -0.2", "delta_auc >= 0.1"),
    ),
    "one-vs-rest": (
        lambda: rocconf.one_vs_rest(WINE, baseline="tree", margin=0.05),
        (
            *("macro_auc >= 0.85", "hand_till.point >= 0.5", "delta_auc >= -0.2", "delta_weighted_auc >= 0.05"),
            *("delta_macro_auc >= 0", "delta_hand_till >= 0", "delta_hand_till_weighted >= 0"),
        ),
    ),
}
SPARSER = {
    "one-vs-rest": 5,
    "compare of different cases": 3,
    "compare against a report": 3,
    "compare": 5,
    "sweep of clusters": 40,
    "compare of clusters": 60,
    "tango of clusters": 3,
}
"""How many times fewer edits are made of a report that has many numbers."""

CARRIED = ("auc >= 0.55", "auc >= 0.8", "positives >= 13", "prevalence <= 0.9", "auc.point >= 0.5")


def carried_by(command):
    """Return the rules that a report carries; the prevalence of clustered cases has no interval."""
    return tuple(rule for rule in CARRIED if not ("clusters" in command and rule.startswith("prevalence")))


DRAWN = {
    *("brier", "log_loss", "mcb", "dsc"),
    *("average_precision", "partial_auc", "thresholds", "midpoint", "confident_points", "equivalent_points"),
    *("threshold_low", "threshold_high", "equivalent_threshold_low", "equivalent_threshold_high", "max_chi2_threshold"),
    *("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs", "struggle_ratio", "max_chi2_p"),
}
"""The metrics that cannot be computed again from a report: an edit of one may change rules about it, and no others."""

pytestmark = pytest.mark.usefixtures("few_replicates")


def rules_of(command):
    """Give rules about every metric, with limits on all sides of its value."""
    kind = type(result_of(command)[0])
    whole = [
        "n",
        "positives",
        "negatives",
        "prevalence",
        "auc",
        *(metric.name for metric in (*kind.metrics, *kind.average_metrics)),
    ]
    rules = [
        f"{metric}{point} >= {limit}"
        for metric in whole
        for point in ("", ".point")
        for limit in (-0.01, 0.02, 0.3, 0.7)
    ]
    analysis = command.partition(" ")[0]
    if analysis in ("sweep", "chi2-contours", "compare"):
        rates = ("tp", "threshold", "tpr", "fpr", "precision", "accuracy", "diff", "cost")
        rules += [f"{rate}@{at} >= {limit}" for rate in rates for at in AT[:2] for limit in (0.01, 0.3)]
    if analysis == "compare":
        rules += [
            f"delta_{rate}@{AT[0]} >= {limit}"
            for rate in ("tpr", "accuracy", "cost", "net_benefit")
            for limit in (-0.5, -0.01)
        ]
    return tuple(map(parse_gate_rule, (*rules, "positives == 13", *carried_by(command))))


@cache
def result_of(command):
    """Analyse, and judge the rules that the report then carries."""
    result = RUNS[command][0]()
    carried = [parse_gate_rule(rule) for rule in (*carried_by(command), *RUNS[command][1])]
    return result, judge_results(carried, [result], choose_on={})


@cache
def text_of(command):
    result, verdicts = result_of(command)
    outcome = overall(verdicts)
    record = Answer(
        (result,), tuple(each.to_dict() for each in verdicts), outcome, {"pass": 0, "fail": 1}.get(outcome, 3)
    )
    told = record.to_dict()
    told["tables"].pop("contours", None)  # which no rule can be about
    told["tables"].pop("hull", None)
    return json.dumps(told)


def read(command, text):
    """Return the report of a text, or None if it is refused."""
    kind = type(result_of(command)[0])
    try:
        report = read_report(Input("a.json", None, text.encode()), newest=2)
        require_consistent(report, kind)
    except RocconfError:
        return None
    return report


def verdicts_of(command, report):
    """Return the verdict of each rule on each model, and of the rules that the report carries, by their metric."""
    kind = type(result_of(command)[0])
    carried = judge_reports([report], [()], [kind], allow_in_sample=False, asked={}).verdicts[0]
    found = {("carried", at): (verdict.rule.metric, verdict.outcome) for at, verdict in enumerate(carried)}
    for rule in rules_of(command):
        for model in report.units:
            try:
                said = judge_rule(rule, SavedModel(report, model, kind, rule)).outcome
            except RocconfError:
                said = "refused"
            found[rule.text, model] = (rule.metric, said)
    return found


def leaves(record, path=()):
    if isinstance(record, dict | list) and record:
        for key, value in record.items() if isinstance(record, dict) else enumerate(record):
            yield from leaves(value, (*path, key))
    elif path[0] not in ("tool", "caveats", "undefined") and path[-1] not in ("message", "reason", "sha256", "name"):
        yield path, record


def edits(value):
    """Give what a careless hand or a script makes of a value."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int | float):
        return [value * 1.001 + 1e-6, value + 1, -value - 0.01, 0.5, 5, None, str(value), "inf", not value]
    if isinstance(value, str):
        return [f"{value}x", None, 1]
    return [0.5, 1, "x", True] if value is None else [[1], None]


def edits_of(record):
    """Yield every edit of a report: the path of a value, the value, and what makes the edit of a report and a path."""
    for path, value in leaves(record):
        for each in edits(value):
            yield path, value, partial(edited, value=each)
        yield path, value, without


def edited(record, path, value):
    changed = copy.deepcopy(record)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(changed)


def without(record, path):
    changed = copy.deepcopy(record)
    place = changed
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return json.dumps(changed)


def about_what_was_drawn(metric):
    return metric.removeprefix("delta_") in DRAWN


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("command", RUNS)
def test_an_edited_report_is_refused_or_has_the_verdicts_it_had(command, step):
    record, genuine = json.loads(text_of(command)), read(command, text_of(command))
    expected = verdicts_of(command, genuine)
    assert {"pass", "fail", "inconclusive"} <= {said for _, said in expected.values()}
    refused = 0
    step *= SPARSER.get(command, 1)
    for path, value, edit in islice(edits_of(record), 0, None, step):
        report = read(command, edit(record, path))
        refused += report is None
        if report is None:
            continue
        try:
            found = verdicts_of(command, report)
        except RocconfError:  # it lacks the evidence for a rule that it carries
            continue
        for rule, (metric, said) in found.items():
            # a rule that the edited report lacks the evidence for ends with 2 too
            assert said in (expected[rule][1], "refused") or about_what_was_drawn(metric), (path, value, rule)
    assert refused > 500 / step


def changed(command, change):
    """Return the report that a change leaves."""
    record = json.loads(text_of(command))
    change(record)
    return json.dumps(record)


def refusal(command, change):
    """Return why a changed report is refused, when it is read or as it contradicts itself."""
    try:
        report = read_report(Input("a.json", None, changed(command, change).encode()), newest=2)
        require_consistent(report, type(result_of(command)[0]))
    except RocconfError as error:
        return str(error)
    return "not at all"


@pytest.mark.parametrize("table", ["models", "pairs", "numbers"])
def test_no_table_of_a_comparison_by_whole_numbers_can_be_that_of_other_cases(table):
    scores = {"S": CASES.scores["S"], "F": CASES.scores["F"] + CASES.labels}
    other = compare_aucs(whole_numbers_of(replace(CASES, scores=scores)), baseline="S", margin=0.05).to_dict()

    def exchange(record):
        record["tables"][table] = other["tables"][table]

    assert refusal("compare-auc", exchange).startswith("a.json: ")


def set_everywhere(record, **values):
    """Change the model of a report of one model, and the summary that repeats it."""
    record["tables"]["models"][0] |= values
    record["summary"] = dict(record["tables"]["models"][0])


def swap_names(rows):
    first, second = rows[:2]
    first["model"], second["model"] = second["model"], first["model"]


@pytest.mark.parametrize(
    ("command", "change", "said"),
    [
        (
            "sweep",
            lambda r: set_everywhere(r, auc=5, auc_lower=4, auc_upper=6),
            "models[0]: auc must be in [0, 1], not 5",
        ),
        (
            "sweep",
            lambda r: set_everywhere(r, auc_lower=0.8),
            "models[0]: auc_lower is 0.8, but by the rest of the report",
        ),
        ("sweep", lambda r: set_everywhere(r, auc_se=0.9), "models[0]: auc_se must be in ["),
        ("sweep", lambda r: set_everywhere(r, auc_df=1e6), "models[0]: auc_df must be in ["),
        ("sweep", lambda r: set_everywhere(r, auc_df=None), "models[0]: auc_df must be in ["),
        ("sweep", lambda r: set_everywhere(r, prevalence=0.5), "models[0]: prevalence is 0.5, but by the rest"),
        (
            "sweep",
            lambda r: r["summary"].update(auc=0.9),
            "summary: auc is 0.9, but by the rest of the report it is 0.8",
        ),
        ("sweep", lambda r: r["gates"][0].update(verdict="fail"), "gates[0]: verdict is 'fail', but by the rest"),
        ("sweep", lambda r: r["gates"][0].update(judged_on="value", lower=None, upper=None), "gates[0]: judged_on is"),
        ("sweep", lambda r: r["gates"][0].update(value=0.99), "gates[0]: value is 0.99, above upper, which is"),
        ("sweep", lambda r: r["gates"][0].update(value=True), "gates[0]: value must be a number, not True"),
        ("sweep", lambda r: r.update(verdict="pass"), "report: verdict is 'pass', but by the rest of the report"),
        (
            "sweep",
            lambda r: r["inputs"][0].update(n=999),
            "inputs[0]: n is 999, but by the rest of the report it is 972",
        ),
        (
            "sweep",
            lambda r: r["inputs"].append({**r["inputs"][0], "role": "choose_on", "sha256": r["inputs"][0]["sha256"]}),
            "inputs[1]: sha256 must be that of other cases than those judged",
        ),
        (
            "sweep",
            lambda r: r["inputs"].append({**r["inputs"][0], "role": "choose_on", "sha256": None}),
            "inputs[1]: sha256 must be that of other cases than those judged",
        ),
        (
            "sweep",
            lambda r: r["undefined"].append({"table": "models", "row": 0, "key": "auc", "reason": "?"}),
            "models[0]: auc",
        ),
        (
            "sweep",
            lambda r: r["tables"]["operating_points"][1].update(in_sample=False),
            "operating_points[1]: in_sample is",
        ),
        (
            "sweep",
            lambda r: r["tables"]["operating_points"].append(r["tables"]["operating_points"][1]),
            "operating_points: th",
        ),
        ("sweep", lambda r: r["tables"]["operating_points"][0].update(tp=4, fn=9), "operating_points[0]: tpr is"),
        ("tango", lambda r: set_everywhere(r, cauc=0.4), "models[0]: cauc"),
        (
            "tango",
            lambda r: set_everywhere(r, cauc_lower=0.9),
            "models[0]: cauc_lower is 0.9, above cauc_upper, which is",
        ),
        (
            "sensibility",
            lambda r: set_everywhere(r, drift_p=0.5),
            "models[0]: drift_p is 0.5, but by the rest of the report",
        ),
        ("stream", lambda r: set_everywhere(r, drift_alarm=0), "models[0]: drift_alarm is 0, but by the rest"),
        ("stream", lambda r: set_everywhere(r, drift_alarm=None), "models[0]: drift_alarm"),
        (
            "stream",
            lambda r: r["tables"]["martingales"][2].update(log10_peak=1.0),
            "martingales[2]: log10_peak is 1.0, but by the rest of the report",
        ),
        (
            "stream",
            lambda r: [row.update(log10_peak_labels=1.0) for row in r["tables"]["windows"]],
            "martingales[2]: log10_peak is ",
        ),
        (
            "stream",
            lambda r: r["tables"]["windows"][1].update(log10_peak_labels=90.0),
            "windows[1]: log10_peak_labels must be at most",
        ),
        ("stream", lambda r: r["tables"]["martingales"].pop(), "martingales: stream is"),
        ("stream", lambda r: r["tables"]["martingales"][1].update(alarm=False), "martingales[1]: alarm is False"),
        ("stream", lambda r: r["tables"]["martingales"][1].update(can_alarm=False), "martingales[1]: can_alarm is"),
        ("stream", lambda r: r["tables"]["martingales"][1].update(log10_alarm=9), "martingales[1]: log10_alarm is 9"),
        (
            "stream",
            lambda r: r["tables"]["martingales"][1].update(alarm_at="2025-01-02"),
            "martingales[1]: alarm_at must be from 2025-07-",
        ),
        (
            "stream",
            lambda r: r["tables"]["martingales"][1].update(alarm_window="2025-01-01"),
            "martingales[1]: alarm_window is",
        ),
        ("stream", lambda r: r["tables"]["windows"][3].update(alarms="none"), "windows[3]: alarms is 'none'"),
        ("stream", lambda r: r["tables"]["windows"].pop(), "windows: n is 1400, but"),
        ("stream", lambda r: r["tables"]["windows"][0].update(end="2025-05-01"), "windows[1]: start is"),
        ("stream", lambda r: r["tables"]["windows"][0].update(auc=0.9), "windows[0]: auc"),
        ("stream", lambda r: r["tables"]["windows"][0].update(auc_upper=0.99), "windows[0]: auc_upper is 0.99"),
        ("stream", lambda r: r["tables"]["windows"][0].update(struggle_ratio=0.1), "windows[0]: struggle_ratio is"),
        ("stream", lambda r: r["options"].update(time=None), "options: time is"),
        ("compare", lambda r: swap_names(r["tables"]["models"]), "rows"),
        ("compare", lambda r: swap_names(r["tables"]["operating_points"][2:4]), "operating_points: those of"),
        ("compare", lambda r: r["tables"]["pairs"].append(r["tables"]["pairs"][0]), "pairs[25]: "),
        ("compare", lambda r: r["tables"]["pairs"][0].update(difference=0.5), "pairs[0]: difference is 0.5"),
        ("compare", lambda r: r["tables"]["pairs"][0].update(difference_lower=0.0), "pairs[0]: difference_"),
        (
            "one-vs-rest",
            lambda r: r["tables"]["class_pairs"][1].update(auc_of_other=0.5),
            "class_pairs[1]: auc is",
        ),
        ("one-vs-rest", lambda r: r["rows"][8].update(value=0.99), "rows[8]: value is 0.99, but by the rest"),
        ("one-vs-rest", lambda r: r["rows"][8].update(lower=0.8), "rows[8]: lower is 0.8, but by the rest"),
        ("one-vs-rest", lambda r: r["rows"][8].update(se=2.0), "rows[8]: se must be in (0, "),
        ("one-vs-rest", lambda r: r["rows"][8].update(df=1.0), "rows[8]: df must be in [47, "),
        ("one-vs-rest", lambda r: r["rows"].pop(), "rows"),
        ("one-vs-rest", lambda r: r["tables"]["models"].pop(0), "models is"),
        ("one-vs-rest", lambda r: r["tables"]["pairs"].pop(), "pairs"),
        ("one-vs-rest", lambda r: r["tables"]["pairs"][3].update(difference=0.5), "pairs[3]: difference is 0.5"),
        ("one-vs-rest", lambda r: r["tables"]["pairs"][3].update(baseline="bayes"), "pairs[3]: baseline is 'bayes'"),
        (
            "one-vs-rest",
            lambda r: r["tables"]["pairs"][4].update(difference_lower=0.0766),
            "pairs[4]: difference_lower",
        ),
        ("one-vs-rest", lambda r: r["options"].update(classes=["a", "b", "c"]), "models"),
        ("one-vs-rest", lambda r: r["inputs"][0].update(negatives=1, n=179), "inputs[0]: n is 179"),
        ("compare", lambda r: r["options"].update(baseline="F"), "pairs[0]: baseline is 'S', but by the rest"),
    ],
)
def test_a_contradiction_is_told_with_its_place(command, change, said):
    assert said in refusal(command, change)


def test_the_layout_of_a_report_is_free():
    """Whoever merges or prints a report anew, with jq or by hand, keeps its numbers."""
    record = json.loads(text_of("compare"))
    again = json.dumps(dict(sorted(record.items())), indent=4)
    assert read("compare", again) is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda r: [row.update(test="delong") for row in r["tables"]["pairs"] if row["metric"] == "auc"],
        lambda r: [row.update(test="delong") for row in r["tables"]["pairs"]],
        lambda r: r.update(caveats=[]),
        lambda r: [gate.update(codes=[], verdict="pass") for gate in r["gates"]],
    ],
    ids=["the test of a pair", "the tests of all pairs", "the warnings", "the verdicts"],
)
def test_a_model_that_was_compared_with_itself_stays_one(change):
    twin = rocconf.Predictions(CASES.labels, {"old": CASES.scores["F"], "new": CASES.scores["F"]})
    result = rocconf.compare(twin, baseline="old")
    verdicts = judge_results([parse_gate_rule("delta_auc >= -0.01")], [result], choose_on={})
    told = Answer((result,), tuple(each.to_dict() for each in verdicts), overall(verdicts), 3).to_dict()
    kind = rocconf.Comparison
    require_consistent(read_report(Input("a.json", None, json.dumps(told).encode()), newest=2), kind)
    change(told)
    with pytest.raises(RocconfError):
        require_consistent(read_report(Input("a.json", None, json.dumps(told).encode()), newest=2), kind)
