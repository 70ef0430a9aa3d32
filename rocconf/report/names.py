"""Names that are too long for their place, shortened so that they remain different."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Width = Callable[[str], int]

CUT = "…"

START, LEAD = 4, 5
"""The parts of a shortened name for its start (a 4th) and for the letters before the difference (a 5th)."""


def shortened(names: Sequence[str], longest: int, width: Width = len) -> tuple[str, ...]:
    """Return each name on one line, no wider than `longest`; all are different.

    A long name is cut in the middle. Names which that makes equal are cut elsewhere, to show where they differ, and
    where this is not enough they are numbered.
    """
    plain = [visible(" ".join(name.split())) for name in names]
    texts = [_ends(name, longest, width) for name in plain]
    equal = {text: [name for name, other in zip(plain, texts, strict=True) if other == text] for text in texts}
    texts = [
        text if len(equal[text]) == 1 else _around(name, _first_difference(equal[text]), longest, width)
        for name, text in zip(plain, texts, strict=True)
    ]
    return tuple(texts) if len(set(texts)) == len(texts) else _numbered(plain, longest, width)


def _ends(name: str, longest: int, width: Width) -> str:
    """Keep the start and the end."""
    if width(name) <= longest:
        return name
    start = _fitted(name, longest // 2, width)
    end = _fitted(name[::-1], longest - longest // 2 - 1, width)[::-1]
    return start + CUT + end


def _around(name: str, at: int, longest: int, width: Width) -> str:
    """Keep the start, and what surrounds a place."""
    if width(name) <= longest:
        return name
    start = _fitted(name, longest // START, width)
    rest = name[max(at - longest // LEAD, len(start)) :]
    if len(start) + len(rest) < len(name):
        start, rest = start.rstrip() + CUT, rest.lstrip()
    room = longest - width(start)
    return start + (rest if width(rest) <= room else _fitted(rest, room - 1, width).rstrip() + CUT)


def _first_difference(names: Sequence[str]) -> int:
    """Return how many letters names have in common before they differ."""
    letters = enumerate(zip(*names, strict=False))
    return next((at for at, each in letters if len(set(each)) > 1), min(map(len, names)))


def _numbered(plain: Sequence[str], longest: int, width: Width) -> tuple[str, ...]:
    """Append a number to each name."""
    numbers = [f" ({k})" for k in range(1, len(plain) + 1)]
    return tuple(_ends(name, longest - len(k), width) + k for name, k in zip(plain, numbers, strict=True))


def _fitted(text: str, room: int, width: Width) -> str:
    """Return as much of a text's start as there is room for."""
    while width(text) > room:
        text = text[:-1]
    return text
