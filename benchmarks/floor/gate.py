"""What judging a saved report with a row for each threshold costs at least: `python benchmarks/floor/gate.py REPORT.json`.

A line for each way of reading, with processor seconds and the peak memory so far: the digest alone; every row parsed as
JSON and forgotten, some at a time; and every row parsed so that a key that stands there twice is seen. `rocconf gate`
refuses a report of which any row is not JSON, has a key twice or is not as the schema says, so it needs the last one.
"""

from __future__ import annotations

import json
import resource
import sys
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = 1 << 20
"""The bytes of lines that are parsed at a time."""


def digest(path: Path) -> None:
    with path.open("rb") as stream:
        found = sha256()
        while piece := stream.read(LINES):
            found.update(piece)


def rows(path: Path) -> None:
    _parse(path, None)


def rows_with_distinct_keys(path: Path) -> None:
    _parse(path, _distinct)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _parse(path: Path, hook: Callable[[list[tuple[str, object]]], object] | None) -> None:
    """Parse the lines that hold a row each."""
    with path.open("rb") as stream:
        while lines := stream.readlines(LINES):
            found = [line.rstrip().rstrip(b",") for line in lines if line.startswith(b"  {")]
            json.loads(b"[" + b",".join(found) + b"]", object_pairs_hook=hook)


def main() -> None:
    path = Path(sys.argv[1])
    for way in (digest, rows, rows_with_distinct_keys):
        begun = process_time()
        way(path)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f"{way.__name__}: {process_time() - begun:.2f} s, {peak:.0f} MB")


if __name__ == "__main__":
    main()
