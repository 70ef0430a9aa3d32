"""Cases in time: windows by the analysis of their cases alone, martingales by their definition, and when they alarm."""

from dataclasses import replace

import numpy as np
import pytest

import rocconf
from rocconf.compute.stats.martingale import most_after
from rocconf.errors import RocconfError
from rocconf.records import Predictions, Times


def cases_of(n, seed, *, shift=0.0, prevalence=0.3, from_case=0, days=None):
    """Return cases, one a day, whose negatives or prevalence change at a case."""
    rng = np.random.default_rng(seed)
    later = np.arange(n) >= from_case
    labels = rng.random(n) < np.where(later, prevalence, 0.3)
    scores = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * labels - 0.8 + shift * (later & ~labels))))
    times = np.arange(n, dtype=float) if days is None else np.sort(rng.integers(days, size=n)).astype(float)
    return Predictions(labels, {"m": scores}, times=Times(times, "number"))


REFERENCE = rocconf.count(cases_of(600, 1))


def followed(cases, reference=REFERENCE, *, bootstrap=0, **options):
    return rocconf.sensibility(
        rocconf.count(cases), reference=reference, cases=cases, permutations=1, bootstrap=bootstrap, **options
    )


@pytest.fixture(scope="module")
def changed():
    return followed(cases_of(1200, 2, shift=1.5, from_case=600), every=100)


def rows(result, name):
    return result.table(name).records()


def test_a_window_has_the_numbers_of_its_cases_alone(changed):
    cases = cases_of(1200, 2, shift=1.5, from_case=600)
    for at, row in enumerate(rows(changed, "windows")):
        part = slice(100 * at, 100 * at + 100)
        alone = rocconf.sensibility(
            rocconf.count(Predictions(cases.labels[part].copy(), {"m": cases.scores["m"][part].copy()})), bootstrap=0
        ).summary()
        shared = [key for key in row if key in alone]
        assert len(shared) >= 13
        assert {key: row[key] for key in shared} == {key: alone[key] for key in shared}


def test_the_scores_that_changed_alarm_and_the_others_do_not(changed):
    found = {row["stream"]: row for row in rows(changed, "martingales")}
    assert [name for name, row in found.items() if row["alarm"]] == ["negatives"]
    assert 600 < float(found["negatives"]["alarm_at"]) < 800
    assert changed.summary()["drift_alarm"] == 1
    assert [row["alarms"] for row in rows(changed, "windows")][5:9] == ["none", "negatives", "negatives", "negatives"]


def test_a_change_of_prevalence_alarms_the_labels():
    result = followed(cases_of(1200, 3, prevalence=0.6, from_case=300), every=100)
    assert [row["stream"] for row in rows(result, "martingales") if row["alarm"]] == ["labels"]


def test_the_alarm_is_where_the_definition_puts_it(changed):
    """Without ties the p-values of the definition need no tau but that of the case itself."""
    cases = cases_of(1200, 2, shift=1.5, from_case=600)
    (of_negatives,) = (each for each in changed.stream.martingales if each.stream == "negatives")
    rng = np.random.default_rng(1)  # the seed of the run
    rng.random(1200)  # for equal times
    tau = rng.random(1200)
    earlier = cases_of(600, 1)
    seen = earlier.scores["m"][~earlier.labels].tolist()
    capital, path = np.full(3, 1 / 3), []
    for at in np.flatnonzero(~cases.labels):
        score = cases.scores["m"][at]
        seen.append(score)
        p = (sum(other > score for other in seen) + tau[at]) / len(seen)
        capital = (0.99 * capital + 0.01 / 3 * capital.sum()) * (1 + np.array([-1, 0, 1]) * (p - 0.5))
        path.append(np.log(capital.sum()))
    assert of_negatives.log10 * np.log(10) == pytest.approx(path, abs=1e-9)
    assert of_negatives.alarm == np.flatnonzero(~cases.labels)[np.flatnonzero(np.array(path) >= np.log(60))[0]]


def test_the_order_of_the_rows_does_not_matter_where_times_differ(changed):
    cases = cases_of(1200, 2, shift=1.5, from_case=600)
    shuffled = np.random.default_rng(5).permutation(1200)
    other = Predictions(
        cases.labels[shuffled],
        {"m": cases.scores["m"][shuffled]},
        times=Times(cases.times.values[shuffled], "number"),
    )
    again = followed(other, every=100)
    assert rows(again, "windows") == rows(changed, "windows")
    assert rows(again, "martingales") == rows(changed, "martingales")


def test_equal_times_come_in_an_order_of_the_seed_and_alarms_depend_on_the_level():
    cases = cases_of(800, 6, shift=1.0, days=5)
    peaks = [[row["log10_peak"] for row in rows(followed(cases, seed=seed), "martingales")] for seed in (1, 1, 2)]
    assert peaks[0] == peaks[1] != peaks[2]
    for level, alarm in ((0.95, 60), (0.9, 30), (0.99, 300)):
        found = rows(followed(cases, level=level), "martingales")
        assert [10 ** row["log10_alarm"] for row in found] == [pytest.approx(alarm)] * 3


def test_windows_without_a_class_or_with_a_midpoint_outside_their_scores_are_named():
    labels, scores = np.array([1, 0, 1, 1, 1, 0], dtype=bool), np.array([0.9, 0.2, 0.8, 0.7, 0.6, 0.3])
    times = Times(np.array([0.0, 1, 10, 11, 30, 31]), "number")
    found = rows(followed(Predictions(labels, {"m": scores}, times=times), every=10), "windows")
    assert [row["n"] for row in found] == [2, 2, 0, 2]
    assert [row["auc"] for row in found] == [1.0, None, None, 1.0]
    assert [row["midpoint"] is None for row in found] == [False, True, True, False]
    cases = cases_of(400, 18, prevalence=0.02, from_case=200)
    caveats = {caveat.code: str(caveat) for caveat in followed(cases, every=100).caveats}
    assert "in 2 of 4 windows the midpoint lies outside the scores (200, 300)" in caveats["midpoints-outside"]
    inside = followed(cases, every=100, midpoint="fixed")
    assert "midpoints-outside" not in {caveat.code for caveat in inside.caveats}


def test_too_few_cases_to_alarm_leave_the_number_of_alarms_unknown():
    enough = next(n for n in range(100) if most_after(n) >= np.log(60))
    labels = np.zeros(400, dtype=bool)
    few = np.arange(400) % 30 == 0
    reference = rocconf.count(replace(cases_of(400, 17), labels=few))
    for positives, known in ((enough - 1, False), (enough, True)):
        labels[:positives] = True
        cases = replace(cases_of(400, 8), labels=np.random.default_rng(9).permutation(labels))
        result = followed(cases, reference, every=100)
        assert (result.summary()["drift_alarm"] is not None) == known
        assert ("too-few-to-alarm" in {caveat.code for caveat in result.caveats}) == (not known)
        assert result.conclusions[0].code == ("answer-no-alarm" if known else "answer-alarm-unknown")


def test_a_reference_that_is_a_part_of_the_stream_is_refused():
    cases = cases_of(400, 10)
    first = rocconf.count(Predictions(cases.labels[:150].copy(), {"m": cases.scores["m"][:150].copy()}))
    for later, reference in ((cases, first), (cases_of(150, 10), REFERENCE + rocconf.count(cases_of(150, 10)))):
        with pytest.raises(RocconfError) as error:
            followed(later, reference)
        assert error.value.code == "reference-in-stream"
    many, few = (
        replace(each, scores={"m": each.scores["m"].round(1)}) for each in (cases_of(3000, 11), cases_of(60, 12))
    )
    followed(many, rocconf.count(few), every=500)  # a few scores in common


def test_low_scores_that_are_positive_mirror_the_martingales(changed):
    cases = cases_of(1200, 2, shift=1.5, from_case=600)
    turned = replace(cases, scores={"m": 1 - cases.scores["m"]}, lower_is_positive=True)
    earlier = cases_of(600, 1)
    reference = rocconf.count(replace(earlier, scores={"m": 1 - earlier.scores["m"]}, lower_is_positive=True))
    one, other = (rows(each, "martingales") for each in (followed(turned, reference, every=100), changed))
    assert [row["alarm"] for row in one] == [row["alarm"] for row in other]
    assert [row["log10_peak"] for row in one] == pytest.approx([row["log10_peak"] for row in other], rel=0.1)


def test_rescaled_scores_leave_the_martingales():
    cases, earlier = cases_of(300, 13), cases_of(200, 14)
    wide = [replace(each, scores={"m": 8 * each.scores["m"] - 4}) for each in (cases, earlier)]
    plain = followed(cases, rocconf.count(earlier), every=100)
    rescaled = followed(wide[0], rocconf.count(wide[1]), every=100, rescale=True)
    assert rows(rescaled, "martingales") == rows(plain, "martingales")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"cases": replace(cases_of(50, 15), times=None), "reference": REFERENCE}, "no-times"),
        ({"cases": cases_of(50, 15)}, "time-needs-reference"),
        ({"cases": cases_of(50, 16), "reference": REFERENCE}, "cases-not-counts"),
    ],
)
def test_a_stream_needs_times_a_reference_and_the_cases_of_the_counts(options, code):
    with pytest.raises(RocconfError) as error:
        rocconf.sensibility(rocconf.count(cases_of(50, 15)), permutations=1, bootstrap=0, **options)
    assert error.value.code == code


@pytest.mark.limits
def test_streams_without_a_change_alarm_in_five_percent_at_most():
    streams = (followed(cases_of(500, 5000 + run), rocconf.count(cases_of(150, 1000 + run))) for run in range(400))
    assert sum(each.stream.drift_alarm > 0 for each in streams) <= 0.05 * 400


def test_a_martingale_that_only_falls_peaks_where_it_begins():
    """It begins at 1, whose logarithm is 0."""
    peaks = [row["log10_peak"] for seed in range(4) for row in rows(followed(cases_of(40, seed)), "martingales")]
    assert min(peaks) == 0.0
