"""The help of a command: `-h` shows the options that most people need and an example, `--help` all options in groups."""

from dataclasses import fields
from typing import Any

from typer.core import TyperCommand

from rocconf.cli.commands import ABOUT, COMMANDS
from rocconf.cli.options import Data, Gate, Output
from rocconf.errors import UsageError

SHORT = {
    "label": "Column of labels.",
    "score": "Column of scores, one for each model (repeatable).",
    "positive": "Label of the positive class, as in --positive yes.",
    "baseline": "Model or file that the others are compared with.",
    "reference": "Earlier cases, to test for drift since then.",
    "positives": "Number of positives, instead of a FILE.",
    "negatives": "Number of negatives, instead of a FILE.",
    "at": "Operating point: youden, 'fpr<=0.01', threshold=0.5.",
    "midpoint": "What divides sensible cases from others: half, fixed or a number.",
    "test": "What decides whether a threshold is confident.",
    "require": "Exit with 1 unless this holds, like 'auc >= 0.85'.",
    "out": "Write a file: .html .json .csv .tsv .md",
    "plot": "Draw a figure: .png .svg .pdf",
    "delimiter": "Character between cells, as in --delimiter ';'.",
    "lower_is_positive": "Low scores mean positive.",
    "auc": "The true AUC.",
    "correlation": "Correlation of the scores of model and baseline.",
    "tpr": "The true tpr at the operating point.",
    "prevalence": "Share of the cases that is positive.",
    "power": "Probability of the verdict.",
    "cases": "Give the power of so many cases, too.",
    "where": "Only rows like this: region=north, age>=65.",
    "by": "Slices: every value of this column, against the rest.",
    "margin": "How much worse is still good enough.",
    "format": "What to print: table, tsv, csv, json, ndjson, md.",
    "id": "Column of ids, to pair the cases of two files.",
    "all": "Every row.",
    "choose_on": "Choose thresholds on the cases of this file.",
    "inconclusive": "Whether evidence that does not decide ends with 3 or 0.",
    "exit_zero": "Report verdicts without exiting with 1 or 3.",
    "config": "Defaults and rules, in place of rocconf.toml.",
    "level": "Level of every interval.",
    "quiet": "Nothing on standard error but errors.",
    "github": "Annotate the GitHub run.",
}
"""What `-h` says about options, the most needed first."""

SHORT_OF = {("plan", "require"): "Rule to plan for, like 'auc >= 0.8'."}
"""What `-h` of a command says instead."""

FIRST = {
    "sweep": ("label", "score", "positive", "lower_is_positive", "delimiter", "where", "at", "require", "out", "plot"),
    "compare": ("label", "score", "positive", "baseline", "id", "at", "margin", "require", "out", "plot"),
    "plan": ("require", "margin", "auc", "correlation", "tpr", "prevalence", "power", "cases", "out", "plot"),
}
"""The options that `-h` shows of the most used commands."""

MORE = (
    *(
        "delimiter",
        "lower_is_positive",
        "where",
        "choose_on",
        "max_fpr",
        "prevalence",
        "margin",
        "unpaired",
        "band",
        "by",
    ),
    *("model", "na", "format", "all", "level", "config", "bootstrap"),
)
"""The options most looked for, which `-h` names where it does not describe them."""

MOST_SHORT = 10
"""How many options `-h` shows."""

FIGURES = ("plot", "title", "width", "height", "dpi", "hull", "regions", "only_confident", "accuracy_contours")
OPERATING_POINTS = ("at", "choose_on", "cost", "prevalence", "assurance", "thresholds", "rescale")
INTERVALS = ("level", "interval", "intervals", "bootstrap", "seed", "permutations", "band")
OF_RECORDS = {"Input": Data, "Output": Output, "Gates": Gate}

GROUPS = ("Operating points", "Analysis", "Intervals", "Input", "Gates", "Output", "Figures")
"""The groups of options in the order of the help; an option of one command only belongs to its analysis."""


def group_of(name: str) -> str:
    """Return the group of an option."""
    named = {"Figures": FIGURES, "Operating points": OPERATING_POINTS, "Intervals": INTERVALS}
    named |= {group: tuple(field.name for field in fields(record)) for group, record in OF_RECORDS.items()}
    return next((group for group, names in named.items() if name in names), "Analysis")


class HelpfulCommand(TyperCommand):
    """A command with a short help and a long one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note which help is asked for, before it is shown."""
        ctx.meta["rocconf.short_help"] = "--help" not in args
        options = args[: args.index("--")] if "--" in args else args
        if sum(word.partition("=")[0] == "--cluster" for word in options) > 1:  # the last would win in silence
            raise UsageError("cluster-twice")
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", None)  # of click's error about an option that does not exist
            others = commands_with(str(option), but=str(self.name)) if type(error).__name__ == "NoSuchOption" else []
            if not others:
                raise
            *most, last = (f"rocconf {name}" for name in others)
            told = f"{', '.join(most)} and {last} have it" if most else f"{last} has it"
            raise UsageError("option-of-other-command", command=self.name, option=option, others=told) from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the short or the long help."""
        arguments = " ".join(str(parameter.metavar) for parameter in self.params if _is_argument(parameter))
        formatter.write_usage(ctx.command_path, f"[OPTIONS] {arguments}")
        if ctx.meta.get("rocconf.short_help"):
            self._write_short(ctx, formatter)
        else:
            self._write_long(ctx, formatter)

    def _write_short(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(ABOUT[str(self.name)].question)
        named = {parameter.name: parameter for parameter in self.params if not _is_argument(parameter)}
        least = [name for name in SHORT if name in named and name not in FIRST.get(str(self.name), ())]
        shown = [*FIRST.get(str(self.name), ()), *least][:MOST_SHORT]
        if shown:
            with formatter.section("Options"):
                texts = {name: SHORT_OF.get((str(self.name), name), SHORT[name]) for name in shown}
                formatter.write_dl([(_record(named[name], ctx)[0], text) for name, text in texts.items()])
        self._write_example(formatter)
        formatter.write_paragraph()
        more = [
            _record(named[name], ctx)[0].split()[0].rstrip(",") for name in MORE if name in named and name not in shown
        ]
        if more:
            formatter.write_text(f"Also: {', '.join(more)}, and others")
        formatter.write_text(f"All options: {ctx.command_path} --help")

    def _write_long(self, ctx: Any, formatter: Any) -> None:
        self.format_help_text(ctx, formatter)
        groups: dict[str, list[tuple[str, str]]] = {group: [] for group in ("Arguments", *GROUPS)}
        for parameter in self.params:
            group = "Arguments" if _is_argument(parameter) else group_of(str(parameter.name))
            groups[group].append(_record(parameter, ctx))
        groups["Output"] += [("-h", "The options that most people need."), ("--help", "All options.")]
        for group, rows in groups.items():
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
        self._write_example(formatter)
        self.format_epilog(ctx, formatter)

    def _write_example(self, formatter: Any) -> None:
        with formatter.section("Example"):
            formatter.write(f"{'':>{formatter.current_indent}}{ABOUT[str(self.name)].example}\n")


def commands_with(option: str, *, but: str) -> list[str]:
    """Return the other commands that have an option; they are built for it."""
    from rocconf.cli.app import built

    return [
        name for name in COMMANDS if name != but and any(option in parameter.opts for parameter in built(name).params)
    ]


def _record(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return what is typed for a parameter, and its help."""
    names, text = parameter.get_help_record(ctx)
    return (parameter.metavar if _is_argument(parameter) else names), text


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")
