"""Answers as text: for people (table, md) and for programs (json, ndjson, csv, tsv, parquet)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rocconf.errors import UsageError
from rocconf.report.files import replacing, writable
from rocconf.report.prefix import split_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.answer import Answer

__all__ = ["FORMATS", "Place", "place_of", "replacing", "save", "writable", "write"]

FORMATS = ("table", "tsv", "csv", "json", "ndjson", "md")
PACKABLE = (".json", ".ndjson", ".csv", ".tsv")
JUNIT = ".junit.xml"
SUFFIXES = (*PACKABLE, ".parquet", ".md", JUNIT)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of an answer is to be written: a table's name, or nothing for the answer itself, and a file."""

    table: str | None
    path: Path

    @property
    def form(self) -> str:
        """What the file's suffix says."""
        return _suffix(self.path)[0]


def place_of(text: str, tables: Sequence[str]) -> Place:
    """Read [NAME:]FILE, where NAME is that of a table, or summary for models."""
    name, path = split_prefix(text, (*tables, "summary"), "-o", "table")
    place = Place("models" if name == "summary" else name, path)
    form, packed = _suffix(place.path)
    if form not in SUFFIXES or (packed and form not in PACKABLE):
        known = f"{', '.join(SUFFIXES)}; the first four also with .gz"
        raise UsageError(f"-o {text}: the suffix of {place.path.name!r} names no form ({known})")
    if place.table and form in (".md", JUNIT):
        raise UsageError(f"-o {text}: {form} holds the whole answer, not one table")
    return place


def write(answer: Answer, form: str, stream: IO[str]) -> None:
    """Write an answer to a stream of text."""
    _writer(answer, form, None)(stream)


def save(answer: Answer, place: Place) -> None:
    """Write an answer, or one of its tables, to a file."""
    form, packed = _suffix(place.path)
    with replacing(place.path) as path:
        if form == ".parquet":
            from rocconf.report.machine import write_parquet

            write_parquet(answer.table(place.table or "rows"), path)
        elif packed:
            import gzip
            from io import TextIOWrapper

            # no name and no time in the head: the same answer is the same bytes
            with (
                path.open("wb") as raw,
                gzip.GzipFile("", "wb", 6, raw, mtime=0) as stream,
                TextIOWrapper(stream, encoding="utf-8", newline="") as text,
            ):
                _writer(answer, form[1:], place.table)(text)
        else:
            with path.open("w", encoding="utf-8", newline="") as text:
                _writer(answer, form[1:], place.table)(text)


def _writer(answer: Answer, form: str, table: str | None) -> Callable[[IO[str]], None]:
    if form == "table":  # people's forms and programs' load nothing of each other
        from rocconf.report.human import write_rich

        return partial(write_rich, answer)
    if form == "md":
        from rocconf.report.markdown import write_markdown

        return partial(write_markdown, answer)
    if form == JUNIT[1:]:
        from rocconf.report.junit import write_junit

        return partial(write_junit, answer)
    from rocconf.report import machine

    rows = answer.table(table or "rows")
    if form == "json":
        return partial(machine.write_table_json, rows) if table else partial(machine.write_json, answer)
    if form == "ndjson":
        return partial(machine.write_ndjson, rows)
    return partial(machine.write_delimited, rows, delimiter="," if form == "csv" else "\t")


def _suffix(path: Path) -> tuple[str, str]:
    """Return the suffix of the form, and that of the packing."""
    name = path.name.lower()
    if name.endswith(JUNIT):
        return JUNIT, ""
    packed = ".gz" if name.endswith(".gz") else ""
    return Path(name.removesuffix(packed)).suffix, packed
