"""A table as people see it, before it is laid out on a terminal or as markdown."""

from __future__ import annotations

from rocconf.dataclass import dataclass
from rocconf.report.names import shortened
from rocconf.visible import visible

NARROWEST_TEXT = 20
"""The least width at which a long text is broken into lines."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shown:
    """A title, headings, cells of text, and a note on what was left out; names are shown with what they hide."""

    title: str
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: list[tuple[str, ...]]
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", visible(self.title))
        object.__setattr__(self, "headings", tuple(map(visible, self.headings)))
        object.__setattr__(self, "rows", [tuple(map(visible, row)) for row in self.rows])

    @property
    def columns(self) -> list[list[str]]:
        """The cells of each column, without its heading."""
        return [[row[at] for row in self.rows] for at in range(len(self.headings))]

    @property
    def width(self) -> int:
        """The width in terminal columns if no heading is broken."""
        columns = zip(self.headings, self.columns, strict=True)
        return sum(max(map(text_width, (heading, *cells))) + 2 for heading, cells in columns) - 2


def text_width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def shortened_to_width(names: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Return names of at most this many terminal columns; all are different."""
    return shortened(names, width, text_width)
