r"""Read numbers in decimal digits, thousands at a time, each as the nearest float.

The eight characters before the end of a number are one 64-bit word, of which three multiplications add up the digits
[1]_. A number is then :math:`D / 10^k` for whole numbers D and k. Where :math:`D < 2^{53}` and :math:`k \le 22` both are
floats, and the quotient is the nearest float by definition. Larger D are divided as floats, and the quotient is
corrected by its remainder, which Dekker's product [2]_ gives exactly. Whatever is not surely right is left to the
caller: other forms, and sums within :math:`2^{-10}` of the middle of two floats.

References
----------
.. [1] D. Lemire (2021), Number parsing at a gigabyte per second, Software: Practice and Experience 51, 1700-1727.
.. [2] T. J. Dekker (1971), A floating-point technique for extending the available precision, Numer. Math. 18, 224-242.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Flags, Floats

    Words = NDArray[np.uint64]
    Places = NDArray[np.int64]

MARGIN = 24
"""The characters before a number that may be looked at, of which it does not depend."""

BLOCK = 1 << 15
"""The numbers of which all intermediate results fit the cache."""

WORD = 8
LARGEST_POWER = 22
"""The largest k of which 10^k is a float."""

MOST_DIGITS = 18
"""The digits of whole numbers that surely fit 64 bits."""

WHOLE_FLOATS = 1 << 53

ZEROS, DOTS = np.uint64(0x3030303030303030), np.uint64(0x2E2E2E2E2E2E2E2E)
"""Eight characters 0, and eight points."""

LOW_BITS, HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
TO_THE_HIGH_BIT = np.uint64(0x7676767676767676)
"""What sets the high bit of a character's byte where it is more than 9."""

STEPS = tuple(
    tuple(map(np.uint64, step))
    for step in (
        (10 * 2**8 + 1, 8, 0x00FF00FF00FF00FF),
        (100 * 2**16 + 1, 16, 0x0000FFFF0000FFFF),
        (10_000 * 2**32 + 1, 32, 0xFFFFFFFF),
    )
)
"""What adds up two digits each, two numbers of two digits, and two of four: a factor, a shift, and the bits to keep."""

LARGEST_LEADING = 900
"""What the digits before the last sixteen stay below, so that all fit 64 bits."""

LETTER = np.uint64(0xDF)
"""The bits in which a letter does not depend on its case."""

ONE, THREE, SIZE, OCTET = map(np.uint64, (1, 3, WORD, 0xFF))
MINUS, PLUS, ZERO, POINT = b"-+0."
EXPONENT_SIZE = 4
"""The characters of an exponent like e-05, the only form of it that is read here."""

POWERS = np.array([float(10**k) for k in range(LARGEST_POWER + 1)])
WHOLE_POWERS = np.array([10 ** min(k, 19) for k in range(LARGEST_POWER + 1)], dtype=np.uint64)
MANTISSA, EXPONENT = np.uint64((1 << 52) - 1), np.uint64(0x7FF << 52)


def parse_decimals(text: NDArray[np.uint8], starts: Places, ends: Places) -> tuple[Floats, Flags]:
    """Return the numbers between some places of a text, and which of them are still to be read.

    There must be MARGIN characters before the first number, and eight after the last.
    """
    words = np.ndarray((len(text) - WORD + 1,), "<u8", text, strides=(1,))
    numbers = np.empty(len(starts))
    left = np.empty(len(starts), dtype=np.bool_)
    for begin in range(0, len(starts), BLOCK):
        some = slice(begin, begin + BLOCK)
        numbers[some], left[some] = _parsed(words, starts[some], ends[some])
    return numbers, left


def _parsed(words: Words, starts: Places, ends: Places) -> tuple[Floats, Flags]:
    head, tail = words[starts], words[ends - WORD]
    sign = head & OCTET
    is_negative = sign == MINUS
    is_signed = is_negative | (sign == PLUS)
    if has_signs := bool(is_signed.any()):
        starts = starts + is_signed
        head = words[starts]
    exponent = _exponent(tail, ends - starts)
    if exponent is not None:
        ends = ends - EXPONENT_SIZE * (exponent > 0)
        tail = words[ends - WORD]
    size = np.maximum(ends - starts, 0).astype(np.uint64)
    whole, left = _digits_of_whole(head, size)
    fraction = size - whole
    fraction -= fraction > 0  # the point itself
    left |= whole + fraction == 0
    digits = _digits_before(words, ends, tail, fraction, left)
    _add_whole(digits, head, whole, fraction, left)
    power = fraction.astype(np.int64)
    if exponent is not None:
        power += exponent
    left |= power > LARGEST_POWER
    np.putmask(digits, left, 0)  # which may be no number at all
    numbers = _divided(digits, np.minimum(power, LARGEST_POWER), left)
    if has_signs:
        np.negative(numbers, out=numbers, where=is_negative)
    return numbers, left


def _digits_of_whole(head: Words, size: Words) -> tuple[Words, Flags]:
    """Return the number of digits before the point, and where that is not known."""
    if (head >> np.uint64(8) & OCTET == POINT).all():
        return np.minimum(size, ONE), np.zeros(len(size), dtype=np.bool_)
    point = _first_zero(head ^ DOTS)
    return np.minimum(np.bitwise_count(point - ONE) >> 3, size), (point == 0) & (size > WORD)


def _add_whole(digits: Words, head: Words, whole: Words, fraction: Words, left: Flags) -> None:
    """Add the digits before the point to those behind it."""
    most = int(whole.max(initial=0))
    if not most:
        return
    if most == 1:
        found = (head & OCTET) - ZERO
        left |= found > 9
        found *= whole
    else:
        found = _added_up(head << (SIZE - whole << THREE), whole, left)
    if found.any():
        left |= (found > 0) & (whole + fraction > MOST_DIGITS)
        digits += found * WHOLE_POWERS[np.minimum(fraction, LARGEST_POWER)]


def _exponent(tail: Words, size: Places) -> Places | None:
    """Return what an exponent like e-05 adds to the power of ten below a number; None if there is none."""
    tail = tail >> np.uint64(32)
    has_exponent = (tail & LETTER) == ord("E")
    if not has_exponent.any():
        return None
    sign, tens, units = (tail >> np.uint64(shift) & OCTET for shift in (8, 16, 24))
    tens, units = tens - ZERO, units - ZERO
    has_exponent &= (sign == MINUS) & (tens < 10) & (units < 10) & (size > EXPONENT_SIZE)
    found: Places = ((tens * 10 + units) * has_exponent).astype(np.int64)
    return found


def _first_zero(words: Words) -> Words:
    """Return the highest bit of the first character that is 0, 0 if there is none."""
    found = (words - LOW_BITS) & ~words & HIGH_BITS
    return found & (~found + ONE)


def _digits_before(words: Words, ends: Places, tail: Words, count: Words, left: Flags) -> Words:
    """Return the whole number that so many digits before an end are."""
    most = int(count.max(initial=0))
    found = _added_up(tail, np.minimum(count, WORD), left)
    if most > WORD:
        more = np.minimum(np.maximum(count, WORD) - WORD, WORD)
        found += _added_up(words[ends - 2 * WORD], more, left) * np.uint64(10**WORD)
    if most > 2 * WORD:
        more = np.minimum(np.maximum(count, 2 * WORD) - 2 * WORD, WORD)
        leading = _added_up(words[ends - 3 * WORD], more, left)
        left |= leading >= LARGEST_LEADING
        found += leading * np.uint64(10 ** (2 * WORD))
    return found


def _added_up(words: Words, count: Words, left: Flags) -> Words:
    """Return the number that the last characters of each word are as digits, and note where one is no digit."""
    others = SIZE - count << THREE
    found: Words = words >> others << others
    found ^= ZEROS << others
    check = found + TO_THE_HIGH_BIT
    check |= found
    check &= HIGH_BITS
    left |= check != 0
    for pairs, shift, kept in STEPS:
        found *= pairs
        found >>= shift
        found &= kept
    return found


def _divided(digits: Words, power: Places, left: Flags) -> Floats:
    """Return the float nearest to each whole number over a power of ten, and note where that is not sure."""
    divisor: Floats = POWERS[power]
    high: Floats = digits.astype(np.float64)
    quotient: Floats = np.divide(high, divisor)
    if int(digits.max(initial=0)) < WHOLE_FLOATS:
        return quotient
    low = (digits - high.astype(np.uint64)).view(np.int64).astype(np.float64)
    product = quotient * divisor
    (one, rest), (other, other_rest) = _halves(quotient), _halves(divisor)
    error = ((one * other - product) + one * other_rest + rest * other) + rest * other_rest
    correction = ((high - product) + (low - error)) / divisor
    found: Floats = quotient + correction
    rounded_off = np.abs(correction - (found - quotient))
    bits = found.view(np.uint64)
    half_step = (bits & EXPONENT).view(np.float64) * 2.0**-53
    unsure = rounded_off > half_step * (1 - 2.0**-9)
    unsure |= bits & MANTISSA == 0  # the step below a power of two is smaller
    left |= unsure & (digits >= WHOLE_FLOATS)
    return found


def _halves(numbers: Floats) -> tuple[Floats, Floats]:
    """Return two numbers of half the digits, whose sum is each number."""
    spread = numbers * (2.0**27 + 1)
    upper = spread - (spread - numbers)
    return upper, numbers - upper
