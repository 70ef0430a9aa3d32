"""Write answers: for people (table, md), for programs (json, ndjson, csv, tsv, parquet) and for CI (JUnit XML, GitHub).

What writes a format is loaded when it is used.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.report.files import replacing, surely, together, writable
from rocconf.report.prefix import split_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocconf.answer import Answer

__all__ = [
    "FORMATS",
    "SUFFIXES",
    "Place",
    "append_summary",
    "html_of",
    "json_text",
    "place_of",
    "replacing",
    "save",
    "screen_size",
    "shortened",
    "split_prefix",
    "surely",
    "together",
    "verdict_title",
    "writable",
    "write",
    "write_annotations",
]

FORMATS = ("table", "tsv", "csv", "json", "ndjson", "md")
"""The formats of standard output."""

COMPRESSIBLE = (".json", ".ndjson", ".csv", ".tsv")
JUNIT = ".junit.xml"
SUFFIXES = (*COMPRESSIBLE, ".parquet", ".md", ".html", JUNIT)
"""The suffixes of files."""

WRITERS = {
    "table": "screen.write_screen",
    "json": "machine.write_json",
    "md": "markdown.write_markdown",
    "html": "html.page.write_html",
    "junit.xml": "junit.write_junit",
}
"""What writes a whole answer."""

TABLE_WRITERS = {
    "json": "machine.write_table_json",
    "ndjson": "machine.write_ndjson",
    "csv": "machine.write_csv",
    "tsv": "machine.write_tsv",
}
"""What writes one table."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file to write, and the table that it is for; None is the whole answer, or the rows if a format holds no more."""

    table: str | None
    path: Path


def place_of(text: str, tables: Sequence[str]) -> Place:
    """Parse [NAME:]FILE, where NAME is that of a table, or summary for models."""
    name, path = split_prefix(text, (*tables, "summary"), "unknown-table")
    suffix, compressed = _suffix(path)
    if suffix not in SUFFIXES or (compressed and suffix not in COMPRESSIBLE):
        raise UsageError("unknown-file-format", text=text, name=path.name, known=", ".join(SUFFIXES))
    if name and suffix in (".md", ".html", JUNIT):
        raise UsageError("not-one-table", text=text, suffix=suffix)
    return Place("models" if name == "summary" else name, path)


def write(
    answer: Answer,
    output_format: str,
    stream: IO[str],
    *,
    table: str | None = None,
    used: int = 0,
    escape_formulas: bool = True,
) -> None:
    """Write an answer, or one of its tables, to a stream of text; of a screen some lines may be used already."""
    if output_format == "table":
        _load(WRITERS["table"])(answer, stream, used=used)
    else:
        _write(answer, table, output_format, stream, escape_formulas=escape_formulas)


def screen_size(stream: IO[str]) -> tuple[int, int]:
    """Return the columns and lines of a terminal."""
    size: tuple[int, int] = _load("screen.screen_size")(stream)
    return size


def save(answer: Answer, place: Place, *, escape_formulas: bool = True) -> None:
    """Write an answer, or one of its tables, to a file."""
    suffix, compressed = _suffix(place.path)
    with replacing(place.path) as path:
        if suffix == ".parquet":
            name = place.table or "rows"
            _load("machine.write_parquet")(answer.table(name), path, answer.metadata(name))
        else:
            with _compressed(path) if compressed else path.open("w", encoding="utf-8", newline="") as stream:
                _write(
                    answer.as_report if suffix == ".json" else answer,
                    place.table,
                    suffix[1:],
                    stream,
                    escape_formulas=escape_formulas,
                )


def verdict_title(answer: Answer) -> str:
    """Return the verdict, the exit status, and what to do."""
    title: str = _load("verdict_lines.verdict_title")(answer)
    return title


def append_summary(answer: Answer) -> None:
    """Append the answer to GitHub's step summary, if there is one."""
    _load("github.append_summary")(answer)


def write_annotations(answer: Answer, stream: IO[str]) -> None:
    """Write the rules that did not pass as GitHub's annotations."""
    _load("github.write_annotations")(answer, stream)


def html_of(answer: Answer) -> str:
    """Return an answer as HTML for a notebook."""
    html: str = _load("notebook.html_of")(answer)
    return html


def json_text(value: Any) -> str:
    """Return a value as strict JSON."""
    text: str = _load("machine.json_text")(value)
    return text


def shortened(names: Sequence[str], longest: int) -> tuple[str, ...]:
    """Return each name on one line of limited length; all are different."""
    short: tuple[str, ...] = _load("names.shortened")(names, longest)
    return short


def _write(answer: Answer, table: str | None, output_format: str, stream: IO[str], *, escape_formulas: bool) -> None:
    if table is None and output_format in WRITERS:
        _load(WRITERS[output_format])(answer, stream)
    else:
        extra = {"escape_formulas": escape_formulas} if output_format in ("csv", "tsv") else {}
        _load(TABLE_WRITERS[output_format])(answer.table(table or "rows"), stream, **extra)


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
    loaded: Callable[..., Any] = getattr(import_module(f"rocconf.report.{module}"), function)
    return loaded


@contextmanager
def _compressed(path: Path) -> Iterator[IO[str]]:
    """Open a file to write compressed text."""
    from io import BufferedWriter, TextIOWrapper

    from rocconf.report.gzipped import GzipWriter

    with (
        path.open("wb") as raw,
        BufferedWriter(GzipWriter(raw)) as stream,
        TextIOWrapper(stream, encoding="utf-8", newline="") as text,
    ):
        yield text


def _suffix(path: Path) -> tuple[str, str]:
    """Return the suffix of the format, and that of the compression."""
    name = path.name.lower()
    if name.endswith(JUNIT):
        return JUNIT, ""
    compressed = ".gz" if name.endswith(".gz") else ""
    return Path(name.removesuffix(compressed)).suffix, compressed
