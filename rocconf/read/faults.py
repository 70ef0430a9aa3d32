"""The faults of an input: the first few in the order of its rows, and how many there are."""

from __future__ import annotations

from bisect import insort
from itertools import compress
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError
from rocconf.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.records import Flags


class Fault(NamedTuple):
    """A fault and the line or row it is on, which the message does not have yet."""

    place: int
    message: Message


class Faults:
    """Collects faults: the first few are kept, the rest counted."""

    def __init__(self, file: str, unit: str) -> None:
        self.file, self.unit, self.total = file, unit, 0
        self._first: list[tuple[int, int, Message]] = []
        self._hints: dict[str, float] = {}
        """The codes of hints, each with the first place of a fault that it mends."""

    def add(self, place: int, fault: Message, *, hint: str = "") -> None:
        """Add one fault, and the code of the hint that mends such faults."""
        self.total += 1
        if hint:
            self._hints[hint] = min(place, self._hints.get(hint, inf))
        insort(self._first, (place, self.total, fault))
        del self._first[SPELLED_OUT:]

    def hint(self, code: str, *, beside: str) -> None:
        """Add the code of a hint that mends the same faults as another one."""
        self._hints.setdefault(code, self._hints.get(beside, inf))

    def add_all(self, places: Sequence[int], faults: Iterable[Message], *, hint: str = "") -> None:
        """Add a fault of every place; no more are taken from `faults` than may be kept."""
        for place, fault in zip(places[:SPELLED_OUT], faults, strict=False):
            self.add(place, fault, hint=hint)
        self.total += max(len(places) - SPELLED_OUT, 0)

    def raise_if_any(self) -> None:
        """Raise all faults as one error."""
        if self.total:
            faults = [completed(fault, where=f"{self.unit} {place}") for place, _, fault in self._first]
            hints = sorted(self._hints, key=self._hints.__getitem__)
            raise InputError(self.file, faults, total=self.total, hints=[message(hint) for hint in hints])


def completed(fault: Message, **values: str) -> Message:
    """Return a message with more of its values."""
    return Message(fault.code, (*fault.values, *values.items()))


def select(places: Sequence[int], chosen: Flags) -> Sequence[int]:
    """Return some of the places, without a copy if they are all chosen."""
    if chosen.all():
        return places
    if isinstance(places, list):
        return list(compress(places, chosen.tolist()))
    if isinstance(places, range):
        return cast("Sequence[int]", np.flatnonzero(chosen) + places.start)
    return cast("Sequence[int]", np.asarray(places)[chosen])
