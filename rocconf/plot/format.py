"""Numbers and names as text in a figure: short, but never rounded into something else."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from rocconf.records import DELONG
from rocconf.report import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.chi2_contours import ClassTotals
    from rocconf.compute.stats.estimate import Measured
    from rocconf.records import IntervalKind, ScoreCounts

LONGEST_NAME = 40
MINUS = "\N{MINUS SIGN}"


def share(value: float) -> str:
    """Return a number between 0 and 1 in three decimals, or as many more as show that it is neither 0 nor 1."""
    for digits in range(3, 7):
        text = f"{value:.{digits}f}"
        if value in (0, 1) or float(text) not in (0, 1):
            break
    return text


def shares(values: Sequence[float]) -> tuple[str, ...]:
    """Return numbers between 0 and 1 with as many decimals each, enough for two digits of the largest."""
    largest = max(values, default=0)
    digits = max(3, 1 - floor(log10(largest))) if isfinite(largest) and largest > 0 else 3
    return tuple(f"{value:.{digits}f}" for value in values)


def compact(value: float) -> str:
    """Return a number in three digits, or as many more as keep its distance from 1 within half a percent."""
    if not isfinite(value):
        return _digits(value, 3)
    near = min(abs(value), abs(1 - value)) / 200
    least = max(3, floor(log10(abs(value))) + 1) if value else 3
    digits = next((d for d in range(least, 7) if abs(float(f"{value:.{d}g}") - value) <= near), 6)
    return _digits(value, digits)


def distinct(values: Sequence[float]) -> tuple[str, ...]:
    """Return compact numbers with as many digits as make different ones different."""
    texts = tuple(map(compact, values))
    for digits in range(4, 18):
        if len(set(texts)) == len(values):
            break
        texts = tuple(_digits(value, digits) for value in values)
    return texts


def aligned(values: Sequence[float]) -> tuple[str, ...]:
    """Return compact numbers with as many decimals as the one that needs most; different ones are different."""
    texts = tuple(map(compact, values))
    if any("e" in text or not isfinite(value) for text, value in zip(texts, values, strict=True)):
        return texts
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    texts = tuple(f"{value:.{decimals}f}".replace("-", MINUS) for value in values)
    if len(set(texts)) == len(set(values)):
        return texts
    once = tuple(dict.fromkeys(values))
    text_of = dict(zip(once, distinct(once), strict=True))
    return tuple(text_of[value] for value in values)


def percent(level: float) -> str:
    """Return the level of an interval."""
    return f"{100 * level:.6g}%"


def p(value: float | None) -> str:
    """Return a p-value with its relation, like `= 0.05`."""
    if value is None:
        return "undefined"
    return "<\N{NO-BREAK SPACE}0.0001" if value < 0.0001 else f"=\N{NO-BREAK SPACE}{value:.2g}"


def plain(text: str) -> str:
    """Return a text whose control characters are escaped: neither fonts nor XML have them."""
    return "".join(letter if letter.isprintable() or letter.isspace() else escaped(letter) for letter in text)


def escaped(letter: str) -> str:
    r"""Return a character as its escape, like ``\x1b``."""
    return letter.encode("unicode_escape").decode("ascii")


def name(model: str, longest: int = LONGEST_NAME) -> str:
    """Return a model's name on one line, shortened in the middle if it is very long."""
    return shortened_names([model], longest)[0]


def names(counts: Sequence[ScoreCounts], longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Return the models' names, each on one line and shortened if it is very long; all are different."""
    return shortened_names([each.model for each in counts], longest)


def shortened_names(models: Sequence[str], longest: int) -> tuple[str, ...]:
    """Return names on one line each, shortened if they are very long; all are different."""
    return shortened([plain(model) for model in models], longest)


def auc_with_interval(area: Measured) -> str:
    """Return an area and its interval."""
    return f"{share(area.value)} [{share(area.interval.lower)}, {share(area.interval.upper)}]"


def auc_method(area: Measured) -> str:
    """Return the method and the level of an area's interval."""
    return f"{'Newcombe' if area.estimate.is_newcombe else kind_name(area.kind)}, {percent(area.level)}"


def kind_name(kind: IntervalKind) -> str:
    """Return the name of a kind of interval of an AUC."""
    return "DeLong" if kind == DELONG else kind


def cases(counts: Sequence[ScoreCounts | ClassTotals]) -> str:
    """Return the number of cases, if it is the same for all models."""
    sizes = {(each.p, each.q) for each in counts}
    if len(sizes) > 1:
        return ""
    ((p, q),) = sizes
    return f"{p + q:,} cases: {p:,} positive, {q:,} negative"


def _digits(value: float, digits: int) -> str:
    return f"{value:.{digits}g}".replace("-", MINUS).replace("inf", "∞")
