"""The prefix of [NAME:]FILE, which is the name of a part of the answer or the beginning of a path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import UsageError
from rocconf.messages import did_you_mean
from rocconf.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

LIKE_A_NAME = pattern(r"[A-Za-z0-9_-]{2,}")
"""A single letter is a drive: C:\\x.csv is a path."""


def split_prefix(text: str, names: Sequence[str], unknown: str) -> tuple[str | None, Path]:
    """Return the name, if there is one, and the path of [NAME:]FILE.

    What only looks like a name is refused with the message `unknown`: a typo must not become the name of a file.
    """
    name, colon, rest = text.partition(":")
    if colon and name in names:
        return name, Path(rest)
    path = Path(text)
    inside_a_folder = path.parent != Path() and path.parent.is_dir()
    if colon and LIKE_A_NAME.fullmatch(name) and not inside_a_folder:
        raise UsageError(unknown, text=text, name=name, hint=did_you_mean(name, names), known=", ".join(names))
    return None, path
