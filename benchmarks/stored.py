"""The data files of the benchmarks, each made when it is first needed.

They are made in other processes: the memory of this one would count as that of every contestant.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).resolve().parent
NAMED = re.compile(r"@(\w+)\.(\w+)")
QUIETLY = ("--format", "table", "--isolated", "-q")
"""The options of every command that is measured: in a pipe it would print every row."""

REPORT = "report"
"""The form of the saved report with a row for each threshold of the usual cases."""


@dataclass(frozen=True)
class Data:
    """A file of data."""

    suffix: str
    rows: int
    form: str = "1"
    """The number of models, or a form of data.py, as `usual` for a file that also has ids, times and texts."""

    def path(self, folder: Path) -> Path:
        """Return the path of the file in a folder."""
        return folder / f"scores-{self.form}-{self.rows}.{self.suffix}"

    def ensure(self, folder: Path, log: Callable[[str], None]) -> Path:
        """Return the path of the file, which is made if it is not there."""
        path = self.path(folder)
        if not path.exists():
            log(f"making {path}")
            if self.form == REPORT:
                usual = Data("csv", self.rows, "usual").ensure(folder, log)
                _make_report(usual, path)
            else:
                making = [sys.executable, str(HERE / "data.py"), str(path), str(self.rows), self.form]
                subprocess.run(making, check=True)
        return path


def _make_report(usual: Path, path: Path) -> None:
    unfinished = path.with_name(f"unfinished-{path.name}")
    making = rocconf("sweep", str(usual), "--label", "label", "--score", "score", "--all", "-o", str(unfinished))
    # as csv: a table of a million rows, whose widths must be known first, takes minutes
    subprocess.run([*making, "--format", "csv", "--isolated", "-q"], check=True, stdout=subprocess.DEVNULL)
    unfinished.replace(path)


def rocconf(*arguments: str) -> tuple[str, ...]:
    """Return the command of rocconf: the installed script if there is one, else the module."""
    script = Path(sys.executable).with_name("rocconf")
    return (str(script), *arguments) if script.exists() else (sys.executable, "-m", "rocconf", *arguments)


def placed(command: Sequence[str], rows: int, folder: Path, log: Callable[[str], None]) -> tuple[str, ...]:
    """Return a command of rocconf whose files `@FORM.SUFFIX` are those of so many rows, which are made if need be."""

    def path_of(word: str) -> str:
        found = NAMED.fullmatch(word)
        return str(Data(found[2], rows, found[1]).ensure(folder.resolve(), log)) if found else word

    return (*rocconf(*map(path_of, command)), *QUIETLY)
