"""docs/papers.md shows what the package computes, and figures that exist."""

import importlib.util
import re

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "papers.md"


@pytest.fixture(scope="module")
def papers():
    """The script that writes the page."""
    spec = importlib.util.spec_from_file_location("papers", ROOT / "docs" / "papers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough
def test_the_page_shows_what_is_computed(papers):
    assert papers.page() == PAGE.read_text(encoding="utf-8"), "`make papers` updates it"


@pytest.mark.thorough
def test_every_figure_of_the_page_is_drawn(papers):
    shown = set(re.findall(r"\(figures/([\w.-]+)\.png\)", PAGE.read_text(encoding="utf-8")))
    drawn = {name for name, *_ in papers.figures()} | {f"bradley-figure-{number}" for number in (3, 4, 5, 6)}
    assert shown == drawn
    assert all((ROOT / "docs" / "figures" / f"{name}.png").is_file() for name in shown)


def test_all_areas_of_table_3_agree():
    assert "24 of 24 cells agree" in PAGE.read_text(encoding="utf-8")
