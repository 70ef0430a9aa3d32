"""Data frames mean what their types say."""

from decimal import Decimal
from math import inf, nan

import numpy as np
import pandas as pd
import pytest

from rocconf.errors import InputError
from rocconf.read import read_frame

CLASSES = ["ill", "well", "ill"]
CATEGORIES = pd.CategoricalDtype(["well", "other", "ill"])


def refused(frame, **options):
    with pytest.raises(InputError) as caught:
        read_frame(frame, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (pd.Series([1, 0, 1]), None),
        (pd.Series([True, False, True]), None),
        (pd.Series([1.0, 0.0, 1.0], dtype="float32"), None),
        (pd.Series([1, 0, 1], dtype="Int64"), None),
        (pd.Series([1, 0, 1], dtype="UInt8"), None),
        (pd.Series([1.0, 0.0, 1.0], dtype="Float64"), None),
        (pd.Series([True, False, True], dtype="boolean"), None),
        (pd.Series(["1", "0", "true"], dtype="string"), None),
        (pd.Series([1, 0, 1], dtype="category"), None),
        (pd.Series([1, "0", True], dtype=object), None),
        (pd.Series([1, 0, 1], dtype=pd.SparseDtype("int64", 0)), None),
        (pd.Series(CLASSES), "ill"),
        (pd.Series(CLASSES, dtype=object), "ill"),
        (pd.Series(CLASSES, dtype="string"), "ill"),
        (pd.Series(CLASSES, dtype=CATEGORIES), "ill"),
        (pd.Series([2, 1, 2]), 2),
        (pd.Series([2, 1, 2]), 2.0),
        (pd.Series([True, False, True]), True),
        (pd.Series([False, True, False]), False),
        (pd.Series([False, True, False]), np.bool_(0)),
    ],
    ids=lambda value: str(value.dtype) if isinstance(value, pd.Series) else str(value),
)
def test_labels_of_every_type_are_understood(labels, positive):
    cases = read_frame(pd.DataFrame({"label": labels, "score": [0.9, 0.1, 0.5]}), positive=positive)
    assert cases.labels.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("scores", "values"),
    [
        (pd.Series([0.9, 0.1, -0.0]), [0.9, 0.1, -0.0]),
        (pd.Series([0.1, 0.2, 0.3], dtype="float32"), [0.10000000149011612, 0.20000000298023224, 0.30000001192092896]),
        (pd.Series([3, 1, 2], dtype="int8"), [3, 1, 2]),
        (pd.Series([3, 1, 2], dtype="Int64"), [3, 1, 2]),
        (pd.Series([0.9, 0.1, 0.5], dtype="Float64"), [0.9, 0.1, 0.5]),
        (pd.Series([0.9, 0.1, inf], dtype=object), [0.9, 0.1, inf]),
        (pd.Series(["0.9", " 1e-1", "-inf"]), [0.9, 0.1, -inf]),
        (pd.Series([Decimal("0.9"), "0.1", 5], dtype=object), [0.9, 0.1, 5]),
        (pd.Series([0.9, 0.1, 0.5], dtype="category"), [0.9, 0.1, 0.5]),
        (pd.Series([0.9, 0.1, 0.5], dtype=pd.SparseDtype("float64")), [0.9, 0.1, 0.5]),
    ],
    ids=lambda value: str(value.dtype) if isinstance(value, pd.Series) else "",
)
def test_scores_of_every_type_are_exact(scores, values):
    cases = read_frame(pd.DataFrame({"label": [1, 0, 1], "score": scores}), score="score")
    assert cases.scores["score"].tolist() == values
    assert cases.scores["score"].dtype == float


@pytest.mark.parametrize("missing", [None, nan, pd.NA, pd.NaT, "", "NA"])
def test_missing_values_are_an_error_or_left_out(missing):
    frame = pd.DataFrame(
        {
            "label": pd.Series([1, missing, 0, 1], dtype=object),
            "score": pd.Series([0.9, 0.5, 0.1, missing], dtype=object),
        }
    )
    assert refused(frame, score="score") == (
        "data frame: 2 faults\n  row 1: label has no value\n  row 3: score has no value\n"
        "  (na='drop' leaves out the rows without a value, and counts them)"
    )
    cases = read_frame(frame, score="score", na="drop")
    assert cases.scores["score"].tolist() == [0.9, 0.1]
    assert cases.sources[0].dropped == 2


@pytest.mark.parametrize("dtype", ["Float64", "float64", "Int64", "category", "string"])
def test_missing_values_of_every_type_can_be_left_out(dtype):
    frame = pd.DataFrame({"label": [1, 0, 1], "score": pd.Series([5, 3, None], dtype=dtype)})
    assert read_frame(frame, score="score", na="drop").scores["score"].tolist() == [5, 3]


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "float64", "category", "object"])
def test_missing_labels_of_every_type_can_be_left_out(dtype):
    frame = pd.DataFrame({"label": pd.Series([1, 0, None], dtype=dtype), "score": [5, 3, 4]})
    assert read_frame(frame, na="drop").labels.tolist() == [True, False]


def test_the_index_does_not_matter():
    frame = pd.DataFrame({"label": [1, 0, 1, 1], "score": [0.9, 0.1, nan, 0.4], "id": list("abcd")}, index=[7, 7, 8, 1])
    cases = read_frame(frame, na="drop")
    assert cases.scores["score"].tolist() == [0.9, 0.1, 0.4]
    assert cases.ids.tolist() == ["a", "b", "d"]


def test_columns_need_not_be_named_with_text():
    cases = read_frame(pd.DataFrame([[1, 0.9], [0, 0.1]]), label="0", score=["1"])
    assert cases.scores["1"].tolist() == [0.9, 0.1]


def test_all_columns_of_fractions_are_scores():
    frame = pd.DataFrame({"label": [1, 0], "a": [0.9, 0.1], "b": ["x", "y"], "c": [True, False], "d": [1, 0.5]})
    assert read_frame(frame).models == ("a", "d")


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ({"label": [1, 0]}, {}, "which columns are the scores?\n  no column holds numbers (found: label)"),
        (
            {"label": [1, 0], "score": [1, 2]},
            {"score": "scores"},
            "no column 'scores' (found: label, score); did you mean 'score'?",
        ),
        (
            {"label": [1, 2], "score": [1, 2]},
            {},
            "row 1: label '2' is neither 0 nor 1\n  (if these are the names of the classes, positive=NAME says which one is positive)",
        ),
        ({"label": ["a", "b"], "score": [1, 2]}, {"positive": "c"}, "no label equals positive='c' (found: 'a', 'b')"),
        (
            {"label": [1, [0]], "score": [1, 2]},
            {},
            "column 'label' is nested: lists and structs are not supported",
        ),
        (
            {"label": [1, 0], "score": [None, {"a": 1}]},
            {"score": "score"},
            "column 'score' is nested: lists and structs are not supported",
        ),
        (
            {"label": [1, 0], "score": [1j, 2j]},
            {"score": "score"},
            "2 faults\n  row 0: score '1j' is not a number\n  row 1: score '2j' is not a number",
        ),
        (
            {"label": [1, 0], "score": pd.to_datetime(["2024-01-02", "2024-01-03"])},
            {"score": "score"},
            "2 faults\n  row 0: score '2024-01-02T00:00:00' is not a number\n  row 1: score '2024-01-03T00:00:00' is not a number",
        ),
        (
            {"label": [1, 0], "score": [True, False]},
            {"score": "score"},
            "2 faults\n  row 0: score 'true' is not a number\n  row 1: score 'false' is not a number",
        ),
        (
            {"label": [1, 0], "score": pd.Series([10**400, 1], dtype=object)},
            {"score": "score"},
            f"row 0: score '1{'0' * 39}...' is too large for a 64-bit float",
        ),
        (
            {"id": ["a", "a"], "label": [1, 0], "score": [1, 2]},
            {},
            "row 1: id 'a' is already on row 0\n  (every case must have a different id: cases are assumed to be independent; model=COLUMN reads a row for each case and model)",
        ),
        ({"label": [], "score": []}, {"score": "score"}, "no rows below the header"),
    ],
)
def test_a_bad_frame_is_an_error(frame, options, message):
    assert refused(pd.DataFrame(frame), **options) == f"data frame: {message}"


def test_columns_of_one_name_are_an_error():
    frame = pd.DataFrame([[1, 0.9, 0.8], [0, 0.1, 0.2]], columns=["label", "score", "score"])
    assert refused(frame, score="score") == "data frame: 2 columns are called 'score'"


def test_the_frame_is_left_as_it_was():
    frame = pd.DataFrame({"label": [1, 0], "score": [0.9, 0.1]})
    cases = read_frame(frame)
    frame.loc[0, "score"] = 7.0
    assert cases.scores["score"].tolist() == [0.9, 0.1]
    assert frame["score"].to_numpy(copy=True).flags.writeable
