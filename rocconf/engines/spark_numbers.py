r"""The whole numbers of one model on a cluster, without a window over all rows.

Scores are divided into dyadic bins. Within a bin, x is twice the negatives below a score, ties counting once, and z the
same of the positives. With N0 negatives and P0 positives in the bins below, of P in all,

.. math:: v = 2 N_0 + x, \qquad w = 2 (P - P_0) - z,

so the sums of v, w and of their squares follow from those of x, z and of their squares in each bin, of which there are
some ten thousand. They are added up here, as Python's integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.engines.dialects import DIALECTS
from rocconf.engines.edges import RESOLUTION, dyadic

if TYPE_CHECKING:
    from collections.abc import Iterable

SPARK = DIALECTS["spark"]
RUNNING = "SUM({0}) OVER (PARTITION BY lower_edge ORDER BY score ROWS UNBOUNDED PRECEDING)"
"""A window over the scores of a bin, which Spark computes bin by bin, in a stream."""


class OfBin(NamedTuple):
    """Sums over a bin: cases by class, of positives x and x squared, of negatives z and z squared."""

    lower_edge: float
    p: int
    n: int
    px: int
    pxx: int
    nz: int
    nzz: int


def query_of_bins(cases: str, label: str, score: str) -> str:
    """Return the query of the sums of each bin, given the names of a view of cases and of its columns in quotes."""
    steps = [
        (
            "rocconf_cases",
            f"SELECT {score} AS score, COUNT_IF({label} = 1) AS p, COUNT_IF({label} = 0) AS n FROM {cases} GROUP BY {score}",
        ),
        *dyadic(SPARK, RESOLUTION),
        (
            "placed",
            (
                "SELECT lower_edge, CAST(p AS DECIMAL(19, 0)) AS p, CAST(n AS DECIMAL(19, 0)) AS n, "
                f"CAST(2 * {RUNNING.format('n')} - n AS DECIMAL(19, 0)) AS x, "
                f"CAST(2 * {RUNNING.format('p')} - p AS DECIMAL(19, 0)) AS z FROM rocconf_binned"
            ),
        ),
    ]
    sums = {"p": "p", "n": "n", "px": "p * x", "pxx": "p * x * x", "nz": "n * z", "nzz": "n * z * z"}
    columns = ", ".join(f"CAST(SUM({value}) AS STRING) AS {name}" for name, value in sums.items())
    return f"WITH {_listed(steps)}\nSELECT lower_edge, {columns} FROM placed GROUP BY lower_edge"


def _listed(steps: Iterable[tuple[str, str]]) -> str:
    return ",\n".join(f"{name} AS (\n  {body}\n)" for name, body in steps)


def bins_of(found: Iterable[dict[str, Any]]) -> list[OfBin]:
    """Return the sums of each bin, in the order of the scores."""
    return sorted(OfBin(row["lower_edge"], *(int(row[name]) for name in OfBin._fields[1:])) for row in found)


def numbers_of(bins: Iterable[OfBin]) -> dict[str, int]:
    """Return the whole numbers of a model, of the sums of its bins in the order of the scores."""
    bins = list(bins)
    positives, negatives = sum(each.p for each in bins), sum(each.n for each in bins)
    sums = dict.fromkeys(("sum_v", "sum_w", "sum_vv", "sum_ww"), 0)
    below, above = 0, 2 * positives
    for each in bins:
        sums["sum_v"] += below * each.p + each.px
        sums["sum_vv"] += below * below * each.p + 2 * below * each.px + each.pxx
        sums["sum_w"] += above * each.n - each.nz
        sums["sum_ww"] += above * above * each.n - 2 * above * each.nz + each.nzz
        below, above = below + 2 * each.n, above - 2 * each.p
    return {"positives": positives, "negatives": negatives, **sums}
