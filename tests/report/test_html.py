"""The page: what it says without scripts, what it allows, and the report in it."""

import base64
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
from conftest import ROOT, SAMPLE_DATA
from in_process import run_in_process

import rocconf as library
from rocconf.answer import Answer
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.errors import UsageError
from rocconf.gate import judge_results, parse_gate_rule
from rocconf.records import ScoreCounts
from rocconf.report import place_of, write
from rocconf.report.html.charts import Plane, domain_of, interval_bar, scale_of, thinned, ticks
from rocconf.report.html.curves import drawn_curves
from rocconf.report.html.embedded import embedded_report
from rocconf.report.html.markup import Markup, markup, tag
from rocconf.report.html.page import MOST_BYTES, Detail, linked, page_of

COST = "cost=1:8 (new 0.2171, old 0.1635)"
"""The operating point of the comparison at which each model has a threshold of its own."""
NODE, SCRIPT = shutil.which("node"), ROOT / "rocconf" / "report" / "html" / "script"
MODULES = ROOT / ".venv" / "page" / "node_modules"
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "--><svg onload=alert(1)><!--",
    "]]></style><b>",
    "\" onclick='alert(1)' x=\"",
    "<!--<script>",
    "</script /x",
    "&lt;b&gt; &amp;",
    "\u202ereversed \x1b[31m \x00 \udcff",
    "{{7*7}} ${7*7} javascript:alert(1)",
)
RUNS = {
    "sweep": ("sweep", "hypothyroid.csv", "--score", "F", "--at", "fpr<=0.01", "--cost", "1:50", "--calibration"),
    "tango": ("tango", "spectf_cv80.csv", "--score", "T"),
    "chi2-contours": ("chi2-contours", "spect.csv", "--score", "B", "--at", "fpr<=0.1", "--permutations", "99"),
    "totals": ("chi2-contours", "--positives", "5", "--negatives", "55", "--point", "0.1,0.8"),
    "sensibility": ("sensibility", "flu_same.csv", "--reference", "flu.csv", "--permutations", "99"),
    "unlabelled": ("sensibility", "flu_same.csv", "--unlabelled", "--reference", "flu.csv", "--permutations", "99"),
    "compare": (
        *("compare", "readmission.csv", "--score", "old", "--score", "new", "--baseline", "old", "--at", "0.4"),
        *("--cost", "1:8", "--require", "delta_auc by region >= -0.05", "--require", "auc >= 0.8"),
        *("--require", "tpr@threshold=0.4 >= 0.5"),
    ),
    "classes": ("sweep", "wine.csv", "--label", "cultivar", "--one-vs-rest", "--score", "bayes"),
    "clusters": ("sweep", "images.csv", "--score", "new", "--cluster", "patient", "--at", "0.5"),
    "folds": ("sweep", "readmission.csv", "--score", "new", "--fold", "fold"),
    "plan": ("plan", "--require", "tpr >= 0.8", "--tpr", "0.9"),
    "count": ("count", "dis.csv", "--score", "F"),
}


class Elements(HTMLParser):
    """The elements of a page, its texts, and the scripts and styles; an element that is not closed in order is an error."""

    VOID = ("meta", "input", "br")

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts, self.inside, self.raw = [], [], [], [], {}
        self.feed(page)
        self.close()
        assert not self.inside

    def handle_starttag(self, name, attributes):
        self.tags.append(name)
        self.attributes += attributes
        if name not in self.VOID:
            self.inside.append(name)
        if name in ("script", "style"):
            self.key = dict(attributes).get("id", name)
            assert self.key not in self.raw
            self.raw[self.key] = ""

    def handle_endtag(self, name):
        assert self.inside.pop() == name

    def handle_data(self, data):
        if self.inside and self.inside[-1] in ("script", "style"):
            self.raw[self.key] += data
        else:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def written(answer):
    stream = io.StringIO()
    write(answer, "html", stream)
    return stream.getvalue()


def compared(*names, rules=("auc >= 0.99",), at=("threshold=0.5",), cost=None):
    random = np.random.default_rng(3)
    labels = np.arange(60) % 3 == 0
    scores = {name: np.round(random.random(60) / 2 + labels / 4, 2) for name in names}
    result = library.compare(library.Predictions(labels, scores), at=list(at), baseline=names[0], cost=cost)
    verdicts = judge_results([parse_gate_rule(rule) for rule in rules], [result], choose_on={})
    gates = tuple(verdict.to_dict() for verdict in verdicts)
    return Answer((result,), gates, "fail", 1, "shell", command_line=("rocconf", "compare", *names))


def many(n, *, seed=5):
    """Return the counts of as many distinct scores."""
    random = np.random.default_rng(seed)
    labels = random.random(n) < 0.1
    return ScoreCounts.of(random.random(n) * 0.8 + labels * 0.2, labels.astype(np.int64), (~labels).astype(np.int64))


@pytest.fixture(scope="module")
def plain_page():
    """The page of a comparison of two models with harmless names."""
    return written(compared("plain", "other"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page and the report of a run of every command."""
    found = {}
    for name, (command, *arguments) in RUNS.items():
        folder = tmp_path_factory.mktemp(name.replace("-", "_"))
        typed = [SAMPLE_DATA / each if each.endswith(".csv") else each for each in arguments]
        ran = run_in_process([command, *typed, "--isolated", "-q", "-o", "a.html", "-o", "a.json"], folder=folder)
        assert ran.status in (0, 3), ran.err
        found[name] = [(folder / f"a.{form}").read_text(encoding="utf-8") for form in ("html", "json")]
    return found


@pytest.mark.parametrize("name", RUNS)
def test_every_command_writes_a_page_that_holds_its_report(pages, name):
    page, report = pages[name]
    assert json.loads(Elements(page).raw["report"]) == json.loads(report)


@pytest.mark.parametrize("name", RUNS)
def test_a_page_needs_no_other_file_and_no_permission(pages, name):
    found = Elements(pages[name][0])
    assert set(found.tags) & {"link", "img", "iframe", "object", "embed", "form", "base", "image", "use"} == set()
    assert found.tags.count("script") == 3
    links = [value for key, value in found.attributes if key in ("href", "src", "action")]
    assert all(value.startswith(("#", "https://")) and value.endswith(".md") == (value[0] != "#") for value in links)
    assert not [key for key, _ in found.attributes if key.startswith("on") or key == "style"]
    policy = next(value for _, value in found.attributes if value and "default-src" in value)
    for kind in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(found.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", RUNS)
def test_ids_stand_once_and_every_reference_leads_to_one(pages, name):
    found = Elements(pages[name][0])
    ids = [value for key, value in found.attributes if key == "id"]
    assert len(ids) == len(set(ids))
    references = [value for key, value in found.attributes if key in ("aria-labelledby", "for")]
    references += [value[1:] for key, value in found.attributes if key == "href" and value.startswith("#")]
    assert set(references) <= set(ids)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_adds_no_element_and_no_attribute(plain_page, name):
    text = written(compared(name, "other"))
    page, plain = Elements(text), Elements(plain_page)
    assert page.tags == plain.tags
    assert [key for key, _ in page.attributes] == [key for key, _ in plain.attributes]
    assert json.loads(page.raw["report"])["rows"][0]["model"] == name
    assert json.loads(page.raw["curves"])["models"][0]["model"] == name
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)


def test_the_verdict_and_the_reason_of_each_rule_are_read_without_scripts():
    answer = compared("old", "new", rules=("auc >= 0.99", "delta_auc >= -0.9"))
    text = Elements(written(answer)).text
    assert "Failed" in text
    assert "do not release on it" in text
    for gate in answer.gates:
        assert gate["message"] in text
    for sentence in answer.results[0].conclusions:
        assert sentence.text("shell") in text
    assert "rocconf compare old new" in text


def first_line(answer):
    return re.search(r'<ul class="answer"><li>(.*?)</li>', written(answer))[1]


@pytest.mark.parametrize(
    ("verdict", "gates", "told"),
    [
        ("pass", [{}, {"name": "auc >= 0.8", "limit": 0.8}], "Every rule passes"),
        (
            "pass",
            [{}, {"severity": "warn", "verdict": "fail", "name": "auc >= 0.8", "limit": 0.8, "value": 0.75}],
            "Every rule passes but those that only warn: auc &gt;= 0.8 fails (0.7500)",
        ),
        (
            "fail",
            [
                {},
                {"by": "r", "slice": "b", "verdict": "inconclusive", "value": None},
                {"by": "r", "slice": "a", "verdict": "inconclusive", "value": 0.55, "lower": 0.4, "upper": 0.7},
                {"by": "r", "slice": "", "verdict": "inconclusive", "value": None},
                {"metric": "tpr", "name": "tpr >= 0.5", "verdict": "fail", "value": 0.25},
                {"metric": "tpr", "name": "tpr >= 0.5", "verdict": "fail", "value": 0.125, "model": "old"},
            ],
            (
                "Do not release: tpr &gt;= 0.5 of new fails (0.2500); tpr &gt;= 0.5 of old fails (0.1250); "
                "auc: auc by r &gt;= 0.5 is not decided in a (0.5500 [0.4000, 0.7000]), b and (empty); all else passes"
            ),
        ),
        (
            "inconclusive",
            [{"by": "r", "slice": str(at), "verdict": "inconclusive", "value": None} for at in range(7)]
            + [{"severity": "warn", "verdict": "fail", "metric": "tpr", "name": "tpr", "value": 0.25}],
            (
                "Do not release: auc: auc by r &gt;= 0.5 is not decided in 0, 1, 2, 3, 4 and 2 more; "
                "only warnings: tpr: tpr &gt;= 0.5 fails (0.2500)"
            ),
        ),
        ("inconclusive", [], "Do not release: no rule was judged"),
    ],
)
def test_the_answer_begins_with_the_verdict_and_its_reason(verdict, gates, told):
    gate = {**compared("old", "new").gates[0], "name": "auc", "limit": 0.5, "value": 0.9, "lower": None, "upper": None}
    gate |= {"verdict": "pass", "model": "new"}
    answer = compared("old", "new")
    answer = Answer(answer.results, tuple(gate | each for each in gates), verdict, 3, "shell")
    assert first_line(answer) == told


def test_the_rules_that_decide_come_first_and_of_open_ones_those_with_a_value(sliced):
    rows = [(row["verdict"].partition(" ")[2], row["value"] != "–") for row in rows_of(section(sliced[0], "rules"))]
    order = [("failed", True), ("not enough evidence", True), ("not enough evidence", False), ("passed", True)]
    assert rows == sorted(rows, key=order.index)
    assert {("not enough evidence", True), ("not enough evidence", False)} <= set(rows)


def test_measures_that_tell_no_quality_name_no_better_model():
    random = np.random.default_rng(3)
    labels = np.arange(60) % 3 == 0
    scores = {"bad": random.random(60), "good": random.random(60) + labels}
    result = library.compare(library.Predictions(labels, scores), baseline="bad", bootstrap=99)
    part = section(written(Answer((result,))), "pairs")
    assert {row["metric"]: row["better"] for row in rows_of(part)} == {
        **dict.fromkeys(("auc", "average_precision"), "good"),
        **dict.fromkeys(("cauc", "cauc_roc", "aved_abs"), "–"),
    }
    assert "No measures of quality, so that neither model is better by them: aved_abs, cauc, cauc_roc." in part
    assert "Lower is better" not in part


def test_the_slices_that_gain_and_those_that_lose_are_told_apart(sliced):
    (told,) = re.findall(r"<li>(by region.*?)</li>", section(sliced[0], "answer"))
    assert "in the 5 of 7 slices with enough cases; worse in south (p 0.00068); better in east (p 0.0016), " in told


def test_a_rule_says_why_it_is_open_and_what_settles_it(sliced):
    why = {row["rule"]: html.unescape(row["why"]) for row in rows_of(section(sliced[0], "rules"))}
    slices = {each: text for rule, text in why.items() for each in re.findall(r"region=(.*)\)$", rule)}
    remedy = "; it takes 10 of each class: collect more cases, merge slices, or lower --min-cases"
    assert {name for name, text in slices.items() if text.endswith(remedy)} == {"islands", "(empty)"}
    few = "region=islands is not judged (fewer than 10 cases of a class: 8 positive and 51 negative)"
    assert f"{few}{remedy}" in slices["islands"]
    unmet = "; the value itself does not meet the rule"
    assert {name for name, text in slices.items() if text.endswith(unmet)} == {"south"}
    assert "its intervals are at 99% each, so that all together are at 95%." in section(sliced[0], "rules")


def test_thresholds_chosen_on_these_cases_say_so_and_what_a_cost_is_of(sliced):
    part = section(sliced[0], "operating-points")
    groups = groups_of(part)
    assert [*groups] == ["new", "old"]
    assert [row["rule"] for row in groups["new"]] == ["0.4", "cost=1:8 (chosen on these cases)"]
    assert "Cost: of one case, at the costs of this run, where a false alarm costs 1 and a miss 8;" in part
    (told,) = re.findall(r"<li>(old: at costs 1:8 .*?)</li>", section(sliced[0], "answer"))
    assert told.endswith("; the threshold was chosen on these cases")


def test_the_slices_of_one_measure_and_operating_point_stand_together_and_few_stand_open(sliced):
    part = section(sliced[0], "slice-pairs")
    groups = groups_of(part)
    assert [name.partition(" at ")[2] for name in groups] == sorted(
        (name.partition(" at ")[2] for name in groups), key=["", "0.4", COST].index
    )
    assert next(iter(groups)) == "auc"
    assert all(len(rows) == 7 for rows in groups.values())
    (rows,) = re.findall(r"<summary>Other measures and thresholds: (\d+) rows</summary>", part)
    assert int(rows) == 7 * (len(groups) - 1)
    assert part.index("<details>") < part.index(">tpr at 0.4<")


@pytest.mark.parametrize(("baseline", "sign"), [("bad", "-"), ("good", "")])
def test_the_least_cost_of_a_model_says_whether_it_differs_from_that_of_the_baseline(baseline, sign):
    random = np.random.default_rng(3)
    labels = np.arange(300) % 3 == 0
    scores = {"bad": random.random(300), "good": random.random(300) + labels}
    page = written(Answer((library.compare(library.Predictions(labels, scores), baseline=baseline, cost="1:10"),)))
    other = "good" if baseline == "bad" else "bad"
    (told,) = re.findall(rf"<li>({other}: at costs 1:10 .*?)</li>", page)
    assert f"; against {baseline}, each at its own threshold: {sign}0." in told
    assert told.endswith(" per case, good is cheaper")
    (own,) = re.findall(rf"<li>({baseline}: at costs 1:10 .*?)</li>", page)
    assert "against" not in own


def test_a_least_cost_that_chance_explains_does_not_read_as_a_win():
    random = np.random.default_rng(3)
    labels = np.arange(90) % 3 == 0
    cases = library.Predictions(labels, {"a": random.random(90), "b": random.random(90)})
    result = library.compare(cases, baseline="a", cost="1:2")
    (pair,) = (row for row in result.table("pairs").records() if row["metric"] == "cost")
    assert pair["difference_lower"] < 0 < pair["difference_upper"]
    (told,) = re.findall(r"<li>(b: at costs 1:2 .*?)</li>", written(Answer((result,))))
    ends = f"[{pair['difference_lower']:.4f}, {pair['difference_upper']:.4f}]"
    wanted = f"; against a, each at its own threshold: {pair['difference']:.4f} {ends} per case, not told apart"
    assert told.endswith(wanted)


def test_a_page_says_that_calibration_was_not_measured_where_it_could_have_been(pages):
    told = {name: re.findall(r'id="calibration">(.*?)</p>', page) for name, (page, _) in pages.items()}
    assert {name for name, found in told.items() if found} == {"compare", "folds"}
    assert told["compare"] == [
        "Calibration was not measured, so these scores may not be probabilities; --calibration measures how far they are."
    ]
    labels = np.arange(9) % 3 == 0
    page = written(Answer((library.sweep(library.count(library.Predictions(labels, {"m": np.arange(9.0)}))),)))
    assert "scores outside [0, 1] are not probabilities" in page


def test_tables_of_differences_say_what_their_dashed_line_is(sliced, pages):
    with_bars = {
        name
        for name in ("rules", "pairs", "slices", "slice-pairs", "operating-points")
        if "The dashed line is 0, no difference" in section(sliced[0], name)
    }
    assert with_bars == {"pairs", "slices", "slice-pairs"}
    assert 'class="bar"' in pages["folds"][0]  # of values, which have no dashed line
    assert "dashed line" not in pages["folds"][0]


def test_every_operating_point_in_a_chart_of_scores_has_its_name(sliced):
    for chart in re.findall(r'<svg class="chart" id="chart-scores-\d".*?</svg>', sliced[0]):
        assert re.findall(r'class="label">(.*?)</text>', chart) == ["0.4", "cost=1:8"]
        assert chart.count("line limit") == 2


def test_the_words_show_code_as_code(sliced):
    assert "<code>not told apart</code>" in section(sliced[0], "words")
    assert "`" not in Elements(section(sliced[0], "words") + "</section>").text


def test_the_hash_of_a_file_stands_in_full_on_a_line_of_its_own(sliced):
    source = sliced[1]["inputs"][0]
    assert f"<code>{source['sha256']}</code></p>" in section(sliced[0], "made")
    assert ">Warnings: what to know when reading this</h2>" in section(sliced[0], "caveats")


def test_a_page_without_rules_says_that_it_decides_nothing(pages):
    assert "No rule was judged, so this page decides nothing" in Elements(pages["tango"][0]).text


@pytest.mark.parametrize(("name", "is_judged"), [("sweep", True), ("totals", False), ("plan", False), ("count", False)])
def test_a_page_says_whether_gate_judges_it(pages, tmp_path, name, is_judged):
    (tmp_path / "a.html").write_text(pages[name][0], encoding="utf-8")
    ran = gated(tmp_path, "a.html", "--require", "auc >= 0.5")
    assert ("rocconf gate judges the page" in Elements(pages[name][0]).text) == is_judged
    assert (ran.status == 0) == is_judged


def test_a_warning_is_on_the_page_with_its_explanation(pages):
    text = Elements(pages["chi2-contours"][0]).text
    assert "chosen on these cases, which flatters it" in text
    assert library.messages.explanation("in-sample").why in text


@pytest.mark.parametrize("address", ["", "https://example.org/docs"])
def test_a_warning_leads_to_the_documentation_where_its_address_is_known(monkeypatch, address):
    monkeypatch.setattr("rocconf.report.html.page._documentation", lambda: address)
    told = {
        "": "<dd>input.md in the documentation of rocconf, Dates</dd>",
        "https://example.org/docs": '<dd><a href="https://example.org/docs/input.md">input.md</a>, Dates</dd>',
    }
    assert linked("docs/input.md, Dates") == told[address]
    assert linked("Bradley (1996), 277") == "<dd>Bradley (1996), 277</dd>"


def test_the_same_answer_is_the_same_bytes():
    assert written(compared("old", "new")) == written(compared("old", "new"))


def test_thinned_thresholds_have_exact_counts_and_all_corners_and_operating_points():
    counts = many(60_000)
    result = library.sweep(counts, at=["fpr<=0.01", "threshold=0.5"])
    (drawn,) = drawn_curves(Answer((result,)))
    record = drawn.record()
    assert len(record["tp"]) < 1500
    kept = set(drawn.rows.tolist())
    assert set(hull_rows(curve(counts)).tolist()) <= kept
    assert [record["tp"][point["row"]] for point in record["points"]] == [point.tp for point in result.points]
    assert [record["fp"][point["row"]] for point in record["points"]] == [point.fp for point in result.points]
    for threshold, tp, fp in zip(record["thresholds"][1:], record["tp"][1:], record["fp"][1:], strict=True):
        flagged = counts.scores >= threshold
        assert (tp, fp) == (counts.positives[flagged].sum(), counts.negatives[flagged].sum())


def test_no_part_of_a_thinned_curve_is_without_thresholds():
    counts = many(60_000)
    (drawn,) = drawn_curves(Answer((library.sweep(counts),)))
    along = counts.tp[drawn.rows] / counts.p + counts.fp[drawn.rows] / counts.q
    assert np.diff(along).max() < 0.01
    flagged = (counts.tp + counts.fp)[drawn.rows]
    assert (np.diff(flagged[flagged < 600]) <= np.maximum(1, 0.25 * flagged[flagged < 600][:-1])).all()


def test_both_ends_of_a_long_step_are_kept():
    random = np.random.default_rng(6)
    labels, scores = random.random(9_000) < 0.3, random.random(9_000)
    scores[:900] = 0.50001
    counts = library.count(library.Predictions(labels, {"m": scores}))
    (drawn,) = drawn_curves(Answer((library.sweep(counts),)))
    before = int(np.diff(counts.tp + counts.fp).argmax())
    assert {before, before + 1} <= set(drawn.rows.tolist())


def test_the_confident_segment_is_where_the_report_has_it():
    cases = library.count(library.read_predictions(SAMPLE_DATA / "spectf_cv80.csv", score="T"))
    result = library.tango(cases)
    (drawn,) = drawn_curves(Answer((result,)))
    confident = {row["threshold"] for row in result.table().records() if row["confident"]}
    first, last = drawn.record()["segment"]
    thresholds = drawn.record()["thresholds"]
    assert {thresholds[first], thresholds[last]} == {max(confident), min(confident)}
    assert len(drawn.bold()) == last - first + 1


def test_the_histograms_count_every_case():
    counts = many(5_000)
    (drawn,) = drawn_curves(Answer((library.sweep(counts),)))
    assert (sum(drawn.bins.positives), sum(drawn.bins.negatives)) == (counts.p, counts.q)


@pytest.mark.parametrize(
    ("models", "n"), [(1, 12_000), pytest.param(10, 30_000, marks=pytest.mark.thorough)], ids=["one", "ten"]
)
def test_a_page_of_many_cases_is_at_most_a_megabyte_and_has_its_report(models, n):
    answer = Answer(tuple(library.sweep(many(n, seed=seed)) for seed in range(models)), all_rows=True)
    page = written(answer)
    assert len(page.encode()) <= MOST_BYTES
    report = json.loads(Elements(page).raw["report"])
    assert "rows" not in report
    assert report["tables"]["models"] == json.loads(json.dumps(answer.to_dict()["tables"]["models"]))


def test_a_report_that_is_too_large_lacks_only_what_no_rule_rests_on():
    answer = Answer((library.sweep(many(5_000)),))
    report, left_out = embedded_report(answer, most=0)
    found, whole = json.loads(report[report.index("{") : report.rindex("}") + 1]), answer.to_dict()
    assert left_out == ("hull", "concavities")
    assert found["tables"].keys() == whole["tables"].keys() - {"hull", "concavities"}
    assert all(found[key] == whole[key] for key in ("schema", "options", "summary", "gates", "verdict"))


def test_long_tables_say_how_many_rows_they_leave_out():
    page = Elements(page_of(compared("a", "b", "c", "d"), Detail(rows=2)))
    assert "2 of 12 rows; the others are in the JSON report." in page.text


def test_a_page_that_would_be_too_large_has_less_detail(monkeypatch):
    answer = Answer((library.sweep(many(5_000)),))
    whole = written(answer)
    monkeypatch.setattr("rocconf.report.html.page.MOST_BYTES", len(whole.encode()) - 1)
    assert len(written(answer)) < len(whole)


def test_the_slice_with_the_lowest_area_comes_first(pages):
    page = pages["compare"][0]
    groups = groups_of(section(page, "slices"))
    assert [*groups] == ["new", "old"]
    for rows in groups.values():
        for decided, count in (("yes", 5), ("no", 2)):
            found = [float(row["auc"].split()[0]) for row in rows if row["decided"] == decided]
            assert found == sorted(found)
            assert len(found) == count
        assert [row["decided"] for row in rows] == ["yes"] * 5 + ["no"] * 2


def test_a_bar_has_its_marks_where_the_numbers_are():
    bar = interval_bar(0.5, 0.25, None, (0.0, 1.0), limit=0.75, class_="plain")
    assert '<circle class="dot plain" cx="90.0"' in bar
    assert '<line class="limit" x1="131.0"' in bar
    assert '<line class="interval plain" x1="49.0" y1="11.0" x2="172.0"' in bar
    assert re.findall(r"<text[^>]*>([^<]*)<", bar) == ["0", "1"]
    assert "circle" not in interval_bar(None, None, None, (0.0, 1.0), class_="plain")


def test_a_page_is_not_one_table():
    with pytest.raises(UsageError, match=r"holds the whole answer"):
        place_of("models:a.html", ("models",))


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A page and a report of a run with a rule that its AUC of .978 [.955, .990] meets."""
    folder = tmp_path_factory.mktemp("judged")
    run = ["sweep", SAMPLE_DATA / "hypothyroid.csv", "--score", "F", "--at", "threshold=0.5", "--require", "auc >= 0.9"]
    assert run_in_process([*run, "--isolated", "-q", "-o", "a.html", "-o", "a.json"], folder=folder).status == 0
    return folder


def gated(folder, file, *more, stdin=""):
    return run_in_process(["gate", file, "--isolated", *more], folder=folder, stdin=stdin)


@pytest.mark.parametrize(
    ("rule", "status"),
    [("auc >= 0.9", 0), ("auc >= 0.99", 1), ("auc >= 0.97", 3), ("tpr@threshold=0.5 >= 0.5", 0), ("f1@youden >= 0", 2)],
)
def test_a_page_is_judged_as_its_report_is(judged, rule, status):
    page, report = (gated(judged, file, "--require", rule, "--format", "json") for file in ("a.html", "a.json"))
    assert (page.status, report.status) == (status, status)
    if status < 2:
        assert json.loads(page.out)["gates"] == json.loads(report.out)["gates"]


def test_a_page_is_judged_from_standard_input_and_by_its_own_rules(judged):
    assert gated(judged, "-", stdin=(judged / "a.html").read_text(encoding="utf-8")).status == 0
    assert gated(judged, "a.html").status == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"auc": 0.978', '"auc": 0.998', "changed since"),
        ('"verdict": "pass"', '"verdict": "fail"', "changed since"),
        ('"tp": ', '"tp": 1', "changed since"),
        ('<script type="application/json" id="report">', "<script>", "the page holds 0 reports, not one"),
        (
            "<body>",
            '<body><script type="application/json" id="report">{}</script>',
            "the page holds 2 reports, not one",
        ),
        ('"schema": "rocconf', '"schema": "roccong', "not a rocconf report"),
    ],
)
def test_an_edited_page_is_refused(judged, old, new, says):
    page = (judged / "a.html").read_text(encoding="utf-8")
    assert old in page
    (judged / "edited.html").write_text(page.replace(old, new, 1), encoding="utf-8")
    ran = gated(judged, "edited.html", "--require", "auc >= 0.5")
    assert ran.status == 2
    assert says in ran.err


def test_a_page_that_is_cut_off_is_refused(judged):
    page = (judged / "a.html").read_text(encoding="utf-8")
    (judged / "cut.html").write_text(page[: page.index('"gates"')], encoding="utf-8")
    ran = gated(judged, "cut.html")
    assert ran.status == 2
    assert "the page ends within its report" in ran.err


def test_what_the_page_says_outside_its_report_decides_nothing(judged):
    page = (judged / "a.html").read_text(encoding="utf-8").replace("0.97", "0.50", 1)
    (judged / "said.html").write_text(page, encoding="utf-8")
    assert gated(judged, "said.html", "--require", "auc >= 0.99").status == 1


@pytest.mark.skipif(NODE is None or not MODULES.exists(), reason="make html, which needs Node, was not run")
def test_the_script_is_what_its_source_builds(tmp_path):
    folder = shutil.copytree(SCRIPT, tmp_path / "script")
    (folder / "node_modules").symlink_to(MODULES)
    subprocess.run([NODE, "build.js", tmp_path / "page.js"], cwd=folder, check=True, capture_output=True)
    assert (tmp_path / "page.js").read_bytes() == (SCRIPT.parent / "page.js").read_bytes()


def test_the_script_is_short_and_names_what_it_contains():
    assert len((SCRIPT / "page.ts").read_text(encoding="utf-8").splitlines()) < 1000
    built, package = (
        (SCRIPT.parent / "page.js").read_text(encoding="utf-8"),
        json.loads((SCRIPT / "package.json").read_text()),
    )
    for name, version in package["dependencies"].items():
        assert f"{name} {version}" in built
    assert "Permission to use, copy, modify, and/or distribute this software" in built
    assert not re.search("</script|<!--|eval\\(|new Function|https?://(?!d3js|www.w3.org)", built)


def test_text_is_escaped_once_and_markup_is_not():
    assert markup("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#x27;"
    assert markup(Markup("<b>")) == "<b>"
    assert tag("td", "<", tag("b", "&"), class_="x", aria_label='"', hidden=True, title=None) == (
        '<td class="x" aria-label="&quot;" hidden>&lt;<b>&amp;</b></td>'
    )


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.3, 0.25, [-0.3, -0.2, -0.1, 0, 0.1, 0.2]),
        (0, 0.041, [0, 0.01, 0.02, 0.03, 0.04]),
        (990, 1010, [990, 995, 1000, 1005, 1010]),
    ],
)
def test_ticks_are_round_numbers_within_the_range(low, high, found):
    assert ticks(low, high) == found


def test_a_chart_has_its_corners_where_its_frame_is():
    plane = Plane((0, 2), (0, 4))
    (left, bottom), (right, top) = plane.place((0, 0)), plane.place((2, 4))
    assert left < right
    assert top < bottom
    assert plane.place((1, 2)) == ((left + right) / 2, (top + bottom) / 2)


def test_thinned_lines_keep_their_ends():
    points = [(at, at) for at in range(1000)]
    assert len(thinned(points)) == 300
    assert (thinned(points)[0], thinned(points)[-1]) == (points[0], points[-1])


def test_a_domain_has_every_number_inside():
    low, high = domain_of([0.2, None, 0.4, float("inf")])
    assert low < 0.2
    assert 0.4 < high < 0.5
    assert domain_of([0.2, 0.4], with_zero=True)[0] < 0
    low, high = domain_of([3.0, 3.0])
    assert low < 3 < high


@pytest.fixture(scope="module")
def sliced(pages):
    """The page of a comparison by slice, where the costs choose other thresholds for each model, and its report."""
    page, report = pages["compare"]
    return page, json.loads(report)


def section(page, name):
    found = page[page.index(f'<section id="{name}"') :]
    return found[: found.index("</section>")]


def rows_of(part):
    """Return the rows of the first table of a part of a page, as texts by their headings."""
    headings = re.findall(r"<th(?: [^>]*)?>(.*?)</th>", part[: part.index("</thead>")])
    body = part[part.index("<tbody>") : part.index("</table>")]
    rows = [re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", body)]
    return [dict(zip(headings, row, strict=True)) for row in rows]


def groups_of(part):
    """Return the rows of all tables of a part by their groups; what a table is of stands in its caption."""
    found = {}
    for table in re.findall(r"<table.*?</table>", part, re.DOTALL):
        head = table[: table.index("<tbody>")]
        caption = re.search(r"<caption[^>]*>(.*?)</caption>", table)[1].partition(": ")[2]
        for body in re.findall(r"<tbody>.*?</tbody>", table):
            title = re.search(r'<tr class="group"><th scope="rowgroup" colspan="\d+"><span>(.*?)</span>', body)
            found[html.unescape(title[1] if title else caption)] = rows_of(f"{head}{body}</table>")
    return found


@pytest.mark.parametrize(
    ("metric", "group", "better"),
    [
        ("auc", "over all thresholds", "new"),
        ("cost", "at 0.4", "not told apart"),
        ("cost", f"at {COST}", "new"),
        ("tpr", f"at {COST}", "old"),
        ("specificity", "at 0.4", "not told apart"),
        ("accuracy", "at 0.4", "new"),
    ],
)
def test_a_difference_says_which_model_is_better_and_at_which_thresholds(sliced, metric, group, better):
    part = section(sliced[0], "pairs")
    (row,) = [row for row in groups_of(part)[group] if row["metric"] == metric]
    assert row["better"] == better
    assert "Lower is better for: cost." in part


def test_a_slice_says_who_loses_and_where_too_few_cases_decide_nothing(sliced):
    page, report = sliced
    groups = groups_of(section(page, "slice-pairs"))
    areas = {row["slice"]: row["better"] for row in groups["auc"]}
    few = {"islands": "too few cases", "(empty)": "too few cases"}
    gains = {"south": "old", "west": "new", "north": "new", "capital": "not told apart", "east": "new"}
    assert areas == gains | few
    west = next(row for row in report["tables"]["slice_pairs"] if (row["slice"], row["metric"]) == ("west", "accuracy"))
    assert west["difference_lower"] > 0 > 0.05 - west["p_adjusted"]
    (row,) = [row for row in groups["accuracy at 0.4"] if row["slice"] == "west"]
    assert row["better"] == "not told apart"


def test_intervals_and_p_values_of_slices_say_what_they_allow_for(sliced):
    text = Elements(section(sliced[0], "slice-pairs") + "</section>").text
    assert "p is adjusted for all slices and pairs of a measure at a threshold (Holm, up to 7)" in text
    assert "an interval is at 95% for its slice alone" in text
    wider = (
        "The intervals of the rules above are wider than those of this table, which are at 95% for each slice alone: a rule "
        "about every slice allows for the 5 that are decided, so that its intervals are at 99% each, and all together at 95%."
    )
    assert text.index(wider) < text.index("an interval is at 95% for its slice alone")
    assert wider not in section(sliced[0], "slices")  # no rule is about the AUC of each slice
    assert "Of too few cases (--min-cases 10), so that no rule is decided on them" in text
    assert {gate["level"] for gate in sliced[1]["gates"] if gate["slice"] is not None} == {0.99}
    pairs = [row for row in sliced[1]["tables"]["slice_pairs"] if row["metric"] == "auc"]
    assert len([row for row in pairs if row["p"] is not None]) == 7
    assert "p is adjusted for one pair, which changes nothing" in section(sliced[0], "pairs")


def test_the_columns_that_are_read_first_come_first(sliced):
    headings = {
        name: [*rows_of(section(sliced[0], name))[0]][:6] for name in ("pairs", "slices", "slice-pairs", "slice-points")
    }
    bar = "interval, drawn"
    assert headings == {
        "pairs": ["metric", "better", "difference", bar, "p adjusted", "p"],
        "slices": ["slice", "auc", "decided", "n", "positives", "difference"],
        "slice-pairs": ["slice", "better", "difference", bar, "p adjusted", "p"],
        "slice-points": ["slice", "threshold", "tpr", "fpr", "tpr difference", "tpr p adjusted"],
    }


def test_each_pair_of_models_has_its_own_group():
    text = section(written(compared("a", "b", "c")), "pairs")
    assert [*groups_of(text)] == [
        *("b less a, over all thresholds", "b less a, at threshold=0.5"),
        *("c less a, over all thresholds", "c less a, at threshold=0.5"),
    ]
    assert "p is adjusted for the 2 models of a measure at a threshold (Holm)" in text


def test_rules_on_shares_and_rules_on_differences_have_one_scale_each(sliced):
    scales = {}
    for row in rows_of(section(sliced[0], "rules")):
        ends = re.findall(r"<text[^>]*>([^<]*)<", row["interval, drawn"])
        scales.setdefault("delta" if row["rule"].startswith("delta") else "share", []).append(ends)
    assert [len(scales[kind]) for kind in ("delta", "share")] == [7, 2]
    assert len({tuple(ends) for kind in scales.values() for ends in kind}) == 2
    for kind, found in scales.items():
        gates = [gate for gate in sliced[1]["gates"] if gate["metric"].startswith("delta") == (kind == "delta")]
        known = [gate[key] for gate in gates for key in ("value", "lower", "upper", "limit") if gate[key] is not None]
        room = 0.08 * (max(known) - min(known))
        assert [float(end) for end in found[0]] == pytest.approx([min(known) - room, max(known) + room], abs=1e-3)


def test_an_interval_far_wider_than_the_others_is_cut_and_says_so(sliced):
    """The scale holds the intervals of at most four times the median width, of which that of (empty) is not one."""
    part = section(sliced[0], "slice-pairs")
    bars = {row["slice"]: row["interval, drawn"] for row in groups_of(part)["auc"]}
    assert {name for name, bar in bars.items() if 'class="arrow' in bar} == {"islands", "(empty)"}
    assert all(bar.count('class="cap') == 2 for name, bar in bars.items() if name not in ("islands", "(empty)"))
    assert "An arrow: the interval goes on beyond the scale" in part
    own = [row for row in sliced[1]["tables"]["slice_pairs"] if row["metric"] == "auc" and row["slice"] == "capital"]
    ends = [float(end) for end in re.findall(r"<text[^>]*>([^<]*)<", bars["capital"])]
    assert own[0]["difference_upper"] <= ends[1] < 0.3


def test_a_scale_is_that_of_the_usual_intervals():
    usual = [(0.5, 0.4, 0.6), (0.6, 0.5, 0.7), (0.55, 0.4, 0.7)]
    narrow, wide = scale_of(usual), scale_of([*usual, (0.5, -0.8, 0.5), (0.1, -5.0, 5.0)])
    assert narrow == pytest.approx((0.4 - 0.024, 0.7 + 0.024))
    assert wide == pytest.approx((0.1 - 0.048, 0.7 + 0.048))
    assert scale_of([*usual, (0.5, 0.0, 0.75)])[0] < 0
    assert scale_of(usual, limits=[0.9])[1] > 0.9
    assert scale_of([(0.5, None, 0.9), (None, None, None)]) == domain_of([0.5, 0.9])


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (
            ("auc >= 0.99", "tpr@threshold=0.5 >= 0.1"),
            "No rule uses costs: the verdict is the same whatever a miss costs.",
        ),
        (("auc >= 0.99", "tpr@cost=1:5 >= 0.1"), "may change their verdict: tpr@cost=1:5 &gt;= 0.1. Run"),
        (
            ("cost.point@threshold=0.5 <= 5", "delta_cost@threshold=0.5 <= 5"),
            "verdict: cost.point@threshold=0.5 &lt;= 5, delta_cost@",
        ),
    ],
)
def test_the_page_says_whether_the_verdict_depends_on_costs(rules, told):
    page = written(compared("old", "new", rules=rules, cost="1:5"))
    assert told in section(page, "rules")
    assert told in section(page, "thresholds")
    assert ", at costs 1:5." in section(page, "thresholds")


def test_the_answer_says_what_would_decide_and_which_warnings_bear_on_the_verdict(sliced):
    page, report = sliced
    answer = html.unescape(section(page, "answer"))
    hints = [
        gate["name"]
        + f" (region={gate['slice']})" * bool(gate["slice"])
        + ": about "
        + gate["message"].partition("; about ")[2].replace(", would decide ", ", ")
        for gate in report["gates"]
        if gate["verdict"] == "inconclusive" and "; about " in gate["message"]
    ]
    assert len(hints) == 2
    for hint in hints:
        assert f"<li>What would decide {hint}</li>" in answer
    assert (
        "What would let delta_auc by region >= -0.05 be judged in islands (8 positive, 51 negative) and (empty) (5 positive, "
        "16 negative): at least 10 cases of each class there, or other slices; to decide it may take many more"
        in answer
    )
    assert (
        '<a href="#caveats">2 warnings</a>: bears on the verdict: slices-undecided; bears on no rule: in-sample</li>'
        in answer
    )
    caveats = html.unescape(section(page, "caveats"))
    assert "No rule rests on a threshold that was chosen on these cases: the verdict stands" in caveats
    assert "Bears on the verdict of: delta_auc by region >= -0.05 (region=islands), " in caveats


@pytest.mark.parametrize("verdict", ["fail", "inconclusive"])
def test_a_failed_verdict_is_not_to_be_decided(verdict):
    answer = compared("old", "new")
    told = "auc is 0.9; about 5 more cases like these, 65 in all (22 positive), would decide for the rule"
    gate = {**answer.gates[0], "verdict": "inconclusive", "value": 0.9, "message": told}
    page = written(Answer(answer.results, (answer.gates[0], gate), verdict, 3, "shell"))
    hint = "What would decide auc &gt;= 0.99: about 5 more cases like these, 65 in all (22 positive), for the rule"
    assert (hint in section(page, "answer")) == (verdict == "inconclusive")


def test_the_slice_with_the_most_misses_comes_first_at_an_operating_point(sliced):
    part = section(sliced[0], "slice-points")
    for rows in groups_of(part).values():
        rates = [float(row["tpr"]) for row in rows]
        assert rates[:5] == sorted(rates[:5])
        assert {row["slice"] for row in rows[5:]} == {"islands", "(empty)"}


def test_the_first_column_tells_the_rows_of_every_group_apart(pages):
    """It is what stays where a wide table is scrolled sideways; thresholds and options are no names."""
    for name in ("compare", "classes", "folds", "sensibility", "sweep"):
        for part in re.findall(r"<section id=.*?</section>", pages[name][0], re.DOTALL):
            if not part.startswith(('<section id="thresholds"', '<section id="rules"')) and "<table" in part:
                for title, rows in groups_of(part).items():
                    firsts = [next(iter(row.values())) for row in rows]
                    assert len(set(firsts)) == len(firsts), (name, title, firsts)


def test_a_rule_at_a_threshold_that_was_chosen_on_the_cases_is_named_beside_the_warning():
    page = written(compared("old", "new", rules=("tpr@youden >= 0.1",), at=("youden",)))
    assert "Bears on the verdict of: tpr@youden &gt;= 0.1." in section(page, "caveats")
    assert "1 warning</a>: bears on the verdict: in-sample</li>" in section(page, "answer")


PLAIN = {
    *("rule", "verdict", "model", "value", "interval, drawn", "why", "chosen by", "alarms in 1,000 cases", "score"),
    *("number", "file", "role", "cases", "positive class", "option", "start", "end", "files", "meaning"),
    *("reason", ""),
}
"""Words of tables that need no explanation."""

WORDS_IN_CELLS = ("metric", "test", "interval", "method", "p method", "statistic", "stream", "better")


@pytest.mark.parametrize("name", RUNS)
def test_the_words_of_all_tables_are_explained_on_the_page_or_plain(pages, name):
    page, report = pages[name]
    names = {row["model"] for row in json.loads(report)["tables"].get("models", ()) if "model" in row}
    names |= {each.partition(":")[0] for each in names}
    words = set(re.findall(r"<dt>(.*?)</dt>", section(page, "words")))
    used = {row["number"] for row in rows_of(section(page, "summary"))}
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        rows = rows_of(table)
        used |= {key for row in rows for key in row}
        used |= {row[key] for row in rows for key in WORDS_IN_CELLS if key in row and row[key] != "–"}
    assert used
    known = {word: library.messages.meanings_of(html.unescape(word)) for word in used - PLAIN - names}
    assert not {word: 0 for word, found in known.items() if not found}
    wanted = {meaning[0].replace("_", " ") for found in known.values() for meaning in found}
    assert wanted - set(map(html.unescape, words)) == set()


def test_words_that_readers_missed_are_explained(sliced):
    words = re.findall(r"<dt>(.*?)</dt>", section(sliced[0], "words"))
    assert {"less", "(empty)", "better", "interval", "tango cc"} <= set(words)
    assert {"status", "delta", "holm", "wilson", "convex hull", "line of equal cost", "net benefit"} <= set(words)
    assert {"role", "seed", "distinct", "baseline named", "cauc roc", "confident points"} <= set(words)
    assert {"predicted positive rate", "cost"} <= set(words)
    for word in ("mover", "tango-cc", "robust", "less", "(empty)", "not told apart", "auc_se", "fpr_p_adjusted"):
        assert library.messages.meanings_of(word), word
    assert library.messages.meanings_of("p_" * 60 + "x") == library.messages.meanings_of("x_" * 60 + "p") == []
    assert [name for name, _, _ in library.messages.meanings_of("fpr_p_adjusted")] == ["fpr", "p_adjusted"]
    assert library.messages.meanings_of("no_such_word") == library.messages.meanings_of("auc_nosuch") == []
