"""What a confusion matrix says: one function a rate, over any number of thresholds at once.

A rate whose denominator is 0 has no value: NaN here, null in every output, never 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Counts, Floats
    from rocconf.table import ColumnKind

NOTHING_POSITIVE = "nothing is predicted positive"
NOTHING_NEGATIVE = "nothing is predicted negative"
ONE_SIDED = "all cases are predicted alike"


def tpr(m: Confusion) -> Floats:
    """Recall, sensitivity: the share of the positives that is found."""
    return ratio(m.tp, m.p)


def fpr(m: Confusion) -> Floats:
    """The share of the negatives that is taken for positive."""
    return ratio(m.fp, m.q)


def specificity(m: Confusion) -> Floats:
    """The share of the negatives that is left alone."""
    return ratio(m.tn, m.q)


def precision(m: Confusion) -> Floats:
    """The share of the predicted positives that is positive."""
    return ratio(m.tp, m.predicted_positive)


def npv(m: Confusion) -> Floats:
    """The share of the predicted negatives that is negative."""
    return ratio(m.tn, m.n - m.predicted_positive)


def accuracy(m: Confusion) -> Floats:
    """The share of the cases that is predicted right."""
    return ratio(m.tp + m.tn, m.n)


def balanced_accuracy(m: Confusion) -> Floats:
    """The mean of the two classes' accuracies."""
    return (tpr(m) + specificity(m)) / 2


def f1(m: Confusion) -> Floats:
    """The harmonic mean of precision and recall, 2tp/(2tp + fp + fn)."""
    return ratio(2 * m.tp, m.p + m.predicted_positive)


def mcc(m: Confusion) -> Floats:
    """Matthews' correlation of label and prediction, as P*Q*(tpr - fpr) over the root of the margins."""
    flagged = m.predicted_positive.astype(np.float64)
    # (tp*q - fp*p) in floats: the products pass int64 above n = 6e9
    covariance = m.tp * float(m.q) - m.fp * float(m.p)
    # sqrt(x * x) is x in floats, so the brackets make a perfect prediction 1, and never more
    return ratio(covariance, np.sqrt((float(m.p) * m.q) * (flagged * (m.n - flagged))))


def youden_j(m: Confusion) -> Floats:
    """Youden's index, tpr - fpr."""
    return tpr(m) - fpr(m)


def lift(m: Confusion) -> Floats:
    """How many times as often a predicted positive is positive as a case is."""
    return precision(m) * (m.n / m.p)


def predicted_positive_rate(m: Confusion) -> Floats:
    """The share of the cases that is predicted positive."""
    return ratio(m.predicted_positive, m.n)


def precision_at(m: Confusion, prevalence: float) -> Floats:
    """Precision where a share `prevalence` of the cases is positive (Bayes' rule)."""
    found, taken = prevalence * tpr(m), (1 - prevalence) * fpr(m)
    return ratio(found, found + taken)


def npv_at(m: Confusion, prevalence: float) -> Floats:
    """Negative predictive value where a share `prevalence` of the cases is positive (Bayes' rule)."""
    left, missed = (1 - prevalence) * specificity(m), prevalence * (1 - tpr(m))
    return ratio(left, left + missed)


_RATES: tuple[tuple[Callable[[Confusion], Floats], ColumnKind, str], ...] = (
    (tpr, "share", ""),
    (fpr, "share", ""),
    (specificity, "share", ""),
    (precision, "share", NOTHING_POSITIVE),
    (npv, "share", NOTHING_NEGATIVE),
    (accuracy, "share", ""),
    (balanced_accuracy, "share", ""),
    (f1, "share", ""),
    (mcc, "number", ONE_SIDED),
    (youden_j, "number", ""),
    (lift, "number", NOTHING_POSITIVE),
    (predicted_positive_rate, "share", ""),
)

METRICS = {function.__name__: (Column(function.__name__, kind, why), function) for function, kind, why in _RATES}
"""Every rate of a threshold, in the order of the table's columns."""

PROPORTIONS: dict[str, Callable[[Confusion], tuple[Counts, Counts | int]]] = {
    "tpr": lambda m: (m.tp, m.p),
    "fpr": lambda m: (m.fp, m.q),
    "specificity": lambda m: (m.tn, m.q),
    "precision": lambda m: (m.tp, m.predicted_positive),
    "npv": lambda m: (m.tn, m.n - m.predicted_positive),
    "accuracy": lambda m: (m.tp + m.tn, m.n),
    "predicted_positive_rate": lambda m: (m.predicted_positive, m.n),
}
"""The rates that are hits among trials, which have Wilson's interval."""
