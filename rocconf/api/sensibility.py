"""`rocconf.sensibility`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, on_cases, one_model, other_cases, predictions_of, require_no_columns
from rocconf.compute import sensibility as of_counts
from rocconf.compute.stats.seeds import SEED
from rocconf.records import ROBUST, Predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from rocconf.compute.sensibility import Midpoint, Sensibility
    from rocconf.records import IntervalKind


@on_cases(of_counts.sensibility)
def sensibility(
    data: Any,
    scores: Any = None,
    *,
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    midpoint: str | float | Midpoint = "half",
    rescale: bool = False,
    bootstrap: int = 1000,
    seed: int = SEED,
    reference: Any = None,
    permutations: int = 999,
    cases: Predictions | None = None,
    time: str | None = None,
    every: str | int | None = None,
    progress: Callable[[int], None] | None = None,
    **columns: Unpack[Columns],
) -> Sensibility:
    """Return the sensibility of one model and, with a reference, a test of whether the domain has changed.

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
    >>> y, scores = [0, 0, 1, 1, 1, 0, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6]
    >>> result = rocconf.sensibility(y, scores, reference=([0, 1, 0], [0.2, 0.7, 0.3]), permutations=99)
    >>> result.summary()["drift_p"] > 0.05
    True
    """
    if time is not None and cases is None and not isinstance(data, Predictions):
        data, scores = predictions_of(data, scores, columns, several=False, time=time), None
        columns_of_data: Columns = {}
    else:
        columns_of_data = columns
    if time is not None and cases is None:
        require_no_columns(data, None, columns_of_data)
        cases = data
    counts = one_model(data, scores, columns_of_data)
    return of_counts.sensibility(
        counts,
        thresholds=thresholds,
        level=level,
        interval=interval,
        midpoint=midpoint,
        rescale=rescale,
        bootstrap=bootstrap,
        seed=seed,
        reference=None if reference is None else other_cases(reference, columns, counts.model),
        permutations=permutations,
        cases=cases,
        time=time,
        every=every,
        progress=progress,
    )
