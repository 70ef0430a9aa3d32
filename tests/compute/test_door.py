"""Through the door of compute one gets the analyses, not the modules they stand in, and only those one asks for."""

import subprocess
import sys

import pytest
from conftest import environment

import rocconf
from rocconf import compute


def ran(code):
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("name", compute.__all__)
def test_every_name_is_there_and_is_no_module(name):
    assert callable(getattr(compute, name))
    assert set(compute.__all__) == set(compute._HOMES)  # noqa: SLF001  # the list and the places agree


def test_an_analysis_stands_before_its_module_whichever_came_first():
    code = "import rocconf.compute.tango, rocconf; from rocconf.compute import tango; print(tango is rocconf.tango, callable(tango))"
    assert ran(code) == "True True\n"


def test_what_is_not_asked_for_is_not_loaded():
    code = (
        "import sys; from rocconf.compute import sweep\n"
        "print([name for name in ('tango', 'resample', 'segment') if f'rocconf.compute.{name}' in sys.modules])"
    )
    assert ran(code) == "[]\n"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = compute.nothing
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rocconf.nothing


@pytest.mark.parametrize("name", rocconf.__all__)
def test_every_public_name_is_there(name):
    assert getattr(rocconf, name) is not None


def test_only_public_names_are_listed():
    assert set(dir(rocconf)) == {*rocconf.__all__, "__version__"}
