"""The only place that opens an input: csv, tsv, parquet, counts files, pipes and data frames."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

from rocconf.read.cases import Cases
from rocconf.read.cells import CellError, number
from rocconf.read.columns import FrameColumn, TextColumn, column_of, holds_numbers
from rocconf.read.counts_file import counts_of, has_counts
from rocconf.read.header import Layout, Wanted, lay_out
from rocconf.read.source import Input, find_input

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd

    from rocconf.records import Predictions, ScoreCounts

__all__ = [
    "Input",
    "Wanted",
    "counts_of",
    "find_input",
    "has_counts",
    "read_cases",
    "read_counts",
    "read_frame",
    "read_predictions",
]


def read_predictions(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    positive: str | None = None,
    lower_is_positive: bool = False,
    where: dict[str, str] | None = None,
    na: Literal["error", "drop"] = "error",
    delimiter: str | None = None,
) -> Predictions:
    """Read labelled scores from csv, tsv or parquet, gz or zst by suffix, or `-` for standard input.

    Parameters
    ----------
    path
        The file.
    label, id
        The columns of labels and ids; by default those with a usual name.
    score
        The column or columns of scores; by default the one with a usual name, or all numeric ones.
    positive
        The label of the positive class, where labels are not 0/1 or true/false.
    lower_is_positive
        Whether low scores mean positive.
    where
        Values that columns must have for a row to count.
    na
        Whether a missing label or score is an error, or the row is dropped and counted.
    delimiter
        The character between cells; by default what the suffix says.
    """
    wanted = Wanted(
        label=label,
        score=(score,) if isinstance(score, str) else tuple(score or ()),
        id=id,
        positive=positive,
        lower_is_positive=lower_is_positive,
        where=tuple((where or {}).items()),
        na=na,
        delimiter=delimiter,
        several=True,
    )
    return read_cases(find_input(str(path)), wanted)


def read_counts(
    path: str | os.PathLike[str], *, delimiter: str | None = None, lower_is_positive: bool = False
) -> tuple[ScoreCounts, ...]:
    """Read a counts file: columns score, positives, negatives and, where there are several models, model.

    Parameters
    ----------
    path
        The file.
    delimiter
        The character between cells; by default what the suffix says.
    lower_is_positive
        Whether low scores mean positive.
    """
    return counts_of(find_input(str(path)), delimiter=delimiter, lower_is_positive=lower_is_positive)


def read_cases(source: Input, wanted: Wanted) -> Predictions:
    """Read cases from one input."""
    return _parquet_cases(source, wanted) if source.is_parquet else _text_cases(source, wanted)


def _text_cases(source: Input, wanted: Wanted) -> Predictions:
    from rocconf.read import plain, quick
    from rocconf.read.text import head_of

    delimiter = source.delimiter(wanted.delimiter)
    header, sample = head_of(source, delimiter)
    layout = lay_out(source.name, header, lambda at: _starts_with_number(sample, at), wanted)
    cases = plain.read_plainly(source, delimiter, layout, wanted) if plain.is_worth_it(source) else None
    if cases is None and quick.is_worth_it(source):
        cases = quick.read_quickly(source, delimiter, layout, wanted)
    return _carefully(source, delimiter, layout, wanted) if cases is None else cases


def _carefully(source: Input, delimiter: str, layout: Layout, wanted: Wanted) -> Predictions:
    from rocconf.read.text import pieces_of, ragged_row

    cases, width = Cases(source.name, layout, wanted), len(layout.header)
    for lines, rows in pieces_of(source, delimiter, cases.faults.add):
        ragged = [len(row) != width for row in rows]
        if any(ragged):
            for line, row in compress(zip(lines, rows, strict=True), ragged):
                cases.faults.add(line, ragged_row(row, width))
            whole = [not odd for odd in ragged]
            lines, rows = list(compress(lines, whole)), list(compress(rows, whole))  # noqa: PLW2901  # the rest
        columns = list(zip(*rows, strict=True)) or [()] * width
        cases.add(lines, {at: TextColumn(columns[at]) for at in layout.used})
    return cases.finish(source.digest())


def _starts_with_number(sample: list[list[str]], at: int) -> bool:
    """Whether the first cell that says anything is a number: a later one that is not is then a fault."""
    for row in sample:
        try:
            value = number(row[at]) if at < len(row) else float("nan")
        except CellError:
            return False
        if value == value:  # noqa: PLR0124  # NaN is what a missing cell gives
            return True
    return False


def _parquet_cases(source: Input, wanted: Wanted) -> Predictions:
    from rocconf.read.parquet import columns_of, schema_of

    schema = schema_of(source)
    names, types = list(schema), list(schema.values())
    layout = lay_out(source.name, names, lambda at: types[at].is_numeric(), wanted)
    frame = columns_of(source, [names[at] for at in sorted(layout.used)])
    cases = Cases(source.name, layout, wanted, place="row")
    cases.add(range(1, len(frame) + 1), {at: column_of(frame[names[at]]) for at in layout.used})
    return cases.finish(source.digest())


def read_frame(
    frame: pd.DataFrame,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  # the word of the command line
    positive: Any = None,
    lower_is_positive: bool = False,
    na: Literal["error", "drop"] = "error",
) -> Predictions:
    """Take labelled scores from a pandas data frame; the parameters are those of `read_predictions`."""
    wanted = Wanted(
        label=label,
        score=(score,) if isinstance(score, str) else tuple(score or ()),
        id=id,
        positive=None if positive is None else str(positive),
        lower_is_positive=lower_is_positive,
        na=na,
        several=True,
    )
    names = [str(name) for name in frame.columns]
    layout = lay_out("data frame", names, lambda at: holds_numbers(frame.iloc[:, at]), wanted)
    cases = Cases("data frame", layout, wanted, place="row")
    cases.add(range(len(frame)), {at: FrameColumn(frame.iloc[:, at]) for at in layout.used})
    return cases.finish()
