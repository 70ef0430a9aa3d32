"""The seal of a report: the digest of what it says, which shows every change but one of form, and the mark of a key.

Whoever can write a file can compute a digest. Where a key is set, a report also has the HMAC of its digest, which nobody
without the key can compute, and reports without it are refused.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocconf.errors import RocconfError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCHEMA = 3
"""The version of the JSON keys, increased when a key is renamed or removed."""

EMBEDDED = '<script type="application/json" id="report">'
"""How the report begins in a page."""

DIGEST, MARK, UNSEALED = "digest", "hmac", "unsealed"
"""The keys of the digest, of the mark of a key, and of what the digest leaves out."""

ROWS = ["rows"]
"""All that a digest may leave out: rows of thresholds, of which there may be millions, and on which nothing rests."""

KEY = "ROCCONF_KEY"
"""The environment variable with a key."""

SEALED = ("sealed-with-key", "sealed-unchecked", "sealed-without-key")
"""How a report may be sealed, as codes of messages."""

SHORTEST_KEY, LONGEST_KEY = 16, 1 << 16
"""The least length of a key, which nobody guesses by trying, and how much of a file is read."""

LEAST_SIGNS = 6
"""How many different characters a key has at least."""

_key_of_run: ContextVar[bytes | None] = ContextVar("key_of_run", default=None)


@contextmanager
def keyed(path: str | Path | None) -> Iterator[None]:
    """Seal and check reports in this block with the key in a file; by default with that of the environment."""
    before = _key_of_run.set(key_in(path) if path is not None else key_of_environment())
    try:
        yield
    finally:
        _key_of_run.reset(before)


def key_in(path: str | Path) -> bytes:
    """Return the key in a file, without blanks around it."""
    if not path:
        raise UsageError("key-empty", where="the name of the file")
    try:
        with Path(path).open("rb") as stream:
            return _checked(stream.read(LONGEST_KEY), str(path))
    except OSError as error:
        raise UsageError("key-unreadable", path=path, reason=error.strerror or str(error)) from error


def key_of_environment() -> bytes | None:
    """Return the key of the environment; None if the variable is not set. An empty one is an unset secret of a pipeline."""
    found = os.environ.get(KEY)
    return None if found is None else _checked(os.fsencode(found), KEY)


def _checked(key: bytes, where: str) -> bytes:
    """Return a key without blanks around it; reject one that is empty, or so short or uniform that it can be guessed."""
    try:
        text = key.decode()
    except UnicodeDecodeError:  # random bytes
        found = key.strip()
        signs: Sequence[object] = found.replace(b"\0", b"")
    else:
        seen = [at for at, letter in enumerate(text) if letter.isprintable() and not letter.isspace()]
        found = text[seen[0] : seen[-1] + 1].encode() if seen else b""
        signs = [text[at] for at in seen]
    if not signs:
        raise UsageError("key-empty", where=where)
    if len(signs) < SHORTEST_KEY or len(set(signs)) < LEAST_SIGNS:
        raise UsageError("key-short", where=where, least=SHORTEST_KEY)
    return found


def _key() -> bytes | None:
    return _key_of_run.get() or key_of_environment()


def seal_of(report: Mapping[str, Any]) -> dict[str, str]:
    """Return the seal of a report: its digest, and the mark of the key if there is one."""
    digest, key = digest_of(report), _key()
    return {DIGEST: digest} if key is None else {DIGEST: digest, MARK: _mark(digest, key)}


def check_seal(report: Mapping[str, Any]) -> str:
    """Return how a report is sealed, as a code of messages; reject one that was changed or lacks the mark of the key."""
    digest, mark, key = digest_of(report), report.get(MARK), _key()
    if report.get(UNSEALED, ROWS) != ROWS or not _is_equal(report.get(DIGEST), digest):
        raise RocconfError("report-changed", command=str(report["schema"]).split("/")[1])
    if key is None:
        return SEALED[1 if mark is not None else 2]
    if not _is_equal(mark, _mark(digest, key)):
        raise RocconfError("report-other-key" if mark is not None else "report-without-key")
    return SEALED[0]


def _is_equal(found: object, wanted: str) -> bool:
    """Compare as keys are compared: how long it takes tells nothing of what is wanted."""
    from hmac import compare_digest

    return compare_digest(str(found).encode(errors="replace"), wanted.encode())


def _mark(digest: str, key: bytes) -> str:
    from hmac import new

    return new(key, f"rocconf report {digest}".encode(), "sha256").hexdigest()


def digest_of(report: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report in its canonical form.

    The keys are sorted, there is no white space, and numbers are equal if their values are: a report may be formatted
    anew. A number that is not finite raises ValueError.
    """
    import json  # only who writes or reads a report needs it
    from hashlib import sha256

    left_out = {DIGEST, MARK, *(ROWS if UNSEALED in report else ())}
    sealed = _canonical({key: value for key, value in report.items() if key not in left_out})
    return sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
