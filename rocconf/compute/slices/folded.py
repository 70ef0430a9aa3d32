"""Sweep all cases and each fold of them: the answer of cross-validation beside that of the pooled scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.counts import count
from rocconf.compute.sweep import Sweep, sweep

if TYPE_CHECKING:
    from rocconf.records import Predictions, ScoreCounts


def sweep_folds(
    predictions: Predictions,
    model: str | None = None,
    *,
    fold: str | None = None,
    choose_on: ScoreCounts | None = None,
    **options: Any,
) -> Sweep:
    """Return all thresholds of one model, and the AUC of each fold with their mean.

    Parameters
    ----------
    predictions
        The cases, with the column of folds (`by` of `read_predictions`), each scored by a model fitted on the others.
    model
        The model, if there are several.
    fold
        The column; by default the only one that the cases are grouped by.
    choose_on
        Other cases on which operating points choose their thresholds.
    **options
        The options of `sweep`.

    Examples
    --------
    >>> import rocconf
    >>> cases = rocconf.read_predictions("sample_data/readmission.csv", score="new", by="fold")
    >>> round(rocconf.sweep_folds(cases).summary()["cv_auc"], 3)
    0.879
    """
    return sweep(count(predictions.with_folds(fold), model), choose_on=choose_on, **options)
