"""`rocconf.chi2_contours`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, choice_for, on_cases, one_model, require_no_columns
from rocconf.compute import chi2_contours as of_counts
from rocconf.compute.chi2_contours import ClassTotals
from rocconf.compute.stats.seeds import SEED
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from rocconf.compute.chi2_contours import Chi2Contours
    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.operating import PointRule
    from rocconf.records import IntervalKind


@on_cases(of_counts.chi2_contours)
def chi2_contours(
    data: Any,
    scores: Any = None,
    *,
    levels: Sequence[float] | None = None,
    significance: Sequence[float] | None = None,
    at: str | PointRule | Sequence[str | PointRule] = (),
    choose_on: Any = None,
    points: Sequence[str | PointRule] = (),
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    cost: str | Costs | None = None,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
    **columns: Unpack[Columns],
) -> Chi2Contours:
    """Return contours of chi-square on the ROC chart, and how far each threshold of a model is from chance.

    Parameters
    ----------
    data
        The labels (1 and 0, true and false, or `positive` names one); or a data frame of pandas or polars or a table of
        pyarrow; or `ScoreCounts` or `Predictions`; or `ClassTotals` alone.
    scores
        The scores of the labels; of predictions of several models, the name of the model.

    Examples
    --------
    >>> import rocconf
    >>> chart = rocconf.chi2_contours(rocconf.ClassTotals(p=5, q=55), levels=[3.84])
    >>> len(chart.to_frame("contours"))
    402
    >>> result = rocconf.chi2_contours([0, 0, 1, 1, 1, 0, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6])
    >>> round(result.summary()["max_chi2"], 3)
    4.8
    """
    cases = data
    if isinstance(data, ClassTotals):
        require_no_columns(data, scores, columns)
    else:
        cases = one_model(data, scores, columns)
        choose_on = None if choose_on is None else choice_for(choose_on, columns, cases)
    return of_counts.chi2_contours(
        cases,
        levels=levels,
        significance=significance,
        at=at,
        choose_on=choose_on,
        points=points,
        thresholds=thresholds,
        level=level,
        interval=interval,
        cost=cost,
        permutations=permutations,
        seed=seed,
        progress=progress,
    )
