"""The targets of fuzzing hold for their corpus, and fail where rocconf differs from the slow reference."""

import io
import json
import re
import subprocess
import sys

import polars as pl
import pytest
from in_process import ROOT

sys.path.insert(0, str(ROOT / "fuzz"))

import targets

from rocconf.gate.config import Config
from rocconf.read import Input, Wanted, read_table
from rocconf.read.columns import TextCells
from rocconf.read.delimited import quick
from rocconf.read.formats import OtherReadingError, Piece

CORPUS = sorted(path for path in (ROOT / "fuzz" / "corpus").glob("*/*") if path.is_file())


@pytest.fixture(autouse=True)
def _chunk(monkeypatch):
    """The targets set the size of chunks."""
    monkeypatch.setattr(quick, "CHUNK", quick.CHUNK)


def test_every_target_has_a_corpus():
    assert {path.parent.name for path in CORPUS} == set(targets.TARGETS)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_input_of_the_corpus_does_not_fail(path):
    targets.TARGETS[path.parent.name](path.read_bytes())


def careful_only():
    yield from ()
    raise OtherReadingError


def test_a_reader_that_differs_is_found(monkeypatch):
    cells = {0: TextCells(["1", "0"]), 1: TextCells(["0.9", "0.2"])}
    monkeypatch.setattr(quick, "pieces_of", lambda *_: [Piece([2, 3], cells)] if quick.CHUNK else careful_only())
    with pytest.raises(AssertionError):
        targets.fuzz_csv(b"label,score\n1,0.9\n0,0.1\n\0")


def test_wrong_totals_are_found(monkeypatch):
    counts = targets.read_counts(ROOT / "fuzz" / "corpus" / "counts" / "one")
    monkeypatch.setattr(targets, "read_counts", lambda _: counts)
    with pytest.raises(AssertionError):
        targets.fuzz_counts(b"score,positives,negatives\n0.5,1,2\n")


def test_missing_rows_are_found(monkeypatch):
    content = (ROOT / "fuzz" / "corpus" / "parquet" / "plain.parquet").read_bytes()
    other = io.BytesIO()
    pl.DataFrame({"label": [1, 0], "score": [0.9, 0.1]}).write_parquet(other)
    cases = read_table(Input("other.parquet", None, other.getvalue()), Wanted())
    monkeypatch.setattr(targets, "read_table", lambda *_: cases)
    with pytest.raises(AssertionError):
        targets.fuzz_parquet(content)


def test_a_false_pass_is_found(monkeypatch):
    content = (ROOT / "fuzz" / "corpus" / "reports" / "sweep.json").read_bytes()
    record = json.loads(content)
    record["tables"]["models"][0]["auc"] = 0.1
    report = targets.read_report(Input("report.json", None, content))
    monkeypatch.setattr(targets, "read_report", lambda *_, **__: report)
    with pytest.raises(AssertionError):
        targets.fuzz_reports(json.dumps(record).encode())


def test_a_rule_that_is_lost_is_found(monkeypatch):
    content = (ROOT / "fuzz" / "corpus" / "toml" / "rules").read_bytes()
    monkeypatch.setattr(targets, "read_config", lambda *_: Config())
    with pytest.raises(AssertionError):
        targets.fuzz_toml(content)


def test_a_rule_that_means_something_else_is_found(monkeypatch):
    wrong = targets.parse_gate_rule("auc >= 0.8")
    monkeypatch.setattr(targets, "parse_gate_rule", lambda _: wrong)
    with pytest.raises(AssertionError):
        targets.fuzz_rules(b"auc >= 0.9")


def test_fuzzing_without_atheris_fails_and_says_what_to_install():
    """With -S there are no installed packages."""
    done = subprocess.run([sys.executable, "-S", "fuzz/run.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.search("atheris is not installed: pip install --group fuzz", done.stderr)
