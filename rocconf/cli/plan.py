"""`rocconf plan`."""

from typing import TYPE_CHECKING, Annotated

import typer

from rocconf.cli.options import FILES, Data, Gate, Interval, Level, Output, Seed, replicates
from rocconf.cli.run import Run
from rocconf.compute.stats.seeds import SEED
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from rocconf.answer import Result

POWER, RUNS = 0.8, 2000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pilot(Data):
    """The pilot, if there is one."""

    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PILOT]", help=f"Cases that stand for all, or a saved report (.json, .html): {FILES}"),
    ] = None  # type: ignore[assignment]  # what typer passes without a file


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Planned(Gate):
    """The rules that are planned for, which judge nothing here."""

    require: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help="Rule to plan for, like 'delta_auc >= -0.01' (repeatable)."),
    ] = None


SHARED = ("data", "output", "gate")
"""The parameters that are no options of the plan."""

WITHOUT = ("allow_in_sample", "allow_identical", "inconclusive", "exit_zero", "github")
HELP = """Plan how many cases a rule needs, so that it passes if the model is as good as you assume.

The assumption is numbers (--auc 0.85 --correlation 0.8 --prevalence 0.1), a pilot with scores and labels, or a saved
report. Rules are those of the gate, judged on the same intervals: areas are simulated, rates at an operating
point are added up over all that can happen, and of a report or another metric the interval is scaled by formula.
Without --require the rules of the configuration are planned that the numbers can answer.

A plan judges no model: where it is made, the exit status is 0 even if no number of cases is enough, and it says so.

Figures: power. Tables: rows (default: the cases for each verdict), power, models or summary.
"""


def plan(
    data: Pilot,
    output: Output,
    gate: Planned,
    *,
    limit: Annotated[
        float | None, typer.Option(metavar="X", help="Stands for 'auc >= X', or for a rule on --tpr or --fpr.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(metavar="D", help="Not worse than the baseline by D: 'delta_auc > -D'.")
    ] = None,
    half_width: Annotated[
        float | None, typer.Option(metavar="X", help="An interval of the area that reaches at most X to either side.")
    ] = None,
    auc: Annotated[float | None, typer.Option(metavar="X", help="The true AUC.")] = None,
    baseline_auc: Annotated[
        float | None, typer.Option(metavar="X", help="The true AUC of the baseline. [default: that of the model]")
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option(metavar="X", help="Correlation of the scores of model and baseline within each class."),
    ] = None,
    tpr: Annotated[float | None, typer.Option(metavar="X", help="The true tpr at the operating point.")] = None,
    baseline_tpr: Annotated[
        float | None, typer.Option(metavar="X", help="That of the baseline. [default: that of the model]")
    ] = None,
    fpr: Annotated[float | None, typer.Option(metavar="X", help="The true fpr at the operating point.")] = None,
    baseline_fpr: Annotated[
        float | None, typer.Option(metavar="X", help="That of the baseline. [default: that of the model]")
    ] = None,
    disagree: Annotated[
        str | None,
        typer.Option(
            metavar="NEW:OLD",
            help="Shares of the class that only the model, and only its baseline, has right, in place of a correlation.",
        ),
    ] = None,
    prevalence: Annotated[float | None, typer.Option(metavar="X", help="Share of the cases that is positive.")] = None,
    power: Annotated[float, typer.Option(metavar="X", help="Probability of the verdict.")] = POWER,
    positives: Annotated[
        int | None, typer.Option(metavar="N", help="Give the power of so many positives, too.")
    ] = None,
    negatives: Annotated[
        int | None, typer.Option(metavar="N", help="Give the power of so many negatives, too.")
    ] = None,
    cases: Annotated[int | None, typer.Option(metavar="N", help="Give the power of so many cases, too.")] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="NAME", help="The baseline among the models of the pilot.")
    ] = None,
    runs: Annotated[int, replicates("Simulated samples of each size.")] = RUNS,
    seed: Seed = SEED,
    level: Level = 0.95,
    interval: Interval = "robust",
) -> None:
    """Run `rocconf plan`."""
    options = {name: value for name, value in locals().items() if name not in SHARED}
    import rocconf
    from rocconf.cli.planning import Planning

    run = Run(rocconf.Plan, output, Gate(config=gate.config, isolated=gate.isolated))
    planning = Planning(run, data, gate.require or (), options)

    def analyse(data: Data) -> "list[Result]":
        return [planning.answer(data)]

    run.answer(analyse, data)
