"""The figure of cases without labels: both distributions, their largest distance, and the cells of PSI."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import same_color
from plot_cases import BEFORE, MONTH, legend_texts, painted, results_of, words

from rocconf.plot.distributions import NEW, REFERENCE


@pytest.fixture(scope="module")
def figure():
    return painted(results_of("unlabelled", "one model"), "distributions")


def share_up_to(at, scores):
    return np.count_nonzero(scores <= at) / len(scores)


def steps(axes, colour):
    (line,) = (line for line in axes.lines if same_color(line.get_color(), colour) and len(line.get_xdata()) > 2)
    assert line.get_drawstyle() == "steps-post"
    return line


@pytest.mark.parametrize(("colour", "scores"), [(NEW, MONTH), (REFERENCE, BEFORE)])
def test_each_line_is_the_share_of_cases_up_to_each_score(figure, colour, scores):
    x, y = steps(figure.axes[0], colour).get_data()
    for at in np.linspace(0, 1, 33):
        assert y[np.searchsorted(x, at, side="right") - 1] == pytest.approx(share_up_to(at, scores))


def test_the_distance_is_where_it_is_largest_and_as_large_as_ks(figure):
    (distance,) = (line for line in figure.axes[0].lines if line.get_marker() == "_")
    (place, again), ends = distance.get_data()
    shares = [share_up_to(place, scores) for scores in (MONTH, BEFORE)]
    ks = max(abs(share_up_to(at, MONTH) - share_up_to(at, BEFORE)) for at in (*MONTH, *BEFORE))
    assert place == again
    assert list(ends) == pytest.approx(shares)
    assert abs(ends[1] - ends[0]) == pytest.approx(ks)
    assert f"KS {ks:.3f}, at {place:g}" in words(figure)


def test_the_deciles_rise_to_the_line_of_the_reference(figure):
    (deciles,) = figure.axes[0].collections
    tops = [tuple(segment[1]) for segment in deciles.get_segments()]
    wanted = [next(at for at in BEFORE if share_up_to(at, BEFORE) >= tenth / 10 - 1e-12) for tenth in range(1, 10)]
    assert [x for x, _ in tops] == pytest.approx(wanted)
    assert [y for _, y in tops] == pytest.approx([share_up_to(at, BEFORE) for at in wanted])


def test_the_bars_are_what_psi_adds_up(figure):
    wide, narrow = (
        np.array([bar.get_height() for bar in figure.axes[1].patches if same_color(bar.get_facecolor()[:3], colour)])
        for colour in (REFERENCE, NEW)
    )
    assert len(wide) == len(narrow) == 10
    psi = ((narrow - wide) * np.log(narrow / wide)).sum()
    assert f"PSI {psi:.3f}" in words(figure)
    assert narrow.sum() == pytest.approx(1)
    month, ends = (
        MONTH,
        [-np.inf, *BEFORE[1::2][:9], np.inf],
    )  # of 19 cases the 2nd, 4th, ... reach a tenth, two tenths, ...
    counts = [np.count_nonzero((low < month) & (month <= high)) for low, high in pairwise(ends)]
    assert list(narrow) == pytest.approx([(count + 0.5) / (len(MONTH) + 5) for count in counts])


def test_the_legend_names_both_and_the_marks(figure):
    assert legend_texts(figure)[1:] == [
        "these cases",
        "reference",
        "largest distance (KS)",
        "deciles of the reference",
    ]


@pytest.mark.thorough
def test_infinite_scores_raise_the_lines_at_the_sides():
    axes = painted(results_of("unlabelled", "three models"), "distributions").axes[2]
    assert steps(axes, REFERENCE).get_ydata()[0] == pytest.approx(1 / 3)
    assert steps(axes, NEW).get_ydata()[0] == 0


def test_scores_without_a_scale_leave_the_cells():
    drawn = painted(results_of("unlabelled", "no scale"), "distributions")
    assert words(drawn).count("no scale for these scores") == 1
    assert all(axes.patches for axes in drawn.axes[1::2])
