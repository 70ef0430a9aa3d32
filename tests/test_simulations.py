"""The simulations run, do not depend on the number of cores, and keep the promises that the documents quote."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from math import comb
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import ROOT, environment
from rocconf.compute.compare.paired_auc import paired_aucs
from rocconf.compute.stats.auc_difference import unpaired_auc_difference

from rocconf import Predictions, compare, count
from rocconf.compute.compare import Discordance, paired_cost
from rocconf.compute.roc.auc import AREAS, area_interval
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.corrected_differences import corrected_paired_difference, corrected_unpaired_difference
from rocconf.compute.stats.proportion import exact_interval, wilson

SIMULATE = ROOT / "benchmarks" / "simulate.py"
SIMULATED = ROOT / "benchmarks" / "SIMULATIONS.md"
HEADING = "## How often it is right"


def simulated(*options):
    return subprocess.run(
        [sys.executable, str(SIMULATE), *options], env=environment(), capture_output=True, text=True, check=False
    )


def lines_of_tables(text):
    return [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]


@pytest.mark.parametrize(
    "name",
    [
        "formulas",
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in (
                "twice",
                "equal",
                "rates",
                "bands",
                "promises",
                "honest",
                "streams",
                "classes",
                "clusters",
                "slices",
            )
        ),
    ],
)
def test_a_few_runs_make_every_row_of_the_page(name):
    done = simulated("--only", name, "--runs", "2", "--cores", "1", "--date", "2009-01-01")
    assert "Traceback" not in done.stderr, done.stderr
    section = done.stdout.split("\n## ")[-1]
    whole = SIMULATED.read_text(encoding="utf-8")
    (wanted,) = (part for part in whole.split("\n## ") if part.splitlines()[0] == section.splitlines()[0])
    assert len(lines_of_tables(section)) == len(lines_of_tables(wanted))
    assert "- date: 2009-01-01" in done.stdout


@pytest.mark.thorough
def test_the_number_of_cores_changes_no_digit():
    one, two = (simulated("--only", "twice", "--runs", "60", "--cores", cores) for cores in ("1", "2"))
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout


def test_a_broken_promise_is_detected(monkeypatch):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    running = import_module("simulations.running")
    seldom = running.Promise("seldom", running.Share(50, 1000), most=0.025)
    assert not seldom.is_kept
    assert running.Promise("seldom", running.Share(38, 1000), most=0.025).is_kept  # within three standard errors
    assert not running.Promise("never", running.Share(1, 1000), most=0.0, slack=0).is_kept
    assert not running.Promise("often", running.Share(900, 1000), least=0.93, most=0.97, slack=0).is_kept


def test_the_page_breaks_no_promise():
    assert "NOT KEPT" not in SIMULATED.read_text(encoding="utf-8")


def test_the_page_describes_the_simulations_as_they_are(monkeypatch):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    simulate, text = import_module("simulate"), SIMULATED.read_text(encoding="utf-8")
    assert simulate.ABOUT in text
    assert [
        each.key for each in simulate.SIMULATIONS.values() if f"{each.runs:,} runs per row. {each.about}" not in text
    ] == []


def test_the_methods_quote_what_was_simulated():
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    quoted = [line for line in lines_of_tables(section) if "±" in line or " of " in line]
    whole = set(lines_of_tables(SIMULATED.read_text(encoding="utf-8")))
    assert len(quoted) > 10
    assert [line for line in quoted if line not in whole] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "runs"), [("twice", 300), ("equal", 1000), ("rates", 500), ("bands", 300), ("clusters", 300)]
)
def test_the_promises_are_kept(monkeypatch, name, runs):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{SIMULATE.parent}")
    simulations, running = import_module("simulate"), import_module("simulations.running")
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        result = running.run(simulations.SIMULATIONS[name], pool, runs=runs)
    assert result.promises
    assert [(each.text, str(each.share)) for each in result.promises if not each.is_within(3)] == []


@pytest.fixture
def simulations(monkeypatch):
    monkeypatch.syspath_prepend(str(SIMULATE.parent))
    return import_module


FEW = (
    *(("binormal", 0.85, 5, 5), ("refit", 0.95, 15, 15), ("unseen slice", 0.7, 30, 60), ("cascade", 0.95, 50, 100)),
    *(("ties of 5 levels", 0.95, 15, 60), ("exponential downwards", 0.95, 50, 50)),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "area", "p", "q"), FEW)
def test_intervals_of_many_samples_are_those_of_the_library(simulations, name, area, p, q):
    many, families = simulations("simulations.many_samples"), simulations("simulations.families")
    new, old = families.Family(name, area).draw(np.random.default_rng(5), 20, p, q)
    first, second = many.placed(new, p), many.placed(old, p)
    around = many.robust_areas(first), many.robust_areas(second)
    apart = many.square_and_add(first.area, around[0], second.area, around[1])
    differences = {
        "robust": many.robust_differences(first - second),
        "delong": many.delong_differences(first - second),
    }
    areas = {"robust": around[0], "delong": many.delong_areas(first)}
    for at in range(20):
        paired = paired_aucs(Predictions(np.arange(p + q) < p, {"new": new[at], "old": old[at]}))
        for kind in ("robust", "delong"):
            one, difference = paired.alone(0, interval=kind), paired.difference(0, 1, interval=kind)
            if one.se is not None:
                assert ends(areas[kind], at) == pytest.approx((one.interval.lower, one.interval.upper), abs=1e-11)
            if difference.test == kind:
                wanted = difference.interval.lower, difference.interval.upper
                assert np.clip(ends(differences[kind], at), -1, 1) == pytest.approx(wanted, abs=1e-11)
        unpaired = unpaired_auc_difference(*(paired.alone(model, interval="robust") for model in (0, 1))).interval
        assert ends(apart, at) == pytest.approx((unpaired.lower, unpaired.upper), abs=1e-11)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "area", "p", "q"), FEW[1:5])
def test_areas_of_many_samples_are_those_of_the_library(simulations, name, area, p, q):
    many, families = simulations("simulations.many_samples"), simulations("simulations.families")
    scores = families.Family(name, area).draw(np.random.default_rng(6), 6, p, q)
    ranked = [many.Ranked.of(of_model, p) for of_model in scores]
    of_areas = {
        "average_precision": [many.precise(of_model, p, q) for of_model in ranked],
        "partial_auc": [many.partial(of_model, p, q, 0.1) for of_model in ranked],
    }
    for at in range(6):
        cases = Predictions(np.arange(p + q) < p, {"new": scores[0][at], "old": scores[1][at]})
        differences = {
            "paired": compare(cases, baseline="old", max_fpr=0.1, bootstrap=1),
            "unpaired": compare(
                [count(cases, model) for model in ("new", "old")], baseline="old", max_fpr=0.1, bootstrap=1
            ),
        }
        for metric, (new, old) in of_areas.items():
            scale = 0.1 if metric == "partial_auc" else 1
            found = area_interval(AREAS[metric], curve(count(cases, "new")), 0.1, level=0.95)
            around = many.robust_areas(new), many.robust_areas(old)
            assert ends(around[0], at) == pytest.approx((found.lower / scale, found.upper / scale), abs=1e-10)
            wanted = {
                "paired": many.robust_differences(new - old),
                "unpaired": many.square_and_add(new.area, around[0], old.area, around[1]),
            }
            for how, limits in wanted.items():
                (pair,) = [each for each in differences[how].pairs if each.metric == metric]
                interval = pair.difference.interval
                if interval.lower == interval.upper == 0:  # one order
                    continue
                expected = interval.lower / scale, interval.upper / scale
                assert np.clip(ends(limits, at), -1, 1) == pytest.approx(expected, abs=1e-10)


def test_corrected_limits_of_many_tables_are_those_of_the_library(simulations):
    many = simulations("simulations.many_samples")
    b, c, n = np.array([0, 3, 9, 12, 1]), np.array([0, 1, 9, 0, 11]), 12 + 7
    for at, limits in enumerate(zip(*many.tango_corrected(b, c, n), strict=True)):
        found = corrected_paired_difference(int(b[at]), int(c[at]), n, level=0.95).interval
        assert limits == pytest.approx((found.lower, found.upper), abs=1e-9)
    for at, limits in enumerate(zip(*many.miettinen_nurminen_corrected(b, 14, c, 23), strict=True)):
        found = corrected_unpaired_difference(int(b[at]), 14, int(c[at]), 23, level=0.95).interval
        assert limits == pytest.approx((found.lower, found.upper), abs=1e-7)
    for at, limits in enumerate(zip(*many.exact_limits(b, 12), strict=True)):
        found = exact_interval(int(b[at]), 12)
        assert limits == pytest.approx((found.lower, found.upper), abs=1e-12)


@pytest.mark.thorough
def test_the_truth_of_a_family_is_that_of_a_curve(simulations):
    families = simulations("simulations.families")
    truth = families.Family("exponential", 0.85)
    new, old = truth.areas
    assert (new, old) == pytest.approx((0.82, 0.85), abs=2e-3)
    assert truth.partial_areas(1.0) == pytest.approx((new, old), abs=1e-9)
    assert truth.average_precisions(10**9, 1)[1] > 0.999
    assert truth.average_precisions(1, 1)[1] > truth.average_precisions(1, 99)[1]


def ends(limits, at):
    return tuple(float(limit[at]) for limit in limits)


@pytest.mark.parametrize(
    ("n", "truth"),
    [(7, 0.3), (12, 0.95)],
)
def test_the_error_of_a_rate_is_the_probability_of_the_counts_that_miss_it(simulations, n, truth):
    limits = simulations("simulations.limits")
    robust, delong = limits.OneRate(n, truth).errors()
    hits = range(n + 1)
    share = [comb(n, k) * truth**k * (1 - truth) ** (n - k) for k in hits]
    for error, interval in ((robust, exact_interval), (delong, wilson)):
        missed = [interval(k, n).lower > truth for k in hits], [interval(k, n).upper < truth for k in hits]
        wanted = [sum(p for p, is_missed in zip(share, side, strict=True) if is_missed) for side in missed]
        assert (error.below, error.above) == pytest.approx(wanted, abs=1e-12)


def test_a_cell_is_broken_only_beyond_chance(simulations):
    error = simulations("simulations.limits").Error
    assert not error("rule", "cell", 50, 0.035, 0.0, runs=1000).is_broken
    assert error("rule", "cell", 50, 0.0, 0.05, runs=1000).is_broken
    assert error("rule", "cell", 50, 0.031, 0.0).is_broken  # exact
    assert not error("rule", "cell", 50, 0.0, 0.0, runs=1000).is_broken


@pytest.mark.thorough
def test_no_robust_rule_on_a_rate_breaks_the_promise(simulations):
    limits, page = simulations("simulations.limits"), SIMULATED.read_text(encoding="utf-8")
    assert limits.ABOUT in page
    rates = [cell for cell in limits.cells() if isinstance(cell, limits.OneRate | limits.PairedRates | limits.F1)]
    errors = [error for cell in rates if getattr(cell, "q", 0) < 200 for error in cell.errors()]
    broken = {error.rule for error in errors if error.is_broken}
    assert broken == {"a rate, delong", "delta of a rate, paired, delong"}


@pytest.mark.limits
@pytest.mark.parametrize(("name", "area", "p", "q"), FEW)
def test_robust_rules_pass_a_model_at_their_limit_no_more_often_than_promised(simulations, name, area, p, q):
    limits, families = simulations("simulations.limits"), simulations("simulations.families")
    errors = limits.Sampled(families.Family(name, area), p, q).errors(2000, 2000)
    robust = [error for error in errors if error.rule.endswith("robust")]
    assert len(robust) == 9
    assert [(error.rule, error.worst) for error in robust if error.is_broken] == []


@pytest.mark.parametrize(("text", "is_known"), [("1:7", False), ("1:7:0.2", True)])
def test_costs_of_many_samples_are_those_of_the_library(simulations, text, is_known):
    priced, costs, p, q = simulations("simulations.priced"), parse_costs(text), 6, 24
    fn, fp = np.array([0, 1, 6, 0, 2]), np.array([0, 2, 24, 3, 0])
    of_miss, of_alarm = map(float, costs.weights(p, q)) if is_known else (7.0, 1.0)
    m, k = (p, q) if is_known else (p + q, p + q)
    for kind in ("robust", "delong"):
        limits = priced.cost_limits(fn, m, fp, k, (of_miss, of_alarm), of_all=not is_known, kind=kind)
        for at in range(len(fn)):
            found = costs.interval(Confusion(p - fn[at : at + 1], fp[at : at + 1], p, q), 0.95, kind)
            assert np.maximum(ends(limits, at), 0) == pytest.approx((found.lower, found.upper), abs=1e-9)


def test_differences_of_costs_of_many_samples_are_those_of_the_library(simulations):
    priced, costs = simulations("simulations.priced"), parse_costs("1:7")
    counts = np.array([[2, 0, 3, 1], [0, 0, 0, 0], [1, 4, 0, 5]])  # missed and alarmed by the new or the old model only
    for kind in ("robust", "delong"):
        limits = priced.difference_limits(counts.T, 30, (7.0, 1.0), kind=kind)
        for at, (only_new, only_old, new_alarmed, old_alarmed) in enumerate(counts.tolist()):
            right = {
                "tpr": Discordance(only_old, only_new, 10),
                "specificity": Discordance(old_alarmed, new_alarmed, 20),
            }
            found = paired_cost(right, costs, level=0.95, kind=kind).interval
            assert ends(limits, at) == pytest.approx((found.lower, found.upper), abs=1e-9)


def test_the_error_of_a_cost_is_the_probability_of_the_samples_that_miss_it(simulations):
    """Every sample of 7 cases, the slow way, where only 1e-7 of them may be left out."""
    robust, _ = simulations("simulations.priced").OneCost(3, 4, 0.3, 0.2, 5.0, is_known=False).errors()
    missed, alarmed = 0.3 * 3 / 7, 0.2 * 4 / 7
    below = above = 0.0
    for fn in range(8):
        for fp in range(8 - fn):
            likely = comb(7, fn) * comb(7 - fn, fp) * missed**fn * alarmed**fp * (1 - missed - alarmed) ** (7 - fn - fp)
            interval = parse_costs("1:5").interval(Confusion(np.array([7 - fn]), np.array([fp]), 7, 0), 0.95, "robust")
            below += likely * (interval.lower > 5 * missed + alarmed)
            above += likely * (interval.upper < 5 * missed + alarmed)
    assert (robust.below, robust.above) == pytest.approx((below, above), abs=1e-6)


def test_the_rules_on_probabilities_are_counted_against_a_large_sample(simulations, monkeypatch):
    calibrated = simulations("simulations.calibrated")
    monkeypatch.setattr(calibrated, "MANY", 4000)
    cell = calibrated.OfProbabilities(1, 1, "underconfident", "constant", 50)
    errors = {error.rule: error for error in cell.errors(2)}
    assert list(errors) == [
        *(f"{name}, robust" for name in ("brier", "log_loss", "mcb", "dsc")),
        *(f"delta_{name}, paired, robust" for name in ("brier", "log_loss", "mcb", "dsc")),
    ]
    assert {(error.positives, error.runs) for error in errors.values()} == {(25, 2)}
    truth = calibrated.truth_of(calibrated.replace(cell, n=0))
    assert truth["dsc"][0] == pytest.approx(1 / 12, abs=0.01)  # the variance of a uniform probability
    assert truth["delta_dsc"][0] == pytest.approx(1 / 12, abs=0.01)  # a constant discriminates nothing


@pytest.mark.limits
@pytest.mark.parametrize(
    ("size", "correlation", "sizes", "labels"), [(15, 0.5, "unequal", "mixed"), (30, 0.1, "unequal", "whole")]
)
def test_rules_on_clusters_pass_a_model_at_their_limit_no_more_often_than_promised(
    simulations, size, correlation, sizes, labels
):
    clusters = simulations("simulations.clusters")
    setting = clusters.Setting(size, correlation, sizes=sizes, labels=labels)
    tally = clusters.missed(setting, np.random.default_rng(3), 800)
    (promise,) = clusters.SIMULATIONS[0].promises(setting, tally, 800)
    assert promise.is_kept, str(promise.share)
