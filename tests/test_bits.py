"""Flags as bits: each function says what a loop over the flags says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocconf.bits import bits_of, flags_of, odd_so_far


@given(st.lists(st.booleans(), max_size=300))
def test_bits_say_what_flags_say(flags):
    bits = bits_of(np.array(flags, dtype=bool))
    assert flags_of(bits, len(flags)).tolist() == flags
    assert len(bits) == -(-len(flags) // 64)
    odd = [sum(flags[: at + 1]) % 2 == 1 for at in range(len(flags))]
    assert flags_of(odd_so_far(bits), len(flags)).tolist() == odd
