"""Statistics of the difference of two sets, each with its p-value and an interpretation in one sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocconf.compute.roc.summary import MODEL
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.messages import Message

COLUMNS = (
    MODEL,
    Column("statistic", "text"),
    Column("value", "number"),
    Column("p", "p", "the variance of the difference is 0 or undefined"),
    Column("p_adjusted", "p", "Holm's adjustment is for D_sens and D_cap together"),
    Column("meaning", "text"),
)


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
    keys = [column.name for column in COLUMNS[2:]]
    records = [
        {"model": model, "statistic": each.name, **{key: getattr(each, key) for key in keys}} for each in statistics
    ]
    return Table.of(name, COLUMNS, records)


def few_permutations(model: str, permutations: int, level: float, *, tests: int = 1) -> Iterator[Message]:
    """Yield a warning if no p-value, adjusted for the number of tests, can reject."""
    least = tests / (permutations + 1)
    if least > rejection_at(level):
        yield message("few-permutations", model=model, permutations=permutations, least=least, level=level)


def rejection_at(level: float) -> float:
    """Return the largest p-value at which a test rejects; 1 - 0.9 is a little less than 0.1 in floats."""
    return float(1 - Fraction(repr(float(level))))
