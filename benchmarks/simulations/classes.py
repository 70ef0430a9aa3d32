"""The coverage of intervals of averages over classes and of their differences, and on which side they miss."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from class_averages import CUTS, area_of, shift_of

from rocconf import ClassPredictions, one_vs_rest
from simulations.running import Promise, Share, Simulation, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

AVERAGES = ("macro_auc", "weighted_auc", "hand_till", "hand_till_weighted")
DIFFERENCES = tuple(f"delta_{name}" for name in AVERAGES)
KINDS = ("robust", "delong")
CORRELATION, WORSE = 0.8, 0.03
NEW, OLD = "new", "old"


@dataclass(frozen=True)
class Classes:
    """Cases of several classes and two models, which rank the cases of each class alike well."""

    sizes: tuple[int, ...]
    area: float
    family: str = "normal"

    @property
    def in_words(self) -> str:
        """The sizes of the classes."""
        return f"{len(self.sizes)} of {self.sizes[0]}" if self.are_balanced else " + ".join(map(str, self.sizes))

    @property
    def are_balanced(self) -> bool:
        """Whether the classes are of one size, which makes the four averages the same."""
        return len(set(self.sizes)) == 1

    @property
    def truth(self) -> dict[str, float]:
        """The true values: every average is the area of two classes, as all pairs of classes have the same."""
        better, worse = (area_of(shift_of(area, self.family), self.family) for area in (self.area, self.area - WORSE))
        return dict.fromkeys(AVERAGES, better) | dict.fromkeys(DIFFERENCES, better - worse)

    def draw(self, rng: Generator, runs: int) -> Iterator[ClassPredictions]:
        """Yield samples."""
        k = len(self.sizes)
        labels = np.repeat(np.arange(k), self.sizes)
        own = np.eye(k)[labels]
        shifts = {NEW: shift_of(self.area, self.family), OLD: shift_of(self.area - WORSE, self.family)}
        for _ in range(runs):
            common = rng.normal(size=own.shape)
            scores = {}
            for name, shift in shifts.items():
                noise = sqrt(CORRELATION) * common + sqrt(1 - CORRELATION) * rng.normal(size=own.shape)
                scores[name] = self._scores(noise, shift * own)
            yield ClassPredictions(tuple(map(str, range(k))), labels, scores)

    def _scores(self, noise: NDArray[np.float64], shift: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.family == "ties":
            return np.digitize(noise + shift, CUTS).astype(np.float64)
        k = noise.shape[1]
        return (noise - noise.mean(axis=1, keepdims=True)) / sqrt(1 - 1 / k) + shift


def missed(setting: Classes, rng: Generator, runs: int) -> Tally:
    """Count the runs whose interval leaves the true value out, by quantity, kind and side."""
    truth, tally = setting.truth, Counter[str]()
    for cases in setting.draw(rng, runs):
        for kind in KINDS:
            result = one_vs_rest(cases, baseline=OLD, interval=kind)
            new = next(model for model in result.models if model.name == NEW)
            of_pairs = {pair.metric: pair.difference for pair in result.pairs if pair.model == NEW}
            for name in AVERAGES:
                for quantity, found in ((name, new.averages[name]), (f"delta_{name}", of_pairs[name])):
                    if found is None:
                        raise ValueError(f"no interval of {quantity} in {setting}")
                    below = truth[quantity] < found.interval.lower
                    tally[f"{quantity} {kind} below"] += below
                    tally[f"{quantity} {kind} above"] += truth[quantity] > found.interval.upper
    return tally


def _rows(setting: Classes, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    scores = f"{setting.area:g}, {setting.family}"
    return [
        (
            setting.in_words,
            scores,
            name,
            *(str(Share(tally[f"{name} {kind} {side}"], runs)) for kind in KINDS for side in ("below", "above")),
        )
        for name in (("macro_auc", "delta_macro_auc") if setting.are_balanced else (*AVERAGES, *DIFFERENCES))
    ]


def _promises(setting: Classes, tally: Tally, runs: int) -> list[Promise]:
    return [
        Promise(
            f"classes {setting.in_words}, AUC {setting.area:g}, {setting.family}: a rule on `{name}` passes a model at its limit in "
            "at most 2.5%",
            Share(tally[f"{name} robust below"], runs),
            most=0.025,
        )
        for name in ("macro_auc", "delta_macro_auc")
    ]


SIMULATIONS = (
    Simulation(
        key="classes",
        title="More than two classes: averages and their differences, nominal 0.95",
        about=(
            "How often the interval leaves the true value out, on each side: a rule such as `macro_auc >= X` errs where the "
            f"truth is below. `AUC` is that of each class against each other one in the new model; the old model's is {WORSE:g} "
            f"less, and the scores of the two have a correlation of {CORRELATION:g} within each class. Normal scores sum to a "
            "constant over the classes; tied ones have five values. `delong` is `--interval delong`. With classes of one size the "
            "four averages are the same."
        ),
        runs=1000,
        settings=(
            *(Classes((size,) * 3, 0.85) for size in (20, 50, 200)),
            *(Classes(sizes, 0.85) for sizes in ((5, 20, 100), (10, 50, 200), (50, 250, 1000), (20,) * 6)),
            *(Classes(sizes, area) for area in (0.95, 0.99) for sizes in ((20,) * 3, (10, 50, 200))),
            *(Classes(sizes, 0.85, "ties") for sizes in ((20,) * 3, (10, 50, 200))),
        ),
        simulate=missed,
        headings=(
            *("cases of each class", "AUC, scores", "interval of"),
            *(f"{kind}: truth {side}" for kind in KINDS for side in ("below", "above")),
        ),
        rows=_rows,
        promises=_promises,
    ),
)
