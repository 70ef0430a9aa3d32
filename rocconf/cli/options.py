"""The options that commands share, said once: each group is a record, and a command takes the record.

Nobody compares or prints these records, and every start of a command would pay for the methods.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, fields
from functools import cache, wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

DATA, SHOW, FIGURE, GATE, RUN = "Data", "Output", "Figures", "Gate", "Run"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Data:
    """Which files and columns hold the cases."""

    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="csv, tsv or parquet (.gz, .zst), a counts file, or - for standard input"
        ),
    ]
    label: Annotated[
        str | None,
        typer.Option(help="Column of labels. [default: label, y_true, y, target or truth]", rich_help_panel=DATA),
    ] = None
    score: Annotated[
        list[str] | None,
        typer.Option(
            help="Column of scores, one for each model (repeatable). [default: score, or a numeric column]",
            rich_help_panel=DATA,
        ),
    ] = None
    id: Annotated[
        str | None, typer.Option(help="Column of ids. [default: id, if there is one]", rich_help_panel=DATA)
    ] = None
    positive: Annotated[
        str | None,
        typer.Option(
            help="The label of the positive class, where labels are not 0/1 or true/false.",
            rich_help_panel=DATA,
        ),
    ] = None
    lower_is_positive: Annotated[
        bool,
        typer.Option(
            "--lower-is-positive",
            help="Low scores mean positive: positive iff score <= threshold.",
            rich_help_panel=DATA,
        ),
    ] = False
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE",
            help="Only rows with this value (repeatable: all must hold).",
            rich_help_panel=DATA,
        ),
    ] = None
    na: Annotated[
        str | None,
        typer.Option(
            metavar="error|drop",
            help="A missing label or score is an error, or its row is dropped and counted. [default: error]",
            rich_help_panel=DATA,
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option(
            help="Character between cells. [default: by suffix, tab in .tsv, else comma]",
            rich_help_panel=DATA,
        ),
    ] = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Output:
    """Where the answer goes, and how."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="table, tsv, csv, json, ndjson or md on standard output. [default: table on a terminal, tsv in a pipe]",
            rich_help_panel=SHOW,
        ),
    ] = None
    out: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--out",
            metavar="[TABLE:]FILE",
            help="Write a file, its form by suffix: .json .ndjson .csv .tsv (also .gz) .parquet of a table; .json "
            "without TABLE, .md and .junit.xml of the whole answer (repeatable).",
            rich_help_panel=SHOW,
        ),
    ] = None
    plot: Annotated[
        list[str] | None,
        typer.Option(metavar="[KIND:]FILE", help="Draw a figure: .png .svg .pdf (repeatable).", rich_help_panel=FIGURE),
    ] = None
    title: Annotated[str | None, typer.Option(help="Title of the figures.", rich_help_panel=FIGURE)] = None
    width: Annotated[float | None, typer.Option(help="Width of the figures in inches.", rich_help_panel=FIGURE)] = None
    height: Annotated[float | None, typer.Option(help="Height of the figures in inches.", rich_help_panel=FIGURE)] = (
        None
    )
    dpi: Annotated[int | None, typer.Option(help="Dots per inch of .png.", rich_help_panel=FIGURE)] = None
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Nothing on standard error but errors.", rich_help_panel=RUN)
    ] = False
    no_progress: Annotated[
        bool, typer.Option("--no-progress", help="No progress on standard error.", rich_help_panel=RUN)
    ] = False
    debug: Annotated[bool, typer.Option("--debug", help="A traceback with an internal error.", rich_help_panel=RUN)] = (
        False
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gate:
    """What must hold for the exit status to be 0."""

    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="What must hold, like 'auc >= 0.85' or 'tpr@threshold=0.5 >= 0.8' (repeatable). A number with an interval "
            "passes or fails if all of the interval does.",
            rich_help_panel=GATE,
        ),
    ] = None
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Defaults and rules. [default: rocconf.toml or pyproject.toml here or above]",
            rich_help_panel=GATE,
        ),
    ] = None
    isolated: Annotated[
        bool, typer.Option("--isolated", help="Look for no configuration file.", rich_help_panel=GATE)
    ] = False
    allow_in_sample: Annotated[
        bool,
        typer.Option(
            "--allow-in-sample",
            help="Let a rule choose its threshold on the cases it judges.",
            rich_help_panel=GATE,
        ),
    ] = False
    inconclusive: Annotated[
        str,
        typer.Option(
            metavar="fail|pass",
            help="Whether evidence that does not decide ends with 3, or with 0 and a warning.",
            rich_help_panel=GATE,
        ),
    ] = "fail"
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Report verdicts without ending with 1 or 3.", rich_help_panel=GATE)
    ] = False
    github: Annotated[
        bool,
        typer.Option("--github", help="Annotate the run, and write its step summary.", rich_help_panel=GATE),
    ] = False


def _looked_at(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse a level or a list of thresholds that is none before anything is read; a shell that completes a line may try."""
    if not context.resilient_parsing:
        from rocconf.compute.roc.curve import parse_thresholds
        from rocconf.compute.stats.quantiles import normal_quantile

        refuse: Callable[[Any], object] = normal_quantile if parameter.name == "level" else parse_thresholds
        refuse(value)
    return value


Thresholds = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        help="Rows: distinct, grid:STEP, quantiles:K, or numbers like 0.5,0.9.",
        callback=_looked_at,
    ),
]
Level = Annotated[float, typer.Option(help="Level of every interval.", callback=_looked_at)]
Rescale = Annotated[bool, typer.Option("--rescale", help="Stretch the scores to [0, 1] by their least and largest.")]
ChooseOn = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Choose the operating points' thresholds on the cases of this file."),
]


def spread(command: Callable[..., None], *, without: Collection[str] = ()) -> Callable[..., None]:
    """Let a command take records of options: each of their fields becomes an option, but for some left as they are."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type] = {
        name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, GROUPS)
    }
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name in groups:
            parameters += [each for each in _parameters(groups[parameter.name]) if each.name not in without]
        else:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))

    @wraps(command)
    def spread_command(**given: Any) -> None:
        records = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group) if field.name in given})
            for name, group in groups.items()
        }
        command(**records, **given)

    # the command's own options are read first, and a record without defaults before one with them
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in sorted(parameters, key=_is_shared)]
    spread_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def _is_shared(parameter: inspect.Parameter) -> bool:
    return parameter.name in SHARED


@cache  # every command has them, and evaluating their annotations takes a millisecond
def _parameters(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(group).parameters.values()
    ]


GROUPS = (Data, Output, Gate)
SHARED = {field.name for group in GROUPS for field in fields(group)} - {"files"}
