"""Fuzz one target with atheris, guided by the coverage of rocconf: `python fuzz/one.py TARGET [libFuzzer options] [FILES]`.

With files and no folder it runs only these, to reproduce a failure.
"""

import sys

import atheris

with atheris.instrument_imports(include=["rocconf"]):
    from targets import TARGETS


def main() -> None:
    """Fuzz the target of the first argument."""
    name = sys.argv.pop(1)
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
