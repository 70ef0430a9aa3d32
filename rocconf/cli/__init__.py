"""The command line: options in, an answer and an exit status out."""

from rocconf.cli.app import app
from rocconf.cli.completion import complete

__all__ = ["app", "complete"]
