"""`rocconf tango`."""

from functools import partial
from typing import Annotated

import typer

from rocconf.cli.options import (
    Cost,
    Data,
    Gate,
    Interval,
    Level,
    OnlyConfident,
    Output,
    Rescale,
    Seed,
    Thresholds,
    checked_option,
    replicates,
)
from rocconf.cli.run import Run
from rocconf.compute.stats.seeds import SEED

TESTS = (
    "What decides whether a threshold is confident: tango, mcnemar-cc, exact, mid-p, wald, newcombe, bonett-price or "
    "agresti-min."
)


HELP = """Find the confident segment: where false negatives and false positives do not differ in number beyond chance.

Of n cases b are missed and c are false alarms. A threshold is confident if Tango's interval for (b - c) / n
contains 0. All columns of fractions are models, unless --score picks some. cauc and aved describe the segment; they
compare models on the same cases only.

Figures: segment (default), intervals, region, scores. Tables: rows (default), models or summary, gates,
restated (with --prevalence).
"""


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
    prevalence: Annotated[
        float | None, checked_option("Restate the segment for another prevalence, by weighting the negatives.")
    ] = None,
    cost: Cost = None,
    bootstrap: Annotated[int, replicates("Give cauc and aved intervals from B replicates at this n.")] = 0,
    seed: Seed = SEED,
    rescale: Rescale = False,
    only_confident: OnlyConfident = False,
    level: Level = 0.95,
    interval: Interval = "robust",
) -> None:
    """Run `rocconf tango`."""
    import rocconf
    from rocconf.compute.stats.paired_tests import paired_test
    from rocconf.compute.tango import MEASURES, require_margin, require_prevalence
    from rocconf.compute.tango import tango as of_counts

    run = Run(rocconf.ConfidentSegment, output, gate, only_confident=only_confident)
    chosen = paired_test(test)
    if margin is not None:
        require_margin(margin, chosen)
    if prevalence is not None:
        require_prevalence(prevalence, chosen)
    run.judge.check_options(level=level, test=test, margin=margin, prevalence=prevalence, cost=cost)
    bootstrap = max(bootstrap, run.judge.replicates(MEASURES))
    analyse = partial(
        of_counts,
        level=level,
        interval=interval,
        thresholds=thresholds,
        test=test,
        margin=margin,
        prevalence=prevalence,
        cost=cost,
        bootstrap=bootstrap,
        seed=seed,
    )
    run.answer_each(analyse, data, several=True, rescale=rescale, steps=("resampling", bootstrap))
