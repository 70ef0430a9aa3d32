"""Output for GitHub's runner: no name can forge a command, and nothing exceeds the runner's limits."""

import io
from dataclasses import replace

import numpy as np
import pytest

import rocconf
from rocconf.answer import Answer
from rocconf.records import Predictions
from rocconf.report.github import LARGEST_SUMMARY, append_summary, write_annotations

CASES = Predictions(np.array([1, 1, 0, 0], dtype=bool), {"m": np.array([0.9, 0.2, 0.4, 0.1])})
(COUNTS,) = rocconf.count_each(CASES)
ANSWER = Answer((rocconf.sweep(COUNTS),), (), "fail", 1)


def gate(verdict="fail", severity="error", name="auc >= 0.5", message="m: auc is 0.4"):
    return {
        **dict.fromkeys(("value", "lower", "upper")),
        "metric": "auc",
        "at": None,
        "op": ">=",
        "limit": 0.5,
        "name": name,
        "model": "m",
        "message": message,
        "verdict": verdict,
        "severity": severity,
    }


def annotations(*gates, exit_code=1):
    stream = io.StringIO()
    write_annotations(replace(ANSWER, gates=gates, exit_code=exit_code), stream)
    return stream.getvalue()


def unescaped(text):
    """Read as the runner does: these five, and the percent sign last."""
    for escape, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, letter)
    return text


@pytest.mark.parametrize("name", ["a,b: c", "100%", "%0A", "a\r\n::error::b", "::warning title=x::y", "%25", "é😀"])
def test_every_name_is_one_command_and_reads_back(name):
    shown = name.replace("\r", r"\r").replace("\n", r"\n")  # line ends are shown, as in every message
    (line,) = annotations(gate(name=name, message=f"{name}: is")).splitlines()
    command, properties, message = line.split("::", 2)[0], *line.split("::", 2)[1:]
    assert command == ""
    assert unescaped(message) == f"{shown}: is"
    kind, _, title = properties.partition(" title=")
    assert (kind, unescaped(title)) == ("error", f"fail: {shown}")
    assert not {",", ":"} & set(title)


def test_a_job_that_has_lost_its_rules_gets_a_warning():
    assert annotations(exit_code=0) == "::warning title=rocconf::no rule was judged\n"


def test_a_pass_is_not_annotated_and_a_rule_that_only_warns_is_a_warning():
    lines = annotations(gate("pass"), gate("fail", "warn"), gate("inconclusive")).splitlines()
    assert [line.split()[0] for line in lines] == ["::error", "::warning"]
    assert annotations(gate("inconclusive"), exit_code=0).startswith("::warning ")


def test_a_failure_is_never_among_those_left_out():
    lines = annotations(*[gate("fail", "warn")] * 12, *[gate("inconclusive")] * 12, gate("fail")).splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("::error title=fail")
    assert lines[-1] == "::warning title=rocconf::16 more rules did not pass"


@pytest.fixture
def summary(tmp_path, monkeypatch):
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_the_summary_is_appended(summary):
    summary.write_text("# before\n", encoding="utf-8")
    append_summary(ANSWER)
    append_summary(ANSWER)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# before\n# rocconf sweep\n")
    assert text.count("# rocconf sweep") == 2


@pytest.mark.thorough
@pytest.mark.parametrize("before", [0, 500, LARGEST_SUMMARY - 10, LARGEST_SUMMARY])
def test_the_summary_stays_within_its_limit(summary, before):
    summary.write_text("é" * (before // 2), encoding="utf-8")
    append_summary(replace(ANSWER, gates=(gate(message="é" * 10),) * 40_000))
    assert len(summary.read_bytes()) <= LARGEST_SUMMARY
    summary.read_text(encoding="utf-8")  # cut between two letters, not within one


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_summary_nothing_is_written(summary, monkeypatch, value):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY") if value is None else monkeypatch.setenv("GITHUB_STEP_SUMMARY", value)
    append_summary(ANSWER)
    assert not summary.exists()
