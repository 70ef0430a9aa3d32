"""Reads the reports of earlier runs: to compare another model with one, or to judge it.

A file that is damaged, not a report of rocconf, of a newer version, or with a field of the wrong type is refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rocconf.conditions import parse_condition
from rocconf.errors import InputError, RocconfError
from rocconf.messages import Message, message
from rocconf.naming import ONE_VS_REST
from rocconf.read.fields import Fields, object_of
from rocconf.read.report_rows import without_rows
from rocconf.read.schema import breaches, schema_of_reports
from rocconf.read.source import DAMAGE
from rocconf.records import INTERVAL_KINDS, Interval, Source
from rocconf.saved import EMBEDDED, SCORES, Reported, SavedGate, SavedPair, SavedPoint, SavedReport, SavedSlice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from rocconf.conditions import Condition
    from rocconf.messages import MessageKind
    from rocconf.read.source import Input
    from rocconf.records import IntervalKind
    from rocconf.saved import Part

    Models = Mapping[str, Mapping[str, Any]]

OURS = "rocconf"
PAGE, LONGEST_START = b"<!doctype html", 100
"""How a page begins, perhaps after blanks."""

REPORT_ID = re.compile(r"\bid\s*=\s*[\"']?\s*report\b", re.IGNORECASE)
"""What a browser may take for the name of the report's element, wherever it stands."""

OPS = (">=", ">", "<=", "<", "==")
NAMES_KIND = 2
"""The first version of the keys that names the kind of interval of an AUC."""

ONLY_KIND: IntervalKind = "delong"
"""The kind of interval before that."""

ITSELF = "itself"
"""What a pair has in place of a test where a model was compared with itself."""

ROLES = ("data", "reference", "choose_on", "baseline")
"""What the inputs of an analysis can be read for."""

OF_AUC = ("auc", "delta_auc")
"""The metrics whose interval has a kind."""

COUNTED = ("tp", "fp", "fn", "tn", "threshold")
"""What an operating point has without an interval."""

HAVE_THRESHOLDS = ("sweep", "tango", "chi2-contours", "sensibility")
"""The commands whose rows are of thresholds, which no rule needs."""


def baseline_of(report: SavedReport, model: str | None = None) -> Reported:
    """Return the only model of a report, or the one of this name, as a baseline."""
    name = _chosen(report, model)
    fields = Fields(report.name, f"baseline {name!r}", report.models[name])
    positives, negatives = fields.count("positives"), fields.count("negatives")
    copies = tuple(caveat for caveat in report.caveats if caveat.code == "repeated-cases")
    source = replace(report.source, n=positives + negatives, positives=positives, negatives=negatives)
    return Reported(
        model=name,
        p=positives,
        q=negatives,
        auc=fields.number("auc"),
        auc_se=fields.number_or_none("auc_se"),
        auc_df=fields.number_or_none("auc_df") if "auc_df" in fields.record else None,
        auc_interval=_interval(fields, fields.number("auc_lower"), fields.number("auc_upper")),
        interval_kind=cast("IntervalKind", _kind(fields, of_auc=True)),
        level=fields.share("level"),
        points={point.rule: (point.tp, point.fp) for point in report.points if point.model == name},
        source=replace(source, caveats=(*source.caveats, *copies)),
        data=_cases_of(report, positives, negatives),
        lower_is_positive=bool(report.options.get("lower_is_positive")),
        clusters=fields.count("clusters") if "clusters" in fields.record else None,
        is_binned="binned" in fields.record and fields.flag("binned"),
    )


def read_report(
    source: Input, *, newest: int, role: str = "report", commands: Collection[str] | None = None
) -> SavedReport:
    """Return the parts of a report that rules need.

    Parameters
    ----------
    source
        The JSON file.
    newest
        The newest version of the keys that can be read.
    role
        What the report is read for.
    commands
        The commands whose reports are accepted; by default all.
    """
    read = partial(_read, source, newest=newest, role=role, commands=commands)
    try:
        text, lacks_rows = without_rows(source)
    except DAMAGE as error:
        raise _no_json(source.name, error) from None
    try:
        return read(text, lacks_rows=lacks_rows)
    except InputError:
        if not lacks_rows:
            raise
    with source.open() as stream:  # to name the place of a fault among all rows
        return read(stream.read(), lacks_rows=False)


def _read(
    source: Input, text: bytes, *, newest: int, role: str, commands: Collection[str] | None, lacks_rows: bool
) -> SavedReport:
    """Return the parts of a report, given all of its text or that without rows of thresholds."""
    schema, record = _parsed(text, source.name, newest)
    command = schema.split("/")[1]
    if commands is not None and command not in commands:
        fault = message("report-command", command=command, commands=", ".join(commands))
        raise InputError(source.name, [fault])
    if lacks_rows and command not in HAVE_THRESHOLDS:
        raise InputError(source.name, [message("field-missing", where="report", key="rows")])
    report = Fields(source.name, "report", record)
    options, tables = report.inner("options"), report.inner("tables")
    if int(schema.split("/")[2]) < NAMES_KIND:
        _name_the_kind(report, tables)
    models = _models(tables, may_lack_cases=command == ONE_VS_REST)
    averages = _averages(report, models) if command == ONE_VS_REST else {}
    units: Models = {**models, **{name: rows[0] for name, rows in averages.items()}}
    level = None if options.record.get("level") is None else options.share("level")
    for fields in tables.items("models"):
        if fields.record.get("level", level) != level:
            raise fields.wrong("level", f"that of the options ({level})", fields.record["level"])
    if "baseline" in options.record:
        options.text_or_none("baseline")
    _check_options(options)
    saved = SavedReport(
        command=command,
        level=level,
        options=options.record,
        models=models,
        points=tuple(_point(fields, models) for fields in tables.items_if_any("operating_points")),
        pairs=tuple(map(_pair, tables.items_if_any("pairs"))),
        gates=tuple(_gate(fields, units) for fields in report.items_if_any("gates")),
        reasons=_reasons(report, list(models)),
        caveats=tuple(map(_caveat, report.items_if_any("caveats"))),
        source=_source(source, role, schema, report, models),
        record=record,
        averages=averages,
        slices=_slices(tables, models),
    )
    _require_schema(source.name, record)
    return saved


def _require_schema(file: str, record: Mapping[str, Any]) -> None:
    """Raise an error with every value that is not as the schema says, also of keys that nothing here needs."""
    faults = [
        message("report-value", path=breach.path, wanted=breach.wanted, found=breach.found)
        for breach in breaches(record, schema_of_reports())
    ]
    if faults:
        raise InputError(file, faults)


def _check_options(options: Fields) -> None:
    """Raise an error for an option of the wrong type, if the command has it."""
    readers: dict[str, Callable[[str], object]] = {
        **dict.fromkeys(("permutations", "bootstrap", "seed"), options.count),
        **dict.fromkeys(("lower_is_positive", "all_pairs", "paired", "intervals", "rescale"), options.flag),
        **dict.fromkeys(("prevalence", "max_fpr", "margin"), options.number),
    }
    for key, read in readers.items():
        if options.record.get(key) is not None:
            read(key)
    if "at" in options.record:
        options.texts("at")


def _parsed(text: bytes, file: str, newest: int) -> tuple[str, dict[str, Any]]:
    """Return the schema and all of a report."""
    text = _report_in(text, file)
    try:
        report = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=object_of)
        if b"\\u" in text:  # an escape like \ud800 is half a character
            json.dumps(report, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:  # not text, not JSON, a number of too many digits
        raise _no_json(file, error) from None
    schema = report.get("schema") if isinstance(report, dict) else None
    ours, *rest = schema.split("/") if isinstance(schema, str) else [""]
    if ours != OURS or len(rest) != 2:
        raise InputError(file, [message("not-a-report")])
    version = rest[1]
    if not (version.isascii() and version.isdecimal()) or not 1 <= int(version) <= newest:
        raise InputError(file, [message("report-schema", schema=schema, newest=newest)])
    return str(schema), report


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


def _averages(report: Fields, models: Models) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Return the averages over the classes of each model of several classes."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for fields in report.items("rows"):
        _ = [fields.text(key) for key in ("model", SCORES, "metric")], fields.text_or_none("class")
        _ = [fields.number_or_none(key) for key in ("value", "lower", "upper", "se", "df")]
        _ = [fields.count(key) for key in ("n", "positives")]
        _ = fields.share("level"), _kind(fields, of_auc=True)
        if fields.record["metric"] != "auc":
            rows.setdefault(fields.text("model"), []).append(fields.record)
    for fields in report.inner("tables").items("models"):
        if fields.text(SCORES) not in rows:
            raise fields.error("saved-model-unknown", model=fields.record[SCORES])
        fields.text("class")
    if not rows.keys().isdisjoint(models):
        raise InputError(report.file, [message("report-twin-models")])
    return {name: tuple(own) for name, own in rows.items()}


def _models(tables: Fields, *, may_lack_cases: bool = False) -> dict[str, Mapping[str, Any]]:
    rows = tables.items("models")
    if not rows:
        raise InputError(tables.file, [message("report-empty")])
    for fields in rows:
        n, positives, negatives = (fields.count(key) for key in ("n", "positives", "negatives"))
        if n != positives + negatives:
            raise fields.error("totals-differ", n=n, sum=positives + negatives)
        if not (positives and negatives) and not (may_lack_cases and negatives):
            raise fields.wrong("positives" if not positives else "negatives", "above 0", 0)
        for key in ("prevalence", "level"):
            if key in fields.record:
                fields.number_or_none(key)
        _require_auc(fields)
        _kind(fields, of_auc=fields.record["auc"] is not None)
    models: dict[str, Mapping[str, Any]] = {fields.text("model"): fields.record for fields in rows}
    if len(models) < len(rows):
        raise InputError(tables.file, [message("report-twin-models")])
    return models


def _slices(tables: Fields, models: Models) -> dict[Part, SavedSlice]:
    """Return the slices of the cases, each with its models, operating points and pairs."""
    rows: dict[Part, dict[str, Mapping[str, Any]]] = {}
    decided: dict[Part, bool] = {}
    for fields in tables.items_if_any("slices"):
        part, model = _part(fields), _model(fields, models)
        n, positives, negatives = (fields.count(key) for key in ("n", "positives", "negatives"))
        if n != positives + negatives:
            raise fields.error("totals-differ", n=n, sum=positives + negatives)
        if model in rows.setdefault(part, {}):
            raise InputError(tables.file, [message("report-twin-models")])
        for key in ("prevalence", "level"):
            fields.number_or_none(key)
        _require_auc(fields)
        _kind(fields, of_auc=True)
        is_decided = fields.flag("decided")
        if decided.setdefault(part, is_decided) != is_decided:
            raise fields.wrong("decided", "the same for every model", is_decided)
        rows[part][model] = fields.record
    points: dict[Part, list[SavedPoint]] = {part: [] for part in rows}
    pairs: dict[Part, list[SavedPair]] = {part: [] for part in rows}
    for fields in tables.items_if_any("slice_points"):
        part = _part(fields, rows)
        points[part].append(_point(fields, rows[part]))
    for fields in tables.items_if_any("slice_pairs"):
        pairs[_part(fields, rows)].append(_pair(fields))
    return {part: SavedSlice(decided[part], own, tuple(points[part]), tuple(pairs[part])) for part, own in rows.items()}


def _part(fields: Fields, known: Collection[Part] | None = None) -> Part:
    """Return the column and the value of a slice, which must be known."""
    part = fields.text("by"), fields.text("slice")
    if known is not None and part not in known:
        raise fields.wrong("slice", "a row of the slices", part[1])
    return part


def _require_auc(fields: Fields) -> None:
    """Raise an error if an AUC, its limits or its standard error lie outside [0, 1]."""
    for key in ("auc", "auc_lower", "auc_upper", "auc_se"):
        value = fields.number_or_none(key)
        if value is not None and not 0 <= value <= 1:
            raise fields.wrong(key, "in [0, 1]", value)
        if value == 0 and key == "auc_se":
            raise fields.wrong(key, "above 0", value)
    if "auc_df" in fields.record:  # the older schema has none
        fields.number_or_none("auc_df")


def _point(fields: Fields, models: Models) -> SavedPoint:
    model, tp, fp = _model(fields, models), fields.count("tp"), fields.count("fp")
    totals = tp + fields.count("fn"), fp + fields.count("tn")
    if totals != (models[model]["positives"], models[model]["negatives"]):
        raise fields.error("point-totals")
    threshold = fields.score_or_none("threshold")
    return SavedPoint(model, fields.text("rule"), threshold, fields.flag("in_sample"), tp, fp)


def _pair(fields: Fields) -> SavedPair:
    model, metric, at = fields.text("model"), fields.text("metric"), fields.text_or_none("at")
    difference = fields.number_or_none("difference")
    if difference is None:
        return SavedPair(model, metric, at, None, None, None, "")
    limits = (fields.number_or_none("difference_lower"), fields.number_or_none("difference_upper"))
    kind = _kind(fields, of_auc=metric == "auc")
    return SavedPair(model, metric, at, difference, _interval(fields, *limits), kind, fields.text("test"))


def _gate(fields: Fields, models: Models) -> SavedGate:
    """Return a verdict: the rule, the model and what it was judged on."""
    value, lower, upper = fields.score_or_none("value"), fields.number_or_none("lower"), fields.number_or_none("upper")
    metric = fields.text("metric")
    has_interval = fields.text_or_none("judged_on") == "interval" or not lower is upper is None
    # a slice without a curve has no threshold, and no value either
    has_threshold = fields.record.get("at") is not None and (value, fields.record.get("in_sample")) != (None, None)
    fields.one_of("verdict", "pass", "fail", "inconclusive")
    if value is None and fields.text_or_none("reason") is None:
        raise fields.error("gate-without-reason")
    return SavedGate(
        name=fields.text("name"),
        model=_model(fields, models),
        metric=metric,
        at=fields.text_or_none("at"),
        op=fields.one_of("op", *OPS),
        limit=fields.number("limit"),
        level=fields.share("level"),
        where=tuple(_condition(fields, text) for text in fields.texts("where")),
        severity=fields.one_of("severity", "error", "warn"),
        on_undefined=fields.one_of("on_undefined", "inconclusive", "pass", "fail"),
        value=value,
        interval=_interval(fields, lower, upper) if has_interval else None,
        kind=_kind(fields, of_auc=value is not None and metric.removesuffix(".point") in OF_AUC),
        n=fields.count("n"),
        positives=fields.count("positives"),
        threshold=fields.score_or_none("threshold"),
        in_sample=fields.flag("in_sample") if has_threshold else None,
        reason=fields.text_or_none("reason") or "",
        is_from_itself="codes" in fields.record and "compared-with-itself" in fields.texts("codes"),
        allow_identical="allow_identical" in fields.record and fields.flag("allow_identical"),
        **_of_slice(fields),
    )


def _of_slice(fields: Fields) -> dict[str, Any]:
    """Return the slice that a verdict is on, if its rule is about every slice."""
    if fields.record.get("by") is None:
        if fields.record.get("slice") is not None:
            raise fields.wrong("slice", "null without by", fields.record["slice"])
        return {}
    return {
        "part": (fields.text("by"), fields.text("slice")),
        "slices": fields.count("slices"),
        "rule_level": fields.share("rule_level"),
    }


def _name_the_kind(report: Fields, tables: Fields) -> None:
    """Name the kind of interval, and what was compared with itself, in a report that is older than the names."""
    caveats = [fields.record for fields in report.items_if_any("caveats")]
    alike = [str(each.get("message")).partition(": ")[0] for each in caveats if each.get("code") == "same-model"]
    for fields in tables.items_if_any("pairs"):
        if f"{fields.record.get('model')} has the scores of {fields.record.get('baseline')}" in alike:
            fields.record["test"] = ITSELF
    named = [fields for fields in tables.items("models") if fields.record.get("auc") is not None]
    if report.record.get("summary") is not None:
        named.append(report.inner("summary"))
    named += [
        each
        for each in tables.items_if_any("pairs")
        if each.record.get("metric") == "auc" or each.record.get("at") is not None
    ]
    named += [each for each in report.items_if_any("gates") if _has_kind(each)]
    for fields in named:
        if any(fields.record.get(key) is not None for key in ("auc", "difference", "value")):
            fields.record["interval"] = ONLY_KIND


def _has_kind(gate: Fields) -> bool:
    """Whether the interval of a verdict is of a kind: that of an AUC, of a rate, or of a difference of these."""
    metric = gate.text("metric").removesuffix(".point")
    return metric in OF_AUC or metric == "prevalence" or (gate.record.get("at") is not None and metric not in COUNTED)


def _kind(fields: Fields, *, of_auc: bool) -> IntervalKind | None:
    """Return the kind of an interval, which that of an AUC or of a difference of two always has."""
    if of_auc or fields.record.get("interval") is not None:
        return cast("IntervalKind", fields.one_of("interval", *INTERVAL_KINDS))
    return None


def _caveat(fields: Fields) -> Message:
    kind = fields.one_of("kind", "warning", "note") if "kind" in fields.record else "warning"
    return Message(fields.text("code"), saved=(cast("MessageKind", kind), fields.text("message")))


def _model(fields: Fields, models: Models) -> str:
    model = fields.text("model")
    if model not in models:
        raise fields.error("saved-model-unknown", model=model)
    return model


def _condition(fields: Fields, text: str) -> Condition:
    try:
        return parse_condition(text, "where")
    except RocconfError as error:
        raise fields.error("field-invalid", fault=error.message) from None


def _interval(fields: Fields, lower: float | None, upper: float | None) -> Interval:
    try:
        return Interval.open(lower, upper)
    except RocconfError as error:
        raise fields.error("field-invalid", fault=error.message) from None


def _reasons(report: Fields, models: list[str]) -> dict[tuple[str, str], str]:
    """Return why values of the models are missing; the row null stands for all rows."""
    reasons = {}
    for fields in report.items_if_any("undefined"):
        table, key, reason = (fields.text(name) for name in ("table", "key", "reason"))
        row = None if fields.record.get("row") is None else fields.count("row")
        if table == "models":
            for model in models if row is None else models[row : row + 1]:
                reasons[model, key] = reason
    return reasons


def _source(source: Input, role: str, schema: str, report: Fields, models: Models) -> Source:
    """Describe the report by its first model, and by the data it was made from."""
    first, inputs = next(iter(models.values())), report.items_if_any("inputs")
    for fields in inputs:
        _ = (
            fields.one_of("role", *ROLES),
            fields.text("name"),
            fields.text_or_none("sha256"),
            [fields.count(key) for key in ("n", "positives", "negatives")],
        )
    older = int(schema.split("/")[2]) < NAMES_KIND
    return Source(
        name=source.name,
        n=first["n"],
        positives=first["positives"],
        negatives=first["negatives"],
        positive=inputs[0].text("positive") if inputs else "1",
        dropped=inputs[0].count("dropped") if inputs else 0,
        role=role,
        rescaled=bool(inputs) and inputs[0].record.get("rescaled") is True,
        caveats=(message("older-report", report=source.name, schema=schema, kind=ONLY_KIND),) if older else (),
        digest=source.digest(),
        schema=schema,
        guessed=tuple(name for fields in inputs if "guessed" in fields.record for name in fields.texts("guessed")),
    )


def _cases_of(report: SavedReport, positives: int, negatives: int) -> Source | None:
    """Return the cases of a model by its totals: a report of several models may be about several sets of cases."""
    for at, record in enumerate(report.record.get("inputs", [])):
        fields = Fields(report.name, f"inputs[{at}]", record)
        if fields.text("role") in ("data", "baseline") and (positives, negatives) == (
            *(fields.count("positives"), fields.count("negatives")),
        ):
            digest = fields.text_or_none("sha256")
            return Source(
                name=fields.text("name"),
                n=positives + negatives,
                positives=positives,
                negatives=negatives,
                positive=fields.text("positive"),
                rescaled=record.get("rescaled") is True,
                digest=None if digest is None else partial(str, digest),
            )
    return None


def _chosen(report: SavedReport, model: str | None) -> str:
    models = tuple(report.models)
    if len(models) == 1:
        return models[0]
    if model in report.models:
        return str(model)
    raise InputError(report.name, [message("report-of-several", n=len(models), models=", ".join(models))])
