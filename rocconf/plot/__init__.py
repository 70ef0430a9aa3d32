"""stub"""

from dataclasses import dataclass
from pathlib import Path


@dataclass
class Canvas:
    title: str | None = None
    width: float = 6
    height: float = 6
    dpi: int = 150


def figure_of(text, command):
    raise SystemExit(text)


def draw(*a, **k):
    pass
