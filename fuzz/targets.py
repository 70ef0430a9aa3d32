"""The targets of fuzzing: for any bytes the result is that of a slow reference, or a documented error.

A target returns None. It raises AssertionError where rocconf and the reference differ, and any other exception but
RocconfError is a fault too.
"""

from __future__ import annotations

import atexit
import csv
import io
import json
import math
import os
import re
import tempfile
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from rocconf.cli.commands import ANALYSES
from rocconf.cli.judging import result_of
from rocconf.conditions import parse_conditions
from rocconf.errors import RocconfError
from rocconf.gate import judge_reports, parse_gate_rule
from rocconf.gate.config import read_config
from rocconf.read import Input, Wanted, read_counts, read_report, read_table
from rocconf.read.delimited import quick
from rocconf.records import Predictions

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNKS = {"careful": 0, "quick": quick.CHUNK, "quick in small chunks": 48}
"""The bytes that the quick reader reads at a time; with 0 it leaves everything to the careful one."""

ASKED = (
    Wanted(score=("score",)),
    Wanted(score=("score",), na="drop"),
    Wanted(score=("score",), positive="a"),
    Wanted(score=("score",), id="id", na="drop"),
    Wanted(score=("score",), where=parse_conditions("site=a", "where")),
    Wanted(score=("score",), where=parse_conditions("site>=0.5", "where"), na="drop"),
    Wanted(several=True),
    Wanted(delimiter="semicolon"),
)
"""What is asked of a table; its last byte says which."""

LONGEST_EXPONENT = 4
"""The characters of an exponent for which a fraction is small enough to compute."""

RULES = ("auc.point >= 0.7", "auc >= 0.6", "positives >= 3")


def fuzz_csv(data: bytes) -> None:
    """Read delimited text with care and quickly, also in small chunks: all agree."""
    wanted = ASKED[data[-1] % len(ASKED)] if data else ASKED[0]
    answers = {reader: _as_read_by(reader, data[:-1], wanted) for reader in CHUNKS}
    assert all(answer == answers["careful"] for answer in answers.values()), answers


def fuzz_counts(data: bytes) -> None:
    """Read a counts file: it has the totals of its rows, as the csv module and whole numbers add them up."""
    try:
        (path := _folder() / "counts.csv").write_bytes(data)
        models = read_counts(path)
    except RocconfError:
        return
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    totals: dict[str, list[int]] = {}
    for row in rows:
        of_row = {name.strip(): cell for name, cell in row.items()}
        total = totals.setdefault(of_row.get("model", "counts"), [0, 0])
        for at, name in enumerate(("positives", "negatives")):
            total[at] += int(float(of_row[name]))
    assert {counts.model: [counts.p, counts.q] for counts in models} == totals


def fuzz_parquet(data: bytes) -> None:
    """Read a parquet file: it is read with all its rows, or refused."""
    try:
        cases = read_table(Input("fuzz.parquet", None, data), Wanted(label="label", score=("score",), na="drop"))
    except RocconfError:
        return
    assert isinstance(cases, Predictions)
    assert len(cases.labels) + cases.sources[0].dropped == pl.scan_parquet(data).select(pl.len()).collect().item()


def fuzz_arrow(data: bytes) -> None:
    """Read an Arrow file or stream: it is read with as many rows as polars reads of it at once, or refused."""
    try:
        cases = read_table(Input("fuzz.arrow", None, data), Wanted(label="label", score=("score",), na="drop"))
    except RocconfError:
        return
    assert isinstance(cases, Predictions)
    read = pl.read_ipc if data.startswith(b"ARROW1") else pl.read_ipc_stream
    assert len(cases.labels) + cases.sources[0].dropped == read(data, columns=["label"]).height


def fuzz_json_lines(data: bytes) -> None:
    """Read JSON lines: every line that is not blank is a case, with the score that the json module reads, or was dropped."""
    try:
        cases = read_table(Input("fuzz.jsonl", None, data), Wanted(label="label", score=("score",), na="drop"))
    except RocconfError:
        return
    assert isinstance(cases, Predictions)
    rows = [json.loads(line) for line in data.decode("utf-8-sig").split("\n") if line.strip()]
    assert len(cases.labels) + cases.sources[0].dropped == len(rows)
    scores = [row.get("score") for row in rows]
    if not cases.sources[0].dropped and all(isinstance(score, int | float) for score in scores):
        assert cases.scores["score"].tolist() == list(map(float, scores))


def fuzz_reports(data: bytes) -> None:
    """Judge a report: it passes a rule only if the numbers in it do."""
    try:
        report = read_report(Input("report.json", None, data), commands=ANALYSES)
        rules = tuple(map(parse_gate_rule, RULES))
        judged = judge_reports([report], [rules], [result_of(report.command)], allow_in_sample=False, asked={})
    except RocconfError:
        return
    for model, verdict in ((verdict.model, verdict) for verdict in judged.verdicts[0]):
        if verdict.outcome == "pass":
            record = next(each for each in json.loads(data)["tables"]["models"] if each["model"] == model)
            key = {"auc >= 0.6": "auc_lower", "positives >= 3": "positives"}.get(verdict.rule.text, "auc")
            assert Fraction(record[key]) >= Fraction(str(verdict.rule.limit)), (verdict, record)


def fuzz_toml(data: bytes) -> None:
    """Read a configuration: it has as many rules as tables, with their limits."""
    try:
        (path := _folder() / "rocconf.toml").write_bytes(data)
        config = read_config(path, ANALYSES)
    except RocconfError:
        return
    gates: list[dict[str, Any]] = tomllib.loads(data.decode("utf-8-sig")).get("gate", [])
    assert len(config.gates) == len(gates)
    for (command, rule), gate in zip(config.gates, gates, strict=True):
        assert (command, rule.op, rule.limit) == (gate["command"], gate["op"], gate["value"])


def fuzz_rules(data: bytes) -> None:
    """Parse a rule: it is split at its last comparison, and parsing its text again gives the same rule."""
    text = data.decode("utf-8", "replace")
    try:
        rule = parse_gate_rule(text)
    except RocconfError:
        return
    limit = re.split("[<>=]", text)[-1]
    before = text.removesuffix(limit)
    assert rule.op == (before[-2:] if before[-2:] in (">=", "<=", "==") else before[-1])
    assert math.isfinite(rule.limit)
    if len(limit.strip().lower().partition("e")[2]) <= LONGEST_EXPONENT:
        assert rule.limit == float(Fraction(limit.strip()))
    again = parse_gate_rule(rule.text)
    assert (again.metric, again.op, again.limit, again.point_only) == (
        *(rule.metric, rule.op, rule.limit, rule.point_only),
    )
    assert (again.model, again.at) == (rule.model, rule.at)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "csv": fuzz_csv,
    "counts": fuzz_counts,
    "parquet": fuzz_parquet,
    "arrow": fuzz_arrow,
    "json_lines": fuzz_json_lines,
    "reports": fuzz_reports,
    "toml": fuzz_toml,
    "rules": fuzz_rules,
}


def _as_read_by(reader: str, content: bytes, wanted: Wanted) -> Any:
    """Return everything about the cases as one reader reads them, or the error."""
    quick.CHUNK = CHUNKS[reader]
    try:
        cases = read_table(Input("fuzz.csv", None, content), wanted)
    except RocconfError as error:
        return error.text()
    if not isinstance(cases, Predictions):
        return [(each.model, each.scores.tobytes(), each.tp.tobytes(), each.fp.tobytes()) for each in cases]
    scores = [(name, column.tobytes()) for name, column in cases.scores.items()]
    return cases.labels.tobytes(), scores, None if cases.ids is None else cases.ids.tolist(), cases.sources


def _folder() -> Path:
    """Return a folder of this process, which is removed when it ends."""
    if os.getpid() not in _folders:
        _folders[os.getpid()] = folder = tempfile.TemporaryDirectory(prefix="rocconf-fuzz-")
        atexit.register(folder.cleanup)
    return Path(_folders[os.getpid()].name)


_folders: dict[int, tempfile.TemporaryDirectory[str]] = {}
