"""Dataclasses that are quick to declare: those of the standard library, but methods are made when they are needed.

The standard library compiles up to six methods of each class that is declared. That takes 0.3 ms, and all of them took a
fifth of a small run. Here the classes share their methods, and `__init__` is compiled when the first record is made, of
which most classes that are imported have none. Type checkers see the standard `dataclass`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING
from functools import cache
from operator import attrgetter

TYPE_CHECKING = False  # typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  # it is exported
    from inspect import Signature
    from typing import Any
else:

    def dataclass(cls: Any = None, /, *, frozen=False, slots=False, eq=True, repr=True) -> Any:  # noqa: ANN001, A002  # as it is there
        """Make a dataclass of a class."""

        def made(cls: Any) -> Any:
            found = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
            if slots:
                _let_super_work(found)
            if "__init__" not in found.__dict__:
                found.__init__, found.__signature__ = _first_init(found), _Signature()
            if repr:
                _add(found, __repr__=_repr)
            if eq:
                _add(found, __eq__=_eq)
                _add(found, __hash__=_hash if frozen else None)
            if frozen:
                _freeze(found)
            return found

        return made if cls is None else made(cls)


def _add(cls: Any, **methods: Any) -> None:
    """Add methods that a class does not have itself."""
    for name, method in methods.items():
        if cls.__dict__.get(name) is None:
            setattr(cls, name, method)


def _let_super_work(cls: Any) -> None:
    """Let `super()` know the class with slots, which is not the one that its methods were written in."""
    for member in vars(cls).values():
        function = getattr(member, "fget", getattr(member, "__func__", member))
        code = getattr(function, "__code__", None)
        if code is not None and "__class__" in code.co_freevars:  # all methods share this cell
            function.__closure__[code.co_freevars.index("__class__")].cell_contents = cls
            return


def _first_init(cls: Any) -> Callable[..., None]:
    """Return what makes the first record, and compiles what makes all others."""

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _init(cls)
        cls.__init__(self, *args, **kwargs)

    return first


class _Factory:
    """The default of a field whose value is made."""

    def __repr__(self) -> str:
        return "<factory>"


FACTORY = _Factory()


@cache
def _init(cls: Any) -> Callable[..., None]:
    """Return `__init__`, compiled."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_FACTORY": FACTORY}
    positional, keywords, body = ["self"], ["*"], []
    for field in dataclasses.fields(cls):
        name = value = field.name
        default = ""
        if field.default_factory is not MISSING:
            names[f"_new_{name}"], default = field.default_factory, "=_FACTORY"
            value = f"_new_{name}() if {name} is _FACTORY else {name}" if field.init else f"_new_{name}()"
        elif field.default is not MISSING:
            names[f"_default_{name}"], default = field.default, f"=_default_{name}"
        if field.init:
            (keywords if field.kw_only else positional).append(f"{name}{default}")
        if field.init or field.default_factory is not MISSING:
            body.append(f"_set(self, {name!r}, {value})")
    body += ["self.__post_init__()"] * hasattr(cls, "__post_init__")
    parameters = ", ".join(positional + keywords * (len(keywords) > 1))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102  # names of fields only
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {field.name: field.type for field in dataclasses.fields(cls)} | {"return": None}
    return init


class _Signature:
    """The signature of a class, for help and documents."""

    def __get__(self, record: Any, cls: Any) -> Signature:
        from inspect import signature

        found = signature(_init(cls))
        return found.replace(parameters=list(found.parameters.values())[1:])


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    """Return what returns the values that records are compared by."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda _: ()


def _eq(self: Any, other: object) -> Any:
    cls: Any = type(self)
    values = _compared(cls)
    return values(self) == values(other) if type(other) is cls else NotImplemented


def _hash(self: Any) -> int:
    cls: Any = type(self)
    return hash(_compared(cls)(self))


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _freeze(cls: Any) -> None:
    """Let no record be changed; pickle and copy make one by its state."""
    names = {field.name for field in dataclasses.fields(cls)}

    def set_(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    _add(cls, __setattr__=set_, __delattr__=delete, __getstate__=_state, __setstate__=_set_state)


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
