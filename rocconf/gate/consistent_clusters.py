"""Whether a saved report of clustered cases is consistent: its clusters, and the effective sizes that rates rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.clustered import SIZES, SizeOfRate, measured
from rocconf.compute.roc.metrics import AT_A_POINT, DIFF
from rocconf.compute.stats.clusters import EffectiveSize
from rocconf.compute.stats.confusion import Confusion
from rocconf.dataclass import dataclass
from rocconf.gate.consistent_row import RELATIVE, Row, is_count, is_number
from rocconf.messages import message
from rocconf.records import DEFAULT_LEVEL, ROBUST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.answer import Result
    from rocconf.compute.roc.metrics import Rate
    from rocconf.messages import Message
    from rocconf.records import Floats, IntervalKind
    from rocconf.saved import SavedPoint, SavedReport

CLUSTERS = ("clusters", "positive_clusters", "negative_clusters")
EQUAL = tuple(f"equal_{key}" for key in CLUSTERS)
CASES = ("n", "positives", "negatives")
HONOURING = ("sweep", "tango", "compare")
"""The commands that honour clusters."""
SIZE_KEYS = ("clusters", "equal_clusters", "effective_n", "effective_df")
REFUSED = ("cost", "calibration", "band", "bootstrap", "concavities", "by")
"""The options whose intervals and tests take cases as independent."""
JUDGED = ("data", "baseline")
OF_CLASS = {"tpr": "positive_clusters", "fpr": "negative_clusters", "specificity": "negative_clusters"}
OF_ALL = ("accuracy", "predicted_positive_rate", DIFF.name)


@dataclass(frozen=True, slots=True)
class SizesOfPoint:
    """The effective sizes of one operating point, as the columns of rates take them."""

    sizes: Mapping[str, EffectiveSize]

    def of_share(self, rate: Rate, matrix: Confusion) -> tuple[Floats, Floats]:
        """Return the hits and the cases of a share as so many independent cases would have them."""
        if rate.share is None:
            raise TypeError(f"{rate.name} is not a share")
        hits, n = (np.broadcast_to(each, matrix.tp.shape).astype(np.float64) for each in rate.share(matrix))
        size = np.full(matrix.tp.shape, self.sizes[rate.name].effective_n)
        with np.errstate(invalid="ignore"):
            return np.where(n > 0, hits / n * size, 0.0), np.where(n > 0, size, 0.0)


def cluster_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield clusters that there cannot be, and effective sizes that none give."""
    options, column = Row("options", report.options), report.options.get("cluster")
    if column is not None:
        if report.command not in HONOURING or not isinstance(column, str):
            yield options.fault("cluster", None)
            return
        for key in REFUSED:
            if report.options.get(key):
                yield options.fault(key, None)
        if report.options.get("test", "tango") != "tango":
            yield options.fault("test", "tango")
        if report.options.get("paired", True) is not True:
            yield options.fault("paired", expected=True)
    yield from _faults_of_models(report, is_clustered=column is not None)
    yield from _faults_of_inputs(report, column)


def size_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield effective sizes that are missing, or that no clusters give."""
    rows = [Row(f"{SIZES}[{at}]", each) for at, each in enumerate(report.record["tables"].get(SIZES, []))]
    if report.options.get("cluster") is None:
        if rows:
            yield message("report-contradiction", where="tables", key=SIZES, found="rows", expected="none")
        return
    kind_of_run: IntervalKind = report.options.get("interval", ROBUST)
    expected = [(point.model, point.rule, metric) for point in report.points for metric in measured(kind_of_run)]
    found = [(row.record.get("model"), row.record.get("rule"), row.record.get("metric")) for row in rows]
    if found != expected:
        yield message(
            "report-contradiction",
            where="tables",
            key=SIZES,
            found=f"{len(rows)} rows",
            expected="each rate at each point",
        )
        return
    points = {(point.model, point.rule): point for point in report.points}
    for row, (model, rule, metric) in zip(rows, expected, strict=True):
        faults = list(_faults_of_size(row, points[model, rule], metric, report.models[model]))
        yield from faults or _faults_of_limits(row, points[model, rule], report)


def _faults_of_models(report: SavedReport, *, is_clustered: bool) -> Iterator[Message]:
    for at, record in enumerate(report.models.values()):
        row = Row(f"models[{at}]", record)
        if not is_clustered:
            yield from (row.fault(key, None) for key in (*CLUSTERS, *EQUAL) if key in record)
            continue
        counts = [record.get(key) for key in CLUSTERS]
        wrong = [key for key, count in zip(CLUSTERS, counts, strict=True) if not is_count(count) or not count]
        if wrong:
            yield row.impossible(wrong[0], "a count above 0")
            continue
        clusters, positive, negative = (int(count) for count in counts if count is not None)
        if not 2 <= clusters <= record["n"] or clusters > positive + negative:
            yield row.impossible("clusters", f"in [2, {min(record['n'], positive + negative)}]")
        for key, count, cases in (
            ("positive_clusters", positive, record["positives"]),
            ("negative_clusters", negative, record["negatives"]),
        ):
            if count > min(clusters, cases):
                yield row.impossible(key, f"at most {min(clusters, cases)}")
        for key, count, cases in zip(CLUSTERS, (clusters, positive, negative), CASES, strict=True):
            equal: Any = record.get(f"equal_{key}")
            if not (is_number(equal) and 1 - RELATIVE <= equal <= count * (1 + RELATIVE)):
                yield row.impossible(f"equal_{key}", f"in [1, {count}]")
            elif count == record[cases]:
                yield from row.differing({f"equal_{key}": float(count)})


def _faults_of_inputs(report: SavedReport, column: Any) -> Iterator[Message]:
    sizes = {(model["n"], model.get("clusters")) for model in report.models.values()}
    for at, record in enumerate(report.record.get("inputs", [])):
        row = Row(f"inputs[{at}]", record)
        if column is None or record.get("role") not in JUDGED:
            yield from (row.fault(key, None) for key in ("cluster", "clusters") if key in record)
            continue
        yield from row.differing({"cluster": column})
        if (record.get("n"), record.get("clusters")) not in sizes:
            yield row.fault("clusters", next(iter(sizes))[1])


def _faults_of_size(row: Row, point: SavedPoint, metric: str, model: Mapping[str, Any]) -> Iterator[Message]:
    """Yield an effective size that contradicts the counts of its point and the clusters."""
    record, most = row.record, model["clusters"]
    missing = [key for key in SIZE_KEYS if key not in record]
    if missing:
        yield message("field-missing", where=row.where, key=missing[0])
        return
    hits, trials = _share(point, metric, model)
    if not is_count(record["clusters"]) or record["clusters"] > min(most, trials):
        yield row.impossible("clusters", f"a count up to {min(most, trials)}")
        return
    exact = {**OF_CLASS, **dict.fromkeys(OF_ALL, "clusters")}
    if metric in exact:
        yield from row.differing({"clusters": model[exact[metric]], "equal_clusters": model[f"equal_{exact[metric]}"]})
    if not trials:
        yield from row.differing({"clusters": 0, "equal_clusters": 0.0, "effective_n": 0.0, "effective_df": None})
        return
    clusters, equal, size, df = (record[key] for key in SIZE_KEYS)
    slack = 1 + RELATIVE
    if not (is_number(equal) and equal * slack >= 1 and equal <= clusters * slack):
        yield row.impossible("equal_clusters", f"in [1, {clusters}]")
        return
    if df is None:
        yield from row.differing({"effective_n": float(clusters)})
        return
    if not (is_number(df) and df * slack >= 1 and df <= clusters * slack):
        yield row.impossible("effective_df", f"in [1, {clusters}]")
    if metric != DIFF.name and hits in (0, trials):
        yield from row.differing({"effective_df": None})
        return
    p = hits / trials
    least = p * (1 - p) * equal if metric != DIFF.name else 0.0
    if not (is_number(size) and size > 0 and size * slack >= least):
        yield row.impossible("effective_n", f"at least {least:g}")


def _faults_of_limits(row: Row, point: SavedPoint, report: SavedReport) -> Iterator[Message]:
    """Yield a value that is not that of the counts, and limits that do not follow from the effective size."""
    record, model = row.record, report.models[point.model]
    size = EffectiveSize(*(record[key] for key in SIZE_KEYS))
    of = SizeOfRate(record["metric"], size, report.level or DEFAULT_LEVEL, report.options.get("interval", ROBUST))
    matrix = Confusion(np.array([point.tp]), np.array([point.fp]), model["positives"], model["negatives"])
    again = of.record(matrix)
    yield from row.differing(
        {key: None if again[key] != again[key] else again[key] for key in ("value", "lower", "upper")}
    )


def _share(point: SavedPoint, metric: str, model: Mapping[str, Any]) -> tuple[int, int]:
    """Return the hits and the cases of a rate; of the error difference no hits."""
    matrix = Confusion(np.array([point.tp]), np.array([point.fp]), model["positives"], model["negatives"])
    share = AT_A_POINT[metric].share
    if share is None:
        return 0, matrix.n
    hits, trials = share(matrix)
    return int(hits[0]), int(np.asarray(trials).flat[0])
