"""Work on several processors: numpy and polars let other threads run while they compute."""

from __future__ import annotations

import os
from collections import deque
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from numpy.typing import NDArray

Made = TypeVar("Made")

MANY = 1 << 20
"""The values from which on two threads sort faster than one."""

MOST = 4
"""The most threads that have work: between its calls of numpy only one of them runs."""


def in_turn(calls: Iterable[Callable[[], Made]]) -> Iterator[Made]:
    """Yield what some calls return, in their order; on several processors the next ones run meanwhile."""
    calls, threads = iter(calls), processors()
    first = list(islice(calls, 2))
    if len(first) < 2 or threads == 1:
        yield from (call() for call in chain(first, calls))
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    coming: deque[Future[Made]] = deque()
    try:
        for call in chain(first, calls):
            coming.append(pool.submit(call))
            if len(coming) > threads:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def sort(values: NDArray[Any]) -> None:
    """Sort values in place, many of them in two halves on two processors."""
    if len(values) < MANY or processors() == 1:
        values.sort()
        return
    middle = len(values) // 2
    values.partition(middle)
    for _ in in_turn(half.sort for half in (values[:middle], values[middle:])):
        pass


def processors() -> int:
    """Return the number of processors that this process may use, or MOST of them."""
    allowed = getattr(os, "sched_getaffinity", None)
    return min(len(allowed(0)) if allowed else os.cpu_count() or 1, MOST)
