"""Windows of time: their names, their ends, and the one of each case."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.sensibility.windows import parse_every, time_text, windows_of
from rocconf.errors import RocconfError
from rocconf.records import Times

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def times_of(*texts, kind="date"):
    moments = [datetime.fromisoformat(text).replace(tzinfo=UTC) - EPOCH for text in texts]
    return Times(np.array([moment // timedelta(microseconds=1) for moment in moments]), kind)


def numbers(*values):
    return Times(np.array(values, dtype=float), "number")


def days(first, span):
    """Return the first and the last day of a span."""
    start = datetime.fromisoformat(first)
    return times_of(first, (start + timedelta(days=span - 1)).date().isoformat())


def test_months_are_those_of_the_calendar_and_none_is_left_out():
    windows = windows_of(times_of("2024-01-31", "2024-04-01", "2024-02-01"), "month")
    assert windows.names() == ["2024-01", "2024-02", "2024-03", "2024-04"]
    assert windows.bounds() == ["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01"]
    assert windows.of_case.tolist() == [0, 3, 1]


def test_weeks_begin_on_monday_and_have_the_number_of_the_standard():
    windows = windows_of(times_of("2024-12-29", "2024-12-30", "2025-01-05", "2025-01-06"), "week")
    assert windows.names() == ["2024-W52", "2025-W01", "2025-W02"]
    assert windows.bounds() == ["2024-12-23", "2024-12-30", "2025-01-06", "2025-01-13"]
    assert windows.of_case.tolist() == [0, 1, 1, 2]


@examples(60)
@given(st.dates(), st.integers(0, 400))
def test_a_week_is_the_one_that_the_calendar_of_the_library_names(day, later):
    last = min(day.toordinal() + later, 3_652_059)
    windows = windows_of(days(day.isoformat(), last - day.toordinal() + 1), "week")
    year, week, _ = day.isocalendar()
    assert windows.names()[0] == f"{year}-W{week:02}"
    assert len(windows) == (last - 1) // 7 - (day.toordinal() - 1) // 7 + 1


def test_windows_of_days_and_units_are_counted_from_the_first_case():
    assert windows_of(times_of("2024-01-17", "2024-01-03", "2024-01-16"), "14").of_case.tolist() == [1, 0, 0]
    windows = windows_of(numbers(17, 3, 12.5, 13), 10)
    assert windows.names() == ["3", "13"]
    assert windows.bounds() == ["3", "13", "23"]
    assert windows.of_case.tolist() == [1, 0, 0, 1]
    assert len(windows_of(numbers(20240101, 20240201), 100)) == 2  # numbers like dates, with a length
    midnight = windows_of(times_of("1969-12-31T23:59:59", "1970-01-01T00:00:00", kind="datetime"), "day")
    assert midnight.names() == ["1969-12-31", "1970-01-01"]
    assert midnight.of_case.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("span", "chosen"), [(1, "day"), (20, "day"), (50, "week"), (120, "week"), (200, "month"), (3000, "month")]
)
def test_the_longest_windows_of_which_there_are_enough_are_chosen(span, chosen):
    assert windows_of(days("2024-03-04", span)).every == chosen


@pytest.mark.parametrize(
    ("last", "chosen"), [(0, "1"), (11, "1"), (12, "2"), (30, "5"), (99, "10"), (86_400 * 30, "500000")]
)
def test_windows_of_numbers_have_a_round_length_and_are_a_dozen_at_most(last, chosen):
    windows = windows_of(numbers(0, last))
    assert windows.every == chosen
    assert len(windows) <= 12


@pytest.mark.parametrize(
    ("times", "every", "code"),
    [
        (numbers(1, 2), "month", "every-of-numbers"),
        (numbers(20240101, 20240201), None, "dates-as-numbers"),
        (numbers(0, 5e6), "1", "every-too-short"),
        (days("2000-01-01", 4000), "day", "every-too-short"),
    ],
)
def test_windows_that_mean_nothing_are_refused(times, every, code):
    with pytest.raises(RocconfError) as error:
        windows_of(times, every)
    assert error.value.code == code


@pytest.mark.parametrize("text", ["0", "-3", "1.5", "year", "", "\N{SUPERSCRIPT TWO}", "99999999999"])
def test_invalid_lengths_are_refused(text):
    with pytest.raises(RocconfError):
        parse_every(text)


def test_a_time_is_shown_as_it_was_read():
    assert time_text(times_of("2024-02-29"), 0) == "2024-02-29"
    assert time_text(times_of("2024-02-29T10:30:00", kind="datetime"), 0) == "2024-02-29T10:30:00"
    assert time_text(times_of("2024-02-29T10:30:00.250000", kind="zoned"), 0) == "2024-02-29T10:30:00.250000Z"
    assert time_text(numbers(12.5), 0) == "12.5"
