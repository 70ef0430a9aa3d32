"""The commands, brought together."""

from __future__ import annotations

from typing import Annotated

import typer

from rocconf import __version__
from rocconf.cli import chi2_contours, compare, sensibility, sweep, tango
from rocconf.cli.options import spread

EPILOG = (
    "Exit status: 0 answered; 1 a rule failed on the evidence; 2 could not run (usage, data, an internal error); "
    "3 the evidence does not decide. Cases are taken as independent."
)

app = typer.Typer(
    name="rocconf",
    help="How sure can you be of this ROC curve, and may this model go out?",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:  # noqa: FBT001  # typer calls it so
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
    """Say how sure one can be of a ROC curve, and whether a model may go out."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


app.command(epilog=EPILOG)(spread(sweep.sweep))
app.command(epilog=EPILOG)(spread(tango.tango))
app.command(epilog=EPILOG, cls=chi2_contours.Command)(spread(chi2_contours.chi2_contours))
app.command(epilog=EPILOG)(spread(sensibility.sensibility))
app.command(epilog=EPILOG)(spread(compare.compare))
