"""The catalogue of every error, warning, note and answer: a code, a kind and one sentence each.

A sentence is a template. Angle brackets enclose a parameter, which the library and the shell spell differently:
`<max_fpr>` is max_fpr or --max-fpr, `<na=drop>` is na='drop' or --na drop, `<by_row=True>` is by_row=True or
--by-row, and of `<counts of other cases|--choose-on FILE>` the library shows the left side and the shell the right one.
The values are inserted afterwards, so that text from a file is never taken for a parameter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from rocconf.dataclass import dataclass
from rocconf.messages.of_answer import OF_ANSWER
from rocconf.messages.of_api import OF_API
from rocconf.messages.of_cli import OF_CLI
from rocconf.messages.of_compute import OF_COMPUTE
from rocconf.messages.of_engines import OF_ENGINES
from rocconf.messages.of_gate import OF_GATE
from rocconf.messages.of_plot import OF_PLOT
from rocconf.messages.of_read import OF_READ
from rocconf.messages.of_records import OF_RECORDS
from rocconf.messages.of_report import OF_REPORT
from rocconf.pattern import pattern
from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

MessageKind = Literal["error", "warning", "note", "answer"]
"""An error ends the run; a warning changes how a shown number is read; a note is background; an answer is the result."""

Audience = Literal["library", "shell"]

CATALOGUE: dict[str, tuple[MessageKind, str]] = {
    **OF_ANSWER,
    **OF_API,
    **OF_CLI,
    **OF_COMPUTE,
    **OF_ENGINES,
    **OF_GATE,
    **OF_PLOT,
    **OF_READ,
    **OF_RECORDS,
    **OF_REPORT,
}

SHORTEST_BEGINNING = 3
"""How many letters a word has at least that is taken for the beginning of another."""

_NUMBER_FOR_PEOPLE = pattern(r"(?P<number>[+-]?\d{1,18}([.,]\d{1,18})?)\s*(?P<percent>%)?", re.ASCII)
_PARAMETER = pattern(r"<(?:(?P<name>[a-z_]+)(?:=(?P<value>[^<>|]*))?|(?P<library>[^<>|]*)\|(?P<shell>[^<>|]*))>")


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the catalogue with its values, or one that was read as text from a saved report."""

    code: str
    values: tuple[tuple[str, Any], ...] = ()
    saved: tuple[MessageKind, str] | None = None

    @property
    def kind(self) -> MessageKind:
        """Whether it is an error, a warning or a note."""
        return self.saved[0] if self.saved else CATALOGUE[self.code][0]

    def text(self, audience: Audience = "library") -> str:
        """Return the sentence, with the parameters as the audience spells them."""
        if self.saved:
            return visible(self.saved[1])
        return self.spelled(audience).format(**{name: _as_text(value, audience) for name, value in self.values})

    def spelled(self, audience: Audience) -> str:
        """Return the template, with the parameters as the audience spells them."""
        return _PARAMETER.sub(_for_the_shell if audience == "shell" else _for_the_library, CATALOGUE[self.code][1])

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a message; `says` is its sentence, with the names of its values."""

    code: str
    kind: MessageKind
    says: str
    what: str
    why: str
    do: str
    reference: str

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts with their headings."""
        return ("What", self.what), ("Why", self.why), ("Do", self.do), ("See", self.reference)


def explanation(code: str) -> Explanation | None:
    """Return the explanation of a code; None if there is no such code."""
    from rocconf.messages.explained import explanation_of

    return explanation_of(code)


def explained_codes() -> list[str]:
    """Return the codes that a user can meet: warnings, notes and errors, without the hints in errors."""
    from rocconf.messages.explained import codes

    return codes()


def meaning_of(word: str) -> tuple[str, str, str] | None:
    """Return the name, the meaning and a reference of a word on a screen; None if it is not known."""
    from rocconf.messages import glossary

    return glossary.meaning_of(word)


def meanings_of(column: str) -> list[tuple[str, str, str]]:
    """Return the meaning of a column, or those of its parts; none if it is not known."""
    from rocconf.messages import glossary

    return glossary.meanings_of(column)


def explained_words(*, with_aliases: bool = False) -> list[str]:
    """Return the words on a screen that are explained."""
    from rocconf.messages import columns, glossary

    others = (*glossary.ALIASES, *columns.COLUMNS, *columns.OTHERS)
    return sorted([*glossary.GLOSSARY, *(others if with_aliases else ())])


def message(code: str, /, **values: Any) -> Message:
    """Return a message of the catalogue."""
    return Message(code, tuple(values.items()))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'score'?` where a known word is close or begins with the word, else the empty string."""
    from difflib import get_close_matches

    lowered = {each.lower(): each for each in known}
    longer = [each for each in lowered if len(word) >= SHORTEST_BEGINNING and each.startswith(word.lower())]
    close = [min(longer, key=len)] if longer else get_close_matches(word.lower(), lowered, n=1)
    return f"; did you mean {lowered[close[0]]!r}?" if close else ""


def number_meant(text: str) -> str:
    """Return `; did you mean 0.003?` for a percentage or a decimal comma, else the empty string."""
    from decimal import Decimal

    found = _NUMBER_FOR_PEOPLE.fullmatch(text.strip())
    if not found or (found["percent"] is None and "," not in text):
        return ""
    number = Decimal(found["number"].replace(",", "."))
    return f"; did you mean {(number / 100 if found['percent'] else number).normalize():f}?"


def _for_the_shell(found: re.Match[str]) -> str:
    if found["name"] is None:
        return found["shell"]
    option = f"--{found['name'].replace('_', '-')}"
    return option if found["value"] in (None, "True") else f"{option} {found['value']}"


def _for_the_library(found: re.Match[str]) -> str:
    if found["name"] is None:
        return found["library"]
    name, value = found["name"], found["value"]
    if value is None:
        return name
    return f"{name}={value}" if value == "True" or value.isupper() or value.startswith("{") else f"{name}={value!r}"


def _as_text(value: Any, audience: Audience) -> Any:
    """Return the text of a message or error within a message, for the same audience; other text on one line."""
    if hasattr(value, "text") and callable(value.text):
        return value.text(audience)
    return _Shown(value) if isinstance(value, str) else value


class _Shown(str):
    """Text that is shown escaped; `!r` escapes what it quotes anyway."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return format(visible(str(self)), form)
