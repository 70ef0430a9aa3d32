"""Rules on counts in bins: a verdict is that of the cases or there is none, from a result and from its report."""

from functools import cache

import numpy as np
import pytest
from gating import read, text_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, examples, tied_cases

import rocconf
from rocconf.bins import Dyadic
from rocconf.compute.evidence import evidence_of, metrics_of
from rocconf.errors import UsageError
from rocconf.gate import judge_results, parse_gate_rule
from rocconf.gate.apply_rules import judge_rule
from rocconf.gate.saved_model import SavedModel

KNOWN = {"n", "positives", "negatives", "prevalence", "auc"}


def exact_and_binned(n=400, seed=3, resolution=2):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.3
    scores = 1 / (1 + np.exp(2 - rng.standard_normal(n) - 1.4 * labels))
    exact = counted(scores, labels)
    return exact, in_bins(exact, resolution)


def in_bins(exact, resolution):
    ends = Dyadic(resolution).ends(exact.scores)
    return exact.within(type(ends)(np.unique(ends.least), np.unique(ends.most)))


RESULTS = {
    "sweep": lambda counts: rocconf.sweep(counts, max_fpr=0.3, cost="1:5"),
    "tango": lambda counts: rocconf.tango(counts, margin=0.1),
    "chi2-contours": lambda counts: rocconf.chi2_contours(counts, permutations=9, cost="1:5"),
    "sensibility": lambda counts: rocconf.sensibility(counts, reference=counts, permutations=9, bootstrap=0),
}


@pytest.mark.parametrize("command", RESULTS)
def test_only_what_bins_tell_is_judged(command):
    result = RESULTS[command](exact_and_binned()[1])
    report = read(text_of(result))
    rule = parse_gate_rule("auc >= 0.5")
    for name in metrics_of(type(result), at_point=False):
        for evidence in (*evidence_of(result), SavedModel(report, "score", type(result), rule)):
            for with_interval in (True, False):
                if name in KNOWN:
                    assert evidence.evidence(name, with_interval=with_interval).value == result.summary()[name]
                    continue
                with pytest.raises(UsageError) as caught:
                    evidence.evidence(name, with_interval=with_interval)
                assert caught.value.code == "bins-metric"


@cache
def swept(kind):
    """Sweep the cases and their bins, and save a report with a verdict."""
    exact, binned = (rocconf.sweep(counts, interval=kind) for counts in exact_and_binned())
    return exact, binned, read(text_of(binned, "auc >= 0.2"))


@pytest.mark.parametrize("kind", ["robust", "delong"])
@pytest.mark.parametrize("op", [">=", "<"])
@pytest.mark.parametrize("point", ["", ".point"])
def test_rules_on_the_auc_hold_whatever_the_scores_are(kind, op, point):
    """At limits on both sides of everything; a report has the verdict of its result, also for another rule and level."""
    exact, binned, report = swept(kind)
    summary = binned.summary()
    limits = [summary[key] for key in ("auc", "auc_bin_lower", "auc_bin_upper", "auc_lower", "auc_upper")]
    limits += [exact.summary()[key] for key in ("auc", "auc_lower", "auc_upper")]
    limits = [0.4, 0.97, *(each + step for each in limits for step in (-1e-6, 0.0, 1e-6))]
    decided = 0
    for limit in limits:
        rule = parse_gate_rule(f"auc{point} {op} {limit!r}")
        (of_cases,) = judge_results([rule], [exact], choose_on={})
        try:
            live = judge_results([rule], [binned], choose_on={})
        except UsageError as error:
            assert error.code == "bins-value"  # noqa: PT017  # or there is a verdict
            live = []
        else:
            assert live[0].outcome in (of_cases.outcome, "inconclusive"), rule.text
            decided += live[0].outcome != "inconclusive"
        try:
            saved = judge_rule(rule, SavedModel(report, "score", type(binned), rule)).outcome
        except UsageError:
            saved = None
        assert saved == (live[0].outcome if live else None), rule.text
    assert decided >= 4


@pytest.mark.parametrize("level", [0.5, 0.999])
@pytest.mark.parametrize("kind", ["robust", "delong"])
def test_at_another_level_the_bounds_are_allowed_for_too(kind, level):
    _, binned, report = swept(kind)
    expected = rocconf.sweep(binned.counts, interval=kind, level=level).auc.interval
    rule = parse_gate_rule("auc >= 0.5")
    for evidence in (*evidence_of(binned), SavedModel(report, "score", type(binned), rule)):
        found = evidence.evidence("auc", level=level).interval
        assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper), rel=1e-12)


def test_a_value_judged_before_is_no_more_exact_than_its_bins():
    """The report carries a verdict on the value alone; another limit, within the bounds, is refused."""
    binned = rocconf.sweep(exact_and_binned()[1])
    report = read(text_of(binned, "auc.point >= 0.2"))
    rule = parse_gate_rule(f"auc.point >= {binned.summary()['auc'] - 1e-9!r}")
    with pytest.raises(UsageError) as caught:
        judge_rule(rule, SavedModel(report, "score", type(binned), rule))
    assert caught.value.code == "bins-value"


@examples(60)
@given(tied_cases(), st.integers(1, 3), st.sampled_from([0.1, 0.4, 0.5, 0.6, 0.8, 0.95]), st.sampled_from([0.6, 0.95]))
def test_no_verdict_on_bins_differs_from_that_of_the_cases(cases, resolution, limit, level):
    exact = counted(*cases)
    results = [rocconf.sweep(counts, level=level) for counts in (exact, in_bins(exact, resolution))]
    for text in (f"auc >= {limit}", f"auc < {limit}", f"auc.point >= {limit}"):
        rule = parse_gate_rule(text)
        try:
            of_cases, of_bins = (judge_results([rule], [result], choose_on={})[0].outcome for result in results)
        except UsageError as error:
            assert error.code == "bins-value"  # noqa: PT017  # or there is a verdict
            continue
        assert of_bins in (of_cases, "inconclusive")
