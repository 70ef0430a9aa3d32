"""The figures of sensibility and drift: what they show, and that it can be read."""

import importlib
from itertools import combinations

import numpy as np
import pytest
from matplotlib.text import Text

from rocconf.compute.roc.counts import count
from rocconf.compute.sensibility import sensibility
from rocconf.errors import UsageError
from rocconf.plot import KINDS, Canvas
from rocconf.plot.figure import house_style, new_figure, settle
from rocconf.plot.halves import drawn_steps
from rocconf.records import Predictions, Source

LABELS = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
SCORES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]


def counted(labels, scores, model="score", file="", role="data", **more):
    labels, scores = np.array(labels, bool), np.array(scores, float)
    sources = (Source(file, len(labels), int(labels.sum()), int((~labels).sum()), "1", role=role),) if file else ()
    return count(Predictions(labels, {model: scores}, sources=sources, **more))


def random_cases(n, *, seed, prevalence=0.4, model="score", file=""):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    return counted(labels, rng.beta(1.5 + labels, 2), model, file)


def alone(*counts, **options):
    return [sensibility(each, bootstrap=50, **options) for each in counts]


def against(reference, *counts, **options):
    return [sensibility(each, bootstrap=50, reference=reference, permutations=19, **options) for each in counts]


OLD = random_cases(400, seed=1, file="a_file_with_a_long_name_of_the_last_year.csv")
PERFECT, HOPELESS = counted([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]), counted([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1])
CASES = {
    "ten cases": alone(counted(LABELS, SCORES)),
    "lower is positive": alone(counted(LABELS, 1 - np.array(SCORES), lower_is_positive=True)),
    "no capability": alone(PERFECT),
    "no sensibility": alone(HOPELESS),
    "midpoint outside": alone(random_cases(300, seed=2, prevalence=0.05)),
    "three models": alone(*(random_cases(200, seed=seed, model=f"model {seed}") for seed in (3, 4, 5))),
    "a name with signs": alone(counted(LABELS, SCORES, "_a$b^2$\\x_")),
    "many cases": alone(random_cases(50_000, seed=6)),
    "drift": against(OLD, random_cases(300, seed=7, file="another_long_name_of_a_file_of_this_year.csv")),
    "drift of what is undefined": against(HOPELESS, PERFECT),
    "drift of two models": against(OLD, *(random_cases(200, seed=seed, model=f"model {seed}") for seed in (8, 9))),
    "drift to a midpoint outside": against(OLD, random_cases(300, seed=2, prevalence=0.05)),
}


def painted(results, kind, canvas=None):
    canvas = canvas or Canvas(dpi=72)
    with house_style(canvas):
        figure = new_figure(canvas)
        importlib.import_module(KINDS["sensibility"][kind].painter).paint(figure, results, canvas)
        settle(figure, free_height=canvas.height is None)
    return figure


def kinds_of(case):
    return ("sensibility", "drift") if case.startswith("drift") else ("sensibility",)


def texts(figure):
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


def said(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("width", [4, 6.4, 12])
@pytest.mark.parametrize(("case", "kind"), [(case, kind) for case in CASES for kind in kinds_of(case)])
def test_texts_are_inside_the_figure_and_do_not_overlap(case, kind, width):
    figure = painted(CASES[case], kind, Canvas(width=width, dpi=72))
    # the title keeps empty lines for the quiet words under it
    others = [text for text in texts(figure) if text.get_text() != figure.get_suptitle()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in others]
    assert len(boxes) > 10
    page = figure.bbox.padded(0.5)
    assert [text for text, box in boxes if not (page.contains(*box.p0) and page.contains(*box.p1))] == []
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.padded(-1).overlaps(other)] == []


@pytest.mark.parametrize("case", CASES)
def test_a_free_height_is_what_is_needed(case):
    figure = painted(CASES[case], kinds_of(case)[-1])
    assert figure.get_tightbbox().height == pytest.approx(figure.get_size_inches()[1], abs=0.4)
    for axes in figure.axes:
        assert axes.bbox.width == pytest.approx(axes.bbox.height)
        assert axes.bbox.width > 0.33 * figure.bbox.width


def test_every_model_has_its_two_charts():
    figure = painted(CASES["three models"], "sensibility")
    assert [axes.get_xlabel() for axes in figure.axes] == ["Threshold", "False positive rate"] * 3
    assert [axes.get_title(loc="left").splitlines()[0] for axes in figure.axes[::2]] == [
        "model 3",
        "model 4",
        "model 5",
    ]


@pytest.mark.parametrize("name", ["sensibility", "capability"])
@pytest.mark.parametrize("case", ["ten cases", "lower is positive", "midpoint outside"])
def test_the_curves_are_steps_that_every_threshold_lies_on(case, name):
    (result,) = CASES[case]
    steps = drawn_steps(result, name)
    assert (np.diff(steps[:, 0]) >= 0).all()
    assert (steps[0, 0], steps[-1, 0]) == (-0.02, 1.02)
    for threshold in np.random.default_rng(1).random(100).tolist():
        (row,) = sensibility(result.counts, thresholds=repr(threshold), bootstrap=0).table().records()[1:]
        stretch = np.searchsorted(steps[::2, 0], threshold, side="right") - 1
        assert steps[2 * stretch, 1] == row[name]


def test_a_threshold_at_a_score_does_what_the_score_does():
    (result,) = CASES["ten cases"]
    steps = drawn_steps(result, "sensibility")
    at = np.flatnonzero(steps[:, 0] == 0.6)
    # (.5, .6] has the accuracy of the score .6, which is all of the sensible cases
    assert steps[at, 1].tolist() == [1, 0.875]


def test_many_cases_are_drawn_with_few_points():
    (result,) = CASES["many cases"]
    assert len(drawn_steps(result, "capability")) <= 4000


def test_the_midpoint_is_marked_in_both_charts():
    figure = painted(CASES["ten cases"], "sensibility")
    left, right = figure.axes
    (line,) = [line for line in left.lines if len(set(line.get_xdata())) == 1]
    assert line.get_xdata()[0] == pytest.approx(0.54)
    (dot,) = [line for line in right.lines if line.get_marker() == "o"]
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (0.2, 0.8)


def test_the_captions_name_the_kind_and_level_of_every_interval():
    (ten,) = alone(counted(LABELS, SCORES), level=0.9)
    left, right = (axes.get_title(loc="left") for axes in painted([ten], "sensibility").axes)
    assert left.startswith("struggle ratio 0.250 [")
    assert left.splitlines()[1] == "bootstrap, 90%; midpoint 0.54 (half)"
    assert right.splitlines()[1] == "DeLong, 90%"
    (wilson,) = [sensibility(ten.counts, bootstrap=0)]
    assert "Wilson, 95%" in painted([wilson], "sensibility").axes[0].get_title(loc="left")


def test_a_midpoint_outside_is_called_not_interpretable_and_has_no_line_in_the_legend():
    outside = painted(CASES["midpoint outside"], "sensibility")
    assert "not interpretable" in outside.axes[0].get_title(loc="left")
    assert "midpoint" not in said(outside)
    assert "midpoint" in said(painted(CASES["ten cases"], "sensibility"))


def test_drift_lays_the_new_curves_over_the_old_ones():
    (result,) = CASES["drift"]
    left, right = painted([result], "drift").axes
    for axes, curves in ((left, 2), (right, 1)):
        lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
        assert sorted(line.is_dashed() for line in lines) == [False] * curves + [True] * curves
        assert min(line.get_zorder() for line in lines if not line.is_dashed()) > max(
            line.get_zorder() for line in lines if line.is_dashed()
        )
    dashed = next(line for line in left.lines if line.is_dashed() and len(line.get_xdata()) > 2)
    assert dashed.get_xydata().tolist() == drawn_steps(result.reference, "sensibility").tolist()


def test_drift_says_what_was_decided_and_which_file_is_which():
    (result,) = CASES["drift"]
    figure = painted([result], "drift")
    words = " ".join(" ".join(text.get_text().split()) for text in texts(figure))
    assert f"{result.drift.conclusion} (permutation test, p = " in words
    assert "AUC" in words
    assert [entry.partition(":")[0] for entry in said(figure)[2:4]] == ["these cases", "reference"]
    assert "last_year.csv" in said(figure)[3]


def test_drift_of_several_models_says_each_decision_over_its_charts():
    results = CASES["drift of two models"]
    for axes, result in zip(painted(results, "drift").axes[::2], results, strict=True):
        caption = " ".join(axes.get_title(loc="left").split())
        assert caption.startswith(f"{result.counts.model}: {result.drift.conclusion}")


def test_drift_needs_a_reference():
    with pytest.raises(UsageError, match="--reference"):
        painted(CASES["ten cases"], "drift")


def test_a_title_replaces_the_name():
    figure = painted(CASES["ten cases"], "sensibility", Canvas(title="Mine", dpi=72))
    assert figure.get_suptitle().strip() == "Mine"


def test_a_height_asked_for_is_kept():
    figure = painted(CASES["drift"], "drift", Canvas(width=9, height=5, dpi=72))
    assert figure.get_size_inches().tolist() == [9, 5]


def test_drift_says_what_its_lines_and_dots_are_and_keeps_its_test_on_one_line():
    figure = painted(CASES["drift"], "drift")
    assert said(figure)[-2:] == ["midpoint", "the midpoint as a threshold"]
    (decided,) = [text.get_text() for text in texts(figure) if "permutation" in text.get_text()]
    assert " ".join(decided.splitlines()[-1].split()).endswith(")")
    assert "(permutation" in decided.splitlines()[-1]
