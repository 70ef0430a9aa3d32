r"""The queries of the whole numbers that an AUC, its interval and a paired difference need: one row each.

Of a positive, v is twice the number of negatives below it, ties counting once; of a negative, w is twice the number of
positives above it. Ties are aggregated before windows run over the scores. The largest sum over n cases is below
0.6 n^3 (squares) or 0.85 n^4 (cubes); where it might not fit the engine's whole numbers, or cases have a label of a third class, the sums are NULL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.engines.sql import Part, cases_of, is_missing, listed, statement

if TYPE_CHECKING:
    from rocconf.engines.dialects import Dialect
    from rocconf.engines.edges import Ctes
    from rocconf.engines.sql import Table

BESIDE = "count counts.csv result.csv -o counts.parquet"
"""What reads whole numbers of single models: they stand beside the counts."""

TALLIES = {
    "p": "COUNT(CASE WHEN is_positive = 1 THEN 1 END)",
    "n": "COUNT(CASE WHEN is_positive = 0 THEN 1 END)",
    "missing_label": "COUNT(CASE WHEN is_positive IS NULL THEN 1 END)",
    "other_label": "COUNT(CASE WHEN is_positive = -1 THEN 1 END)",
    "every": "COUNT(*)",
}
UNCOUNTED = {"missing_labels": "missing_label", "other_labels": "other_label", "missing_scores": "missing_score"}


def numbers(dialect: Dialect, table: Table) -> str:
    """Return the query of the whole numbers of every model."""
    parts = [_models_numbers(dialect, table, score) for score in table.scores]
    return statement("whole numbers, for the AUC and its interval", dialect, parts, command=BESIDE)


def pairs(dialect: Dialect, table: Table, *, model: str, baseline: str) -> str:
    """Return the query of the whole numbers of two models on the same cases."""
    part = _pairs(dialect, table, model, baseline)
    return statement(
        "whole numbers of a pair, for the difference of their AUCs", dialect, [part], command="compare result.csv"
    )


def _models_numbers(dialect: Dialect, table: Table, score: str) -> Part:
    below = _window("n", "ORDER BY score ROWS UNBOUNDED PRECEDING")
    up_to = _window("p", "ORDER BY score ROWS UNBOUNDED PRECEDING")
    ctes = [
        *cases_of(dialect, table, score),
        *_tallied(dialect, ("score",)),
        (
            "rocconf_placed",
            f"""SELECT
    rocconf_kept.*,
    CAST(2 * {below} - n AS {dialect.whole}) AS v,
    CAST(2 * ({_window("p", "")} - {up_to}) + p AS {dialect.whole}) AS w
  FROM rocconf_kept{dialect.fence}""",
        ),
    ]
    sums = {"sum_v": "p * v", "sum_w": "n * w", "sum_vv": "p * v * v", "sum_ww": "n * w * w"}
    columns = {"model": dialect.text_of(score), "positives": _total(dialect, "p"), "negatives": _total(dialect, "n")}
    columns |= {name: _sum(dialect, each, dialect.most_numbers) for name, each in sums.items()}
    return ctes, f"SELECT\n{listed(dialect, columns | _uncounted(dialect))}\nFROM rocconf_placed"


def _pairs(dialect: Dialect, table: Table, model: str, baseline: str) -> Part:
    def placed(score: str, names: tuple[str, str, str]) -> str:
        ordered, tied = f"ORDER BY {score}", f"PARTITION BY {score}"
        of_positive = f"2 * {_window('n', ordered)} - {_window('n', tied)}"
        of_negative = f"2 * ({_window('p', '')} - {_window('p', ordered)}) + {_window('p', tied)}"
        place = f"2 * {_window('p + n', ordered)} - {_window('p + n', tied)}"
        values = zip((of_positive, of_negative, place), names, strict=True)
        return ",\n    ".join(f"CAST({value} AS {dialect.whole}) AS {name}" for value, name in values)

    ctes = [
        *cases_of(dialect, table, model, baseline),
        *_tallied(dialect, ("score", "other_score")),
        (
            "rocconf_placed",
            f"SELECT\n    rocconf_kept.*,\n    {placed('score', ('v', 'w', 'place'))}\n  FROM rocconf_kept{dialect.fence}",
        ),
        (
            "rocconf_paired",
            f"""SELECT
    rocconf_placed.*,
    {placed("other_score", ("u", "x", "other_place"))}
  FROM rocconf_placed{dialect.fence}""",
        ),
    ]
    columns = {
        "model": dialect.text_of(model),
        "baseline": dialect.text_of(baseline),
        "positives": _total(dialect, "p"),
        "negatives": _total(dialect, "n"),
    }
    for of_class, cases, v, u in (("pos", "p", "v", "u"), ("neg", "n", "w", "x")):
        difference = f"({v} - {u})"
        products = {
            "v": v,
            "u": u,
            "vv": f"{v} * {v}",
            "vu": f"{v} * {u}",
            "uu": f"{u} * {u}",
            "ddd": " * ".join([difference] * 3),
        }
        columns |= {
            f"{of_class}_{name}": _sum(dialect, f"{cases} * {product}", dialect.most_pairs)
            for name, product in products.items()
        }
    columns["same_order"] = "MIN(CASE WHEN p + n = 0 OR place = other_place THEN 1 ELSE 0 END)"
    columns["same_scores"] = "MIN(CASE WHEN p + n = 0 OR score = other_score THEN 1 ELSE 0 END)"
    return ctes, f"SELECT\n{listed(dialect, columns | _uncounted(dialect))}\nFROM rocconf_paired"


def _tallied(dialect: Dialect, scores: tuple[str, ...]) -> Ctes:
    """Return the steps to `kept`: the positives and negatives of each score or pair of scores, 0 where one is missing."""
    by = ", ".join(scores)
    missing = " OR ".join(is_missing(dialect, score) for score in scores)
    tallies = ",\n    ".join(f"{value} AS {name}" for name, value in TALLIES.items())
    return [
        ("rocconf_tallied", f"SELECT\n    {by},\n    {tallies}\n  FROM rocconf_cases\n  GROUP BY {by}"),
        (
            "rocconf_kept",
            f"""SELECT
    {by},
    missing_label,
    other_label,
    CASE WHEN {missing} THEN 0 ELSE p END AS p,
    CASE WHEN {missing} THEN 0 ELSE n END AS n,
    CASE WHEN {missing} THEN every ELSE 0 END AS missing_score
  FROM rocconf_tallied{dialect.fence}""",
        ),
    ]


def _window(value: str, over: str) -> str:
    return f"SUM({value}) OVER ({over})"


def _total(dialect: Dialect, value: str) -> str:
    return f"CAST(SUM({value}) AS {dialect.integer})"


def _uncounted(dialect: Dialect) -> dict[str, str]:
    return {name: _total(dialect, value) for name, value in UNCOUNTED.items()}


def _sum(dialect: Dialect, value: str, most: int | None) -> str:
    """Return an exact sum, in a type that files of results have; NULL where it would not be that of all cases."""
    total = f"SUM({value})"
    if dialect.whole_result is not None:
        total = f"CAST({total} AS {dialect.whole_result})"
    conditions = ["SUM(other_label) = 0", *([] if most is None else [f"SUM(p + n) <= {most}"])]
    return f"CASE WHEN {' AND '.join(conditions)} THEN {total} END"
