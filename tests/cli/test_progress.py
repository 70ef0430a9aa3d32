"""What takes longer than a second is said on standard error, to a terminal only."""

import time

import pytest

from rocconf.cli import progress


@pytest.fixture
def impatient(monkeypatch):
    """A terminal, as rich is told of one, and nobody who waits a second."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")


def test_nobody_looks_at_a_pipe():
    assert not progress.is_wanted(quiet=False, no_progress=False)


def test_a_terminal_is_told_unless_it_does_not_want_to_be(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert progress.is_wanted(quiet=False, no_progress=False)
    assert not progress.is_wanted(quiet=True, no_progress=False)
    assert not progress.is_wanted(quiet=False, no_progress=True)


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_escapes_is_told_nothing(monkeypatch, variable, value):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, value)
    assert not progress.is_wanted(quiet=False, no_progress=False)


@pytest.mark.usefixtures("impatient")
def test_slow_work_is_named_on_standard_error(capfd):
    with progress.waiting("reading much", wanted=True):
        time.sleep(0.3)
    out, err = capfd.readouterr()
    assert (out, "reading much" in err) == ("", True)


def test_quick_work_goes_without_a_word(capfd):
    with progress.waiting("reading little", wanted=True):
        pass
    with progress.counting("few", 3, wanted=True) as advance:
        advance(3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("impatient")
def test_work_in_steps_has_a_bar(capfd):
    with progress.counting("permuting", 100, wanted=True) as advance:
        for _ in range(10):
            advance(10)
            time.sleep(0.02)
    assert "permuting" in capfd.readouterr().err


@pytest.mark.usefixtures("impatient")
def test_a_fault_passes_through():
    with pytest.raises(ValueError, match="planted"), progress.waiting("reading", wanted=True):
        raise ValueError("planted")
