"""A report that was changed after it was written is refused, and one that was only formatted anew is not.

Every leaf of a genuine report of each command is changed, emptied, spelled as text, swapped and removed, one at a time;
`make test` takes some of these edits.
"""

import copy
import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, whole_numbers_of

import rocconf
from rocconf.answer import Answer
from rocconf.bins import Ends, Thresholds
from rocconf.compute.compare import compare_aucs
from rocconf.errors import InputError
from rocconf.gate import judge_reports, judge_results, overall, parse_gate_rule
from rocconf.read import Input, baseline_of, read_report
from rocconf.seal import EMBEDDED, HAVE_THRESHOLDS, digest_of

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
    return baseline_of(read_report(Input("old.json", None, text.encode()), role="baseline"))


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
OTHER_BLOCK = '<script id="report" type="application/json">{}</script>'

CARRIED = ("auc >= 0.55", "auc >= 0.8", "positives >= 13", "prevalence <= 0.9", "auc.point >= 0.5")

pytestmark = pytest.mark.usefixtures("few_replicates")


@cache
def result_of(command):
    """Analyse, and judge the rules that the report then carries."""
    result = RUNS[command][0]()
    carried = [parse_gate_rule(rule) for rule in (*CARRIED, *RUNS[command][1])]
    return result, judge_results(carried, [result], choose_on={})


@cache
def text_of(command):
    result, verdicts = result_of(command)
    status = {"pass": 0, "fail": 1}.get(overall(verdicts), 3)
    answer = Answer((result,), tuple(each.to_dict() for each in verdicts), overall(verdicts), status)
    return json.dumps(answer.to_dict())


def read(text):
    return read_report(
        Input("a.json", None, text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    )


def refusal(text):
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


def judged(command, text):
    """Return the verdicts of the rules that a report carries."""
    kind = type(result_of(command)[0])
    found = judge_reports([read(text)], [()], [kind], allow_in_sample=True, asked={})
    return [verdict.to_dict() for verdict in found.verdicts[0]]


def leaves(value, path=()):
    """Yield the path of every value without parts, and of every empty list and object."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not parts:
        yield path
    for key, each in parts:
        yield from leaves(each, (*path, key))


def other_values(value):
    """Give other values for a leaf: `...` removes it."""
    numbers = [value + 1, value * (1 + 1e-15) + 5e-324, -value - 1e9, str(value)] if type(value) in (int, float) else []
    flags = [not value, int(value)] if isinstance(value, bool) else []
    texts = [value + "x", value.upper() + " "] if isinstance(value, str) else []
    return [*numbers, *flags, *texts, None if value is not None else 0, [value], ...]


def changed(record, path, value):
    again = copy.copy(record)
    inner = again
    for key in path[:-1]:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return again


@pytest.mark.parametrize("most", [60, pytest.param(3000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("command", RUNS)
def test_every_changed_leaf_is_found(command, most):
    record = json.loads(text_of(command))
    assert read(json.dumps(record)).gates
    edits = [(path, value) for path in leaves(record) for value in (*other_values(at(record, path)), "swapped")]
    for path, value in edits[:: max(1, len(edits) // most)]:
        if value == "swapped":
            other = next((each for each in leaves(record) if at(record, each) not in (at(record, path), None)), path)
            edited = changed(changed(record, path, at(record, other)), other, at(record, path))
        else:
            edited = changed(record, path, value)
        assert digest_of(edited) != record["digest"] or edited.get("digest") != record["digest"], path
        with pytest.raises(InputError):
            read(json.dumps(edited))


def at(record, path):
    for key in path:
        record = record[key]
    return record


@pytest.mark.parametrize("command", RUNS)
def test_a_report_that_was_formatted_anew_has_its_verdicts(command):
    record = json.loads(text_of(command))
    expected = judged(command, text_of(command))
    assert [each["verdict"] for each in expected] == [verdict.outcome for verdict in result_of(command)[1]]
    for text in (
        json.dumps(turned(record), indent=4),
        json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        json.dumps(as_floats(record)),
        "\ufeff" + json.dumps(record),
        f"<!doctype html>\n{EMBEDDED}{json.dumps(record)}</script>",
    ):
        assert judged(command, text) == expected


def turned(value):
    """Return a value with the keys of all objects in another order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return list(map(turned, value)) if isinstance(value, list) else value


def as_floats(value):
    """Return a value with all numbers as floats."""
    if isinstance(value, dict):
        return {key: as_floats(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(as_floats, value))
    return float(value) if type(value) is int else value


@examples(300)
@given(st.data())
def test_bytes_that_change_are_found_or_mean_the_same(data):
    text = text_of("sweep").encode()
    place, size = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 6))
    piece = data.draw(st.binary(max_size=4) | st.sampled_from([b"0", b" ", b",", b"}", b"]", b'"', b"null", b"1e400"]))
    edited = text[:place] + piece + text[place + size :]
    try:
        saved = read(edited)
    except InputError:
        return
    assert digest_of(saved.record) == json.loads(text)["digest"]


def twice(key, value):
    """Return a report with a key that is there twice."""
    return text_of("sweep").replace(f'"{key}": ', f'"{key}": {value}, "{key}": ', 1)


MARK = '"exit_code": '


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lambda: "", "not valid JSON"),
        (lambda: "[]", "not a rocconf report"),
        (lambda: "null", "not a rocconf report"),
        (lambda: "[" * 100_000, "not valid JSON"),
        (lambda: "9" * 5000, "not valid JSON"),
        (lambda: text_of("sweep")[:-1], "not valid JSON"),
        (lambda: text_of("sweep") * 2, "not valid JSON"),
        (lambda: text_of("sweep") + "\n" + text_of("tango"), "not valid JSON"),
        (lambda: twice("gates", "[]"), "the key 'gates' stands there twice"),
        (lambda: twice("form", '"known"'), "the key 'form' stands there twice"),
        (lambda: twice("digest", '"0"'), "the key 'digest' stands there twice"),
        (lambda: text_of("sweep").replace(MARK, '"x": NaN, ' + MARK), "NaN is not a number"),
        (lambda: text_of("sweep").replace(MARK, '"x": -Infinity, ' + MARK), "-Infinity is not a number"),
        (lambda: text_of("sweep").replace(MARK, '"x": 1e400, ' + MARK), "not valid JSON"),
        (lambda: text_of("sweep").replace(MARK, f'"x": {"9" * 5000}, ' + MARK), "not valid JSON"),
        (lambda: text_of("sweep").replace(MARK, f'"x": {"9" * 400}, ' + MARK), "changed since it was written"),
        (lambda: text_of("sweep").replace(MARK, '"x": "\\udcff", ' + MARK), "changed since it was written"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/compare/3"), "changed since it was written"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/2"), "run rocconf sweep again"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/4"), "written by another version"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/03"), "written by another version"),
        (lambda: text_of("sweep").replace('"digest"', '"Digest"'), "written by another version"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep"), "not a rocconf report"),
        (lambda: text_of("sweep").replace('"digest": "', '"digest": null, "x": "'), "changed since it was written"),
    ],
)
def test_what_is_not_a_report_as_it_was_written_is_refused(text, said):
    assert said in refusal(text())


@pytest.mark.parametrize("key", ["evidence", "options", "tables", "digest", "caveats"])
def test_parts_of_two_reports_make_no_report(key):
    one, other = (json.loads(text_of(command)) for command in ("sweep", "sweep of bins"))
    assert "changed since it was written" in refusal(json.dumps({**one, key: other[key]}))


def test_evidence_that_is_left_out_or_repeated_is_missed():
    record = json.loads(text_of("sweep"))
    (unit,) = record["evidence"]
    for units in ([], [unit, unit], [{**unit, "entries": unit["entries"][1:]}], [{**unit, "model": "S"}]):
        assert "changed since it was written" in refusal(json.dumps({**record, "evidence": units}))
    swapped = [record["gates"][1], record["gates"][0], *record["gates"][2:]]
    assert "changed since it was written" in refusal(json.dumps({**record, "gates": swapped}))


@pytest.mark.parametrize("command", RUNS)
def test_rows_are_sealed_unless_they_are_of_thresholds(command):
    result = result_of(command)[0]
    record = json.loads(json.dumps(result.to_dict(rows=True)))
    assert (record["schema"].split("/")[1] in HAVE_THRESHOLDS) == result.rows_are_thresholds
    without = json.dumps({key: value for key, value in record.items() if key != "rows"})
    if result.rows_are_thresholds:
        assert read(without).models == read(json.dumps(record)).models
    else:
        assert "changed since it was written" in refusal(without)


@pytest.mark.parametrize("edit", ["gate", "baseline", "plan"])
def test_every_reader_of_reports_refuses_an_edited_one(edit, rocconf, tmp_path):
    text = text_of("sweep")
    record = json.loads(text)
    record["evidence"][0]["n"] += 1
    cases = SAMPLE_DATA / "dis.csv"
    runs = {
        "gate": ("gate", "a.json", "--require", "auc >= 0.1"),
        "plan": ("plan", "a.json", "--require", "auc >= 0.1"),
        "baseline": ("compare", cases, "--score", "S", "--baseline", "a.json", "--at", "threshold=0.2"),
    }
    for content in (text, json.dumps(record)):
        (tmp_path / "a.json").write_text(content)
        ran = rocconf(*runs[edit])
        if content == text:
            assert ran.status == 0, ran.err
        else:
            assert (ran.status, ran.out) == (2, "")
            assert "changed since it was written: run rocconf sweep again" in ran.err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!--", "-->"),
        (OTHER_BLOCK, ""),
        ("", OTHER_BLOCK),
        ("", "<SCRIPT\nid = report >"),
        (OTHER_BLOCK.replace("<script", '<script data-note="a > b"'), ""),
        ("<div hidden id='report'>{}</div>", ""),
        (OTHER_BLOCK.replace("report", "&#114;eport"), ""),
    ],
)
def test_a_page_whose_report_a_reader_may_take_for_another_is_refused(rocconf, tmp_path, before, after):
    cases = SAMPLE_DATA / "dis.csv"
    assert rocconf("sweep", cases, "--score", "F", "--require", "auc >= 0.5", "-o", "a.html", "-q").status == 0
    assert rocconf("gate", "a.html", "-q").status == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    start = page.index('<script type="application/json" id="report">')
    end = page.index("</script>", start) + len("</script>")
    (tmp_path / "b.html").write_text(f"{page[:start]}{before}{page[start:end]}{after}{page[end:]}", encoding="utf-8")
    ran = rocconf("gate", "b.html")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "reports, not one" in ran.err
