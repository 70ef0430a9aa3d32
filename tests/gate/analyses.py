"""Results of every command and design, each with rules that it can judge."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from conftest import SAMPLE_DATA
from gating import read, text_of
from hypothesis import strategies as st
from strategies import whole_numbers_of

import rocconf
from rocconf.bins import Ends, Thresholds
from rocconf.compute.compare import compare_aucs
from rocconf.read import baseline_of
from rocconf.records import Grouping, Predictions, ScoreCounts, Times

CASES = rocconf.read_predictions(SAMPLE_DATA / "dis.csv", score=["S", "F"])
COUNTS = {counts.model: counts for counts in rocconf.count_each(CASES)}
FLU, OTHER = (
    rocconf.count(rocconf.read_predictions(SAMPLE_DATA / f"{name}.csv")) for name in ("flu", "flu_population")
)
YEAR = rocconf.read_predictions(SAMPLE_DATA / "flu_year.csv", time="day")
WINE = rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar")
CLUSTERED = replace(CASES, clusters=Grouping.of("pair", [place // 2 for place in range(len(CASES))]))
BINNING = Thresholds(np.union1d([0.2, 0.3], COUNTS["F"].scores[::9]))
BINNED = COUNTS["F"].within(Ends(*map(np.unique, BINNING.ends(COUNTS["F"].scores))))
FIRST = rocconf.count(CASES.where(np.arange(len(CASES)) < 1500), "S")
AT = ("threshold=0.2", "youden", "fpr<=0.1")


def sliced(*, small=0, one_class=False, seed=2, n=700):
    """Return cases of three regions, one of which may be small, and another of one class."""
    random = np.random.default_rng(seed)
    region = random.choice(["north", "south", ""], n).astype(object)
    region[:small] = "small"
    labels = random.random(n) < 0.4
    if one_class:
        region[-20:], labels[-20:] = "healthy", False
    old = np.round(1 / (1 + np.exp(-(random.normal(size=n) + 2 * labels))), 3)
    new = np.round(np.clip(old + 0.05 * random.normal(size=n), 0, 1), 3)
    groups = (Grouping.of("region", region), Grouping.of("sex", random.choice(["f", "m"], n)))
    return Predictions(labels, {"old": old, "new": new}, groups=groups)


def reported():
    """Return the earlier model of a report."""
    return baseline_of(read(text_of(rocconf.sweep(FIRST, at=AT[:1])), role="baseline"))


@dataclass
class Run:
    """An analysis, the rules that its report can judge, and those at a point that it has evidence for if they were judged."""

    make: Callable
    rules: tuple
    at_other_points: tuple = ()

    @cached_property
    def result(self):
        return self.make()

    @cached_property
    def text(self):
        """The report with the verdicts of all rules."""
        return text_of(self.result, *self.rules, *self.at_other_points)


OF_CURVE = ("auc >= 0.55", "auc >= 0.8", "positives >= 13", "prevalence <= 0.9", "auc.point >= 0.5")
DIFFERENCES = ("delta_auc >= -0.6", "delta_tpr@threshold=0.2 >= -0.9", "delta_accuracy@threshold=0.2 >= 0")
OF_SLICES = (
    *("auc by region >= 0.6", "auc by region >= 0.75", "auc by sex >= 0.7", "auc.point by region >= 0.5"),
    *("tpr@threshold=0.5 by region >= 0.1", "fpr@threshold=0.5 by region <= 0.5"),
    *("average_precision by region >= 0.2", "positives by sex >= 20"),
)
DIFFERENCES_OF_SLICES = (
    *("delta_auc by region >= -0.3", "delta_auc by sex >= -0.05", "delta_tpr@threshold=0.5 by sex >= -0.2"),
    *("delta_accuracy@threshold=0.5 by region >= -0.5", "auc[new] by sex >= 0.5"),
)

RUNS = {
    "sweep": Run(
        lambda: rocconf.sweep(COUNTS["F"], at=AT, max_fpr=0.2, cost="1:20", calibrated=True),
        (*OF_CURVE, "partial_auc >= 0.01", "brier <= 0.1"),
        ("tpr@threshold=0.3 >= 0.2",),
    ),
    "sweep of bins": Run(lambda: rocconf.sweep(BINNED, at=AT, max_fpr=0.2), OF_CURVE, ("tpr@threshold=0.3 >= 0.2",)),
    "sweep of clusters": Run(
        lambda: rocconf.sweep(rocconf.count(CLUSTERED, "F"), at=AT, intervals=True),
        (*OF_CURVE, "tpr@threshold=0.2 >= 0.2", "specificity@threshold=0.2 >= 0.5"),
        ("tpr@threshold=0.3 >= 0.1", "specificity@threshold=0.3 >= 0.01"),
    ),
    "sweep by slice": Run(
        lambda: rocconf.sweep_slices(sliced(), "new", at="threshold=0.5"),
        (*OF_SLICES, "auc >= 0.6"),
        ("precision@threshold=0.9 by region >= 0.9",),
    ),
    "sweep of slices that are undecided": Run(
        lambda: rocconf.sweep_slices(sliced(small=12, one_class=True), "new", at="threshold=0.5"), OF_SLICES
    ),
    "tango": Run(
        lambda: rocconf.tango(COUNTS["F"], bootstrap=60, margin=0.1),
        (*OF_CURVE, "cauc >= 0.001", "cauc.point >= 0.1", "aved_abs <= 0.1"),
    ),
    "tango of clusters": Run(lambda: rocconf.tango(rocconf.count(CLUSTERED, "F"), margin=0.1), OF_CURVE),
    "chi2-contours": Run(
        lambda: rocconf.chi2_contours(COUNTS["F"], at=AT, permutations=99, cost="1:20:0.1"),
        (*OF_CURVE, "max_chi2_p <= 0.05"),
    ),
    "chi2-contours of class totals": Run(
        lambda: rocconf.chi2_contours(rocconf.ClassTotals(5, 55), points=("0.1,0.8", "0,0.2")),
        ("chi2@point=.1,.8 >= 6.63", "distance@point=0.1,0.8 >= 0.645", "p@point=0.1,0.8 <= 0.05"),
    ),
    "sensibility": Run(
        lambda: rocconf.sensibility(FLU, reference=OTHER, permutations=99, bootstrap=60),
        (*OF_CURVE, "drift_p > 0.02", "struggle_ratio <= 0.5"),
    ),
    "stream": Run(
        lambda: rocconf.sensibility(
            rocconf.count(YEAR), reference=FLU, permutations=19, bootstrap=40, cases=YEAR, time="day", every=92
        ),
        (*OF_CURVE, "drift_alarm == 0", "drift_alarm <= 2"),
    ),
    "compare": Run(
        lambda: rocconf.compare(
            CASES, baseline="S", at=AT[:2], bootstrap=60, max_fpr=0.2, margin=0.05, cost="1:20", calibrated=True
        ),
        (*OF_CURVE, *DIFFERENCES, "delta_cost@threshold=0.2 <= 0.1", "delta_brier <= 0.01", "delta_cauc >= -0.5"),
        ("delta_tpr@threshold=0.3 >= -0.5", "delta_specificity@threshold=0.3 >= -0.5"),
    ),
    "compare of clusters": Run(
        lambda: rocconf.compare(CLUSTERED, baseline="S", at=AT[:2], margin=0.05),
        (*OF_CURVE, *DIFFERENCES),
        ("delta_tpr@threshold=0.3 >= -0.5",),
    ),
    "compare of different cases": Run(
        lambda: rocconf.compare([COUNTS["F"], FIRST], baseline="S", at=AT[:2], margin=0.05), (*OF_CURVE, *DIFFERENCES)
    ),
    "compare against a report": Run(
        lambda: rocconf.compare([COUNTS["F"]], reported=reported(), at=AT[:1]), (*OF_CURVE, *DIFFERENCES)
    ),
    "compare by slice": Run(
        lambda: rocconf.compare_slices(sliced(), baseline="old", at=["threshold=0.5"]),
        DIFFERENCES_OF_SLICES,
        ("delta_tpr@threshold=0.3 by sex >= -0.5",),
    ),
    "compare of slices that are undecided": Run(
        lambda: rocconf.compare_slices(sliced(small=12, one_class=True), baseline="old", at=["threshold=0.5"]),
        DIFFERENCES_OF_SLICES,
    ),
    "compare-auc": Run(
        lambda: compare_aucs(whole_numbers_of(CASES), baseline="S", margin=0.05),
        ("auc >= 0.55", "auc >= 0.8", "delta_auc >= -0.2", "delta_auc >= 0.1"),
    ),
    "one-vs-rest": Run(
        lambda: rocconf.one_vs_rest(WINE, baseline="tree", margin=0.05),
        (
            *("macro_auc >= 0.85", "hand_till.point >= 0.5", "delta_auc >= -0.2", "delta_weighted_auc >= 0.05"),
            *("delta_macro_auc >= 0", "delta_hand_till >= 0", "delta_hand_till_weighted >= 0"),
        ),
    ),
}


# of any cases

AT_POINTS = ("threshold=0.5", "closest", "fpr<=0.3", "fpr <= 0.6", "chi2")
"""Two points of one rule are told apart by their numbers, and one rule is itself however it is written."""

RANDOM_CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30).filter(
    lambda cases: len({label for label, *_ in cases}) == 2
)


def counts_of(cases, **more):
    scores, labels = [score / 4 for _, score, _ in cases], [label for label, *_ in cases]
    return ScoreCounts.of(scores, labels, [not label for label in labels], **more)


def predictions_of(cases, *, turned):
    labels, first, second = (np.array(column) for column in zip(*cases, strict=True))
    scores = {"a": first / 4, "b": second / 4, "c": (first + 2 * second) / 12}
    return rocconf.Predictions(labels, scores, lower_is_positive=turned)


def classes_of(cases, *, turned):
    """Return the cases in three classes, of which one may have no case, or a single one."""
    first, second = (np.array(column, dtype=float) for column in list(zip(*cases, strict=True))[1:])
    labels = np.array([label + (label and score == 0) for label, score, _ in cases], dtype=np.int64)
    scores = {"a": np.column_stack([-first, first, second]), "b": np.column_stack([-second, first, first + second])}
    return rocconf.ClassPredictions(("x", "y", "z"), labels, scores, lower_is_positive=turned)


def followed(cases, turned):
    """Return the cases one after the other, and a reference of others."""
    labels, scores, times = (np.array(column) for column in zip(*cases, strict=True))
    times = Times(times.astype(float), "number")
    stream = rocconf.Predictions(labels, {"a": scores / 4}, lower_is_positive=turned, times=times)
    earlier = ScoreCounts.of([0.1, 0.5, 0.6], [1, 2, 5], [7, 2, 1], lower_is_positive=turned)
    return {"data": rocconf.count(stream), "reference": earlier, "cases": stream, "every": 2}


DRAWN = {"bootstrap": 30, "permutations": 9}
ALL = {"max_fpr": 0.5, "calibrated": True, "at": AT_POINTS}
ANALYSES = {
    "sweep": lambda counts, level, *_: rocconf.sweep(counts, level=level, cost="1:5", **ALL),
    "tango": lambda counts, level, *_: rocconf.tango(counts, level=level, bootstrap=30, margin=0.1, cost="1:5"),
    "chi2-contours": lambda counts, level, *_: rocconf.chi2_contours(
        counts, at=AT_POINTS[:-1], level=level, permutations=9, cost="1:5:0.2"
    ),
    "sensibility": lambda counts, level, *_: rocconf.sensibility(counts, level=level, reference=counts, **DRAWN),
    "stream": lambda _, level, cases, turned: rocconf.sensibility(level=level, **followed(cases, turned), **DRAWN),
    "compare": lambda _, level, cases, turned: rocconf.compare(
        predictions_of(cases, turned=turned), baseline="a", level=level, bootstrap=40, cost="3:1", **ALL
    ),
    "one-vs-rest": lambda _, level, cases, turned: rocconf.one_vs_rest(
        classes_of(cases, turned=turned), baseline="a", level=level
    ),
}


def analysed(command, cases, *, level=0.95, turned=False):
    return ANALYSES[command](counts_of(cases, lower_is_positive=turned), level, cases, turned)
