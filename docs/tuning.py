"""Write the table of tuning.md, trees tuned by AUC, sensibility and accuracy: `python docs/tuning.py`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.tree import DecisionTreeClassifier

import rocconf

DOCUMENT = Path(__file__).with_name("tuning.md")
TABLE = re.compile(r"(?<=<!-- as run -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
SEEDS = range(40)
DEPTHS = (1, 2, 3, 4, 5, 6, 8)


def sensible_share(estimator: Any, cases: Any, labels: Any) -> float:
    """Return the share of sensible cases, for scikit-learn."""
    return measured(labels, estimator.predict_proba(cases)[:, 1])["sensible share"]


def measured(labels: Any, scores: Any) -> dict[str, float]:
    """Return what a split is judged by."""
    labels = np.asarray(labels) == 1
    at = rocconf.sensibility(rocconf.ScoreCounts.of(scores, labels, ~labels), bootstrap=0).summary()
    return {
        "sensible share": at["sensible"] / at["n"],
        "AUC": roc_auc_score(labels, scores),
        "accuracy at 0.5": accuracy_score(labels, scores >= 0.5),
        "midpoint": at["midpoint"],
    }


SCORERS = {"AUC": "roc_auc", "sensible share": sensible_share, "accuracy": "accuracy"}


def tuned(seed: int, scorer: Any) -> dict[str, float]:
    """Return what the held-out half says of a tree tuned on the other half, and its depth."""
    cases, benign = load_breast_cancer(return_X_y=True)
    train, held_out, labels, truth = train_test_split(
        cases, 1 - benign, test_size=0.5, stratify=1 - benign, random_state=seed
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    trees = DecisionTreeClassifier(random_state=seed)
    search = GridSearchCV(trees, {"max_depth": DEPTHS}, scoring=scorer, cv=folds)
    found = search.fit(train, labels)
    return measured(truth, found.predict_proba(held_out)[:, 1]) | {"depth": found.best_params_["max_depth"]}


def table() -> str:
    """Return the means over the seeds, and the differences from tuning by AUC."""
    found = {name: [tuned(seed, scorer) for seed in SEEDS] for name, scorer in SCORERS.items()}
    keys = list(found["AUC"][0])
    lines = ["| tuned by | " + " | ".join(keys) + " | midpoint, sd over seeds |", "|---|" + "---:|" * (len(keys) + 1)]
    columns = {name: {key: np.array([each[key] for each in runs]) for key in keys} for name, runs in found.items()}
    for name, own in columns.items():
        cells = [f"{own[key].mean():.4f}" if key != "depth" else f"{own[key].mean():.2f}" for key in keys]
        lines.append(f"| {name} | {' | '.join(cells)} | {own['midpoint'].std(ddof=1):.4f} |")
    for name, own in list(columns.items())[1:]:
        cells = []
        for key in keys:
            less = own[key] - columns["AUC"][key]
            cells.append(f"{less.mean():+.4f} ± {less.std(ddof=1) / len(less) ** 0.5:.4f}")
        lines.append(f"| {name}, less AUC | {' | '.join(cells)} | |")
    return "\n".join(lines)


if __name__ == "__main__":
    DOCUMENT.write_text(TABLE.sub(lambda _: table(), DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
