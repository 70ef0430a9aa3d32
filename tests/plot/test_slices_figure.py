"""The figure of slices: a dot and an interval for each, the lowest first, beside the value of all cases."""

import numpy as np
import pytest
from plot_cases import figure_of, legend_texts, painted, results_of, words

import rocconf
from rocconf.compute.roc.slice_results import EMPTY
from rocconf.errors import UsageError


@pytest.fixture(scope="module")
def figure():
    return figure_of("sweep", "sliced", "slices")


def rows():
    (result,) = results_of("sweep", "sliced")
    return sorted(result.table("slices").records(), key=lambda row: (row["auc"] is None, row["auc"] or 0))


def test_slices_stand_below_each_other_the_lowest_first(figure):
    (axes,) = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert len(names) == 1 + len(rows())
    assert names[0].startswith("model 0 by a column")
    assert names.index(EMPTY) == [row["slice"] for row in rows()].index("") + 1


def test_each_slice_has_its_interval_and_the_whole_its_line(figure):
    (axes,) = figure.axes
    known = [row for row in rows() if row["auc"] is not None]
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "None"]
    assert np.allclose(dots, [row["auc"] for row in known])
    ends = [list(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2][1:]
    assert np.allclose(ends, [[row["auc_lower"], row["auc_upper"]] for row in known])
    (result,) = results_of("sweep", "sliced")
    assert list(axes.lines[0].get_xdata()) == [result.auc.value] * 2


def test_slices_that_are_not_decided_are_dashed(figure):
    (axes,) = figure.axes
    dashed = [line for line in axes.lines if line.get_linestyle() == "--"]
    assert len(dashed) == sum(row["auc"] is not None and not row["decided"] for row in rows())
    assert "too few cases" in legend_texts(figure)


@pytest.mark.thorough
def test_of_many_slices_sixty_are_drawn_and_the_rest_counted():
    figure = figure_of("compare", "sliced in 70", "slices")
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(names) == 62
    assert names[-1].startswith("and ")
    assert "How much better than model 0?" in words(figure)


def test_without_slices_there_is_no_figure():
    with pytest.raises(UsageError, match="needs slices"):
        painted([rocconf.sweep(rocconf.ScoreCounts.of([1, 2], [0, 1], [1, 0]))], "slices")
