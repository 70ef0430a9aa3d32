"""Shares and their differences: published intervals, the tests beside them, and references of clustered cases."""

import json

import numpy as np
import pytest
from conftest import REFERENCE
from scipy.stats import beta, chi2, chi2_contingency

from rocconf.compute.roc.cells import CellCases
from rocconf.compute.roc.metrics import RATES
from rocconf.compute.stats.design import Design
from rocconf.compute.stats.estimate import Size
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.shares import Dice, OtherCases, PairedShares, Share
from rocconf.records import DELONG

CLUSTERS = json.loads((REFERENCE / "clusters.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("counts", "level", "limits"),
    [
        ((12, 2, 50), 0.95, (0.061112406, 0.344708748)),  # solved to 50 digits from Tango's equation
        ((1, 7, 21), 0.95, (-0.517, -0.026)),  # Bentur et al., as Tango (1998) and others print it
        ((1, 0, 44), 0.90, (-0.037, 0.096)),  # Tango (1998), two methods of disinfecting lenses
    ],
)
def test_published_intervals_of_paired_rates(counts, level, limits):
    assert PairedShares(*counts, DELONG).interval(level).ends == pytest.approx(limits, abs=5.1e-4)


@pytest.mark.parametrize(("b", "c"), [(6, 1), (10, 3)])
def test_mcnemars_p_is_that_of_the_squared_statistic(b, c):
    assert PairedShares(b, c, 40, DELONG).p == pytest.approx(chi2.sf((b - c) ** 2 / (b + c), 1), rel=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "lower", "upper"),
    [  # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
    ],
)
def test_published_intervals_of_unpaired_rates(first, second, lower, upper):
    found = OtherCases(Share(*first, DELONG), Share(*second, DELONG))
    assert found.interval(0.95).ends == pytest.approx((lower, upper), abs=5.1e-5)


@pytest.mark.parametrize("a", [(3, 9), (9, 9), (20, 41)])
@pytest.mark.parametrize("b", [(5, 12), (12, 12)])
def test_the_unpaired_p_is_that_of_the_chi_square_of_the_table(a, b):
    found = OtherCases(Share(*a, DELONG), Share(*b, DELONG)).p
    table = [[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]
    is_certain = a[0] == a[1] and b[0] == b[1]
    assert found == (1 if is_certain else pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=1e-10))


def test_f1_has_the_exact_limits_of_the_share_of_tp_among_tp_fp_and_fn():
    share = beta.ppf(0.025, 6, 8), beta.ppf(0.975, 7, 7)
    assert Dice(Share(6, 13)).interval(0.95).ends == pytest.approx([2 * each / (1 + each) for each in share])
    assert RATES["f1"].estimate(CellCases.counted(6, 3, 10, 20)) == Dice(Share(6.0, 13.0))


@pytest.mark.parametrize("row", CLUSTERS["rates"], ids=lambda row: f"{row['rate']} at {row['threshold']}")
def test_the_effective_size_of_a_rate_is_that_of_the_reference(row):
    label = np.array(CLUSTERS["label"], dtype=bool)
    unit = np.unique(CLUSTERS["cluster"], return_inverse=True)[1]
    design = Design(label.astype(np.int8), unit=unit, units=unit.max() + 1)
    cells = CellCases(design, 2 * label + (np.array(CLUSTERS["A"]) >= row["threshold"]))
    found = RATES[row["rate"]].estimate(cells, DELONG)
    size = found.size.effective
    assert size == pytest.approx(row["n_eff"], rel=1e-12)
    if size <= found.cases:  # no more than the cases
        assert found.interval(0.95).ends == pytest.approx(row["wilson"], abs=1e-12)
    around = wilson(found.value * size, size)
    assert (around.lower, around.upper) == pytest.approx(row["wilson"], abs=1e-12)


@pytest.mark.parametrize("hits", [(170, 140), (150, 140)])
def test_p_on_other_clusters_is_that_of_the_interval(hits):
    size = Size(20.0, 20.0, 19.0, 20)
    found = OtherCases(*(Share(of, 200, DELONG, size) for of in hits))
    lower, upper = found.interval(1 - found.p).ends
    assert min(abs(lower), abs(upper)) < 1e-6
    assert found.p > 0.05
