"""docs/papers.md shows what the package computes, and figures that exist."""

import re
import tomllib

import pytest
from conftest import REFERENCE, ROOT, load_script

PAGE = ROOT / "docs" / "papers.md"


@pytest.fixture(scope="module")
def papers():
    """The script that writes the page."""
    return load_script(ROOT / "docs" / "papers.py")


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


def identity(items):
    return [tuple(item.get(key, "") for key in ("paper", "kind", "number", "page", "place")) for item in items]


def test_the_list_has_every_item_of_the_papers_once():
    wanted = identity(tomllib.loads((REFERENCE / "papers.toml").read_text(encoding="utf-8"))["item"])
    listed = identity(tomllib.loads((ROOT / "docs" / "papers.toml").read_text(encoding="utf-8"))["item"])
    assert sorted(listed) == sorted(wanted)
    assert len(set(wanted)) == len(wanted)
    numbered = {
        (paper, kind): [number for one, its, number, *_ in wanted if (one, its) == (paper, kind)]
        for paper, kind, *_ in wanted
    }
    assert numbered["bradley", "equation"] == [str(number) for number in range(1, 27)]
    assert numbered["bradley", "figure"] == [str(number) for number in range(1, 7)]
    assert numbered["elazmeh", "figure"] == [str(number) for number in range(1, 9)]
    assert numbered["elazmeh", "table"] == ["1", "2", "3"]
    assert numbered["klement", "figure"] == ["1", "2", "3"]
    for (_, kind), numbers in numbered.items():
        assert kind != "result" or numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert {bool(page) for paper, *_, page, _ in wanted if paper == "bradley"} == {False}
    assert all(page for paper, *_, page, _ in wanted if paper != "bradley")


def test_the_page_has_a_line_for_every_item():
    page = PAGE.read_text(encoding="utf-8")
    listed = page[page.index("## Everything in the papers") : page.index("\n## Elazmeh")]
    items = tomllib.loads((ROOT / "docs" / "papers.toml").read_text(encoding="utf-8"))["item"]
    lines = [
        line
        for line in listed.splitlines()
        if line.startswith(("| table", "| figure", "| equation", "| formula", "| result"))
    ]
    assert len(lines) == len(items)
    for item in items:
        assert item["says"]
        assert ("computed" in item) != (bool(item.get("here")) and bool(item.get("agrees"))), item


@pytest.mark.thorough
def test_every_finding_is_in_the_list_once_and_none_is_missing(papers):
    computed = sorted(item["computed"] for item in papers.listed_items() if "computed" in item)
    assert computed == sorted(papers.findings())
    assert len(computed) > 30


def test_every_link_of_the_list_leads_to_a_heading():
    page = PAGE.read_text(encoding="utf-8")
    pages = {"": page} | {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    links = re.findall(r"\]\(([\w.]*)#([\w-]+)\)", page)
    assert links
    for name, anchor in links:
        headings = re.findall(r"^#+ (.*)$", pages[name], re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}, (
            name,
            anchor,
        )


@pytest.mark.thorough
def test_the_page_of_the_six_data_sets_shows_what_is_computed():
    module = load_script(ROOT / "docs" / "six_data_sets.py")
    assert module.page() == (ROOT / "docs" / "six_data_sets.md").read_text(encoding="utf-8"), "`make papers` updates it"
