"""The queries whose results are counts: text that engines run where the cases are.

Every query ends in the columns of a counts file. What it cannot count it counts apart, so that whoever reads the result
can refuse it: labels that are missing or of a third class, scores that are missing, NaN. No query joins cases, and
none needs ids.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocconf import __version__
from rocconf.dataclass import dataclass
from rocconf.engines.edges import RESOLUTION, Ctes, between, dyadic
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.engines.dialects import Dialect

MISSING = ("", "na", "n/a", "nan", "null", "none")
"""Texts that mean that there is no label, in any case."""

ONE, ZERO = ("1", "1.0", "true"), ("0", "0.0", "false")
"""Texts of the labels that are understood by themselves; whether a boolean is a number depends on the engine."""

WHOLE = re.compile(r"([+-]?\d{1,15})(\.0+)?", re.ASCII)
PART = re.compile(r'"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^."`]+)')
FILES = re.compile(r"\.(parquet|csv|tsv|json|ndjson|jsonl)(\.gz|\.zst)?$", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of cases and which of its columns are what."""

    relation: str
    """The table as the dialect names it: quoted names, or a subquery in parentheses."""
    label: str
    scores: tuple[str, ...]
    positive: str | None = None
    rest: bool = False
    """Whether all labels but the positive one are negative."""


def relation(dialect: Dialect, name: str) -> str:
    """Return a table's name, like `schema.table`, with each of its parts in quotes."""
    if CONTROL.search(name):
        raise UsageError("table-name", found=name)
    if dialect.name == "duckdb" and FILES.search(name):
        return dialect.name_of(name)
    parts = []
    rest = name.strip()
    while found := PART.match(rest):
        double, back, plain = found.groups()
        part = plain if plain is not None else (double or "").replace('""', '"') or back.replace("``", "`")
        parts.append(dialect.name_of(part.strip()))
        rest = rest[found.end() :]
        if not rest.startswith("."):
            break
        rest = rest[1:] or "."
    if rest or not parts or any(len(part) <= 2 for part in parts):
        raise UsageError("table-name", found=name)
    return ".".join(parts)


def facts(dialect: Dialect, table: Table, score: str) -> str:
    """Return the query of one row that tells what a table holds: what cannot be counted, and the range of the scores."""
    nan = dialect.nan.format("score") if dialect.nan else "1 = 0"
    number = f"CASE WHEN NOT ({is_missing(dialect, 'score')}) THEN score END"
    columns = listed(
        dialect,
        {
            "rows": "COUNT(*)",
            **COUNTED,
            "null_scores": "COUNT(CASE WHEN score IS NULL THEN 1 END)",
            "nan_scores": f"COUNT(CASE WHEN {nan} THEN 1 END)",
            "least": f"MIN({number})",
            "greatest": f"MAX({number})",
            "distinct": f"COUNT(DISTINCT {number})",
        },
    )
    return statement(
        "what the table holds", dialect, [(cases_of(dialect, table, score), f"SELECT\n{columns}\nFROM rocconf_cases")]
    )


def other_labels(dialect: Dialect, table: Table) -> str:
    """Return the query of some of the labels of a third class, with their numbers."""
    columns = listed(dialect, {"label": "label", "cases": "COUNT(*)"})
    last = f"SELECT\n{columns}\nFROM rocconf_cases\nWHERE is_positive = -1\nGROUP BY label\nORDER BY label\nLIMIT 5"
    return statement("labels of a third class", dialect, [(cases_of(dialect, table), last)])


def counts(dialect: Dialect, table: Table) -> str:
    """Return the query of the positives and negatives at each distinct score of every model."""
    parts = [_models_counts(dialect, table, score) for score in table.scores]
    return statement(
        "the positives and negatives at each distinct score",
        dialect,
        parts,
        order=_highest_first(dialect, "rocconf_cases"),
        command="sweep result.csv",
    )


def bins(dialect: Dialect, table: Table, *, resolution: int = RESOLUTION, thresholds: Sequence[float] = ()) -> str:
    """Return the query of the positives and negatives of every model in bins: dyadic ones, or between thresholds."""
    what = "between the thresholds" if thresholds else f"in bins of {resolution} bits"
    parts = [_models_bins(dialect, table, score, resolution, thresholds) for score in table.scores]
    return statement(
        f"the positives and negatives {what}",
        dialect,
        parts,
        order=_highest_first(dialect, "rocconf_binned"),
        command="sweep result.csv",
    )


Part = tuple[Ctes, str]


def _highest_first(dialect: Dialect, step: str) -> str:
    is_text = dialect.shown != "{}"  # which has another order
    return f"\nORDER BY {f'MIN({step}.score)' if is_text else dialect.name_of('score')} DESC"


def _models_counts(dialect: Dialect, table: Table, score: str) -> Part:
    columns = listed(dialect, {"model": dialect.text_of(score), "score": dialect.shown.format("score"), **COUNTED})
    return cases_of(dialect, table, score), f"SELECT\n{columns}\nFROM rocconf_cases\nGROUP BY score"


def _models_bins(dialect: Dialect, table: Table, score: str, resolution: int, thresholds: Sequence[float]) -> Part:
    steps = between(dialect, thresholds) if thresholds else dyadic(dialect, resolution)
    edges = {"score": "lower_edge", "upper": "upper_edge"}
    if not thresholds:  # a bin of one distinct score is that score
        edges = {
            name: f"CASE WHEN MIN(score) = MAX(score) THEN MIN(score) ELSE {edge} END" for name, edge in edges.items()
        }
    shown = {name: dialect.shown.format(edge) for name, edge in edges.items()}
    columns = listed(dialect, {"model": dialect.text_of(score), **shown, **COUNTED})
    ctes = [*cases_of(dialect, table, score), *steps]
    return ctes, f"SELECT\n{columns}\nFROM rocconf_binned\nGROUP BY lower_edge, upper_edge"


COUNTED = {
    "positives": "COUNT(CASE WHEN is_positive = 1 THEN 1 END)",
    "negatives": "COUNT(CASE WHEN is_positive = 0 THEN 1 END)",
    "missing_labels": "COUNT(CASE WHEN is_positive IS NULL THEN 1 END)",
    "other_labels": "COUNT(CASE WHEN is_positive = -1 THEN 1 END)",
}


def cases_of(dialect: Dialect, table: Table, *scores: str) -> Ctes:
    """Return the steps to `cases`: the label, whether it is positive (1, 0, -1 for a third class, NULL), and scores."""
    names = ("score", "other_score")[: len(scores)]
    columns = "".join(
        f",\n    {dialect.number_of(f'rocconf_source.{dialect.name_of(score)}')} AS {name}"
        for name, score in zip(names, scores, strict=True)
    )
    label = f"TRIM(CAST(rocconf_source.{dialect.name_of(table.label)} AS {dialect.text}))"
    given = f"SELECT\n    {label} AS label{columns}\n  FROM {table.relation} AS rocconf_source"
    missing = f"LOWER(label) IN ({_texts(dialect, MISSING)})"
    ctes = [("rocconf_given", given)]
    if table.positive is None:
        classes = [
            f"WHEN LOWER(label) IN ({_texts(dialect, ONE)}) THEN 1",
            f"WHEN LOWER(label) IN ({_texts(dialect, ZERO)}) THEN 0",
            f"WHEN label IS NULL OR {missing} THEN NULL",
            "ELSE -1",
        ]
    else:
        is_positive = f"label IN ({_texts(dialect, _spellings(table.positive))})"
        others = ["ELSE 0"]
        if not table.rest:
            is_other = f"NOT {is_positive} AND NOT {missing}"
            ctes.append(("rocconf_negative", f"SELECT MIN(label) AS label FROM rocconf_given WHERE {is_other}"))
            others = ["WHEN label = (SELECT rocconf_negative.label FROM rocconf_negative) THEN 0", "ELSE -1"]
        classes = [f"WHEN {is_positive} THEN 1", f"WHEN label IS NULL OR {missing} THEN NULL", *others]
    lines = "\n      ".join(classes)
    chosen = ", ".join(f"rocconf_given.{name}" for name in ("label", *names))
    cases = (
        f"SELECT\n    {chosen},\n    CASE\n      {lines}\n    END AS is_positive\n  FROM rocconf_given{dialect.fence}"
    )
    return [*ctes, ("rocconf_cases", cases)]


def _texts(dialect: Dialect, words: Sequence[str]) -> str:
    return ", ".join(map(dialect.text_of, words))


def _spellings(label: str) -> tuple[str, ...]:
    """Return the texts of a label: a number or a truth value has several."""
    text = label.strip()
    for words in (ONE, ZERO):
        if text.lower() in words:
            return tuple(dict.fromkeys([text, *words]))
    whole = WHOLE.fullmatch(text)
    if whole is None:
        return (text,)
    digits = str(int(whole[1]))
    return tuple(dict.fromkeys([text, digits, f"{digits}.0"]))


def is_missing(dialect: Dialect, score: str) -> str:
    """Return the test of a score without a value."""
    return f"{score} IS NULL OR {dialect.nan.format(score)}" if dialect.nan else f"{score} IS NULL"


def listed(dialect: Dialect, columns: dict[str, str]) -> str:
    """Return the columns of a result."""
    return ",\n".join(f"  {value} AS {dialect.name_of(name)}" for name, value in columns.items())


def statement(what: str, dialect: Dialect, parts: Sequence[Part], *, order: str = "", command: str = "") -> str:
    """Return a query, or the union of several of the same columns, with a comment at its head."""
    comment = f"-- rocconf {__version__}, SQL of {dialect.name}: {what}.\n"
    if command:
        comment += f"-- Save the result as csv or parquet, then: rocconf {command}\n"
    if len(parts) == 1:
        return f"{comment}{_query(*parts[0])}{order}\n"
    union = "\nUNION ALL\n".join(
        f"SELECT * FROM (\n{_query(*part)}\n) AS model_{number}" for number, part in enumerate(parts, 1)
    )
    return f"{comment}{union}\n"


def _query(ctes: Ctes, last: str) -> str:
    steps = ",\n".join(f"{name} AS (\n  {body}\n)" for name, body in ctes)
    return f"WITH {steps}\n{last}"
