r"""The whole numbers that an AUC, its interval and the paired test of two follow from, as files hold them.

v is twice the number of negatives below a positive, w twice the number of positives above a negative, ties counting
once. Of one model the sums of v and w over the cases and of their squares are enough; of two models on the same cases,
with v and u, also those of the products and of the cubes of v - u. They pass 64 bits and are Python's integers here.

Numbers that no cases have are refused: sums out of their range, squares and products that contradict the sums, or
another remainder than whole numbers leave. What a careful hand invents as a whole is not found.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError
from rocconf.examples import example
from rocconf.pattern import pattern
from rocconf.records import MOST_CASES
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WHOLE = pattern(r"\d{1,99}(\.0*)?")
"""A whole number in digits, as SQL engines write it."""

TRUE, FALSE = ("true", "t", "1"), ("false", "f", "0")


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """The sums of the placements of one model, and of their squares."""

    positives: int
    negatives: int
    sum_v: int
    sum_w: int
    sum_vv: int
    sum_ww: int

    def __post_init__(self) -> None:
        _require_classes(self.positives, self.negatives)
        _require("sum_w", self.sum_w == self.sum_v, f"sum_v ({self.sum_v})")
        _require_squares("sum_v", self.sum_v, self.sum_vv, self.positives, 2 * self.negatives)
        _require_squares("sum_w", self.sum_w, self.sum_ww, self.negatives, 2 * self.positives)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> WholeNumbers:
        """Return the numbers of a record, in digits or as integers."""
        return cls(**{name: whole_number(name, record.get(name)) for name in NUMBERS})

    def turned(self) -> WholeNumbers:
        """Return the numbers of the scores with the opposite sign."""
        p, q = self.positives, self.negatives
        return WholeNumbers(
            p,
            q,
            2 * p * q - self.sum_v,
            2 * p * q - self.sum_w,
            4 * q * q * p - 4 * q * self.sum_v + self.sum_vv,
            4 * p * p * q - 4 * p * self.sum_w + self.sum_ww,
        )

    @property
    def sums(self) -> tuple[int, int, int, int]:
        """The sums alone, as counts in bins have them."""
        return self.sum_v, self.sum_w, self.sum_vv, self.sum_ww

    def record(self) -> dict[str, int]:
        """Return the numbers by the names of their columns."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ClassSums:
    """Sums over one class: placements by the model (v) and by the baseline (u), their products, and (v - u) cubed."""

    v: int
    u: int
    vv: int
    vu: int
    uu: int
    ddd: int


@dataclass(frozen=True, slots=True)
class PairNumbers:
    """The sums of the placements of two models on the same cases."""

    model: str
    baseline: str
    positives: int
    negatives: int
    pos: ClassSums
    neg: ClassSums
    same_order: bool
    """Whether both models put the cases in the same order, with the same ties."""
    same_scores: bool
    """Whether every case has the same score from both."""

    def __post_init__(self) -> None:
        _require_classes(self.positives, self.negatives)
        _require("baseline", self.baseline != self.model, "another model")
        for name in ("v", "u"):
            found, expected = getattr(self.neg, name), getattr(self.pos, name)
            _require(f"neg_{name}", found == expected, f"pos_{name} ({expected})")
        for prefix, sums, size, other in self._classes:
            _require_squares(f"{prefix}v", sums.v, sums.vv, size, 2 * other)
            _require_squares(f"{prefix}u", sums.u, sums.uu, size, 2 * other)
            _require_products(prefix, sums, size, 2 * other)
            is_equal = sums.vv == sums.vu == sums.uu and not sums.ddd
            _require(f"{prefix}vu", is_equal or not self.same_order, "vv and uu, as same_order is true")
        _require("same_order", self.same_order or not self.same_scores, "true, as same_scores is")

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> PairNumbers:
        """Return the numbers of a record, in digits or as integers."""
        positives, negatives = (whole_number(name, record.get(name)) for name in ("positives", "negatives"))
        pos, neg = (
            ClassSums(**{name: whole_number(f"{prefix}_{name}", record.get(f"{prefix}_{name}")) for name in SUMS})
            for prefix in ("pos", "neg")
        )
        model, baseline = (_named(name, record.get(name)) for name in ("model", "baseline"))
        same_order, same_scores = (_flag(name, record.get(name)) for name in FLAGS)
        return cls(model, baseline, positives, negatives, pos, neg, same_order, same_scores)

    @property
    def of_model(self) -> WholeNumbers:
        """The numbers of the model alone."""
        return WholeNumbers(self.positives, self.negatives, self.pos.v, self.neg.v, self.pos.vv, self.neg.vv)

    @property
    def of_baseline(self) -> WholeNumbers:
        """The numbers of the baseline alone."""
        return WholeNumbers(self.positives, self.negatives, self.pos.u, self.neg.u, self.pos.uu, self.neg.uu)

    @property
    def of_each(self) -> dict[str, WholeNumbers]:
        """The numbers of each of the two models."""
        return {self.model: self.of_model, self.baseline: self.of_baseline}

    def exchanged(self) -> PairNumbers:
        """Return the numbers of the baseline less the model."""
        pos, neg = (ClassSums(each.u, each.v, each.uu, each.vu, each.vv, -each.ddd) for each in (self.pos, self.neg))
        rest = self.positives, self.negatives, pos, neg, self.same_order, self.same_scores
        return PairNumbers(self.baseline, self.model, *rest)

    def turned(self) -> PairNumbers:
        """Return the numbers of the scores with the opposite sign."""
        pos, neg = (_turned(sums, size, 2 * other) for _, sums, size, other in self._classes)
        rest = self.positives, self.negatives, pos, neg, self.same_order, self.same_scores
        return PairNumbers(self.model, self.baseline, *rest)

    @property
    def _classes(self) -> Iterator[tuple[str, ClassSums, int, int]]:
        yield "pos_", self.pos, self.positives, self.negatives
        yield "neg_", self.neg, self.negatives, self.positives

    def record(self) -> dict[str, Any]:
        """Return the numbers by the names of their columns."""
        return {
            **{name: getattr(self, name) for name in ("model", "baseline", "positives", "negatives")},
            **{f"pos_{name}": value for name, value in asdict(self.pos).items()},
            **{f"neg_{name}": value for name, value in asdict(self.neg).items()},
            **{name: getattr(self, name) for name in ("same_order", "same_scores")},
        }


NUMBERS = tuple(field.name for field in fields(WholeNumbers))
"""The columns of the numbers of one model, beside `model`."""

SUMS = tuple(field.name for field in fields(ClassSums))
FLAGS = ("same_order", "same_scores")
PAIRS = (
    *("model", "baseline", "positives", "negatives"),
    *(f"{prefix}_{name}" for prefix in ("pos", "neg") for name in SUMS),
    *FLAGS,
)
"""The columns of the numbers of a pair."""


DIGITS = frozenset(NUMBERS + PAIRS) - {"model", "baseline", "positives", "negatives", *FLAGS}
"""The columns that are sums."""


def whole_number(name: str, value: Any) -> int:
    """Return a whole number; a float would have lost digits, and only a sum of cubes may be negative."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    digits = text.removeprefix("-") if name.endswith("ddd") else text
    if not WHOLE.fullmatch(digits):
        raise RocconfError("numbers-not-whole", name=name, found=example(value))
    return int(text.partition(".")[0])


def _flag(name: str, value: Any) -> bool:
    text = str(value).strip().lower()
    if text not in (*TRUE, *FALSE):
        raise RocconfError("numbers-not-flag", name=name, found=example(value))
    return text in TRUE


def _named(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RocconfError("numbers-unnamed", name=name)
    return value


def _turned(sums: ClassSums, size: int, most: int) -> ClassSums:
    return ClassSums(
        size * most - sums.v,
        size * most - sums.u,
        size * most**2 - 2 * most * sums.v + sums.vv,
        size * most**2 - most * (sums.v + sums.u) + sums.vu,
        size * most**2 - 2 * most * sums.u + sums.uu,
        -sums.ddd,
    )


def _require(name: str, holds: bool, wanted: str) -> None:  # noqa: FBT001  # what is required
    if not holds:
        raise RocconfError("numbers-impossible", name=name, wanted=wanted)


def _require_classes(positives: int, negatives: int) -> None:
    for name, found in (("positives", positives), ("negatives", negatives)):
        _require(name, 1 <= found <= MOST_CASES, f"in [1, {MOST_CASES}]")


def _require_squares(name: str, total: int, squares: int, size: int, most: int) -> None:
    """Reject a sum of `size` whole numbers in [0, most], or a sum of their squares, that no such numbers have."""
    _require(name, 0 <= total <= size * most, f"in [0, {size * most}]")
    mean, more = divmod(total, size)
    largest, rest = divmod(total, most)
    least_squares = size * mean**2 + more * (2 * mean + 1)
    most_squares = largest * most**2 + rest**2
    wanted = f"in [{least_squares}, {most_squares}]"
    _require(f"{name}{name[-1]}", least_squares <= squares <= most_squares, wanted)
    _require(f"{name}{name[-1]}", (squares - total) % 2 == 0, f"{'odd' if total % 2 else 'even'}, as {name} is")


def _require_products(prefix: str, sums: ClassSums, size: int, most: int) -> None:
    """Reject products or cubes that contradict the other sums: d = v - u lies in [-most, most]."""
    d, dd, ddd = sums.v - sums.u, sums.vv + sums.uu - 2 * sums.vu, sums.ddd
    spreads = [size * square - total**2 for square, total in ((sums.vv, sums.v), (sums.uu, sums.u))]
    covariance = size * sums.vu - sums.v * sums.u
    _require(f"{prefix}vu", covariance**2 <= spreads[0] * spreads[1], "a covariance that the variances allow")
    _require(f"{prefix}ddd", (ddd - d) % 6 == 0, f"{prefix}v less {prefix}u but for multiples of 6")
    # no sum of (a + b d)^2 (most -+ d) is negative: d has such moments if and only if this holds of both signs
    for sign in (-1, 1):
        weights = [size * most + sign * d, most * d + sign * dd, most * dd + sign * ddd]
        holds = min(weights[0], weights[2]) >= 0 and weights[1] ** 2 <= weights[0] * weights[2]
        _require(f"{prefix}ddd", holds, "the cubes of such differences")


def in_digits(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record whose sums are text, as few formats hold more than 64 bits."""
    return {key: str(value) if key in DIGITS else value for key, value in record.items()}


def _column(name: str) -> Column:
    if name in FLAGS:
        return Column(name, "flag")
    return Column(name, "count" if name in ("positives", "negatives") else "text")


NUMBER_COLUMNS = tuple(map(_column, ("model", *NUMBERS)))
PAIR_COLUMNS = tuple(map(_column, PAIRS))
