"""Make images.csv: findings on the images of patients, several of each, and the scores of two models.

The images of a patient are alike: of the variance of the scores within a class, 60% lies between patients, and a patient
with a finding on one image often has it on the others. `python sample_data/make_images.py` writes the same file again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

PATIENTS = 160
BETWEEN = 0.6
"""The share of the variance of the scores within a class that lies between patients."""
APART = {"old": 1.35, "new": 1.6}
"""How far apart the means of the classes are, in standard deviations."""


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(20261119)
    lines = ["id,patient,label,old,new"]
    for patient in range(1, PATIENTS + 1):
        ill, own = rng.random() < 0.45, rng.normal(size=2) @ np.array([[1.0, 0.8], [0.0, 0.6]])
        for _ in range(1 + rng.poisson(2.5)):
            found = rng.random() < (0.8 if ill else 0.05)
            noise = rng.normal(size=2) @ np.array([[1.0, 0.8], [0.0, 0.6]])
            scores = [
                apart * found + BETWEEN**0.5 * shared + (1 - BETWEEN) ** 0.5 * alone - 1
                for apart, shared, alone in zip(APART.values(), own, noise, strict=True)
            ]
            shown = ",".join(f"{1 / (1 + np.exp(-score)):.4f}" for score in scores)
            lines.append(f"{len(lines)},P{patient:03d},{int(found)},{shown}")
    Path(__file__).with_name("images.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
