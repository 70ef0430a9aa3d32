"""How many replicates an interval of a level needs."""

import numpy as np
import pytest

from rocconf.compute.stats.resampling import Draws
from rocconf.compute.stats.seeds import least_replicates
from rocconf.records import UNKNOWN, Interval


@pytest.mark.parametrize(("level", "least"), [(0.5, 3), (0.9, 19), (0.95, 39), (0.99, 199)])
def test_with_too_few_replicates_the_limits_are_unknown(level, least):
    assert least_replicates(level) == least
    assert Draws.of(np.arange(least, dtype=float)).interval(level) == Interval(0.0, least - 1.0)
    assert Draws.of(np.arange(least - 1, dtype=float)).interval(level) == UNKNOWN
