"""The examples of the documents: what they show is what running them prints. `make docs` refreshes them."""

import os
import pty
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def run_on_terminal(command, folder):
    """Run a shell command on a terminal of 80 columns and return what it shows."""
    ours, theirs = pty.openpty()
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    plain = {"PATH": path, "TERM": "dumb", "COLUMNS": "80", "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, env=plain, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:
        pass  # Linux tells the end of a terminal so
    process.wait()
    os.close(ours)
    return "\n".join(line.rstrip() for line in shown.decode().replace("\r\n", "\n").split("\n"))


def make_folder(folder):
    """Lay out what a newcomer has: sample_data and the command."""
    (folder / "sample_data").symlink_to(ROOT / "sample_data")
    (folder / "bin").mkdir()
    shim = folder / "bin" / "rocconf"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m rocconf "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)


def rerun(block, folder):
    """Run the commands of a block and return the block as it should read."""
    commands = re.findall(r"^\$ (.*(?:\\\n.*)*)", block, re.MULTILINE)
    return "".join(f"$ {command}\n{run_on_terminal(command, folder)}" for command in commands)


def refreshed(text):
    """Return a document with all its examples run anew."""
    with tempfile.TemporaryDirectory() as name:
        make_folder(Path(name))
        return BLOCK.sub(lambda found: f"```console\n{rerun(found[1], Path(name))}```", text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(refreshed(document.read_text(encoding="utf-8")), encoding="utf-8")
