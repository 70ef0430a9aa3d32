"""Measure `rocconf count` of rounded scores of parquet, the floor, DuckDB's GROUP BY and what a digest takes alone.

`python benchmarks/counting.py`, or with `--file FILE` of columns label and score of at most five decimals. Processor
seconds are the steadier figures where other processes run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from contest import timed
from workloads import Data, rocconf

HERE = Path(__file__).resolve().parent
NAMED = ("--label", "label", "--score", "score", "--quiet")
COUNTED = ("floor/counting.py", "peers/duckdb_counts.py")


def main() -> None:
    options = _arguments()
    path = options.file or Data("parquet", options.rows, "rounded").ensure(options.data, _log)
    file = str(path.resolve())
    scripts = {name: (sys.executable, str(HERE / name), file) for name in (*COUNTED, "floor/digest.py")}
    commands = {
        "rocconf, counts with the digest of the file": rocconf("count", file, *NAMED, "-o", "counts.parquet"),
        "rocconf, counts as csv, which has no digest": rocconf("count", file, *NAMED, "-o", "counts.csv"),
        "floor: polars batches and numpy.bincount": scripts["floor/counting.py"],
        "duckdb GROUP BY": scripts["peers/duckdb_counts.py"],
        "SHA-256 alone": scripts["floor/digest.py"],
    }
    _require_agreement(file, [scripts[name] for name in COUNTED])
    print("| work | seconds | processor seconds | peak, MB |\n| --- | ---: | ---: | ---: |")
    turns: dict[str, list[tuple[float, float, int]]] = {work: [] for work in commands}
    for _ in range(options.repeat):
        for work, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                turns[work].append(timed(command, Path(folder)))
    for work, measured in turns.items():
        seconds, processor, peak = (list(column) for column in zip(*measured, strict=True))
        print(f"| {work} | {min(seconds):.2f} | {min(processor):.2f} | {max(peak) / 1e6:.0f} |")


def _require_agreement(file: str, peers: list[tuple[str, ...]]) -> None:
    """Refuse to time wrong answers."""
    with tempfile.TemporaryDirectory() as folder:
        _output(*rocconf("count", file, *NAMED, "-o", f"models:{folder}/models.json"))
        (model,) = json.loads(Path(folder, "models.json").read_text())
    n, positives, scores = (model[name] for name in ("n", "positives", "scores"))
    expected = {"positives": positives, "negatives": n - positives, "scores": scores}
    for peer in peers:
        found = json.loads(_output(*peer))
        if found != expected:
            sys.exit(f"benchmarks: {peer[1]} counted {found}, not {expected}")


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--data", type=Path, default=Path("out/bench"))
    return parser.parse_args()


def _log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
