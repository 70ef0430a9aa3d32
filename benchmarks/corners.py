"""The corners in which a command once took long: its time now, and the goal.

A goal is a time on a machine on which scikit-learn sweeps a csv of a million rows in 0.97 s; it is scaled by the time
that takes here.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from contest import timed
from data import frame_of_several, usual_frame

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
YARDSTICK = 0.97
"""The seconds of scikit-learn on the machine of the goals."""

NAMED = ("--label", "label", "--score")


@dataclass(frozen=True)
class Corner:
    """Some work, its goal in seconds at a million rows, and the command."""

    title: str
    goal: float
    command: tuple[str, ...]


CORNERS = [
    Corner(
        "two models compared, --bootstrap 1000",
        3.5,
        ("compare", "two.csv", *NAMED, "new_1", "--score", "new_2", "--bootstrap", "1000"),
    ),
    Corner("drift, 999 relabellings", 2.5, ("sensibility", "new.csv", "--reference", "old.csv", *NAMED, "score")),
    Corner(
        "a rule on average precision",
        2.0,
        ("sweep", "one.csv", *NAMED, "score", "--require", "average_precision >= 0.1"),
    ),
    Corner("report.json", 0.24, ("sweep", "one.csv", *NAMED, "score", "-o", "out.json")),
    Corner("rows as ndjson", 1.5, ("sweep", "one.csv", *NAMED, "score", "-o", "rows:out.ndjson")),
    Corner("rows as csv.gz", 1.75, ("sweep", "one.csv", *NAMED, "score", "-o", "rows:out.csv.gz")),
    Corner("37 columns, commas in quotes", 0.68, ("sweep", "wide.csv", *NAMED, "score")),
    Corner("two files joined by ids of text", 0.70, ("compare", "new.csv", "old.csv", "--id", "id", *NAMED, "score")),
    Corner("20 models, parquet", 0.75, ("compare", "twenty.parquet", "--label", "label", "--all-pairs")),
]


def make_data(folder: Path, rows: int) -> None:
    """Write the files that are not there."""
    makers: dict[str, Callable[[], pl.DataFrame]] = {
        "one.csv": lambda: usual_frame(rows),
        "two.csv": lambda: frame_of_several(rows, 2),
        "old.csv": lambda: usual_frame(rows).with_columns(score=pl.Series(_other_scores(rows))),
        "new.csv": lambda: usual_frame(rows).sample(fraction=1, shuffle=True, seed=1),
        "wide.csv": lambda: usual_frame(rows).with_columns(
            pl.format("{}, of {}", "id", "region").alias("note"), *(pl.lit(at).alias(f"c{at}") for at in range(31))
        ),
        "twenty.parquet": lambda: frame_of_several(rows, 20),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in makers.items():
        path = folder / name
        if path.exists():
            continue
        print(f"making {path}", file=sys.stderr)
        if path.suffix == ".csv":
            make().write_csv(path)
        else:
            make().write_parquet(path)


def _other_scores(rows: int) -> np.ndarray:
    random = np.random.default_rng(3)
    return (usual_frame(rows)["score"].to_numpy() + 0.05 * random.random(rows)).round(9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--data", type=Path, default=Path("out/bench/corners"))
    parser.add_argument("--program", default=str(Path(sys.executable).with_name("rocconf")))
    options = parser.parse_args()
    folder = options.data / str(options.rows)
    make_data(folder, options.rows)
    peer = (sys.executable, str(HERE / "peers" / "pandas_sklearn.py"), str(folder / "one.csv"))
    scale = min(timed(peer)[0] for _ in range(options.repeat)) / YARDSTICK * options.rows / 1e6
    print("| work | now, s | cores, s | MB | goal, s | |\n| --- | ---: | ---: | ---: | ---: | --- |")
    for corner in CORNERS:
        command = [str(folder / word) if word.endswith((".csv", ".parquet")) else word for word in corner.command]
        command = [options.program, *command, "--format", "table", "-q"]
        turns = [timed(command, folder=folder) for _ in range(options.repeat)]
        seconds, goal = min(turn[0] for turn in turns), corner.goal * scale
        cores, peak = min(turn[1] for turn in turns), max(turn[2] for turn in turns) / 1e6
        met = "met" if seconds <= goal else "NOT MET"
        print(f"| {corner.title} | {seconds:.2f} | {cores:.2f} | {peak:.0f} | {goal:.2f} | {met} |", flush=True)


if __name__ == "__main__":
    main()
