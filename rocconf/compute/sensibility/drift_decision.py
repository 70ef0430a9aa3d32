r"""Whether a domain has changed: whether two sets of scored cases share one distribution of score and label.

If nothing changed, the cases are exchangeable between the sets. So the pairs of score and label are assigned to the two
sets at random many times, and :math:`p = (1 + \#\{D^* \ge D\})/(B + 1)`, which keeps its level at any size. The same
relabellings test

``D_joint``
    the largest difference, over classes and thresholds, of the shares :math:`\#\{label = c, score < t\}/n`; this is
    the decision
``D_sens``, ``D_cap``
    the largest distance of the two curves of sensibility, and of capability, each with its own midpoint (Holm over
    the two); an undefined curve counts as 0 everywhere
``prevalence``
    the difference of the shares of positives

Prevalence alone changes all of these. Whether the scores within the classes changed is tested by relabelling
within each class:

``within_class_ks``
    the larger of the two classes' Kolmogorov-Smirnov distances times :math:`\sqrt{m_A m_B/(m_A + m_B)}`, m being
    the cases of the class

``auc``
    the difference of the AUCs, by the test for unpaired samples of `rocconf.compute.roc.influence`

The conclusion is a closed testing procedure: nothing is concluded unless D_joint rejects; then prevalence and
within-class scores by their own tests, and a change of the ranking, which is a change within the classes, only if that
is concluded too. Differences are the value of the first set less that of the reference.

The reference must be held out: a model scores the cases it was trained on differently from all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf import wording
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.midpoint import Midpoint, parse_midpoint, split
from rocconf.compute.sensibility.relabel import TwoSets
from rocconf.compute.stats.estimate import Measured
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.permutation import rejection_at, require_permutations, require_relabelling
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.records import ROBUST
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts

STATISTICS = {
    "joint": ("D_joint", "score and label together"),
    "sensibility": ("D_sens", "the sensibility curve"),
    "capability": ("D_cap", "the capability curve"),
    "prevalence": ("prevalence", "the class balance"),
    "within": ("within_class_ks", "the scores within the classes"),
    "auc": ("auc", "the ranking"),
}
"""The names of the statistics, the one that decides first, and what has moved if their tests reject."""

COLUMNS = (
    MODEL,
    Column("statistic", "text"),
    Column("value", "number"),
    Column("p", "p", "the variance of the difference is 0 or undefined"),
    Column("p_adjusted", "p", "Holm's adjustment is for D_sens and D_cap together"),
    Column("meaning", "text"),
)

CURVES = ("sensibility", "capability")
"""The statistics that are adjusted together."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of the difference of two sets; `p` is None where there is no test."""

    name: str
    value: float
    p: float | None
    meaning: str
    p_adjusted: float | None = None

    def below(self, alpha: float) -> bool:
        """Whether the test rejects."""
        return self.p is not None and self.p <= alpha


def statistics_table(name: str, model: str, statistics: Sequence[Statistic]) -> Table:
    """Return statistics as a table."""
    rows = ((model, each.name, each.value, each.p, each.p_adjusted, each.meaning) for each in statistics)
    return Table.of(name, COLUMNS, [record_of(COLUMNS, row) for row in rows])


def few_permutations(model: str, permutations: int, level: float, *, tests: int = 1) -> Iterator[Message]:
    """Yield a warning if no p-value, adjusted for the number of tests, can reject."""
    least = tests / (permutations + 1)
    if least > rejection_at(level):
        yield message("few-permutations", model=model, permutations=permutations, least=least, level=level)


@dataclass(frozen=True, slots=True)
class Drift:
    """Whether and how the domain has changed since the reference."""

    model: str
    joint: Statistic
    sensibility: Statistic
    capability: Statistic
    prevalence: Statistic
    within: Statistic
    auc: Statistic
    level: float
    permutations: int
    redrawn: int
    """How many relabellings left a set without a class."""
    same_scores: bool

    @property
    def alpha(self) -> float:
        """The p-value at which a test rejects."""
        return rejection_at(self.level)

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """All statistics, the one that decides first."""
        return tuple(getattr(self, key) for key in STATISTICS)

    @property
    def findings(self) -> tuple[str, ...]:
        """The changes concluded."""
        if not self.joint.below(self.alpha):
            return ()
        within = self.within.below(self.alpha)
        changes = {
            "prevalence changed": self.prevalence.below(self.alpha),
            "scores within the classes changed": within,
            "ranking changed": within and self.auc.below(self.alpha),
        }
        return tuple(change for change in changes if changes[change]) or ("changed, but no single test says how",)

    @property
    def conclusion(self) -> str:
        """The conclusion in words."""
        none = "no evidence of change"
        by_parts = f"{none} by D_joint, though single tests find one"
        return ", ".join(self.findings) or (by_parts if self.parts_that_differ else none)

    @property
    def in_words(self) -> Message:
        """The conclusion in a sentence."""
        found = {"model": self.model, "p": wording.p_value(self.joint.p)}
        if self.findings:
            return message("answer-drift", **found, conclusion=self.conclusion)
        parts = ", ".join(f"{name} ({wording.p_value(part.p)})" for name, part in self.parts_that_differ.items())
        return message("answer-drift-in-part", **found, parts=parts) if parts else message("answer-no-drift", **found)

    @property
    def parts_that_differ(self) -> dict[str, Statistic]:
        """The single tests that reject, adjusted for their number (Bonferroni)."""
        parts = {"AUC": self.auc, "scores within the classes": self.within, "prevalence": self.prevalence}
        return {name: part for name, part in parts.items() if part.below(self.alpha / len(parts))}

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [message("same-scores", model=self.model)] if self.same_scores else []
        if self.redrawn:
            found.append(message("redrawn", model=self.model, redrawn=self.redrawn))
        found += few_permutations(self.model, self.permutations, self.level)
        if not self.findings and self.parts_that_differ:
            parts = {"prevalence": self.prevalence.p, "within the classes": self.within.p, "AUC": self.auc.p}
            p = ", ".join(f"{name} {p:.3g}" for name, p in parts.items() if p is not None)
            found.append(message("part-alone", model=self.model, p=p))
        return tuple(found)

    def table(self) -> Table:
        """Return the statistics as a table."""
        return statistics_table("drift", self.model, self.statistics)


def drift(
    counts: ScoreCounts,
    reference: ScoreCounts,
    *,
    midpoint: str | float | Midpoint = "half",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Drift:
    """Return a test of whether the domain has changed since the reference.

    Parameters
    ----------
    counts, reference
        The counts of one model on new cases, and on earlier held-out cases.
    midpoint
        The method of the midpoints (see `rocconf.compute.sensibility.midpoint`).
    level
        A test rejects at p <= 1 - level.
    interval
        How the difference of the AUCs is tested: `robust` or `delong` (see `rocconf.compute.roc.influence`).
    permutations, seed
        The number of relabellings, and their seed.
    progress
        Called with the number of relabellings finished since the last call.

    Examples
    --------
    >>> import rocconf
    >>> reference = rocconf.count(rocconf.read_predictions("sample_data/flu.csv"))
    >>> now = rocconf.count(rocconf.read_predictions("sample_data/flu_population.csv"))
    >>> rocconf.drift(now, reference, permutations=199).joint.p
    0.005
    """
    for each in (counts, reference):
        require_counts(each)
        require_independent(each, "clusters-sensibility")
    if counts.lower_is_positive != reference.lower_is_positive:
        raise UsageError("reference-direction")
    require_permutations(permutations)
    require_relabelling(counts.n + reference.n)
    if counts.wide is not None or reference.wide is not None:  # scores compare with bins only in the same bins
        counts, reference = counts.within(reference.ends), reference.within(counts.ends)
    sets, method = (counts, reference), parse_midpoint(midpoint)
    new, old = (auc(each, level=level, interval=interval) for each in sets)
    ranking = Measured(AUC.unpaired(new.estimate, old.estimate), level)
    prevalence = [each.p / each.n for each in sets]
    at, at_old = (split(each, method) for each in sets)
    pool = TwoSets.of(*sets, method)
    divided = pool.observed()
    of_positives, of_negatives = (float(each.ks()[0]) for each in divided)
    value = {key: float(each[0]) for key, each in pool.distances(divided, divided).items()}
    value |= {"prevalence": prevalence[0] - prevalence[1], "auc": ranking.value}
    p, redrawn = pool.in_cells().p_values(permutations, generator(seed), progress)
    details = {
        "joint": f"of all cases, up to {value['joint']:.3f} lie elsewhere",
        "sensibility": f"up to {value['sensibility']:.3f} apart; "
        f"midpoint {at.midpoint:.3f} here, {at_old.midpoint:.3f} in the reference",
        "capability": f"up to {value['capability']:.3f} apart; "
        f"struggle ratio {at.struggle_ratio:.3f} here, {at_old.struggle_ratio:.3f} in the reference",
        "prevalence": f"{prevalence[0]:.3f} positive here, {prevalence[1]:.3f} in the reference",
        "within": f"up to {of_positives:.3f} of the positives and {of_negatives:.3f} of the negatives lie elsewhere",
        "auc": f"AUC {new.value:.3f} here, {old.value:.3f} in the reference",
    }
    tests = {**p, "auc": ranking.p}
    adjusted = dict(zip(CURVES, holm([p[key] for key in CURVES]), strict=True))
    alpha = rejection_at(level)

    def statistic(key: str) -> Statistic:
        name, what = STATISTICS[key]
        meaning = f"{_moved(what, adjusted.get(key, tests[key]), alpha)}: {details[key]}"
        return Statistic(name, value[key], tests[key], meaning, adjusted.get(key))

    return Drift(
        model=counts.model,
        **{key: statistic(key) for key in STATISTICS},
        level=level,
        permutations=permutations,
        redrawn=redrawn,
        same_scores=np.array_equal(counts.thresholds, reference.thresholds)
        and np.array_equal(counts.tp + counts.fp, reference.tp + reference.fp),
    )


def _moved(what: str, p: float | None, alpha: float) -> str:
    """Return whether something moved, in words."""
    if p is None:
        return f"no test of {what}"
    return f"{what} moved" if p <= alpha else f"no evidence that {what} moved"
