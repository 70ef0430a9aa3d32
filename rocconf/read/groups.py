"""Read a column that divides the cases into groups, such as a region, by the text of its cells.

Two cells are of one group if their texts are equal, as in `--where COLUMN=VALUE`; an empty cell is a group too.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError, TooFewCasesError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.pattern import pattern
from rocconf.read.bounds import shortened
from rocconf.read.cells import MISSING, quoted
from rocconf.records import Grouping

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocconf.messages import Message
    from rocconf.read.columns import Cells
    from rocconf.records import Counts, Flags

MOST_GROUPS = 500
"""A column with more values names cases, not groups of them."""

MOST_COMBINED = 10_000
"""The most groups that several columns make together."""

SHOWN = 5
"""How many of too many values are named."""


NUMBER = pattern(r"\d+(\.\d*)?")

CLUSTERS = pattern(r"patient|subject|user|group|.+_id", re.IGNORECASE)
"""What columns are often called of which several cases have the same value because they belong together."""


def spelled_alike(name: str) -> str:
    """Return what names share that differ in blanks, capitals or the form of a number only, like 1, 1.0 and 01."""
    text = " ".join(name.split()).casefold()
    if NUMBER.fullmatch(text):
        whole, _, rest = text.partition(".")
        text = f"{whole.lstrip('0') or '0'}.{rest.rstrip('0')}"
    return text


class GroupColumn:
    """The groups of a column, piece by piece."""

    def __init__(self, file: str, column: str, *, most: int | None = MOST_GROUPS) -> None:
        self._file, self._column, self._most = file, column, most
        self._numbers: dict[str, int] = {}
        self._pieces: list[NDArray[np.int64]] = []

    def add(self, cells: Cells) -> None:
        """Add the cells of some cases."""
        numbers = self._numbers
        if self._are_too_many:  # refused at the end
            return
        found = (numbers.setdefault(cell, len(numbers)) for cell in cells.texts())
        self._pieces.append(np.fromiter(found, dtype=np.int64, count=len(cells)))

    @property
    def _are_too_many(self) -> bool:
        return self._most is not None and len(self._numbers) > self._most

    def add_dropped(self, cells: Cells) -> None:
        """Keep the values of cases that are left out, so that a group without any other case is not lost unseen."""
        if not self._are_too_many:
            for cell in cells.distinct():
                self._numbers.setdefault(cell, len(self._numbers))

    def finish(self) -> Grouping:
        """Return the groups in order, or an error if there are too many."""
        if self._are_too_many:
            raise InputError(self._file, [too_many(self._column, self._numbers)])
        numbered = np.concatenate([np.empty(0, dtype=np.int64), *self._pieces])
        ordered = Grouping.of(self._column, self._numbers)
        return Grouping(self._column, ordered.names, ordered.places[numbered])


class Division:
    """The groups that one column or several divide rows into, piece by piece; no row is kept."""

    def __init__(self, file: str, columns: Sequence[str]) -> None:
        self._file, self._columns = file, columns
        self._values: tuple[dict[str, None], ...] = tuple({} for _ in columns)
        self._numbers: dict[tuple[str, ...], int] = {}

    def add(self, columns: Sequence[Cells], rows: int) -> Counts:
        """Return the place of the group of each of some rows among `names`."""
        if not self._columns:
            self._numbers[()] = 0
            return np.broadcast_to(np.int64(0), rows)  # which takes no memory
        names: list[tuple[str, ...]] = [()]
        places = np.zeros(rows, dtype=np.int64)
        if not rows:
            return places
        for column, known, cells in zip(self._columns, self._values, columns, strict=True):
            texts, own = cells.places()
            known.update(dict.fromkeys(texts))
            if len(known) > MOST_GROUPS:
                raise InputError(self._file, [too_many(column, known)])
            places = places * len(texts) + own
            used = np.flatnonzero(np.bincount(places, minlength=len(names) * len(texts)))
            place_of = np.zeros(len(names) * len(texts), dtype=np.int64)
            place_of[used] = np.arange(len(used))
            places = place_of[places]
            names = [(*names[at // len(texts)], texts[at % len(texts)]) for at in used.tolist()]
        numbers = np.array([self._numbers.setdefault(name, len(self._numbers)) for name in names], dtype=np.int64)
        if len(self._numbers) > MOST_COMBINED:
            fault = message("groups-combined", columns=" and ".join(self._columns), most=MOST_COMBINED)
            raise InputError(self._file, [fault])
        return numbers[places]

    @property
    def names(self) -> list[tuple[str, ...]]:
        """The values of each group that was found."""
        return [*self._numbers]


def rows_of_groups(places: Counts, n: int) -> list[Counts]:
    """Return the rows of each of n groups, given the place of the group of each row."""
    ends = np.cumsum(np.bincount(places, minlength=n))
    return np.split(np.argsort(places, kind="stable"), ends[:-1])


def too_many(column: str, values: Iterable[str]) -> Message:
    """Return the fault of a column with more values than groups can have."""
    some = ", ".join(map(shortened, islice(values, SHOWN)))
    return message("groups-too-many", column=column, most=MOST_GROUPS, some=example(some))


def caveats_of(clusters: Grouping, file: str) -> Iterator[Message]:
    """Yield warnings of clusters that are probably the same, and of clusters of one case each."""
    column = clusters.column
    alike: dict[str, list[str]] = {}
    for name in clusters.names:
        alike.setdefault(spelled_alike(name), []).append(name)
    twins = [names for names in alike.values() if len(names) > 1]
    if twins:
        some = example(", ".join(shortened(quoted(name)) for name in twins[0][:SHOWN]))
        yield message("clusters-alike", file=file, column=column, several=len(twins), some=some)
    if len(clusters.names) == len(clusters.places):
        yield message("clusters-of-one", file=file, column=column)


class ClusterColumn(GroupColumn):
    """The clusters of a column, of which any number is possible, but a case without one is not."""

    def __init__(self, file: str, column: str) -> None:
        super().__init__(file, column, most=None)

    def missing(self, cells: Cells) -> Flags:
        """Return which cells are empty; numbers that are rounded are refused, as two clusters may have become one."""
        if cells.are_rounded():
            raise InputError(self._file, [message("clusters-rounded", column=self._column)])
        absent = {cell for cell in cells.distinct() if cell.strip().lower() in MISSING}
        return cells.coded({cell: int(cell in absent) for cell in cells.distinct()}).astype(np.bool_)

    def finish(self) -> Grouping:
        """Return the clusters, of which there must be two."""
        found = super().finish()
        if len(found.names) == 1:
            (name,) = found.names
            raise TooFewCasesError(
                self._file, [message("one-cluster", column=self._column, cluster=example(quoted(name)), n=len(found))]
            )
        return found
