"""The cells of a column, whatever holds them.

Labels and filters need only a column's distinct cells and the positions of each; scores need its numbers.
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from rocconf.packed_texts import PackedTexts
from rocconf.read.cells import CellError, are_exact, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.messages import Message
    from rocconf.packed_texts import Hashes
    from rocconf.records import Counts, Flags, Floats

    Codes = NDArray[np.int8]
    Note = Callable[[int, Message], None]

CellKind = Literal["number", "label", "id", "text"]
"""What the cells of a column are read for: as numbers, for their meaning (labels), to be told apart (ids) or for their spelling."""


def spelled(kinds: Mapping[int, CellKind]) -> dict[int, CellKind]:
    """Return kinds in which ids are read for their spelling."""
    return {at: "text" if kind == "id" else kind for at, kind in kinds.items()}


FIRST = 1000
"""How many rows are searched first for the distinct cells: mostly they have them all."""


class Cells(Protocol):
    """The cells of a column."""

    def __len__(self) -> int: ...

    def distinct(self) -> list[str]:
        """Return the distinct cells in the order in which they first occur."""

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""

    def places(self) -> tuple[list[str], Counts]:
        """Return the distinct cells, and the place of every cell among them."""
        at: dict[str, int] = {}
        found = (at.setdefault(cell, len(at)) for cell in self.texts())
        places = np.fromiter(found, dtype=np.int64, count=len(self))
        return [*at], places

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number, NaN for a missing one, and note the row of a cell that is not a number."""

    def texts(self) -> list[str]:
        """Return every cell as text."""

    def packed(self) -> PackedTexts | None:
        """Return every cell as text, packed; None where texts are long, or there already."""
        return None

    def alone(self) -> Cells:
        """Return the cells without anything else that was read with them, to be kept."""
        return self

    def hashes(self) -> Hashes | None:
        """Return the sorted hashes of all cells; equal cells have equal ones. None if a cell is empty, or has no hash."""
        return None

    def are_rounded(self) -> bool:
        """Whether these are floats so large that different whole numbers may have become one."""
        return False

    def surely_differ(self) -> bool:
        """Whether no two cells are equal and none is empty; False where the check is expensive."""
        return False

    def where(self, keep: Flags) -> Cells:
        """Return the cells of some of the rows."""


class TextCells(Cells):
    """Cells as they stand in a text file."""

    def __init__(self, cells: Sequence[str]) -> None:
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    def distinct(self) -> list[str]:
        """Return the distinct cells in the order in which they first occur."""
        return list(dict.fromkeys(self._cells))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        return np.fromiter(map(codes.__getitem__, self._cells), dtype=np.int8, count=len(self._cells))

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number; cells that `float` takes and `parse_number` might not are parsed one by one."""
        together = "".join(self._cells)
        if together.isascii() and "_" not in together:
            try:
                values = np.array(list(map(float, self._cells)), dtype=np.float64)
            except ValueError:
                return parse_numbers(self._cells, note)
            if are_exact(values):
                return values
        return parse_numbers(self._cells, note)

    def texts(self) -> list[str]:
        """Return every cell."""
        return list(self._cells)

    def where(self, keep: Flags) -> TextCells:
        """Return the cells of some of the rows."""
        return TextCells(list(compress(self._cells, keep.tolist())))


class PackedCells(TextCells):
    """Cells of text in one piece."""

    def __init__(self, packed: PackedTexts) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed)

    @cached_property
    def _cells(self) -> list[str]:  # type: ignore[override]  # made when it is needed
        return self._packed.tolist()

    def packed(self) -> PackedTexts:
        """Return the cells."""
        return self._packed

    def surely_differ(self) -> bool:
        """Return whether the cells have different hashes."""
        return self._packed.surely_differ()


def joined_cells(pieces: Sequence[Cells]) -> Cells:
    """Return the cells of several pieces, packed if all are."""
    if len(pieces) == 1:
        return pieces[0]
    packed = [piece.packed() for piece in pieces if isinstance(piece, PackedCells)]
    if packed and len(packed) == len(pieces):
        return PackedCells(PackedTexts.joined(packed))
    return TextCells([cell for piece in pieces for cell in piece.texts()])


def parse_numbers(cells: Sequence[str], note: Note) -> Floats:
    """Return cells as numbers, one by one, and note the rows of those that are not."""
    values = np.zeros(len(cells))
    for row, cell in enumerate(cells):
        try:
            values[row] = parse_number(cell)
        except CellError as error:
            note(row, error.fault)
    return values


def may_be_rounded(floats: NDArray[np.floating[Any]]) -> bool:
    """Return whether a whole number may have been rounded to one of these floats: 2^53 has 53 bits, like a float64."""
    limit = 2.0 ** (np.finfo(floats.dtype).nmant + 1)
    return bool((np.abs(floats[np.isfinite(floats)]) >= limit).any())


def as_text(value: Any) -> str:
    """Return a typed cell as text: dates as ISO 8601 has them, floats in the digits that identify them."""
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float | np.float32 | np.float16):
        return "" if value != value else repr(float(value) + 0.0)  # noqa: PLR0124  # NaN is missing, and -0.0 is 0.0
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
