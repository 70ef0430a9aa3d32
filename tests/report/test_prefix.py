"""The prefix of [NAME:]FILE: a name, part of a path, or a typo."""

from pathlib import Path

import pytest

from rocconf.errors import UsageError
from rocconf.report import split_prefix

TABLES = ("rows", "operating_points")


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("rows:a.csv", "rows", "a.csv"),
        ("a.csv", None, "a.csv"),
        ("C:a.csv", None, "C:a.csv"),
        ("./odd:a.csv", None, "odd:a.csv"),
        ("a.b:c.csv", None, "a.b:c.csv"),
    ],
)
def test_a_known_name_is_split_off_and_a_path_is_whole(text, name, path):
    assert split_prefix(text, TABLES, "unknown-table") == (name, Path(path))


def test_a_typo_is_no_path():
    with pytest.raises(UsageError) as error:
        split_prefix("Operating_point:a.csv", TABLES, "unknown-table")
    assert error.value.text("shell") == (
        "-o Operating_point:a.csv: no table is called 'Operating_point'; did you mean 'operating_points'? "
        "(known: rows, operating_points; for a file of that name: ./Operating_point:a.csv)"
    )


def test_a_folder_with_a_colon_is_a_path(tmp_path, monkeypatch):
    (tmp_path / "run:1").mkdir()
    monkeypatch.chdir(tmp_path)
    assert split_prefix("run:1/a.csv", TABLES, "unknown-table") == (None, Path("run:1/a.csv"))
