"""The layout of a table: the position of the label, the scores, the id and the filters in its header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rocconf.errors import InputError, UsageError
from rocconf.messages import did_you_mean, message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocconf.messages import Message
    from rocconf.read.columns import CellKind
    from rocconf.read.formats import OpenTable
    from rocconf.records import Condition

LABELS = ("label", "y_true", "y", "target", "truth")
SCORES = ("score", "y_score", "prob", "proba", "probability", "y_prob", "p")
ID = "id"
COUNTS = ("score", "positives", "negatives")
MODEL = "model"
DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
LONGEST_LIST = 20
"""How many columns a message lists."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Wanted:
    """The columns and options requested of an input."""

    label: str | None = None
    score: tuple[str, ...] = ()
    id: str | None = None
    positive: str | None = None
    lower_is_positive: bool = False
    where: tuple[Condition, ...] = ()
    na: str = "error"
    delimiter: str | None = None
    several: bool = False
    """Whether all numeric columns are scores when none is named, or exactly one must be."""
    keep_ids: bool = True
    """Whether the ids are kept, or only checked for duplicates."""

    def __post_init__(self) -> None:
        if self.na not in ("error", "drop"):
            raise UsageError("na-choice", found=self.na)
        if len(set(self.score)) < len(self.score):
            raise UsageError("score-twice")
        if self.positive is not None and not self.positive.strip():
            raise UsageError("positive-blank")
        character = self.character
        if character is not None and (len(character) != 1 or character in '"\r\n'):
            raise UsageError("delimiter-form", found=self.delimiter)

    @property
    def character(self) -> str | None:
        """The requested delimiter, if there is one."""
        return None if self.delimiter is None else DELIMITERS.get(self.delimiter, self.delimiter)


class Layout(NamedTuple):
    """The positions of the columns that are needed."""

    header: tuple[str, ...]
    label: int
    scores: tuple[int, ...]
    id: int | None
    where: tuple[tuple[int, Condition], ...]

    @property
    def kinds(self) -> dict[int, CellKind]:
        """How each column is read: a column with two uses as text, of which all else can be made."""
        uses: list[tuple[int, CellKind]] = [(self.label, "label"), *((at, "number") for at in self.scores)]
        uses += [(at, "text") for at, _ in self.where]
        uses += [] if self.id is None else [(self.id, "text")]
        kinds: dict[int, CellKind] = {}
        for at, kind in uses:
            kinds[at] = "text" if at in kinds else kind
        return kinds

    def name(self, position: int) -> str:
        """Return a column's name."""
        return self.header[position]


def lay_out(table: OpenTable, wanted: Wanted) -> Layout:
    """Return where the label, the scores, the id and the columns to filter by are."""
    header = _Header(table)
    label = header.position(wanted.label) if wanted.label else header.label()
    identity = header.position(wanted.id) if wanted.id else header.optional(ID)
    where = tuple((header.position(condition.column), condition) for condition in wanted.where)
    if wanted.score:
        scores = tuple(map(header.position, wanted.score))
    else:
        taken = {label, identity, *(column for column, _ in where)}
        names = header.names
        candidates = [at for at in range(len(names)) if at not in taken and names[at] and names[at].lower() != ID]
        scores = header.scores(candidates, table.holds_numbers, several=wanted.several)
    if label in scores:
        raise UsageError("label-is-score", name=header.names[label])
    return Layout(header.names, label, scores, identity, where)


def is_of_counts(header: Iterable[str]) -> bool:
    """Whether the columns are those of a counts file."""
    names = {name.strip() for name in header}
    return names.issuperset(COUNTS) and names.isdisjoint(LABELS)


def lay_out_counts(table: OpenTable) -> dict[str, int]:
    """Return where the columns of a counts file are."""
    header = _Header(table)
    missing = [name for name in COUNTS if name not in header.names]
    if missing:
        raise header.error("no-counts-column", missing=", ".join(missing), wanted=", ".join(COUNTS))
    present = [MODEL] if MODEL in header.names else []
    return {name: header.position(name) for name in (*COUNTS, *present)}


class _Header:
    """The names of the columns."""

    def __init__(self, table: OpenTable) -> None:
        self.file, self.names = table.name, tuple(name.strip() for name in table.header)

    def position(self, name: str) -> int:
        """Return where a column is, of which there must be one."""
        n = self.names.count(name)
        if n > 1:
            raise self.error("columns-of-one-name", n=n, name=name)
        if not n:
            joined = self._looks_joined()
            meant = "" if joined else did_you_mean(name, self.names)
            raise self.error("no-column", joined or ([] if meant else self._looks_like_data()), name=name, meant=meant)
        return self.names.index(name)

    def optional(self, name: str) -> int | None:
        """Return where a column is, if there is one."""
        return self.position(name) if name in self.names else None

    def label(self) -> int:
        """Return where the label is that has a usual name."""
        usual = [name for name in LABELS if name in self.names]
        if len(usual) > 1:
            raise self.error("several-labels", names=", ".join(usual))
        if not usual:
            hints = self._looks_joined() or self._looks_like_data()
            raise self.error("no-label-column", hints, usual=", ".join(LABELS))
        return self.position(usual[0])

    def scores(
        self, candidates: Sequence[int], holds_numbers: Callable[[int], bool], *, several: bool
    ) -> tuple[int, ...]:
        """Return where the score of a usual name is, else the only numeric column, or all of them for several."""
        usual = self._distinct(at for at in candidates if self.names[at] in SCORES)
        if len(usual) == 1 or (usual and not several):
            names = usual
        else:
            names = self._distinct(at for at in candidates if holds_numbers(at))
        if not names:
            raise self.error("no-score-column", self._looks_joined())
        if len(names) > 1 and not several:
            raise self.error("several-scores", names=", ".join(names))
        return tuple(map(self.position, names))

    def error(self, code: str, hints: Sequence[Message] = (), /, **values: object) -> InputError:
        """Return an error about the header, with the columns it has."""
        more = f" and {len(self.names) - LONGEST_LIST} more" if len(self.names) > LONGEST_LIST else ""
        found = ", ".join(self.names[:LONGEST_LIST]) + more
        return InputError(self.file, [message(code, found=found, **values)], hints=hints)

    def _distinct(self, positions: Iterable[int]) -> list[str]:
        return list(dict.fromkeys(self.names[at] for at in positions))

    def _looks_joined(self) -> list[Message]:
        for delimiter, name in ((";", ";"), ("\t", "tab"), ("|", "|"), (",", ",")):
            if len(self.names) == 1 and delimiter in self.names[0]:
                return [message("header-joined", delimiter=name)]
        return []

    def _looks_like_data(self) -> list[Message]:
        return [message("header-is-data")] if any(map(_is_number, self.names)) else []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
