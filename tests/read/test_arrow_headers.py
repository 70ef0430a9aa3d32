"""An Arrow file or stream must be possible by what it says of itself, before an engine believes it."""

import gzip
import random
import struct
from inspect import signature
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.errors import InputError, RocconfError
from rocconf.read import Input, Wanted, find_input, read_predictions, read_table
from rocconf.read.arrow_headers import FILE, TAIL, Table, read_headers, root_of
from rocconf.read.series import SeriesCells
from rocconf.read.source import DamagedError

CORPUS = sorted((Path(__file__).parents[2] / "fuzz" / "corpus" / "arrow").iterdir())
FRAME = pl.DataFrame(
    {
        "label": ["ill", "well"] * 12,
        "score": [row / 24 for row in range(24)],
        "id": [f"case-{row:020d}" for row in range(24)],
        "none": [None] * 24,
        "lists": [[row] for row in range(24)],
        "records": [{"a": row, "b": str(row)} for row in range(24)],
        "array": pl.Series([[row, row] for row in range(24)], dtype=pl.Array(pl.Int8, 2)),
    }
)
OLDEST, NEWEST = pl.CompatLevel.oldest(), pl.CompatLevel.newest()


def stored(frame=FRAME, form="file", **options):
    stream = BytesIO()
    (frame.write_ipc if form == "file" else frame.write_ipc_stream)(stream, **options)
    return stream.getvalue()


OF_TEN = {"record_batch_size": 10} if "record_batch_size" in signature(pl.DataFrame.write_ipc).parameters else {}
PLAIN = stored(pl.concat([FRAME[:10], FRAME[10:20], FRAME[20:]], rechunk=False), **OF_TEN)
"""A file of three batches."""
PACKED = stored(compression="lz4")
STREAM = stored(form="stream")
STREAM_END = b"\xff\xff\xff\xff\0\0\0\0"


def read(data, **options):
    options = {"label": "label", "score": ("score",), "positive": "ill"} | options
    return read_table(Input("s.arrow", None, data), Wanted(**options))


def refused(data, **options):
    with pytest.raises(InputError) as caught:
        read(data, **options)
    return str(caught.value).removeprefix("s.arrow: ")


def place_in_batch(data, field, *, of=0, item=0):
    """Return where a field of a batch lies, or where its records begin."""
    batch = read_headers(data).batches[of]
    at = batch.header.place(field)
    start = batch.body - len(batch.header.content)
    if item is None:
        return start + at
    return start + at + struct.unpack_from("<I", batch.header.content, at)[0] + 4 + 16 * item


def footer_of(data):
    """Return the footer, and where it begins."""
    size = struct.unpack_from("<i", data, len(data) - TAIL)[0]
    start = len(data) - TAIL - size
    return root_of(data[start:-TAIL]), start


def patched(data, at, form, value):
    changed = bytearray(data)
    struct.pack_into(form, changed, at, value)
    return bytes(changed)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("level", [OLDEST, NEWEST], ids=["oldest", "newest"])
@pytest.mark.parametrize("form", ["file", "stream"])
@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["ill", "well"])], ids=str)
def test_every_form_that_polars_writes_is_read(form, level, compression, kind):
    frame = FRAME.with_columns(pl.col("label").cast(kind))
    cases = read(stored(frame, form, compression=compression, compat_level=level), id="id")
    assert cases.labels.tolist() == [True, False] * 12
    assert cases.scores["score"].tolist() == FRAME["score"].to_list()
    assert cases.ids.tolist() == FRAME["id"].to_list()


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_files_of_every_writer_are_read(path):
    assert read_headers(path).rows == 24
    assert len(read_table(find_input(str(path)), Wanted(label="label", score=("score",))).labels) == 24


def test_a_path_is_no_pattern(tmp_path):
    for name in ("s[1].arrow", "s1.arrow", "*.arrow"):
        (tmp_path / name).write_bytes(stored(FRAME.with_columns(id=pl.lit(name) + pl.col("id"))))
    for name in ("s[1].arrow", "*.arrow"):
        cases = read_table(find_input(str(tmp_path / name)), Wanted(label="label", positive="ill", id="id"))
        assert cases.ids.tolist() == [name + case for case in FRAME["id"]]


def test_the_size_of_a_column_is_that_of_its_buffers():
    content = read_headers(stored(compression="uncompressed", compat_level=OLDEST))
    assert content.decoded_size("score") == 24 * 8
    assert content.decoded_size("id") >= 24 * 25 + 25 * 8
    assert read_headers(PACKED).decoded_size("id") >= 24 * 25


@pytest.mark.skipif(not OF_TEN, reason="this polars writes one batch")
def test_a_batch_that_the_footer_leaves_out_is_missed():
    footer, start = footer_of(PLAIN)
    at = footer.place(3)
    vector = start + at + struct.unpack_from("<I", footer.content, at)[0]
    assert struct.unpack_from("<I", PLAIN, vector) == (3,)
    assert refused(patched(PLAIN, vector, "<I", 2)) == (
        "is neither an Arrow (Feather) file nor an Arrow stream (its footer does not name every batch of rows once)"
    )
    again = patched(PLAIN, vector + 4 + 24, "<q", struct.unpack_from("<q", PLAIN, vector + 4)[0])
    assert "its footer" in refused(again)
    assert "its footer and a batch of rows differ" in refused(patched(PLAIN, vector + 4 + 8, "<i", 8))
    assert "the batches of its footer are longer than the file" in refused(patched(PLAIN, vector + 20, "<q", 2**61))
    assert "its footer and a batch of rows differ" in refused(patched(PLAIN, vector + 4, "<q", -8))


@pytest.mark.skipif(not OF_TEN, reason="this polars writes one batch")
def test_a_batch_with_other_rows_than_its_columns_is_refused():
    at = place_in_batch(PLAIN, 0, item=None)
    assert "the file is damaged (column 'label' has 10 values in a batch of 4 rows)" in refused(
        patched(PLAIN, at, "<q", 4)
    )
    assert "(the rows of a batch: -4)" in refused(patched(PLAIN, at, "<q", -4))
    at = place_in_batch(PLAIN, 1, of=2, item=1)
    assert "(column 'score' has 5 values in a batch of 4 rows)" in refused(patched(PLAIN, at, "<q", 5))
    assert "(5 of 4 values are missing)" in refused(patched(PLAIN, at + 8, "<q", 5))
    assert "(-1 of 4 values are missing)" in refused(patched(PLAIN, at + 8, "<q", -1))


@pytest.mark.parametrize(("offset", "value"), [(0, -8), (0, 2**40), (8, -1), (8, 2**61)])
def test_a_buffer_outside_its_batch_is_refused(offset, value):
    at = place_in_batch(PLAIN, 2, item=2) + offset
    assert refused(patched(PLAIN, at, "<q", value)) == "the file is damaged (a buffer lies outside its batch)"


@pytest.mark.parametrize("size", [2**61, 2**34, -2])
def test_a_packed_buffer_does_not_claim_more_than_may_be_read(size):
    headers = read_headers(PACKED)
    score = next(at for at, column in enumerate(headers.columns) if column.name == "score")
    assert score == 1
    batch = headers.batches[0]
    starts = [struct.unpack_from("<qq", PACKED, place_in_batch(PACKED, 2, item=item)) for item in range(8)]
    at = next(
        start
        for start, length in starts
        if length and PACKED[batch.body + start : batch.body + start + 8] == struct.pack("<q", 192)
    )
    said = refused(patched(PACKED, batch.body + at, "<q", size))
    assert said == (
        "the file is damaged (the size of a buffer: -2)"
        if size < 0
        else f"the columns that are read take {size / 2**30:.1f} GiB of memory, and at most 512 MiB are read of a file of this size"
    )


def test_rows_without_bytes_do_not_fill_the_memory():
    at = place_in_batch(STREAM, 0, item=None)
    data = patched(STREAM, at, "<q", 2**40)
    for item in range(len(read_headers(STREAM).batches[0].header.structs(1, "qq"))):
        data = patched(data, place_in_batch(STREAM, 1, item=item), "<q", 2**40)
    assert "of memory, and at most" in refused(data)


def test_two_columns_of_one_name_are_refused():
    content = STREAM.replace(b"\5\0\0\0lists", b"\5\0\0\0label")
    assert content != STREAM
    assert refused(content) == (
        "is neither an Arrow (Feather) file nor an Arrow stream (two columns have the same name)"
    )


def test_a_stream_must_end():
    assert STREAM.endswith(STREAM_END)
    assert len(read(STREAM.removesuffix(STREAM_END) + bytes(4)).labels) == 24  # as before version 0.15
    assert len(read(STREAM + bytes(8)).labels) == 24
    assert "the stream does not end: rows may be missing" in refused(STREAM.removesuffix(STREAM_END))
    assert "a batch of rows lies outside the file" in refused(STREAM[:-20])


def test_a_stream_behind_another_is_not_left_out():
    assert "the stream goes on behind its end" in refused(STREAM + STREAM)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it does not begin with its columns"),
        (b"abc", "it does not begin with its columns"),
        (STREAM_END, "it does not begin with its columns"),
        (b"label,score\n1,0.9\n" * 9, "a record does not end"),
        (FILE + bytes(12), "it does not begin and end with ARROW1"),
        (FILE + bytes(6) + b"\xff\xff\xff\x7f" + FILE, "its footer is longer than the file"),
        (FILE + bytes(10) + bytes(4) + FILE, "a record does not end"),
    ],
)
def test_what_is_no_arrow_is_refused(data, reason, tmp_path):
    (tmp_path / "s.arrow").write_bytes(data)
    for content in (data, tmp_path / "s.arrow"):
        with pytest.raises(DamagedError, match=f"^{reason}$"):
            read_headers(content)


def schema_of(depth, fields):
    """Return a schema whose columns have so many columns each, which are all the same record, so deep."""
    tables = b""
    for _ in range(depth):
        vtable = struct.pack("<8H", 16, 8, 0, 0, 0, 0, 0, 4) if tables else struct.pack("<8H", 16, 8, *[0] * 6)
        record = struct.pack("<iI", len(vtable), 4)
        vector = struct.pack("<I", fields) + b"".join(
            struct.pack("<I", 4 * (fields - at) + len(vtable)) for at in range(fields)
        )
        tables = vtable + record + vector + tables
    vtable = struct.pack("<4H", 8, 8, 0, 4)
    vector = struct.pack("<I", fields) + b"".join(struct.pack("<I", 4 * (fields - at) + 16) for at in range(fields))
    return Table(vtable + struct.pack("<iI", 8, 4) + vector + tables, 8)


@pytest.mark.parametrize(
    ("depth", "fields", "reason"), [(100, 1, "nested too deep"), (12, 9, "more columns than bytes")]
)
def test_few_bytes_do_not_stand_for_very_many_columns(depth, fields, reason):
    from rocconf.read import arrow_headers

    with pytest.raises(DamagedError, match=reason):
        arrow_headers._columns(schema_of(depth, fields))  # noqa: SLF001  # polars writes no such schema


@examples(200)
@given(st.sampled_from([PLAIN, PACKED, STREAM, *(path.read_bytes() for path in CORPUS)]), st.integers(0, 2**32))
def test_a_damaged_file_has_all_of_its_rows_or_none(content, seed):
    chance = random.Random(seed)
    content = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 3])):
        content[chance.randrange(len(content))] = chance.randrange(256)
    try:
        cases = read(bytes(content), positive=None, na="drop")
    except RocconfError:
        return
    assert len(cases.labels) + cases.sources[0].dropped == 24


def test_rows_that_the_engine_leaves_out_are_missed(monkeypatch):
    collect = pl.LazyFrame.collect
    monkeypatch.setattr(pl.LazyFrame, "collect", lambda frame: collect(frame).head(20))
    assert refused(PLAIN) == "the file is damaged (20 rows were read, but it says that it has 24)"


def test_a_panic_where_cells_are_read_is_an_error_in_the_library(monkeypatch, tmp_path):
    def panic(*_):
        raise pl.exceptions.PanicException("called `Option::unwrap()` on a `None` value\nstack backtrace")

    (tmp_path / "s.arrow").write_bytes(PLAIN)
    monkeypatch.setattr(SeriesCells, "numbers", panic)
    reason = "the file is damaged (called `Option::unwrap()` on a `None` value)"
    assert refused(PLAIN) == reason
    with pytest.raises(InputError) as caught:
        read_predictions(tmp_path / "s.arrow", label="label", positive="ill", score="score")
    assert str(caught.value) == f"{tmp_path}/s.arrow: {reason}"


def test_a_compressed_file_is_checked_unpacked():
    with pytest.raises(InputError, match="the stream does not end"):
        read_table(Input("s.arrow.gz", None, gzip.compress(STREAM[:-8])), Wanted(positive="ill", label="label"))
