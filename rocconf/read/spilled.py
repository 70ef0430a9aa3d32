"""Cases that wait on disk: more than memory holds, read again in the order of a score, the highest first.

A pile of cases is divided by ranges of the score, which are as many as make a range fit into memory; a range that is
still too large is divided again. Ranges begin at scores of a sample of the pile, so that also skewed and tied scores
divide well, and a score that many cases share is a range of its own, which need not fit. The files have no names: the
system removes them however the run ends.
"""

from __future__ import annotations

import shutil
import tempfile
from copy import copy
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocconf.records import Flags, Floats

    Column = NDArray[np.float64] | NDArray[np.int64]

MOST_HELD = 1 << 21
"""The cases that are held in memory at once."""

MOST_RANGES = 256
"""The ranges into which a pile is divided at once."""

BLOCK = 1 << 13
"""The cases of a range that are written at once."""

MOST_SAMPLED = 1 << 14
"""The scores in the sample of a pile, at most."""

LABEL = np.dtype(np.bool_)


class SpillError(RocconfError):
    """The disk has no room for the cases."""


class Rows(NamedTuple):
    """Some cases: their labels and, for each model, their scores or what was computed of them."""

    labels: Flags
    columns: tuple[Column, ...]

    def where(self, chosen: NDArray[np.intp] | slice) -> Rows:
        """Return some of the cases."""
        return Rows(self.labels[chosen], tuple(column[chosen] for column in self.columns))

    def with_column(self, at: int, column: Column) -> Rows:
        """Return the cases with another column in this place."""
        return Rows(self.labels, (*self.columns[:at], column, *self.columns[at + 1 :]))

    @property
    def n(self) -> int:
        """The number of cases; the length is that of the record."""
        return len(self.labels)


class _File:
    """A file without a name, which is made when the first cases are written."""

    def __init__(self) -> None:
        self._stream: IO[bytes] | None = None
        self._size = 0

    def write(self, rows: Rows) -> int:
        """Write cases, and return where they are."""
        start = self._size
        try:
            if self._stream is None:
                self._stream = tempfile.TemporaryFile(prefix="rocconf-", buffering=0)  # noqa: SIM115  # closed below
            self._stream.seek(start)
            for column in (rows.labels, *rows.columns):
                _write_all(self._stream, np.ascontiguousarray(column).view(np.uint8).data)
        except OSError as error:
            raise SpillError("spill-failed", folder=_folder(), reason=error.strerror or str(error)) from None
        self._size = start + sum(column.nbytes for column in (rows.labels, *rows.columns))
        return start

    def __del__(self) -> None:
        """Close the file, which removes it, once no pile needs it."""
        if self._stream is not None:
            self._stream.close()

    def read(self, start: int, length: int, kinds: Sequence[np.dtype[np.generic]]) -> Rows:
        """Return the cases at a place."""
        if self._stream is None:
            raise ValueError("nothing was written")
        labels, *columns = (np.empty(length, dtype=kind) for kind in (LABEL, *kinds))
        self._stream.seek(start)
        for column in (labels, *columns):
            room = memoryview(column.view(np.uint8).data)
            while room:
                got = self._stream.readinto(room)  # type: ignore[attr-defined]  # it is not buffered
                if not got:
                    raise SpillError("spill-failed", folder=_folder(), reason="what was written is no longer there")
                room = room[got:]
        return Rows(labels, tuple(columns))


class Pile:
    """Cases in any order, to be read in the order of one of their columns."""

    def __init__(self, key: int, *, file: _File | None = None, block: int = MOST_HELD) -> None:
        self.key = key
        """The place of the column by which the cases are ordered."""
        self.n = self.positives = 0
        self._file, self._block = file or _File(), block
        self._kinds: tuple[np.dtype[np.generic], ...] = ()
        self._written: list[tuple[int, int]] = []
        self._held: list[Rows] = []
        self._n_held = 0
        self._sample: list[Floats] = []
        self._every, self._skip, self._n_sampled = 1, 0, 0

    @property
    def negatives(self) -> int:
        """The number of negatives."""
        return self.n - self.positives

    @property
    def is_one_score(self) -> bool:
        """Whether all cases have the same score."""
        return False

    def add(self, rows: Rows) -> None:
        """Add some cases."""
        self._kinds = tuple(column.dtype for column in rows.columns)
        self.n += rows.n
        self.positives += int(np.count_nonzero(rows.labels))
        self._add_to_sample(rows.columns[self.key])
        self._held.append(rows)
        self._n_held += rows.n
        if self._n_held > self._block:
            self._write_held()

    def copy(self) -> Pile:
        """Return a pile of the same cases, to which others can be added."""
        other = copy(self)
        for name in ("_written", "_held", "_sample"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def rows(self) -> Iterator[Rows]:
        """Yield all cases, some at a time."""
        for start, length in self._written:
            yield self._file.read(start, length, self._kinds)
        yield from self._held

    def whole(self) -> Rows:
        """Return all cases at once."""
        some = list(self.rows())
        labels = np.concatenate([each.labels for each in some])
        return Rows(labels, tuple(map(np.concatenate, zip(*(each.columns for each in some), strict=True))))

    def ordered(self) -> Iterator[Pile]:
        """Yield ranges of the cases from the highest scores on; each fits into memory, or is of one score."""
        if self.n <= MOST_HELD or self.is_one_score:
            if self.n:
                yield self
            return
        parts = self._divided()
        self._written, self._held, self._file = [], [], _File()  # what was divided is no longer needed
        while parts:
            yield from parts.pop().ordered()

    def require_room(self) -> None:
        """Raise an error if the disk has no room for a copy of what was written."""
        size = self.n * (LABEL.itemsize + 8 * len(self._kinds))
        free = _free()
        if size > free:
            raise SpillError("spill-room", folder=_folder(), size=_shown(size), free=_shown(free))

    def _divided(self) -> list[Pile]:
        """Return ranges of the cases, the lowest scores first."""
        self.require_room()
        edges, single = self._edges()
        file = _File()
        parts: list[Pile] = [
            (_OneScore if at in single else Pile)(self.key, file=file, block=BLOCK) for at in range(len(edges) + 1)
        ]
        for rows in self.rows():
            at = np.searchsorted(edges, rows.columns[self.key], side="right")
            order = np.argsort(at, kind="stable")
            ends = np.searchsorted(at[order], np.arange(len(parts) + 1))
            for place, part in enumerate(parts):
                if ends[place] < ends[place + 1]:
                    part.add(rows.where(order[ends[place] : ends[place + 1]]))
        return parts

    def _edges(self) -> tuple[Floats, set[int]]:
        """Return where ranges begin, and which ranges are of one score.

        Every range but those of one score has fewer cases than the pile, as both sides of an edge have a case.
        """
        sample = np.sort(np.concatenate(self._sample))
        ranges = min(-(-2 * self.n // MOST_HELD), MOST_RANGES)
        chosen = sample[np.linspace(0, len(sample) - 1, ranges + 1).astype(np.int64)]
        values, times = np.unique(chosen, return_counts=True)
        tied = values[(times > 1) | (len(values) == 1)]
        with np.errstate(over="ignore"):
            after = np.nextafter(tied[tied < np.inf], np.inf)
        edges = np.unique(np.concatenate([values, after]))
        single = {int(np.searchsorted(edges, value, side="right")) for value in tied}
        return edges, single

    def _add_to_sample(self, scores: Column) -> None:
        """Keep every so many scores; fewer of them once the sample is full."""
        taken = scores[self._skip :: self._every].astype(np.float64)
        self._skip = (self._skip - len(scores)) % self._every
        self._sample.append(taken)
        self._n_sampled += len(taken)
        if self._n_sampled > MOST_SAMPLED:
            self._sample = [np.concatenate(self._sample)[::2]]
            self._n_sampled = len(self._sample[0])
            self._every *= 2
            self._skip = 0

    def _write_held(self) -> None:
        rows = Rows(
            np.concatenate([each.labels for each in self._held]),
            tuple(map(np.concatenate, zip(*(each.columns for each in self._held), strict=True))),
        )
        self._written.append((self._file.write(rows), rows.n))
        self._held, self._n_held = [], 0


class _OneScore(Pile):
    """Cases that have the same score."""

    @property
    def is_one_score(self) -> bool:
        """Whether all cases have the same score: they do."""
        return True


def pile_of(rows: Iterable[Rows], key: int) -> Pile:
    """Return a pile of cases."""
    pile = Pile(key)
    for each in rows:
        pile.add(each)
    return pile


def _write_all(stream: IO[bytes], content: memoryview) -> None:
    while content:
        content = content[stream.write(content) :]


def _folder() -> str:
    return tempfile.gettempdir()


def _free() -> int:
    return shutil.disk_usage(_folder()).free


def _shown(size: int) -> str:
    return f"{size / 2**30:.1f} GB"
