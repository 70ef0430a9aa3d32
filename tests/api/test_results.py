"""What a result offers in a notebook: HTML, figures on one's own axes, data frames and verdicts."""

import doctest
import inspect
import json
import re
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pytest
from conftest import ROOT
from matplotlib.figure import Figure

import rocconf
from rocconf.plot import kinds
from rocconf.plot.own_axes import OwnAxes

RNG = np.random.default_rng(8)
N = 400
LABELS = RNG.permutation(np.arange(N) % 4 == 0)
SCORES = 1 / (1 + np.exp(-RNG.normal(size=N) - 2 * LABELS))
OTHER = 1 / (1 + np.exp(-RNG.normal(size=N) - 1.5 * LABELS))
AUC = rocconf.sweep(LABELS, SCORES).auc.value
LONGEST = 20_000
"""The characters of an answer in a notebook, at most."""


@pytest.fixture(scope="module")
def counts():
    return rocconf.count(LABELS, {"new": SCORES})


@pytest.fixture(scope="module")
def swept(counts, few_replicates):  # noqa: ARG001  # of the calibration
    return rocconf.sweep(counts, at=["youden", "threshold=0.5"], cost="1:5", calibrated=True)


@pytest.fixture(scope="module")
def results(counts, swept):
    return {
        "sweep": swept,
        "tango": rocconf.tango(counts),
        "chi2-contours": rocconf.chi2_contours(counts, permutations=19),
        "sensibility": rocconf.sensibility(counts, reference=(LABELS, OTHER), bootstrap=20, permutations=19),
        "compare": rocconf.compare(LABELS, {"old": OTHER, "new": SCORES}, baseline="old", cost="1:5", calibrated=True),
        "plan": rocconf.plan("auc >= 0.8", auc=0.9, prevalence=0.1, runs=100),
        "unlabelled": rocconf.unlabelled(rocconf.Scores.of(SCORES), rocconf.Scores.of(OTHER), permutations=19),
    }


COMMANDS = ("sweep", "tango", "chi2-contours", "sensibility", "compare", "plan", "unlabelled")
NEED_MORE = ("time", "slices")
"""The figures that need times or slices."""


class Tags(HTMLParser):
    """The tags of a page, which must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], set(), []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"align"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_notebook_shows_the_answer_without_a_verdict(results, command):
    html = results[command]._repr_html_()
    page = Tags(html)
    assert page.seen <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td", "small", "b"}
    assert len(html) < LONGEST
    text = "".join(page.text)
    assert results[command].conclusions[0].text("library") in text
    assert "verdict" not in text
    assert not re.search(r"--[a-z]", text)


def test_a_notebook_shows_a_few_rows_of_many():
    n = 20_000
    html = rocconf.sweep(np.arange(n) % 2 == 0, np.linspace(0, 1, n))._repr_html_()
    assert html.count("<tr>") < 12
    assert len(html) < LONGEST


def test_names_run_nothing_in_a_notebook():
    html = rocconf.sweep(LABELS, {"<img src=x onerror=alert(1)>&": SCORES})._repr_html_()
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;&amp;: AUC" in html


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_every_result_is_drawn_on_a_figure_of_its_own(results, command):
    figure = results[command].plot()
    assert isinstance(figure, Figure)
    assert figure._repr_png_().startswith(b"\x89PNG")


def of_kinds():
    return [(command, kind) for command in COMMANDS for kind in kinds(command) if kind not in NEED_MORE]


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "kind"), of_kinds())
def test_every_figure_is_drawn_on_axes_of_yours(results, command, kind):
    result = results[command]
    needed = len(result.plot(kind).axes)
    figure = Figure(figsize=(5 * needed, 5), layout="constrained")
    panels = figure.subplots(1, needed, squeeze=False)[0]
    before = dict(mpl.rcParams)
    returned = result.plot(kind, panels[0] if needed == 1 else list(panels))
    assert dict(mpl.rcParams) == before
    assert list(np.ravel(returned)) == list(panels)
    assert figure.axes == list(panels)
    assert all(axes.has_data() for axes in panels)
    figure.canvas.draw()
    assert figure.get_size_inches().tolist() == [5 * needed, 5]


def test_the_curve_on_axes_of_yours_is_that_of_the_figure(swept):
    axes = Figure().subplots()
    assert swept.plot("pr", ax=axes) is axes
    figure = swept.plot("pr")
    assert isinstance(figure, Figure)
    assert figure._repr_png_().startswith(b"\x89PNG")
    own = figure.axes[0]
    assert [line.get_xydata().tolist() for line in axes.lines] == [line.get_xydata().tolist() for line in own.lines]


def test_a_figure_of_panels_asks_for_as_many_axes(results):
    axes = Figure().subplots()
    with pytest.raises(rocconf.UsageError, match="2 panels: pass as many axes as a list"):
        results["sensibility"].plot(ax=axes)
    assert not axes.has_data()


@pytest.mark.parametrize(("title", "shown"), [(None, True), ("", False)])
def test_a_title_is_replaced_or_left_out(swept, title, shown):
    texts = [text.get_text() for text in swept.plot("gain", ax=Figure().subplots(), title=title).texts]
    assert any("new" in text for text in texts) == shown


def test_what_cannot_be_drawn_is_refused(swept):
    with pytest.raises(rocconf.UsageError) as raised:
        swept.plot("rok")
    assert raised.value.code == "unknown-figure-kind"
    with pytest.raises(rocconf.UsageError) as raised:
        swept.plot("pr", hull=True)
    assert raised.value.code == "figure-without-option"


def test_borrowed_axes_offer_what_painters_ask_of_a_figure():
    asked = set()
    for path in (ROOT / "rocconf" / "plot").glob("*.py"):
        if path.stem not in ("figure", "draw", "own_axes"):
            asked |= set(re.findall(r"(?<![\w.])figure\.(\w+)\(", path.read_text(encoding="utf-8")))
    assert {name for name in asked if not hasattr(OwnAxes, name)} == set()


def test_frames_have_the_tables(swept):
    assert swept.to_frame().columns.tolist() == list(swept.table().names)
    assert swept.to_frame("operating_points")["rule"].tolist()[:2] == ["youden", "threshold=0.5"]


@pytest.mark.parametrize(
    ("rules", "verdict", "status"),
    [
        ("auc >= 0.5", "pass", 0),
        (["auc >= 0.5", "positives >= 101"], "fail", 1),
        (["auc >= 0.5", f"auc >= {AUC}"], "inconclusive", 3),
        ([], "inconclusive", 3),
    ],
)
def test_verdicts_are_true_only_if_every_rule_passed(swept, rules, verdict, status):
    verdicts = rocconf.judge(swept, rules)
    assert (verdicts.verdict, verdicts.exit_code, bool(verdicts)) == (verdict, status, status == 0)
    assert [bool(each) for each in verdicts] == [each.outcome == "pass" for each in verdicts]
    assert all(each.message in repr(verdicts) for each in verdicts)


def test_a_rule_that_only_warns_fails_nothing(swept):
    from rocconf.gate import GateRule

    verdicts = rocconf.judge(swept, GateRule("positives", ">=", 1000, severity="warn"))
    assert verdicts
    assert not verdicts[0]


RULES = ("auc >= 0.9", "auc >= 0.8", "auc < 0.8", f"auc > {AUC}", "positives == 100", "auc.point >= 0.9")


def test_the_verdicts_are_those_of_the_shell(rocconf, tmp_path, swept):
    import rocconf as library

    rows = "".join(f"{int(label)},{score!r}\n" for label, score in zip(LABELS, SCORES.tolist(), strict=True))
    (tmp_path / "new.csv").write_text(f"label,score\n{rows}", encoding="utf-8")
    options = [word for rule in RULES for word in ("--require", rule)]
    said = rocconf("sweep", "new.csv", "--isolated", "--format", "json", *options)
    verdicts = library.judge(swept, RULES)
    assert said.status == verdicts.exit_code
    assert [each["verdict"] for each in json.loads(said.out)["gates"]] == [each.outcome for each in verdicts]


PUBLIC = [getattr(rocconf, name) for name in rocconf.__all__]


@pytest.mark.parametrize("thing", PUBLIC, ids=lambda thing: thing.__name__)
def test_public_names_are_documented_with_examples_that_run(thing, monkeypatch):
    monkeypatch.chdir(ROOT)
    documentation = inspect.getdoc(thing)
    assert documentation
    test = doctest.DocTestParser().get_doctest(documentation, {}, thing.__name__, None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    assert test.examples or inspect.isclass(thing), "a function has an example"


@pytest.mark.parametrize(
    "thing", [each for each in PUBLIC if not inspect.isclass(each)], ids=lambda each: each.__name__
)
def test_public_functions_are_typed(thing):
    parameters = inspect.signature(thing).parameters.values()
    assert all(each.annotation is not each.empty for each in parameters)
    assert (ROOT / "rocconf" / "py.typed").exists()
