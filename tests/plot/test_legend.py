"""The legend: clear of every curve, or under the chart."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from plot_cases import LABELS, SWEEPS, figure_of, legend_of, legend_texts, painted, random_models, sweeps

from rocconf.errors import UsageError
from rocconf.plot import Canvas


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["roc", "pr", "det"])
@pytest.mark.parametrize("case", SWEEPS)
def test_the_legend_stays_clear_of_every_curve(case, kind):
    figure = figure_of("sweep", case, kind)
    axes, box = figure.axes[0], legend_of(figure).get_window_extent()
    curves = [np.asarray(line.get_xydata()) for line in axes.lines if line.get_zorder() == 3]
    curves += [piece for each in axes.collections if isinstance(each, LineCollection) for piece in each.get_segments()]
    assert curves
    for corners in curves:
        share = np.linspace(0, 1, 200)[:, None, None]
        dense = (corners[:-1] * (1 - share) + corners[1:] * share).reshape(-1, 2)
        x, y = axes.transData.transform(dense).T
        assert not ((box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)).any()


def test_a_height_that_leaves_no_room_is_refused():
    with pytest.raises(UsageError, match=r"leave no room for a curve over 13 lines of legend; increase or omit height"):
        painted(random_models(50, 12), "roc", Canvas(width=3, height=3))


@pytest.mark.thorough
def test_forty_models_in_a_narrow_figure_make_it_higher():
    figure = painted(random_models(50, 40), "roc", Canvas(width=4, dpi=72))
    assert len(legend_texts(figure)) == 42
    assert figure.get_size_inches()[1] > 6
    assert figure.axes[0].get_window_extent().width > 0.7 * figure.bbox.width


def test_a_model_whose_name_starts_with_an_underscore_is_in_the_legend():
    entries = legend_texts(painted(sweeps(LABELS, _one=np.arange(10), two=np.arange(10)), "roc"))
    assert entries[1].startswith("_one  ")
