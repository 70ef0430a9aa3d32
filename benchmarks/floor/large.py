"""The least cost of sweeping a large file: polars reads, one sort counts, without validation."""

import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: its threads would cost as much as itself

import numpy as np
import polars as pl
from sweeping import areas, print_answer, sweep

path = sys.argv[1]
if path.endswith(".parquet"):
    frame = pl.read_parquet(path, columns=["label", "score"])
else:
    frame = pl.read_csv(path, columns=["label", "score"], schema_overrides={"label": pl.UInt8, "score": pl.Float64})
labels, scores = frame["label"].to_numpy().view(np.uint8), frame["score"].to_numpy()
_, tp, fp = sweep(labels, scores)
print_answer(*areas(tp, fp))
