"""Rates against the share of the cases flagged."""

import numpy as np
import pytest
from plot_cases import LABELS, SCORES, legend_texts, painted, random_models, sweeps, ten_cases, words

from rocconf import Predictions, count, sweep
from rocconf.plot.thresholds import RATES, rate_line


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("prevalence", [None, 0.01])
def test_a_line_and_its_band_are_those_of_the_table(name, prevalence):
    result = sweep(count(Predictions(LABELS, {"s": SCORES})), intervals=True, prevalence=prevalence)
    rows = result.table().to_frame().iloc[1:]
    line = rate_line(result, name)
    assert line.flagged == pytest.approx((rows.tp + rows.fp) / 10)
    assert line.value == pytest.approx(rows[name])
    np.testing.assert_allclose(line.lower, rows[f"{name}_lower"].astype(float))
    np.testing.assert_allclose(line.upper, rows[f"{name}_upper"].astype(float))


def test_one_model_has_bands_and_several_have_colours():
    one, several = painted(ten_cases(), "thresholds"), painted(random_models(50, 3), "thresholds")
    assert len(one.axes[0].collections) == len(RATES)
    assert "bands: Wilson, 95%, pointwise" in words(one)
    assert not several.axes[0].collections
    assert "Wilson" not in words(several)
    assert {line.get_color() for line in one.axes[0].lines if len(line.get_xdata()) > 2} == {
        "#0072B2",
        "#D55E00",
        "#009E73",
    }
    assert [text for text in legend_texts(several) if text][:3] == list(RATES.values())


def test_a_restated_precision_has_no_band():
    result = sweep(count(Predictions(LABELS, {"s": SCORES})), prevalence=0.01)
    assert len(painted([result], "thresholds").axes[0].collections) == len(RATES) - 1


def test_an_operating_point_stands_where_it_flags():
    results = sweeps(LABELS, ("alerts<=40%", "fpr<=0"), s=[0, 9, 10, 8, 7, 6, 5, 4, 3, 2])
    figure = painted(results, "thresholds")
    at = [line.get_xdata()[0] for line in figure.axes[0].lines if line.get_marker() not in ("None", "")]
    assert at == pytest.approx([0.4])  # the other flags nothing, and stands nowhere
    assert any(text.startswith("alerts<=40%, in-sample at ") for text in legend_texts(figure))


@pytest.mark.parametrize(("tied", "left"), [(1, 0.001), (12, 0.01), (200, 0.1)])
def test_the_axis_begins_at_the_decade_of_the_least_share_flagged(tied, left):
    """Of 1,000 cases so many have the highest score, and fewer are never flagged."""
    scores = np.maximum(np.arange(1000) - tied, 0)[::-1]
    figure = painted(
        sweeps(np.arange(1000) % 5 == 0, (), s=np.where(np.arange(1000) < tied, 2000, scores)), "thresholds"
    )
    assert figure.axes[0].get_xlim()[0] == pytest.approx(left)
