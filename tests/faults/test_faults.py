"""What `make faults` takes for a broken promise, and what it does not."""

import pytest
from faults import OLDER, OUTPUTS, Ended, Fault, breaches, tries

WHOLE = {file: f"new {file}".encode() for files in OUTPUTS.values() for file in files}
NEW = {file: WHOLE[file] if file in OUTPUTS["fails"] else OLDER for file in WHOLE}
OLD = dict.fromkeys(WHOLE, OLDER)
FIRST = OUTPUTS["fails"][0]


@pytest.mark.parametrize(
    ("status", "files", "more"),
    [
        (1, NEW, {}),
        (2, OLD, {}),
        (143, OLD, {}),
        (143, NEW, {}),
        (130, OLD | {FIRST: WHOLE[FIRST]}, {}),
        (137, OLD | {f".{FIRST}.rocconf-0123abcd.tmp": b""}, {"killed": True}),
        (2, OLD, {"err": "rocconf: internal error: MemoryError: (a fault of rocconf; --debug shows where)"}),
    ],
)
def test_a_promise_is_kept(status, files, more):
    assert breaches("fails", Fault("any"), Ended(status, b"", more.pop("err", ""), files, **more), WHOLE) == []


@pytest.mark.parametrize(
    ("status", "files", "said", "more"),
    [
        (0, NEW, "status 0 instead of 1", {}),
        (3, NEW, "status 3 instead of 1", {}),
        (1, OLD | {FIRST: WHOLE[FIRST]}, "are new", {}),
        (4, OLD, "outside the contract", {}),
        (2, OLD | {FIRST: b"ne"}, "neither older nor whole", {}),
        (2, {file: OLDER for file in WHOLE if file != FIRST}, "neither older nor whole", {}),
        (2, OLD | {OUTPUTS["passes"][0]: b""}, "neither older nor whole", {}),
        (143, OLD | {f".{FIRST}.rocconf-0123abcd.tmp": b""}, "left behind", {}),
        (137, OLD | {".tmp-0123abcd": b""}, "left behind", {"killed": True}),
        (2, OLD, "a traceback", {"err": "Traceback (most recent call last):"}),
        (2, OLD, "a traceback", {"err": "rocconf: internal error: KeyError: 'auc'"}),
        (2, OLD, "an answer", {"out": b"model"}),
    ],
)
def test_a_broken_promise_is_detected(status, files, said, more):
    ended = Ended(status, more.pop("out", b""), more.pop("err", ""), files, **more)
    assert said in "; ".join(breaches("fails", Fault("any"), ended, WHOLE))


def test_a_fault_that_must_change_nothing_is_held_to_it():
    assert breaches("fails", Fault("clock", same=True), Ended(1, b"", "", NEW), WHOLE) == []
    assert breaches("fails", Fault("clock", same=True), Ended(2, b"", "", OLD), WHOLE) != []


def test_the_same_seed_tries_the_same():
    first, again, other = ([(name, fault.name, fault.limit) for name, fault in tries(60, s, 1)] for s in (1, 1, 2))
    assert len(first) == 60
    assert first == again != other
