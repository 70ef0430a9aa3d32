"""Decompress zst and raise an error where a file is cut short, which zstandard's own stream does not."""

from __future__ import annotations

from io import RawIOBase
from typing import TYPE_CHECKING

import zstandard

if TYPE_CHECKING:
    from io import BufferedIOBase

    from _typeshed import WriteableBuffer

PIECE = 1 << 12
"""The bytes that are unpacked at a time: four of them may stand for 128 KiB."""


class Unpacked(RawIOBase):
    """The bytes of all frames of a zst file, one after the other."""

    def __init__(self, packed: BufferedIOBase) -> None:
        self._packed = packed
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._rest, self._ready = b"", memoryview(b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer and return how many bytes it got."""
        target = memoryview(buffer)
        while not self._ready:
            piece = self._rest or self._packed.read(PIECE)
            if not piece:
                break
            self._ready = memoryview(self._unpack(piece))
        if not self._ready and self._frame is not None:
            raise EOFError("it ends in the middle of a zst frame")
        size = min(len(target), len(self._ready))
        target[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        """Close the file too."""
        self._packed.close()
        super().close()

    def _unpack(self, piece: bytes) -> bytes:
        frame = self._frame if self._frame is not None else zstandard.ZstdDecompressor().decompressobj()
        try:
            unpacked = frame.decompress(piece)
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
        self._rest, self._frame = frame.unused_data, None if frame.eof else frame
        return unpacked
