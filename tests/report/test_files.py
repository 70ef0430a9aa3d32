"""A file is replaced whole or not at all."""

import errno
import os
import re
import stat

import pytest

from rocconf.errors import RocconfError
from rocconf.report import replacing, writable


def names_in(directory):
    return [path.name for path in directory.iterdir()]


def test_the_new_file_replaces_the_old(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("old")
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert names_in(tmp_path) == ["rows.csv"]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path, fault):
    path = tmp_path / "rows.csv"
    path.write_text("old")

    def half_written():
        with replacing(path) as temporary:
            temporary.write_text("ne")
            raise fault

    with pytest.raises(fault):
        half_written()
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["rows.csv"]


def test_the_content_is_on_disk_before_it_has_its_name(tmp_path, monkeypatch):
    path, synced = tmp_path / "rows.csv", []
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((os.fstat(file).st_ino, path.read_text())))
    with replacing(path) as temporary:
        temporary.write_text("new")
    assert synced == [(path.stat().st_ino, "old")]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_disk_that_is_full_only_when_content_reaches_it_keeps_the_older_file(tmp_path, monkeypatch, number):
    def fail(_):
        raise OSError(number, os.strerror(number))

    path = tmp_path / "rows.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RocconfError, match=os.strerror(number)), replacing(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["rows.csv"]


def test_a_file_system_that_cannot_sync_is_written_to(tmp_path, monkeypatch):
    def fail(_):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", fail)
    with replacing(tmp_path / "rows.csv") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "rows.csv").read_text() == "new"


@pytest.mark.parametrize(
    "name", ["rows.csv.gz", "out.junit.xml", "roc.png", "plain", "a" * 250 + ".csv", "\N{SNOWMAN}" * 80 + ".csv"]
)
def test_the_temporary_stands_beside_and_can_be_recognised(tmp_path, name):
    path = tmp_path / name
    with replacing(path) as temporary:
        assert temporary.parent == path.parent
        assert re.fullmatch(rf"\.{re.escape(name[:40])}\.rocconf-[0-9a-f]{{8}}\.tmp", temporary.name)
    assert names_in(tmp_path) == [name]


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("private")
    path.chmod(0o600)
    with replacing(path) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        temporary.write_text("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_the_umask_is_respected(tmp_path):
    old = os.umask(0o027)
    try:
        with replacing(tmp_path / "rows.csv"):
            pass
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "rows.csv").stat().st_mode) == 0o640


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path):
    target, link = tmp_path / "far" / "rows.csv", tmp_path / "rows.csv"
    target.parent.mkdir()
    target.write_text("old")
    link.symlink_to(target)
    with replacing(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(RocconfError, match=r"cannot be written: there is no directory '.*nowhere'"):
        replacing(tmp_path / "nowhere" / "rows.csv").__enter__()


def test_a_file_for_a_directory_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RocconfError, match=r"'.*file' is not a directory"):
        replacing(tmp_path / "file" / "rows.csv").__enter__()


def test_a_directory_is_not_replaced(tmp_path):
    (tmp_path / "rows.csv").mkdir()
    with pytest.raises(RocconfError, match="it is a directory"):
        replacing(tmp_path / "rows.csv").__enter__()


def test_a_pipe_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    with pytest.raises(RocconfError, match="it is a device or a pipe"):
        replacing(tmp_path / "rows.csv").__enter__()


def test_a_directory_without_permission_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)  # root may write anywhere, so the refusal is simulated
    with pytest.raises(RocconfError, match=r"the directory '.*' is not writable"):
        replacing(tmp_path / "rows.csv").__enter__()


def test_a_full_disk_is_named(tmp_path):
    def write_too_much():
        with replacing(tmp_path / "rows.csv"):
            raise OSError(28, "No space left on device")

    with pytest.raises(RocconfError, match=r"rows\.csv: cannot be written: No space left on device"):
        write_too_much()
    assert names_in(tmp_path) == []


def test_a_name_that_is_too_long_is_an_error(tmp_path):
    with pytest.raises(RocconfError, match=r"a\.csv: cannot be written: File name too long$"):
        writable(tmp_path / ("a" * 300 + ".csv"))
