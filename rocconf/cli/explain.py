"""`rocconf explain`."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rocconf.cli.commands import ABOUT
from rocconf.cli.outlet import to_stdout
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean, explained_codes, explained_words, explanation, meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterator

HELP = """Explain a message by its code (what it says, why, and what to do), or a word: rocconf explain closest.

The code stands in brackets at the end of a warning, and in the caveats of a JSON report: rocconf explain in-sample.
docs/messages.md has the same texts. Without a code the codes and words are listed, in a pipe each message on a line.
"""

WIDTH = 80


MOST_LINES = 9
"""The lines of warnings, and of words, that fit a screen together."""


def explain(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="[CODE...]", help="The code of a message, like in-sample.")
    ] = None,
) -> None:
    """Run `rocconf explain`."""
    told = [list(_explained(code)) for code in codes or ()]
    lines = [line for at, each in enumerate(told) for line in ([""] * (at > 0) + each)]
    text = "\n".join(lines or (_overview() if sys.stdout.isatty() else _listed()))
    to_stdout(lambda stream: stream.write(f"{text}\n"))


def _explained(code: str) -> "Iterator[str]":
    """Yield the explanation of a message, a word or a command."""
    from textwrap import wrap

    known, word = explanation(code), meaning_of(code)
    if known is not None:
        yield f"{known.code} ({known.kind})"
        yield from wrap(known.says, WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield ""
        for heading, text in known.parts:
            yield from wrap(text, WIDTH, initial_indent=f"{heading:<6}", subsequent_indent=" " * 6)
    if word is not None:
        name, text, reference = word
        yield from [""] * (known is not None)
        yield from wrap(f"{name}: {text}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        yield f"  See {reference}"
    if code in ABOUT:
        yield from wrap(f"rocconf {code}: {ABOUT[code].question}", WIDTH, subsequent_indent="  ")
        yield f"  See rocconf {code} --help"
    elif known is None and word is None:
        words = [*explained_codes(), *explained_words(with_aliases=True), *ABOUT]
        raise UsageError("unknown-code", code=code, meant=did_you_mean(code, words))


def _overview() -> "Iterator[str]":
    """Yield what there is to explain, on one screen: the codes of warnings, and the words."""
    from textwrap import wrap

    warnings = [each.code for code in explained_codes() if (each := explanation(code)) and each.kind == "warning"]
    for heading, names in (("warnings", warnings), ("words", explained_words())):
        yield heading
        yield from wrap(
            ", ".join(names),
            WIDTH,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
            max_lines=MOST_LINES,
            placeholder=" ...",
        )
    yield "one of them: rocconf explain WORD; every message: rocconf explain | less"


def _listed() -> "Iterator[str]":
    from itertools import groupby
    from textwrap import shorten, wrap

    known = [each for code in explained_codes() if (each := explanation(code))]
    for kind, group in groupby(known, key=lambda each: each.kind):
        of_kind = list(group)
        yield f"{kind}s"
        if kind == "error":
            yield from wrap(" ".join(each.code for each in of_kind), WIDTH, initial_indent="  ", subsequent_indent="  ",
                            break_on_hyphens=False)  # fmt: skip
        else:
            widest = max(len(each.code) for each in of_kind)
            for each in of_kind:
                yield f"  {each.code:<{widest}}  {shorten(each.what, WIDTH - widest - 4, placeholder=' ...')}"
        yield ""
    yield "rocconf explain CODE says what a message means, why, and what to do"
