r"""The scores of cases whose labels are not known yet, against those of a reference.

Two statistics, each with a permutation p-value, adjusted for their number by Holm:

``ks``
    the two-sample Kolmogorov-Smirnov statistic, the largest difference of the shares of scores up to a value
``psi``
    the population stability index :math:`\sum_j (a_j - b_j) \ln(a_j/b_j)` over ten cells, where :math:`a_j` and
    :math:`b_j` are the shares of the new cases and of the reference, computed with half a case added to each cell:
    :math:`(m_j + 1/2)/(m + K/2)` for K cells

The cells end at the deciles of the reference: the k-th is its smallest score up to which at least k tenths of its cases
lie. A score equal to a decile belongs to the cell that ends there. Equal deciles are one, so where scores are tied there
may be fewer than ten cells; the last cell has whatever is above the last decile.

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
from rocconf.compute.sensibility.drift_statistics import Statistic, rejection_at, statistics_table
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.permutation import (
    cell_starts,
    draw,
    p_values,
    permuted,
    require_permutations,
    require_relabelling,
)
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.naming import UNLABELLED
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from rocconf.messages import Message
    from rocconf.records import Counts, Floats, Scores, Source

    Indices = NDArray[np.intp]

CELLS = 10
"""The number of cells of PSI where no scores are tied."""

TENTHS = np.arange(1, CELLS)

MODELS = (
    MODEL,
    Column("n", "count"),
    Column("n_reference", "count"),
    Column("ks", "share"),
    Column("ks_p", "p"),
    Column("psi", "number"),
    Column("psi_p", "p"),
    Column("psi_cells", "count"),
    Column("level", "share"),
)


@dataclass(frozen=True, slots=True)
class Cumulated:
    """The shares of both sets up to each of their scores."""

    scores: Floats
    new: Floats
    reference: Floats

    @classmethod
    def of(cls, scores: Floats, new: Counts, all_cases: Counts) -> Cumulated:
        """Return the shares from the new cases and all cases at each score in order."""
        ours, together = np.cumsum(new), np.cumsum(all_cases)
        others = together - ours
        return cls(scores, ours / ours[-1], others / others[-1])

    @property
    def farthest(self) -> int:
        """The first score at which they are as far apart as the Kolmogorov-Smirnov statistic."""
        return int(np.abs(self.new - self.reference).argmax())

    @property
    def ks(self) -> float:
        """The Kolmogorov-Smirnov statistic."""
        return float(np.abs(self.new - self.reference).max())


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of PSI: the scores at which all but the last end, and the shares of both sets in each."""

    ends: Floats
    new: Floats
    reference: Floats

    @classmethod
    def of(cls, scores: Floats, new: Counts, all_cases: Counts) -> Cells:
        """Return the cells from the new cases and all cases at each score in order, with half a case added to each cell."""
        ours = np.cumsum(new)
        others = np.cumsum(all_cases) - ours
        deciles = np.searchsorted(CELLS * others, TENTHS * others[-1])
        deciles = deciles[np.append(deciles[1:] != deciles[:-1], True)]
        shares = (
            (np.diff(upto[deciles], prepend=0, append=upto[-1]) + 0.5) / (upto[-1] + (len(deciles) + 1) / 2)
            for upto in (ours, others)
        )
        return cls(scores[deciles], *shares)

    @property
    def psi(self) -> float:
        """The population stability index."""
        return float(((self.new - self.reference) * np.log(self.new / self.reference)).sum())


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
    ks: Statistic
    psi: Statistic
    psi_cells: int
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
    def cumulated(self) -> Cumulated:
        """The shares whose largest distance is the Kolmogorov-Smirnov statistic."""
        return Cumulated.of(*_pooled(self.scores, self.reference))

    @property
    def cells(self) -> Cells:
        """The cells that PSI compares."""
        return Cells.of(*_pooled(self.scores, self.reference))

    @property
    def have_moved(self) -> bool:
        """Whether one of the tests rejects, adjusted for their number."""
        alpha = rejection_at(self.level)
        return any(each.p_adjusted is not None and each.p_adjusted <= alpha for each in self.statistics)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in a sentence, with what it cannot see."""
        found = {
            "model": self.scores.model,
            "ks": wording.rate(self.ks.value),
            "ks_p": wording.p_value(self.ks.p),
            "psi": f"{self.psi.value:.3f}",
            "psi_p": wording.p_value(self.psi.p),
        }
        return (message("answer-scores-moved" if self.have_moved else "answer-scores-not-moved", **found),)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        return tuple(self._caveats())

    def _caveats(self) -> Iterator[Message]:
        model = self.scores.model
        for source in self.sources:
            yield from source.caveats
        if self.scores.same(self.reference):
            yield message("same-scores", model=model)
        least = 2 / (self.permutations + 1)
        if least > rejection_at(self.level):
            yield message(
                "few-permutations", model=model, permutations=self.permutations, least=least, level=self.level
            )
        if self.psi_cells < CELLS:
            yield message("fewer-cells", model=model, cells=self.psi_cells)

    def table(self, name: str = "rows") -> Table:
        """Return the statistics, or the summary (`models`)."""
        if name == "models":
            return Table.of(name, MODELS, [self._summary()])
        return statistics_table("rows", self.scores.model, self.statistics)

    def on_screen(self, name: str) -> Table:
        """Return the statistics."""
        return self.table("rows" if name == "statistics" else name)

    def _summary(self) -> dict[str, Any]:
        return {
            "model": self.scores.model,
            "n": self.scores.n,
            "n_reference": self.reference.n,
            "ks": self.ks.value,
            "ks_p": self.ks.p,
            "psi": self.psi.value,
            "psi_p": self.psi.p,
            "psi_cells": self.psi_cells,
            "level": self.level,
        }


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
    pooled = _pooled(scores, reference)
    cumulated, cells = Cumulated.of(*pooled), Cells.of(*pooled)
    p_ks, p_psi = _p_values(pooled, permutations, generator(seed), progress)
    adjusted_ks, adjusted_psi = holm([p_ks, p_psi])
    alpha = rejection_at(level)
    return Unlabelled(
        scores=scores,
        reference=reference,
        ks=Statistic("ks", cumulated.ks, p_ks, _meaning(adjusted_ks, alpha), adjusted_ks),
        psi=Statistic("psi", cells.psi, p_psi, _meaning(adjusted_psi, alpha), adjusted_psi),
        psi_cells=len(cells.new),
        level=level,
        permutations=permutations,
        seed=seed,
    )


def _p_values(
    pooled: tuple[Floats, Counts, Counts],
    permutations: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None,
) -> list[float]:
    """Return the p-values of both statistics."""
    starts = cell_starts(pooled[2])
    scores, (new, cells) = pooled[0][starts], (np.add.reduceat(cases, starts) for cases in pooled[1:])

    def statistics(drawn: Counts) -> Floats:
        sets = [(scores, each, cells) for each in drawn]
        return np.array([[Cumulated.of(*each).ks, Cells.of(*each).psi] for each in sets])

    sizes = np.full(permutations, new.sum())
    drawn = permuted(lambda sizes: statistics(draw(cells, sizes, rng)), sizes, progress)
    found: list[float] = p_values(statistics(new[None])[0], drawn).tolist()
    return found


def _pooled(scores: Scores, reference: Scores) -> tuple[Floats, Counts, Counts]:
    """Return all distinct scores in order, how many new cases have each, and how many cases have it."""
    values = np.union1d(scores.values, reference.values)
    new = np.zeros(len(values), dtype=np.int64)
    new[np.searchsorted(values, scores.values)] = scores.cases
    all_cases = new.copy()
    all_cases[np.searchsorted(values, reference.values)] += reference.cases
    return values, new, all_cases


def _meaning(p_adjusted: float, alpha: float) -> str:
    return "the scores moved" if p_adjusted <= alpha else "no evidence of change"
