import numpy as np
import pytest
from strategies import counted

from rocconf import UsageError, tango
from rocconf.records import ScoreCounts

COUNTS = ScoreCounts.of(
    [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0], [1, 1, 0, 1, 1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]
)


def test_a_row_is_equivalent_where_its_interval_is_inside_the_margin():
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 2, 900)
    result = tango(counted(rng.integers(0, 200, 900) + 80 * labels, labels == 1), margin=0.08)
    frame, summary = result.to_frame(), result.summary()
    inside = (frame["lower"] > -0.08) & (frame["upper"] < 0.08)
    assert inside.sum() > 3
    assert (frame["equivalent"] == inside).all()
    assert summary["equivalent_points"] == inside.sum()
    assert summary["equivalent_threshold_low"] == frame["threshold"][inside].min()
    assert summary["equivalent_threshold_high"] == frame["threshold"][inside].max()


@pytest.mark.parametrize("limit", ["lower", "upper"])
def test_a_limit_on_the_margin_itself_is_not_inside(limit):
    rows = tango(COUNTS).table().records()
    margin = abs(next(row[limit] for row in rows if row["threshold"] == {"lower": 0.4, "upper": 0.8}[limit]))
    for inside, wide in ((False, margin), (True, float(np.nextafter(margin, 1)))):
        found = {row["threshold"]: row["equivalent"] for row in tango(COUNTS, margin=wide).table().records()}
        assert found[{"lower": 0.4, "upper": 0.8}[limit]] is inside


def test_a_margin_can_hold_no_row():
    summary = tango(COUNTS, margin=0.01).summary()
    assert summary["equivalent_points"] == 0
    assert summary["equivalent_threshold_low"] is None


@pytest.mark.parametrize("margin", [0, 1, -0.1, float("nan")])
def test_an_invalid_margin_is_rejected(margin):
    with pytest.raises(UsageError, match="a margin must be between 0 and 1"):
        tango(COUNTS, margin=margin)


def test_a_margin_needs_tangos_interval():
    with pytest.raises(UsageError, match="leave out test=exact"):
        tango(COUNTS, margin=0.1, test="exact")
