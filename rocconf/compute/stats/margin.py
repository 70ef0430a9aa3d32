"""Margins: how much worse a model may be than its baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.records import Interval


@dataclass(frozen=True, slots=True)
class Margin:
    """How much worse is still good enough."""

    size: float

    def __post_init__(self) -> None:
        if not 0 < self.size < 1:
            raise UsageError("margin-range", margin=self.size)

    def non_inferior(self, of: Interval, *, lower_is_better: bool = False) -> bool:
        """Whether the whole interval is on the good side of the margin."""
        return of.upper < self.size if lower_is_better else of.lower > -self.size

    def equivalent(self, of: Interval) -> bool:
        """Whether the whole interval is within the margin on both sides."""
        return -self.size < of.lower and of.upper < self.size
