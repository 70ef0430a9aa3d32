"""`rocconf explain`."""

from typing import TYPE_CHECKING, Annotated

import typer

from rocconf.cli.outlet import to_stdout
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean, explained_codes, explanation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.messages import Explanation

HELP = """Explain a message: what it says, why, what to do, and where more of it stands. Without a code: list the codes.

The code stands in brackets at the end of a warning, and in the caveats of a JSON report: rocconf explain in-sample.
docs/messages.md has the same texts.
"""

WIDTH = 80


def explain(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="[CODE...]", help="The code of a message, like in-sample.")
    ] = None,
) -> None:
    """Run `rocconf explain`."""
    found = []
    for code in codes or ():
        known = explanation(code)
        if known is None:
            raise UsageError("unknown-code", code=code, meant=did_you_mean(code, explained_codes()))
        found.append(known)
    text = "\n".join(_explained(found) if found else _listed())
    to_stdout(lambda stream: stream.write(f"{text}\n"))


def _explained(found: "list[Explanation]") -> "Iterator[str]":
    from textwrap import wrap

    for at, each in enumerate(found):
        yield from [""] * (at > 0)
        yield f"{each.code} ({each.kind})"
        yield from wrap(each.says, WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield ""
        for heading, text in each.parts:
            yield from wrap(text, WIDTH, initial_indent=f"{heading:<6}", subsequent_indent=" " * 6)


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
