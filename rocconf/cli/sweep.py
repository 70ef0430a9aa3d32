"""`rocconf sweep`."""

from __future__ import annotations

from typing import Annotated

import typer

from rocconf.cli import shell
from rocconf.cli.options import ChooseOn, Data, Gate, Level, Output, Rescale, Thresholds

RULES = (
    "Operating point (repeatable): closest, youden, accuracy, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X or "
    "threshold=X. [default: closest]"
)


def sweep(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    thresholds: Thresholds = "distinct",
    at: Annotated[list[str] | None, typer.Option(metavar="RULE", help=RULES)] = None,
    choose_on: ChooseOn = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="Give each rate its Wilson interval.")] = False,
    prevalence: Annotated[float | None, typer.Option(help="Restate precision and npv for another prevalence.")] = None,
    max_fpr: Annotated[float | None, typer.Option(help="Give the partial AUC up to this false positive rate.")] = None,
    rescale: Rescale = False,
    hull: Annotated[bool, typer.Option("--hull", help="Draw the convex hull in the roc figure.")] = False,
    level: Level = 0.95,
) -> None:
    """Count every threshold, and the AUC with its interval: confusion matrix, rates, operating points.

    A case is predicted positive iff its score is at least the threshold. A threshold chosen on the cases it is shown
    for flatters: choose it on other cases with --choose-on.

    Figures: roc (default), pr, det. Tables: rows (default), models or summary, gates, operating_points, hull.
    """
    import rocconf
    from rocconf.compute.roc.operating import parse_rule

    run = shell.Run(rocconf.Sweep, output, gate, choose_on=choose_on, hull=hull)
    rules = [parse_rule(rule) for rule in at or ("closest",)]

    run.judge.given(prevalence=prevalence)

    def analyse(data: Data) -> list[rocconf.Sweep]:
        counts = run.read(data, rescale=rescale)
        choice = run.read_choice(data, counts, rescale=rescale)
        return [
            rocconf.sweep(
                model,
                thresholds=thresholds,
                level=level,
                at=rules,
                choose_on=choice.get(model.model),
                intervals=intervals,
                prevalence=prevalence,
                max_fpr=max_fpr,
            )
            for model in counts
        ]

    run.answer(analyse, data)
