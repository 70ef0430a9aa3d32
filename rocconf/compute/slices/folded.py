"""Sweep all cases and each fold of them: the answer of cross-validation beside that of the pooled scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.counts import count
from rocconf.compute.roc.folds import Folds
from rocconf.compute.slices.sliced import cases_of_slices
from rocconf.compute.sweep import Sweep, sweep
from rocconf.errors import UsageError

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
    whole = count(predictions, model)
    result = sweep(whole, choose_on=choose_on, **options)
    parts = [
        (each.by, each.value, count(each.cases, whole.model))
        for each in cases_of_slices(predictions, fold)
        if len(each.cases)
    ]
    columns = {column for column, _, _ in parts}
    if len(columns) > 1:
        raise UsageError("folds-of-columns", found=", ".join(sorted(columns)))
    if len(parts) < 2:
        raise UsageError("folds-one", column=columns.pop(), value=parts[0][1])
    named = [(value or "(empty)", counts) for _, value, counts in parts]
    folds = Folds.of(parts[0][0], named, level=result.auc.level, kind=result.auc.kind)
    return replace(result, folds=folds)
