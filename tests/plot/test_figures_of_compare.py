"""The figures of a comparison: what they show, and that it can be read."""

from itertools import combinations

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from matplotlib.collections import FillBetweenPolyCollection
from plot_cases import painted, said, texts

from rocconf import Predictions, read_predictions
from rocconf.compute.compare import compare
from rocconf.compute.roc.counts import count
from rocconf.plot import KINDS, Canvas, draw
from rocconf.plot import format as fmt

FIGURES = tuple(KINDS["compare"])


def made(n, models, *, prevalence=0.4, seed=1, names=None):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    names = names or [f"model {k}" for k in range(models)]
    return Predictions(
        labels, {name: 1 / (1 + np.exp(-rng.normal(size=n) - (1 + k / 4) * labels)) for k, name in enumerate(names)}
    )


def separate(n, models):
    return [count(made(n, 1, seed=seed, names=[f"model {seed}"])) for seed in range(models)]


DIS = read_predictions(SAMPLE_DATA / "dis.csv")
NO_SEGMENT = Predictions(
    np.array([1] * 5 + [0] * 60, bool),
    {"one": np.array([1.0] * 5 + [1] * 30 + [0] * 30), "two": np.array([1.0] * 5 + [1] * 31 + [0] * 29)},
)
CASES = {
    "dis": [compare(DIS, at=["fpr<=0.05"], margin=0.05)],
    "dis, banded": [compare(DIS, band="fixed-width")],
    "two, banded": [compare(made(200, 2), band="ks")],
    "bootstrapped, all pairs": [compare(DIS, bootstrap=40, all_pairs=True)],
    "nine models": [compare(made(300, 9), at=["youden", "fpr<=0.1"])],
    "nine models, banded": [compare(made(300, 9), band="ks")],
    "no segment": [compare(NO_SEGMENT, at=["youden"])],
    "unpaired": [compare(separate(100, 3), at=["youden"], margin=0.1)],
    "long names": [compare(made(100, 2, names=["a very long name of a model, " * 3, "_b$^2$\\x_"]), all_pairs=True)],
    "names that end differently": [
        compare(
            made(100, 4, names=[f"gradient_boosted_trees_calibrated_in_2026_fold_{k}" for k in range(4)]), at=["youden"]
        )
    ],
    "one positive": [
        compare(Predictions(np.arange(41) < 1, {"a": np.arange(41.0), "b": np.arange(41.0) * -1}), bootstrap=40)
    ],
    "many cases": [compare(made(50_000, 2), band="simultaneous")],
}


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize(("case", "width"), [*((case, 4.5) for case in CASES), ("dis", 12)])
def test_texts_are_inside_the_figure_and_do_not_overlap(case, kind, width):
    figure = painted(CASES[case], kind, Canvas(width=width, dpi=72))
    beyond = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                beyond |= {tick.label1, tick.label2}
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure) if text not in beyond]
    assert len(boxes) > 3
    page = figure.bbox.padded(0.5)
    assert [text for text, box in boxes if not (page.contains(*box.p0) and page.contains(*box.p1))] == []
    # a title over several panels ends in empty lines, which keep room for the line under it
    boxes = [(text, box) for text, box in boxes if not text.endswith("\n")]
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.padded(-1).overlaps(other)] == []


def test_cauc_stands_against_the_mean_difference_a_point_for_each_model():
    (axes,) = painted(CASES["dis"], "cauc").axes
    rows = {row["model"]: row for row in CASES["dis"][0].table().records()}
    drawn = [tuple(line.get_xydata()[0]) for line in axes.lines]
    assert drawn == [(rows[name]["aved_abs"], rows[name]["cauc"]) for name in "TFB"]
    assert said(painted(CASES["dis"], "cauc")) == [
        "Tango's score interval, 95%\nno confident point: S",
        *"TFB",
    ]


def test_bootstrapped_points_have_bars_named_with_kind_and_level():
    figure = painted(CASES["bootstrapped, all pairs"], "cauc")
    assert "bars: bootstrap at this n, 95%" in said(figure)[0]
    (record,) = [row for row in CASES["bootstrapped, all pairs"][0].table("models").records() if row["model"] == "F"]
    reached = [segments for container in figure.axes[0].containers for segments in container[2]]
    ends = {round(float(value), 12) for lines in reached for piece in lines.get_segments() for value in piece.ravel()}
    assert {round(record["cauc_lower"], 12), round(record["cauc_upper"], 12)} <= ends


def test_without_a_confident_point_the_chart_says_so():
    assert "no model has a confident point" in [text.get_text() for text in texts(painted(CASES["no segment"], "cauc"))]


def test_a_band_is_drawn_where_the_table_has_it():
    figure = painted(CASES["dis, banded"], "roc")
    frame = CASES["dis, banded"][0].to_frame("bands")
    for axes, model in zip(figure.axes, "STFB", strict=True):
        (shade,) = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
        limits = frame[frame["model"] == model]
        assert set(map(tuple, limits[["fpr", "upper"]].to_numpy())) <= set(map(tuple, shade.get_paths()[0].vertices))
    assert "fixed-width band, 95%" in said(figure)


def test_two_banded_curves_share_a_chart_and_name_kind_and_level():
    figure = painted(CASES["two, banded"], "roc")
    assert len(figure.axes) == 1
    assert [text for text in said(figure) if "band" in text] == ["model 0  ks band, 95%", "model 1  ks band, 95%"]


def test_confident_segments_are_bold():
    (axes, *_) = painted(CASES["dis"], "roc").axes
    widths = sorted(line.get_linewidth() for line in axes.lines if line.get_zorder() >= 3)
    assert widths[-3:] == [widths[-1]] * 3
    assert widths[-1] > 2 * widths[0]


def test_the_forest_shows_every_pair_and_the_margin():
    (axes,) = painted(CASES["dis"], "forest").axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [
        *("auc", "T", "F", "B", "tpr at fpr<=0.05", "T", "F", "B"),
        *("specificity at fpr<=0.05", "T", "F", "B", "accuracy at fpr<=0.05", "T", "F", "B"),
    ]
    drawn = [line.get_xydata() for line in axes.lines if line.get_zorder() == 3]
    records = CASES["dis"][0].table("pairs").records()
    ordered = [
        row for metric in ("auc", "tpr", "specificity", "accuracy") for row in records if row["metric"] == metric
    ]
    assert [tuple(line[:, 0]) for line in drawn] == [
        (row["difference_lower"], row["difference_upper"]) for row in ordered
    ]
    assert "margin ±0.05" in said(painted(CASES["dis"], "forest"))
    assert {float(line.get_xdata()[0]) for line in axes.lines if line.get_linestyle() == ":"} == {-0.05, 0.05}


def test_the_forest_names_both_models_of_all_pairs_and_what_does_not_exist():
    (axes,) = painted(CASES["bootstrapped, all pairs"], "forest").axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert f"T {fmt.MINUS} S" in labels
    assert f"B {fmt.MINUS} F" in labels
    assert "does not exist" in [text.get_text() for text in axes.texts]


def test_intervals_have_a_panel_for_each_model():
    figure = painted(CASES["dis"], "intervals", only_confident=True)
    assert [axes.get_title("left") for axes in figure.axes] == list("STFB")


def test_names_that_are_shortened_stay_different_from_each_other_and_from_the_baselines():
    figure = painted(CASES["names that end differently"], "forest")
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    rows = {label for label in labels if "fold" in label}
    assert len(rows) == 3
    assert all(label.endswith(("_1", "_2", "_3")) for label in rows)
    title = next(text.get_text() for text in texts(figure) if text.get_text().startswith("Paired"))
    assert title.strip().endswith("fold_0")
    assert len(set(said(painted(CASES["names that end differently"], "cauc")))) == 5


def test_long_names_leave_the_chart_its_room():
    for case in ("names that end differently", "long names"):
        (axes,) = painted(CASES[case], "forest").axes
        assert axes.get_window_extent().width > 0.25 * axes.figure.bbox.width


def test_limits_that_are_open_are_said_to_be():
    (axes,) = painted(CASES["one positive"], "forest").axes
    assert any(text.get_text().endswith(f"[{fmt.MINUS}∞, ∞]") for text in axes.texts)


@pytest.mark.parametrize("kind", FIGURES)
def test_the_title_can_be_chosen(kind):
    assert "Ours" in [
        text.get_text().strip() for text in texts(painted(CASES["dis, banded"], kind, Canvas(title="Ours")))
    ]


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("kind", FIGURES)
def test_the_same_result_gives_the_same_bytes(kind, form, tmp_path):
    for name in ("one", "two"):
        draw(CASES["dis, banded"], kind, tmp_path / f"{name}.{form}", Canvas(dpi=50))
    assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()
