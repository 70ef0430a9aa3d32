"""The error of a bad file names the file, the line, what was found and what was expected."""

import pytest
from bad_files import BAD

from rocconf.errors import InputError
from rocconf.read import Wanted, find_input, read_table


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(file, options):
    with pytest.raises(InputError) as caught:
        read_table(find_input(str(file)), Wanted(**options))
    return str(caught.value)


@pytest.mark.thorough
@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_bad_file_is_an_error_in_these_words(bad, tmp_path):
    content = bad.content if isinstance(bad.content, bytes) else bad.content.encode()
    (tmp_path / bad.file).write_bytes(content)
    message = refused(bad.file, bad.options)
    if bad.message.endswith("("):  # the rest is an engine's own words
        assert message.startswith(f"{bad.file}: {bad.message}")
    else:
        assert message == f"{bad.file}: {bad.message}"
