"""All rows for people: without columns that say nothing, and no wider than the terminal."""

import numpy as np
import pytest
from report_cases import Described, answer_of, thresholds_of

import rocconf
from rocconf import Predictions
from rocconf.answer import Answer
from rocconf.compute.stats.proportion import wilson
from rocconf.report.human import shown_tables
from rocconf.report.rounding import show
from rocconf.report.rows_table import rows_table
from rocconf.table import Column, Table


@pytest.mark.parametrize(
    ("audience", "all_of_them"), [("library", "to_frame('points')"), ("shell", "-o points:FILE.csv")]
)
def test_a_table_that_is_too_wide_says_so(audience, all_of_them):
    columns = (Column("tp", "count"), Column("a_long_word" * 3, "count"))
    table = Table.of("points", columns, [{column.name: k for column in columns} for k in range(100)])
    shown = rows_table(table, "points", width=8, one_model=True, audience=audience)
    assert len(shown.rows) == 100
    assert shown.note == f"1 of 2 columns shown; for all of them: {all_of_them}"


def test_spare_columns_are_left_out_first_and_empty_ones_always():
    answer = Answer(tuple(rocconf.tango(result.counts) for result in answer_of(60).results))
    wide, narrow = thresholds_of(answer, 200), thresholds_of(answer, 80)
    assert {"tpr", "z", "confident"} < set(wide.headings)
    assert "confident" in narrow.headings
    assert not {"tpr", "z"} & set(narrow.headings)
    assert "equivalent" not in wide.headings
    assert "9 of 13 columns shown" in narrow.note


def test_words_at_the_end_of_a_row_are_broken_into_lines_beside_it():
    *_, rows = shown_tables(Answer((Described(),)), width=30)
    assert rows.rows == [
        ("0.5000", "one two three four"),
        ("", "five six seven eight"),
        ("", "nine ten"),
        ("0.2500", "eleven"),
    ]
    assert rows.note == ""


def test_words_without_room_are_left_out_with_a_note():
    *_, rows = shown_tables(Answer((Described(),)), width=27)
    assert rows.headings == ("value",)
    assert rows.note.startswith("1 of 2 columns shown")


@pytest.mark.parametrize("width", [80, None])
def test_words_with_room_stay_on_their_line(width):
    *_, rows = shown_tables(Answer((Described(),)), width=width)
    assert [len(row) for row in rows.rows] == [2, 2]


def test_different_scores_are_shown_differently():
    scores = np.array([1.0, 1 - 2e-16, 1 - 1e-9, 1 - 1e-8, 0.25, -0.0, 1e300, 5e-324])
    predictions = Predictions(np.array([1, 0] * 4, dtype=bool), {"a": scores, "b": scores[::-1]})
    shown = thresholds_of(Answer(tuple(map(rocconf.sweep, rocconf.count_each(predictions)))), None)
    for model in ("a", "b"):
        thresholds = [row[1] for row in shown.rows if row[0] == model]
        assert len(set(thresholds)) == len(scores) + 1
        assert {"0.25", "–", "1", "0.9999999999999998"} <= set(thresholds)


def test_an_interval_stands_in_the_cell_of_its_estimate():
    predictions = Predictions(np.array([1, 1, 0, 1, 0, 0], dtype=bool), {"m": np.array([0.9, 0.9, 0.5, 0.4, 0.2, 0.1])})
    rows = thresholds_of(Answer((rocconf.sweep(rocconf.count(predictions), intervals=True),)), 500)
    limits = wilson(2, 3)
    expected = f"0.6667 [{show(limits.lower, 'share')}, {show(limits.upper, 'share')}]"
    assert rows.rows[1][rows.headings.index("tpr")] == expected
    assert not any(heading.endswith(("lower", "upper")) for heading in rows.headings)


def test_a_limit_alone_keeps_its_column():
    columns = tuple(Column(name, "number") for name in ("tpr", "tpr_lower", "tpr_upper"))
    table = Table.of("rows", columns, [{"tpr": 0.5, "tpr_lower": 0.25, "tpr_upper": None}])
    shown = rows_table(table, "rows", width=80, one_model=True, audience="library")
    assert (shown.headings, shown.rows) == (("tpr", "tpr lower"), [("0.5000", "0.2500")])


@pytest.mark.parametrize("length", [26, 60, 200])
def test_long_names_of_models_never_take_the_place_of_a_difference(length):
    random = np.random.default_rng(1)
    names = [f"{start}{'x' * length}" for start in ("old", "new", "next")]
    predictions = Predictions(np.arange(60) % 3 == 0, {name: random.random(60) for name in names})
    comparison = rocconf.compare(predictions, at=["threshold=0.5"], all_pairs=True)
    (pairs,) = [table for table in shown_tables(Answer((comparison,)), width=80) if table.title.startswith("pairs")]
    assert "difference" in pairs.headings
    assert len({row[0] for row in pairs.rows}) == 2
