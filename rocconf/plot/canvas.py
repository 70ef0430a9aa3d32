"""The size, resolution and title of a figure."""

from __future__ import annotations

from math import isfinite

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

SMALLEST_SIDE, LARGEST_SIDE = 3.0, 100.0
LOWEST_DPI, HIGHEST_DPI = 10, 2400
MOST_PIXELS = 100_000_000
"""What fits the memory: 4 bytes each, 400 MB."""

FREE_HEIGHT = 1.1
"""The height to start from where it is free, as a share of the width; what is not needed is cut off."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure's size in inches, its dots per inch (for png) and its title.

    Without a height the figure takes what its width needs. Without a title it names its models; an empty title is
    left out.
    """

    width: float = 6.4
    height: float | None = None
    dpi: int = 150
    title: str | None = None
    is_part: bool = False
    """Whether the axes are part of somebody else's figure."""

    def __post_init__(self) -> None:
        width, height = self.size
        for name, inches in (("width", width), ("height", height)):
            if not (isfinite(inches) and SMALLEST_SIDE <= inches <= LARGEST_SIDE):
                raise UsageError("figure-size", name=name, smallest=SMALLEST_SIDE, largest=LARGEST_SIDE, found=inches)
        if not LOWEST_DPI <= self.dpi <= HIGHEST_DPI:
            raise UsageError("figure-dpi", smallest=LOWEST_DPI, largest=HIGHEST_DPI, found=self.dpi)
        if width * height * self.dpi**2 > MOST_PIXELS:
            most = MOST_PIXELS // 1_000_000
            raise UsageError("figure-pixels", width=width, height=height, dpi=self.dpi, most=most)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches, to start from where the height is free."""
        return self.width, max(self.width * FREE_HEIGHT, SMALLEST_SIDE) if self.height is None else self.height

    @property
    def font_size(self) -> float:
        """The size of ordinary text in points: it grows with the figure, but stays readable."""
        return min(max(1.7 * min(self.size), 7.0), 14.0)
