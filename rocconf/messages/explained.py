"""The explanation of a message: what it says, why, what to do, and a reference."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

from rocconf.messages import CATALOGUE, Explanation, Message
from rocconf.messages.of_api import OF_API
from rocconf.messages.of_cli import OF_CLI
from rocconf.messages.of_compute import OF_COMPUTE
from rocconf.messages.of_engines import OF_ENGINES
from rocconf.messages.of_gate import OF_GATE
from rocconf.messages.of_plot import OF_PLOT
from rocconf.messages.of_read import OF_READ
from rocconf.messages.of_records import OF_RECORDS
from rocconf.messages.of_report import OF_REPORT
from rocconf.messages.texts import CI, METHODS, PLAN, TEXTS

if TYPE_CHECKING:
    from collections.abc import Container


BOUNDS = "docs/reliability.md, Bounds of inputs"
NOTHING_WRITTEN = "Nothing was read or written"
STOPPED = "The run stopped with status 2, and no verdict was given"

FAMILIES: tuple[tuple[tuple[str, ...], tuple[str, str, str, str]], ...] = (
    (
        ("unpacks-too-", "columns-too-", "header-too-", "name-too-", "line-too-"),
        (
            "An input exceeds a bound.",
            "Without the bound, a small compressed file or a file that is not a table could exhaust the memory.",
            "Correct the file, unpack it, or keep only the columns that are needed.",
            BOUNDS,
        ),
    ),
    (
        ("rule", "metric-", "unknown-metric"),
        (
            "A rule cannot be judged as it is written.",
            "Rules are checked before anything is read, so that a typo cannot let a model pass.",
            "Correct the rule; rocconf check -- COMMAND ... checks it without data.",
            CI,
        ),
    ),
    (
        ("config-", "check-", "isolated-"),
        (
            "The configuration, or the way it is named, is not valid.",
            "A key that is misspelled or ignored would be a rule that is never judged.",
            "Correct rocconf.toml or [tool.rocconf]; rocconf check lists all that is wrong.",
            CI,
        ),
    ),
    (
        (
            "report-",
            "reports-",
            "field-",
            "saved-",
            "gate-without",
            "not-json",
            "not-a-report",
            "point-totals",
            "totals-",
        ),
        (
            "A saved report is not usable as evidence.",
            "A report that contradicts itself, lacks what a rule is about, or is not comparable proves nothing.",
            "Write it again with the command that the message names, and do not edit it.",
            CI,
        ),
    ),
    (
        ("baseline-", "unknown-baseline", "which-baseline", "no-baseline", "difference-", "one-model", "all-pairs"),
        (
            "The models cannot be compared as asked.",
            "A difference means something only if both models, their classes and their cases are known.",
            "Name the baseline with --baseline, and give the models that --score names.",
            CI,
        ),
    ),
    (
        ("plan-",),
        (
            "A plan cannot be made as it is asked for.",
            "The number of cases follows from what is assumed to be true, so no assumption is made for you.",
            "Give the numbers that the message names, or a pilot; rocconf plan --help lists them.",
            PLAN,
        ),
    ),
    (
        ("point-rule", "unknown-point-rule", "choose-on", "rescale-and-choose-on"),
        (
            "An operating point cannot be chosen as asked.",
            "A threshold must be named by a rule that is known, and chosen on cases of its own.",
            "See rocconf sweep --help for the rules of --at and --choose-on.",
            METHODS,
        ),
    ),
    (
        ("spark-", "remote-", "engine-"),
        (
            "The cases cannot be counted on the server.",
            f"{STOPPED}, nothing was written, and what ran on the server was interrupted.",
            "Correct what the message names; paths, tables and columns are those that the server sees.",
            "docs/scale.md, On a Spark cluster",
        ),
    ),
    (
        ("file-is-", "file-not-", "no-parent", "parent-not", "directory-", "overwrites", "written-twice", "stdout-"),
        (
            "A file cannot be written where it was asked for.",
            f"{NOTHING_WRITTEN} in its place: a failed run leaves the older file as it was.",
            "Give another path, or make the directory.",
            CI,
        ),
    ),
)
"""What errors have in common whose codes begin alike."""

PARTS: tuple[tuple[Container[str], tuple[str, str, str, str]], ...] = (
    (
        OF_READ,
        (
            "An input cannot be read as cases.",
            f"{STOPPED}: a guess about data would be a guess about the answer.",
            "Correct the file or the options; the message names the file, the line and what was found.",
            "docs/input.md",
        ),
    ),
    (
        OF_COMPUTE,
        (
            "The analysis is not defined for these options or cases.",
            f"{STOPPED}: a number that does not exist is not replaced by 0.",
            "Change the option that the message names, or give cases of both classes.",
            METHODS,
        ),
    ),
    (
        OF_ENGINES,
        (
            "An engine cannot count the cases as asked.",
            f"{NOTHING_WRITTEN}.",
            "Correct what the message names; docs/scale.md has the engines and their dialects.",
            "docs/scale.md",
        ),
    ),
    (
        OF_PLOT,
        (
            "A figure cannot be drawn as asked.",
            f"{NOTHING_WRITTEN}.",
            "Change the kind, the size or the format that the message names.",
            "docs/gallery.md",
        ),
    ),
    (
        OF_GATE,
        (
            "A rule or a report cannot be judged.",
            f"{STOPPED}.",
            "Correct what the message names; rocconf check checks rules without data.",
            CI,
        ),
    ),
    (
        OF_REPORT,
        (
            "The output cannot have this form.",
            f"{NOTHING_WRITTEN}.",
            "Use a suffix, a table or a format that the message lists.",
            "docs/output.md",
        ),
    ),
    (
        OF_RECORDS,
        (
            "Values that were given do not fit together.",
            f"{STOPPED}.",
            "Correct the values that the message names.",
            METHODS,
        ),
    ),
    (
        OF_API,
        (
            "The cases were not passed to Python as an analysis takes them.",
            "What could be read in two ways is not guessed: no number was computed.",
            "Pass what the message names; help(rocconf.sweep) shows every parameter.",
            "docs/python.md",
        ),
    ),
    (
        OF_CLI,
        (
            "The options of the command line do not go together.",
            f"{NOTHING_WRITTEN}: options are checked first.",
            "See rocconf COMMAND --help.",
            "docs/exit-status.md",
        ),
    ),
)
"""What the other errors of a part of rocconf have in common."""

HINT = ("A hint at the end of an error.", "It says how to go on.", "Follow it.", "docs/input.md")


def codes() -> list[str]:
    """Return the codes that a user can meet: warnings, notes and errors, without the hints in errors."""
    ranks = {"warning": 0, "note": 1, "error": 2}
    known = [code for code, (kind, _) in CATALOGUE.items() if kind == "error" or code in TEXTS]
    return sorted(known, key=lambda code: (ranks[CATALOGUE[code][0]], code))


def explanation_of(code: str) -> Explanation | None:
    """Return the explanation of a code; None if there is no such code."""
    if code not in CATALOGUE or CATALOGUE[code][0] == "answer":
        return None
    kind = CATALOGUE[code][0]
    says = Message(code).spelled("shell")
    # a name right behind a word stands for a clause that only some of these messages have
    named = "".join(
        text + (name.upper() if name and not text[-1:].isalpha() else "")
        for text, name, _, _ in Formatter().parse(says)
    )
    return Explanation(code, kind, named, *_texts(code))


def _texts(code: str) -> tuple[str, str, str, str]:
    if code in TEXTS:
        return TEXTS[code]
    if CATALOGUE[code][0] != "error":
        return HINT
    for beginnings, texts in FAMILIES:
        if code.startswith(beginnings):
            return texts
    return next(texts for part, texts in PARTS if code in part)
