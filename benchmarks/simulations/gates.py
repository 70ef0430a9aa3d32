"""How often rules on a difference fail, pass or stay inconclusive."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from rocconf import Predictions, compare, judge
from rocconf.gate import parse_gate_rule
from simulations.running import Promise, Share, Simulation, Tally
from simulations.truth import NEW, OLD, THRESHOLD, Models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from rocconf.gate import GateRule

OUTCOMES = ("fail", "pass", "inconclusive")
SIZES = ((150, 150), (500, 500), (1500, 1500), (5000, 5000), (15, 285), (50, 950), (150, 2850), (500, 9500))
POINT = f"threshold={THRESHOLD}"
AUC, AUC_WITHOUT_MARGIN, TPR = "delta_auc >= -0.01", "delta_auc >= 0", f"delta_tpr@{POINT} >= -0.02"


def _outcomes(models: Models, rules: Sequence[GateRule], rng: Generator, runs: int) -> Tally:
    """Judge rules on new cases in each run, and count the outcomes of each rule."""
    tally: Tally = Counter()
    points = sorted({rule.at for rule in rules if rule.at})
    for cases in models.draw(rng, runs):
        result = compare(cases, baseline=OLD, at=points, interval="delong")
        for verdict in judge(result, rules):
            tally[f"{verdict.rule.name} {verdict.outcome}"] += 1
    return tally


def of_areas(models: Models, rng: Generator, runs: int) -> Tally:
    """Judge the rules about the AUC."""
    return _outcomes(models, [parse_gate_rule(AUC), parse_gate_rule(AUC_WITHOUT_MARGIN)], rng, runs)


def of_rates(models: Models, rng: Generator, runs: int) -> Tally:
    """Judge the rule about the true positive rate at the threshold."""
    return _outcomes(models, [parse_gate_rule(TPR)], rng, runs)


def _shares(rule: str, tally: Tally, runs: int) -> list[str]:
    return [str(Share(tally[f"{rule} {outcome}"], runs)) for outcome in OUTCOMES]


def _rows_of_areas(models: Models, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    without_margin = str(Share(tally[f"{AUC_WITHOUT_MARGIN} fail"], runs))
    return [(models.size, f"{models.auc:g}", f"{models.worse:g}", *_shares(AUC, tally, runs), without_margin)]


def _rows_of_rates(models: Models, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    return [(models.size, f"{models.worse_tpr:g}", *_shares(TPR, tally, runs))]


def _promises_of_areas(models: Models, tally: Tally, runs: int) -> list[Promise]:
    text = f"{models.size} cases, two models with an AUC of {models.auc:g}: `{AUC}` fails at most 2.5%"
    return [Promise(text, Share(tally[f"{AUC} fail"], runs), most=0.025)]


def _promises_of_rates(models: Models, tally: Tally, runs: int) -> list[Promise]:
    if models.worse_tpr:
        return []
    text = f"{models.size} cases, two equal models: `{TPR}` fails at most 2.5%"
    return [Promise(text, Share(tally[f"{TPR} fail"], runs), most=0.025)]


HEADINGS = ("cases", "AUC", "worse by", "fail", "pass", "inconclusive", f"`{AUC_WITHOUT_MARGIN}` fails")


@dataclass(frozen=True)
class Twice:
    """The same model twice: with the same scores, or with other scores in the same order."""

    same: str


WHOLE = ("auc", "partial_auc", "average_precision", "cauc", "cauc_roc", "aved_abs")
AT_A_POINT = ("tpr", "specificity", "accuracy")
POINTS = ("threshold=0.5", "fpr<=0.1", "youden")
REPLICATES = 100


def _rules_on(twice: Twice) -> list[GateRule]:
    metrics = [f"delta_{metric}" for metric in WHOLE]
    if twice.same == "scores":
        metrics += [f"delta_{metric}@{at}" for metric, at in product(AT_A_POINT, POINTS)]
    return [
        parse_gate_rule(f"{metric} {limit}") for metric in metrics for limit in (">= -0.01", ">= 0", "<= 0", "<= 0.01")
    ]


def twice_the_same(twice: Twice, rng: Generator, runs: int) -> Tally:
    """Judge all kinds of rules on a model and itself: few or many cases, with or without ties, in both directions."""
    tally: Tally = Counter()
    rules = _rules_on(twice)
    for _ in range(runs):
        positives, negatives = rng.integers(1, 80, size=2)
        labels = np.arange(positives + negatives) < positives
        scores = (rng.normal(size=len(labels)) + rng.uniform(-1, 3) * labels).round(rng.choice([0, 1, 15]))
        again = scores.copy() if twice.same == "scores" else 2 * scores + 1
        cases = Predictions(labels, {OLD: scores, NEW: again}, lower_is_positive=bool(rng.integers(2)))
        points = POINTS if twice.same == "scores" else ()
        result = compare(cases, baseline=OLD, at=points, max_fpr=0.3, bootstrap=REPLICATES)
        tally.update(verdict.outcome for verdict in judge(result, rules, allow_in_sample=True))
    return tally


def _rows_of_twice(twice: Twice, tally: Tally, runs: int) -> list[tuple[str, ...]]:
    return [
        (f"the same {twice.same}", f"{runs:,}", f"{tally.total():,}", *(f"{tally[outcome]:,}" for outcome in OUTCOMES))
    ]


def _promises_of_twice(twice: Twice, tally: Tally, _: int) -> list[Promise]:
    text = f"a model against itself, the same {twice.same}: no rule on a difference fails"
    return [Promise(text, Share(tally["fail"], tally.total()), most=0.0)]


SIMULATIONS = (
    Simulation(
        key="twice",
        title="The same model twice",
        about=(
            "1 to 79 cases of each class, tied in many runs, with low scores positive in half of them. The rules are "
            "`delta_METRIC >= 0`, `>= -0.01`, `<= 0` and `<= 0.01`, where METRIC is "
            + ", ".join(WHOLE)
            + " and, with the same scores, "
            + ", ".join(AT_A_POINT)
            + f" at {', '.join(POINTS)}. Metrics without a formula have {REPLICATES} replicates. At a threshold, `>= 0` is "
            "inconclusive: equal predictions on these cases do not imply that the models are equal on others."
        ),
        runs=1500,
        settings=(Twice("scores"), Twice("order")),
        simulate=twice_the_same,
        headings=("", "runs", "verdicts", *OUTCOMES),
        rows=_rows_of_twice,
        promises=_promises_of_twice,
    ),
    Simulation(
        key="equal",
        title=f"Two equal models under `{AUC}`",
        about=(
            "The interval is DeLong's (`--interval delong`). Both have the same AUC, and their scores have a correlation of 0.8 within each class. The rule without a "
            f"margin (`{AUC_WITHOUT_MARGIN}`) should fail in 2.5% of runs: its limit is the true difference."
        ),
        runs=4000,
        settings=(
            *(Models(p, q) for p, q in SIZES),
            *(Models(p, q, auc) for p, q in ((500, 500), (50, 950)) for auc in (0.7, 0.95)),
        ),
        simulate=of_areas,
        headings=HEADINGS,
        rows=_rows_of_areas,
        promises=_promises_of_areas,
    ),
    Simulation(
        key="worse",
        title=f"A worse model under `{AUC}`",
        about=(
            "The interval is DeLong's (`--interval delong`). The old model has an AUC of 0.85, the new one less. Where it is worse by 0.01, the limit is the true difference, "
            "and both pass and fail should occur in 2.5% of runs."
        ),
        runs=2000,
        settings=[Models(p, q, worse=worse) for (p, q), worse in product(SIZES, (0.01, 0.02, 0.03, 0.05))],
        simulate=of_areas,
        headings=HEADINGS,
        rows=_rows_of_areas,
        promises=lambda *_: [],
    ),
    Simulation(
        key="rates",
        title=f"The true positive rate under `{TPR}`",
        about="The rate of the old model (AUC 0.85) is 0.586, and that of the new one is lower by the second column.",
        runs=2000,
        settings=[
            Models(p, q, worse_tpr=worse)
            for (p, q), worse in product(
                ((50, 950), (150, 150), (500, 500), (1500, 1500), (5000, 5000)), (0.0, 0.02, 0.05, 0.1)
            )
        ],
        simulate=of_rates,
        headings=("cases", "worse by", *OUTCOMES),
        rows=_rows_of_rates,
        promises=_promises_of_rates,
    ),
)
