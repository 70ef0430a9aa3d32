"""The columns that may be the scores, or the label, where none is named: by their names and their first rows.

Every format is judged by the same cells, so that the same table has the same candidates in all of them. Numbers that
are whole, also those a format stores as floats, may be ids, dates or labels: they are scores only if they are named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rocconf.pattern import pattern
from rocconf.read.bounds import LONGEST_NAME
from rocconf.read.cells import MISSING, meaning
from rocconf.read.columns import TextCells

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

NOT_SCORES = pattern(
    r"|index|level_\d+|unnamed:.*|__index_level_\d+__|(.*_)?id|uid|uuid|guid|year|month|day|date|time|timestamp|fold"
    rf"|{'|'.join(LABELS)}",
    re.IGNORECASE,
)
"""Names of columns that count, date, split or label the cases."""

MOST_CLASSES = 10
"""How many values a column has at most that may be a label."""

POSITIVE = ("1", "yes", "y", "true", "t", "positive", "pos", "bad", "case", "event", "fraud", "churn", "churned", "sick",
            "ill", "malignant", "died", "dead", "default", "spam", "pass", "passed")  # fmt: skip
"""What the positive class is often called."""

OUTCOMES = pattern(
    r"(?:is_|has_)?(?:label|target|truth|outcome|y|class|diagnos[ei]s|diagnosed|churn(?:ed)?|fraud|died|dead|death|"
    r"default(?:ed)?|event|response|responded|convert(?:ed)?|disease|passed|result|status|relapse|survived|cancell?ed|"
    r"purchased|bought|spam|malignant|sick|readmitted|approved)(?:_.*)?|.*_(?:label|target|outcome|class)|(?:is|has)_.*",
    re.IGNORECASE,
)
"""Names that a column of labels often has."""

GROUPS = pattern(
    r"(?:.*_)?(?:sex|gender|male|female|race|ethnicity|group|arm|cohort|site|region|country|state|plan|segment|split|set)(?:_.*)?",
    re.IGNORECASE,
)
"""Names of columns that group the cases: none is proposed as the label."""

SCORED = pattern(r".*(?:score|prob|pred|risk|mark|grade|points|rating|exam|test).*", re.IGNORECASE)
"""Names that a column of whole-number scores often has."""

IDS = pattern(r"(?:.*_)?(?:id|ids|uid|uuid|guid|case|key|number|no|nr|patient|customer|user)", re.IGNORECASE)
"""Names that a column often has whose values identify the cases."""

DECIMAL_COMMA = pattern(r"[+-]?\d*,\d+([eE][+-]?\d+)?", re.ASCII)

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
    """Return the columns that may be the label: of two values before a few, named like an outcome before the others."""
    found = []
    for at, cells in heads.items():
        candidate = label_candidate(at, cells)
        is_named_otherwise = names[at] not in LABELS and NOT_SCORES.fullmatch(names[at])
        if not is_named_otherwise and names[at] not in SCORES and 2 <= len(candidate.values) <= MOST_CLASSES:
            found.append(candidate)

    def rank(candidate: LabelCandidate) -> tuple[bool, bool, bool]:
        name = _plain(names[candidate.at])
        return len(candidate.values) > 2, bool(GROUPS.fullmatch(name)), not OUTCOMES.fullmatch(name)

    return sorted(found, key=rank)


def is_group(name: str) -> bool:
    """Whether a column groups the cases by its name, so that it is not proposed as the label."""
    return bool(GROUPS.fullmatch(_plain(name)))


def _plain(name: str) -> str:
    """Return a name in words between underscores."""
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).strip("_")


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
    numbers = numbers_of(cells)
    return numbers is not None and _all_whole(numbers)


def likely_scores(names: Sequence[str], heads: Mapping[int, Cells]) -> list[int]:
    """Return columns of whole numbers that may be scores, those named like scores first; no ids, dates or row numbers."""
    found = [at for at, cells in heads.items() if not NOT_SCORES.fullmatch(names[at]) and not _are_counted(cells)]
    return sorted(found, key=lambda at: not SCORED.fullmatch(names[at]))


def _are_counted(cells: Cells) -> bool:
    """Whether whole numbers go up by 1 from row to row, or are one or two values only, as those of a label."""
    numbers = numbers_of(cells)
    return numbers is None or len(np.unique(numbers)) <= 2 or bool((np.diff(numbers) == 1).all())


def with_points(cells: Cells) -> Cells | None:
    """Return a column of numbers with decimal commas as it is with points; None for any other column."""
    texts = cells.texts()
    commas = [bool(DECIMAL_COMMA.fullmatch(text.strip())) for text in texts]
    if not any(commas):
        return None
    pointed = TextCells([text.replace(",", ".") if comma else text for text, comma in zip(texts, commas, strict=True)])
    return pointed if numbers_of(pointed) is not None else None


def _kind(cells: Cells) -> Kind | None:
    numbers = numbers_of(cells)
    if numbers is None or _all_whole(numbers):
        return None
    return "float" if outside(numbers).any() else "fraction"


def _all_whole(numbers: Floats) -> bool:
    finite = numbers[np.isfinite(numbers)]
    return bool((finite == np.floor(finite)).all())


def numbers_of(cells: Cells) -> Floats | None:
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
