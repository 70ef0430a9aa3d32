"""Make the data of the benchmarks: `python data.py FILE ROWS [MODELS|usual]`.

The columns are label and score: 5% positives, and continuous scores of nine decimals, which leave 9.84 million distinct
scores in ten million rows, so that ties matter. The suffix of FILE is its format. With several models the columns of
scores are new_1, new_2 and so on, each a little worse than the one before, with correlations of 0.81. A usual file also has
what files of predictions mostly have: an id of each case, when it was scored, and a text.
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


def usual_frame(rows: int) -> pl.DataFrame:
    """Return the labelled scores with columns that nobody asked for."""
    number = pl.int_range(rows)
    return frame(rows).select(
        id=pl.format("case-{}", number.cast(pl.String).str.zfill(9)),
        scored=pl.lit("2026-01-01T00:00:00").str.to_datetime() + pl.duration(seconds=number),
        region=pl.lit(pl.Series(["north", "south", "east", "west"])).get(number % 4),
        label="label",
        score="score",
    )


def frame_of_several(rows: int, models: int) -> pl.DataFrame:
    """Return labelled scores of models on the same cases; the first has an AUC of about 0.86, each next a little less."""
    random = np.random.default_rng(SEED)
    labels = random.random(rows) < PREVALENCE
    shared = 0.9 * random.standard_normal(rows) - 2
    columns = {"label": labels.astype(np.int8)}
    for model in range(models):
        value = shared + np.sqrt(1 - 0.81) * random.standard_normal(rows) + (1.5 - 0.05 * model) * labels
        columns[f"new_{model + 1}"] = (1 / (1 + np.exp(-value))).round(9)
    return pl.DataFrame(columns)


def main() -> None:
    path, rows, form = Path(sys.argv[1]), int(sys.argv[2]), (sys.argv[3:] or ["1"])[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    data = usual_frame(rows) if form == "usual" else frame(rows) if form == "1" else frame_of_several(rows, int(form))
    if path.suffix == ".parquet":
        data.write_parquet(unfinished)
    else:
        data.write_csv(unfinished)
    unfinished.replace(path)


if __name__ == "__main__":
    main()
