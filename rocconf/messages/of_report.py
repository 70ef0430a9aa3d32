"""What `report` and `plot` have to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_REPORT: dict[str, tuple[MessageKind, str]] = {}
