"""`rocconf sweep`."""

from functools import partial
from typing import Annotated

import typer

from rocconf.cli.options import (
    Assurance,
    By,
    Calibration,
    ChooseOn,
    ClassColumns,
    Cost,
    Data,
    Fold,
    Gate,
    Interval,
    Level,
    MinCases,
    OneVsRest,
    Output,
    Rescale,
    Thresholds,
    checked_option,
    point_rules,
)
from rocconf.cli.promises import Promises
from rocconf.cli.run import Run
from rocconf.errors import UsageError

HELP = """Count every threshold, and the AUC with its interval: confusion matrix, rates, operating points.

A case is predicted positive iff its score is at least the threshold. A threshold looks better on the cases it was
chosen on: choose it on other cases with --choose-on.

Figures: roc (default), pr, det, gain, thresholds, scores, cost, net-benefit, calibration, slices. Tables: rows (default),
models or summary, gates, operating_points, hull, concavities (where the curve lies below its hull), slices and
slice_points (with --by), folds (with --fold), effective_sizes (of rates, with --cluster).
"""


def sweep(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    thresholds: Thresholds = "distinct",
    at: Annotated[list[str] | None, point_rules("Operating point", default=" [default: closest]")] = None,
    choose_on: ChooseOn = None,
    cost: Cost = None,
    assurance: Assurance = None,
    calibration: Calibration = False,
    intervals: Annotated[bool, typer.Option("--intervals", help="Give each rate its Wilson interval.")] = False,
    prevalence: Annotated[float | None, checked_option("Restate precision and npv for another prevalence.")] = None,
    max_fpr: Annotated[float | None, checked_option("Give the partial AUC up to this false positive rate.")] = None,
    rescale: Rescale = False,
    hull: Annotated[bool, typer.Option("--hull", help="Draw the convex hull in the roc figure.")] = False,
    concavities: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="B",
            help="Test each stretch of the curve below its hull against chance, with B random orders; --all shows them.",
        ),
    ] = 0,
    regions: Annotated[
        bool,
        typer.Option("--regions", help="Name the regions of the roc figure: conservative, liberal, worse than random."),
    ] = False,
    by: By = None,
    min_cases: MinCases = 10,
    fold: Fold = None,
    level: Level = 0.95,
    interval: Interval = "robust",
    one_vs_rest: OneVsRest = False,
    class_: ClassColumns = None,
) -> None:
    """Run `rocconf sweep`."""
    import rocconf
    from rocconf.cli.one_vs_rest import Asked, require_one_vs_rest, run_classes
    from rocconf.compute.slices import sweep_with

    if one_vs_rest:
        others = {
            "thresholds": (thresholds, "distinct"),
            "at": (at, None),
            "choose_on": (choose_on, None),
            "cost": (cost, None),
            "assurance": (assurance, None),
            "calibration": (calibration, False),
            "intervals": (intervals, False),
            "prevalence": (prevalence, None),
            "max_fpr": (max_fpr, None),
            "rescale": (rescale, False),
            "hull": (hull, False),
            "concavities": (concavities, 0),
            "regions": (regions, False),
            "fold": (fold, None),
        }
        asked = Asked(level, interval, by=by, min_cases=min_cases)
        run_classes("sweep", data, output, gate, columns=class_ or (), asked=asked, others=others)
        return
    require_one_vs_rest(class_)
    promises = Promises(level, assurance, tuple(at or ()))
    run = Run(
        rocconf.Sweep,
        output,
        gate,
        choose_on=choose_on,
        promises=promises,
        unasked=() if at else ("in-sample",),
        hull=hull,
        regions=regions,
    )
    run.judge.check_options(
        level=level,
        prevalence=prevalence,
        max_fpr=max_fpr,
        cost=cost,
        calibration=calibration,
        fold=fold,
        lower_is_positive=run.judge.with_defaults(data).lower_is_positive,
    )
    columns = run.slices_by(by, min_cases=min_cases, without={"--rescale": rescale})
    if fold is None:
        run.refuse("folds", without="--fold")
    if fold is not None and rescale:
        raise UsageError("fold-with", option="--rescale")
    analyse = partial(
        sweep_with,
        by=columns,
        fold=fold,
        min_cases=min_cases,
        thresholds=thresholds,
        level=level,
        interval=interval,
        at=at or (() if cost else "closest"),
        assurance=assurance,
        intervals=intervals,
        prevalence=prevalence,
        max_fpr=max_fpr,
        concavities=concavities,
        cost=cost,
        calibrated=calibration,
    )
    run.answer_each(
        analyse,
        data,
        rescale=rescale,
        groups=columns if fold is None else (*columns, fold),
        needs_cases=fold is not None,
    )
