"""Completion in a shell: the scripts of --show-completion and --install-completion, and the words that complete a line.

A shell runs `rocconf` without arguments, with the line in the environment. Whatever goes wrong then, nothing is
printed but words. A run with arguments is a run, whatever the environment holds.
"""

from __future__ import annotations

import os
from contextlib import redirect_stderr, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

VARIABLE = "_ROCCONF_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
SHELL = "[bash|zsh|fish]"
THIS_SHELL = "-"
"""The value of an option that is typed without one."""

OPTIONS = ("--install-completion", "--show-completion")
OF_COLUMNS = ("label", "score", "id", "model", "cluster", "by")
"""The options that take the name of a column."""

WRITTEN = ("-o", "--out", "--plot", "--config")
"""The options whose files are not tables."""

WORD_BREAKS = set(" \t\"'\\<>|&;()$`*?[]{}!#~")
"""What bash would not leave as it is in a word."""


def complete() -> int:
    """Print the words that complete a line; on any failure print nothing."""
    from rocconf.cli.app import app

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
        try:
            from typer.completion import completion_init  # type: ignore[attr-defined]  # typer exports little

            completion_init()
            app(prog_name="rocconf")
        except SystemExit as stop:  # fish asks by the status whether there are words
            return stop.code if isinstance(stop.code, int) else 0
        except Exception:  # noqa: BLE001  # a traceback would stand in the line that is typed
            return 1
    return 0


def with_shells(args: Sequence[str]) -> list[str]:
    """Insert the value of an option that is typed without a shell."""
    found = list(args)
    for at in reversed(range(len(found))):
        if found[at] in OPTIONS and (at + 1 == len(found) or found[at + 1].startswith("-")):
            found.insert(at + 1, THIS_SHELL)
    return found


def show(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> str | None:
    """Print the script of a shell."""
    if value is None or context.resilient_parsing:
        return value
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # see above

    shell = _shell(value, str(parameter.opts[0]))
    typer.echo(get_completion_script(prog_name="rocconf", complete_var=VARIABLE, shell=shell))
    raise typer.Exit


def install(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> str | None:
    """Install the script of a shell, and say where."""
    if value is None or context.resilient_parsing:
        return value
    from typer.completion import install as install_script  # type: ignore[attr-defined]  # see above

    option = str(parameter.opts[0])
    shell = _shell(value, option)
    try:
        _, path = install_script(shell=shell, prog_name="rocconf", complete_var=VARIABLE)
    except OSError as error:
        path = error.filename or Path.home()
        raise UsageError("completion-not-installed", option=option, path=path, reason=error.strerror) from None
    typer.echo(f"{shell} completion is installed in {path}: open a new shell")
    raise typer.Exit


def prepared(command: Any) -> Any:
    """Return a command whose options complete their values, if a shell asks."""
    if VARIABLE in os.environ:
        for parameter in command.params:
            parameter._custom_shell_complete = partial(_items, command.name)  # noqa: SLF001  # no option of typer has the line
    return command


def _shell(value: str, option: str) -> str:
    if value in SHELLS:
        return value
    if value != THIS_SHELL:
        raise UsageError("unknown-shell", option=option, known=", ".join(SHELLS), found=value)
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise UsageError("shell-not-found", option=option)
    return name


def _items(command: str, context: Any, parameter: Any, incomplete: str) -> list[Any]:
    """Return the values of an option that begin as the word does."""
    from typer.core import CompletionItem  # type: ignore[attr-defined]  # typer exports little

    values = list(_values(command, parameter))
    found = [value for value in values if value.startswith(incomplete)]
    if not found and not values:
        return list(parameter.type.shell_complete(context, parameter, incomplete))
    return [CompletionItem(_quoted(value)) for value in found]


def _values(command: str, parameter: Any) -> Iterable[str]:
    """Return all values of an option that are known."""
    if parameter.name in OF_COLUMNS:
        return _columns(_line())
    if parameter.name in OF_NAMES:
        return OF_NAMES[parameter.name](command)
    choices = str(parameter.metavar or "").split("|")
    return choices if len(choices) > 1 and all(choice.islower() for choice in choices) else ()


def _formats(_: str) -> Iterable[str]:
    from rocconf.report import FORMATS

    return FORMATS


def _point_rules(_: str) -> Iterable[str]:
    from rocconf.cli.options import POINT_RULES
    from rocconf.compute.roc.operating import SPELLINGS

    forms = (_beginning(form) for form in POINT_RULES.replace(" or ", ", ").split(", "))
    return dict.fromkeys((*forms, *SPELLINGS))


def _figures(command: str) -> Iterable[str]:
    from rocconf.plot import kinds

    options = (option for option in ("one-vs-rest", "unlabelled") if f"--{option}" in _line())
    return [f"{kind}:" for kind in kinds(next(options, command))]


def _bands(_: str) -> Iterable[str]:
    from rocconf.compute.compare import BAND_KINDS

    return BAND_KINDS


def _tests(_: str) -> Iterable[str]:
    from rocconf.compute.stats.paired_tests import TESTS

    return TESTS


OF_NAMES: dict[str, Callable[[str], Iterable[str]]] = {
    "format": _formats,
    "at": _point_rules,
    "plot": _figures,
    "band": _bands,
    "test": _tests,
}
"""What returns the values of an option of a command, from where they are defined."""


def _beginning(form: str) -> str:
    """Return a rule up to its first number: `fpr<=` of `fpr<=X`."""
    return form.partition("=")[0] + "=" if "=" in form else form


def _line() -> list[str]:
    """Return the words of the line."""
    import shlex

    text = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    splitter = shlex.shlex(text, posix=True)
    splitter.whitespace_split, splitter.commenters = True, ""
    words: list[str] = []
    with suppress(ValueError):  # a quote is still open
        words.extend(splitter)
    return words


def _columns(words: Sequence[str]) -> list[str]:
    """Return the columns of the files on the line: only their headers are read, and no pipe."""
    from rocconf.errors import RocconfError
    from rocconf.read import Wanted, find_input, open_table

    typed = next((after for word, after in pairwise(words) if word == "--delimiter"), None)
    delimiter = Wanted(delimiter=typed).character
    columns: dict[str, None] = {}
    for before, word in pairwise(words):
        if before not in WRITTEN and Path(word).is_file():
            try:
                columns.update(dict.fromkeys(open_table(find_input(word), delimiter).header))
            except RocconfError:
                continue
    return [column.strip() for column in columns if column.strip()]


def _quoted(value: str) -> str:
    """Return a word as bash takes it; the other shells quote by themselves."""
    if "bash" not in os.environ[VARIABLE] or not WORD_BREAKS & set(value):
        return value
    import shlex

    return shlex.quote(value)
