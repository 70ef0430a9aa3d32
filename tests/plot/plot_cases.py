"""Results to draw, and what figures show."""

from functools import cache
from itertools import pairwise

import numpy as np
from conftest import SAMPLE_DATA
from matplotlib.text import Text

import rocconf
from rocconf import ClassTotals, Predictions, chi2_contours, compare, count, sensibility, sweep, tango
from rocconf.plot import Canvas
from rocconf.plot.draw import painted as painted_figure
from rocconf.plot.figure import house_style
from rocconf.records import Grouping, Source

LABELS = np.array([1, 1, 0, 1, 1, 0, 1, 0, 0, 0], dtype=bool)
SCORES = np.array([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0])
RULES = ("closest", "youden", "accuracy", "chi2", "cost=1:5", "fpr<=0.1", "tpr>=0.9")
SIGNS = "_a$b^2$\\x_"


def painted(results, kind, canvas=None, **extras):
    """Return a figure, laid out."""
    canvas = canvas or Canvas(dpi=72)
    with house_style(canvas):
        return painted_figure(results, kind, canvas, **extras)


def texts(figure):
    """Return what is written in a figure; ticks beyond the ends of an axis are not."""
    beyond = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                beyond |= {tick.label1, tick.label2}
    return [
        text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip() and text not in beyond
    ]


def words(figure):
    """Return all that is written in a figure, on one line."""
    return " ".join(" ".join(text.get_text() for text in texts(figure)).split())


def legend_of(figure):
    (legend,) = [*filter(None, (axes.get_legend() for axes in figure.axes)), *figure.legends]
    return legend


def legend_texts(figure):
    """Return the title and the entries of the legend."""
    legend = legend_of(figure)
    return [legend.get_title().get_text(), *(text.get_text() for text in legend.get_texts())]


def distance_to_polyline(points, corners):
    """Return the distance of every point to the nearest of the line's segments, by the definition."""
    best = np.full(len(points), np.inf)
    for start, end in pairwise(corners):
        along = end - start
        length = along @ along
        share = np.clip((points - start) @ along / length, 0, 1) if length else np.zeros(len(points))
        best = np.minimum(best, np.hypot(*(points - start - share[:, None] * along).T))
    return best


def counted(labels, scores, model="score", file="", **more):
    labels, scores = np.array(labels, bool), np.array(scores, float)
    sources = (Source(file, len(labels), int(labels.sum()), int((~labels).sum()), "1"),) if file else ()
    return count(Predictions(labels, {model: scores}, sources=sources, **more))


def cases_of(n, models=1, *, seed=1, prevalence=0.4, names=None):
    """Return cases of models that are the better the later they stand, with scores like probabilities."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    names = names or [f"model {k}" for k in range(models)]
    scores = {name: 1 / (1 + np.exp(-rng.normal(size=n) - (1 + k / 4) * labels)) for k, name in enumerate(names)}
    return Predictions(labels, scores)


# sweeps


def sweeps(labels, at=("closest",), **scores):
    columns = {name: np.array(column, dtype=float) for name, column in scores.items()}
    counts = rocconf.count_each(Predictions(np.array(labels, dtype=bool), columns))
    return [sweep(each, at=at) for each in counts]


def ten_cases(at=("closest",)):
    return sweeps(LABELS, at, score=SCORES)


def random_models(n, models, *, seed=1, at=("closest",), prevalence=0.1):
    """Return sweeps of models with normal scores."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    scores = {f"model {k}": rng.normal(size=n) + (1 + k / 4) * labels for k in range(models)}
    return sweeps(labels, at, **scores)


SWEEPS = {
    "ten cases": lambda: ten_cases(("closest", "youden", "fpr<=0.1")),
    "every rule": lambda: ten_cases(RULES),
    "crowded scores": lambda: sweeps(LABELS, RULES, forest=[0.9, 1e-3, 1e-3, 1e-4, 2e-4, 1e-5, 0, 0, 0, -6e-18]),
    "worse than chance": lambda: sweeps(LABELS, RULES, turned=[0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
    "four models": lambda: random_models(300, 4, at=("closest", "fpr<=0.1")),
    "twelve models": lambda: random_models(300, 12),
    "all tied": lambda: sweeps(LABELS, tied=[0.3] * 10),
    "two cases": lambda: sweeps([1, 0], two=[1, 0]),
    "labels for scores": lambda: sweeps(LABELS, classes=[1, 1, 0, 1, 0, 0, 0, 1, 0, 0]),
    "perfect": lambda: sweeps(LABELS, perfect=LABELS + np.linspace(0, 0.5, 10)),
    "infinite scores": lambda: sweeps(LABELS, s=[np.inf, np.inf, 3, 2, 1, 0.5, -1, -2, -np.inf, -np.inf]),
    "only infinite scores": lambda: sweeps(LABELS, s=[np.inf] * 5 + [-np.inf] * 5),
    "extreme scores": lambda: sweeps(LABELS, s=[1.7e308, 5, 4, 3, 2, 5e-324, 0, -1, -2, -1.7e308]),
    "a name with signs": lambda: sweeps(LABELS, **{SIGNS: np.arange(10)[::-1]}),
    "many cases": lambda: random_models(100_000, 1, at=("closest", "fpr<=0.01")),
}


# confident segments


def segments(*counts, **options):
    return [tango(each, **options) for each in counts]


def random_counts(n, *, prevalence=0.4, models=1):
    return rocconf.count_each(cases_of(n, models, seed=n, prevalence=prevalence))


RARE = np.arange(2000) % 50 == 0
SEGMENTS = {
    "ten cases": lambda: segments(counted(LABELS, SCORES)),
    "equivalent too": lambda: segments(counted(LABELS, SCORES), margin=0.6),
    "one confident point": lambda: segments(counted([1] * 60 + [0] * 90, [9] * 30 + [1] * 30 + [9] * 30 + [1] * 60)),
    "no confident point": lambda: segments(counted([1] * 5 + [0] * 60, [1] * 5 + [1] * 30 + [0] * 30)),
    "all tied": lambda: segments(counted(LABELS, [0.5] * 10)),
    "imbalanced": lambda: segments(*random_counts(2000, prevalence=0.02)),
    "imbalanced and turned": lambda: segments(counted(RARE, np.arange(2000) * 7 % 2000 / 2000 - 0.5 * RARE)),
    "imbalanced, three models": lambda: segments(*random_counts(2000, prevalence=0.02, models=3)),
    "mostly positive": lambda: segments(*random_counts(2000, prevalence=0.98)),
    "four models": lambda: segments(*random_counts(300, models=4)),
    "nine models": lambda: segments(*random_counts(300, models=9)),
    "a test without an interval": lambda: segments(*random_counts(200, models=2), test="exact"),
    "lower is positive": lambda: segments(counted(LABELS, 1 - SCORES, lower_is_positive=True)),
    "infinite scores": lambda: segments(counted(LABELS, [np.inf, 5, 4, 3, 2, 1, 0, -1, -2, -np.inf])),
    "extreme scores": lambda: segments(counted(LABELS, [1.7e308, 5, 4, 3, 2, 5e-324, 0, -1, -2, -1.7e308])),
    "only infinite scores": lambda: segments(counted(LABELS, [np.inf] * 5 + [-np.inf] * 5)),
    "listed thresholds": lambda: segments(counted(LABELS, SCORES), thresholds="0.2,0.5,0.8"),
    "a name with signs": lambda: segments(counted(LABELS, SCORES, SIGNS)),
    "many cases": lambda: segments(*random_counts(100_000)),
}


# contours of chi-square


def contours_of(p, q, **options):
    return [chi2_contours(ClassTotals(p, q), **options)]


def contours_with(*models, file="spectf_cv80.csv", **options):
    predictions = rocconf.read_predictions(SAMPLE_DATA / file, score=models)
    return [chi2_contours(counts, permutations=19, **options) for counts in rocconf.count_each(predictions)]


CONTOURS = {
    "rare positives": lambda: contours_of(5, 55),
    "rare negatives": lambda: contours_of(55, 5),
    "balanced": lambda: contours_of(30, 30),
    "a model": lambda: contours_with("F"),
    "two models": lambda: contours_with("T", "B"),
}


# sensibility and drift


def random_case(n, *, seed, prevalence=0.4, model="score", file=""):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    return counted(labels, rng.beta(1.5 + labels, 2), model, file)


def sensibilities(*counts, **options):
    return [sensibility(each, bootstrap=50, **options) for each in counts]


def drifts(reference, *counts):
    return sensibilities(*counts, reference=reference, permutations=19)


def reference():
    return random_case(400, seed=1, file="a_file_with_a_long_name_of_the_last_year.csv")


PERFECT, HOPELESS = ((labels, [0.9, 0.8, 0.2, 0.1]) for labels in ([1, 1, 0, 0], [0, 0, 1, 1]))
SENSIBILITIES = {
    "ten cases": lambda: sensibilities(counted(LABELS, SCORES)),
    "lower is positive": lambda: sensibilities(counted(LABELS, 1 - SCORES, lower_is_positive=True)),
    "no capability": lambda: sensibilities(counted(*PERFECT)),
    "no sensibility": lambda: sensibilities(counted(*HOPELESS)),
    "midpoint outside": lambda: sensibilities(random_case(300, seed=2, prevalence=0.05)),
    "three models": lambda: sensibilities(*(random_case(200, seed=k, model=f"model {k}") for k in (3, 4, 5))),
    "a name with signs": lambda: sensibilities(counted(LABELS, SCORES, SIGNS)),
    "many cases": lambda: sensibilities(random_case(50_000, seed=6)),
}
DRIFTS = {
    "drift": lambda: drifts(reference(), random_case(300, seed=7, file="another_long_name_of_a_file_of_this_year.csv")),
    "drift of what is undefined": lambda: drifts(counted(*HOPELESS), counted(*PERFECT)),
    "drift of two models": lambda: drifts(reference(), *(random_case(200, seed=k, model=f"model {k}") for k in (8, 9))),
    "drift to a midpoint outside": lambda: drifts(reference(), random_case(300, seed=2, prevalence=0.05)),
}


def year():
    """Return the patients of a year, followed in time."""
    cases = rocconf.read_predictions(SAMPLE_DATA / "flu_year.csv", time="day")
    earlier = count(rocconf.read_predictions(SAMPLE_DATA / "flu.csv"))
    return [sensibility(count(cases), reference=earlier, permutations=1, bootstrap=0, cases=cases)]


STREAMS = {"a year": year}


# cases without labels


def unlabelled_scores(*pairs, names=("score", "a very long name of a model, " * 2, SIGNS)):
    """Return the comparison of each pair of scores, the new ones first."""
    found = [[rocconf.Scores.of(each, model=name) for each in pair] for name, pair in zip(names, pairs, strict=False)]
    return [rocconf.unlabelled(new, old, permutations=19) for new, old in found]


MONTH, BEFORE = np.array([0.1, 0.2, 0.2, 0.4, 0.6]), np.linspace(0.05, 0.95, 19)
MONTHS = {
    "one model": lambda: unlabelled_scores((MONTH, BEFORE)),
    "three models": lambda: unlabelled_scores((MONTH, BEFORE), (MONTH * 90 - 40, [-np.inf, -7, 7]), (MONTH, MONTH)),
    "no scale": lambda: unlabelled_scores((MONTH, [-np.inf, np.inf]), ([np.inf], [np.inf, 1e300])),
}


# comparisons


def dis(**options):
    return [compare(rocconf.read_predictions(SAMPLE_DATA / "dis.csv"), **options)]


def without_segments():
    scores = {"one": [1.0] * 35 + [0] * 30, "two": [1.0] * 36 + [0] * 29}
    return Predictions(np.arange(65) < 5, {name: np.array(column) for name, column in scores.items()})


def unpaired(n, models):
    return [count(cases_of(n, seed=seed, names=[f"model {seed}"])) for seed in range(models)]


FOLDS = [f"gradient_boosted_trees_calibrated_in_2026_fold_{k}" for k in range(4)]
COMPARISONS = {
    "dis": lambda: dis(at=["fpr<=0.05"], margin=0.05),
    "dis, banded": lambda: dis(band="fixed-width"),
    "two, banded": lambda: [compare(cases_of(200, 2), band="ks")],
    "bootstrapped, all pairs": lambda: dis(bootstrap=40, all_pairs=True),
    "bootstrapped": lambda: [compare(cases_of(300, 3), bootstrap=40)],
    "nine models": lambda: [compare(cases_of(300, 9), at=["youden", "fpr<=0.1"])],
    "nine models, banded": lambda: [compare(cases_of(300, 9), band="ks")],
    "no segment": lambda: [compare(without_segments(), at=["youden"])],
    "unpaired": lambda: [compare(unpaired(100, 3), at=["youden"], margin=0.1)],
    "long names": lambda: [compare(cases_of(100, names=["a very long name of a model, " * 3, SIGNS]), all_pairs=True)],
    "names that end differently": lambda: [compare(cases_of(100, names=FOLDS), at=["youden"])],
    "one positive": lambda: [
        compare(Predictions(np.arange(41) < 1, {"a": np.arange(41.0), "b": np.arange(41.0) * -1}), bootstrap=40)
    ],
    "many cases": lambda: [compare(cases_of(50_000, 2), band="simultaneous")],
    "many cases, few positive": lambda: [compare(cases_of(12_000, 2, prevalence=0.02), at=["fpr<=0.02"], margin=0.02)],
}

CLASSES = {
    "wine": lambda: [
        rocconf.one_vs_rest(rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar"), baseline="tree")
    ],
}


def three_rules():
    rules = ("delta_auc >= -0.05", "tpr >= 0.8", "fpr <= 0.1")
    truth = {"auc": 0.85, "correlation": 0.8, "tpr": 0.7, "fpr": 0.05, "prevalence": 0.2}
    return [rocconf.plan(rules, **truth, runs=100)]


PLANS = {
    "three rules": three_rules,
    "one class": lambda: [rocconf.plan("tpr >= 0.8", tpr=0.9)],
    "at the limit": lambda: [rocconf.plan("fpr <= 0.1", fpr=0.1)],
}


def sliced(analyse, groups, n=900, **options):
    """Return the slices of cases, one of which is of one class and one is small."""
    random, cases = np.random.default_rng(4), cases_of(n, 2, prevalence=0.3)
    names = random.choice([f"slice {at} of a column" for at in range(groups)], n).astype(object)
    names[:3], names[cases.labels.nonzero()[0][:2]] = "", "only positives"
    found = Predictions(cases.labels, cases.scores, groups=(Grouping.of("a column", names),))
    return [analyse(found, **options)]


SLICES = {
    "sweep": {"sliced": lambda: sliced(rocconf.sweep_slices, 6, model="model 0")},
    "compare": {"sliced in 70": lambda: sliced(rocconf.compare_slices, 70)},
}

CASES = {
    "plan": PLANS,
    "one-vs-rest": CLASSES,
    "sweep": SWEEPS | SLICES["sweep"],
    "tango": SEGMENTS,
    "chi2-contours": CONTOURS,
    "sensibility": SENSIBILITIES | DRIFTS | STREAMS,
    "unlabelled": MONTHS,
    "compare": COMPARISONS | SLICES["compare"],
}


OF_PROBABILITIES = ("ten cases", "every rule", "dis", "dis, banded")
"""The cases whose scores are probabilities."""


@cache
def results_of(command, case):
    """Return the results of a command for a case, computed once."""
    return CASES[command][case]()


def kinds_of(command, case):
    """Return the kinds of figures that a case can have."""
    if case in SLICES.get(command, ()):
        return ("slices",)
    of_probabilities = ("cost", *(("net-benefit", "calibration") if case in OF_PROBABILITIES else ()))
    kinds = {
        "plan": ("power",),
        "chi2-contours": ("contours", *(("scores",) if "model" in case else ())),
        "sensibility": (
            "sensibility",
            *(("drift",) if case in DRIFTS | STREAMS else ()),
            *(("time",) if case in STREAMS else ()),
            "scores",
        ),
        "tango": ("segment", "intervals", "region", "scores"),
        "one-vs-rest": ("roc", "forest"),
        "unlabelled": ("distributions",),
    }
    kinds |= {
        "sweep": ("roc", "pr", "det", "gain", "thresholds", "scores", *of_probabilities),
        "compare": ("cauc", "roc", "intervals", "forest", "scores", *of_probabilities),
    }
    return kinds[command]


@cache
def figure_of(command, case, kind):
    """Return the usual figure of a case, drawn once; it must not be changed."""
    return painted(results_of(command, case), kind)
