"""Make the flu files: a small synthetic domain, a model trained on it, and the domain changed in two ways.

Patients with flu recover or have complications, which depend on age, chronic illness, vaccination, fever,
breathlessness and days without treatment; these depend on each other. A naive Bayes classifier is trained on the
original domain and scores

    flu.csv             held-out patients of the same domain: the reference
    flu_same.csv        more patients of the same domain: nothing changed
    flu_population.csv  patients of another population: younger, less often chronically ill, rarely vaccinated
    flu_definition.csv  the same population, but only more severe cases count as complications
    flu_year.csv        the patients of a year with their days; from the first of July only severe cases count

The design follows Alaiz-Rodriguez and Japkowicz (2008), as used by Klement et al. (2009); the domain is new.
`python sample_data/make_flu.py` writes the same files again, byte for byte (it needs scikit-learn).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.naive_bayes import GaussianNB

if TYPE_CHECKING:
    from numpy.typing import NDArray

CASES = 1000
TRAINING_CASES = 2000
CASES_IN_A_YEAR = 1800
FIRST_DAY, CHANGE, DAYS = date(2025, 1, 1), date(2025, 7, 1), 365


@dataclass(frozen=True)
class Domain:
    """The population, and the severity from which an illness counts as a complication. Ages are child, adult, elder."""

    ages: tuple[float, float, float] = (0.30, 0.45, 0.25)
    chronic: tuple[float, float, float] = (0.06, 0.15, 0.45)
    vaccinated: tuple[float, float, float] = (0.40, 0.35, 0.70)
    days_untreated: float = 2.0
    severe: float = 0.2


ORIGINAL = Domain()
OTHER_POPULATION = replace(
    ORIGINAL, ages=(0.55, 0.40, 0.05), chronic=(0.01, 0.03, 0.10), vaccinated=(0.02, 0.02, 0.05), days_untreated=0.2
)
OTHER_DEFINITION = replace(ORIGINAL, severe=0.8)
STRICT_DEFINITION = replace(ORIGINAL, severe=1.4)


def patients(domain: Domain, n: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Draw patients: their features on arrival, and whether complications followed."""
    age = rng.choice(3, size=n, p=domain.ages)
    chronic = rng.random(n) < np.array(domain.chronic)[age]
    vaccinated = rng.random(n) < np.array(domain.vaccinated)[age]
    days = rng.poisson(domain.days_untreated, n)
    fever = rng.normal(38.6 + 0.25 * days - 0.4 * vaccinated - 0.2 * (age == 2), 0.6)
    breathless = rng.normal(2 + 1.2 * chronic + 0.5 * (fever - 38.6), 1.0)
    features = np.column_stack([age, chronic, vaccinated, days, fever, breathless]).astype(np.float64)
    severity = 0.7 * (breathless - 2.2) + 0.6 * (fever - 38.6) + 0.5 * chronic + 0.35 * (age != 1) - 0.4 * vaccinated
    return features, severity - 0.4 + rng.logistic(0, 0.7, n) > domain.severe


def train(rng: np.random.Generator) -> GaussianNB:
    """Return a model trained on the original domain."""
    return GaussianNB().fit(*patients(ORIGINAL, TRAINING_CASES, rng))


def scored(
    model: GaussianNB, domain: Domain, n: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Draw patients; return their labels and the model's scores."""
    features, labels = patients(domain, n, rng)
    return labels, model.predict_proba(features)[:, 1]


def write_year(model: GaussianNB, rng: np.random.Generator) -> None:
    """Write the patients of a year, in the order of their days."""
    days = [FIRST_DAY + timedelta(days=int(day)) for day in np.sort(rng.integers(DAYS, size=CASES_IN_A_YEAR))]
    before = sum(day < CHANGE for day in days)
    parts = [
        scored(model, domain, n, rng) for domain, n in ((ORIGINAL, before), (STRICT_DEFINITION, len(days) - before))
    ]
    labels, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    rows = zip(range(1, len(days) + 1), days, labels.astype(int), scores, strict=True)
    text = "id,day,label,score\n" + "".join(f"{case},{day},{label},{score:.6f}\n" for case, day, label, score in rows)
    Path(__file__).with_name("flu_year.csv").write_text(text, encoding="utf-8")


def main() -> None:
    """Write the files beside this one."""
    rng = np.random.default_rng(2)
    model = train(rng)
    domains = {"": ORIGINAL, "_same": ORIGINAL, "_population": OTHER_POPULATION, "_definition": OTHER_DEFINITION}
    for name, domain in domains.items():
        labels, scores = scored(model, domain, CASES, rng)
        rows = zip(range(1, CASES + 1), labels.astype(int), scores, strict=True)
        text = "id,label,score\n" + "".join(f"{case},{label},{score:.6f}\n" for case, label, score in rows)
        Path(__file__).with_name(f"flu{name}.csv").write_text(text, encoding="utf-8")
    write_year(model, np.random.default_rng(3))


if __name__ == "__main__":
    main()
