"""Precision against recall: steps whose area is the average precision."""

import numpy as np
import pytest
from plot_cases import LABELS, legend_of, legend_texts, painted, random_models, results_of, sweeps, ten_cases

from rocconf import Predictions, count, sweep
from rocconf.plot.pr import pr_line


def test_the_steps_of_precision_have_the_area_of_the_average_precision():
    for result in (*ten_cases(), *random_models(400, 3), *results_of("sweep", "labels for scores")):
        x, y = pr_line(result).T
        assert np.trapezoid(y, x) == pytest.approx(result.average_precision, abs=1e-12)


def test_every_threshold_lies_on_the_line_of_precision():
    (result,) = ten_cases()
    line = pr_line(result)
    for tp, fp in zip(result.counts.tp[1:], result.counts.fp[1:], strict=True):
        recall, precision = tp / 5, tp / (tp + fp)
        at = line[np.isclose(line[:, 0], recall), 1]
        assert at.min() - 1e-12 <= precision <= at.max() + 1e-12


def test_precision_is_restated_as_in_the_table_and_the_legend_says_so():
    counts = count(Predictions(LABELS, {"s": np.linspace(1, 0.1, 10)}))
    result = sweep(counts, prevalence=0.1)
    heights = pr_line(result)[1::2, 1]
    assert heights == pytest.approx(result.table()["precision"][1:])
    entries = legend_texts(painted([result], "pr"))
    assert "average precision 0.853 (at prevalence 0.5)" in entries
    assert "prevalence 0.1" in entries


def test_a_point_that_predicts_nothing_has_no_precision_and_no_mark():
    (result,) = sweeps(LABELS, ("fpr<=0", "closest"), s=[0, 9, 10, 8, 7, 6, 5, 4, 3, 2])
    assert result.points[0].threshold is None
    assert not any(entry.startswith("fpr<=0") for entry in legend_texts(painted([result], "pr")))
    assert any(entry.startswith("fpr<=0 at nothing positive") for entry in legend_texts(painted([result], "roc")))


def test_the_legend_does_not_cover_the_line_of_prevalence():
    results = sweeps([1] * 3 + [0] * 60, perfect=np.arange(63)[::-1])
    figure = painted(results, "pr")
    axes, box = figure.axes[0], legend_of(figure).get_window_extent()
    assert not box.y0 < axes.transData.transform((0, 3 / 63))[1] < box.y1
