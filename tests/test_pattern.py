"""A pattern is what re.compile returns, once it is used."""

import re

from rocconf.pattern import pattern


def test_a_pattern_is_compiled_when_it_is_used():
    found = pattern("(A+)b", re.IGNORECASE)
    assert found.fullmatch("aaB")[1] == "aa"
    assert (found.pattern, found.flags) == (
        re.compile("(A+)b", re.IGNORECASE).pattern,
        re.compile("(A+)b", re.IGNORECASE).flags,
    )
    assert found.sub("x", "ab") == "x"
