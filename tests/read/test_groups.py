"""Columns that divide the cases into groups: the text of a cell is its group, in every form of input."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocconf
from rocconf.errors import InputError, RocconfError, UsageError
from rocconf.read.groups import MOST_GROUPS
from rocconf.records import Grouping

CELLS = ["north", "10", "", "north ", "9", "South", "north", "", "10", "south"]


def table(cells=CELLS, **columns):
    n = len(cells)
    return pl.DataFrame(
        {
            "id": range(n),
            "label": [(at // 10 + at) % 2 for at in range(n)],
            "score": [at / n for at in range(n)],
            **columns,
        }
        | {"region": cells}
    )


def written(folder, cells=CELLS, name="cases.csv", **columns):
    frame, path = table(cells, **columns), folder / name
    write = {"csv": "write_csv", "parquet": "write_parquet", "feather": "write_ipc", "jsonl": "write_ndjson"}
    getattr(frame, write[path.suffix[1:]])(path)
    return path


def groups(path, **options):
    (found,) = rocconf.read_predictions(path, by="region", **options).groups
    return [found.names[place] for place in found.places]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "feather", "jsonl"])
def test_the_text_of_a_cell_is_its_group_in_every_form(tmp_path, suffix):
    assert groups(written(tmp_path, name=f"cases.{suffix}")) == CELLS


def test_groups_of_a_data_frame_are_those_of_its_file():
    frame = pd.DataFrame(table().to_dict(as_series=False))
    (found,) = rocconf.read_frame(frame, by=["region"]).groups
    assert [found.names[place] for place in found.places] == CELLS


def test_numbers_come_before_words_by_size_and_the_empty_cell_comes_last(tmp_path):
    (found,) = rocconf.read_predictions(written(tmp_path), by="region").groups
    assert found.names == ("9", "10", "South", "north", "north ", "south", "")


@pytest.mark.parametrize("cell", ["north", "10", "", "north ", "south"])
def test_a_group_has_the_cases_of_where(tmp_path, cell):
    path = written(tmp_path, CELLS * 3)
    whole = rocconf.read_predictions(path, by="region")
    (found,) = whole.groups
    kept = found.places == found.names.index(cell)
    part = rocconf.read_predictions(path, where=[f"region={cell}"])
    assert (whole.labels[kept].tolist(), whole.scores["score"][kept].tolist()) == (
        part.labels.tolist(),
        part.scores["score"].tolist(),
    )


def test_rows_that_are_dropped_are_in_no_group(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("label,score,region\n1,0.9,a\n,0.8,b\n0,,c\n0,0.1,d\n1,0.3,a\n")
    assert groups(path, na="drop") == ["a", "d", "a"]


def test_rows_that_where_leaves_out_are_in_no_group(tmp_path):
    assert groups(written(tmp_path), where=["region!=north"]) == [cell for cell in CELLS if cell != "north"]


def test_a_column_of_groups_is_not_taken_for_a_score(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("label,p_churn,region\n1,0.9,0.25\n0,0.1,0.5\n")
    assert rocconf.read_predictions(path, by="region").models == ("p_churn",)


def test_a_column_with_a_value_for_every_case_is_refused(tmp_path):
    cells = [f"user {at}" for at in range(MOST_GROUPS + 1)]
    with pytest.raises(InputError, match=r"more than 500 values \(user 0, .*names cases rather than groups"):
        groups(written(tmp_path, cells))
    assert len(set(groups(written(tmp_path, cells[:-1])))) == MOST_GROUPS


def test_its_values_are_not_shown_where_examples_are_not(tmp_path):
    path = written(tmp_path, [f"user {at}" for at in range(MOST_GROUPS + 1)])
    with rocconf.without_examples(), pytest.raises(InputError) as caught:
        groups(path)
    assert "user" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by": "label"}, "cannot be groups of cases and the label or a score"),
        ({"by": "score", "score": "score"}, "cannot be groups of cases and the label or a score"),
        ({"by": ["region", "region"]}, "named twice"),
        ({"by": "region", "model": "id"}, "a file with one row for each case"),
    ],
)
def test_a_column_of_groups_has_no_other_use(tmp_path, options, said):
    with pytest.raises(UsageError, match=said):
        rocconf.read_predictions(written(tmp_path), **options)


def test_a_column_that_is_not_there_is_an_error_with_those_that_are(tmp_path):
    with pytest.raises(InputError, match=r"no column 'regoin'.*region"):
        rocconf.read_predictions(written(tmp_path), by="regoin")


def test_two_files_pair_by_id_with_their_groups(tmp_path):
    one = rocconf.read_predictions(written(tmp_path), score="score", by="region")
    reverse = tmp_path / "other.csv"
    table().reverse().rename({"score": "other"}).write_csv(reverse)
    other = rocconf.read_predictions(reverse, score="other", by="region")
    assert rocconf.pair([one, other]).groups == one.groups


def test_two_files_that_differ_in_a_group_are_refused(tmp_path):
    one = rocconf.read_predictions(written(tmp_path), score="score", by="region")
    reverse = tmp_path / "other.csv"
    table(["south", *CELLS[1:]]).reverse().rename({"score": "other"}).write_csv(reverse)
    other = rocconf.read_predictions(reverse, score="other", by="region")
    with pytest.raises(InputError, match=r"id '0' has region 'north' in .* and 'south' in"):
        rocconf.pair([one, other])
    with pytest.raises(UsageError, match="different columns of groups"):
        rocconf.pair([one, rocconf.read_predictions(reverse, score="other")])


def test_groups_are_places_of_distinct_values():
    assert Grouping.of("fold", [2, 10, 2]).places.tolist() == [0, 1, 0]
    with pytest.raises(RocconfError, match="different names"):
        Grouping("fold", ("a", "a"), np.array([0]))
    with pytest.raises(RocconfError, match="the places of 1 values"):
        Grouping("fold", ("a",), np.array([1]))
