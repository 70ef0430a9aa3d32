"""Record what the commands of commands.txt do with the code of a tree, and compare two such recordings.

    python tests/recorded/record.py TREE FOLDER
    python tests/recorded/record.py --compare FOLDER1 FOLDER2

A refactoring changes no output if the recordings of the code before and after it are the same. Each command is run
by bash in a folder of its own, where `sample_data` is that of the tree and `in` holds small inputs that are made here.
Kept are the exit status, standard output, standard error and all files that it wrote; of a line that begins with
`tty: ` what a terminal of 80 by 24 shows. The folder's and the tree's paths are written as HERE and TREE.
"""

from __future__ import annotations

import difflib
import fcntl
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
from pathlib import Path

from inputs import REPORTS, write_inputs, zst

COMMANDS = Path(__file__).with_name("commands.txt")
TERMINAL = "tty: "
SECONDS, AT_ONCE, MOST_LINES = "120", 2, 60


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
