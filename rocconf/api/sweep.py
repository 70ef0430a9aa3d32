"""`rocconf.sweep`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, choice_for, on_cases, one_model, predictions_of, require_no_columns
from rocconf.compute import sweep as of_counts
from rocconf.compute.roc.slice_results import MIN_CASES
from rocconf.records import ROBUST, Predictions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.sweep import Sweep
    from rocconf.records import IntervalKind


@on_cases(of_counts.sweep)
def sweep(
    data: Any,
    scores: Any = None,
    *,
    by: str | Sequence[str] = (),
    fold: str | None = None,
    min_cases: int = MIN_CASES,
    thresholds: str = "distinct",
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    at: str | PointRule | Sequence[str | PointRule] = ("closest",),
    choose_on: Any = None,
    assurance: float | None = None,
    honest: bool = True,
    intervals: bool = False,
    prevalence: float | None = None,
    max_fpr: float | None = None,
    concavities: int = 0,
    cost: str | Costs | None = None,
    calibrated: bool = False,
    **columns: Unpack[Columns],
) -> Sweep:
    """Return the confusion matrix at every threshold of one model, its AUC with an interval, and operating points.

    Parameters
    ----------
    data
        The labels (1 and 0, true and false, or `positive` names one); or a data frame of pandas or polars or a table of
        pyarrow; or `ScoreCounts` or `Predictions`.
    scores
        The scores of the labels; of predictions of several models, the name of the model.
    by
        The column or columns of a data frame whose values are slices, which are analysed too.
    fold
        The column of a data frame with the folds of a cross-validation, of which each has an AUC.
    min_cases
        The least number of cases of each class on which a slice is decided.

    Examples
    --------
    >>> import rocconf
    >>> y, scores = [0, 0, 1, 1, 1, 0, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6]
    >>> result = rocconf.sweep(y, scores, at="threshold=0.5")
    >>> result.auc.value
    0.875
    >>> result.points[0].tp, result.points[0].fp
    (3, 1)
    """
    options: dict[str, Any] = {
        "thresholds": thresholds,
        "level": level,
        "interval": interval,
        "at": at,
        "assurance": assurance,
        "honest": honest,
        "intervals": intervals,
        "prevalence": prevalence,
        "max_fpr": max_fpr,
        "concavities": concavities,
        "cost": cost,
        "calibrated": calibrated,
    }
    if not by and fold is None:
        counts = one_model(data, scores, columns)
        chosen_on = None if choose_on is None else choice_for(choose_on, columns, counts)
        return of_counts.sweep(counts, choose_on=chosen_on, **options)
    from rocconf.compute.slices import sweep_with

    model, by = None, (by,) if isinstance(by, str) else tuple(by)
    if isinstance(data, Predictions):
        require_no_columns(data, None, columns)
        cases, model = data, scores
    else:
        cases = predictions_of(data, scores, columns, several=False, by=by if fold is None else (*by, fold))
    chosen_on = None if choose_on is None else choice_for(choose_on, columns, one_model(cases, model, {}))
    return sweep_with(cases, model, by=by, fold=fold, min_cases=min_cases, choose_on=chosen_on, **options)
