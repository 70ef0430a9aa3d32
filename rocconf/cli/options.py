"""The options that commands share. Each group is a record, and a command takes the record as an argument.

The records cannot be compared or printed: generating these methods would slow every start of a command. So would
`from __future__ import annotations`, here and in the commands: typer would have to compile the text of each annotation.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from functools import cache, wraps
from typing import Annotated, Any, Literal

import typer

from rocconf.dataclass import dataclass

FILES = "csv, tsv, JSON lines, Arrow or parquet (.gz, .zst), a counts file, or - for standard input"
POINT_RULES = (
    "closest, youden, accuracy, f1, fbeta=B, mcc, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X, precision>=X, "
    "alerts<=N, alerts<=P% or threshold=X"
)


def _take_key(context: typer.Context, path: str | None) -> str | None:
    """Seal and check the reports of this command with a key."""
    if not context.resilient_parsing:
        from rocconf.seal import keyed

        context.with_resource(keyed(path))
    return path


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Data:
    """Which files and columns hold the cases."""

    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=FILES)]
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column of labels. [default: label, y_true, y, target or truth]"),
    ] = None
    score: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of scores, one for each model (repeatable). [default: score, or a column of fractions]",
        ),
    ] = None
    id: Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of ids. [default: id, if there is one]")] = (
        None
    )
    model: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of models, in a file with a row for each case and model; --id pairs their cases.",
        ),
    ] = None
    positive: Annotated[
        str | None,
        typer.Option(metavar="VALUE", help="Label of the positive class, where labels are not 0/1 or true/false."),
    ] = None
    rest: Annotated[
        bool,
        typer.Option("--rest", help="All classes but that of --positive are negative, where there are more than two."),
    ] = False
    lower_is_positive: Annotated[
        bool,
        typer.Option("--lower-is-positive", help="Low scores mean positive: positive iff score <= threshold."),
    ] = False
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE",
            help="Only rows with this text; also !=, and <, <=, >, >= of numbers (repeatable: all must hold).",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of what cases belong to, like patients with several images: its values are independent, not the "
            "cases.",
        ),
    ] = None
    na: Annotated[
        str | None,
        typer.Option(
            metavar="error|drop",
            help="A missing label or score is an error, or its row is dropped and counted. [default: error]",
        ),
    ] = None
    no_examples: Annotated[
        bool,
        typer.Option("--no-examples", help="Quote no cells and ids of the data in messages and reports."),
    ] = False
    delimiter: Annotated[
        str | None,
        typer.Option(
            metavar="CHARACTER", help="Character between cells. [default: by suffix, tab in .tsv, else comma]"
        ),
    ] = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Output:
    """Where the answer goes, and in which form."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="table, tsv, csv, json, ndjson or md on standard output. [default: table on a terminal, tsv in a pipe]",
        ),
    ] = None
    out: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--out",
            metavar="[TABLE:]FILE",
            help="Write a file, in the form of its suffix: .json .ndjson .csv .tsv (also .gz) .parquet for a table; .json "
            "without TABLE, .html, .md and .junit.xml for the whole answer (repeatable).",
        ),
    ] = None
    all: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Every row: leave none out of tables and md, and print those of thresholds with --format json.",
        ),
    ] = False
    no_escape_formulas: Annotated[
        bool,
        typer.Option(
            "--no-escape-formulas",
            help="Write names in csv and tsv as they are, even if they begin with = + - or @ like a formula of a "
            "spreadsheet. [default: with an apostrophe before them]",
        ),
    ] = False
    plot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[KIND:]FILE",
            help="Draw a figure: .png .svg .pdf (repeatable). [default KIND: that of FILE's name, like roc.png, or the first]",
        ),
    ] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the figures.")] = None
    width: Annotated[float | None, typer.Option(metavar="INCHES", help="Width of the figures in inches.")] = None
    height: Annotated[float | None, typer.Option(metavar="INCHES", help="Height of the figures in inches.")] = None
    dpi: Annotated[int | None, typer.Option(metavar="N", help="Dots per inch of .png.")] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A secret that reports are sealed with, and must be. [default: that of the variable ROCCONF_KEY, if it is set]",
            callback=_take_key,
        ),
    ] = None
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Nothing on standard error but errors.")] = False
    no_progress: Annotated[bool, typer.Option("--no-progress", help="No progress on standard error.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Print a traceback of an internal error.")] = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gate:
    """What must hold for the exit status to be 0."""

    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="What must hold, like 'auc >= 0.85' or 'tpr@threshold=0.5 >= 0.8' (repeatable). A number with an interval "
            "passes or fails if all of the interval does.",
        ),
    ] = None
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Defaults and rules. [default: rocconf.toml or pyproject.toml, in this directory or one above]",
        ),
    ] = None
    isolated: Annotated[bool, typer.Option("--isolated", help="Read no configuration file.")] = False
    allow_in_sample: Annotated[
        bool, typer.Option("--allow-in-sample", help="Let a rule choose its threshold on the cases it judges.")
    ] = False
    allow_identical: Annotated[
        bool,
        typer.Option(
            "--allow-identical", help="Let a rule pass on a model compared with itself: a baseline of the same scores."
        ),
    ] = False
    inconclusive: Annotated[
        str,
        typer.Option(
            metavar="fail|pass",
            help="Whether evidence that does not decide exits with 3, or with 0 and a warning.",
        ),
    ] = "fail"
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Report verdicts without exiting with 1 or 3.")] = False
    github: Annotated[bool, typer.Option("--github", help="Annotate the GitHub run, and write its step summary.")] = (
        False
    )


def _validate(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse an invalid value before anything is read, unless a shell completes a line."""
    if value is None or context.resilient_parsing:
        return value
    if parameter.name == "level":
        from rocconf.compute.stats.normal import require_level

        require_level(value)
    elif parameter.name == "max_fpr":
        from rocconf.compute.roc.auc import require_max_fpr

        require_max_fpr(value)
    elif parameter.name == "prevalence":
        from rocconf.compute.roc.rates import Rates

        Rates(prevalence=value)
    elif parameter.name == "assurance":
        from rocconf.compute.roc.operating import parse_assurance

        parse_assurance(value)
    elif parameter.name == "thresholds":
        from rocconf.compute.roc.curve import parse_thresholds

        parse_thresholds(value)
    elif parameter.name == "cost":
        from rocconf.compute.roc.operating import parse_costs

        parse_costs(value)
    else:
        from rocconf.compute.roc.operating import parse_point_rules

        parse_point_rules(value)
    return value


Thresholds = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        help="Rows: distinct, grid:STEP, quantiles:K, or numbers like 0.5,0.9.",
        callback=_validate,
    ),
]
Level = Annotated[float, typer.Option(metavar="LEVEL", help="Level of every interval.", callback=_validate)]


def checked_option(purpose: str) -> Any:
    """Return an option whose value is refused, if it is invalid, before anything is read."""
    return typer.Option(help=purpose, callback=_validate)


INTERVAL = "How intervals are computed: robust, or delong, the classical ones, too narrow with few cases."
Kind = Literal["robust", "delong"]  # that of the records, whose import would slow every start
Interval = Annotated[Kind, typer.Option(metavar="robust|delong", help=INTERVAL)]
Rescale = Annotated[bool, typer.Option("--rescale", help="Rescale the scores to [0, 1] by their least and largest.")]
ChooseOn = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Choose the thresholds of operating points on the cases of this file."),
]
COST = (
    "Costs of a false alarm and a miss, like 1:50: give each point its cost per case, and add the cheapest one; at the "
    "prevalence of the file, which is estimated, or at a known one."
)
Cost = Annotated[str | None, typer.Option(metavar="FP:FN[:PREVALENCE]", help=COST, callback=_validate)]
Assurance = Annotated[
    float | None,
    typer.Option(
        metavar="D",
        help="Choose thresholds so that the rate of fpr<=X, tpr>=X or precision>=X holds of the population in this share "
        "of samples, as in --at 'fpr<=0.05' --assurance 0.95.",
        callback=_validate,
    ),
]
CALIBRATION = (
    "Measure the scores as probabilities: Brier score, log loss, miscalibration and discrimination with intervals, a test "
    "of calibration, and the net benefit of each point."
)
Calibration = Annotated[bool, typer.Option("--calibration", help=CALIBRATION)]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the random numbers.")]
BY = (
    "Slices: the same analysis of the cases with each value of this column, and how each differs from the rest "
    "(repeatable). A rule like 'auc by region >= 0.8' is about every slice."
)
By = Annotated[list[str] | None, typer.Option(metavar="COLUMN", help=BY)]
MinCases = Annotated[
    int, typer.Option(min=1, metavar="N", help="The least number of cases of each class on which a slice is decided.")
]
Fold = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The folds of a cross-validation: the AUC of each, and their mean with its interval."
    ),
]
OneVsRest = Annotated[
    bool,
    typer.Option("--one-vs-rest", help="More than two classes: each against the rest by its own scores, and averages."),
]
ClassColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        metavar="NAME=COLUMN",
        help="Column of scores of a class, for --one-vs-rest (repeatable). [default: columns called like the classes, "
        "after a prefix that all share]",
    ),
]
OnlyConfident = Annotated[
    bool, typer.Option("--only-confident", help="Draw only the confident points in the intervals figure.")
]


def compared_interval() -> Any:
    """Return the option of a comparison, which takes over the kind of a report."""
    default = " [default: that of the baseline if it is a report, else robust]"
    return typer.Option(metavar="robust|delong", help=INTERVAL + default)


def point_rules(which: str, *, default: str = "") -> Any:
    """Return an option that takes rules for operating points."""
    return typer.Option(metavar="RULE", help=f"{which} (repeatable): {POINT_RULES}.{default}", callback=_validate)


def replicates(purpose: str) -> Any:
    """Return an option that takes the number of bootstrap replicates."""
    return typer.Option(min=0, metavar="B", help=purpose)


def spread(command: Callable[..., None], *, without: Collection[str] = ()) -> Callable[..., None]:
    """Return a command with an option for each field of its records; those in `without` keep their defaults."""
    groups: dict[str, type] = {}
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        group = parameter.annotation
        if isinstance(group, type) and issubclass(group, GROUPS):
            groups[parameter.name] = group
            parameters += [each for each in _parameters(groups[parameter.name]) if each.name not in without]
        else:
            parameters.append(parameter)

    @wraps(command)
    def spread_command(**values: Any) -> None:
        records = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group) if field.name in values})
            for name, group in groups.items()
        }
        command(**records, **values)

    # the command's own options come first in the help
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in sorted(parameters, key=_is_shared)]
    spread_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def _is_shared(parameter: inspect.Parameter) -> bool:
    return parameter.name in SHARED_OPTIONS


@cache  # every command has the same groups
def _parameters(group: type) -> list[inspect.Parameter]:
    return list(inspect.signature(group).parameters.values())


GROUPS = (Data, Output, Gate)
SHARED_OPTIONS = {field.name for group in GROUPS for field in fields(group)} - {"files"}


def typed_options(data: Data, names: Iterable[str], others: Mapping[str, tuple[Any, Any]]) -> list[str]:
    """Return which of these options were typed: those of the data, and others with their values and defaults."""
    typed = [name for name in names if getattr(data, name) not in (None, False)]
    typed += [name for name, (value, default) in others.items() if value != default]
    return [f"--{name.replace('_', '-')}" for name in typed]
