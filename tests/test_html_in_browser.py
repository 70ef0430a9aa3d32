"""The page in a browser: what moves agrees with the report, nothing leaves the page, and everybody can use it.

It needs Chromium, playwright (the group `browser`) and axe-core (`make html` installs it). `make browser` runs these tests,
with ROCCONF_BROWSER `required`; elsewhere they are skipped, as they take minutes.
"""

import json
import os
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, SAMPLE_DATA
from in_process import run_in_process

import rocconf as library
from rocconf.answer import Answer
from rocconf.compute.stats.proportion import wilson_limits
from rocconf.records import ScoreCounts
from rocconf.report import Place, save

AXE = ROOT / ".venv" / "page" / "node_modules" / "axe-core" / "axe.min.js"
FILES = ("-o", "a.html", "-o", "a.json", "-o", "rows:rows.json")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WITH_INTERVAL = ("tpr", "fpr", "specificity", "precision", "npv", "accuracy", "predicted_positive_rate")
WITHOUT = ("balanced_accuracy", "f1", "mcc", "youden_j", "lift")
COUNTED = ("tp", "fp", "fn", "tn")
RUNS = {
    "sweep": (
        *("sweep", "hypothyroid.csv", "--score", "F", "--at", "fpr<=0.01", "--cost", "1:50", "--calibration"),
        *("--require", "auc >= 0.97", "--intervals"),
    ),
    "tango": ("tango", "spectf_cv80.csv", "--score", "T"),
    "chi2-contours": ("chi2-contours", "spect.csv", "--score", "B", "--at", "fpr<=0.1", "--permutations", "99"),
    "sensibility": (
        *("sensibility", "flu_year.csv", "--time", "day", "--reference", "flu.csv"),
        *("--permutations", "99", "--bootstrap", "50"),
    ),
    "compare": (
        *("compare", "readmission.csv", "--score", "old", "--score", "new", "--baseline", "old", "--at", "0.4"),
        *("--require", "delta_auc by region >= -0.05", "--require", "auc >= 0.8"),
    ),
    "classes": (
        *("compare", "wine.csv", "--label", "cultivar", "--one-vs-rest", "--baseline", "tree"),
        *("--require", "delta_macro_auc >= -0.01"),
    ),
    "clusters": (*("sweep", "images.csv", "--score", "new", "--cluster", "patient", "--at", "0.5", "--intervals"),),
    "plan": ("plan", "--require", "tpr >= 0.8", "--tpr", "0.9"),
}
LONG = "a model with a very long name and_a_word_that_has_no_place_at_which_a_line_could_end_in_it_" + "x" * 80
HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "' onfocus='alert(1)", LONG)


def missing():
    """Return what there is not, empty if a page can be opened."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed (pip install --group browser)"
    if CHROMIUM is None:
        return "there is no chromium"
    return "" if AXE.exists() else "axe-core is not installed (make html)"


pytestmark = pytest.mark.skipif(
    os.environ.get("ROCCONF_BROWSER") != "required", reason=missing() or "make browser opens the pages"
)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return a function that writes the page and the report of a run, once."""

    @cache
    def page_of(name):
        folder = tmp_path_factory.mktemp(name.replace("-", "_"))
        command, *arguments = RUNS[name]
        typed = [SAMPLE_DATA / each if each.endswith(".csv") else each for each in arguments]
        ran = run_in_process([command, *typed, "--isolated", "-q", *FILES], folder=folder)
        assert ran.status in (0, 1, 3), ran.err
        return folder / "a.html"

    return page_of


class Opened:
    """A page in a browser, with what it said and asked for."""

    def __init__(self, browser, path, fragment="", **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page, self.said, self.asked = self.context.new_page(), [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{path.as_uri()}{fragment}")

    def set(self, selector, value, event="input"):
        self.page.eval_on_selector(
            selector,
            f"(e, v) => {{ e.value = v; e.dispatchEvent(new Event('{event}', {{bubbles: true}})); }}",
            str(value),
        )

    def numbers(self):
        """Return every number that the page shows at the threshold."""
        return self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('[data-value]')].map(e => [e.id.replace('rate-', ''),"
            " [e.dataset.value, e.dataset.lower, e.dataset.upper].map(v => v === undefined || v === 'null' ? null : +v)]))"
        )

    def violations(self):
        """Return what axe-core finds against WCAG 2.2 A and AA."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = self.page.evaluate(f"() => axe.run({{runOnly: {json.dumps(tags)}}})")["violations"]
        return [(each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"]) for each in found]


@pytest.fixture
def opened(browser):
    """Return a function that opens a page; what it says or asks for is an error."""
    found = []

    def opening(path, fragment="", **options):
        found.append(Opened(browser, path, fragment, **options))
        return found[-1]

    yield opening
    for each in found:
        own = [url for url in each.asked if not url.startswith(("file:", "blob:"))]
        assert (each.said, own, len([url for url in each.asked if url.startswith("file:")])) == ([], [], 1)
        each.context.close()


def same(found, wanted):
    return found is wanted is None or (None not in (found, wanted) and found == pytest.approx(wanted, abs=1e-11))


@pytest.mark.parametrize("name", ["sweep", "clusters"])
def test_the_numbers_at_fifty_thresholds_are_those_of_the_report(opened, pages, name):
    page = opened(pages(name))
    rows = json.loads(pages(name).with_name("rows.json").read_text(encoding="utf-8"))
    by_count = {(row["tp"], row["fp"]): row for row in rows}
    last = int(page.page.get_attribute("#slider", "max"))
    places = sorted({round(place) for place in np.linspace(0, last, 50)})
    assert len(places) == 50
    for place in places:
        page.set("#slider", place)
        found = page.numbers()
        row = by_count[found["tp"][0], found["fp"][0]]
        assert [found[key][0] for key in COUNTED] == [row[key] for key in COUNTED]
        assert same(found["threshold"][0], row["threshold"])
        for key in WITH_INTERVAL:
            wanted = [row[key], row[f"{key}_lower"], row[f"{key}_upper"]]
            assert all(map(same, found[key], wanted)), (key, found[key], wanted)
        for key in WITHOUT:
            assert same(found[key][0], row[key]), (key, found[key], row[key])


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_breaks_no_rule_of_accessibility_that_axe_knows(opened, pages, name, scheme):
    assert opened(pages(name), color_scheme=scheme).violations() == []


@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_wider_than_a_phone(opened, pages, name):
    page = opened(pages(name), viewport={"width": 360, "height": 740}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_table_that_is_too_wide_says_so_and_keeps_its_first_column_and_what_a_group_shares(opened, pages):
    page = opened(pages("compare")).page
    box = page.locator("#slices .scroll")
    hint = box.evaluate("(e) => getComputedStyle(e, '::before').content")
    assert hint.startswith('"More columns to the right')
    box.evaluate("(e) => e.scrollBy(400, 0)")
    left = box.evaluate("(e) => e.getBoundingClientRect().left")
    places = [
        box.locator(f"tbody {each}").first.evaluate("(e) => e.getBoundingClientRect().left")
        for each in ("th[scope=row]", ".group span", "td")
    ]
    assert places[0] == pytest.approx(left, abs=1)
    assert places[1] == pytest.approx(left + 8, abs=2)
    assert places[2] < left
    narrow = page.locator("#made .scroll").last
    assert narrow.evaluate("(e) => e.classList.contains('more') === e.scrollWidth > e.clientWidth + 1")


def test_a_phone_shows_rows_as_cards_with_what_is_read_first(opened, pages):
    page = opened(pages("compare"), viewport={"width": 390, "height": 800}).page
    for name in ("rules", "pairs", "slices", "slice-pairs", "operating-points"):
        box = page.locator(f"#{name} .scroll").first
        assert box.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1"), name
    row = page.locator("#slices tbody tr").nth(1)
    assert row.locator("td[data-label='auc']").evaluate("(e) => getComputedStyle(e, '::before').content") == '"auc: "'
    assert row.locator("td[data-label='auc']").is_visible()
    assert row.locator("td[data-label='struggle ratio']").is_hidden()
    rates = page.locator("#rates .scroll")
    assert rates.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("name", ["sweep", "compare", "classes", "sensibility"])
def test_on_a_phone_no_cell_of_any_table_leaves_its_place(opened, pages, name, width):
    page = opened(pages(name), viewport={"width": width, "height": 800}).page
    page.evaluate("() => { for (const each of document.querySelectorAll('details')) each.open = true; }")
    heads = page.locator(".cards thead").evaluate_all(
        "(all) => all.map(e => [e.offsetWidth, e.offsetHeight, getComputedStyle(e).overflow, getComputedStyle(e).clipPath])"
    )
    assert heads
    assert {tuple(head) for head in heads} == {(1, 1, "hidden", "inset(50%)")}
    outside = page.locator(".cards tbody :is(td, th), .cards caption").evaluate_all(
        "(all) => all.filter(e => e.offsetHeight).map(e => [e.getBoundingClientRect(), e.textContent])"
        ".filter(([box]) => box.left < -1 || box.right > innerWidth + 1).map(([, text]) => text)"
    )
    assert outside == []
    loose = page.locator("table:not(.cards)").evaluate_all(
        "(all) => all.filter(e => e.offsetWidth > e.parentElement.clientWidth + 1 && !e.closest('.scroll')).length"
    )
    assert loose == 0


def test_the_way_to_the_top_covers_no_part_of_a_line(opened, pages):
    page = opened(pages("compare"), viewport={"width": 390, "height": 800}).page
    bar, text = (page.locator(each).bounding_box() for each in ("a.top", "main"))
    assert bar["x"] <= text["x"]
    assert bar["x"] + bar["width"] >= text["x"] + text["width"]
    page.locator("footer").evaluate("(e) => e.scrollIntoView({block: 'end'})")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.locator("a.top").bounding_box()["y"] >= page.locator("footer").evaluate(
        "(e) => e.getBoundingClientRect().bottom - 1"
    )


DOCUMENTED = re.search("```sh\n(.*?)```", (ROOT / "docs" / "html.md").read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_pages_of_the_documents_can_be_made_and_opened(opened, tmp_path):
    (tmp_path / "sample_data").symlink_to(SAMPLE_DATA)
    commands = set()
    for line in DOCUMENTED.splitlines():  # one judges what another wrote
        _, *arguments = shlex.split(line)
        assert run_in_process([*arguments, "--isolated", "-q"], folder=tmp_path).status in (0, 1, 3)
        assert opened(tmp_path / arguments[-1]).page.locator("h1").count() == 1
        commands.add(arguments[0])
    assert commands == {"sweep", "tango", "chi2-contours", "sensibility", "compare", "plan", "count", "gate"}


def test_without_scripts_the_verdict_the_tables_and_the_charts_are_there(opened, pages):
    page = opened(pages("compare"), java_script_enabled=False).page
    assert page.locator("h1").inner_text() == "? Not enough evidence"
    assert page.locator("#chart-roc path.line:not(.bold):not(.chance)").count() == 2
    assert page.locator("#rules tbody tr").count() == 8
    assert page.locator("#controls").inner_text() == ""


def test_the_keyboard_moves_the_threshold(opened, pages):
    page = opened(pages("sweep"))
    before = page.numbers()
    page.page.focus("#slider")
    page.page.keyboard.press("ArrowRight")
    after = page.numbers()
    assert (after["tp"][0] + after["fp"][0]) > (before["tp"][0] + before["fp"][0])
    assert "alarms in 1,000 cases" in page.page.get_attribute("#slider", "aria-valuetext")
    page.page.keyboard.press("Home")
    assert page.numbers()["tp"] == [0, None, None]


def test_every_control_is_reached_with_the_tab_key_in_the_order_of_the_page(opened, pages):
    page = opened(pages("compare")).page
    page.focus("#of-model")
    reached = []
    for _ in range(12):
        reached.append(page.evaluate("document.activeElement.id"))
        page.keyboard.press("Tab")
    wanted = ["of-model", "mode", "slider", "typed", "jump", "cost", "half", "double", "share", "own"]
    assert reached[: len(wanted)] == wanted


def test_a_pointer_on_a_chart_moves_the_threshold(opened, pages):
    page = opened(pages("sweep"))
    page.page.locator("#chart-roc").scroll_into_view_if_needed()
    box = page.page.locator("#chart-roc").bounding_box()
    page.page.mouse.click(box["x"] + 0.95 * box["width"], box["y"] + 0.1 * box["height"])
    assert page.numbers()["fpr"][0] > 0.8
    page.page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 0.13 * box["width"], box["y"] + 0.8 * box["height"])
    page.page.mouse.up()
    assert page.numbers()["fpr"][0] < 0.1


def test_a_finger_on_a_chart_moves_the_threshold(opened, pages):
    page = opened(pages("sweep"), has_touch=True, viewport={"width": 390, "height": 800})
    page.page.locator("#chart-roc").scroll_into_view_if_needed()
    box = page.page.locator("#chart-roc").bounding_box()
    page.page.touchscreen.tap(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    assert page.numbers()["fpr"][0] > 0.8


def test_the_address_brings_back_what_was_set(opened, pages):
    first = opened(pages("compare"))
    first.page.select_option("#mode", "alarms")
    first.set("#slider", 200)
    first.set("#cost", 7, "change")
    first.set("#share", 5, "change")
    first.page.locator("#layer-hull").check()
    address = first.page.evaluate("location.hash")
    second = opened(pages("compare"), address)
    assert second.numbers() == first.numbers()
    assert second.page.locator("#said").inner_text() == first.page.locator("#said").inner_text()
    assert second.page.locator("#chart-roc").inner_html() == first.page.locator("#chart-roc").inner_html()


@pytest.mark.parametrize(
    ("fragment", "told"),
    [
        (
            "#t=x&m=99&c=-1&p=7&off=9.a&w=__proto__&l=hull.x",
            (
                "m=99 (models are 0 to 1); c=-1 (a cost is over 0); p=7 (a prevalence is between 0 and 1); "
                "w=__proto__ (threshold, alarms, fpr, tpr); off=9.a (models are 0 to 1); "
                "l=x (interval, segment, contours, hull, cost); t=x (a threshold is a number)"
            ),
        ),
        ("#share=5", "share (settings are m, t, c, p, w, off, l)"),
        ("#t=&c=", "c= (a cost is over 0); t= (a threshold is a number)"),
        ("#t=1e999", ""),
        ("#m=1&t=0.4&c=7&p=0.1&w=fpr&off=0&l=hull", ""),
        ("#answer", ""),
        ("#%E0%A4%A", ""),
    ],
)
def test_the_page_says_what_of_its_address_it_does_not_take(opened, pages, fragment, told):
    page = opened(pages("compare"), fragment)
    assert page.numbers()["tp"][0] is not None
    wanted = f"Not taken from the address of this page: {told}." if told else ""
    assert page.page.locator("#note-address").inner_text() == wanted


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("typed", "0,3", "“0,3” is not a number. Write 0.3, with a point. The threshold stays as it was."),
        ("typed", "low", "“low” is not a number. The threshold stays as it was."),
        ("cost", "ten", "“ten” is not a number. The cost of a miss is a number over 0; it stays as it was."),
        ("share", "1e", "“1e” is not a number. Among 100 cases there are more than 0 and fewer than 100 positives; it"),
        ("cost", "-1", "-1 does not go. The cost of a miss is a number over 0; it stays as it was."),
        (
            "share",
            "100",
            "100 does not go. Among 100 cases there are more than 0 and fewer than 100 positives; it stays",
        ),
    ],
)
def test_what_is_typed_and_not_taken_is_told_beside_the_field(opened, pages, field, typed, told):
    page = opened(pages("sweep"))
    before, text = page.numbers(), page.page.input_value(f"#{field}")
    note = page.page.locator(f"#note-{field}")
    assert note.inner_text() == ""
    page.page.fill(f"#{field}", typed)
    page.page.press(f"#{field}", "Enter")
    assert note.inner_text().startswith(told)
    assert note.get_attribute("role") == "status"
    assert page.page.get_attribute(f"#{field}", "aria-describedby") == f"note-{field}"
    assert (page.numbers(), page.page.input_value(f"#{field}")) == (before, text)
    page.page.focus("#slider")
    page.page.keyboard.press("ArrowRight")
    assert note.inner_text() == ""


def test_the_chart_of_costs_says_where_it_ends(opened, pages):
    page = opened(pages("sweep"))
    dearest = 151 / 3163 * 50
    assert f"the dearest threshold, at {dearest:.4g}, lies above it." in page.page.locator("#cut").inner_text()
    page.set("#slider", 0)
    assert page.numbers()["cost"][0] == pytest.approx(dearest)
    assert page.page.locator("#cut").inner_text() == ""
    assert float(page.page.locator("#chart-cost circle.dot:not(.ring)").get_attribute("cy")) > 12


def test_the_chart_of_scores_keeps_the_operating_points_and_tells_the_classes_from_the_models(opened, pages):
    page = opened(pages("compare")).page
    chart = page.locator("#chart-scores-1")
    dashed = chart.locator(".limit").evaluate_all("(all) => all.map(e => e.getAttribute('d'))")
    before = chart.locator(".now").get_attribute("d")
    assert dashed == [before]
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert chart.locator(".limit").evaluate_all("(all) => all.map(e => e.getAttribute('d'))") == dashed
    assert chart.locator(".now").get_attribute("d") != before
    assert "the unbroken line: the threshold set above" in page.locator("#figure-scores-1 figcaption").inner_text()
    colours = [page.locator(f"#figure-scores-1 figcaption .{name}") for name in ("positives", "negatives")]
    drawn = [each.evaluate("(e) => [getComputedStyle(e).stroke, getComputedStyle(e).fill]") for each in colours]
    models = page.locator(".legend .line").evaluate_all("(all) => all.map(e => getComputedStyle(e).stroke)")
    assert drawn[0] != drawn[1]
    assert not set(models) & {colour for both in drawn for colour in both}


def test_twice_the_cost_of_a_miss_moves_the_cheapest_threshold_to_where_the_command_has_it(opened, pages, tmp_path):
    page = opened(pages("sweep"))
    assert page.page.input_value("#cost") == "50"
    for miss, press in ((50, None), (100, "#double"), (50, "#half")):
        if press:
            page.page.click(press)
        run = ["sweep", SAMPLE_DATA / "hypothyroid.csv", "--score", "F", "--cost", f"1:{miss}", "--isolated", "-q"]
        assert run_in_process([*run, "-o", "b.json"], folder=tmp_path).status == 0
        points = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))["tables"]["operating_points"]
        (wanted,) = [point for point in points if point["rule"].startswith("cost=")]
        found = page.numbers()
        assert found["cheapest"][0] == wanted["threshold"]
        jump = page.page.locator("#jump option", has_text="cheapest").get_attribute("value")
        page.set("#jump", jump, "change")
        assert page.numbers()["cost"][0] == pytest.approx(wanted["cost"], rel=1e-12)


def test_another_prevalence_restates_every_rate_that_depends_on_it(opened, pages, tmp_path):
    page = opened(pages("sweep"))
    page.set("#share", 20, "change")
    run = ["sweep", SAMPLE_DATA / "hypothyroid.csv", "--score", "F", "--prevalence", "0.2", "--isolated", "-q"]
    assert run_in_process([*run, "-o", "rows:b.json"], folder=tmp_path).status == 0
    rows = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    found = page.numbers()
    (row,) = [row for row in rows if (row["tp"], row["fp"]) == (found["tp"][0], found["fp"][0])]
    tpr, fpr = row["tpr"], row["fpr"]
    tp, fn, fp, tn = 0.2 * tpr, 0.2 * (1 - tpr), 0.8 * fpr, 0.8 * (1 - fpr)  # shares of cases of that prevalence
    of_all = {
        **{key: row[key] for key in ("precision", "npv")},
        "accuracy": tp + tn,
        "predicted_positive_rate": tp + fp,
        "f1": 2 * tp / (2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5,
        "lift": tp / (tp + fp) / 0.2,
    }
    for key, value in of_all.items():
        assert found[key] == [pytest.approx(value), None, None]
    page.page.click("#own")
    assert page.numbers()["precision"][1] is not None


def test_the_net_benefit_is_that_of_the_command_where_the_threshold_is_the_probability_from_which_one_acts(
    opened, tmp_path
):
    run = ["sweep", SAMPLE_DATA / "hypothyroid.csv", "--score", "F", "--at", "threshold=0.2", "--calibration"]
    files = ["-o", "a.html", "-o", "a.json"]
    assert run_in_process([*run, "--isolated", "-q", *files], folder=tmp_path).status == 0
    (point,) = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["tables"]["operating_points"]
    page = opened(tmp_path / "a.html")
    page.set("#cost", 4, "change")
    assert page.numbers()["net-benefit"][0] == pytest.approx(point["net_benefit"], rel=1e-12)


def test_the_sentence_counts_what_happens_to_a_thousand_cases(opened, pages):
    page = opened(pages("compare"))
    point = json.loads(pages("compare").with_suffix(".json").read_text(encoding="utf-8"))["tables"]["operating_points"][
        1
    ]
    tp, fp, fn = (1000 * point[key] / 2400 for key in ("tp", "fp", "fn"))
    said = page.page.locator("#said").inner_text()
    numbers = re.match(
        r"new at threshold 0.4: of 1,000 cases (\S+) raise an alarm, (\S+) of them rightly and (\S+) falsely; (\S+) "
        r"positives are missed. With a cost of 1 for a false alarm and 1 for a miss, a case costs (\S+); ",
        said,
    ).groups()
    wanted = (tp + fp, tp, fp, fn, (fn + fp) / 1000)
    assert [float(number) for number in numbers] == pytest.approx(wanted, rel=0.005)


def test_all_points_on_the_line_of_equal_cost_cost_the_same(opened, pages):
    page = opened(pages("sweep"))
    page.page.locator("#layer-cost").check()
    drawn = page.page.locator("#chart-roc .limit").get_attribute("d")
    (x1, y1), (x2, y2) = (
        ((float(x) - 58) / 330, (296 - float(y)) / 284) for x, y in (each.split(",") for each in drawn[1:].split("L"))
    )
    share, miss = 151 / 3163, 50
    costs = [share * miss * (1 - tpr) + (1 - share) * fpr for fpr, tpr in ((x1, y1), (x2, y2))]
    assert costs[0] == pytest.approx(costs[1], abs=0.01)
    assert costs[0] == pytest.approx(page.numbers()["cost"][0], abs=0.01)
    assert abs(y2 - y1) > 0.05


def test_what_one_model_gains_on_another_is_counted(opened, pages):
    page = opened(pages("compare"))
    report = json.loads(pages("compare").with_suffix(".json").read_text(encoding="utf-8"))
    old, new = report["tables"]["operating_points"]
    gained, alarms = new["tp"] - old["tp"], new["fp"] - old["fp"]
    assert (gained, alarms) == (17, -23)
    said = page.page.locator("#said").inner_text()
    assert (
        "new against old (the same threshold): 17 more positives found, 23 fewer false alarms among the 2,400 cases of the data."
        in said
    )
    page.page.select_option("#of-model", "0")
    said = page.page.locator("#said").inner_text()
    assert (
        "new against old (the same threshold): 17 more positives found, 23 fewer false alarms among the 2,400 cases of the data."
        in said
    )
    page.set("#jump", page.page.locator("#jump option", has_text="cheapest").get_attribute("value"), "change")
    at = page.page.locator("#readout tr:has(#rate-threshold) td.number").all_inner_texts()
    assert at[0] == at[1]
    assert "new against old (the same threshold): " in page.page.locator("#said").inner_text()
    page.page.locator("#on-1").uncheck()
    assert "against" not in page.page.locator("#said").inner_text()
    assert page.page.locator("#figure-scores-1").is_hidden()


def test_what_is_restated_and_what_is_of_the_cases_is_told_apart(opened, pages):
    page = opened(pages("compare")).page
    for selector in ("#said", "#matrix", "#rates caption"):
        assert "restated" not in page.locator(selector).inner_text().lower()
    page.fill("#share", "5")
    page.press("#share", "Enter")
    said = page.locator("#said").inner_text()
    assert said.startswith("Restated for 5 positives among 100 cases: new at threshold 0.4: of 1,000 cases ")
    assert said.endswith("among the 2,400 cases of the data, not restated.")
    matrix = page.locator("#matrix").inner_text()
    assert "cases of the data and, below them, restated for 5 positives among 100 cases" in matrix
    counts = page.locator("#matrix td").evaluate_all("(all) => all.map(e => [+e.dataset.value, e.textContent])")
    assert sum(count for count, _ in counts) == 2400
    assert all(text.endswith(" in 1,000, restated") for _, text in counts)
    rates = page.locator("#rates caption").inner_text()
    assert rates.endswith("do not depend on the prevalence, all others are restated for 5 positives among 100 cases")


def test_an_operating_point_takes_the_others_to_the_same_share_and_says_that_it_was_chosen_here(opened, tmp_path):
    random = np.random.default_rng(1)
    labels = np.arange(900) % 5 == 0
    scores = {name: random.random(900) * (1 + at) + labels * 0.3 for at, name in enumerate(("a", "b"))}
    at = ["threshold=0.5", "fpr<=0.1", "tpr>=0.8", "alerts<=90", "cost=1:8"]
    result = library.compare(library.Predictions(labels, scores), baseline="a", at=at, cost="1:8")
    save(Answer((result,)), Place(None, tmp_path / "a.html"))
    page = opened(tmp_path / "a.html").page
    said, note = page.locator("#said"), page.locator("#note-typed")
    assert "(chosen on these cases): of 1,000" not in said.inner_text()
    points = {(each["model"], each["rule"]): each for each in result.table("operating_points").records()}
    for rule, mode, told in (
        ("fpr<=0.1", "fpr", "the same share of false alarms"),
        ("tpr>=0.8", "tpr", "the same share found"),
        ("alerts<=90", "alarms", "as many alarms"),
        ("cost=1:8", "alarms", "as many alarms"),
        ("threshold=0.5", "threshold", "the same threshold"),
    ):
        option = page.locator("#jump option", has_text=rule)
        was_chosen = points["b", rule]["in_sample"]
        assert option.inner_text().endswith(" (chosen on these cases)") == was_chosen
        page.select_option("#jump", option.get_attribute("value"))
        assert page.input_value("#mode") == mode
        own = {"cost=1:8": told, "threshold=0.5": told}.get(rule, f"their own {rule}")
        assert note.inner_text() == f"The other models are at {own}; “The others at” sets this."
        assert ("(chosen on these cases): of 1,000 cases" in said.inner_text()) == was_chosen
        if own != told:
            pair = [points[name, rule] for name in ("b", "a")]
            at_own = " and ".join(f"{each['threshold']:.9g}" for each in pair)
            thresholds = page.locator("#readout tr:has(#rate-threshold) td.number").all_inner_texts()
            assert " and ".join(thresholds) == at_own
            assert f"b against a (each at its own {rule}: b at threshold" in said.inner_text()
            gained = pair[0]["tp"] - pair[1]["tp"]
            wanted = (
                f"{abs(gained)} {'more' if gained > 0 else 'fewer'} positive" if gained else "as many positives found"
            )
            assert wanted in said.inner_text()
    assert page.locator("#jump option").last.inner_text() == "the cheapest at these costs (chosen on these cases)"
    assert re.search(r"cheap\S+ .*? \(chosen on these cases\)", said.inner_text())
    labels = page.locator("#chart-scores-1 .label").all_text_contents()
    assert labels == at


def test_costs_are_in_the_unit_of_the_run(opened, tmp_path):
    """Tables, sentences and the panel have the cost of one case, also where a false alarm does not cost 1."""
    run = ["sweep", SAMPLE_DATA / "hypothyroid.csv", "--score", "F", "--at", "threshold=0.5", "--cost", "5:100"]
    files = ["-o", "a.html", "-o", "a.json"]
    assert run_in_process([*run, "--isolated", "-q", *files], folder=tmp_path).status == 0
    points = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["tables"]["operating_points"]
    page = opened(tmp_path / "a.html")
    assert page.numbers()["cost"][0] == pytest.approx(points[0]["cost"], rel=1e-12)
    said = page.page.locator("#said").inner_text()
    assert (
        f"With a cost of 5 for a false alarm and 100 for a miss, a case costs {points[0]['cost']:.4g}; cheapest is threshold "
        f"{points[1]['threshold']:.9g}, at {points[1]['cost']:.4g} (chosen on these cases)." in said
    )
    assert page.page.locator("#rate-cost").inner_text() == f"{points[0]['cost']:.4g}"
    page.set("#jump", page.page.locator("#jump option", has_text="cheapest").get_attribute("value"), "change")
    assert page.numbers()["cost"][0] == pytest.approx(points[1]["cost"], rel=1e-12)


def test_a_threshold_whose_counts_of_another_model_the_page_lacks_says_which_one_is_shown(opened, tmp_path):
    random = np.random.default_rng(7)
    labels = random.random(9_000) < 0.3
    scores = {name: random.random(9_000) * 0.8 + labels * 0.2 for name in ("a", "b")}
    result = library.compare(library.Predictions(labels, scores), baseline="a", at=["threshold=0.5"])
    save(Answer((result,)), Place(None, tmp_path / "a.html"))
    page = opened(tmp_path / "a.html")
    assert "b against a (the same threshold):" in page.page.locator("#said").inner_text()
    page.set("#slider", 300)
    at, other = page.page.locator("#readout tr:has(#rate-threshold) td.number").all_inner_texts()
    assert float(other) > float(at)
    assert (
        f"b against a (this page has no counts of a at {at}: its next threshold with no more alarms is {other}):"
        in page.page.locator("#said").inner_text()
    )


def test_the_slider_says_which_way_more_is_called_positive(opened, pages):
    page = opened(pages("sweep")).page
    assert page.locator(".ends span").all_inner_texts() == ["← fewer called positive", "more called positive →"]


def test_the_top_is_one_press_away_from_everywhere(opened, pages):
    page = opened(pages("compare")).page
    page.locator("footer").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 2000
    page.click("a.top")
    assert page.evaluate("scrollY") == 0


def test_marks_of_the_chosen_model_alone_are_on_the_chart_at_first(opened, pages):
    page = opened(pages("compare")).page
    assert page.locator("#chart-roc .cross").count() == 2
    assert page.locator("#chart-roc .bold, #chart-roc .hull, #chart-roc .limit").count() == 0
    assert page.locator("#figure-roc .about-segment").is_hidden()
    page.locator("#layer-segment").check()
    assert page.locator("#chart-roc .bold").count() == 1
    assert page.locator("#figure-roc .about-segment").is_visible()


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("threshold", ["0.5", "0.55", "-3", "inf", "9", "-9"])
def test_a_typed_threshold_flags_the_cases_that_the_command_flags(opened, tmp_path, low, threshold):
    scores = [-np.inf, -3.0, 0.2, 0.5, 0.5, 0.6, 2.0, np.inf]
    labels = np.array([True, False, True, False, True, False, True, True])
    counts = library.count(library.Predictions(labels, {"m": np.array(scores)}, lower_is_positive=low))
    save(Answer((library.sweep(counts, at=["threshold=0.2"]),)), Place(None, tmp_path / "a.html"))
    page = opened(tmp_path / "a.html")
    page.set("#typed", threshold.replace("inf", "Infinity"), "change")
    flagged = np.array(scores) <= float(threshold) if low else np.array(scores) >= float(threshold)
    found = page.numbers()
    assert [found[key][0] for key in COUNTED] == [
        (flagged & labels).sum(),
        (flagged & ~labels).sum(),
        (~flagged & labels).sum(),
        (~flagged & ~labels).sum(),
    ]
    if np.isfinite(float(threshold)):
        assert f"m at threshold {float(threshold):g}:" in page.page.locator("#said").inner_text()


def test_a_threshold_that_a_thinned_page_does_not_have_is_not_named(opened, tmp_path):
    random = np.random.default_rng(4)
    labels = random.random(20_000) < 0.3
    counts = library.count(library.Predictions(labels, {"m": random.random(20_000)}))
    save(Answer((library.sweep(counts, at=["threshold=0.25"]),)), Place(None, tmp_path / "a.html"))
    page = opened(tmp_path / "a.html")
    assert "m at threshold 0.25:" in page.page.locator("#said").inner_text()
    page.set("#typed", "0.123456", "change")
    found = page.numbers()
    assert found["threshold"][0] >= 0.123456
    assert "threshold 0.123456:" not in page.page.locator("#said").inner_text()
    note = page.page.locator("#note-typed")
    assert note.inner_text().endswith(
        f"of 20,000 thresholds, and not 0.123456: shown is the nearest that raises no more alarms, {found['threshold'][0]:.9g}."
    )
    for exact in (found["threshold"][0], 0.25, 2, -1):
        page.set("#typed", exact, "change")
        assert note.inner_text() == ""
    page.set("#typed", 0.123456, "change")
    found = page.numbers()
    flagged = counts.scores >= found["threshold"][0]
    assert found["tp"][0] == counts.positives[flagged].sum()


@pytest.mark.parametrize(("mode", "key"), [("alarms", "predicted_positive_rate"), ("fpr", "fpr"), ("tpr", "tpr")])
def test_models_are_compared_where_they_have_the_same_share(opened, pages, mode, key):
    page = opened(pages("compare"))
    page.page.select_option("#mode", mode)
    cells = page.page.locator(f"#readout tr:has(#rate-{key}) td.number").all_inner_texts()
    first, second = (float(cell.split()[0]) for cell in cells)
    assert first == pytest.approx(second, abs=0.004)
    at = page.page.locator("#readout tr:has(#rate-threshold) td.number").all_inner_texts()
    assert f"new at threshold {at[0]}, old at threshold {at[1]})" in page.page.locator("#said").inner_text()


def test_layers_are_switched_on_and_off(opened, pages):
    tango, chi2 = opened(pages("tango")).page, opened(pages("chi2-contours")).page
    assert tango.locator("#chart-roc .bold").count() == 1
    tango.locator("#layer-segment").uncheck()
    assert tango.locator("#chart-roc .bold").count() == 0
    contours = chi2.locator("#chart-roc .contour").count()
    assert contours > 2
    chi2.locator("#layer-contours").uncheck()
    assert chi2.locator("#chart-roc .contour").count() == 0
    chi2.locator("#layer-contours").check()
    assert chi2.locator("#chart-roc .contour").count() == contours
    sensibility = opened(pages("sensibility")).page
    assert sensibility.locator("#chart-sensibility-0 .here").count() == 1


def test_the_report_is_saved_from_the_page(opened, pages):
    page = opened(pages("sweep")).page
    with page.expect_download() as download:
        page.click("#save button")
    assert download.value.suggested_filename == "report.json"
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert saved == json.loads(pages("sweep").with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("scripts", [True, False])
def test_paper_shows_what_the_screen_folds_away(opened, pages, scripts):
    page = opened(pages("sweep"), java_script_enabled=scripts, viewport={"width": 688, "height": 1000}).page
    page.emulate_media(media="print")
    if scripts:
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    hidden = page.locator("details dl, details table").evaluate_all("(all) => all.filter(e => !e.offsetHeight).length")
    assert hidden == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    scrolled = page.locator(".scroll").evaluate_all(
        "(all) => all.filter(e => e.scrollWidth > e.clientWidth + 1).length"
    )
    assert scrolled == 0


@pytest.mark.parametrize("name", ["compare", "sensibility", "classes"])
def test_paper_breaks_no_number_and_loses_nothing_at_its_edge(opened, pages, name):
    page = opened(pages(name), java_script_enabled=False, viewport={"width": 688, "height": 1000}).page
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    lines = page.locator("main > section:not(#thresholds) table:not(.wide) td.number").evaluate_all(
        "(all) => all.filter(e => e.offsetHeight).map(e => { const r = document.createRange(); r.selectNodeContents(e);"
        " return [...new Set([...r.getClientRects()].map(box => Math.round(box.top)))].length; })"
    )
    assert lines
    assert max(lines) <= 2  # a value, and its interval


def of_models(names, n=3_000):
    random = np.random.default_rng(1)
    labels = np.arange(n) % 5 == 0
    scores = {name: random.random(n) * 0.6 + labels * 0.02 * at for at, name in enumerate(names)}
    return library.compare(library.Predictions(labels, scores), baseline=names[0], at=["threshold=0.5"])


@pytest.mark.parametrize("width", [360, 1280, 3840])
def test_ten_models_with_long_and_hostile_names_are_only_names(opened, tmp_path, width):
    names = [*HOSTILE, *(f"{LONG} {at}" for at in range(6))]
    save(Answer((of_models(names),)), Place(None, tmp_path / "a.html"))
    page = opened(tmp_path / "a.html", viewport={"width": width, "height": 900})
    assert page.page.locator("#of-model option").all_inner_texts()[:2] == list(HOSTILE[:2])
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.page.locator("#chart-roc path.line").count() >= 11
    assert page.violations() == []


def test_a_page_that_was_edited_runs_no_script_of_others(opened, pages, tmp_path):
    text = pages("plan").read_text(encoding="utf-8")
    (tmp_path / "a.html").write_text(text.replace("<h1>", "<b onclick='alert(1)'>x</b><h1>", 1), encoding="utf-8")
    page = opened(tmp_path / "a.html")
    page.page.click("b")
    assert [said for said in page.said if said.startswith("dialog")] == []
    assert len(page.said) == 1
    assert "Content Security Policy" in page.said.pop()


@pytest.mark.thorough
def test_ten_million_cases_are_explored_with_exact_counts(opened, tmp_path):
    random, n = np.random.default_rng(2), 10_000_000
    labels = random.random(n) < 0.02
    scores = random.random(n) * 0.7 + labels * 0.3
    counts = ScoreCounts.of(scores, labels.astype(np.int64), (~labels).astype(np.int64))
    result = library.sweep(counts, at=["alerts<=1000"], honest=False)
    save(Answer((result,)), Place(None, tmp_path / "a.html"))
    assert (tmp_path / "a.html").stat().st_size <= 1_000_000
    page = opened(tmp_path / "a.html")
    last = int(page.page.get_attribute("#slider", "max"))
    for place in (1, last // 3, last // 2, last):
        page.set("#slider", place)
        found = page.numbers()
        flagged = scores >= found["threshold"][0]
        tp, fp = np.count_nonzero(labels & flagged), np.count_nonzero(~labels & flagged)
        assert (found["tp"][0], found["fp"][0]) == (tp, fp)
        lower, upper = wilson_limits(np.array([tp]), counts.p)
        assert found["tpr"] == pytest.approx([tp / counts.p, lower[0], upper[0]])
