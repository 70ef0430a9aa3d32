"""What the documents show is what running it prints."""

import doctest
import re
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT, environment
from examples import DOCUMENTS, refreshed

LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_commands_show_what_is_printed(document):
    text = document.read_text(encoding="utf-8")
    assert refreshed(text) == text, "`make docs` refreshes the examples"


@pytest.mark.parametrize("document", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name)
def test_links_lead_somewhere(document):
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def anchors(document):
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_python_examples_hold(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    examples = "\n".join(PYTHON.findall(document.read_text(encoding="utf-8")))
    test = doctest.DocTestParser().get_doctest(examples, {}, document.name, str(document), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_lowest_versions_are_those_of_the_package():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    admitted = {re.split("[>=<,]+", text)[0]: re.split("[>=<,]+", text)[1] for text in wanted}
    lowest = dict(
        re.findall(r"^(\w+)==([\d.]+)", (ROOT / "tests" / "lowest.txt").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert lowest.keys() >= admitted.keys()
    assert all(lowest[name].startswith(version) for name, version in admitted.items())


def test_the_manual_page_is_that_of_the_commands():
    done = subprocess.run(
        [sys.executable, "-m", "rocconf.cli.man"], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == (ROOT / "docs" / "rocconf.1").read_text(encoding="utf-8"), "`make docs` writes it anew"
