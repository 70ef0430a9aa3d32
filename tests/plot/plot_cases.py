"""Sweeps to draw, and figures to look into."""

import importlib
from itertools import pairwise

import numpy as np
from matplotlib.text import Text

from rocconf.compute.roc.counts import count
from rocconf.compute.sweep import sweep
from rocconf.plot import KINDS, Canvas
from rocconf.plot.figure import house_style, new_figure, settle
from rocconf.records import Predictions

LABELS = np.array([1, 1, 0, 1, 1, 0, 1, 0, 0, 0], dtype=bool)
SCORES = np.array([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0])
RULES = ("closest", "youden", "accuracy", "chi2", "cost=1:5", "fpr<=0.1", "tpr>=0.9")


def sweeps(labels, at=("closest",), **scores):
    predictions = Predictions(
        np.array(labels, dtype=bool), {name: np.array(column, dtype=float) for name, column in scores.items()}
    )
    return [sweep(count(predictions, model), at=at) for model in predictions.models]


def ten_cases(at=("closest",)):
    return sweeps(LABELS, at, score=SCORES)


def random_models(n, models, *, seed=1, at=("closest",), prevalence=0.1):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    scores = {f"model {k}": rng.normal(size=n) + (1 + k / 4) * labels for k in range(models)}
    return sweeps(labels, at, **scores)


def painted(results, kind, canvas=None, **extras):
    canvas = canvas or Canvas()
    with house_style(canvas):
        figure = new_figure(canvas)
        painter = importlib.import_module(KINDS[results[0].command][kind].painter)
        painter.paint(figure, results, canvas, **extras)
        settle(figure, free_height=canvas.height is None)
    return figure


def texts(figure):
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


def legend_of(figure):
    (legend,) = [*filter(None, (axes.get_legend() for axes in figure.axes)), *figure.legends]
    return legend


def said(figure):
    legend = legend_of(figure)
    return [legend.get_title().get_text(), *(text.get_text() for text in legend.get_texts())]


def distance_to_polyline(points, corners):
    """Return the distance of every point to the nearest of the line's segments, by the definition."""
    best = np.full(len(points), np.inf)
    for start, end in pairwise(corners):
        along = end - start
        length = along @ along
        share = np.clip((points - start) @ along / length, 0, 1) if length else np.zeros(len(points))
        best = np.minimum(best, np.hypot(*(points - start - share[:, None] * along).T))
    return best
