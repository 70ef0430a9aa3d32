"""Checks JSON against a JSON schema, as far as the schema of reports goes: report-2.schema.json beside this file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.read.fields import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

REPORTS = Path(__file__).with_name("report-2.schema.json")

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
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
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
        for at, each in enumerate(value):
            yield from _breaches(each, schema["items"], root, f"{path}[{at}]")


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
