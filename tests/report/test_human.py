"""Tables for people: rounded, fitted to the terminal, thinned, and saying what they leave out."""

import io

import pytest
from conftest import SAMPLE_DATA
from report_cases import answer_of, drawn
from rich.cells import cell_len

from rocconf.answer import Answer


@pytest.mark.thorough
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


def test_a_short_table_is_whole():
    text = drawn(answer_of(20), 250)
    assert "shown" not in text
    assert len([line for line in text.splitlines() if line.strip().startswith("0.")]) == 20


def test_a_terminal_without_unicode_gets_ascii_rules():
    class Ascii(io.StringIO):
        encoding = "ascii"

    assert drawn(answer_of(20), 80, Ascii()).replace("–", "-").isascii()


@pytest.mark.parametrize("width", [40, 80])
def test_a_verdict_without_rules_has_its_headings(width):
    text = drawn(Answer(answer_of(20).results, (), "inconclusive", 3), width)
    title, *table = text.split("\n\n")[0].splitlines()
    assert title == "verdict: inconclusive"
    assert " ".join(table[0].split()) == "verdict model rule value interval"
    assert set(table[1]) == {"-"}
    assert len(table) == 2


def test_a_report_that_no_rule_judges_is_shown_and_undecided(rocconf):
    rocconf("sweep", SAMPLE_DATA / "table1.csv", "-q", "-o", "report.json")
    ran = rocconf("gate", "report.json", "--format", "table")
    assert (ran.status, "internal error" in ran.err) == (3, False)
    verdict, sealed = ran.out.splitlines()[-2:]
    assert verdict.startswith("verdict: not enough evidence (status 3)")
    assert sealed.startswith("report.json: sealed without a key")
    assert "report" in ran.out
