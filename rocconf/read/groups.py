"""Read a column that divides the cases into groups, such as a region, by the text of its cells.

Two cells are of one group if their texts are equal, as in `--where COLUMN=VALUE`; an empty cell is a group too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.bounds import shortened
from rocconf.records import Grouping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.read.columns import Cells

MOST_GROUPS = 500
"""A column with more values names cases, not groups of them."""

SHOWN = 5
"""How many of too many values are named."""


class GroupColumn:
    """The groups of a column, piece by piece."""

    def __init__(self, file: str, column: str) -> None:
        self._file, self._column = file, column
        self._numbers: dict[str, int] = {}
        self._pieces: list[NDArray[np.int64]] = []

    def add(self, cells: Cells) -> None:
        """Add the cells of some cases."""
        numbers = self._numbers
        if len(numbers) > MOST_GROUPS:  # refused at the end
            return
        found = (numbers.setdefault(cell, len(numbers)) for cell in cells.texts())
        self._pieces.append(np.fromiter(found, dtype=np.int64, count=len(cells)))

    def finish(self) -> Grouping:
        """Return the groups in order, or an error if there are too many."""
        if len(self._numbers) > MOST_GROUPS:
            some = ", ".join(map(shortened, [*self._numbers][:SHOWN]))
            fault = message("groups-too-many", column=self._column, most=MOST_GROUPS, some=example(some))
            raise InputError(self._file, [fault])
        numbered = np.concatenate([np.empty(0, dtype=np.int64), *self._pieces])
        ordered = Grouping.of(self._column, self._numbers)
        return Grouping(self._column, ordered.names, ordered.places[numbered])
