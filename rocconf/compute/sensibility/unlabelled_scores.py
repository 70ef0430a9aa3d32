r"""The scores of cases whose labels are not known yet, against those of a reference.

Two statistics, each with a permutation p-value, adjusted for their number by Holm:

``ks``
    the two-sample Kolmogorov-Smirnov statistic, the largest difference of the shares of scores up to a value
``psi``
    the population stability index :math:`\sum_j (a_j - b_j) \ln(a_j/b_j)` over ten cells, where :math:`a_j` and
    :math:`b_j` are the shares of the new cases and of the reference, computed with half a case added to each cell:
    :math:`(m_j + 1/2)/(m + K/2)` for K cells

The cells end at the deciles of the reference: the k-th is its smallest score up to which at least k tenths of its cases
lie. A score equal to a decile belongs to the cell that ends there, equal deciles are one, and the last cell has whatever
is above the last decile.

If nothing changed, the cases are exchangeable between the sets: they are assigned to them at random, the deciles are
found anew in each such reference, and :math:`p = (1 + \#\{D^* \ge D\})/(B + 1)`. PSI has no fixed limit that means the
same at every size: without a change it is about :math:`(K - 1)(1/m + 1/n)` on average.

Only the scores are compared. A change that leaves their distribution as it was, like one of the classes' ranking, does
not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import Result
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.sensibility.drift_decision import Statistic, few_permutations, statistics_table
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.permutation import (
    Pool,
    draw,
    p_values,
    permuted,
    rejection_at,
    require_permutations,
    require_relabelling,
)
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.naming import UNLABELLED
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocconf.messages import Message
    from rocconf.records import Counts, Floats, Scores, Source

CELLS = 10
"""The number of cells of PSI where no scores are tied."""

TENTHS = np.arange(1, CELLS)


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of the new cases and of the reference, up to each score or in each cell, with the scores where they end."""

    ends: Floats
    new: Floats
    reference: Floats

    @property
    def farthest(self) -> int:
        """The first place at which they differ most."""
        return int(np.abs(self.new - self.reference).argmax())

    @property
    def ks(self) -> float:
        """The Kolmogorov-Smirnov statistic of the shares up to each score."""
        return float(np.abs(self.new - self.reference).max())

    @property
    def psi(self) -> float:
        """The population stability index of the shares in each cell."""
        return float(((self.new - self.reference) * np.log(self.new / self.reference)).sum())


def shares(scores: Floats, new: Counts, both: Counts) -> tuple[Shares, Shares]:
    """Return the shares of two sets up to each score, and in the cells of PSI, with half a case added to each.

    `scores` are the distinct scores of both sets, ascending; the last cell has no end.
    """
    new = np.cumsum(new)
    sets = new, np.cumsum(both) - new
    reference = sets[1]
    deciles = np.unique(np.searchsorted(CELLS * reference, TENTHS * reference[-1]))
    in_cells = (
        (np.diff(up_to[deciles], prepend=0, append=up_to[-1]) + 0.5) / (up_to[-1] + (len(deciles) + 1) / 2)
        for up_to in sets
    )
    return Shares(scores, *(up_to / up_to[-1] for up_to in sets)), Shares(scores[deciles], *in_cells)


@dataclass(frozen=True, slots=True, repr=False)
class Unlabelled(Result):
    """Whether the scores of one model have moved since a reference."""

    command: ClassVar[str] = UNLABELLED
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models")
    rows_title: ClassVar[str] = "scores"
    rows_are_thresholds: ClassVar[bool] = False
    has_points: ClassVar[bool] = False
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "statistics": ("model", "statistic", "value", "p", "p_adjusted", "meaning")
    }

    scores: Scores
    reference: Scores
    cumulated: Shares
    """The shares whose largest distance is the Kolmogorov-Smirnov statistic."""
    cells: Shares
    """The shares that PSI compares."""
    ks: Statistic
    psi: Statistic
    level: float
    permutations: int
    seed: int

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""
        return {"level": self.level, "permutations": self.permutations, "seed": self.seed, "reference": True}

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases and of the reference."""
        return self.scores.sources + self.reference.sources

    @property
    def statistics(self) -> tuple[Statistic, Statistic]:
        """Both statistics."""
        return self.ks, self.psi

    @property
    def have_moved(self) -> bool:
        """Whether one of the tests rejects, adjusted for their number."""
        alpha = rejection_at(self.level)
        return any(each.p_adjusted is not None and each.p_adjusted <= alpha for each in self.statistics)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in a sentence, with what it cannot see."""
        code = "answer-scores-moved" if self.have_moved else "answer-scores-not-moved"
        found = {"ks": wording.rate(self.ks.value), "ks_p": wording.p_value(self.ks.p)}
        found |= {"psi": f"{self.psi.value:.3f}", "psi_p": wording.p_value(self.psi.p)}
        return (message(code, model=self.scores.model, **found),)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        model, found = self.scores.model, [caveat for source in self.sources for caveat in source.caveats]
        if self.scores.same(self.reference):
            found.append(message("same-scores", model=model))
        found += few_permutations(model, self.permutations, self.level, tests=2)
        if len(self.cells.new) < CELLS:
            found.append(message("fewer-cells", model=model, cells=len(self.cells.new)))
        return tuple(found)

    def table(self, name: str = "rows") -> Table:
        """Return the statistics, or the summary (`models`)."""
        if name != "models":
            return statistics_table("rows", self.scores.model, self.statistics)
        record = {column.name: value(self) for column, value in MODELS.items()}
        return Table.of(name, list(MODELS), [record])


MODELS: dict[Column, Callable[[Unlabelled], Any]] = {
    MODEL: lambda result: result.scores.model,
    Column("n", "count"): lambda result: result.scores.n,
    Column("n_reference", "count"): lambda result: result.reference.n,
    Column("ks", "share"): lambda result: result.ks.value,
    Column("ks_p", "p"): lambda result: result.ks.p,
    Column("psi", "number"): lambda result: result.psi.value,
    Column("psi_p", "p"): lambda result: result.psi.p,
    Column("psi_cells", "count"): lambda result: len(result.cells.new),
    Column("level", "share"): lambda result: result.level,
}
"""The columns of the summary and their values."""


def unlabelled(
    scores: Scores,
    reference: Scores,
    *,
    level: float = 0.95,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Unlabelled:
    """Return a test of whether scores have moved since a reference; labels are not needed, and do not count.

    Parameters
    ----------
    scores, reference
        The scores of one model on new cases, and on earlier held-out cases.
    level
        A test rejects at p <= 1 - level, adjusted for the two tests.
    permutations, seed
        The number of relabellings, and their seed.
    progress
        Called with the number of relabellings finished since the last call.

    Examples
    --------
    >>> import rocconf
    >>> reference = rocconf.read_scores("sample_data/flu.csv")
    >>> now = rocconf.read_scores("sample_data/flu_population.csv")
    >>> rocconf.unlabelled(now, reference, permutations=199).summary()["ks_p"] < 0.05
    True
    """
    require_level(level)
    require_permutations(permutations)
    require_relabelling(scores.n + reference.n)
    values, rng = np.union1d(scores.values, reference.values), generator(seed)
    new, both = np.zeros((2, len(values)), dtype=np.int64)
    new[np.searchsorted(values, scores.values)] = scores.cases
    both[np.searchsorted(values, reference.values)] = reference.cases
    both += new
    cumulated, cells = shares(values, new, both)
    pool = Pool.of(both, new).in_cells()

    def statistics(samples: Counts) -> Floats:
        drawn = (shares(values[pool.places], each, pool.cases) for each in samples)
        return np.array([[up_to.ks, in_cells.psi] for up_to, in_cells in drawn])

    sizes = np.full(permutations, scores.n)
    drawn = permuted(lambda sizes: statistics(draw(pool.cases, sizes, rng)), sizes, progress)
    p = p_values(statistics(pool.sample[None])[0], drawn).tolist()

    def statistic(name: str, value: float, p: float, adjusted: float) -> Statistic:
        meaning = "the scores moved" if adjusted <= rejection_at(level) else "no evidence of change"
        return Statistic(name, value, p, meaning, adjusted)

    ks, psi = map(statistic, ("ks", "psi"), (cumulated.ks, cells.psi), p, holm(p))
    return Unlabelled(scores, reference, cumulated, cells, ks, psi, level, permutations, seed)
