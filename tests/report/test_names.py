"""Names that are cut: short enough, and never alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rocconf.report.names import shortened

LONG = [f"a very long model name number {k} with spaces (v1.0, 2024)" for k in range(12)]


@given(
    st.lists(st.text("ab 漢", max_size=60), min_size=1, max_size=8, unique=True),
    st.integers(8, 50),
    st.sampled_from([len, cell_len]),
)
def test_names_are_short_enough_and_never_alike(names, longest, width):
    texts = shortened(names, longest, width)
    assert max(map(width, texts)) <= longest
    assert len(set(texts)) == len(names)


@pytest.mark.parametrize("longest", [12, 20, 40])
def test_names_that_differ_in_the_middle_show_where(longest):
    texts = shortened(LONG, longest)
    assert all(f" {k} " in text for k, text in enumerate(texts))
    assert not any(text.endswith(")") for text in texts)  # no number was needed


def test_short_names_are_as_they_are():
    assert shortened(["svm", "random forest"], 20) == ("svm", "random forest")


def test_a_name_alone_in_its_cut_keeps_its_ends():
    texts = shortened([*LONG, "gradient_boosting_with_all_the_features_of_2024_and_more"], 40)
    assert texts[-1] == "gradient_boosting_wi…es_of_2024_and_more"


def test_names_that_differ_in_places_far_apart_are_numbered():
    texts = shortened(["x" * 30 + ends + "z" * 30 for ends in ("a" * 40, "b" * 39 + "a", "b" * 40)], 12)
    assert [text[-4:] for text in texts] == [" (1)", " (2)", " (3)"]
