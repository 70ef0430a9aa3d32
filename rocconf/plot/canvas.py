"""The sheet a figure is drawn on."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from rocconf.errors import UsageError

SMALLEST, LARGEST = 3.0, 100.0
MOST_PIXELS = 100_000_000
"""What still fits the memory: 4 bytes each, 400 MB."""

SHAPE = 1.1
"""The height to start from where it is free, as a share of the width; what is not needed is cut off."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure's size in inches, its dots per inch (for png) and its title.

    Without a height the figure takes what its width needs. Without a title it names its models; an empty
    title leaves the line out.
    """

    width: float = 6.4
    height: float | None = None
    dpi: int = 150
    title: str | None = None

    def __post_init__(self) -> None:
        for name, inches in (("width", self.width), ("height", self.size[1])):
            if not (isfinite(inches) and SMALLEST <= inches <= LARGEST):
                raise UsageError(f"a figure's {name} is {SMALLEST:g} to {LARGEST:g} inches, not {inches:g}")
        if not 10 <= self.dpi <= 2400:
            raise UsageError(f"a figure has 10 to 2400 dots per inch, not {self.dpi}")
        width, height = self.size
        if width * height * self.dpi**2 > MOST_PIXELS:
            raise UsageError(
                f"{width:g} by {height:g} inches at {self.dpi} dots per inch are more than "
                f"{MOST_PIXELS // 1_000_000} million pixels; make it smaller, or coarser"
            )

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches, to start from where the height is free."""
        return self.width, max(self.width * SHAPE, SMALLEST) if self.height is None else self.height

    @property
    def font_size(self) -> float:
        """The size of ordinary text in points: it grows with the figure, but stays readable."""
        return min(max(1.7 * min(self.size), 7.0), 14.0)
