"""What judging a saved report with a row for each threshold costs at least: `python benchmarks/floor/gate.py REPORT.json`.

A line for each way of reading, with processor seconds and the peak memory so far: the digest alone; the digest, and each
row matched by a regular expression with the keys of the first one; and every row parsed as JSON and forgotten, some at a
time. `rocconf gate` refuses a report of which any row is not JSON, has a key twice or is not as the schema says, so it
needs the second one.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from hashlib import sha256
from pathlib import Path
from time import process_time

LINES = 1 << 20
"""The bytes of lines that are read at a time."""

VALUE = rb'(?>"[^"\\]*+"|[0-9.e+-]++|null)'


def digest(path: Path) -> None:
    with path.open("rb") as stream:
        found = sha256()
        while piece := stream.read(LINES):
            found.update(piece)


def digest_and_match(path: Path) -> None:
    digest(path)
    with path.open("rb") as stream:
        while not (line := stream.readline()).startswith(b"  {"):
            pass
        keys = [json.dumps(key).encode() for key in json.loads(line.rstrip(b",\n"))]
        row = b", ".join(re.escape(key) + b": " + VALUE for key in keys)
        rows = re.compile(rb"(?:  \{%b\},?\n)*" % row)
        while piece := stream.read(LINES):
            rows.match(piece + stream.readline())


def parse(path: Path) -> None:
    with path.open("rb") as stream:
        while lines := stream.readlines(LINES):
            found = [line.rstrip().rstrip(b",") for line in lines if line.startswith(b"  {")]
            json.loads(b"[" + b",".join(found) + b"]")


def main() -> None:
    path = Path(sys.argv[1])
    for way in (digest, digest_and_match, parse):
        begun = process_time()
        way(path)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f"{way.__name__}: {process_time() - begun:.2f} s, {peak:.0f} MB")


if __name__ == "__main__":
    main()
