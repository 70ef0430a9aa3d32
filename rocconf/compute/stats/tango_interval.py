r"""Tango's score interval for the difference of two paired proportions, from counts alone.

Of n pairs, b differ in one direction and c in the other. Tango's interval [1]_ contains the differences
:math:`\delta` that the score test does not reject, whose ends solve

.. math:: \frac{b-c-n\delta}{\sqrt{n(2\hat q_{21}+\delta(1-\delta))}} = \pm z

Published code takes the roots of a quartic, which fails on ordinary counts. Here the constrained estimates are
written with a Lagrange multiplier t, which makes them rational: with :math:`a = n-b-c`,

.. math:: P = \frac{b}{1+t}, \quad Q = \frac{c}{1-t}, \quad \delta = \frac{P-Q}{a+P+Q}

are the expected b and c and their difference, and the squared score is :math:`t^2[a(P+Q)+4PQ]/n`. Setting it to
:math:`z^2`, with :math:`w=1/t` and :math:`k=nz^2`, leaves a depressed cubic with three real roots,

.. math:: w^3 - pw - q = 0, \quad p = 1 + \frac{a(b+c)+4bc}{k}, \quad q = \frac{a(c-b)}{k}

whose largest (at least 1) gives the lower limit and whose smallest (at most -1) the upper one: with
:math:`r=\sqrt{p/3}` they are Viète's :math:`2r\cos\phi` and :math:`-2r\cos(\pi/3-\phi)`, where
:math:`\cos 3\phi=q/2r^3`. One Newton step in :math:`u=|w|-1` restores the digits that the subtraction of 1 takes,

.. math:: u^3 + 3u^2 + (3-p)u - 2c(a+2b)/k = 0, \quad P = \frac{b(1+u)}{2+u}, \quad Q = \frac{c(1+u)}{u}

The upper limit is the lower one of the exchanged counts with its sign reversed. The smaller count is therefore put
first and the interval mirrored, which makes that of (c, b) exactly the mirror image of that of (b, c).

References
----------
.. [1] T. Tango (1998), Statistics in Medicine 17, 891-908.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf.compute.stats.normal import normal_quantile
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocconf.records import Floats

    Number = float | Floats

MOST = 2**53
"""The largest count up to which every whole number is a float64."""

MOST_PAIRS = 2 * MOST
"""The largest number of pairs: two classes."""

CACHED = 1 << 14
"""The number of intervals computed at a time: as many as fit the cache with the dozen arrays of their terms."""

START = (3**0.5 / 2, 1 / 6, 23 / 9 - 3**1.5 / 2, 3**0.5 - 31 / 18)
"""The cubic with the values and slopes of cos(arccos(x) / 3) at 0 and 1, the constant first; 3e-4 off at most."""

LEAST_SLOPE = 1e-9
"""A lower bound of the slope: it is 0 only at a double root, where c = 0 and the step is not used."""

LEAST_U = 1e-100
"""A lower bound of u: it is 0 only where c = 0, where it is not used, and where c = n, whose limit is -1."""


class Limits(NamedTuple):
    """The two ends of intervals: `lower, upper = limits`."""

    lower: Floats
    upper: Floats


def tango_interval(b: ArrayLike, c: ArrayLike, n: ArrayLike, level: float = 0.95) -> Limits:
    """Return Tango's interval for (b - c) / n, for any number of tables at once.

    Parameters
    ----------
    b, c
        The numbers of pairs that differ in either direction; for a classifier, its false negatives and false
        positives.
    n
        The number of pairs. The three are broadcast against each other.
    level
        The level of the interval.

    Examples
    --------
    >>> import rocconf
    >>> interval = rocconf.tango_interval(12, 2, 50)
    >>> round(float(interval.lower), 3), round(float(interval.upper), 3)
    (0.061, 0.345)
    """
    b_, c_, n_ = np.broadcast_arrays(_whole("b", b, MOST), _whole("c", c, MOST), _whole("n", n, MOST_PAIRS))
    if (n_ == 0).any():
        raise UndefinedError("tango-no-pair")
    over = b_ + c_ > n_
    if over.any():
        first = int(np.argmax(over))
        raise UndefinedError("tango-too-many", b=b_.flat[first], c=c_.flat[first], n=n_.flat[first])
    limits = tango_limits(b_.ravel(), c_.ravel(), n_.ravel(), normal_quantile(level))
    return Limits(limits.lower.reshape(b_.shape), limits.upper.reshape(b_.shape))


def tango_limits(b: NDArray[Any], c: NDArray[Any], n: Number, z: float) -> Limits:
    """Return Tango's limits without checking the counts."""
    limits = Limits(np.empty(len(b)), np.empty(len(b)))
    for start in range(0, len(b), CACHED):
        part = slice(start, start + CACHED)
        of = n[part] if isinstance(n, np.ndarray) else n
        limits.lower[part], limits.upper[part] = _limits(b[part], c[part], of, z * z)
    return limits


def _limits(b: NDArray[Any], c: NDArray[Any], n: Number, z2: float) -> Limits:
    """Return the limits, computed with the smaller count first and mirrored where that was c."""
    x, y = np.minimum(b, c).astype(np.float64), np.maximum(b, c).astype(np.float64)
    lower, upper = _ordered_limits(x, y, n, n * z2)
    upper = np.where(x == y, -lower, upper)
    mirrored = b > c
    if not mirrored.any():
        return Limits(lower, upper)
    return Limits(np.where(mirrored, -upper, lower), np.where(mirrored, -lower, upper))


def _ordered_limits(x: Floats, y: Floats, n: Number, k: Number) -> Limits:
    """Return the limits for b = x <= c = y, where q >= 0.

    In place, here and below: a new array for every term would cost more than the arithmetic.
    """
    per_k = 1 / k
    a = n - x
    a -= y
    p = x + y
    p *= a
    both = x * y
    both *= 4
    p += both
    p *= per_k
    p += 1
    r = p / 3
    np.sqrt(r, out=r)

    cos = _cos_of_third(x, y, a, per_k, r)
    cos_of_rest = cos * cos  # 2 cos(pi/3 - phi) = cos(phi) + sqrt(3) sin(phi)
    np.subtract(1, cos_of_rest, out=cos_of_rest)
    cos_of_rest *= 3
    np.sqrt(cos_of_rest, out=cos_of_rest)
    cos_of_rest += cos
    cos_of_rest *= r
    cos *= r
    cos *= 2
    lower = _limit(x, y, a, p, per_k, cos)
    upper = _limit(y, x, a, p, per_k, cos_of_rest)
    return Limits(lower, np.negative(upper, out=upper))


def _cos_of_third(x: Floats, y: Floats, a: Floats, per_k: Number, r: Floats) -> Floats:
    """Return the cosine of a third of the angle whose cosine is q/2r^3, which is in [0, 1].

    It solves 4Y^3 - 3Y = q/2r^3, and two of Newton's steps do it at a fraction of the cost of a cosine.
    """
    cosine = y - x
    cosine *= a
    cosine *= per_k
    work = r * r
    work *= r
    work *= 2
    cosine /= work
    root = cosine * START[3]
    for coefficient in (START[2], START[1]):
        root += coefficient
        root *= cosine
    root += START[0]
    for _ in range(2):  # Y <- (8Y^3 + q/2r^3) / (12Y^2 - 3)
        np.multiply(root, root, out=work)
        root *= work
        root *= 8
        root += cosine
        work *= 12
        work -= 3
        root /= work
    return np.minimum(root, 1, out=root)


def _limit(  # noqa: PLR0917  # the formula's letters
    b: Floats, c: Floats, a: Floats, p: Floats, per_k: Number, w: Floats
) -> Floats:
    """Return the lower limit of the root w, whose array is overwritten."""
    slope = w * w
    slope *= 3
    slope -= p
    np.maximum(slope, LEAST_SLOPE, out=slope)
    u = w
    u -= 1
    step = u + 3  # ((u + 3) u + 3 - p) u - 2c(a + 2b)/k, over its slope
    step *= u
    step += 3
    step -= p
    step *= u
    last = b * 2
    last += a
    last *= c
    last *= 2 * per_k
    step -= last
    step /= slope
    u -= step
    np.maximum(u, LEAST_U, out=u)
    return _difference(b, c, a, p, per_k, u)


def _difference(  # noqa: PLR0917  # the formula's letters
    b: Floats, c: Floats, a: Floats, p: Floats, per_k: Number, u: Floats
) -> Floats:
    """Return (P - Q) / (a + P + Q), expanded by u (2 + u) / (1 + u)."""
    above = u + 2
    expected_c = c * above
    expected_b = b * u
    above *= u
    above *= a
    u += 1
    above /= u
    above += expected_b
    above += expected_c
    expected_b -= expected_c
    expected_b /= above
    none = np.flatnonzero(c == 0)
    if len(none):
        of = per_k[none] if isinstance(per_k, np.ndarray) else per_k
        expected_b[none] = _difference_without_c(b[none], a[none], p[none], of)
    return expected_b


def _difference_without_c(b: Floats, a: Floats, p: Floats, per_k: Number) -> Floats:
    """Return the difference where c = 0: the cubic loses its last term, and a square root solves it.

    At u = 0 the multiplier does not determine Q, but the score equation does.
    """
    u = np.maximum((np.sqrt(4 * p - 3) - 3) / 2, 0)
    P = b * (1 + u) / (2 + u)
    Q = np.where(u > 0, 0, (1 / per_k - a * P) / (a + 4 * P))
    difference: Floats = (P - Q) / (a + P + Q)
    return difference


def _whole(name: str, values: ArrayLike, most: int) -> Floats:
    """Return counts as floats, which hold them exactly up to 2^53, and to the last digit up to 2^54."""
    counts = np.asarray(values)
    if counts.dtype.kind not in "iuf":
        raise UndefinedError("tango-counts", name=name, dtype=counts.dtype)
    wrong = ~((counts >= 0) & (counts <= most) & (counts == np.floor(counts)))
    if wrong.any():
        raise UndefinedError("tango-whole", name=name, most=most.bit_length() - 1, value=counts[wrong].flat[0])
    return counts.astype(np.float64)
