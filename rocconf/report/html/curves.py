"""The curve of each model for the page: few of its thresholds, with the exact counts at each.

The corners of the convex hull are always among them, so that the cheapest threshold at any costs is, too.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.answer import json_rows
from rocconf.compute.roc.clustered import row_sizes
from rocconf.compute.roc.curve import curve, row_at, rows_at
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.roc.observed import probabilities
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.roc.rates import THRESHOLD, CurveRows, Rates
from rocconf.compute.roc.summary import MODEL
from rocconf.dataclass import dataclass
from rocconf.table import Block, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.answer import Answer, Result
    from rocconf.records import Floats, ScoreCounts

    Rows = NDArray[np.intp]

MOST_ALTOGETHER = 3000
"""The thresholds of all models together, besides corners and operating points."""
FEWEST, MOST = 100, 1000
"""The thresholds of one model."""
LEAST_SHARE = 1e-6
"""Where few cases are flagged thresholds lie close: their numbers of cases grow by equal factors from this share on."""
SMALL_STEPS = 60
BINS = 40
FARTHEST = 1e150
"""The largest absolute score whose histogram is drawn."""
MOST_MODELS = 20
"""The models whose curves are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """The numbers of cases of each class in equal ranges of scores."""

    low: float
    high: float
    positives: list[int]
    negatives: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCurve:
    """Some thresholds of a model, and what is marked on its curve."""

    counts: ScoreCounts
    table: Table
    """All thresholds, with the interval of each rate."""
    rows: Rows
    """The thresholds that the page has."""
    hull: Rows
    points: tuple[dict[str, Any], ...]
    """The operating points, as rows of the table."""
    segment: tuple[float, float] | None
    """The thresholds between which misses and false alarms do not differ beyond chance."""
    bins: Bins | None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.counts.model

    @property
    def roc(self) -> list[tuple[float, float]]:
        """The points of the ROC curve."""
        fpr, tpr = self.counts.fp[self.rows] / self.counts.q, self.counts.tp[self.rows] / self.counts.p
        return list(zip(fpr.tolist(), tpr.tolist(), strict=True))

    @property
    def pr(self) -> list[tuple[float, float]]:
        """The points of the precision-recall curve, from the first threshold that flags a case."""
        rows = self.rows[self.rows > 0]
        tp, fp = self.counts.tp[rows], self.counts.fp[rows]
        return list(zip((tp / self.counts.p).tolist(), (tp / (tp + fp)).tolist(), strict=True))

    def bold(self) -> list[tuple[float, float]]:
        """Return the part of the ROC curve in the confident segment."""
        if self.segment is None:
            return []
        first, last = self.segment_rows
        kept = (self.rows >= first) & (self.rows <= last)
        return [point for point, is_kept in zip(self.roc, kept.tolist(), strict=True) if is_kept]

    @property
    def segment_rows(self) -> tuple[int, int]:
        """The first and the last row of the segment."""
        found = sorted(rows_at(self.counts, np.array(self.segment)).tolist())
        return found[0], found[-1]

    def record(self) -> dict[str, Any]:
        """Return the curve as the script reads it."""
        at = {row: place for place, row in enumerate(self.rows.tolist())}
        counts, rows = self.counts, self.rows
        (block,) = self.table.blocks
        limits = {
            f"{name}_{end}": _short(block.values(f"{name}_{end}", rows))
            for name in (*RATES,) * (counts.clusters is not None)
            if RATES[name].hits
            for end in ("lower", "upper")
        }
        scores = probabilities(counts)
        return {
            "model": counts.model,
            "p": counts.p,
            "q": counts.q,
            "low": counts.lower_is_positive,
            "probabilities": scores is not None,
            "all": len(counts),
            "thresholds": [row["threshold"] for row in _records(self.table, rows, ("threshold",))],
            "tp": counts.tp[rows].tolist(),
            "fp": counts.fp[rows].tolist(),
            "hull": [at[row] for row in self.hull.tolist()],
            "points": [
                {
                    "rule": point["rule"],
                    "threshold": _spelled(point["threshold"]),
                    "row": at[point["row"]],
                    "chosen": bool(point["in_sample"]),
                }
                for point in self.points
            ],
            "segment": None if self.segment is None else [at[row] for row in self.segment_rows],
            "bins": self.bins
            and {
                "low": self.bins.low,
                "high": self.bins.high,
                "positives": self.bins.positives,
                "negatives": self.bins.negatives,
            },
            "limits": limits or None,
        }


def drawn_curves(answer: Answer, *, most: int = MOST_ALTOGETHER) -> list[DrawnCurve]:
    """Return the curves of an answer, none where it has no curve or too many."""
    found = [(counts, result) for result in answer.results for counts in _counts(result)]
    found = [(counts, result) for counts, result in found if counts.p and counts.q][:MOST_MODELS]
    each = min(max(most // max(len(found), 1), FEWEST), MOST)
    return [_drawn(counts, result, most=each) for counts, result in found]


def script_record(answer: Answer, curves: Sequence[DrawnCurve]) -> dict[str, Any]:
    """Return what the script reads."""
    options = answer.results[0].options
    costs = parse_costs(options.get("cost"))
    level = level_of(answer)
    return {
        "command": answer.command,
        "level": level,
        "z": NormalDist().inv_cdf((1 + level) / 2),
        "prevalence": options.get("prevalence"),
        "cost": None if costs is None else [float(each) for each in costs.numbers],
        "baseline": options.get("baseline"),
        "models": [curve.record() for curve in curves],
    }


def level_of(answer: Answer) -> float:
    """Return the level of the intervals."""
    return float(answer.results[0].options.get("level") or 0.95)


def _counts(result: Result) -> tuple[ScoreCounts, ...]:
    """Return the counts of a result, none where it has no scores or no labels."""
    try:
        return result.model_counts
    except AttributeError:  # a plan and a verdict on reports have no cases
        return ()


def _drawn(counts: ScoreCounts, result: Result, *, most: int) -> DrawnCurve:
    options, whole = result.options, curve(counts)
    prevalence = options.get("prevalence") if result.command == "sweep" else None
    rates = Rates(
        intervals=True, level=float(options.get("level") or 0.95), prevalence=prevalence, sizes=row_sizes(counts)
    )
    block = Block(len(whole), CurveRows(counts.model, whole, rates.values).values)
    hull = hull_rows(whole)
    points = tuple(_points(counts, result, rates))
    segment = _segment(counts, result)
    ends = [] if segment is None else rows_at(counts, np.array(segment)).tolist()
    kept = [hull, np.array([point["row"] for point in points] + ends, dtype=np.intp), _chosen(counts, most)]
    return DrawnCurve(
        counts=counts,
        table=Table("rows", (MODEL, THRESHOLD, *rates.columns), (block,)),
        rows=np.unique(np.concatenate(kept)),
        hull=hull,
        points=points,
        segment=segment,
        bins=_bins(counts),
    )


def _chosen(counts: ScoreCounts, most: int) -> Rows:
    """Return rows evenly along the curve, and close where few cases are flagged."""
    length = len(counts.thresholds)
    if length <= most:
        return np.arange(length)
    along = counts.tp / counts.p + counts.fp / counts.q
    first = np.searchsorted(along, np.linspace(0, 2, (most - SMALL_STEPS) // 2))
    flagged = np.geomspace(max(LEAST_SHARE, 1 / counts.n), 1, SMALL_STEPS) * counts.n
    close = np.searchsorted(counts.tp + counts.fp, flagged)
    found: Rows = np.unique(np.concatenate([first, first[1:] - 1, close, [0, 1, length - 1]]).clip(0, length - 1))
    return found


def _points(counts: ScoreCounts, result: Result, rates: Rates) -> list[dict[str, Any]]:
    """Return the operating points of a model as rows of its table, with the row that flags the same cases."""
    if "operating_points" not in result.table_names:
        return []
    found = [point for point in result.table("operating_points").records() if point["model"] == counts.model]
    points = []
    for point in found:
        row = row_at(counts, point["threshold"])
        own = rates.record(point["tp"], point["fp"], counts.p, counts.q)
        points.append({**{key: point[key] for key in ("model", "threshold", "rule", "in_sample")}, **own, "row": row})
    return points


def _segment(counts: ScoreCounts, result: Result) -> tuple[float, float] | None:
    """Return the ends of the confident segment, if the analysis has one and it is not empty."""
    models = result.table("models")
    if not {"threshold_low", "threshold_high", "confident_points"} <= set(models.names):
        return None
    own = [row for row in models.records() if row["model"] == counts.model and row["confident_points"]]
    nothing = float(counts.thresholds[0])
    ends = [nothing if row[key] is None else row[key] for row in own for key in ("threshold_low", "threshold_high")]
    return (ends[0], ends[1]) if ends else None


def _bins(counts: ScoreCounts) -> Bins | None:
    """Return the histograms of both classes, None if the scores have no scale."""
    finite = np.isfinite(counts.scores)
    scores = counts.scores[finite]
    if not len(scores) or np.abs(scores).max() > FARTHEST:
        return None
    low, high = float(scores.min()), float(scores.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    if not low < high:
        low, high = low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2

    def cases(of_class: NDArray[np.int64]) -> list[int]:
        found, _ = np.histogram(scores, bins=BINS, range=(low, high), weights=of_class[finite].astype(np.float64))
        return [round(each) for each in found.tolist()]

    return Bins(low, high, cases(counts.positives), cases(counts.negatives))


def _records(table: Table, rows: Rows, keys: Sequence[str]) -> list[Mapping[str, Any]]:
    (block,) = table.blocks
    return list(json_rows({key: block.values(key, rows) for key in keys}))


def _short(values: Floats) -> list[float | None]:
    """Return numbers in twelve digits, None for a missing one."""
    return [None if np.isnan(value) else float(f"{value:.12g}") for value in values.tolist()]


def _spelled(threshold: float | None) -> float | str | None:
    return str(threshold) if threshold is not None and np.isinf(threshold) else threshold
