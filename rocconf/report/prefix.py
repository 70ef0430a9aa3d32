"""What stands before the colon of NAME:FILE: the name of a part of the answer, or the beginning of a path."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

LIKE_A_NAME = re.compile(r"[A-Za-z0-9_-]{2,}")
"""A single letter is a drive: C:\\x.csv is a path."""


def split_prefix(text: str, names: Sequence[str], option: str, what: str) -> tuple[str | None, Path]:
    """Read [NAME:]FILE; what only looks like a name is refused, lest a slip of the pen becomes a file's name."""
    name, colon, rest = text.partition(":")
    if colon and name in names:
        return name, Path(rest)
    path = Path(text)
    inside_a_folder = path.parent != Path() and path.parent.is_dir()
    if colon and LIKE_A_NAME.fullmatch(name) and not inside_a_folder:
        known = f"known: {', '.join(names)}" if names else "there are none here"
        raise UsageError(
            f"{option} {text}: no {what} is called {name!r}{_did_you_mean(name, names)} "
            f"({known}; for a file of that name: ./{text})"
        )
    return None, path


def _did_you_mean(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
