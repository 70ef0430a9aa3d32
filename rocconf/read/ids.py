"""The ids of the cases, piece by piece: kept, or only looked at for one that stands twice."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.packed_texts import all_differ
from rocconf.read.cells import quoted
from rocconf.read.columns import joined_cells
from rocconf.read.formats import OtherReadingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from rocconf.packed_texts import Hashes, PackedTexts
    from rocconf.read.columns import Cells
    from rocconf.read.faults import Faults


class Ids:
    """The ids of the rows that are kept, and of those that are left out."""

    def __init__(self, file: str, *, keep: bool) -> None:
        self._file, self._keep = file, keep
        self._columns: list[Cells] = []
        self._hashes: list[Hashes] = []
        self._are_hashed, self._are_rounded = not keep, False
        self.dropped: list[str] = []

    def add(self, cells: Cells) -> None:
        """Add the ids of some rows."""
        self._are_rounded |= cells.are_rounded()
        if not self._is_hashed(cells):
            self._columns.append(cells.alone())

    def add_dropped(self, cells: Cells) -> None:
        """Add the ids of rows that are left out."""
        self.dropped.extend(cells.texts())
        self._is_hashed(cells)

    def _is_hashed(self, cells: Cells) -> bool:
        """Whether the hashes of ids are enough."""
        hashes = cells.hashes() if self._are_hashed else None
        if hashes is None:
            self._are_hashed = False
        else:
            self._hashes.append(hashes)
        return hashes is not None

    @cached_property
    def cells(self) -> Cells:
        """The ids."""
        if self._hashes:
            raise OtherReadingError
        return joined_cells(self._columns)

    @cached_property
    def texts(self) -> list[str]:
        """The ids as text: where they are many, this takes longer than all else."""
        return self.cells.texts()

    def packed(self) -> NDArray[Any] | PackedTexts:
        """Return the ids, packed if they can be."""
        packed = self.cells.packed()
        return np.array(self.texts, dtype=object) if packed is None else packed

    def require_exact(self) -> None:
        """Refuse numbers that are rounded, of which two may have become one."""
        if self._are_rounded:
            raise InputError(self._file, [message("ids-rounded")])

    def note_repeats(self, faults: Faults, places: Sequence[Sequence[int]]) -> None:
        """Note ids that are missing, that stand twice, or that a row has which was left out."""
        if self._are_hashed and all_differ(self._hashes):
            return
        if not self.dropped and self.cells.surely_differ():
            return
        distinct, dropped = set(self.texts), set(self.dropped)
        if len(distinct) == len(self.texts) and "" not in distinct and distinct.isdisjoint(dropped):
            return
        first: dict[str, int] = {}
        for place, cell in zip(chain.from_iterable(places), self.texts, strict=True):
            if not cell:
                faults.add(place, message("no-value", column="the id"))
            elif first.setdefault(cell, place) != place:
                before = f"{faults.unit} {first[cell]}"
                faults.add(place, message("id-twice", id=example(quoted(cell)), first=before), hint="ids-differ")
            elif cell in dropped:
                faults.add(place, message("id-dropped", id=example(quoted(cell))), hint="ids-differ")
