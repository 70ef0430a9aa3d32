"""The careful and the quick reader agree: on the same cases bit by bit, or on the same error."""

import csv
import gzip
import io
from unittest import mock

import numpy as np
import pytest
from bad_bytes import BAD_BYTES
from bad_files import BAD
from good_files import GOOD, NUMBERS
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

from rocconf.conditions import Condition, parse_conditions
from rocconf.errors import RocconfError
from rocconf.read import Input, Wanted, delimited, read_table
from rocconf.read.delimited import quick
from rocconf.read.formats import OtherReadingError


def answer(source, wanted):
    """Everything about the cases, or the error."""
    try:
        cases = read_table(source, wanted)
    except RocconfError as error:
        return str(error)
    scores = [(name, column.dtype.str, column.tobytes()) for name, column in cases.scores.items()]
    return cases.labels.tobytes(), scores, None if cases.ids is None else cases.ids.tolist(), cases.sources


def ask(patch, reader, source, wanted):
    """Return what a reader answers when it is asked first, and whether it was the only one to be asked."""
    asked_carefully = []
    pieces_of = delimited.careful.pieces_of
    if reader == "careful":
        patch.setattr(quick, "CHUNK", 0)  # in which no line fits
    patch.setattr(delimited.careful, "pieces_of", lambda *args: asked_carefully.append(args) or pieces_of(*args))
    return answer(source, wanted), not asked_carefully


def both(source, wanted):
    """Return the careful reader's answer, once the quick one's is found to be the same, and whether that one had it."""
    answers = {}
    for reader in ("careful", "quick"):
        with pytest.MonkeyPatch.context() as patch:
            answers[reader], is_quick = ask(patch, reader, source, wanted)
    assert answers["quick"] == answers["careful"]
    return answers["careful"], is_quick


def stored(entry, folder):
    path = folder / entry.file
    content = entry.content if isinstance(entry.content, bytes) else entry.content.encode()
    path.write_bytes(content)
    return Input(entry.file, path), Input(entry.file, None, content)


@pytest.mark.parametrize("good", GOOD, ids=str)
def test_a_good_file_means_the_same_to_both(good, tmp_path):
    for source in stored(good, tmp_path):
        cases, is_quick = both(source, Wanted(**good.options))
        assert not isinstance(cases, str)
        assert is_quick == good.quick


@pytest.mark.thorough
@pytest.mark.parametrize("bad", [*BAD, *BAD_BYTES], ids=str)
def test_a_bad_file_is_the_same_error_for_both(bad, tmp_path):
    message, _ = both(stored(bad, tmp_path)[0], Wanted(**bad.options))
    assert isinstance(message, str)


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_of_many_chunks_means_the_same_to_both(quoted, threads, monkeypatch):
    monkeypatch.setattr("rocconf.threads.processors", lambda: threads)
    monkeypatch.setattr(quick, "CHUNK", 1 << 16)
    random = np.random.default_rng(3)
    row = '"{}","{}","note, {}"\n' if quoted else "{},{},note {}\n"
    scores = zip(random.random(20_000).tolist(), random.random(20_000) < 0.01, strict=True)
    text = "label,score,note\n" + "".join(
        row.format("ill" if score > 0.7 else "well", "" if missing else score, number)
        for number, (score, missing) in enumerate(scores)
    )
    assert both(Input("scores.csv", None, text.encode()), Wanted(positive="ill", na="drop"))[1]


def test_ids_of_all_lengths_that_stand_twice_in_different_chunks_are_found(monkeypatch):
    """The hash of an id must not depend on the others that are read with it."""
    monkeypatch.setattr(quick, "CHUNK", 64)
    rows = ["short,1,0.9", "a-much-longer-id-of-many-words,0,0.1"] * 2 + [
        f"other-{row},{row % 2},0.5" for row in range(9)
    ]
    for order in ([0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2], [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 3]):
        text = "id,label,score\n" + "".join(f"{rows[row]}\n" for row in order)
        for keep_ids in (True, False):
            message, is_quick = both(Input("scores.csv", None, text.encode()), Wanted(keep_ids=keep_ids))
            assert f"id {rows[order[0]].split(',')[0]!r} is already on line 2" in message
            assert is_quick == keep_ids


LEFT = {
    "carriage returns for ends of lines": "label,score\r1,0.9\n0,0.1\r1,0.2\n",
    "two carriage returns before the end of a line": "label,score\n1,0.9\r\r\n0,0.1\n",
    "two carriage returns at the end of the header": "label,score\r\r\n1,0.9\n0,0.1\n",
    "a line before the header": "\nlabel,score\n1,0.9\n0,0.1\n",
    "a header of two lines": '"label\nof a case",score\n1,0.9\n0,0.1\n',
    "a cell of two lines": 'label,score,note\n1,0.9,"a\nb"\n0,0.1,c\n',
    "two cells of two lines": 'label,score,note\n1,0.9,"a\nb"\n0,0.1,"c\nd"\n',
    "a blank line among rows": "label,score\n1,0.9\n\n0,0.1\n",
    "a blank line among rows of one column": "score\n1\n\n0.1\n",
    "a cell too many everywhere": "label,score\n1,0.9,3\n0,0.1,4\n",
    "a cell too many": "label,score\n1,0.9\n0,0.1,4\n",
    "a cell too many and one too few": "label,score,note\n1,0.9,3,4\n0,0.1\n",
    "a cell that is no cell of the next line": "label,score\n1,0.9,0\n0.1\n",
    "a zero byte": "label,score,note\n1,0.9,\0\n0,0.1,a\n",
    "bytes that are not text": b"label,score,note\n1,0.9,\xff\n0,0.1,a\n",
    "a quote that opens nothing": 'label,score,note\n1,0.9,a"b\n0,0.1,a\n',
    "a quote that is not closed": 'label,score,note\n1,0.9,"a\n0,0.1,a\n',
    "text behind a quote": 'label,score,note\n1,0.9,"a"b\n0,0.1,a\n',
    "text before a quote": 'label,score,note\n1,0.9,a"b"\n0,0.1,a\n',
}


@pytest.mark.parametrize("content", LEFT.values(), ids=LEFT)
def test_what_is_not_proven_is_left_to_the_careful_reader(content):
    source = Input("scores.csv", None, content if isinstance(content, bytes) else content.encode())
    header = next(csv.reader(io.StringIO(source.data.decode(errors="replace").lstrip("\n"), newline="")))
    with pytest.raises(OtherReadingError):
        list(quick.pieces_of(source, ",", {0: "text"}, header))
    both(source, Wanted(label=header[0]))


@pytest.mark.parametrize(
    "content", ["1,0.9\n0,high\n", "1,0.9\n0,\n", "1,0.9\nmaybe,0.1\n", "1,0.9\n1,0.1\n", "", "\n\n"]
)
def test_faults_of_cells_are_found_quickly_with_their_lines(content):
    message, is_quick = both(Input("scores.csv", None, f"label,score\n{content}".encode()), Wanted())
    assert is_quick
    assert isinstance(message, str)


def test_a_line_longer_than_a_chunk_is_left_to_the_careful_reader(monkeypatch):
    monkeypatch.setattr(quick, "CHUNK", 64)
    text = f"label,score,note\n1,0.9,{'x' * 100}\n0,0.1,a\n"
    assert not both(Input("scores.csv", None, text.encode()), Wanted())[1]


def test_a_file_that_cannot_be_read_to_its_end_is_left_to_the_careful_reader():
    packed = gzip.compress(b"label,score\n1,0.9\n0,0.1\n")[:-9]
    assert not both(Input("scores.csv.gz", None, packed), Wanted())[1]


def test_a_slice_without_rows_is_the_same_error_for_both():
    wanted = Wanted(where=parse_conditions({"x": "3"}, "where"), score=("score",))
    message, _ = both(Input("scores.csv", None, b"label,x,score\n1,1,0.9\n0,2,0.1\n"), wanted)
    assert "no row with x=3" in message


@pytest.mark.parametrize("delimiter", [".", "-", "e", "1", "+", " ", "^"])
def test_any_delimiter_means_the_same_to_both(delimiter):
    text = "label,score\n1,9\n0,2\n".replace(",", delimiter)
    assert both(
        Input("scores.csv", None, text.encode()),
        Wanted(label="lab" if delimiter == "e" else "label", delimiter=delimiter),
    )


FLOATS = st.floats(allow_nan=False).map(repr)
DECIMALS = st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)
MISSING = st.sampled_from(["", "", "", "nan", "NaN", "NA", " "])
ODD_NUMBERS = st.sampled_from([*NUMBERS, "-nan", "1e999", "x", "1_0", "0,5", "9" * 400])
FINE_SCORES = st.one_of(FLOATS, DECIMALS)
SCORES = st.sampled_from([FINE_SCORES, st.one_of(FINE_SCORES, MISSING), st.one_of(FINE_SCORES, MISSING, ODD_NUMBERS)])
LABELS = st.sampled_from(["01", "01", "ab", ["0", "1", "1.0", "true", "+1", "01"], ["1", "0", ""], ["a", "b", "c", ""]])
TEXTS = st.sampled_from(
    ["", "a", "a", "b", "1", "a,b", 'say "so"', "two\nlines", "two\rlines", "é", "\x00", " a ", "NA"]
)
FINE_TEXTS = st.sampled_from(["a", "b", "1"])
QUOTES = st.sampled_from(["{}", '"{}"', " {}", "{} ", '"{}', '"{}" ', '{}"', '""{}""', "{},", "{}\n", "{}\r"])


@st.composite
def cells(draw, texts, *, oddly):
    """A cell as a program writes it, or an odd one."""
    text = draw(texts)
    if oddly:
        return draw(QUOTES).format(text)
    quoted = set(text) & set('",\r\n') or draw(st.integers(0, 3)) == 0
    return '"' + text.replace('"', '""') + '"' if quoted else text


@st.composite
def files(draw):
    """A file of both classes, mostly as a program writes it, and what to ask of it."""
    columns = draw(st.permutations(["label", "score", *draw(st.sets(st.sampled_from(["id", "site", "b", "note"])))]))
    labels, scores = draw(LABELS), draw(SCORES)
    texts = draw(st.sampled_from([FINE_TEXTS, FINE_TEXTS, TEXTS]))
    kinds = {"label": st.sampled_from(list(labels)), "score": scores, "b": scores}
    line_end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    odd_row = draw(st.sampled_from([None, None, 2, 4]))
    rows = [columns]
    for row in range(draw(st.integers(2, 8))):
        kinds |= {"label": st.just(labels[row])} if row < 2 else {"label": st.sampled_from(list(labels))}
        kinds |= {"id": st.just(f"case {row}")}
        oddly = st.just(False) if row != odd_row else st.booleans()
        rows.append([draw(cells(kinds.get(column, texts), oddly=draw(oddly))) for column in columns])
    text = line_end.join(map(",".join, rows)) + draw(st.sampled_from([line_end, line_end, "", "\r", "\n\n"]))
    where = st.sampled_from([(), (Condition(draw(st.sampled_from(columns)), draw(st.sampled_from(["=", "!="])), "a"),)])
    return text, draw(wanted("a" if "a" in labels else "1", where))


def wanted(positive, where):
    return st.builds(
        Wanted,
        score=st.just(("score",)),
        id=st.sampled_from([None, None, None, "score"]),
        positive=st.sampled_from([positive, positive, positive, None, "b"]),
        where=where,
        na=st.sampled_from(["error", "drop"]),
    )


@examples(300)
@given(files())
def test_any_file_means_the_same_to_both(file):
    text, wanted = file
    both(Input("scores.csv", None, text.encode()), wanted)


@examples(100)
@given(files(), st.integers(8, 64))
def test_any_file_means_the_same_to_both_in_chunks_of_any_size(file, size):
    text, wanted = file
    with mock.patch.object(quick, "CHUNK", size):
        both(Input("scores.csv", None, text.encode()), wanted)


HEADERS = [
    *["label,score", "score,label", "label,score,note", "note,score,label", "label,note,score", '"label","score"'],
    *[
        '"a,b",label,score',
        'a"b,c",label,score',
        'a"b,label,score',
        "label,score,",
        ",label,score",
        "label,score,score2",
    ],
]
SNIPPETS = st.sampled_from(
    [*'01.,,,\n\n"-+e', "1,0.5\n", "0,1\n", "\r\n", "\r", " ", "1e400", "inf", "-nan", '"a"', "é", "\0", "\ufeff"]
)


@examples(300)
@given(
    body=st.lists(SNIPPETS, max_size=20).map("".join),
    columns=st.sampled_from(HEADERS),
    wanted=wanted("1", st.just(())),
)
@example(body="1\r,0.5\n0,0.6\n", columns="label,score", wanted=Wanted())
@example(body="1,a,0.5,x\n0,b,0.6\n", columns="label,note,score", wanted=Wanted())
@example(body="0,0,", columns="label,score", wanted=Wanted())
@example(body="0\n0,0,", columns="label,score", wanted=Wanted(na="drop"))
@example(body='1,0.5,x"\n0,0.6,y"\n', columns="label,score,note", wanted=Wanted())
def test_any_characters_mean_the_same_to_all(body, columns, wanted):
    rows = [columns, *(",".join(label * (1 + columns.count(","))) for label in "10"), body]
    both(Input("scores.csv", None, "\n".join(rows).encode()), wanted)
