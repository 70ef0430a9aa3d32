"""A file means what it says, to the last bit, however oddly it is written."""

import io
import os
import sys
import threading

import numpy as np
import pytest
from good_files import GOOD, TEXT

from rocconf.read import Wanted, find_input, read_predictions, read_table


def written(good, folder):
    path = folder / good.file
    path.write_bytes(good.content if isinstance(good.content, bytes) else good.content.encode())
    return path


@pytest.mark.parametrize("good", GOOD, ids=str)
def test_a_good_file_means_what_it_says(good, tmp_path):
    cases = read_table(find_input(str(written(good, tmp_path))), Wanted(**good.options))
    assert cases.labels.tolist() == [label == "1" for label in good.labels]
    assert list(cases.scores) == list(good.scores)
    for name, scores in good.scores.items():
        assert cases.scores[name].tobytes() == np.array(scores, dtype=np.float64).tobytes()
    assert (None if cases.ids is None else cases.ids.tolist()) == good.ids
    assert cases.sources[0].dropped == good.dropped
    assert len(cases.sources[0].caveats) == (good.dropped > 0)


def test_the_source_says_what_was_read(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("label,score\nill,0.9\nwell,0.1\nwell,\nwell,0.3\n")
    cases = read_predictions(path, positive="ill", na="drop", lower_is_positive=True)
    (source,) = cases.sources
    assert (source.name, source.n, source.positives, source.negatives) == (str(path), 3, 1, 2)
    assert (source.positive, source.dropped) == ("ill", 1)
    assert source.caveats[0].text() == f"{path}: 1 row without a value was left out, 3 are left"
    assert cases.lower_is_positive


def test_the_digest_is_that_of_the_bytes_as_they_are_stored(tmp_path):
    import gzip
    import hashlib

    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    (source,) = read_predictions(path).sources
    assert source.digest() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_records_cannot_be_written_to(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TEXT)
    cases = read_predictions(path)
    with pytest.raises(ValueError, match="read-only"):
        cases.labels[0] = False
    with pytest.raises(ValueError, match="read-only"):
        cases.scores["score"][0] = 1


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    cases = read_predictions("-")
    assert cases.scores["score"].tolist() == [0.9, 0.1]
    assert cases.sources[0].name == "-"
    assert find_input(os.devnull).size == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_named_pipe_is_read(suffix, tmp_path):
    import gzip

    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    content = gzip.compress(TEXT.encode()) if suffix == ".csv.gz" else TEXT.encode()
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    cases = read_predictions(path)
    writer.join()
    assert cases.scores["score"].tolist() == [0.9, 0.1]


def test_a_small_file_loads_no_engine(tmp_path):
    import subprocess

    path = tmp_path / "scores.csv"
    path.write_text("label,score\n" + "".join(f"{row % 2},{row / 7}\n" for row in range(10_000)))
    script = (
        "import sys; from rocconf.read import read_predictions; "
        f"assert len(read_predictions({str(path)!r})) == 10_000; "
        "sys.exit(bool({'polars', 'pandas', 'zstandard', 'gzip', 'scipy'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_csv_module_is_left_as_it_was(tmp_path):
    import csv

    path = tmp_path / "scores.csv"
    path.write_text(f"label,note,score\n1,{'x' * 200_000},0.9\n0,y,0.1\n")
    before = csv.field_size_limit(1000)
    try:
        read_predictions(path)
        assert csv.field_size_limit() == 1000
    finally:
        csv.field_size_limit(before)
