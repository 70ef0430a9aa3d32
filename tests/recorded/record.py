"""Record what the commands of commands.txt do with the code of a tree, and compare two such recordings.

    python tests/recorded/record.py TREE FOLDER
    python tests/recorded/record.py --compare FOLDER1 FOLDER2

A refactoring changes no output if the recordings of the code before and after it are the same. Each command is run
by bash in a folder of its own, where `sample_data` is that of the tree and `in` holds small inputs that are made here.
Kept are the exit status, standard output, standard error and all files that it wrote; of a line that begins with
`tty: ` what a terminal of 80 by 24 shows. The folder's and the tree's paths are written as HERE and TREE.
"""

from __future__ import annotations

import csv
import difflib
import fcntl
import gzip
import hashlib
import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist

COMMANDS = Path(__file__).with_name("commands.txt")
TERMINAL = "tty: "
SECONDS, AT_ONCE, MOST_LINES = "120", 2, 60
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


@dataclass(frozen=True)
class Stage:
    """Where a recording is made: the tree, a temporary folder, and where the recording goes."""

    tree: Path
    root: Path
    kept: Path

    @property
    def inputs(self) -> Path:
        """The folder that every command has a copy of."""
        return self.kept / "in"

    def environment(self) -> dict[str, str]:
        """Say where the code is, and leave out all that differs between machines."""
        return {
            "PATH": f"{self.root / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.root),
            "MPLCONFIGDIR": str(self.root / "matplotlib"),
            "PYTHONPATH": str(self.tree),
            "PYTHONPYCACHEPREFIX": str(self.root / "compiled"),
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }


def record(tree: Path, kept: Path) -> None:
    """Run all commands with the code of a tree, and keep what they do."""
    if kept.exists() and any(kept.iterdir()):
        sys.exit(f"{kept}: is not empty")
    commands, begun = commands_of(COMMANDS.read_text(encoding="utf-8")), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="recording-") as temporary:
        stage = Stage(tree.resolve(), Path(temporary).resolve(), kept)
        set_up(stage)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            statuses = Counter(pool.map(lambda command: keep(stage, command), commands))
    found = ", ".join(f"{count} ended with {status}" for status, count in sorted(statuses.items()))
    sys.stdout.write(f"{len(commands)} commands in {time.monotonic() - begun:.0f} s: {found}\n")


def commands_of(text: str) -> list[str]:
    """Return the commands, a line each; a line that begins with # says what follows."""
    commands = [line for line in text.splitlines() if line and not line.startswith("#")]
    twice = [command for command, count in Counter(commands).items() if count > 1]
    if twice:
        sys.exit("\n".join(["these commands stand there twice:", *twice]))
    return commands


def set_up(stage: Stage) -> None:
    """Make the command `rocconf`, and the inputs."""
    program = stage.root / "bin" / "rocconf"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rocconf "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    home = 'import rocconf, matplotlib.font_manager; print(rocconf.__file__, end="")'  # fonts are looked for once
    said = subprocess.run([sys.executable, "-c", home], env=stage.environment(), capture_output=True, check=True)
    if not Path(said.stdout.decode()).is_relative_to(stage.tree):
        sys.exit(f"rocconf would be that of {said.stdout.decode()}")
    stage.inputs.mkdir(parents=True)
    write_inputs(stage.inputs)
    make_reports(stage)


def make_reports(stage: Stage) -> None:
    """Have the code of the tree write the reports that other commands read."""
    folder = stage.root / "reports"
    folder.mkdir()
    (folder / "in").symlink_to(stage.inputs.resolve())
    (folder / "sample_data").symlink_to(stage.tree / "sample_data")
    for command in REPORTS.strip().splitlines():
        status, texts = run(command, folder, stage.environment())
        if status not in (0, 1, 3):
            sys.exit(f"{command}: ended with {status}\n{texts['stderr'].decode()}")
    (stage.inputs / "sweep.json.zst").write_bytes(zst((stage.inputs / "sweep.json").read_bytes()))


def keep(stage: Stage, command: str) -> int:
    """Run one command, keep what it does, and return its exit status."""
    name = name_of(command)
    folder, kept = stage.root / name, stage.kept / name
    folder.mkdir()
    shutil.copytree(stage.inputs, folder / "in")
    (folder / "sample_data").symlink_to(stage.tree / "sample_data")
    if command.startswith(TERMINAL):
        status, texts = run_on_terminal(command.removeprefix(TERMINAL), folder, stage.environment())
    else:
        status, texts = run(command, folder, stage.environment())
    texts |= {"command": f"{command}\n".encode(), "status": f"{status}\n".encode()}
    texts |= {f"files/{path}": content for path, content in written(folder, stage.inputs).items()}
    for path, content in texts.items():
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        (kept / path).write_bytes(without_paths(content, stage, folder))
    shutil.rmtree(folder)
    return status


def name_of(command: str) -> str:
    """Name the folder of a command, the same wherever in the list it stands."""
    words = command.partition("rocconf ")[2].split()
    word = words[0] if words and words[0].replace("-", "").isalnum() else "rocconf"
    return f"{word.strip('-')}-{hashlib.sha256(command.encode()).hexdigest()[:8]}"


def run(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, dict[str, bytes]]:
    """Run a command away from any terminal."""
    line = ["timeout", SECONDS, "bash", "-c", command]
    done = subprocess.run(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, {"stdout": done.stdout, "stderr": done.stderr}


def run_on_terminal(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, dict[str, bytes]]:
    """Run a command on a terminal of 80 by 24, which alone says how wide it is."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**environment, "TERM": "xterm-256color"}
    del environment["COLUMNS"]
    line = ["timeout", SECONDS, "bash", "-c", command]
    with subprocess.Popen(line, cwd=folder, env=environment, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        screen = b"".join(iter(lambda: shown_on(ours), b""))
    os.close(ours)
    return process.returncode, {"screen": screen}


def shown_on(terminal: int) -> bytes:
    """Return what a terminal shows next, nothing once nobody writes to it."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def written(folder: Path, inputs: Path) -> dict[str, bytes]:
    """Return the files that a command wrote or changed, and say which inputs are gone."""
    before = {f"in/{path}": content for path, content in files_in(inputs).items()}
    after = files_in(folder)
    found = {path: content for path, content in after.items() if before.get(path) != content}
    return found | {f"{path}.removed": b"" for path in before if path not in after}


def files_in(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold; links to folders are not followed."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "sample_data" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def without_paths(content: bytes, stage: Stage, folder: Path) -> bytes:
    """Write the paths of this run as words, in texts only."""
    for path, word in ((folder, b"HERE"), (stage.root, b"ROOT"), (stage.tree, b"TREE")):
        if is_text(content):
            content = content.replace(str(path).encode(), word)
    return content


def is_text(content: bytes) -> bool:
    """Whether bytes are text."""
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


def compare(first: Path, second: Path) -> int:
    """Say every difference of two recordings, and return how many commands differ."""
    ones, others = files_of(first), files_of(second)
    differing = [path for path in ones.keys() | others.keys() if ones.get(path) != others.get(path)]
    commands = {path.partition("/")[0] for path in ones.keys() | others.keys()} - {"in"}
    said = ""
    for path in sorted(differing, key=lambda path: (not path.startswith("in/"), path)):
        name, _, file = path.partition("/")
        if name != said:
            command = ones.get(f"{name}/command") or others.get(f"{name}/command", b"what is in in/\n")
            sys.stdout.write(f"\n=== {name}: {command.decode()}")
        said = name
        sys.stdout.writelines(f"{line}\n" for line in difference(file, ones.get(path), others.get(path)))
    found = {path.partition("/")[0] for path in differing}
    inputs = ", and inputs" * ("in" in found)
    count = len(found - {"in"})
    sys.stdout.write(f"{len(commands)} commands: {count} differ{inputs} ({len(differing)} files)\n")
    return len(found)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a recording."""
    if not folder.is_dir():
        sys.exit(f"{folder}: is no recording")
    return files_in(folder)


def difference(file: str, one: bytes | None, other: bytes | None) -> list[str]:
    """Say how two versions of a file differ."""
    if one is None or other is None:
        return [f"--- {file}: only in the {'second' if one is None else 'first'}"]
    if file.endswith(".png"):
        return [f"--- {file}: {difference_of_pixels(one, other)}"]
    if not (is_text(one) and is_text(other)):
        return [f"--- {file}: differs ({len(one)} and {len(other)} bytes)"]
    lines = (content.decode().splitlines() for content in (one, other))
    found = list(difflib.unified_diff(*lines, f"{file} (first)", f"{file} (second)", lineterm="", n=1))
    return found if len(found) <= MOST_LINES else [*found[:MOST_LINES], f"... and {len(found) - MOST_LINES} more lines"]


def difference_of_pixels(one: bytes, other: bytes) -> str:
    """Say whether two pictures look the same."""
    from matplotlib.image import imread

    first, second = (imread(io.BytesIO(content)) for content in (one, other))
    if first.shape != second.shape:
        return f"pixels differ (sizes {first.shape[1]}x{first.shape[0]} and {second.shape[1]}x{second.shape[0]})"
    count = int((first != second).any(axis=-1).sum())
    return f"pixels differ ({count} of {first.shape[0] * first.shape[1]})" if count else "only what is not seen differs"


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


def main(arguments: list[str]) -> None:
    """Record, or compare two recordings."""
    match arguments:
        case ["--compare", first, second]:
            sys.exit(compare(Path(first), Path(second)) > 0)
        case [tree, folder] if not tree.startswith("-"):
            record(Path(tree), Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
