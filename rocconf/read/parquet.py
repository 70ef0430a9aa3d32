"""Read parquet: only the columns that matter, with their types as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from rocconf.errors import InputError
from rocconf.read.source import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from rocconf.read.source import Input


def schema_of(source: Input) -> dict[str, pl.DataType]:
    """Return the names and types of the columns."""
    import polars as pl

    try:
        return dict(_scan(source).collect_schema())
    except (*DAMAGE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        _refuse(source, "is not a parquet file", error)


def columns_of(source: Input, names: Sequence[str]) -> pl.DataFrame:
    """Read some of the columns."""
    import polars as pl

    try:
        return _scan(source).select(names).collect()
    except (*DAMAGE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        _refuse(source, "the file is damaged", error)


def _scan(source: Input) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(source.unpacked(), glob=False, hive_partitioning=False)


def _refuse(source: Input, fault: str, error: BaseException) -> NoReturn:
    found = str(error).strip().partition("\n")[0]
    raise InputError(source.name, [f"{fault} ({found})"]) from None
