"""Write the parquet and Arrow files of the corpus: the same 24 cases by two writers, in the codecs and encodings they have.

It needs the group `bench` for pyarrow: `python fuzz/binary_corpus.py`.
"""

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

FOLDER = Path(__file__).parent / "corpus" / "parquet"
ARROW = FOLDER.parent / "arrow"
ROWS = range(24)
IDS = [f"case-{row:03d}" for row in ROWS]
LABELS = [(row * 7 + row // 5) % 3 == 0 for row in ROWS]
SCORES = [(row * 37 % 24) / 24 for row in ROWS]

CASES = {"id": IDS, "label": list(map(int, LABELS)), "score": SCORES}
DELTA = {"label": "DELTA_BINARY_PACKED"}
FORMS = {
    **{codec: {"compression": codec} for codec in ("snappy", "gzip", "brotli", "zstd", "lz4")},
    "snappy_v2": {"compression": "snappy", "data_page_version": "2.0"},
    "dictionary": {"write_statistics": True},
    "plain": {"use_dictionary": False},
    "groups": {"row_group_size": 10, "write_page_index": True, "store_schema": True},
    "delta": {
        "use_dictionary": False,
        "data_page_version": "2.0",
        "column_encoding": {**DELTA, "id": "DELTA_BYTE_ARRAY", "score": "BYTE_STREAM_SPLIT"},
    },
    "delta_length": {
        "compression": "zstd",
        "use_dictionary": False,
        "column_encoding": {**DELTA, "id": "DELTA_LENGTH_BYTE_ARRAY", "score": "PLAIN"},
    },
}
OTHER_TYPES = {
    "label": LABELS,
    "score": pa.array(SCORES, pa.float32()),
    "id": pa.array(IDS).dictionary_encode(),
    "lists": [[1]] * len(ROWS),
    "structs": [{"a": row} for row in ROWS],
}


def main() -> None:
    """Write all files."""
    small = {"compression": "none", "write_statistics": False, "store_schema": False}
    for name, form in FORMS.items():
        pq.write_table(pa.table(CASES), FOLDER / f"{name}.parquet", **{**small, **form})
    pq.write_table(pa.table(OTHER_TYPES), FOLDER / "types.parquet", **{**small, "store_schema": True})
    pl.DataFrame(CASES).write_parquet(FOLDER / "polars.parquet", compression="uncompressed")
    pl.DataFrame(CASES).write_parquet(FOLDER / "polars_zstd.parquet", statistics=False)
    for codec in ("uncompressed", "lz4", "zstd"):
        pl.DataFrame(CASES).write_ipc(ARROW / f"{codec}.arrow", compression=codec)
    pl.DataFrame(CASES).write_ipc_stream(ARROW / "stream.arrow")
    feather.write_feather(pa.table(OTHER_TYPES), ARROW / "types.arrow", compression="uncompressed", chunksize=10)


if __name__ == "__main__":
    main()
