"""A test that needs R is skipped, with the reason, where R or its package does not load, and only there."""

import pytest
from in_r import missing, run_in_r


@pytest.fixture
def rscript(tmp_path, monkeypatch):
    """Put a program called Rscript on the path."""
    missing.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def write(text):
        (tmp_path / "Rscript").write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tmp_path / "Rscript").chmod(0o755)

    yield write
    missing.cache_clear()


def test_a_package_that_does_not_load_is_skipped_with_the_reason(rscript):
    rscript("echo 'unable to load shared object pROC.so' >&2; exit 1")
    with pytest.raises(pytest.skip.Exception, match=r"R cannot load pROC unable to load shared object pROC\.so"):
        run_in_r("cat(1)", package="pROC")


def test_no_r_is_skipped_with_the_reason(monkeypatch):
    monkeypatch.setenv("PATH", "")
    missing.cache_clear()
    with pytest.raises(pytest.skip.Exception, match="no Rscript: No such file"):
        run_in_r("cat(1)", package="pROC")
    missing.cache_clear()


def test_a_script_that_fails_is_a_failure(rscript):
    rscript('case "$2" in *library*) ;; *) echo wrong >&2; exit 1;; esac')
    with pytest.raises(AssertionError, match="wrong"):
        run_in_r("stop()", package="pROC")


def test_a_script_that_succeeds_returns_what_it_prints(rscript):
    rscript("echo 1 2")
    assert run_in_r("cat(1, 2)", package="pROC") == "1 2\n"
