"""The least cost of comparing many models in pairs: polars reads, two packed sorts per model, one product of matrices.

`python benchmarks/floor/models.py FILE`, csv or parquet, whose scores have nine decimals. Each model is swept, as `rocconf compare`
does, which shows the thresholds and the area of each; then its cases are placed, for the covariances of the areas. Nothing is
checked, and nothing else that `compare` says of a model is computed. Two threads sort.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from math import erfc, sqrt

import numpy as np
import polars as pl
from sweeping import areas, sweep

path = sys.argv[1]
frame = pl.read_parquet(path) if path.endswith(".parquet") else pl.read_csv(path, schema_overrides={"label": pl.Int8})
labels = frame["label"].to_numpy().view(np.uint8)
positive = labels.astype(np.bool_)
p, q = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
size = np.uint64(len(labels).bit_length())


def swept_and_placed(name: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the area of a model, and the negatives below each positive and the positives above each negative."""
    scores = frame[name].to_numpy()
    _, tp, fp = sweep(labels, scores)
    packed = (scores * 1e9 + 0.5).astype(np.uint64)
    packed <<= size
    packed |= np.arange(len(scores), dtype=np.uint64)
    packed.sort()
    cases = (packed & ((np.uint64(1) << size) - np.uint64(1))).view(np.int64)
    tp, fp = tp[::-1], fp[::-1]
    below, above = q - (fp[1:] + fp[:-1]) / 2, (tp[1:] + tp[:-1]) / 2
    lengths = (tp[:-1] - tp[1:]) + (fp[:-1] - fp[1:])
    placed = np.empty(len(scores))
    placed[cases] = np.where(positive[cases], np.repeat(below, lengths), np.repeat(above, lengths))
    return areas(tp[::-1], fp[::-1])[0], placed[positive] / q, placed[~positive] / p


with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
    found = list(pool.map(swept_and_placed, frame.columns[1:]))
placed = ((np.array([each[side] for each in found]), count) for side, count in ((1, p), (2, q)))
covariances = sum(np.cov(shares) / count for shares, count in placed)
difference = found[1][0] - found[0][0]
z = difference / sqrt(float(covariances[0, 0] + covariances[1, 1] - 2 * covariances[0, 1]))
print(json.dumps({"difference": difference, "z": z, "p": erfc(abs(z) / sqrt(2))}))
