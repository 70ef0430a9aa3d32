"""Every form of an estimate against 40-digit arithmetic from all pairs (tests/reference/estimates.json)."""

import json
from functools import cache
from math import inf
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from rocconf.compute.roc.cells import PairedCells, ShareOf
from rocconf.compute.roc.influence import STATISTICS, Ranks
from rocconf.compute.roc.metrics import RATES, Rate
from rocconf.compute.stats.confusion import ratio
from rocconf.compute.stats.design import FLOOR, Design, correlation, is_matched
from rocconf.compute.stats.estimate import Area, Skewed, Sum, from_record, to_record
from rocconf.compute.stats.shares import Dice

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "estimates.json").read_text())
CASES = range(len(REFERENCE["cases"]))
CLOSE = {"rel": 1e-9, "abs": 1e-13}

SHARES = {
    "tpr": ShareOf.by(lambda m: (m.tp, m.p)),
    "fnr": ShareOf.by(lambda m: (m.fn, m.p)),
    "fpr": ShareOf.by(lambda m: (m.fp, m.q)),
    "specificity": ShareOf.by(lambda m: (m.tn, m.q)),
    "prevalence": ShareOf.by(lambda m: (m.p, m.n), either=True),
    "accuracy": ShareOf.by(lambda m: (m.tp + m.tn, m.n)),
    "precision": ShareOf.by(lambda m: (m.tp, m.predicted_positive)),
    "npv": ShareOf.by(lambda m: (m.tn, m.predicted_negative)),
    "fn_n": ShareOf.by(lambda m: (m.fn, m.n)),
    "fp_n": ShareOf.by(lambda m: (m.fp, m.n)),
    "tp_n": ShareOf.by(lambda m: (m.tp, m.n)),
    "f1": ShareOf.by(lambda m: (m.tp, m.p + m.fp)),
}
PAIRED_SHARES = ("tpr", "specificity", "accuracy")
FUNCTIONS = {
    "precision": (1, RATES["precision"].of),
    "npv": (1, RATES["npv"].of),
    "f1": (1, RATES["f1"].of),
    "youden": (2, RATES["youden_j"].of),
    "balanced_accuracy": (1, RATES["balanced_accuracy"].of),
    "mcc": (2, RATES["mcc"].of),
    "kappa": (
        2,
        lambda m: ratio(2 * (m.tp * m.tn - m.fn * m.fp), m.p * m.predicted_negative + m.q * m.predicted_positive),
    ),
    "lift": (inf, RATES["lift"].of),
    "cost": (5, lambda m: (5 * m.fn + m.fp) / m.n),
    "net_benefit": (1.25, lambda m: (m.tp - 0.25 * m.fp) / m.n),
}
SUMS_OF_SHARES = {
    "youden": (("tpr", "fpr"), (1, -1), (-1, 1)),
    "balanced_accuracy": (("tpr", "fpr"), (0.5, -0.5), (0, 1)),
    "cost": (("fn_n", "fp_n"), (5, 1), (0, 5)),
    "net_benefit": (("tp_n", "fp_n"), (1, -0.25), (-0.25, 1)),
}
RATIOS = {"lr_plus": ("tpr", "fpr"), "lr_minus": ("fnr", "specificity"), "lift": ("precision", "prevalence")}
CURVES = {"auc": False, "partial_auc_over_limit": False, "average_precision": True, "brier": True, "log_loss": True}


class Sample:
    """The cases of a reference, and the influence of each on every measure of both models."""

    def __init__(self, at):
        case = REFERENCE["cases"][at]
        self.data, self.expected, self.level = REFERENCE["data"][case["data"]], case["expected"], case["level"]
        self.case = case
        self.label = np.array(self.data["label"]) > 0
        weight = self._column("weight")
        unit = self._column("cluster")
        names, unit = (None, None) if unit is None else np.unique(unit, return_inverse=True)
        self.weight = np.ones(len(self.label)) if weight is None else weight / weight.max()
        self.design = Design(
            self.label.astype(np.int8),
            weights=None if weight is None else self.weight,
            unit=unit,
            units=0 if names is None else len(names),
        )
        flags = [np.array(self.data[model]) >= case["threshold"] for model in ("new", "old")]
        self.cells = PairedCells(self.design, *(2 * self.label + flag for flag in flags))

    def _column(self, name):
        found = self.case[name]
        found = self.data[found] if isinstance(found, str) else found
        return None if found is None else np.array(found)

    def influences(self, metric):
        """Yield the influences of the new and of the old model, with the influence of each case."""
        for model in ("new", "old"):
            values, place = np.unique(-np.array(self.data[model], dtype=float), return_inverse=True)
            of_class = (np.bincount(place, self.weight * some, len(values)) for some in (self.label, ~self.label))
            ranks = Ranks(*(np.concatenate([[0.0], np.cumsum(each)]) for each in of_class))
            found = self._influence(metric, ranks, -values)
            yield found, found.of_cases(place, self.label)

    def _influence(self, metric, ranks, scores):
        seen = SimpleNamespace(
            ranks=ranks, design=self.design, max_fpr=self.case["max_fpr"], probabilities=(scores, 1 - scores)
        )
        return STATISTICS[metric.removesuffix("_over_limit")].influence(seen)


@cache
def sample(at):
    return Sample(at)


def agrees(estimate, expected, level):
    """Whether an estimate is the one that is expected, and the one that a report gives back."""
    if expected is None or expected.get("value") is None:
        assert estimate is None
        return
    ends = expected["robust"] if "robust" in expected else (expected["lower"], expected["upper"])
    for each in (estimate, from_record(json.loads(json.dumps(to_record(estimate))))):
        found = each.interval(level)
        assert each.value == pytest.approx(expected["value"], **CLOSE)
        assert (found.lower, found.upper) == pytest.approx([inf if end is None else end for end in ends], **CLOSE)
        if "p" in expected or "p_robust" in expected:
            assert each.p == pytest.approx(expected.get("p", expected.get("p_robust")), **CLOSE)


def has_sums(sums, expected):
    """Whether the sums are those that are expected, where the positives are the first stratum."""
    names = ("units", "total_squares", "total_cubes", "total_fourths", "case_squares", "variance", "df")
    found = (sums.units, sums.second, sums.third, sums.fourth, sums.case_squares, sums.variance, sums.df)
    assert found == pytest.approx([expected[name] for name in names], **CLOSE)
    for name, of_strata in (("n", sums.n), ("squares", sums.squares), ("kish", sums.kish)):
        assert of_strata[::-1] == pytest.approx(expected[name], **CLOSE)


@pytest.mark.parametrize("at", CASES)
def test_designs(at):
    found, expected = sample(at).design, sample(at).expected
    for name, each in (
        ("eps", found.shares),
        ("case_eps", found.case_shares),
        ("kish", found.kish),
        ("units", found.units_of_classes),
    ):
        assert each[::-1] == pytest.approx(expected[name], **CLOSE)


@pytest.mark.parametrize("metric", CURVES)
@pytest.mark.parametrize("at", CASES)
def test_measures_of_a_curve(at, metric):
    of, together = sample(at), CURVES[metric]
    if metric not in of.expected:
        return
    (new, psi), _ = of.influences(metric)
    expected, sums = of.expected[metric], of.design.sums(psi, together=together)
    has_sums(sums, expected)
    if "pseudo_variance" in expected:
        pseudo = of.design.pseudo_of_mean(new.largest, new.reach, sums)
        assert pseudo == pytest.approx(expected["pseudo_variance"], **CLOSE)
        found = Skewed(new.value, sums, pseudo, 0.0, 1.0 if metric == "brier" else inf, is_difference=False)
    else:
        m, extra = of.design.fewest(new.factors), of.design.missed_variance(new.reach)
        assert (m, extra) == pytest.approx((expected["m"], expected["extra_variance"]), **CLOSE)
        found = Area(new.value, sums, m, extra, new.pessimistic)
    agrees(found, expected, of.level)


@pytest.mark.parametrize("metric", CURVES)
@pytest.mark.parametrize("at", CASES)
def test_differences_of_measures_of_a_curve(at, metric):
    of, together = sample(at), CURVES[metric]
    if metric not in of.expected:
        return
    (new, psi), (old, other) = of.influences(metric)
    expected, sums = of.expected[f"delta_{metric}"], of.design.sums(psi - other, together=together)
    has_sums(sums, expected)
    reach = np.maximum(new.reach, old.reach)
    if metric == "average_precision" and is_matched(sums):
        reach = np.maximum(reach, FLOOR)
    of_mean = metric in ("brier", "log_loss")
    largest = np.maximum(new.largest, old.largest)
    pseudo = of.design.pseudo_of_mean(largest, reach, sums) if of_mean else of.design.pseudo(reach)
    assert pseudo == pytest.approx(expected["pseudo_variance"], **CLOSE)
    most = inf if metric == "log_loss" else 1.0
    agrees(Skewed(new.value - old.value, sums, pseudo, -most, most), expected, of.level)


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("at", CASES)
def test_shares(at, name):
    of = sample(at)
    found, expected = of.cells.models[0].share(SHARES[name]), of.expected[name]
    if found is None:
        assert expected is None or expected["value"] is None
        return
    agrees(Dice(found) if name == "f1" else found, expected, of.level)
    around = found.wilson(1 - of.level)
    ends = [around.lower, around.upper]
    shown = [2 * end / (1 + end) for end in ends] if name == "f1" else ends
    assert shown == pytest.approx(expected["wilson"], **CLOSE)
    if found.size is not None:
        assert found.size.at(1 - of.level) == pytest.approx(expected["size"], **CLOSE)


@pytest.mark.parametrize("name", PAIRED_SHARES)
@pytest.mark.parametrize("at", CASES)
def test_differences_of_shares(at, name):
    of = sample(at)
    agrees(of.cells.share(SHARES[name]), of.expected[f"delta_{name}"], of.level)


@pytest.mark.parametrize("name", ["mcc", "kappa", *(f"delta_{name}" for name in FUNCTIONS)])
@pytest.mark.parametrize("at", CASES)
def test_functions_of_cells(at, name):
    of = sample(at)
    most, function = FUNCTIONS[name.removeprefix("delta_")]
    is_difference = name.startswith("delta_")
    cells, most = (of.cells, most) if is_difference else (of.cells.models[0], most / 2)
    found, expected = cells.function(function, ends=(-most, most)), of.expected.get(name)
    if found is not None and expected is not None:
        has_sums(found.sums, expected)
        assert found.pseudo == pytest.approx(expected["pseudo_variance"], **CLOSE)
    agrees(found, expected, of.level)


def shares(parts):
    """Return shares as a rate is put together from them."""
    return tuple(SimpleNamespace(share=SHARES[part]) for part in parts)


@pytest.mark.parametrize("name", SUMS_OF_SHARES)
@pytest.mark.parametrize("at", CASES)
def test_sums_of_shares(at, name):
    of, (parts, weights, (least, most)) = sample(at), SUMS_OF_SHARES[name]
    sum_of, shift = tuple(zip(shares(parts), weights, strict=True)), 0.5 if name == "balanced_accuracy" else 0.0
    rate = Rate(name, of=None, sum_of=sum_of, shift=shift, least=least, most=most)
    found, expected = rate.estimate(of.cells.models[0]), of.expected[name]
    if found is not None and expected is not None:
        assert found.correlation == pytest.approx(expected["correlation"], **CLOSE)
    agrees(found, expected, of.level)


@pytest.mark.parametrize("name", RATIOS)
@pytest.mark.parametrize("at", CASES)
def test_ratios_of_shares(at, name):
    of = sample(at)
    found = Rate(name, of=None, ratio_of=shares(RATIOS[name])).estimate(of.cells.models[0])
    expected = of.expected[name]
    if found is not None and expected is not None:
        assert found.correlation == pytest.approx(expected["correlation"], **CLOSE)
    agrees(found, expected, of.level)


def test_a_slice_and_the_rest_with_shared_clusters():
    expected, data = REFERENCE["slice_auc_with_shared_clusters"], REFERENCE["data"]["B"]
    label, score = np.array(data["label"]) > 0, np.array(data["new"])
    names, unit = np.unique(data["cluster"], return_inverse=True)
    areas, each, all_sums = [], [], []
    for own in (np.arange(len(label)) % 2 == 0, np.arange(len(label)) % 2 == 1):
        design = Design(label[own].astype(np.int8), unit=unit[own], units=len(names))
        values, place = np.unique(-score[own], return_inverse=True)
        counted = (np.bincount(place[some], minlength=len(values)) for some in (label[own], ~label[own]))
        ranks = Ranks(*(np.concatenate([[0.0], np.cumsum(of)]) for of in counted))
        found = STATISTICS["auc"].influence(SimpleNamespace(ranks=ranks, design=design))
        psi = found.of_cases(place, label[own])
        all_sums.append(design.sums(psi))
        each.append(design.contributions(psi))
        areas.append(Area(found.value, all_sums[-1], design.fewest()))
    r = correlation(*each, *all_sums)
    assert r == pytest.approx(expected["correlation"], **CLOSE)
    agrees(Sum(tuple(areas), correlation=r, units=len(names)), expected | {"robust": expected["limits"]}, 0.95)
