"""Ten cases in two files, and what tests of `rocconf compare` read of its answers."""

import csv
import io
import json

from conftest import SAMPLE_DATA

DIS = SAMPLE_DATA / "dis.csv"
NAMED = ("--score", "S", "--score", "T", "--score", "F", "--score", "B")
"""All models of DIS by name, as rules need them."""
LABELS = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
FIRST = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]
SECOND = [0.9, 0.7, 0.75, 0.8, 0.3, 0.35, 0.6, 0.4, 0.1, 0.2]


def rows_of(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def write(folder, name, rows, header="id,label,score"):
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def write_two_files(folder):
    """Write the ten cases with a model in either file, the second in another order."""
    cases = list(zip("abcdefghij", LABELS, FIRST, SECOND, strict=True))
    write(folder, "old.csv", [(key, label, first) for key, label, first, _ in cases])
    shuffled = [cases[at] for at in (3, 9, 0, 6, 1, 8, 5, 2, 7, 4)]
    write(folder, "new.csv", [(key, label, second) for key, label, _, second in shuffled])
    return folder


def pairs_of(ran):
    answer = json.loads(ran.out)
    return {(pair["model"], pair["metric"], pair["at"]): pair for pair in answer["tables"]["pairs"]}
