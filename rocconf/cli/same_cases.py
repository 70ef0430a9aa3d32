"""Refuses cases that are used twice: files given twice, and thresholds chosen on cases that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from rocconf.read import Input
    from rocconf.records import ScoreCounts, Source


def refuse_copies(files: Sequence[Input]) -> None:
    """Refuse two files of the same content; only those of one size are read for it."""
    of_size: dict[int, list[tuple[Input, Callable[[], str]]]] = {}
    for file in files:
        digest = file.digest()
        if digest is not None:
            of_size.setdefault(file.size, []).append((file, digest))
    seen: dict[str, Input] = {}
    for file, digest in (each for same in of_size.values() if len(same) > 1 for each in same):
        other = seen.setdefault(digest(), file)
        if other is not file:
            raise UsageError("file-copied", one=other.name, other=file.name)


def is_same_file(one: Input, other: Input) -> bool:
    """Whether two inputs have the same content; objects, which have no digest, the same name."""
    digests = one.digest(), other.digest()
    if digests[0] is None or digests[1] is None:
        return one.name == other.name
    return one is other or (one.size == other.size and digests[0]() == digests[1]())


def refuse_counted_cases(choice: ScoreCounts, judged: ScoreCounts, file: str, *, judged_where: tuple[str, ...]) -> None:
    """Refuse thresholds chosen on files of cases that are judged, as counts files name the files that were counted."""
    if not any(source.counted for counts in (choice, judged) for source in counts.sources):
        return
    from rocconf.conditions import are_exclusive

    if any(each.is_of_others for counts in (choice, judged) for each in _of_cases(counts)):
        raise UsageError("choose-on-unnamed", file=file)
    seen: dict[str | None, list[tuple[str, ...]]] = {}
    for each in _of_cases(judged):
        seen.setdefault(each.identity, []).append(each.where or judged_where)
    for each in _of_cases(choice):
        if each.identity and any(not are_exclusive(each.where, where) for where in seen.get(each.identity, ())):
            raise UsageError("choose-on-judged-cases", file=file)


def require_same_positive(choice: ScoreCounts, judged: ScoreCounts, file: str, *, unnamed: Collection[str]) -> None:
    """Refuse thresholds chosen for the other class; counts whose file names none, which are `unnamed`, are taken as they are."""
    from rocconf.read import meaning

    found, expected = (
        {meaning(each.positive): each.positive for each in _of_cases(counts) if each.name not in unnamed}
        for counts in (choice, judged)
    )
    if found and expected and found.keys() != expected.keys():
        texts = {"found": ", ".join(found.values()), "expected": ", ".join(expected.values())}
        raise UsageError("choose-on-other-class", file=file, **texts)


def _of_cases(counts: ScoreCounts) -> list[Source]:
    return [each for source in counts.sources for each in source.of_cases]
