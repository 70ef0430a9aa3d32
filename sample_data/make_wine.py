"""Write wine.csv: the cultivars of 178 wines, and what two classifiers predict from three of their measurements.

Run it with scikit-learn 1.9.1: `python sample_data/make_wine.py > sample_data/wine.csv`.
"""

import sys

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

MEASUREMENTS = ["alcohol", "malic_acid", "ash"]
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "bayes": GaussianNB()}


def main() -> None:
    """Write the predictions of each model for the tenth of the wines that it was not trained on."""
    wine = load_wine(as_frame=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    cultivars = [str(name) for name in wine.target_names]
    columns = [f"{model}_{cultivar}" for model in MODELS for cultivar in cultivars]
    predicted = np.hstack(
        [
            cross_val_predict(model, wine.data[MEASUREMENTS].to_numpy(), wine.target, cv=folds, method="predict_proba")
            for model in MODELS.values()
        ]
    )
    sys.stdout.write(",".join(["id", "cultivar", *columns]) + "\n")
    for row, (cultivar, scores) in enumerate(zip(wine.target, predicted, strict=True), 1):
        sys.stdout.write(",".join([str(row), cultivars[cultivar], *(f"{score:.6g}" for score in scores)]) + "\n")


if __name__ == "__main__":
    main()
