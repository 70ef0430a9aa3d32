"""Elements of HTML and SVG. Whatever text comes from data stays text."""

from __future__ import annotations

from html import escape

from rocconf.visible import visible

VOID = frozenset(("meta", "input", "br"))
"""The elements without an end tag."""


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: object) -> Markup:
    """Return an element; children that are no markup are escaped.

    An attribute `class_` is written without the underscore at its end, others within become hyphens; None is left out,
    and True has no value.
    """
    written = "".join(map(_attribute, attributes, attributes.values()))
    return Markup(f"<{name}{written}>" if name in VOID else f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """Return children one after the other."""
    return Markup("".join(map(markup, children)))


def markup(text: str) -> Markup:
    """Return text as markup that shows it."""
    return text if isinstance(text, Markup) else Markup(escape(visible(text)))


def with_code(text: str) -> Markup:
    """Return a text in which what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return markup(text)
    return joined(*(tag("code", part) if at % 2 else part for at, part in enumerate(parts)))


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    spelled = name.removesuffix("_").replace("_", "-")
    return f" {spelled}" if value is True else f' {spelled}="{escape(visible(str(value)))}"'
