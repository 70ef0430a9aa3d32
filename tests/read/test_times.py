"""Columns of times: every form of input has the same ones, and what is no time is an error with its place."""

import numpy as np
import pytest

import rocconf
from rocconf.errors import RocconfError


def read(folder, rows, *, header="label,score,when", name="cases.csv", **options):
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return rocconf.read_predictions(path, time="when", **options)


def times_of(folder, *cells, **options):
    return read(folder, [f"{at % 2},0.{at + 1},{cell}" for at, cell in enumerate(cells)], **options).times


@pytest.mark.parametrize(
    ("cells", "kind", "seconds"),
    [
        (["1970-01-02", "1969-12-31"], "date", [86_400, -86_400]),
        (["1970-01-01T00:00:01", "1970-01-01 01:00"], "datetime", [1, 3600]),
        (["1970-01-01T01:00:00+01:00", "1970-01-01T00:00:00.5Z"], "zoned", [0, 0.5]),
    ],
)
def test_dates_and_times_are_microseconds_of_utc(tmp_path, cells, kind, seconds):
    times = times_of(tmp_path, *cells)
    assert times.kind == kind
    assert (times.values / 1e6).tolist() == seconds


def test_numbers_are_as_they_are(tmp_path):
    times = times_of(tmp_path, "1700000000", "1.7e9")
    assert (times.kind, times.values.tolist()) == ("number", [1.7e9, 1.7e9])


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["2024-01-01", "2024-01-01T10:00"],
            "line 3: when '2024-01-01T10:00' is a time without a zone, but '2024-01-01'",
        ),
        (["2024-01-01T10:00", "2024-01-01T10:00Z"], "is a time with a zone, but '2024-01-01T10:00' before it is"),
        (["7", "2024-01-01"], "line 3: when '2024-01-01' is a date, but '7' before it is a number"),
        (["2024-01-01", "31.1.2024"], "line 3: when '31.1.2024' is not a time"),
        (["2024-01-01", "2024-02-30"], "line 3: when '2024-02-30' is not a day or time that exists"),
        (["2024-01-01", "2024-01-01Z"], "line 3: when '2024-01-01Z' is not a time"),
        (["2024-01-01", ""], "line 3: when has no value"),
        (["1", "inf"], "line 3: when 'inf' is not a time"),
        (["1", "1700000000123456789"], "a 64-bit float cannot hold"),
    ],
)
def test_what_is_no_time_is_told_with_its_place(tmp_path, cells, said):
    with pytest.raises(RocconfError, match=r"cases\.csv") as error:
        times_of(tmp_path, *cells)
    assert said in error.value.text("library")


def test_rows_without_a_time_are_dropped_and_counted_like_others(tmp_path):
    rows = ["1,0.9,5", "0,0.1,", "0,,7", "0,0.2,6", "1,0.3,NA"]
    cases = read(tmp_path, rows, na="drop")
    assert cases.times.values.tolist() == [5, 6]
    assert (cases.sources[0].n, cases.sources[0].dropped) == (2, 3)


def test_the_column_of_times_is_never_the_score(tmp_path):
    cases = read(tmp_path, ["1,0.9,0.5", "0,0.1,0.25"], header="label,points,when")
    assert cases.models == ("points",)


@pytest.mark.parametrize("column", ["label", "score"])
def test_a_column_has_one_use(tmp_path, column):
    (tmp_path / "cases.csv").write_text("label,score\n1,0.9\n0,0.1\n", encoding="utf-8")
    with pytest.raises(RocconfError) as error:
        rocconf.read_predictions(tmp_path / "cases.csv", time=column)
    assert error.value.code == "time-is-other"


def test_every_form_has_the_same_times(tmp_path):
    import pandas as pd
    import polars as pl

    texts = ["2024-03-01T10:00:00", "2024-02-01T00:00:00.250000"]
    frame = pl.DataFrame({"label": [1, 0], "score": [0.5, 0.25], "when": texts})
    typed = frame.with_columns(pl.col("when").str.to_datetime())
    expected = None
    for name, table in (
        ("a.parquet", typed),
        ("b.parquet", frame),
        ("c.arrow", typed),
        ("d.jsonl", frame),
        ("e.csv", frame),
    ):
        path = tmp_path / name
        writers = {"parquet": table.write_parquet, "arrow": table.write_ipc, "jsonl": table.write_ndjson}
        writers.get(name[2:], table.write_csv)(path)
        times = rocconf.read_predictions(path, time="when").times
        expected = times if expected is None else expected
        assert times.kind == "datetime"
        assert np.array_equal(times.values, expected.values), name
    of_pandas = pd.DataFrame(frame.to_dict(as_series=False)).astype({"when": "datetime64[ns]"})
    frames = rocconf.read_frame(of_pandas, time="when").times
    assert np.array_equal(frames.values, expected.values)


def test_a_date_column_of_a_frame_is_of_dates(tmp_path):
    import polars as pl

    frame = pl.DataFrame({"label": [1, 0], "score": [0.5, 0.25], "when": ["2024-03-01", "2024-02-01"]})
    frame.with_columns(pl.col("when").str.to_date()).write_parquet(tmp_path / "a.parquet")
    assert rocconf.read_predictions(tmp_path / "a.parquet", time="when").times.kind == "date"


def test_a_large_file_has_the_times_of_a_small_one(tmp_path):
    """Large files have another reader."""
    rows = [f"{at % 2},0.{at:06},2024-01-{at % 28 + 1:02}T00:{at % 60:02}:{at // 60 % 60:02}" for at in range(140_000)]
    large = read(tmp_path, rows)
    small = read(tmp_path, rows[:100], name="small.csv")
    assert (tmp_path / "cases.csv").stat().st_size > 4_000_000
    assert np.array_equal(large.times.values[:100], small.times.values)  # noqa: PD011  # no pandas
