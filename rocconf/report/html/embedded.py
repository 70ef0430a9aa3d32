"""The JSON report in the page, and what the script reads: JSON that no markup can end."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from rocconf.report.html.markup import Markup, tag
from rocconf.report.machine import json_text, write_json
from rocconf.seal import EMBEDDED, seal_of

if TYPE_CHECKING:
    from rocconf.answer import Answer

ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""The characters that could end the element or begin a comment; in JSON they stand in texts only."""

LARGEST = 600_000
"""The most characters of a report that are embedded with everything."""

NOT_JUDGED = ("hull", "concavities", "contours", "bands", "power", "restated")
"""The tables that no rule rests on, which are left out of a report that is too large."""

OF_SLICES = "evidence of slices"
"""What is left out of a report that is still too large."""


def embedded_report(answer: Answer, *, most: int = LARGEST) -> tuple[Markup, tuple[str, ...]]:
    """Return the report in its element, and what of it was left out."""
    text, left_out = _text(answer.as_report), list[str]()
    if len(text) > most:
        record, left_out = _without(answer.as_report.to_dict(), NOT_JUDGED)
        text = _sealed(record)
        if len(text) > most and any(unit["slices"] for unit in record.get("evidence", ())):
            text, left_out = _sealed(_without_slices(record)), [*left_out, OF_SLICES]
    return Markup(f"{EMBEDDED}{text.translate(ESCAPED)}</script>"), tuple(left_out)


def embedded_data(record: dict[str, Any], *, name: str) -> Markup:
    """Return what the script reads, in its element."""
    return tag("script", Markup(json_text(record).translate(ESCAPED)), type="application/json", id=name)


def _text(answer: Answer) -> str:
    stream = StringIO()
    write_json(answer, stream)
    return stream.getvalue()


def _sealed(record: dict[str, Any]) -> str:
    return json_text({**record, **seal_of(record)})


def _without_slices(record: dict[str, Any]) -> dict[str, Any]:
    """Return a report without the estimates of slices, by which rules about every slice would be judged again."""
    units = []
    for unit in record["evidence"]:
        slices = [
            {**each, "evidence": each["evidence"] and {**each["evidence"], "entries": []}} for each in unit["slices"]
        ]
        units.append({**unit, "slices": slices})
    return {**record, "evidence": units}


def _without(record: dict[str, Any], names: tuple[str, ...]) -> tuple[dict[str, Any], list[str]]:
    """Return a report without some of its tables, and the names of those that had rows."""
    tables = {name: rows for name, rows in record["tables"].items() if name not in names}
    dropped = [name for name in names if record["tables"].get(name)]
    reasons = [reason for reason in record["undefined"] if reason["table"] not in names]
    return {**record, "tables": tables, "undefined": reasons}, dropped
