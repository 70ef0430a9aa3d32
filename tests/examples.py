"""The console examples of the documents: commands and what they print. `make docs` refreshes them."""

import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def run_on_terminal(command, folder, installed=None):
    """Run a shell command on a terminal of 80 columns and return what is printed, by the code or an installed command."""
    import pty  # which Windows lacks

    ours, theirs = pty.openpty()
    path = f"{installed or folder / 'bin'}:{os.environ['PATH']}"
    variables = {"PATH": path, "TERM": "dumb", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    if installed is None:
        variables["PYTHONPATH"] = str(ROOT)
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    printed = b""
    try:
        while piece := os.read(ours, 1 << 16):
            printed += piece
    except OSError:
        pass  # how Linux reports that the terminal is closed
    process.wait()
    os.close(ours)
    return "\n".join(line.rstrip() for line in printed.decode().replace("\r\n", "\n").split("\n"))


def make_folder(folder):
    """Put sample_data, docs, the command and a Python that has it into a folder."""
    for name in ("sample_data", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "bin").mkdir()
    for name, command in (("rocconf", f"{sys.executable} -m rocconf"), ("python", sys.executable)):
        shim = folder / "bin" / name
        shim.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        shim.chmod(shim.stat().st_mode | stat.S_IXUSR)


def rerun(block, folder, installed=None):
    """Run the commands of a block and return the block with their output."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)", block, re.MULTILINE)
    return "".join(f"$ {command}\n{run_on_terminal(command, folder, installed)}" for command in commands)


def refreshed(text, installed=None):
    """Return a document with the current output of all its examples; `installed` is the folder of another command."""
    with tempfile.TemporaryDirectory() as name:
        make_folder(Path(name))
        return BLOCK.sub(lambda found: f"```console\n{rerun(found[1], Path(name), installed)}```", text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(refreshed(document.read_text(encoding="utf-8")), encoding="utf-8")
