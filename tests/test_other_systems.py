"""What Linux has and other systems lack: signals, modules, pipes and renames; here it is taken away."""

import errno
import importlib.util
import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLE_DATA, environment

from rocconf.cli.outlet import to_stdout
from rocconf.errors import RocconfError, is_closed_pipe
from rocconf.report import replacing

POSIX_ONLY = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty")
WITHOUT_POSIX = f"""
import sys
for name in {[name for name in POSIX_ONLY if name != "posix"]!r}:
    sys.modules[name] = None  # an import fails
import os, signal
for name in ("fork", "getuid", "geteuid", "getppid", "killpg", "mkfifo", "sched_getaffinity", "getloadavg", "register_at_fork"):
    if hasattr(os, name):
        delattr(os, name)
kept = {{"SIGINT", "SIGTERM", "SIGABRT", "SIGFPE", "SIGILL", "SIGSEGV"}}
for name in [name for name in dir(signal) if name.startswith("SIG") and name.isupper() and name not in kept]:
    if not name.startswith("SIG_"):
        delattr(signal, name)
"""


@pytest.mark.thorough
def test_a_run_needs_nothing_that_only_posix_has(tmp_path):
    code = WITHOUT_POSIX + "sys.argv = ['rocconf', *sys.argv[1:]]\nfrom rocconf.__main__ import program\nprogram()\n"
    words = ["sweep", str(SAMPLE_DATA / "hypothyroid.csv"), "--score", "F", "--isolated", "--require", "auc >= 0.9"]
    words += ["-o", "report.json", "-o", "rows.csv", "-o", "report.md", "--plot", "roc.png", "-q"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "report.md", "roc.png", "rows.csv"]


def test_no_module_of_the_package_imports_what_only_posix_has():
    for path in (ROOT / "rocconf").rglob("*.py"):
        words = set(path.read_text(encoding="utf-8").replace(",", " ").split())
        assert not (words & {f"import {name}" for name in POSIX_ONLY})
        assert "os.fork" not in words


@pytest.fixture
def entry_point():
    """Return a function that loads the entry point as Python does at a start."""
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}

    def load():
        spec = importlib.util.spec_from_file_location("entry_point", ROOT / "rocconf" / "__main__.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield load
    for number, handler in handlers.items():
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


def test_a_system_with_few_signals_ends_at_those_it_has(monkeypatch, entry_point):
    for name in ("SIGHUP", "SIGQUIT", "SIGALRM", "SIGXCPU", "SIGUSR1", "SIGUSR2"):
        monkeypatch.delattr(signal, name, raising=False)
    if not hasattr(signal, "SIGBREAK"):  # that of Ctrl-Break
        monkeypatch.setattr(signal, "SIGBREAK", signal.SIGWINCH, raising=False)
    module = entry_point()
    ended = []
    monkeypatch.setattr(module, "_exit", ended.append)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK):
        signal.raise_signal(number)
    assert ended == [128 + signal.SIGINT, 128 + signal.SIGTERM, 128 + signal.SIGBREAK]


def test_a_system_without_posix_functions_of_c_is_no_crash(monkeypatch, entry_point):
    import ctypes

    def refuse(_):
        raise TypeError("bad argument type for built-in operation")

    module = entry_point()
    monkeypatch.setattr(ctypes, "CDLL", refuse)
    module._exit_of_libraries_is_a_crash()  # noqa: SLF001  # a part of the start


def test_windows_reports_a_closed_pipe_as_an_invalid_argument(monkeypatch):
    invalid = OSError(errno.EINVAL, "Invalid argument")
    assert not is_closed_pipe(invalid)
    assert is_closed_pipe(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert is_closed_pipe(invalid)
    assert not is_closed_pipe(OSError(errno.ENOSPC, "No space left on device"))


@pytest.mark.parametrize(("number", "fails"), [(errno.EINVAL, False), (errno.ENOSPC, True)])
def test_a_reader_that_has_gone_changes_nothing_on_windows(monkeypatch, tmp_path, number, fails):
    def write(_):
        raise OSError(number, "what Windows says")

    monkeypatch.setattr(sys, "platform", "win32")
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        if fails:
            with pytest.raises(RocconfError) as raised:
                to_stdout(write)
            assert raised.value.code == "stdout-failed"
        else:
            to_stdout(write)


def test_a_file_that_another_program_has_open_is_named_and_left(monkeypatch, tmp_path):
    target = tmp_path / "rows.csv"
    target.write_text("older", encoding="utf-8")

    def refuse(_, target):
        raise PermissionError(errno.EACCES, "Access is denied", str(target))

    monkeypatch.setattr(Path, "replace", refuse)  # as on Windows, where another program has the file open
    with (
        pytest.raises(RocconfError, match=r"rows\.csv: another program has the file open") as raised,
        replacing(target) as path,
    ):
        path.write_text("newer", encoding="utf-8")
    assert raised.value.code == "file-in-use"
    assert target.read_text(encoding="utf-8") == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_a_folder_that_cannot_be_written_is_still_named(monkeypatch, tmp_path):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("rocconf.report.files.os.open", refuse)
    with pytest.raises(RocconfError) as raised, replacing(tmp_path / "rows.csv"):
        pass
    assert raised.value.code == "directory-not-writable"


def test_lines_end_alike_on_every_system():
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="cp1252", newline="\r\n")  # standard output in a pipe on Windows
    stream.reconfigure(encoding="utf-8", newline="\n")
    stream.write("modèle–1\n")
    stream.flush()
    assert written.getvalue() == "modèle–1\n".encode()
    printed = (ROOT / "rocconf" / "cli" / "outlet.py").read_text(encoding="utf-8")
    assert 'reconfigure(encoding="utf-8", newline="\\n")' in printed
