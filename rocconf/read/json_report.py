"""Reads what an earlier report of ours says: to compare another model with it, or to judge it.

A report is taken at its word, but only where it has one: a file that is not whole, no report of ours, of a newer
version, or with a value of the wrong type is refused with what was found.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from rocconf.errors import InputError, RocconfError
from rocconf.read.fields import FieldError, Fields
from rocconf.read.source import DAMAGE
from rocconf.records import Caveat, Interval, Reported, Source, parse_condition
from rocconf.saved import SavedGate, SavedPair, SavedPoint, SavedReport

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import TypeVar

    from rocconf.read.source import Input

    Item = TypeVar("Item")

OURS = "rocconf"
OPS = (">=", ">", "<=", "<", "==")


def read_report(source: Input, *, newest: int, model: str | None = None) -> Reported:
    """Read what the report says of its one model, or of the one of this name, to compare another with it.

    Parameters
    ----------
    source
        The JSON file.
    newest
        The newest version of the keys that can be read.
    model
        Which model of several.
    """
    report = read_saved(source, newest=newest, role="baseline")
    found = _chosen(report, model)
    try:
        fields = Fields(report.models[found])
        return Reported(
            model=found,
            p=fields.count("positives"),
            q=fields.count("negatives"),
            auc=fields.number("auc"),
            auc_se=fields.number_or_none("auc_se"),
            auc_interval=_interval(fields.number("auc_lower"), fields.number("auc_upper")),
            level=fields.share("level"),
            points={point.rule: (point.tp, point.fp) for point in report.points if point.model == found},
            source=replace(
                report.source,
                n=report.models[found]["n"],
                positives=fields.count("positives"),
                negatives=fields.count("negatives"),
            ),
        )
    except FieldError as error:
        raise InputError(source.name, [f"the report {error} for {found}, so it cannot be the baseline"]) from None


def read_saved(
    source: Input, *, newest: int, role: str = "report", commands: Collection[str] | None = None
) -> SavedReport:
    """Read all that a rule can be about.

    Parameters
    ----------
    source
        The JSON file.
    newest
        The newest version of the keys that can be read.
    role
        What the report is read for.
    commands
        The commands whose reports are wanted, where not all are.
    """
    schema, record = _parsed(source, newest)
    command = schema.split("/")[1]
    if commands is not None and command not in commands:
        raise InputError(
            source.name,
            [f"is a report of rocconf {command}, where one of {', '.join(commands)} is wanted: it has no numbers"],
        )
    try:
        return _saved(source, role, schema, Fields(record))
    except FieldError as error:
        raise InputError(source.name, [f"the report {error}"]) from None


def _parsed(source: Input, newest: int) -> tuple[str, dict[str, Any]]:
    """Return the schema and the rest of a file that is a report of ours."""
    try:
        with source.open() as stream:
            report = json.load(stream, parse_constant=_refused)
    except (ValueError, RecursionError, *DAMAGE) as error:  # no text, no JSON, a number of too many digits
        raise InputError(source.name, [f"is no JSON report ({error or type(error).__name__})"]) from None
    schema = report.get("schema") if isinstance(report, dict) else None
    ours, *rest = schema.split("/") if isinstance(schema, str) else [""]
    if ours != OURS or len(rest) != 2:
        raise InputError(source.name, ["is no report of rocconf: it has no schema"])
    version = rest[1]
    if not (version.isascii() and version.isdecimal()) or not 1 <= int(version) <= newest:
        raise InputError(source.name, [f"has the schema {schema}, and this rocconf reads versions up to {newest}"])
    return str(schema), report


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _saved(source: Input, role: str, schema: str, report: Fields) -> SavedReport:
    options, tables = report.inner("options"), report.inner("tables")
    models = _models(tables)
    level = options.share("level") if options.record.get("level") is not None else None
    return SavedReport(
        command=schema.split("/")[1],
        stem=source.stem,
        level=level,
        options=options.record,
        models=models,
        points=_items(tables, "operating_points", partial(_point, models)),
        pairs=_items(tables, "pairs", _pair),
        gates=_items(report, "gates", partial(_gate, models)),
        reasons=_reasons(report, list(models)),
        caveats=_items(report, "caveats", lambda fields: Caveat(fields.text("code"), fields.text("message"))),
        source=_source(source, role, schema, report, models),
    )


def _models(tables: Fields) -> dict[str, Mapping[str, Any]]:
    def named(fields: Fields) -> tuple[str, Mapping[str, Any]]:
        n, positives, negatives = (fields.count(key) for key in ("n", "positives", "negatives"))
        if n != positives + negatives:
            raise FieldError(f"has n {n} beside {positives} positives and {negatives} negatives")
        _require_area(fields)
        return fields.text("model"), fields.record

    if not tables.items("models"):
        raise FieldError("has no model")
    rows = _items(tables, "models", named)
    if len(dict(rows)) < len(rows):
        raise FieldError("has two models of one name")
    return dict(rows)


def _require_area(fields: Fields) -> None:
    """Refuse an area that is none, and limits and a standard error that no area has."""
    for key in ("auc", "auc_lower", "auc_upper", "auc_se"):
        value = fields.number_or_none(key)
        if value is not None and (not 0 <= value <= 1 or (value == 0 and key == "auc_se")):
            raise FieldError(f"has {key} {value:g}, which cannot be")


def _point(models: Mapping[str, Mapping[str, Any]], fields: Fields) -> SavedPoint:
    model, tp, fp = fields.text("model"), fields.count("tp"), fields.count("fp")
    row = models.get(model)
    if row is None:
        raise FieldError(f"has a point of {model!r}, which is no model of it")
    if tp + fields.count("fn") != row["positives"] or fp + fields.count("tn") != row["negatives"]:
        raise FieldError("has a point whose tp, fp, fn and tn are not the positives and negatives of its model")
    threshold = fields.score_or_none("threshold")
    return SavedPoint(model, fields.text("rule"), threshold, fields.flag("in_sample"), tp, fp)


def _pair(fields: Fields) -> SavedPair:
    model, metric, at = fields.text("model"), fields.text("metric"), fields.text_or_none("at")
    difference = fields.number_or_none("difference")
    if difference is None:
        return SavedPair(model, metric, at, None, None)
    limits = (fields.number_or_none("difference_lower"), fields.number_or_none("difference_upper"))
    return SavedPair(model, metric, at, difference, _interval(*limits))


def _gate(models: Mapping[str, Mapping[str, Any]], fields: Fields) -> SavedGate:
    """Read a verdict: what was asked of which model, and what was found."""
    value, lower, upper = fields.score_or_none("value"), fields.number_or_none("lower"), fields.number_or_none("upper")
    judged_on = fields.text_or_none("judged_on")
    interval = None
    if judged_on == "interval" or not lower is upper is None:
        interval = _interval(lower, upper)
    # a slice without a curve has no threshold, and no value either
    has_threshold = fields.record.get("at") is not None and (value, fields.record.get("in_sample")) != (None, None)
    if value is None and fields.text_or_none("reason") is None:
        raise FieldError("has neither a value nor a reason")
    if fields.text("model") not in models:
        raise FieldError(f"has a gate of {fields.text('model')!r}, which is no model of it")
    return SavedGate(
        name=fields.text("name"),
        model=fields.text("model"),
        metric=fields.text("metric"),
        at=fields.text_or_none("at"),
        op=fields.one_of("op", *OPS),
        limit=fields.number("limit"),
        level=fields.share("level"),
        where=tuple(_condition(text) for text in fields.texts("where")),
        severity=fields.one_of("severity", "error", "warn"),
        on_undefined=fields.one_of("on_undefined", "inconclusive", "pass", "fail"),
        value=value,
        interval=interval,
        n=fields.count("n"),
        positives=fields.count("positives"),
        threshold=fields.score_or_none("threshold"),
        in_sample=fields.flag("in_sample") if has_threshold else None,
        reason=fields.text_or_none("reason") or "",
    )


def _condition(text: str) -> tuple[str, str]:
    try:
        return parse_condition(text, "where")
    except RocconfError as error:
        raise FieldError(f"has a slice that cannot be read: {error}") from None


def _reasons(report: Fields, models: list[str]) -> dict[tuple[str, str], str]:
    """Return why values of the models are missing; what is missing in every row is said once, for the row null."""
    found: dict[tuple[str, str], str] = {}

    def note(fields: Fields) -> None:
        if fields.text("table") != "models":
            return
        row = None if fields.record.get("row") is None else fields.count("row")
        for model in models if row is None else models[row : row + 1]:
            found[model, fields.text("key")] = fields.text("reason")

    _items(report, "undefined", note)
    return found


def _source(source: Input, role: str, schema: str, report: Fields, models: Mapping[str, Mapping[str, Any]]) -> Source:
    """Describe the report by its first model, and by the data that it says it was made from."""
    first, inputs = next(iter(models.values())), _items(report, "inputs", lambda fields: fields)
    return Source(
        name=source.name,
        n=first["n"],
        positives=first["positives"],
        negatives=first["negatives"],
        positive=inputs[0].text("positive") if inputs else "1",
        dropped=inputs[0].count("dropped") if inputs else 0,
        role=role,
        digest=source.digest(),
        schema=schema,
    )


def _items(within: Fields, key: str, read: Callable[[Fields], Item]) -> tuple[Item, ...]:
    """Read every record of a list, which may be left out, and say which one is wrong."""
    found = []
    for at, record in enumerate(within.items(key) if key in within.record else ()):
        try:
            found.append(read(Fields(record)))
        except FieldError as error:
            raise error.within(f"{key}[{at}]") from None
    return tuple(found)


def _interval(lower: float | None, upper: float | None) -> Interval:
    """Return an interval; a limit that is null lies anywhere."""
    limits = (-inf if lower is None else lower, inf if upper is None else upper)
    if limits[0] > limits[1]:
        raise FieldError(f"has an interval that runs backwards, from {lower:g} to {upper:g}")
    return Interval(*limits)


def _chosen(report: SavedReport, model: str | None) -> str:
    models = tuple(report.models)
    if len(models) == 1 or model in models:
        return models[0] if len(models) == 1 else str(model)
    raise InputError(report.name, [f"reports several models ({', '.join(models)}), and a baseline is one"])
