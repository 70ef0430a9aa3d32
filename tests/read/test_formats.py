"""A format is a module and a line: the rest of `read` knows its interface only."""

import sys
from types import SimpleNamespace

import pytest

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read import Input, Wanted, formats, read_table
from rocconf.read.columns import TextCells
from rocconf.read.faults import Fault
from rocconf.read.formats import OtherReadingError, Piece

CASES = "label score\n1 0.9\n0 0.1\n1 0.4\n"
COUNTS = "score positives negatives\n0.9 2 1\n0.1 1 3\n"


class BlankSeparated:
    """Cells between blanks; a row that begins with ! is a fault."""

    unit, digest = "row", None

    def __init__(self, source, delimiter):  # noqa: ARG002  # every format is opened like this
        self.name = source.name
        self.header, *self.rows = [line.split() for line in source.data.decode().splitlines()]

    def head(self, positions):
        return {at: TextCells([row[at] for row in self.rows]) for at in positions}

    def is_nested(self, at):  # noqa: ARG002  # no cell holds others
        return False

    def readings(self, kinds):
        yield self._unmarked(kinds)
        marked = [Fault(at, message("csv-error", reason="marked")) for at, _ in self._rows(marked=True)]
        yield [
            Piece([at], {column: TextCells([row[column]]) for column in kinds}, marked if at == 1 else [])
            for at, row in self._rows(marked=False)
        ]

    def _unmarked(self, kinds):
        for at, row in enumerate(self.rows, 1):
            if row[0].startswith("!"):
                raise OtherReadingError
            yield Piece([at], {column: TextCells([row[column]]) for column in kinds})

    def _rows(self, *, marked):
        return [(at, row) for at, row in enumerate(self.rows, 1) if row[0].startswith("!") is marked]


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(sys.modules, "rocconf.read.blanks", SimpleNamespace(open_table=BlankSeparated))
    monkeypatch.setitem(formats.FORMATS, ".dat", "blanks")


def read(text, name="scores.dat"):
    return read_table(Input(name, None, text.encode()), Wanted())


def test_a_new_format_is_read_by_its_suffix():
    cases = read(CASES)
    assert cases.labels.tolist() == [True, False, True]
    assert cases.scores["score"].tolist() == [0.9, 0.1, 0.4]
    with pytest.raises(InputError, match="found: label score"):
        read(CASES, "scores.csv")


def test_a_new_format_may_hold_counts():
    (counts,) = read(COUNTS)
    assert (counts.model, counts.p, counts.q) == ("scores", 3, 4)


def test_the_first_reading_that_goes_to_the_end_decides():
    assert len(read(CASES)) == 3
    with pytest.raises(InputError, match="row 4: label 'x'"):
        read(CASES + "x 0.5\n")


@pytest.mark.parametrize("text", [CASES + "x 0.5\n! 0\n", COUNTS + "x 1 1\n! 0 0\n"])
def test_the_next_reading_has_the_faults_that_one_cannot_find(text):
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.total == 2
    assert [fault.code for fault in caught.value.faults] == [caught.value.code, "csv-error"]
