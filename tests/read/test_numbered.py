"""Counting scores by their numbers: the same as sorting them, whatever the scores."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import ODD_SCORES, examples

from rocconf.bins import Dyadic
from rocconf.read import numbered, tally
from rocconf.read.tally import Tally

NEAR = [
    2.0**-64,
    np.nextafter(2.0**-64, 0),
    np.nextafter(0.5, 0),
    0.5,
    np.nextafter(0.5, 1),
    1 - 2.0**-53,
    1 - 2.0**-52,
    1.0,
]
FRACTIONS = st.one_of(
    st.floats(0, 1), st.sampled_from([0.0, -0.0, *NEAR]), st.integers(1, 2**13).map(lambda j: 1 - j * 2.0**-53)
)
ROUNDED = st.builds(lambda k, decimals: k / 10.0**decimals, st.integers(-3000, 3000), st.integers(0, 7))
ANY = st.one_of(st.sampled_from(ODD_SCORES), ROUNDED, st.floats(allow_nan=False))
PIECES = st.sampled_from([FRACTIONS, ROUNDED, ANY]).flatmap(
    lambda scores: st.lists(st.lists(st.tuples(st.booleans(), scores), min_size=1, max_size=30), min_size=1, max_size=4)
)


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """Count few scores by their numbers, a few at a time."""
    monkeypatch.setattr(tally, "FEWEST", 1)
    monkeypatch.setattr(numbered, "CHUNK", 5)
    monkeypatch.setattr(numbered, "SAMPLE", 2)


def tallied(pieces, binning, *, is_one_of_many):
    """Return what is counted of some pieces, as bytes, so that -0.0 is not 0.0."""
    tally = Tally(binning, is_one_of_many=is_one_of_many)
    for piece in pieces:
        labels, scores = zip(*piece, strict=True)
        tally.add_cases(np.array(labels), np.array(scores))
    ends, positives, negatives = tally.finish()
    return [column.tobytes() for column in (*ends, positives, negatives)]


@examples(150)
@given(PIECES, st.one_of(st.none(), st.integers(1, numbered.FINEST_TABLE).map(Dyadic)))
@example([[(True, 0.25)], [(False, 1e-5), (False, 0.25)], [(True, 1e5), (False, 0.123456)]], None)
@example([[(True, 0.5), (False, 0.25), (True, 0.125), (True, 1 / 3)], [(False, 0.5)]], None)
@example([[(True, 0.0), (True, 2.0**-70)], [(False, 0.0), (False, 1.0), (True, np.nextafter(1, 0))]], Dyadic(11))
def test_the_counts_are_those_of_sorted_scores(pieces, binning):
    assert tallied(pieces, binning, is_one_of_many=False) == tallied(pieces, binning, is_one_of_many=True)


@pytest.mark.parametrize("decimals", range(numbered.MOST_DECIMALS + 1))
def test_rounded_scores_are_counted_by_their_numbers(decimals):
    scores = np.arange(100) / 10.0**decimals
    found = numbered.Rounded()
    assert found.add(scores > scores[49], scores) == 100
    ends, positives, negatives = found.take()
    assert (ends.least.tolist(), positives.sum(), negatives.sum()) == (scores.tolist(), 50, 50)
    assert found.span == 0


@pytest.mark.parametrize("score", [1 / 3, 1e-7, 2e6, float(np.float32(0.1)), np.inf, -np.inf])
def test_other_scores_have_no_numbers(score):
    assert numbered.Rounded().add(np.array([True]), np.array([score])) == 0


def test_fractions_are_counted_by_their_cells():
    scores = np.random.default_rng(1).random(1000)
    assert numbered.Cells(11).add(scores > 0.5, scores) == 1000
    for outside in (-0.1, 1.1, 2.0**-65):
        assert numbered.Cells(11).add(np.array([True]), np.array([outside])) == 0


@pytest.mark.parametrize("resolution", [1, 3, 11])
def test_scores_at_the_edges_of_bins_are_in_the_cells_of_their_bins(resolution):
    steps = np.arange(2**resolution, 2 ** (resolution + 1))[:: max(1, 2**resolution // 16)]
    sizes = np.ldexp(steps[:, None], -resolution - np.array([1, 2, 3, 20, 52, 53, 63, 64])).ravel()
    edges = np.concatenate([sizes, 1 - sizes, [0.0, 1.0, 0.5]])
    around = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 2)])
    scores = around[((around == 0) | (around >= 2.0**-64)) & (around <= 1)]
    assert numbered.Cells(resolution).add(scores > 0.5, scores) == len(scores)
    pieces = [[(at % 3 == 0, score) for at, score in enumerate(scores.tolist())]]
    binning = Dyadic(resolution)
    assert tallied(pieces, binning, is_one_of_many=False) == tallied(pieces, binning, is_one_of_many=True)
