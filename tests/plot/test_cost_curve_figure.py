"""The cost curve: the least cost at every mixture of costs and prevalence."""

import json
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA

import rocconf
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.plot.cost_curve import cost_line_of, weight_of
from rocconf.records import ScoreCounts

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))["cost"]["cost_curve"]


@pytest.mark.parametrize("row", FOUND, ids=lambda row: f"{row['file']}-{row['column']}")
def test_the_curve_has_the_points_of_the_reference(row):
    counts = rocconf.count(rocconf.read_predictions(SAMPLE_DATA / row["file"], score=[row["column"]]))
    weights, costs = cost_line_of(counts).T
    at = [point["probability_cost"] for point in row["points"]]
    expected = [point["normalised_cost"] for point in row["points"]]
    assert np.interp(at, weights, costs) == pytest.approx(expected, abs=1e-12)
    assert len(hull_rows(curve(counts))) == row["hull_vertices"]


def test_the_curve_is_the_least_of_the_lines_of_all_thresholds():
    """By hand: tpr 1/2, fpr 0 costs w/2; tpr 1, fpr 1/4 costs (1 - w)/4; they cross at 1/3."""
    counts = ScoreCounts.of([3, 2, 1], [1, 1, 0], [0, 1, 3])
    weights, costs = cost_line_of(counts).T
    for weight in (Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)):
        assert np.interp(float(weight), weights, costs) == pytest.approx(
            float(min(weight / 2, (1 - weight) / 4)), abs=1e-15
        )
    assert any(weights == pytest.approx(1 / 3, abs=1e-15) for weights in weights.tolist())


@pytest.mark.parametrize(("costs", "weight"), [("1:4", 8 / 12), ("1:4:0.2", 0.5), (None, None)])
def test_the_costs_of_the_run_stand_at_their_weight_of_misses(costs, weight):
    """2 of 6 positive, a miss at 4: 8 of 12; 0.2 * 4 = 0.8 * 1."""
    result = rocconf.sweep(ScoreCounts.of([3, 2, 1], [1, 1, 0], [0, 1, 3]), cost=costs)
    assert weight_of(result) == (weight if weight is None else pytest.approx(weight))
