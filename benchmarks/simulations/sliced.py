"""How often slices that do not differ are said to differ, and how often rules about every slice err."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from class_averages import area_of, shift_of

from rocconf import Grouping, Predictions, judge, sweep_slices
from simulations.running import Promise, Share, Simulation, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.random import Generator

    from rocconf import Slice

ALPHA = 0.05
BY, AT = "slice", "threshold=1"
BETTER = 0.97
"""The AUC of all slices but the one at the limit."""


@dataclass(frozen=True)
class Slices:
    """Cases of several slices, in all of which the scores and the prevalence are the same."""

    sizes: tuple[int, ...]
    area: float
    prevalence: float = 0.3

    @property
    def in_words(self) -> str:
        """The number of slices and their sizes."""
        least, most = min(self.sizes), max(self.sizes)
        return f"{len(self.sizes)} of {least}" if least == most else f"{len(self.sizes)} of {least} to {most}"

    def draw(self, rng: Generator, runs: int, *, others: float | None = None) -> Iterator[Predictions]:
        """Yield samples; `others` is another AUC of all slices but the first."""
        places = np.repeat(np.arange(len(self.sizes)), self.sizes)
        shifts = np.where(places == 0, shift_of(self.area, "normal"), shift_of(others or self.area, "normal"))
        for _ in range(runs):
            labels = np.concatenate([_labels(rng, size, self.prevalence) for size in self.sizes])
            scores = rng.normal(size=len(places)) + shifts * labels
            yield Predictions(labels, {"model": scores}, groups=(Grouping.of(BY, places.tolist()),))


def _labels(rng: Generator, size: int, prevalence: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    labels = np.arange(size) < round(size * prevalence)
    rng.shuffle(labels)
    return labels


def found(setting: Slices, rng: Generator, runs: int) -> Tally:
    """Count the runs in which any slice differs from the rest, and those in which a rule fails or passes in error."""
    tally, limit = Counter[str](), area_of(shift_of(setting.area, "normal"), "normal")
    rule = f"auc by {BY} >= {limit:.9f}"
    for cases in setting.draw(rng, runs):
        result = sweep_slices(cases, at=AT)
        tally["auc"] += any(p is not None and p <= ALPHA for p in _adjusted(result.slices, "auc", None))
        for rate in ("tpr", "fpr"):
            tally[rate] += any(p is not None and p <= ALPHA for p in _adjusted(result.slices, rate, 0))
        tally["fails"] += any(verdict.outcome == "fail" for verdict in judge(result, rule))
    for cases in setting.draw(rng, runs, others=BETTER):
        tally["passes"] += all(verdict.outcome == "pass" for verdict in judge(sweep_slices(cases, at=()), rule))
    return tally


def _adjusted(slices: Sequence[Slice], metric: str, rule: int | None) -> Iterator[float | None]:
    return (each.difference("model", metric, rule).p_adjusted for each in slices)


NAMES = ("auc", "tpr", "fpr", "fails", "passes")


def _rows(setting: Slices, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    shares = (str(Share(tally[name], runs)) for name in NAMES)
    return [(setting.in_words, f"{setting.area:g}", f"{setting.prevalence:g}", *shares)]


def _promises(setting: Slices, tally: Tally, runs: int) -> list[Promise]:
    cases = f"{setting.in_words} cases, AUC {setting.area:g}, prevalence {setting.prevalence:g}"
    return [
        Promise(
            f"slices, {cases}: any differs from the rest (AUC) in at most 5%", Share(tally["auc"], runs), most=ALPHA
        ),
        Promise(
            f"slices, {cases}: a rule at its limit fails in at most 2.5%", Share(tally["fails"], runs), most=ALPHA / 2
        ),
        Promise(
            f"slices, {cases}: one at its limit lets a rule pass in at most 2.5%",
            Share(tally["passes"], runs),
            most=ALPHA / 2,
        ),
    ]


SIMULATIONS = (
    Simulation(
        key="slices",
        title="Slices: `--by`",
        about=(
            "All slices have the same scores and prevalence, so whatever differs does so by chance. `auc`, `tpr`, `fpr`: how "
            "often any slice differs from the rest (p adjusted by Holm's method, at most 0.05), in the AUC and in the rates at "
            "a threshold. `fails`: how often `auc by slice >= X` fails, where X is the true AUC of every slice. `passes`: how "
            f"often it passes, where that is true of one slice and all others have an AUC of {BETTER:g}."
        ),
        runs=300,
        settings=(
            *(Slices((size,) * 20, 0.85) for size in (50, 200)),
            Slices(tuple(40 * 2 ** (at // 4) for at in range(20)), 0.85),
            Slices((100,) * 5, 0.85),
            Slices((100,) * 20, 0.95, 0.15),
        ),
        simulate=found,
        headings=("slices", "AUC", "prevalence", *NAMES),
        rows=_rows,
        promises=_promises,
    ),
)
