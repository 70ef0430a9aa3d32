"""Which column is what: what was asked for, and what a file's header has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocconf.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LABELS = ("label", "y_true", "y", "target", "truth")
SCORES = ("score", "y_score", "prob", "proba", "probability", "y_prob", "p")
ID = "id"
COLUMNS_SHOWN = 20
"""So many columns are named where the wanted one is not among them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reader of a file was asked for."""

    label: str | None = None
    score: tuple[str, ...] = ()
    id: str | None = None
    positive: str | None = None
    lower_is_positive: bool = False
    where: tuple[tuple[str, str], ...] = ()
    na: str = "error"
    delimiter: str | None = None
    several: bool = False
    """Whether all numeric columns are scores when none is named, or exactly one must be."""
    keep_ids: bool = True
    """Whether the ids are wanted, or only that no two are the same."""

    def __post_init__(self) -> None:
        if self.na not in ("error", "drop"):
            raise UsageError(f"--na takes error or drop, not {self.na!r}")
        if len(set(self.score)) < len(self.score):
            raise UsageError("a score column is named twice")
        if self.positive is not None and not self.positive.strip():
            raise UsageError("--positive takes the name of a class")


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of the columns that matter."""

    header: tuple[str, ...]
    label: int
    scores: tuple[int, ...]
    id: int | None
    where: tuple[tuple[int, str], ...]

    @property
    def used(self) -> set[int]:
        """The positions of all columns that are read."""
        named = {self.label, *self.scores, *(at for at, _ in self.where)}
        return named if self.id is None else named | {self.id}

    def name(self, position: int) -> str:
        """Return a column's name."""
        return self.header[position]


def lay_out(file: str, header: Sequence[str], is_numeric: Callable[[int], bool], wanted: Wanted) -> Layout:
    """Find the label, the scores, the id and the columns to filter by."""
    header = tuple(name.strip() for name in header)
    find = _Finder(file, header)
    label = find.named(wanted.label, "--label") if wanted.label else find.label()
    identity = find.named(wanted.id, "--id") if wanted.id else find.optional(ID)
    where = tuple((find.named(column, "--where"), value) for column, value in wanted.where)
    if wanted.score:
        scores = tuple(find.named(name, "--score") for name in wanted.score)
    else:
        taken = {label, identity, *(column for column, _ in where)}
        candidates = [at for at in range(len(header)) if at not in taken and header[at] and header[at].lower() != ID]
        scores = find.scores(candidates, is_numeric, several=wanted.several)
    if label in scores:
        raise UsageError(f"column {header[label]!r} cannot be both the label and a score")
    return Layout(header, label, scores, identity, where)


def locate(file: str, header: Sequence[str], wanted: Sequence[str], optional: str) -> dict[str, int]:
    """Find columns that must be there, and one that may be, by their names."""
    find = _Finder(file, tuple(name.strip() for name in header))
    missing = [name for name in wanted if name not in find.header]
    if missing:
        raise InputError(file, [f"no column {', '.join(missing)} ({find.found()}; wanted: {', '.join(wanted)})"])
    present = [optional] if optional in find.header else []
    return {name: find.named(name, "one is wanted") for name in (*wanted, *present)}


class _Finder:
    """Finds columns by name, or says kindly that they are not there."""

    def __init__(self, file: str, header: tuple[str, ...]) -> None:
        self.file, self.header = file, header

    def named(self, name: str, option: str) -> int:
        found = [at for at, column in enumerate(self.header) if column == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(self.file, [f"{len(found)} columns are called {name!r} ({option})"])
        helpful = self._looks_joined() or self._did_you_mean(name) or self._looks_like_data()
        raise InputError(self.file, [f"no column {name!r} ({self.found()}){helpful}"])

    def optional(self, name: str) -> int | None:
        return self.named(name, "--id") if name in self.header else None

    def label(self) -> int:
        found = [name for name in LABELS if name in self.header]
        if len(found) > 1:
            raise InputError(self.file, [f"columns {', '.join(found)} could all be the label; say which with --label"])
        if not found:
            looked_for = f"looked for {', '.join(LABELS)}; another is named with --label"
            helpful = self._looks_joined() or self._looks_like_data()
            raise InputError(self.file, [f"no label column ({self.found()}; {looked_for}){helpful}"])
        return self.named(found[0], "--label")

    def scores(self, candidates: list[int], is_numeric: Callable[[int], bool], *, several: bool) -> tuple[int, ...]:
        usual = [at for at in candidates if self.header[at] in SCORES]
        if len({self.header[at] for at in usual}) == 1:
            return (self.named(self.header[usual[0]], "--score"),)
        numeric = [at for at in candidates if is_numeric(at)]
        names = ", ".join(self.header[at] for at in numeric)
        if not numeric:
            raise InputError(self.file, [f"no column of scores ({self.found()}){self._looks_joined()}"])
        if len({self.header[at] for at in numeric}) > 1 and not several:
            raise InputError(self.file, [f"columns {names} could all be the score; say which with --score"])
        for at in numeric:
            self.named(self.header[at], "--score")
        return tuple(numeric)

    def found(self) -> str:
        more = f" and {len(self.header) - COLUMNS_SHOWN} more" if len(self.header) > COLUMNS_SHOWN else ""
        return f"found: {', '.join(self.header[:COLUMNS_SHOWN])}{more}"

    def _did_you_mean(self, name: str) -> str:
        from difflib import get_close_matches

        lowered = {column.lower(): column for column in self.header}
        close = get_close_matches(name.lower(), lowered, n=1)
        return f"; did you mean {lowered[close[0]]!r}?" if close else ""

    def _looks_joined(self) -> str:
        for delimiter, spoken in ((";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")):
            if len(self.header) == 1 and delimiter in self.header[0]:
                return f"; the header looks separated by {spoken}: --delimiter {spoken} says so"
        return ""

    def _looks_like_data(self) -> str:
        if any(_is_number(name) for name in self.header):
            return "; the first line looks like data, where the columns' names are wanted"
        return ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
