"""The figures of each command, known before anything is read or drawn."""

from __future__ import annotations

from pathlib import Path

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean
from rocconf.report import split_prefix

FIGURE_SUFFIXES = (".png", ".svg", ".pdf")


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure: the module whose `paint` draws it, and the options that it has.

    `of_each_model` names the result of each compared model that is drawn instead of the comparison.
    """

    module: str
    extras: tuple[str, ...] = ()
    of_each_model: str = ""


KINDS: dict[str, dict[str, FigureKind]] = {
    "sweep": {
        "roc": FigureKind("rocconf.plot.roc", extras=("hull", "regions")),
        "pr": FigureKind("rocconf.plot.pr"),
        "det": FigureKind("rocconf.plot.det"),
        "gain": FigureKind("rocconf.plot.gain"),
        "thresholds": FigureKind("rocconf.plot.thresholds"),
        "scores": FigureKind("rocconf.plot.scores"),
        "cost": FigureKind("rocconf.plot.cost_curve"),
        "net-benefit": FigureKind("rocconf.plot.net_benefit"),
        "calibration": FigureKind("rocconf.plot.calibration"),
        "slices": FigureKind("rocconf.plot.slices"),
    },
    "tango": {
        "segment": FigureKind("rocconf.plot.segment"),
        "intervals": FigureKind("rocconf.plot.intervals", extras=("only_confident",)),
        "region": FigureKind("rocconf.plot.region"),
        "scores": FigureKind("rocconf.plot.scores"),
    },
    "chi2-contours": {
        "contours": FigureKind("rocconf.plot.contours", extras=("accuracy_contours", "cost")),
        "scores": FigureKind("rocconf.plot.scores"),
    },
    "sensibility": {
        "sensibility": FigureKind("rocconf.plot.sensibility"),
        "drift": FigureKind("rocconf.plot.drift"),
        "time": FigureKind("rocconf.plot.time"),
        "scores": FigureKind("rocconf.plot.scores"),
    },
    "unlabelled": {
        "distributions": FigureKind("rocconf.plot.distributions"),
    },
    "compare": {
        "cauc": FigureKind("rocconf.plot.cauc"),
        "roc": FigureKind("rocconf.plot.roc_with_bands"),
        "intervals": FigureKind("rocconf.plot.intervals", extras=("only_confident",), of_each_model="segment"),
        "forest": FigureKind("rocconf.plot.forest"),
        "scores": FigureKind("rocconf.plot.scores", of_each_model="sweep"),
        "cost": FigureKind("rocconf.plot.cost_curve", of_each_model="sweep"),
        "net-benefit": FigureKind("rocconf.plot.net_benefit", of_each_model="sweep"),
        "calibration": FigureKind("rocconf.plot.calibration", of_each_model="sweep"),
        "slices": FigureKind("rocconf.plot.slices"),
    },
    "one-vs-rest": {
        "roc": FigureKind("rocconf.plot.class_curves"),
        "forest": FigureKind("rocconf.plot.class_forest"),
    },
    "plan": {
        "power": FigureKind("rocconf.plot.power"),
    },
}
"""The kinds of each command, its default first. A new figure is a module with `paint`, and a line here."""


def kinds(command: str) -> tuple[str, ...]:
    """Return the kinds of figures of a command, the default first."""
    return tuple(KINDS.get(command, ()))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure to draw: its kind, and the file to write."""

    command: str
    kind: str
    path: Path

    def extras(self, options: dict[str, object]) -> dict[str, object]:
        """Return those options that this kind of figure has."""
        return {name: value for name, value in options.items() if name in KINDS[self.command][self.kind].extras}


def drawing_of(text: str, command: str) -> Drawing:
    """Parse [KIND:]FILE, where KIND is one of the command's."""
    require_figure_kind(command)
    name, others = text.partition(":")[0], [other for other in KINDS if text.partition(":")[0] in KINDS[other]]
    if others and name not in kinds(command) and ":" in text:
        known = ", ".join(kinds(command))
        if others == ["unlabelled"]:
            raise UsageError("figure-of-unlabelled", command=command, name=name, known=known)
        raise UsageError("figure-of-other-command", command=command, name=name, others=", ".join(others), known=known)
    kind, path = split_prefix(text, kinds(command), "unknown-figure")
    require_form(path)
    return Drawing(command, require_figure_kind(command, kind, path), path)


def require_figure_kind(command: str, kind: str | None = None, path: str | Path = "") -> str:
    """Return the kind to draw, by default that by which the file is called, or else the first; refuse an unknown one."""
    known = kinds(command)
    if not known:
        raise UsageError("no-figures", command=command)
    if kind is not None and kind not in known:
        hint = did_you_mean(kind, known)
        raise UsageError("unknown-figure-kind", command=command, name=kind, hint=hint, known=", ".join(known))
    called = Path(path).stem
    return kind or (called if called in known else known[0])


def require_form(path: str | Path) -> str:
    """Return the format of a path's suffix, without its dot; refuse others."""
    suffix, known = Path(path).suffix.lower(), ", ".join(FIGURE_SUFFIXES)
    if not suffix:
        raise UsageError("no-figure-format", path=path, known=known)
    if suffix not in FIGURE_SUFFIXES:
        raise UsageError("unknown-figure-format", path=path, suffix=suffix, known=known)
    return suffix[1:]


def require_extras(command: str, kind: str, extras: dict[str, object]) -> None:
    """Refuse options that a kind of figure does not have."""
    for name in extras:
        if name not in KINDS[command][kind].extras:
            raise UsageError("figure-without-option", kind=kind, command=command, name=name)
