"""What holds for every kind of figure: it can be read, its title can be chosen, and its bytes are always the same."""

from itertools import combinations

import pytest
from matplotlib.text import Text
from plot_cases import (
    CASES,
    COMPARISONS,
    DRIFTS,
    SENSIBILITIES,
    SLICES,
    SWEEPS,
    kinds_of,
    legend_of,
    painted,
    results_of,
    texts,
)

from rocconf.plot import KINDS, Canvas, draw

USUAL = {
    "sweep": "ten cases",
    "tango": "imbalanced",
    "chi2-contours": "a model",
    "sensibility": "a year",
    "unlabelled": "three models",
    "compare": "dis",
    "one-vs-rest": "wine",
    "plan": "three rules",
}
HOSTILE = {
    ("sweep", "twelve models", 4),
    ("sensibility", "a year", 4),
    ("compare", "long names", 4.5),
    ("one-vs-rest", "wine", 4),
}
"""What is drawn at every change; the rest is tried with `make test-all`."""

LARGE = {"tango": ["imbalanced", "four models"], "compare": ["dis"], "chi2-contours": ["a model"]}
WIDTHS = {
    *(("sweep", case, width) for case in SWEEPS for width in (4, 12)),
    *(("sensibility", case, width) for case in SENSIBILITIES | DRIFTS for width in (4, 6.4, 12)),
    *(("compare", case, 4.5) for case in COMPARISONS),
    *((command, case, 4) for command in ("tango", "chi2-contours", "plan") for case in CASES[command]),
    *((command, case, 12) for command, cases in LARGE.items() for case in cases),
}
EVERY = [(command, kind) for command in KINDS for kind in KINDS[command]]


def usual(command, kind):
    case = next(iter(SLICES[command])) if kind == "slices" else USUAL[command]
    return results_of(command, case)


def test_every_kind_is_tested():
    of_slices = [(command, "slices") for command in SLICES]
    usually = [(command, kind) for command, case in USUAL.items() for kind in kinds_of(command, case)]
    assert sorted(usually + of_slices) == sorted(EVERY)


@pytest.mark.parametrize(
    ("command", "case", "width", "kind"),
    [
        pytest.param(*each, kind, marks=[] if each in HOSTILE else [pytest.mark.thorough])
        for each in sorted(HOSTILE | WIDTHS, key=str)
        for kind in kinds_of(*each[:2])
    ],
)
def test_texts_and_legends_are_inside_the_figure_and_no_text_overlaps_another(command, case, width, kind):
    figure = painted(results_of(command, case), kind, Canvas(width=width, dpi=72))
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in texts(figure)]
    assert len(boxes) > 3
    page = figure.bbox.padded(0.5)
    assert [text for text, box in boxes if not (page.contains(*box.p0) and page.contains(*box.p1))] == []
    legends = [*filter(None, (axes.get_legend() for axes in figure.axes)), *figure.legends]
    assert all(page.contains(*corner) for legend in legends for corner in legend.get_window_extent().corners())
    # a title over several panels ends in empty lines, which reserve the space of the line under it
    boxes = [(text, box) for text, box in boxes if not text.endswith("\n")]
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.padded(-1).overlaps(other)] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "kind"), EVERY)
def test_the_title_can_be_chosen_and_left_out(command, kind):
    def written(title):
        return {
            text.get_text().strip() for text in texts(painted(usual(command, kind), kind, Canvas(title=title, dpi=72)))
        }

    default, chosen, without = written(None), written("Ours"), written("")
    (title,) = {text for text in default - without if text not in chosen}
    assert title
    assert "Ours" in chosen
    assert "Ours" not in without


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize(("command", "kind"), EVERY)
def test_the_same_result_gives_the_same_bytes(command, kind, form, tmp_path):
    for name in ("one", "two"):
        draw(usual(command, kind), kind, tmp_path / f"{name}.{form}", Canvas(dpi=50))
    assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "kind"), EVERY)
def test_names_are_not_read_as_formulas(command, kind):
    figure = painted(usual(command, kind), kind)
    assert not any(text.get_parse_math() for text in texts(figure))
    assert legend_of(figure).get_texts()
