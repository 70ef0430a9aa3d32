"""docs/gallery.md shows every kind of figure with the command that draws it."""

import json
import re

import pytest
from conftest import ROOT, load_script
from PIL import Image

from rocconf import __version__
from rocconf.plot import KINDS

PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
FIGURES = ROOT / "docs" / "figures" / "gallery"


@pytest.fixture(scope="module")
def gallery():
    """The script that draws the figures."""
    return load_script(ROOT / "docs" / "figures" / "gallery.py")


def command_of(words):
    """Return what the figure of a command line is of."""
    options = (option for option in ("one-vs-rest", "unlabelled") if f"--{option}" in words)
    return next(options, words[1])


def test_every_kind_of_every_command_is_shown(gallery):
    lines = gallery.commands(PAGE)
    shown = {
        (command_of(words), gallery.figure_of(words)[0] or next(iter(KINDS[command_of(words)]))) for words in lines
    }
    assert shown == {(command, kind) for command, kinds in KINDS.items() for kind in kinds}


def test_every_figure_is_shown_and_small(gallery):
    drawn = [gallery.figure_of(words)[1] for words in gallery.commands(PAGE)]
    assert drawn == re.findall(r"!\[.+\]\(figures/gallery/(.+\.png)\)", PAGE)
    assert sorted(drawn) == sorted(path.name for path in FIGURES.iterdir())
    assert [path.name for path in FIGURES.iterdir() if path.stat().st_size > 80_000] == []


def test_every_figure_was_drawn_by_this_version_with_the_options_of_its_command(gallery):
    for words in gallery.commands(PAGE):
        kind, name = gallery.figure_of(words)
        with Image.open(FIGURES / name) as image:
            text = image.text
        made = json.loads(text["Description"])
        assert text["Software"] == f"rocconf {__version__}", "`make docs` draws them again"
        assert (made["command"], made["plot"]) == (command_of(words), kind or made["plot"])
        rules = [words[at + 1] for at, word in enumerate(words) if word == "--at"]
        assert not rules or list(made["options"]["at"]) == rules, name


def test_the_figure_of_the_intervals_finds_the_errors_of_each_line():
    script = load_script(ROOT / "docs" / "figures" / "intervals.py")
    errors = script.errors_by_positives(script.PAGE.read_text(encoding="utf-8"))
    found = [errors[rule.format(kind=kind)] for rule in script.PANELS.values() for kind in script.LINES]
    assert [list(each) for each in found] == [[5, 10, 15, 30, 50, 100, 300]] * len(found)
    assert errors["auc, delong"][5] > 0.1 > errors["auc, robust"][5] > 0
