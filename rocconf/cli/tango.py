"""`rocconf tango`."""

from __future__ import annotations

from typing import Annotated

import typer

from rocconf.cli import shell
from rocconf.cli.options import Data, Gate, Level, Output, Rescale, Thresholds
from rocconf.compute.stats.seeds import SEED

TESTS = (
    "What decides whether a threshold is confident: tango, mcnemar-cc, exact, mid-p, wald, newcombe, bonett-price or "
    "agresti-min."
)


def tango(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    thresholds: Thresholds = "distinct",
    test: Annotated[str, typer.Option(metavar="NAME", help=TESTS)] = "tango",
    margin: Annotated[
        float | None,
        typer.Option(metavar="D", help="A threshold is equivalent if its interval lies inside (-D, D)."),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(min=0, metavar="B", help="Give cauc and aved intervals from B replicates at this n.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the bootstrap.")] = SEED,
    rescale: Rescale = False,
    only_confident: Annotated[
        bool, typer.Option("--only-confident", help="Draw the confident points only in the intervals figure.")
    ] = False,
    level: Level = 0.95,
) -> None:
    """Find the confident segment: where false negatives and false positives do not differ in number beyond chance.

    Of n cases b are missed and c are false alarms. A threshold is confident if Tango's interval for (b - c) / n
    contains 0. All numeric columns are models, unless --score picks some. cauc and aved describe the segment; they
    compare models on the same cases only.

    Figures: segment (default), intervals, region. Tables: rows (default), models or summary, gates.
    """
    import rocconf
    from rocconf.compute.stats.paired_tests import paired_test
    from rocconf.compute.tango import MEASURES, require_margin

    run = shell.Run(rocconf.ConfidentSegment, output, gate, only_confident=only_confident)
    chosen = paired_test(test)
    if margin is not None:
        require_margin(margin, chosen)
    replicates = max(bootstrap, run.judge.replicates(MEASURES))
    run.judge.given(test=test)

    def analyse(data: Data) -> list[rocconf.ConfidentSegment]:
        models = run.read(data, several=True, rescale=rescale)
        with run.counting("resampling", replicates * len(models)) as progress:
            return [
                rocconf.tango(
                    model,
                    level=level,
                    thresholds=thresholds,
                    test=test,
                    margin=margin,
                    bootstrap=replicates,
                    seed=seed,
                    progress=progress,
                )
                for model in models
            ]

    run.answer(analyse, data)
