"""Whether the numbers of several classes in a saved report follow from the areas of the pairs of classes."""

from __future__ import annotations

from math import fsum, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.classes import AVERAGES, averages_of, averages_summary, class_weights, pair_weights
from rocconf.compute.stats.auc_difference import SQUARE_AND_ADD
from rocconf.compute.stats.class_averages import average_interval, pseudo_variance_of_classes
from rocconf.compute.stats.difference import ITSELF
from rocconf.compute.stats.normal import normal_quantile
from rocconf.gate.consistent_row import ABSOLUTE, RELATIVE, Row, is_multiple, is_number
from rocconf.gate.saved_model import class_sizes
from rocconf.messages import message
from rocconf.naming import ONE_VS_REST
from rocconf.records import DELONG, ROBUST
from rocconf.saved import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.records import Floats
    from rocconf.saved import SavedReport

OF_AUC = {"value": "auc", "lower": "auc_lower", "upper": "auc_upper", "se": "auc_se", "df": "auc_df"}
"""The keys of a row, each with its key in the summary of a class."""


def class_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield contradictions among the numbers of several classes."""
    if report.command != ONE_VS_REST:
        return
    faults = [*_layout_faults(report)]
    yield from faults
    for at, model in () if faults else enumerate(report.averages):
        yield from _area_faults(report, model)
        yield from _average_faults(report, model, at)


def _layout_faults(report: SavedReport) -> Iterator[Message]:
    """Yield tables that do not have a row for each class, pair and average, in order."""
    row, classes = Row("options", report.options), report.options.get("classes")
    names = list(classes) if isinstance(classes, list) else []
    if len(names) < 2 or len(set(names)) < len(names):
        yield row.impossible("classes", "a list of classes")
        return
    wanted = [(model, name) for model in report.averages for name in names]
    found = [(each[SCORES], each["class"]) for each in report.models.values()]
    pairs = [(model, a, b) for model in report.averages for at, a in enumerate(names) for b in names[at + 1 :]]
    listed = [tuple(each.get(key) for key in ("model", "class", "other")) for each in _class_pairs(report)]
    if found != wanted or listed != pairs:
        table = "models" if found != wanted else "class_pairs"
        yield message("report-contradiction", where="report", key=table, found=table, expected="one for each class")
        return
    rows = report.record["rows"]
    metrics = [(unit, "auc") for unit in report.models] + [(m, name) for m in report.averages for name in AVERAGES]
    if [(each["model"], each["metric"]) for each in rows] != metrics:
        yield message("report-contradiction", where="report", key="rows", found="rows", expected="one for each unit")
        return
    if (report.baseline is None) != (len(report.averages) == 1) or report.baseline not in (None, *report.averages):
        yield row.fault("baseline", None if len(report.averages) == 1 else next(iter(report.averages)))
    for at, (each, unit) in enumerate(zip(rows, report.models.values(), strict=False)):
        same = {key: unit[name] for key, name in OF_AUC.items()}
        same |= {key: unit[key] for key in (SCORES, "class", "n", "positives", "level", "interval")}
        yield from Row(f"rows[{at}]", each).differing(same)
    compared = [(pair.model, pair.metric) for pair in report.pairs]
    of_models = [model for model in report.averages if model != report.baseline] if report.baseline else []
    expected = [
        each
        for model in of_models
        for each in (
            *((unit, "auc") for unit, record in report.models.items() if record[SCORES] == model),
            *((model, name) for name in AVERAGES),
        )
    ]
    if compared != expected:
        yield message("report-contradiction", where="report", key="pairs", found="pairs", expected="one for each unit")


def _class_pairs(report: SavedReport) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = report.record["tables"].get("class_pairs", [])
    return rows


def _areas(report: SavedReport, model: str, sizes: list[int]) -> Floats:
    """Return the areas of the pairs of classes, NaN where there is none."""
    areas = np.full((len(sizes), len(sizes)), nan)
    pairs = [(own, other) for own in range(len(sizes)) for other in range(own + 1, len(sizes))]
    own_rows = [each for each in _class_pairs(report) if each["model"] == model]
    for (own, other), row in zip(pairs, own_rows, strict=True):
        for cell, key in (((own, other), "auc_of_class"), ((other, own), "auc_of_other")):
            areas[cell] = row[key] if is_number(row.get(key)) else nan
    return areas


def _area_faults(report: SavedReport, model: str) -> Iterator[Message]:
    """Yield areas that no cases of two classes give, and AUCs that are not the weighted mean of a class's areas."""
    sizes = class_sizes(report, model)
    n = sum(sizes)
    units = [each for each in report.models.values() if each[SCORES] == model]
    for place, (unit, size) in enumerate(zip(units, sizes, strict=True)):
        yield from Row(f"class {place + 1} of {model}", unit).differing({"n": n})
        if (unit["auc"] is None) != (size == 0):
            yield Row(f"class {place + 1} of {model}", unit).impossible("auc", "null for a class without cases only")
            return
    names = report.options["classes"]
    for at, each in enumerate(_class_pairs(report)):
        if each["model"] != model:
            continue
        row = Row(f"class_pairs[{at}]", each)
        both = sizes[names.index(each["class"])] * sizes[names.index(each["other"])]
        keys = ("auc_of_class", "auc_of_other")
        for key in keys:
            if not both:
                yield from row.differing({key: None})
            elif not row.has_number(key) or not 0 <= each[key] <= 1 or not is_multiple(each[key], 1 / (2 * both)):
                yield row.impossible(key, f"a whole number of the {2 * both} halves of pairs")
                return
        yield from row.differing({"auc": (each[keys[0]] + each[keys[1]]) / 2 if both else None})
    areas = _areas(report, model, sizes)
    for place, unit in enumerate(units):
        if sizes[place]:
            parts = [areas[place, other] * size for other, size in enumerate(sizes) if size and other != place]
            yield from Row(f"{unit['class']} of {model}", unit).differing({"auc": fsum(parts) / (n - sizes[place])})


def _average_faults(report: SavedReport, model: str, at: int) -> Iterator[Message]:
    """Yield averages that do not follow from the areas, and intervals that do not follow from the standard errors."""
    sizes = class_sizes(report, model)
    values = averages_of(_areas(report, model, sizes), sizes)
    summary = averages_summary(report.averages[model], sizes)
    first = len(report.models) + at * len(AVERAGES)
    for place, (name, value) in enumerate(values.items()):
        record = report.averages[model][place]
        row = Row(f"rows[{first + place}]", record)
        fixed = {SCORES: model, "class": None, "n": sum(sizes), "positives": min(sizes), "value": value}
        fixed |= {"level": report.level, "interval": report.options.get("interval")}
        faults = list(row.differing(fixed))
        if value is None:
            faults += row.differing(dict.fromkeys(("lower", "upper", "se", "df")))
        elif not faults:
            faults += _spread_faults(row, value, sizes)
        yield from faults
        if not faults and value is not None:
            limits = average_interval(
                value,
                record["se"],
                record["df"],
                summary[f"{name}_fewest"],
                level=record["level"],
                kind=record["interval"],
            )
            yield from row.differing({"lower": limits.ends[0], "upper": limits.ends[1]})


def _spread_faults(row: Row, value: float, sizes: list[int]) -> Iterator[Message]:
    """Yield a standard error or degrees of freedom that no cases of these classes give."""
    record, least = row.record, min(sizes) - 1
    if not least:
        yield from row.differing({"se": None, "df": None})
        return
    most = sum(sizes) - len(sizes)
    if not row.has_number("df") or not least * (1 - RELATIVE) <= record["df"] <= most * (1 + RELATIVE):
        yield row.impossible("df", f"in [{least}, {most}]")
    if record["se"] is None:
        if 0 < value < 1:
            yield from row.differing({"df": least})
        return
    # what the cases of a class add to an average is at most the average, and what they lack at most 1 less it
    highest = sqrt(value * (1 - value) * fsum(1 / (size - 1) for size in sizes)) * (1 + RELATIVE)
    if not (row.has_number("se") and 0 < record["se"] <= highest and 0 < value < 1):
        yield row.impossible("se", f"in (0, {highest:g}]")


def average_pair_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    """Yield contradictions in the difference of two averages."""
    record, kind = row.record, report.options.get("interval")
    if not {record["model"], record["baseline"]} <= report.averages.keys():  # a fault of its own
        return
    values = {each["metric"]: each["value"] for each in report.averages[record["model"]]}
    baseline = {each["metric"]: each["value"] for each in report.averages[record["baseline"]]}
    first, second = values[record["metric"]], baseline[record["metric"]]
    if first is None or second is None:
        yield from row.differing(dict.fromkeys(("difference", "difference_lower", "difference_upper", "p", "test")))
        return
    yield from row.differing({"difference": first - second, "interval": kind})
    faults = list(row.disordered("difference_lower", "difference_upper", "difference"))
    yield from faults
    if not faults and record["test"] != ITSELF:
        yield from _robust_faults(row, report) if kind == ROBUST else _classical_faults(row, report)


def _robust_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    """Yield what contradicts the robust interval: its pseudo-cases give it a least width, and p agrees with it."""
    record, sizes = row.record, class_sizes(report, row.record["model"])
    difference, lower, upper = (record[key] for key in ("difference", "difference_lower", "difference_upper"))
    yield from row.differing({"test": ROBUST})
    if min(sizes) < 2 and not difference == lower == upper == 0:
        yield from row.differing({"difference_lower": -1.0, "difference_upper": 1.0, "p": 1.0})
        return
    if None in (lower, upper, record["p"]):
        yield row.impossible("difference_lower", "a number")
        return
    weights = class_weights(pair_weights(sizes)[record["metric"]])
    reach = normal_quantile(report.level or 0.0) * sqrt(pseudo_variance_of_classes(sizes, weights)) - ABSOLUTE
    is_wide = lower <= max(difference - reach, -1) and upper >= min(difference + reach, 1)
    if not (is_wide or difference == lower == upper == 0):
        yield row.impossible("difference_lower", f"at least {reach:g} from the difference")
    yield from _p_faults(row, report)


def _classical_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    record = row.record
    if record["test"] == SQUARE_AND_ADD:
        yield from row.differing({"p": None})
        return
    yield from row.differing({"test": DELONG})
    if None in (record["difference_lower"], record["difference_upper"], record["p"]):
        yield row.impossible("difference_lower", "a number")
        return
    yield from _p_faults(row, report)


def _p_faults(row: Row, report: SavedReport) -> Iterator[Message]:
    lower, upper = row.record["difference_lower"], row.record["difference_upper"]
    if (row.record["p"] < 1 - (report.level or 0.0) - ABSOLUTE) != (lower > 0 or upper < 0):
        yield row.fault("p", "one that agrees with the interval")
