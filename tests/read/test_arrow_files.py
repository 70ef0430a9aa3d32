"""Arrow files and streams mean what their types say, as parquet does."""

import gzip
from io import BytesIO

import polars as pl
import pytest

from rocconf.errors import InputError
from rocconf.read import Input, Wanted, read_predictions, read_table

FRAME = pl.DataFrame({"label": [True, False, True], "score": [0.9, 0.1, 0.5], "id": ["a", "b", "c"]})


def stored(frame, form="file", **options):
    stream = BytesIO()
    (frame.write_ipc if form == "file" else frame.write_ipc_stream)(stream, **options)
    return stream.getvalue()


def read(data, name="scores.feather", **options):
    return read_table(Input(name, None, data), Wanted(**options))


def refused(data, **options):
    with pytest.raises(InputError) as caught:
        read(data, **options)
    return str(caught.value)


@pytest.mark.parametrize("name", ["a.feather", "a.arrow", "a.ipc"])
@pytest.mark.parametrize("form", ["file", "stream"])
@pytest.mark.parametrize("compression", ["uncompressed", "zstd", "lz4"])
def test_files_and_streams_are_read_under_every_suffix(tmp_path, name, form, compression):
    path = tmp_path / name
    path.write_bytes(stored(FRAME, form, compression=compression))
    cases = read_predictions(path)
    assert cases.labels.tolist() == [True, False, True]
    assert cases.scores["score"].tolist() == [0.9, 0.1, 0.5]
    assert cases.ids.tolist() == ["a", "b", "c"]


def test_a_compressed_file_is_unpacked():
    assert read(gzip.compress(stored(FRAME)), name="a.feather.gz").labels.sum() == 2


def test_texts_that_repeat_may_be_stored_as_numbers():
    frame = FRAME.with_columns(label=pl.Series(["ill", "well", "ill"], dtype=pl.Categorical))
    assert read(stored(frame), positive="ill").labels.tolist() == [True, False, True]


def test_faults_have_their_rows():
    frame = FRAME.with_columns(score=pl.Series([0.9, None, float("nan")]))
    assert "row 2: score has no value\n  row 3: score has no value" in refused(stored(frame))
    assert read(stored(FRAME.with_columns(score=pl.Series([0.9, 0.1, None]))), na="drop").sources[0].dropped == 1
    frame = FRAME.with_columns(score=pl.Series(["0.9", "0,1", "high"]))
    assert "row 2: score '0,1' is not a number" in refused(stored(frame))
    assert "column 'score' is nested" in refused(stored(FRAME.with_columns(score=pl.Series([[0.9], [0.1], [0.5]]))))


@pytest.mark.parametrize("data", [b"", b"ARROW1\0\0", b"label,score\n1,0.9\n", stored(FRAME)[:-30]])
def test_what_is_no_arrow_file_is_refused(data):
    assert refused(data).startswith("scores.feather: is neither an Arrow (Feather) file nor an Arrow stream (")


def test_a_csv_that_is_a_feather_file_is_told_its_suffix():
    assert "this is not text but a feather file, whose name must end in .feather" in refused(
        stored(FRAME), name="a.csv"
    )
