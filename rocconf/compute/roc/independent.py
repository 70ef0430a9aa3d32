"""Refuses clustered cases wherever a variance or a test takes every case as independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rocconf.errors import UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from rocconf.records import ClusteredCases, Grouping


class OfCases(Protocol):
    """Counts, a curve or predictions."""

    @property
    def clusters(self) -> Grouping | ClusteredCases | None:
        """The clusters; None of independent cases."""


def require_independent(cases: OfCases, what: str) -> None:
    """Reject clustered cases; `what` is the code of the words for what takes them as independent."""
    if cases.clusters is not None:
        raise UsageError("clusters-cannot", what=message(what))
