"""Digests that are computed beside other work."""

import threading
from hashlib import sha256

import pytest

from rocconf.read import Digests, Wanted, count_files, find_input


def test_a_digest_is_that_of_the_bytes_and_the_thread_ends(tmp_path):
    names = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    for at, name in enumerate(names):
        (tmp_path / name).write_text(f"label,score\n1,0.7\n0,0.{at}\n")
    with Digests() as digests:
        (counts,) = count_files(list(map(find_input, names)), Wanted(label="label"), digests=digests)
    found = [source.digest() for source in counts.whole.sources]
    assert found == [sha256((tmp_path / name).read_bytes()).hexdigest() for name in names]
    for thread in set(threading.enumerate()) - {threading.main_thread()}:
        if thread.name.endswith("(_work)"):
            thread.join(10)
            assert not thread.is_alive()


def test_an_error_is_raised_to_whoever_asks():
    def fail():
        raise OSError("gone")

    with Digests() as digests:
        first, second = digests.begin(fail), digests.begin(lambda: "found")
    assert second() == "found"
    with pytest.raises(OSError, match="gone"):
        first()
