"""The summary: a line for each number, a column for each model that there is room for."""

import pytest
from report_cases import Described, answer_of, drawn

from rocconf.answer import Answer
from rocconf.report.human import shown_tables
from rocconf.report.models_table import side_by_side
from rocconf.report.rounding import show


def test_an_interval_stands_beside_its_estimate():
    summary, *_ = shown_tables(answer_of(60), width=80)
    auc = dict(summary.rows)["auc"]
    assert auc.count("[") == 1
    assert "auc lower" not in dict(summary.rows)


def test_several_models_stand_side_by_side():
    answer = answer_of(60, models=("a", "b"))
    models, *_ = shown_tables(answer, width=200)
    assert models.headings == ("", "a", "b")
    aucs = [show(result.auc.value, "share") for result in answer.results]
    assert {key: cells for key, *cells in models.rows}["auc"] == aucs
    assert models.note == ""


@pytest.mark.parametrize(
    ("audience", "all_of_them"), [("library", "to_frame('models')"), ("shell", "-o models:FILE.csv")]
)
def test_a_note_names_the_models_that_do_not_fit(audience, all_of_them):
    answer = answer_of(60, models=tuple("abcdefgh"), audience=audience)
    models, *_ = shown_tables(answer, width=60)
    assert 2 < len(models.headings) < 9
    assert all(len(row) == len(models.headings) for row in models.rows)
    assert models.note == f"{len(models.headings) - 1} of 8 models shown; for all of them: {all_of_them}"
    assert max(map(len, drawn(answer, 60).splitlines())) <= 60


def test_one_model_is_always_shown():
    narrow, *_ = shown_tables(answer_of(60, models=("a", "b")), width=5)
    assert narrow.headings == ("", "a")


@pytest.mark.parametrize(("width", "lines"), [(80, 3), (None, 1)])
def test_long_texts_leave_room_for_other_models(width, lines):
    answer = Answer((Described(),))  # results of one kind share a table
    models = side_by_side(answer, answer.table("rows"), width=width)
    assert models.note == ""
    assert [row[0] for row in models.rows] == ["value", "meaning", *[""] * (lines - 1)]
    assert models.rows[1][2] == "eleven"
    assert " ".join(row[1] for row in models.rows[1:]) == "one two three four five six seven eight nine ten"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_long_names_leave_room_for_other_models(width):
    names = [f"a very long model name number {k} with spaces (v1.0, 2024)" for k in range(12)]
    models, *_ = shown_tables(answer_of(60, models=names), width=width)
    assert len(models.headings) == {60: 4, 80: 5, 200: 13}[width]
    assert [f" {k} " in f"{heading} " for k, heading in enumerate(models.headings[1:])] == [True] * (
        len(models.headings) - 1
    )


def test_a_name_with_room_is_whole():
    models, *_ = shown_tables(answer_of(60, models=("a" * 30, "b")), width=100)
    assert models.headings == ("", "a" * 30, "b")
