"""Checks JSON against a JSON schema, as far as the schema of reports goes: report-2.schema.json beside this file."""

from __future__ import annotations

import json
from functools import cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.read.fields import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

REPORTS = Path(__file__).with_name("report-2.schema.json")

PIECE = 1 << 10
"""The rows of which a key is looked at together."""

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


class Breach(NamedTuple):
    """A value that the schema does not allow: its path, what is wanted, and what was found, as text."""

    path: str
    wanted: str
    found: str


@cache
def schema_of_reports() -> Schema:
    """Return the schema of reports."""
    schema: Schema = json.loads(REPORTS.read_text(encoding="utf-8"))
    return schema


def breaches(value: Any, schema: Schema, path: str = "") -> Iterator[Breach]:
    """Yield each value that is not as the schema says; a missing key is wanted where it is missing."""
    yield from _breaches(value, schema, schema, path)


def _breaches(value: Any, schema: Schema, root: Schema, path: str) -> Iterator[Breach]:
    schema = _resolved(schema, root)
    if not _fits(value, schema):
        yield Breach(path or "the report", schema["description"], shown(value))
    elif isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                yield Breach(_joined(path, key), "there", "missing")
        for key, of_key in schema.get("properties", {}).items():
            if key in value:
                yield from _breaches(value[key], of_key, root, _joined(path, key))
    elif isinstance(value, list):
        yield from _breaches_of_rows(value, schema["items"], root, path)


def _breaches_of_rows(rows: list[Any], schema: Schema, root: Schema, path: str) -> Iterator[Breach]:
    for start in range(0, len(rows), PIECE):
        piece = rows[start : start + PIECE]
        if not _all_fit(piece, schema, root):
            for at, each in enumerate(piece, start):
                yield from _breaches(each, schema, root, f"{path}[{at}]")


def _all_fit(rows: list[Any], schema: Schema, root: Schema) -> bool:
    """Whether rows without inner lists or objects surely are as the schema says: one key of all of them after the other.

    A report may have a million rows, and each of them would take longer by itself.
    """
    schema = _resolved(schema, root)
    if schema.get("type") != "object" or set(map(type, rows)) != {dict}:
        return False
    if not all(key in row for key in schema.get("required", ()) for row in rows):
        return False
    columns = (
        (of_key, [row[key] for row in rows if key in row]) for key, of_key in schema.get("properties", {}).items()
    )
    return all(_column_fits(values, _resolved(of_key, root)) for of_key, values in columns)


def _column_fits(values: list[Any], schema: Schema) -> bool:
    """Whether values surely fit: numbers of a type if the least and the greatest do, as one range is all that is allowed."""
    kinds = set(map(type, values))
    if (
        not kinds <= {str, bool, int, float, type(None)}
        or len([one for one in schema.get("anyOf", ()) if "type" in one]) > 1
    ):
        return False
    for kind in kinds:
        of_kind = values if len(kinds) == 1 else [value for value in values if type(value) is kind]
        if kind is float and isnan(sum(of_kind)):
            return False
        ends = {min(of_kind), max(of_kind)} if kind in (int, float) else set(of_kind)
        if not all(_fits(end, schema) for end in ends):
            return False
    return True


def _resolved(schema: Schema, root: Schema) -> Schema:
    """Return the schema that a reference leads to, or the schema itself."""
    if "$ref" not in schema:
        return schema
    found: Schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return found


def _fits(value: Any, schema: Schema) -> bool:
    """Whether a value itself is as the schema says, whatever it contains."""
    if "anyOf" in schema:
        return any(_fits(value, each) for each in schema["anyOf"])
    if "enum" in schema:
        return (value is None or isinstance(value, str)) and value in schema["enum"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is_a(value, kind) for kind in kinds):
        return False
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return not is_number or schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _is_a(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
