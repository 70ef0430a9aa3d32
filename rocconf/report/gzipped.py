"""Compressed files, block by block on several threads: the same content is the same bytes, however many there are."""

from __future__ import annotations

import os
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from io import RawIOBase
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

    from typing_extensions import Buffer

HEAD = bytes.fromhex("1f8b08000000000004ff")
"""A gzip file without a name and a time, compressed fast, on any system."""

LEVEL = 1
"""Numbers hardly compress: level 6 takes four times as long and saves a seventh."""

BLOCK = 1 << 20
MOST_THREADS = 4


class GzipWriter(RawIOBase):
    """Writes a gzip file to an open binary file, which stays open."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._pool: ThreadPoolExecutor | None = None
        self._blocks: deque[Future[bytes]] = deque()
        self._waiting = bytearray()
        self._sum, self._length = zlib.crc32(b""), 0
        raw.write(HEAD)

    def writable(self) -> bool:
        """Say that this is a file to write to."""
        return True

    def write(self, content: Buffer, /) -> int:
        """Compress some content, and write what is compressed so far."""
        added = bytes(content)
        self._sum, self._length = zlib.crc32(added, self._sum), self._length + len(added)
        self._waiting += added
        while len(self._waiting) >= BLOCK:
            self._pool = self._pool or ThreadPoolExecutor(threads())
            self._blocks.append(self._pool.submit(_compressed, bytes(self._waiting[:BLOCK])))
            del self._waiting[:BLOCK]
            if len(self._blocks) > 2 * threads():
                self._raw.write(self._blocks.popleft().result())
        return len(added)

    def close(self) -> None:
        """Write the rest."""
        if self.closed:
            return
        try:
            while self._blocks:
                self._raw.write(self._blocks.popleft().result())
            self._raw.write(_compressed(bytes(self._waiting), zlib.Z_FINISH))
            self._raw.write(self._sum.to_bytes(4, "little") + (self._length % 2**32).to_bytes(4, "little"))
        finally:
            if self._pool:
                self._pool.shutdown(cancel_futures=True)
            super().close()


def threads() -> int:
    """Return how many blocks are compressed at once."""
    return min(MOST_THREADS, os.cpu_count() or 1)


def _compressed(block: bytes, flush: int = zlib.Z_FULL_FLUSH) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(block) + packer.flush(flush)
