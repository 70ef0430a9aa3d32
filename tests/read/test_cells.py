"""What one cell means."""

import re
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.errors import UsageError
from rocconf.gate import parse_gate_rule
from rocconf.read.cells import CellError, meaning, parse_exactly, parse_number

FLOATS = st.floats(allow_nan=False).map(repr)
DECIMALS = st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)
ODD = st.sampled_from(["inf", "-Infinity", "-nan", "1e999", "x", "1_0", "0,5", "9" * 400, "", "NA"])


@given(text=st.one_of(FLOATS, DECIMALS, ODD, st.text(max_size=8)))
def test_a_number_is_what_python_takes_for_one_in_ascii(text):
    try:
        value = parse_number(text)
    except CellError:
        value = None
    whole = re.fullmatch(r"([+-]?[0-9]+)(\.0*)?", text)
    if whole and int(whole[1]) != float(text):
        assert value is None
    elif re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", text) and np.isfinite(float(text)):
        assert value == float(text)
    elif value is not None and not np.isnan(value):
        assert text.isascii()
        assert value == float(text)


@pytest.mark.parametrize("sign", ["", "-", "+"])
def test_a_whole_number_may_have_thousands_of_zeros_in_front(sign):
    """Python's int refuses that many digits."""
    zeros = sign + "0" * 5000
    assert parse_number(zeros + "9007199254740994") == float(sign + "9007199254740994")
    with pytest.raises(CellError, match="number-inexact"):
        parse_number(zeros + "9007199254740993")


@pytest.fixture
def stopped():
    """Stop a test after ten seconds; what takes the square of the length of these cells takes an hour."""

    def stop(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


LONG = "1" * 200_000


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("cell", [LONG + "x", f"{LONG}.{LONG}x", f"1e{LONG}x", f".{LONG}x"])
def test_a_long_cell_that_is_not_a_number_is_refused_at_once(cell):
    for parse in (parse_number, parse_exactly):
        with pytest.raises(CellError, match="not-a-number"):
            parse(cell)
    with pytest.raises(UsageError, match="not a number"):
        parse_gate_rule(f"auc >= {cell}")
    assert meaning(cell) == cell


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("1", "1.0", True),
        (" 1 ", "+1e0", True),
        ("true", "1", True),
        ("False", "0", True),
        ("a", " a ", True),
        ("a", "A", False),
        ("0.1", "0.10000000000000001", True),
        ("10000000000000000001", "10000000000000000002", False),
        ("0010000000000000000001", "10000000000000000001", True),
        ("-10000000000000000001", "-10000000000000000002", False),
        ("-10000000000000000001", "10000000000000000001", False),
        ("+10000000000000000001", "10000000000000000001", True),
        ("-0", "0", True),
        ("-0", "+0.0", True),
        ("-0", "-0.0e5", True),
    ],
)
def test_cells_are_equal_if_they_mean_the_same(one, other, equal):
    assert (meaning(one) == meaning(other)) is equal
