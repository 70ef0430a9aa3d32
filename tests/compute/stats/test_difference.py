import pytest
from rocconf.compute.stats.difference import Margin, square_and_add

from rocconf.errors import UsageError
from rocconf.records import Interval


@pytest.mark.parametrize(
    ("lower", "upper", "non_inferior", "equivalent"),
    [
        (-0.04, 0.2, True, False),
        (-0.04, 0.04, True, True),
        (-0.05, 0.04, False, False),
        (-0.04, 0.05, True, False),
        (-0.2, 0.04, False, False),
    ],
)
def test_a_verdict_needs_the_whole_interval_within_the_margin(lower, upper, non_inferior, equivalent):
    margin, interval = Margin(0.05), Interval(lower, upper)
    assert margin.non_inferior(interval) is non_inferior
    assert margin.equivalent(interval) is equivalent
    mirrored = Interval(-upper, -lower)
    assert margin.non_inferior(mirrored, lower_is_better=True) is non_inferior


def test_square_and_add_stays_within_minus_1_and_1():
    down = square_and_add(0.1, Interval(0.0, 0.2), 0.95, Interval(0.5, 1.3))
    up = square_and_add(0.95, Interval(0.5, 1.3), 0.1, Interval(0.0, 0.2))
    assert (down.lower, up.upper) == (-1, 1)


@pytest.mark.parametrize("size", [0, 1, -0.1, 2, float("nan")])
def test_an_invalid_margin_is_rejected(size):
    with pytest.raises(UsageError, match="between 0 and 1"):
        Margin(size)
