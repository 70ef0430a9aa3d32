"""Read a counts file: distinct scores with their numbers of positives and negatives, of one model or several."""

from __future__ import annotations

from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError
from rocconf.read.cases import Faults
from rocconf.read.columns import TextColumn, column_of
from rocconf.read.header import LABELS, locate
from rocconf.records import ScoreCounts, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.read.columns import Column
    from rocconf.read.quick import Kind
    from rocconf.read.source import Input
    from rocconf.records import Counts, Flags, Floats

    Read = tuple[Mapping[str, Column], Sequence[int], Faults]

NUMBERS = ("score", "positives", "negatives")
MODEL = "model"
LARGEST = 2**53
"""The largest count that a column of floats holds exactly."""


def has_counts(source: Input, delimiter: str | None = None) -> bool:
    """Whether a file's columns are those of a counts file."""
    header = {name.strip() for name in _header(source, source.delimiter(delimiter))}
    return header.issuperset(NUMBERS) and header.isdisjoint(LABELS)


def counts_of(
    source: Input, *, delimiter: str | None = None, lower_is_positive: bool = False
) -> tuple[ScoreCounts, ...]:
    """Read the counts of one model or, where there is a column `model`, of several."""
    delimiter = source.delimiter(delimiter)
    header = _header(source, delimiter)
    positions = locate(source.name, header, NUMBERS, MODEL)
    if source.is_parquet:
        return _Counts(source, *_of_parquet(source, header, positions)).finish(lower_is_positive=lower_is_positive)
    quick = _quickly(source, delimiter, header, positions)
    if quick is not None:
        with suppress(InputError):  # the careful reader says where
            return _Counts(source, *quick).finish(lower_is_positive=lower_is_positive)
    return _Counts(source, *_carefully(source, delimiter, header, positions)).finish(
        lower_is_positive=lower_is_positive
    )


class _Counts:
    """The columns of a counts file, and all that is wrong with them."""

    def __init__(self, source: Input, columns: Mapping[str, Column], places: Sequence[int], faults: Faults) -> None:
        self._source, self._columns, self._places, self._faults = source, columns, places, faults

    def finish(self, *, lower_is_positive: bool) -> tuple[ScoreCounts, ...]:
        """Add up every model's counts, or say all that is wrong with them."""
        scores, positives, negatives = self._scores(), self._cases("positives"), self._cases("negatives")
        models = self._models()
        self._faults.raise_if_any()
        if not len(scores):
            raise InputError(self._source.name, ["no rows below the header"])
        some = (positives + negatives) > 0
        return tuple(
            ScoreCounts.of(
                scores[mine & some],
                positives[mine & some],
                negatives[mine & some],
                model=model,
                lower_is_positive=lower_is_positive,
                sources=(_origin(self._source, model, positives[mine], negatives[mine]),),
            )
            for model, mine in models.items()
        )

    def _numbers(self, name: str) -> Floats:
        return self._columns[name].numbers(lambda row, fault: self._faults.add(self._places[row], f"{name} {fault}"))

    def _scores(self) -> Floats:
        found = self._numbers("score")
        self._note(np.isnan(found), repeat("score has no value"))
        return found

    def _cases(self, name: str) -> Counts:
        found = self._numbers(name)
        empty = np.isnan(found)
        odd = ~empty & ~((found >= 0) & (found <= LARGEST) & (found == np.floor(found)))
        self._note(empty, repeat(f"{name} has no value"))
        self._note(odd, (f"{name} {value:.17g} is not a whole number of cases" for value in found[odd]))
        return np.where(empty | odd, 0, found).astype(np.int64)

    def _models(self) -> dict[str, Flags]:
        """Return each model's rows."""
        if MODEL not in self._columns:
            return {self._source.stem: np.ones(len(self._columns["score"]), dtype=np.bool_)}
        column = self._columns[MODEL]
        names = column.distinct()
        models = {name: column.coded({other: other == name for other in names}).astype(np.bool_) for name in names}
        if "" in models:
            self._note(models[""], repeat("model has no value"))
        return models

    def _note(self, wrong: Flags, faults: Iterable[str]) -> None:
        self._faults.add_all([self._places[row] for row in np.flatnonzero(wrong).tolist()], faults)


def _origin(source: Input, model: str, positives: Counts, negatives: Counts) -> Source:
    """Add up one model's cases, of which there must be some of both classes, and no more than a float counts."""
    if max(positives.sum(dtype=np.float64), negatives.sum(dtype=np.float64)) > LARGEST:
        raise InputError(source.name, [f"{model} has more than 2^53 cases of a class"])
    p, q = int(positives.sum()), int(negatives.sum())
    if not p or not q:
        found = f"{model} has {p} positives and {q} negatives"
        raise InputError(source.name, [f"only one class: {found}, and both classes are needed"])
    return Source(source.name, p + q, p, q, "1", digest=source.digest())


def _header(source: Input, delimiter: str) -> Sequence[str]:
    from rocconf.read.parquet import schema_of
    from rocconf.read.text import head_of

    return list(schema_of(source)) if source.is_parquet else head_of(source, delimiter)[0]


def _of_parquet(source: Input, header: Sequence[str], positions: Mapping[str, int]) -> Read:
    from rocconf.read.parquet import columns_of

    frame = columns_of(source, [header[at] for at in positions.values()])
    columns = {name: column_of(frame[header[at]]) for name, at in positions.items()}
    return columns, range(1, len(frame) + 1), Faults(source.name, "row")


def _quickly(source: Input, delimiter: str, header: Sequence[str], positions: Mapping[str, int]) -> Read | None:
    from rocconf.read.quick import columns_quickly, is_worth_it

    if not is_worth_it(source):
        return None
    kinds: dict[int, Kind] = {at: "text" if name == MODEL else "number" for name, at in positions.items()}
    found = columns_quickly(source, delimiter, header, kinds)
    if found is None:
        return None
    rows = range(len(found[positions["score"]]))
    return {name: found[at] for name, at in positions.items()}, rows, Faults(source.name, "row")


def _carefully(source: Input, delimiter: str, header: Sequence[str], positions: Mapping[str, int]) -> Read:
    from rocconf.read.text import pieces_of, ragged_row

    faults = Faults(source.name, "line")
    lines: list[int] = []
    rows: list[list[str]] = []
    for places, piece in pieces_of(source, delimiter, faults.add):
        for line, row in zip(places, piece, strict=True):
            if len(row) == len(header):
                lines.append(line)
                rows.append(row)
            else:
                faults.add(line, ragged_row(row, len(header)))
    columns = list(zip(*rows, strict=True)) or [()] * len(header)
    return {name: TextColumn(columns[at]) for name, at in positions.items()}, lines, faults
