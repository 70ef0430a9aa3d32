"""The columns that may be the scores, or the label, where none is named: by their names and their first rows.

Every format is judged by the same cells, so that the same table has the same candidates in all of them. Numbers that
are whole, also those a format stores as floats, may be ids, dates or labels: they are scores only if they are named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rocconf.read.bounds import LONGEST_NAME
from rocconf.read.cells import MISSING, meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.messages import Message
    from rocconf.read.columns import Cells
    from rocconf.records import Floats

LABELS = ("label", "y_true", "y", "target", "truth")
SCORES = ("score", "y_score", "prob", "proba", "probability", "y_prob", "p")
"""Default names; a column of such a name needs no option."""

SAMPLE = 1000
"""How many rows decide what a column may be."""

SLACK = 1e-9
"""How far a fraction may lie outside [0, 1]."""

NOT_SCORES = re.compile(
    r"|index|unnamed:.*|__index_level_\d+__|(.*_)?id|uid|uuid|guid|year|month|day|date|time|timestamp|fold"
    rf"|{'|'.join(LABELS)}",
    re.IGNORECASE,
)
"""Names of columns that count, date, split or label the cases."""

MOST_CLASSES = 10
"""How many values a column has at most that may be a label."""

POSITIVE = ("1", "yes", "y", "true", "t", "positive", "pos", "bad", "case", "event", "fraud", "churned", "sick", "ill")
"""What the positive class is often called."""

Kind = Literal["fraction", "float"]


class LabelCandidate(NamedTuple):
    """A column that may be the label, with its distinct values, the likeliest positive one first."""

    at: int
    values: tuple[str, ...]

    @property
    def needs_positive(self) -> bool:
        """Whether an option must name the positive class."""
        return not {meaning(value) for value in self.values} <= {0.0, 1.0}


def outside(scores: Floats) -> NDArray[np.bool_]:
    """Return which scores are not fractions; a missing one, NaN, is not outside."""
    return (scores < -SLACK) | (scores > 1 + SLACK)


def score_candidates(names: Sequence[str], heads: Mapping[int, Cells]) -> tuple[list[int], Kind]:
    """Return the columns that may be scores: those of fractions or, where there are none, of other floats."""
    kinds = {at: _kind(heads[at]) for at in sorted(heads) if not NOT_SCORES.fullmatch(names[at])}
    fractions = [at for at, kind in kinds.items() if kind == "fraction"]
    return (fractions, "fraction") if fractions else ([at for at, kind in kinds.items() if kind], "float")


def label_candidates(names: Sequence[str], heads: Mapping[int, Cells]) -> list[LabelCandidate]:
    """Return the columns that may be the label: those of two values first, then those of a few."""
    found = []
    for at, cells in heads.items():
        candidate = label_candidate(at, cells)
        is_named_otherwise = names[at] not in LABELS and NOT_SCORES.fullmatch(names[at])
        if not is_named_otherwise and names[at] not in SCORES and 2 <= len(candidate.values) <= MOST_CLASSES:
            found.append(candidate)
    return sorted(found, key=lambda candidate: len(candidate.values) > 2)


def label_candidate(at: int, cells: Cells) -> LabelCandidate:
    """Return the values of a column as those of a label; none if it holds floats."""
    texts = [text.strip() for text in cells.texts() if text.strip().lower() not in MISSING]
    counts: dict[float | str, int] = {}
    spelled: dict[float | str, str] = {}
    for text in texts:
        value = meaning(text)
        counts[value] = counts.get(value, 0) + 1
        spelled.setdefault(value, text)
    if any(
        (isinstance(value, float) and not value.is_integer()) or len(spelled[value]) > LONGEST_NAME for value in counts
    ):
        return LabelCandidate(at, ())

    def rank(value: float | str) -> tuple[bool, float]:
        return spelled[value].lower() not in POSITIVE, -value if isinstance(value, float) else counts[value]

    return LabelCandidate(at, tuple(spelled[value] for value in sorted(counts, key=rank)))


def whole_numbers(cells: Cells) -> bool:
    """Whether a column holds numbers, all of them whole."""
    numbers = _numbers(cells)
    return numbers is not None and _all_whole(numbers)


def _kind(cells: Cells) -> Kind | None:
    numbers = _numbers(cells)
    if numbers is None or _all_whole(numbers):
        return None
    return "float" if outside(numbers).any() else "fraction"


def _all_whole(numbers: Floats) -> bool:
    finite = numbers[np.isfinite(numbers)]
    return bool((finite == np.floor(finite)).all())


def _numbers(cells: Cells) -> Floats | None:
    """Return the numbers of a column if most cells are some: a few that are not are faults, to be reported."""
    bad: set[int] = set()

    def note(row: int, _: Message) -> None:
        bad.add(row)

    numbers = cells.numbers(note)
    if bad:
        numbers = numbers[~np.isin(np.arange(len(numbers)), list(bad))]
    numbers = numbers[~np.isnan(numbers)]
    return numbers if len(numbers) > len(bad) else None


def listed(words: Iterable[str], most: int) -> str:
    """Return words between commas, the first few of them."""
    known = list(words)
    return ", ".join(known[:most]) + (f" and {len(known) - most} more" if len(known) > most else "")
