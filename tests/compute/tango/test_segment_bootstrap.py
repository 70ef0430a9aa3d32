import numpy as np
import pytest
from scipy.stats import ks_2samp

from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.stats.resampling import resampled
from rocconf.compute.tango import tango
from rocconf.compute.tango.segment import MEASURES, confident_segment
from rocconf.compute.tango.segment_bootstrap import SegmentGauge, segment_bootstrap, window
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts


def cases(seed=2, p=30, q=120, distinct=60):
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [p, q])
    return rng.integers(0, distinct, p + q) + distinct // 4 * labels, labels


def counts_of(scores, labels):
    return ScoreCounts.of(scores, labels, 1 - labels)


def values_of(segment):
    return [np.nan if getattr(segment, name) is None else getattr(segment, name) for name in MEASURES]


def by_rows(scores, labels, count, test, seed=5):
    """Resample rows of each class and start again from scratch."""
    rng = np.random.default_rng(seed)
    positive, negative = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    found = []
    for _ in range(count):
        rows = np.concatenate([rng.choice(positive, len(positive)), rng.choice(negative, len(negative))])
        found.append(values_of(confident_segment(curve(counts_of(scores[rows], labels[rows])), TESTS[test])))
    return np.array(found)


def measured_replicates(roc, count, test="tango", *, fixed=False, seed=1, level=0.95):
    gauge = SegmentGauge(TESTS[test], level, fixed)
    drawn = resampled(roc.confusion(window(roc, level)), count, np.random.default_rng(seed))
    return np.concatenate([gauge(m) for m in drawn])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_a_window_holds_the_segments_that_the_whole_curve_has(test, level):
    roc = curve(counts_of(*cases(4, 700, 2300, 5000)))
    rows, gauge = window(roc, level), SegmentGauge(TESTS[test], level, fixed_thresholds=False)
    assert 0 < rows.start < rows.stop < len(roc)
    (drawn,) = resampled(roc.confusion(slice(None)), 100, np.random.default_rng(1))
    around = Confusion(drawn.tp[:, rows], drawn.fp[:, rows], roc.p, roc.q)
    assert gauge(around) == pytest.approx(gauge(drawn), nan_ok=True)


@pytest.mark.thorough
@pytest.mark.parametrize("sizes", [(30, 120, 60), (700, 1100, 900)], ids=["the window is the curve", "in a window"])
@pytest.mark.parametrize("test", ["tango", "exact"])
def test_replicates_are_distributed_as_if_rows_were_drawn(sizes, test):
    scores, labels = cases(2, *sizes)
    roc = curve(counts_of(scores, labels))
    assert (window(roc, 0.95) == slice(0, len(roc))) == (sizes[0] == 30)
    found = measured_replicates(roc, 10_000, test)
    expected = by_rows(scores, labels, 800, test)
    for column, name in enumerate(MEASURES):
        some, others = (values[:, column].round(12) for values in (found, expected))  # equal but for rounding is equal
        assert ks_2samp(some, others).pvalue > 1e-3, name


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("fixed", [False, True])
def test_a_replicate_is_measured_as_the_curve_it_is(test, fixed):
    """Drawn counts are those of a curve of the scores that were drawn, or of all where thresholds are given."""
    rng = np.random.default_rng(8)
    p, q, width, count = 25, 70, 40, 60

    def drawn(total):
        cells = rng.multinomial(total, rng.dirichlet(np.full(width - 1, 0.3), count))
        return np.concatenate([np.zeros((count, 1), dtype=int), cells.cumsum(axis=1)], axis=1)

    tp, fp = drawn(p), drawn(q)
    found = SegmentGauge(TESTS[test], 0.95, fixed)(Confusion(tp, fp, p, q))
    for one_tp, one_fp, values in zip(tp, fp, found, strict=True):
        kept = np.ones(width, dtype=bool) if fixed else np.append(True, (np.diff(one_tp) + np.diff(one_fp)) > 0)
        roc = Curve(np.arange(kept.sum(), 0.0, -1), one_tp[kept], one_fp[kept], p, q)
        assert values == pytest.approx(values_of(confident_segment(roc, TESTS[test])), abs=1e-12, nan_ok=True)


def test_intervals_are_the_percentiles_of_what_was_drawn():
    roc, gauge = curve(counts_of(*cases())), SegmentGauge(TESTS["tango"], 0.8, fixed_thresholds=False)
    found = segment_bootstrap(roc, gauge, replicates=400, seed=3)
    drawn = measured_replicates(roc, 400, level=0.8, seed=3)
    for name, values in zip(MEASURES, drawn.T, strict=True):
        interval, ordered = found.draws[name].interval(0.8), np.sort(values)
        assert (interval.lower, interval.upper) == (ordered[39], ordered[-40]), name
    assert found.empty == np.isnan(drawn[:, -1]).sum()
    assert (found.replicates, found.seed) == (400, 3)


def test_the_seed_decides_and_is_reported():
    counts, sizes = counts_of(*cases()), []
    first, again, other = (tango(counts, bootstrap=50, seed=seed, progress=sizes.append) for seed in (4, 4, 5))
    assert sum(sizes) == 150
    assert first.summary() == again.summary() != other.summary()
    note = next(str(caveat) for caveat in first.caveats if caveat.code == "bootstrap")
    assert "50 replicates, seed 4" in note
    assert "at this n" in note


def test_without_a_confident_point_in_any_replicate_no_interval_is_known():
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [40, 400])
    counts = counts_of(rng.choice([0.2, 0.8], 440), labels)
    result = tango(counts, bootstrap=30)
    summary = result.summary()
    assert summary["confident_points"] == 0
    assert (summary["cauc"], summary["cauc_lower"]) == (0, None)
    assert summary["aved"] is summary["aved_lower"] is summary["aved_upper"] is None
    empty = next(caveat for caveat in result.caveats if caveat.code == "bootstrap-empty")
    assert "30 of 30 replicates have no confident threshold" in str(empty)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"bootstrap": 5, "seed": -1}, "a seed is a whole number of at least 0, not -1"),
        ({"bootstrap": -1}, "at least one"),
    ],
)
def test_an_invalid_seed_or_number_of_replicates_is_rejected(options, reason):
    with pytest.raises(UsageError, match=reason):
        tango(counts_of(*cases()), **options)


@pytest.mark.slow
def test_intervals_hold_the_mean_of_the_area_at_least_as_often_as_they_say():
    """In the planning simulation intervals at 95% held it 98.8% of the time."""
    rng = np.random.default_rng(12)

    def sample():
        labels = np.repeat([1, 0], [60, 340])
        return counts_of(rng.normal(size=400) + 1.5 * labels, labels)

    mean = np.mean([confident_segment(curve(sample()), TESTS["tango"]).cauc for _ in range(4000)])
    summaries = [tango(sample(), bootstrap=400, seed=seed).summary() for seed in range(400)]
    held = np.mean([summary["cauc_lower"] <= mean <= summary["cauc_upper"] for summary in summaries])
    assert held > 0.93
