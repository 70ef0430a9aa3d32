"""Counting on a Spark cluster, for `rocconf count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.cli.run import alike
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.bins import Binning
    from rocconf.cli.options import Data
    from rocconf.cli.run import Run
    from rocconf.compute.counted import Counted
    from rocconf.engines import SparkCount


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class How:
    """How scores are counted: in bins or, up to so many, exactly; and whether with whole numbers."""

    binning: Binning | None
    max_scores: int | None
    exact: bool


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


def count_on_spark(run: Run, data: Data, remote: str, tables: Sequence[str], how: How) -> list[Counted]:
    """Return the counts of each model."""
    from rocconf.compute.counted import Counted, totals_of
    from rocconf.engines import MOST_FETCHED, MOST_SCORES, Connection, SparkCount, origins_of

    if how.max_scores is not None and how.max_scores > MOST_FETCHED:
        raise UsageError("spark-max-scores", most=MOST_FETCHED, found=how.max_scores)
    wanted = run.inputs.wanted_of_counts(data)
    with run.outlet.waiting(f"counting on {remote.partition(';')[0]}"):
        connection = Connection(remote)
        try:
            counted = SparkCount(connection, origins_of(data.files, tables, wanted.character), wanted)
            models = alike(counted.counts(how.binning, most=how.max_scores or MOST_SCORES))
            of_models, of_pairs = _whole_numbers(counted) if how.exact else ((), ())
            return [Counted(counts, of_models, of_pairs, totals_of(models)) for counts in models]
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
