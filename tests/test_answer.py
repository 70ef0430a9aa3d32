"""Answers: what a command's results say together, ready for JSON."""

import json
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from rocconf import __version__
from rocconf.answer import Answer, Result, json_records, undefined
from rocconf.messages import Message, message
from rocconf.records import CHUNK, Source
from rocconf.seal import digest_of
from rocconf.table import Block, Column, Table

MODEL = Column("model", "text")


@dataclass(frozen=True)
class Guess(Result):
    """An analysis of nothing, with what is asked of every analysis."""

    command: ClassVar[str] = "guess"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "others")

    model: str
    values: tuple[float, ...] = (1.0,)
    origins: tuple[Source, ...] = ()
    doubts: tuple[Message, ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        return {"level": 0.95}

    @property
    def sources(self):
        return self.origins

    @property
    def caveats(self):
        return self.doubts

    def table(self, name="rows"):
        values = np.array(self.values)
        columns = {"model": np.full(len(values), self.model, dtype=object), "value": values}
        block = Block(len(values), lambda key, rows: columns[key][rows])
        return {
            "rows": Table("rows", (MODEL, Column("value", "number", "no value")), (block,)),
            "models": Table.of("models", [MODEL, Column("n", "count")], [{"model": self.model, "n": len(values)}]),
            "others": Table.of("others", [Column("flag", "flag", "unknown")], [{"flag": None}]),
        }[name]


SOURCE = Source("a.csv", 10, 4, 6, "1", dropped=2, digest=lambda: "abc")


def test_one_result_is_told_whole():
    told = Guess("m", (1.0, math.nan, math.inf), (SOURCE,), (Message("few", saved=("note", "only three")),)).to_dict(
        rows=True
    )
    assert told.pop("digest") == digest_of(told)
    assert json.loads(json.dumps(told, allow_nan=False)) == {
        "schema": "rocconf/guess/3",
        "tool": {"name": "rocconf", "version": __version__},
        "inputs": [
            {
                "role": "data",
                "name": "a.csv",
                "sha256": "abc",
                "n": 10,
                "positives": 4,
                "negatives": 6,
                "positive": "1",
                "dropped": 2,
                "rescaled": False,
                "guessed": [],
            }
        ],
        "options": {"level": 0.95},
        "summary": {"model": "m", "n": 3},
        "rows": [
            {"model": "m", "value": 1.0},
            {"model": "m", "value": None},
            {"model": "m", "value": "inf"},
        ],
        "tables": {"models": [{"model": "m", "n": 3}], "others": [{"flag": None}]},
        "undefined": [
            {"table": "rows", "row": 1, "key": "value", "reason": "no value"},
            {"table": "others", "row": 0, "key": "flag", "reason": "unknown"},
        ],
        "caveats": [{"code": "few", "kind": "note", "message": "only three"}],
        "gates": [],
        "verdict": None,
        "exit_code": 0,
        "unsealed": ["rows"],
    }


def test_several_results_are_told_together_and_have_no_one_summary():
    answer = Answer((Guess("a", (1.0, 2.0)), Guess("b", (math.nan,))), all_rows=True)
    told = answer.to_dict()
    assert told["summary"] is None
    assert told["tables"]["models"] == [{"model": "a", "n": 2}, {"model": "b", "n": 1}]
    assert [row["model"] for row in told["rows"]] == ["a", "a", "b"]
    assert told["undefined"][0] == {"table": "rows", "row": 2, "key": "value", "reason": "no value"}
    assert (answer.command, answer.table_names) == ("guess", ("rows", "models", "others", "gates"))


def test_what_two_results_share_is_said_once():
    doubt, other = (message("no-struggle-ratio", model=model) for model in "ab")
    answer = Answer(
        (Guess("a", origins=(SOURCE,), doubts=(doubt,)), Guess("b", origins=(SOURCE,), doubts=(doubt, other)))
    )
    assert answer.sources == (SOURCE,)
    assert [(remark.kind, remark.message) for remark in answer.remarks] == [("note", str(doubt)), ("note", str(other))]


def test_remarks_speak_to_their_audience():
    doubt = message("one-model", found="a")
    for_library, for_shell = (Answer((Guess("a", doubts=(doubt,)),), audience=who) for who in ("library", "shell"))
    assert "--baseline" not in for_library.remarks[0].message
    assert "--baseline" in for_shell.to_dict()["caveats"][0]["message"]


def test_a_row_for_each_threshold_is_told_only_if_it_is_asked_for():
    result = Guess("m", (math.nan, 1.0))
    told = result.to_dict()
    assert "rows" not in told
    assert [gap["table"] for gap in told["undefined"]] == ["others"]
    assert set(result.to_dict(rows=True)) - set(told) == {"rows", "unsealed"}


def test_rows_that_are_no_thresholds_are_told():
    class Summed(Guess):
        rows_are_thresholds = False

    assert Summed("m", (0.5,)).to_dict()["rows"] == [{"model": "m", "value": 0.5}]


def test_the_head_is_all_but_the_rows():
    answer = Answer((Guess("m"),), all_rows=True)
    assert answer.to_dict() == {**answer.head(), "rows": json_records(answer.table())}


def test_a_source_that_is_no_file_has_no_digest():
    assert Answer((Guess("m", origins=(Source("-", 1, 1, 0, "1"),)),)).to_dict()["inputs"][0]["sha256"] is None


def test_results_give_their_tables_in_every_form():
    result = Guess("m", (0.5, 1.5))
    assert result.summary() == {"model": "m", "n": 2}
    assert result.to_frame()["value"].tolist() == [0.5, 1.5]
    assert result.to_frame("models")["n"].tolist() == [2]


@pytest.mark.parametrize("infinite", [math.inf, -math.inf])
def test_an_infinite_value_is_text_in_a_cell_and_in_a_list(infinite):
    columns = [Column("value", "score"), Column("tied", "list")]
    table = Table.of("t", columns, [{"value": infinite, "tied": [infinite, 1.0, None]}])
    assert json_records(table) == [{"value": str(infinite), "tied": [str(infinite), 1.0, None]}]


def test_text_that_says_inf_is_left_alone():
    assert json_records(Table.of("t", [MODEL], [{"model": "inf"}])) == [{"model": "inf"}]


def test_missing_values_are_found_in_every_piece_by_their_row():
    values = np.arange(2.0 * CHUNK + 3)
    at = [0, CHUNK - 1, CHUNK, 2 * CHUNK + 2]
    values[at] = math.nan
    table = Table("rows", (Column("value", "number", "why"),), (Block(len(values), lambda _, rows: values[rows]),) * 2)
    assert [entry["row"] for entry in undefined(table)] == at + [len(values) + row for row in at]


def test_a_column_without_any_value_says_so_once():
    table = Table.of("t", [Column("value", "number", "why")], [{"value": None}] * 3)
    assert undefined(table) == [{"table": "t", "row": None, "key": "value", "reason": "why"}]


def test_only_columns_that_can_be_missing_are_looked_at():
    looked_at = []

    def values(key, rows):
        looked_at.append(key)
        return np.zeros(3)[rows]

    columns = (Column("always", "number"), Column("sometimes", "number", "why"))
    assert undefined(Table("t", columns, (Block(3, values),))) == []
    assert set(looked_at) == {"sometimes"}
    assert undefined(Table("t", columns[:1], (Block(3, values),))) == []


def test_a_list_with_a_missing_value_is_explained_and_an_empty_one_is_not_missing():
    column = Column("tied", "list", "why")
    records = [{"tied": []}, {"tied": [1.0]}, {"tied": [None]}, {"tied": None}]
    assert [entry["row"] for entry in undefined(Table.of("t", [column], records))] == [2, 3]
