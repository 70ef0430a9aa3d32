"""A run leaves at once when it is done or stopped, with the status that the shell expects, and leaves nothing undone."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import ROOT, SAMPLE_DATA, environment

PROGRAM = "from rocconf.__main__ import program; program()"
GATE = ("sweep", SAMPLE_DATA / "dis.csv", "--score", "S", "--require", "auc >= 0.55", "-q", "-o", "report.json")
"""A gate that passes."""

SCRIPT = "import sys; from rocconf.__main__ import program; sys.exit(program())"
"""What pip installs as bin/rocconf."""

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def test_what_libraries_leave_for_the_end_is_done(rocconf):
    code = f"import atexit, sys\natexit.register(print, 'tidied', file=sys.stderr)\n{PROGRAM}"
    ran = rocconf("--version", code=code)
    assert (ran.status, ran.out, ran.err) == (0, "rocconf 0.2.0\n", "tidied\n")


def test_nothing_is_taken_apart(rocconf):
    code = f"import sys\nclass Last:\n    def __del__(self): print('apart', file=sys.stderr)\nlast = Last()\n{PROGRAM}"
    assert rocconf("--version", code=code).err == ""


def test_a_failure_keeps_its_status(rocconf):
    assert rocconf("sweep", "missing.csv", code=PROGRAM).status == 2


def test_an_end_without_a_number_is_no_verdict(rocconf):
    code = f"import rocconf.__main__ as entry\ndef main(): raise SystemExit('broken')\nentry.main = main\n{PROGRAM}"
    assert rocconf(code=code).status == 2


def test_blas_starts_no_threads_unless_told_to(rocconf):
    code = "import os, sys\nfrom rocconf.__main__ import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
    code += "print(os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)"
    unset = f"import os\nos.environ.pop('OPENBLAS_NUM_THREADS', None)\n{code}"
    assert rocconf("--version", code=unset).err == "1\n"
    assert rocconf("--version", code=code, env={"OPENBLAS_NUM_THREADS": "2"}).err == "2\n"


@pytest.fixture
def signalled(rocconf, tmp_path):
    """Run the gate, and send it a signal while a module is imported by a library that swallows every exception."""

    def run(module, number, *, code=None):
        (tmp_path / "sitecustomize.py").write_text(
            "import os, sys\n"
            "class Finder:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            f"        if name == {module!r}:\n"
            "            try:\n"
            f"                os.kill(os.getpid(), {int(number)})\n"
            "                for _ in range(1000): pass\n"
            "            except BaseException: pass\n"
            "sys.meta_path.insert(0, Finder())\n",
            encoding="utf-8",
        )
        return rocconf(*GATE, code=code, env={"PYTHONPATH": f"{tmp_path}:{ROOT}"})

    return run


@pytest.mark.thorough
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("code", [None, SCRIPT], ids=["-m", "script"])
@pytest.mark.parametrize("module", ["rocconf.cli", "numpy", "rocconf.gate.verdict"])
def test_a_signal_while_importing_ends_with_its_status(signalled, tmp_path, module, code, number):
    ran = signalled(module, number, code=code)
    assert (ran.status, ran.out, ran.err) == (128 + number, "", "")
    assert not (tmp_path / "report.json").exists()


def test_a_signal_that_is_ignored_stays_ignored(tmp_path):
    code = f"import os\nimport rocconf.__main__\nos.kill(os.getpid(), {int(signal.SIGHUP)})\n{PROGRAM}"
    done = subprocess.run(
        ["nohup", sys.executable, "-c", code, "--version"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_writing_leaves_the_older_file_and_nothing_else(rocconf, tmp_path, number):
    (tmp_path / "rows.csv").write_text("older", encoding="utf-8")
    code = (
        "import os\nimport rocconf.__main__\nfrom rocconf.report import replacing\n"
        "with replacing('rows.csv') as temporary:\n"
        "    temporary.write_text('ne')\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "    for _ in range(1000): pass"
    )
    assert rocconf(code=code).status == 128 + number
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"rows.csv": "older"}


def test_a_signal_ends_the_spinner_first(rocconf):
    code = (
        "import os, time\nimport rich.console, rich.status\nimport rocconf.__main__\n"
        "from rocconf.cli import progress\nprogress.PATIENCE = 0\n"
        "with progress.waiting('reading', wanted=True):\n"
        f"    time.sleep(0.5)\n    os.kill(os.getpid(), {int(signal.SIGINT)})\n    time.sleep(5)"
    )
    ran = rocconf(code=code, env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert ran.status == 130
    assert ran.err.rindex("\x1b[?25h") > ran.err.rindex("\x1b[?25l")  # the cursor is shown again


@pytest.mark.skipif(os.name != "posix", reason="the C library is that of POSIX")
@pytest.mark.parametrize("status", [0, 1, 3])
def test_the_exit_of_a_library_is_no_verdict(rocconf, status):
    code = (
        "import ctypes\nimport rocconf.__main__ as entry\n"
        f"entry.main = lambda: ctypes.CDLL(None).exit({status})\n{PROGRAM}"
    )
    assert rocconf(code=code).status == 2


@pytest.mark.thorough
@pytest.mark.parametrize("megabytes", [30, 70, 80, 90, 95, 100, 110, 200])
def test_without_memory_there_is_no_verdict(tmp_path, megabytes):
    limit = megabytes << 20
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, GATE)],
        cwd=tmp_path,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),  # no threads here
        capture_output=True,
        check=False,
    )
    report = tmp_path / "report.json"
    if done.returncode == 0:
        assert json.loads(report.read_text(encoding="utf-8"))["verdict"] == "pass"
    else:
        assert done.returncode == 2 or done.returncode < 0 or done.returncode >= 128, done.stderr
        assert not report.exists()


@pytest.fixture
def damaged(rocconf, tmp_path):
    """Run the gate with a copy of the package in which a file is damaged."""

    def run(path, content):
        shutil.copytree(ROOT / "rocconf", tmp_path / "rocconf")
        (tmp_path / "rocconf" / path).write_bytes(content)
        return rocconf(*GATE, env={"PYTHONPATH": str(tmp_path)})

    return run


@pytest.mark.thorough
@pytest.mark.parametrize("content", [b"def", b"\x00", b"\xff", b"raise SystemExit(0)", b"import nowhere", b""])
@pytest.mark.parametrize("path", ["cli/__init__.py", "records.py", "gate/verdict.py", "report/machine.py"])
def test_a_damaged_module_is_no_verdict(damaged, tmp_path, path, content):
    ran = damaged(path, content)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: internal error: ")
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "report.json").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("flag", ["1", "2"])
def test_an_optimized_python_has_the_same_verdicts(rocconf, flag):
    assert rocconf(*GATE, env={"PYTHONOPTIMIZE": flag}).status == 0
    assert rocconf(*GATE, "--require", "auc >= 0.99", env={"PYTHONOPTIMIZE": flag}).status == 1


AT_EVERY_LINE = """
import os, pathlib, signal, sys
import rocconf.__main__
from rocconf.report import files

def write(number, at):
    lines = 0
    def trace(frame, event, argument):
        nonlocal lines
        if frame.f_code.co_filename not in (files.__file__, files.contextmanager.__code__.co_filename):
            return None
        lines += event == "line"
        if lines == at:
            lines += 1
            os.kill(os.getpid(), number)
        return trace
    sys.settrace(trace)
    with files.replacing("rows.csv") as temporary:
        temporary.write_text("new")
    sys.settrace(None)
    os._exit(0)

at, statuses = 0, []
while 0 not in statuses[-1:]:
    at += 1
    for number in (signal.SIGTERM, signal.SIGHUP):
        pathlib.Path("rows.csv").write_text("older")
        child = os.fork()
        if not child:
            write(number, at)
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        assert statuses[-1] in (0, 128 + number), statuses
        assert os.listdir() == ["rows.csv"], (at, os.listdir())
        assert pathlib.Path("rows.csv").read_text() in ("older", "new")
print(at)
"""


def test_a_signal_at_any_line_of_writing_leaves_a_whole_file_and_nothing_else(rocconf):
    ran = rocconf(code=AT_EVERY_LINE)
    assert (ran.status, ran.err) == (0, "")
    assert int(ran.out) > 30  # lines


@pytest.mark.parametrize("name", ["SIGQUIT", "SIGALRM", "SIGXCPU", "SIGUSR1", "SIGUSR2"])
def test_every_signal_that_asks_a_run_to_end_leaves_nothing_behind(rocconf, tmp_path, name):
    number = getattr(signal, name)
    code = (
        "import os\nimport rocconf.__main__\nfrom rocconf.report import replacing\n"
        f"with replacing('rows.csv'):\n    os.kill(os.getpid(), {int(number)})\n    for _ in range(1000): pass"
    )
    assert rocconf(code=code).status == 128 + number
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [("--require", "auc >= 0.99", "--github"), pytest.param((), marks=pytest.mark.thorough)]
)
def test_a_closed_standard_error_changes_no_status(rocconf, arguments):
    code = f"import os\nread, write = os.pipe()\nos.close(read)\nos.dup2(write, 2)\n{PROGRAM}"
    ran = rocconf("sweep", SAMPLE_DATA / "dis.csv", "--score", "S", "-o", "a.csv", *arguments, code=code)
    assert ran.status == (1 if "--require" in arguments else 0)
    assert ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="folders that are in use can be removed on POSIX")
def test_a_working_directory_that_was_removed_is_named(rocconf, tmp_path):
    (tmp_path / "s.csv").write_text("label,score\n1,0.9\n0,0.1\n")
    code = (
        "import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); import rocconf.__main__ as m; m.program()"
    )
    done = rocconf("sweep", tmp_path / "s.csv", code=code)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("rocconf: the working directory was removed, so no configuration can be looked for")
    assert rocconf("sweep", tmp_path / "s.csv", "--isolated", "-q", code=code).status == 0
