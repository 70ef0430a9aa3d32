"""Titles over one panel or several."""

import pytest
from matplotlib.text import Text
from plot_cases import legend_of, painted, results_of, ten_cases, texts

from rocconf.plot import Canvas


def test_a_long_title_is_wrapped():
    figure = painted(ten_cases(), "roc", Canvas(width=4, title="A title that goes on and on " * 5))
    (title,) = [text for text in texts(figure) if text.get_text().startswith("A title")]
    assert title.get_window_extent().x1 <= figure.bbox.x1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("case", "kind"), [("imbalanced", "segment"), ("imbalanced, three models", "segment"), ("four models", "intervals")]
)
@pytest.mark.parametrize("title", [None, ""])
def test_the_cases_stand_under_the_title_of_several_panels(case, kind, title):
    figure = painted(results_of("tango", case), kind, Canvas(title=title))
    (cases,) = [text for text in texts(figure) if " cases: " in text.get_text()]
    assert cases not in legend_of(figure).findobj(Text)
    box, page = cases.get_window_extent(), figure.bbox.padded(0.5)
    assert all(box.y0 >= axes.get_window_extent().y1 for axes in figure.axes)
    assert page.contains(*box.p0)
    assert page.contains(*box.p1)
