r"""The stratified bootstrap of confident segments, of one model or of several on the same cases.

Where a curve is confident its errors of both kinds, b misses and c false alarms, differ by a few :math:`\sqrt{b+c}`, in
every replicate. So only the cases are drawn one by one that some model ranks in a window around its segment, a few
thousand of a million. Of all others it matters before or after which windows they are, not which they are: their
numbers are drawn at once. A multinomial of many cells is one of few cells and, given their totals, one within each, so
the distribution is that of drawing all cases [1]_.

A window reaches `MARGIN` standard deviations further than any test does, and is missed in less than one of
:math:`10^{12}` replicates. Whether one was missed shows at its ends; then all are drawn again from whole curves.

References
----------
.. [1] L. Devroye (1986), Non-Uniform Random Variate Generation, Springer, section XI.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.compute.roc.resample import Replicates, require_drawable
from rocconf.compute.stats.normal import normal_quantile
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.random import Generator

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.resample import Indices, Progress
    from rocconf.compute.tango.segment_bootstrap import SegmentGauge
    from rocconf.records import Counts, Flags, Floats

MARGIN = 8.0
"""How many standard deviations of b - c a window reaches further than the interval of the level."""

AT_ONCE = 1 << 20
"""The cases and rows drawn at a time, over several replicates."""


class Window(NamedTuple):
    """The rows of a curve from the first to the last; column 0 of a window is its first row."""

    first: int
    last: int

    @property
    def width(self) -> int:
        """The number of rows."""
        return self.last - self.first + 1

    @classmethod
    def around(cls, roc: Curve, level: float) -> Window:
        """Return the window around the confident segment of a curve and, as surely, of its replicates."""
        z = normal_quantile((1 + level) / 2) + MARGIN
        more = roc.p - roc.tp - roc.fp
        reach = z * np.sqrt(roc.p - roc.tp + roc.fp) + z * z
        beyond, behind = np.flatnonzero(more > reach), np.flatnonzero(more < -reach)
        first, last = (beyond[-1] if len(beyond) else 0), (behind[0] if len(behind) else len(roc) - 1)
        return cls(int(first), int(last))

    def columns(self, roc: Curve, ranked: Floats) -> Indices:
        """Return the first column in which each case is predicted positive, `width` if there is none in the window.

        Higher scores are ranked as more positive. No case is predicted positive in the first row of a curve.
        """
        thresholds = -roc.thresholds if roc.thresholds[0] < 0 else roc.thresholds
        is_before = ranked >= thresholds[self.first] if self.first else np.zeros(len(ranked), dtype=np.bool_)
        is_after = ranked < thresholds[self.last]
        found = np.where(is_before, 0, self.width)
        inner = np.flatnonzero(~(is_before | is_after))
        rows = slice(self.first + 1, self.last + 1)
        found[inner] = 1 + np.searchsorted(-thresholds[rows], -ranked[inner], side="left")
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """The cases of a class: those in a window one by one, and how many are elsewhere."""

    columns: tuple[Indices, ...]
    """Of each model, the column of every case in a window of some model."""
    others: Counts
    """The numbers of other cases that come before the windows of the same models."""
    come_before: Flags
    """For each model and each of those numbers, whether these cases come before its window."""

    @classmethod
    def of(cls, columns: Sequence[Indices], windows: Sequence[Window]) -> _Class:
        """Divide cases, given the column of each in the window of every model; their order does not matter."""
        inside = [(own > 0) & (own < window.width) for own, window in zip(columns, windows, strict=True)]
        is_inner = np.logical_or.reduce(inside)
        inner = [own[is_inner] for own in columns]
        order = np.lexsort(inner)  # cases that are alike in all models are interchangeable
        bits = np.packbits([own[~is_inner] == 0 for own in columns], axis=0)
        groups, others = np.unique(bits if len(bits) > 1 else bits[0], axis=-1, return_counts=True)
        before = np.unpackbits(np.atleast_2d(groups), axis=0, count=len(columns)).astype(np.bool_)
        return cls(tuple(own[order] for own in inner), others, before)

    @classmethod
    def of_curve(cls, cumulated: Counts, total: int, window: Window) -> _Class:
        """Divide the cases of one model, whose numbers up to each row are known."""
        rows = cumulated[window.first : window.last + 1]
        columns = np.repeat(np.arange(1, window.width), np.diff(rows))
        return cls((columns,), np.array([rows[0], total - rows[-1]]), np.array([[True, False]]))

    @property
    def size(self) -> int:
        """The number of cases."""
        return int(self.others.sum()) + len(self.columns[0])

    def drawn(self, count: int, windows: Sequence[Window], rng: Generator) -> Iterator[Counts]:
        """Yield for each model how many cases are predicted positive in its window, a replicate a line."""
        n = len(self.columns[0])
        totals = rng.multinomial(self.size, np.append(self.others, n) / self.size, size=count)
        thrown = rng.integers(max(n, 1), size=int(totals[:, -1].sum()))
        lines = np.repeat(np.arange(count), totals[:, -1])
        for columns, before, window in zip(self.columns, self.come_before, windows, strict=True):
            cells = lines * (window.width + 1) + columns[thrown]
            inside = np.bincount(cells, minlength=count * (window.width + 1)).reshape(count, -1)
            inside[:, 0] += totals[:, :-1] @ before
            yield np.cumsum(inside[:, :-1], axis=1)


class MeasuredCurve(NamedTuple):
    """A curve, what measures the segments of its replicates, and the scores of the cases if there are several models."""

    gauge: SegmentGauge
    roc: Curve
    ranked: Floats | None = None
    """Higher scores are more positive."""


def draw_segments(
    curves: Sequence[MeasuredCurve],
    count: int,
    rng: Generator,
    *,
    labels: Flags | None = None,
    progress: Progress | None = None,
) -> list[Floats]:
    """Return the measures of replicates of each model, a line for each; without labels there is one model.

    `progress` is called with the number of replicates that are finished.
    """
    for each in curves:
        require_drawable(each.roc)
    windows = [Window.around(each.roc, each.gauge.level) for each in curves]
    try:
        return _drawn(curves, windows, count, rng, labels=labels, progress=progress)
    except _MissedError:
        whole = [Window(0, len(each.roc) - 1) for each in curves]
        return _drawn(curves, whole, count, rng, labels=labels, progress=None)


class _MissedError(Exception):
    """A segment that is not surely within its window."""


def _drawn(
    curves: Sequence[MeasuredCurve],
    windows: Sequence[Window],
    count: int,
    rng: Generator,
    *,
    labels: Flags | None,
    progress: Progress | None,
) -> list[Floats]:
    classes = _divided(curves, windows, labels)
    size = sum(len(of_class.columns[0]) for of_class in classes) + sum(window.width for window in windows)
    found: list[list[Floats]] = [[] for _ in curves]
    at_once = max(1, AT_ONCE // size)
    for done in range(0, count, at_once):
        wanted = min(at_once, count - done)
        cumulated = zip(*(of_class.drawn(wanted, windows, rng) for of_class in classes), strict=True)
        for parts, each, window, (tp, fp) in zip(found, curves, windows, cumulated, strict=True):
            drawn = Replicates(tp, fp)
            if not each.gauge.is_within(drawn, begins=window.first == 0, ends=window.last == len(each.roc) - 1):
                raise _MissedError
            parts.append(each.gauge(drawn))
        if progress:
            progress(wanted)
    return [np.concatenate(parts) for parts in found]


def _divided(curves: Sequence[MeasuredCurve], windows: Sequence[Window], labels: Flags | None) -> tuple[_Class, _Class]:
    """Return the positives and the negatives."""
    if labels is None:
        (roc,), (window,) = [each.roc for each in curves], windows
        return _Class.of_curve(roc.tp, roc.p, window), _Class.of_curve(roc.fp, roc.q, window)
    columns = [
        window.columns(each.roc, each.ranked)
        for each, window in zip(curves, windows, strict=True)
        if each.ranked is not None
    ]
    positives, negatives = ([own[some] for own in columns] for some in (labels, ~labels))
    return _Class.of(positives, windows), _Class.of(negatives, windows)
