"""`rocconf.compare`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, choice_for, on_cases, one_model, predictions_of, require_no_columns
from rocconf.compute import compare as of_cases
from rocconf.compute.roc.counts import count_each
from rocconf.compute.roc.slice_results import MIN_CASES
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError
from rocconf.records import Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from rocconf.compute.compare import Comparison
    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.stats.resampling import Progress
    from rocconf.records import IntervalKind


@on_cases(of_cases.compare)
def compare(
    data: Any,
    scores: Any = None,
    *,
    by: str | Sequence[str] = (),
    fold: str | None = None,
    min_cases: int = MIN_CASES,
    baseline: str | None = None,
    all_pairs: bool = False,
    at: Sequence[str | PointRule] = (),
    choose_on: Any = None,
    assurance: float | None = None,
    margin: float | None = None,
    level: float = 0.95,
    interval: IntervalKind | None = None,
    thresholds: str = "distinct",
    max_fpr: float | None = None,
    cost: str | None = None,
    calibrated: bool = False,
    bootstrap: int = 0,
    seed: int = SEED,
    band: str | None = None,
    reported: Any = None,
    progress: Progress | None = None,
    **columns: Unpack[Columns],
) -> Comparison:
    """Compare models on the same cases, or on different ones.

    Parameters
    ----------
    data
        The labels; or a data frame, whose columns of scores `score` names; or `Predictions` (see `pair`); or the
        `ScoreCounts` of each model, on different cases.
    scores
        The scores of the labels by the names of the models.
    by
        The column or columns of a data frame whose values are slices, which are compared too.
    fold
        The column of a data frame with the folds of a cross-validation, whose mean AUCs are compared too.
    min_cases
        The least number of cases of each class on which a slice is decided.

    Examples
    --------
    >>> import rocconf
    >>> y = [0, 0, 1, 1, 1, 0, 0, 1]
    >>> old, new = [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6], [0.1, 0.4, 0.7, 0.8, 0.9, 0.2, 0.5, 0.6]
    >>> result = rocconf.compare(y, {"old": old, "new": new}, baseline="old")
    >>> result.to_frame("pairs")["difference"].tolist()
    [0.125]
    """
    options: dict[str, Any] = {
        "baseline": baseline,
        "all_pairs": all_pairs,
        "at": at,
        "assurance": assurance,
        "margin": margin,
        "level": level,
        "interval": interval,
        "thresholds": thresholds,
        "max_fpr": max_fpr,
        "cost": cost,
        "calibrated": calibrated,
        "bootstrap": bootstrap,
        "seed": seed,
        "band": band,
        "reported": reported,
        "progress": progress,
    }
    cases: Any = data
    if isinstance(data, Predictions) or _are_counts(data):
        require_no_columns(data, scores, columns)
    else:
        if scores is not None and not isinstance(scores, Mapping):
            raise UsageError("scores-by-model")
        by = (by,) if isinstance(by, str) else tuple(by)
        cases = predictions_of(data, scores, columns, several=True, by=by if fold is None else (*by, fold))
    if fold is not None:
        cases = cases.with_folds(fold)
    if choose_on is not None:
        choose_on = _choices(choose_on, columns, count_each(cases) if isinstance(cases, Predictions) else cases)
    if not by:
        return of_cases.compare(cases, choose_on=choose_on, **options)
    from rocconf.compute.slices import compare_slices

    return compare_slices(cases, by=by, min_cases=min_cases, choose_on=choose_on, **options)


def _are_counts(data: Any) -> bool:
    return isinstance(data, list | tuple) and len(data) > 0 and all(isinstance(each, ScoreCounts) for each in data)


def _choices(data: Any, columns: Columns, models: Sequence[ScoreCounts]) -> dict[str, ScoreCounts]:
    """Return for each model the cases on which its thresholds are chosen."""
    if isinstance(data, Mapping):
        chosen = {each.model: choice_for(data[each.model], columns, each) for each in models if each.model in data}
        return dict(data) | chosen
    if not isinstance(data, Predictions):
        labels, scores = data if isinstance(data, tuple) and len(data) == 2 else (data, None)
        named: Any = columns if scores is not None else {**columns, "score": [each.model for each in models]}
        data = predictions_of(labels, scores, named, several=True)
    return {each.model: choice_for(one_model(data, each.model, {}), {}, each) for each in models}
