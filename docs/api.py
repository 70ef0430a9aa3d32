"""The page api.md of the site: the signature and the documentation of every public name, as `help` has them."""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from typing import Any

import rocconf

WIDTH = 90
HEAD = """# API reference

Made of the documentation in the code. [python.md](python.md) is the introduction, and says why each
name is public. Parameters after `*` are passed by name.
"""


def page() -> str:
    """Return the page."""
    names = sorted(rocconf.__all__, key=lambda name: (inspect.isclass(getattr(rocconf, name)), name.lower()))
    return "\n".join([HEAD, *map(entry, names)])


def entry(name: str) -> str:
    """Return the section of a name."""
    thing = getattr(rocconf, name)
    documentation = inspect.getdoc(thing) or ""
    text, _, examples = documentation.partition("\nExamples\n--------\n")
    parts = [f"## {name}", "", "```text", signature_of(name, thing), "```", "", as_text(text)]
    if examples:
        parts += ["", "```python", examples.strip(), "", "```"]
    members = [] if not inspect.isclass(thing) else list(members_of(thing))
    if members:
        parts += ["", "| | |", "|---|---|", *members]
    return "\n".join(parts) + "\n"


def signature_of(name: str, thing: Any) -> str:
    """Return the signature, a parameter a line where it is long."""
    if inspect.isclass(thing) and not is_dataclass(thing):
        return f"class {name}"
    found = inspect.signature(thing)
    parameters, is_by_name = [], False
    for each in found.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not is_by_name:
            parameters.append("*")
            is_by_name = True
        parameters.append(_parameter(each))
    result = "" if inspect.isclass(thing) else f" -> {found.return_annotation}"
    line = f"{name}({', '.join(parameters)}){result}"
    return line if len(line) <= WIDTH else f"{name}(\n    " + ",\n    ".join(parameters) + f",\n){result}"


def _parameter(each: inspect.Parameter) -> str:
    stars = "**" if each.kind is each.VAR_KEYWORD else ""
    if each.default is each.empty:
        default = ""
    else:
        default = " = ..." if callable(each.default) or "object at" in repr(each.default) else f" = {each.default!r}"
    return f"{stars}{each.name}: {each.annotation}{default}"


def as_text(documentation: str) -> str:
    """Return numpydoc as markdown: parameters are a list."""
    lines, found, inside = documentation.split("\n"), [], False
    for at, line in enumerate(lines):
        if set(line) == {"-"} and at:
            found[-1] = f"**{found[-1]}**\n"
            inside = found[-1].startswith("**Parameters")
        elif inside and line and not line.startswith(" "):
            found.append(f"- `{line}`:")
        elif inside and line:
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    return "\n".join(found).strip()


def members_of(thing: type) -> Any:
    """Yield a row for each public method and property that a class, or one of ours above it, documents."""
    seen = set()
    for kind in thing.__mro__:
        if kind.__module__.startswith("rocconf"):
            for name, value in vars(kind).items():
                is_member = isinstance(value, property | staticmethod | classmethod) or inspect.isfunction(value)
                if (
                    is_member
                    and not name.startswith("_")
                    and name not in seen
                    and (documentation := inspect.getdoc(value))
                ):
                    seen.add(name)
                    call = "" if isinstance(value, property) else "()"
                    yield f"| `{name}{call}` | {documentation.partition(chr(10))[0].replace('|', chr(92) + '|')} |"
