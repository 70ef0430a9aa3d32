"""Text from files and options, as it is shown: characters that a terminal or a CI runner acts on are escaped.

A terminal obeys escape sequences and control characters, and some letters turn the text after them around. GitHub's
runner obeys lines that begin with `::`, and like others what follows `##[`.
"""

from __future__ import annotations

import re

from rocconf.pattern import pattern

HARMLESS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u200c\u200d"
"""Blanks, and the joiners that some scripts and emoji need: Python calls them not printable."""

SUSPECT = pattern(rf"[^ -~{HARMLESS}]")
ISSUED = pattern(r"##(?=\w*\[)")
COMMAND = pattern(r"^([^\S\n]*):(?=:)", re.MULTILINE)


def visible(text: str) -> str:
    r"""Return a text on one line, its control characters as \n or \x1b."""
    if text.isprintable() and "##" not in text:
        return text
    return ISSUED.sub(r"#\\x23", SUSPECT.sub(_escaped, text))


def visible_lines(text: str) -> str:
    """Return lines, each of visible text, of which none is a command."""
    return without_commands("\n".join(map(visible, text.split("\n"))))


def without_commands(text: str) -> str:
    r"""Return lines of which none begins with ::, which becomes \x3a: there."""
    return COMMAND.sub(r"\1\\x3a", text) if "::" in text else text


def _escaped(letter: re.Match[str]) -> str:
    return letter[0] if letter[0].isprintable() else letter[0].encode("unicode_escape").decode()
