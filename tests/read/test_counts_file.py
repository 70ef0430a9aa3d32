"""Counts files: what they say, and what is wrong with them."""

from math import inf
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.errors import InputError
from rocconf.read import Input, Wanted, find_input, read_counts, read_table
from rocconf.read.delimited import quick
from rocconf.read.layout import is_of_counts

HEAD = "score,positives,negatives\n"
ONE = HEAD + "0.9,2,1\n0.1,1,3\n"
TWO = "model,score,positives,negatives\nb,0.9,2,1\na,5,1,1\nb,0.1,1,3\na,4,1,0\n"


CHUNKS = {"careful": 0, "quick": quick.CHUNK, "in small chunks": 64}
"""The bytes that the quick reader reads at a time; with 0 it leaves everything to the careful one."""


@pytest.fixture(params=CHUNKS)
def read(request, monkeypatch, tmp_path):
    """Read a counts file by each reader."""
    monkeypatch.setattr(quick, "CHUNK", CHUNKS[request.param])
    monkeypatch.chdir(tmp_path)

    def read_text(text, **options):
        path = Path("counts.csv")
        path.write_text(text, newline="")
        return read_counts(path, **options)

    return read_text


def plain(counts):
    return counts.model, counts.scores.tolist(), counts.positives.tolist(), counts.negatives.tolist()


def test_one_model_is_named_by_its_file(read):
    (counts,) = read(ONE)
    assert plain(counts) == ("counts", [0.9, 0.1], [2, 1], [1, 3])
    (source,) = counts.sources
    assert (source.name, source.n, source.positives, source.negatives) == ("counts.csv", 7, 3, 4)


def test_several_models_come_in_the_order_of_the_file(read):
    assert [plain(counts) for counts in read(TWO)] == [
        ("b", [0.9, 0.1], [2, 1], [1, 3]),
        ("a", [5, 4], [1, 1], [1, 0]),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + "0.1,1,3\n0.9,2,1\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (HEAD + "0.9,1,1\n0.1,1,3\n0.90,1,0\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (HEAD + "0.9,2,1\n0.5,0,0\n0.1,1,3\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (HEAD + "0.9,2.0,1e0\n0.1,1,3\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (HEAD + "inf,2,1\n-inf,1,3\n", ([inf, -inf], [2, 1], [1, 3])),
        ('"score","positives","negatives"\r\n"0.9","2","1"\r\n"0.1","1","3"\r\n', ([0.9, 0.1], [2, 1], [1, 3])),
        ("negatives,note,score,positives\n1,a,0.9,2\n3,,0.1,1\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (" score , positives , negatives \n0.9,2,1\n0.1,1,3\n", ([0.9, 0.1], [2, 1], [1, 3])),
        (HEAD + "0.9,1e3,1\n0.1,1000.0,3\n", ([0.9, 0.1], [1000, 1000], [1, 3])),
        (HEAD + f"0.9,{2**53},1\n0.1,0,3\n", ([0.9, 0.1], [2**53, 0], [1, 3])),
    ],
)
def test_counts_mean_what_they_say(text, expected, read):
    (counts,) = read(text)
    assert plain(counts)[1:] == expected


def test_low_scores_can_be_positive(read):
    (counts,) = read(ONE, lower_is_positive=True)
    assert counts.scores.tolist() == [0.1, 0.9]
    assert counts.lower_is_positive


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; its first line must name the columns"),
        (HEAD, "no rows below the header"),
        (
            "score,positives\n1,2\n",
            "no column negatives (found: score, positives; a counts file has score, positives, negatives)",
        ),
        ("score,positives,negatives,score\n1,2,3,4\n", "2 columns are called 'score'"),
        (HEAD + "0.9,2,1\n0.1,1\n", "line 3: 2 cells, but the header has 3"),
        (HEAD + "0.9,2,1\n0.1,1,3,4\n", "line 3: 4 cells, but the header has 3"),
        (HEAD + '0.9,2,1\n0.1,1,"3\n', "line 3: the quote opened in the row that begins here is never closed"),
        (HEAD + "0.9,2,1\n,1,3\n", "line 3: score has no value"),
        (HEAD + "0.9,2,1\nhigh,1,3\n", "line 3: score 'high' is not a number"),
        (HEAD + "0.9,2,1\n1e999,1,3\n", "line 3: score '1e999' is too large for a 64-bit float"),
        (HEAD + "0.9,2,1\n0.1,,3\n", "line 3: positives has no value"),
        (HEAD + "0.9,2,1\n\n0.1,1,nan\n", "line 4: negatives has no value"),
        (HEAD + "0.9,2,1\n0.1,-1,3\n", "line 3: positives -1 is not a whole number of cases up to 2^53"),
        (HEAD + "0.9,2,1\n0.1,1,3.5\n", "line 3: negatives 3.5 is not a whole number of cases up to 2^53"),
        (HEAD + "0.9,2,1\n0.1,1,inf\n", "line 3: negatives inf is not a whole number of cases up to 2^53"),
        (
            HEAD + "0.9,2,1\n0.1,1e300,3\n",
            "line 3: positives 1.0000000000000001e+300 is not a whole number of cases up to 2^53",
        ),
        (
            HEAD + f"0.9,2,1\n0.1,{2**53 + 2},3\n",
            "line 3: positives 9007199254740994 is not a whole number of cases up to 2^53",
        ),
        (HEAD + "0.9,2,1\n0.1,two,3\n", "line 3: positives 'two' is not a number"),
        (
            HEAD + "0.9,2,0\n0.1,1,0\n",
            "only one class: counts has 3 positives and 0 negatives, and both classes are needed",
        ),
        (HEAD + "0.9,0,0\n", "only one class: counts has 0 positives and 0 negatives, and both classes are needed"),
        (
            HEAD + f"0.9,2,1\n0.1,{2**53 + 1},3\n",
            "line 3: positives '9007199254740993' is not a whole number of cases up to 2^53",
        ),
        (HEAD + "0.9,2,1\n0.1,1,1e17\n", "line 3: negatives 1e+17 is not a whole number of cases up to 2^53"),
        (
            HEAD + f"{2**53 + 1},2,1\n0.1,1,3\n",
            (
                "line 2: score '9007199254740993' is a whole number that a 64-bit float cannot hold, and others would "
                "become equal to it: subtract a constant, or replace the numbers by their ranks"
            ),
        ),
        (HEAD + f"0.9,{2**53},1\n0.1,1,3\n", "counts has more than 2^53 cases of a class"),
        (HEAD + f"0.9,{2**53},1\n" * 1030, "counts has more than 2^53 cases of a class"),
        (TWO + "c,1,1,0\n", "only one class: c has 1 positives and 0 negatives, and both classes are needed"),
        (TWO + ",1,1,0\n", "line 6: model has no value"),
        (
            HEAD + "x,-1,\n" * 9,
            (
                "27 faults\n  line 2: score 'x' is not a number\n  line 2: positives -1 is not a whole number of cases up to 2^53\n"
                "  line 2: negatives has no value\n  line 3: score 'x' is not a number\n"
                "  line 3: positives -1 is not a whole number of cases up to 2^53\n  and 22 more"
            ),
        ),
    ],
)
def test_a_bad_counts_file_is_an_error(text, message, read):
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value) == f"counts.csv: {message}"


def test_parquet_is_read_too(tmp_path):
    path = tmp_path / "counts.parquet"
    frame = pl.DataFrame(
        {"model": ["a", "a", "b", "b"], "score": [0.9, 0.1, 2, 1], "positives": [2, 1, 1, 0], "negatives": [1, 3, 0, 1]}
    )
    frame.write_parquet(path)
    assert [plain(counts) for counts in read_counts(path)] == [
        ("a", [0.9, 0.1], [2, 1], [1, 3]),
        ("b", [2, 1], [1, 0], [0, 1]),
    ]
    frame.with_columns(positives=pl.Series([2, -1, None, 0]), model=pl.Series(["a", "a", "b", None])).write_parquet(
        path
    )
    with pytest.raises(InputError) as caught:
        read_counts(path)
    assert str(caught.value) == (
        f"{path}: 3 faults\n  row 2: positives -1 is not a whole number of cases up to 2^53\n  row 3: positives has no value\n"
        "  row 4: model has no value"
    )


@pytest.mark.parametrize(
    ("header", "is_counts"),
    [
        ("score,positives,negatives", True),
        ("model, negatives ,positives,score,note", True),
        ("score,positives,negatives,label", False),
        ("score,positives,negatives,y_true", False),
        ("score,positives", False),
        ("label,score", False),
        ("Score,positives,negatives", False),
    ],
)
def test_a_counts_file_is_known_by_its_columns(header, is_counts):
    assert is_of_counts(header.split(",")) is is_counts


def test_a_label_that_is_asked_for_makes_cases_of_a_counts_file():
    source = Input("scores.csv", None, b"score,positives,negatives\n0.9,1,0\n0.1,0,1\n")
    assert isinstance(read_table(source, Wanted()), tuple)
    assert read_table(source, Wanted(label="positives")).scores["score"].tolist() == [0.9, 0.1]


def test_a_tsv_is_read_by_its_suffix(tmp_path):
    path = tmp_path / "counts.tsv"
    path.write_text(ONE.replace(",", "\t"))
    assert isinstance(read_table(find_input(str(path)), Wanted()), tuple)
    assert plain(*read_counts(path)) == ("counts", [0.9, 0.1], [2, 1], [1, 3])


@examples(60)
@given(
    rows=st.lists(
        st.tuples(
            st.floats(allow_nan=False).map(repr),
            st.sampled_from(["0", "1", "2", "7.0", "", "-1", "x"]),
            st.sampled_from("0123"),
        ),
        min_size=1,
        max_size=6,
    ),
    quoted=st.booleans(),
)
def test_all_readers_agree(rows, quoted):
    text = HEAD + "".join(",".join(f'"{cell}"' if quoted else cell for cell in row) + "\n" for row in rows)
    answers = []
    for size in CHUNKS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(quick, "CHUNK", size)
            try:
                (counts,) = read_table(Input("counts.csv", None, text.encode()), Wanted())
                answers.append([counts.thresholds.tobytes(), counts.tp.tolist(), counts.fp.tolist()])
            except InputError as error:
                answers.append(str(error))
    assert answers[0] == answers[1] == answers[2]


def test_counts_are_exact_integers(read):
    (counts,) = read(HEAD + f"0.9,{2**52 + 1},{2**52 - 1}\n0.1,1,3\n")
    assert counts.tp.dtype == np.int64
    assert counts.tp.tolist() == [0, 2**52 + 1, 2**52 + 2]
    assert counts.fp.tolist() == [0, 2**52 - 1, 2**52 + 2]
