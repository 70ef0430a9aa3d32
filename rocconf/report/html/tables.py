"""The tables of an answer as HTML: every number as text, and intervals also as bars on one scale for each metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf import wording
from rocconf.report.few_rows import FLAGGED, MARK, few_rows
from rocconf.report.html.charts import domain_of, interval_bar
from rocconf.report.html.compared import about, told
from rocconf.report.html.markup import Markup, joined, tag
from rocconf.report.rounding import NO_VALUE, show_column
from rocconf.report.rows_table import rows_table
from rocconf.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.answer import Answer
    from rocconf.report.html.curves import DrawnCurve
    from rocconf.report.shown import Shown

    Row = Mapping[str, Any]

RATES = ("tpr", "fpr", "precision", "npv", "accuracy")
"""The rates of a table of thresholds."""

DRAWN = ("difference", "auc", "value")
"""The numbers whose intervals are drawn, the first of a table that has it."""

LIMITS = {"difference": ("difference_lower", "difference_upper"), "auc": ("auc_lower", "auc_upper")}
WIDE = 8
"""The columns that fit on paper."""
BAR = "interval, drawn"
NOTHING = f"{NO_VALUE} [{NO_VALUE}, {NO_VALUE}]"
"""An estimate without a value and an interval."""
SORTED, EMPTY = ("slices", "slice_pairs"), "(empty)"
"""The tables whose lowest rows come first, and the name of a slice without one."""


def html_table(
    headings: Sequence[str],
    numeric: Sequence[bool],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    bars: Sequence[str] = (),
    beside: int = 0,
    class_: str | None = None,
) -> Markup:
    """Return a table in a box that scrolls; the first cell of a row is its heading, and its bar is beside a column.

    The cells of a wide table have their headings, with which they stand on paper.
    """
    class_ = class_ or ("wide" if len(headings) > WIDE else None)
    labels = headings if class_ else [None] * len(headings)
    heads = [
        tag("th", heading, scope="col", class_="number" * right or None) for heading, right in _pairs(headings, numeric)
    ]
    heads[beside + 1 : beside + 1] = [tag("th", BAR, scope="col")] * bool(bars)
    body = []
    for at, row in enumerate(rows):
        cells = [
            tag(
                "td" if place else "th",
                cell,
                class_="number" * right or None,
                scope=None if place else "row",
                data_label=labels[place],
            )
            for place, (cell, right) in enumerate(_pairs(row, numeric))
        ]
        cells[beside + 1 : beside + 1] = [tag("td", bars[at])] if bars else []
        body.append(tag("tr", *cells))
    table = tag(
        "table",
        tag("caption", name, class_="quiet"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *body),
        class_=class_,
    )
    return tag("div", table, class_="scroll", role="group", aria_label=name, tabindex="0")


def shown_as_html(shown: Shown, *, most: int) -> Markup:
    """Return a table as people see it."""
    headings = shown.headings if any(shown.headings) else ("", "value")
    headings = ("number", *headings[1:])
    return joined(
        html_table(headings, shown.numeric, shown.rows[:most], name=shown.title), _rest(len(shown.rows), most)
    )


def data_table(answer: Answer, name: str, *, most: int) -> Markup:
    """Return one table of an answer, with the intervals of its main number as bars."""
    table = told(answer, name)
    notes = [tag("p", text, class_="quiet") for text in about(answer, name)]
    if "slice" in table.names:
        rows = [{**row, "slice": row["slice"] or EMPTY} for row in table.records()]
        table = Table.of(name, table.columns, _sorted(rows) if name in SORTED else rows)
    return joined(table_with_bars(answer, table, name, most), *notes)


def table_with_bars(answer: Answer, table: Table, name: str, most: int) -> Markup:
    """Return a table, with the intervals of its main number as bars."""
    rows = table.records()
    few = Table.of(table.name, table.columns, rows[:most])
    one_model = "baseline" not in table.names and len({row.get("model") for row in rows}) < 2
    shown = rows_table(few, answer.results[0].title(name), width=None, one_model=one_model, audience=answer.audience)
    drawn, bars = _bars(rows[:most])
    beside = shown.headings.index(drawn) if drawn in shown.headings else 0
    cells = [[NO_VALUE if cell == NOTHING else cell for cell in row] for row in shown.rows]
    whole = html_table(shown.headings, shown.numeric, cells, name=shown.title, bars=bars, beside=beside)
    return joined(whole, _rest(len(rows), most))


def thresholds_table(curve: DrawnCurve, *, most: int) -> Markup:
    """Return a few thresholds of a model: its operating points, and others evenly by the share of cases flagged."""
    rows = few_rows(curve.table, [{**point} for point in curve.points], curve.counts.n, most=most)
    rules = {point["threshold"]: str(point["rule"]) for point in reversed(curve.points)}
    thresholds = show_column([row["threshold"] for row in rows], "score")
    headings = ("threshold", "chosen by", "alarms in 1,000 cases", "tp", "fp", "fn", "tn", *RATES)
    cells = [
        (
            threshold,
            rules.get(row["threshold"], "") if row[MARK] else "",
            f"{1000 * row[FLAGGED]:.4g}",
            *(f"{row[key]:,}" for key in ("tp", "fp", "fn", "tn")),
            *(_rate(row, key) for key in RATES),
        )
        for threshold, row in zip(thresholds, rows, strict=True)
    ]
    numeric = [True, False, *[True] * (len(headings) - 2)]
    return html_table(headings, numeric, cells, name=f"Thresholds of {curve.model}")


def _rate(row: Row, key: str) -> str:
    """Return a rate with its interval, if it has one."""
    lower, upper = row.get(f"{key}_lower"), row.get(f"{key}_upper")
    value = wording.rate(row[key])
    return value if lower is None else f"{value} {wording.interval(lower, upper)}"


def _bars(rows: Sequence[Row]) -> tuple[str, list[Markup]]:
    """Return the main number and a bar for each row, on a scale of its metric; none where there are no intervals."""
    keys = rows[0].keys() if rows else ()
    drawn = next((name for name in DRAWN if {name, *_limits(name)} <= set(keys) and _has_limits(rows, name)), None)
    if drawn is None:
        return "", []
    ends = (drawn, *_limits(drawn))
    is_difference = drawn == "difference"
    values: dict[Any, list[float | None]] = {}
    for row in rows:
        values.setdefault(row.get("metric"), []).extend(row[key] for key in ends)
    domains = {metric: domain_of(found, with_zero=is_difference) for metric, found in values.items()}
    return drawn, [
        interval_bar(
            row[ends[0]],
            row[ends[1]],
            row[ends[2]],
            domains[row.get("metric")],
            limit=0.0 if is_difference else None,
            class_="plain",
        )
        if row[drawn] is not None
        else Markup("")
        for row in rows
    ]


def _has_limits(rows: Sequence[Row], name: str) -> bool:
    """Whether some row has a limit of a number."""
    return any(row[limit] is not None for row in rows for limit in _limits(name))


def _limits(name: str) -> tuple[str, str]:
    return LIMITS.get(name, ("lower", "upper"))


def _sorted(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of slices, those of an operating point together and those without one first, the lowest first."""
    points = list(dict.fromkeys([None, *(row.get("at") for row in rows)]))
    return sorted(rows, key=lambda row: (points.index(row.get("at")), *_lowest_first(row)))


def _lowest_first(row: Row) -> tuple[bool, str, bool, bool, float]:
    """Return the order of slices: by their AUC, those not decided last, or by the difference of the AUC and then of others."""
    metric, drawn = str(row.get("metric", "auc")), row.get("difference" if "metric" in row else "auc")
    return metric != "auc", metric, not row.get("decided", True), drawn is None, drawn or 0.0


def _rest(rows: int, most: int) -> Markup:
    """Return how many rows there are if not all of them are shown."""
    return (
        tag("p", f"{most} of {rows:,} rows; the others are in the JSON report.", class_="quiet")
        if rows > most
        else Markup("")
    )


def _pairs(cells: Sequence[str], numeric: Sequence[bool]) -> list[tuple[str, bool]]:
    return list(zip(cells, numeric, strict=True))
