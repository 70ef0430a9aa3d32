"""Columns in the paths of files: usable where they are named, never guessed, and never against a column of the file."""

import json

import numpy as np
import polars as pl
import pytest

import rocconf as package
from rocconf.conditions import parse_conditions
from rocconf.read import InputError, Wanted, find_input, read_table
from rocconf.read.columns import TextCells
from rocconf.read.partitions import SameCells, partitions_of

DAYS = ("2026-11-01", "2026-11-02", "2026-11-03")


@pytest.fixture(autouse=True)
def lake(tmp_path):
    """Cases of three days in folders, in two forms, and the same in one file."""
    frames = []
    for k, day in enumerate(DAYS):
        folder = tmp_path / "lake" / f"day={day}" / "site=a%2Fb"
        folder.mkdir(parents=True)
        rows = [(at % 2, (at * 7 % 10 + k) / 16) for at in range(60)]
        frame = pl.DataFrame(rows, schema=["label", "score"], orient="row")
        frame.write_csv(folder / "part.csv") if k else frame.write_parquet(folder / "part.parquet")
        frames.append(frame.with_columns(day=pl.lit(day), site=pl.lit("a/b")))
    pl.concat(frames).write_csv(tmp_path / "all.csv")


def answer(ran):
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    del found["inputs"], found["digest"]
    return found


def test_partitions_are_groups(rocconf, tmp_path):
    for source, name in (("lake", "path.csv"), ("lake/*/*/part.*", "glob.csv"), ("all.csv", "column.csv")):
        ran = rocconf("count", source, "--by", "day", "--by", "site", "-o", name, "-q")
        assert ran.status == 0, ran.err
    texts = {(tmp_path / name).read_text() for name in ("path.csv", "glob.csv", "column.csv")}
    assert len(texts) == 1
    assert pl.read_csv(tmp_path / "path.csv")["day"].unique().sort().to_list() == list(DAYS)


@pytest.mark.parametrize("condition", ["day=2026-11-02", "day!=2026-11-01", "site=a/b"])
def test_partitions_choose_files(condition, rocconf, tmp_path):
    for source, name in (("lake", "path.csv"), ("all.csv", "column.csv")):
        ran = rocconf("count", source, "--where", condition, "-o", name, "-q")
        assert ran.status == 0, ran.err
    assert (tmp_path / "path.csv").read_text() == (tmp_path / "column.csv").read_text()


def test_a_condition_that_no_path_meets_is_an_error(rocconf, tmp_path):
    ran = rocconf("count", "lake", "--where", "day=2026-11-09", "-o", "x.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "day=2026-11-09" in ran.err
    assert "day=2026-11-01, day=2026-11-02" in ran.err
    assert not (tmp_path / "x.csv").exists()


def test_every_command_knows_the_columns_of_a_path(rocconf):
    name = f"lake/day={DAYS[1]}/site=a%2Fb/part.csv"
    line = ("--format", "json", "--isolated")
    of_path = answer(rocconf("sweep", name, "--where", f"day={DAYS[1]}", "--by", "site", *line))
    of_column = answer(rocconf("sweep", "all.csv", "--where", f"day={DAYS[1]}", "--by", "site", *line))
    assert of_path == of_column
    assert rocconf("sweep", name, "--where", f"day={DAYS[0]}", *line).status == 2


def test_counts_of_days_are_groups_by_their_paths(rocconf, tmp_path):
    for day in DAYS:
        folder = tmp_path / "counts" / f"day={day}"
        folder.mkdir(parents=True)
        rocconf("count", "all.csv", "--where", f"day={day}", "-o", str(folder / "counts.parquet"), "-q")
    assert rocconf("count", "counts", "--by", "day", "-o", "days.csv", "-q").status == 0
    assert rocconf("count", "lake", "--by", "day", "-o", "expected.csv", "-q").status == 0
    assert (tmp_path / "days.csv").read_text() == (tmp_path / "expected.csv").read_text()


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_column_that_differs_from_the_path_is_an_error(form, rocconf, tmp_path):
    folder = tmp_path / "lake" / f"day={DAYS[0]}"
    frame = pl.read_csv(tmp_path / "all.csv")
    getattr(frame, f"write_{form}")(folder / f"more.{form}")
    for words in (("--by", "day"), ("--where", f"day={DAYS[0]}")):
        ran = rocconf("count", "lake", *words, "-o", "x.csv")
        assert (ran.status, ran.out) == (2, "")
        assert f"more.{form}: column 'day' has '2026-11-02', but the path says '2026-11-01'" in ran.err
        assert not (tmp_path / "x.csv").exists()
    getattr(frame.filter(pl.col("day") == DAYS[0]), f"write_{form}")(folder / f"more.{form}")
    assert rocconf("count", str(folder / f"more.{form}"), "--by", "day").status == 0


def test_what_is_not_named_is_not_there(tmp_path):
    folder = tmp_path / "label=1" / "score=0.5" / "model=a"
    folder.mkdir(parents=True)
    (folder / "x.csv").write_text("label,score\n1,0.25\n0,0.125\n")
    cases = read_table(find_input(str(folder / "x.csv")), Wanted())
    assert cases.scores["score"].tolist() == [0.25, 0.125]
    (folder / "y.csv").write_text("score\n0.25\n0.125\n")
    with pytest.raises(InputError, match="label"):
        read_table(find_input(str(folder / "y.csv")), Wanted())
    with pytest.raises(InputError, match="no column 'label'"):
        read_table(find_input(str(folder / "y.csv")), Wanted(label="label"))


def test_values_of_paths_are_decoded():
    assert partitions_of("a=1/b%3D=x%20y/c=__HIVE_DEFAULT_PARTITION__/=2/d/e=3.csv") == {"a": "1", "b=": "x y", "c": ""}


def test_numbers_of_paths_are_compared(tmp_path):
    for k in (9, 10):
        (tmp_path / f"hour={k}").mkdir()
        (tmp_path / f"hour={k}" / "x.csv").write_text(f"label,score\n1,0.{k}\n0,0.125\n")
    wanted = Wanted(where=parse_conditions("hour>=10", "where"))
    assert len(read_table(find_input(str(tmp_path / "hour=10" / "x.csv")), wanted)) == 2
    with pytest.raises(InputError):
        read_table(find_input(str(tmp_path / "hour=9" / "x.csv")), wanted)


@pytest.mark.parametrize("cell", ["7", "a", ""])
def test_equal_cells_are_those_of_the_text(cell):
    same, text = SameCells(cell, 3), TextCells([cell] * 3)
    notes = [], []
    numbers = [
        cells.numbers(lambda *note, kept=kept: kept.append(note[0]))
        for cells, kept in zip((same, text), notes, strict=True)
    ]
    assert np.array_equal(*numbers, equal_nan=True)
    assert notes[0] == notes[1]
    assert (same.distinct(), same.texts()) == (text.distinct(), text.texts())
    assert np.array_equal(same.coded({cell: 5}), text.coded({cell: 5}))
    assert same.places()[0] == text.places()[0]
    assert same.places()[1].tolist() == text.places()[1].tolist()
    assert same.where(np.array([True, False, True])).texts() == [cell] * 2


def test_python_reads_the_columns_of_a_path(tmp_path):
    name = tmp_path / "lake" / f"day={DAYS[0]}" / "site=a%2Fb" / "part.parquet"
    cases = package.read_predictions(name, by="day")
    assert cases.groups[0].names == (DAYS[0],)
