"""Read a counts file: distinct scores with their numbers of positives and negatives, of one model or several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError
from rocconf.read.cases import Faults
from rocconf.read.columns import SeriesColumn, TextColumn
from rocconf.read.header import LABELS
from rocconf.records import ScoreCounts, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.read.columns import Column
    from rocconf.read.source import Input
    from rocconf.records import Counts, Flags, Floats

NUMBERS = ("score", "positives", "negatives")
MODEL = "model"
LARGEST = 2**53
"""The largest count that a column of floats holds exactly."""


def has_counts(source: Input, delimiter: str | None = None) -> bool:
    """Whether a file's columns are those of a counts file."""
    header = _header(source, source.delimiter(delimiter))
    return set(NUMBERS) <= set(header) and not set(LABELS) & set(header)


def counts_of(
    source: Input, *, delimiter: str | None = None, lower_is_positive: bool = False
) -> tuple[ScoreCounts, ...]:
    """Read the counts of one model or, where there is a column `model`, of several."""
    places, columns, faults = _columns(source, source.delimiter(delimiter))

    def numbers(name: str) -> Floats:
        return columns[name].numbers(lambda row, fault: faults.add(places[row], f"{name} {fault}"))

    def whole_numbers(name: str) -> Counts:
        found = numbers(name)
        whole = (found >= 0) & (found <= LARGEST) & (found == np.floor(found))
        for row in np.flatnonzero(~whole).tolist():
            faults.add(places[row], f"{name} {found[row]:g} is not a whole number of cases")
        return np.where(whole, found, 0).astype(np.int64)

    scores, positives, negatives = numbers("score"), whole_numbers("positives"), whole_numbers("negatives")
    for row in np.flatnonzero(np.isnan(scores)).tolist():
        faults.add(places[row], "score has no value")
    faults.raise_if_any()
    some = (positives + negatives) > 0
    counted = []
    for model, rows in _models(source, columns).items():
        mine = rows & some
        p, q = int(positives[mine].sum()), int(negatives[mine].sum())
        if not p or not q:
            found = f"{model} has {p} positives and {q} negatives"
            raise InputError(source.name, [f"only one class: {found}, and both classes are needed"])
        origin = Source(source.name, p + q, p, q, "1", digest=source.digest())
        counted.append(
            ScoreCounts.of(
                scores[mine],
                positives[mine],
                negatives[mine],
                model=model,
                lower_is_positive=lower_is_positive,
                sources=(origin,),
            )
        )
    return tuple(counted)


def _models(source: Input, columns: Mapping[str, Column]) -> dict[str, Flags]:
    """Return each model's rows."""
    if MODEL not in columns:
        return {source.stem: np.ones(len(columns["score"]), dtype=np.bool_)}
    names = columns[MODEL].texts()
    return {name: np.array([its == name for its in names], dtype=np.bool_) for name in dict.fromkeys(names)}


def _header(source: Input, delimiter: str) -> Sequence[str]:
    from rocconf.read.parquet import schema_of
    from rocconf.read.text import head_of

    names = list(schema_of(source)) if source.is_parquet else head_of(source, delimiter)[0]
    return [name.strip() for name in names]


def _columns(source: Input, delimiter: str) -> tuple[Sequence[int], dict[str, Column], Faults]:
    header = _header(source, delimiter)
    wanted = [name for name in (*NUMBERS, MODEL) if name in header]
    if source.is_parquet:
        from rocconf.read.parquet import columns_of

        frame = columns_of(source, wanted)
        return (
            range(1, len(frame) + 1),
            {name: SeriesColumn(frame[name]) for name in wanted},
            Faults(source.name, "row"),
        )
    from rocconf.read.text import pieces_of

    faults = Faults(source.name, "line")
    lines: list[int] = []
    rows: list[list[str]] = []
    for places, piece in pieces_of(source, delimiter):
        lines.extend(places)
        rows.extend(piece)
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(header):
            faults.add(line, f"{len(row)} cells, where the header has {len(header)}")
    faults.raise_if_any()
    if not rows:
        raise InputError(source.name, ["no rows below the header"])
    columns = list(zip(*rows, strict=True))
    return lines, {name: TextColumn(columns[list(header).index(name)]) for name in wanted}, faults
