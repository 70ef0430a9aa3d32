"""Run the command in this process, as a process of its own would run it, in a tenth of the time.

Status, standard output and standard error are those of a process. What a run changes is restored afterwards.
"""

import gc
import os
import signal
import sys
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parents[1]

BEFORE = {number: signal.getsignal(number) for number in signal.valid_signals()}
import rocconf.__main__ as entry  # noqa: E402  # it takes the signals of a process, which here are pytest's

for number, handler in BEFORE.items():
    if signal.getsignal(number) != handler:
        signal.signal(number, handler)

SAME = {"PYTHONPATH": str(ROOT), "COLUMNS": "80", "PYTHONWARNINGS": "error"}
"""What is the same in all runs, and set once: a thread of polars that reads a variable while one is set may crash."""

os.environ.update(SAME)

application = import_module("rocconf.cli.app")
built = cache(application.built)  # building a command takes a quarter of a short run


@dataclass(frozen=True)
class Ran:
    """What a run left behind."""

    status: int
    out: str
    err: str


def environment(**more):
    """Return the environment in which every test runs the command."""
    return {**os.environ, **SAME, **more}


@contextmanager
def environment_of(wanted):
    """Set the variables that differ, and then those that differ from before."""
    before = dict(os.environ)
    _set_what_differs(wanted)
    try:
        yield
    finally:
        _set_what_differs(before)


def _set_what_differs(wanted):
    for name in os.environ.keys() - wanted.keys():
        del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


def run_in_process(arguments, *, folder, env=None, stdin=""):
    """Run `python -m rocconf` with these arguments in a folder."""
    file = tempfile.TemporaryFile
    with file() as typed, file() as out, file() as err:
        typed.write(stdin.encode())
        typed.seek(0)
        with _standard_streams(typed, out, err), _surroundings(arguments, folder, environment(**(env or {}))):
            status = _status()
        return Ran(status, _text(out), _text(err))


def _status():
    """Return the status with which `rocconf.__main__.program` would end the process."""
    try:
        entry.main()
    except SystemExit as stop:
        if isinstance(stop.code, int):
            return stop.code
    return entry.CANNOT_RUN


@contextmanager
def _standard_streams(*files):
    """Replace the three standard streams, for Python and for libraries that write to their descriptors."""
    kept = [os.dup(descriptor) for descriptor in range(3)]
    try:
        for descriptor, file in enumerate(files):
            os.dup2(file.fileno(), descriptor)
        stdin, stdout, stderr = (
            open(descriptor, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115  # their descriptors stay open
            for descriptor, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
        )
        with patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr):
            yield
            for stream in (stdout, stderr):
                stream.flush()
    finally:
        for descriptor, stream in enumerate(kept):
            os.dup2(stream, descriptor)
            os.close(stream)


@contextmanager
def _surroundings(arguments, folder, env):
    """Set what a process starts with."""
    here, program = Path.cwd(), sys.modules["__main__"]
    os.chdir(folder)
    sys.modules["__main__"] = entry  # where the name of the program in a usage line is taken from
    try:
        with (
            patch.object(sys, "argv", [entry.__file__, *map(str, arguments)]),
            environment_of(env),
            patch.object(application, "built", built),
            warnings.catch_warnings(action="error"),
        ):
            yield
    finally:
        sys.modules["__main__"] = program
        os.chdir(here)
        gc.enable()  # which a run, being short, switches off


def _text(stream):
    """Return what was written, with the ends of lines as `subprocess` returns them."""
    stream.seek(0)
    return stream.read().decode().replace("\r\n", "\n").replace("\r", "\n")
