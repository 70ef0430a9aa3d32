"""Draw the figures of docs/gallery.md with the commands that the page shows: python docs/figures/gallery.py [FOLDER].

Every block of the language `sh` is one command, and draws one figure. All are run with `--dpi 80`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "figures" / "gallery"
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
DPI = "80"


def commands(page: str) -> list[list[str]]:
    """Return the words of each command of the page."""
    return [shlex.split(block.replace("\\\n", " ")) for block in BLOCK.findall(page)]


def figure_of(command: list[str]) -> tuple[str, str]:
    """Return the kind, which may be empty for the default, and the name of the file that a command draws."""
    kind, _, name = command[command.index("--plot") + 1].rpartition(":")
    return kind, name


def main(folder: Path) -> None:
    """Draw every figure in a folder."""
    folder.mkdir(exist_ok=True)
    for _, *words in commands(PAGE.read_text(encoding="utf-8")):
        kind, name = figure_of(words)
        words[words.index("--plot") + 1] = f"{kind}:{folder / name}" if kind else str(folder / name)
        command = [sys.executable, "-m", "rocconf", *words, "--dpi", DPI, "--isolated", "-q"]
        around = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=around)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER)
