"""`rocconf compare`."""

from functools import partial
from typing import Annotated, Any

import typer

from rocconf.cli.compared_inputs import is_report, read_compared
from rocconf.cli.compared_numbers import holds_pairs, run_numbers
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
    Kind,
    Level,
    MinCases,
    OneVsRest,
    OnlyConfident,
    Output,
    Seed,
    Thresholds,
    checked_option,
    compared_interval,
    point_rules,
    replicates,
)
from rocconf.cli.promises import Promises
from rocconf.cli.run import Run
from rocconf.cli.stderr import say
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError
from rocconf.messages import message

BASELINE = (
    "What the others are compared with: a model's name, a file of scores of the same cases, or a JSON report of an "
    "earlier run (then unpaired). [default: the first model; a rule on a difference needs a name]"
)
BAND = (
    "Band around the curves, in the table bands and the roc figure: pointwise, simultaneous, fixed-width, ks, "
    "working-hotelling or threshold-averaged."
)
BOOTSTRAP = "Compare average precision, partial AUC, cauc and aved too, by B replicates, and give cauc intervals."


HELP = """Compare models on the same cases: which is better, by how much, and how sure is that.

All columns of fractions are models, unless --score picks some; cases of several files are found by --id. On the same
cases areas are compared by a paired interval and its test, and rates at an operating point by Tango's and McNemar's
test; p is adjusted for the number of pairs (Holm). A difference is the model less its baseline. Each model has its
confident segment, struggle ratio and largest chi-square beside its AUC. Overlapping intervals or bands decide
nothing: the pairs do. Figures: cauc (default), roc, intervals, forest, scores, cost,
net-benefit, calibration, slices. With --by the tables slices, slice_points and slice_pairs say how each slice differs.
"""


def compare(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    baseline: Annotated[str | None, typer.Option(metavar="NAME|FILE", help=BASELINE)] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare every model with every other.")] = False,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="Compare models on different cases, those of each file.")
    ] = False,
    by_row: Annotated[
        bool, typer.Option("--by-row", help="Pair the cases of several files by the order of their rows, not by id.")
    ] = False,
    at: Annotated[list[str] | None, point_rules("Operating point at which rates are compared")] = None,
    choose_on: ChooseOn = None,
    cost: Cost = None,
    assurance: Assurance = None,
    calibration: Calibration = False,
    margin: Annotated[
        float | None, typer.Option(metavar="D", help="How much worse is still good enough: tests for non-inferiority.")
    ] = None,
    thresholds: Thresholds = "distinct",
    max_fpr: Annotated[
        float | None, checked_option("Compare the partial AUC up to this false positive rate too.")
    ] = None,
    bootstrap: Annotated[int, replicates(BOOTSTRAP)] = 0,
    seed: Seed = SEED,
    band: Annotated[str | None, typer.Option(metavar="KIND", help=BAND)] = None,
    only_confident: OnlyConfident = False,
    by: By = None,
    min_cases: MinCases = 10,
    fold: Fold = None,
    level: Level = 0.95,
    interval: Annotated[Kind | None, compared_interval()] = None,
    one_vs_rest: OneVsRest = False,
    class_: ClassColumns = None,
) -> None:
    """Run `rocconf compare`."""
    import rocconf
    from rocconf.cli.one_vs_rest import Asked, require_one_vs_rest, run_classes
    from rocconf.compute.compare import require_options
    from rocconf.compute.slices import compare_cases
    from rocconf.compute.tango import MEASURES

    of_two_classes = {
        "unpaired": (unpaired, False),
        "at": (at, None),
        "choose_on": (choose_on, None),
        "cost": (cost, None),
        "assurance": (assurance, None),
        "calibration": (calibration, False),
        "thresholds": (thresholds, "distinct"),
        "max_fpr": (max_fpr, None),
        "bootstrap": (bootstrap, 0),
        "seed": (seed, SEED),
        "band": (band, None),
        "only_confident": (only_confident, False),
        "fold": (fold, None),
    }
    if one_vs_rest:
        others = {"all_pairs": (all_pairs, False), **of_two_classes}
        asked = Asked(level, interval or "robust", baseline, margin, by_row, by, min_cases)
        run_classes("compare", data, output, gate, columns=class_ or (), asked=asked, others=others)
        return
    require_one_vs_rest(class_)
    if holds_pairs(data, alone=unpaired):
        needing_cases = {"by_row": (by_row, False), "by": (by, None), "min_cases": (min_cases, 10), **of_two_classes}
        run_numbers(
            data,
            output,
            gate,
            baseline=baseline,
            all_pairs=all_pairs,
            margin=margin,
            level=level,
            interval=interval or "robust",
            others=needing_cases,
        )
        return
    promises = Promises(level, assurance, tuple(at or ()))
    run = Run(rocconf.Comparison, output, gate, choose_on=choose_on, promises=promises, only_confident=only_confident)
    require_options(margin, band, bootstrap)
    if band is None:
        run.refuse("bands", without="--band")
    elif not run.shows("bands", figure="roc"):
        say(f"warning: {message('band-unseen', band=band)} [band-unseen]")
    if all_pairs and baseline is not None:
        raise UsageError("all-pairs-and-baseline")
    baseline = None if all_pairs else run.judge.baseline(baseline)
    run.judge.check_options(
        level=level,
        max_fpr=max_fpr,
        cost=cost,
        calibration=calibration,
        fold=fold,
        lower_is_positive=run.judge.with_defaults(data).lower_is_positive,
        all_pairs=all_pairs,
        baseline=baseline,
        reported=is_report(baseline),
    )
    run.inputs.needs_baseline = baseline is None and not all_pairs and run.judge.judges_differences
    bootstrap = max(bootstrap, run.judge.replicates(MEASURES))
    columns = run.slices_by(by, min_cases=min_cases, without={f"--baseline {baseline}": is_report(baseline)})
    if fold is not None and is_report(baseline):
        raise UsageError("fold-with", option=f"--baseline {baseline}")
    options: dict[str, Any] = {"min_cases": min_cases, "by": columns} if columns else {}
    compare_models = partial(
        rocconf.compare_slices if columns else compare_cases,
        **options,
        all_pairs=all_pairs,
        at=at or (),
        assurance=assurance,
        margin=margin,
        level=level,
        interval=interval,
        thresholds=thresholds,
        max_fpr=max_fpr,
        cost=cost,
        calibrated=calibration,
        bootstrap=bootstrap,
        seed=seed,
        band=band,
    )

    def analyse(data: Data) -> list[rocconf.Comparison]:
        compared = read_compared(
            run.inputs, data, baseline, by_row=by_row, unpaired=unpaired, groups=columns, fold=fold
        )
        choice = run.read_choice(data, compared.counts) if choose_on else run.choice  # counting takes time
        with run.counting("resampling", bootstrap) as progress:
            return [
                compare_models(
                    compared.models,
                    baseline=compared.baseline,
                    reported=compared.reported,
                    choose_on=choice,
                    progress=progress,
                )
            ]

    run.answer(analyse, data, beside=baseline)
