"""The error difference and its interval against the threshold, a panel for each model of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.plot import intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison
    from rocconf.plot.canvas import Canvas


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas, *, only_confident: bool = False) -> None:
    """Paint the models of a comparison, all points or the confident ones only."""
    segments = [model.segment for model in results[0].models]
    intervals.paint(figure, segments, canvas, only_confident=only_confident)
