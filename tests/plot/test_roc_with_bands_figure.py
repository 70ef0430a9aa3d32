"""The ROC curves of a comparison, with confident segments or bands."""

from matplotlib.collections import FillBetweenPolyCollection
from plot_cases import legend_texts, painted, results_of


def test_a_band_is_drawn_where_the_table_has_it():
    results = results_of("compare", "dis, banded")
    figure = painted(results, "roc")
    frame = results[0].to_frame("bands")
    for axes, model in zip(figure.axes, "STFB", strict=True):
        (shade,) = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
        limits = frame[frame["model"] == model]
        assert set(map(tuple, limits[["fpr", "upper"]].to_numpy())) <= set(map(tuple, shade.get_paths()[0].vertices))
    assert "fixed-width band, 95%" in legend_texts(figure)


def test_two_banded_curves_share_a_chart_with_kind_and_level_in_the_legend():
    figure = painted(results_of("compare", "two, banded"), "roc")
    assert len(figure.axes) == 1
    bands = [text for text in legend_texts(figure) if "band" in text]
    assert bands == ["model 0  ks band, 95%", "model 1  ks band, 95%"]


def test_confident_segments_are_bold():
    (axes, *_) = painted(results_of("compare", "dis"), "roc").axes
    widths = sorted(line.get_linewidth() for line in axes.lines if line.get_zorder() >= 3)
    assert widths[-3:] == [widths[-1]] * 3
    assert widths[-1] > 2 * widths[0]
