"""Engines that count where the cases are: the SQL of the counts, and the dialects that it is written in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocconf.engines.dialects import DIALECTS, Dialect, dialect_of
from rocconf.engines.edges import FINEST, RESOLUTION
from rocconf.engines.numbers import numbers, pairs
from rocconf.engines.sql import Table, bins, counts, facts, other_labels, relation

if TYPE_CHECKING:
    from rocconf.engines.connect import Connection
    from rocconf.engines.spark import MOST_FETCHED, MOST_SCORES, SparkCount, origins_of

__all__ = [
    "DIALECTS",
    "FINEST",
    "MOST_FETCHED",
    "MOST_SCORES",
    "RESOLUTION",
    "Connection",
    "Dialect",
    "SparkCount",
    "Table",
    "bins",
    "counts",
    "dialect_of",
    "facts",
    "numbers",
    "origins_of",
    "other_labels",
    "pairs",
    "relation",
]

LOADED_LATER = {
    "Connection": "connect",
    **dict.fromkeys(("MOST_FETCHED", "MOST_SCORES", "SparkCount", "origins_of"), "spark"),
}
"""The modules of the names that are loaded on first use: a text of SQL needs no connection."""


def __getattr__(name: str) -> Any:
    """Load on first use what connects to a server."""
    if name in LOADED_LATER:
        return getattr(import_module(f"rocconf.engines.{LOADED_LATER[name]}"), name)
    raise AttributeError(f"module 'rocconf.engines' has no attribute {name!r}")
