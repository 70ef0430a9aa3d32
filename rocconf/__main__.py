"""The entry point: whatever happens, the exit status says what it means."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

CANNOT_RUN = 2
INTERRUPTED = 130


def program() -> NoReturn:
    """Be the whole process: when `main` is done, leave at once.

    Taking every module and array apart, as Python does at its end, would take a tenth of a small run.
    """
    status: object = CANNOT_RUN
    try:
        main()
    except SystemExit as stop:
        status = stop.code
    finally:
        # what libraries leave for the end, such as removing their temporary files
        atexit._run_exitfuncs()  # noqa: SLF001  # the only way to, short of taking everything apart
        os._exit(status if isinstance(status, int) else CANNOT_RUN)


def main() -> None:
    """Run the command line and exit: 0 answered, 1 and 3 a gate's verdict, 2 could not run, 130 interrupted."""
    try:
        status = _run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BaseException as error:  # noqa: BLE001  # a crash must not look like a verdict
        status = _tell(error)
    _leave(status)


def _run() -> int:
    if sys.stderr is None:  # closed, as by 2>&-: nobody listens, and the status still tells
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # lasts as long as the process
    if sys.stdout is None:  # closed, as by >&-: the next file that is opened would take its place
        _say("standard output is closed")
        return CANNOT_RUN
    gc.disable()  # a run is short and makes no cycles to speak of; collecting costs a tenth of a small run
    # numpy's BLAS starts a thread for every core when it is loaded, which can take as long as numpy itself. Nothing
    # here gains from them, and sums by one thread are the same on every machine
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rocconf.cli import app

    try:
        status = app(standalone_mode=False)
    except SystemExit as stop:  # our commands return; only what completes a line for a shell ends so
        if isinstance(stop.code, int) and any(name.endswith("_COMPLETE") for name in os.environ):
            return stop.code
        raise RuntimeError(f"the run was ended with {stop.code!r} before it was done") from stop
    return status if isinstance(status, int) else 0


def _tell(error: BaseException) -> int:
    """Say on standard error what went wrong, and how to put it right if the reader can."""
    if "RocconfError" in {kind.__name__ for kind in type(error).__mro__}:  # by name: this very import may have failed
        _say(str(error))
    elif hasattr(error, "format_message"):  # a usage error of click
        context = getattr(error, "ctx", None)
        _say(error.format_message() + (f" (see '{context.command_path} --help')" if context else ""))
    elif type(error).__name__ == "Abort":
        return INTERRUPTED
    else:
        if "--debug" in sys.argv:
            import traceback

            traceback.print_exception(error)
        _say(f"internal error: {type(error).__name__}: {error} (a fault of rocconf; --debug shows where)")
    return CANNOT_RUN


def _say(message: str) -> None:
    try:
        sys.stderr.write(f"rocconf: {message}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody listens, and the status still tells


def _leave(status: int) -> None:
    """Exit without a word about a pipe that was closed, and without waiting for threads."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _say(f"standard output: {error.strerror}")
        status = CANNOT_RUN
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    program()
