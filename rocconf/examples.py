"""Examples from the data in messages, the cells and ids of single cases, and how to leave them out."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    Anything = TypeVar("Anything")

NOT_SHOWN = "(not shown)"

_hides_examples: ContextVar[bool] = ContextVar("hides_examples", default=False)


@contextmanager
def without_examples(*, hidden: bool = True) -> Iterator[None]:
    """Keep cells and ids of the data out of the messages that are made in this block; numbers of cases stay.

    Examples
    --------
    >>> import rocconf
    >>> with rocconf.without_examples():
    ...     try:
    ...         rocconf.count([1, 0], [0.9, "Jane Roe"])
    ...     except rocconf.InputError as error:
    ...         print(error)
    arrays: row 1: score (not shown) is not a number
    """
    before = _hides_examples.set(hidden)
    try:
        yield
    finally:
        _hides_examples.reset(before)


def hides_examples() -> bool:
    """Whether messages are to quote no cells and ids."""
    return _hides_examples.get()


def example(value: Anything) -> Anything | Hidden:
    """Return a cell or an id for a message, or what is shown in its place."""
    return Hidden() if _hides_examples.get() else value


class Hidden:
    """What messages show in place of an example."""

    def __repr__(self) -> str:
        return NOT_SHOWN

    def __format__(self, form: str) -> str:
        return NOT_SHOWN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden)

    def __hash__(self) -> int:
        return hash(NOT_SHOWN)
