"""Counting files in batches: the same as reading all cases, whatever the batches, the form and the order."""

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.counted import Counted
from rocconf.errors import InputError
from rocconf.read import Wanted, count_files, find_files, find_input, parquet, source, tally
from rocconf.read.delimited import quick

SCORES = st.one_of(st.sampled_from([0.0, -0.0, 0.5, np.inf, -np.inf, 5e-324, 1 + 2e-16]), st.floats(allow_nan=False))
CASES = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=60)
WRITERS = {
    "csv": pl.DataFrame.write_csv,
    "parquet": lambda frame, path: frame.write_parquet(path, row_group_size=7),
    "feather": pl.DataFrame.write_ipc,
    "stream.arrow": pl.DataFrame.write_ipc_stream,
}


@pytest.fixture
def small_batches(monkeypatch, tmp_path):
    """Read some rows at a time, and merge often."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parquet, "BATCH", 5)
    monkeypatch.setattr(parquet, "PIECE", 3)
    monkeypatch.setattr(parquet, "LEAST_PIECE", 2)
    monkeypatch.setattr(quick, "CHUNK", 40)
    monkeypatch.setattr(tally, "MOST_PENDING", 8)
    monkeypatch.setattr(tally, "FEWEST", 2)


def count_groups(*files, **wanted):
    return count_files(list(map(find_input, files)), Wanted(**{"label": "label", "several": True, **wanted}))


def count(*files, **wanted):
    return tuple(each.whole for each in count_groups(*files, **wanted))


def by_hand(cases):
    """Return the positives and negatives of each score, as a dictionary counts them."""
    of_class = {label: Counter(score + 0.0 for which, score in cases if which == label) for label in (True, False)}
    return {
        score: (of_class[True][score], of_class[False][score])
        for score in of_class[True].keys() | of_class[False].keys()
    }


def found(counts):
    columns = (counts.scores.tolist(), counts.positives.tolist(), counts.negatives.tolist())
    return {score: (positives, negatives) for score, positives, negatives in zip(*columns, strict=True)}


def written(cases, name):
    frame = pl.DataFrame(
        {"label": [int(label) for label, _ in cases], "score": [score for _, score in cases]},
        schema={"label": pl.Int8, "score": pl.Float64},
    )
    form = name.partition(".")[2]
    WRITERS[form](frame, name)
    return name


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.usefixtures("small_batches")
@examples(40)
@given(parts=st.lists(CASES, min_size=1, max_size=3, unique_by=len))  # copies are refused
def test_files_add_up_to_what_a_dictionary_counts(form, parts):
    files = [written(cases, f"{at}.{form}") for at, cases in enumerate(parts)]
    (counts,) = count(*files)
    every = [case for cases in parts for case in cases]
    assert found(counts) == by_hand(every)
    assert (counts.n, counts.p) == (len(every), sum(label for label, _ in every))
    assert [source.n for source in counts.sources] == list(map(len, parts))
    again = count(*reversed(files))[0]
    assert again == counts


@pytest.mark.usefixtures("small_batches")
def test_counts_of_counts_are_counts_of_the_cases():
    cases = [(at % 3 == 0, at % 7 / 7) for at in range(50)]
    files = [written(cases[:20], "0.csv"), written(cases[20:], "1.csv")]
    for at, file in enumerate(files):
        (counts,) = count(file)
        pl.DataFrame(Counted(counts).table().records()).write_parquet(f"day{at}.parquet")
    whole = count(*files)[0]
    assert count("day0.parquet", "day1.parquet", label=None)[0] == whole
    assert count("day0.parquet", "1.csv", label=None)[0] == whole


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.jsonl"])
@pytest.mark.usefixtures("small_batches")
def test_a_bad_cell_in_a_late_batch_is_found_with_its_line(name):
    rows = [f"{at % 2},0.{at}" for at in range(1, 30)]
    rows[25] = "1,abc"
    text = "label,score\n" + "\n".join(rows) + "\n"
    if name.endswith("jsonl"):
        text = "".join(f'{{"label": {row.partition(",")[0]}, "score": "{row.partition(",")[2]}"}}\n' for row in rows)
    Path(name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    with pytest.raises(InputError, match=rf"{'line 26' if name.endswith('jsonl') else 'line 27'}.*abc"):
        count(name)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("1,0.5,extra\n", "line 32"),
        ('1,"0.5\n"\n', None),
        ("2,0.5\n", "'2'"),
        (",0.5\n", "line 32"),
    ],
)
@pytest.mark.usefixtures("small_batches")
def test_what_one_batch_cannot_show_is_read_with_care(bad, said):
    text = "label,score\n" + "".join(f"{at % 2},0.{at}\n" for at in range(30)) + bad
    Path("a.csv").write_text(text)
    if said is None:
        assert count("a.csv")[0].n == 31
        return
    with pytest.raises(InputError, match=said):
        count("a.csv")


@pytest.mark.usefixtures("small_batches")
def test_a_third_label_in_another_file_is_refused():
    for at, labels in enumerate((("yes", "no"), ("no",), ("yes", "maybe"))):
        Path(f"{at}.csv").write_text("label,score\n" + "".join(f"{label},0.5\n" for label in labels))
    assert count("0.csv", "1.csv", positive="yes")[0].n == 3
    with pytest.raises(InputError, match=r"2\.csv.*maybe"):
        count("0.csv", "1.csv", "2.csv", positive="yes")
    with pytest.raises(InputError, match="no label equals positive='Yes!'"):
        count("0.csv", "1.csv", positive="Yes!", rest=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label,score\n", "no rows"),
        ("label,other\n1,0.5\n", "score"),
        ("y,score\n1,0.5\n", "label"),
        ("", "empty"),
    ],
)
@pytest.mark.usefixtures("small_batches")
def test_one_file_of_many_is_named_in_its_error(text, said):
    Path("good.csv").write_text("label,score\n1,0.5\n0,0.4\n")
    Path("bad.csv").write_text(text)
    with pytest.raises(InputError, match=rf"bad\.csv(.|\n)*{said}"):
        count("good.csv", "bad.csv", score=("score",))


@pytest.mark.usefixtures("small_batches")
def test_files_have_the_same_models():
    Path("a.csv").write_text("label,old,new\n1,0.5,0.6\n0,0.4,0.1\n")
    Path("b.csv").write_text("label,score\n1,0.5\n0,0.4\n")
    assert [counts.model for counts in count("a.csv", score=("old", "new"))] == ["old", "new"]
    with pytest.raises(InputError, match=r"b\.csv: the scores are score, but old, new in a\.csv"):
        count("a.csv", "b.csv")


def test_a_folder_or_a_pattern_stands_for_its_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("day=2/b.csv", "day=1/a.csv.gz", "day=1/_SUCCESS", "day=1/.c.csv", "_tmp/d.csv", "note.txt.bak"):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert find_files("data") == ["data/day=1/a.csv.gz", "data/day=2/b.csv"]
    assert find_files("data/*/*.csv") == ["data/_tmp/d.csv", "data/day=2/b.csv"]
    assert find_files("one.csv") == ["one.csv"]
    Path("a[1].csv").touch()
    assert find_files("a[1].csv") == ["a[1].csv"]
    Path("empty").mkdir()
    for nothing in ("empty", "*.parquet"):
        with pytest.raises(InputError, match="there is no table"):
            find_files(nothing)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.feather", "a.csv.gz"])
@pytest.mark.usefixtures("small_batches")
def test_progress_is_told_by_bytes_and_each_byte_once(name, monkeypatch):
    monkeypatch.setattr(source, "PIECE", 50)
    monkeypatch.setattr(parquet, "BATCH", 500)
    monkeypatch.setattr(quick, "CHUNK", 5000)
    written([(at % 2 == 0, at / 97) for at in range(3000)], "a.csv")
    if name == "a.csv.gz":
        Path(name).write_bytes(gzip.compress(Path("a.csv").read_bytes()))
    elif name != "a.csv":
        WRITERS[name.removeprefix("a.")](pl.read_csv("a.csv"), name)
    told = []
    count_files([find_input(name)], Wanted(label="label", several=True), progress=told.append)
    assert sum(told) == Path(name).stat().st_size
    assert min(told) > 0
    assert (len(told) > 3) is (name != "a.csv.gz")


@pytest.mark.usefixtures("small_batches")
def test_a_fault_has_the_row_of_the_file_and_not_of_the_batch():
    frame = pl.DataFrame({"label": [0, 1] * 6 + [7], "score": np.arange(13.0)})
    frame.write_parquet("a.parquet", row_group_size=4)
    with pytest.raises(InputError, match="row 13: label '7'"):
        count("a.parquet")
