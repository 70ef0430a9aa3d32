"""The error of a bad file names the file, the line, what was found and what was expected."""

import csv

import pytest
from bad_bytes import BAD_BYTES
from bad_files import BAD

from rocconf.errors import InputError
from rocconf.read import Input, Wanted, find_input, read_table
from rocconf.read.delimited import careful


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(file, options):
    with pytest.raises(InputError) as caught:
        read_table(find_input(str(file)), Wanted(**options))
    return str(caught.value)


@pytest.mark.thorough
@pytest.mark.parametrize("bad", [*BAD, *BAD_BYTES], ids=str)
def test_a_bad_file_is_an_error_in_these_words(bad, tmp_path):
    content = bad.content if isinstance(bad.content, bytes) else bad.content.encode()
    (tmp_path / bad.file).write_bytes(content)
    message = refused(bad.file, bad.options)
    if bad.message.endswith("("):  # the rest is an engine's own words
        assert message.startswith(f"{bad.file}: {bad.message}")
    else:
        assert message == f"{bad.file}: {bad.message}"


def test_blank_lines_above_the_header_are_read_at_once(monkeypatch):
    limits = []
    monkeypatch.setattr(csv, "field_size_limit", lambda limit: limits.append(limit) or limit)
    for content in (b"\n" * 1000 + b"label,score\n1,0.9\n0,0.1\n", b"label,score\n1,x\n" + b"\n" * 20_000 + b"0,0.1\n"):
        limits.clear()
        source = Input("scores.csv", None, content)
        assert careful.read_header(source, ",") == ["label", "score"]
        assert len(careful.read_sample(source, ",")) == 2
        assert len(limits) < 60


def test_a_fault_of_the_header_is_on_its_line_below_blank_ones():
    for content, line in ((b'\n\n\n"label"x,score\n', 4), (b'\n\n"label,score\n1,0.9\n', 3), (b"\n\n\xff,score\n", 3)):
        with pytest.raises(InputError, match=f"^scores.csv: line {line}: "):
            careful.read_header(Input("scores.csv", None, content), ",")
