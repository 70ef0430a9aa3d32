"""Refuses clustered cases wherever a variance or a test takes every case as independent."""

from __future__ import annotations

from typing import Any

from rocconf.errors import UsageError
from rocconf.messages import message


def require_independent(cases: Any, what: str) -> None:
    """Reject clustered cases; `what` is the code of the words for what takes them as independent."""
    if cases.clusters is not None:
        raise UsageError("clusters-cannot", what=message(what))
