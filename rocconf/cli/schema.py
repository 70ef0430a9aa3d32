"""Write the schema of JSON reports, made from the columns of all tables: `python -m rocconf.cli.schema`.

The columns are those of the results of a few cases, analysed by every command with and without its options.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from rocconf.answer import GATE_COLUMNS, SCHEMA
from rocconf.cli.commands import COMMANDS, RESULTS
from rocconf.naming import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocconf.answer import Result
    from rocconf.table import Column

LARGEST, MOST = sys.float_info.max, 2**63 - 1


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


NUMBER = {"type": ["number", "null"], "minimum": -LARGEST, "maximum": LARGEST, "description": "a finite number or null"}
VALUES: dict[str, dict[str, Any]] = {
    "number": NUMBER,
    "value": {
        "anyOf": [NUMBER, {"enum": ["inf", "-inf"]}],
        "description": "a finite number, null, or the text inf or -inf",
    },
    "count": {"type": ["integer", "null"], "minimum": 0, "maximum": MOST, "description": "a count or null"},
    "total": {"type": "integer", "minimum": 0, "maximum": MOST, "description": "a count"},
    "text": {"type": ["string", "null"], "description": "text or null"},
    "word": {"type": "string", "description": "text"},
    "words": {"type": "array", "items": _ref("word"), "description": "a list of text"},
    "flag": {"type": ["boolean", "null"], "description": "true, false or null"},
    "numbers": {"type": ["array", "null"], "items": _ref("value"), "description": "a list of numbers or null"},
}
"""The values that keys have."""

KINDS = {"text": "text", "count": "count", "flag": "flag", "list": "numbers"}
"""The values of a kind of column; all others are numbers that may be infinite."""

OPTIONS = {
    **dict.fromkeys(("level", "prevalence", "max_fpr", "margin", "power"), "number"),
    **dict.fromkeys(
        ("bootstrap", "seed", "permutations", "concavities", "positives", "negatives", "min_cases", "runs"), "count"
    ),
    **dict.fromkeys(
        ("interval", "thresholds", "test", "midpoint", "baseline", "band", "time", "every", "cost", "cluster", "fold"),
        "text",
    ),
    **dict.fromkeys(("intervals", "lower_is_positive", "rescale", "reference", "baseline_named", "all_pairs"), "flag"),
    "calibration": "flag",
    **dict.fromkeys(("paired", "allow_in_sample", "allow_identical"), "flag"),
    **dict.fromkeys(("at", "points", "require", "classes", "by"), "words"),
    "levels": "numbers",
}
INPUT = {
    **dict.fromkeys(("role", "name", "positive"), "word"),
    **dict.fromkeys(("n", "positives", "negatives", "dropped"), "total"),
    **dict.fromkeys(("sha256", "command", "schema", "cluster"), "text"),
    "clusters": "count",
    "rescaled": "flag",
    "guessed": "words",
    "where": "words",
    "counted": "counted",
}
UNDEFINED = {"table": "word", "row": "count", "key": "word", "reason": "word"}
CAVEAT = {"code": "word", "kind": "word", "message": "word"}
OF_GATES = {"codes": "words", "where": "words"}
"""The columns of verdicts that are lists of text."""


def report_schema() -> dict[str, Any]:
    """Return the schema: what keys a report may have, and the values of each; other keys are not checked."""
    tables: dict[str, dict[str, str]] = {}
    for result in _results():
        for name in result.table_names:
            tables.setdefault(name, {}).update(_keys(result.table(name).columns))
    gates = _keys(GATE_COLUMNS) | OF_GATES
    rows = tables.pop("rows")
    kinds = dict.fromkeys([*COMMANDS, *RESULTS, UNLABELLED])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A report of rocconf, schema {SCHEMA}",
        "$defs": VALUES | {"counted": _list_of({key: kind for key, kind in INPUT.items() if key != "counted"})},
        **_object({}, required=("schema", "options", "tables")),
        "properties": {
            "schema": {"type": "string", "pattern": f"^rocconf/({'|'.join(kinds)})/[0-9]+$", "description": "text"},
            "tool": {"type": "object", "description": "an object"},
            "inputs": _list_of(INPUT),
            "options": _object(OPTIONS),
            "summary": _object(tables["models"]) | {"type": ["object", "null"], "description": "an object or null"},
            "rows": _list_of(gates | rows),  # the rows of gate are verdicts
            "tables": _object({}, required=("models",))
            | {"properties": {name: _list_of(keys) for name, keys in sorted(tables.items())}},
            "undefined": _list_of(UNDEFINED, required=("table", "key", "reason")),
            "caveats": _list_of(CAVEAT, required=("code", "message")),
            "gates": _list_of(gates),
            "verdict": {"enum": ["pass", "fail", "inconclusive", None], "description": "a verdict or null"},
            "exit_code": {"type": "integer", "minimum": 0, "maximum": 255, "description": "an exit status"},
        },
    }


def _keys(columns: Iterable[Column]) -> dict[str, str]:
    return {column.name: KINDS.get(column.kind, "value") for column in columns}


def _object(keys: Mapping[str, str], *, required: tuple[str, ...] = ()) -> dict[str, Any]:
    properties = {key: _ref(keys[key]) for key in sorted(keys)}
    return {"type": "object", "required": list(required), "properties": properties, "description": "an object"}


def _list_of(keys: Mapping[str, str], *, required: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"type": "array", "items": _object(keys, required=required), "description": "a list"}


def _results() -> Iterator[Result]:
    """Yield results with all tables and columns there are."""
    import numpy as np

    import rocconf
    from rocconf.bins import Thresholds
    from rocconf.compute.compare import compare_aucs, whole_numbers_of
    from rocconf.records import Grouping

    labels = np.arange(20) % 3 == 0
    scores = {"a": np.arange(20) % 7 / 8 + labels / 8, "b": np.arange(20) % 5 / 8}
    cases = rocconf.Predictions(labels, scores)
    counts, other = rocconf.count_each(cases)
    yield rocconf.sweep(counts, at="youden", intervals=True, max_fpr=0.5, cost="1:5", calibrated=True)
    yield rocconf.tango(counts, margin=0.2, bootstrap=20, prevalence=0.2, cost="1:5")
    yield rocconf.chi2_contours(counts, at="youden", permutations=9, cost="1:5")
    yield rocconf.chi2_contours(rocconf.ClassTotals(5, 9), points=["0.1,0.8"])
    yield rocconf.sweep(counts.within(Thresholds(np.array([0.3, 0.6])).ends(np.array([0.1, 0.4, 0.9]))))
    yield rocconf.sensibility(counts, reference=other, permutations=9, bootstrap=20)
    yield rocconf.unlabelled(*(rocconf.Scores.of(scores[name]) for name in scores), permutations=9)
    places = np.arange(20) % 3
    of_classes = {name: np.column_stack([column, -column, column % 5]) for name, column in cases.scores.items()}
    yield rocconf.one_vs_rest(rocconf.ClassPredictions(("x", "y", "z"), places, of_classes), margin=0.2)
    of_pairs = rocconf.Predictions(labels, scores, clusters=Grouping.of("pair", np.arange(20) // 2))
    yield rocconf.sweep(rocconf.count(of_pairs, "a"), at="youden")
    yield rocconf.compare(of_pairs, at=["youden"])
    yield rocconf.plan("tpr >= 0.8", tpr=0.9)
    grouped = rocconf.Predictions(labels, scores, groups=(rocconf.Grouping.of("by", np.arange(20) % 2),))
    yield rocconf.sweep_folds(grouped, "a")
    yield rocconf.sweep_slices(grouped, "a", at="youden", intervals=True, max_fpr=0.5, cost="1:5", calibrated=True)
    yield rocconf.compare(grouped.with_folds())
    yield rocconf.compare_slices(grouped, at=["youden"], max_fpr=0.5, bootstrap=20, cost="1:5", calibrated=True)
    yield compare_aucs(whole_numbers_of(cases), margin=0.2)
    yield rocconf.compare(cases, at=["youden"], max_fpr=0.5, margin=0.2, bootstrap=20, band="simultaneous", cost="1:5")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(report_schema(), indent=1) + "\n")
