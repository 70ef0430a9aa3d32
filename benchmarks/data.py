"""Make the data of the benchmarks: `python data.py FILE ROWS [FORM]`.

The columns are label and score: 5% positives, and continuous scores of nine decimals, which leave 9.84 million distinct
scores in ten million rows, so that ties matter. The suffix of FILE is its format. FORM is a number of models or one of
FORMS. With several models the columns of scores are new_1, new_2 and so on, each a little worse than the one before, with
correlations of 0.81. A usual file also has what files of predictions mostly have: an id of each case, when it was scored,
and a text.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20090101
PREVALENCE = 0.05


def frame(rows: int, *, prevalence: float = PREVALENCE) -> pl.DataFrame:
    """Return labelled scores with an AUC of about 0.86."""
    random = np.random.default_rng(SEED)
    labels = random.random(rows) < prevalence
    scores = np.where(labels, random.beta(3, 6, rows), random.beta(1.5, 8, rows)).round(9)
    return pl.DataFrame({"label": labels.astype(np.int8), "score": scores})


def usual_frame(rows: int, *, prevalence: float = PREVALENCE) -> pl.DataFrame:
    """Return the labelled scores with columns that nobody asked for."""
    number = pl.int_range(rows)
    return frame(rows, prevalence=prevalence).select(
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


def _moved(rows: int) -> pl.DataFrame:
    """Return the usual cases with the scores of another model."""
    usual, random = usual_frame(rows), np.random.default_rng(3)
    return usual.with_columns(score=(usual["score"].to_numpy() + 0.05 * random.random(rows)).round(9))


def _wide(rows: int) -> pl.DataFrame:
    """Return 37 columns, with commas in quoted cells."""
    more = (pl.lit(at).alias(f"c{at}") for at in range(31))
    return usual_frame(rows).with_columns(pl.format("{}, of {}", "id", "region").alias("note"), *more)


def _grouped(rows: int) -> pl.DataFrame:
    """Return usual cases of patients, five each, and in ten folds."""
    number = pl.int_range(rows)
    return usual_frame(rows).with_columns(patient=pl.format("patient-{}", number // 5), fold=number % 10)


def _of_classes(rows: int) -> pl.DataFrame:
    """Return cases of three classes, with a score of each class."""
    random = np.random.default_rng(SEED)
    classes = random.integers(0, 3, rows)
    value = np.exp(random.standard_normal((rows, 3)) + 1.5 * (classes[:, None] == np.arange(3)))
    scores = (value / value.sum(axis=1, keepdims=True)).round(9)
    names = ["cat", "dog", "fox"]
    return pl.DataFrame(
        {"label": np.array(names)[classes], **{f"p_{name}": scores[:, at] for at, name in enumerate(names)}}
    )


FORMS: dict[str, Callable[[int], pl.DataFrame]] = {
    "usual": usual_frame,
    "common": lambda rows: usual_frame(rows, prevalence=0.1),
    "rare": lambda rows: usual_frame(rows, prevalence=0.01),
    "moved": _moved,
    "shuffled": lambda rows: usual_frame(rows).sample(fraction=1, shuffle=True, seed=1),
    "wide": _wide,
    "grouped": _grouped,
    "classes": _of_classes,
    "rounded": lambda rows: frame(rows).with_columns(pl.col("score").round(4)),
    "distinct": lambda rows: frame(rows).with_columns(
        score=(np.random.default_rng(SEED).permutation(rows) + 0.5) / rows
    ),
}


def main() -> None:
    path, rows, form = Path(sys.argv[1]), int(sys.argv[2]), (sys.argv[3:] or ["1"])[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    data = FORMS[form](rows) if form in FORMS else frame(rows) if form == "1" else frame_of_several(rows, int(form))
    write = {".parquet": data.write_parquet, ".ndjson": data.write_ndjson}.get(path.suffix, data.write_csv)
    write(unfinished)
    unfinished.replace(path)


if __name__ == "__main__":
    main()
