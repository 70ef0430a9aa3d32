"""A session of a Spark Connect server. Its queries end with this process, whatever ends it but SIGKILL.

The client is pyspark-client, which needs no JVM, and the server runs SQL only: its workers need no Python. Queries run
in a thread of their own, so that a signal is handled while they run, and carry a tag by which they are interrupted.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import warnings
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from rocconf.errors import InputError, RocconfError, UsageError
from rocconf.examples import example
from rocconf.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

INSTALL = "pip install 'rocconf[spark]'"
PORT = 15002
LONGEST_GOODBYE = 3.0
"""Seconds that the server has to take an interrupt; nobody waits longer for a server that is gone."""

FIRST_RETRIES: dict[str, Any] = {"max_retries": 2, "initial_backoff": 100, "max_backoff": 400}
RETRIES: dict[str, Any] = {"max_retries": 5, "initial_backoff": 200, "max_backoff": 3000}
"""How a lost connection is tried again, in milliseconds: for about seven seconds."""

CONFUSING = ("MASTER", "SPARK_REMOTE", "SPARK_LOCAL_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_API_MODE")
"""Variables of other uses of Spark, some of which keep the client from connecting where it is told to."""

LOGGERS = ("pyspark.sql.connect.logging", "SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""What writes the errors of the server on standard error, as traces."""

OURS = "rocconf"
"""How the tags of our queries begin."""

LONGEST_REASON = 300
STACK = re.compile(r"\n\s*(at [\w.$]+\(|JVM stacktrace|== SQL|'?[A-Z]\w+ \[|Driver stacktrace)")
"""Where the words of the server end, and traces, plans and queries begin."""

DETAILS = re.compile(r'\bdetails = "(.+?)"\n|\bdetails = "(.+?)" debug', re.DOTALL)
"""Where an error of gRPC has the words of whoever failed."""

STATE = re.compile(r"\.? *SQLSTATE: \w{5}\b.*|; line \d+ pos \d+.*", re.DOTALL)
FILE = re.compile(r"(?:CSV file|file path|[Ff]ile):? ((?:[a-z][a-z0-9]*:/|/)[^\s,;]+)")


class Connection:
    """A session of a server."""

    def __init__(self, remote: str) -> None:
        self.name = _shown(remote)
        self._tag = f"{OURS}-{uuid4()}"
        self._session, later = _session(remote, self.name)
        self._is_open = True
        self._running: Thread | None = None
        atexit.register(self.close)
        self.version: str = self._checked(lambda: self._session.version)
        self._session.client.set_retry_policies([later])

    def query(self, sql: str, *, about: str) -> Any:
        """Return the result of a query as an Arrow table."""
        return self._checked(lambda: self._session.sql(sql).toArrow(), about=about)

    def columns(self, relation: Callable[[Any], Any], *, about: str) -> dict[str, str]:
        """Return the columns of a relation with their types; nothing of it is read but what describes it."""
        kinds: dict[str, str] = self._checked(lambda: dict(relation(self._session).dtypes), about=about)
        return kinds

    def view(self, name: str, relation: Callable[[Any], Any], *, about: str) -> None:
        """Name a relation for the queries of this session."""
        self._checked(lambda: relation(self._session).createOrReplaceTempView(name), about=about)

    def send(self, name: str, columns: Mapping[str, Sequence[float]], *, about: str) -> None:
        """Name a small table of numbers for the queries of this session."""
        import pyarrow as pa

        self.view(name, lambda session: session.createDataFrame(pa.table(dict(columns))), about=about)

    def close(self) -> None:
        """Interrupt what runs, and end the session; a server that does not answer is left."""
        if not self._is_open:
            return
        self._is_open = False
        atexit.unregister(self.close)
        last = Thread(target=self._leave, daemon=True)
        last.start()
        last.join(LONGEST_GOODBYE)
        self._session.client.close = lambda: None  # its finalizer may wait for ever for a lock while Python ends

    def _leave(self) -> None:
        try:
            if self._running is not None and self._running.is_alive():
                self._session.interruptTag(self._tag)
            self._session.client.release_session()
            self._session.client.close()
        except Exception:  # noqa: BLE001, S110  # the run has ended, and has said why
            pass

    def _checked(self, work: Callable[[], Any], *, about: str | None = None) -> Any:
        """Return the result of work on the server, which is done in a thread; say what failed as an error of ours."""
        outcome: list[Any] = []
        failure: list[BaseException] = []

        def run() -> None:
            try:
                self._session.addTag(self._tag)  # of this thread
                outcome.append(work())
            except BaseException as error:  # noqa: BLE001  # raised in the thread that waits
                failure.append(error)

        self._running = Thread(target=run, daemon=True)
        self._running.start()
        self._running.join()
        if failure:
            raise self._as_error(failure[0], about) from None
        return outcome[0]

    def _as_error(self, error: BaseException, about: str | None) -> BaseException:
        """Return what the server refused as an error of ours, without traces; anything else as it is."""
        if not type(error).__module__.startswith(("pyspark.", "grpc")):
            return error
        if "SSL_ERROR" in str(error):
            return InputError(self.name, [message("spark-tls", reason=reason(error))])
        if is_gone(error):
            return InputError(self.name, [message("spark-gone", reason=reason(error))])
        code = str(error.getGrpcStatusCode() or "") if hasattr(error, "getGrpcStatusCode") else ""
        if "UNAUTHENTICATED" in code or "PERMISSION_DENIED" in code:
            return InputError(self.name, [message("spark-refused", reason=reason(error), remote=self.name)])
        return _error_of(error, about or self.name)


def _session(remote: str, name: str) -> tuple[Any, Any]:
    """Return a session of the client, whose own logs and variables are switched off, and how it tries again later."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # it writes its own lines on standard error
    hidden = {each: os.environ.pop(each) for each in CONFUSING if each in os.environ}
    try:
        warnings.filterwarnings(
            "ignore", module=r"pyspark\."
        )  # they are for developers; also from threads of the client
        with warnings.catch_warnings(action="ignore"):
            try:
                from pyspark.sql.connect.client import DefaultChannelBuilder
                from pyspark.sql.connect.client.retries import DefaultPolicy
                from pyspark.sql.connect.session import SparkSession
            except ImportError as error:
                raise UsageError("spark-missing", command=INSTALL, reason=str(error).partition("\n")[0]) from None
            for logger in LOGGERS:
                logging.getLogger(logger).disabled = True
            try:
                session = SparkSession(connection=DefaultChannelBuilder(remote), userId=OURS)
            except Exception:  # noqa: BLE001  # whatever it finds wrong with the address
                raise UsageError("remote-form", found=name) from None
            session.client.set_retry_policies([DefaultPolicy(**FIRST_RETRIES)])
            return session, DefaultPolicy(**RETRIES)
    finally:
        os.environ.update(hidden)


def _shown(remote: str) -> str:
    """Return the address of a server without the token that may be part of it."""
    parts = urlsplit(remote if remote.startswith("sc://") else "")
    try:
        port = parts.port or PORT
    except ValueError:
        port = None
    if not parts.hostname or port is None or ";" in parts.netloc or parts.path.partition(";")[0] not in ("", "/"):
        raise UsageError("remote-form", found=remote.partition(";")[0])
    return f"sc://{parts.hostname}:{port}"


def is_gone(error: BaseException) -> bool:
    """Return whether the server does not answer, or is another than the one that was asked before."""
    code = error.getGrpcStatusCode() if hasattr(error, "getGrpcStatusCode") else None
    code = error.code() if code is None and hasattr(error, "code") else code
    text = str(error)
    return "UNAVAILABLE" in str(code) or "INVALID_HANDLE.SESSION" in text or "SESSION_CHANGED" in text


def reason(error: BaseException) -> str:
    """Return the words of an error: no trace, no plan, no query."""
    found = DETAILS.search(str(error))
    text = STACK.split((found[1] or found[2] if found else str(error)).strip())[0]
    text = STATE.sub("", text)
    text = re.sub(r"^\(?[\w.]*(Exception|Error):?\)? *", "", text)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}..."


def _error_of(error: BaseException, about: str) -> RocconfError:
    """Return the error of a query: the file that it names, or else what was asked for."""
    condition = str(error.getCondition() or "") if hasattr(error, "getCondition") else ""
    given = (error.getMessageParameters() or {}) if hasattr(error, "getMessageParameters") else {}
    words = reason(error)
    file = given.get("path") or _found(FILE, str(error))
    known: dict[str, Message] = {
        "TABLE_OR_VIEW_NOT_FOUND": message("spark-no-table"),
        "PATH_NOT_FOUND": message("spark-no-files"),
        "UNABLE_TO_INFER_SCHEMA": message("spark-no-files"),
    }
    fault = known.get(condition.partition(".")[0])
    if fault is not None:
        return InputError(plain_path(given.get("path") or about), [fault])
    if condition.startswith("FAILED_READ_FILE") or file:
        return InputError(plain_path(file or about), [message("spark-unreadable", reason=str(example(words)))])
    return InputError(about, [message("spark-failed", reason=str(example(words)))])


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None


def plain_path(file: str) -> str:
    """Return a file of this or another machine's disk as a path; any other as the address it is."""
    is_local = file.startswith("file:/")
    return "/" + unquote(file.removeprefix("file:").lstrip("/")) if is_local else file
