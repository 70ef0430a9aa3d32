"""Bands around a ROC curve: the kinds mean different things, so each band states its kind and level.

==================== =================================================================================================
``pointwise``        the interval of the true positive rate at one false positive rate chosen in advance: percentiles of
                     a stratified bootstrap
``simultaneous``     contains the whole curve with the level's probability (see `rocconf.compute.compare.bands.simultaneous`)
``fixed-width``      Campbell's [1]_: the curve moved both ways along the slope -sqrt(Q/P), as far as bootstrapped curves
                     depart from it
``ks``               Campbell's [1]_ with Kolmogorov and Smirnov's distance: a rectangle around every point, of half the
                     width D(Q) and half the height D(P), which contain both score distributions jointly
``working-hotelling`` the whole curve of a binormal model fitted to the ranks (see `rocconf.compute.compare.bands.binormal`)
``threshold-averaged`` Wilson's interval of both rates at every threshold [2]_: for a threshold, not for a rate
==================== =================================================================================================

Bands show where a curve may run. They do not compare two models: where bands are disjoint the models differ, but nothing
follows where they overlap, and on the same cases a paired test detects far smaller differences.

References
----------
.. [1] G. Campbell (1994), Statistics in Medicine 13, 499-508.
.. [2] T. Fawcett (2006), Pattern Recognition Letters 27, 861-874.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.compare.bands.binormal import working_hotelling
from rocconf.compute.compare.bands.simultaneous import simultaneous_limits
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.proportion import wilson_limits
from rocconf.compute.stats.resampling import percentile_limits, resampled, upper_percentile
from rocconf.compute.stats.seeds import BAND_REPLICATES, SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.resampling import Indices
    from rocconf.records import Floats

GRID = np.arange(101) / 100
"""The false positive rates of a band."""
GRID.setflags(write=False)

RESAMPLED = ("pointwise", "fixed-width")
"""The kinds that resample the cases."""
MOST_ROWS = 1000
"""The most points of a curve to compare with its bootstrapped curves; others lie between their neighbours."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """The limits of the true positive rate at false positive rates from 0 to 1."""

    kind: str
    level: float
    fpr: Floats
    tpr: Floats
    lower: Floats
    upper: Floats

    @property
    def area(self) -> float:
        """The share of ROC space that the band covers."""
        return float(np.trapezoid(self.upper - self.lower, self.fpr))

    def records(self, model: str) -> list[dict[str, Any]]:
        """Return a row for each rate."""
        rates = {name: getattr(self, name).tolist() for name in ("fpr", "tpr", "lower", "upper")}
        fixed = {"model": model, "kind": self.kind, "level": self.level}
        return [fixed | dict(zip(rates, row, strict=True)) for row in zip(*rates.values(), strict=True)]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The number of bootstrapped curves, and their seed."""

    replicates: int
    seed: int

    def each(self, roc: Curve, measured: Callable[[Confusion], Floats]) -> Floats:
        """Return what is measured of bootstrapped curves, at rows spaced evenly along the curve."""
        drawn = resampled(roc.confusion(_thinned(roc)), self.replicates, generator(self.seed))
        return np.concatenate([measured(m) for m in drawn])


def band(roc: Curve, kind: str, *, level: float = 0.95, replicates: int = BAND_REPLICATES, seed: int = SEED) -> Band:
    """Return a band of one of `KINDS` around a curve of all distinct scores, at the level of a point or the whole curve."""
    require_independent(roc, "clusters-bands")
    if replicates < 1:
        raise UsageError("bootstrap-replicates", replicates=replicates)
    lower, upper = KINDS[require_band(kind)](roc, level, Drawing(replicates, seed))
    if min(roc.p, roc.q) < 2 and kind in RESAMPLED:
        raise UndefinedError("band-one-case")
    if not (upper > lower).any():
        raise UndefinedError("band-equal-curves")
    inside = np.clip(lower, 0, 1), np.clip(upper, 0, 1)
    return Band(kind, level, GRID, tpr_at(roc, GRID), *inside)


def require_band(kind: str) -> str:
    """Reject a kind of band that does not exist."""
    if kind not in KINDS:
        raise UsageError("unknown-band", band=kind, known=", ".join(KINDS))
    return kind


def tpr_at(roc: Curve, fpr: Floats) -> Floats:
    """Return the true positive rate of the curve at false positive rates, its highest where it is vertical."""
    return np.interp(fpr, roc.fpr, roc.tpr)


def tprs(drawn: Confusion) -> Floats:
    """Return the same of replicates of a curve at the rates of `GRID`, a line for each."""
    rates = zip(drawn.fp / drawn.q, drawn.tp / drawn.p, strict=True)
    return np.array([np.interp(GRID, *of_replicate) for of_replicate in rates])


def _fixed_width(roc: Curve, level: float, drawing: Drawing) -> tuple[Floats, Floats]:
    up = fixed_width(roc, level=level, drawing=drawing)
    return _moved(roc, up * sqrt(roc.p / roc.q), up)


def fixed_width(roc: Curve, *, level: float, drawing: Drawing) -> float:
    """Return the extent of the band upwards along its slope.

    Two curves are compared at equal tpr + sqrt(Q/P) fpr, where their distance along that slope is that of their tpr; the
    largest gap of two piecewise linear curves is at a corner of one of them.
    """
    tilt, rows = sqrt(roc.q / roc.p), _thinned(roc)
    height = roc.tpr[rows]
    along = height + tilt * roc.fpr[rows]

    def gaps(drawn: Confusion) -> Floats:
        heights = drawn.tp / drawn.p
        alongs = heights + tilt * (drawn.fp / drawn.q)
        at_theirs = np.abs(np.interp(alongs, along, height) - heights).max(axis=1)
        at_ours = [np.abs(np.interp(along, x, y) - height).max() for x, y in zip(alongs, heights, strict=True)]
        return np.asarray(np.maximum(at_theirs, at_ours))

    return upper_percentile(drawing.each(roc, gaps), level)


def _ks(roc: Curve, level: float, _: Drawing) -> tuple[Floats, Floats]:
    from scipy.stats import kstwo

    # two independent distances, each at sqrt(level), have a joint probability of the level
    wide, high = (float(kstwo.ppf(sqrt(level), size)) for size in (roc.q, roc.p))
    return _moved(roc, wide, high)


def _threshold_averaged(roc: Curve, level: float, _: Drawing) -> tuple[Floats, Floats]:
    """Return the lines through the outer corners of the rectangles around all thresholds."""
    rows = _thinned(roc)[1:-1]
    left, right = wilson_limits(roc.fp[rows], roc.q, level=level)
    low, high = wilson_limits(roc.tp[rows], roc.p, level=level)
    return _through(right, low), _through(left, high)


KINDS: dict[str, Callable[[Curve, float, Drawing], tuple[Floats, Floats]]] = {
    "pointwise": lambda roc, level, drawing: percentile_limits(drawing.each(roc, tprs), level),
    "simultaneous": lambda roc, level, drawing: simultaneous_limits(
        roc, GRID, level=level, replicates=drawing.replicates, rng=generator(drawing.seed)
    ),
    "fixed-width": _fixed_width,
    "ks": _ks,
    "working-hotelling": lambda roc, level, _: working_hotelling(roc, GRID, level=level),
    "threshold-averaged": _threshold_averaged,
}
"""The limits of each kind of band at the rates of `GRID`."""


def _moved(roc: Curve, right: float, up: float) -> tuple[Floats, Floats]:
    """Return the curve moved right and down, and left and up."""
    rows = _thinned(roc)
    fpr, tpr = roc.fpr[rows], roc.tpr[rows]
    lower = np.interp(GRID, fpr + right, tpr - up, left=0.0)
    upper = np.interp(GRID, fpr - right, tpr + up, right=1.0)
    return lower, upper


def _through(fpr: Floats, tpr: Floats) -> Floats:
    """Return the line through points and the corners of ROC space."""
    return np.interp(GRID, np.r_[0, fpr, 1], np.r_[0, tpr, 1])


def _thinned(roc: Curve) -> Indices:
    """Return rows that are spaced evenly along the curve, all if they are few."""
    if len(roc) <= MOST_ROWS:
        return np.arange(len(roc))
    along = np.linspace(0, roc.tpr[-1] + roc.fpr[-1], MOST_ROWS)
    return np.unique(np.searchsorted(roc.tpr + roc.fpr, along))
