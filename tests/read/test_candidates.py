"""Columns that nobody names: what may be a score, the same in every format, and what the error offers."""

import gzip

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.errors import InputError
from rocconf.read import UnnamedError, find_input, read_frame, read_predictions
from rocconf.read.candidates import SAMPLE
from rocconf.read.delimited import quick

N = 12
LABELS = [1, 0] * (N // 2)
FRACTIONS = [(7 * k % 11) / 10 for k in range(N)]
FLOATS = [10.5 * k for k in range(N)]
WHOLE = list(range(N))
FORMATS = ["csv", "tsv", "csv.gz", "parquet", "frame", "careful"]

COLUMNS = {
    "fractions": (FRACTIONS, True),
    "ones and zeros beside a fraction": ([1.0, 0.0] * 5 + [0.5, 1.0], True),
    "a hair outside": ([-1e-10, 1 + 1e-10] * 6, True),
    "fractions with gaps": ([None, *FRACTIONS[1:]], True),
    "whole numbers": (WHOLE, False),
    "whole numbers as floats": ([float(k) for k in WHOLE], False),
    "zeros and ones as floats": ([1.0, 0.0] * 6, False),
    "floats": (FLOATS, False),
    "infinite": ([0.5, float("inf")] * 6, False),
    "truth values": ([True, False] * 6, False),
    "words": (["a", "b"] * 6, False),
    "nothing": ([None] * N, False),
}


def candidates(frame, form, folder, monkeypatch):
    """Return the models of a frame in a format, none if it has none."""
    try:
        if form == "frame":
            return read_frame(frame, na="drop").models
        path = folder / f"scores.{form if form in FORMATS[:4] else 'csv'}"
        if form == "parquet":
            pl.DataFrame(frame.to_dict("list"), strict=False).write_parquet(path)
        elif form == "csv.gz":
            path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
        else:
            frame.to_csv(path, index=False, sep="\t" if form == "tsv" else ",")
        if form == "careful":
            monkeypatch.setattr(quick, "CHUNK", 0)
        return read_predictions(path, na="drop").models
    except UnnamedError:
        return ()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("what", COLUMNS)
def test_only_fractions_are_scores_beside_fractions(what, form, tmp_path, monkeypatch):
    cells, is_score = COLUMNS[what]
    frame = pd.DataFrame({"label": LABELS, "first": FRACTIONS, "column": cells})
    assert candidates(frame, form, tmp_path, monkeypatch) == (("first", "column") if is_score else ("first",))


@pytest.mark.parametrize("form", FORMATS)
def test_other_floats_are_scores_where_there_are_no_fractions(form, tmp_path, monkeypatch):
    frame = pd.DataFrame({"label": LABELS, "a": FLOATS, "b": WHOLE, "c": [-x for x in FLOATS]})
    assert candidates(frame, form, tmp_path, monkeypatch) == ("a", "c")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "name",
    [
        *(
            "index",
            "Index",
            "Unnamed: 0",
            "Unnamed: 17",
            "unnamed: 0.1",
            "__index_level_0__",
            "id",
            "ID",
            "customer_id",
        ),
        *("Customer_ID", "uid", "UID", "guid", "year", "Month", "day", "date", "time", "Timestamp", "FOLD"),
    ],
)
def test_a_column_that_names_something_else_is_a_score_only_if_named(name, form, tmp_path, monkeypatch):
    frame = pd.DataFrame({"label": LABELS, name: [k / 20 for k in range(N)]})
    assert candidates(frame, form, tmp_path, monkeypatch) == ()


def test_a_column_with_the_name_of_a_label_is_no_score():
    frame = pd.DataFrame({"outcome": LABELS, "target": FRACTIONS, "a": FRACTIONS})
    assert read_frame(frame, label="outcome").models == ("a",)


@pytest.mark.parametrize("form", FORMATS)
def test_a_lone_column_of_whole_numbers_is_no_score(form, tmp_path, monkeypatch):
    assert candidates(pd.DataFrame({"label": LABELS, "points": WHOLE}), form, tmp_path, monkeypatch) == ()


@given(st.data())
def test_a_frame_and_its_csv_file_have_the_same_scores(tmp_path_factory, data):
    cells = st.one_of(
        st.floats(-2, 2, allow_nan=False), st.integers(-3, 3), st.sampled_from(["a", "", "0.5", "1"]), st.booleans()
    )
    columns = {
        name: data.draw(st.lists(cells, min_size=N, max_size=N), label=name)
        for name in data.draw(st.lists(st.sampled_from(["a", "b", "c", "d_id", "day"]), unique=True, min_size=1))
    }
    frame = pd.DataFrame({"label": LABELS} | {name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    path = tmp_path_factory.mktemp("frames") / "scores.csv"
    frame.to_csv(path, index=False)
    assert outcome(lambda: read_frame(frame)) == outcome(lambda: read_predictions(path))


def outcome(read):
    """Return the models that are read, or what the error names."""
    try:
        return read().models
    except UnnamedError as error:
        return error.answers
    except InputError as error:
        return error.total


@pytest.mark.parametrize("form", FORMATS)
def test_a_column_of_fractions_must_hold_them_to_its_end(form, tmp_path, monkeypatch):
    rows = SAMPLE + 500
    late = [0.5] * rows
    late[-1] = 1.5
    frame = pd.DataFrame({"label": [1, 0] * (rows // 2), "late": late})
    with pytest.raises(InputError) as caught:
        candidates(frame, form, tmp_path, monkeypatch)
    assert caught.value.code == "not-a-fraction"
    place = f"row {rows - 1}" if form == "frame" else f"row {rows}" if form == "parquet" else f"line {rows + 1}"
    assert f"{place}: late 1.5 lies outside [0, 1]" in str(caught.value)
    assert "score=NAME takes it as it is" in str(caught.value)
    assert len(read_frame(frame, score="late")) == rows


def test_a_bad_cell_among_fractions_is_a_fault_and_not_another_column(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("label,p_new,p_old\n1,oops,0.9\n0,0.2,0.1\n1,0.3,0.8\n0,0.4,0.3\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: p_new 'oops' is not a number"):
        read_predictions(path)


def test_a_slice_has_the_scores_of_the_whole(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("label,score,p_other\n1,0.5,0.9\n0,0.5,0.1\n1,0.2,0.8\n", encoding="utf-8")
    assert read_predictions(path, where={"score": "0.5"}).models == ("score",)


@pytest.mark.parametrize("cells", [[0.5], {"a": 0.5}, (0.5,)], ids=["list", "dict", "tuple"])
def test_nested_columns_are_no_candidates(cells, tmp_path):
    nested = pd.Series([cells] * N, dtype=object)
    assert read_frame(pd.DataFrame({"label": LABELS, "a": FRACTIONS, "nested": nested})).models == ("a",)
    pl.DataFrame({"label": LABELS, "a": FRACTIONS, "b": [[0.5]] * N}).write_parquet(tmp_path / "scores.parquet")
    assert read_predictions(tmp_path / "scores.parquet").models == ("a",)


def test_the_source_has_the_scores_that_were_found_by_their_values():
    frame = pd.DataFrame({"label": LABELS, "a": FRACTIONS, "b": FRACTIONS})
    assert read_frame(frame).sources[0].guessed == ("a", "b")
    assert read_frame(frame, score="a").sources[0].guessed == ()
    assert read_frame(frame.rename(columns={"a": "score"})).sources[0].guessed == ()


EXPORT = "customer_id,churned,region,p_churn,p_churn_old\n" + "".join(
    f"{7 * k},{'no' if k % 3 else 'yes'},{'NSEW'[k % 4]},{k / 20},{1 - k / 20}\n" for k in range(N)
)


def test_one_error_names_all_that_is_missing_and_what_to_add(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text(EXPORT, encoding="utf-8")
    with pytest.raises(UnnamedError) as caught:
        read_predictions(path)
    assert str(caught.value).removeprefix(str(tmp_path)) == (
        "/export.csv: which column is the label?\n"
        "  labels could be: churned (yes, no), region (4 values)\n"
        "  try: label='churned', positive='yes'"
    )
    cases = read_predictions(path, **{option: values[0] for option, values in caught.value.answers.items()})
    assert cases.models == ("p_churn", "p_churn_old")


def test_the_positive_class_is_asked_for_together_with_the_score(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text(EXPORT.replace("p_churn_old", "score").replace("p_churn", "prob"), encoding="utf-8")
    with pytest.raises(UnnamedError) as caught:
        read_predictions(path, label="churned")
    assert str(caught.value).partition(": ")[2] == (
        "which value of churned is the positive class, and which columns are the scores?\n"
        "  it could be: yes, no\n"
        "  scores could be: prob, score\n"
        "  try: positive='yes', score=['prob', 'score']"
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_counts_file_guesses_nothing(suffix, tmp_path):
    from rocconf.read import Wanted, read_table

    frame = pl.DataFrame({"score": [0.9, 0.1], "positives": [2, 1], "negatives": [1, 3]})
    path = tmp_path / f"counts{suffix}"
    frame.write_parquet(path) if suffix == ".parquet" else frame.write_csv(path)
    (counts,) = read_table(find_input(str(path)), Wanted(for_rules=True))
    assert not any(source.guessed for source in counts.sources)
