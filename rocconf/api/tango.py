"""`rocconf.tango`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, on_cases, one_model
from rocconf.compute import tango as of_counts
from rocconf.compute.stats.seeds import SEED
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from typing import Unpack

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.stats.resampling import Progress
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.records import IntervalKind


@on_cases(of_counts.tango)
def tango(
    data: Any,
    scores: Any = None,
    *,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    thresholds: str = "distinct",
    test: str = "tango",
    margin: float | None = None,
    prevalence: float | None = None,
    cost: str | Costs | None = None,
    bootstrap: int = 0,
    seed: int = SEED,
    progress: Progress | None = None,
    **columns: Unpack[Columns],
) -> ConfidentSegment:
    """Return the confident segment of one model: where misses and false alarms do not differ beyond chance.

    Parameters
    ----------
    data
        The labels (1 and 0, true and false, or `positive` names one); or a data frame of pandas or polars or a table of
        pyarrow; or `ScoreCounts` or `Predictions`.
    scores
        The scores of the labels; of predictions of several models, the name of the model.

    Examples
    --------
    >>> import rocconf
    >>> result = rocconf.tango([0, 0, 1, 1, 1, 0, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6])
    >>> result.summary()["threshold_low"], result.summary()["threshold_high"]
    (0.2, 0.9)
    """
    return of_counts.tango(
        one_model(data, scores, columns),
        level=level,
        interval=interval,
        thresholds=thresholds,
        test=test,
        margin=margin,
        prevalence=prevalence,
        cost=cost,
        bootstrap=bootstrap,
        seed=seed,
        progress=progress,
    )
