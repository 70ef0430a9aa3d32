"""Charts as static SVG: they need no script, take the colours of the page and print as lines.

Colours are classes, since the page allows no styles of single elements.
"""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.report.html.markup import Markup, joined, tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.report.html.curves import DrawnCurve

    Point = tuple[float, float]
    Ends = tuple[float | None, float | None, float | None]
    """A value with the limits of its interval."""

COLOURS = 7
"""The classes of colours, m0 to m6; after them the line changes."""
MOST_POINTS = 300
"""The vertices of a line, which are enough for a chart of this size."""
WIDTH, HEIGHT = 400, 340
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 12, 44
BAR_WIDTH, BAR_HEIGHT, BAR_EDGE, BAR_MIDDLE = 180, 36, 8, 11
ARROW = 'class="arrow'
"""What marks the end of an interval that goes on beyond its scale."""
USUAL = 4
"""An interval more than so many times as wide as the median one does not widen a scale."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The ranges of a chart."""

    across: Point = (0.0, 1.0)
    up: Point = (0.0, 1.0)

    def place(self, point: Point) -> Point:
        """Return where a point is drawn."""
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * _share(point[0], self.across),
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(point[1], self.up),
        )

    def frame(self, across: str, up: str) -> Markup:
        """Return the axes with their ticks and names."""
        lines = []
        for tick in ticks(*self.across):
            x, _ = self.place((tick, self.up[0]))
            lines += [_line(x, TOP, x, HEIGHT - BOTTOM, "grid"), _text(x, HEIGHT - BOTTOM + 16, f"{tick:g}", "middle")]
        for tick in ticks(*self.up):
            _, y = self.place((self.across[0], tick))
            lines += [_line(LEFT, y, WIDTH - RIGHT, y, "grid"), _text(LEFT - 6, y + 4, f"{tick:g}", "end")]
        middle = TOP + (HEIGHT - TOP - BOTTOM) / 2
        names = (
            _text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 8, across, "middle", class_="axis"),
            _text(11, middle, up, "middle", class_="axis", transform=f"rotate(-90 11 {middle:.1f})"),
        )
        return joined(*lines, *names)

    def line(self, points: Sequence[Point], class_: str) -> Markup:
        """Return a line through points."""
        places = [self.place(point) for point in thinned(points)]
        drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        return tag("path", class_=f"line {class_}", d=f"M{drawn}") if places else Markup("")

    def area(self, points: Sequence[Point], class_: str) -> Markup:
        """Return the area under a line."""
        floor_ = self.up[0]
        return self.line([(points[0][0], floor_), *points, (points[-1][0], floor_)], f"area {class_}")

    def label(self, across: float, text: str, at: int) -> Markup:
        """Return the name of a vertical line, the k-th on a line of its own, towards the middle of the chart."""
        x, _ = self.place((across, 0))
        side = 1 if x < WIDTH / 2 else -1
        return _text(x + 4 * side, TOP + 12 + 14 * at, text, "start" if side > 0 else "end", class_="label")

    def dot(self, point: Point, class_: str, title: str) -> Markup:
        """Return a mark, with its name."""
        x, y = self.place(point)
        return tag("circle", tag("title", title), class_=f"dot {class_}", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5)


def figure(name: str, title: str, about: str, *drawn: str, across: Point | None = None) -> Markup:
    """Return a chart with its title and a sentence on how to read it.

    The script is told the range of a chart in which it marks thresholds.
    """
    chart = tag(
        "svg",
        *drawn,
        class_="chart",
        id=f"chart-{name}",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby=f"title-{name}",
        data_low=across and across[0],
        data_high=across and across[1],
    )
    caption = tag("figcaption", tag("strong", title, id=f"title-{name}"), " ", about)
    return tag("figure", caption, chart, id=f"figure-{name}")


def roc_chart(curves: Sequence[DrawnCurve], contours: Iterable[tuple[float, Sequence[Point]]] = ()) -> list[Markup]:
    """Return the ROC curves with their operating points, confident segments bold."""
    plane = Plane()
    drawn = [plane.frame("false alarms: share of the negatives", "found: share of the positives")]
    drawn.append(plane.line([(0, 0), (1, 1)], "chance"))
    drawn += [plane.line(points, "contour") for _, points in contours]
    drawn += [plane.line(curve.bold(), f"bold {colour(at)}") for at, curve in enumerate(curves)]
    drawn += [plane.line(curve.roc, colour(at)) for at, curve in enumerate(curves)]
    for at, curve in enumerate(curves):
        drawn += [plane.dot((row["fpr"], row["tpr"]), colour(at), _mark(curve, row)) for row in curve.points]
    return drawn


def pr_chart(curves: Sequence[DrawnCurve]) -> list[Markup]:
    """Return the precision-recall curves with their operating points."""
    plane = Plane()
    drawn = [plane.frame("found: share of the positives", "precision: share of the alarms")]
    shares = sorted({curve.counts.p / curve.counts.n for curve in curves})
    drawn += [plane.line([(0, share), (1, share)], "chance") for share in shares]
    drawn += [plane.line(curve.pr, colour(at)) for at, curve in enumerate(curves)]
    for at, curve in enumerate(curves):
        rows = [row for row in curve.points if row["tp"] + row["fp"]]
        drawn += [plane.dot((row["tpr"], row["precision"]), colour(at), _mark(curve, row)) for row in rows]
    return drawn


def scores_chart(curve: DrawnCurve) -> list[Markup]:
    """Return the histograms of the scores of both classes, each as shares of its class."""
    bins = curve.bins
    if bins is None:
        return [_text(WIDTH / 2, HEIGHT / 2, "no scale for these scores", "middle")]
    shares = [
        [cases / total for cases in of_class]
        for of_class, total in ((bins.negatives, curve.counts.q), (bins.positives, curve.counts.p))
    ]
    plane = Plane((bins.low, bins.high), (0.0, max(*shares[0], *shares[1], 1e-9) * 1.05))
    width = (bins.high - bins.low) / len(bins.positives)
    drawn = [plane.frame("score", "share of the class")]
    for of_class, class_ in zip(shares, ("negatives", "positives"), strict=True):
        steps = [(bins.low + (at + end) * width, share) for at, share in enumerate(of_class) for end in (0, 1)]
        drawn += [plane.area(steps, class_)]
    labels = []
    for at, row in enumerate(curve.points):
        threshold = row["threshold"]
        if threshold is not None and bins.low <= threshold <= bins.high:
            drawn.append(plane.line([(threshold, 0), (threshold, plane.up[1])], "limit"))
            labels.append(plane.label(threshold, row["rule"], at))
    return drawn + labels


def lines_chart(lines: Sequence[tuple[str, Sequence[Point]]], domain: Point, across: str, up: str) -> list[Markup]:
    """Return lines of shares."""
    plane = Plane(domain)
    return [plane.frame(across, up), *(plane.line(points, class_) for class_, points in lines)]


def interval_bar(
    value: float | None,
    lower: float | None,
    upper: float | None,
    domain: Point,
    *,
    limit: float | None = None,
    class_: str,
) -> Markup:
    """Return an interval as a bar beside its numbers, over the ends of its scale.

    A limit is a dashed line. An end has a cap, or an arrow where the interval goes on beyond the scale; an unknown end
    reaches the edge.
    """
    middle = BAR_MIDDLE
    drawn = [
        _line(BAR_EDGE, middle, BAR_WIDTH - BAR_EDGE, middle, "grid"),
        _text(0, BAR_HEIGHT - 3, f"{domain[0]:.3g}", "start"),
        _text(BAR_WIDTH, BAR_HEIGHT - 3, f"{domain[1]:.3g}", "end"),
    ]

    def place(at: float) -> float:
        return BAR_EDGE + (BAR_WIDTH - 2 * BAR_EDGE) * min(max(_share(at, domain), 0), 1)

    if (lower, upper) != (None, None):
        ends = [domain[at] if end is None else end for at, end in enumerate((lower, upper))]
        drawn.append(_line(place(ends[0]), middle, place(ends[1]), middle, f"interval {class_}"))
        for end, beyond, sign in zip(ends, (ends[0] < domain[0], ends[1] > domain[1]), (-1, 1), strict=True):
            x = place(end)
            drawn.append(
                tag("path", class_=f"arrow {class_}", d=f"M{x + 8 * sign:.1f} {middle}l{-8 * sign} -5v10z")
                if beyond
                else _line(x, middle - 5, x, middle + 5, f"cap {class_}")
            )
    if limit is not None:
        drawn.append(_line(place(limit), 1, place(limit), 2 * middle - 1, "limit"))
    if value is not None and isfinite(value):
        drawn.append(tag("circle", class_=f"dot {class_}", cx=f"{place(value):.1f}", cy=middle, r=3.5))
    return tag(
        "svg", *drawn, class_="bar", viewBox=f"0 0 {BAR_WIDTH} {BAR_HEIGHT}", aria_hidden="true", focusable="false"
    )


def scale_of(intervals: Sequence[Ends], *, with_zero: bool = False, limits: Iterable[float] = ()) -> Point:
    """Return the scale on which most intervals can be read: those that are far wider than the median one are cut."""
    widths = sorted(upper - lower for _, lower, upper in intervals if lower is not None and upper is not None)
    most = USUAL * widths[(len(widths) - 1) // 2] if widths else 0.0
    ends = [
        end
        for value, lower, upper in intervals
        for end in (
            (value,) if lower is not None and upper is not None and upper - lower > most else (value, lower, upper)
        )
    ]
    return domain_of([*ends, *limits], with_zero=with_zero)


def domain_of(values: Iterable[float | None], *, with_zero: bool = False) -> Point:
    """Return the range of numbers, with room at both ends."""
    known = [value for value in values if value is not None and isfinite(value)] + [0.0] * with_zero
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = 0.08 * (high - low) or max(abs(low), 1.0) / 2
    return low - room, high + room


def legend(curves: Sequence[DrawnCurve]) -> Markup:
    """Return the colour of each model."""
    items = [tag("li", swatch(at), " ", curve.model) for at, curve in enumerate(curves)]
    return tag("ul", *items, class_="legend") if len(curves) > 1 else Markup("")


def swatch(at: int) -> Markup:
    """Return a piece of the line of a model."""
    return tag(
        "svg", _line(0, 5, 24, 5, f"line {colour(at)}"), class_="swatch", viewBox="0 0 24 10", aria_hidden="true"
    )


def class_swatch(name: str) -> Markup:
    """Return how a chart of scores draws a class: `negatives` are filled, and `positives` are a line."""
    drawn = tag("path", class_=f"line area {name}", d="M1 14V6H8V2H16V8H23V14Z")
    return tag("svg", drawn, class_="class-swatch", viewBox="0 0 24 15", aria_hidden="true")


def colour(at: int) -> str:
    """Return the classes of the line of the k-th model."""
    return f"m{at % COLOURS} dash{at // COLOURS % 3}"


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers."""
    step = 10 ** floor(log10((high - low) / 4)) if high > low else 1.0
    for factor in (5, 2):
        if (high - low) / (step * factor) >= 3:
            step *= factor
            break
    first = -floor(-low / step + 1e-9)
    found = []
    while (first * step) <= high + 1e-9 * step:
        found.append(float(f"{first * step:.10g}"))
        first += 1
    return found


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most so many points, evenly along a line."""
    if len(points) <= most:
        return list(points)
    step = (len(points) - 1) / (most - 1)
    return [points[round(at * step)] for at in range(most)]


def _share(value: float, domain: Point) -> float:
    return (value - domain[0]) / (domain[1] - domain[0])


def _mark(curve: DrawnCurve, row: dict[str, object]) -> str:
    return f"{curve.model}: {row['rule']}"


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    places = {name: f"{at:.1f}" for name, at in (("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2))}
    return tag("line", class_=class_, **places)


def _text(x: float, y: float, text: str, anchor: str, **attributes: str) -> Markup:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **attributes)
