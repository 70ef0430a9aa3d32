"""The fields of JSON records, each of the type it must have."""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from rocconf.errors import InputError
from rocconf.messages import message

if TYPE_CHECKING:
    from rocconf.messages import Message

LONGEST_SHOWN = 60
"""How many characters of a wrong value a message shows."""

MOST = 2**63 - 1
"""The largest count."""

INFINITE = {"inf": inf, "-inf": -inf}
"""How JSON spells an infinite score."""


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, of which every key stands there once: readers differ in which of two they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands there twice")
    return found


class Fields:
    """A JSON object of a file, whose fields are read by name and type."""

    def __init__(self, file: str, where: str, record: Any) -> None:
        self.file, self.where = file, where
        if not isinstance(record, dict):
            raise self.error("field-not-object", found=shown(record))
        self.record: dict[str, Any] = record

    def text(self, key: str) -> str:
        """Return a string."""
        return str(self._of(key, (str,), "a string"))

    def text_or_none(self, key: str) -> str | None:
        """Return a string, or None for null."""
        return None if self._at(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """Return true or false."""
        return bool(self._of(key, (bool,), "true or false"))

    def count(self, key: str) -> int:
        """Return a number of cases."""
        value = self._of(key, (int,), "a count")
        if not 0 <= value <= MOST:
            raise self.wrong(key, "a count", value)
        return int(value)

    def number(self, key: str) -> float:
        """Return a finite number; a whole one stays whole."""
        value: float = self._of(key, (int, float), "a number")
        if not (abs(value) <= MOST if isinstance(value, int) else isfinite(value)):
            raise self.wrong(key, "a finite number", value)
        return value

    def number_or_none(self, key: str) -> float | None:
        """Return a finite number, or None for null."""
        return None if self._at(key) is None else self.number(key)

    def share(self, key: str) -> float:
        """Return a number between 0 and 1, like a level."""
        value = self.number(key)
        if not 0 < value < 1:
            raise self.wrong(key, "a number between 0 and 1", value)
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of strings."""
        values = self._of(key, (list,), "a list")
        if not all(isinstance(value, str) for value in values):
            raise self.wrong(key, "a list of strings", values)
        return list(values)

    def inner(self, key: str) -> Fields:
        """Return the fields of an object."""
        return Fields(self.file, key, self._of(key, (dict,), "an object"))

    def items(self, key: str) -> list[Fields]:
        """Return the fields of each object of a list."""
        return [Fields(self.file, f"{key}[{at}]", each) for at, each in enumerate(self._of(key, (list,), "a list"))]

    def items_if_any(self, key: str) -> list[Fields]:
        """Return the fields of each object of a list, which may be left out."""
        return self.items(key) if key in self.record else []

    def wrong(self, key: str, wanted: str, value: Any) -> InputError:
        """Return the error of a field with an invalid value."""
        return self.error("field-type", key=key, wanted=wanted, found=shown(value))

    def error(self, code: str, **values: str | int | Message) -> InputError:
        """Return an error about this object."""
        return InputError(self.file, [message(code, where=self.where, **values)])

    def _of(self, key: str, kinds: tuple[type, ...], wanted: str) -> Any:
        value = self._at(key)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise self.wrong(key, wanted, value)
        return value

    def _at(self, key: str) -> Any:
        if key not in self.record:
            raise self.error("field-missing", key=key)
        return self.record[key]


def shown(value: Any) -> str:
    """Return a value as messages show it, cut short if it is long."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
