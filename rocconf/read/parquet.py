"""Read parquet: only the columns that matter, with their types as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from rocconf.read.source import Input


def schema_of(source: Input) -> dict[str, pl.DataType]:
    """Return the names and types of the columns."""
    import polars as pl

    try:
        return dict(pl.scan_parquet(source.raw).collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(source.name, [f"is not a parquet file ({str(error).splitlines()[0]})"]) from None


def columns_of(source: Input, names: Sequence[str]) -> pl.DataFrame:
    """Read some of the columns."""
    import polars as pl

    try:
        return pl.read_parquet(source.raw, columns=list(names))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(source.name, [f"the file is damaged ({str(error).splitlines()[0]})"]) from None
