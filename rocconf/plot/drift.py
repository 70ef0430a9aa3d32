"""The curves of new cases over those of the reference: sensibility and capability, and ROC beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_figure_title
from rocconf.plot.chart_rows import CAPABILITY, NEW, OLD, SENSIBILITY, add_legend, chart_rows, in_sight
from rocconf.plot.colours import INK, SOFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocconf.compute.sensibility import Drift, Sensibility
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """The new cases, the reference, and the decision between them."""

    new: Sensibility
    old: Sensibility
    drift: Drift

    @classmethod
    def of(cls, result: Sensibility) -> BeforeAfter:
        """Return the parts of a result that has a reference."""
        if result.reference is None or result.drift is None:
            raise UsageError("drift-needs-reference")
        return cls(result, result.reference, result.drift)


def paint(figure: Figure, results: Sequence[Sensibility], canvas: Canvas) -> None:
    """Paint a row of two charts for each model."""
    pairs = [BeforeAfter.of(result) for result in results]
    names = fmt.names([pair.new.counts for pair in pairs])
    for chart, name, pair in zip(chart_rows(figure, len(pairs)), names, pairs, strict=True):
        chart.draw(pair.old, OLD)
        chart.draw(pair.new, NEW)
        own = [f"{name}: {pair.drift.conclusion}"] if len(pairs) > 1 else []
        chart.caption(canvas, [*own, *_curves(pair)], [_ranking(pair)])
    drift = pairs[0].drift
    title = ("Drift", "") if len(pairs) > 1 else (f"Drift of {fmt.name(drift.model)}", _decision(drift))
    heading = add_figure_title(figure, canvas, *title)
    add_legend(figure, canvas, heading, _entries(pairs), len(pairs))


def _decision(drift: Drift) -> str:
    test = f"(permutation test, p {fmt.p(drift.joint.p)})".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{drift.conclusion} {test}"


def _curves(pair: BeforeAfter) -> list[str]:
    ratios = fmt.aligned([each.split.struggle_ratio for each in (pair.new, pair.old)])
    midpoints = fmt.aligned([each.split.midpoint for each in (pair.new, pair.old)])
    return [f"struggle ratio {ratios[0]}, was {ratios[1]}", f"midpoint {midpoints[0]}, was {midpoints[1]}"]


def _ranking(pair: BeforeAfter) -> str:
    return f"AUC {fmt.share(pair.new.auc.value)}, was {fmt.share(pair.old.auc.value)}"


def _entries(pairs: Sequence[BeforeAfter]) -> list[Entry]:
    size = 0.7 * mpl.rcParams["lines.markersize"]
    dot: dict[str, Any] = {"color": INK, "marker": "o", "markersize": size}
    new = Line2D([], [], linestyle=NEW.line, markerfacecolor=NEW.fill, **dot)
    old = Line2D([], [], linestyle=OLD.line, markerfacecolor=OLD.fill, **dot)
    entries: list[Entry] = [
        (Line2D([], [], color=SENSIBILITY), "sensibility"),
        (Line2D([], [], color=CAPABILITY), "capability"),
        (new, f"these cases{_file([pair.new for pair in pairs])}"),
        (old, f"reference{_file([pair.old for pair in pairs])}"),
    ]
    if any(in_sight(each) for pair in pairs for each in (pair.new, pair.old)):
        entries.append((Line2D([], [], color=SOFT, linewidth=0.9), "midpoint"))
    return [*entries, (Line2D([], [], linestyle="none", **dot), "the midpoint as a threshold")]


def _file(results: Sequence[Sensibility]) -> str:
    """Return the name of the cases' file, if it is one."""
    names = {source.name for result in results for source in result.counts.sources}
    return f": {fmt.name(names.pop())}" if len(names) == 1 else ""
