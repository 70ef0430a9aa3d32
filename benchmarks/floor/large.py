"""The least cost of sweeping a large file: polars reads, one sort counts, without validation.

With `--ids`, what it costs at least to know that no id stands twice is paid, too: ids are read, and their hashes sorted.
"""

import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: its threads would cost as much as itself

import numpy as np
import polars as pl
from sweeping import areas, print_answer, sweep

path, columns = sys.argv[1], ["label", "score"]
if "--ids" in sys.argv:
    columns.append("id")
if path.endswith(".parquet"):
    frame = pl.read_parquet(path, columns=columns)
else:
    frame = pl.read_csv(path, columns=columns, schema_overrides={"label": pl.UInt8, "score": pl.Float64})
if "--ids" in sys.argv:
    hashes = np.sort(frame["id"].hash().to_numpy())
    if (hashes[1:] == hashes[:-1]).any():
        sys.exit("an id stands twice")
    frame = frame.drop("id")
labels, scores = frame["label"].to_numpy().view(np.uint8), frame["score"].to_numpy()
_, tp, fp = sweep(labels, scores)
print_answer(*areas(tp, fp))
