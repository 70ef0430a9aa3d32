r"""The edges of bins in SQL, the same to the last bit in every engine.

A bin of resolution m has the scores of one sign, one exponent and the first m bits of the mantissa. From 1/2 to 1 these
are those of 1 - score, so that scores near 1 are told apart as well as those near 0. What is computed with is exact in
binary arithmetic: 1 - score by Sterbenz's lemma, products with powers of two, and whole numbers below 2^53. Powers and
logarithms are not, and differ between engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.engines.dialects import Dialect

RESOLUTION = 11
"""The bits of the mantissa that a bin keeps by default."""

FINEST = 52
"""The bits of the mantissa that a double has."""

LEAST, GREATEST = -64, 64
"""The exponents at which the bins end: below the first and from the second on, all scores of a sign are in one."""

Ctes = list[tuple[str, str]]


def dyadic(dialect: Dialect, resolution: int) -> Ctes:
    """Return the steps from the column `score` of `cases` to the columns `lower_edge` and `upper_edge` of `binned`."""
    power: Callable[[int], str] = lambda exponent: dialect.double_of(2.0**exponent)  # noqa: E731
    tiny, huge = power(LEAST), power(GREATEST)

    def scale(exponent: int, test: str) -> str:
        return f"WHEN {test} THEN {power(resolution - exponent)}"

    fractions = [
        scale(exponent, f"y >= {power(exponent)} OR y < -{power(exponent)}") for exponent in range(-1, LEAST - 1, -1)
    ]
    beyond = [
        scale(exponent, f"y < {power(exponent + 1)} AND y >= -{power(exponent + 1)}") for exponent in range(GREATEST)
    ]
    lines = "\n      ".join(fractions)
    more = "\n        ".join(beyond)
    nan = [f"WHEN {dialect.nan.format('y')} THEN NULL"] if dialect.nan else []
    first = "\n      ".join([*nan, f"WHEN y >= 1E0 OR y < -1E0 THEN CASE\n        {more}\n      END"])
    floor = dialect.floor.format("y * scale")
    numbers = f"WHEN scale IS NOT NULL THEN base + {floor} / scale"
    above = f"WHEN scale IS NOT NULL THEN base + ({floor} + 1E0) / scale"
    lowest = dialect.double_of(float("-inf"))
    not_nan = f"WHEN {dialect.nan.format('y')} THEN y" if dialect.nan else "WHEN y IS NULL THEN y"
    return [
        (
            "rocconf_halves",
            """SELECT
    rocconf_cases.*,
    CASE WHEN score >= 5E-1 AND score < 1E0 THEN 1E0 ELSE 0E0 END AS base,
    CASE WHEN score >= 5E-1 AND score < 1E0 THEN score - 1E0 ELSE score END AS y
  FROM rocconf_cases"""
            + dialect.fence,
        ),
        (
            "rocconf_octaves",
            f"""SELECT
    rocconf_halves.*,
    CASE
      {first}
      {lines}
    END AS scale
  FROM rocconf_halves{dialect.fence}""",
        ),
        (
            "rocconf_binned",
            f"""SELECT
    rocconf_octaves.*,
    CASE
      {numbers}
      {not_nan}
      WHEN y >= {huge} THEN {huge}
      WHEN y < -{huge} THEN {lowest}
      WHEN y < 0E0 THEN -{tiny}
      WHEN y >= 0E0 THEN 0E0
    END AS lower_edge,
    CASE
      {above}
      {not_nan.replace("THEN y", "THEN NULL")}
      WHEN y >= {huge} THEN NULL
      WHEN y < -{huge} THEN -{huge}
      WHEN y < 0E0 THEN 0E0
      WHEN y > 0E0 THEN {tiny}
      WHEN y = 0E0 THEN 0E0
    END AS upper_edge
  FROM rocconf_octaves{dialect.fence}""",
        ),
    ]


def between(dialect: Dialect, thresholds: Sequence[float]) -> Ctes:
    """Return the step from the column `score` of `cases` to the columns `lower_edge` and `upper_edge` of `binned`."""
    edges = [dialect.double_of(value) for value in thresholds]
    nan = dialect.nan.format("score") if dialect.nan else "score IS NULL"
    lower = [dialect.double_of(float("-inf")), *edges]
    below = [f"WHEN score < {edge} THEN {{}}" for edge in edges]
    starts = "\n      ".join(line.format(edge) for line, edge in zip(below, lower, strict=False))
    ends = "\n      ".join(line.format(edge) for line, edge in zip(below, edges, strict=True))
    return [
        (
            "rocconf_binned",
            f"""SELECT
    rocconf_cases.*,
    CASE
      WHEN {nan} THEN score
      {starts}
      WHEN score >= {edges[-1]} THEN {edges[-1]}
    END AS lower_edge,
    CASE
      WHEN {nan} THEN NULL
      {ends}
    END AS upper_edge
  FROM rocconf_cases{dialect.fence}""",
        )
    ]
