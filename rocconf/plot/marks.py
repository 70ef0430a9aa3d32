"""The operating points of models, and the threshold of 0.5 that most programs use by default."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.compute.roc.curve import PROBABILITY_SLACK, row_at
from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.colours import INK, QUIET, colour_of, marker_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.plot.legend import Entry
    from rocconf.records import ScoreCounts

    PointOf = Callable[[int, int], tuple[float, float] | None]
    """Finds the point of true and false positives in a chart, None if it has none."""

DEFAULT_THRESHOLD = 0.5
TIES_NAMED = 2


class Pointed(Protocol):
    """A model with operating points, in any result."""

    @property
    def counts(self) -> ScoreCounts:
        """The model's counts."""

    @property
    def points(self) -> tuple[OperatingPoint, ...]:
        """The operating points."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to mark, in counts, with its text and shape."""

    text: str
    tp: int
    fp: int
    shape: str


def look_like_probabilities(counts: ScoreCounts) -> bool:
    """Whether all scores are in [0, 1], and are more than labels."""
    lowest, highest = sorted((float(counts.scores[0]), float(counts.scores[-1])))
    return lowest >= -PROBABILITY_SLACK and highest <= 1 + PROBABILITY_SLACK and len(counts) > 2


def marks(model: Pointed) -> list[Mark]:
    """Return the marks of one model; rules that chose the same threshold share a mark."""
    sharing: dict[tuple[Any, ...], list[OperatingPoint]] = {}
    for point in model.points:
        sharing.setdefault((point.threshold, point.in_sample, point.tied), []).append(point)
    return [Mark(_text(points), points[0].tp, points[0].fp, marker_of(k)) for k, points in enumerate(sharing.values())]


def all_marks(model: Pointed) -> list[Mark]:
    """Return the marks of one model, the default threshold last."""
    default = default_mark(model)
    return marks(model) + ([default] if default else [])


def default_mark(model: Pointed) -> Mark | None:
    """Return the mark of the threshold 0.5, if the scores look like probabilities and no rule chose it."""
    counts = model.counts
    if not look_like_probabilities(counts) or any(point.threshold == DEFAULT_THRESHOLD for point in model.points):
        return None
    row = row_at(counts, DEFAULT_THRESHOLD)
    return Mark(f"threshold {DEFAULT_THRESHOLD:g}, the usual default", int(counts.tp[row]), int(counts.fp[row]), "o")


def draw_marks(axes: Axes, models: Sequence[Pointed], point_of: Sequence[PointOf]) -> list[Entry]:
    """Mark the operating points of one model or several; return the entries of the legend."""
    if len(models) == 1:
        return _draw_marks_of_one(axes, models[0], point_of[0])
    return _draw_marks_of_many(axes, models, point_of)


def _draw_marks_of_one(axes: Axes, model: Pointed, point_of: PointOf) -> list[Entry]:
    pen = Pen(axes, INK)
    placed = [(point_of(mark.tp, mark.fp), mark) for mark in marks(model)]
    entries: list[Entry] = [(pen.mark(at, mark.shape), mark.text) for at, mark in placed if at]
    default = default_mark(model)
    if default and (at := point_of(default.tp, default.fp)):
        entries.append((pen.mark(at, default.shape, hollow=True), default.text))
    return entries


def _draw_marks_of_many(axes: Axes, models: Sequence[Pointed], point_of: Sequence[PointOf]) -> list[Entry]:
    """Mark points in the colours of their models; a rule has one shape and one entry."""
    shapes: dict[str, str] = {}
    for model, (of_model, its_point) in enumerate(zip(models, point_of, strict=True)):
        pen = Pen(axes, colour_of(model))
        for point in of_model.points:
            text = point.rule.text + (", in-sample" if point.in_sample else "")
            shape = shapes.setdefault(text, marker_of(len(shapes)))
            if at := its_point(point.tp, point.fp):
                pen.mark(at, shape)
    return [(Line2D([], [], **_style(shape, QUIET)), text) for text, shape in shapes.items()]


@dataclass(slots=True)
class Pen:
    """Marks points in one colour; a mark on top of others is drawn around them, hollow."""

    axes: Axes
    colour: str
    taken: Counter[tuple[float, float]] = field(default_factory=Counter)

    def mark(self, at: tuple[float, float], shape: str, *, hollow: bool = False) -> Line2D:
        """Mark a point; return the mark for the legend."""
        style, around = _style(shape, self.colour), max(self.taken[at], int(hollow))
        if around:
            style |= {"markerfacecolor": "none", "markeredgecolor": self.colour}
        self.taken[at] = around + 1
        size = mpl.rcParams["lines.markersize"]
        self.axes.plot(*at, **style, markersize=size * (1.1 + 0.5 * around if around else 1))
        return Line2D([], [], **style, markersize=size)


def _style(shape: str, colour: str) -> dict[str, Any]:
    plain = {"marker": shape, "linestyle": "none", "color": colour, "markeredgecolor": "white"}
    return plain | {"zorder": 5, "clip_on": False}


def _text(points: Sequence[OperatingPoint]) -> str:
    """Return the rules that chose a threshold, with the thresholds that tie."""
    first = points[0]
    rules = ", ".join(point.rule.text for point in points)
    at = f" at {_threshold(first.threshold)}" if any(point.rule.chooses for point in points) else ""
    sample = ", in-sample" if first.in_sample else ""
    if not first.tied:
        return rules + at + sample
    if len(first.tied) > TIES_NAMED:
        return f"{rules}{at}{sample} ({len(first.tied)} others tie)"
    return f"{rules}{at}{sample} (tied: {', '.join(map(_threshold, first.tied))})"


def _threshold(threshold: float | None) -> str:
    return "nothing positive" if threshold is None else fmt.compact(threshold)
