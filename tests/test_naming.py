"""What models are called, by the names of their files and columns."""

import pytest

from rocconf.errors import UsageError
from rocconf.naming import baseline_name, model_names, report_model_names, require_distinct_files, stem


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("scores.csv", "scores"),
        ("data/scores.csv.gz", "scores"),
        ("../scores.parquet", "scores"),
        ("SCORES.CSV.GZ", "SCORES"),
        ("scores", "scores"),
        (".scores", ".scores"),
        ("data.d/scores", "scores"),
        ("-", "stdin"),
        ("m.v1.csv", "m.v1"),
        ("m.2024.01.csv.gz", "m.2024.01"),
        ("m.v1", "m.v1"),
        ("m.gz", "m"),
        ("runs/last.json.zst", "last"),
        (".csv", ".csv"),
    ],
)
def test_a_stem_is_the_name_without_folder_and_suffixes(file, name):
    assert stem(file) == name


@pytest.mark.parametrize(
    ("files", "columns", "names"),
    [
        (["a.csv"], [["score"]], [["score"]]),
        (["a.csv"], [["S", "T"]], [["S", "T"]]),
        (["a.csv", "b.csv.gz"], [["score"], ["score"]], [["a"], ["b"]]),
        (["a.csv", "-"], [["x"], ["y"]], [["a"], ["stdin"]]),
        (["a.csv", "b.csv"], [["S", "T"], ["S"]], [["a:S", "a:T"], ["b:S"]]),
        (["old/a.csv", "new/a.csv"], [["x"], ["x"]], [["old/a"], ["new/a"]]),
        (["m.v1.csv", "m.v2.csv"], [["x"], ["x"]], [["m.v1"], ["m.v2"]]),
        (
            ["old/a.csv", "new/a.csv", "b.csv"],
            [["x"], ["x", "y"], ["x"]],
            [["old/a:x"], ["new/a:x", "new/a:y"], ["b:x"]],
        ),
    ],
)
def test_models_are_named_by_column_by_stem_or_by_both(files, columns, names):
    assert model_names(files, columns) == names


@pytest.mark.parametrize(
    ("files", "columns", "twice"),
    [
        (["a.csv", "a.tsv"], [["x"], ["y"]], "a"),
        (["a.csv", "a.tsv"], [["x", "y"], ["y"]], "a:y"),
        (["b.csv", "b.tsv", "a.csv", "a.tsv"], [["x"]] * 4, "a, b"),
    ],
)
def test_models_of_one_name_are_refused(files, columns, twice):
    with pytest.raises(UsageError, match=f"^two models are called {twice}: give the files different names$"):
        model_names(files, columns)


@pytest.mark.parametrize(
    ("files", "models", "names"),
    [
        (["a.json"], [["S", "T"]], [["S", "T"]]),
        (["a.json", "b.json"], [["S"], ["T", "F"]], [["S"], ["T", "F"]]),
        (["a.json", "b.json"], [["S"], ["T", "S"]], [["a:S"], ["b:T", "b:S"]]),
        (["a.json", "-"], [["S"], ["S"]], [["a:S"], ["stdin:S"]]),
        (["old/a.json", "new/a.json"], [["S"], ["T"]], [["S"], ["T"]]),
        (["old/a.json", "new/a.json", "b.json"], [["S"], ["S"], ["T"]], [["old/a.json:S"], ["new/a.json:S"], ["b:T"]]),
    ],
)
def test_models_of_reports_keep_their_names_unless_two_are_equal(files, models, names):
    assert report_model_names(files, models) == names


def test_a_prefix_may_make_a_name_that_a_report_has_already():
    with pytest.raises(UsageError, match="two models are called a:b:S"):
        report_model_names(["a.json", "a:b.json"], [["b:S", "S"], ["S"]])


def test_a_baseline_report_keeps_the_name_of_its_model_unless_another_has_it():
    assert baseline_name("F", "runs/last.json", ["S", "T"]) == "F"
    assert baseline_name("F", "runs/last.json", ["S", "F"]) == "last:F"


def test_a_file_given_twice_is_refused():
    require_distinct_files(["a.csv", "./a.csv", "-"])
    with pytest.raises(UsageError, match=r"^-, a\.csv: given twice$"):
        require_distinct_files(["a.csv", "-", "b.csv", "a.csv", "-"])
