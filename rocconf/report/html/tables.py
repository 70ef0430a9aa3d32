"""The tables of an answer as HTML: every number as text, and intervals also as bars on one scale for each metric."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rocconf import wording
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.report.few_rows import FLAGGED, MARK, few_rows
from rocconf.report.html.charts import ARROW, interval_bar, scale_of
from rocconf.report.html.compared import FIRST, about, beside_rules, group_title, grouped_by, in_groups, told
from rocconf.report.html.markup import Markup, joined, tag
from rocconf.report.rounding import NO_VALUE, show_column
from rocconf.report.rows_table import rows_table
from rocconf.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.answer import Answer
    from rocconf.report.html.charts import Ends
    from rocconf.report.html.curves import DrawnCurve
    from rocconf.report.shown import Shown

    Row = Mapping[str, Any]

RATES = ("tpr", "fpr", "precision", "npv", "accuracy")
"""The rates of a table of thresholds."""

DRAWN = ("difference", "auc", "value")
"""The numbers whose intervals are drawn, the first of a table that has it."""

LIMITS = {"difference": ("difference_lower", "difference_upper"), "auc": ("auc_lower", "auc_upper")}
WIDE, NARROW = 8, 4
"""The columns that fit on paper and on a phone."""
BAR = "interval, drawn"
CUT = "An arrow: the interval goes on beyond the scale, which is that of the other rows."
NOTHING = f"{NO_VALUE} [{NO_VALUE}, {NO_VALUE}]"
"""An estimate without a value and an interval."""
SORTED, EMPTY = ("slices", "slice_pairs", "slice_points"), "(empty)"
"""The tables whose lowest rows come first, and the name of a slice without one."""
FOLDED = {"slice_pairs": "Other measures and thresholds", "slice_points": "Other models and operating points"}
"""The tables of which the first groups stand open, and what the others are."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some rows of a table that stand together under a line that says what they share."""

    title: str
    rows: int


def html_table(
    headings: Sequence[str],
    numeric: Sequence[bool],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    bars: Sequence[str] = (),
    beside: int = 0,
    first: int | None = None,
    groups: Sequence[Group] = (),
) -> Markup:
    """Return a table in a box that scrolls; the first cell of a row is its heading, and its bar is beside a column.

    The cells of a wide table have their headings, with which they stand on paper and on a phone, which has the columns
    that are read first.
    """
    columns = len(headings) + bool(bars)
    is_wide = columns > NARROW
    labels = headings if is_wide else [None] * len(headings)
    heads = [
        tag("th", heading, scope="col", class_=_classes(number=right, rest=first is not None and place >= first))
        for place, (heading, right) in enumerate(_pairs(headings, numeric))
    ]
    heads[beside + 1 : beside + 1] = [tag("th", BAR, scope="col")] * bool(bars)
    body = []
    for at, row in enumerate(rows):
        cells = [
            tag(
                "td" if place else "th",
                unbroken(cell),
                class_=_classes(
                    number=right, rest=first is not None and place >= first, nothing=is_wide and cell in ("", NO_VALUE)
                ),
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
        *_bodies(body, groups, columns),
        class_=_classes(cards=is_wide, wide=columns > WIDE + 1),
    )
    return tag("div", table, class_="scroll", role="group", aria_label=name, tabindex="0")


def _bodies(rows: Sequence[Markup], groups: Sequence[Group], columns: int) -> list[Markup]:
    """Return the rows, those of a group together."""
    if len(groups) < 2:
        return [tag("tbody", *rows)]
    found, at = [], 0
    for group in groups:
        title = tag("tr", tag("th", tag("span", group.title), scope="rowgroup", colspan=columns), class_="group")
        found.append(tag("tbody", title, *rows[at : at + group.rows]))
        at += group.rows
    return found


def unbroken(cell: str) -> str:
    """Return a cell whose interval is not broken within its brackets."""
    return re.sub(r"(\[[^\]\s]+,) (?=[^\]\s]+\]$)", "\\1\N{NO-BREAK SPACE}", cell)


def _classes(**given: bool) -> str | None:
    return " ".join(name for name, is_set in given.items() if is_set) or None


def shown_as_html(shown: Shown, *, most: int) -> Markup:
    """Return a table as people see it."""
    headings = shown.headings if any(shown.headings) else ("", "value")
    headings = ("number", *headings[1:])
    return joined(
        html_table(headings, shown.numeric, shown.rows[:most], name=shown.title), _rest(len(shown.rows), most)
    )


def data_table(answer: Answer, name: str, *, most: int) -> Markup:
    """Return one table of an answer, its rows in groups, with the intervals of its main number as bars."""
    table = told(answer, name)
    notes = [tag("p", text, class_="quiet") for text in about(answer, name)]
    rows: Sequence[Row] = table.records()
    if "slice" in table.names:
        rows = [{**row, "slice": row["slice"] or EMPTY} for row in rows]
        rows = _sorted(rows) if name in SORTED else rows
    keys, common = grouped_by(name, rows)
    rows = in_groups(rows, keys, str(answer.results[0].options.get("baseline")))
    titles = [group_title(row, keys) for row in rows[:most]]
    groups = [Group(title, len(list(each))) for title, each in groupby(titles)]
    shared = group_title(rows[0], common) if name != "pairs" else ""
    whole = Table.of(name, table.columns, rows)
    shown = table_with_bars(
        answer, whole, name, most, groups=groups, told_above=(*keys, *common, "baseline"), shared=shared
    )
    beside = beside_rules(answer, name)
    return joined(tag("p", beside, class_="quiet") if beside else "", shown, *notes)


def table_with_bars(
    answer: Answer,
    table: Table,
    name: str,
    most: int,
    *,
    groups: Sequence[Group] = (),
    told_above: Sequence[str] = (),
    shared: str = "",
) -> Markup:
    """Return a table, with the intervals of its main number as bars; later groups of some tables are folded away.

    Columns that its groups or its title tell of are left out.
    """
    rows = table.records()
    few = Table.of(table.name, tuple(each for each in table.columns if each.name not in told_above), rows[:most])
    one_model = "baseline" not in table.names and len({row.get("model") for row in rows}) < 2
    title = answer.results[0].title(name) + f" ({shared})" * bool(shared)
    shown = rows_table(few, title, width=None, one_model=one_model, audience=answer.audience)
    drawn, bars, is_cut = _bars(rows[:most])
    beside = shown.headings.index(drawn) if drawn in shown.headings else 0
    cells = [[NO_VALUE if cell == NOTHING else cell for cell in row] for row in shown.rows]
    read_first = [heading for heading in shown.headings if heading.replace(" ", "_") in FIRST.get(name, ())]
    first = len(read_first) or None

    def part(start: int, end: int, part_groups: Sequence[Group], part_title: str) -> Markup:
        return html_table(
            shown.headings,
            shown.numeric,
            cells[start:end],
            name=part_title,
            bars=bars[start:end],
            beside=beside,
            first=first,
            groups=part_groups,
        )

    parts = [part(0, len(cells), groups, shown.title)]
    if name in FOLDED and len(groups) > 1:
        opened = groups[0].rows
        parts = [
            part(0, opened, (), f"{shown.title}: {groups[0].title}"),
            tag(
                "details",
                tag("summary", f"{FOLDED[name]}: {len(cells) - opened:,} rows"),
                part(opened, len(cells), groups[1:], f"{shown.title}: {FOLDED[name].lower()}"),
            ),
        ]
    zero = [message("page-zero").text(answer.audience) + "."] if drawn == DRAWN[0] else []
    about_bars = [tag("p", text, class_="quiet") for text in (*zero, *[CUT] * is_cut)]
    return joined(*parts, *about_bars, _rest(len(rows), most))


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


def _bars(rows: Sequence[Row]) -> tuple[str, list[Markup], bool]:
    """Return the main number, a bar for each row on a scale of its metric, and whether some are cut.

    There are none where there are no intervals.
    """
    keys = rows[0].keys() if rows else ()
    drawn = next((name for name in DRAWN if {name, *_limits(name)} <= set(keys) and _has_limits(rows, name)), None)
    if drawn is None:
        return "", [], False
    ends = (drawn, *_limits(drawn))
    is_difference = drawn == "difference"
    values: dict[Any, list[Ends]] = {}
    for row in rows:
        values.setdefault(row.get("metric"), []).append((row[ends[0]], row[ends[1]], row[ends[2]]))
    domains = {metric: scale_of(found, with_zero=is_difference) for metric, found in values.items()}
    bars = [
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
    return drawn, bars, any(ARROW in bar for bar in bars)


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
    """Return the order of slices: by their AUC or tpr, those not decided last, or by the difference of the AUC and of others."""
    metric, drawn = str(row.get("metric", "auc")), row.get("difference" if "metric" in row else "auc", row.get("tpr"))
    is_decided = row.get("decided", row.get("tpr_difference", 0.0) is not None)
    return metric != "auc", metric, not is_decided, drawn is None, drawn or 0.0


def _rest(rows: int, most: int) -> Markup:
    """Return how many rows there are if not all of them are shown."""
    return (
        tag("p", f"{most} of {rows:,} rows; the others are in the JSON report.", class_="quiet")
        if rows > most
        else Markup("")
    )


def _pairs(cells: Sequence[str], numeric: Sequence[bool]) -> list[tuple[str, bool]]:
    return list(zip(cells, numeric, strict=True))
