"""Tables for people: rounded, fitted to the terminal, thinned, and saying what they leave out."""

import html
import io
import re

import numpy as np
import pytest
from rich.cells import cell_len

from rocconf.answer import Answer
from rocconf.compute.compare import compare
from rocconf.compute.roc.counts import count
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.sweep import sweep
from rocconf.compute.tango import tango
from rocconf.records import Predictions
from rocconf.report import human
from rocconf.report.markdown import as_markdown, write_markdown
from rocconf.report.rounding import show
from rocconf.table import Column, Table


def answer_of(n, *, models=("score",), seed=7):
    random = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    scores = {name: random.random(n) for name in models}
    predictions = Predictions(labels, scores)
    return Answer(tuple(sweep(count(predictions, name)) for name in models))


def drawn(answer, width):
    stream = io.StringIO()
    human.write_rich(answer, stream, width=width)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "share", "–"),
        (float("nan"), "score", "–"),
        (0.12345, "share", "0.1235"),
        (12, "count", "12"),
        (12.0, "count", "12"),
        (1.5e-17, "score", "1.5e-17"),
        (123456.789, "number", "123457"),
        (0.00001234, "p", "1.2e-05"),
        (0.04, "p", "0.0400"),
        (0.0, "p", "<1e-307"),
        (True, "flag", "yes"),
        ([0.4, None], "list", "0.4 –"),
        (float("inf"), "score", "inf"),
    ],
)
def test_a_cell_is_rounded_for_people(value, kind, text):
    assert show(value, kind) == text


@pytest.mark.parametrize("width", [40, 80, 133, 200])
@pytest.mark.parametrize("models", [("a",), ("a", "b" * 30)])
def test_no_line_is_wider_than_the_terminal(width, models):
    assert max(map(len, drawn(answer_of(500, models=models), width).splitlines())) <= width


def test_wide_characters_take_the_room_they_need():
    lines = drawn(answer_of(500, models=("a", "漢字漢字漢字")), 60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert len({cell_len(line) for line in lines if line.startswith(("a ", "漢"))}) <= 3  # a table's rows are even


def test_headings_break_only_where_they_do_not_fit():
    assert "balanced accuracy" in drawn(answer_of(20), 250)
    narrow = drawn(answer_of(20), 120)
    assert "balanced accuracy" not in narrow
    assert "balanced" in narrow


def test_a_long_table_is_thinned_and_says_so():
    text = drawn(answer_of(500), 200)
    assert "of 501 rows shown; for all of them: -o FILE.csv" in text


def test_a_short_table_is_whole():
    text = drawn(answer_of(20), 250)
    assert "shown" not in text
    assert len([line for line in text.splitlines() if line.strip().startswith("0.")]) == 20


def test_the_first_and_the_last_row_and_the_operating_point_are_shown():
    answer = answer_of(500)
    (shown,) = [table for table in human.shown_tables(answer, width=None) if table.title == "thresholds"]
    thresholds = [row[0] for row in shown.rows]
    curve, point = answer.results[0].curve, answer.results[0].points[0]
    assert thresholds[0] == "–"
    assert thresholds[-1] == show(curve.thresholds[-1], "score")
    assert show(point.threshold, "score") in thresholds


def test_an_interval_stands_beside_its_estimate():
    summary, *_ = human.shown_tables(answer_of(60), width=80)
    auc = dict(summary.rows)["auc"]
    assert auc.count("[") == 1
    assert "auc lower" not in dict(summary.rows)


def test_several_models_stand_side_by_side():
    answer = answer_of(60, models=("a", "b"))
    models, *_ = human.shown_tables(answer, width=200)
    assert models.headings == ("", "a", "b")
    aucs = [show(result.auc.value, "share") for result in answer.results]
    assert {key: cells for key, *cells in models.rows}["auc"] == aucs
    assert models.note == ""


def test_models_that_do_not_fit_side_by_side_are_said_to_be_left_out():
    models, *_ = human.shown_tables(answer_of(60, models=tuple("abcdefgh")), width=60)
    assert 2 < len(models.headings) < 9
    assert all(len(row) == len(models.headings) for row in models.rows)
    assert models.note == f"{len(models.headings) - 1} of 8 models shown; for all of them: -o models:FILE.csv"
    assert max(map(len, drawn(answer_of(60, models=tuple("abcdefgh")), 60).splitlines())) <= 60
    narrow, *_ = human.shown_tables(answer_of(60, models=("a", "b")), width=5)
    assert narrow.headings == ("", "a")


def test_what_people_can_spare_is_left_out_first_and_what_is_empty_always():
    sweeps = answer_of(60).results
    answer = Answer(tuple(tango(result.counts) for result in sweeps))
    (wide,) = [table for table in human.shown_tables(answer, width=200) if table.title == "thresholds"]
    (narrow,) = [table for table in human.shown_tables(answer, width=80) if table.title == "thresholds"]
    assert {"tpr", "z", "confident"} < set(wide.headings)
    assert "confident" in narrow.headings
    assert not {"tpr", "z"} & set(narrow.headings)
    assert "equivalent" not in wide.headings
    assert "9 of 13 columns shown" in narrow.note


def test_markdown_is_a_page_with_its_caveats():
    stream = io.StringIO()
    write_markdown(answer_of(60, models=("a|b",)), stream)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "# rocconf sweep"
    assert any(line.startswith("> **in-sample**") for line in lines)
    tables = [line for line in lines if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_a_terminal_without_unicode_gets_ascii_rules():
    class Ascii(io.StringIO):
        encoding = "ascii"

    stream = Ascii()
    human.write_rich(answer_of(20), stream, width=80)
    assert stream.getvalue().replace("–", "-").isascii()


class Told:
    """A result with words at the end of its rows."""

    command, table_names, shown, rows_title, caveats = "told", ("rows", "models"), (), "rows", ()

    def title(self, name):
        return name

    def table(self, name="rows"):
        columns = [Column("model", "text"), Column("value", "number"), Column("meaning", "text")]
        rows = [("m", 0.5, "one two three four five six seven eight nine ten"), ("m", 0.25, "eleven")]
        records = [dict(zip(("model", "value", "meaning"), row, strict=True)) for row in rows]
        return Table.of(name, columns, records[:1] if name == "models" else records)


def test_words_at_the_end_of_a_row_are_broken_into_lines_beside_it():
    *_, rows = human.shown_tables(Answer((Told(),)), width=30)
    assert rows.rows == [
        ("0.5000", "one two three four"),
        ("", "five six seven eight"),
        ("", "nine ten"),
        ("0.2500", "eleven"),
    ]
    assert rows.note == ""


def test_words_without_room_are_left_out_and_it_is_said():
    *_, rows = human.shown_tables(Answer((Told(),)), width=27)
    assert rows.headings == ("value",)
    assert rows.note.startswith("1 of 2 columns shown")


@pytest.mark.parametrize("width", [80, None])
def test_words_with_room_stay_on_their_line(width):
    *_, rows = human.shown_tables(Answer((Told(),)), width=width)
    assert [len(row) for row in rows.rows] == [2, 2]


@pytest.mark.parametrize(("width", "lines"), [(80, 3), (None, 1)])
def test_words_leave_room_for_other_models(width, lines):
    table = Told().table()
    side_by_side = human._side_by_side("told", table, width=width)  # noqa: SLF001  # results of one kind share a table
    assert side_by_side.note == ""
    assert [row[0] for row in side_by_side.rows] == ["value", "meaning", *[""] * (lines - 1)]
    assert side_by_side.rows[1][2] == "eleven"
    assert " ".join(row[1] for row in side_by_side.rows[1:]) == "one two three four five six seven eight nine ten"


def judged(models, *, values=((0.75, 0.625, 0.875),), severity="fail", name="tpr@threshold=0.5 >= 0.8"):
    """Return an answer with a verdict."""
    gates = tuple(
        {"model": model, "name": name, "severity": severity, "verdict": "inconclusive"}
        | dict(zip(("value", "lower", "upper"), each, strict=True))
        for model in models
        for each in values
    )
    return Answer(answer_of(20).results, gates, "inconclusive", 3)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ((450, None, None), "450"),
        ((450.0, None, None), "450"),
        ((12, 10.5, 13.25), "12"),
        ((1.0, 0.9, 1.0), "1.0000"),
        ((0.5, None, None), "0.5000"),
        ((None, None, None), "–"),
    ],
)
def test_a_rule_shows_whole_numbers_whole(found, text):
    shown, *_ = human.shown_tables(judged(["m"], values=[found]), width=None)
    assert shown.rows[0][3] == text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("severity", ["fail", "warn"])
@pytest.mark.parametrize("models", [("m",), ("m" * 70,), ("m" * 70 + "1", "m" * 70 + "2")])
def test_a_verdict_fits_the_terminal_and_says_every_number(width, severity, models):
    answer = judged(models, severity=severity)
    verdict = drawn(answer, width).split("\n\n", maxsplit=1)[0]
    shown, *_ = human.shown_tables(answer, width=width)
    assert len(verdict.splitlines()) == len(shown.rows) + 3  # none was broken: the title, the headings, the rule
    assert max(map(cell_len, verdict.splitlines())) <= width
    for said in ("tpr@threshold=0.5", ">= 0.8", "0.7500", "0.6250,", "0.8750]", "inconclusive"):
        assert verdict.count(said) >= len(models)
    if len(models) > 1:
        assert "1 " in verdict or "1\n" in verdict
        assert "2 " in verdict or "2\n" in verdict


def test_a_verdict_with_room_names_the_model():
    shown, *_ = human.shown_tables(judged(["m"]), width=80)
    assert shown.headings[1] == "model"


def test_different_scores_are_shown_differently():
    scores = np.array([1.0, 1 - 2e-16, 1 - 1e-9, 1 - 1e-8, 0.25, -0.0, 1e300, 5e-324])
    predictions = Predictions(np.array([1, 0] * 4, dtype=bool), {"a": scores, "b": scores[::-1]})
    answer = Answer(tuple(sweep(count(predictions, name)) for name in predictions.models))
    (shown,) = [table for table in human.shown_tables(answer, width=None) if table.title == "thresholds"]
    for model in ("a", "b"):
        thresholds = [row[1] for row in shown.rows if row[0] == model]
        assert len(set(thresholds)) == len(scores) + 1
        assert {"0.25", "–", "1", "0.9999999999999998"} <= set(thresholds)


def test_tied_thresholds_are_shown_differently():
    assert show([0.99999999, 1.0, None], "list") == "0.99999999 1 –"


def test_scores_that_differ_in_six_digits_have_no_more():
    assert show([0.123456789, 0.5], "list") == "0.123457 0.5"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_long_names_leave_room_for_other_models(width):
    names = [f"a very long model name number {k} with spaces (v1.0, 2024)" for k in range(12)]
    models, *_ = human.shown_tables(answer_of(60, models=names), width=width)
    assert len(models.headings) == {60: 4, 80: 5, 200: 13}[width]
    assert [f" {k} " in f"{heading} " for k, heading in enumerate(models.headings[1:])] == [True] * (
        len(models.headings) - 1
    )


def test_a_name_with_room_is_whole():
    models, *_ = human.shown_tables(answer_of(60, models=("a" * 30, "b")), width=100)
    assert models.headings == ("", "a" * 30, "b")


MARKED = ["a|b", "`code`", "<b>", "</td>", "<!--", "&lt;", "*bold*", "_it_", "[a](b)", "\\", "~~no~~", "a\nb", "\\|"]


@pytest.mark.parametrize("name", MARKED)
def test_markdown_shows_a_name_as_it_is(name):
    (line,) = as_markdown(f"model {name} wins").splitlines()
    read = re.sub(r"\\([\\`*|_(~])", lambda found: f"&#{ord(found[1])};", line)  # what a backslash stands before
    assert not re.search(r"[\\`*|]|<[\w/!]|\b_\b|\]\(|~~", read)
    assert html.unescape(read) == " ".join(f"model {name} wins".split())


@pytest.mark.parametrize(
    "text", ["tpr@fpr<=0.01 >= 0.8", "true_rate", "auc[F] >= 0.9", "f1 < 0.5", "R&D", "[0.1, 0.2]"]
)
def test_markdown_leaves_plain_names_alone(text):
    assert as_markdown(text) == text


def test_an_interval_stands_in_the_cell_of_its_estimate():
    predictions = Predictions(np.array([1, 1, 0, 1, 0, 0], dtype=bool), {"m": np.array([0.9, 0.9, 0.5, 0.4, 0.2, 0.1])})
    *_, rows = human.shown_tables(Answer((sweep(count(predictions), intervals=True),)), width=500)
    limits = wilson(2, 3)
    expected = f"0.6667 [{show(limits.lower, 'share')}, {show(limits.upper, 'share')}]"
    assert rows.rows[1][rows.headings.index("tpr")] == expected
    assert not any(heading.endswith(("lower", "upper")) for heading in rows.headings)


@pytest.mark.parametrize("length", [26, 60, 200])
def test_long_names_of_models_never_take_the_place_of_a_difference(length):
    random = np.random.default_rng(1)
    names = [f"{start}{'x' * length}" for start in ("old", "new", "next")]
    predictions = Predictions(np.arange(60) % 3 == 0, {name: random.random(60) for name in names})
    shown = human.shown_tables(Answer((compare(predictions, at=["threshold=0.5"], all_pairs=True),)), width=80)
    (pairs,) = [table for table in shown if table.title.startswith("pairs")]
    assert "difference" in pairs.headings
    assert len({row[0] for row in pairs.rows}) == 2
