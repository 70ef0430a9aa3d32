"""The usual sweep: pandas reads the two columns, scikit-learn computes the curve, and its area (no standard error)."""

import json
import sys

import pandas as pd
from sklearn.metrics import auc, roc_curve

path, columns = sys.argv[1], ["label", "score"]
frame = pd.read_parquet(path, columns=columns) if path.endswith(".parquet") else pd.read_csv(path, usecols=columns)
fpr, tpr, thresholds = roc_curve(frame["label"], frame["score"], drop_intermediate=False)
print(json.dumps({"auc": float(auc(fpr, tpr))}))
