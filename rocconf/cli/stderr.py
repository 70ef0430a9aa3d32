"""Lines on standard error."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Write one line; control characters become blanks, so that a name from a file cannot forge a line."""
    sys.stderr.write(f"rocconf: {''.join(letter if letter.isprintable() else ' ' for letter in text)}\n")
