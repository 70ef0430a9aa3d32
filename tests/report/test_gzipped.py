"""A compressed file is one that gzip reads, and its bytes do not depend on the machine."""

import gzip
import io

import pytest

from rocconf.report import gzipped
from rocconf.report.gzipped import BLOCK, GzipWriter


def packed(pieces):
    raw = io.BytesIO()
    with GzipWriter(raw) as stream:
        for piece in pieces:
            stream.write(piece)
    return raw.getvalue()


def content(length):
    return b"".join(b"%d," % (at * at) for at in range(length // 8))[:length]


@pytest.mark.parametrize("length", [0, 1, BLOCK - 1, BLOCK, 5 * BLOCK + 3])
def test_gzip_reads_what_was_written(length):
    whole = content(length)
    assert gzip.decompress(packed([whole])) == whole
    pieces = [whole[at : at + 700_001] for at in range(0, length, 700_001)]
    assert packed(pieces) == packed([whole])


def test_the_bytes_are_those_of_one_thread(monkeypatch):
    whole = content(9 * BLOCK)
    several = packed([whole])
    for threads in (1, 3):
        monkeypatch.setattr(gzipped, "threads", lambda threads=threads: threads)
        assert packed([whole]) == several


def test_a_full_disk_is_an_error_of_the_file():
    class Full(io.BytesIO):
        def write(self, content):
            if self.tell() > BLOCK // 100:
                raise OSError(28, "No space left on device")
            return super().write(content)

    stream = GzipWriter(Full())
    with pytest.raises(OSError, match="No space"):
        stream.write(content(40 * BLOCK))
