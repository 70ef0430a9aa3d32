"""Ask R, where it is installed, for the same numbers."""

import subprocess
from functools import cache

import pytest


def run_in_r(script, *, package, **more):
    """Return what an R script that needs a package prints; skip the test if the package cannot be loaded."""
    if reason := missing(package):
        pytest.skip(reason)
    done = _r(script, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def missing(package):
    """Return why R cannot load a package, in one line, or an empty text."""
    try:
        done = _r(f"suppressMessages(library({package}))")
    except OSError as error:
        return f"no Rscript: {error.strerror}"
    return done.returncode and " ".join(["R cannot load", package, *done.stderr.split()])


def _r(script, **more):
    return subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=False, timeout=60, **more)
