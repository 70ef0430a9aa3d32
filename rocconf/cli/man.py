"""Write the manual page, generated from the commands: `python -m rocconf.cli.man > docs/rocconf.1`."""

from __future__ import annotations

import sys
from typing import Any

import typer

from rocconf import __version__
from rocconf.cli.app import EPILOG, app


def manual() -> str:
    """Return the manual page in roff."""
    group: Any = typer.main.get_command(app)
    lines = [
        f'.TH ROCCONF 1 "" "rocconf {__version__}" "User Commands"',
        ".SH NAME",
        f"rocconf \\- {_roff(_first_sentence(group.help))}",
        ".SH SYNOPSIS",
        ".B rocconf",
        "COMMAND [OPTIONS] FILE...",
        ".SH COMMANDS",
    ]
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        lines += [f".SS rocconf {_roff(name)}", _roff(command.help)]
        for parameter in command.params:
            lines += _option(parameter)
    return "\n".join([*lines, ".SH EXIT STATUS", _roff(EPILOG.partition(": ")[2]), ""])


def _option(parameter: Any) -> list[str]:
    if parameter.param_type_name == "argument":
        return [".TP", rf"\fB{_roff(parameter.metavar)}\fR", _roff(parameter.help or "")]
    value = "" if parameter.is_flag else rf" \fI{_roff(parameter.metavar or parameter.name.upper())}\fR"
    default = ""
    if parameter.default is not None and not parameter.is_flag and not callable(parameter.default):
        default = f" [default: {parameter.default}]"
    names = ", ".join(rf"\fB{_roff(name)}\fR" for name in parameter.opts)
    return [".TP", names + value, _roff((parameter.help or "") + default)]


def _first_sentence(text: str) -> str:
    return text.partition("\n")[0].rstrip(".")


def _roff(text: str) -> str:
    """Escape text for roff; an empty line begins a paragraph."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    paragraphs = (" ".join(part.split()) for part in escaped.split("\n\n"))
    return "\n.PP\n".join(f"\\&{part}" if part.startswith((".", "'")) else part for part in paragraphs)


if __name__ == "__main__":
    sys.stdout.write(manual())
