"""The verdict of a gate on a terminal: every number of every rule, in as many columns as there is room for."""

import pytest
from report_cases import answer_of, drawn
from rich.cells import cell_len

from rocconf.answer import Answer
from rocconf.report.verdict_table import verdict_table

ASKED = {"metric": "tpr", "at": "threshold=0.5", "op": ">=", "limit": 0.8}


def judged(models, *, values=((0.75, 0.625, 0.875),), severity="fail", name="tpr@threshold=0.5 >= 0.8"):
    """Return an answer with a verdict."""
    gates = tuple(
        {"model": model, "name": name, "severity": severity, "verdict": "inconclusive", **ASKED}
        | dict(zip(("value", "lower", "upper"), each, strict=True))
        for model in models
        for each in values
    )
    return Answer(answer_of(20).results, gates, "inconclusive", 3)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((450, None, None), "450"),
        ((450.0, None, None), "450"),
        ((12, 10.5, 13.25), "12"),
        ((1.0, 0.9, 1.0), "1.0000"),
        ((0.5, None, None), "0.5000"),
        ((None, None, None), "–"),
    ],
)
def test_a_rule_shows_whole_numbers_whole(numbers, text):
    shown = verdict_table(judged(["m"], values=[numbers]), width=None)
    assert shown.rows[0][3] == text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("severity", ["fail", "warn"])
@pytest.mark.parametrize("models", [("m",), ("m" * 70,), ("m" * 70 + "1", "m" * 70 + "2")])
def test_a_verdict_fits_the_terminal_and_shows_every_number(width, severity, models):
    answer = judged(models, severity=severity)
    verdict = drawn(answer, width).split("\n\n", maxsplit=1)[0]
    shown = verdict_table(answer, width=width)
    assert len(verdict.splitlines()) == len(shown.rows) + 3  # none was broken: the title, the headings, the rule
    assert max(map(cell_len, verdict.splitlines())) <= width
    for text in ("tpr@threshold=0.5", ">= 0.8", "0.7500", "0.6250,", "0.8750]", "inconclusive"):
        assert verdict.count(text) >= len(models)
    if len(models) > 1:
        assert "1 " in verdict or "1\n" in verdict
        assert "2 " in verdict or "2\n" in verdict


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("tpr@threshold=0.5 >= 0.8", "tpr@threshold=0.5 >= 0.8"),
        ("tpr[m] @ threshold=0.5>=.80, site=A", "tpr[m] @ threshold=0.5>=.80, site=A"),
        ("recall", "recall: tpr@threshold=0.5 >= 0.8"),
        ("tpr@threshold=0.5 >= 0.9", "tpr@threshold=0.5 >= 0.9: tpr@threshold=0.5 >= 0.8"),
        ("tpr@threshold=0.5 <= 0.8", "tpr@threshold=0.5 <= 0.8: tpr@threshold=0.5 >= 0.8"),
    ],
)
def test_a_name_that_is_not_the_rule_stands_before_it(name, shown):
    assert verdict_table(judged(["m"], name=name), width=None).rows[0][2] == shown


def test_a_limit_that_is_unknown_hides_no_other():
    assert verdict_table(judged(["m"], values=[(0.5, None, 0.75)]), width=None).rows[0][4] == "[–, 0.7500]"


def test_a_verdict_with_room_names_the_model():
    assert verdict_table(judged(["m"]), width=80).headings[1] == "model"
