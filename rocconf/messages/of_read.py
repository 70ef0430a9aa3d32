"""What `read` has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_READ: dict[str, tuple[MessageKind, str]] = {}
