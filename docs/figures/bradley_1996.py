"""Draw Figures 3 to 6 of Bradley (1996), ROC curves and the chi-square test: python docs/figures/bradley_1996.py [FOLDER].

The paper names the critical values 3.84, 6.63 and 7.88 and the class totals 30/30 and 55/5, but not the other contours
of its figures. Here they are 20 and 40, to show how the contours continue.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rocconf import ClassTotals, chi2_contours
from rocconf.plot import Canvas, draw

LEVELS = (3.8415, 6.6349, 7.8794, 20, 40)
ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.9)
EVEN, UNEVEN = ClassTotals(p=30, q=30), ClassTotals(p=5, q=55)
FIGURES = {
    3: (EVEN, (), "χ² contours, balanced classes"),
    4: (UNEVEN, (), "χ² contours, rare positives"),
    5: (EVEN, ACCURACIES, "χ² and accuracy, balanced classes"),
    6: (UNEVEN, ACCURACIES, "χ² and accuracy, rare positives"),
}


def main(folder: Path) -> None:
    """Draw the four figures in a folder."""
    for number, (totals, accuracies, title) in FIGURES.items():
        extras = {"accuracy_contours": accuracies} if accuracies else {}
        result = chi2_contours(totals, levels=LEVELS)
        draw([result], "contours", folder / f"bradley-figure-{number}.png", Canvas(width=5, title=title), **extras)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
