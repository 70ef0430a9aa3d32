"""What the papers claim, on the six data sets of Elazmeh and others: `python docs/six_data_sets.py` writes the page."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import rocconf
from rocconf.compute.compare.bands import KINDS, band
from rocconf.compute.roc.concavities import concavity_records
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.paired_tests import paired_test
from rocconf.compute.tango import confident_region
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.compute.compare.bands import Band
    from rocconf.records import ScoreCounts

HERE = Path(__file__).parent
SETS = ("dis", "hypothyroid", "sick", "sick-euthyroid", "spect", "spectf_cv80")
MODELS = "STFB"
ORDERS = 999
CRITERIA = ("sensitivity", "specificity", "positive predictive value", "negative predictive value")
"""Equations 10 to 13 of Bradley."""


def main() -> None:
    """Write the page."""
    (HERE / "six_data_sets.md").write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the text of docs/six_data_sets.md."""
    shares = [each.p / each.n for each in (counts_of(name)[0] for name in SETS) if not is_balanced(each)]
    parts = [
        "# The six data sets",
        (
            "Written by `make papers`. [papers.md](papers.md) lists what the four papers state; this page examines what takes "
            "more than a line, on the data of Elazmeh, Japkowicz and Matwin (2006): a decision stump (S), a tree (T), a "
            f"random forest (F) and naive Bayes (B). spectf_cv80 has balanced classes; in the others {min(shares):.1%} to "
            f"{max(shares):.1%} of the cases are positive."
        ),
        *segments_and_bands(),
        *one_accuracy(),
        *concave(),
    ]
    return "\n\n".join(parts) + "\n"


@cache
def counts_of(name: str) -> tuple[ScoreCounts, ...]:
    """Return the four models on one of the data sets."""
    return tuple(
        rocconf.count_each(rocconf.read_predictions(HERE.parent / "sample_data" / f"{name}.csv", score=list(MODELS)))
    )


# Elazmeh, Japkowicz and Matwin: the comparison with bands


def segments_and_bands() -> list[str]:
    """Return the section that compares the confident segment with every kind of band."""
    areas, widths = [], []
    for name in SETS:
        for counts in counts_of(name):
            drawn = [drawn_band(counts, kind) for kind in KINDS]
            segment = rocconf.tango(counts)
            where = range_of(counts, segment.confident)
            share = f"{len(segment.confident)} of {len(segment.curve)}"
            areas.append(
                (
                    name,
                    counts.model,
                    share,
                    where,
                    f"{region_area(counts):.3f}",
                    *(f"{each.area:.2f}" if each else "–" for each in drawn),
                )
            )
            if segment.confident:
                widths.append((counts, [ratio(counts, segment.confident, each) if each else np.nan for each in drawn]))
    summary = [
        (
            kind,
            *(
                f"{np.nanmean([found[at] for counts, found in widths if is_balanced(counts) is balanced]):.2f}"
                for balanced in (False, True)
            ),
        )
        for at, kind in enumerate(KINDS)
    ]
    balanced = [row for row in areas if row[0] == "spectf_cv80"]
    at = 5 + list(KINDS).index("fixed-width")
    thyroid = ("hypothyroid", "sick", "sick-euthyroid")
    covered = [float(row[at]) for row in areas if row[0] in thyroid]
    positives = [counts_of(name)[0].p for name in thyroid]
    rare, *_ = counts_of("dis")
    return [
        "## Confident segments and bands",
        (
            "The paper compares its method with fixed-width bands on dis, and leaves other bands to the future. Here are the six "
            "kinds at 95%. The numbers are shares of ROC space: of the confident region (where a point is confident, "
            "`tango --plot region`), and of each band. `confident` is the number of confident thresholds, `tpr` the true positive "
            "rates between which they lie."
        ),
        table(("data set", "model", "confident", "tpr", "region", *KINDS), areas),
        (
            "**They answer different questions.** A band says where the curve may run, at every false positive rate; it leaves "
            "out how many errors of either kind there are. The segment says at which thresholds misses and false alarms do "
            "not differ beyond chance; it leaves out all other thresholds, how sure the curve itself is, and any threshold "
            "that is better for unequal costs. A narrow segment is no sign of a precise curve: the region depends on the "
            "class sizes alone."
        ),
        (
            f"**Are bands useless under imbalance?** On dis, with {rare.p} positives, fixed-width bands cover half of the chart, "
            "as the paper says. Much of that is the number of positives, not the imbalance: on hypothyroid, sick and "
            f"sick-euthyroid, with {min(positives)} to {max(positives)} positives that are rare too, they cover {min(covered):.0%} to "
            f"{max(covered):.0%}. With few positives every kind of band is wide because little is known. The confident segment on dis rests on "
            f"the same {rare.p} positives, and only `tango --bootstrap B` shows how little is known of it."
        ),
        (
            "**Balanced classes.** On spectf_cv80, 40 and 40, the region is a wide stripe around the descending diagonal "
            f"({balanced[0][4]} of the chart), and of T {balanced[1][2]} thresholds are confident. Where positives are rare it is a "
            "sliver at the left side. So with balanced classes the segment is close to where misses and false alarms are equally "
            "frequent as rates, and under imbalance it forces thresholds with very few alarms. `tango --prevalence` shows where "
            "the segment would be at another mixture."
        ),
        (
            "How wide the bands are at the confident thresholds, as a multiple of their mean width over all thresholds (mean "
            "of the models with a segment):"
        ),
        table(("band", "imbalanced", "balanced"), summary),
        (
            "So the segment lies where the bands are wider than elsewhere: with rare positives at the steep beginning of the "
            "curve, where a small change of the false positive rate moves the true positive rate far."
        ),
    ]


def drawn_band(counts: ScoreCounts, kind: str) -> Band | None:
    """Return a band, None where it does not exist: a binormal model cannot be fitted to classes that hardly overlap."""
    try:
        return band(curve(counts), kind)
    except UndefinedError:
        return None


def range_of(counts: ScoreCounts, rows: range) -> str:
    """Return the true positive rates of the ends of some rows."""
    if not rows:
        return "none"
    roc = curve(counts)
    return f"{roc.tpr[rows[0]]:.2f} to {roc.tpr[rows[-1]]:.2f}"


def region_area(counts: ScoreCounts) -> float:
    """Return the share of ROC space in which a point is confident."""
    region = confident_region(counts.p, counts.q, paired_test("tango"))
    return float(np.trapezoid(region.upper - region.lower, region.fpr))


def ratio(counts: ScoreCounts, rows: range, drawn: Band) -> float:
    """Return the mean width of a band where the curve is confident, over that along the whole curve."""
    widths = drawn.upper - drawn.lower
    fpr = curve(counts).fpr[rows[0] : rows[-1] + 1]
    return float(np.interp(fpr, drawn.fpr, widths).mean() / np.interp(curve(counts).fpr, drawn.fpr, widths).mean())


def is_balanced(counts: ScoreCounts) -> bool:
    """Whether the classes are of one size."""
    return counts.p == counts.q


# Bradley: two points of one accuracy


def one_accuracy() -> list[str]:
    """Return the section on points of one accuracy and different chi-squares."""
    rows, moved = [], []
    for name in SETS:
        first, second = pairs_of(name)
        better = first > second
        known = ~(np.isnan(first) | np.isnan(second))
        shares = [f"{better[known[:, at], at].mean():.0%}" for at in range(4)]
        all_known = known.all(axis=1)
        wins = better[all_known].sum(axis=1)
        rows.append((name, f"{len(first):,}", *shares, f"{(wins == 4).mean():.0%}", f"{wins.mean():.2f}"))
        differ = [m for m in counts_of(name) if places(m, "accuracy") != places(m, "chi2")]
        moved.append((name, ", ".join(m.model for m in differ) or "none"))
    changed = sum(len(models.split(", ")) for _, models in moved if models != "none")
    return [
        "## Two points of one accuracy",
        (
            "Bradley (1996, section 6): of two points of one accuracy and different chi-squares, the one of the higher "
            "chi-square is preferable, as it will in general be better by sensitivity, specificity and both predictive "
            "values. Here are all pairs of operating points of the four models with the same number of right predictions: how "
            "often the point of the higher chi-square is better by each."
        ),
        table(("data set", "pairs", *CRITERIA, "by all four", "mean of four"), rows),
        (
            "**By all four it can never be.** At one accuracy, more true positives come with as many more false positives: one "
            "point has the higher sensitivity, the other the higher specificity. Where positives are rare, the point of the "
            "higher chi-square is nearly always the more sensitive one, with the higher negative predictive value; by "
            "specificity it is nearly always the worse one, and by positive predictive value it depends on the data. With balanced "
            "classes it is better by two of four on average. So the claim holds in part: chi-square "
            "tells points that do work from those that predict nearly everything negative, and chooses a side between the others."
        ),
        (
            f"**The most accurate point is not that of the largest chi-square** for {changed} of 24 curves, as the paper expects of "
            "unequal classes:"
        ),
        table(("data set", "models for which they differ"), moved),
    ]


def pairs_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the four criteria of both points of every pair, the one of the higher chi-square first."""
    first, second = [], []
    for points, values in points_of_one_accuracy(name):
        order = np.argsort(values)
        low, high = np.triu_indices(len(order), 1)
        low, high = order[low], order[high]
        differ = values[high] - values[low] > 1e-9 * values[high]
        first.append(points[high[differ]])
        second.append(points[low[differ]])
    return np.concatenate(first), np.concatenate(second)


def points_of_one_accuracy(name: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the criteria and chi-squares of the different points with the same number of right predictions."""
    counts = counts_of(name)
    p, q = counts[0].p, counts[0].q
    cells = {(int(tp), int(fp)) for each in counts for tp, fp in zip(curve(each).tp, curve(each).fp, strict=True)}
    for _, group in groupby(
        sorted(cells, key=lambda cell: (cell[0] - cell[1], cell)), key=lambda cell: cell[0] - cell[1]
    ):
        tp, fp = np.array(list(group)).T
        with np.errstate(invalid="ignore"):
            criteria = np.column_stack([tp / p, 1 - fp / q, tp / (tp + fp), (q - fp) / (p + q - tp - fp)])
        yield criteria, chi2(Confusion(tp, fp, p, q))


def places(counts: ScoreCounts, rule: str) -> tuple[int, int]:
    """Return the counts of an operating point."""
    point = operating_point(counts, parse_point_rule(rule))
    return point.tp, point.fp


# Hamel and his concavities


def concave() -> list[str]:
    """Return the section on concavities."""
    rows, total, found = [], 0, 0
    for name in SETS:
        for counts in counts_of(name):
            records = concavity_records(curve(counts), counts.model, orders=ORDERS)
            total += len(records)
            found += sum(record["p_adjusted"] <= 0.05 for record in records)
            if records:
                least = min(records, key=lambda record: record["p"])
                rows.append(
                    (
                        *(name, counts.model, str(len(records))),
                        f"{least['threshold_low']:.3g} to {least['threshold_high']:.3g}",
                        f"{least['positives']} and {least['negatives']}",
                        *(f"{least['auc']:.3f}", f"{least['p']:.3f}", f"{least['p_adjusted']:.3f}"),
                    )
                )
    return [
        "## Concavities",
        (
            "Hamel (2009): concavities show that over some range of thresholds a model performs worse than a random one. Each "
            f"curve with concavities, and the one with the least p (`sweep --concavities {ORDERS}`; [methods.md](methods.md) has the test):"
        ),
        table(
            (
                "data set",
                "model",
                "concavities",
                "thresholds",
                "positives and negatives",
                "AUC within",
                "p",
                "adjusted",
            ),
            rows,
        ),
        (
            f"{found} of {total} are more than chance at 5% over the concavities of their curve. For the others "
            "chance is explanation enough: in the sample the model is worse than random there, on new cases it need not be."
        ),
    ]


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *body))


if __name__ == "__main__":
    main()
