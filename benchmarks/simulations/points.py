"""Operating points: how often promised rates are broken, and how often honest intervals cover the true rate."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from rocconf import Predictions
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.honest import honest_rates
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.stats.proportion import wilson
from rocconf.errors import UndefinedError
from simulations.running import Promise, Share, Simulation, Tally
from simulations.truth import NORMAL, distance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

    from rocconf.records import ScoreCounts

ASSURANCE = 0.95
PROMISED = ("fpr<=0.1", "tpr>=0.9", "precision>=0.9")
CHOSEN = ("youden", "closest", "f1", "accuracy")
RATES = ("tpr", "fpr", "precision")
ENOUGH_POSITIVES = 10


@dataclass(frozen=True)
class Sampled:
    """Cases as they come: normal scores in each class, and each case is positive with the prevalence."""

    n: int
    prevalence: float
    auc: float
    by_class: bool = False
    """Whether the numbers of both classes are fixed."""

    @property
    def positives(self) -> int:
        """The expected number of positives."""
        return round(self.n * self.prevalence)

    def draw(self, rng: Generator, runs: int) -> Iterator[ScoreCounts]:
        """Yield the counts of new cases of both classes."""
        for _ in range(runs):
            labels = np.arange(self.n) < self.positives if self.by_class else rng.random(self.n) < self.prevalence
            scores = rng.standard_normal(self.n) + distance(self.auc) * labels
            yield count(Predictions(labels, {"s": scores}))

    def rates(self, threshold: float | None) -> dict[str, float]:
        """Return the true rates of a threshold."""
        t = float("inf") if threshold is None else threshold
        tpr, fpr = (1 - NORMAL.cdf(t - d) if abs(t) != float("inf") else float(t < 0) for d in (distance(self.auc), 0))
        true, false = self.prevalence * tpr, (1 - self.prevalence) * fpr
        return {"tpr": tpr, "fpr": fpr, "precision": true / (true + false) if true + false else 1.0}


def broken_promises(sampled: Sampled, rng: Generator, runs: int) -> Tally:
    """Count how often a threshold breaks the rate of its rule in the population, assured and not."""
    tally: Tally = Counter()
    for counts in sampled.draw(rng, runs):
        for rule, assured in product(PROMISED, ("", f" assured {ASSURANCE}")):
            try:
                point = operating_point(counts, parse_point_rule(rule + assured))
            except UndefinedError:
                tally[f"{rule}{assured} refused"] += 1
                continue
            tally[rule + assured] += 1
            tally[f"{rule}{assured} broken"] += not _is_kept(rule, sampled.rates(point.threshold))
    return tally


def _is_kept(rule: str, rates: dict[str, float]) -> bool:
    name, limit = rule[: rule.index("=") - 1], float(rule.partition("=")[2])
    return rates[name] <= limit if "<" in rule else rates[name] >= limit


def _promise_rows(sampled: Sampled, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    rows = []
    for rule in PROMISED:
        assured, refused = f"{rule} assured {ASSURANCE}", tally[f"{rule} assured {ASSURANCE} refused"]
        shares = [str(Share(tally[f"{each} broken"], tally[each])) if tally[each] else "-" for each in (rule, assured)]
        about = f"{sampled.n:,}", f"{sampled.prevalence:g}", f"{sampled.auc:g}"
        rows.append((f"`{rule}`", *about, *shares, str(Share(refused, runs))))
    return rows


def _promises(sampled: Sampled, tally: Tally, runs: int) -> list[Promise]:
    """Return that no promise is broken in more samples than its assurance allows; a refusal breaks none."""
    about = f"{sampled.n:,} cases, prevalence {sampled.prevalence:g}, AUC {sampled.auc:g}"
    return [
        Promise(
            f"{about}: `{rule} assured {ASSURANCE}` is broken in at most 5%",
            Share(tally[f"{rule} assured {ASSURANCE} broken"], runs),
            most=0.05,
        )
        for rule in PROMISED
    ]


def honest_coverage(sampled: Sampled, rng: Generator, runs: int) -> Tally:
    """Count how often intervals around the rates of a chosen threshold cover the true rate of that threshold."""
    tally: Tally = Counter()
    rules = [parse_point_rule(rule) for rule in CHOSEN]
    for counts in sampled.draw(rng, runs):
        points = [operating_point(counts, rule) for rule in rules]
        for point, honest in zip(points, honest_rates(counts, points, level=0.95), strict=True):
            true = sampled.rates(point.threshold)
            trials = {
                "tpr": (point.tp, counts.p),
                "fpr": (point.fp, counts.q),
                "precision": (point.tp, point.tp + point.fp),
            }
            for name in RATES:
                if name not in honest:
                    continue
                key, shown = f"{point.rule.text} {name}", wilson(*trials[name])
                tally[key] += 1
                tally[f"{key} shown"] += shown.lower <= true[name] <= shown.upper
                tally[f"{key} honest"] += honest[name].lower <= true[name] <= honest[name].upper
                hits, of = trials[name]
                tally[f"{key} shown bias"] += hits / of - true[name]
                tally[f"{key} honest bias"] += honest[name].value - true[name]
    return tally


def _coverage_rows(sampled: Sampled, tally: Tally, _: int) -> list[tuple[str, ...]]:
    rows = []
    for rule, name in product(CHOSEN, RATES):
        key = f"{rule} {name}"
        cells = []
        for kind in ("shown", "honest"):
            cells += [
                f"{tally[f'{key} {kind} bias'] / tally[key]:+.3f}",
                str(Share(tally[f"{key} {kind}"], tally[key])),
            ]
        size = f"{sampled.positives} + {sampled.n - sampled.positives}"
        rows.append((rule, name, size, f"{sampled.auc:g}", *cells))
    return rows


def _coverage_promises(sampled: Sampled, tally: Tally, _: int) -> list[Promise]:
    """Return that honest intervals of the two classes' rates cover, with ten positives or more."""
    if sampled.positives < ENOUGH_POSITIVES:
        return []
    about = f"{sampled.positives} + {sampled.n - sampled.positives} cases, AUC {sampled.auc:g}"
    return [
        Promise(
            f"{about}: the honest {name} of `youden` is covered in at least 92%",
            Share(tally[f"youden {name} honest"], tally[f"youden {name}"]),
            least=0.92,
        )
        for name in ("tpr", "fpr")
    ]


SIMULATIONS = (
    Simulation(
        key="promises",
        title="Promised rates",
        about=(
            "How often a threshold breaks the rate of its rule in the population: the plain rule, and the same rule with an "
            f"assurance of {ASSURANCE}. Cases are sampled as they come. `refused` is the share of samples with too few cases "
            "for the promise, which break none."
        ),
        runs=1000,
        settings=[
            Sampled(n, prevalence, auc)
            for n, prevalence, auc in product((200, 1000, 4000), (0.02, 0.1, 0.5), (0.85, 0.95))
        ],
        simulate=broken_promises,
        headings=("rule", "cases", "prevalence", "AUC", "plain: broken", "assured: broken", "assured: refused"),
        rows=_promise_rows,
        promises=_promises,
    ),
    Simulation(
        key="honest",
        title="Honest rates, nominal 0.95",
        about=(
            "A threshold is chosen on the cases that its rates are shown for. The mean error of the rates shown and of the "
            "honest ones, and how often their intervals cover the true rate of the threshold."
        ),
        runs=400,
        settings=[
            Sampled(n, share, auc, by_class=True)
            for (n, share), auc in product(
                ((205, 5 / 205), (200, 0.05), (300, 0.05), (1000, 0.05), (200, 0.5)), (0.85, 0.95)
            )
        ],
        simulate=honest_coverage,
        headings=(
            *("rule", "rate", "cases", "AUC", "shown: error", "shown: covers", "honest: error", "honest: covers"),
        ),
        rows=_coverage_rows,
        promises=_coverage_promises,
    ),
)
