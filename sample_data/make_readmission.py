"""Write readmission.csv: patients of six regions, and the risk of readmission by an old and a new model.

Run it as `python sample_data/make_readmission.py > sample_data/readmission.csv`. The data are made up: the new model is
better than the old one, but not in the south, the islands have few patients, and the region of some is not known. The
column `fold` says in which of five folds of a cross-validation a patient was.
"""

import random
import sys
from math import exp

PATIENTS = 2400
REGIONS = {"north": 27, "south": 24, "east": 20, "west": 18, "capital": 8, "islands": 2, "": 1}
"""The share of the patients of each region, in percent."""

SIGNAL = {"old": 1.4, "new": 1.9}
IN_SOUTH = {"old": 1.4, "new": 0.9}
"""How far apart the logits of the two classes are."""


def main() -> None:
    """Write a line for each patient."""
    dice = random.Random(7)  # noqa: S311  # the same patients every time
    sys.stdout.write("id,region,fold,label,old,new\n")
    for patient in range(1, PATIENTS + 1):
        (region,) = dice.choices(list(REGIONS), weights=list(REGIONS.values()))
        label = int(dice.random() < 0.18)
        shared = dice.gauss(0, 1)
        signal = IN_SOUTH if region == "south" else SIGNAL
        risks = []
        for strength in signal.values():
            logit = 0.8 * shared + 0.6 * dice.gauss(0, 1) + strength * (label - 0.5) - 1.2
            risks.append(f"{1 / (1 + exp(-logit)):.4f}")
        sys.stdout.write(",".join([str(patient), region, str(patient % 5 + 1), str(label), *risks]) + "\n")


if __name__ == "__main__":
    main()
