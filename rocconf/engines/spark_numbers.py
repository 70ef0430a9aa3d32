r"""The whole numbers of models and of their pairs on a cluster, without a window over all rows.

Scores are divided into ranges, which follow from the bits of a score alone. Within a range, x is twice the negatives below
a score, ties counting once, and z the same of the positives. With N0 negatives and P0 positives in the ranges below, of P
in all,

.. math:: v = 2 N_0 + x, \qquad w = 2 (P - P_0) - z,

so the sums of v, w and of their squares follow from those of x, z and of their squares in each range, of which there are
some ten thousand. They are added up here, as Python's integers.

A pair needs v and w of both scores in one row. What lies below the ranges of either score is asked first and given back to
the server as a small table. Then the cases are ordered within the ranges of one score, and once more within those of the
other. The cases of a range that is one score need no order, and are spread over the machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.engines.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.engines.edges import Ctes

SPARK = DIALECTS["spark"]
BITS = 13
"""The logarithm of the number of ranges up to the greatest score of four octaves."""

OCTAVES, LAST = 4, 64
"""The octaves that have ranges of one width, and the exponents beyond which all scores of a sign are in one range."""

SPREAD = 64
"""Into how many parts the cases of one score are spread."""

WITHIN = "PARTITION BY range_start ORDER BY score ROWS UNBOUNDED PRECEDING"
"""A window over the scores of a range, which Spark computes range by range, in a stream."""

CLASSES = (("pos", "p", "v", "u"), ("neg", "n", "w", "y"))
"""Of each class, its cases and what the model and the baseline make of one."""


class OfRange(NamedTuple):
    """Sums over a range: cases by class, of positives x and x squared, of negatives z and z squared."""

    range_start: float
    p: int
    n: int
    px: int
    pxx: int
    nz: int
    nzz: int


class Held(NamedTuple):
    """The cases of a range by class, and whether they have one score."""

    range_start: float
    p: int
    n: int
    is_one: bool


def query_of_ranges(cases: str, label: str, score: str) -> str:
    """Return the query of the sums of each range, given the names of a view of cases and of its columns in quotes."""
    counted = f"COUNT_IF({label} = 1) AS p, COUNT_IF({label} = 0) AS n"
    steps = [
        ("rocconf_cases", f"SELECT {score} AS score, {counted} FROM {cases} GROUP BY {score}"),
        *_ranges(),
        (
            "placed",
            (
                "SELECT range_start, CAST(p AS DECIMAL(19, 0)) AS p, CAST(n AS DECIMAL(19, 0)) AS n, "
                f"CAST(2 * SUM(n) OVER ({WITHIN}) - n AS DECIMAL(19, 0)) AS x, "
                f"CAST(2 * SUM(p) OVER ({WITHIN}) - p AS DECIMAL(19, 0)) AS z FROM rocconf_ranged"
            ),
        ),
    ]
    sums = {"p": "p", "n": "n", "px": "p * x", "pxx": "p * x * x", "nz": "n * z", "nzz": "n * z * z"}
    columns = ", ".join(f"CAST(SUM({value}) AS STRING) AS {name}" for name, value in sums.items())
    return f"{_with(steps)}\nSELECT range_start, {columns} FROM placed GROUP BY range_start"


def ranges_of(found: Iterable[dict[str, Any]]) -> list[OfRange]:
    """Return the sums of each range, in the order of the scores."""
    return sorted(OfRange(row["range_start"], *(int(row[name]) for name in OfRange._fields[1:])) for row in found)


def numbers_of(ranges: Sequence[OfRange]) -> dict[str, int]:
    """Return the whole numbers of a model, of the sums of its ranges in the order of the scores."""
    positives, negatives = sum(each.p for each in ranges), sum(each.n for each in ranges)
    sums = dict.fromkeys(("sum_v", "sum_w", "sum_vv", "sum_ww"), 0)
    below, above = 0, 2 * positives
    for each in ranges:
        sums["sum_v"] += below * each.p + each.px
        sums["sum_vv"] += below * below * each.p + 2 * below * each.px + each.pxx
        sums["sum_w"] += above * each.n - each.nz
        sums["sum_ww"] += above * above * each.n - 2 * above * each.nz + each.nzz
        below, above = below + 2 * each.n, above - 2 * each.p
    return {"positives": positives, "negatives": negatives, **sums}


def query_of_held(cases: str, label: str, score: str) -> str:
    """Return the query of what each range holds."""
    steps = [("rocconf_cases", f"SELECT {label} AS label, {score} AS score FROM {cases}"), *_ranges()]
    counted = "COUNT_IF(label = 1) AS p, COUNT_IF(label = 0) AS n, MIN(score) = MAX(score) AS is_one"
    return f"{_with(steps)}\nSELECT range_start, {counted} FROM rocconf_ranged GROUP BY range_start"


def held_of(found: Iterable[dict[str, Any]]) -> list[Held]:
    """Return what each range holds, in the order of the scores."""
    return sorted(Held(**row) for row in found)


def places_of(held: Sequence[Held]) -> dict[str, list[Any]]:
    """Return the table for the server: v and w at the foot of each range, and x and z if it is one score, else -1."""
    below, above = 0, 2 * sum(each.p for each in held)
    columns: dict[str, list[Any]] = {name: [] for name in ("start", "v0", "w0", "x0", "z0")}
    for each in held:
        ties = (each.n, each.p) if each.is_one else (-1, -1)
        for name, value in zip(columns, (each.range_start, below, above, *ties), strict=True):
            columns[name].append(value)
        below, above = below + 2 * each.n, above - 2 * each.p
    return columns


def query_of_cells(cases: str, label: str, scores: tuple[str, str], *, is_tied: bool) -> str:
    """Return the query of the cases of a pair, as positives and negatives of both scores; tied ones as one row."""
    model, baseline = scores
    chosen = f"SELECT {model} AS score, {baseline} AS other"
    if is_tied:
        counted = f"COUNT_IF({label} = 1) AS p, COUNT_IF({label} = 0) AS n"
        return f"{chosen}, {counted} FROM {cases} GROUP BY {model}, {baseline}"
    return f"{chosen}, CAST({label} AS BIGINT) AS p, CAST(1 - {label} AS BIGINT) AS n FROM {cases}"


def query_of_places(cells: str, places: str) -> str:
    """Return the query of the cells with v and w of the model."""
    kept = "other AS score, score = other AS is_same, p, n"
    return _placed(f"SELECT * FROM {cells}", places, other="other", kept=kept, names=("v", "w"))


def query_of_pair(placed: str, places: str) -> str:
    """Return the query of the whole numbers of a pair, in digits; u and y of the baseline are placed as v and w are."""
    kept = "v, w, is_same, p, n"
    cells = _placed(f"SELECT * FROM {placed}", places, other="v", kept=kept, names=("u", "y"))
    columns = {"positives": "SUM(p)", "negatives": "SUM(n)"}
    for of_class, size, v, u in CLASSES:
        d = f"({v} - {u})"
        products = {"v": (v,), "u": (u,), "vv": (v, v), "vu": (v, u), "uu": (u, u), "ddd": (d, d, d)}
        for name, factors in products.items():
            product = " * ".join(f"CAST({factor} AS DECIMAL(18, 0))" for factor in (size, *factors))
            columns[f"{of_class}_{name}"] = f"CAST(SUM({product}) AS STRING)"
    columns["same_order"] = "BOOL_AND(v - w = u - y)"  # which is the place among all cases, but for 2 P
    columns["same_scores"] = "BOOL_AND(is_same)"
    listed = ",\n  ".join(f"{value} AS {name}" for name, value in columns.items())
    return f"SELECT\n  {listed}\nFROM (\n{cells}\n)"


def _placed(cells: str, places: str, *, other: str, kept: str, names: tuple[str, str]) -> str:
    """Return the query of cells with v and w of their score: within its range, and with what lies below the range."""
    parted = "PARTITION BY range_start, spread"

    def within(size: str) -> str:
        below = f"SUM({size}) OVER ({parted} ORDER BY score RANGE UNBOUNDED PRECEDING)"
        return f"2 * {below} - SUM({size}) OVER ({parted}, score)"

    v, w = names
    steps = [
        ("rocconf_cases", cells),
        *_ranges(),
        (
            "begun",
            f"""SELECT /*+ BROADCAST({places}) */ rocconf_ranged.*, v0, w0, x0, z0,
    CASE WHEN x0 < 0 THEN 0 ELSE PMOD(XXHASH64({other}), {SPREAD}) END AS spread
  FROM rocconf_ranged JOIN {places} ON range_start <=> start""",  # an = would compute the ranges once more, as a filter
        ),
        ("ordered", f"SELECT begun.*, {within('n')} AS x, {within('p')} AS z FROM begun"),
    ]
    in_order = (
        f"CASE WHEN x0 < 0 THEN v0 + x ELSE v0 + x0 END AS {v}, CASE WHEN z0 < 0 THEN w0 - z ELSE w0 - z0 END AS {w}"
    )
    return f"{_with(steps)}\nSELECT {kept}, {in_order} FROM ordered"


def _ranges() -> Ctes:
    """Return the steps from the column `score` of `rocconf_cases` to the column `range_start` of `rocconf_ranged`.

    Only comparisons and products with powers of two are computed with, which are exact, and 1 - score from 1/2 on, which
    is exact too. They are short, because Java does not compile long ones: dyadic bins take four times as long.
    """

    def power(exponent: int) -> str:
        return SPARK.double_of(2.0**exponent)

    def scale(exponent: int) -> str:
        return power(BITS - OCTAVES - exponent)

    fractions = " ".join(
        f"WHEN ABS(y) >= {power(exponent)} THEN {scale(exponent)}" for exponent in range(-OCTAVES, -LAST - 1, -OCTAVES)
    )
    beyond = " ".join(
        f"WHEN ABS(y) < {power(exponent + OCTAVES)} THEN {scale(exponent)}" for exponent in range(0, LAST, OCTAVES)
    )
    return [
        (
            "rocconf_halves",
            "SELECT *, CASE WHEN score >= 5E-1 AND score < 1E0 THEN score - 1E0 ELSE score END AS y FROM rocconf_cases",
        ),
        (
            "rocconf_scaled",
            f"SELECT *, CASE WHEN ABS(y) >= 1E0 THEN CASE {beyond} END {fractions} END AS scale FROM rocconf_halves",
        ),
        (
            "rocconf_ranged",
            f"""SELECT *,
    CASE
      WHEN scale IS NOT NULL THEN score - y + FLOOR(y * scale) / scale
      WHEN y >= 1E0 THEN {power(LAST)}
      WHEN y <= -1E0 THEN {SPARK.double_of(float("-inf"))}
      WHEN y < 0E0 THEN -{power(-LAST)}
      ELSE 0E0
    END AS range_start
  FROM rocconf_scaled""",
        ),
    ]


def _with(steps: Iterable[tuple[str, str]]) -> str:
    listed = ",\n".join(f"{name} AS (\n  {body}\n)" for name, body in steps)
    return f"WITH {listed}"
