"""Sizes that cannot be drawn are refused before anything is read."""

import pytest

from rocconf.errors import UsageError
from rocconf.plot import Canvas


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0.5}, "a figure's width must be 3 to 100 inches, not 0.5"),
        ({"width": float("nan")}, "a figure's width must be 3 to 100 inches, not nan"),
        ({"height": 200}, "a figure's height must be 3 to 100 inches, not 200"),
        ({"dpi": 1}, "dpi must be 10 to 2400 dots per inch, not 1"),
        ({"width": 50, "height": 50, "dpi": 600}, "more than 100 million pixels; reduce dpi or size"),
    ],
)
def test_a_size_that_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Canvas(**options)


def test_the_shell_names_its_option():
    with pytest.raises(UsageError) as error:
        Canvas(dpi=1)
    assert error.value.text("shell").startswith("--dpi must be")
