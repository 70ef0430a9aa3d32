"""Parquet files mean what their types say."""

import datetime as dt
import re
from decimal import Decimal
from math import inf, nan

import polars as pl
import pytest

from rocconf.conditions import parse_conditions
from rocconf.errors import InputError
from rocconf.read import Input, Wanted, find_input, parquet, read_table

SCORES = pl.Series("score", [0.9, 0.1, 0.5])
CLASSES = ["ill", "well", "ill"]


def read(frame, folder, *, name="scores.parquet", **options):
    frame.write_parquet(folder / name)
    return read_table(find_input(str(folder / name)), Wanted(**options))


def refused(frame, folder, **options):
    with pytest.raises(InputError) as caught:
        read(frame, folder, **options)
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (pl.Series([1, 0, 1], dtype=pl.Int64), None),
        (pl.Series([1, 0, 1], dtype=pl.UInt8), None),
        (pl.Series([True, False, True]), None),
        (pl.Series([1.0, 0.0, 1.0]), None),
        (pl.Series([1.0, -0.0, 1.0], dtype=pl.Float32), None),
        (pl.Series(["1", "0", "1.0"]), None),
        (pl.Series(["True", "false", "TRUE"]), None),
        (pl.Series([Decimal("1.0"), Decimal("0.0"), Decimal("1.0")]), None),
        (pl.Series(["1", "0", "1"], dtype=pl.Categorical), None),
        (pl.Series(CLASSES), "ill"),
        (pl.Series(CLASSES, dtype=pl.Categorical), "ill"),
        (pl.Series(CLASSES, dtype=pl.Enum(["well", "ill"])), "ill"),
        (pl.Series([2, 1, 2]), "2"),
        (pl.Series([2, 1, 2]), "2.0"),
        (pl.Series([True, False, True]), "True"),
        (pl.Series([False, True, False]), "False"),
        (pl.Series([2**63, 2**63 + 1, 2**63], dtype=pl.UInt64), str(2**63)),
        (pl.Series([dt.date(2024, 1, 2), dt.date(2024, 1, 3), dt.date(2024, 1, 2)]), "2024-01-02"),
    ],
    ids=lambda value: str(value.dtype) if isinstance(value, pl.Series) else str(value),
)
def test_labels_of_every_type_are_understood(labels, positive, tmp_path):
    cases = read(pl.DataFrame({"label": labels, "score": SCORES}), tmp_path, positive=positive)
    assert cases.labels.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("scores", "values"),
    [
        (pl.Series([0.9, 0.1, 0.5]), [0.9, 0.1, 0.5]),
        (pl.Series([0.1, 0.2, 0.3], dtype=pl.Float32), [0.10000000149011612, 0.20000000298023224, 0.30000001192092896]),
        (pl.Series([3, 1, 2], dtype=pl.Int8), [3, 1, 2]),
        (pl.Series([2**63, 1, 2], dtype=pl.UInt64), [2.0**63, 1, 2]),
        (pl.Series([Decimal("0.9"), Decimal("0.1"), Decimal("0.5")]), [0.9, 0.1, 0.5]),
        (
            pl.Series([Decimal("0.30000000000000000001"), Decimal("0.1"), Decimal("0.7")], dtype=pl.Decimal(38, 20)),
            [0.3, 0.1, 0.7],
        ),
        (
            pl.Series([Decimal("1438617243.7029966511"), Decimal("0.1"), Decimal("0.7")], dtype=pl.Decimal(38, 10)),
            [1438617243.7029966511, 0.1, 0.7],
        ),
        (pl.Series(["0.9", " 1e-1 ", "inf"]), [0.9, 0.1, inf]),
        (pl.Series(["0.9", "0.1", "-5."]), [0.9, 0.1, -5.0]),
        (pl.Series([inf, -inf, -0.0]), [inf, -inf, -0.0]),
        (pl.Series([5e-324, 1e308, 0.1 + 0.2]), [5e-324, 1e308, 0.30000000000000004]),
    ],
    ids=lambda value: str(value.dtype) if isinstance(value, pl.Series) else "",
)
def test_scores_of_every_type_are_exact(scores, values, tmp_path):
    cases = read(pl.DataFrame({"label": [1, 0, 1], "score": scores}), tmp_path, score=("score",))
    assert cases.scores["score"].tolist() == values
    assert cases.scores["score"].dtype == float


def test_missing_values_are_an_error_that_names_the_rows(tmp_path):
    frame = pl.DataFrame({"label": [1, 0, None, 1, 0], "score": [0.9, None, 0.1, nan, 0.5]})
    assert refused(frame, tmp_path) == (
        "scores.parquet: 3 faults\n  row 2: score has no value\n  row 3: label has no value\n  row 4: score has no value\n"
        "  (na='drop' leaves out the rows without a value, and counts them)"
    )


@pytest.mark.parametrize(
    "labels",
    [[1, 0, None, 1, 0], [1.0, 0.0, nan, 1.0, 0.0], ["1", "0", "", "1", "0"], [True, False, None, True, False]],
)
def test_missing_values_can_be_left_out(labels, tmp_path):
    frame = pl.DataFrame({"label": labels, "score": [0.9, None, 0.1, nan, 0.5], "id": list("abcde")})
    cases = read(frame, tmp_path, na="drop")
    assert cases.scores["score"].tolist() == [0.9, 0.5]
    assert cases.ids.tolist() == ["a", "e"]
    assert cases.sources[0].dropped == 3


def test_an_infinity_is_no_missing_value(tmp_path):
    cases = read(pl.DataFrame({"label": [1, 0], "score": [inf, -inf]}), tmp_path, na="drop")
    assert cases.scores["score"].tolist() == [inf, -inf]


def test_a_slice_is_taken_by_any_type(tmp_path):
    frame = pl.DataFrame(
        {
            "label": [1, 0, 1, 0],
            "score": [0.9, 0.1, 5, 6],
            "site": pl.Series(["A", "A", "B", None], dtype=pl.Categorical),
            "year": [2020, 2020, 2021, 2021],
            "kept": [True, True, None, False],
        }
    )
    for where in (("site", "A"), ("year", "2020"), ("kept", "true")):
        conditions = parse_conditions(dict([where]), "where")
        assert read(frame, tmp_path, score=("score",), where=conditions).scores["score"].tolist() == [0.9, 0.1]
    assert refused(frame, tmp_path, score=("score",), where=parse_conditions({"kept": "x"}, "where")).endswith(
        "no row with kept=x (found kept: true, , false)"
    )


def test_the_columns_of_fractions_are_found(tmp_path):
    frame = pl.DataFrame({"label": [1, 0], "a": [0.9, 0.1], "b": ["1", "2"], "c": [0.5, 1], "d": [True, False]})
    assert read(frame, tmp_path, several=True).models == ("a", "c")
    assert refused(frame, tmp_path) == (
        "scores.parquet: which column is the score?\n  scores could be: a, c\n  try: score='a'"
    )


def test_names_between_blanks_are_found(tmp_path):
    assert read(pl.DataFrame({" label": [1, 0], "score ": [0.9, 0.1]}), tmp_path).models == ("score",)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("label", [b"1", b"0"]),
        ("score", [True, False]),
        ("score", ["x", "y"]),
        ("score", ["9" * 350, "9" * 400]),
        ("score", [dt.date(2024, 1, 2)] * 2),
        ("score", [dt.timedelta(1)] * 2),
    ],
)
def test_columns_of_other_types_are_an_error(column, value, tmp_path):
    frame = pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1]} | {column: value})
    message = refused(frame, tmp_path, score=("score",))
    if column == "label":
        assert message.startswith("scores.parquet: which value of label is the positive class?")
    else:
        assert message.startswith("scores.parquet: 2 faults\n  row 1: ")
        assert ("too large" if value[0] == "9" * 350 else "is not a number") in message


@pytest.mark.parametrize("column", ["id", "label", "score", "site"])
@pytest.mark.parametrize("cells", [[[1], [0]], [{"a": 1}, {"a": 2}]], ids=["lists", "structs"])
def test_nested_columns_are_refused_by_name(column, cells, tmp_path):
    frame = pl.DataFrame({"id": ["a", "b"], "label": [1, 0], "score": [0.9, 0.1], "site": ["x", "x"]} | {column: cells})
    message = refused(frame, tmp_path, score=("score",), where=parse_conditions({"site": "x"}, "where"))
    assert message == f"scores.parquet: column {column!r} is nested: lists and structs are not supported"


def test_a_column_of_nothing_is_an_error(tmp_path):
    frame = pl.DataFrame({"label": [1, 0], "score": [None, None]})
    assert "row 1: score has no value" in refused(frame, tmp_path, score=("score",))
    frame = pl.DataFrame({"label": [None, None], "score": [0.1, 0.9]})
    assert "row 1: label has no value" in refused(frame, tmp_path)


def test_ids_that_occur_twice_are_an_error(tmp_path):
    frame = pl.DataFrame({"id": [7, 8, 7], "label": [1, 0, 1], "score": SCORES})
    assert refused(frame, tmp_path).startswith("scores.parquet: row 3: id '7' is already on row 1")


def test_a_file_without_rows_is_an_error(tmp_path):
    frame = pl.DataFrame({"label": [], "score": []}, schema={"label": pl.Int8, "score": pl.Float64})
    assert refused(frame, tmp_path) == "scores.parquet: no rows below the header"


def test_many_faults_are_counted(tmp_path):
    frame = pl.DataFrame({"label": ["x", "y"] * 50_000 + ["1"], "score": [None, 0.5] * 50_000 + [0.5]})
    message = refused(frame, tmp_path)
    assert message.startswith("scores.parquet: 150000 faults\n  row 1: label 'x' is neither 0 nor 1\n")
    assert "\n  and 149995 more\n" in message


@pytest.mark.parametrize("name", ["scores[1]*.parquet", "year=2024/label=7.pq", "SCORES.PARQUET"])
def test_a_name_is_only_a_name(name, tmp_path):
    (tmp_path / "year=2024").mkdir()
    frame = pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1], "year": [1, 2]})
    cases = read(frame, tmp_path, name=name, score=("score", "year"))
    assert cases.scores["year"].tolist() == [1, 2]


def test_bytes_and_packed_bytes_are_read(tmp_path):
    import gzip

    pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1]}).write_parquet(tmp_path / "scores.parquet")
    content = (tmp_path / "scores.parquet").read_bytes()
    for source in (Input("pipe.parquet", None, content), Input("scores.parquet.gz", None, gzip.compress(content))):
        assert read_table(source, Wanted()).scores["score"].tolist() == [0.9, 0.1]


@pytest.mark.parametrize("keep", [4, 50, -1, -9])
def test_a_file_cut_short_is_an_error(keep, tmp_path):
    pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1]}).write_parquet(tmp_path / "whole.parquet")
    path = tmp_path / "scores.parquet"
    path.write_bytes((tmp_path / "whole.parquet").read_bytes()[:keep])
    with pytest.raises(InputError, match=r"scores.parquet: is not a parquet file \(.+\)"):
        read_table(find_input(str(path)), Wanted())


@pytest.mark.parametrize("command", ["sweep", "count"])
@pytest.mark.parametrize("column", ["id", "score"])
def test_a_small_file_of_much_text_does_not_fill_the_memory(command, column, rocconf, tmp_path):
    cells = {"id": list(map(str, range(20_000))), "label": [0, 1] * 10_000, "score": ["0.5"] * 20_000}
    cells[column] = [" " * 40_000 + "0.5"] * 20_000
    pl.DataFrame(cells).write_parquet(tmp_path / "scores.parquet")
    assert (tmp_path / "scores.parquet").stat().st_size < 1_000_000
    ran = rocconf(command, "scores.parquet", "--score", "score", "-o", "out.json")
    if (command, column) == ("count", "id"):  # which reads no ids
        assert ran.status == 0
    else:
        assert (ran.status, ran.out) == (2, "")
        assert "MiB of memory, and at most 512 MiB are read of a file of this size" in ran.err


def test_a_file_with_damaged_pages_is_an_error(tmp_path):
    path = tmp_path / "scores.parquet"
    pl.DataFrame({"label": [1, 0] * 500, "score": [row / 7 for row in range(1000)]}).write_parquet(path)
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 200 + content[204:])
    with pytest.raises(InputError, match=r"scores.parquet: the file is damaged \(.+\)"):
        read_table(find_input(str(path)), Wanted())


@pytest.mark.parametrize("only_counts", [True, False])
@pytest.mark.parametrize(
    "ids", [["a", "b", "c", "d", "a"], [7, 2, 3, 9, 7], ["a", "b", "", "d", "e"], ["a", "b", None, "d", "e"]]
)
def test_ids_that_repeat_or_are_missing_are_found_in_any_batch(ids, only_counts, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "BATCH", 2)
    pl.DataFrame({"id": ids, "label": [1, 0, 1, 0, 1], "score": [0.1, 0.2, 0.3, 0.4, 0.5]}).write_parquet(
        tmp_path / "a.parquet"
    )
    found = "row 3: the id has no value" if None in ids or "" in ids else f"row 5: id '{ids[0]}' is already on row 1"
    for keep_ids in (True, False):
        with pytest.raises(InputError, match=re.escape(found)):
            read_table(find_input(str(tmp_path / "a.parquet")), Wanted(only_counts=only_counts, keep_ids=keep_ids))
