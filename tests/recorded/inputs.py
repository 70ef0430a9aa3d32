"""The inputs of recorded commands: small tables, configurations, and the commands that write reports."""

from __future__ import annotations

import csv
import gzip
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TOGETHER, PACKED_LARGE, PLAIN_LARGE = 0.6, 45_000, 80_000
"""How alike the models of a file are, and how many rows make the engines for larger files read them."""

TEXTS = {
    "empty.csv": "",
    "header.csv": "label,score\n",
    "headless.csv": "1,0.9\n0,0.3\n1,0.4\n",
    "ragged.csv": "label,score\n1,0.9\n0,0.3,7\n1\n0,0.1\n",
    "nan.csv": "id,label,score\n1,1,0.9\n2,0,nan\n3,1,\n4,0,0.2\n5,,0.7\n",
    "bad_score.csv": 'label,score\n1,0.9\n0,high\nmaybe,0.3\n1,\n0,"0,5"\n0,1e999\n1,x\n',
    "bad_labels.csv": "label,score\n1,0.9\n0,0.2\n2,0.3\n3,0.4\n",
    "one_class.csv": "label,score\n1,0.9\n1,0.3\n",
    "twice.csv": "id,label,score\na,1,0.9\nb,0,0.3\na,0,0.2\n,1,0.4\nb,1,0.4\n",
    "two_labels.csv": "label,target,score\n1,1,0.9\n0,0,0.3\n",
    "two_scores.csv": "label,score,prob\n1,0.9,0.8\n0,0.3,0.4\n",
    "two_alike.csv": "label,score,score\n1,0.9,0.8\n0,0.3,0.4\n",
    "no_label.csv": "sick,score\n1,0.9\n0,0.3\n",
    "no_score.csv": "id,label,word\n1,1,a\n2,0,b\n",
    "quotes.csv": 'label,score\n1,"0.9\n0,0.3\n',
    "labels.csv": "label,score\n1,1\n0,0\n1,0\n0,0\n1,1\n0,1\n",
    "perfect.csv": "label,score\n1,0.9\n1,0.8\n1,0.7\n0,0.3\n0,0.2\n0,0.1\n",
    "tied.csv": "label,score\n" + "1,0.5\n0,0.5\n0,0.5\n" * 4,
    "reversed.csv": "label,score\n1,0.1\n1,0.3\n1,0.2\n0,0.25\n0,0.7\n0,0.9\n0,0.8\n",
    "infinite.csv": "label,score\n1,inf\n1,2.5\n0,1e300\n1,-3\n0,-inf\n0,-Infinity\n0,2.5\n1,7\n",
    "rare.csv": "label,A,B\n1,0.8,0.4\n" + "".join(f"0,0.{k}5,0.{9 - k}\n" for k in range(10)),
    "perfect_pair.csv": "label,A,B\n1,0.9,0.8\n1,0.8,0.9\n1,0.7,0.6\n0,0.3,0.1\n0,0.2,0.2\n0,0.1,0.3\n",
    "wrong.csv": "label,score\n1,0.1\n1,0.2\n0,0.8\n0,0.9\n",
    "counts.csv": "score,positives,negatives\n0.9,5,0\n0.7,4,2\n0.5,3,6\n0.3,1,9\n0.1,0,14\n",
    "counts_models.csv": "model,score,positives,negatives\nold,2,6,1\nold,1,2,5\nold,0,2,9\nnew,2,7,2\nnew,1,3,13\n",
    "bad_counts.csv": "score,positives,negatives\n0.9,5,0\n0.7,-4,2\n0.5,3,1.5\nx,1,\n",
    "one_class_counts.csv": "score,positives,negatives\n0.9,5,0\n0.7,4,0\n",
    "no_json.json": "{never closed",
    "no_schema.json": '{"rows": []}\n',
    "newer.json": '{"schema": "rocconf/sweep/999"}\n',
    "hollow.json": '{"schema": "rocconf/sweep/1", "options": {}, "tables": {"models": []}}\n',
    "damaged.parquet": "PAR1 and no more",
}

CONFIGURATIONS = {
    "rules.toml": """
[data]
label = "label"
[[gate]]
command = "sweep"
name = "ranks well"
metric = "auc"
op = ">="
value = 0.6
[[gate]]
command = "sweep"
name = "finds enough of the old"
metric = "tpr"
at = "threshold=0.4"
op = ">="
value = 0.2
level = 0.8
where = { age = "50+" }
[[gate]]
command = "sweep"
name = "few alarms at C, which has no negatives"
metric = "fpr@threshold=0.5"
op = "<="
value = 0.5
where = { site = "C" }
severity = "warn"
on_undefined = "fail"
[[gate]]
command = "sweep"
metric = "precision@threshold=2"
op = ">="
value = 0.5
on_undefined = "pass"
[[gate]]
command = "tango"
metric = "confident_points"
op = ">="
value = 3
[[gate]]
command = "chi2-contours"
metric = "max_chi2_p"
op = "<="
value = 0.05
[[gate]]
command = "sensibility"
metric = "struggle_ratio.point"
op = "<="
value = 0.9
severity = "warn"
[[gate]]
command = "compare"
metric = "delta_auc"
op = ">="
value = -0.2
where = ["age=50+"]
""",
    "data.toml": """
[data]
label = "state"
score = "risk"
id = "patient"
positive = "sick"
where = "ward=north"
na = "drop"
delimiter = "semicolon"
""",
    "lower.toml": '[data]\nscore = ["p"]\nlower_is_positive = true\n',
    "auc.toml": '[[gate]]\ncommand = "sweep"\nname = "ranks"\nmetric = "auc"\nop = ">="\nvalue = 0.5\n',
    "of_tango.toml": '[[gate]]\ncommand = "tango"\nmetric = "n"\nop = "=="\nvalue = 60\n',
    "chosen.toml": """
[[gate]]
command = "sweep"
metric = "tpr"
at = "youden"
op = ">="
value = 0.2
where = { age = "<50" }
""",
    "pyproject.toml": """
[project]
name = "a-model"
[tool.rocconf.data]
score = "B"
[[tool.rocconf.gate]]
command = "sweep"
metric = "auc[B]"
op = ">"
value = 0.55
""",
    "empty_pyproject/pyproject.toml": '[project]\nname = "a-model"\n',
    "unknown_key.toml": '[data]\nscores = "A"\n',
    "unknown_table.toml": "[gates]\nx = 1\n",
    "unknown_command.toml": '[[gate]]\ncommand = "sweeps"\nmetric = "auc"\nop = ">="\nvalue = 0.5\n',
    "no_value.toml": '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\n',
    "bad_severity.toml": ('[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.5\nseverity = "fatal"\n'),
    "two_points.toml": ('[[gate]]\ncommand = "sweep"\nmetric = "tpr@youden"\nat = "youden"\nop = ">="\nvalue = 0.5\n'),
    "bad_metric.toml": '[[gate]]\ncommand = "tango"\nmetric = "caucs"\nop = ">="\nvalue = 0.5\n',
    "bad_type.toml": '[data]\nlower_is_positive = "yes"\n',
    "no_toml.toml": "[data\n",
}

REPORTS = """
rocconf sweep in/small.csv --at threshold=0.5 --at youden --require 'auc >= 0.6' \
  --require 'tpr@threshold=0.5 >= 0.6' -o in/sweep.json -o in/sweep.json.gz
rocconf sweep in/small.csv -o in/bare.json
rocconf sweep in/other.csv --at youden --choose-on in/small.csv -o in/elsewhere.json
rocconf sweep in/small.csv --level 0.9 -o in/level.json
rocconf sweep in/small.csv --config in/rules.toml -o in/slices.json
rocconf sweep in/small.csv --config in/chosen.toml --allow-in-sample -o in/chosen.json
rocconf sweep in/infinite.csv --at closest -o in/infinite.json
rocconf sweep in/models.csv --score B -o in/b.json
mkdir in/old in/new; rocconf sweep in/small.csv -o in/old/small.json
rocconf sweep in/other.csv -o in/new/small.json
rocconf tango in/models.csv --score A --score B --score C --bootstrap 60 --require 'cauc[A] >= 0.01' -o in/tango.json
rocconf tango in/models.csv --score A --score B --score C -o in/no_bootstrap.json
rocconf chi2-contours in/small.csv --permutations 99 --at threshold=0.5 -o in/chi2.json
rocconf chi2-contours --positives 5 --negatives 55 -o in/totals.json
rocconf sensibility in/small.csv --reference in/other.csv --permutations 99 --bootstrap 50 -o in/drift.json
rocconf sensibility in/small.csv --reference in/small.csv --permutations 99 --bootstrap 0 -o in/itself.json
rocconf compare in/models.csv --score A --score B --score C --baseline A --at threshold=0.5 --bootstrap 60 --max-fpr 0.2 \
  --require 'delta_auc >= -0.3' -o in/compare.json
rocconf compare in/models.csv --score A --score B --score C --all-pairs -o in/all_pairs.json
rocconf gate in/sweep.json -o in/gate.json
sed 's/"auc": [0-9.]*/"auc": 2.5/' in/bare.json > in/impossible.json
sed 's/"fp": [0-9]*, "fn"/"fp": 9999, "fn"/' in/bare.json > in/miscounted.json
sed 's/"auc_lower"/"auc_below"/' in/bare.json > in/lacking.json
head -c 700 in/sweep.json > in/cut.json; head -c 700 in/sweep.json.gz > in/cut.json.gz
"""
"""What makes the reports of `in`, with the code of the tree."""

Row = dict[str, object]


def write_inputs(folder: Path) -> None:
    """Write the inputs that no report is among."""
    for name, text in (TEXTS | CONFIGURATIONS).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    write_cases(folder)
    write_files_to_pair(folder)
    write_other_forms(folder)
    write_large(folder)


def write_cases(folder: Path) -> None:
    """Write cases of one model and of several."""
    write(folder / "small.csv", cases(1, 60, 18, ["score"]))
    write(folder / "other.csv", cases(2, 70, 28, ["score"], skill=1.1))
    write(folder / "few.csv", cases(3, 40, 3, ["score"], skill=0.4))
    write(folder / "fewer.csv", cases(10, 25, 2, ["score"], skill=0.4))
    write(folder / "models.csv", cases(4, 80, 24, ["A", "B", "C"]))
    write(folder / "others.csv", cases(5, 90, 30, ["A", "B", "C"]))
    write(folder / "many.csv", cases(6, 40, 15, [f"model{k}" for k in range(1, 13)]))
    write(
        folder / "raw.csv", [{**row, "score": 8 * float(str(row["score"])) - 3} for row in cases(1, 60, 18, ["score"])]
    )
    write(folder / "lower.csv", [{"label": row["label"], "p": row["B"]} for row in cases(7, 50, 30, ["B"], skill=-1.2)])
    drawn = [{"label": 0, "score": round(spread(k, 2), 3)} for k in range(200)]
    for name, near in (("low.csv", 0.1), ("high.csv", 0.9)):
        write(folder / name, [*drawn, *({"label": 1, "score": near + k / 100} for k in range(8))])
    write(folder / "alike.csv", [{**row, "A2": row["A"]} for row in cases(4, 80, 24, ["A"])])
    names = [
        "a|b *c* _d_ <e> $f$",
        "模型甲",
        "a name that is much too long, of the first",
        "a name that is much too long, of the second",
    ]
    write(folder / "names.csv", cases(8, 40, 15, names))


def write_files_to_pair(folder: Path) -> None:
    """Write files of the same cases, and of nearly the same."""
    rows = cases(9, 50, 20, ["A", "B"])
    one, other = ([{"id": row["id"], "label": row["label"], "score": row[model]} for row in rows] for model in "AB")
    write(folder / "one.csv", one)
    write(folder / "two.csv", other[::-1])
    write(folder / "two_rows.csv", [{"label": row["label"], "score": row["score"]} for row in other])
    write(folder / "two_missing.csv", other[2:])
    write(folder / "two_extra.csv", [*other, {"id": 99, "label": 1, "score": 0.5}])
    write(
        folder / "two_disagree.csv",
        [{**row, "label": 1 - int(str(row["label"]))} if k < 7 else row for k, row in enumerate(other)],
    )
    write(
        folder / "two_holes.csv", [{**row, "score": "" if k in (3, 8) else row["score"]} for k, row in enumerate(other)]
    )
    for name, its in (("before", one), ("after", other)):
        (folder / name).mkdir()
        write(folder / name / "model.csv", its)


def write_other_forms(folder: Path) -> None:
    """Write cases in other words, with other delimiters, as parquet and packed."""
    rows = cases(1, 60, 18, ["score"])
    ward, state = {"A": "north", "B": "south", "C": "north"}, ("well", "sick")
    words = [
        {
            "patient": f"p{row['id']}",
            "state": state[int(str(row["label"]))],
            "risk": "" if k == 5 else row["score"],
            "ward": ward[str(row["site"])],
        }
        for k, row in enumerate(rows)
    ]
    write(folder / "words.csv", words, delimiter=";")
    for name, delimiter in (("small.tsv", "\t"), ("pipe.csv", "|"), ("space.csv", " "), ("tab.csv", "\t")):
        write(folder / name, rows, delimiter=delimiter)
    raw = (folder / "small.csv").read_bytes()
    packed = {".gz": gzip.compress(raw, mtime=0), ".zst": zst(raw)}
    for suffix, content in packed.items():
        (folder / f"small.csv{suffix}").write_bytes(content)
        (folder / f"cut.csv{suffix}").write_bytes(content[: len(content) // 2])
    (folder / "gz.csv").write_bytes(packed[".gz"])
    (folder / "utf16.csv").write_bytes(raw.decode().encode("utf-16"))
    (folder / "latin.csv").write_bytes("label,score,wo\n1,0.9,Köln\n0,0.2,Bonn\n".encode("latin-1"))
    write_parquet(folder)


def write_parquet(folder: Path) -> None:
    """Write parquet, as it is, packed, with other types, and cut short."""
    import polars as pl

    cases_, counts = pl.read_csv(folder / "small.csv"), pl.read_csv(folder / "counts.csv")
    cases_.write_parquet(folder / "small.parquet")
    counts.write_parquet(folder / "counts.parquet")
    cases_.with_columns(pl.col("label") == 1, pl.col("score").cast(pl.Float32)).write_parquet(folder / "types.parquet")
    cases_.with_columns(pl.when(pl.col("id") > 3).then("score").alias("score")).write_parquet(folder / "nulls.parquet")
    raw = (folder / "small.parquet").read_bytes()
    (folder / "small.parquet.gz").write_bytes(gzip.compress(raw, mtime=0))
    (folder / "cut.parquet").write_bytes(raw[: len(raw) // 2])


def write_large(folder: Path) -> None:
    """Write cases that are so many that other engines read them."""
    lines = [f"{k},{k * 7919 % 10 // 7},{spread(k, 11):.12f}\n" for k in range(1, PACKED_LARGE)]
    large = gzip.compress(("id,label,score\n" + "".join(lines)).encode(), 0, mtime=0)
    (folder / "large.csv.gz").write_bytes(large)
    lines = [f"{k * 7919 % 10 // 7},{spread(k, 3):.10f}\n" for k in range(1, PLAIN_LARGE)]
    (folder / "plain.csv").write_text("label,score\n" + "".join(lines), encoding="utf-8")


def cases(seed: int, n: int, positives: int, models: list[str], *, skill: float = 1.4) -> list[Row]:
    """Make cases with scores of two digits, so that some tie, and with columns to slice by."""
    rows: list[Row] = []
    for k in range(1, n + 1):
        label = int(k * 7919 % n < positives)
        common = NormalDist().inv_cdf(spread(k, seed + 1))
        row: Row = {"id": k, "label": label}
        for at, model in enumerate(models):
            own = NormalDist().inv_cdf(spread(k, seed + 2 + at))
            latent = skill * (label - 0.5) * (1 + at / 9) + TOGETHER * common + sqrt(1 - TOGETHER**2) * own
            row[model] = round(NormalDist().cdf(latent), 2)
        rows.append({**row, "age": ("<50", "50+")[k % 2], "site": "C" if label and k % 4 == 0 else "AB"[k % 3 > 0]})
    return rows


def spread(k: int, seed: int) -> float:
    """Return the k-th number of a sequence that fills what lies between 0 and 1."""
    return k * sqrt(seed * seed + 1) % 1


def write(path: Path, rows: list[Row], *, delimiter: str = ",") -> None:
    """Write a table as text."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def zst(content: bytes) -> bytes:
    """Pack bytes."""
    import zstandard

    return zstandard.ZstdCompressor().compress(content)
