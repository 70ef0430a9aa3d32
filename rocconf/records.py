"""The records that each step passes to the next: validated when they are made, and immutable."""

from __future__ import annotations

from dataclasses import field, replace
from math import inf, isinf
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocconf.bins import Ends, bin_of
from rocconf.conditions import DECIMAL
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError, UndefinedError, UsageError
from rocconf.examples import example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocconf.messages import Message
    from rocconf.packed_texts import PackedTexts

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Flags = NDArray[np.bool_]


IntervalKind = Literal["robust", "delong"]
"""How the interval of an AUC, or of a difference of two, was computed."""

INTERVAL_KINDS: tuple[IntervalKind, ...] = get_args(IntervalKind)
ROBUST, DELONG = INTERVAL_KINDS

TimeKind = Literal["date", "datetime", "zoned", "number"]
"""What the times of cases are: dates, times of day without or with a zone, or numbers."""

NUMBER: TimeKind = "number"

MOST_CASES = 2**53
"""The most cases of a class: a float64 holds every whole number up to it."""

LEAST_CHANCE = 1e-6
"""The chance below which equal counts are those of the same cases."""

DEFAULT_LEVEL = 0.95
"""The level of intervals and verdicts by default."""

CHUNK = 1 << 16
"""The number of values processed at a time, which fit the cache."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise UndefinedError("interval-reversed", lower=self.lower, upper=self.upper)

    @classmethod
    def open(cls, lower: float | None, upper: float | None) -> Interval:
        """Return an interval whose ends may be unknown: an unknown end is infinite, so that it decides nothing."""
        return cls(-inf if lower is None else lower, inf if upper is None else upper)

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The limits, None where one is unknown."""
        return (None if isinf(self.lower) else self.lower), (None if isinf(self.upper) else self.upper)

    def including(self, value: float) -> Interval:
        """Return the interval extended to a value: replicates repeat cases, so all of them may lie on one side of it."""
        return Interval(min(self.lower, value), max(self.upper, value))


UNKNOWN = Interval(-inf, inf)
"""The interval of a number of which nothing is known."""


OTHERS = "other files"
"""How a counts file calls those for whose names it has no room, after their number."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of cases: the file, its numbers of cases, and how they were read."""

    name: str
    n: int
    positives: int
    negatives: int
    positive: str
    dropped: int = 0
    role: str = "data"
    rescaled: bool = False
    """Whether the scores are no longer those of the file, but rescaled to [0, 1]."""
    caveats: tuple[Message, ...] = ()
    digest: Callable[[], str] | None = field(default=None, compare=False, repr=False)
    """Computes the file's SHA-256, which only some forms of output need."""
    schema: str | None = None
    """The schema of a source that is a report, like rocconf/sweep/2."""
    dropped_ids: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The ids of the rows dropped, if there are ids: pairing leaves out these cases in every file."""
    guessed: tuple[str, ...] = ()
    """The scores that were neither named nor have a default name, on which no verdict may rest."""
    labelled: bool = True
    """Whether the labels were read; without them the numbers of positives and negatives mean nothing."""
    cluster: str | None = None
    """The column of clusters, None of independent cases."""
    clusters: int | None = None
    """The number of clusters."""
    where: tuple[str, ...] = ()
    """The conditions on the rows that were counted."""
    counted: tuple[Source, ...] = ()
    """The files that were counted, of a source that is a counts file and names them."""

    @property
    def of_cases(self) -> tuple[Source, ...]:
        """The files that were counted or, without any, this source."""
        return self.counted or (self,)

    @property
    def identity(self) -> str | None:
        """What tells the file from all others: its digest or, of an object, its name."""
        if self.digest is not None:
            return self.digest()
        return self.name if "://" in self.name else None

    @property
    def is_of_others(self) -> bool:
        """Whether these are the files for whose names a counts file had no room."""
        return self.digest is None and self.name.endswith(f" {OTHERS}")


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """When each case was: microseconds since 1970 of dates and times (in UTC, if they have a zone), or numbers."""

    values: NDArray[Any]
    kind: TimeKind

    def __post_init__(self) -> None:
        _freeze((self.values,))

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """A column that divides the cases into groups: its distinct values, in order, and the place of each case's value."""

    column: str
    names: tuple[str, ...]
    places: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise RocconfError("groups-not-distinct", column=self.column)
        if self.places.dtype.kind != "i" or not ((self.places >= 0) & (self.places < len(self.names))).all():
            raise RocconfError("groups-not-places", column=self.column, groups=len(self.names))
        _freeze((self.places,))

    @classmethod
    def of(cls, column: str, values: Iterable[object]) -> Grouping:
        """Return the groups of a column, given the value of each case."""
        cells = list(map(str, values))
        ordered = sorted(set(cells), key=_as_numbers_first)
        numbers = {value: place for place, value in enumerate(ordered)}
        return cls(column, tuple(ordered), np.array([numbers[cell] for cell in cells], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.places)

    def where(self, kept: Flags | NDArray[np.intp] | slice) -> Grouping:
        """Return the groups of some of the cases; those that lose all their cases stay."""
        return replace(self, places=self.places[kept])

    def with_names(self, names: Iterable[str]) -> Grouping:
        """Return the same groups and those of more names, in order, which have no case."""
        ordered = sorted({*self.names, *names}, key=_as_numbers_first)
        numbers = {value: place for place, value in enumerate(ordered)}
        new_places = np.array([numbers[name] for name in self.names], dtype=np.int64)
        return (
            self
            if len(ordered) == len(self.names)
            else replace(self, names=tuple(ordered), places=new_places[self.places])
        )

    def used(self) -> Grouping:
        """Return the groups that have a case."""
        found, places = np.unique(self.places, return_inverse=True)
        names = tuple(self.names[at] for at in found.tolist())
        return self if len(names) == len(self.names) else Grouping(self.column, names, places)


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredCases:
    """The cases of score counts one by one, with the cluster or the fold of each."""

    column: str
    row: Counts
    """The first row of the counts in which each case is predicted positive."""
    positive: Flags
    cluster: Counts
    clusters: int
    """The number of clusters."""
    names: tuple[str, ...] = ()
    """The name of each cluster."""

    def __post_init__(self) -> None:
        _freeze((self.row, self.positive, self.cluster))

    def __len__(self) -> int:
        return self.clusters


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Labelled cases with the scores of one or more models; one row is one case."""

    labels: Flags
    scores: dict[str, Floats]
    ids: NDArray[Any] | PackedTexts | None = None
    lower_is_positive: bool = False
    sources: tuple[Source, ...] = ()
    times: Times | None = None
    groups: tuple[Grouping, ...] = ()
    """The columns that divide the cases into groups."""
    clusters: Grouping | None = None
    """Which cases belong together, like the images of a patient; None if they are independent."""
    folds: Grouping | None = None
    """The folds of a cross-validation, each scored by a model fitted on the others."""

    def __post_init__(self) -> None:
        if not self.scores:
            raise RocconfError("no-scores-given")
        columns: dict[str, Any] = {"labels": self.labels, **self.scores}
        columns |= _grouped_columns(*self.groups, self.clusters, self.folds)
        if self.times is not None:
            columns["times"] = self.times.values
        if self.ids is not None:
            columns["ids"] = self.ids
        if len({len(column) for column in columns.values()}) > 1:
            sizes = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise RocconfError("different-lengths", sizes=sizes)
        if self.labels.dtype != np.bool_:
            raise RocconfError("labels-not-bool", found=self.labels.dtype)
        for name, scores in self.scores.items():
            if scores.dtype != np.float64:
                raise RocconfError("scores-not-float64", name=name, found=scores.dtype)
            if np.isnan(scores).any():
                raise RocconfError("score-nan", name=name)
        _freeze(columns.values())

    def __repr__(self) -> str:
        return f"Predictions(n={len(self)}, positives={np.count_nonzero(self.labels)}, models={self.models})"

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of their columns."""
        return tuple(self.scores)

    def __len__(self) -> int:
        return len(self.labels)

    def where(self, kept: Flags) -> Predictions:
        """Return some of the cases."""
        labels = self.labels[kept]
        positives = int(np.count_nonzero(labels))
        return replace(
            self,
            labels=labels,
            scores={name: column[kept] for name, column in self.scores.items()},
            ids=None if self.ids is None else self.ids[kept],
            sources=tuple(
                replace(source, n=len(labels), positives=positives, negatives=len(labels) - positives)
                for source in self.sources
            ),
            times=None if self.times is None else replace(self.times, values=self.times.values[kept]),
            groups=tuple(each.where(kept) for each in self.groups),
            clusters=None if self.clusters is None else self.clusters.where(kept).used(),
            folds=None if self.folds is None else self.folds.where(kept).used(),
        )

    @property
    def classes(self) -> tuple[str, ...]:
        """The two classes."""
        return "negative", "positive"

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of negatives and of positives."""
        positives = int(np.count_nonzero(self.labels))
        return len(self) - positives, positives

    def of_model(self, model: str | None = None) -> Predictions:
        """Return the cases with the scores of one model, by default of the only one."""
        if model is None and len(self.models) > 1:
            raise UsageError("which-model", first=self.models[0], found=", ".join(self.models))
        model = self.models[0] if model is None else model
        if model not in self.scores:
            raise UsageError("no-model", name=model, found=", ".join(self.models))
        return replace(self, scores={model: self.scores[model]})

    def with_folds(self, column: str | None = None) -> Predictions:
        """Return the cases with one of their groupings, by default the only one, as the folds of a cross-validation."""
        known = {each.column: each for each in self.groups}
        if not known or column not in (None, *known):
            raise UsageError("slices-without-groups", column=column or "?", found=", ".join(known) or "none")
        if column is None and len(known) > 1:
            raise UsageError("folds-of-columns", found=", ".join(sorted(known)))
        folds = known.pop(column or next(iter(known))).used()
        if len(folds.names) < 2:
            raise UsageError("folds-one", column=folds.column, value=folds.names[0])
        return replace(self, groups=tuple(known.values()), folds=folds)


@dataclass(frozen=True, slots=True, eq=False)
class ClassPredictions:
    """Cases of several classes with the scores of one or more models: a score for each class."""

    classes: tuple[str, ...]
    labels: NDArray[np.int64]
    """The place of each case's class among the classes."""
    scores: dict[str, Floats]
    """For each model a row for each case and a column for each class."""
    ids: NDArray[Any] | None = None
    lower_is_positive: bool = False
    sources: tuple[Source, ...] = ()
    groups: tuple[Grouping, ...] = ()
    """The columns that divide the cases into groups."""
    clusters: Grouping | None = None
    """Which cases belong together; None if they are independent."""

    def __post_init__(self) -> None:
        if not self.scores:
            raise RocconfError("no-scores-given")
        if len(set(self.classes)) < max(len(self.classes), 2):
            raise RocconfError("classes-not-distinct", found=", ".join(self.classes))
        if self.labels.dtype.kind != "i" or not ((self.labels >= 0) & (self.labels < len(self.classes))).all():
            raise RocconfError("classes-not-places", classes=len(self.classes))
        for name, scores in self.scores.items():
            if scores.shape != (len(self), len(self.classes)):
                raise RocconfError("class-scores-shape", name=name, wanted=(len(self), len(self.classes)))
            if scores.dtype != np.float64:
                raise RocconfError("scores-not-float64", name=name, found=scores.dtype)
            if np.isnan(scores).any():
                raise RocconfError("score-nan", name=name)
        columns: dict[str, Any] = _grouped_columns(*self.groups, self.clusters)
        if self.ids is not None:
            columns["ids"] = self.ids
        if any(len(column) != len(self) for column in columns.values()):
            sizes = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise RocconfError("different-lengths", sizes=f"labels {len(self)}, {sizes}")
        _freeze((self.labels, *self.scores.values()))

    def __repr__(self) -> str:
        return f"ClassPredictions(n={len(self)}, classes={self.classes}, models={self.models})"

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.scores)

    def against_rest(self, place: int) -> Predictions:
        """Return one class against all others, by its own scores."""
        of_class = {name: np.ascontiguousarray(scores[:, place]) for name, scores in self.scores.items()}
        return Predictions(
            *(self.labels == place, of_class, None, self.lower_is_positive, self.sources), clusters=self.clusters
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cases of each class."""
        return tuple(np.bincount(self.labels, minlength=len(self.classes)).tolist())

    def where(self, kept: Flags) -> ClassPredictions:
        """Return some of the cases."""
        labels = self.labels[kept]
        return replace(
            self,
            labels=labels,
            scores={name: columns[kept] for name, columns in self.scores.items()},
            ids=None if self.ids is None else self.ids[kept],
            sources=tuple(replace(source, n=len(labels), positives=len(labels)) for source in self.sources),
            groups=tuple(each.where(kept) for each in self.groups),
            clusters=None if self.clusters is None else self.clusters.where(kept).used(),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of one model on cases without labels: each distinct score, in order, and how many cases have it."""

    values: Floats
    cases: Counts
    model: str = "score"
    sources: tuple[Source, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.values) == len(self.cases) >= 1:
            raise RocconfError("different-lengths", sizes=f"values {len(self.values)}, cases {len(self.cases)}")
        if not _in_order(self.values, descending=False):
            raise RocconfError("counts-order")
        if (self.cases < 1).any():
            raise RocconfError("counts-empty-score")
        if self.n > MOST_CASES:
            raise UndefinedError("counts-too-large", model=self.model)
        _freeze((self.values, self.cases))

    @classmethod
    def of(
        cls,
        scores: ArrayLike,
        cases: ArrayLike | None = None,
        *,
        model: str = "score",
        sources: tuple[Source, ...] = (),
    ) -> Scores:
        """Return scores in any order, each of one case or of so many."""
        found = _as_floats(scores) + 0.0
        if np.isnan(found).any():
            raise RocconfError("score-nan", name=model)
        n = np.ones(len(found), dtype=np.int64) if cases is None else _whole("cases", cases)
        counts = ScoreCounts.of(found, np.zeros(len(found), dtype=np.int64), n, model=model, lower_is_positive=True)
        return cls(counts.scores.copy(), counts.negatives, model, sources)

    def __repr__(self) -> str:
        return f"Scores(model={self.model!r}, n={self.n}, scores={len(self.values)})"

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.cases.sum())

    def same(self, other: Scores) -> bool:
        """Whether the same numbers of cases have the same scores."""
        return np.array_equal(self.values, other.values) and np.array_equal(self.cases, other.cases)


@dataclass(frozen=True, slots=True, eq=False)
class CountsOfCases:
    """The counts of each model of cases that were not kept."""

    models: tuple[ScoreCounts, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCounts:
    """The positives and negatives at each distinct score, cumulated from the most positive score on.

    Row k has the true (`tp`) and false positives (`fp`) where the k most positive distinct scores are predicted
    positive; row 0 predicts nothing positive and its threshold is infinite. Every analysis of one model needs these
    counts only, and the counts of two sets of cases can be added (`+`).
    """

    thresholds: Floats
    tp: Counts
    fp: Counts
    model: str = "score"
    lower_is_positive: bool = False
    sources: tuple[Source, ...] = ()
    clusters: ClusteredCases | None = None
    """The cases with their clusters, if they are not independent."""
    folds: ClusteredCases | None = None
    """The cases with the folds of a cross-validation."""
    tops: Floats | None = None
    """The most positive score that each row may hold, if scores are in bins: its threshold is the least positive one."""
    sums: tuple[int, int, int, int] | None = None
    """The sums of v, w and their squares over the cases, if a file has them (see `WholeNumbers`): of bins they tell more."""

    def __post_init__(self) -> None:
        if self.tops is not None:
            self._check_bins(self.tops)
        if not len(self.thresholds) == len(self.tp) == len(self.fp) >= 1:
            raise RocconfError("counts-lengths")
        nothing = -np.inf if self.lower_is_positive else np.inf
        if (self.thresholds[0], self.tp[0], self.fp[0]) != (nothing, 0, 0):
            raise RocconfError("counts-first-row")
        if not _in_order(self.scores, descending=not self.lower_is_positive):
            raise RocconfError("counts-order")
        if not (_never_falls(self.tp) and _never_falls(self.fp)):
            raise RocconfError("counts-negative")
        pairs = zip(_neighbours(self.tp), _neighbours(self.fp), strict=True)
        if any(((tp == more) & (fp == further)).any() for (tp, more), (fp, further) in pairs):
            raise RocconfError("counts-empty-score")
        if max(self.p, self.q) > MOST_CASES:
            raise UndefinedError("counts-too-large", model=self.model)
        for each in (self.clusters, self.folds):
            if each is not None and len(each.row) != self.n:
                raise RocconfError("different-lengths", sizes=f"cases {self.n}, {each.column} {len(each.row)}")
        _freeze((self.thresholds, self.tp, self.fp))

    def _check_bins(self, tops: Floats) -> None:
        """Reject bins that overlap; bins of one score each are scores."""
        if len(tops) != len(self.scores):
            raise RocconfError("counts-lengths")
        turn = -1.0 if self.lower_is_positive else 1.0
        least, most = turn * self.scores, turn * tops
        if not ((least <= most).all() and (most[1:] < least[:-1]).all()):
            raise RocconfError("counts-order")
        _freeze((tops,))

    @classmethod
    def of_bins(
        cls,
        ends: Ends,
        positives: ArrayLike,
        negatives: ArrayLike,
        *,
        model: str = "score",
        lower_is_positive: bool = False,
        sources: tuple[Source, ...] = (),
    ) -> ScoreCounts:
        """Return the counts of bins that do not overlap, in any order; a bin without a case is left out.

        Bins of one score each are scores.
        """
        if not ends.are_wide.any():
            return cls.of(
                ends.least, positives, negatives, model=model, lower_is_positive=lower_is_positive, sources=sources
            )
        keys, others = (ends.most, ends.least) if lower_is_positive else ends
        counts = cls.of(keys, positives, negatives, model=model, lower_is_positive=lower_is_positive, sources=sources)
        order = np.argsort(keys, kind="stable")
        return replace(counts, tops=others[order][np.searchsorted(keys[order], counts.scores)])

    @classmethod
    def of(
        cls,
        scores: ArrayLike,
        positives: ArrayLike,
        negatives: ArrayLike,
        *,
        model: str = "score",
        lower_is_positive: bool = False,
        sources: tuple[Source, ...] = (),
    ) -> ScoreCounts:
        """Return the counts of scores in any order.

        Equal scores are merged, and a score without a case is left out.
        """
        values = _as_floats(scores) + 0.0
        gained, lost = _whole("positives", positives), _whole("negatives", negatives)
        if not values.shape == gained.shape == lost.shape:
            sizes = f"scores {values.shape}, positives {gained.shape}, negatives {lost.shape}"
            raise RocconfError("different-lengths", sizes=sizes)
        if any((column < 0).any() for column in (gained, lost)):
            raise RocconfError("counts-negative")
        if any(column.sum(dtype=np.float64) > MOST_CASES for column in (gained, lost)):
            raise UndefinedError("counts-too-large", model=model)
        if not (
            _in_order(values, descending=False) and all(((gained[p] | lost[p]) > 0).all() for p in slices(len(values)))
        ):
            some = np.flatnonzero((gained != 0) | (lost != 0))
            ranked = some[np.argsort(values[some], kind="stable")]  # which merges runs that are in order already
            ends = np.flatnonzero(np.append(values[ranked[1:]] != values[ranked[:-1]], len(ranked) > 0))
            gained, lost = (np.diff(np.cumsum(column[ranked])[ends], prepend=0) for column in (gained, lost))
            values = values[ranked[ends]]
        order = slice(None) if lower_is_positive else slice(None, None, -1)

        def cumulated(column: Counts) -> Counts:
            found = np.zeros(len(column) + 1, dtype=np.int64)
            np.cumsum(column[order], out=found[1:])
            return found

        thresholds = np.concatenate([[-np.inf if lower_is_positive else np.inf], values[order]])
        return cls(thresholds, cumulated(gained), cumulated(lost), model, lower_is_positive, sources)

    def __repr__(self) -> str:
        return f"ScoreCounts(model={self.model!r}, p={self.p}, q={self.q}, scores={len(self)})"

    @property
    def scores(self) -> Floats:
        """The distinct scores, the most positive first."""
        return self.thresholds[1:]

    @property
    def ends(self) -> Ends:
        """The least and the greatest score of each bin, which are equal for a score, in ascending order."""
        tops = self.scores if self.tops is None else self.tops
        return Ends(tops, self.scores) if self.lower_is_positive else Ends(self.scores[::-1], tops[::-1])

    @property
    def wide(self) -> Flags | None:
        """Whether each row may hold more than one score; None if no row does."""
        found = None if self.tops is None else self.scores != self.tops
        return found if found is not None and found.any() else None

    @property
    def has_infinite(self) -> bool:
        """Whether some cases have infinite scores, as far as is known."""
        ends = self.ends
        return bool(ends.most[0] == -np.inf or ends.least[-1] == np.inf)

    def within(self, *sets: Ends) -> ScoreCounts:
        """Return the counts in bins that hold all of their own bins and all of these sets."""
        return self._added(self._united(*sets))

    def _united(self, *sets: Ends) -> Ends:
        from rocconf.bins import united

        found = united(self.ends, *sets)
        if found is None:
            raise UsageError("bins-overlap", model=self.model)
        return found

    def _added(self, ends: Ends, *others: ScoreCounts) -> ScoreCounts:
        """Return the counts of this and other sets of cases in wider bins."""
        from rocconf.bins import bin_of

        totals = np.zeros((2, len(ends.least)), dtype=np.int64)
        for counts in (self, *others):
            at = bin_of(counts.scores, ends)
            np.add.at(totals[0], at, counts.positives)
            np.add.at(totals[1], at, counts.negatives)
        return ScoreCounts.of_bins(
            ends,
            *totals,
            model=self.model,
            lower_is_positive=self.lower_is_positive,
            sources=tuple(source for counts in (self, *others) for source in counts.sources),
        )

    @property
    def positives(self) -> Counts:
        """The number of positives at each distinct score."""
        return np.diff(self.tp)

    @property
    def negatives(self) -> Counts:
        """The number of negatives at each distinct score."""
        return np.diff(self.fp)

    @property
    def p(self) -> int:
        """The number of positives."""
        return int(self.tp[-1])

    @property
    def q(self) -> int:
        """The number of negatives."""
        return int(self.fp[-1])

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    def __len__(self) -> int:
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        return self.lower_is_positive == other.lower_is_positive and all(
            np.array_equal(one, another)
            for one, another in zip((*self.ends, self.tp, self.fp), (*other.ends, other.tp, other.fp), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if self.lower_is_positive != other.lower_is_positive:
            raise RocconfError("counts-directions")
        if self.clusters is not None or other.clusters is not None:
            raise RocconfError("counts-clusters")
        if self.tops is not None or other.tops is not None:
            return self._added(self._united(other.ends), other)
        return ScoreCounts.of(
            np.concatenate([self.scores, other.scores]),
            np.concatenate([self.positives, other.positives]),
            np.concatenate([self.negatives, other.negatives]),
            model=self.model,
            lower_is_positive=self.lower_is_positive,
            sources=self.sources + other.sources,
        )


@dataclass(frozen=True, slots=True, eq=False)
class CasesOfSlice:
    """The cases with one value of a column, and all others: themselves, or their counts."""

    by: str
    value: str
    own: Any
    rest: Any


@dataclass(frozen=True, slots=True, eq=False)
class GroupedCounts:
    """The counts of a model, and those of each group of its cases: the cases with the same value of every column."""

    whole: ScoreCounts
    columns: tuple[str, ...]
    """The columns that divide the cases."""
    parts: dict[tuple[str, ...], ScoreCounts]
    """The counts of each group, by its values in order; a group may be without cases."""

    def __repr__(self) -> str:
        return f"GroupedCounts(whole={self.whole!r}, columns={self.columns}, groups={len(self.parts)})"

    @classmethod
    def of(
        cls, whole: ScoreCounts, columns: Sequence[str], parts: Mapping[tuple[str, ...], ScoreCounts]
    ) -> GroupedCounts:
        """Return counts with their groups in order."""
        orders = [
            {name: at for at, name in enumerate(Grouping.of(column, names).names)}
            for column, names in zip(columns, zip(*parts, strict=True), strict=True)
        ]
        ordered = sorted(parts, key=lambda group: [order[value] for order, value in zip(orders, group, strict=True)])
        return cls(whole, tuple(columns), {group: parts[group] for group in ordered})

    def slices(self, column: str) -> Iterator[CasesOfSlice]:
        """Yield the counts of each value of a column."""
        at, all_cases = self.columns.index(column), self._total([self.whole])
        for value in Grouping.of(column, [group[at] for group in self.parts]).names:
            own = self._total(part for group, part in self.parts.items() if group[at] == value)
            yield CasesOfSlice(column, value, self._of(own), self._of(all_cases - own))

    def _total(self, parts: Iterable[ScoreCounts]) -> Counts:
        """Return the positives and negatives of some groups at each score of the whole, in ascending order."""
        ends = self.whole.ends
        total = np.zeros((2, len(ends.least)), dtype=np.int64)
        for part in parts:
            at = bin_of(part.scores, ends)
            total[0, at] += part.positives
            total[1, at] += part.negatives
        return total

    def _of(self, total: Counts) -> ScoreCounts:
        whole, (positives, negatives) = self.whole, total.sum(axis=1).tolist()
        sources = tuple(
            replace(source, n=positives + negatives, positives=positives, negatives=negatives)
            for source in whole.sources
        )
        return ScoreCounts.of_bins(
            whole.ends, *total, model=whole.model, lower_is_positive=whole.lower_is_positive, sources=sources
        )


def _grouped_columns(*groupings: Grouping | None) -> dict[str, NDArray[np.int64]]:
    return {f"groups of {each.column}": each.places for each in groupings if each is not None}


def _as_numbers_first(value: str) -> tuple[bool, float, str]:
    """Return the place of a value among others: numbers by size, then words, and the empty cell last."""
    is_number = DECIMAL.fullmatch(value.strip()) is not None
    return not value, float(value) if is_number else inf, value


def are_no_chance(*counts: Counts | Floats, sets: int = 2) -> bool:
    """Whether no two of so many sets of cases have these counts by chance.

    Two Poisson counts of mean c are equal with probability 1/sqrt(4 pi c).
    """
    cells = np.concatenate(counts).astype(np.float64)
    pairs = sets * (sets - 1) // 2
    return bool(np.log(4 * np.pi * cells[cells > 0]).sum() / 2 > np.log(max(pairs, 1) / LEAST_CHANCE))


def slices(length: int) -> Iterator[slice]:
    """Yield slices of a length that fit the cache."""
    return (slice(start, min(start + CHUNK, length)) for start in range(0, length, CHUNK))


def _neighbours(column: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the values but the last and those but the first, some at a time."""
    for part in slices(len(column) - 1):
        yield column[part], column[part.start + 1 : part.stop + 1]


def _in_order(scores: Floats, *, descending: bool) -> bool:
    follows = np.greater if descending else np.less
    in_order = all(follows(ahead, behind).all() for ahead, behind in _neighbours(scores))
    return in_order and not np.isnan(scores[:1]).any()


def _whole(name: str, column: ArrayLike) -> Counts:
    found = np.asarray(column)
    with np.errstate(invalid="ignore"):  # NaN is not whole either
        try:
            whole = found.astype(np.int64)
        except (TypeError, ValueError, OverflowError):
            raise RocconfError("not-whole", name=name) from None
    if not np.array_equal(whole.astype(object) if found.dtype.kind in "uO" else whole, found):
        raise RocconfError("not-whole", name=name)
    return whole


def _as_floats(scores: ArrayLike) -> Floats:
    """Return scores as floats; whole numbers that floats do not hold would become equal."""
    found = np.asarray(scores)
    values = found.astype(np.float64)
    if found.dtype.kind in "iuO":
        large = np.flatnonzero(~(np.abs(values) < MOST_CASES))
        for score, value in zip(found.ravel()[large].tolist(), values.ravel()[large].tolist(), strict=True):
            if score != value and score == score:  # noqa: PLR0124  # only NaN differs from itself
                raise RocconfError("score-inexact", score=example(score))
    return values


def _never_falls(cumulated: Counts) -> bool:
    return all(bool((after >= before).all()) for before, after in _neighbours(cumulated))


def _freeze(arrays: Iterable[NDArray[Any]]) -> None:
    for array in arrays:
        if isinstance(array, np.ndarray):  # packed texts never change
            array.setflags(write=False)
