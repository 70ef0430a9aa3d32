"""`rocconf count --print-sql`: the SQL of a count, for an engine that rocconf does not speak to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.cli.checking import stop_if_checking
from rocconf.cli.outlet import to_stdout
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.cli.options import Data, Output
    from rocconf.cli.run import Run
    from rocconf.engines import Dialect, Table

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
    """Which table is counted, in the SQL of which engine, and options that SQL has no use for."""

    tables: tuple[str, ...]
    dialect: str | None
    useless: Mapping[str, Any]


def is_for_sql(dialect: str | None, *, wanted: bool) -> bool:
    """Return whether SQL is printed; refuse options that are for nothing else."""
    if dialect is not None and not wanted:
        raise UsageError("sql-option-alone", option="--dialect")
    return wanted


def print_sql(run: Run, data: Data, output: Output, query: Query) -> None:
    """Print the SQL of a count."""
    from rocconf.engines import counts, dialect_of

    data = run.judge.with_defaults(data)
    run.judge.naming_config()(run.inputs.check_options)(data)
    _refuse_useless(data, output, query)
    if query.dialect is None:
        raise UsageError("sql-no-dialect", known=", ".join(DIALECTS))
    dialect = dialect_of(query.dialect)
    if len(query.tables) != 1:
        raise UsageError("sql-no-table", dialect=dialect.name, n=len(query.tables))
    text = counts(dialect, _table(dialect, query.tables[0], data))
    stop_if_checking(run.judge)
    to_stdout(lambda stream: stream.write(text))


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
    reasons = {
        "--where": "write the condition into a view, and name the view as the table",
        "--na": "the result tells how many cases have no value, and --na is for what reads it",
        "--out": "redirect standard output: > count.sql",
    }
    for option, value in {**of_files, **of_answers, **query.useless}.items():
        if value:
            raise UsageError("sql-with", option=option, reason=reasons.get(option, "nothing is counted here"))
