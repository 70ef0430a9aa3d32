import numpy as np
import pytest
from scipy.stats import binom, chisquare

from rocconf.compute.roc import resample
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.resample import Replicates, batches
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


def test_replicates_come_in_batches_and_progress_is_called_for_each(roc, monkeypatch):
    monkeypatch.setattr(resample, "BATCH", 10 * (len(roc) + 1))
    heard = []
    sizes = [len(part) for part in batches(roc, slice(None), 25, np.random.default_rng(0), progress=heard.append)]
    assert sizes == heard == [10, 10, 5]
