"""A quick dataclass does what the standard one does."""

import copy
import dataclasses
import inspect
import pickle
from functools import cached_property

import pytest

from rocconf.dataclass import dataclass as quick


def nothing():
    return ()


BOTH = {}
for kind, dataclass in {"quick": quick, "standard": dataclasses.dataclass}.items():

    @dataclass(frozen=True, slots=True)
    class Frozen:
        """A record."""

        a: int
        b: str = "b"
        c: list = dataclasses.field(default_factory=list)
        d: int = dataclasses.field(default=4, kw_only=True)
        e: object = dataclasses.field(default=None, compare=False, repr=False)

    @dataclass(frozen=True)
    class Checked:
        """A record that checks itself."""

        a: int

        def __post_init__(self):
            if self.a < 0:
                raise ValueError("negative")

        @cached_property
        def twice(self):
            """Is kept."""
            return 2 * self.a

    @dataclass(frozen=True)
    class More(Checked):
        """A record with more fields."""

        b: int = 2

    @dataclass
    class Open:
        """A record that can be changed."""

        a: int
        made: list = dataclasses.field(default_factory=lambda: [1], init=False)

    @dataclass(frozen=True, slots=True, eq=False, repr=False)
    class Alone:
        """A record that equals itself only."""

        a: int

    @dataclass(frozen=True, slots=True)
    class Own:
        """A record with methods of its own."""

        a: int

        def __repr__(self):
            return "own"

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 7

    @dataclass(slots=True)
    class Empty:
        """A record without fields."""

    BOTH[kind] = {made.__name__: made for made in (Frozen, Checked, More, Open, Alone, Own, Empty)}


def outcome(do, records):
    """Return what something returns, or the type of its error and, but for the words of Python, its message."""
    try:
        return do(**records)
    except Exception as error:  # noqa: BLE001  # any must be the same
        return type(error), str(error)


DONE = [
    lambda Frozen, **_: repr(Frozen(1)),
    lambda Frozen, **_: repr(Frozen(1, "x", [2], d=5, e=6)),
    lambda Frozen, **_: Frozen(1) == Frozen(1, e=9),
    lambda Frozen, **_: Frozen(1) != Frozen(1, d=9),
    lambda Frozen, **_: Frozen(1) == (1, "b", [], 4),
    lambda Frozen, **_: Frozen(1).c is not Frozen(1).c,
    lambda Frozen, **_: hash(Frozen(1, c=())) == hash(Frozen(1, c=(), e=3)),
    lambda Frozen, **_: hash(Frozen(1)),
    lambda Frozen, **_: setattr(Frozen(1), "a", 2),
    lambda Frozen, **_: delattr(Frozen(1), "a"),
    lambda Frozen, **_: Frozen(),
    lambda Frozen, **_: Frozen(1, 2, 3, 4, 5),
    lambda Frozen, **_: Frozen(1, z=1),
    lambda Frozen, **_: Frozen(1, a=1),
    lambda Frozen, **_: dataclasses.replace(Frozen(1), a=2).a,
    lambda Frozen, **_: dataclasses.asdict(Frozen(1)),
    lambda Frozen, **_: [field.name for field in dataclasses.fields(Frozen)],
    lambda Frozen, **_: hasattr(Frozen(1), "__dict__"),
    lambda Frozen, **_: repr(copy.copy(Frozen(1, c=[3]))),
    lambda Frozen, **_: repr(copy.deepcopy(Frozen(1, c=[3]))),
    lambda Frozen, **_: str(inspect.signature(Frozen)),
    lambda Frozen, **_: Frozen.__match_args__,
    lambda Checked, **_: Checked(-1),
    lambda Checked, **_: (Checked(3).twice, Checked(3) == Checked(3), {Checked(3): 1}[Checked(3)]),
    lambda Checked, **_: setattr(Checked(3), "z", 1),
    lambda More, **_: (repr(More(1)), More(1, 3).twice, More(-1)),
    lambda More, Checked, **_: (More(1) == Checked(1), isinstance(More(1), Checked)),
    lambda Open, **_: (repr(Open(1)), Open(1) == Open(1), Open(1).made is Open(1).made),
    lambda Open, **_: hash(Open(1)),
    lambda Open, **_: setattr(Open(1), "a", 2),
    lambda Open, **_: Open(1, [2]),
    lambda Alone, **_: (Alone(1) == Alone(1), repr(Alone(1)).partition(" at ")[0], len({Alone(1), Alone(1)})),
    lambda Own, **_: (repr(Own(1)), Own(1) == 3, hash(Own(1))),
    lambda Empty, **_: (repr(Empty()), Empty() == Empty(), Empty(1)),
]


@pytest.mark.parametrize("do", DONE, ids=range(len(DONE)))
def test_a_record_is_like_a_standard_one(do):
    assert outcome(do, BOTH["quick"]) == outcome(do, BOTH["standard"])


@quick(frozen=True, slots=True)
class Base:
    """A record at the top of a module, where pickle finds it."""

    a: int

    @property
    def title(self):
        return f"base {self.a}"


@quick(frozen=True, slots=True)
class Derived(Base):
    """A record with more."""

    b: int = 2

    @property
    def title(self):
        return f"derived {super().title}"


def test_super_works_in_a_class_with_slots():
    assert Derived(1).title == "derived base 1"


def test_a_record_is_pickled():
    assert pickle.loads(pickle.dumps(Derived(1, 3))) == Derived(1, 3)  # noqa: S301  # it is ours


def test_the_first_record_is_made_as_all_others_are():
    @quick(frozen=True, slots=True)
    class Late:
        """A record."""

        a: int

    assert (Late(1), Late(a=2), Late(3)) == (Late(1), Late(2), Late(a=3))
    assert Late.__init__.__qualname__.endswith("Late.__init__")


def test_a_subclass_that_is_no_dataclass_may_come_first():
    @quick(frozen=True)
    class Named:
        """A record."""

        a: int

    class Plain(Named):
        def __init__(self, a):
            super().__init__(a + 1)
            self.own = a

    assert (Plain(1).a, Plain(2).a, Plain(2).own, Named(5).a) == (2, 3, 2, 5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Plain(1).a = 3
