"""The documents show what their commands print, and their links and names exist."""

import ast
import doctest
import re
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT, environment
from examples import DOCUMENTS, refreshed

from rocconf.cli.commands import ABOUT

ARCHITECTURE = ROOT / "docs" / "architecture.md"
CODE_LINK = re.compile(r"\[`([\w.]+)`\]\(([^)\s]+\.py)\)")
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(each, marks=[] if each.name in ("README.md", "ci.md") else [pytest.mark.thorough])
        for each in DOCUMENTS
    ],
    ids=lambda path: path.name,
)
def test_the_console_examples_show_what_is_printed(document):
    text = document.read_text(encoding="utf-8")
    assert refreshed(text) == text, "`make docs` refreshes the examples"


@pytest.mark.parametrize("document", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name)
def test_links_lead_somewhere(document):
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_of_names_lead_to_their_definitions(document):
    links = CODE_LINK.findall(document.read_text(encoding="utf-8"))
    assert [(name, path) for name, path in links if name not in defined_in(document.parent / path)] == []


def defined_in(path):
    """Return the names that a module defines, those of classes with their attributes as Class.name."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for name in names_of(node):
            names |= {name, *(f"{name}.{each}" for inner in getattr(node, "body", ()) for each in names_of(inner))}
    return names


def names_of(node):
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]


def test_the_architecture_lists_every_module_and_no_other():
    tree = ARCHITECTURE.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    words = set(re.findall(r"\w+", tree))
    modules = {path.stem if path.stem != "__init__" else path.parent.name for path in (ROOT / "rocconf").rglob("*.py")}
    assert modules - words == set()
    assert {word for word in words if "_" in word} - modules == {"__init__"}


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
    assert done.stdout == (ROOT / "docs" / "rocconf.1").read_text(encoding="utf-8"), "`make docs` updates it"


def test_the_readme_is_a_page_that_people_read():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    assert "\nmake demo" in text
    assert "\nmake test" in text


def test_the_site_has_a_page_for_each_command():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("- Commands:")[2].partition("- Using it:")[0]
    listed = {name.removesuffix(".md") for name in re.findall(r"[\w-]+\.md", nav)}
    assert listed == {*ABOUT} - {"count"} | {"scale"}


@pytest.mark.thorough
def test_the_site_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(NO_MKDOCS_2_WARNING="1"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    pages = {path.stem for path in tmp_path.glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} | {"index", "api", "results", "changelog"} <= pages
    assert "<code>rocconf.judge" in (tmp_path / "python.html").read_text(encoding="utf-8")
