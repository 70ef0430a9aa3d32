"""The sweep as a hand-written polars query: sort, cumulate, last of ties, area and DeLong's standard error."""

import json
import sys

import polars as pl

path = sys.argv[1]
scan = pl.scan_parquet(path) if path.endswith(".parquet") else pl.scan_csv(path)
curve = (
    scan.select("score", pl.col("label").cast(pl.Int64))
    .sort("score", descending=True)
    .with_columns(tp=pl.col("label").cum_sum(), rank=pl.int_range(1, pl.len() + 1))
    .filter(pl.col("score").ne_missing(pl.col("score").shift(-1)))
    .select(threshold="score", tp="tp", fp=pl.col("rank") - pl.col("tp"))
    .collect()
)
p, q = curve["tp"][-1], curve["fp"][-1]
step = curve.lazy().select(
    positives=pl.col("tp").diff().fill_null(pl.col("tp")),
    negatives=pl.col("fp").diff().fill_null(pl.col("fp")),
    above=(pl.col("tp") + pl.col("tp").shift(fill_value=0)) / (2 * p),
    below=1 - (pl.col("fp") + pl.col("fp").shift(fill_value=0)) / (2 * q),
)
sums = step.select(
    area=pl.col("negatives").dot(pl.col("above")) / q,
    of_positives=(pl.col("positives") * pl.col("below") ** 2).sum() / p,
    of_negatives=(pl.col("negatives") * pl.col("above") ** 2).sum() / q,
).collect()
area, of_positives, of_negatives = sums.row(0)
variance = (of_positives - area**2) / (p - 1) + (of_negatives - area**2) / (q - 1)
print(json.dumps({"auc": area, "auc_se": variance**0.5}))
