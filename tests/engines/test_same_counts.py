"""The same 200,000 adversarial cases are counted alike by rocconf, polars, DuckDB, SQLite and PostgreSQL: digests agree."""

import csv
import io
import os
import sqlite3
from hashlib import md5

import adversarial
import duckdb
import numpy as np
import polars as pl
import postgres
import pytest

from rocconf.compute.stats.placements import placements_of
from rocconf.engines import DIALECTS, Table, bins, counts, numbers

N = 200_000
IS_REQUIRED = os.environ.get("ROCCONF_ENGINES") == "required"
pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def cases():
    """Labels and scores: smooth ones, rounded ones, and those where engines could part."""
    random = np.random.default_rng(7)
    labels = (random.random(N) < 0.1).astype(np.int64)
    scores = 1 / (1 + np.exp(-random.normal(-2, 1.5, N) - 1.4 * labels))
    rounded = random.random(N) < 0.3
    scores[rounded] = np.round(scores[rounded], 3)
    special = random.random(N) < 0.05
    scores[special] = random.choice(np.array(adversarial.adversarial_scores()), int(special.sum()))
    return labels, scores


@pytest.fixture(scope="module")
def distinct(cases):
    """The distinct scores with their positives and negatives, of the rows."""
    labels, scores = cases
    values, at = np.unique(scores + 0.0, return_inverse=True)
    positives = np.bincount(at, weights=labels).astype(np.int64)
    return values, positives, np.bincount(at).astype(np.int64) - positives


def digest(columns):
    """Return the digest of columns, whose rows are put in order."""
    order = np.lexsort(columns[::-1])
    return md5(b"".join(np.ascontiguousarray(column[order]).tobytes() for column in columns)).hexdigest()  # noqa: S324


def digest_of(rows, edges):
    """Return the digest of the rows of a result: model, edges, positives, negatives."""
    _, *columns = zip(*rows, strict=True)
    doubles = [
        np.array([np.inf if cell in (None, "") else float(cell) for cell in column]) for column in columns[:edges]
    ]
    return digest([*doubles, *(np.array(list(map(int, column))) for column in columns[edges : edges + 2])])


def in_bins(values, positives, negatives, resolution):
    """Return the bins by exponents and mantissas, as the C library takes them apart."""
    base = np.where((values >= 0.5) & (values < 1), 1.0, 0.0)
    offset = values - base
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(offset)
        scale = np.ldexp(1.0, resolution - exponent + np.where(mantissa == -0.5, 2, 1))
        lower, upper = base + np.floor(offset * scale) / scale, base + (np.floor(offset * scale) + 1) / scale
    tiny, huge = 2.0**-64, 2.0**64
    for chosen, ends in (
        (offset >= huge, (huge, np.inf)),
        (offset < -huge, (-np.inf, -huge)),
        ((offset < 0) & (offset >= -tiny), (-tiny, 0.0)),
        ((offset > 0) & (offset < tiny), (0.0, tiny)),
        (offset == 0, (0.0, 0.0)),
    ):
        lower[chosen], upper[chosen] = ends
    found = pl.DataFrame({"lower": lower, "upper": upper, "score": values, "p": positives, "n": negatives})
    grouped = found.group_by("lower", "upper").agg(
        pl.col("p", "n").sum(), least=pl.col("score").min(), most=pl.col("score").max()
    )
    alone = pl.col("least") == pl.col("most")
    edges = grouped.select(
        *(pl.when(alone).then("least").otherwise(name).alias(name) for name in ("lower", "upper")), "p", "n"
    )
    return [column.to_numpy() for column in edges]


@pytest.fixture(scope="module", params=["duckdb", "sqlite", "postgres"])
def engine(request, cases):
    """Return a dialect and what runs it on the cases."""
    labels, scores = cases
    if request.param == "duckdb":
        connection = duckdb.connect()
        connection.execute("CREATE TABLE cases (label INTEGER, score DOUBLE)")
        connection.execute("INSERT INTO cases SELECT UNNEST(?), UNNEST(?)", [labels.tolist(), scores.tolist()])
        yield DIALECTS["duckdb"], lambda sql: connection.execute(sql).fetchall()
    elif request.param == "sqlite":
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE cases (label INTEGER, score REAL)")
        connection.executemany("INSERT INTO cases VALUES (?, ?)", zip(labels.tolist(), scores.tolist(), strict=True))
        yield DIALECTS["sqlite"], lambda sql: connection.execute(sql).fetchall()
        connection.close()
    else:
        if postgres.programs() is None:
            if IS_REQUIRED:
                pytest.fail("PostgreSQL is required here: apt-get install postgresql")
            pytest.skip("PostgreSQL is not installed")
        with postgres.running() as server:
            file = server.folder / "cases.csv"
            pl.DataFrame({"label": labels, "score": scores}).write_csv(file, include_header=False)
            file.chmod(0o644)
            server.csv("CREATE TABLE cases (label INTEGER, score DOUBLE PRECISION)")
            server.csv(f"COPY cases FROM '{file}' CSV")
            yield DIALECTS["postgres"], lambda sql: list(csv.reader(io.StringIO(server.csv(sql))))[1:]


CASES = Table('"cases"', "label", ("score",))


def test_digests_of_counts_agree(engine, distinct):
    dialect, run = engine
    assert digest_of(run(counts(dialect, CASES)), 1) == digest(list(distinct))


@pytest.mark.parametrize("resolution", [5, 11])
def test_digests_of_bins_agree(resolution, engine, distinct):
    dialect, run = engine
    expected = digest(in_bins(*distinct, resolution))
    assert digest_of(run(bins(dialect, CASES, resolution=resolution)), 2) == expected


def test_whole_numbers_agree(engine, distinct):
    dialect, run = engine
    ((_, *row),) = run(numbers(dialect, CASES))
    _, positives, negatives = (column[::-1] for column in distinct)
    of_positives, of_negatives = placements_of(
        *(np.concatenate([[0], np.cumsum(column)]) for column in (positives, negatives))
    )
    sums = [part.sums[0] for part in (of_positives, of_negatives)]
    squares = [part.products[0][0] for part in (of_positives, of_negatives)]
    assert list(map(int, row[:6])) == [of_positives.size, of_negatives.size, *sums, *squares]


def test_rocconf_and_polars_count_the_same(cases, distinct, rocconf, tmp_path):
    labels, scores = cases
    table = pl.DataFrame({"label": labels, "score": scores})
    table.write_parquet(tmp_path / "cases.parquet")
    assert rocconf("count", "cases.parquet", "-o", "counts.parquet", "-q").status == 0
    counted = pl.read_parquet(tmp_path / "counts.parquet").select("score", "positives", "negatives")
    grouped = table.group_by(pl.col("score") + 0.0).agg(
        positives=pl.col("label").sum(), negatives=(1 - pl.col("label")).sum()
    )
    for found in (counted, grouped):
        assert digest([column.to_numpy() for column in found]) == digest(list(distinct))
