"""Collects the rows of a counts file: scores with their numbers of positives and negatives, of one model or several."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.bins import ends_of
from rocconf.dataclass import dataclass
from rocconf.errors import InputError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.cases import joined
from rocconf.read.faults import Faults, completed, select
from rocconf.read.formats import collect
from rocconf.read.groups import Division, rows_of_groups
from rocconf.read.layout import MODEL, UNCOUNTED, UPPER, lay_out_counts
from rocconf.read.provenance import provenance_of
from rocconf.read.unnamed import shown
from rocconf.records import MOST_CASES, GroupedCounts, ScoreCounts, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Wanted
    from rocconf.records import Counts, Flags, Floats


def read_counted(
    table: OpenTable, wanted: Wanted, *, model: str, may_lack_class: bool = False
) -> tuple[GroupedCounts, ...]:
    """Return the counts of each model that is wanted; refuse what needs the cases, which a counts file no longer has."""
    _require_no_cases(table, wanted)
    found = collect_grouped(
        table,
        model=model,
        lower_is_positive=wanted.lower_is_positive,
        may_lack_class=may_lack_class,
        drop=wanted.na == "drop",
        groups=wanted.groups,
    )
    if MODEL not in {name.strip() for name in table.header} and wanted.score == ("score",):
        return found  # the name of the column
    unknown = [name for name in wanted.score if name not in {each.whole.model for each in found}]
    if unknown:
        names = ", ".join(shown(each.whole.model) for each in found)
        raise InputError(table.name, [message("counts-no-model", model=shown(unknown[0]), found=names)])
    return tuple(each for each in found if not wanted.score or each.whole.model in wanted.score)


def _require_no_cases(table: OpenTable, wanted: Wanted) -> None:
    """Refuse options that choose cases or their class: which cases were counted, and as what, is decided."""
    if wanted.model is not None:
        raise InputError(table.name, [message("model-of-counts")])
    if wanted.cluster is not None:
        raise InputError(table.name, [message("groups-of-counts", column=wanted.cluster)])
    if wanted.where:
        raise InputError(table.name, [message("where-of-counts", where=wanted.where[0].text)])
    if wanted.positive is not None:
        raise InputError(table.name, [message("positive-of-counts", positive=wanted.positive)])


def collect_counts(
    table: OpenTable, *, model: str, lower_is_positive: bool, may_lack_class: bool = False, drop: bool = False
) -> tuple[ScoreCounts, ...]:
    """Return the counts of one model, or of those that the column `model` names, added up over any groups."""
    found = collect_grouped(
        table, model=model, lower_is_positive=lower_is_positive, may_lack_class=may_lack_class, drop=drop
    )
    return tuple(each.whole for each in found)


def collect_grouped(
    table: OpenTable,
    *,
    model: str,
    lower_is_positive: bool,
    may_lack_class: bool = False,
    drop: bool = False,
    groups: tuple[str, ...] = (),
) -> tuple[GroupedCounts, ...]:
    """Return the counts of one model, or of those that the column `model` names; they may lack a class to be added up.

    `drop` is about the result of a query, in which cases without a label or a score are counted apart.
    """
    at = lay_out_counts(table, groups)
    kinds: dict[int, CellKind] = {
        place: "text" if name == MODEL or name in groups else "number" for name, place in at.items()
    }
    rows = partial(
        CountsRows,
        table,
        at,
        model=model,
        lower_is_positive=lower_is_positive,
        may_lack_class=may_lack_class,
        drop=drop,
        groups=groups,
    )
    return collect(table, kinds, rows)


@dataclass(slots=True)
class Uncounted:
    """The cases of a model that a query found but could not count."""

    other_labels: int = 0
    """Cases of a third class."""
    labels: int = 0
    """Cases without a label."""
    scores: int = 0
    """Other cases without a score."""

    @property
    def missing(self) -> int:
        """The cases that lack a label or a score."""
        return self.labels + self.scores


class _Rows(NamedTuple):
    """The columns of some rows of a model."""

    scores: Floats
    upper: Floats
    positives: Counts
    negatives: Counts
    groups: Counts
    """The place of the group of each row."""

    def where(self, chosen: Flags | Counts | slice) -> _Rows:
        """Return some of the rows."""
        return _Rows(*(column[chosen] for column in self))  # type: ignore[arg-type]  # columns of several types


class CountsRows:
    """The rows of a counts file, piece by piece."""

    def __init__(
        self,
        table: OpenTable,
        at: Mapping[str, int],
        *,
        model: str,
        lower_is_positive: bool,
        may_lack_class: bool,
        drop: bool,
        groups: tuple[str, ...],
    ) -> None:
        self._groups, self._division = groups, Division(table.name, groups)
        self._table, self._at, self._model, self._lower_is_positive = table, at, model, lower_is_positive
        self._may_lack_class, self._provenance = may_lack_class, provenance_of(table)
        self._is_of_query, self._drop = set(at).issuperset(UNCOUNTED), drop
        self._uncounted: dict[str, Uncounted] = {}
        if self._provenance.is_binned and UPPER not in at:
            raise InputError(table.name, [message("bins-without-upper")])
        self.faults = Faults(table.name, table.unit)
        self._models: dict[str, list[_Rows]] = {}

    def add(self, places: Sequence[int], columns: Mapping[int, Cells]) -> None:
        """Add some rows."""
        scores = self._numbers("score", places, columns)
        positives, negatives = (self._cases(name, places, columns) for name in ("positives", "negatives"))
        if self._is_of_query:
            positives, negatives = self._counted(places, columns, scores, positives, negatives)
        else:
            self._note(places, np.isnan(scores), repeat(message("no-value", column="score")))
        upper = self._uppers(places, columns, scores)
        groups = self._division.add([columns[self._at[name]] for name in self._groups], len(places))
        found = _Rows(scores, upper, positives, negatives, groups)
        for model, rows in self._rows_of_models(places, columns).items():
            self._models.setdefault(model, []).append(found.where(rows))

    def finish(self) -> tuple[GroupedCounts, ...]:
        """Return the counts of every model, or raise all faults."""
        self.faults.raise_if_any()
        if not self._models:
            raise InputError(self._table.name, [message("no-rows")])
        self._refuse_uncounted()
        found = tuple(
            self._grouped(model, _Rows(*map(joined, zip(*pieces, strict=True))))
            for model, pieces in self._models.items()
        )
        self._require_what_is_said([each.whole for each in found])
        return found

    def _require_what_is_said(self, models: Sequence[ScoreCounts]) -> None:
        """Refuse rows that are not those of which the metadata speak."""
        if self._provenance.is_binned and models[0].wide is None:
            raise InputError(self._table.name, [message("bins-of-scores", model=shown(models[0].model))])
        if self._provenance.totals is None:
            return
        found = {each.model: (each.p, each.q) for each in models}
        for model in {**self._provenance.totals, **found}:
            said, has = (_cases_of(totals, model) for totals in (self._provenance.totals, found))
            if said != has:
                fault = message("rows-of-others", model=shown(model), found=has, expected=said)
                raise InputError(self._table.name, [fault])

    def _grouped(self, model: str, rows: _Rows) -> GroupedCounts:
        whole = self._with_sums(self._counts(model, rows))
        parts: dict[tuple[str, ...], ScoreCounts] = {(): whole}
        if self._groups:
            names = self._division.names
            own_rows = rows_of_groups(rows.groups, len(names))
            parts = {name: self._of_rows(model, rows.where(own), ()) for name, own in zip(names, own_rows, strict=True)}
        return GroupedCounts.of(whole, self._groups, parts)

    def _with_sums(self, counts: ScoreCounts) -> ScoreCounts:
        """Return counts with the sums of placements that the file has of the model."""
        if not self._provenance.numbers:
            return counts
        from rocconf.read.numbers_file import numbers_of_records, pairs_of_records

        found = numbers_of_records(self._table.name, self._provenance.numbers).get(counts.model)
        if found is None:
            return counts
        pairs = pairs_of_records(self._table.name, self._provenance.pairs)
        if any(pair.of_each.get(counts.model, found) != found for pair in pairs):
            raise InputError(self._table.name, [message("numbers-beside-pairs", model=shown(counts.model))])
        numbers = found.turned() if counts.lower_is_positive else found
        if (numbers.positives, numbers.negatives) != (counts.p, counts.q):
            sizes = {"found": f"{numbers.positives}+{numbers.negatives}", "expected": f"{counts.p}+{counts.q}"}
            fault = message("numbers-of-others", model=shown(counts.model), key="positives+negatives", **sizes)
            raise InputError(self._table.name, [fault])
        return replace(counts, sums=numbers.sums)

    def _counts(self, model: str, rows: _Rows) -> ScoreCounts:
        return self._of_rows(model, rows, (self._source(model, rows.positives, rows.negatives),))

    def _of_rows(self, model: str, rows: _Rows, sources: tuple[Source, ...]) -> ScoreCounts:
        some = (rows.positives + rows.negatives) > 0
        scores, upper, positives, negatives, _ = rows.where(some)
        if UPPER not in self._at:
            return ScoreCounts.of(
                scores,
                positives,
                negatives,
                model=model,
                lower_is_positive=self._lower_is_positive,
                sources=sources,
            )
        edges, at = np.unique(np.column_stack([scores, upper]) + 0.0, axis=0, return_inverse=True)
        ends = ends_of(edges[:, 0], edges[:, 1])
        if ends is None:
            raise InputError(self._table.name, [message("bins-overlap", model=shown(model))])
        totals = np.zeros((2, len(edges)), dtype=np.int64)
        for total, cases in zip(totals, (positives, negatives), strict=True):
            np.add.at(total, at.ravel(), cases)  # numpy 2.0.0 returns a column
        return ScoreCounts.of_bins(
            ends, *totals, model=model, lower_is_positive=self._lower_is_positive, sources=sources
        )

    def _counted(
        self, places: Sequence[int], columns: Mapping[int, Cells], scores: Floats, positives: Counts, negatives: Counts
    ) -> tuple[Counts, Counts]:
        """Return the cases that have a score, and note those that a query found but could not count."""
        missing, others = (self._cases(name, places, columns) for name in UNCOUNTED)
        no_score = np.isnan(scores)
        for model, rows in self._rows_of_models(places, columns).items():
            found = self._uncounted.setdefault(model, Uncounted())
            found.other_labels += int(others[rows].sum())
            found.labels += int(missing[rows].sum())
            found.scores += int((positives + negatives)[rows][no_score[rows]].sum())
        return np.where(no_score, 0, positives), np.where(no_score, 0, negatives)

    def _refuse_uncounted(self) -> None:
        """Refuse what a query could not count, but for missing labels and scores that are to be dropped."""
        for model, found in self._uncounted.items():
            if found.other_labels:
                fault = message("query-other-labels", model=shown(model), n=found.other_labels)
                raise InputError(self._table.name, [fault])
            if found.missing and not self._drop:
                fault = message("query-missing", model=shown(model), labels=found.labels, scores=found.scores)
                raise InputError(self._table.name, [fault])

    def _dropped(self, model: str) -> int:
        return self._uncounted[model].missing if model in self._uncounted else 0

    def _caveats(self, model: str, kept: int) -> tuple[Message, ...]:
        n = self._dropped(model)
        rows = "1 case without a value was" if n == 1 else f"{n:,} cases without a value were"
        return (message("dropped", file=self._table.name, rows=rows, kept=kept),) if n else ()

    def _uppers(self, places: Sequence[int], columns: Mapping[int, Cells], scores: Floats) -> Floats:
        """Return the upper edge of each row, that of a score being the score."""
        if UPPER not in self._at:
            return scores
        upper = self._numbers(UPPER, places, columns)
        upper = np.where(np.isnan(upper), np.inf, upper)
        wrong = upper < scores
        values = zip(scores[wrong].tolist(), upper[wrong].tolist(), strict=True)
        self._note(places, wrong, (message("bin-reversed", score=score, upper=above) for score, above in values))
        return upper

    def _source(self, model: str, positives: Counts, negatives: Counts) -> Source:
        """Return the source of a model's cases, at most 2^53 of each class."""
        p, q = int(positives.sum()), int(negatives.sum())
        wide = (int(counts.sum(dtype=np.float64)) for counts in (positives, negatives))  # sums of int64 may wrap around
        if max(p, q, *wide) > MOST_CASES:
            raise InputError(self._table.name, [message("counts-too-large", model=shown(model))])
        if not (p and q) and not (self._may_lack_class and p + q):
            raise InputError(
                self._table.name, [message("one-class-counts", model=shown(model), positives=p, negatives=q)]
            )
        return Source(
            self._table.name,
            p + q,
            p,
            q,
            self._provenance.positive,
            self._provenance.dropped + self._dropped(model),
            caveats=self._caveats(model, p + q),
            digest=self._table.digest,
            counted=self._provenance.sources,
        )

    def _numbers(self, name: str, places: Sequence[int], columns: Mapping[int, Cells]) -> Floats:
        cells = columns[self._at[name]]

        def note(row: int, fault: Message) -> None:
            if name not in ("score", UPPER) and fault.code == "number-inexact":
                fault = _not_a_count(name, dict(fault.values)["cell"])
            self.faults.add(places[row], completed(fault, column=name))

        return cells.numbers(note)

    def _cases(self, name: str, places: Sequence[int], columns: Mapping[int, Cells]) -> Counts:
        values = self._numbers(name, places, columns)
        missing = np.isnan(values)
        wrong = ~missing & ~((values >= 0) & (values <= MOST_CASES) & (values == np.floor(values)))
        self._note(places, missing, repeat(message("no-value", column=name)))
        self._note(places, wrong, (_not_a_count(name, f"{value:.17g}") for value in values[wrong]))
        return np.where(missing | wrong, 0, values).astype(np.int64)

    def _rows_of_models(self, places: Sequence[int], columns: Mapping[int, Cells]) -> Mapping[str, Flags | slice]:
        if MODEL not in self._at:
            return {self._model: slice(None)}
        cells = columns[self._at[MODEL]]
        names = cells.distinct()
        rows = {name: cells.coded({other: other == name for other in names}).astype(np.bool_) for name in names}
        if "" in rows:
            self._note(places, rows[""], repeat(message("no-value", column="model")))
        return rows

    def _note(self, places: Sequence[int], wrong: Flags, faults: Iterable[Message]) -> None:
        self.faults.add_all(select(places, wrong), faults)


def _cases_of(totals: Mapping[str, tuple[int, int]], model: str) -> str:
    positives, negatives = totals.get(model, (0, 0))
    return f"{positives}+{negatives}"


def _not_a_count(column: str, value: str) -> Message:
    return message("not-a-count", column=column, value=example(value))
