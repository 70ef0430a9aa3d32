"""`rocconf.count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, on_cases, one_model
from rocconf.compute.roc import counts as of_predictions

if TYPE_CHECKING:
    from typing import Unpack

    from rocconf.records import ScoreCounts


@on_cases(of_predictions.count)
def count(data: Any, scores: Any = None, **columns: Unpack[Columns]) -> ScoreCounts:
    """Return the numbers of positives and negatives at each distinct score of one model.

    Every analysis of one model takes them, and they can be added (`+`).

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
    >>> monday = rocconf.count([0, 1, 1], [0.2, 0.7, 0.7])
    >>> tuesday = rocconf.count([0, 1], [0.1, 0.7])
    >>> (monday + tuesday).positives
    array([3, 0, 0])
    """
    return one_model(data, scores, columns)
