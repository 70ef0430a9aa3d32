"""Files whose bytes are damaged, packed or encoded otherwise, and the message word for word."""

from __future__ import annotations

import gzip

import zstandard
from bad_files import GOOD, Bad

ENCODINGS = [
    Bad("UTF-16", GOOD.encode("utf-16"), "line 1: byte 0xff is not UTF-8 text; save the file as UTF-8"),
    Bad(
        "UTF-16 without a mark",
        GOOD.encode("utf-16-le"),
        "the header has zero bytes, as in UTF-16; save the file as UTF-8",
    ),
    Bad(
        "latin-1 in the header",
        "label,größe\n1,0.9\n".encode("latin-1"),
        "line 1: byte 0xf6 is not UTF-8 text; save the file as UTF-8",
    ),
    Bad(
        "latin-1 in a row",
        "label,score,note\n1,0.9,a\n0,0.1,Grün\n".encode("latin-1"),
        "line 3: byte 0xfc is not UTF-8 text; save the file as UTF-8",
    ),
    Bad(
        "latin-1 far below",
        ("label,score,note\n" + "1,0.9,a\n" * 30_000 + "0,0.1,Grün\n" + "1,0.9,a\n" * 30_000).encode("latin-1"),
        "line 30002: byte 0xfc is not UTF-8 text; save the file as UTF-8",
    ),
    Bad(
        "latin-1 close to another fault",
        "label,score,note\n1,x,a\n0,0.1,Grün\n".encode("latin-1"),
        "line 3: byte 0xfc is not UTF-8 text; save the file as UTF-8",
    ),
    Bad(
        "gz under another name",
        gzip.compress(GOOD.encode(), mtime=0),
        "line 1: this is not text but a gz file, whose name must end in .gz",
    ),
    Bad(
        "zst under another name",
        zstandard.compress(GOOD.encode()),
        "line 1: this is not text but a zst file, whose name must end in .zst",
    ),
]

PACKED = [
    Bad(
        "text named gz",
        GOOD,
        "line 1: from here on the file is damaged (Not a gzipped file (b'la'))",
        {},
        "scores.csv.gz",
    ),
    Bad("text named zst", GOOD, "line 1: from here on the file is damaged (", {}, "scores.csv.zst"),
    Bad(
        "gz cut short",
        gzip.compress(GOOD.encode(), mtime=0)[:-9],
        "line 4: from here on the file is damaged (Compressed file ended before the end-of-stream marker was reached)",
        {},
        "scores.csv.gz",
    ),
    Bad(
        "gz with a wrong sum",
        gzip.compress(GOOD.encode(), mtime=0)[:-8] + b"\0" * 8,
        "line 4: from here on the file is damaged (CRC check failed 0x0 != 0x37aaff18)",
        {},
        "scores.csv.gz",
    ),
    Bad(
        "gz with other bytes in the middle",
        gzip.compress(GOOD.encode(), mtime=0)[:10] + b"\x07" + gzip.compress(GOOD.encode(), mtime=0)[11:],
        "line 1: from here on the file is damaged (Error -3 while decompressing data: invalid block type)",
        {},
        "scores.csv.gz",
    ),
    Bad(
        "gz with something behind it",
        gzip.compress(GOOD.encode(), mtime=0) + b"more",
        "line 4: from here on the file is damaged (Not a gzipped file (b'mo'))",
        {},
        "scores.csv.gz",
    ),
    Bad(
        "zst cut short",
        zstandard.compress(GOOD.encode())[:-3],
        "line 3: from here on the file is damaged (it ends in the middle of a zst frame)",
        {},
        "scores.csv.zst",
    ),
    Bad(
        "zst cut short in its second frame",
        zstandard.compress(GOOD.encode()) + zstandard.compress(GOOD.encode())[:8],
        "line 4: from here on the file is damaged (it ends in the middle of a zst frame)",
        {},
        "scores.csv.zst",
    ),
    Bad(
        "zst with something behind it",
        zstandard.compress(GOOD.encode()) + b"more",
        "line 4: from here on the file is damaged (",
        {},
        "scores.csv.zst",
    ),
    Bad("an empty gz file", b"", "the file is empty; its first line must name the columns", {}, "scores.csv.gz"),
    Bad(
        "an empty zst file",
        b"",
        "the file is empty; its first line must name the columns",
        {},
        "scores.csv.zst",
    ),
    Bad("text named parquet", GOOD, "is not a parquet file (", {}, "scores.parquet"),
    Bad("an empty parquet file", "", "is not a parquet file (", {}, "scores.parquet"),
]


BAD_BYTES = [*ENCODINGS, *PACKED]
