"""The least cost of a command line: typer, and a command that prints hello."""

from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Say hello."""


@app.command()
def hello(name: Annotated[str, typer.Argument()], *, loud: Annotated[bool, typer.Option("--loud")] = False) -> None:
    typer.echo(f"hello {name}{'!' * loud}")


app()
