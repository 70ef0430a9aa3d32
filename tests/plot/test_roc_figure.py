"""The ROC curve of one model in the colours of its thresholds, and of several in a chart."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from plot_cases import (
    LABELS,
    SIGNS,
    legend_of,
    legend_texts,
    painted,
    random_models,
    results_of,
    sweeps,
    ten_cases,
    texts,
)

from rocconf import Predictions, count, sweep
from rocconf.compute.roc.curve import curve
from rocconf.plot.roc_space import thinned_rows


def pieces_of(figure):
    (pieces,) = [each for each in figure.axes[0].collections if isinstance(each, LineCollection)]
    return pieces


def test_the_curve_is_coloured_by_the_threshold_it_leads_to():
    pieces, shade = pieces_of(painted(ten_cases(), "roc")), mpl.colormaps["viridis"]
    first, last = pieces.get_segments()[0], pieces.get_segments()[-1]
    assert first.tolist() == [[0, 0], [0, 0.2]]  # the one case at threshold 1, a positive
    assert last.tolist() == [[0.8, 1], [1, 1]]
    assert pieces.get_colors()[0] == pytest.approx(shade(0.93))
    assert pieces.get_colors()[-1] == pytest.approx(shade(0.0))


def test_pieces_of_the_curve_meet():
    (result,) = random_models(5000, 1)
    pieces = pieces_of(painted([result], "roc")).get_segments()
    ends = [(piece[0].tolist(), piece[-1].tolist()) for piece in pieces]
    assert ends[0][0] == [0, 0]
    assert ends[-1][1] == [1, 1]
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert sum(len(piece) - 1 for piece in pieces) == len(thinned_rows(curve(result.counts))) - 1


def test_lower_scores_for_positives_turn_the_colours_not_the_curve():
    lower = count(Predictions(LABELS, {"s": np.arange(10.0)}, lower_is_positive=True))
    pieces = pieces_of(painted([sweep(lower)], "roc"))
    assert pieces.get_segments()[0].tolist()[0] == [0, 0]
    assert pieces.get_colors()[0] == pytest.approx(mpl.colormaps["viridis"](0.0))


def test_the_level_is_that_of_the_result():
    counts = count(Predictions(LABELS, {"s": np.arange(10.0)[::-1]}))
    assert legend_texts(painted([sweep(counts, level=0.9)], "roc"))[0].endswith("robust, 90%")


def test_several_models_have_a_colour_each_and_their_areas_in_the_legend():
    figure = painted(random_models(300, 3), "roc")
    lines = [line for line in figure.axes[0].lines if line.get_zorder() == 3]
    assert len({line.get_color() for line in lines}) == 3
    title, *entries = legend_texts(figure)
    assert title == "AUC (robust, 95%)"
    assert [entry.split("  ")[0] for entry in entries[:3]] == ["model 0", "model 1", "model 2"]
    assert entries[3:] == ["closest, in-sample"]


def test_intervals_of_different_methods_are_named_one_by_one():
    results = [
        sweep(each.counts, interval="delong") for each in sweeps(LABELS, plain=np.arange(10)[::-1], perfect=LABELS)
    ]
    title, plain, perfect, *_ = legend_texts(painted(results, "roc"))
    assert title == "AUC"
    assert plain.endswith("] DeLong, 95%")
    assert perfect.endswith("] Newcombe, 95%")


def test_twenty_models_are_distinct():
    lines = [line for line in painted(random_models(60, 20), "roc").axes[0].lines if line.get_zorder() == 3]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 20


def test_the_hull_lies_on_or_above_the_curve():
    (result,) = random_models(500, 1)
    figure = painted([result], "roc", hull=True)
    (hull,) = [line for line in figure.axes[0].lines if line.get_zorder() == 2.5]
    roc = curve(result.counts)
    assert (np.interp(roc.fpr, *hull.get_xydata().T) >= roc.tpr - 1e-12)[1:].all()


def test_the_legend_shows_hulls_in_the_colour_of_no_model():
    legend = legend_of(painted(random_models(100, 4), "roc", hull=True))
    lines = dict(zip((text.get_text() for text in legend.get_texts()), legend.get_lines(), strict=True))
    hull = lines.pop("convex hull").get_color()
    assert hull not in {line.get_color() for label, line in lines.items() if label.startswith("model")}


def test_a_name_with_signs_is_in_the_title_as_it_is():
    figure = painted(results_of("sweep", "a name with signs"), "roc")
    assert f"ROC curve of {SIGNS}" in [text.get_text() for text in texts(figure)]


def test_the_regions_are_named_away_from_the_curve():
    (result,) = random_models(500, 1)
    figure = painted([result], "roc", regions=True)
    named = {text.get_text(): np.array(text.get_position()) for text in figure.axes[0].texts}
    line = np.column_stack([curve(result.counts).fpr, curve(result.counts).tpr])
    for name in ("conservative", "liberal", "worse than random"):
        assert np.hypot(*(line - named[name]).T).min() > 0.04
    below, liberal, conservative = (named[name] for name in ("worse than random", "liberal", "conservative"))
    assert below[0] > below[1]
    assert liberal.sum() > 1 > conservative.sum()
    assert all(name not in texts(painted([result], "roc")) for name in named if name in ("liberal", "conservative"))
