"""What `cli` has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_CLI: dict[str, tuple[MessageKind, str]] = {
    "file-twice": ("error", "{files}: given twice"),
    "models-of-one-name": ("error", "two models are called {models}: give the files different names"),
}
