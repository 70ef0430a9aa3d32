"""`rocconf chi2-contours`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from rocconf.cli import shell
from rocconf.cli.options import ChooseOn, Data, Gate, Level, Output, Rescale, Thresholds
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocconf.compute.chi2_contours import ClassTotals

ACCURACIES = "0.5,0.6,0.7,0.8,0.9"
PERMUTATIONS, LEVEL = 999, 0.95


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PerhapsData(Data):
    """Which files and columns hold the cases, if there are any."""

    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...", help="csv, tsv or parquet (.gz, .zst), a counts file, or - for standard input"
        ),
    ] = None  # type: ignore[assignment]  # what typer gives where there is no file


class Command(TyperCommand):
    """A command that may say --accuracy-contours without a list."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the usual accuracies where none are listed."""
        return super().parse_args(ctx, list(_with_accuracies(args)))


def chi2_contours(
    data: PerhapsData,
    output: Output,
    gate: Gate,
    *,
    positives: Annotated[
        int | None, typer.Option(metavar="N", help="Instead of a FILE: how many positives there are.")
    ] = None,
    negatives: Annotated[
        int | None, typer.Option(metavar="N", help="Instead of a FILE: how many negatives there are.")
    ] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="LIST", help="Draw contours of these values of chi2, like 3.84,20.")
    ] = None,
    significance: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Say the levels by their significance. [default: 0.05,0.01,0.005]"),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Operating point beside the largest chi2 (repeatable): fpr<=X, tpr>=X, threshold=X, closest, youden, "
            "accuracy or cost=FP:FN[:PREVALENCE].",
        ),
    ] = None,
    choose_on: ChooseOn = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="FP:FN",
            help="The costs of a false alarm and a miss: the cheapest operating point, and lines of equal cost in "
            "the figure.",
        ),
    ] = None,
    accuracy_contours: Annotated[
        str | None,
        typer.Option(metavar="[LIST]", help=f"Draw lines of equal accuracy in the figure, {ACCURACIES} or others."),
    ] = None,
    thresholds: Thresholds = "distinct",
    permutations: Annotated[
        int, typer.Option(metavar="B", help="Permutations of the labels for the p of the largest chi2.")
    ] = PERMUTATIONS,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the permutations.")] = SEED,
    rescale: Rescale = False,
    level: Level = LEVEL,
) -> None:
    """Lay contours of chi-square on the ROC chart: how much work each point of it takes.

    The class totals are enough (--positives 5 --negatives 55); scores add the chi-square and p-value of every
    threshold. The largest chi-square is the best of many: its p is found by permuting the labels, and 3.84 is no limit
    for it.

    Figure: contours. Tables: rows (default), models or summary, gates, contours, operating_points.
    """
    import rocconf
    from rocconf.compute.chi2_contours import accuracies, contour_levels, parse_costs, shared_totals
    from rocconf.compute.roc.operating import parse_rule

    costs = None if cost is None else parse_costs(cost)
    rules = [parse_rule(rule) for rule in at or ()] + ([costs] if costs else [])
    asked = contour_levels(shell.numbers(levels, "--levels"), shell.numbers(significance, "--significance"))
    run = shell.Run(
        rocconf.Chi2Contours,
        output,
        gate,
        choose_on=choose_on,
        accuracy_contours=accuracies(shell.numbers(accuracy_contours, "--accuracy-contours") or ()),
        cost=[float(number) for number in costs.numbers] if costs and (output.plot or not data.files) else None,
    )
    run.judge.given(permutations=permutations)

    def analyse(data: Data) -> list[rocconf.Chi2Contours]:
        models = run.read(data, rescale=rescale)
        if run.figures:
            shared_totals([rocconf.ClassTotals(model.p, model.q) for model in models])
        choice = run.read_choice(data, models, rescale=rescale)
        with run.counting("permuting labels", permutations * len(models)) as progress:
            return [
                rocconf.chi2_contours(
                    model,
                    levels=asked,
                    at=rules,
                    choose_on=choice.get(model.model),
                    thresholds=thresholds,
                    level=level,
                    permutations=permutations,
                    seed=seed,
                    progress=progress,
                )
                for model in models
            ]

    if not data.files:
        totals = _totals(positives, negatives)
        _refuse_what_needs_scores(
            data,
            at=at,
            choose_on=choose_on,
            thresholds=thresholds != "distinct",
            permutations=permutations != PERMUTATIONS,
            seed=seed != SEED,
            rescale=rescale,
            level=level != LEVEL,
        )
        if run.judge.rules:
            raise UsageError("the rules of a gate need scores: give a FILE (--isolated leaves a configuration out)")
        run.answer(lambda _: [rocconf.chi2_contours(totals, levels=asked)], data)
    elif positives is not None or negatives is not None:
        raise UsageError("--positives and --negatives stand for a FILE: give the one or the other")
    else:
        run.answer(analyse, data)


def _totals(positives: int | None, negatives: int | None) -> ClassTotals:
    import rocconf

    if positives is None or negatives is None:
        raise UsageError("give a FILE, or the class totals alone: --positives N --negatives N")
    return rocconf.ClassTotals(positives, negatives)


def _refuse_what_needs_scores(data: PerhapsData, **options: object) -> None:
    """Refuse options that class totals alone give nothing to work on."""
    asked = {**{field.name: getattr(data, field.name) != field.default for field in fields(data)}, **options}
    for name in (name for name, is_given in asked.items() if is_given):
        raise UsageError(f"--{name.replace('_', '-')} needs scores: give a FILE")


def _with_accuracies(args: Iterable[str]) -> Iterator[str]:
    """Give --accuracy-contours the usual list unless numbers follow it."""
    waiting = False
    for arg in args:
        if waiting and not set(arg) <= set("0123456789., "):
            yield ACCURACIES
        waiting = arg == "--accuracy-contours"
        yield arg
    if waiting:
        yield ACCURACIES
