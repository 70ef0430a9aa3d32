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
}
