"""Run rocconf as its users do, in a folder of its own."""

import importlib.util
import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, settings
from in_process import ROOT, Ran, environment, run_in_process

IGNORED = {getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name)}
for number in signal.valid_signals() - IGNORED:  # those Python ignores, and subprocess resets
    if signal.getsignal(number) is signal.SIG_IGN:  # as under nohup: still ignored here, but no process inherits it
        signal.signal(number, lambda *_: None)
if hasattr(signal, "pthread_sigmask"):  # not on Windows
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())

NO_FAULTS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
"""A busy machine is no fault, nor is a draw of luckless examples."""

settings.register_profile("search", **NO_FAULTS)  # other examples in every run
settings.register_profile("all", derandomize=True, **NO_FAULTS)  # a run fails only for what was changed
settings.register_profile("fast", max_examples=15, derandomize=True, **NO_FAULTS)
settings.load_profile("fast")  # unless --hypothesis-profile names another

SAMPLE_DATA = ROOT / "sample_data"
REFERENCE = ROOT / "tests" / "reference"

READ_AT_START = ("LANG", "LC_", "MPL", "NPY_", "OPENBLAS_", "PYTHON", "RAYON_", "POLARS_")
"""How the names of variables begin that Python or a library reads when it is loaded."""


def load_script(path):
    """Return a script of the project as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def few_replicates():
    """Draw few replicates where their number does not matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocconf.compute.roc.calibration.REPLICATES", 60)
        yield


@pytest.fixture
def rocconf(tmp_path, process):
    """Run a command in a new folder; in a process of its own only if `code` or the environment asks for one."""

    def run(*arguments, stdin="", env=None, code=None):
        if code or any(name.startswith(READ_AT_START) for name in env or {}):
            return process(*arguments, stdin=stdin, env=env, code=code)
        return run_in_process(arguments, folder=tmp_path, env=env, stdin=stdin)

    return run


@pytest.fixture
def process(tmp_path):
    """Run a command, or Python code with its arguments, as a process in a new folder."""

    def run(*arguments, stdin="", env=None, code=None):
        command = [sys.executable, "-c", code, *arguments] if code else [sys.executable, "-m", "rocconf", *arguments]
        done = subprocess.run(
            [str(part) for part in command],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env=environment(**(env or {})),
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def table1():
    """The ten cases of the sensibility paper's Table 1."""
    return SAMPLE_DATA / "table1.csv"


def assert_close(found, expected):
    """Assert that two nested records agree, numbers to 1e-9."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    else:
        assert found == (pytest.approx(expected, rel=1e-9, abs=1e-12) if isinstance(expected, float) else expected)
