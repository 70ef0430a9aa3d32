"""The usual sweep: pandas reads, scikit-learn computes the curve and the area (no standard error)."""

import json
import sys

import pandas as pd
from sklearn.metrics import roc_auc_score, roc_curve

path = sys.argv[1]
frame = pd.read_parquet(path) if path.endswith(".parquet") else pd.read_csv(path)
fpr, tpr, thresholds = roc_curve(frame["label"], frame["score"], drop_intermediate=False)
print(json.dumps({"auc": float(roc_auc_score(frame["label"], frame["score"]))}))
