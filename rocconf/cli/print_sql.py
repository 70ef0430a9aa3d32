"""`rocconf count --print-sql`: the SQL of a count, for an engine that rocconf does not speak to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.cli.checking import stop_if_checking
from rocconf.cli.outlet import to_stdout
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.cli.options import Data, Output
    from rocconf.cli.run import Run
    from rocconf.engines import Dialect, Table
    from rocconf.read import Bins

DIALECTS = (
    "duckdb",
    "postgres",
    "sqlite",
    "datafusion",
    "spark",
    "bigquery",
    "snowflake",
    "clickhouse",
    "trino",
    "redshift",
)
"""The dialects, for the help, which loads no engine."""


class Query(NamedTuple):
    """Which table is counted, in the SQL of which engine, and what of it."""

    tables: tuple[str, ...]
    dialect: str | None
    exact: bool
    """Whether the whole numbers are asked for in place of the counts."""
    paired: str | None
    """The columns of a model and its baseline."""
    bins: Bins
    useless: Mapping[str, Any]
    """Options that SQL has no use for."""


def is_for_sql(dialect: str | None, paired: str | None, *, wanted: bool) -> bool:
    """Return whether SQL is printed; refuse options that are for nothing else."""
    for option, value in (("--dialect", dialect), ("--paired", paired)):
        if value is not None and not wanted:
            raise UsageError("sql-option-alone", option=option)
    return wanted


def print_sql(run: Run, data: Data, output: Output, query: Query) -> None:
    """Print the SQL of a count."""
    from rocconf.engines import dialect_of

    data = run.judge.with_defaults(data)
    run.judge.naming_config()(run.inputs.check_options)(data)
    _refuse_useless(data, output, query)
    if query.dialect is None:
        raise UsageError("sql-no-dialect", known=", ".join(DIALECTS))
    dialect = dialect_of(query.dialect)
    if len(query.tables) != 1:
        raise UsageError("sql-no-table", dialect=dialect.name, n=len(query.tables))
    text = _text(dialect, data, query)
    stop_if_checking(run.judge)
    to_stdout(lambda stream: stream.write(text))


def _text(dialect: Dialect, data: Data, query: Query) -> str:
    from rocconf.bins import Dyadic, Thresholds
    from rocconf.engines import bins, counts, numbers, pairs

    if query.paired is not None:
        model, baseline = _pair(query.paired)
        table = _table(dialect, query.tables[0], replace(data, score=[model, baseline]))
        return pairs(dialect, table, model=model, baseline=baseline)
    table = _table(dialect, query.tables[0], data)
    if query.exact:
        return numbers(dialect, table)
    if isinstance(query.bins.asked, Thresholds):
        return bins(dialect, table, thresholds=query.bins.asked.edges.tolist())
    if isinstance(query.bins.asked, Dyadic):
        return bins(dialect, table, resolution=query.bins.asked.resolution)
    return counts(dialect, table)


def _pair(text: str) -> tuple[str, str]:
    """Return the columns of a model and its baseline."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise UsageError("sql-pair", found=text)
    return names[0], names[1]


def _table(dialect: Dialect, name: str, data: Data) -> Table:
    from rocconf.engines import Table, relation

    missing = [f"--{option}" for option in ("label", "score") if not getattr(data, option)]
    if missing or data.label is None:
        raise UsageError("sql-no-columns", missing=" and ".join(missing))
    return Table(relation(dialect, name), data.label, tuple(data.score or ()), data.positive, data.rest)


def _refuse_useless(data: Data, output: Output, query: Query) -> None:
    """Refuse options whose meaning would be lost."""
    of_files = {"--where": data.where, "--na": data.na, "--delimiter": data.delimiter}
    of_answers = {"--out": output.out, "--format": output.format, "--all": output.all}
    is_binned = query.bins.asked is not None
    of_pair = {
        "--score": query.paired is not None and data.score,
        "--exact": query.exact and is_binned,
        "--paired": query.paired is not None and is_binned,
    }
    reasons = {
        "--where": "write the condition into a view, and name the view as the table",
        "--na": "the result tells how many cases have no value, and --na is for what reads it",
        "--out": "redirect standard output: > count.sql",
        "--score": "--paired names the columns of scores",
        "--exact": "one query gives the counts in bins, another the whole numbers",
        "--paired": "one query gives the counts in bins, another the whole numbers",
    }
    for option, value in {**of_files, **of_answers, **of_pair, **query.useless}.items():
        if value:
            raise UsageError("sql-with", option=option, reason=reasons.get(option, "nothing is counted here"))
