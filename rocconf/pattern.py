"""Regular expressions that are compiled when they are first used: most of those that are imported are not."""

from __future__ import annotations

import re
from functools import cached_property

TYPE_CHECKING = False  # typing takes long to import
if TYPE_CHECKING:
    from typing import Any


class _Pattern:
    """A regular expression."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled, name)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression like `re.compile`."""
    return _Pattern(text, flags)  # type: ignore[return-value]  # it has all that a pattern has
