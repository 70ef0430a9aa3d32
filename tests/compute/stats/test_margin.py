"""Verdicts on a margin."""

import pytest

from rocconf.compute.stats.margin import Margin
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


@pytest.mark.parametrize("size", [0, 1, -0.1, 2, float("nan")])
def test_an_invalid_margin_is_rejected(size):
    with pytest.raises(UsageError, match="between 0 and 1"):
        Margin(size)
