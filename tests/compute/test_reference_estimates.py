"""Every metric against 40-digit arithmetic from all pairs (tests/reference/estimates.json)."""

import json
from functools import cache
from math import inf
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from designs import METRICS, Sample, ranks_of

from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import Rate, fpr, specificity, tpr
from rocconf.compute.stats.confusion import ratio
from rocconf.compute.stats.design import Design, correlation
from rocconf.compute.stats.estimate import Area, Sum, from_record, to_record

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "estimates.json").read_text())
CASES = range(len(REFERENCE["cases"]))
CLOSE = {"rel": 1e-9, "abs": 1e-13}
SPELLED = {"youden": "youden_j", "partial_auc_over_limit": "partial_auc"}

FNR = Rate("fnr", of=lambda m: m.fn / m.p, hits=lambda m: (m.fn, m.p))
OTHERS = {
    "fnr": FNR,
    "fn_n": Rate("fn_n", of=lambda m: m.fn / m.n, hits=lambda m: (m.fn, m.n)),
    "fp_n": Rate("fp_n", of=lambda m: m.fp / m.n, hits=lambda m: (m.fp, m.n)),
    "tp_n": Rate("tp_n", of=lambda m: m.tp / m.n, hits=lambda m: (m.tp, m.n)),
    "lr_plus": Rate("lr_plus", of=lambda m: ratio(tpr(m), fpr(m)), ratio_of=(tpr, fpr), most=inf),
    "lr_minus": Rate("lr_minus", of=lambda m: ratio(FNR(m), specificity(m)), ratio_of=(FNR, specificity), most=inf),
}
"""Rates that are no metrics, of every form."""

NAMES = list(dict.fromkeys(name for case in REFERENCE["cases"] for name in case["expected"]))
OF_DESIGN = {"eps": "shares", "case_eps": "case_shares", "kish": "kish", "units": "units_of_classes"}


@cache
def sample(at):
    """Return the cases of a reference."""
    case = REFERENCE["cases"][at]
    data = REFERENCE["data"][case["data"]]
    weight, cluster = (
        data[case[name]] if isinstance(case[name], str) else case[name] for name in ("weight", "cluster")
    )
    return Sample(
        np.array(data["label"]) > 0,
        {model: np.array(data[model], dtype=float) for model in ("new", "old")},
        weights=None if weight is None else np.array(weight) / max(weight),
        unit=None if cluster is None else np.unique(cluster, return_inverse=True)[1],
        fold=np.zeros(len(data["label"]), dtype=int),
        thresholds=(case["threshold"],) * 2,
        max_fpr=case["max_fpr"],
    )


def agrees(estimate, expected, level, times=1.0):
    """Whether an estimate is the one that is expected, and the one that a report gives back."""
    ends = expected["robust"] if "robust" in expected else (expected["lower"], expected["upper"])
    for each in (estimate, from_record(json.loads(json.dumps(to_record(estimate))))):
        found = each.interval(level)
        assert each.value == pytest.approx(times * expected["value"], **CLOSE)
        wanted = [inf if end is None else times * end for end in ends]
        assert (found.lower, found.upper) == pytest.approx(wanted, **CLOSE)
        if "p" in expected or "p_robust" in expected:
            assert each.p == pytest.approx(expected.get("p", expected.get("p_robust")), **CLOSE)


def has_sums(sums, expected, *, skewed):
    """Whether the sums are those that are expected, where the positives are the first stratum."""
    found = {name: getattr(sums, name) for name in ("units", "case_squares", "variance", "df")}
    found["total_squares"] = sums.second
    if skewed:
        found |= {"total_cubes": sums.third, "total_fourths": sums.fourth}
    assert found == pytest.approx({name: expected[name] for name in found}, **CLOSE)
    for name, of_strata in (("n", sums.n), ("squares", sums.squares), ("kish", sums.kish)):
        assert of_strata[::-1] == pytest.approx(expected[name], **CLOSE)


@pytest.mark.parametrize("at", CASES)
def test_designs(at):
    for name, attribute in OF_DESIGN.items():
        found = getattr(sample(at).design, attribute)
        assert found[::-1] == pytest.approx(REFERENCE["cases"][at]["expected"][name], **CLOSE)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_DESIGN])
@pytest.mark.parametrize("at", CASES)
def test_estimates(at, name):
    of, case = sample(at), REFERENCE["cases"][at]
    expected, spelled = case["expected"].get(name), name.removeprefix("delta_")
    metric = OTHERS.get(spelled) or METRICS[SPELLED.get(spelled, spelled)]
    found = (of.estimate if name == spelled else of.paired)(metric)
    if expected is None or expected.get("value") is None:
        assert found is None or (name not in case["expected"] and not isinstance(metric, Rate))
        return
    agrees(found, expected, case["level"], case["max_fpr"] if spelled == "partial_auc_over_limit" else 1.0)
    inner = getattr(found, "of", found)
    if "total_squares" in expected:
        has_sums(inner.sums, expected, skewed=hasattr(inner, "pseudo"))
    for key, attribute in (("pseudo_variance", "pseudo"), ("m", "fewest"), ("extra_variance", "extra")):
        if key in expected:
            assert getattr(inner, attribute) == pytest.approx(expected[key], **CLOSE)
    if "correlation" in expected:
        assert found.correlation == pytest.approx(expected["correlation"], **CLOSE)
    if "wilson" in expected:
        around = inner.wilson(1 - case["level"])
        ends = np.array([around.lower, around.upper])
        assert (2 * ends / (1 + ends) if name == "f1" else ends) == pytest.approx(expected["wilson"], **CLOSE)
    if "size" in expected and inner.size is not None:
        assert inner.size.at(1 - case["level"]) == pytest.approx(expected["size"], **CLOSE)


def test_a_slice_and_the_rest_with_shared_clusters():
    expected, data = REFERENCE["slice_auc_with_shared_clusters"], REFERENCE["data"]["B"]
    label, score = np.array(data["label"]) > 0, np.array(data["new"])
    names, unit = np.unique(data["cluster"], return_inverse=True)
    areas, each = [], []
    for own in (np.arange(len(label)) % 2 == 0, np.arange(len(label)) % 2 == 1):
        design = Design(label[own].astype(np.int8), unit=unit[own], units=len(names))
        places = np.unique(-score[own], return_inverse=True)[1]
        ranks = ranks_of(label[own], places, np.ones(len(places)))
        found = AUC.influence(SimpleNamespace(ranks=ranks, design=design))
        psi = found.of_cases(places, label[own])
        each.append(design.contributions(psi))
        areas.append(Area(found.value, design.sums(psi), design.fewest()))
    r = correlation(*each, *(area.sums for area in areas))
    assert r == pytest.approx(expected["correlation"], **CLOSE)
    agrees(Sum(tuple(areas), correlation=r, units=len(names)), expected | {"robust": expected["limits"]}, 0.95)
