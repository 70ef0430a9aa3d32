"""What cannot be opened is an error, and nothing in a file makes a traceback."""

import contextlib
import gzip
import io
import os
import sys

import polars as pl
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.errors import InputError, RocconfError
from rocconf.read import Input, Wanted, find_input, read_counts, read_predictions, read_table

GOOD = b"label,score\n1,0.9\n0,0.1\n"


def refused(call, *args, **options):
    with pytest.raises(InputError) as caught:
        call(*args, **options)
    return str(caught.value)


def test_a_missing_file_is_an_error_that_suggests_a_similar_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_bytes(GOOD)
    (tmp_path / "else.txt").write_bytes(GOOD)
    assert refused(find_input, "score.csv") == "score.csv: no such file; did you mean 'scores.csv'?"
    assert refused(find_input, "./Scores.csv") == "./Scores.csv: no such file; did you mean 'scores.csv'?"


def test_a_missing_file_without_a_similar_name_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(find_input, "scores.csv") == "scores.csv: no such file"


def test_a_missing_folder_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(find_input, "data/scores.csv") == "data/scores.csv: no such file (there is no folder 'data')"


@pytest.mark.parametrize("folder", [".", "", "data", "data.csv"])
def test_a_folder_is_an_error(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data.csv").mkdir()
    assert refused(find_input, folder) == f"{folder}: is a folder, not a file"


def test_a_link_to_nothing_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.csv").symlink_to("nothing.csv")
    assert refused(find_input, "link.csv").startswith("link.csv: no such file")


def test_links_in_a_circle_are_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").symlink_to("b.csv")
    (tmp_path / "b.csv").symlink_to("a.csv")
    assert refused(find_input, "a.csv").startswith("a.csv: ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_bytes(GOOD)
    (tmp_path / "scores.csv").chmod(0)
    assert refused(find_input, "scores.csv") == "scores.csv: cannot be read (Permission denied)"


def test_a_refusal_to_open_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_bytes(GOOD)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert refused(find_input, "scores.csv") == "scores.csv: cannot be read (Permission denied)"


@pytest.mark.parametrize(("name", "shown"), [("x" * 300 + ".csv", "x" * 300 + ".csv"), ("a\0b.csv", r"a\x00b.csv")])
def test_a_name_that_no_file_can_have_is_an_error(name, shown):
    assert refused(find_input, name).startswith(f"{shown}: ")


def test_closed_standard_input_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert refused(find_input, "-") == "-: standard input is closed"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "-: the file is empty; its first line must name the columns"),
        (GOOD + b"x,1\n", "-: line 4: label 'x' is neither 0 nor 1"),
        (gzip.compress(GOOD, mtime=0), "-: line 1: this is not text but a gz file, whose name must end in .gz"),
    ],
)
def test_bad_standard_input_is_an_error(content, message, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert refused(read_predictions, "-").startswith(message)


def test_a_file_that_vanishes_while_it_is_read_is_an_error(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(GOOD)
    source = find_input(str(path))
    path.unlink()
    assert refused(read_table, source, Wanted()) == f"{path}: cannot be read (No such file or directory)"


def parquet_bytes():
    packed = io.BytesIO()
    pl.DataFrame({"label": [1, 0] * 50, "score": [row / 7 for row in range(100)]}).write_parquet(packed)
    return packed.getvalue()


WHOLE = {
    "scores.csv": GOOD * 3,
    "scores.csv.gz": gzip.compress(GOOD, mtime=0),
    "scores.csv.zst": zstandard.compress(GOOD),
    "scores.parquet": parquet_bytes(),
}


@examples(300)
@given(
    name=st.sampled_from(sorted(WHOLE)),
    damage=st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=3)), max_size=3),
    end=st.one_of(st.none(), st.integers(0, 10_000)),
)
def test_a_damaged_file_is_read_or_refused(name, damage, end):
    content = WHOLE[name]
    for at, other in damage:
        start = at % len(content)
        content = content[:start] + other + content[start + len(other) :]
    read_or_refused(name, content[: None if end is None else end % len(content)])


@examples(100)
@given(name=st.sampled_from(sorted(WHOLE)), content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(name, content):
    read_or_refused(name, content)


def read_or_refused(name, content):
    source = Input(name, None, content)
    with contextlib.suppress(RocconfError):
        read_table(source, Wanted())


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_compressed_file_cut_short_is_an_error(suffix, cut):
    text = b"label,score\n" + b"".join(b"%d,%d\n" % (row % 2, row * row % 9973) for row in range(100_000))
    packed = gzip.compress(text) if suffix == ".gz" else zstandard.compress(text)
    message = refused(read_table, Input(f"scores.csv{suffix}", None, packed[:-cut]), Wanted())
    assert "from here on the file is damaged" in message


@pytest.mark.parametrize("call", [read_predictions, read_counts])
def test_the_public_readers_take_paths(call, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("score,positives,negatives,label\n1,2,3,1\n0,3,2,0\n")
    assert call(path, **({"score": "score"} if call is read_predictions else {}))
