"""A parquet file must be possible by what it says of itself, before an engine believes it."""

import io
import random
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.errors import InputError, RocconfError
from rocconf.read import Input, Wanted, find_input, read_table
from rocconf.read.parquet_footer import LARGEST_FOOTER, read_footer
from rocconf.read.source import DamagedError

FOLDER = Path(__file__).parents[2] / "fuzz" / "corpus" / "parquet"
GENUINE = sorted(FOLDER.glob("*.parquet"))
ROWS = range(24)
IDS = [f"case-{row:03d}" for row in ROWS]
LABELS = [(row * 7 + row // 5) % 3 == 0 for row in ROWS]
SCORES = [(row * 37 % 24) / 24 for row in ROWS]


def varint(value):
    groups = [value & 127]
    while value := value >> 7:
        groups[-1] |= 128
        groups.append(value & 127)
    return bytes(groups)


def zigzag(value):
    return varint(value << 1 if value >= 0 else -(value << 1) - 1)


def value_of(value):
    """Return the type of a value in the compact protocol, and its bytes."""
    if isinstance(value, dict):
        return 12, record(value)
    if isinstance(value, list):
        items = [value_of(item) for item in value]
        return 9, bytes([0xF0 | (items[0][0] if items else 12)]) + varint(len(items)) + b"".join(i for _, i in items)
    if isinstance(value, str):
        return 8, varint(len(value)) + value.encode()
    return 6, zigzag(value)


def record(fields):
    """Encode a record of fields by number; a field of bytes is put in as it is."""
    encoded = b""
    for number, value in fields.items():
        if isinstance(value, bytes):
            encoded += value
            continue
        kind, content = value_of(value)
        encoded += bytes([kind]) + zigzag(number) + content
    return encoded + b"\0"


PAGE = record({1: 0, 2: 16, 3: 16, 5: {1: 2, 2: 0, 3: 3, 4: 3}}) + bytes(16)
"""A page of two values."""

SIZE = len(PAGE)


def footer(*, rows=2, groups=None):
    """Return the fields of the footer of a file with one column and one row group."""
    schema = [{4: "schema", 5: 1}, {1: 5, 3: 0, 4: "score"}]
    return {1: 1, 2: schema, 3: rows, 4: [group()] if groups is None else groups}


def group(*, rows=2, columns=None, **column):
    return {1: [chunk(**column)] if columns is None else columns, 2: SIZE, 3: rows}


def chunk(*, values=2, size=SIZE, start=4, more=None):
    return {2: 4, 3: {1: 5, 2: [0], 3: ["score"], 4: 0, 5: values, 6: size, 7: size, 9: start}, **(more or {})}


def file_of(fields, *, pages=PAGE):
    content = fields if isinstance(fields, bytes) else record(fields)
    return b"PAR1" + pages + content + len(content).to_bytes(4, "little") + b"PAR1"


def decoded(content):
    return read_footer(content).decoded_size("score")


def refused(content):
    with pytest.raises(DamagedError) as caught:
        decoded(content)
    return str(caught.value)


def test_a_file_that_adds_up_is_accepted():
    assert decoded(file_of(footer())) == 16


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (footer(rows=-2), "its rows: -2"),
        (footer(rows=3), "its row groups have 2 rows, but the file says 3"),
        (footer(groups=[group(), group()]), "its row groups have 4 rows, but the file says 2"),
        (footer(groups=[group(rows=-2)]), "the rows of a row group: -2"),
        (footer(groups=[group(rows=2**62)]), f"column 'score' has 2 values in a row group of {2**62} rows"),
        (footer(groups=[group(columns=[])]), "a row group does not have the columns of the file"),
        (footer(groups=[group(values=-2)]), "the values of a column: -2"),
        (footer(groups=[group(start=0)]), "a column lies outside the file"),
        (footer(groups=[group(size=2**61)]), "a column lies outside the file"),
        (footer(groups=[group(size=-1)]), "the size of a column: -1"),
        (footer(groups=[group(more={1: "other.parquet"})]), "a column is in another file, or encrypted"),
        (footer(groups=[group(columns=[{2: 4}])]), "a column is in another file, or encrypted"),
        (footer(groups=2), "it lacks row groups"),
        ({**footer(), 2: []}, "it has no columns"),
        ({**footer(), 2: [{4: "schema", 5: 2**31}, {1: 5, 4: "score"}]}, "it lacks columns"),
        ({**footer(), 2: [{4: "schema", 5: -1}, {1: 5, 4: "score"}]}, "its columns: -1"),
        ({**footer(), 9: b"\x09\x12\xf6\xff\xff\xff\xff\x0f"}, "a list is longer than the footer"),
        ({**footer(), 9: b"\x08\x12\xff\xff\xff\xff\x0f"}, "a record does not end"),
        ({**footer(), 9: b"\x0b\x12\x01"}, "a field has the unknown type 11"),
        ({**footer(), 9: b"\x06\x12" + b"\xff" * 11}, "a number has more than 64 bits"),
        ({**footer(), 9: b"\x1c" * 100 + bytes(100)}, "its records are nested too deep"),
        ({**footer(), 9: b"\x09\x12" + b"\x19" * 100 + bytes(100)}, "its records are nested too deep"),
        (b"", "a record does not end"),
        (
            bytes(LARGEST_FOOTER + 1),
            f"its footer has {LARGEST_FOOTER + 1} bytes, and at most {LARGEST_FOOTER} are read",
        ),
    ],
)
def test_a_footer_that_cannot_be_is_refused(fields, reason):
    assert refused(file_of(fields)) == reason


def data_page(**more):
    return {1: 0, 2: 16, 3: 16, 5: {1: 2, 2: 0, 3: 3, 4: 3}, **more}


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (data_page() | {5: {1: -3, 2: 0}}, "the values of a page: -3"),
        (data_page() | {5: {1: 3, 2: 0}}, "the pages of a column hold 3 values, but the footer says 2"),
        (data_page() | {3: 2**31 - 1}, "a page is larger than its column"),
        (data_page() | {2: 2**31 - 1}, "a page is larger than its column"),
        (data_page() | {3: -16}, "the size of a page: -16"),
        ({1: 0, 2: 16, 3: 16}, "a page lacks its header"),
        (data_page() | {1: 7}, "a page is of an unknown kind"),
        ({1: 2, 2: 16, 3: 16, 7: {1: 2**31 - 1, 2: 0}}, "a dictionary has more values than bits"),
        (
            {1: 3, 2: 16, 3: 16, 8: {1: 2, 2: 0, 3: 2, 4: 0, 5: 17, 6: 0}},
            "the levels of a page are longer than the page",
        ),
        ({1: 3, 2: 16, 3: 16, 8: {1: 2, 2: 0, 3: 1, 4: 0, 5: 0, 6: 0}}, "a page has not as many values as rows"),
        (
            {1: 3, 2: 16, 3: 16, 8: {1: 2, 2: 3, 3: 2, 4: 0, 5: 0, 6: 0}},
            "the levels of a page are longer than the page",
        ),
        ({1: 0, 9: b"\x08\x12\xff\xff\xff\xff\x0f"}, "the header of a page does not end"),
    ],
)
def test_a_page_that_cannot_be_is_refused(header, reason):
    pages = record(header) + bytes(16)
    assert refused(file_of(footer(groups=[group(size=len(pages))]), pages=pages)) == reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is too short"),
        (b"PAR1\0\0\0\0PAR2", "it does not begin and end with PAR1"),
        (b"PARE\0\0\0\0PARE", "it is encrypted"),
        (b"PAR1\xff\xff\xff\xffPAR1", "its footer is longer than the file"),
    ],
)
def test_what_is_not_parquet_is_refused(content, reason, tmp_path):
    (tmp_path / "scores.parquet").write_bytes(content)
    assert refused(content) == refused(tmp_path / "scores.parquet") == reason


@pytest.mark.parametrize("path", GENUINE, ids=lambda path: path.stem)
def test_files_of_every_codec_and_encoding_are_read(path):
    cases = read_table(find_input(str(path)), Wanted())
    assert cases.labels.tolist() == LABELS
    assert cases.scores["score"].tolist() == (SCORES if path.stem != "types" else np.float32(SCORES).tolist())
    assert cases.ids.tolist() == IDS


def test_a_negative_number_of_values_does_not_abort_the_process():
    content = (FOLDER / "plain.parquet").read_bytes()
    start = read_footer(content).chunks["score"][0].start
    at = content.index(b"\x2c\x15" + zigzag(24), start) + 2
    with pytest.raises(InputError, match=r"^s.parquet: the file is damaged \(the values of a page: -1\)$"):
        read_table(Input("s.parquet", None, content[:at] + zigzag(-1) + content[at + 1 :]), Wanted())


@examples(200)
@given(st.sampled_from(GENUINE), st.integers(0, 2**32))
def test_a_damaged_file_has_all_of_its_rows_or_none(path, seed):
    chance = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 1, 2, 3])):
        content[chance.randrange(len(content))] = chance.randrange(256)
    try:
        cases = read_table(Input("s.parquet", None, bytes(content)), Wanted(label="label", score=("score",)))
    except RocconfError:
        return
    assert len(cases.labels) == len(ROWS)


def test_few_bytes_do_not_stand_for_a_memory_full_of_numbers(monkeypatch):
    packed = io.BytesIO()
    pl.DataFrame({"label": [1, 0] * 5000, "score": [0.5] * 10_000}).write_parquet(packed)
    monkeypatch.setattr("rocconf.read.bounds.MOST_UNPACKED", 150_000)
    with pytest.raises(InputError) as caught:
        read_table(Input("s.parquet", None, packed.getvalue()), Wanted())
    assert str(caught.value) == (
        "s.parquet: the columns that are read take 156.3 KiB of memory, and at most 146.5 KiB are read of a file of "
        "this size"
    )


def test_one_long_text_does_not_stand_in_every_row(monkeypatch):
    packed = io.BytesIO()
    frame = {"label": ["a" * 1000, "b"] * 500, "score": [0.5] * 1000}
    pl.DataFrame(frame).write_parquet(packed)
    monkeypatch.setattr("rocconf.read.bounds.MOST_UNPACKED", 150_000)
    with pytest.raises(InputError, match=r"the columns that are read take 488\.8 KiB"):
        read_table(Input("s.parquet", None, packed.getvalue()), Wanted(positive="b"))


@pytest.mark.skipif(sys.platform == "win32", reason="file descriptors of POSIX")
def test_a_panic_of_the_engine_is_one_message(rocconf, tmp_path):
    """The engine writes a panic to file descriptor 2 itself."""
    frame = pl.DataFrame({"label": [1, 0] * 50, "score": [row / 7 for row in range(100)]})
    frame.write_parquet(tmp_path / "s.parquet")
    code = (
        "import os, sys, polars as pl\n"
        "def panic(*_, **__):\n"
        "    os.write(2, b'thread panicked')\n"
        "    raise pl.exceptions.PanicException('index out of bounds')\n"
        "pl.LazyFrame.collect = panic\n"
        "from rocconf.__main__ import main\n"
        "main()\n"
    )
    done = rocconf("sweep", "s.parquet", code=code)
    assert (done.status, done.out) == (2, "")
    assert done.err == "rocconf: s.parquet: the file is damaged (index out of bounds)\n"
