"""The bare sweep: scores in [0, 1] and labels packed into integers, one sort, ties merged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]


def sweep(labels: NDArray[np.uint8], scores: Floats) -> tuple[Floats, Counts, Counts]:
    """Return thresholds, true and false positives, the highest score first."""
    packed = np.uint64((1 << 63) - 1) - scores.view(np.uint64)
    packed <<= np.uint64(1)
    packed |= labels
    packed.sort()
    positive = (packed & np.uint64(1)).astype(np.int64)
    packed >>= np.uint64(1)
    last = np.append(np.flatnonzero(packed[1:] != packed[:-1]), len(packed) - 1)
    thresholds = (np.uint64((1 << 63) - 1) - packed[last]).view(np.float64)
    tp = np.cumsum(positive, out=positive)[last]
    last += 1
    last -= tp
    return np.insert(thresholds, 0, np.inf), np.insert(tp, 0, 0), np.insert(last, 0, 0)


def areas(tp: Counts, fp: Counts) -> tuple[float, float]:
    """Return the area under the curve and DeLong's standard error."""
    p, q = int(tp[-1]), int(fp[-1])
    positives, negatives = np.diff(tp), np.diff(fp)
    above = (tp[1:] + tp[:-1]) / (2 * p)
    area = float(negatives @ above) / q
    below = 1 - (fp[1:] + fp[:-1]) / (2 * q)
    below -= area
    below *= below
    above -= area
    above *= above
    variance = float(positives @ below) / (p - 1) / p + float(negatives @ above) / (q - 1) / q
    return area, variance**0.5


def print_answer(area: float, se: float) -> None:
    """Print the answer, for the harness to compare."""
    print(json.dumps({"auc": area, "auc_se": se}))
