"""The command line application."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rocconf import __version__
from rocconf.cli.commands import COMMANDS
from rocconf.cli.options import spread

EPILOG = (
    "Exit status: 0 answered; 1 a rule failed on the evidence; 2 could not run (usage, data, an internal error); "
    "3 the evidence does not decide. Cases are taken as independent."
)


class Commands(TyperGroup):
    """The commands, each imported and built on first use: building one takes milliseconds."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # the signature is click's
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # the signature is click's
        """Return a command. For an unknown name build all of them: click suggests one that is close."""
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.commands[name] = _built(name)
        return self.commands.get(cmd_name)


def _built(name: str) -> Any:
    """Build a command from the module of its name."""
    word = name.replace("-", "_")
    module = import_module(f"rocconf.cli.{word}")
    command = getattr(module, word)
    short_help = (command.__doc__ or "").partition(":")[0]  # none with python -OO
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, short_help=short_help, epilog=EPILOG, cls=getattr(module, "Command", None))(
        spread(command, without=getattr(module, "WITHOUT", ()))
    )
    return typer.main.get_command(alone)


app = typer.Typer(
    name="rocconf",
    cls=Commands,
    help="How sure can you be of this ROC curve, and may this model go out?",
    epilog=EPILOG,
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
) -> None:
    """Show the help where no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
