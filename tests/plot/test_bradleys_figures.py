"""The figures of the documents: the script that draws them runs, and draws those that are shown."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment

FIGURES = ROOT / "docs" / "figures"


@pytest.mark.thorough
def test_the_script_draws_the_papers_figures_and_no_other(tmp_path):
    command = [sys.executable, FIGURES / "bradley_1996.py", tmp_path]
    subprocess.run(command, env=environment(), check=True, timeout=60)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {f"bradley-figure-{number}.png" for number in (3, 4, 5, 6)}
    of_papers = {"bradley-figure-1.png", "bradley-figure-2.png"}  # docs/papers.py draws these
    assert drawn | of_papers == {path.name for path in FIGURES.glob("bradley-*.png")}


def test_every_figure_that_a_document_shows_is_there():
    for document in (ROOT / "README.md", ROOT / "docs" / "chi2-contours.md", ROOT / "docs" / "methods.md"):
        shown = re.findall(r"!\[[^]]*\]\(([^)]+)\)", document.read_text(encoding="utf-8"))
        assert shown
        for path in shown:
            assert (document.parent / path).is_file(), path
