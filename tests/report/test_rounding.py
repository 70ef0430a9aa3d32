"""Cells for people: short, and never rounded into one another."""

import pytest

from rocconf.report.rounding import show


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


def test_tied_thresholds_are_shown_differently():
    assert show([0.99999999, 1.0, None], "list") == "0.99999999 1 –"


def test_scores_that_differ_in_six_digits_have_no_more():
    assert show([0.123456789, 0.5], "list") == "0.123457 0.5"
