"""The only place that opens an input: tables of cases or counts, data frames and saved reports.

    source -> formats -> delimited, parquet, arrow, json_lines, frame -> cases, long -> Predictions
                                                                      -> counts_file -> ScoreCounts
                                            classes -> ClassPredictions
                                            scores_alone -> Scores
    source -> json_report -> SavedReport

`layout` says which column is what, `candidates` what one may be that is not named, `columns` and `cells` what a column and a cell mean.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from rocconf.conditions import parse_conditions
from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.naming import stem
from rocconf.read.candidates import LABELS, SCORES
from rocconf.read.cases import collect_cases
from rocconf.read.cells import CellError, Labels, meaning
from rocconf.read.columns import as_text
from rocconf.read.formats import failures_as_errors, open_table
from rocconf.read.groups import spelled_alike
from rocconf.read.layout import Pairing, Wanted, is_of_counts, refuse_as_groups
from rocconf.read.partitions import open_with_partitions
from rocconf.read.source import STORES, Input, find_files, find_input
from rocconf.read.unnamed import SED, UnnamedError, about_baseline, copy_of, with_copy_written, with_options
from rocconf.records import Predictions

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from rocconf.read.all_questions import about_ids, about_other_models
    from rocconf.read.classes import WantedClasses, parse_class_column, read_classes_of
    from rocconf.read.counted import Bins, Kept, count_files
    from rocconf.read.digests import Digests
    from rocconf.read.formats import OpenTable
    from rocconf.read.frame import is_frame
    from rocconf.read.json_report import baseline_of, read_report
    from rocconf.read.numbers_file import has_pairs, is_of_whole_numbers, pair_numbers, whole_numbers_in
    from rocconf.read.scores_alone import read_scores_of
    from rocconf.read.spilled import pile_of
    from rocconf.records import ClassPredictions, CountsOfCases, GroupedCounts, ScoreCounts, Scores

    Table = Predictions | CountsOfCases | tuple[ScoreCounts, ...] | tuple[GroupedCounts, ...]

__all__ = [
    "LABELS",
    "SCORES",
    "SED",
    "STORES",
    "Bins",
    "CellError",
    "Digests",
    "Input",
    "Kept",
    "Labels",
    "Pairing",
    "UnnamedError",
    "Wanted",
    "WantedClasses",
    "about_baseline",
    "about_ids",
    "about_other_models",
    "baseline_of",
    "copy_of",
    "count_files",
    "find_files",
    "find_input",
    "has_pairs",
    "is_frame",
    "is_of_counts",
    "is_of_whole_numbers",
    "meaning",
    "open_table",
    "pair_numbers",
    "parse_class_column",
    "pile_of",
    "read_arrays",
    "read_classes",
    "read_classes_of",
    "read_counts",
    "read_frame",
    "read_frame_of",
    "read_predictions",
    "read_report",
    "read_scores",
    "read_scores_of",
    "read_table",
    "refuse_as_groups",
    "spelled_alike",
    "whole_numbers_in",
    "with_copy_written",
    "with_options",
]


LOADED_LATER = {
    "about_ids": "all_questions",
    "about_other_models": "all_questions",
    "baseline_of": "json_report",
    "is_frame": "frame",
    **dict.fromkeys(("Bins", "Kept", "count_files"), "counted"),
    "Digests": "digests",
    "pile_of": "spilled",
    **dict.fromkeys(("has_pairs", "is_of_whole_numbers", "pair_numbers", "whole_numbers_in"), "numbers_file"),
    "read_report": "json_report",
    "read_scores_of": "scores_alone",
    **dict.fromkeys(("WantedClasses", "parse_class_column", "read_classes_of"), "classes"),
}
"""The modules of the names that are loaded on first use."""


def read_table(source: Input, wanted: Wanted) -> Table:
    """Return the cases of an input, or the counts of each model if it is a counts file and no label is asked for.

    Counts have their groups only if columns of groups are wanted. Of cases only the counts are returned if these are
    enough.
    """
    with failures_as_errors(source.name):
        table = open_with_partitions(source, wanted)
        if is_of_counts(table.header) and wanted.label not in {None, *(name.strip() for name in table.header)}:
            raise InputError(source.name, [message("label-of-counts")])
        if not wanted.label and is_of_counts(table.header):
            from rocconf.read.counts_file import read_counted

            found = read_counted(table, wanted, model=stem(source.name))
            return found if wanted.groups else tuple(each.whole for each in found)
        try:
            return _collect(table, wanted)
        except InputError as error:
            from rocconf.read.all_questions import asking_everything

            raise asking_everything(error, source, table, wanted) from None


def _collect(table: OpenTable, wanted: Wanted) -> Predictions | CountsOfCases | tuple[ScoreCounts, ...]:
    if wanted.model is None:
        return collect_cases(table, wanted)
    from rocconf.read.long import collect_long

    return collect_long(table, wanted)


def _paired(table: OpenTable, wanted: Wanted) -> Predictions:
    """Return the cases of a table, whose models are on the same cases."""
    cases = _collect(table, wanted)
    if not isinstance(cases, Predictions):
        raise TypeError("models that must be paired were not")
    return cases


def read_predictions(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    model: str | None = None,
    time: str | None = None,
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    positive: str | None = None,
    rest: bool = False,
    lower_is_positive: bool = False,
    where: Mapping[str, Any] | Sequence[str] | str = (),
    na: Literal["error", "drop"] = "error",
    delimiter: str | None = None,
) -> Predictions:
    """Read labelled scores from csv, tsv, JSON lines, Arrow (Feather) or parquet, gz or zst by suffix, or `-` for stdin.

    Parameters
    ----------
    path
        The file.
    label, id
        The columns of labels and ids; by default those with a usual name.
    score
        The column or columns of scores; by default the one with a usual name, else all columns of fractions, else of
        other floats. Rules cannot judge scores that were found by their values: name them.
    model
        The column of models of a long table, which has a row for each case and model; the ids pair them.
    time
        The column of times: ISO dates, dates with a time of day, or numbers.
    by
        The column or columns that divide the cases into groups: slices or folds.
    cluster
        The column of what the cases belong to, like patients with several images: its values are independent, not the
        cases.
    positive
        The label of the positive class, where labels are not 0/1 or true/false.
    rest
        Whether all labels but the positive one are negative, where there are more than two classes.
    lower_is_positive
        Whether low scores mean positive.
    where
        Conditions on the rows: texts like `age>=65` (with =, !=, <, <=, >, >=), or the values that columns equal.
    na
        Whether a missing label or score is an error, or the row is dropped and counted.
    delimiter
        The character between cells; by default what the suffix says.

    Examples
    --------
    >>> import rocconf
    >>> rocconf.read_predictions("sample_data/hypothyroid.csv", score=["S", "F"])
    Predictions(n=3163, positives=151, models=('S', 'F'))
    """
    wanted = Wanted(
        label=label,
        score=_names(score),
        id=id,
        model=model,
        time=time,
        groups=_names(by),
        cluster=cluster,
        positive=positive,
        rest=rest,
        lower_is_positive=lower_is_positive,
        where=parse_conditions(where, "where"),
        na=na,
        delimiter=delimiter,
        several=True,
    )
    source = find_input(str(path))
    with failures_as_errors(source.name):
        return _paired(open_with_partitions(source, wanted), wanted)


def read_classes(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    classes: Mapping[str, str | Sequence[str]] | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    lower_is_positive: bool = False,
    where: Mapping[str, Any] | Sequence[str] | str = (),
    na: Literal["error", "drop"] = "error",
    delimiter: str | None = None,
) -> ClassPredictions:
    """Read cases of several classes, with a column of scores for each class and model.

    Parameters
    ----------
    path
        The file.
    label, id
        The columns of labels and ids; by default those with a usual name.
    score
        The model or models to take, by the prefixes of their columns; by default all.
    classes
        The column of each class or, of several models, its columns; by default those called like the classes, after
        a prefix that all columns of a model share.
    by
        The column or columns that divide the cases into groups.
    cluster
        The column of what the cases belong to, like patients with several images.
    lower_is_positive
        Whether a low score means the class of its column.
    where
        Conditions on the rows: texts like `age>=65` (with =, !=, <, <=, >, >=), or the values that columns equal.
    na
        Whether a missing label or score is an error, or the row is dropped and counted.
    delimiter
        The character between cells; by default what the suffix says.

    Examples
    --------
    >>> import rocconf
    >>> rocconf.read_classes("sample_data/wine.csv", label="cultivar", score="tree")
    ClassPredictions(n=178, classes=('class_0', 'class_1', 'class_2'), models=('tree',))
    """
    from rocconf.read import classes as of_classes

    wanted = Wanted(
        label=label,
        id=id,
        groups=_names(by),
        cluster=cluster,
        classes=True,
        lower_is_positive=lower_is_positive,
        where=parse_conditions(where, "where"),
        na=na,
        delimiter=delimiter,
    )
    columns = tuple((name, column) for name, own in (classes or {}).items() for column in _names(own))
    asked = of_classes.WantedClasses(wanted, columns, _names(score), several=True)
    return of_classes.read_classes_of(find_input(str(path)), asked)


@overload
def read_counts(
    path: str | os.PathLike[str], *, delimiter: str | None = None, lower_is_positive: bool = False
) -> tuple[ScoreCounts, ...]: ...


@overload
def read_counts(
    path: str | os.PathLike[str],
    *,
    by: str | Sequence[str],
    delimiter: str | None = None,
    lower_is_positive: bool = False,
) -> tuple[GroupedCounts, ...]: ...


def read_counts(
    path: str | os.PathLike[str],
    *,
    by: str | Sequence[str] = (),
    delimiter: str | None = None,
    lower_is_positive: bool = False,
) -> tuple[ScoreCounts, ...] | tuple[GroupedCounts, ...]:
    r"""Read a counts file: columns score, positives, negatives and, where there are several models, model.

    Parameters
    ----------
    path
        The file.
    by
        The column or columns that divide the cases into groups; without it counts are added up over all groups.
    delimiter
        The character between cells; by default what the suffix says.
    lower_is_positive
        Whether low scores mean positive.

    Examples
    --------
    >>> import rocconf
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "march.csv")
    ...     _ = path.write_text("score,positives,negatives\n0.9,40,3\n0.2,5,210\n")
    ...     rocconf.read_counts(path)
    (ScoreCounts(model='march', p=45, q=213, scores=2),)
    """
    from rocconf.read.counts_file import collect_grouped

    source, wanted = find_input(str(path)), Wanted(delimiter=delimiter, groups=_names(by))
    with failures_as_errors(source.name):
        table = open_with_partitions(source, wanted)
        found = collect_grouped(
            table, model=stem(source.name), lower_is_positive=lower_is_positive, groups=wanted.groups
        )
        return found if wanted.groups else tuple(each.whole for each in found)


def read_scores(
    path: str | os.PathLike[str],
    *,
    score: str | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    where: Mapping[str, Any] | Sequence[str] | str = (),
    na: Literal["error", "drop"] = "error",
    delimiter: str | None = None,
) -> Scores:
    """Read the scores of one model; the file needs no labels, and those it has are not read.

    Parameters
    ----------
    path
        The file, of cases or of counts.
    score
        The column of scores; by default the one with a usual name, else the only column of fractions, else of other floats.
    id
        The column of ids; by default the one with the usual name.
    where
        Conditions on the rows: texts like `age>=65` (with =, !=, <, <=, >, >=), or the values that columns equal.
    na
        Whether a missing score is an error, or the row is dropped and counted.
    delimiter
        The character between cells; by default what the suffix says.

    Examples
    --------
    >>> import rocconf
    >>> rocconf.read_scores("sample_data/flu.csv").model
    'score'
    """
    from rocconf.read.scores_alone import read_scores_of

    wanted = Wanted(
        score=_names(score), id=id, where=parse_conditions(where, "where"), na=na, delimiter=delimiter, keep_ids=False
    )
    found = read_scores_of(find_input(str(path)), wanted)
    if len(found) > 1:
        raise InputError(str(path), [message("scores-of-models", models=", ".join(each.model for each in found))])
    return found[0]


def read_frame(
    frame: Any,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    model: str | None = None,
    time: str | None = None,
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    positive: Any = None,
    rest: bool = False,
    lower_is_positive: bool = False,
    where: Mapping[str, Any] | Sequence[str] | str = (),
    na: Literal["error", "drop"] = "error",
) -> Predictions:
    """Take labelled scores from a data frame of pandas or polars, or a table of pyarrow.

    Anything that hands out Arrow's columns (`__arrow_c_stream__`) will do. The index of a data frame is no column.

    Parameters
    ----------
    frame
        The data frame.
    label, score, id, model, time, by, cluster, positive, rest, lower_is_positive, where, na
        As in `read_predictions`.

    Examples
    --------
    >>> import polars as pl
    >>> import rocconf
    >>> frame = pl.DataFrame({"sick": ["no", "no", "yes", "yes"], "risk": [0.2, 0.4, 0.3, 0.9]})
    >>> rocconf.read_frame(frame, label="sick", positive="yes", score="risk")
    Predictions(n=4, positives=2, models=('risk',))
    """
    wanted = Wanted(
        label=label,
        score=_names(score),
        id=id,
        model=model,
        time=time,
        groups=_names(by),
        cluster=cluster,
        positive=None if positive is None else as_text(positive),
        rest=rest,
        lower_is_positive=lower_is_positive,
        where=parse_conditions(where, "where"),
        na=na,
        several=True,
    )
    return read_frame_of(frame, wanted)


def read_frame_of(frame: Any, wanted: Wanted) -> Predictions:
    """Return the cases of a data frame."""
    from rocconf.read.frame import table_of

    return _paired(table_of(frame), wanted)


def read_arrays(
    labels: Any,
    scores: Any,
    *,
    positive: Any = None,
    rest: bool = False,
    lower_is_positive: bool = False,
    na: Literal["error", "drop"] = "error",
) -> Predictions:
    """Take labels and scores from lists, arrays or columns of data frames.

    Parameters
    ----------
    labels
        The label of each case.
    scores
        The score of each case or, of several models, their scores by the names of the models.
    positive, rest, lower_is_positive, na
        As in `read_predictions`.
    """
    from rocconf.read.arrays import table_of_arrays

    table, label, models = table_of_arrays(labels, scores)
    wanted = Wanted(
        label=label,
        score=tuple(models),
        positive=None if positive is None else as_text(positive),
        rest=rest,
        lower_is_positive=lower_is_positive,
        na=na,
    )
    return _paired(table, wanted)


def _names(score: str | Sequence[str] | None) -> tuple[str, ...]:
    return (score,) if isinstance(score, str) else tuple(score or ())


def __getattr__(name: str) -> Any:
    """Load on first use what an analysis of a table does not need."""
    if name in LOADED_LATER:
        return getattr(import_module(f"rocconf.read.{LOADED_LATER[name]}"), name)
    raise AttributeError(f"module 'rocconf.read' has no attribute {name!r}")
