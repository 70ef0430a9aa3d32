"""How often streams alarm: those of a domain that does not change, which is a promise, and those of one that does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from rocconf import Predictions, count
from rocconf.compute.sensibility import STREAMS, sensibility
from rocconf.compute.sensibility.stream import stream
from rocconf.records import Times
from simulations.running import Promise, Share, Simulation, Tally

if TYPE_CHECKING:
    from numpy.random import Generator

    from rocconf.compute.sensibility import Stream

SHIFT, PREVALENCE = 0.5, 0.4


@dataclass(frozen=True)
class Setting:
    """A reference and a stream of normal scores whose class means are 1.5 apart, and what changes in it."""

    reference: int
    cases: int
    prevalence: float = 0.3
    change: str = "none"
    """none; `positives`, whose scores fall; or `prevalence`, which changes."""

    @property
    def change_at(self) -> int:
        """The place of the first case after the change."""
        return self.cases // 4

    @property
    def in_words(self) -> str:
        """What changes."""
        lower = f"scores of positives lower by {SHIFT:g}"
        words = {"none": "none", "positives": lower, "prevalence": f"prevalence {PREVALENCE:g}"}
        return words[self.change]

    def draw(self, rng: Generator, cases: int, *, changes: bool) -> Predictions:
        """Return cases in the order of their times."""
        after = np.arange(cases) >= (self.change_at if changes else cases)
        moved = after & (self.change == "prevalence")
        labels = rng.random(cases) < np.where(moved, PREVALENCE, self.prevalence)
        labels[:2] = True, False
        fallen = after & labels & (self.change == "positives")
        scores = rng.normal(1.5 * labels - SHIFT * fallen)
        times = Times(np.arange(cases, dtype=np.float64), "number")
        return Predictions(labels, {"m": expit(scores)}, times=times)


def alarms(setting: Setting, rng: Generator, runs: int) -> Tally:
    """Count the runs in which each stream alarms."""
    tally: Tally = Counter()
    for seed in rng.integers(2**31, size=runs).tolist():
        found = followed(setting, rng, seed)
        first = [each for each in found.martingales if each.alarm is not None]
        tally["any"] += bool(first)
        for each in first:
            tally[each.stream] += 1
    return tally


def followed(setting: Setting, rng: Generator, seed: int) -> Stream:
    """Return a stream after its reference."""
    reference = count(setting.draw(rng, setting.reference, changes=False), "m")
    cases = setting.draw(rng, setting.cases, changes=True)
    return stream(
        cases,
        reference,
        partial(sensibility, bootstrap=0),
        model="m",
        every=setting.cases,
        level=0.95,
        seed=seed,
    )


def _rows(setting: Setting, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    shares = (str(Share(tally[name], runs)) for name in ("any", *STREAMS))
    cases = f"{setting.cases:,} after {setting.reference:,}"
    return [(cases, f"{setting.prevalence:g}", setting.in_words, *shares)]


def _promises(setting: Setting, tally: Tally, runs: int) -> list[Promise]:
    if setting.change != "none":
        return []
    text = (
        f"{setting.cases:,} cases after {setting.reference:,}, prevalence {setting.prevalence:g}: a stream without a change "
        "alarms in at most 5%"
    )
    return [Promise(text, Share(tally["any"], runs), most=0.05)]


SIMULATIONS = (
    Simulation(
        key="streams",
        title="Streams: `sensibility --time`",
        about=(
            "Whether any of the three martingales alarms at level 0.95. The scores of the classes are normal with means 1.5 "
            "apart (AUC 0.86). Where something changes, it does after the first quarter of the stream."
        ),
        runs=400,
        settings=[
            *(
                Setting(150, 500),
                Setting(150, 500, 0.1),
                Setting(1000, 500),
                Setting(1000, 2000),
                Setting(1000, 2000, 0.1),
            ),
            *(Setting(1000, cases, change=change) for change in ("positives", "prevalence") for cases in (500, 2000)),
            Setting(1000, 2000, 0.1, "positives"),
        ],
        simulate=alarms,
        headings=("cases", "prevalence", "change", "any alarm", *STREAMS),
        rows=_rows,
        promises=_promises,
    ),
)
