"""The figure of scores: the shares of each class, the thresholds, and their error rates."""

import numpy as np
import pytest
from matplotlib.patches import StepPatch
from plot_cases import LABELS, SCORES, counted, legend_texts, painted, ten_cases, texts

from rocconf import ScoreCounts, chi2_contours, compare, sensibility, sweep, tango
from rocconf.errors import UsageError
from rocconf.plot.scores import thresholds_of
from rocconf.records import Predictions


def histograms(axes):
    """Return the outlines of the histograms, the negatives first."""
    return [patch for patch in axes.patches if isinstance(patch, StepPatch) and not patch.get_fill()]


def lines(axes):
    return [line.get_xdata()[0] for line in axes.lines]


def test_each_class_is_drawn_as_shares_of_itself():
    (axes,) = painted(ten_cases(), "scores").axes
    for patch, scores in zip(histograms(axes), (SCORES[~LABELS], SCORES[LABELS]), strict=True):
        values, edges, _ = patch.get_data()
        assert values.sum() == pytest.approx(1)
        assert values == pytest.approx(np.histogram(scores, edges)[0] / 5)
        assert (edges[0], edges[-1]) == (0, 1)


def test_every_threshold_has_its_line_and_its_error_rates():
    figure = painted(ten_cases(("youden", "threshold=0.35")), "scores")
    assert lines(figure.axes[0]) == [0.6, 0.35]
    assert legend_texts(figure)[1:] == [
        "positives",
        "negatives",
        "youden, in-sample: 0.6, false alarms 0.200, misses 0.200",
        "threshold=0.35: 0.35, false alarms 0.400, misses 0.000",
    ]


def test_every_command_has_its_own_thresholds():
    counts = counted(LABELS, SCORES)
    assert [at.threshold for at in thresholds_of(tango(counts))] == [0.3, 0.9]
    assert [at.threshold for at in thresholds_of(sensibility(counts, bootstrap=0))] == [pytest.approx(0.54)]
    assert [at.text for at in thresholds_of(chi2_contours(counts, permutations=9))] == ["chi2, in-sample"]
    assert [at.text for at in thresholds_of(sweep(counts, at="threshold=0.5"))] == ["threshold=0.5"]


def test_of_several_models_each_has_a_panel():
    both = compare(Predictions(LABELS, {"a": SCORES, "b": SCORES[::-1]}), at=["threshold=0.5"])
    figure = painted([both], "scores")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a", "b"]
    assert [lines(axes) for axes in figure.axes] == [[0.5], [0.5]]
    assert legend_texts(figure)[1:] == ["positives", "negatives", "threshold=0.5"]


def test_class_totals_alone_have_no_scores_to_draw():
    from rocconf import ClassTotals

    with pytest.raises(UsageError, match="no scores"):
        painted([chi2_contours(ClassTotals(5, 55))], "scores")


@pytest.mark.parametrize("scores", [[1e300, 0], [np.inf, -np.inf], [5, 5.0000001], [0.3, 0.3 + 1e-16]])
def test_scores_of_any_size_can_be_drawn(scores):
    counts = ScoreCounts.of(scores, [3, 2], [1, 4])
    figure = painted([sweep(counts)], "scores")
    assert len(texts(figure)) > 3
