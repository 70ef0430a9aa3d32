r"""The confident segment at another prevalence: where it would lie if the classes were mixed otherwise.

The confident segment depends on the numbers of both classes, so it moves with the mixture of the test set although the
curve stays. Restated for a prevalence :math:`\pi`, the P positives are kept and every negative counts

.. math:: w = \frac{P}{Q}\,\frac{1-\pi}{\pi}

times, so b misses stand against wc false alarms among P + wQ cases, and a threshold is confident if
:math:`(b - wc)^2 \le z^2 (b + wc)`, Tango's interval for :math:`(b-wc)/(P+wQ)` containing 0. This is what as many
positives with the expected negatives would show: the rates are taken as they are, and the curve must not change with
the mixture. It is computed in fractions. With w = 1 it is the confident segment itself.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.tango.segment import Segment, measure_rows, run_between
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest


@dataclass(frozen=True, slots=True)
class Restated:
    """A confident segment at a prevalence; the areas are those of its points, which do not move."""

    prevalence: float
    weight: float
    segment: Segment


def restated_segment(roc: Curve, test: PairedTest, prevalence: float, *, level: float = 0.95) -> Restated:
    """Return the confident segment as it would be at another prevalence.

    It is one run of rows: along the curve b falls and c rises, so the signed statistic falls for any weight.
    """
    require_prevalence(prevalence, test)
    share = Fraction(str(prevalence))
    weight = Fraction(roc.p, roc.q) * (1 - share) / share
    squared = Fraction(normal_quantile(level)) ** 2

    def beyond(sign: int) -> Callable[[int], bool]:
        def at(row: int) -> bool:
            misses, alarms = roc.p - int(roc.tp[row]), weight * int(roc.fp[row])
            return sign * (misses - alarms) > 0 and (misses - alarms) ** 2 > squared * (misses + alarms)

        return at

    first, stop = run_between(len(roc), above=beyond(+1), below=beyond(-1))
    return Restated(prevalence, float(weight), measure_rows(roc, first, stop))


def require_prevalence(prevalence: float, test: PairedTest) -> None:
    """Reject a prevalence outside (0, 1), and a test that needs whole numbers of cases."""
    if not 0 < prevalence < 1:
        raise UsageError("prevalence-range", prevalence=prevalence)
    if test.name != "tango":
        raise UsageError("prevalence-test", test=test.name)
