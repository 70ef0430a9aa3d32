"""Conditions on rows: texts are compared exactly, numbers with all their digits, and every reader agrees."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocconf
from rocconf.conditions import Condition, parse_condition, parse_conditions
from rocconf.errors import InputError, UsageError
from rocconf.read import Input, Wanted, read_frame, read_table

OPS = ["=", "!=", "<", "<=", ">", ">="]
KEYS = ["7", "007", "7.0", "+7", "7 ", "9007199254740993", "9007199254740992", "1e1", "10", "0.1", "0.10", "true", "1"]


def kept(source, where, **more):
    """Give the scores of the rows that meet conditions: each row's score is its number."""
    wanted = Wanted(score=("score",), where=parse_conditions(where, "where"), **more)
    return read_table(source, wanted).scores["score"].tolist()


def of_csv(keys, where, **more):
    rows = "".join(f'{at % 2},{at},"{key}"\n' for at, key in enumerate(keys))
    return kept(Input("cases.csv", None, f"label,score,key\n{rows}".encode()), where, **more)


@given(st.text(max_size=4), st.sampled_from(OPS), st.text("=<>!12.a", max_size=4))
def test_a_condition_is_what_its_text_says(column, op, value):
    try:
        condition = Condition(column, op, value)
    except UsageError:
        return
    assert parse_condition(condition.text, "where") == condition


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_compared_as_text(key):
    keys = [other for other in KEYS for _ in range(2)]
    equal = [at for at, other in enumerate(keys) if other == key]
    assert of_csv(keys, {"key": key}) == equal
    assert of_csv(keys, [f"key!={key}"]) == [at for at in range(len(keys)) if at not in equal]


NUMBERS = st.one_of(
    st.integers(2**53 - 3, 2**53 + 3).map(str),
    st.decimals(-10, 10, places=3).map(str),
    st.sampled_from(["0.1", "0.10", "1e-1", "0.1000000000000000055511151231257827", "-0", "+5", ".5", "5."]),
)


@given(st.lists(NUMBERS, min_size=1, max_size=6), st.sampled_from(OPS[2:]), NUMBERS)
def test_numbers_are_compared_with_all_their_digits(cells, op, limit):
    rows = [cell for cell in cells for _ in range(2)]
    compare = {"<": Fraction.__lt__, "<=": Fraction.__le__, ">": Fraction.__gt__, ">=": Fraction.__ge__}[op]
    expected = [at for at, cell in enumerate(rows) if compare(Fraction(cell), Fraction(limit))]
    if expected:
        assert of_csv(rows, [f"key{op}{limit}"]) == expected
    else:
        with pytest.raises(InputError, match="no row with key"):
            of_csv(rows, [f"key{op}{limit}"])


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("key", "where takes COLUMN=VALUE"),
        ("=7", "where takes COLUMN=VALUE"),
        ("key==7", "write COLUMN=VALUE with one ="),
        ("key!==7", "write COLUMN=VALUE with one ="),
        ("key<seven", "'key<seven' compares numbers, and 'seven' is not one"),
        ("key<", "compares numbers, and '' is not one"),
        ("key<1e9999999999", "compares numbers"),
        ({"a=b": "x"}, "the column of a condition cannot contain ="),
        ({"a<b": "x"}, "the column of a condition cannot contain ="),
        ({"a!": "x"}, "or end with !"),
        ({"key": 7.0}, "the value of 'key' must be a text, a whole number or true or false, not 7.0"),
        ({"key": None}, "must be a text, a whole number"),
        (3, "where takes COLUMN=VALUE"),
    ],
)
def test_a_condition_that_is_none_is_an_error(where, message):
    with pytest.raises(UsageError, match=message):
        parse_conditions(where, "where")


def test_rows_without_a_number_are_counted_where_missing_values_are():
    keys = ["1", "1", "", "nan", "9", "9"]
    assert of_csv(keys, ["key<5"], na="drop") == [0, 1]
    source = Input("cases.csv", None, b"label,score,key\n1,0,1\n0,1,1\n1,2,\n0,3,9\n")
    wanted = Wanted(score=("score",), where=parse_conditions(["key<5"], "where"), na="drop")
    assert read_table(source, wanted).sources[0].dropped == 1


TYPED = [
    (pl.Series([7, 7, 70, 8]), {"key": 7}),
    (pl.Series([2**53 + 1, 2**53 + 1, 2**53, 0]), {"key": str(2**53 + 1)}),
    (pl.Series([2**53 + 1, 2**53 + 1, 2**53, 0]), ["key>9007199254740992"]),
    (pl.Series([2**64 - 1, 2**64 - 1, 2**64 - 2, 0], dtype=pl.UInt64), [f"key>{2**64 - 2}"]),
    (pl.Series([0.1, 0.1, 0.2, None]), {"key": "0.1"}),
    (pl.Series([0.1, 0.1, 0.2, 0.3]), ["key<0.2", "key!=0.3"]),
    (pl.Series([-0.0, 0.0, 0.2, float("nan")]), {"key": "0.0"}),
    (pl.Series([True, True, False, None]), {"key": True}),
    (pl.Series([Decimal("1.10"), Decimal("1.10"), Decimal("1.11"), None]), {"key": "1.10"}),
    (pl.Series([Decimal("1.10"), Decimal("1.10"), Decimal("1.11"), Decimal(9)]), ["key<=1.1"]),
    (pl.Series(["007", "007", "7", None]), {"key": "007"}),
    (pl.Series(["7", "7", "007", None], dtype=pl.Categorical), {"key": 7}),
    (pl.Series([dt.date(2024, 1, 2)] * 2 + [dt.date(2024, 1, 3), None]), {"key": "2024-01-02"}),
    (pl.Series([dt.datetime.fromisoformat("2024-01-02T03:00")] * 2 + [None, None]), {"key": "2024-01-02T03:00:00"}),
    (pl.Series([1, 1, 2, None]).cast(pl.Datetime("ns")), {"key": "1970-01-01T00:00:00.000000001"}),
]


@pytest.mark.parametrize(("keys", "where"), TYPED, ids=lambda value: str(getattr(value, "dtype", value)))
def test_a_typed_column_is_compared_by_the_same_rules(keys, where, tmp_path):
    frame = pl.DataFrame({"label": [0, 1, 0, 1], "score": [0, 1, 2, 3], "key": keys})
    frame.write_parquet(tmp_path / "cases.parquet")
    read = rocconf.read_predictions(tmp_path / "cases.parquet", score="score", where=where)
    assert read.scores["score"].tolist() == [0, 1]
    of_pandas = pd.DataFrame({"label": [0, 1, 0, 1], "score": [0, 1, 2, 3], "key": pd.Series(keys.to_list())})
    if keys.dtype in (pl.Int64, pl.UInt64, pl.Float64, pl.String, pl.Boolean, pl.Date, pl.Datetime("us"), pl.Decimal):
        assert read_frame(of_pandas, score="score", where=where).scores["score"].tolist() == [0, 1]


def test_dates_have_no_order(tmp_path):
    frame = pl.DataFrame({"label": [0, 1], "score": [0, 1], "key": [dt.date(2024, 1, 2)] * 2})
    frame.write_parquet(tmp_path / "cases.parquet")
    with pytest.raises(InputError, match="row 1: key '2024-01-02' is not a number"):
        rocconf.read_predictions(tmp_path / "cases.parquet", score="score", where="key>2020")


SCORES = [
    pl.Series([2**53 + 1, 0]),
    pl.Series([2**64 - 1, 0], dtype=pl.UInt64),
    pl.Series([Decimal(2**53 + 1), Decimal(0)]),
    pl.Series([str(2**53 + 1), "0"]),
    pl.Series([2**53 + 1, None, 0, 1]),
]


@pytest.mark.parametrize("scores", SCORES, ids=lambda scores: str(scores.dtype))
def test_whole_scores_that_a_float_does_not_hold_are_refused(scores, tmp_path):
    frame = pl.DataFrame({"label": [1, 0, 1, 0][: len(scores)], "score": scores})
    frame.write_parquet(tmp_path / "cases.parquet")
    said = "row 1: score '[0-9]+' is a whole number that a 64-bit float cannot hold"
    with pytest.raises(InputError, match=said):
        rocconf.read_predictions(tmp_path / "cases.parquet", score="score", na="drop")
    values = pd.Series(scores.to_list(), dtype="Int64" if scores.null_count() else None)
    with pytest.raises(InputError, match=said.replace("row 1", "row 0")):
        read_frame(pd.DataFrame({"label": frame["label"].to_list(), "score": values}), score="score", na="drop")


@given(st.lists(st.integers(-(2**70), 2**70) | st.integers(2**53 - 2, 2**53 + 2), min_size=2, max_size=6, unique=True))
def test_whole_scores_keep_their_order_or_are_refused(scores):
    rows = "".join(f"{at % 2},{score}\n" for at, score in enumerate(scores))
    try:
        read = read_table(Input("cases.csv", None, f"label,score\n{rows}".encode()), Wanted(score=("score",)))
    except InputError as error:
        assert "cannot hold" in str(error)  # noqa: PT017  # an error, or the right order
        assert any(int(float(score)) != score for score in scores)
    else:
        assert np.argsort(read.scores["score"]).tolist() == sorted(range(len(scores)), key=scores.__getitem__)


@pytest.mark.parametrize("text", ["9007199254740993", "-9007199254740993", "123456789012345678901"])
def test_thresholds_and_limits_that_a_float_does_not_hold_are_refused(text):
    counts = rocconf.ScoreCounts.of([0.1, 0.9], [1, 2], [3, 4])
    said = f"a 64-bit float cannot hold the whole number {text}"
    with pytest.raises(UsageError, match=said):
        rocconf.sweep(counts, at=f"threshold={text}")
    with pytest.raises(UsageError, match=said):
        rocconf.sweep(counts, thresholds=f"0.5,{text}")
    with pytest.raises(UsageError, match=said):
        rocconf.judge(rocconf.sweep(counts), f"n >= {text}")


IDS = [
    (pl.Series([1e16, 0.0]), "floats"),
    (pl.Series([2.0**24, 0.0], dtype=pl.Float32), "float32"),
]


@pytest.mark.parametrize(("ids", "why"), IDS, ids=[why for _, why in IDS])
def test_ids_that_floats_may_have_merged_are_refused(ids, why, tmp_path):
    pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1], "id": ids}).write_parquet(tmp_path / "cases.parquet")
    with pytest.raises(InputError, match="different ids may have become one"):
        rocconf.read_predictions(tmp_path / "cases.parquet")
    values = ids.to_numpy()
    for column in (values, values.tolist(), np.array([values[0].item(), "a"], dtype=object)):
        with pytest.raises(InputError, match="different ids may have become one"):
            read_frame(pd.DataFrame({"label": [1, 0], "score": [0.9, 0.1], "id": column}).astype({"score": float}))
        if why == "float32":
            break


def test_an_id_that_is_nan_is_missing(tmp_path):
    frame = pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1], "id": [1.0, float("nan")]})
    frame.write_parquet(tmp_path / "cases.parquet")
    with pytest.raises(InputError, match="row 2: the id has no value"):
        rocconf.read_predictions(tmp_path / "cases.parquet")


def test_times_that_differ_by_a_nanosecond_are_two_ids(tmp_path):
    for kind in (pl.Datetime("ns"), pl.Time, pl.Duration("ns")):
        frame = pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1], "id": pl.Series([1, 2]).cast(kind)})
        frame.write_parquet(tmp_path / "cases.parquet")
        assert len(set(rocconf.read_predictions(tmp_path / "cases.parquet").ids)) == 2


SPELLED = st.sampled_from(
    [
        1,
        "1",
        "01",
        "1.0",
        1.0,
        "1e0",
        2**53 - 1,
        float(2**53 - 1),
        str(2**53 - 1),
        2**53 + 1,
        str(2**53 + 1),
        1e16,
        10**16,
    ]
)


@given(SPELLED, SPELLED)
def test_pairing_never_matches_different_ids(first, second):
    def cases(name, case):
        ids = np.array([case, "other"], dtype=object)
        return rocconf.Predictions(np.array([True, False]), {name: np.array([0.9, 0.1])}, ids)

    try:
        rocconf.pair([cases("a", first), cases("b", second)])
    except InputError:
        return
    assert first == second
    assert not any(isinstance(case, float) and case >= 2**53 for case in (first, second))
