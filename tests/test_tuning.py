"""docs/tuning.py measures what docs/tuning.md says."""

import re

import numpy as np
import pytest
from conftest import ROOT, load_script

PAGE = ROOT / "docs" / "tuning.md"


@pytest.fixture(scope="module")
def tuning():
    """The script that writes the table."""
    return load_script(ROOT / "docs" / "tuning.py")


@pytest.mark.thorough
def test_the_sensible_share_is_the_accuracy_at_the_midpoint(tuning):
    rng = np.random.default_rng(1)
    labels = np.arange(60) % 3 == 0
    scores = rng.random(60) / 2 + labels / 4
    found = tuning.measured(labels, scores)
    assert found["midpoint"] == pytest.approx(scores.sum() / 2 / labels.sum())
    assert found["sensible share"] == pytest.approx(((scores >= found["midpoint"]) == labels).mean())


@pytest.mark.thorough
def test_the_page_has_a_table_that_the_script_replaces(tuning):
    (table,) = tuning.TABLE.findall(PAGE.read_text(encoding="utf-8"))
    assert [re.split(r" *\| *", line)[1] for line in table.splitlines()[2:]] == [
        *tuning.SCORERS,
        "sensible share, less AUC",
        "accuracy, less AUC",
    ]
