"""Flags as bits: each function says what a loop over the flags says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocconf.bits import are_set, bits_of, flags_of, odd_so_far, set_before, set_before_words


@given(st.lists(st.booleans(), max_size=300))
def test_bits_say_what_flags_say(flags):
    bits = bits_of(np.array(flags, dtype=bool))
    assert flags_of(bits, len(flags)).tolist() == flags
    assert len(bits) == -(-len(flags) // 64)
    places = np.arange(len(flags))
    assert are_set(places, bits).tolist() == flags
    assert set_before(places, bits, set_before_words(bits)).tolist() == [sum(flags[:at]) for at in places]
    assert set_before_words(bits)[-1] == sum(flags)
    assert are_set(places, odd_so_far(bits)).tolist() == [sum(flags[: at + 1]) % 2 == 1 for at in places]
