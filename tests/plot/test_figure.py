"""The layout of a figure, which is the same in every format."""

from plot_cases import painted, random_models, ten_cases


def test_the_layout_is_the_same_at_every_resolution():
    figure = painted(ten_cases(), "roc")
    before = figure.axes[0].get_position().bounds
    figure.set_dpi(40)
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().bounds == before


def test_axes_with_a_free_height_take_the_width():
    figure = painted(random_models(50, 3), "roc")
    (axes,) = figure.axes
    assert axes.get_window_extent().width > 0.7 * figure.bbox.width
