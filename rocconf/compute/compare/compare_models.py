"""Compare models: each with its area, confident segment and operating points, and every difference with its test.

On the same cases a difference is far more precise than two separate intervals suggest, and only a paired test detects
it: DeLong's for areas, Tango's for rates at a threshold, the paired bootstrap for other measures. Whether the intervals
or bands of two models overlap decides nothing.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.compute.compare.against_report import require_comparable
from rocconf.compute.compare.compare_pairs import Differences, compare_pairs
from rocconf.compute.compare.comparison import Comparison, ComparisonOptions
from rocconf.compute.compare.model import ComparedModel
from rocconf.compute.compare.pairs import pairs_of
from rocconf.compute.roc.counts import count_each
from rocconf.compute.roc.curve import curve, require_scores
from rocconf.compute.roc.operating import parse_point_rules
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.seeds import SEED
from rocconf.compute.sweep import sweep
from rocconf.compute.tango import tango
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import ROBUST, Predictions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.compute.compare.bands import Band
    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.stats.resampling import Progress
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts
    from rocconf.saved import Reported


def compare(
    cases: Predictions | Sequence[ScoreCounts],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    at: Sequence[str | PointRule] = (),
    choose_on: Mapping[str, ScoreCounts] | None = None,
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
    reported: Reported | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare models on the same cases, or on different ones.

    Parameters
    ----------
    cases
        The models on the same cases (see `pair`), or the counts of each model, on different cases.
    baseline
        The model that the others are compared with; by default the first, on which rules cannot rest.
    all_pairs
        Whether every model is compared with every other.
    at
        Rules for operating points (see `rocconf.compute.roc.operating`), at which rates are compared.
    choose_on
        For each model the counts of other cases, on which the rules choose its thresholds.
    assurance
        The share of samples in which the rates that rules promise are to hold of the population (see `sweep`).
    margin
        How much worse is still good enough, for verdicts of non-inferiority and equivalence.
    level
        The level of every interval.
    interval
        How the intervals of AUCs and of their differences are computed: `robust` or `delong` (see
        `rocconf.compute.stats.estimate`); by default that of `reported`, or else robust.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; it affects the confident segment only.
    max_fpr
        The false positive rate up to which partial areas are taken.
    cost
        The costs of a false positive and a false negative, `FP:FN` or `FP:FN:PREVALENCE`: costs per case are compared,
        and the cheapest point of each model is added.
    calibrated
        Whether to measure and compare the scores as probabilities (see `rocconf.compute.roc.calibration`).
    bootstrap
        The number of replicates, for the measures that have no other interval; with 0 these are not compared.
    seed
        The seed of the bootstrap and of the bands.
    band
        The kind of band around the curves (see `rocconf.compute.compare.bands`).
    reported
        A model of an earlier report, as the baseline.
    progress
        Called with the number of replicates finished since the last call.
    """
    counts = count_each(cases) if isinstance(cases, Predictions) else tuple(cases)
    names = tuple(model.model for model in counts)
    if len({*names, *([reported.model] if reported else [])}) < len(names) + (reported is not None):
        raise UsageError("equal-model-names", found=", ".join(names))
    which = _which(names, baseline, reported, all_pairs=all_pairs)
    if reported is not None:
        require_comparable(counts, reported, interval=interval, max_fpr=max_fpr, cost=cost)
    if not isinstance(cases, Predictions):
        for model in counts:
            require_scores(model, "bins-compare")
    require_options(margin, band, bootstrap)
    rules = parse_point_rules(at, assurance)
    kind = interval or (reported.interval_kind if reported else ROBUST)
    models = tuple(
        ComparedModel(
            sweep(
                model,
                at=rules,
                choose_on=(choose_on or {}).get(model.model),
                honest=False,
                level=level,
                interval=kind,
                max_fpr=max_fpr,
                cost=cost,
                calibrated=calibrated,
            ),
            tango(model, level=level, interval=kind, thresholds=thresholds, bootstrap=bootstrap, seed=seed),
        )
        for model in counts
    )
    asked = ComparisonOptions(
        level=level,
        interval=kind,
        baseline=None if all_pairs else reported.model if reported else names[which[0][1]],
        baseline_named=baseline is not None or reported is not None,
        all_pairs=all_pairs,
        paired=isinstance(cases, Predictions) and reported is None,
        at=tuple(point.rule.text for point in models[0].sweep.points),
        margin=margin,
        thresholds=thresholds,
        max_fpr=max_fpr,
        cost=cost,
        calibration=calibrated,
        bootstrap=bootstrap,
        seed=seed,
        band=band,
        lower_is_positive=counts[0].lower_is_positive,
        cluster=None if counts[0].clusters is None else counts[0].clusters.column,
        fold=None if counts[0].folds is None else counts[0].folds.column,
    )
    bands = [] if band is None else [_band(model, band, level, seed) for model in counts]
    tests = Differences(cases, models, reported, progress)
    return Comparison(
        cases=cases,
        choose_on=choose_on or {},
        models=models,
        which=tuple(which),
        tests=tests,
        pairs=compare_pairs(tests, which=which, asked=asked),
        asked=asked,
        bands=tuple(band for band, _ in bands),
        no_band=tuple(why for _, why in bands),
        reported=reported,
    )


def _which(
    names: Sequence[str], baseline: str | None, reported: Reported | None, *, all_pairs: bool
) -> list[tuple[int, int]]:
    """Return the indices of each model and its baseline; the index of a report is that after the last model."""
    if reported is not None:
        if baseline is not None or all_pairs:
            raise UsageError("report-is-baseline")
        return [(at, len(names)) for at in range(len(names))]
    if len(names) < 2:
        raise UsageError("one-model", found=", ".join(names))
    return pairs_of(names, baseline, all_pairs=all_pairs)


def require_options(margin: float | None, band: str | None, bootstrap: int) -> None:
    """Reject options that are invalid for any models."""
    if margin is not None:
        Margin(margin)
    if bootstrap < 0:
        raise UsageError("bootstrap-negative", bootstrap=bootstrap)
    if band is not None:
        from rocconf.compute.compare.bands import require_band

        require_band(band)


def _band(counts: ScoreCounts, kind: str, level: float, seed: int) -> tuple[Band | None, Message | None]:
    """Return the band of a model, or the message why there is no band."""
    from rocconf.compute.compare.bands import band

    try:
        return band(curve(counts), kind, level=level, seed=seed), None
    except UndefinedError as error:
        return None, error.message
