"""Cumulative gain: the share found at every share flagged."""

import numpy as np
import pytest
from plot_cases import legend_texts, painted, random_models, sweeps, ten_cases

from rocconf.plot.gain import gain_line


def test_every_threshold_lies_on_the_line():
    (result,) = ten_cases()
    counts = result.counts
    expected = [
        [(tp + fp) / counts.n, tp / counts.p] for tp, fp in zip(counts.tp.tolist(), counts.fp.tolist(), strict=True)
    ]
    assert gain_line(counts).tolist() == expected


def test_the_area_under_the_line_follows_from_the_auc():
    """Under the gain lies prevalence / 2 + (1 - prevalence) AUC."""
    for result in random_models(400, 2):
        counts, (x, y) = result.counts, gain_line(result.counts).T
        prevalence = counts.p / counts.n
        area = prevalence / 2 + (1 - prevalence) * result.auc.value
        assert np.trapezoid(y, x) == pytest.approx(area, abs=1e-12)


def test_a_perfect_model_lies_on_its_line_and_the_operating_point_is_marked():
    results = sweeps([1] * 3 + [0] * 9, ("alerts<=25%",), perfect=np.arange(12)[::-1])
    figure = painted(results, "gain")
    assert any(text.startswith("alerts<=25% at") for text in legend_texts(figure))
    perfect = next(line for line in figure.axes[0].lines if len(line.get_xdata()) == 3)
    assert list(zip(perfect.get_xdata(), perfect.get_ydata(), strict=True)) == [(0, 0), (0.25, 1), (1, 1)]
    on = np.interp(gain_line(results[0].counts)[:, 0], perfect.get_xdata(), perfect.get_ydata())
    assert on == pytest.approx(gain_line(results[0].counts)[:, 1])
