"""Engines that count where the cases are: the SQL of the counts, and the dialects that it is written in."""

from rocconf.engines.dialects import DIALECTS, Dialect, dialect_of
from rocconf.engines.edges import FINEST, RESOLUTION
from rocconf.engines.numbers import numbers, pairs
from rocconf.engines.sql import Table, bins, counts, facts, other_labels, relation

__all__ = [
    "DIALECTS",
    "FINEST",
    "RESOLUTION",
    "Dialect",
    "Table",
    "bins",
    "counts",
    "dialect_of",
    "facts",
    "numbers",
    "other_labels",
    "pairs",
    "relation",
]
