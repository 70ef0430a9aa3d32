"""No input fills the memory by a few bytes, and no message prints more than a short piece of it."""

import gzip

import pytest
import zstandard

from rocconf.conditions import parse_conditions
from rocconf.errors import RocconfError
from rocconf.read import Input, Wanted, read_table
from rocconf.read.bounds import LONGEST_HEADER, LONGEST_LINE, LONGEST_NAME, MOST_COLUMNS
from rocconf.read.delimited.careful import MOST_CELLS, pieces_of
from rocconf.read.source import BUFFER

PACKERS = {".gz": lambda text: gzip.compress(text, mtime=0), ".zst": zstandard.compress}
ROWS = b"label,score\n" + b"1,0.5\n0,0.25\n" * 10_000
MEBIBYTE = 1 << 20


def read(content, *, name="s.csv", **options):
    return read_table(Input(name, None, content), Wanted(**options))


def refused(content, **options):
    with pytest.raises(RocconfError) as caught:
        read(content, **options)
    return caught.value.text("shell")


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize(
    "text",
    [ROWS, b"label,score\n1,0.5\n" + b"\n" * 200_000, b"label,score\n1,0.5\n" + bytes(200_000)],
    ids=["rows", "blank lines", "zeros"],
)
def test_a_compressed_file_that_unpacks_to_too_much_is_refused(text, suffix, monkeypatch):
    monkeypatch.setattr("rocconf.read.bounds.MOST_UNPACKED", 100_000)
    monkeypatch.setattr("rocconf.read.bounds.MOST_RATIO", 10)
    assert refused(PACKERS[suffix](text), name=f"s.csv{suffix}") == (
        f"s.csv{suffix}: unpacks to more than 97.66 KiB, the most for a compressed file of its size: "
        "if that is right, unpack it first"
    )


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_large_compressed_file_may_unpack_to_many_times_its_size(suffix, monkeypatch):
    packed = PACKERS[suffix](ROWS)
    monkeypatch.setattr("rocconf.read.bounds.MOST_UNPACKED", 100_000)
    monkeypatch.setattr("rocconf.read.bounds.MOST_RATIO", len(ROWS) // len(packed) + 1)
    assert len(read(packed, name=f"s.csv{suffix}").labels) == 20_000


@pytest.mark.parametrize(
    "header",
    [b"x" * 2 * MEBIBYTE, b"\n" * 2 * MEBIBYTE, b'"' + b"a\n" * MEBIBYTE, b'"\n",' * MEBIBYTE],
    ids=["one line", "blank lines", "one cell", "cells of lines"],
)
def test_a_header_that_does_not_end_is_refused(header, monkeypatch):
    monkeypatch.setattr("rocconf.read.delimited.careful.LONGEST_HEADER", LONGEST_HEADER // 16)
    assert refused(header + b"\n1,0.5\n") == (
        "s.csv: the header does not end within the first 64 KiB; the first line must name the columns"
    )


def wide(columns):
    header = ",".join(["label", "score", *(f"c{at}" for at in range(columns - 2))])
    rows = [",".join([label, score, *["0"] * (columns - 2)]) for label, score in (("1", "0.5"), ("0", "0.25"))]
    return "\n".join([header, *rows, ""]).encode()


def test_very_many_columns_are_refused():
    assert len(read(wide(MOST_COLUMNS)).labels) == 2
    assert refused(wide(MOST_COLUMNS + 1)) == (
        "s.csv: 10001 columns, and at most 10000 are read: keep the label, the scores, the id and what --where needs"
    )


def test_a_very_long_name_is_refused():
    assert len(read(b"label,score,%b\n1,0.5,0\n0,0.25,0\n" % (b"x" * LONGEST_NAME)).labels) == 2
    assert refused(b"label,score,%b\n1,0.5,0\n" % (b"x" * (LONGEST_NAME + 1))) == (
        "s.csv: the name of column 3 has 1001 characters, and at most 1000 are read"
    )


@pytest.mark.parametrize("options", [{}, {"where": parse_conditions("text=a", "where")}])
def test_a_very_long_line_is_refused(options):
    text = b"label,score,text\n1,0.5,a\n0,0.25,%b\n" % (b"x" * (LONGEST_LINE + BUFFER))
    assert refused(text, **options) == "s.csv: line 3: the line has more than 16 MiB"


def test_wide_rows_are_held_a_few_at_a_time():
    columns = 5000
    text = wide(columns)
    rows = text.partition(b"\n")[2]
    source = Input("s.csv", None, text + rows * 200)
    lengths = [len(piece.places) for piece in pieces_of(source, ",", [0, 1], columns)]
    assert sum(lengths) == 402
    assert max(lengths) * columns <= MOST_CELLS


LONG = b"y" * 100_000


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (b"label,score\n1,0.5\n%b,0.25\n" % LONG, {}),
        (b"label,score\n1,0.5\n0,%b\n" % LONG, {}),
        (b"label,score\n1,0.5\n0,%b\n" % (b"9" * 100_000), {}),
        (b"label,score,id\n1,0.5,%b\n0,0.25,%b\n" % (LONG, LONG), {}),
        (b"label,score,site\n1,0.5,%b\n0,0.25,b\n" % LONG, {"where": parse_conditions("site=a", "where")}),
        (b"label,score,site\n1,0.5,%b\n0,0.25,b\n" % LONG, {"where": parse_conditions("site>1", "where")}),
        (b"label,score\n1,0.5\n0,0.25\n%b,0.1,2\n" % LONG, {}),
        (b"label,score\n%b,0.5\n%b,0.25\n" % (LONG, LONG[1:]), {}),
        (b"label,score\n%b,0.5\nb,0.25\n" % LONG, {"positive": "c"}),
        (b"a,b\n%b,0.5\nb,0.25\n" % LONG, {}),
        (b"a,b\n%b,0.5\n%b,0.25\n" % (LONG, LONG[1:]), {"label": "a"}),
        (b"score,positives,negatives\n1,%b,2\n0,1,%b\n" % (LONG, b"9" * 100_000), {}),
        (b"score,positives,negatives,model\n1,0,2,%b\n" % LONG, {}),
        (b"%b,b\n1,2\n" % (b"x" * 900), {}),
    ],
)
def test_a_message_shows_a_short_piece_of_a_long_cell(text, options):
    assert len(refused(text, **options)) < 1200
