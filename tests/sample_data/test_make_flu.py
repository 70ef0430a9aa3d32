"""The flu files are what their maker makes, and tell the story they are there to tell."""

from __future__ import annotations

from math import hypot
from pathlib import Path

import numpy as np
import pytest
from conftest import load_script

from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import count
from rocconf.compute.sensibility import drift, sensibility
from rocconf.records import Predictions

HERE = Path(__file__).parents[2] / "sample_data"
FILES = ("flu.csv", "flu_same.csv", "flu_population.csv", "flu_definition.csv")


@pytest.fixture(scope="module")
def maker():
    return load_script(HERE / "make_flu.py")


def counted(labels, scores):
    return count(Predictions(np.asarray(labels, bool), {"score": np.asarray(scores, float)}))


def read(name):
    _, labels, scores = np.loadtxt(HERE / name, delimiter=",", skiprows=1, unpack=True)
    return counted(labels, scores)


def test_makes_the_committed_files(maker, tmp_path, monkeypatch):
    monkeypatch.setattr(maker, "__file__", str(tmp_path / "make_flu.py"))
    maker.main()
    for name in FILES:
        made, committed = ((folder / name).read_text(encoding="utf-8") for folder in (tmp_path, HERE))
        assert made.splitlines()[0] == committed.splitlines()[0] == "id,label,score"
        # another build of scikit-learn may round the last printed digit the other way
        made, committed = (np.loadtxt(text.splitlines()[1:], delimiter=",") for text in (made, committed))
        np.testing.assert_allclose(made, committed, rtol=0, atol=2e-6)


def test_makes_the_committed_year(maker, tmp_path, monkeypatch):
    monkeypatch.setattr(maker, "__file__", str(tmp_path / "make_flu.py"))
    maker.main()
    made, committed = ((folder / "flu_year.csv").read_text("utf-8").splitlines() for folder in (tmp_path, HERE))
    assert made[0] == committed[0] == "id,day,label,score"
    for one, other in zip(made[1:], committed[1:], strict=True):
        assert one.split(",")[:3] == other.split(",")[:3]
        assert abs(float(one.split(",")[3]) - float(other.split(",")[3])) <= 2e-6


@pytest.mark.thorough
def test_more_of_the_same_domain_shows_no_change():
    assert drift(read("flu_same.csv"), read("flu.csv")).conclusion == "no evidence of change"


@pytest.mark.parametrize("name", [pytest.param("flu_population.csv", marks=pytest.mark.thorough), "flu_definition.csv"])
def test_a_changed_domain_is_found_where_the_area_shows_nothing(name):
    found = drift(read(name), read("flu.csv"))
    assert found.conclusion == "prevalence changed, scores within the classes changed"
    assert found.sensibility.p_adjusted <= 0.01
    assert found.auc.p > 0.1


@pytest.mark.thorough
def test_every_midpoint_is_among_the_scores():
    for name in FILES:
        found = sensibility(read(name))
        assert 0.3 < found.split.midpoint < 0.8
        assert "midpoint-outside" not in {caveat.code for caveat in found.caveats}


@pytest.mark.slow
def test_sensibility_finds_the_new_definition_where_the_area_does_not(maker, record_property):
    rng, runs = np.random.default_rng(21), 200
    model = maker.train(rng)
    rejected = {"D_sens": 0, "D_joint": 0, "within_class_ks": 0, "auc": 0}
    for run in range(runs):
        old, new = (
            counted(*maker.scored(model, domain, 1000, rng)) for domain in (maker.ORIGINAL, maker.OTHER_DEFINITION)
        )
        found = drift(new, old, permutations=199, seed=run)
        for each in found.statistics:
            if each.name in rejected:
                rejected[each.name] += each.p <= 0.05
    record_property("rejected", {name: times / runs for name, times in rejected.items()})
    assert rejected["D_sens"] >= 0.9 * runs
    assert rejected["D_joint"] >= 0.9 * runs


@pytest.mark.slow
def test_the_area_stays_where_it_was_under_the_new_definition(maker, record_property):
    rng, runs, rejected = np.random.default_rng(22), 4000, 0
    model = maker.train(rng)
    for _ in range(runs):
        old, new = (
            auc(counted(*maker.scored(model, domain, 1000, rng))) for domain in (maker.ORIGINAL, maker.OTHER_DEFINITION)
        )
        rejected += abs(new.value - old.value) / hypot(new.se, old.se) >= 1.959964
    record_property("rejected", rejected / runs)
    assert rejected / runs < 0.08
