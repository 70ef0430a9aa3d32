"""The page as a whole: its sections in the order in which a reader asks, and what it allows a browser to do."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from functools import cache
from math import isfinite
from pathlib import Path
from shlex import join
from typing import IO, TYPE_CHECKING, Any

from rocconf import __version__, wording
from rocconf.answer import input_record
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.roc.observed import probabilities
from rocconf.compute.roc.rates import COUNTED
from rocconf.dataclass import dataclass
from rocconf.messages import explanation, meanings_of, message
from rocconf.metric import DELTA
from rocconf.report.html import charts
from rocconf.report.html.charts import ARROW
from rocconf.report.html.compared import about_rules, cost_difference, told, undecided
from rocconf.report.html.curves import MOST_ALTOGETHER, drawn_curves, script_record
from rocconf.report.html.embedded import LARGEST, embedded_data, embedded_report
from rocconf.report.html.judged import bearing, of_costs, warnings_in_short, what_decides
from rocconf.report.html.markup import Markup, joined, tag, with_code
from rocconf.report.html.tables import (
    CUT,
    EMPTY,
    data_table,
    html_table,
    shown_as_html,
    thresholds_table,
)
from rocconf.report.models_table import side_by_side, summary
from rocconf.report.verdict_lines import IN_WORDS, MARKS, verdict_reason, verdict_title, worst_first
from rocconf.report.verdict_table import rule_in_words, verdict_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rocconf.answer import Answer, Remark
    from rocconf.messages import Message
    from rocconf.report.html.curves import DrawnCurve

MOST_BYTES = 1_000_000
"""The size of a page."""

HERE = Path(__file__).parent
STYLE, SCRIPT = HERE / "page.css", HERE / "page.js"

TWO = 2
"""The thresholds that a line needs."""

NOT_SHOWN = ("rows", "models", "hull", "contours", "bands", "power")
"""The tables that are charts, or are shown otherwise."""

NOT_JUDGED = ("count", "gate", "plan", "unlabelled")
"""The commands on whose reports no rule is."""

NO_ALARM = "answer-cost-nothing"
OF_COST = ("answer-cost", "answer-cost-sharp", NO_ALARM)
"""The sentences on the least cost: of a threshold that was chosen on these cases, or of none."""

IN_CELLS = ("metric", "test", "interval", "method", "p_method", "statistic", "stream")
"""The columns whose cells are words to explain."""

TITLES = {
    "pairs": "Which model is better?",
    "operating_points": "Operating points",
    "slices": "Slices: where is it worst?",
    "slice_pairs": "Slices: who gains and who loses?",
    "slice_points": "Slices at the operating points",
    "folds": "Folds of the cross-validation",
    "class_pairs": "Pairs of classes",
    "windows": "Windows of time",
    "martingales": "Alarms in time",
    "drift": "Has something changed?",
    "points": "Points given by their rates",
    "restated": "At another prevalence",
    "concavities": "Concavities",
    "effective_sizes": "Effective sizes of clustered cases",
}
"""The headings of the tables."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of what a page can leave out it has."""

    rows: int = 200
    """The rows of a table."""
    thresholds: int = MOST_ALTOGETHER
    """The thresholds of all models together."""
    report: int = LARGEST
    """The size of the report with everything."""


DETAILS = (Detail(), Detail(100, 1500, 0), Detail(40, 600, 0), Detail(10, 200, 0))
"""The detail of a page, and what it has if that makes it too large."""


def write_html(answer: Answer, stream: IO[str]) -> None:
    """Write the answer as one file that needs no other."""
    for detail in DETAILS:
        page = page_of(answer, detail)
        if len(page.encode()) <= MOST_BYTES:
            break
    stream.write(page)


def page_of(answer: Answer, detail: Detail) -> str:
    """Return the page."""
    curves = drawn_curves(answer, most=detail.thresholds)
    report, left_out = embedded_report(answer, most=detail.report)
    style, script = _source(STYLE), _source(SCRIPT)
    title = f"rocconf {answer.command}: {_headline(answer).lower()}"
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"rocconf {__version__}"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    sections = list(_sections(answer, curves, detail))
    contents = [tag("li", tag("a", heading, href=f"#{name}")) for name, heading, _ in sections]
    body = tag(
        "body",
        tag("a", "Skip to the answer", href="#content", class_="skip"),
        _header(answer),
        tag("nav", tag("ul", *contents), aria_label="Contents"),
        tag("main", *(_section(name, heading, *content) for name, heading, content in sections), id="content"),
        _footer(left_out, is_judged=bool(curves) and answer.command not in NOT_JUDGED),
        tag("a", "Top", tag("span", " \N{UPWARDS ARROW}", aria_hidden="true"), href="#top", class_="top"),
        Markup("\n"),
        report,
        Markup("\n"),
        embedded_data(script_record(answer, curves), name="curves"),
        Markup("\n"),
        tag("script", Markup(script)),
    )
    return f"<!doctype html>\n{tag('html', head, Markup(chr(10)), body, lang='en')}\n"


def _header(answer: Answer) -> Markup:
    """Return the verdict, and what it is about."""
    names = [source.name for source in answer.sources if source.role == "data"]
    about = f"rocconf {answer.command}" + (f" of {', '.join(names[:3])}" if names else "")
    more = f" and {len(names) - 3} more files" if len(names) > 3 else ""
    if answer.verdict is None:
        told = "No rule was judged, so this page decides nothing: it tells how sure its numbers are."
    else:
        told = verdict_title(answer)
    mark = [tag("span", MARKS[answer.verdict], class_="mark", aria_hidden="true"), " "] if answer.verdict else []
    return tag(
        "header",
        tag("p", f"{about}{more}", class_="about"),
        tag("h1", *mark, _headline(answer)),
        tag("p", told, class_="told"),
        class_=f"verdict {answer.verdict or 'none'}",
        id="top",
    )


def _headline(answer: Answer) -> str:
    if answer.verdict is None:
        return "No verdict"
    return IN_WORDS[answer.verdict].capitalize()


def _sections(answer: Answer, curves: Sequence[DrawnCurve], detail: Detail) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the id, the heading and the content of each section."""
    sentences = [
        sentence.text(answer.audience) + _of_least_cost(answer, sentence)
        for result in answer.results
        for sentence in result.conclusions
    ]
    if answer.verdict is not None:
        sentences[:0] = [verdict_reason(answer), *what_decides(answer)]
    about_warnings = warnings_in_short(answer)
    if sentences:
        items = [tag("li", text) for text in sentences[: detail.rows]]
        items += [tag("li", tag("a", text, href="#caveats"), f": {rest}") for text, rest in about_warnings]
        yield "answer", "The answer", [tag("ul", *items, class_="answer")]
    if answer.verdict is not None:
        yield "rules", "The rules: may it go out, and why?", list(_rules(answer, detail))
    if curves:
        yield "thresholds", "Thresholds: at which one, at what price?", list(_explorer(answer, curves, detail))
    yield from _tables(answer, detail)
    yield "summary", "All numbers", [_summary(answer, detail)]
    yield "words", "What the words mean", [_words(answer, with_curves=bool(curves))]
    if answer.remarks:
        yield "caveats", "Warnings: what to know when reading this", list(_remarks(answer))
    yield "made", "How it was made, and how to make it again", list(_made(answer, detail))


def _of_least_cost(answer: Answer, sentence: Message) -> str:
    """Return what a sentence on the cheapest threshold of a model does not say: that it was chosen here, and if it wins."""
    if sentence.code not in OF_COST:
        return ""
    values = dict(sentence.values)
    found = cost_difference(answer, str(values.get("model")), str(values.get("costs")))
    chosen = "; the threshold was chosen on these cases" * (sentence.code != NO_ALARM)
    return chosen + f"; {found}" * bool(found)


def _section(name: str, heading: str, *content: str) -> Markup:
    return tag(
        "section", tag("h2", heading, id=f"{name}-heading"), *content, id=name, aria_labelledby=f"{name}-heading"
    )


def _rules(answer: Answer, detail: Detail) -> Iterator[Markup]:
    """Yield a line for each rule, the worst first, with its interval against the limit."""
    gates = worst_first(answer.gates)
    if not gates:
        yield tag("p", message("no-rule-judged").text(answer.audience))
        return
    shown = verdict_table(replace(answer, gates=tuple(gates[: detail.rows])), width=None)
    rows, bars, scales, few = [], [], _scales(gates), undecided(answer)
    for (_, model, _, value, interval), gate in zip(shown.rows, gates, strict=False):
        verdict = f"{MARKS[gate['verdict']]} {IN_WORDS[gate['verdict']]}" + " (only warns)" * (
            gate["severity"] == "warn"
        )
        rows.append((rule_in_words(gate), verdict, model, f"{value} {interval}".strip(), _why(answer, gate, few)))
        limits = gate["value"], gate["lower"], gate["upper"]
        domain = scales[_kind_of(gate)]
        bars.append(charts.interval_bar(*limits, domain, limit=gate["limit"], class_=gate["verdict"]))
    headings = ("rule", "verdict", "model", "value", "why")
    yield html_table(headings, (False, False, False, True, False), rows, name="Rules", bars=bars, beside=3)
    drawn = (
        "The dashed line is the limit; an interval that crosses it decides nothing. Shares have one scale, and so have "
        "differences of shares; its ends stand under each line."
    )
    adjusted = about_rules(answer).strip() or "Each rule is judged by itself."
    notes = {
        "The drawing": drawn + f" {CUT}" * any(ARROW in bar for bar in bars),
        "What is adjusted": f"{adjusted} Nothing is adjusted for the number of rules.",
        "Costs": of_costs(answer),
    }
    yield tag(
        "dl", *(part for head, text in notes.items() for part in (tag("dt", head), tag("dd", text))), class_="quiet"
    )
    if len(gates) > detail.rows:
        yield tag("p", f"{detail.rows} of {len(gates):,} verdicts; the others are in the JSON report.", class_="quiet")


def _why(answer: Answer, gate: dict[str, Any], few: Collection[tuple[Any, Any]]) -> str:
    """Return the reason of a verdict, and what settles a rule that is open."""
    why = str(gate["message"])
    if gate["value"] is None:
        least = answer.results[0].options.get("min_cases")
        remedy = message("slice-remedy", least=least).text(answer.audience)
        return why + remedy * ((gate.get("by"), gate.get("slice")) in few)
    if gate["verdict"] != "inconclusive" or gate["lower"] is None or gate["upper"] is None:
        return why
    limit, value = gate["limit"], gate["value"]
    meets = {">=": value >= limit, ">": value > limit, "<=": value <= limit, "<": value < limit}.get(gate["op"], True)
    return why + "; the value itself does not meet the rule" * (not meets)


def _kind_of(gate: dict[str, Any]) -> str:
    """Return what a rule shares its scale with: shares, differences of shares, or others of its metric."""
    name = str(gate["metric"]).removeprefix(DELTA)
    is_share = name in RATES or name.endswith(("auc", "average_precision"))
    return f"{DELTA * (name != gate['metric'])}{'share' if is_share else name}"


def _scales(gates: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return the scale of each kind of rule."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for gate in gates:
        kinds.setdefault(_kind_of(gate), []).append(gate)
    return {
        kind: charts.scale_of(
            [(gate["value"], gate["lower"], gate["upper"]) for gate in found], limits=[gate["limit"] for gate in found]
        )
        for kind, found in kinds.items()
    }


def _explorer(answer: Answer, curves: Sequence[DrawnCurve], detail: Detail) -> Iterator[Markup]:
    """Yield the charts of the curves, and a table of thresholds for each; the script adds what moves."""
    models = len(answer.table("models"))
    if len(curves) < models:
        yield tag("p", f"Curves of {len(curves)} of {models} models; the tables have all.", class_="quiet")
    yield tag("div", id="controls")
    yield tag("p", _what_moves(answer), class_="quiet", id="moves", hidden=True)
    yield charts.legend(curves)
    contours = _contours(answer)
    most = min(detail.rows, 12)
    tables = [thresholds_table(curve, most=most) for curve in curves]
    level = wording.level(float(answer.results[0].options.get("level") or 0.95))
    figures = [
        charts.figure(
            "roc",
            "ROC curve",
            joined(
                "Up and left is better; on the dotted line the scores say nothing.",
                *[tag("span", " The broad part is the confident segment.", class_="about-segment")]
                * any(curve.segment for curve in curves),
                *[tag("span", " Thin lines are contours of equal chi-square.", class_="about-contours")]
                * bool(contours),
            ),
            *charts.roc_chart(curves, contours),
        ),
        charts.figure(
            "pr",
            "Precision and recall",
            "Up and right is better; the dotted line is what guessing reaches.",
            *charts.pr_chart(curves),
        ),
    ]
    for at, curve in enumerate(curves):
        about = joined(
            *(part for each in ("negatives", "positives") for part in (charts.class_swatch(each), f" {each}, ")),
            tag("span", "each as shares of their class; dashed: operating points", class_="with-now"),
            ".",
        )
        title = "Scores" if len(curves) == 1 else f"Scores of {curve.model}"
        figures.append(charts.figure(f"scores-{at}", title, about, *charts.scores_chart(curve)))
        tables.append(_bins_table(curve))
    figures += _sensibility(answer)
    yield tag("div", *figures, class_="figures")
    if text := _not_calibrated(answer, curves):
        yield tag("p", f"{text}.", class_="quiet", id="calibration")
    yield tag("div", id="readout")
    yield tag("details", tag("summary", "The numbers of the charts"), *tables)
    yield tag(
        "p",
        f"Intervals of rates are Wilson's at {level}. Of a chart drawn from many thresholds the page has the corners of "
        "the convex hull, the operating points and others evenly along the curve, each with its exact counts.",
        class_="quiet",
    )


def _not_calibrated(answer: Answer, curves: Sequence[DrawnCurve]) -> str:
    """Return that calibration was not measured, where it could have been."""
    options = answer.results[0].options
    cannot = options.get("cluster") or options.get("rescale") or any(curve.counts.wide is not None for curve in curves)
    if options.get("calibration") is not False or cannot:
        return ""
    are_shares = all(probabilities(curve.counts) is not None for curve in curves)
    return message("page-no-calibration" if are_shares else "page-no-probabilities").text(answer.audience)


def _what_moves(answer: Answer) -> str:
    """Return which numbers follow what is set in the panel, and at which costs the others stay."""
    costs = answer.results[0].options.get("cost")
    stay = "The answer, the rules and the tables below stay as the command computed them"
    return f"Only this section follows what is set in it. {stay}{f', at costs {costs}' * bool(costs)}." + (
        f" {of_costs(answer)}" * (answer.verdict is not None)
    )


def _bins_table(curve: DrawnCurve) -> Markup:
    bins = curve.bins
    if bins is None:
        return Markup("")
    width = (bins.high - bins.low) / len(bins.positives)
    rows = [
        (f"{bins.low + at * width:.6g} to {bins.low + (at + 1) * width:.6g}", f"{positives:,}", f"{negatives:,}")
        for at, (positives, negatives) in enumerate(zip(bins.positives, bins.negatives, strict=True))
        if positives or negatives
    ]
    return html_table(("score", "positives", "negatives"), (False, True, True), rows, name=f"Scores of {curve.model}")


def _contours(answer: Answer) -> list[tuple[float, list[tuple[float, float]]]]:
    """Return the contours of chi-square, if the analysis has them."""
    if "contours" not in answer.table_names:
        return []
    lines: dict[tuple[Any, ...], list[tuple[float, float]]] = {}
    for row in answer.table("contours").records():
        if row["fpr"] is not None and row["tpr"] is not None:
            lines.setdefault((row["chi2"], row["branch"]), []).append((row["fpr"], row["tpr"]))
    return [(chi2, points) for (chi2, _), points in lines.items()]


def _sensibility(answer: Answer) -> list[Markup]:
    """Return a chart of sensibility and capability against the threshold for each model that has them."""
    found = []
    for at, result in enumerate(answer.results):
        table = result.table()
        if not {"sensibility", "capability", "threshold"} <= set(table.names):
            continue
        step = max(len(table) // charts.MOST_POINTS, 1)
        (block,) = table.blocks
        keys = ("threshold", "sensibility", "capability")
        columns = [block.values(key, slice(0, block.length, step)).tolist() for key in keys]
        points = [row for row in zip(*columns, strict=True) if isfinite(row[0])]
        if len({threshold for threshold, _, _ in points}) < TWO:
            continue
        domain = min(points)[0], max(points)[0]
        lines = [("m0 dash0", [(x, each) for x, each, _ in points]), ("m1 dash1", [(x, each) for x, _, each in points])]
        drawn = charts.lines_chart(lines, domain, "threshold", "share")
        about = "Unbroken: sensibility, dashed: capability, at each threshold."
        title = f"Sensibility of {result.summary()['model']}"
        found.append(charts.figure(f"sensibility-{at}", title, about, *drawn, across=domain))
    return found


def _tables(answer: Answer, detail: Detail) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the tables that have rows, those that decide first."""
    first = answer.results[0]
    for name in _named_tables(answer):
        yield (
            name.replace("_", "-"),
            TITLES.get(name, name.replace("_", " ")),
            [data_table(answer, name, most=detail.rows)],
        )
    if not first.rows_are_thresholds and first.rows_title and len(answer.table()):
        yield "rows", first.rows_title.capitalize(), [data_table(answer, "rows", most=detail.rows)]


def _named_tables(answer: Answer) -> list[str]:
    """Return the tables that have sections of their own, those that decide first."""
    others = [name for name in answer.results[0].table_names if name not in (*TITLES, *NOT_SHOWN)]
    named = [name for name in TITLES if name in answer.results[0].table_names]
    return [name for name in (*named, *others) if len(answer.table(name))]


def _shown_tables(answer: Answer) -> list[str]:
    """Return all tables of the page."""
    first = answer.results[0]
    has_rows = not first.rows_are_thresholds and first.rows_title and len(answer.table())
    return ["models", *_named_tables(answer), *["rows"] * bool(has_rows)]


def _summary(answer: Answer, detail: Detail) -> Markup:
    models = answer.table("models")
    shown = summary(answer.command, models) if len(models) == 1 else side_by_side(answer, models, width=None)
    return shown_as_html(shown, most=max(detail.rows, 60))


def _words(answer: Answer, *, with_curves: bool) -> Markup:
    """Return what the words in the tables mean, in the order of the alphabet."""
    used = ["threshold", *COUNTED, *RATES] * with_curves + [gate["metric"] for gate in answer.gates]
    used += ["positives", "negatives", "dropped"] * bool(answer.sources)
    used += ["status"] * (answer.verdict is not None)
    used += ["delta"] * any(str(gate["metric"]).startswith(DELTA) for gate in answer.gates)
    used += ["wilson", "convex_hull", "line_of_equal_cost", "net_benefit"] * with_curves
    used += ["role"] * bool(answer.sources)
    used += [each for option in _options(answer) for each in option]
    used += ["replicates", "stratified"] * bool(answer.results[0].options.get("bootstrap"))
    for name in _shown_tables(answer):
        table = told(answer, name)
        used += [key for key in table.names if any(value is not None for value in table[key])]
        used += [str(value) for key in IN_CELLS if key in table.names for value in dict.fromkeys(table[key])]
        used += [EMPTY] * ("slice" in table.names and "" in table["slice"]) + ["less"] * ("baseline" in table.names)
        used += ["holm"] * ("p_adjusted" in table.names)
    found = dict(sorted({word: text for name in dict.fromkeys(used) for word, text, _ in meanings_of(name)}.items()))
    items = [
        part for word, text in found.items() for part in (tag("dt", word.replace("_", " ")), tag("dd", with_code(text)))
    ]
    return tag("details", tag("summary", f"{len(found)} words of the tables above"), tag("dl", *items))


def _remarks(answer: Answer) -> Iterator[Markup]:
    """Yield the warnings and the notes, each with its explanation."""
    for kind, heading in (("warning", "Read these numbers differently"), ("note", "Background")):
        found = [remark for remark in answer.remarks if remark.kind == kind]
        if found:
            yield tag("h3", heading)
            yield tag("ul", *(_remark(remark, answer) for remark in found), class_="remarks")


def _remark(remark: Remark, answer: Answer) -> Markup:
    found, bears = explanation(remark.code), bearing(answer, remark) if remark.kind == "warning" else None
    parts = [] if found is None else [part for head, text in found.parts for part in (tag("dt", head), linked(text))]
    more = tag("details", tag("summary", f"More on {remark.code}"), tag("dl", *parts)) if parts else ""
    return tag("li", remark.message, tag("p", bears) if bears else "", more)


def linked(text: str) -> Markup:
    """Return a part of an explanation; a page of the documentation is a link, where its address is known."""
    page, *rest = text.split(", ", 1)
    if not page.startswith("docs/"):
        return tag("dd", text)
    address = _documentation()
    name = page.removeprefix("docs/")
    if address:
        return tag("dd", tag("a", name, href=f"{address}/{name}"), *(f", {each}" for each in rest))
    return tag("dd", ", ".join((f"{name} in the documentation of rocconf", *rest)))


@cache
def _documentation() -> str:
    """Return the address of the documentation, which the project's metadata has if it was built from a repository."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        entries = metadata("rocconf").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    known = dict(each.split(", ", 1) for each in entries)
    address = known.get("Documentation", "")
    return address if address.startswith("https://") else ""


def _made(answer: Answer, detail: Detail) -> Iterator[Markup]:
    """Yield the inputs, the options and the command."""
    if answer.command_line:
        yield tag("p", "This command, run where the files are, makes this page again:")
        yield tag("pre", tag("code", join(answer.command_line)), tabindex="0")
    inputs = list(map(input_record, answer.sources))
    if inputs:
        rows = [
            (
                source["name"],
                source["role"].replace("_", " "),
                *(f"{source[key]:,}" if source.get(key) is not None else "" for key in ("n", "positives", "dropped")),
                str(source.get("positive", "")),
            )
            for source in inputs[: detail.rows]
        ]
        headings = ("file", "role", "cases", "positives", "dropped", "positive class")
        yield tag("h3", "What was read")
        yield html_table(headings, (False, False, True, True, True, False), rows, name="Inputs")
        yield from (
            tag("p", f"SHA-256 of {source['name']}:", tag("code", source["sha256"]), class_="hash")
            for source in inputs[: detail.rows]
            if source["sha256"]
        )
    if options := _options(answer):
        yield tag("h3", "Options")
        yield html_table(("option", "value"), (False, False), options, name="Options, also those by default")
    yield tag("p", f"Made by rocconf {__version__}.")


def _options(answer: Answer) -> list[tuple[str, str]]:
    """Return the options that are set, and their values."""
    return [(key, _option(value)) for key, value in answer.results[0].options.items() if value not in (None, False, [])]


def _option(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return "yes" if value is True else str(value)


def _footer(left_out: Sequence[str], *, is_judged: bool) -> Markup:
    judged = ": rocconf gate judges the page as it judges the report" * is_judged
    without = f", without {', '.join(left_out)}, which would make the page too large" if left_out else ""
    return tag(
        "footer",
        tag(
            "p",
            f"This page holds the JSON report{without}{judged}.",
            tag("span", id="save"),
        ),
    )


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash by which a policy allows a script or a style."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
