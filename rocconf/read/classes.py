"""Reads cases of several classes, with a column of scores for each class and model.

The columns are named with `--class NAME=COLUMN`, or they are called like the classes, after a prefix that all columns of
a model share: `p_setosa`, `p_versicolor`. A table is read twice: for the classes in its label, and for its cases.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import InputError, TooFewCasesError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.naming import stem
from rocconf.pattern import pattern
from rocconf.read.candidates import NOT_SCORES, listed
from rocconf.read.cases import Cases, joined, of_clusters
from rocconf.read.cells import MISSING, CellError, meaning, quoted
from rocconf.read.formats import collect, open_table
from rocconf.read.layout import Layout, Wanted, lay_out_label
from rocconf.read.partitions import open_with_partitions
from rocconf.read.unnamed import Question, UnnamedError, shown
from rocconf.records import ClassPredictions, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.read.columns import Cells, Codes
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input

MOST_CLASSES = 100
"""The most classes there may be: a column of more values is not a label."""

SEPARATORS = "_-.: /"
"""What stands between the name of a model and that of a class."""

MOST_LISTED = 10
"""How many classes or columns a message lists."""

NUMERIC = pattern(r"\d+(\.0*)?", re.ASCII)

OwnColumns = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WantedClasses:
    """The columns and options requested of an input of several classes."""

    wanted: Wanted
    columns: OwnColumns = ()
    """Classes with the names of their columns; a class with a column for each of several models is named for each."""
    models: tuple[str, ...] = ()
    """The models to take, by their names or the prefixes of their columns; all if empty."""
    several: bool = False
    """Whether there may be several models."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Model:
    """The columns of a model: one for each class."""

    name: str
    prefix: str | None
    columns: Mapping[str, str]


@dataclass(slots=True, eq=False, repr=False)
class _Found:
    """The classes in a label: those of the rows to read, and of all rows."""

    here: dict[float | str, str] = field(default_factory=dict)
    anywhere: dict[float | str, str] = field(default_factory=dict)


def parse_class_column(text: str) -> tuple[str, str]:
    """Return the class and the column of NAME=COLUMN."""
    name, sign, column = text.partition("=")
    if not (sign and name.strip() and column.strip()):
        raise UsageError("class-form", found=text)
    return name.strip(), column.strip()


def read_classes_of(source: Input, wanted: WantedClasses) -> ClassPredictions:
    """Return the cases of an input."""
    table = open_with_partitions(source, wanted.wanted)
    layout = lay_out_label(table, wanted.wanted)
    if wanted.columns:
        models = _named(table, wanted.columns)
        classes = tuple(dict.fromkeys(name for name, _ in wanted.columns))
    else:
        found = collect(table, layout.kinds, lambda: _LabelCells(table, layout, wanted.wanted))
        classes, models = _discovered(table, layout, found)
    models = _chosen(table, models, wanted)
    names = [column for model in models for column in (model.columns[each] for each in classes)]
    layout = layout._replace(scores=lay_out_label(table, wanted.wanted, names).scores)
    reopened = open_table(source, wanted.wanted.character)
    return collect(
        reopened,
        layout.kinds,
        lambda: _ClassCases(reopened, layout, wanted.wanted, classes, [model.name for model in models]),
    )


class _ClassLabels:
    """Codes labels by the place of their class; any label is a class if none is named."""

    def __init__(self, classes: Iterable[str] = ()) -> None:
        self.named = {meaning(name): place for place, name in enumerate(classes)}
        self.found: dict[str, None] = {}
        self.new: dict[float | str, str] = {}
        self._may_add = not self.named

    def code(self, cell: str) -> int | None:
        """Return the place of the class, None for a missing label."""
        value = meaning(cell)
        if value in self.named:
            return self.named[value]
        if cell.strip().lower() in MISSING:
            return None
        if not self._may_add:
            listing = listed(map(quoted, map(str, self.named)), MOST_LISTED)
            raise CellError("label-of-no-class", cell=example(quoted(cell)), classes=listing)
        if len(self.named) < MOST_CLASSES:
            self.named[value] = len(self.named)
        self.new.setdefault(value, cell.strip())
        return 0


class _LabelCells(Cases):
    """Collects the classes in the label; faults are left to the reading of the cases."""

    def __init__(self, table: OpenTable, layout: Layout, wanted: Wanted) -> None:
        super().__init__(table, layout, wanted)
        self._classes = _ClassLabels()  # type: ignore[assignment]  # it codes labels too
        self._everywhere = _ClassLabels()

    def add(self, places: Sequence[int], columns: Mapping[int, Cells]) -> None:
        """Add some rows."""
        for cell in columns[self._layout.label].distinct():
            self._everywhere.code(cell)
        super().add(places, columns)

    def finish(self) -> _Found:  # type: ignore[override]  # the classes alone
        """Return the classes."""
        return _Found(self._classes.new, self._everywhere.new)  # type: ignore[attr-defined]  # see __init__


class _ClassCases(Cases):
    """Cases of several classes as they are read, piece by piece."""

    def __init__(
        self, table: OpenTable, layout: Layout, wanted: Wanted, classes: Sequence[str], models: Sequence[str]
    ) -> None:
        super().__init__(table, layout, wanted)
        self._names, self._models = tuple(classes), models
        self._classes = _ClassLabels(classes)  # type: ignore[assignment]  # it codes labels too

    def _labels_of(self, codes: Codes) -> Codes:  # type: ignore[override]  # places of classes
        return codes

    def _read_labels(self, places: Sequence[int], cells: Cells) -> Codes:
        return self._coded_labels(places, cells, hint="name-the-class")

    def finish(self) -> ClassPredictions:  # type: ignore[override]  # of several classes
        """Return the cases, or raise all faults."""
        self._ids.require_exact()
        self._note_repeated_ids()
        self.faults.raise_if_any()
        self._require_cases(sum(map(len, self._labels)))
        labels = joined(self._labels).astype(np.int64)
        columns = [joined(pieces) for pieces in self._scores]
        k = len(self._names)
        scores = {name: np.column_stack(columns[at * k : (at + 1) * k]) for at, name in enumerate(self._models)}
        has_ids = self._layout.id is not None and self._wanted.keep_ids
        ids = np.array(self._ids.texts, dtype=object) if has_ids else None
        groups, clusters = self._groupings()
        source = Source(
            name=self._table.name,
            n=len(labels),
            positives=len(labels),
            negatives=0,
            positive=", ".join(self._names),
            dropped=self._n_dropped,
            caveats=self._caveats(len(labels)),
            digest=self._table.digest,
            where=tuple(condition.text for condition in self._wanted.where),
            dropped_ids=tuple(self._ids.dropped),
        )
        source = of_clusters(source, clusters)
        return ClassPredictions(
            *(self._names, labels, scores, ids, self._wanted.lower_is_positive, (source,), groups, clusters)
        )


def _named(table: OpenTable, columns: OwnColumns) -> list[_Model]:
    """Return the models of named columns: the first column of each class is of the first model, and so on."""
    by_class: dict[str, list[str]] = {}
    for name, column in columns:
        by_class.setdefault(name, []).append(column)
    meanings = [meaning(name) for name in by_class]
    if len(by_class) < 2 or len(set(meanings)) < len(meanings):
        raise UsageError("classes-too-few", found=", ".join(by_class))
    numbers = {name: len(own) for name, own in by_class.items()}
    if len(set(numbers.values())) > 1:
        told = ", ".join(f"{name} {n}" for name, n in numbers.items())
        raise UsageError("class-columns-uneven", found=told)
    named = [column for _, column in columns]
    twice = [column for column in dict.fromkeys(named) if named.count(column) > 1]
    if twice:
        raise UsageError("score-twice", name=twice[0])
    models = []
    for at in range(len(next(iter(by_class.values())))):
        own = {name: mentioned[at] for name, mentioned in by_class.items()}
        models.append(_Model(_name_of(own, table), None, own))
    names = [model.name for model in models]
    if len(set(names)) < len(names):
        models = [_Model(f"{model.name}{at}", None, model.columns) for at, model in enumerate(models, 1)]
    return models


def _name_of(columns: Mapping[str, str], table: OpenTable) -> str:
    """Return the name of a model: what its columns have in common, or the file's."""
    ends = {column.removesuffix(name) for name, column in columns.items() if column.endswith(name)}
    common = next(iter(ends)) if len(ends) == 1 else _common_beginning(list(columns.values()))
    return common.strip(SEPARATORS) or stem(table.name)


def _common_beginning(names: Sequence[str]) -> str:
    length = next((at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), None)
    return min(names, key=len)[:length]


def _discovered(table: OpenTable, layout: Layout, found: _Found) -> tuple[tuple[str, ...], list[_Model]]:
    """Return the classes, and the models that have a column for each."""
    if len(found.anywhere) > MOST_CLASSES:
        name = layout.name(layout.label)
        raise InputError(table.name, [message("classes-too-many", name=name, most=MOST_CLASSES)])
    header = [name.strip() for name in table.header]
    uses = (layout.label, layout.id, layout.cluster, *layout.groups)
    taken = {header[at] for at in uses if at is not None}
    columns = [name for name in dict.fromkeys(header) if name not in taken]
    spelled = {value: _spellings(text) for value, text in found.here.items()}
    prefixes = _prefixes(columns, spelled.values())
    if not prefixes or len(spelled) < 2:
        raise _no_columns(table, layout, columns, found)
    others = {value: text for value, text in found.anywhere.items() if value not in found.here}
    named = dict(found.here)
    for value, text in others.items():
        if all(_column(columns, prefix, _spellings(text)) for prefix in prefixes):
            named[value] = text
            spelled[value] = _spellings(text)
    used = {_column(columns, prefix, each) for prefix in prefixes for each in spelled.values()}
    for prefix in prefixes:
        unused = [name for name in columns if name not in used]
        for text in _without_cases(table, unused, prefix, list(named.values())):
            value = meaning(text)
            if value not in named and all(_column(columns, other, _spellings(text)) for other in prefixes):
                named[value], spelled[value] = text, _spellings(text)
    in_order = sorted(named, key=lambda value: (isinstance(value, str), value))
    models = [
        _Model(
            prefix.strip(SEPARATORS) or stem(table.name),
            prefix,
            {named[value]: _column(columns, prefix, spelled[value]) or "" for value in in_order},
        )
        for prefix in prefixes
    ]
    return tuple(named[value] for value in in_order), models


def _spellings(text: str) -> tuple[str, ...]:
    """Return how the name of a column may spell a class: 1 also for 1.0."""
    value = meaning(text)
    whole = (str(int(value)),) if isinstance(value, float) and value.is_integer() and NUMERIC.fullmatch(text) else ()
    return tuple(dict.fromkeys((text, *whole)))


def _column(columns: Sequence[str], prefix: str, spellings: Iterable[str]) -> str | None:
    return next((prefix + each for each in spellings if prefix + each in columns), None)


def _prefixes(columns: Sequence[str], classes: Iterable[Iterable[str]]) -> list[str]:
    """Return the prefixes after which every class has a column."""
    classes = list(classes)
    if not classes:
        return []
    candidates = [name.removesuffix(each) for name in columns for each in classes[0] if name.endswith(each)]
    whole = dict.fromkeys(candidates)
    return [prefix for prefix in whole if all(_column(columns, prefix, each) for each in classes)]


def _without_cases(table: OpenTable, unused: Sequence[str], prefix: str, classes: Sequence[str]) -> list[str]:
    """Return the class names in further columns of scores with this prefix: classes without a case here."""
    rest = [name.removeprefix(prefix) for name in unused if prefix and name.startswith(prefix)]
    if prefix[-1:].strip(SEPARATORS):
        rest = [each for each in rest if NUMERIC.fullmatch(each) and all(map(NUMERIC.fullmatch, classes))]
    rest = [each for each in rest if each.strip() and not NOT_SCORES.fullmatch(each)]
    header = [name.strip() for name in table.header]
    places = {each: header.index(prefix + each) for each in rest}
    heads = table.head([at for at in places.values() if not table.is_nested(at)])
    return [each for each, at in places.items() if at in heads and _holds_numbers(heads[at])]


def _holds_numbers(cells: Cells) -> bool:
    faults: list[int] = []
    numbers = cells.numbers(lambda row, _: faults.append(row))
    return not faults and bool(np.isfinite(numbers).any())


def _no_columns(table: OpenTable, layout: Layout, columns: Sequence[str], found: _Found) -> InputError:
    """Return the error that the classes have no columns: with the class that lacks one, if others have it."""
    classes = list(found.here.values())
    if len(classes) < 2:
        name = layout.name(layout.label)
        return TooFewCasesError(table.name, [message("classes-one", name=name, found=", ".join(classes) or "none")])
    best = _best_prefix(columns, classes)
    listing = listed(map(shown, columns), MOST_LISTED)
    if best is not None:
        lacking = [name for name in classes if not _column(columns, best, _spellings(name))]
        fault = message(
            "class-lacks-column",
            lacking=example(listed((quoted(name) for name in lacking), MOST_LISTED)),
            column=example(repr(best + lacking[0])),
            found=listing,
        )
    else:
        names = example(listed((quoted(name) for name in classes), MOST_LISTED))
        fault = message("no-class-columns", classes=names, found=listing)
    return InputError(table.name, [fault], hints=[message("name-the-columns")])


def _best_prefix(columns: Sequence[str], classes: Sequence[str]) -> str | None:
    """Return the prefix after which most classes have a column, two at least or all but one."""
    prefixes: dict[str, int] = {}
    for each in classes:
        for prefix in {name.removesuffix(own) for own in _spellings(each) for name in columns if name.endswith(own)}:
            prefixes[prefix] = prefixes.get(prefix, 0) + 1
    best = max(prefixes, key=lambda prefix: prefixes[prefix], default=None)
    return best if best is not None and prefixes[best] >= min(2, len(classes) - 1) else None


def _chosen(table: OpenTable, models: list[_Model], wanted: WantedClasses) -> list[_Model]:
    """Return the models to take."""
    names = [model.name for model in models]
    if len(set(names)) < len(names):  # p_a and p-a
        models = [_Model(str(model.prefix), model.prefix, model.columns) for model in models]
        names = [model.name for model in models]
    if wanted.models:
        chosen = []
        for name in wanted.models:
            own = [model for model in models if name in (model.name, model.prefix)]
            if not own:
                fault = message("class-model-unknown", name=name, found=", ".join(names))
                raise InputError(table.name, [fault])
            chosen += [model for model in own if model not in chosen]
        models = chosen
    if len(models) > 1 and not wanted.several:
        question = Question(
            message("which-class-model"),
            message("models-are", choices=", ".join(map(shown, names))),
            {"score": (models[0].name,)},
        )
        raise UnnamedError(table.name, [question], for_rules=wanted.wanted.for_rules)
    return models
