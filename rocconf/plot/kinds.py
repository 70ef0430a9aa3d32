"""Which figures there are of which result, known before anything is read or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rocconf.errors import UsageError

FORMS = (".png", ".svg", ".pdf")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure: the module that paints it, and what one may ask it for."""

    painter: str
    extras: tuple[str, ...] = ()


KINDS: dict[str, dict[str, Kind]] = {
    "sweep": {
        "roc": Kind("rocconf.plot.roc", extras=("hull",)),
        "pr": Kind("rocconf.plot.pr"),
        "det": Kind("rocconf.plot.det"),
    },
    "tango": {
        "segment": Kind("rocconf.plot.segment"),
        "intervals": Kind("rocconf.plot.intervals", extras=("only_confident",)),
        "region": Kind("rocconf.plot.region"),
    },
    "chi2-contours": {
        "contours": Kind("rocconf.plot.contours", extras=("accuracy_contours", "cost")),
    },
    "sensibility": {
        "sensibility": Kind("rocconf.plot.sensibility"),
        "drift": Kind("rocconf.plot.drift"),
    },
    "compare": {
        "cauc": Kind("rocconf.plot.cauc"),
        "roc": Kind("rocconf.plot.roc_with_bands"),
        "intervals": Kind("rocconf.plot.compared_intervals", extras=("only_confident",)),
        "forest": Kind("rocconf.plot.forest"),
    },
}
"""The kinds of each command, its default first. A new figure is a module with `paint`, and a line here."""


def kinds(command: str) -> tuple[str, ...]:
    """Return the kinds of figures of a command, the default first."""
    return tuple(KINDS.get(command, ()))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure that was asked for: its kind and where it goes."""

    command: str
    kind: str
    path: Path

    def extras(self, asked: dict[str, object]) -> dict[str, object]:
        """Return what this kind of figure can show of what else was asked for."""
        return {name: value for name, value in asked.items() if name in KINDS[self.command][self.kind].extras}


def drawing_of(text: str, command: str) -> Drawing:
    """Read [KIND:]FILE, where KIND is one of the command's."""
    from rocconf.report.prefix import split_prefix

    kind, path = split_prefix(text, kinds(command), "--plot", "figure")
    drawing = Drawing(command, require_kind(command, kind), path)
    require_form(path)
    return drawing


def require_kind(command: str, kind: str | None = None) -> str:
    """Return the kind to draw; refuse one that the command does not have."""
    known = kinds(command)
    if not known:
        raise UsageError(f"{command} draws no figures")
    if kind is not None and kind not in known:
        raise UsageError(f"{command} has no figure {kind!r} (it has {', '.join(known)})")
    return kind or known[0]


def require_form(path: str | Path) -> str:
    """Return the form a path's suffix asks for, without its dot; refuse others."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        found = f"not {suffix}" if suffix else "and this has no suffix"
        raise UsageError(f"{path}: a figure is written as {', '.join(FORMS)}, {found}")
    return suffix[1:]


def require_extras(command: str, kind: str, extras: dict[str, object]) -> None:
    """Refuse what a kind of figure cannot show."""
    for name in extras:
        if name not in KINDS[command][kind].extras:
            raise UsageError(f"the {kind} figure of {command} has no {name}")
