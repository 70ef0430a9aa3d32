"""`rocconf count`."""

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from rocconf.cli.on_spark import How, count_on_spark, is_for_spark
from rocconf.cli.options import Data, Gate, Output
from rocconf.cli.print_sql import DIALECTS, Query, is_for_sql, print_sql
from rocconf.cli.run import Run, alike
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.compute.counted import Counted
    from rocconf.read import Bins
    from rocconf.records import ScoreCounts
    from rocconf.whole_numbers import WholeNumbers

ENGINE = "Count where the files are, on a cluster: spark."
REMOTE = "The Spark Connect server, for --engine spark."
TABLE = "A table or view of the server, for --engine spark (repeatable)."
PRINT_SQL = (
    "Print the SQL that counts a table, SOURCE, in a database; sweep and others read its result, as csv or parquet."
)
PAIRED = "With --print-sql: the whole numbers of two columns of scores, from which compare takes the difference of their AUCs."
BY = "Count each value of the column by itself (repeatable: each combination); sweep --by reads them, all others add them up."
DIALECT = f"The dialect of that SQL: {', '.join(DIALECTS)}."
SOURCES = (
    "Files of cases or of counts, folders of such files, or patterns like 'day=*/*.parquet' in quotes; also objects, "
    "like s3://bucket/prefix/."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Counting(Data):
    """Which files are counted."""

    files: Annotated[list[str], typer.Argument(metavar="SOURCE...", help=SOURCES)] = ()  # type: ignore[assignment]  # typer makes lists


EXACT = (
    "Add whole numbers of the cases to the parquet file: the AUC and, of several --score columns, the paired "
    "differences that compare takes from them."
)
WITHOUT = (
    *("id", "model", "cluster", "lower_is_positive", "plot", "title", "width", "height", "dpi"),
    *("require", "allow_in_sample", "allow_identical", "inconclusive", "exit_zero", "github"),
)
HELP = """Count the positives and negatives at each distinct score, or in bins of scores, of any number of files.

The counts are all that sweep, tango, chi2-contours, sensibility and their rules need: these read the file instead of
the cases, and answer the same. The memory depends on the distinct scores, not on the number of cases. Files that were
counted before can be counted again with new ones: counts of days add up to those of a month.

Where the distinct scores are too many, or bins are asked for, cases are counted in bins of scores: the confusion matrix
is exact at every edge, and the AUC is known within bounds that its interval allows for. What else depends on the scores
within bins is shown as if they were ties, and no rule is judged on it.

Rows that occur twice are counted twice: ids are not compared. The columns must be named where they have no default
name, as a verdict may rest on the counts.

Tables: rows (default: model, score, positives, negatives; of bins also upper), models or summary.
"""


RESOLUTION = (
    "Count in dyadic bins: the exponent and M bits of the mantissa of min(p, 1-p) on each side of 1/2. "
    "[default: exact scores, and 11 if they are too many]"
)
THRESHOLDS = "Count in the bins between these thresholds, like 0.1,0.5,0.9: below the first, from each to the next, from the last on."
MAX_SCORES = (
    "The most distinct scores of a model that are counted exactly, those of both classes counted twice; more are counted in "
    "dyadic bins, with a warning."
)


def count(
    data: Counting,
    output: Output,
    gate: Gate,
    *,
    engine: Annotated[str | None, typer.Option(metavar="spark", help=ENGINE)] = None,
    remote: Annotated[str | None, typer.Option(metavar="sc://HOST:PORT", help=REMOTE)] = None,
    table: Annotated[list[str] | None, typer.Option(metavar="NAME", help=TABLE)] = None,
    sql: Annotated[bool, typer.Option("--print-sql", help=PRINT_SQL)] = False,
    dialect: Annotated[str | None, typer.Option(metavar="NAME", help=DIALECT)] = None,
    exact: Annotated[bool, typer.Option("--exact", help=EXACT)] = False,
    paired: Annotated[str | None, typer.Option(metavar="MODEL,BASELINE", help=PAIRED)] = None,
    by: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help=BY)] = None,
    resolution: Annotated[int | None, typer.Option(min=1, max=52, metavar="M", help=RESOLUTION)] = None,
    thresholds: Annotated[str | None, typer.Option(metavar="T,...", help=THRESHOLDS)] = None,
    max_scores: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=f"{MAX_SCORES} [default: 10000000]")
    ] = None,
) -> None:
    """Run `rocconf count`."""
    from rocconf.compute.counted import Counted
    from rocconf.read import find_files

    bins = _bins(resolution, thresholds, max_scores)
    run = Run(Counted, output, gate)
    data = replace(data, files=data.files or [])
    groups = _groups(by or (), {"--exact": exact, "--print-sql": sql, "--engine": engine})
    if is_for_sql(dialect, paired, wanted=sql):
        useless = {"--engine": engine, "--remote": remote, "--max-scores": max_scores}
        print_sql(run, data, output, Query((*data.files, *(table or ())), dialect, exact, paired, bins, useless))
        return
    run.outlet.printed = "models" if output.out else None
    if not exact:
        for name in ("numbers", "pairs"):
            run.refuse(name, without="--exact")
    elif not any(run.shows(name, figure="") or writes_parquet(run) for name in ("numbers", "pairs")):
        raise UsageError("exact-unwritten")
    if is_for_spark(data, engine, remote, table or ()):
        how = How(bins.asked, max_scores, exact)
        run.answer(lambda data: count_on_spark(run, data, remote or "", table or (), how), data)
        return

    run.answer(
        lambda data: _count_files(run, data, bins, groups, exact=exact),
        replace(data, files=[file for source in data.files for file in find_files(source)]),
    )


def _groups(columns: "Sequence[str]", others: "Mapping[str, object]") -> tuple[str, ...]:
    """Return the columns of groups, which nothing but a count of files takes."""
    from rocconf.read import refuse_as_groups

    refuse_as_groups(columns)
    for option, value in others.items():
        if columns and value:
            raise UsageError("count-by-with", option=option)
    return tuple(columns)


def _count_files(run: Run, data: Data, bins: "Bins", groups: tuple[str, ...], *, exact: bool) -> list["Counted"]:
    """Return the counts of each model over all files."""
    from rocconf.compute.counted import Counted, totals_of
    from rocconf.read import Kept, pile_of
    from rocconf.whole_numbers import in_digits

    kept = Kept() if exact else None
    given = [file for file in data.files if run.inputs.has_whole_numbers(file, data.delimiter)]
    others = replace(data, files=[file for file in data.files if file not in given])
    if given and groups:
        raise UsageError("count-by-with", option=given[0])
    if given and (exact or not others.files):
        raise UsageError("numbers-beside-cases" if exact else "numbers-alone-counted", file=given[0])
    with run.counting("counting", run.inputs.size_of(others.files)) as progress:
        found = run.inputs.count(others, bins, progress, kept, groups, names_files=names_files(run))
    models = alike(tuple(each.whole for each in found))
    numbers, pairs = run.inputs.read_numbers(given, data, models)
    if kept is not None:
        from rocconf.compute.compare import numbers_of_pile

        with run.outlet.waiting("adding up placements"):
            numbers, pairs = numbers_of_pile(kept.pile, [counts.model for counts in models], pile_of)
    of_models = tuple(in_digits({"model": model, **own.record()}) for model, own in numbers.items())
    of_pairs = tuple(in_digits(pair.record()) for pair in pairs)
    totals = totals_of(models)
    return [
        Counted(
            with_sums(counts, numbers.get(counts.model)), of_models, of_pairs, totals, grouped=each if groups else None
        )
        for counts, each in zip(models, found, strict=True)
    ]


def with_sums(counts: "ScoreCounts", numbers: "WholeNumbers | None") -> "ScoreCounts":
    """Return counts with the sums of placements of the cases, if scores are in bins."""
    return counts if numbers is None or counts.wide is None else replace(counts, sums=numbers.sums)


def names_files(run: Run) -> bool:
    """Whether a file is written that names what was counted with its digest."""
    return any(place.path.suffix in (".parquet", ".json", ".html") for place in run.outlet.places)


def writes_parquet(run: Run) -> bool:
    """Whether a file is written that has room for whole numbers beside the counts."""
    return any(place.table in (None, "rows") and place.path.suffix == ".parquet" for place in run.outlet.places)


def _bins(resolution: int | None, thresholds: str | None, max_scores: int | None) -> "Bins":
    """Return the bins that are asked for."""
    from rocconf.bins import Dyadic, Thresholds
    from rocconf.compute.roc.curve import parse_edges
    from rocconf.read import Bins

    given = {"--resolution": resolution, "--thresholds": thresholds, "--max-scores": max_scores}
    options = [option for option, value in given.items() if value is not None]
    if len(options) > 1:
        raise UsageError("bins-two-options", options=" and ".join(options[:2]))
    if thresholds is not None:
        edges = parse_edges(thresholds)
        if not all(map(isfinite, edges.tolist())):
            raise UsageError("bins-edges", found=thresholds)
        return Bins(Thresholds(edges))
    if resolution is not None:
        return Bins(Dyadic(resolution))
    return Bins() if max_scores is None else Bins(most=max_scores)
