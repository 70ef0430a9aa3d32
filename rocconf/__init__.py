"""ROC analysis with confidence intervals, and release gates that judge them.

    y, scores or a data frame ------------------------> sweep -------> Sweep
    scores.csv -read-> Predictions -count-> ScoreCounts -> sweep -------> Sweep
    counts.csv -read----------------------> ScoreCounts -> tango -------> ConfidentSegment
                                            ScoreCounts -> chi2_contours -> Chi2Contours (ClassTotals are enough)
                                            ScoreCounts -> sensibility -> Sensibility (with a reference: Drift)
    month.csv -read_scores-> Scores ------------------> unlabelled -> Unlabelled
    several files -pair-> Predictions -------------------> compare -----> Comparison

Every result has rows (`.table()`, `.to_frame()`), a summary (`.summary()`), a dictionary of everything (`.to_dict()`),
and warnings and notes (`.caveats`). `judge(result, "auc >= 0.85")` returns the verdicts of the command line.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing, or anything else, takes longer than all of this module
if TYPE_CHECKING:
    from typing import Any

    from rocconf.api.chi2_contours import chi2_contours
    from rocconf.api.compare import compare
    from rocconf.api.count import count
    from rocconf.api.plan import plan
    from rocconf.api.sensibility import sensibility
    from rocconf.api.sweep import sweep
    from rocconf.api.tango import tango
    from rocconf.compute.chi2_contours import Chi2Contours, ClassTotals
    from rocconf.compute.classes import OneVsRest, one_vs_rest
    from rocconf.compute.compare import Comparison, pair
    from rocconf.compute.plan import Plan
    from rocconf.compute.roc.counts import count_each
    from rocconf.compute.roc.slice_results import Slice
    from rocconf.compute.sensibility import Drift, Sensibility, Unlabelled, drift, unlabelled
    from rocconf.compute.slices import compare_slices, one_vs_rest_slices, sweep_folds, sweep_slices
    from rocconf.compute.stats.score_tests import tango_interval
    from rocconf.compute.sweep import Sweep
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.errors import InputError, RocconfError, UndefinedError, UsageError
    from rocconf.examples import without_examples
    from rocconf.gate import Verdict, Verdicts, judge
    from rocconf.read import read_classes, read_counts, read_frame, read_predictions, read_scores
    from rocconf.records import ClassPredictions, GroupedCounts, Grouping, Predictions, ScoreCounts, Scores

__version__ = "0.2.0"

_HOMES = {
    "Chi2Contours": "compute.chi2_contours",
    "ClassPredictions": "records",
    "ClassTotals": "compute.chi2_contours",
    "Comparison": "compute.compare",
    "ConfidentSegment": "compute.tango",
    "Drift": "compute.sensibility",
    "GroupedCounts": "records",
    "Grouping": "records",
    "InputError": "errors",
    "OneVsRest": "compute.classes",
    "Plan": "compute.plan",
    "Predictions": "records",
    "RocconfError": "errors",
    "ScoreCounts": "records",
    "Scores": "records",
    "Sensibility": "compute.sensibility",
    "Slice": "compute.roc.slice_results",
    "Sweep": "compute.sweep",
    "UndefinedError": "errors",
    "Unlabelled": "compute.sensibility",
    "UsageError": "errors",
    "Verdict": "gate",
    "Verdicts": "gate",
    "chi2_contours": "api.chi2_contours",
    "compare": "api.compare",
    "compare_slices": "compute.slices",
    "count": "api.count",
    "count_each": "compute.roc.counts",
    "drift": "compute.sensibility",
    "judge": "gate",
    "one_vs_rest": "compute.classes",
    "one_vs_rest_slices": "compute.slices",
    "pair": "compute.compare",
    "plan": "api.plan",
    "read_classes": "read",
    "read_counts": "read",
    "read_frame": "read",
    "read_predictions": "read",
    "read_scores": "read",
    "sensibility": "api.sensibility",
    "sweep": "api.sweep",
    "sweep_folds": "compute.slices",
    "sweep_slices": "compute.slices",
    "tango": "api.tango",
    "tango_interval": "compute.stats.score_tests",
    "unlabelled": "compute.sensibility",
    "without_examples": "examples",
}
"""The public names, and the module of each."""

__all__ = [
    "Chi2Contours",
    "ClassPredictions",
    "ClassTotals",
    "Comparison",
    "ConfidentSegment",
    "Drift",
    "GroupedCounts",
    "Grouping",
    "InputError",
    "OneVsRest",
    "Plan",
    "Predictions",
    "RocconfError",
    "ScoreCounts",
    "Scores",
    "Sensibility",
    "Slice",
    "Sweep",
    "UndefinedError",
    "Unlabelled",
    "UsageError",
    "Verdict",
    "Verdicts",
    "chi2_contours",
    "compare",
    "compare_slices",
    "count",
    "count_each",
    "drift",
    "judge",
    "one_vs_rest",
    "one_vs_rest_slices",
    "pair",
    "plan",
    "read_classes",
    "read_counts",
    "read_frame",
    "read_predictions",
    "read_scores",
    "sensibility",
    "sweep",
    "sweep_folds",
    "sweep_slices",
    "tango",
    "tango_interval",
    "unlabelled",
    "without_examples",
]


def __getattr__(name: str) -> Any:
    """Load a public name where it is used: `import rocconf` alone costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'rocconf' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"rocconf.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
