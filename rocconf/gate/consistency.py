"""Whether a saved report is consistent: its numbers are possible, and follow from each other where they must.

A report is evidence, and anybody can edit it. What can be computed again from other numbers of the report is: the
interval of an AUC from its standard error, the rates of an operating point from its counts, a difference from its two
values, a verdict from the measure that was judged. What was drawn at random or needs the cases is only checked for its
range and its order. An edit of one number is found, or can change nothing but rules about that number; a report that
was made up as a whole is not found.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.auc import mcclish
from rocconf.compute.roc.calibration import BRIER, CALIBRATION
from rocconf.compute.roc.clustered import SIZES
from rocconf.compute.roc.costs import NET_BENEFIT, net_benefit_record
from rocconf.compute.roc.given_point import GivenPoint, parse_given_points
from rocconf.compute.roc.honest import HONEST, expected_limits
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.roc.operating import cost_rule, parse_costs, parse_point_rule
from rocconf.compute.roc.rates import COUNTED, Rates
from rocconf.compute.roc.summary import OF_BINS
from rocconf.compute.stats.auc_intervals import auc_from
from rocconf.compute.stats.mean_interval import PSEUDO_CASES
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.tango import MEASURES
from rocconf.conditions import are_exclusive
from rocconf.errors import InputError, RocconfError
from rocconf.gate.consistent_classes import class_faults
from rocconf.gate.consistent_clusters import SizesOfPoint, cluster_faults, size_faults
from rocconf.gate.consistent_numbers import number_faults
from rocconf.gate.consistent_pairs import pair_faults
from rocconf.gate.consistent_promises import promise_faults
from rocconf.gate.consistent_row import RELATIVE, Row, is_multiple
from rocconf.gate.consistent_slices import slice_faults
from rocconf.gate.consistent_streams import stream_faults
from rocconf.gate.consistent_verdicts import BESIDE, verdict_faults
from rocconf.gate.saved_model import sizes_of_point
from rocconf.messages import message
from rocconf.metric import DELTA, count_metric
from rocconf.naming import COMPARE_AUC, ONE_VS_REST
from rocconf.records import ROBUST, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.records import IntervalKind
    from rocconf.saved import SavedPoint, SavedReport

JUDGED = ("data", "baseline")
"""The roles of the cases that are judged."""


OF_RUN = ("interval", "max_fpr", "margin", "test")
"""The options of a run that every model repeats, beside the level."""

NEVER_NULL = ("thresholds", "confident_points", "cauc", "cauc_tp", "cauc_fp", "cauc_roc", "sensible", "non_sensible")
"""The numbers that every model has."""


HAVE_REASONS = (
    *("models", "operating_points", SIZES, "class_pairs", "pairs", "windows", "martingales"),
    *("slices", "slice_points", "slice_pairs"),
)
"""The tables in which every null has a reason."""


def require_consistent(report: SavedReport, kind: type[Result]) -> None:
    """Raise an error with every place where a report contradicts itself.

    Parameters
    ----------
    report
        The report.
    kind
        The result of its command, which says what its numbers are.
    """
    for part in (
        cluster_faults,
        _model_faults,
        size_faults,
        _table_faults,
        _stream_faults,
        _point_faults,
        _given_faults,
        class_faults,
        number_faults,
        pair_faults,
        _slice_faults,
        verdict_faults,
    ):
        faults = list(part(report, kind))  # later parts rest on numbers that the earlier ones have checked
        if faults:
            raise InputError(report.name, faults)


def _model_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    try:
        parse_costs(report.options.get("cost"))
    except RocconfError as error:
        yield message("field-invalid", where="options", fault=error.message)
        return
    for at, record in enumerate(report.models.values()):
        row, faults = Row(f"models[{at}]", record), False
        for fault in _range_faults(row, kind, report):
            faults = True
            yield fault
        if not faults and record["positives"]:  # a class of several may have none
            of_bins = list(_bin_faults(row, report))
            yield from of_bins or _auc_faults(row)
            yield from _measure_faults(row, report.options)
            yield from _drift_faults(row, report)
            yield from _probability_faults(row) if BRIER.name in record else ()
            if (report.options.get("cost") is None) == ("least_cost" in record):
                yield row.fault("least_cost", "one" if "least_cost" not in record else None)


def _range_faults(row: Row, kind: type[Result], report: SavedReport) -> Iterator[Message]:
    record = row.record
    yield from row.differing({"prevalence": record["positives"] / record["n"]})
    if record["auc"] is None:  # class totals alone, or a class without cases
        return
    asked = {key: report.options[key] for key in OF_RUN if key in report.options}
    yield from row.differing({"level": report.level} | {key: value for key, value in asked.items() if key in record})
    is_calibrated = report.options.get("calibration") is True
    for metric in kind.metrics:
        if metric.name in record:
            if record[metric.name] is None and metric.name in NEVER_NULL:
                yield row.impossible(metric.name, "a number")
            yield from row.out_of_range(metric.name, metric)
            for end in ("lower", "upper"):
                yield from row.out_of_range(f"{metric.name}_{end}", metric)
            yield from row.disordered(f"{metric.name}_lower", f"{metric.name}_upper")
        elif not metric.name.startswith(DELTA) and metric.needs != "time":  # older reports have none
            if metric.name in CALIBRATION and not is_calibrated:
                continue
            yield message("field-missing", where=row.where, key=metric.name)


def _bin_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    """Yield bounds of an AUC that scores in bins cannot have, and bins that a warning does not name, or names in vain."""
    record = row.record
    about = f"{record['model']}: "
    is_warned = any(each.code == "binned" and str(each).startswith(about) for each in report.caveats)
    present = [column.name for column in OF_BINS if column.name in record]
    if not present and not is_warned:
        return
    if len(present) < len(OF_BINS) or not isinstance(record["binned"], bool):
        yield row.impossible("binned", "true or false, with auc_bin_lower and auc_bin_upper")
        return
    if record["binned"] != is_warned:
        yield message("report-lacks-caveat", where=row.where, code="binned")
        return
    ends = record["auc_bin_lower"], record["auc_bin_upper"]
    if ends == (None, None):
        return
    if not record["binned"] or not all(map(row.has_number, ("auc_bin_lower", "auc_bin_upper", "auc"))):
        yield row.fault("auc_bin_lower", None)
        return
    unit = 1 / (2 * record["positives"] * record["negatives"])
    for name, end in zip(("auc_bin_lower", "auc_bin_upper"), ends, strict=True):
        if not (0 <= end <= 1 and is_multiple(end, unit)):
            yield row.impossible(name, f"a whole number of halves of pairs, {unit:g} each")
            return
    yield from row.disordered("auc_bin_lower", "auc_bin_upper")
    yield from row.differing({"auc": (ends[0] + ends[1]) / 2})


def _auc_faults(row: Row) -> Iterator[Message]:
    """Yield what an AUC cannot be: it is a share of the pairs, and its interval follows from its standard error."""
    record, p, q = row.record, row.record["positives"], row.record["negatives"]
    area, se = record.get("auc"), record.get("auc_se")
    kind: IntervalKind = record["interval"]
    if area is None:
        return
    if not is_multiple(area, 1 / (2 * p * q)):
        yield row.impossible("auc", f"a whole number of the {2 * p * q} halves of pairs")
        return
    within = None
    if record.get("auc_bin_lower") is not None:
        within = Interval(record["auc_bin_lower"], record["auc_bin_upper"])
    clustered = "clusters" in record
    if clustered:
        p, q = record["positive_clusters"], record["negative_clusters"]
    if se is not None:
        if not 0 < area < 1 or min(p, q) < 2:
            yield row.fault("auc_se", None)
            return
        largest = min(max(0.5, within.lower), within.upper) if within else area
        least, most = 1 / (2 * p * q), sqrt(largest * (1 - largest) * (1 / (p - 1) + 1 / (q - 1)))
        if not clustered and not least * (1 - RELATIVE) <= se <= most * (1 + RELATIVE):
            yield row.impossible("auc_se", f"in [{least:g}, {most:g}]")
            return
    disagreeing = (
        list(_degrees_of_freedom_faults(row, p, q, record.get("clusters")))
        if "auc_df" in record or kind == ROBUST
        else []
    )
    if disagreeing:
        yield from disagreeing
        return
    df = record.get("auc_df")
    limits = auc_from(area, se, df, p, q, level=record["level"], kind=kind, within=within).interval
    yield from row.differing({"auc_lower": limits.lower, "auc_upper": limits.upper})


def _degrees_of_freedom_faults(row: Row, p: int, q: int, clusters: int | None) -> Iterator[Message]:
    """Yield degrees of freedom that no two classes of these sizes give."""
    least, most = min(p, q) - 1, p + q - 2 if clusters is None else min(p + q - 2, clusters - 1)
    if not least:
        yield from row.differing({"auc_df": None})
    elif row.record["auc_se"] is None and 0 < row.record["auc"] < 1:
        yield from row.differing({"auc_df": least})
    elif not row.has_number("auc_df") or not least * (1 - RELATIVE) <= row.record["auc_df"] <= most * (1 + RELATIVE):
        yield row.impossible("auc_df", f"in [{least}, {most}]")


def _measure_faults(row: Row, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yield numbers of the analyses that contradict those beside them."""
    record = row.record
    for name, unit in _units(record, options).items():
        if row.has_number(name) and not is_multiple(record[name], unit):
            yield row.impossible(name, f"a multiple of {unit:g}")
    if "cauc" in record:
        yield from _segment_faults(row)
    if row.has_number("partial_auc") and row.has_number("max_fpr"):
        most = record["max_fpr"]
        if record["partial_auc"] > most * (1 + RELATIVE):
            yield row.impossible("partial_auc", f"at most {most:g}")
        yield from row.differing({"partial_auc_standardized": mcclish(record["partial_auc"], most)})
    if "null_point" in record:
        yield from row.differing({"null_point": record["prevalence"]})
    if "sensible" in record:
        sensible, rest = record["sensible"], record["non_sensible"]
        yield from row.differing({"n": sensible + rest, "struggle_ratio": rest / sensible if sensible else None})


def _probability_faults(row: Row) -> Iterator[Message]:
    """Yield parts that do not add up to the Brier score, and losses outside their intervals."""
    record, n = row.record, row.record["n"]
    keys = ("brier", "mcb", "dsc", "unc", "mcb_p")
    if record["brier"] is None:
        ends = (f"{name}{end}" for name in CALIBRATION for end in ("", "_lower", "_upper"))
        yield from row.differing(dict.fromkeys((*ends, "unc", "mcb_p")))
        return
    wrong = [key for key in keys if not row.has_number(key)]
    if wrong:
        yield row.impossible(wrong[0], "a number")
        return
    unc = record["positives"] / n * (record["negatives"] / n)
    yield from row.differing({"unc": unc, "brier": record["mcb"] - record["dsc"] + unc})
    if not 0 < record["mcb_p"] <= 1:
        yield row.impossible("mcb_p", "in (0, 1]")
    for name, metric in CALIBRATION.items():
        faults = list(row.disordered(f"{name}_lower", f"{name}_upper", name))
        yield from faults
        if faults or record[name] is None or record["interval"] != ROBUST:
            continue
        least = normal_quantile(record["level"]) * sqrt(PSEUDO_CASES) / n * (1 - RELATIVE)
        lower, upper = record.get(f"{name}_lower"), record.get(f"{name}_upper")
        if lower is not None and lower > max(record[name] - least, metric.least):
            yield row.impossible(f"{name}_lower", f"at least {least:g} from the value")
        if upper is not None and upper < min(record[name] + least, metric.most):
            yield row.impossible(f"{name}_upper", f"at least {least:g} from the value")


def _units(record: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, float]:
    """Return what numbers are multiples of: areas of pairs, mean differences of cases, and p-values of permutations."""
    unit, points = 1 / (2 * record["positives"] * record["negatives"]), record.get("confident_points")
    units = {name: unit for name in MEASURES if name.startswith("cauc")}
    if points:
        units |= {name: 1 / (record["n"] * points) for name in MEASURES if name.startswith("aved")}
    if options.get("permutations"):
        units |= dict.fromkeys(("max_chi2_p", "drift_p", "drift_within_p"), 1 / (options["permutations"] + 1))
    return units


def _segment_faults(row: Row) -> Iterator[Message]:
    """Yield measures of a confident segment that contradict each other or its number of points."""
    record, points = row.record, row.record["confident_points"]
    impossible = list(row.out_of_range("thresholds", count_metric("thresholds")))
    if impossible or record.get("thresholds") is None:
        yield from impossible or [row.impossible("thresholds", "a count")]
        return
    yield from row.differing({"cauc": record["cauc_tp"] + record["cauc_fp"]})
    if points == 0:
        yield from row.differing({"cauc": 0.0, "cauc_roc": 0.0, "aved": None, "aved_abs": None})
    elif not (row.has_number("aved") and row.has_number("aved_abs")):
        yield row.impossible("aved", "a number")
    elif abs(record["aved"]) > record["aved_abs"] * (1 + RELATIVE):
        yield row.impossible("aved_abs", f"at least {abs(record['aved'])!r}")
    if points > record["thresholds"]:
        yield row.impossible("confident_points", f"at most {record['thresholds']}")
    for name in ("", "equivalent_"):
        ends = f"{name}threshold_low", f"{name}threshold_high"
        if all(map(row.has_number, ends)):
            yield from row.disordered(*ends)


def _drift_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    """Yield what contradicts the table of the tests for drift, and the same scores that are not said to be the same."""
    found = {each.get("statistic"): each for each in _rows(report, "drift") if each.get("model") == row.record["model"]}
    if "D_joint" not in found or "within_class_ks" not in found:
        return
    joint, within = found["D_joint"], found["within_class_ks"]
    expected = {"drift_p": joint.get("p"), "drift_statistic": joint.get("value"), "drift_within_p": within.get("p")}
    yield from row.differing(expected)
    references = [each for each in report.record.get("inputs", []) if each["role"] == "reference"]
    is_same_size = not references or any(each["n"] == row.record["n"] for each in references)
    if joint.get("value") == 0 and is_same_size and "same-scores" not in {caveat.code for caveat in report.caveats}:
        yield message("report-lacks-caveat", where=row.where, code="same-scores")


def _stream_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    yield from stream_faults(report, kind, _auc_faults)


def _slice_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    yield from slice_faults(report, kind, (_model_faults, _point_faults, pair_faults))


def _table_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield what the tables repeat differently, values without and reasons with a value, and inputs of other cases."""
    models = list(report.models.values())
    if "summary" in report.record:
        expected = models[0] if len(models) == 1 else None
        summary = report.record["summary"]
        if expected is None or not isinstance(summary, dict):
            if summary is not expected:
                yield message("report-contradiction", where="report", key="summary", found="?", expected="models")
        else:
            yield from Row("summary", summary).differing(expected)
    if report.command in ("compare", COMPARE_AUC):
        rows = report.record.get("rows", [])
        if [row.get("model") for row in rows] != list(report.models):
            yield message("report-contradiction", where="report", key="rows", found="rows", expected="those of models")
        for at, row in enumerate(rows):
            if row.get("model") in report.models:
                of_model = report.models[row["model"]]
                yield from Row(f"rows[{at}]", row).differing({key: of_model.get(key) for key in row})
    yield from _null_faults(report)
    yield from _input_faults(report)


def _null_faults(report: SavedReport) -> Iterator[Message]:
    """Yield each null without a reason, and each reason for what is not null."""
    reasons = {(each["table"], each.get("row"), each["key"]) for each in report.record.get("undefined", [])}
    for name in HAVE_REASONS:
        for at, record in enumerate(_rows(report, name)):
            for key, value in record.items():
                is_null = value is None or (isinstance(value, list) and None in value)
                has_reason = (name, at, key) in reasons or (name, None, key) in reasons
                if is_null != has_reason:
                    code = "report-null" if is_null else "report-reason"
                    yield message(code, where=f"{name}[{at}]", key=key)


def _input_faults(report: SavedReport) -> Iterator[Message]:
    """Yield inputs whose totals are not those of a model; the cases of several inputs can be added up."""
    sizes = [(model["n"], model["positives"], model["negatives"]) for model in report.models.values()]
    inputs = [Row(f"inputs[{at}]", record) for at, record in enumerate(report.record.get("inputs", []))]
    if report.command == ONE_VS_REST:  # each class has other positives, and every case is one
        for row in inputs:
            yield from row.differing({"n": sizes[0][0], "positives": sizes[0][0], "negatives": 0})
        return
    for row in inputs:
        if row.record["n"] != row.record["positives"] + row.record["negatives"]:
            yield row.fault("n", row.record["positives"] + row.record["negatives"])
    if report.baseline is not None and report.baseline not in report.models:
        yield from _reported_faults(report)
    judged = [row for row in inputs if row.record["role"] in JUDGED and "schema" not in row.record]
    yield from _choice_faults(inputs, judged)
    totals = [tuple(row.record[key] for key in ("n", "positives", "negatives")) for row in judged]
    if not judged or (set(sizes) == set(totals)):
        return
    if len(set(sizes)) == 1 and tuple(map(sum, zip(*totals, strict=True))) == sizes[0]:
        return
    for row, total in zip(judged, totals, strict=True):
        if total not in sizes:
            yield row.fault("n", sizes[0][0])
            return
    yield message("report-contradiction", where="report", key="inputs", found=str(totals), expected=str(sizes))


def _reported_faults(report: SavedReport) -> Iterator[Message]:
    """Yield what the input of a baseline that is in no table, but in a report, must be: there, with cases of both classes."""
    found = report.baseline_report
    if found is None:
        yield message("saved-model-unknown", where="options", model=str(report.baseline))
    elif not (found["positives"] and found["negatives"]):
        yield Row("inputs", found).impossible("n", "of cases of both classes")


def _choice_faults(inputs: Sequence[Row], judged: Sequence[Row]) -> Iterator[Message]:
    """Yield files on which thresholds were chosen although they are those that are judged, or have no digest beside one."""
    digests = {row.record.get("sha256") for row in judged} - {None}
    seen = [each for row in judged for each in _counted_in(row)]
    for row in inputs:
        if row.record["role"] != BESIDE:
            continue
        is_judged = any(
            own.get("sha256") == other.get("sha256") is not None and not _exclude_each_other(own, other)
            for own in _counted_in(row)
            for other in seen
        )
        if is_judged or (digests and row.record.get("sha256") in digests | {None}):
            yield row.impossible("sha256", "that of other cases than those judged")


def _exclude_each_other(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    try:
        return are_exclusive(one.get("where", ()), other.get("where", ()))
    except RocconfError:  # not a condition
        return False


def _counted_in(row: Row) -> Sequence[Mapping[str, Any]]:
    """Return the files that a counts file says it has counted, or the file itself."""
    return row.record.get("counted") or (row.record,)


def _point_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield operating points whose numbers do not follow from their counts, or that were not asked for, or twice."""
    options, seen = report.options, set()
    for model in report.models if "at" in options else ():
        if [point.rule for point in report.points if point.model == model] != options["at"]:
            yield message("report-points", model=model)
    rates = Rates(
        intervals=options.get("intervals") is True,
        prevalence=options.get("prevalence"),
        level=report.level or 0.95,
        costs=parse_costs(options.get("cost")),
    )
    elsewhere = any(each["role"] == BESIDE for each in report.record.get("inputs", []))
    for at, (record, point) in enumerate(zip(_rows(report, "operating_points"), report.points, strict=True)):
        row, totals = Row(f"operating_points[{at}]", record), report.models[point.model]
        values = _of_clusters(rates, report, point).record(point.tp, point.fp, totals["positives"], totals["negatives"])
        expected = {key: None if value != value else value for key, value in values.items()}  # noqa: PLR0124  # NaN
        yield from row.differing({key: value for key, value in expected.items() if key in record or key in COUNTED})
        yield from _honest_faults(row, totals, level=rates.level)
        yield from _net_benefit_faults(row, totals, point, report)
        try:
            rule = parse_point_rule(point.rule)
        except RocconfError as error:
            yield message("field-invalid", where=row.where, fault=error.message)
            continue
        if report.record.get("inputs"):
            yield from row.differing({"in_sample": rule.chooses and not elsewhere})
        if not rule.chooses:
            yield from row.differing({"threshold": float(rule.numbers[0])})
        is_own = report.part is None  # the threshold of a slice is that of the whole
        if is_own and "least_cost" in totals and record["in_sample"] and rule.meaning == _cheapest(options):
            yield from row.differing({"cost": totals["least_cost"], "threshold": totals.get("least_cost_threshold")})
        if point.in_sample and is_own:
            yield from promise_faults(row, rule, tp=point.tp, fp=point.fp, totals=totals)
        if (point.model, rule.meaning) in seen:
            yield message("report-twice", where=row.where, what=f"{point.rule} of {point.model}")
        seen.add((point.model, rule.meaning))
    yield from _order_faults(report)


def _of_clusters(rates: Rates, report: SavedReport, point: SavedPoint) -> Rates:
    """Return the rates at a point, with its effective sizes if cases are clustered."""
    if report.options.get("cluster") is None:
        return rates
    return replace(rates, sizes=SizesOfPoint(sizes_of_point(report, point)))


def _given_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    """Yield points given by their rates whose numbers do not follow from the class totals, or that were not asked for."""
    rows = _rows(report, "points")
    if not kind.given_metrics:
        return
    try:
        points = parse_given_points(report.options.get("points", []))
    except RocconfError as error:
        yield message("field-invalid", where="options", fault=error.message)
        return
    expected = [
        GivenPoint(point, record["positives"], record["negatives"]).record(model)
        for model, record in report.models.items()
        for point in points
    ]
    if len(rows) != len(expected):
        yield message(
            "report-contradiction", where="tables", key="points", found=str(len(rows)), expected=str(len(expected))
        )
    for at, (row, record) in enumerate(zip(rows, expected, strict=False)):
        yield from Row(f"points[{at}]", row).differing(record)


def _net_benefit_faults(
    row: Row, totals: Mapping[str, Any], point: SavedPoint, report: SavedReport
) -> Iterator[Message]:
    """Yield a net benefit that does not follow from the counts and the threshold of the point."""
    if NET_BENEFIT.name in row.record:
        expected = net_benefit_record(
            totals["positives"],
            totals["negatives"],
            point,
            is_of_probabilities=totals.get("brier") is not None,
            lower_is_positive=report.options.get("lower_is_positive") is True,
            level=report.level or 0.95,
        )
        yield from row.differing(expected)


def _cheapest(options: Mapping[str, Any]) -> Any:
    """Return the meaning of the rule that chooses the cheapest threshold."""
    costs = parse_costs(options.get("cost"))
    return costs and cost_rule(costs).meaning


def _honest_faults(row: Row, totals: Mapping[str, Any], *, level: float) -> Iterator[Message]:
    """Yield honest rates outside [0, 1], and intervals that do not follow from honest rates."""
    named = [name for name in HONEST if row.record.get(f"{name}_honest") is not None]
    faults = [fault for name in named for fault in row.out_of_range(f"{name}_honest", RATES[name])]
    flagged = row.record["tp"] + row.record["fp"]
    if faults or not 0 < flagged < totals["n"]:
        yield from faults
        return
    p, q = totals["positives"], totals["negatives"]
    yield from row.differing(expected_limits(row.record, p=p, q=q, level=level))


def _order_faults(report: SavedReport) -> Iterator[Message]:
    """Yield operating points of a stricter threshold that flag more cases."""
    turned = -1 if report.options.get("lower_is_positive") else 1
    for model in report.models:
        points = [point for point in report.points if point.model == model and point.threshold is not None]
        points.sort(key=lambda point: (turned * (point.threshold or 0.0), -point.tp - point.fp))
        for looser, stricter in pairwise(points):
            if stricter.tp > looser.tp or stricter.fp > looser.fp:
                yield message("report-point-order", model=model, stricter=stricter.rule, looser=looser.rule)


def _rows(report: SavedReport, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = report.record["tables"].get(name, [])
    return rows
