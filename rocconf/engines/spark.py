"""Counts on a Spark cluster: what is asked of a server, in which order, and what is made of the answers.

First how many rows there are of each file and label, then how many distinct scores, then the counts: nothing comes back
whose size was not asked before. A label means what it means in a file: the distinct labels are classified here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from rocconf.bins import USUAL, Dyadic, Thresholds, ends_of
from rocconf.dataclass import dataclass
from rocconf.engines.connect import Connection, plain_path
from rocconf.engines.dialects import DIALECTS
from rocconf.engines.spark_numbers import (
    held_of,
    numbers_of,
    places_of,
    query_of_cells,
    query_of_held,
    query_of_pair,
    query_of_places,
    query_of_ranges,
    ranges_of,
)
from rocconf.engines.sql import Table, bins, relation
from rocconf.errors import SPELLED_OUT, InputError, UsageError
from rocconf.examples import example
from rocconf.messages import did_you_mean, message
from rocconf.read import LABELS, SCORES, CellError, Labels
from rocconf.records import ScoreCounts, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.bins import Binning
    from rocconf.messages import Message
    from rocconf.read import Wanted

SPARK = DIALECTS["spark"]
MOST_SCORES = 2_000_000
"""The most distinct scores of a model that are fetched by default: some 50 MB."""

MOST_FETCHED = 20_000_000
"""The most that may be asked for, about half of what a driver sends by default (spark.driver.maxResultSize)."""

MOST_GROUPS = 200_000
"""The most files times labels, whose rows are counted one by one."""

MOST_LABELS = 30
"""The most distinct labels of a column that may be labels."""

LABEL, FILE, ORIGIN = "rocconf_label", "rocconf_file", "rocconf_origin"
CASES, KEPT = "rocconf_given_cases", "rocconf_kept_cases"
CELLS, PLACED, PLACES = "rocconf_cells", "rocconf_placed_cells", "rocconf_places"
"""Names of columns and views of ours."""

NUMBER = (
    r"^[+-]?([0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?|[.][0-9]+([eE][+-]?[0-9]+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
)
INEXACT = r"^[+-]?[0-9]{16,}([.]0*)?$"
MISSING = "('', 'na', 'n/a', 'nan', 'null', 'none')"
EXACT = 2**53
"""Beyond, a double does not hold every whole number."""

NUMBERS = ("double", "float", "decimal", "tinyint", "smallint", "int")
CSV = {".csv": ",", ".tsv": "\t"}
PATTERN = frozenset("*?[{")
PACKED = (".gz", ".bz2", ".zst", ".zstd", ".lz4", ".snappy", ".deflate")


@dataclass(frozen=True, slots=True)
class Origin:
    """Files of one form, or a table, as the server names them."""

    names: tuple[str, ...]
    form: str
    """parquet, csv or table."""
    delimiter: str = ","

    @property
    def about(self) -> str:
        """The name in messages."""
        return ", ".join(self.names)

    def relation(self, session: Any, *, merged: bool = False) -> Any:
        """Return the data frame of the client."""
        if self.form == "table":
            return session.table(relation(SPARK, self.names[0]))
        options: dict[str, Any] = {
            "recursiveFileLookup": True
        }  # else Spark leaves out files in folders below, without a word
        if self.form == "csv":
            options |= {
                "header": True,
                "sep": self.delimiter,
                "escape": '"',
                "mode": "FAILFAST",
                "enforceSchema": False,  # else columns are taken by their places, whatever a file calls them
                "columnPruning": False,  # else rows that are too long or short are not noticed
            }
        elif merged:
            options["mergeSchema"] = True
        return session.read.format(self.form).options(**options).load(list(self.names))


def origins_of(files: Sequence[str], tables: Sequence[str], delimiter: str | None) -> list[Origin]:
    """Return the sources by their forms, which suffixes tell; the columns of csv files are those of each name alone."""
    others: list[Origin] = []
    of_parquet: list[str] = []
    for name in files:
        stem = name.lower()
        for suffix in PACKED:
            stem = stem.removesuffix(suffix)
        usual = next((each for suffix, each in CSV.items() if stem.endswith(suffix)), None)
        if usual is not None:
            others.append(Origin((name,), "csv", delimiter or usual))
        elif stem.endswith(".parquet") and PATTERN.isdisjoint(name):
            of_parquet.append(name)
        else:  # a folder or a pattern, which may have files that others have
            others.append(Origin((name,), "parquet"))
    of_files = [Origin(tuple(of_parquet), "parquet")] if of_parquet else []
    return [*of_files, *others, *(Origin((name,), "table") for name in tables)]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns are the label and the scores."""

    label: str
    score: tuple[str, ...]


class Layout(NamedTuple):
    """The columns of a source with their types, those of its cases, and whether they are of several files."""

    kinds: Mapping[str, str]
    columns: Columns
    is_merged: bool


@dataclass(slots=True)
class Found:
    """What a file or a table holds: rows by class, and rows that cannot be counted."""

    rows: int = 0
    labels: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    """The rows with a score, by the place of the score."""
    null_scores: int = 0
    nan_scores: int = 0
    missing_labels: int = 0
    dropped: int = 0
    positives: int = 0
    negatives: int = 0


class SparkCount:
    """A count on a server: the sources, the columns, and the rows that are kept."""

    def __init__(self, connection: Connection, origins: Sequence[Origin], wanted: Wanted) -> None:
        self._connection, self._origins, self._wanted = connection, origins, wanted
        self._about = ", ".join(origin.about for origin in origins)
        self.columns = self._name_cases()
        self.sources, self._classes = self._facts()
        self._name_kept()

    def distinct(self) -> list[int]:
        """Return how many distinct scores there are of each model."""
        each = (
            f"SELECT {place} AS place, COUNT(*) AS n FROM (SELECT {quoted(score)} FROM {KEPT} GROUP BY {quoted(score)})"
            for place, score in enumerate(self.columns.score)
        )
        found = self._ask("\nUNION ALL\n".join(each))
        return [n for _, n in sorted(zip(found["place"], found["n"], strict=True))]

    def counts(self, asked: Binning | None, *, most: int) -> tuple[ScoreCounts, ...]:
        """Return the counts of each model in the bins asked for; else exactly, or in bins if scores are more than `most`."""
        if asked is not None:
            return tuple(self._binned(score, asked) for score in self.columns.score)
        return tuple(
            self._counts(score) if n <= most else self._over(score, most)
            for score, n in zip(self.columns.score, self.distinct(), strict=True)
        )

    def _over(self, score: str, most: int) -> ScoreCounts:
        """Return the counts of a model in bins, with a warning that its scores were too many."""
        counted = self._binned(score, Dyadic(USUAL))
        first, *others = counted.sources
        over = message("scores-over-budget", model=score, most=most, resolution=USUAL)
        return replace(counted, sources=(replace(first, caveats=(*first.caveats, over)), *others))

    def _binned(self, score: str, binning: Binning) -> ScoreCounts:
        table = Table(f"`{KEPT}`", LABEL, (score,))
        if isinstance(binning, Dyadic):
            query = bins(SPARK, table, resolution=binning.resolution)
        elif isinstance(binning, Thresholds):
            query = bins(SPARK, table, thresholds=binning.edges.tolist())
        else:
            raise TypeError(binning)
        found = self._connection.query(query, about=self._about)
        least, upper, positives, negatives = _arrays(found, "score", "upper", "positives", "negatives")
        ends = ends_of(least, np.where(np.isnan(upper), np.inf, upper))
        if ends is None:
            raise ValueError("bins of a server overlap")
        return ScoreCounts.of_bins(ends, positives, negatives, model=score, sources=self.sources)

    def whole_numbers(self) -> dict[str, dict[str, int]]:
        """Return the whole numbers of each model."""
        found = {}
        for score in self.columns.score:
            query = query_of_ranges(KEPT, LABEL, quoted(score))
            found[score] = numbers_of(ranges_of(self._connection.query(query, about=self._about).to_pylist()))
        return found

    def pairs(self) -> list[dict[str, Any]]:
        """Return the whole numbers of each pair of models, the later one compared with the earlier one."""
        if len(self.columns.score) < 2:
            return []
        is_tied = []
        for place, score in enumerate(self.columns.score):
            held = held_of(
                self._connection.query(query_of_held(KEPT, LABEL, quoted(score)), about=self._about).to_pylist()
            )
            is_tied.append(all(each.is_one for each in held))
            self._connection.send(f"{PLACES}_{place}", places_of(held), about=self._about)
        places = combinations(range(len(self.columns.score)), 2)
        return [
            self._pair(model, baseline, all_tied=is_tied[model] and is_tied[baseline]) for baseline, model in places
        ]

    def _pair(self, model: int, baseline: int, *, all_tied: bool) -> dict[str, Any]:
        """Return the whole numbers of two models, which are given by their places."""
        scores = self.columns.score[model], self.columns.score[baseline]
        names = quoted(scores[0]), quoted(scores[1])
        cells = query_of_cells(KEPT, LABEL, names, is_tied=all_tied)
        self._connection.view(CELLS, lambda s: s.sql(cells), about=self._about)
        placed = query_of_places(CELLS, f"{PLACES}_{model}")
        self._connection.view(PLACED, lambda s: s.sql(placed), about=self._about)
        (found,) = self._connection.query(query_of_pair(PLACED, f"{PLACES}_{baseline}"), about=self._about).to_pylist()
        return {"model": scores[0], "baseline": scores[1], **found}

    def _counts(self, score: str) -> ScoreCounts:
        """Return the counts of a model: three numbers for each score and no order, as all of it comes back at once."""
        tallies = f"COUNT_IF({LABEL} = 1) AS positives, COUNT_IF({LABEL} = 0) AS negatives"
        query = f"SELECT {quoted(score)} AS score, {tallies} FROM {KEPT} GROUP BY {quoted(score)}"
        found = self._connection.query(query, about=self._about)
        columns = _arrays(found, "score", "positives", "negatives")
        return ScoreCounts.of(*columns, model=score, sources=self.sources)

    def _ask(self, sql: str) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = self._connection.query(sql, about=self._about).to_pydict()
        return found

    def _name_cases(self) -> Columns:
        """Name the cases of all sources, with their labels as text, for the queries; return which columns they are."""
        columns = self._layout(self._origins[0], None).columns
        parts = []
        for place, origin in enumerate(self._origins):
            kinds, _, is_merged = self._layout(origin, columns)
            view = f"rocconf_source_{place}"
            self._connection.view(view, _chosen(origin, columns, is_merged=is_merged), about=origin.about)
            parts.append(f"SELECT {place} AS {ORIGIN}, {_cells(columns, kinds, origin.about)}\nFROM {view} AS source")
        self._connection.view(CASES, lambda s: s.sql("\nUNION ALL\n".join(parts)), about=self._about)
        return columns

    def _layout(self, origin: Origin, columns: Columns | None) -> Layout:
        """Return the columns of a source with their types, and those of cases: the ones given, named or usual."""
        kinds = self._connection.columns(origin.relation, about=origin.about)
        try:
            return Layout(kinds, _columns_of(kinds, columns or self._wanted, origin.about), is_merged=False)
        except InputError:
            if origin.form != "parquet":
                raise
        # the one file that Spark took the schema from may be the one without a column
        kinds = self._connection.columns(partial(origin.relation, merged=True), about=origin.about)
        return Layout(kinds, _columns_of(kinds, columns or self._wanted, origin.about), is_merged=True)

    def _facts(self) -> tuple[tuple[Source, ...], dict[str, int]]:
        """Return the sources with their cases, and the class of each label; refuse what cannot be counted."""
        rows = self._grouped()
        labels: Counter[str] = Counter()
        for label, cases in zip(rows["label"], rows["cases"], strict=True):
            if label is not None:
                labels[label] += cases
        self._refuse_files_twice(rows)
        found, unreadable = self._sorted(rows)
        self._refuse_files_without_columns(found)
        faults = self._about_numbers(unreadable)
        classes, others = _classified(labels, self._wanted)
        faults += others
        for place, label, cases, dropped in zip(
            rows["file"], rows["label"], rows["cases"], rows["dropped"], strict=True
        ):
            value = None if label is None else classes.get(label)
            of_file = found[place]
            if value is None:
                of_file.missing_labels += cases
                of_file.dropped += cases
            else:
                of_file.dropped += dropped
                if value == 1:
                    of_file.positives += cases - dropped
                else:
                    of_file.negatives += cases - dropped
        if self._wanted.na == "error":
            faults += self._about_missing(found)
        if faults:
            raise InputError(self._about, faults)
        if not sum(each.positives + each.negatives for each in found.values()):
            dropped = sum(each.dropped for each in found.values())
            raise InputError(self._about, [message("all-missing", dropped=dropped) if found else message("no-rows")])
        positive = self._wanted.positive or "1"
        sources = tuple(
            Source(
                _name(file),
                each.positives + each.negatives,
                each.positives,
                each.negatives,
                positive,
                each.dropped,
                caveats=_about_dropped(_name(file), each),
            )
            for file, each in sorted(found.items())
        )
        return sources, classes

    def _grouped(self) -> dict[str, list[Any]]:
        """Return the rows of each file and label, and how many of them lack what."""
        scores = [quoted(score) for score in self.columns.score]
        missing = " OR ".join(f"{score} IS NULL OR ISNAN({score})" for score in scores)
        columns = [
            "COUNT(*) AS cases",
            f"COUNT_IF({missing}) AS dropped",
            *(f"COUNT_IF({score} IS NULL) AS null_{place}" for place, score in enumerate(scores)),
            *(f"COUNT_IF(ISNAN({score})) AS nan_{place}" for place, score in enumerate(scores)),
            *(f"COUNT(bad_{place}) AS bad_{place}" for place in range(len(scores))),
        ]
        by = f"{ORIGIN}, {FILE}, {LABEL}"
        wanted = f"{ORIGIN} AS origin, {FILE} AS file, {LABEL} AS label, {', '.join(columns)}"
        found = self._ask(f"SELECT {wanted} FROM {CASES} GROUP BY {by} LIMIT {MOST_GROUPS + 1}")
        if len(found["file"]) <= MOST_GROUPS:
            return found
        some = self._ask(f"SELECT {LABEL} AS label FROM {CASES} GROUP BY {LABEL} LIMIT {MOST_LABELS + 1}")["label"]
        if len(some) > MOST_LABELS:
            few = ", ".join(map(repr, some[:SPELLED_OUT]))
            fault = message("spark-too-many-labels", column=self.columns.label, most=MOST_LABELS, some=example(few))
            raise InputError(self._about, [fault])
        raise InputError(self._about, [message("spark-too-many-files", most=MOST_GROUPS)])

    def _refuse_files_twice(self, rows: Mapping[str, list[Any]]) -> None:
        """Refuse a file that two sources have: its cases would count twice."""
        origins: dict[str, int] = {}
        for file, place in zip(rows["file"], rows["origin"], strict=True):
            first = origins.setdefault(file, place)
            if first != place:
                one, other = sorted((first, place))
                about = self._origins[one].about, self._origins[other].about
                raise InputError(_name(file), [message("spark-twice", one=about[0], other=about[1])])

    def _sorted(self, rows: Mapping[str, list[Any]]) -> tuple[dict[str, Found], Counter[int]]:
        """Return what each file holds, and of each score how many cells are no numbers."""
        found: dict[str, Found] = {}
        unreadable: Counter[int] = Counter()
        for row in (dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)):
            of_file = found.setdefault(row["file"], Found())
            of_file.rows += row["cases"]
            of_file.labels += row["cases"] if row["label"] is not None else 0
            for place in range(len(self.columns.score)):
                of_file.scores[place] += row["cases"] - row[f"null_{place}"]
                of_file.null_scores += row[f"null_{place}"] - row[f"bad_{place}"]
                of_file.nan_scores += row[f"nan_{place}"]
                if row[f"bad_{place}"]:
                    unreadable[place] += row[f"bad_{place}"]
                    of_file.scores[place] += row[f"bad_{place}"]
        return found, unreadable

    def _refuse_files_without_columns(self, found: Mapping[str, Found]) -> None:
        """Refuse files that lack a column: Spark reads it as nulls, which would be dropped without a word."""
        names = (self.columns.label, *self.columns.score)
        empty = [
            (file, name)
            for file, each in sorted(found.items())
            for name, n in zip(
                names, (each.labels, *(each.scores[place] for place in range(len(names) - 1))), strict=True
            )
            if not n and "/" in file
        ]
        for file, name in empty:
            of_file = Origin((unquote(file),), "parquet")
            kinds = self._connection.columns(of_file.relation, about=plain_path(file))
            if name not in kinds:
                raise InputError(plain_path(file), [_no_column(name, kinds)])

    def _about_numbers(self, unreadable: Mapping[int, int]) -> list[Message]:
        """Return the faults of cells that are no numbers, with one of them; looked for apart, as Spark sorts to find it."""
        faults = []
        for place, n in sorted(unreadable.items()):
            cell = self._ask(f"SELECT MIN(bad_{place}) AS cell FROM {CASES}")["cell"][0]
            faults.append(message("spark-not-numbers", n=n, column=self.columns.score[place], cell=example(repr(cell))))
        return faults

    def _about_missing(self, found: Mapping[str, Found]) -> list[Message]:
        """Return the faults of rows without a value, with the first file that has them."""
        faults = []
        label, scores = self.columns.label, ", ".join(self.columns.score)
        for code, name, kind in (
            ("missing_labels", label, "no value"),
            ("null_scores", scores, "no value"),
            ("nan_scores", scores, "NaN"),
        ):
            files = [file for file, each in sorted(found.items()) if getattr(each, code)]
            if files:
                total = sum(getattr(each, code) for each in found.values())
                faults.append(message("spark-missing-values", n=total, column=name, kind=kind, file=_name(files[0])))
        return faults

    def _name_kept(self) -> None:
        """Name the cases that are counted, with labels 1 and 0."""
        of_class = {value: [label for label, its in self._classes.items() if its == value] for value in (1, 0)}
        texts = {value: ", ".join(map(SPARK.text_of, labels)) for value, labels in of_class.items()}
        cases = " ".join(f"WHEN {LABEL} IN ({texts[value]}) THEN {value}" for value in (1, 0) if texts[value])
        scores = [quoted(score) for score in self.columns.score]
        present = " AND ".join(f"{score} IS NOT NULL AND NOT ISNAN({score})" for score in scores)
        inner = f"SELECT CASE {cases} END AS {LABEL}, {', '.join(scores)} FROM {CASES} WHERE {present}"
        sql = f"SELECT * FROM ({inner}) WHERE {LABEL} IS NOT NULL"
        self._connection.view(KEPT, lambda s: s.sql(sql), about=self._about)


def quoted(name: str) -> str:
    """Return a column's name for a query."""
    return SPARK.name_of(name)


def _classified(labels: Mapping[str, int], wanted: Wanted) -> tuple[dict[str, int], list[Message]]:
    """Return the class of each label, as a file's are classified, and what is wrong with others; the common ones first."""
    known = Labels(wanted.positive, rest=wanted.rest)
    classes: dict[str, int] = {}
    others: list[str] = []
    for label in sorted(labels, key=lambda each: (-labels[each], each)):
        try:
            value = known.code(label)
        except CellError:
            others.append(label)
        else:
            classes |= {} if value is None else {label: value}
    if wanted.positive is not None and labels and not known.has_positive:
        found = example(", ".join(map(repr, [*classes, *others][:SPELLED_OUT])))
        return classes, [message("no-positive-label", positive=repr(wanted.positive), found=found)]
    if not others:
        return classes, []
    first = {value: repr(label) for label, value in reversed(classes.items())}
    one, other = ("0", "1") if wanted.positive is None else (first[1], example(first[0]))
    return classes, [message("spark-labels", labels=example(_listed(others, labels)), one=one, other=other)]


def _columns_of(kinds: Mapping[str, str], wanted: Wanted | Columns, about: str) -> Columns:
    """Return which columns are the label and the scores: those named, or the only ones with a default name."""
    usual = [name for name in kinds if name in LABELS]
    label = wanted.label or (usual[0] if len(usual) == 1 else None)
    default = [name for name in kinds if name in SCORES and name != label]
    scores = wanted.score or (tuple(default) if len(default) == 1 else ())
    missing = [name for name in (label, *scores) if name is not None and name not in kinds]
    if missing:
        raise InputError(about, [_no_column(name, kinds) for name in missing])
    if label is None or not scores:
        what = "label" if label is None else "score"
        raise InputError(about, [message("spark-unnamed", what=what, found=", ".join(kinds))])
    if label in scores:
        raise UsageError("label-is-score", name=label)
    return Columns(label, scores)


def _no_column(name: str, kinds: Mapping[str, str]) -> Message:
    return message("no-column", name=name, found=", ".join(kinds), meant=did_you_mean(name, kinds))


def _chosen(origin: Origin, columns: Columns, *, is_merged: bool) -> Callable[[Any], Any]:
    """Return the columns of a source and the file of each row."""

    def relation_of(session: Any) -> Any:
        frame = origin.relation(session, merged=is_merged)
        file = "_metadata.file_path" if origin.form != "table" else SPARK.text_of(origin.about)
        return frame.selectExpr(*map(quoted, (columns.label, *columns.score)), f"{file} AS {FILE}")

    return relation_of


def _cells(columns: Columns, kinds: Mapping[str, str], about: str) -> str:
    """Return the columns of the cases: the label as text, scores as doubles, and cells that are no numbers."""
    label = f"TRIM(CAST(source.{quoted(columns.label)} AS STRING))"
    if kinds[columns.label].startswith(("array", "map", "struct", "binary")):
        raise InputError(about, [message("column-nested", name=columns.label)])
    parts = [f"CASE WHEN LOWER({label}) IN {MISSING} THEN NULL ELSE {label} END AS {LABEL}", f"source.{FILE}"]
    for place, score in enumerate(columns.score):
        kind, cell = kinds[score].partition("(")[0], f"source.{quoted(score)}"
        if kind == "string":
            text = f"TRIM({cell})"
            is_number = f"{text} RLIKE {SPARK.text_of(NUMBER)}"
            number = f"CASE WHEN {is_number} THEN TRY_CAST({text} AS DOUBLE) END"
            is_large = f"ABS({number}) = DOUBLE('Infinity') AND NOT LOWER({text}) LIKE '%inf%'"
            is_inexact = f"ABS({number}) > {EXACT} AND {text} RLIKE {SPARK.text_of(INEXACT)}"
            is_bad = f"LOWER({text}) NOT IN {MISSING} AND (NOT {is_number} OR {is_large} OR {is_inexact})"
        elif kind == "bigint":
            number, text = (
                f"CASE WHEN ABS({cell}) <= {EXACT} THEN CAST({cell} AS DOUBLE) END",
                f"CAST({cell} AS STRING)",
            )
            is_bad = f"ABS({cell}) > {EXACT}"
        elif kind in NUMBERS:
            number, text, is_bad = f"CAST({cell} AS DOUBLE)", "''", "FALSE"
        else:
            raise InputError(about, [message("spark-type", column=score, kind=kinds[score])])
        parts += [
            f"CASE WHEN {is_bad} THEN NULL ELSE {number} + 0D END AS {quoted(score)}",
            f"CASE WHEN {is_bad} THEN {text} END AS bad_{place}",
        ]
    return ", ".join(parts)


def _about_dropped(name: str, found: Found) -> tuple[Message, ...]:
    if not found.dropped:
        return ()
    n = found.dropped
    rows = "1 row without a value was" if n == 1 else f"{n} rows without a value were"
    return (message("dropped", file=name, rows=rows, kept=found.positives + found.negatives),)


def _listed(others: Sequence[str], labels: Mapping[str, int]) -> str:
    shown = ", ".join(
        f"{label!r} ({labels[label]:,} row{'s' * (labels[label] != 1)})" for label in others[:SPELLED_OUT]
    )
    return shown + (f" and {len(others) - SPELLED_OUT} more" if len(others) > SPELLED_OUT else "")


def _name(file: str) -> str:
    return plain_path(file)


def _arrays(found: Any, *names: str) -> list[Any]:
    """Return columns of a result as arrays of numbers."""
    return [found[name].to_numpy().astype(np.float64 if name in ("score", "upper") else np.int64) for name in names]
