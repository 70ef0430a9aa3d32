"""Reads what an earlier report of ours says of a model, to compare another one with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocconf.errors import InputError
from rocconf.records import Interval, Reported, Source

if TYPE_CHECKING:
    from rocconf.read.source import Input

OURS = "rocconf/"


def read_report(source: Input, *, newest: int, model: str | None = None) -> Reported:
    """Read the report of one model, or the one of this name.

    Parameters
    ----------
    source
        The JSON file.
    newest
        The newest version of the keys that can be read.
    model
        Which model of several.
    """
    report = _parsed(source, newest)
    try:
        found = _chosen(source, report["tables"]["models"], model)
        points = report["tables"].get("operating_points", [])
        return Reported(
            model=found["model"],
            p=found["positives"],
            q=found["negatives"],
            auc=found["auc"],
            auc_se=found["auc_se"],
            auc_interval=Interval(found["auc_lower"], found["auc_upper"]),
            level=found["level"],
            points={point["rule"]: (point["tp"], point["fp"]) for point in points if point["model"] == found["model"]},
            source=Source(
                name=source.name,
                n=found["n"],
                positives=found["positives"],
                negatives=found["negatives"],
                positive=report["inputs"][0]["positive"],
                role="baseline",
                digest=source.digest(),
            ),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise InputError(source.name, [f"the report lacks {error}, so it cannot be the baseline"]) from None


def _parsed(source: Input, newest: int) -> dict[str, Any]:
    with source.open() as stream:
        try:
            report = json.load(stream)
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError(source.name, [f"is no JSON report ({error})"]) from None
    schema = report.get("schema") if isinstance(report, dict) else None
    if not (isinstance(schema, str) and schema.startswith(OURS)):
        raise InputError(source.name, ["is no report of rocconf: it has no schema"])
    version = schema.rpartition("/")[2]
    if not version.isdecimal() or int(version) > newest:
        raise InputError(source.name, [f"has the schema {schema}, and this rocconf reads versions up to {newest}"])
    kept: dict[str, Any] = report
    return kept


def _chosen(source: Input, models: list[dict[str, Any]], model: str | None) -> dict[str, Any]:
    named = [found for found in models if found["model"] == model]
    if len(models) == 1 or len(named) == 1:
        return (named or models)[0]
    names = ", ".join(found["model"] for found in models)
    raise InputError(source.name, [f"reports several models ({names}), and a baseline is one"])
