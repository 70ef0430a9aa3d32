"""Make the data of the benchmarks: label,score with 5% positives and continuous scores of nine decimals.

Nine decimals leave 9.84 million distinct scores in ten million rows, so ties have to be counted right.
Run as `python data.py FILE ROWS`; the form goes by the suffix.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

SEED = 20090101
PREVALENCE = 0.05


def frame(rows: int) -> pl.DataFrame:
    """Return labelled scores with an AUC of about 0.86."""
    random = np.random.default_rng(SEED)
    labels = random.random(rows) < PREVALENCE
    scores = np.where(labels, random.beta(3, 6, rows), random.beta(1.5, 8, rows)).round(9)
    return pl.DataFrame({"label": labels.astype(np.int8), "score": scores})


def main() -> None:
    path, rows = Path(sys.argv[1]), int(sys.argv[2])
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    data = frame(rows)
    if path.suffix == ".parquet":
        data.write_parquet(unfinished)
    else:
        data.write_csv(unfinished)
    unfinished.replace(path)


if __name__ == "__main__":
    main()
