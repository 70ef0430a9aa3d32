"""Reads the reports of earlier runs: to compare another model with one, or to judge it.

A report is accepted as it was written: its digest shows every change but one of form. Nothing else is checked.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocconf.errors import InputError, RocconfError
from rocconf.messages import Message, message
from rocconf.read.fields import object_of
from rocconf.read.source import DAMAGE
from rocconf.records import Source
from rocconf.saved import Reported, SavedReport
from rocconf.seal import DIGEST, EMBEDDED, SCHEMA, check_seal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rocconf.read.source import Input

OURS = "rocconf"
PAGE, LONGEST_START = b"<!doctype html", 100
"""How a page begins, perhaps after blanks."""

REPORT_ID = re.compile(r"\bid\s*=\s*[\"']?\s*report\b", re.IGNORECASE)
"""What a browser may take for the name of the report's element, wherever it stands."""


def baseline_of(report: SavedReport) -> Reported:
    """Return the only model of a report as a baseline."""
    name = _only_model(report)
    if report.level is None:
        raise InputError(report.name, [message("report-no-scores")])
    evidence = report.evidence[name]
    n, positives = evidence["n"], evidence["positives"]
    carried = tuple(each for each in report.caveats if each.code == "repeated-cases")
    sealed = message(report.sealed, report=report.name)
    source = replace(report.source, n=n, positives=positives, negatives=n - positives)
    return Reported(
        model=name,
        evidence=evidence,
        interval_kind=report.options["interval"],
        source=replace(source, caveats=(*source.caveats, *carried, sealed)),
        data=_cases_of(report, positives, n - positives),
        lower_is_positive=bool(report.options.get("lower_is_positive")),
        max_fpr=report.options.get("max_fpr"),
        cost=report.options.get("cost"),
    )


def read_report(source: Input, *, role: str = "report", commands: Collection[str] | None = None) -> SavedReport:
    """Return a report that is as it was written.

    Parameters
    ----------
    source
        The JSON file, or the page with the report.
    role
        What the report is read for.
    commands
        The commands whose reports are accepted; by default all.
    """
    try:
        with source.open() as stream:
            text = stream.read()
    except DAMAGE as error:
        raise _no_json(source.name, error) from None
    record = _record_in(_report_in(text, source.name), source.name)
    command = record["schema"].split("/")[1]
    try:
        sealed = check_seal(record)
    except RocconfError as error:
        raise InputError(source.name, [error.message]) from None
    except (ValueError, RecursionError) as error:  # a number that is not finite
        raise _no_json(source.name, error) from None
    if commands is not None and command not in commands:
        fault = message("report-command", command=command, commands=", ".join(commands))
        raise InputError(source.name, [fault])
    caveats = tuple(Message(each["code"], saved=(each["kind"], each["message"])) for each in record["caveats"])
    return SavedReport(_source(source, role, record), record, caveats, sealed)


def _record_in(text: bytes, file: str) -> dict[str, Any]:
    """Return the record of a report of this version."""
    try:
        record = json.loads(
            text.decode(json.detect_encoding(text)), parse_constant=_refuse_constant, object_pairs_hook=object_of
        )
    except (ValueError, RecursionError) as error:  # not text, not JSON, a number of too many digits
        raise _no_json(file, error) from None
    schema = record.get("schema") if isinstance(record, dict) else None
    ours, *rest = schema.split("/") if isinstance(schema, str) else [""]
    if ours != OURS or len(rest) != 2:
        raise InputError(file, [message("not-a-report")])
    if rest[1] != str(SCHEMA) or DIGEST not in record:
        raise InputError(file, [message("report-version", command=rest[0])])
    return dict(record)


def _no_json(file: str, error: Exception) -> InputError:
    return InputError(file, [message("not-json", reason=str(error) or type(error).__name__)])


def _report_in(text: bytes, file: str) -> bytes:
    """Return the report in a page, the only one there and not in a comment; anything else is returned as it is."""
    if not text[:LONGEST_START].lstrip().lower().startswith(PAGE):
        return text
    from html import unescape

    before, _, found = text.partition(EMBEDDED.encode())
    report, end, after = found.partition(b"</script>")
    around = unescape(b" ".join((before, after)).decode("latin-1"))
    reports = 1 + len(REPORT_ID.findall(around)) if found and b"<!--" not in before else 0
    if reports != 1:
        raise InputError(file, [message("report-not-in-page", found=reports)])
    if not end:
        raise InputError(file, [message("not-json", reason="the page ends within its report")])
    return report


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


def _source(source: Input, role: str, record: Mapping[str, Any]) -> Source:
    """Describe the report by its first model, and by the data it was made from."""
    n, positives = next(((each["n"], each["positives"]) for each in record.get("evidence", ())), (0, 0))
    inputs = record["inputs"]
    return Source(
        name=source.name,
        n=n,
        positives=positives,
        negatives=n - positives,
        positive=inputs[0].get("positive", "1") if inputs else "1",
        dropped=inputs[0]["dropped"] if inputs else 0,
        role=role,
        rescaled=bool(inputs) and inputs[0]["rescaled"],
        digest=source.digest(),
        schema=record["schema"],
        guessed=tuple(name for each in inputs for name in each.get("guessed", ())),
    )


def _cases_of(report: SavedReport, positives: int, negatives: int) -> Source | None:
    """Return the cases of a model by its totals: a report of several models may be about several sets of cases."""
    for each in report.record["inputs"]:
        totals = each.get("positives"), each.get("negatives")
        if each["role"] in ("data", "baseline") and totals == (positives, negatives):
            return Source(
                name=each["name"],
                n=positives + negatives,
                positives=positives,
                negatives=negatives,
                positive=each["positive"],
                rescaled=each["rescaled"],
                digest=None if each["sha256"] is None else partial(str, each["sha256"]),
            )
    return None


def _only_model(report: SavedReport) -> str:
    if len(report.models) != 1:
        raise InputError(
            report.name, [message("report-of-several", n=len(report.models), models=", ".join(report.models))]
        )
    return next(iter(report.models))
