"""Computes the digests of files on a thread while they are read: a processor without instructions for SHA-256 takes long."""

from __future__ import annotations

from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Digests:
    """Computes digests, one after the other, beside other work; as a context it lets the thread end."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], str], Future[str]] | None] = SimpleQueue()
        self._thread: Thread | None = None

    def begin(self, compute: Callable[[], str]) -> Callable[[], str]:
        """Compute a digest some time from now, and return a function that waits for it."""
        found: Future[str] = Future()
        self._waiting.put((compute, found))
        if self._thread is None:
            self._thread = Thread(target=self._work, daemon=True)  # an error ends the program at once
            self._thread.start()
        return found.result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._waiting.put(None)

    def _work(self) -> None:
        while waiting := self._waiting.get():
            compute, found = waiting
            try:
                found.set_result(compute())
            except BaseException as error:  # noqa: BLE001  # whoever asks for the digest gets it
                found.set_exception(error)
