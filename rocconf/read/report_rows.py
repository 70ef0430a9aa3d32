"""Leaves the rows of thresholds out of a saved report: there may be millions, and nothing rests on them.

Only rows that surely are JSON are left out: each is a line like the first row, with its keys in its order. The first
row stays, and so does all from the first on that is not like it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from rocconf.read.source import whole_lines

if TYPE_CHECKING:
    from rocconf.read.source import Input

BEFORE, MOST_BEFORE = b' "rows": [\n', 8
"""The line before the first row, and the number of lines among which it is looked for."""

FIRST_KEYS = ["model", "threshold"]
"""How a row of thresholds begins: rules may need other rows."""

WHOLE = rb"(?>[1-9][0-9]{0,17}+|0)"
"""A whole number that surely fits 64 bits. Nothing here is looked for in two ways, or a wrong row would take forever."""

NUMBER = rb"(?>[01]\.[0-9]++|-?%b(?:\.[0-9]++)?)(?:e-[0-9]++|e\+[0-9]{2})?" % WHOLE
"""A number that surely is finite: first a share, which most are."""

VALUE = rb'(?>%b|null|true|false|"[^"\\<\x00-\x1f]*+")' % NUMBER
"""What surely is a value, and ends no script of a page."""


def without_rows(source: Input) -> tuple[bytes, bool]:
    """Return the text of a report without the rows that surely are JSON, and whether there were any."""
    with source.open() as stream:
        kept = [stream.readline()]
        while kept[-1] != BEFORE and len(kept) < MOST_BEFORE:
            kept.append(stream.readline())
        is_before = kept[-1] == BEFORE
        kept.append(stream.readline())
        rows, is_left_out = _rows_like(kept[-1]) if is_before else None, False
        lines = whole_lines(stream)
        for piece in lines:
            end = _end_of(rows, piece)
            is_left_out |= end > 0
            if end < len(piece):
                kept.append(piece[end:])
                break
        return b"".join([*kept, *lines]), is_left_out


def _rows_like(first: bytes) -> re.Pattern[bytes] | None:
    """Return what matches rows like the first one, if that is a row of thresholds with another one behind it."""
    if not first.endswith(b",\n"):
        return None
    try:
        pairs = json.loads(first.removesuffix(b",\n"), object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    is_object = isinstance(pairs, list) and all(isinstance(each, tuple) for each in pairs)
    keys = [key for key, _ in pairs] if is_object else []
    if keys[: len(FIRST_KEYS)] != FIRST_KEYS or len(set(keys)) < len(keys):
        return None
    cells = [re.escape(json.dumps(key).encode()) + b": " + VALUE for key in keys]
    return re.compile(rb"(?:  \{%b\},\n)*" % b", ".join(cells))


def _end_of(rows: re.Pattern[bytes] | None, text: bytes) -> int:
    """Return where the rows at the beginning of a text end."""
    found = rows.match(text) if rows else None
    end = found.end() if found else 0
    try:
        text[:end].decode()
    except UnicodeDecodeError:
        return 0
    return end
