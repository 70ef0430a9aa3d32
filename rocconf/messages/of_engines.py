"""The messages of `engines`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_ENGINES: dict[str, tuple[MessageKind, str]] = {
    "dialect-unknown": ("error", "no dialect {found!r} of SQL{meant} (known: {known})"),
    "table-name": (
        "error",
        "{found!r} does not name a table: write scores or schema.scores, and a part with a dot in quotes",
    ),
    # Spark
    "spark-missing": ("error", "<engine=spark> needs the client of Spark ({reason}): {command}"),
    "remote-form": ("error", "<remote> takes sc://HOST:PORT, with /;token=TOKEN after it if need be, not {found!r}"),
    "spark-gone": ("error", "no Spark Connect server answers ({reason})"),
    "spark-refused": (
        "error",
        "the server refuses the connection ({reason}); <remote> carries a token as in {remote}/;token=TOKEN",
    ),
    "spark-tls": (
        "error",
        "no connection over TLS ({reason}): a token needs it, but for sc://localhost, and so does use_ssl=true",
    ),
    "spark-no-table": ("error", "the server knows no table or view of this name"),
    "spark-no-files": ("error", "the server finds no files there: paths are those that it sees"),
    "spark-unreadable": ("error", "the server cannot read this file: {reason}"),
    "spark-failed": ("error", "the server could not do it: {reason}"),
    "spark-too-many-labels": (
        "error",
        "column {column!r} has more than {most} values ({some}, ...): <label=COLUMN> names the column of labels",
    ),
    "spark-too-many-files": ("error", "the server has more than {most:,} files of these cases: make a table of them"),
    "spark-twice": ("error", "{one} and {other} both have this file, whose cases would count twice"),
    "spark-labels": ("error", "labels are neither {one} nor {other}: {labels}"),
    "spark-not-numbers": (
        "error",
        "{n:,} cells of {column!r} are no numbers that a 64-bit float can hold, like {cell}",
    ),
    "spark-missing-values": (
        "error",
        "{n:,} cells of {column} have {kind}, the first in {file}; <na=drop> leaves such rows out and counts them",
    ),
    "spark-max-scores": ("error", "<max_scores> is at most {most:,} for <engine=spark>, not {found:,}"),
    "spark-type": ("error", "column {column!r} is of type {kind}, not numbers"),
    "spark-unnamed": (
        "error",
        "which column is the {what} (found: {found})? <label=COLUMN> and <score=COLUMN> name them",
    ),
    "engine-word": ("error", "<engine> takes spark, not {found!r}"),
    "engine-remote": ("error", "<engine=spark> needs the address of its server: <remote=sc://HOST:15002>"),
    "remote-without-engine": ("error", "{option} belongs to <engine=spark>"),
    "engine-option": ("error", "{option} is not for <engine=spark>: make a view or files of the cases that are meant"),
    "no-sources": ("error", "nothing to count: name files<|, folders or patterns>"),
}
