"""What `rocconf` exports: every name is there, and only what is asked for is loaded."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment

import rocconf


def ran(code):
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    return done.stdout


def test_only_what_is_asked_for_is_loaded():
    code = (
        "import sys, rocconf; rocconf.sweep\n"
        "print([name for name in sys.modules if name.startswith(('rocconf.compute.tango', 'rocconf.compute.compare'))])"
    )
    assert ran(code) == "[]\n"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rocconf.nothing


@pytest.mark.parametrize("name", rocconf.__all__)
def test_every_public_name_is_there(name):
    assert getattr(rocconf, name).__module__.startswith(f"rocconf.{rocconf._HOMES[name]}")  # noqa: SLF001  # the list under test


def test_only_public_names_are_listed():
    assert set(dir(rocconf)) == {*rocconf.__all__, "__version__"}
    assert set(rocconf.__all__) == set(rocconf._HOMES)  # noqa: SLF001  # the list under test


def test_the_documents_list_every_public_name():
    listed = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").partition("## What is exported")[2]
    names = [
        name
        for line in listed.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert sorted(names) == sorted(rocconf.__all__)
