"""The laws of estimates: every metric, of one model, paired and on other cases, in every design and of every kind."""

import json
from dataclasses import replace
from functools import cache
from math import inf, nan
from types import SimpleNamespace

import numpy as np
import pytest
from designs import (
    COMPARED,
    DESIGNS,
    EVERY,
    EVERY_DIFFERENCE,
    MAX_FPR,
    METRICS,
    POINT,
    drawn,
    is_weighted,
    kinds_of,
    ranks_of,
)

from rocconf.compute.roc.cells import CellCases
from rocconf.compute.roc.influence import AUC, STATISTICS, Statistic
from rocconf.compute.roc.metrics import Rate, balanced_accuracy, fpr, tpr
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.design import Design
from rocconf.compute.stats.estimate import FORMS, Known, from_record, to_record
from rocconf.compute.stats.resampling import Draws
from rocconf.compute.stats.shares import Odds, OtherCases, Share, Wider
from rocconf.records import DELONG, ROBUST, UNKNOWN

LEVELS = (0.8, 0.99, 1 - 1e-12)
STEP = 1e-5
every = pytest.mark.parametrize(("name", "design", "kind"), EVERY)
every_difference = pytest.mark.parametrize(("name", "design", "kind"), EVERY_DIFFERENCE)


def ends(estimate, level=0.95):
    found = estimate.interval(level)
    return found.lower, found.upper


def same(found, expected, level=0.95):
    """Whether two estimates have one value and one interval, and so one p-value."""
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.value == pytest.approx(expected.value, abs=1e-12)
        assert ends(found, level) == pytest.approx(ends(expected, level), abs=1e-12)


@cache
def estimates(name, design, kind, seed=1):
    return tuple(drawn(design, seed).estimates(name, kind, other=drawn(design, seed + 1)))


@cache
def differences(name, design, kind, seed=1):
    return tuple(drawn(design, seed).differences(name, kind, other=drawn(design, seed + 1)))


# the contributions are the derivative of the value


def weights_of(sample):
    return np.ones(len(sample.label)) if sample.weights is None else sample.weights


def slopes(value, weights, at):
    """Return the derivative of a value in the weight of each of some cases."""
    found = []
    for case in at:
        up, down = weights.copy(), weights.copy()
        up[case] += STEP * weights[case]
        down[case] -= STEP * weights[case]
        found.append((value(up) - value(down)) / (2 * STEP * weights[case]))
    return np.array(found)


def check_influences(statistic, sample):
    """Whether influences are those of the value: of a case, minus their mean over the stratum, over its weight."""
    scores, places = np.unique(-sample.scores["new"], return_inverse=True)

    def influence(weights):
        design, ranks = Design(sample.label.astype(np.int8), weights=weights), ranks_of(sample.label, places, weights)
        probabilities = -scores, 1 + scores
        return statistic.influence(
            SimpleNamespace(ranks=ranks, design=design, max_fpr=MAX_FPR, probabilities=probabilities)
        )

    weights, at = weights_of(sample), range(0, len(sample.label), 3)
    psi = influence(weights).of_cases(places, sample.label)
    stratum = np.zeros(len(psi), int) if statistic.together else sample.label.astype(int)
    total, sums = np.bincount(stratum, weights), np.bincount(stratum, weights * psi)
    expected = (psi - (sums / total)[stratum]) / total[stratum]
    assert slopes(lambda w: influence(w).value, weights, at) == pytest.approx(expected[list(at)], abs=1e-7)


def check_declaration(rate):
    """Whether the parts of a rate add up to its function, on random matrices, and their estimate has its value."""
    for tp, fn, fp, tn in np.random.default_rng(3).integers(1, 30, (12, 4)).tolist():
        matrix = Confusion(np.array([tp]), np.array([fp]), tp + fn, fp + tn)
        expected = float(np.asarray(rate.of(matrix)).flat[0])
        cells = CellCases.counted(tp, fp, tp + fn, fp + tn)
        for kind in (ROBUST, DELONG):
            assert rate.estimate(cells, kind).value == pytest.approx(expected, abs=1e-12)
        if rate.is_of_fixed_prevalence:
            shares, by = zip(*((cells.share(part.share).value, by) for part, by in rate.sum_of), strict=True)
            assert rate.shift + np.dot(by, shares) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("design", ["cases", "weights"])
@pytest.mark.parametrize("name", [name for name, each in STATISTICS.items() if is_weighted(each)])
def test_influences_are_the_derivative_of_the_value(name, design):
    check_influences(STATISTICS[name], drawn(design))


@pytest.mark.parametrize("name", POINT)
def test_a_rate_is_what_it_is_put_together_from(name):
    check_declaration(POINT[name])


def _gini(of):
    found = AUC.influence(of)
    return replace(found, value=2 * found.value - 1)


def _exchanged(of):
    found = AUC.influence(of)
    return replace(found, of_positive=found.of_negative, of_negative=found.of_positive)


@pytest.mark.parametrize("wrong", [_gini, _exchanged])
def test_wrong_influences_are_found(wrong):
    with pytest.raises(AssertionError):
        check_influences(Statistic("wrong", influence=wrong), drawn("weights"))


@pytest.mark.parametrize(
    "wrong",
    [
        Rate("wrong", of=balanced_accuracy.of, sum_of=((tpr, 0.5), (fpr, -0.5))),
        Rate("wrong", of=balanced_accuracy.of, sum_of=((tpr, 0.5), (fpr, 0.5)), shift=0.5),
        Rate("wrong", of=tpr.of, hits=lambda m: (m.tp, m.n)),
    ],
)
def test_parts_that_do_not_add_up_are_found(wrong):
    with pytest.raises(AssertionError):
        check_declaration(wrong)


def mean_of_folds(sample, weights, model):
    """Return the mean of the fold AUCs by its definition; of weighted cases with the sizes of the folds as known.

    Every fold then counts for what it is of the unweighted cases, and folds that differ add to the variance.
    """
    x, parts = sample.scores[model], []
    for fold in np.unique(sample.fold):
        inside = [np.flatnonzero((sample.fold == fold) & of_class) for of_class in (sample.label, ~sample.label)]
        w, v = (weights[own] / len(own) for own in inside)
        above = (x[inside[0]][:, None] > x[inside[1]]) + (x[inside[0]][:, None] == x[inside[1]]) / 2
        parts.append((w @ above @ v, w.sum(), v.sum()))
    area, p, q = np.mean(parts, axis=0)
    return area / (p * q)


def value_at(name, sample, weights, model):
    """Return a metric of weighted cases by its function."""
    if name == "cv_auc":
        return mean_of_folds(sample, weights, model)
    if name not in POINT:
        found = replace(sample, weights=weights).model(model)
        return METRICS[name].influence(found).value
    tn, fp, fn, tp = np.bincount(2 * sample.label + sample.flags(model), weights, minlength=4)
    return float(np.asarray(POINT[name].of(Confusion(np.array([tp]), np.array([fp]), tp + fn, fp + tn))).flat[0])


@pytest.mark.parametrize(
    ("name", "design"), [each[:2] for each in EVERY if each[2] == ROBUST and each[0] not in ("mcb", "dsc")]
)
def test_the_sums_of_an_estimate_are_those_of_the_derivative(name, design):
    """Of each unit the derivatives in the weights of its cases, times the weights, are added up."""
    sample = drawn(design)
    weights, unit = weights_of(sample), np.arange(len(sample.label)) if sample.unit is None else sample.unit
    one = weights * slopes(lambda w: value_at(name, sample, w, "new"), weights, range(len(weights)))
    other = weights * slopes(lambda w: value_at(name, sample, w, "old"), weights, range(len(weights)))
    found = [(sample.estimate(name), one)]
    if name in COMPARED:
        found.append((sample.paired(name), one - other))
    for estimate, contributions in found:
        sums = getattr(getattr(estimate, "of", estimate), "sums", None)
        of_units = np.bincount(unit, contributions)
        if sums is not None:
            expected = [(of_units**power).sum() for power in (2, 3, 4)]
            is_skewed = hasattr(getattr(estimate, "of", estimate), "pseudo")
            powers = (sums.second, sums.third, sums.fourth)[: 3 if is_skewed else 1]
            assert powers == pytest.approx(expected[: len(powers)], rel=1e-5, abs=1e-12)
        elif getattr(estimate, "size", None) is not None:
            p = estimate.value
            spread = p * (1 - p) if estimate is found[0][0] and name != "diff" else _discordance(estimate) - p * p
            assert spread / estimate.size.effective == pytest.approx((of_units**2).sum(), rel=1e-6)


def _discordance(estimate):
    return (estimate.only_first + estimate.only_second) / estimate.cases


@pytest.mark.parametrize(
    ("name", "design"), [each[:2] for each in EVERY if each[2] == ROBUST and each[0] in STATISTICS]
)
def test_what_is_quicker_is_the_same(name, design):
    """The value without influences, and influences from labels and scores."""
    statistic, of = STATISTICS[name], drawn(design).model()
    assert statistic.value(of) == pytest.approx(statistic.estimate(of).value, abs=1e-14)
    if statistic.of_cases is not None and design == "cases":
        sample = drawn(design)
        quick = statistic.of_cases(sample.label, sample.scores["new"])
        rows = np.unique(-sample.scores["new"], return_inverse=True)[1]
        expected = of.influence(statistic).of_cases(rows, sample.label)
        found = quick[slice(None)] * quick.scale[sample.label.astype(int)]
        for own in (sample.label, ~sample.label):
            assert found[own] - found[own].mean() == pytest.approx(expected[own] - expected[own].mean(), abs=1e-14)


# brute force by definition


def weighted(design, seed):
    sample = drawn(design, seed, p=6, q=8)
    x, w = sample.scores["new"], weights_of(sample)
    return sample, x, w, sample.label


@pytest.mark.parametrize("design", ["cases", "weights"])
@pytest.mark.parametrize("seed", range(4))
def test_areas_are_those_of_all_pairs(design, seed):
    sample, x, w, label = weighted(design, seed)
    above = (x[:, None] > x) + (x[:, None] == x) / 2
    pairs = np.outer(w * label, w * ~label)
    assert sample.estimate("auc").value == pytest.approx((pairs * above).sum() / pairs.sum(), abs=1e-14)
    p, q = (w * label).sum(), (w * ~label).sum()
    flagged = x[:, None] <= x  # of each case, those that are flagged with it
    precision = (flagged @ (w * label)) / (flagged @ w)
    assert sample.estimate("average_precision").value == pytest.approx((w * label) @ precision / p, abs=1e-14)
    corners = [
        (0.0, 0.0),
        *(((w * ~label * (x >= t)).sum() / q, (w * label * (x >= t)).sum() / p) for t in sorted(set(x))[::-1]),
    ]
    left, heights = map(np.array, zip(*corners, strict=True))
    fine = np.concatenate([left[left < MAX_FPR], [MAX_FPR]])
    at_limit = _height(left, heights, MAX_FPR)
    partial = np.trapezoid(np.concatenate([heights[left < MAX_FPR], [at_limit]]), fine)
    assert sample.estimate("partial_auc").value == pytest.approx(partial, abs=1e-14)


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_of_folds_is_that_of_their_pairs(seed):
    sample = drawn("cases", seed)
    assert sample.estimate("cv_auc").value == pytest.approx(mean_of_folds(sample, weights_of(sample), "new"), abs=1e-14)


def _height(left, heights, at):
    inside = np.flatnonzero(left < at)[-1]
    share = (at - left[inside]) / (left[inside + 1] - left[inside])
    return heights[inside] + share * (heights[inside + 1] - heights[inside])


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("together", [False, True])
def test_sums_are_those_of_a_loop_over_units(design, together):
    sample = drawn(design)
    psi = np.random.default_rng(2).normal(size=len(sample.label))
    found, w = sample.design.sums(psi, together=together), weights_of(sample)
    unit = range(len(psi)) if sample.unit is None else sample.unit.tolist()
    strata = np.zeros(len(psi), bool) if together else sample.label
    contributions, cases = {}, 0.0
    for stratum in {bool(each) for each in strata}:
        inside = [i for i in range(len(psi)) if strata[i] == stratum]
        total = sum(w[i] for i in inside)
        mean = sum(w[i] * psi[i] for i in inside) / total
        for i in inside:
            each = w[i] * (psi[i] - mean) / total
            contributions[unit[i], stratum] = contributions.get((unit[i], stratum), 0.0) + each
            cases += each**2
    of_units = {}
    for (one, _), each in contributions.items():
        of_units[one] = of_units.get(one, 0.0) + each
    for k, stratum in enumerate(sorted({bool(each) for each in strata})):
        own = [each for (_, of), each in contributions.items() if of == stratum]
        assert found.n[k] == len(own)
        assert found.squares[k] == pytest.approx(sum(each**2 for each in own), rel=1e-12)
    assert found.units == len(of_units)
    expected = [sum(each**power for each in of_units.values()) for power in (2, 3, 4)]
    assert (found.second, found.third, found.fourth) == pytest.approx(expected, rel=1e-10)
    assert found.case_squares == pytest.approx(cases, rel=1e-12)


# interval, p-value and symmetries


@every_difference
def test_interval_and_p_tell_one_story(name, design, kind):
    for found in differences(name, design, kind):
        if found.p is None or (isinstance(found, OtherCases) and kind == DELONG):
            continue  # the classical interval of other cases is Newcombe's, and its test that of the pooled rates
        assert 0 < found.p <= 1
        if found.p < 1:
            narrower = found.limits(min(found.p * (1 + 1e-6), 1.0))
            assert narrower.lower > 0 or narrower.upper < 0
        wider = found.limits(found.p * (1 - 1e-6))
        assert wider.lower <= 0 <= wider.upper


@every
def test_intervals_widen_with_the_level_and_hold_the_value_within_the_range(name, design, kind):
    metric = METRICS[name]
    for found in estimates(name, design, kind):
        is_one = found is estimates(name, design, kind)[0]
        reach = metric.most - metric.least
        least, most = (metric.least, metric.most) if is_one else (-reach, reach)
        inside = found.interval(1e-3)
        assert inside.lower <= found.value <= inside.upper
        for level in LEVELS:
            around = found.interval(level)
            assert least <= around.lower <= inside.lower
            assert inside.upper <= around.upper <= most
            assert around.lower < around.upper
            inside = around


@every_difference
def test_exchanging_the_models_mirrors_a_difference(name, design, kind):
    sample, other = drawn(design), drawn(design, 2)
    here, there = sample.estimate(name, kind), other.estimate(name, kind)
    metric = METRICS[name]
    pairs = [(sample.paired(name, kind), sample.exchanged.paired(name, kind)), (metric.unpaired(here, there), metric.unpaired(there, here))]  # fmt: skip
    for found, mirrored in pairs:
        assert (found is None) == (mirrored is None)
        if found is not None:
            assert mirrored.value == pytest.approx(-found.value, abs=1e-14)
            lower, upper = ends(found)
            assert ends(mirrored) == pytest.approx((-upper, -lower), abs=1e-12)
            assert found.form == "sum" or mirrored.p == pytest.approx(found.p, abs=1e-12)


@every_difference
def test_a_model_does_not_differ_from_itself(name, design, kind):
    sample = drawn(design)
    difference = sample.of(*[sample.scores["new"]] * 2, (0.5, 0.5)).paired(name, kind)
    if difference is not None:
        assert (difference.value, difference.p) == (0, 1)
        assert ends(difference)[0] == pytest.approx(-ends(difference)[1], abs=1e-12)
        if getattr(METRICS[name], "is_area", False):
            assert ends(difference) == (0, 0)


@every
def test_neither_the_order_of_the_cases_nor_the_names_of_the_clusters_matter(name, design, kind):
    sample = drawn(design)
    order = np.random.default_rng(3).permutation(len(sample.label))
    shuffled = sample.taken(order)
    if sample.unit is not None:
        shuffled = replace(shuffled, unit=np.random.default_rng(4).permutation(sample.unit.max() + 1)[shuffled.unit])
    same(shuffled.estimate(name, kind), sample.estimate(name, kind))
    if name in COMPARED:
        same(shuffled.paired(name, kind), sample.paired(name, kind))


ALIKE = {
    "weights of 1": lambda n: {"weights": np.ones(n)},
    "equal weights": lambda n: {"weights": np.full(n, 0.37)},
    "clusters of one": lambda n: {"unit": np.arange(n)},
}


@pytest.mark.parametrize(
    ("name", "design", "kind", "alike"),
    [
        (*each, alike)
        for each in EVERY
        for alike in ALIKE
        if (each[1] == "cases" or (each[1] == "clusters" and "weights" in alike))
        and (is_weighted(METRICS[each[0]]) if "weights" in alike else each[2] in kinds_of(each[0], "clusters"))
    ],
)
def test_equal_weights_and_clusters_of_one_change_nothing(name, design, kind, alike):
    sample, other = drawn(design), drawn(design, 2)
    changed, there = (replace(each, **ALIKE[alike](len(each.label))) for each in (sample, other))
    expected = sample.estimate(name, kind), *sample.differences(name, kind, other)
    for found, wanted in zip(
        (changed.estimate(name, kind), *changed.differences(name, kind, there)), expected, strict=True
    ):
        same(found, wanted)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name, design, kind in EVERY if design == "clusters" and name not in ("mcb", "dsc")],
)
def test_repeating_the_cases_of_every_cluster_never_widens_an_interval(name, kind):
    """Recalibration is left out, as its folds are drawn."""
    sample, other = drawn("clusters"), drawn("clusters", 2)
    repeated, there = (each.taken(np.tile(np.arange(len(each.label)), 3)) for each in (sample, other))
    pairs = zip(repeated.estimates(name, kind, there), sample.estimates(name, kind, other), strict=True)
    for found, wanted in pairs:
        assert found.value == pytest.approx(wanted.value, abs=1e-12)
        (lower, upper), (least, most) = ends(found), ends(wanted)
        assert least - 1e-9 <= lower
        assert upper <= most + 1e-9
        if is_of_units(wanted):
            assert (lower, upper) == pytest.approx((least, most), abs=1e-9)


def is_of_units(estimate):
    """Whether only the units and their contributions decide an interval: of areas, of shares, and what is made of them."""
    if estimate.form in ("sum", "ratio"):
        return all(map(is_of_units, estimate.parts))
    return estimate.form in ("area", "normal", "dice") or (
        estimate.form in ("share", "paired-shares", "other-cases") and estimate.kind == ROBUST
    )


# what a sample cannot show


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("p", "q"), [(1, 9), (9, 1), (1, 1), (2, 2)])
@pytest.mark.parametrize("name", METRICS)
def test_a_single_case_of_a_class_is_wide_and_never_wrong(name, design, p, q):
    sample, other = drawn(design, 3, p, q), drawn(design, 4, p, q)
    for kind in kinds_of(name, design):
        for found in sample.estimates(name, kind, other):
            around = found.interval(0.95)
            if found.value == around.lower == around.upper == 0:
                assert sample.pair().is_of_same_order
                continue
            assert around.lower <= found.value <= around.upper
            assert around.upper - around.lower > 0.05 or around == UNKNOWN


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("scores", ["perfect", "reversed", "tied"])
def test_perfect_and_useless_models_have_an_interval(name, design, scores):
    sample = drawn(design)
    column = {
        "perfect": sample.label * 0.5 + 0.2,
        "reversed": 0.7 - sample.label * 0.5,
        "tied": np.full(len(sample.label), 0.5),
    }
    certain = sample.of(column[scores], sample.scores["old"], sample.thresholds)
    for kind in kinds_of(name, design):
        for found in certain.estimates(name, kind):
            around = found.interval(0.95)
            assert around.lower <= found.value <= around.upper
            assert around.lower < around.upper or name == "predicted_positive_rate"


# live and saved agree


def of_every_form():
    """Return up to four estimates of every form."""
    drawn_ = [Draws.of(np.append(np.random.default_rng(1).normal(0.1, 0.1, 200), end), value=0.1) for end in (nan, inf)]
    found = {"known": [Known(inf)], "drawn": drawn_, "odds": [Odds(Share(3, 10, DELONG)), Odds(Share(10, 10, DELONG))]}
    found["wider"] = [Wider(drawn_[0], found["odds"][0])]
    for each in EVERY:
        for estimate in estimates(*each):
            found.setdefault(estimate.form, []).append(estimate)
    return {form: of[:: max(len(of) // 4, 1)] for form, of in found.items()}


def test_a_report_gives_back_every_estimate():
    found = of_every_form()
    assert set(found) == set(FORMS)
    for estimate in (each for of in found.values() for each in of):
        record = json.loads(json.dumps(to_record(estimate), allow_nan=False))
        saved = from_record(record)
        assert type(saved) is type(estimate)
        assert to_record(saved) == record
        for name in ("value", "p", "kind", "test"):
            assert getattr(saved, name) == getattr(estimate, name)
        for level in (0.8, 0.95, 0.999):
            assert saved.interval(level) == estimate.interval(level)
