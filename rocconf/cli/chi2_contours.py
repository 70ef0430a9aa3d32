"""`rocconf chi2-contours`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocconf.cli.help import HelpfulCommand
from rocconf.cli.options import (
    FILES,
    ChooseOn,
    Cost,
    Data,
    Gate,
    Interval,
    Level,
    Output,
    Rescale,
    Seed,
    Thresholds,
    point_rules,
)
from rocconf.cli.promises import Promises
from rocconf.cli.run import Run
from rocconf.compute.stats.seeds import SEED
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.compute.chi2_contours import ClassTotals
    from rocconf.records import ScoreCounts

ACCURACIES = "0.5,0.6,0.7,0.8,0.9"
PERMUTATIONS, LEVEL = 999, 0.95


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OptionalData(Data):
    """Which files and columns hold the cases, if there are any."""

    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help=FILES)] = None  # type: ignore[assignment]  # what typer passes without a file


class Command(HelpfulCommand):
    """A command that takes --accuracy-contours without a list."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default accuracies where none are listed."""
        return super().parse_args(ctx, list(_with_accuracies(args)))


HELP = """Lay contours of chi-square on the ROC chart: how much work each point of it takes.

The class totals are enough (--positives 5 --negatives 55); scores add the chi-square and p-value of every
threshold. The largest chi-square is the best of many: its p is found by permuting the labels, and 3.84 is no limit
for it.

Points that are only known by their rates are listed with --point FPR,TPR; rules about them are written
chi2@point=FPR,TPR, and need class totals alone.

Figures: contours, scores. Tables: rows (default), models or summary, gates, contours, operating_points, points.
"""


def chi2_contours(
    data: OptionalData,
    output: Output,
    gate: Gate,
    *,
    positives: Annotated[int | None, typer.Option(metavar="N", help="Number of positives, instead of a FILE.")] = None,
    negatives: Annotated[int | None, typer.Option(metavar="N", help="Number of negatives, instead of a FILE.")] = None,
    point: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FPR,TPR",
            help="List and draw this point: its chi2, its distance from chance and its contour (repeatable).",
        ),
    ] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="LIST", help="Draw contours of these values of chi2, like 3.84,20.")
    ] = None,
    significance: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Draw contours of these levels of significance. [default: 0.05,0.01,0.005]"),
    ] = None,
    at: Annotated[list[str] | None, point_rules("Operating point beside the largest chi2")] = None,
    choose_on: ChooseOn = None,
    cost: Cost = None,
    accuracy_contours: Annotated[
        str | None,
        typer.Option(metavar="[LIST]", help=f"Draw lines of equal accuracy in the figure, {ACCURACIES} or others."),
    ] = None,
    thresholds: Thresholds = "distinct",
    permutations: Annotated[
        int, typer.Option(metavar="B", min=1, help="Permutations of the labels for the p of the largest chi2.")
    ] = PERMUTATIONS,
    seed: Seed = SEED,
    rescale: Rescale = False,
    level: Level = LEVEL,
    interval: Interval = "robust",
) -> None:
    """Run `rocconf chi2-contours`."""
    import rocconf
    from rocconf.compute.chi2_contours import accuracies, contour_levels
    from rocconf.compute.chi2_contours import chi2_contours as of_counts
    from rocconf.compute.roc.given_point import parse_given_points

    points = parse_given_points(point or ())
    contours = contour_levels(_numbers(levels, "--levels"), _numbers(significance, "--significance"))
    run = Run(
        rocconf.Chi2Contours,
        output,
        gate,
        choose_on=choose_on,
        promises=Promises(level),
        unasked=() if at else ("in-sample",),
        accuracy_contours=accuracies(_numbers(accuracy_contours, "--accuracy-contours") or ()),
        cost=cost if output.plot or not data.files else None,
    )
    given = [each.text for each in points]
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
            interval=interval != "robust",
        )
        if any(figure.kind == "scores" for figure in run.figures):
            raise UsageError("totals-without-scores")
        run.judge.check_options(positives=totals.p, negatives=totals.q, points=given)
        run.answer(lambda _: [of_counts(totals, levels=contours, points=points)], data)
        return
    run.judge.check_options(level=level, cost=cost, permutations=permutations, points=given)
    if positives is not None or negatives is not None:
        raise UsageError("file-or-totals")
    analyse = partial(
        of_counts,
        levels=contours,
        at=at or (),
        cost=cost,
        points=points,
        thresholds=thresholds,
        level=level,
        interval=interval,
        permutations=permutations,
        seed=seed,
    )
    check = _require_shared_totals if run.figures else None
    run.answer_each(analyse, data, rescale=rescale, steps=("permuting labels", permutations), check=check)


def _require_shared_totals(models: "Sequence[ScoreCounts]") -> None:
    """Refuse models that have no contours in common, before labels are permuted."""
    from rocconf.compute.chi2_contours import ClassTotals, shared_totals

    shared_totals([ClassTotals(model.p, model.q) for model in models])


def _totals(positives: int | None, negatives: int | None) -> "ClassTotals":
    from rocconf.compute.chi2_contours import ClassTotals

    if positives is None or negatives is None:
        raise UsageError("no-file-or-totals")
    return ClassTotals(positives, negatives)


def _refuse_what_needs_scores(data: OptionalData, **options: object) -> None:
    """Refuse options that need scores where only class totals are given."""
    asked = {**{field.name: getattr(data, field.name) != field.default for field in fields(data)}, **options}
    for name in (name for name, is_given in asked.items() if is_given):
        raise UsageError("option-needs-scores", option=f"--{name.replace('_', '-')}")


def _numbers(text: str | None, option: str) -> list[float] | None:
    """Return the numbers of a list like 0.5,0.9."""
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError("list-of-numbers", option=option, found=text) from None


def _with_accuracies(args: Iterable[str]) -> Iterator[str]:
    """Insert the default list after --accuracy-contours unless numbers follow it."""
    waiting = False
    for arg in args:
        if waiting and not set(arg) <= set("0123456789., "):
            yield ACCURACIES
        waiting = arg == "--accuracy-contours"
        yield arg
    if waiting:
        yield ACCURACIES
