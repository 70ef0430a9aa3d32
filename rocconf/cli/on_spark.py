"""Counting on a Spark cluster, for `rocconf count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.cli.options import Data
    from rocconf.cli.run import Run
    from rocconf.compute.counted import Counted
    from rocconf.engines import SparkCount


def is_for_spark(data: Data, engine: str | None, remote: str | None, tables: Sequence[str]) -> bool:
    """Return whether the cases are counted on a cluster; refuse options that do not go together."""
    if engine not in (None, "spark"):
        raise UsageError("engine-word", found=engine)
    if engine is None:
        for option, value in (("--remote", remote), ("--table", tables)):
            if value:
                raise UsageError("remote-without-engine", option=option)
        if not data.files:
            raise UsageError("no-sources")
        return False
    if remote is None:
        raise UsageError("engine-remote")
    if not (data.files or tables):
        raise UsageError("no-sources")
    if data.where:
        raise UsageError("engine-option", option="--where")
    return True


def count_on_spark(run: Run, data: Data, remote: str, tables: Sequence[str], *, exact: bool) -> list[Counted]:
    """Return the counts of each model."""
    from rocconf.compute.counted import Counted
    from rocconf.engines import Connection, SparkCount, origins_of

    wanted = run.inputs.wanted_of_counts(data)
    with run.outlet.waiting(f"counting on {remote.partition(';')[0]}"):
        connection = Connection(remote)
        try:
            counted = SparkCount(connection, origins_of(data.files, tables, wanted.character), wanted)
            models = counted.counts()
            of_models, of_pairs = _whole_numbers(counted) if exact else ((), ())
            return [Counted(counts, of_models, of_pairs) for counts in models]
        finally:
            connection.close()


def _whole_numbers(counted: SparkCount) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """Return the whole numbers of the models and of their pairs, checked."""
    from rocconf.whole_numbers import PairNumbers, WholeNumbers, in_digits

    numbers = counted.whole_numbers()
    return (
        tuple(in_digits({"model": model, **WholeNumbers.of(record).record()}) for model, record in numbers.items()),
        tuple(in_digits(PairNumbers.of(record).record()) for record in counted.pairs()),
    )
