"""Equivalence: the thresholds whose error difference is within a margin.

A threshold is equivalent within D if Tango's interval lies inside (-D, D): his test of equivalence on both sides,
each at half of 1 - level.

References
----------
.. [1] T. Tango (1998), Statistics in Medicine 17, 891-908.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.tango.segment import longest_run, run_between
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest


def require_margin(margin: float, test: PairedTest) -> None:
    """Reject a margin outside (0, 1), and a test whose interval is not Tango's."""
    if not 0 < margin < 1:
        raise UsageError("margin-range", margin=margin)
    if test.name != "tango":
        raise UsageError("margin-test", test=test.name)


def equivalent_rows(roc: Curve, test: PairedTest, margin: float, *, level: float = 0.95) -> range:
    """Return the rows whose interval lies inside (-margin, margin).

    They are found by two bisections, as both limits of Tango's interval fall along the curve; of several runs the longest.
    """
    require_margin(margin, test)

    if not test.is_one_run:
        lower, upper = test.limits(roc.confusion(slice(None)), level)
        return range(*longest_run((lower > -margin) & (upper < margin)))

    def limits(row: int) -> tuple[float, float]:
        lower, upper = test.limits(Confusion(roc.tp[row : row + 1], roc.fp[row : row + 1], roc.p, roc.q), level)
        return float(lower[0]), float(upper[0])

    return range(
        *run_between(
            len(roc),
            above=lambda row: limits(row)[1] >= margin,
            below=lambda row: limits(row)[0] <= -margin,
        )
    )
