"""Read large clean text with polars, which uses all cores and holds no text.

This reader never says that a file is wrong: where it finds anything that is not plain (a missing value, a row too
short, a quote in an odd place), it gives None, and the careful reader decides.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

from rocconf.read.cases import Cases
from rocconf.read.columns import SeriesColumn

if TYPE_CHECKING:
    import polars as pl

    from rocconf.read.header import Layout, Wanted
    from rocconf.read.source import Input

FROM_BYTES = 4_000_000
"""Where importing polars begins to pay: it costs 0.1 s, about what the careful reader needs for this size."""

PACKED_FROM_BYTES = FROM_BYTES // 4

INFINITE = r"^[+-]?(?i:inf|infinity)$"


def is_worth_it(source: Input) -> bool:
    """Whether a file is so large that this reader is the faster one."""
    return source.size >= (PACKED_FROM_BYTES if source.suffixes[1] else FROM_BYTES)


def read_quickly(source: Input, delimiter: str, layout: Layout, wanted: Wanted) -> Cases | None:
    """Return the cases of a clean file, None of any other."""
    frame = _frame(source, delimiter, layout)
    if frame is None or sum(frame.null_count().row(0)) or _may_hide_quotes(source, layout):
        return None
    if any(_overflows(source, delimiter, frame[layout.name(at)]) for at in layout.scores):
        return None
    cases = Cases(source.name, layout, wanted)
    cases.add(range(len(frame)), {layout.header.index(name): SeriesColumn(frame[name]) for name in frame.columns})
    return None if cases.faults.total or cases.dropped else cases


def _frame(source: Input, delimiter: str, layout: Layout) -> pl.DataFrame | None:
    """Read the columns that matter, and the last one, which a row too short lacks."""
    import polars as pl

    if len(set(layout.header)) < len(layout.header):
        return None
    used = layout.used | {len(layout.header) - 1}
    numbers = {layout.header[at]: pl.Float64 for at in layout.scores}
    for kind in (pl.Int8, pl.String):
        try:
            frame = pl.read_csv(
                source.raw,
                columns=sorted(used),
                separator=delimiter,
                infer_schema=False,
                schema_overrides={**numbers, layout.header[layout.label]: kind},
            )
        except (pl.exceptions.PolarsError, OSError):
            continue
        return frame if frame.columns == [layout.header[at] for at in sorted(used)] else None
    return None


def _overflows(source: Input, delimiter: str, scores: pl.Series) -> bool:
    """Whether an infinite score is a number too large for a float, and not written as an infinity."""
    import polars as pl

    if scores.is_finite().all():
        return False
    cells = pl.read_csv(source.raw, columns=[scores.name], separator=delimiter, infer_schema=False)[scores.name]
    return not cells.filter(scores.is_infinite()).str.contains(INFINITE).all()


def _may_hide_quotes(source: Input, layout: Layout) -> bool:
    """Whether a column that is not read as numbers could hold a quote that the two readers take differently."""
    if len(layout.header) == 1 + len(layout.scores):
        return False
    if source.suffixes[1]:
        with source.open() as stream:
            stream.readline()
            return any(b'"' in piece for piece in iter(lambda: stream.read(1 << 20), b""))
    if isinstance(source.raw, bytes):
        return source.raw.find(b'"', source.raw.find(b"\n")) >= 0
    with source.raw.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b'"', data.find(b"\n")) >= 0
