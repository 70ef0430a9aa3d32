"""The entry point: run the command line, and exit with the status of the outcome, also after a crash or a signal."""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys

TYPE_CHECKING = False  # typing itself takes long to import, and a failure to import it could not be reported here
if TYPE_CHECKING:
    from typing import Any, NoReturn

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGXCPU", "SIGUSR1", "SIGUSR2", "SIGBREAK")
"""The signals that ask a run to end: from a terminal, a system that shuts down, a scheduler, or a limit of time."""

CANNOT_RUN = 2
INTERRUPTED = 130

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""The parameters of glibc's mallopt: how much free memory, and how large an array, is given back to the system."""

COMPLETE = "_ROCCONF_COMPLETE"
"""The variable of a shell that completes a line."""


def _exit_at_signals() -> None:
    """Exit with 128 + its number at a signal that asks to; one that is ignored, as by nohup, stays ignored.

    An exception, as Python raises it for SIGINT, could be taken for a failed import or swallowed by a library.
    """
    numbers = [getattr(signal, name, None) for name in SIGNALS]  # Windows has three of them: SIGBREAK is Ctrl-Break
    try:
        for number in numbers:
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda received, _: _exit(128 + received))
    except ValueError:
        return  # imported in a thread, where no signal arrives


def _exit(status: int) -> NoReturn:
    """End the process after the functions registered with atexit, which remove temporary files.

    Python would also destroy every module and array, which takes a tenth of a small run.
    """
    try:
        atexit._run_exitfuncs()  # noqa: SLF001  # os._exit skips them, and no public name runs them
    finally:
        os._exit(status)


_exit_at_signals()  # before anything else is imported


def program() -> NoReturn:
    """Run `main` and end the process at once."""
    status: object = CANNOT_RUN
    try:
        _exit_of_libraries_is_a_crash()
        _let_nobody_read_errors()
        _keep_freed_memory()
        main()
    except SystemExit as stop:
        status = stop.code
    finally:
        _exit(status if isinstance(status, int) else CANNOT_RUN)


class _Unread(io.FileIO):
    """A file of messages that is written if somebody reads it: `2>&1 | head -1` changes no status."""

    def write(self, data: Any) -> int:
        """Write bytes, or drop them."""
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


def _let_nobody_read_errors() -> None:
    """Let standard error fail without consequences: a closed pipe or a full disk is not the fault of the answer."""
    if sys.stderr is not None and not sys.stderr.closed:
        try:
            raw = _Unread(sys.stderr.fileno(), "wb", closefd=False)
        except OSError:
            return
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), sys.stderr.encoding, "backslashreplace", line_buffering=True
        )


def _exit_of_libraries_is_a_crash() -> None:
    """Let the C function `exit`, with whatever status, end the process with 2: ours ends by `_exit`.

    OpenBLAS calls exit(1) if memory is short, which is the status of a failed rule.
    """
    try:
        import ctypes

        c = ctypes.CDLL(None)
        c["__cxa_atexit"](c["_exit"], ctypes.c_void_p(CANNOT_RUN), None)
    except (ImportError, OSError, TypeError, AttributeError):
        pass  # no POSIX


def _keep_freed_memory() -> None:
    """Let memory that is freed serve again: arrays of some MB come and go, and each page of new memory takes time."""
    try:
        import ctypes

        c = ctypes.CDLL(None)
        c.mallopt(TRIM_THRESHOLD, 1 << 28)
        c.mallopt(MMAP_THRESHOLD, 1 << 25)
    except (ImportError, OSError, TypeError, AttributeError):
        pass  # not glibc


def main() -> None:
    """Run the command line and exit: 0 answered, 1 and 3 a gate's verdict, 2 could not run, 130 interrupted."""
    try:
        status = _run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BaseException as error:  # noqa: BLE001  # Python would end a crash with status 1, which is a failed gate
        status = _report(error)
    _leave(status)


def _run() -> int:
    if sys.stderr is None:  # closed, as by 2>&-: only the status is left
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # open until the process ends; pathlib is slow to import
    if sys.stdout is None:  # closed, as by >&-: the next file that is opened would take its place
        _say("standard output is closed")
        return CANNOT_RUN
    import gc

    gc.disable()  # a run is short and makes few cycles; collecting takes a tenth of a small run
    # numpy's BLAS starts a thread for every core when it is loaded, which can take as long as numpy itself. Nothing
    # here gains from them, and one thread gives the same sums on every machine
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rocconf.cli import app, complete

    if len(sys.argv) == 1 and COMPLETE in os.environ:
        return complete()
    os.environ.pop(COMPLETE, None)  # a run with arguments is not for a shell, whatever it says
    try:
        status = app(prog_name="rocconf", standalone_mode=False)
    except SystemExit as stop:  # our commands return
        raise RuntimeError(f"the run was ended with {stop.code!r} before it was done") from stop
    return status if isinstance(status, int) else 0


def _report(error: BaseException) -> int:
    """Write an error on standard error, and return the exit status."""
    if "RocconfError" in {kind.__name__ for kind in type(error).__mro__}:  # by name: its import may have failed
        _say(error.text("shell"))  # type: ignore[attr-defined]  # a RocconfError has it
    elif hasattr(error, "format_message"):  # a usage error of click
        context = getattr(error, "ctx", None)
        _say(error.format_message() + (f" (see '{context.command_path} --help')" if context else ""))
    elif type(error).__name__ == "Abort":
        return INTERRUPTED
    else:
        if "--debug" in sys.argv:
            import traceback

            traceback.print_exception(error)
        text = [] if "--no-examples" in sys.argv else [":", *str(error).split()]
        reason = " ".join([type(error).__name__, *text]).replace(" :", ":", 1)
        _say(f"internal error: {reason} (a fault of rocconf; --debug shows where)")
    return CANNOT_RUN


def _say(message: str) -> None:
    try:
        from rocconf.visible import visible_lines

        message = visible_lines(message)
    except Exception:  # noqa: BLE001  # it may be the message of an import that failed
        message = ascii(message)
    try:
        sys.stderr.write(f"rocconf: {message}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # only the status is left


def _leave(status: int) -> None:
    """Exit; a closed pipe is no error, any other failure to write is."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if not _is_closed_pipe(error):
            _say(f"standard output: {error.strerror}")
            status = CANNOT_RUN
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def _is_closed_pipe(error: OSError) -> bool:
    from rocconf.errors import is_closed_pipe

    return is_closed_pipe(error)


if __name__ == "__main__":
    program()
