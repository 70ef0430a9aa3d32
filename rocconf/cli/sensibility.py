"""`rocconf sensibility`."""

from functools import partial
from typing import Annotated

import typer

from rocconf.cli.options import Data, Gate, Interval, Level, Output, Rescale, Seed, Thresholds, replicates
from rocconf.cli.run import Run
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError

MIDPOINT = (
    "half: T/(2P), T the sum of the scores; fixed: m-/(1 - m+ + m-) of the classes' mean scores, which does not depend on "
    "prevalence; class-mean; overall-mean; or a number."
)


HELP = """Look at the scores, which the ROC curve forgets, and at drift: sensibility, capability, struggle ratio.

Scores are probabilities. A case is sensible if its score is on the side of the midpoint where its class belongs.
Sensibility and capability are the accuracy, at each threshold, on the sensible and on the other cases; the struggle
ratio is how many others there are to each sensible case.

With --reference, whether the domain has changed is decided by a permutation test, which says whether prevalence,
the scores within the classes, or the ranking changed. The reference must be held out: a model scores the cases it
was trained on unlike all others, which looks like drift.

Cases with a --time are followed after those of the reference: the statistics of each window, and three martingales,
of the scores of each class and of the labels, which alarm when the domain changes. Without a change, the probability
of any alarm is at most 1 - LEVEL, however long the stream is and however often it is looked at.

Before the labels are known, --unlabelled compares the scores alone with those of the reference.

Figures: sensibility (default), scores, drift (with a reference), time (with times), and distributions (without
labels). Tables: rows (default), models or summary, gates, drift (with a reference), and windows and martingales (with
times).
"""


def sensibility(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    midpoint: Annotated[str, typer.Option(metavar="METHOD", help=MIDPOINT)] = "half",
    reference: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Test for drift since these cases, held out: never the training data."),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Follow the cases in the order of this column, after those of --reference."
        ),
    ] = None,
    every: Annotated[
        str | None,
        typer.Option(
            metavar="month|week|day|N",
            help="Windows of --time: of a calendar, or of N days or units of a column of numbers. [default: by the span]",
        ),
    ] = None,
    unlabelled: Annotated[
        bool,
        typer.Option("--unlabelled", help="Compare the scores alone with those of --reference: no labels are read."),
    ] = False,
    permutations: Annotated[
        int | None, typer.Option(metavar="B", min=1, help="Permutations of the test for drift. [default: 999]")
    ] = None,
    thresholds: Thresholds = "distinct",
    rescale: Rescale = False,
    bootstrap: Annotated[
        int, replicates("Replicates for the struggle ratio's interval; 0: Wilson's, the midpoint taken as known.")
    ] = 1000,
    seed: Seed = SEED,
    level: Level = 0.95,
    interval: Interval = "robust",
) -> None:
    """Run `rocconf sensibility`."""
    import rocconf
    from rocconf.compute.sensibility import parse_every, parse_midpoint
    from rocconf.compute.sensibility import sensibility as of_counts

    if unlabelled:
        from rocconf.cli.unlabelled import run_unlabelled

        others = {
            "midpoint": (midpoint, "half"),
            "time": (time, None),
            "every": (every, None),
            "thresholds": (thresholds, "distinct"),
            "rescale": (rescale, False),
            "bootstrap": (bootstrap, 1000),
            "interval": (interval, "robust"),
        }
        run_unlabelled(
            data,
            output,
            gate,
            reference=reference,
            level=level,
            permutations=permutations or 999,
            seed=seed,
            others=others,
        )
        return
    run = Run(rocconf.Sensibility, output, gate)
    if reference is None:
        run.refuse("drift", without="--reference")
        if permutations is not None:
            raise UsageError("needs-option", asked="--permutations", option="--reference")
    if time is None:
        for name in ("windows", "martingales", "time"):
            run.refuse(name, without="--time")
        if every is not None:
            raise UsageError("needs-option", asked="--every", option="--time")
    elif reference is None:
        raise UsageError("time-needs-reference")
    if every is not None:
        parse_every(every)
    permutations = permutations or 999
    run.judge.check_options(
        level=level,
        reference=reference is not None,
        time=time,
        permutations=None if reference is None else permutations,
    )
    analyse = partial(
        of_counts,
        thresholds=thresholds,
        level=level,
        interval=interval,
        midpoint=parse_midpoint(midpoint),
        rescale=rescale,
        bootstrap=max(bootstrap, run.judge.replicates(("struggle_ratio",))) if bootstrap else 0,
        seed=seed,
        permutations=permutations,
        time=time,
        every=every,
    )
    run.answer_each(
        analyse, data, reference=reference, time=time, steps=("permuting", permutations if reference else 0)
    )
