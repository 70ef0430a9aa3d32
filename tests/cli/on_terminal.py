"""Run commands in this process on a pseudo-terminal: starting a process for each would take most of the time."""

import fcntl
import io
import os
import pty
import struct
import sys
import termios
import threading
from dataclasses import dataclass
from unittest import mock

import typer
from in_process import environment_of
from rich.cells import cell_len

from rocconf.cli import stderr
from rocconf.cli.app import app
from rocconf.errors import RocconfError


@dataclass(frozen=True)
class Screen:
    """What a terminal of some size shows after a command."""

    status: int
    text: str
    width: int

    @property
    def lines(self):
        return self.text.splitlines()

    @property
    def height(self):
        """Return the number of lines on the screen, those that wrap counted as often as they do."""
        return sum(max(-(-cell_len(line) // self.width), 1) for line in self.lines)


def run_on_terminal(*arguments, size=(80, 24)):
    """Run a command and return what the terminal shows."""
    ours, theirs = pty.openpty()
    width, height = size
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    found = []
    reader = threading.Thread(target=_read, args=(ours, found))
    reader.start()
    stderr.said.clear()
    variables = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with (
        io.open(os.dup(theirs), "w", encoding="utf-8", closefd=True) as out,  # noqa: UP020  # `open` is for paths
        io.open(theirs, "w", encoding="utf-8", closefd=True) as err,  # noqa: UP020  # as above
        environment_of(variables | {"TERM": "dumb"}),
        mock.patch.multiple(sys, stdout=out, stderr=err, argv=["rocconf", *map(str, arguments)]),
    ):
        status = _status(arguments)
    reader.join()
    os.close(ours)
    return Screen(status, b"".join(found).decode().replace("\r\n", "\n"), width)


def _status(arguments):
    try:
        returned = typer.main.get_command(app).main(
            args=[str(part) for part in arguments], prog_name="rocconf", standalone_mode=False
        )
    except RocconfError as error:
        sys.stderr.write(f"rocconf: {error.text('shell')}\n")
        return 2
    except SystemExit as stop:
        return stop.code
    return returned


def _read(terminal, found):
    try:
        while piece := os.read(terminal, 1 << 16):
            found.append(piece)
    except OSError:
        pass  # how Linux reports that the terminal is closed
