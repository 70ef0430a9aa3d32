"""How often intervals of rates reach a limit: published enumerations, and a sum over all samples by the gate's intervals."""

import json
from math import comb

import numpy as np
import pytest
from conftest import REFERENCE

from rocconf.compute.stats.plan import least_hits, paired_reaches, rate_reaches
from rocconf.compute.stats.shares import PairedShares, Share

POWER = json.loads((REFERENCE / "power.json").read_text())
KINDS = ("robust", "delong")


@pytest.mark.parametrize("row", POWER["tango"], ids=lambda row: f"n={row['n']}")
def test_the_enumerations_of_tango_are_the_references(row):
    def reaches(more, less, limit):
        return paired_reaches(row["n"], row[more], row[less], limit, level=row["level"], kind="delong")

    assert reaches("p_b", "p_c", -row["margin"]) == pytest.approx(row["power_non_inferior"], abs=1e-11)
    excluded = reaches("p_b", "p_c", 0.0) + reaches("p_c", "p_b", 0.0)
    assert excluded == pytest.approx(row["power_zero_excluded"], abs=1e-11)


@pytest.mark.parametrize("row", POWER["wilson"], ids=lambda row: f"n={row['n']}")
def test_the_sums_of_wilson_are_the_references(row):
    n = np.array([row["n"]])
    assert least_hits(n, row["limit"], level=0.95, kind="delong").tolist() == [row["least_k"]]
    found = rate_reaches(n, row["p"], row["limit"], level=0.95, kind="delong")
    assert found[0] == pytest.approx(row["power_wilson_lower_ge_limit"], abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("rate", "limit", "level"), [(0.9, 0.8, 0.95), (0.3, 0.2, 0.9), (0.05, 0.04, 0.99), (1.0, 0.9, 0.95)]
)
def test_the_share_of_a_rate_is_the_sum_over_all_samples(rate, limit, level, kind):
    sizes = (1, 2, 9, 28, 29, 61)
    slow = [
        sum(
            comb(n, k) * rate**k * (1 - rate) ** (n - k)
            for k in range(n + 1)
            if Share(k, n, kind).interval(level).lower >= limit
        )
        for n in sizes
    ]
    found = rate_reaches(np.array(sizes), rate, limit, level=level, kind=kind)
    assert found == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n", "more", "less", "limit"),
    [(1, 0.3, 0.2, -0.5), (9, 0.25, 0.1, -0.1), (17, 0.05, 0.05, -0.2), (24, 0.5, 0.5, -0.3), (24, 0.4, 0.1, 0.05)],
)
def test_the_share_of_a_paired_difference_is_the_sum_over_all_samples(n, more, less, limit, kind):
    slow = sum(
        comb(n, b) * comb(n - b, c) * more**b * less**c * (1 - more - less) ** (n - b - c)
        for b in range(n + 1)
        for c in range(n - b + 1)
        if PairedShares(b, c, n, kind).interval(0.9).lower >= limit
    )
    assert paired_reaches(n, more, less, limit, level=0.9, kind=kind) == pytest.approx(slow, abs=1e-12)


def test_a_limit_that_no_sample_reaches_is_never_reached():
    assert rate_reaches(np.array([5, 28]), 0.99, 0.9, level=0.95, kind="robust").tolist() == [0, 0]
    assert paired_reaches(3, 0.1, 0.1, -0.01, level=0.95, kind="robust") == 0


def test_certain_differences_are_added_up_too():
    assert paired_reaches(50, 1.0, 0.0, 0.5, level=0.95, kind="robust") == pytest.approx(1)
    assert paired_reaches(50, 0.0, 0.0, -0.2, level=0.95, kind="delong") == 1
