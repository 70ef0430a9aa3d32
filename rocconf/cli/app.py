"""The command line application."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rocconf import __version__
from rocconf.cli import completion
from rocconf.cli.commands import ABOUT, BY_MEANING, COMMANDS
from rocconf.cli.help import HelpfulCommand
from rocconf.cli.options import spread
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean

EPILOG = (
    "Exit status: 0 answered; 1 a rule failed on the evidence; 2 could not run (usage, data, an internal error); "
    "3 the evidence does not decide. Cases are taken as independent "
    "unless --cluster names what they belong to."
)


class Commands(TyperGroup):
    """The commands, each imported and built on first use: building one takes milliseconds."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # the signature is click's
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # the signature is click's
        """Return a command."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = built(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is typed, or refuse an unknown one with a suggestion."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise UsageError("unknown-command", command=args[0], meant=_meant(args[0]))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Complete the options whose value may be left out."""
        return super().parse_args(ctx, completion.with_shells(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # the signature is click's
        """Write the question that each command answers; no command is built for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, ABOUT[name].question) for name in COMMANDS])
        formatter.write_paragraph()
        formatter.write_text("The options most people need: rocconf COMMAND -h; all of them: rocconf COMMAND --help")


def _meant(word: str) -> str:
    """Return a suggestion for an unknown command: by its spelling or its meaning, or a command for a file."""
    wanted = word.lower().replace("_", "-")
    by_meaning = [name for name, words in BY_MEANING.items() if name in COMMANDS and wanted in words]
    if Path(word).is_file():
        return f"; did you mean 'rocconf sweep {word}'?"
    return f"; did you mean {by_meaning[0]!r}?" if by_meaning else did_you_mean(wanted, COMMANDS)


def built(name: str) -> Any:
    """Build a command from the module of its name."""
    word = name.replace("-", "_")
    module = import_module(f"rocconf.cli.{word}")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(
        name,
        help=module.HELP,
        short_help=ABOUT[name].question,
        epilog=EPILOG,
        cls=getattr(module, "Command", HelpfulCommand),
    )(spread(getattr(module, word), without=getattr(module, "WITHOUT", ())))
    return completion.prepared(typer.main.get_command(alone))


app = typer.Typer(
    name="rocconf",
    cls=Commands,
    help="How sure can you be of this ROC curve, and may this model go out?",
    epilog=EPILOG,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:  # noqa: FBT001  # the signature is typer's
    if value:
        typer.echo(f"rocconf {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rocconf(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001  # its callback answers
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
    install_completion: Annotated[  # noqa: ARG001  # its callback answers
        str | None,
        typer.Option(
            metavar=completion.SHELL,
            help="Let the shell complete commands, options, values and columns. [default: this shell]",
            callback=completion.install,
            is_eager=True,
        ),
    ] = None,
    show_completion: Annotated[  # noqa: ARG001  # its callback answers
        str | None,
        typer.Option(
            metavar=completion.SHELL,
            help="Show what --install-completion would install. [default: for this shell]",
            callback=completion.show,
            is_eager=True,
        ),
    ] = None,
) -> None:
    """Show the help where no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
