"""The answer on one screen: sentences, the few rows that matter, what else there is, and the verdict last."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

from rocconf import wording
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.report.few_rows import few_rows, is_counted, share_of
from rocconf.report.screen_table import screen_table
from rocconf.report.verdict_lines import verdict_lines
from rocconf.visible import visible, without_commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.answer import Answer, Result
    from rocconf.messages import Message
    from rocconf.table import Table

    Row = Mapping[str, Any]

WIDTH, HEIGHT = 80, 24
"""The size of a screen that does not tell its own."""

ROWS = 8
"""The number of rows on a screen of 24 lines; a higher one has a row more for each two lines."""

ALSO = {
    "sweep": "also-sweep",
    "tango": "also-tango",
    "chi2-contours": "also-chi2-contours",
    "sensibility": "also-sensibility",
    "compare": "also-compare",
    "gate": "also-gate",
    "plan": "also-plan",
    "one-vs-rest": "also-one-vs-rest",
}
"""What else a command can do."""

JOINT = "\N{NO-BREAK SPACE}"
"""A blank at which no line ends."""

ALSO_BEGINS = "; also: "
"""How the list of options that were not given begins."""

DEFAULTS = {"closest": "mark-closest", "chi2": "mark-chi2"}
"""The messages about operating points that are marked by default."""

SPACE = 2
"""The lines around the verdict: a blank one, and the one on further options."""

ASSURED = "assured"
"""A word in the text of assured rules, whose promise holds although the threshold was chosen on the cases shown."""

ENOUGH_POSITIVES = 15
"""The number of positives from which honest rates have almost no bias."""

OF_SLICES = ("slices", "slice_points", "folds")
OWN = ("windows", "drift", "points", *OF_SLICES)
"""The tables that a screen shows of a single curve, if they have rows; most of them in place of the thresholds."""

LEAST_ROWS = 3
"""With less room than this a table is left out."""


def write_screen(answer: Answer, stream: IO[str], *, used: int = 0, size: tuple[int, int] | None = None) -> None:
    """Write what fits a screen, of which some lines may be used already; with all rows write everything."""
    width, height = size or screen_size(stream)
    if answer.all_rows:
        from rocconf.report.human import everything

        lines = everything(answer, stream, width=width)
    else:
        lines = screen_lines(answer, width=width, height=height, used=used)
    lines = [(visible(line), style) for line, style in lines]
    is_plain = not shows_styles(stream) and all(line.isascii() and len(line) <= width for line, _ in lines)
    page = "".join(f"{line}\n" for line, _ in lines) if is_plain else _styled(lines, stream, width, height)
    stream.write(without_commands(page))


def shows_styles(stream: IO[str]) -> bool:
    """Whether rich may find that a stream shows styles, or is told so: elsewhere its import would be a tenth of a small run."""
    return stream.isatty() or any(name in os.environ for name in ("FORCE_COLOR", "TTY_COMPATIBLE"))


def _styled(lines: Sequence[tuple[str, str]], stream: IO[str], width: int, height: int) -> str:
    """Return lines as the stream shows them, those that are too long folded."""
    from rich.console import Console
    from rich.text import Text

    page = Text(no_wrap=True, overflow="fold")
    for line, style in lines:
        page.append(f"{line}\n", style)
    # rich leaves bold and dim where it finds NO_COLOR
    plain: dict[str, Any] = {"color_system": None} if os.environ.get("NO_COLOR") else {}
    console = Console(file=stream, width=width, height=height, highlight=False, **plain)
    # captured first: rich would end the process if the reader has gone
    with console.capture() as captured:
        console.print(page, end="")
    return captured.get()


def screen_size(stream: IO[str]) -> tuple[int, int]:
    """Return the columns and lines of a screen: those of the environment, of the terminal, or 80 and 24."""
    try:
        told: tuple[int, int] = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError, AttributeError):
        told = (0, 0)
    asked = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    sizes = [int(each) if each.isdecimal() else 0 for each in asked]
    width, height = (own or its for own, its in zip(sizes, told, strict=True))
    return width or WIDTH, height or HEIGHT


def screen_lines(answer: Answer, *, width: int, height: int, used: int) -> list[tuple[str, str]]:
    """Return the lines with their styles, at most one less than the screen has: the prompt needs one."""
    room = max(height - 1 - used, LEAST_ROWS)
    sentences = len(_head(answer, width, room))
    most = max(room - min(sentences, room // 2) - SPACE, LEAST_ROWS)
    verdict = verdict_lines(answer, width=width, most=most) if answer.verdict else []
    room -= len(verdict)
    head = _head(answer, width, max(room, 0))
    room -= len(head)
    body = _body(answer, width=width, room=room, height=height)
    lines = [(line, "bold" if at == 0 else "") for at, line in enumerate(head)]
    lines += body if lines else body[1:]  # which begins with a blank line
    if verdict:
        lines += [("", "")] * bool(lines and room > len(body))
        lines += [(line, "bold" if at == 0 else "") for at, line in enumerate(verdict)]
    return lines


def _head(answer: Answer, width: int, most: int) -> list[str]:
    """Return the sentences; of many models the first ones."""
    lines: list[str] = []
    several = len(answer.results) > 1
    for result in answer.results:
        for sentence in result.conclusions[: 1 if several else None]:
            lines += wrapped(sentence.text(answer.audience), width)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], message("more-lines", more=len(lines) - most + 1).text(answer.audience)[:width]]


def _body(answer: Answer, *, width: int, room: int, height: int) -> list[tuple[str, str]]:
    """Return the tables, and the line on further rows and options."""
    lines: list[tuple[str, str]] = []
    shown = 0
    rest = len(wrapped(about_the_rest(answer, 1), width))
    for name in tables_on_screen(answer):
        left = room - len(lines) - rest
        few = few_of(answer, name, most=_most(height))
        foot = [line for text in few.feet for line in wrapped(text, width)]
        left -= len(foot) + 2  # a blank line and the heading
        least = len(few.rows) if name == "slice_points" else min(LEAST_ROWS, len(few.rows))
        if not few.rows or left < least:
            continue
        if len(few.rows) > left:
            few = few_of(answer, name, most=left)
            few = replace(few, rows=few.rows[-left:] if name == "windows" else few.rows[:left])  # the latest windows
        heading, *table = screen_table(few.rows, few.kinds, few.keys, width=width)
        shown = len({row.get("threshold", at) for at, row in enumerate(few.rows)}) if name == "rows" else shown
        lines += [("", ""), (heading, "bold"), *((line, "") for line in (*table, *foot))]
    more = [(line, "dim") for line in wrapped(about_the_rest(answer, shown), width)]
    return lines + more * (len(lines) + len(more) <= room)


@dataclass(frozen=True, slots=True, eq=False)
class Few:
    """The rows of a table to show, its columns in order of importance, their kinds, and the notes under it."""

    rows: list[Row]
    keys: tuple[str, ...]
    kinds: Mapping[str, str]
    feet: tuple[str, ...] = ()
    """Notes under the table."""


def tables_on_screen(answer: Answer) -> list[str]:
    """Return the names of the tables to show: the rows of a single curve, or what the result declares."""
    first = answer.results[0]
    if len(answer.results) == 1 and first.rows_are_thresholds:
        own = [name for name in first.screen if name in OWN and len(first.table(name))]
        changes, of_slices = [name for name in own if name != "points"], [name for name in own if name in OF_SLICES]
        return of_slices or changes[:1] or ["rows"] * bool(len(first.table())) + own
    return [name for name in first.screen if name not in ("rows", "windows", "drift")]


def few_of(answer: Answer, name: str, *, most: int) -> Few:
    """Return the rows of a table to show, of the rows of a curve at most so many."""
    results = answer.results
    tables = [result.on_screen(name) for result in results]
    kinds = {column.name: str(column.kind) for column in tables[0].columns}
    keys = results[0].keys_on_screen(name) or tuple(key for key in kinds if key != "model" or len(results) > 1)
    if name != "rows":
        records: list[Row] = [row for table in tables for row in table.records()]
        return Few(records, keys, kinds, tuple(each.text(answer.audience) for each in results[0].about_screen(name)))
    (result,), (table,) = results, tables
    if not is_counted(table):
        return Few(_evenly(table, most), keys, kinds)
    points = result.on_screen("operating_points").records() if "operating_points" in result.table_names else []
    rows = few_rows(table, points, int(result.summary()["n"]), most=most)
    feet = [_about_marks(answer, result, points, rows)]
    if result.options.get("lower_is_positive"):
        feet.append(message("low-flagged").text(answer.audience))
    feet += [each.text(answer.audience) for each in result.about_screen(name)]
    return Few(rows, keys, kinds, tuple(filter(None, feet)))


def _most(height: int) -> int:
    """Return how many rows a screen of this height takes by default."""
    return ROWS + max(height - HEIGHT, 0) // 2


def _evenly(table: Table, most: int) -> list[Row]:
    """Return evenly spaced rows of a table that does not count cases."""
    shown = min(most, len(table))
    step = max(len(table) - 1, 1) / max(shown - 1, 1)
    return [*table.records_at([round(at * step) for at in range(shown)])]


def _about_marks(answer: Answer, result: Result, points: Sequence[Row], rows: Sequence[Row]) -> str:
    """Return what the marked rows are."""
    if not points:
        marked = any(row.get("mark") for row in rows)
        return f"* {result.marks}" if marked and result.marks else ""
    n = int(result.summary()["n"])

    def told(point: Row) -> str:
        return f"{point['rule']} ({wording.percent(share_of(point, n))})" if len(points) > 1 else str(point["rule"])

    others = [point for point in points if not point["in_sample"]]
    plain = ", ".join(told(point) for point in others if not is_chosen(point))
    marks = [plain] if plain else []
    if elsewhere := ", ".join(told(point) for point in others if is_chosen(point)):
        marks.append(message("mark-elsewhere", rules=elsewhere).text(answer.audience))
    chosen = [point for point in points if point["in_sample"]]
    assured = [point for point in chosen if ASSURED in point["rule"]]
    honest = [point for point in chosen if point.get("tpr_honest") is not None]
    flattered = ", ".join(told(point) for point in chosen if point not in (*assured, *honest))
    is_default = answer.audience == "shell" and "at" not in answer.given
    if flattered and is_default and flattered in DEFAULTS:
        meaning = message(DEFAULTS[flattered])
        marks.append(message("mark-default", rules=flattered, meaning=meaning).text(answer.audience))
    elif flattered:
        marks.append(message("mark-in-sample", rules=flattered).text(answer.audience))
    marks += [
        message("mark-assured", rule=told(point), threshold=_in_full(point["threshold"])).text(answer.audience)
        for point in assured
    ]
    for point in honest:
        rule = told(point)
        marks.append(_honest(rule, point, is_default=is_default and rule in DEFAULTS).text(answer.audience))
    positives = honest[0]["tp"] + honest[0]["fn"] if honest else ENOUGH_POSITIVES
    if positives < ENOUGH_POSITIVES:
        marks[-1] += f" {message('honest-few', positives=positives).text(answer.audience)}"
    return f"* {'; '.join(marks)}"


def _in_full(threshold: float | None) -> str:
    return wording.NO_VALUE if threshold is None else repr(threshold)


def _honest(rule: str, point: Row, *, is_default: bool) -> Message:
    """Return the note on a threshold chosen on these cases, with its rates corrected for that choice."""
    meaning = {"meaning": message(DEFAULTS[rule])} if is_default else {}
    return message(
        "mark-default-honest" if is_default else "mark-honest",
        **meaning,
        rule=rule,
        tpr=wording.rate(point["tpr_honest"]),
        interval=wording.interval(point["tpr_honest_lower"], point["tpr_honest_upper"]),
        fpr=wording.rate(point["fpr_honest"]),
    )


def is_chosen(point: Row) -> bool:
    """Whether the threshold of an operating point was chosen, not given."""
    try:
        float(str(point["rule"]).replace(" ", "").removeprefix("threshold="))
    except ValueError:
        return True
    return False


def about_the_rest(answer: Answer, shown: int) -> str:
    """Return the line on further rows and options."""
    also = _also(answer)
    if "rows" in tables_on_screen(answer):
        table = answer.results[0].table()
        rows = len(table) - is_counted(table)  # whose first row flags nothing
        if shown >= rows:
            return message("all-rows", rows=f"{rows:,}", more=also).text(answer.audience)
        return message("more-rows", shown=shown, rows=f"{rows:,}", what=answer.results[0].rows_title, more=also).text(
            answer.audience
        )
    return message("more-all", more=also).text(answer.audience)


def _also(answer: Answer) -> str:
    """Return the further options of a command, without those that were given."""
    offered = message(ALSO.get(answer.command, "also-any")).text(answer.audience).removeprefix(ALSO_BEGINS)
    options = {each: each.split()[0].lstrip("-").replace("-", "_") for each in offered.split(", ") if each}
    others = [each for each, name in options.items() if name not in answer.given]
    return f"{ALSO_BEGINS}{', '.join(others)}" if others else ""


def wrapped(text: str, width: int, indent: str = "  ") -> list[str]:
    """Return the lines of a text, those after the first indented; no option is broken."""
    lines = wrap(_whole(visible(text)), width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(JOINT, " ") for line in lines] or [""]


def _whole(text: str) -> str:
    """Join an option and a file, which are typed together."""
    return re.sub(r"(?<=-) *(-\w[\w-]*) (?=[\w:]+\.\w)", rf"\1{JOINT}", text)
