"""The few rows that a screen has room for: evenly spaced by the share of the cases flagged, dense where few are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.table import Block, Table

    Row = Mapping[str, Any]

SHARES = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""The shares of the cases flagged that come first."""

MORE_SHARES = (0.3, 0.75, 0.03, 0.15, 0.9, 0.002, 0.4, 0.075, 0.6, 0.25, 0.0005, 0.8, 0.7, 0.015, 0.35, 0.95, 0.0001)
"""The shares that follow, as far as there is room."""

NEAR = 1.05
"""Rows whose numbers of cases flagged have a smaller ratio say the same."""

MARK, FLAGGED, COUNTED = "mark", "flagged", ("tp", "fp")


def few_rows(table: Table, points: Sequence[Row], n: int, *, most: int) -> list[Row]:
    """Return the marked rows (operating points, or those to keep) and others, with the share of the cases flagged.

    Parameters
    ----------
    table
        The rows of one model, with true and false positives.
    points
        The operating points, with the same columns.
    n
        The number of cases.
    most
        The number of rows, which only marked ones exceed.
    """
    (block,) = table.blocks
    kept = [] if points else block.keep.tolist()
    marked = [{**_with_share(row, n), MARK: True} for row in (*_once(points), *table.records_at(kept))]
    flagged = {row[FLAGGED] for row in marked}
    others = [_with_share(row, n) for row in table.records_at(_spaced(block, n, most=most))]
    others = [row for row in others if row[FLAGGED] not in flagged][: max(most - len(marked), 0)]
    return sorted(marked + [{**row, MARK: False} for row in others], key=lambda row: row[FLAGGED])


def is_counted(table: Table) -> bool:
    """Whether the rows of a table count the cases that are flagged; the first one flags nothing."""
    return set(COUNTED) <= set(table.names)


def share_of(row: Row, n: int) -> float:
    """Return the share of the cases that a row flags."""
    return float(sum(row[key] for key in COUNTED) / n)


def _once(points: Sequence[Row]) -> list[Row]:
    """Return the points, several rules at one threshold as one."""
    return list({point["threshold"]: point for point in reversed(points)}.values())


def _with_share(row: Row, n: int) -> dict[str, Any]:
    return {**row, FLAGGED: share_of(row, n)}


def _spaced(block: Block, n: int, *, most: int) -> list[int]:
    """Return rows near the shares, the first share first; without the one in which nothing is flagged."""
    if block.length - 1 <= most:
        return list(range(1, block.length))
    nearest = _nearest(block, [share * n for share in (*SHARES, *MORE_SHARES)])
    rows: dict[int, float] = {}
    for row, cases in zip(nearest, _cases(block, nearest), strict=True):
        if all(max(cases, other) > NEAR * min(cases, other) for other in rows.values()):
            rows[row] = cases
    return list(rows)


def _nearest(block: Block, wanted: Sequence[float]) -> list[int]:
    """Return for each number of cases the row that flags about as many; all are looked for at once."""
    first, last = [1] * len(wanted), [block.length - 1] * len(wanted)
    while any(start < end for start, end in zip(first, last, strict=True)):
        middle = [(start + end) // 2 for start, end in zip(first, last, strict=True)]
        for at, (row, cases) in enumerate(zip(middle, _cases(block, middle), strict=True)):
            if cases < wanted[at]:
                first[at] = min(row + 1, last[at])
            else:
                last[at] = row
    before = [max(after - 1, 1) for after in last]
    pairs = zip(wanted, before, _cases(block, before), last, _cases(block, last), strict=True)
    return [one if cases - few <= many - cases else other for cases, one, few, other, many in pairs]


def _cases(block: Block, rows: Sequence[int]) -> list[float]:
    """Return how many cases each row flags."""
    import numpy as np

    at = np.array(rows, dtype=np.intp)
    tp, fp = (block.values(key, at) for key in COUNTED)
    found: list[float] = (tp + fp).astype(np.float64).tolist()
    return found
