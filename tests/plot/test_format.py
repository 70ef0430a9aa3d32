"""Numbers and names in a figure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plot_cases import painted, sweeps, words

from rocconf import chi2_contours, sensibility, sweep, tango
from rocconf.plot import KINDS
from rocconf.plot import format as fmt
from rocconf.plot.format import MINUS


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.6, "0.6"),
        (0.08695652, "0.087"),
        (0.999987, "0.999987"),
        (1 + 2e-16, "1"),
        (0.0, "0"),
        (-3.25, f"{MINUS}3.25"),
        (1234.5678, "1235"),
        (1e300, "1e+300"),
        (-6e-18, f"{MINUS}6e{MINUS}18"),
        (float("inf"), "∞"),
        (float("-inf"), f"{MINUS}∞"),
    ],
)
def test_a_threshold_is_short_and_is_not_mistaken_for_one(value, text):
    assert fmt.compact(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.47, 0.471), ("0.470", "0.471")),
        ((0.25, 12, -3.5), ("0.25", "12.00", f"{MINUS}3.50")),
        ((0.99999681, 0.99999682, 0.99999681), ("0.99999681", "0.99999682", "0.99999681")),
        ((0.2, 0.2), ("0.2", "0.2")),
        ((0.2, 3e-7), ("0.2", f"3e{MINUS}07")),
        ((0.2, float("inf")), ("0.2", "∞")),
        ((), ()),
    ],
)
def test_aligned_numbers_have_as_many_decimals(values, texts):
    assert fmt.aligned(values) == texts


@given(st.lists(st.floats(allow_nan=False).map(lambda x: x + 0.0), min_size=1, max_size=6, unique=True))
def test_different_thresholds_have_different_texts(values):
    assert len(set(fmt.distinct(values))) == len(values)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.000"), (0.0, "0.000"), (0.99996, "0.99996"), (0.0001, "0.0001"), (0.84, "0.840")],
)
def test_an_area_is_called_1_only_if_it_is(value, text):
    assert fmt.share(value) == text


def test_a_long_name_keeps_its_ends():
    name = fmt.name("gradient_boosting_with_all_the_features_of_2024_and_more")
    assert len(name) == 40
    assert name.startswith("gradient_boosting_wi")
    assert name.endswith("2024_and_more")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("sweep", "roc"),
        ("sweep", "pr"),
        ("sweep", "det"),
        *(("tango", kind) for kind in KINDS["tango"]),
        ("chi2-contours", "contours"),
        ("sensibility", "sensibility"),
    ],
)
def test_long_names_are_different_in_every_figure(command, kind):
    called = {f"a very long model name number {k} with spaces (v1.0, 2024)": np.linspace(0, 1, 10) for k in range(4)}
    counts = [each.counts for each in sweeps([1, 0] * 5, **called)]
    results = [
        {"sweep": sweep, "tango": tango, "chi2-contours": chi2_contours, "sensibility": sensibility}[command](each)
        for each in counts
    ]
    written = words(painted(results, kind))
    assert [f"ber {k}" in written for k in range(4)] == [True] * 4


def test_a_name_stays_on_one_line():
    assert fmt.name("first\nsecond") == "first second"


def test_cases_are_counted_if_all_models_have_the_same():
    same = sweeps([1, 0, 0], a=[3, 2, 1], b=[1, 2, 3])
    assert fmt.cases([each.counts for each in same]) == "3 cases: 1 positive, 2 negative"
    other = sweeps([1, 0], a=[2, 1])
    assert fmt.cases([each.counts for each in same + other]) == ""


def test_an_interval_is_named_by_its_method_and_level():
    (plain,), (perfect,) = sweeps([1, 1, 0, 0], s=[4, 2, 3, 1]), sweeps([1, 0], s=[1, 0])
    assert fmt.auc_method(plain.auc) == "robust, 95%"
    assert fmt.auc_method(sweep(plain.counts, interval="delong").auc) == "DeLong, 95%"
    assert fmt.auc_method(perfect.auc) == "Newcombe, 95%"
    assert fmt.auc_with_interval(perfect.auc).startswith("1.000 [")
    assert fmt.percent(0.999) == "99.9%"
    assert fmt.percent(np.float64(0.9)) == "90%"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.2, 0.153), ("0.200", "0.153")),
        ((0.0024, 0.0004), ("0.0024", "0.0004")),
        ((0.0, 0.0), ("0.000", "0.000")),
        ((), ()),
    ],
)
def test_shares_have_as_many_decimals(values, texts):
    assert fmt.shares(values) == texts
