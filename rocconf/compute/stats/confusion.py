"""Confusion matrices with the same numbers of positives and negatives, any number of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.exact import cross
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from rocconf.records import Counts, Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion:
    """Confusion matrices of p positives and q negatives."""

    tp: Counts
    fp: Counts
    p: int
    q: int

    @property
    def fn(self) -> Counts:
        """Positives predicted negative."""
        return self.p - self.tp

    @property
    def tn(self) -> Counts:
        """Negatives predicted negative."""
        return self.q - self.fp

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    @property
    def predicted_positive(self) -> Counts:
        """The number of cases predicted positive."""
        return self.tp + self.fp

    @property
    def predicted_negative(self) -> Counts:
        """The number of cases predicted negative."""
        return self.n - self.predicted_positive

    @property
    def association(self) -> Floats:
        """tp*tn - fp*fn, which is tp*Q - fp*P: 0 where label and prediction are independent."""
        if self.tp.dtype.kind != "i":
            return np.asarray(self.tp * self.q - self.fp * self.p)
        return cross(self.tp, self.q, self.fp, self.p, most=self.p * self.q).astype(np.float64)


def ratio(part: Floats | Counts, whole: Floats | Counts | float) -> Floats:
    """Return part / whole, NaN where both are 0."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.true_divide(part, whole))
