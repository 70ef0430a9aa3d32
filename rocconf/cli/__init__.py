"""The command line: options in, an answer and an exit status out."""

from rocconf.cli.app import app

__all__ = ["app"]
