"""Draw the errors of the AUC's intervals against the number of positives: python docs/figures/intervals.py [FOLDER].

The numbers are the simulated ones of benchmarks/SIMULATIONS.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

PAGE = Path(__file__).resolve().parents[2] / "benchmarks" / "SIMULATIONS.md"
PROMISE = 0.025
PANELS = {"one AUC": "auc, {kind}", "difference of two AUCs, same cases": "delta_auc, paired, {kind}"}
LINES = {"robust": ("#0072b2", "o", "-"), "delong": ("#d55e00", "s", "--")}


def errors_by_positives(text: str) -> dict[str, dict[int, float]]:
    """Return the worst error of each rule at each number of positives with which it was simulated."""
    _, _, table = text.partition("The worst error by the number of positives")
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:] if line]
    heading, _, *rules = rows[: next(at for at, row in enumerate(rows) if not row[0] or len(row) < len(rows[0]))]
    sizes = [int(size) for size in heading[1:]]
    return {
        rule: {size: float(error) for size, error in zip(sizes, found, strict=True) if error != "–"}
        for rule, *found in rules
    }


def main(folder: Path) -> None:
    """Draw the figure in a folder."""
    errors = errors_by_positives(PAGE.read_text(encoding="utf-8"))
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True, layout="constrained")
    for axes, (title, rule) in zip(panels, PANELS.items(), strict=True):
        for kind, (color, marker, style) in LINES.items():
            found = errors[rule.format(kind=kind)]
            sizes = list(found)
            axes.plot(sizes, list(found.values()), color=color, marker=marker, linestyle=style, label=kind)
        axes.axhline(PROMISE, color="#555555", linewidth=0.8, linestyle=":", label="promised: 2.5%")
        axes.set(xscale="log", title=title, xlabel="positives", ylim=(0, 0.7))
        axes.set_xticks(sizes, labels=map(str, sizes), minor=False)
        axes.minorticks_off()
    panels[0].set_ylabel("worst error of one side, 95%")
    panels[0].legend(frameon=False)
    figure.savefig(folder / "intervals.png", dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
