"""Numbers in digits are read to the last bit, as Python reads them, or left."""

import struct
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

from rocconf.read.delimited import decimals
from rocconf.read.delimited.decimals import MARGIN, parse_decimals


def parsed(texts):
    """Return the numbers that are read among other characters, and which are left."""
    text = bytes(MARGIN) + "".join(f"{text},9" for text in texts).encode() + bytes(MARGIN)
    sizes = np.array([len(text.encode()) for text in texts])
    starts = MARGIN + np.cumsum(sizes + 2) - sizes - 2
    numbers, left = parse_decimals(np.frombuffer(text, dtype=np.uint8), starts, starts + sizes)
    return numbers, left


def require_right(texts):
    numbers, left = parsed(texts)
    for text, number, is_left in zip(texts, numbers.tolist(), left.tolist(), strict=True):
        assert is_left or struct.pack("<d", number) == struct.pack("<d", float(text)), text
    return left


FLOATS = st.floats(allow_nan=False, allow_infinity=False).map(repr)
DECIMALS = st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{1,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True)
SHARES = st.builds(
    "{}0.{}{}".format,
    st.sampled_from(["", "-", "+"]),
    st.from_regex(r"[0-9]{0,24}", fullmatch=True),
    st.sampled_from(["", "", "e-03", "E-19"]),
)


@examples(200)
@given(st.lists(st.one_of(FLOATS, DECIMALS, SHARES), min_size=1, max_size=40))
@example(["1e-00", "1.5e-01", "-0", "-0.0", ".5", "5.", "00.5", "0." + "0" * 22, "99999999", "999999999"])
def test_a_number_is_right_or_left(texts):
    require_right(texts)


def test_a_number_near_the_middle_of_two_floats_is_right_or_left():
    random = np.random.default_rng(7)
    texts = []
    for share in random.random(2000).tolist():
        (bits,) = struct.unpack("<q", struct.pack("<d", share))
        below, above = (Fraction(struct.unpack("<d", struct.pack("<q", each))[0]) for each in (bits, bits + 1))
        middle = (below + above) / 2
        for digits in (16, 17, 18, 19, 20, 21):
            context = Context(prec=digits, Emin=-10_000, Emax=10_000)
            texts.append(f"{context.divide(Decimal(middle.numerator), Decimal(middle.denominator)):f}")
    require_right(texts)


@pytest.mark.parametrize("block", [1, 7, 1 << 14])
def test_numbers_as_programs_write_them_are_not_left(block, monkeypatch):
    monkeypatch.setattr(decimals, "BLOCK", block)
    random = np.random.default_rng(1)
    shares, logits = random.random(3000), random.normal(0, 4, 3000)
    for texts in (
        list(map(repr, shares.tolist())),
        list(map(repr, logits.tolist())),
        [f"{value:.6f}" for value in shares],
        [f"{value:.3e}" for value in shares / 1000 + 1e-7],
        [str(int(value * 1e6)) for value in shares],
    ):
        assert require_right(texts).mean() < 0.02


NOT_NUMBERS = [
    *(
        "",
        "+",
        "-",
        ".",
        "+.",
        "-.",
        "e",
        "e-05",
        "-e-05",
        ".e-05",
        "1e",
        "1e-",
        "1e-5",
        "1e-x5",
        "e5",
        "1..2",
        "1.2.3",
        "1,5",
    ),
    *(
        "1 ",
        " 1",
        "1_0",
        "0x1",
        "nan",
        "inf",
        "-inf",
        "+-1",
        "--1",
        "1-",
        "1+",
        "1/2",
        "1:2",
        "²",
        "x",
        "0.1234567x",
        "x.12345678",
    ),
    *(
        "0.12345678901234567x",
        "0.x2345678901234567",
        "1234567x",
        "12345678x",
        "/",
        ":",
        "0./",
        "0.:",
        "\x01",
        "1.0e-1:",
    ),
]


def test_what_is_no_number_is_left():
    assert parsed(NOT_NUMBERS)[1].all()


@examples(200)
@given(st.lists(st.text("0123456789.+-eE /:x\x7f\xff", max_size=26), min_size=1, max_size=30))
def test_any_characters_are_right_or_left(texts):
    numbers, left = parsed(texts)
    for text, number, is_left in zip(texts, numbers.tolist(), left.tolist(), strict=True):
        assert is_left or number == float(text), text
