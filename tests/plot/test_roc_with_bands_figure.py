"""The ROC curves of a comparison, with confident segments or bands."""

from matplotlib.collections import FillBetweenPolyCollection
from plot_cases import figure_of, legend_texts, painted, results_of, texts


def test_a_band_is_drawn_where_the_table_has_it():
    results = results_of("compare", "dis, banded")
    figure = painted(results, "roc")
    frame = results[0].to_frame("bands")
    for axes, model in zip(figure.axes, "STFB", strict=True):
        (shade,) = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
        limits = frame[frame["model"] == model]
        assert set(map(tuple, limits[["fpr", "upper"]].to_numpy())) <= set(map(tuple, shade.get_paths()[0].vertices))
    assert "fixed-width band, 95%" in legend_texts(figure)


def test_a_comparison_has_its_own_title_and_the_areas_in_the_legend():
    results = results_of("compare", "dis")
    figure = figure_of("compare", "dis", "roc")
    assert "Which model ranks better? ROC curves" in [text.get_text() for text in texts(figure)]
    title, *entries = legend_texts(figure)
    assert title == "AUC (robust, 95%); confident points: Tango's score interval, 95%"
    rows = results[0].table().records()
    assert entries == [
        *(f"{row['model']}  {row['auc']:.3f} [{row['auc_lower']:.3f}, {row['auc_upper']:.3f}]" for row in rows),
        "confident points",
    ]


def test_two_banded_curves_share_a_chart_with_kind_and_level_in_the_legend():
    figure = painted(results_of("compare", "two, banded"), "roc")
    assert len(figure.axes) == 1
    bands = [text for text in legend_texts(figure) if "band" in text]
    assert bands == ["model 0  ks band, 95%", "model 1  ks band, 95%"]


def test_confident_segments_are_bold():
    (axes, *_) = figure_of("compare", "dis", "roc").axes
    widths = sorted(line.get_linewidth() for line in axes.lines if line.get_zorder() >= 3)
    assert widths[-3:] == [widths[-1]] * 3
    assert widths[-1] > 2 * widths[0]
