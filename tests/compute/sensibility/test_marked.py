"""Parts of a class as bits: drawn fairly, and each decision is that of all scores."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.sensibility import drift
from rocconf.compute.sensibility.marked import BitClass, marked
from rocconf.compute.sensibility.relabel import Part
from rocconf.records import ScoreCounts


def flags_of(words, n):
    return np.array([int(words[at // 64]) >> at % 64 & 1 for at in range(n)])


def words_of(flags):
    words = [0] * -(-len(flags) // 64)
    for at, flag in enumerate(flags):
        words[at // 64] |= int(flag) << at % 64
    return np.array(words, dtype=np.uint64)


@st.composite
def classes(draw):
    """Return the cases of each score, the probabilities of the scores, and which cases are in the first set."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    cases = rng.integers(1, draw(st.sampled_from([2, 4, 200])), draw(st.integers(1, 300)))
    probabilities = np.sort(rng.random(len(cases)).round(draw(st.sampled_from([1, 3, 17]))))[::-1]
    return cases, probabilities, rng.random(cases.sum()) < draw(st.floats(0, 1))


def both_parts(cases, probabilities, flags):
    """Return the part by its scores and the part by its bits."""
    cumulated = np.append(0, cases.cumsum()).astype(float)
    of_scores = np.append(0, flags.cumsum())[cumulated.astype(int)].astype(float)
    whole = BitClass.of(cumulated, probabilities)
    by_scores = Part(whole, of_scores, float(np.diff(of_scores) @ probabilities))  # whose class has the same totals
    return by_scores, whole.part(words_of(flags))


@examples(300)
@given(classes(), st.floats(0.01, 3), st.floats(0.01, 3), st.floats(-2, 2), st.data())
def test_a_distance_is_reached_as_by_all_scores(found, one, other, less, data):
    by_scores, by_bits = both_parts(*found)
    last = len(found[0])
    start = data.draw(st.integers(0, last))
    run = slice(start, data.draw(st.integers(start + 1, last + 1)))
    weights = np.array([one, other])
    furthest = by_scores.furthest(weights, less, run)
    for least in (furthest - 1e-9 * max(1, abs(furthest)), furthest - one - other, -5.0):
        assert by_bits.reaches(least, weights, less, run)
    for least in (furthest + 1e-9 * max(1, abs(furthest)), furthest + 0.4 * min(one, other), furthest + 99):
        assert not by_bits.reaches(least, weights, less, run)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("start", [0, 1, 7, 20, 90, 220])
def test_an_extreme_between_two_rows_is_found(turned, start):
    flags = (np.arange(256) % 64 < 32) != turned  # after each 64 cases the bridge is where it was, and 16 away between
    by_scores, by_bits = both_parts(np.ones(256, dtype=int), np.linspace(1, 0, 256), flags)
    weights, run = np.array([0.5, 0.5]), slice(start, None)
    furthest = by_scores.furthest(weights, 0, run)
    assert furthest == 16
    assert by_bits.reaches(16, weights, 0, run)
    assert not by_bits.reaches(16 + 1e-9, weights, 0, run)


@given(classes())
def test_sizes_and_sums_are_those_of_the_cases(found):
    cases, probabilities, flags = found
    by_scores, by_bits = both_parts(*found)
    assert by_bits.sizes.tolist() == [flags.sum(), len(flags) - flags.sum()]
    of_cases = np.repeat(probabilities, cases)
    assert by_bits.probability_sums == pytest.approx([of_cases[flags].sum(), of_cases[~flags].sum()], abs=1e-9)
    ends = np.array([len(cases) // 2, len(cases)])
    assert by_bits.above(ends).tolist() == by_scores.above(ends).tolist()


@given(st.integers(1, 500), st.floats(0, 1), st.integers(0, 2**32))
def test_as_many_are_marked_as_were_asked_for(n, share, seed):
    size = round(share * n)
    words = marked(n, size, np.random.default_rng(seed))
    assert sum(int(word).bit_count() for word in words) == flags_of(words, n).sum() == size


@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_choice_is_equally_likely(size):
    rng, draws, choices = np.random.default_rng(size), 6000, {1: 5, 2: 10, 4: 5}[size]
    seen = Counter(int(marked(5, size, rng)[0]) for _ in range(draws))
    assert len(seen) == choices
    expected = draws / choices
    assert all(times == pytest.approx(expected, abs=4.5 * sqrt(expected)) for times in seen.values())


@pytest.mark.parametrize("size", [100, 400, 777])
def test_no_place_is_preferred(size):
    """As without replacement: the share of each place, and the covariance of two."""
    n, draws, rng = 1000, 2000, np.random.default_rng(size)
    flags = np.array([np.unpackbits(marked(n, size, rng).view(np.uint8), bitorder="little")[:n] for _ in range(draws)])
    share = size / n
    assert np.abs(flags.mean(axis=0) - share).max() < 4.8 * sqrt(share * (1 - share) / draws)
    halves = flags[:, : n // 2].sum(axis=1)
    variance = size * (1 - share) * n / (4 * (n - 1))
    assert halves.var() == pytest.approx(variance, rel=4.5 * sqrt(2 / draws))
    assert halves.mean() == pytest.approx(size / 2, abs=4.5 * sqrt(variance / draws))


@pytest.mark.parametrize(
    "midpoint", ["half", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("fixed", 0.4))]
)
def test_the_p_values_are_those_of_drawing_scores(monkeypatch, midpoint):
    rng = np.random.default_rng(3)
    sets = []
    for skill in (1.0, 1.4):
        labels = rng.random(400) < 0.3
        scores = np.sort((1 / (1 + np.exp(-rng.normal(size=400) - skill * labels))).round(2))[::-1]
        edges = np.unique(scores)[::-1]
        at = np.searchsorted(-edges, -scores)
        sets.append(ScoreCounts.of(edges, np.bincount(at, labels), np.bincount(at, ~labels)))
    found = []
    for many in (10**9, 1):
        monkeypatch.setattr("rocconf.compute.sensibility.relabel.MANY_CASES", many)
        found.append([each.p for each in drift(*sets, midpoint=midpoint, permutations=800, seed=5).statistics])
    assert found[0] != found[1]
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, abs=4.5 * sqrt(2 * max(one * (1 - one), 1e-3) / 800))
