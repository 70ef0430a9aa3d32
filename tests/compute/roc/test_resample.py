import numpy as np
import pytest
from scipy.stats import binom, chisquare

from rocconf.compute.roc import resample
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.resample import Replicates, batches, in_detail
from rocconf.records import ScoreCounts


@pytest.fixture
def roc():
    rng = np.random.default_rng(2)
    labels = np.repeat([1, 0], [40, 160])
    return curve(ScoreCounts.of(rng.integers(0, 50, 200) + 10 * labels, labels, 1 - labels))


@pytest.fixture(params=["cases", "numbers"])
def way(request, monkeypatch):
    """Draw case by case, or the numbers in the cells."""
    monkeypatch.setattr(resample, "CASES_PER_CELL", np.inf if request.param == "cases" else 0)


def drawn(roc, rows, count, seed=1):
    parts = list(batches(roc, rows, count, np.random.default_rng(seed)))
    return Replicates(np.concatenate([part.tp for part in parts]), np.concatenate([part.fp for part in parts]))


@pytest.mark.usefixtures("way")
def test_a_replicate_has_the_sizes_of_the_classes(roc):
    replicates = drawn(roc, slice(None), 50)
    assert len(replicates) == 50
    assert (replicates.tp[:, -1] == roc.p).all()
    assert (replicates.fp[:, -1] == roc.q).all()
    assert (replicates.tp[:, 0] == 0).all()
    for cumulated in (replicates.tp, replicates.fp):
        assert (np.diff(cumulated, axis=1) >= 0).all()


@pytest.mark.usefixtures("way")
def test_an_empty_cell_is_never_drawn(roc):
    replicates = drawn(roc, slice(None), 200)
    assert (np.diff(replicates.tp, axis=1)[:, np.diff(roc.tp) == 0] == 0).all()
    assert (np.diff(replicates.fp, axis=1)[:, np.diff(roc.fp) == 0] == 0).all()


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("row", [5, 20, 40])
def test_counts_at_a_row_are_binomial(roc, row):
    replicates = drawn(roc, np.array([3, row, 45]), 20_000)
    for cumulated, of in ((replicates.tp, roc.tp), (replicates.fp, roc.fp)):
        total = int(of[-1])
        expected = binom(total, of[row] / total)
        assert agrees(cumulated[:, 1], expected)


def agrees(values, distribution):
    low, high = int(distribution.ppf(0.01)), int(distribution.ppf(0.99))
    if low == high:
        return (values == low).all()
    edges = np.concatenate([[-1], np.arange(low, high), [10**9]])
    observed = np.histogram(values, edges + 0.5)[0]
    expected = len(values) * np.diff(distribution.cdf(edges))
    return chisquare(observed, expected).pvalue > 1e-4


@pytest.mark.usefixtures("way")
def test_classes_are_independent_and_rows_of_one_class_are_not(roc):
    replicates = drawn(roc, np.array([10, 30]), 20_000)
    tp, fp = replicates.tp.astype(float), replicates.fp.astype(float)
    assert abs(np.corrcoef(tp[:, 1], fp[:, 1])[0, 1]) < 0.03
    share = roc.fp[[10, 30]] / roc.q
    expected = np.sqrt(share[0] * (1 - share[1]) / (share[1] * (1 - share[0])))
    assert np.corrcoef(fp[:, 0], fp[:, 1])[0, 1] == pytest.approx(expected, abs=0.03)


@pytest.mark.thorough
@pytest.mark.usefixtures("way")
def test_a_stretch_in_detail_keeps_its_ends_and_has_the_distribution_of_the_whole(roc):
    rng = np.random.default_rng(6)
    rows = np.array([8, 15, 24, 38])
    coarse = drawn(roc, rows, 8000, seed=9)
    details = [in_detail(roc, rows, coarse.only(at, slice(None)), rng) for at in range(len(coarse))]
    for before, part, of in ((coarse.tp, "tp", roc.tp), (coarse.fp, "fp", roc.fp)):
        detail = np.concatenate([getattr(one, part) for one in details])
        assert detail.shape == (8000, 31)
        assert (detail[:, rows - 8] == before).all()
        assert (np.diff(detail, axis=1)[:, np.diff(of[8:39]) == 0] == 0).all()
        total = int(of[-1])
        assert agrees(detail[:, 12], binom(total, of[20] / total))
        assert agrees(detail[:, 25], binom(total, of[33] / total))


def test_an_empty_stretch_draws_nothing():
    roc = Curve(np.array([np.inf, 3.0, 2.0, 1.0]), np.array([0, 0, 0, 5]), np.array([0, 2, 4, 4]), 5, 4)
    ends = Replicates(np.array([[0, 0]]), np.array([[1, 3]]))
    detail = in_detail(roc, np.array([1, 2]), ends, np.random.default_rng(0))
    assert detail.tp.tolist() == [[0, 0]]
    assert detail.fp.tolist() == [[1, 3]]


def test_replicates_come_in_batches_and_progress_is_called_for_each(roc, monkeypatch):
    monkeypatch.setattr(resample, "BATCH", 10 * (len(roc) + 1))
    heard = []
    sizes = [len(part) for part in batches(roc, slice(None), 25, np.random.default_rng(0), progress=heard.append)]
    assert sizes == heard == [10, 10, 5]


def test_one_replicate_can_be_taken_out():
    both = Replicates(np.arange(6).reshape(2, 3), 10 * np.arange(6).reshape(2, 3))
    one = both.only(1, slice(1, 3))
    assert one.tp.tolist() == [[4, 5]]
    assert one.fp.tolist() == [[40, 50]]
