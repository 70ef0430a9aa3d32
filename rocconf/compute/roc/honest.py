r"""What the rates of a threshold would be on new cases, if it was chosen on the cases that they are shown for.

A rule that maximizes something finds a threshold that suits these cases, and flatters it. How much is seen in samples
from these cases: for each replicate of a stratified bootstrap the rule chooses a threshold, whose rate on the
replicate, less its rate on the cases, is its optimism [1]_. The honest rate is the rate less the mean optimism, within
[0, 1], and its interval is Wilson's around it, with the number of cases that the rate is a share of.

The best rows of a rule that rises with tp and falls with fp are among those with a positive, so only these are drawn;
of more than `MOST_ROWS` positives the rows of so many, evenly spaced.

References
----------
.. [1] B. Efron (1983), J. Amer. Stat. Assoc. 78, 316-331.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf import wording
from rocconf.compute.roc.choices import MAXIMIZED, objective_of
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson_limits
from rocconf.compute.stats.resampling import MOST_CASES, resampled
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.messages import message
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.records import Counts, ScoreCounts

REPLICATES = 400
MOST_ROWS = 250
ENOUGH_POSITIVES = 15
"""The positives from which the bias is nearly all removed; of fewer about half of it is."""

HONEST = ("tpr", "fpr", "precision")
"""The rates that have an honest value: those that a screen shows."""

WHY_NONE = "the threshold was not chosen on these cases by a rule that maximizes something, or the rate is undefined"


class HonestRate(NamedTuple):
    """A rate without its optimism, and its interval."""

    value: float
    lower: float
    upper: float


def has_honest_rates(point: OperatingPoint) -> bool:
    """Return whether an operating point was chosen on these cases by a rule that maximizes something."""
    return point.in_sample and point.rule.name in MAXIMIZED


def honest_rates(
    counts: ScoreCounts, points: Sequence[OperatingPoint], *, level: float, restated: Collection[str] = ()
) -> tuple[Mapping[str, HonestRate], ...]:
    """Return the honest rates of each point that has them, by their names; for the others nothing.

    Rates that are `restated` for another prevalence are not shares of these cases, and have none.
    """
    if not any(map(has_honest_rates, points)) or max(counts.p, counts.q) > MOST_CASES:
        return ({},) * len(points)
    roc, names = curve(counts), [name for name in HONEST if name not in restated]
    here = roc.confusion(_rows(roc))
    (drawn,) = resampled(here, REPLICATES, generator(SEED))  # of so few rows in one batch
    return tuple(_rates(point, here, drawn, names, level=level) if has_honest_rates(point) else {} for point in points)


def _keys(name: str) -> list[str]:
    return [f"{name}_honest{end}" for end in ("", "_lower", "_upper")]


def honest_columns() -> tuple[Column, ...]:
    """Return the columns of the honest rates, each with its interval."""
    return tuple(Column(key, "share", WHY_NONE) for name in HONEST for key in _keys(name))


def honest_record(rates: Mapping[str, HonestRate]) -> dict[str, float | None]:
    """Return the values of the columns of one point."""
    found = (zip(_keys(name), rates.get(name, (None,) * 3), strict=True) for name in HONEST)
    return {key: value for each in found for key, value in each}


def honest_words(
    points: Sequence[OperatingPoint], honest: Sequence[Mapping[str, HonestRate]], *, positives: int
) -> str:
    """Return the honest tpr and fpr of each point that has them, as the end of a sentence."""
    found = [(point.rule.text, rates) for point, rates in zip(points, honest, strict=False) if rates]
    words = [_words(f" {rule}" if len(found) > 1 else "", rates["tpr"], rates["fpr"]) for rule, rates in found]
    if found and positives < ENOUGH_POSITIVES:
        words.append(f" {message('honest-few', positives=positives)}")
    return "".join(words)


def _words(rule: str, tpr: HonestRate, fpr: HonestRate) -> str:
    intervals = {"tpr_interval": wording.interval(*tpr[1:]), "fpr_interval": wording.interval(*fpr[1:])}
    return str(message("honest-rates", of=rule, tpr=wording.rate(tpr.value), fpr=wording.rate(fpr.value), **intervals))


def _rates(
    point: OperatingPoint, here: Confusion, drawn: Confusion, names: Sequence[str], *, level: float
) -> dict[str, HonestRate]:
    """Return the honest rates of a point: each replicate chooses the first of its best rows."""
    best = np.argmax(objective_of(here.p, here.q, point.rule).rough(drawn.tp, drawn.fp), axis=1)
    lines, found = np.arange(len(best)), {}
    there = Confusion(drawn.tp[lines, best], drawn.fp[lines, best], drawn.p, drawn.q)
    chosen = Confusion(here.tp[best], here.fp[best], here.p, here.q)
    shown = Confusion(np.array([point.tp]), np.array([point.fp]), here.p, here.q)
    for name in names:
        gaps = RATES[name].of(there) - RATES[name].of(chosen)
        known = gaps[~np.isnan(gaps)]
        hits, n = (int(np.asarray(each).flat[0]) for each in RATES[name].counted(shown))
        if n and len(known):
            value = min(max(hits / n - float(known.mean()), 0.0), 1.0)
            lower, upper = wilson_limits(np.array([value * n]), n, level=level)
            found[name] = HonestRate(value, float(lower[0]), float(upper[0]))
    return found


def _rows(roc: Curve) -> Counts:
    """Return the rows to choose from: the first, and those with a positive, or of evenly spaced positives."""
    positives = np.linspace(1, roc.p, min(roc.p, MOST_ROWS)).round().astype(np.int64)
    rows: Counts = np.append(0, np.searchsorted(roc.tp, positives, side="left"))
    return rows[np.diff(rows, prepend=-1) > 0]  # np.unique would load numpy.ma
