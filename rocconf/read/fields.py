"""Takes fields out of JSON records, each of the type it must have."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any

SHOWN = 60
"""So much of a value of the wrong type is shown."""

MOST = 2**63 - 1
"""The largest whole number: no count is above it."""

INFINITE = {"inf": inf, "-inf": -inf}
"""How JSON spells an infinite score."""


class FieldError(Exception):
    """What a report lacks, or has of the wrong type: the end of a sentence about it."""

    def within(self, place: str) -> FieldError:
        """Say in which part of the file the field is."""
        return FieldError(f"{self} (in {place})")


class Fields:
    """A JSON object whose fields are asked for by name and type."""

    def __init__(self, record: Any) -> None:
        if not isinstance(record, dict):
            raise FieldError(f"has {_shown(record)}, where an object is wanted")
        self.record: dict[str, Any] = record

    def text(self, key: str) -> str:
        """Take a text."""
        return str(self._of(key, (str,), "a text"))

    def text_or_none(self, key: str) -> str | None:
        """Take a text, or null."""
        return None if self._at(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """Take true or false."""
        return bool(self._of(key, (bool,), "true or false"))

    def count(self, key: str) -> int:
        """Take a number of cases."""
        value = self._of(key, (int,), "a count")
        if not 0 <= value <= MOST:
            raise FieldError(f"has {key} {_shown(value)}, where a count is wanted")
        return int(value)

    def number(self, key: str) -> float:
        """Take a finite number; a whole one stays whole."""
        value: float = self._of(key, (int, float), "a number")
        if not (abs(value) <= MOST if isinstance(value, int) else isfinite(value)):
            raise FieldError(f"has {key} {_shown(value)}, where a finite number is wanted")
        return value

    def number_or_none(self, key: str) -> float | None:
        """Take a finite number, or null."""
        return None if self._at(key) is None else self.number(key)

    def score_or_none(self, key: str) -> float | None:
        """Take a number that may be infinite, or null."""
        value = self._at(key)
        return INFINITE[value] if isinstance(value, str) and value in INFINITE else self.number_or_none(key)

    def share(self, key: str) -> float:
        """Take a number between 0 and 1, like a level."""
        value = self.number(key)
        if not 0 < value < 1:
            raise FieldError(f"has {key} {value:g}, where a number between 0 and 1 is wanted")
        return value

    def texts(self, key: str) -> list[str]:
        """Take a list of texts."""
        values = self._of(key, (list,), "a list")
        if not all(isinstance(value, str) for value in values):
            raise FieldError(f"has {key} {_shown(values)}, where a list of texts is wanted")
        return list(values)

    def one_of(self, key: str, *known: str) -> str:
        """Take one of some words."""
        word = self.text(key)
        if word not in known:
            raise FieldError(f"has {key} {_shown(word)}, where one of {', '.join(known)} is wanted")
        return word

    def inner(self, key: str) -> Fields:
        """Take an object."""
        return Fields(self._of(key, (dict,), "an object"))

    def items(self, key: str) -> list[Any]:
        """Take a list."""
        return list(self._of(key, (list,), "a list"))

    def _of(self, key: str, kinds: tuple[type, ...], wanted: str) -> Any:
        value = self._at(key)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise FieldError(f"has {key} {_shown(value)}, where {wanted} is wanted")
        return value

    def _at(self, key: str) -> Any:
        if key not in self.record:
            raise FieldError(f"lacks {key!r}")
        return self.record[key]


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
