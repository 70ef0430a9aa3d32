"""The careful, the quick and the plain reader agree: on the same cases bit by bit, or on the same error."""

import gzip
import struct
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import polars as pl
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
from rocconf.read.delimited import plain, quick
from rocconf.read.source import PIECE


def answer(source, wanted):
    """Everything about the cases, or the error."""
    try:
        cases = read_table(source, wanted)
    except RocconfError as error:
        return str(error)
    scores = [(name, column.dtype.str, column.tobytes()) for name, column in cases.scores.items()]
    return cases.labels.tobytes(), scores, None if cases.ids is None else cases.ids.tolist(), cases.sources


ALL, NONE = 1 << 60, 0
READERS = {"careful": (NONE, ALL), "quick": (NONE, NONE), "plain": (ALL, ALL)}
"""The size below which the plain reader is asked, and the one from which the quick one is."""


def ask(patch, reader, source, wanted):
    """Return what a reader answers when it is asked first, and whether it had an answer."""
    asked_carefully = []
    pieces_of = delimited.careful.pieces_of
    patch.setattr(delimited, "PLAIN_BELOW", READERS[reader][0])
    patch.setattr(delimited, "QUICK_FROM", READERS[reader][1])
    patch.setattr(delimited.careful, "pieces_of", lambda *args: asked_carefully.append(args) or pieces_of(*args))
    cases = answer(source, wanted)
    return cases, not isinstance(cases, str) and not asked_carefully


def all_three(source, wanted):
    """Return the careful reader's answer, once all are found to be the same, and which other readers had one."""
    answers, took = {}, set()
    for reader in READERS:
        with pytest.MonkeyPatch.context() as patch:
            answers[reader], has_answer = ask(patch, reader, source, wanted)
        if has_answer:
            took.add(reader)
    assert answers["quick"] == answers["careful"]
    assert answers["plain"] == answers["careful"]
    return answers["careful"], took


def stored(entry, folder):
    path = folder / entry.file
    content = entry.content if isinstance(entry.content, bytes) else entry.content.encode()
    path.write_bytes(content)
    return Input(entry.file, path), Input(entry.file, None, content)


@pytest.mark.parametrize("good", GOOD, ids=str)
def test_a_good_file_means_the_same_to_all(good, tmp_path):
    for source in stored(good, tmp_path):
        cases, took = all_three(source, Wanted(**good.options))
        assert not isinstance(cases, str)
        assert good.quick in (None, "quick" in took)


@pytest.mark.thorough
@pytest.mark.parametrize("bad", [*BAD, *BAD_BYTES], ids=str)
def test_a_bad_file_is_the_same_error_for_all(bad, tmp_path):
    message, took = all_three(stored(bad, tmp_path)[0], Wanted(**bad.options))
    assert isinstance(message, str)
    assert not took


@pytest.mark.thorough
@pytest.mark.parametrize("quoted", [False, True])
def test_a_file_of_many_pieces_means_the_same_to_all(quoted):
    random = np.random.default_rng(3)
    row = '"{}","{}","note, {}"\n' if quoted else "{},{},note {}\n"
    scores = zip(random.random(150_000).tolist(), random.random(150_000) < 0.01, strict=True)
    text = "label,score,note\n" + "".join(
        row.format("ill" if score > 0.7 else "well", "" if missing else score, number)
        for number, (score, missing) in enumerate(scores)
    )
    source = Input("scores.csv", None, text.encode())
    assert source.size > delimited.QUICK_FROM
    assert all_three(source, Wanted(positive="ill", na="drop"))[1] == {"quick"}


def test_a_plain_file_of_many_pieces_means_the_same_to_all():
    random = np.random.default_rng(3)
    rows = zip((random.random(150_000) < 0.3).tolist(), random.random(150_000).tolist(), strict=True)
    text = "score,label\n" + "".join(f"{score},{label:d}\n" for label, score in rows)
    source = Input("scores.csv", None, text.encode())
    assert source.size > 2 * PIECE
    assert all_three(source, Wanted())[1] == {"quick", "plain"}


PLAIN = {
    "labels with a point": ("label,score\n1.0,0.9\n0.,0.1\n", {}),
    "two columns": ("label,score\n1,0.9\n0,0.1\n", {}),
    "carriage returns before the ends of lines": ("label,score\r\n1,0.9\r\n0,0.1\r\n", {}),
    "no end of the last line": ("label,score\n1,0.9\n0,0.1", {}),
    "blank lines below the header": ("label,score\n\n1,0.9\n\n\n0,0.1\n\n", {}),
    "a byte order mark": ("\ufefflabel,score\n1,0.9\n0,0.1\n", {}),
    "a quoted header": ('"label","the, score"\n1,0.9\n0,0.1\n', {}),
    "a header in other letters": ("label,größe\n1,0.9\n0,0.1\n", {}),
    "classes that are numbers": ("label,score\n2,0.9\n7.0,0.1\n2.0,0.3\n", {"positive": "2"}),
    "more columns than are asked for": ("label,x,score,z\n1,3,0.9,1e999\n0,4,0.1,5\n", {"score": ("score",)}),
    "tabs": ("label\tscore\n1\t0.9\n0\t0.1\n", {"delimiter": "tab"}),
    "blanks": ("label score\n1 0.9\n0 0.1\n", {"delimiter": "space"}),
    "semicolons": ("label;score\n1;0.9\n0;0.1\n", {"delimiter": ";"}),
    "zeros that lead": ("label,score\n" + "0" * 30 + "1,0.9\n0,0.1\n", {}),
}


@pytest.mark.parametrize(("content", "options"), PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2"])
@pytest.mark.parametrize("large", [0, 1 << 20])
def test_plain_numbers_are_read_by_numpy(content, options, suffix, large, tmp_path, monkeypatch):
    monkeypatch.setattr(plain, "LARGE", large)
    packed = gzip.compress(content.encode()) if suffix == ".gz" else content.encode()
    path = tmp_path / f"scores.csv{suffix}"
    path.write_bytes(packed)
    for source in (Input(path.name, path), Input(path.name, None, packed)):
        cases, took = all_three(source, Wanted(**options))
        assert not isinstance(cases, str)
        assert "plain" in took


NOT_PLAIN = {
    "a word": "label,score\n1,0.9\n0,0.1\n0,inf\n",
    "too large a number": "label,score\n1,0.9\n0,0.1\n0,1e999\n",
    "labels of many digits": "label,score\n1,0.9\n0,0.1\n" + "9" * 16 + ",0.1\n",
    "ids": "id,label,score\n1,1,0.9\n2,0,0.1\n",
    "carriage returns for ends of lines": "label,score\r1,0.9\n0,0.1\r1,0.2\n",
    "a line before the header": "\nlabel,score\n1,0.9\n0,0.1\n",
    "a header of two lines": '"label\nof a case",score\n1,0.9\n0,0.1\n',
    "quotes": 'label,score\n1,"0.9"\n0,0.1\n',
    "nothing below the header": "label,score\n\n",
    "a cell too many everywhere": "label,score\n1,0.9,3\n0,0.1,4\n",
    "a cell too many": "label,score\n1,0.9\n0,0.1,4\n",
    "an empty cell": "label,score\n1,0.9\n0,\n",
    "half a label": "label,score\n1,0.9\n0,0.1\n0.5,0.2\n",
    "one class": "label,score\n1,0.9\n1,0.1\n",
}


@pytest.mark.filterwarnings("ignore")  # as it is outside of tests
@pytest.mark.parametrize("content", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_what_is_not_plain_is_left_to_others(content):
    options = {"label": "label\nof a case"} if "of a case" in content else {}
    assert "plain" not in all_three(Input("scores.csv", None, content.encode()), Wanted(**options))[1]


@pytest.mark.parametrize("blank", ["", "\n", "\r\n"])
def test_blank_lines_of_a_single_column_are_left_to_the_careful_reader(blank):
    for text in (f"score\n0.1\n{blank}0.2\n", f"score\n{blank}0.1\n", f"score\n0.1\n{blank}"):
        found = quick.columns_of(Input("scores.csv", None, text.encode()), ",", {0: "number"}, ["score"])
        assert (found is None) == bool(blank)


@pytest.mark.parametrize("cell", ['"0.1', '"0.1\n"', '0.1"', '"0.1"1', '1"0.1"', '"0.1""'])
def test_quotes_that_enclose_no_cell_of_one_line_are_left_to_the_careful_reader(cell):
    for header, before in (("score", ""), ("label,score", "1,")):
        for after in ("\n", f"\n{before}0.2\n"):
            text = f"{header}\n{before}{cell}{after}".encode()
            kinds = {len(header.split(",")) - 1: "text"}
            assert quick.columns_of(Input("scores.csv", None, text), ",", kinds, header.split(",")) is None, text


def test_a_slice_without_rows_is_the_same_error_for_all():
    wanted = Wanted(where=parse_conditions({"x": "3"}, "where"), score=("score",))
    message, took = all_three(Input("scores.csv", None, b"label,x,score\n1,1,0.9\n0,2,0.1\n"), wanted)
    assert "no row with x=3" in message
    assert not took


@pytest.mark.parametrize("delimiter", [".", "-", "e", "1"])
def test_a_delimiter_that_is_a_part_of_numbers_is_left_to_others(delimiter):
    text = "label,score\n1,9\n0,2\n".replace(",", delimiter)
    wanted = Wanted(label="lab" if delimiter == "e" else "label", delimiter=delimiter)
    assert "plain" not in all_three(Input("scores.csv", None, text.encode()), wanted)[1]


@pytest.mark.parametrize("name", ["scores.csv", "scores.csv.gz"])
@pytest.mark.parametrize(
    ("size", "kinds", "asked"),
    [
        (delimited.QUICK_FROM - 4, {0: "label"}, ["plain"]),
        (delimited.QUICK_FROM, {0: "label"}, ["plain", "quick"]),
        (delimited.PLAIN_BELOW - 4, {0: "label"}, ["plain", "quick"]),
        (delimited.PLAIN_BELOW, {0: "label"}, ["quick"]),
        (delimited.QUICK_FROM - 4, {0: "text"}, []),
        (delimited.QUICK_FROM, {0: "text"}, ["quick"]),
    ],
)
def test_the_size_decides_which_readers_are_asked(name, size, kinds, asked, monkeypatch):
    called = []
    monkeypatch.setattr(delimited.careful, "read_header", lambda *_: ["label"])
    monkeypatch.setattr(plain, "columns_of", lambda *_: called.append("plain"))
    monkeypatch.setattr(quick, "columns_of", lambda *_: called.append("quick"))
    stored_size = size // delimited.PACKED if name.endswith(".gz") else size
    list(delimited.open_table(Input(name, None, b" " * stored_size), None).readings(kinds))
    assert called == asked


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
def test_any_file_means_the_same_to_all(file):
    text, wanted = file
    all_three(Input("scores.csv", None, text.encode()), wanted)


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
    all_three(Input("scores.csv", None, "\n".join(rows).encode()), wanted)


@examples(50)
@given(texts=st.lists(st.one_of(FLOATS, DECIMALS), min_size=1, max_size=50))
def test_the_engine_reads_a_number_to_the_last_bit(texts):
    assert read_by_polars(texts) == [float(text) for text in texts]


def test_the_engine_reads_numbers_close_to_the_middle_of_two_floats_to_the_last_bit():
    random = np.random.default_rng(7)
    texts = []
    for bits in random.integers(0, 0x7FE0 << 48, size=500, dtype=np.int64).tolist():
        below, above = (Fraction(struct.unpack("<d", struct.pack("<q", each))[0]) for each in (bits, bits + 1))
        middle = (below + above) / 2
        for digits in (17, 20, 40, 800):
            context = Context(prec=digits, Emin=-10_000, Emax=10_000)
            texts.append(str(context.divide(Decimal(middle.numerator), Decimal(middle.denominator))))
    assert read_by_polars(texts) == [float(text) for text in texts]


def read_by_polars(texts):
    body = "".join(f"{text}\n" for text in ["x", *texts])
    return pl.read_csv(body.encode(), schema_overrides={"x": pl.Float64}, infer_schema=False)["x"].to_list()
