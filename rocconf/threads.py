"""Work on several processors: numpy and polars let other threads run while they compute.

Between its calls of numpy only one thread runs, so threads that make many short calls wait for each other.
"""

from __future__ import annotations

import os
from collections import deque
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from numpy.typing import NDArray

Given = TypeVar("Given")
Made = TypeVar("Made")

TOGETHER = 8
"""How many small things, like a cacheful of numbers, one thread works on at a time."""

MANY = 1 << 20
"""The values from which on two threads sort faster than one."""

MOST = 4
"""The most threads that have work."""


def ahead(calls: Iterable[Callable[[], Made]]) -> Iterator[Made]:
    """Yield what some calls return, in their order, each made while the result of the one before is used."""
    return _in_turn(calls, processors() - 1)


def mapped(work: Callable[[Given], Made], things: Iterable[Given], *, together: int = TOGETHER) -> Iterator[Made]:
    """Yield what some work makes of each of many things, in their order; each processor takes some of them together."""
    things = iter(things)
    groups = iter(lambda: list(islice(things, together)), [])
    for made in _in_turn((partial(_of_each, work, group) for group in groups), processors()):
        yield from made


def both(one: Callable[[], Given], other: Callable[[], Made]) -> tuple[Given, Made]:
    """Return what two calls return, made at the same time."""
    first, second = _in_turn((one, other), 2)
    return first, second  # type: ignore[return-value]  # each is of its own kind


def _of_each(work: Callable[[Given], Made], group: list[Given]) -> list[Made]:
    return [work(each) for each in group]


def sort(values: NDArray[Any]) -> None:
    """Sort values in place, many of them in two halves on two processors."""
    if len(values) < MANY or processors() == 1:
        values.sort()
        return
    middle = len(values) // 2
    values.partition(middle)
    halves = (values[:middle].sort, values[middle:].sort)
    deque(_in_turn(halves, 2), maxlen=0)


def _in_turn(calls: Iterable[Callable[[], Made]], threads: int) -> Iterator[Made]:
    """Yield what some calls return, in their order; threads make some of them ahead, unless there is one call only."""
    calls = iter(calls)
    first = deque(islice(calls, 2))
    all_calls = chain((first.popleft() for _ in range(len(first))), calls)  # none is kept that was made
    if len(first) < 2 or threads < 1 or processors() == 1:
        yield from (call() for call in all_calls)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    coming: deque[Future[Made]] = deque()
    try:
        for call in all_calls:
            coming.append(pool.submit(call))
            if len(coming) > threads:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def processors() -> int:
    """Return the number of processors that this process may use, or MOST of them."""
    allowed = getattr(os, "sched_getaffinity", None)
    return min(len(allowed(0)) if allowed else os.cpu_count() or 1, MOST)
