"""Ten releases, each a little worse than the last: python docs/creep.py.

Each release is judged on the same cases against its predecessor, and against the first release.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import NormalDist

import numpy as np

import rocconf

RELEASES, LOSS, FIRST_AUC = 10, 0.008, 0.92
CASES, SHARE, SEED = 40_000, 0.2, 1
LAST_RULE, FIRST_RULE = "delta_auc >= -0.01", "delta_auc >= -0.02"


def main() -> None:
    """Print each release with its two verdicts."""
    labels, scores = simulated()
    print(f"release    AUC   last: {LAST_RULE}   first: {FIRST_RULE}")
    print(f"      0  {auc(labels, scores[0]):.3f}")
    for number, (last, new) in enumerate(pairwise(scores), start=1):
        verdicts = [judged(labels, new, last, LAST_RULE), judged(labels, new, scores[0], FIRST_RULE)]
        print(f"{number:7}  {auc(labels, new):.3f}   {verdicts[0]:25}   {verdicts[1]}")


def simulated() -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the labels, and the scores of each release: normal, with more noise in every release."""
    random = np.random.default_rng(SEED)
    labels = random.random(CASES) < SHARE
    wanted = [FIRST_AUC - LOSS * number for number in range(RELEASES + 1)]
    variances = [1 / (2 * NormalDist().inv_cdf(area) ** 2) for area in wanted]  # AUC = Phi(1 / sqrt(2 variance))
    scores = [labels + random.normal(scale=np.sqrt(variances[0]), size=CASES)]
    for before, after in pairwise(variances):
        scores.append(scores[-1] + random.normal(scale=np.sqrt(after - before), size=CASES))
    return labels, scores


def auc(labels: np.ndarray, scores: np.ndarray) -> float:
    """Return the area under the ROC curve."""
    return float(rocconf.sweep(rocconf.count(rocconf.Predictions(labels, {"release": scores}))).auc.value)


def judged(labels: np.ndarray, new: np.ndarray, baseline: np.ndarray, rule: str) -> str:
    """Return the verdict on a release, with the difference and its interval."""
    cases = rocconf.Predictions(labels, {"new": new, "baseline": baseline})
    (verdict,) = rocconf.judge(rocconf.compare(cases, baseline="baseline"), rule)
    found = verdict.to_dict()
    return f"{found['value']:+.3f} [{found['lower']:+.3f}, {found['upper']:+.3f}] {found['verdict']}"


if __name__ == "__main__":
    main()
