"""What cannot be drawn is refused, in words, before anything is read."""

import subprocess
import sys

import pytest

from rocconf.errors import UsageError
from rocconf.plot import Canvas, kinds, require_form, require_kind


def test_the_default_kind_comes_first():
    assert kinds("sweep") == ("roc", "pr", "det")
    assert require_kind("sweep") == "roc"
    assert require_kind("sweep", "det") == "det"


def test_an_unknown_kind_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match=r"sweep has no figure 'rok' \(it has roc, pr, det\)"):
        require_kind("sweep", "rok")


def test_a_command_without_figures_says_so():
    with pytest.raises(UsageError, match="count draws no figures"):
        require_kind("count")


@pytest.mark.parametrize(("path", "form"), [("a.png", "png"), ("b/a.b.SVG", "svg"), ("x.pdf", "pdf")])
def test_the_suffix_says_the_form(path, form):
    assert require_form(path) == form


@pytest.mark.parametrize(
    ("path", "found"), [("roc.jpg", "not .jpg"), ("roc", "this has no suffix"), ("roc.png.gz", "not .gz")]
)
def test_an_unknown_suffix_is_refused_with_those_there_are(path, found):
    with pytest.raises(UsageError, match=rf"{path}: a figure is written as .png, .svg, .pdf, .*{found}"):
        require_form(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 0.5}, "width is 3 to 100 inches, not 0.5"),
        ({"width": float("nan")}, "width is 3 to 100 inches, not nan"),
        ({"height": 200}, "height is 3 to 100 inches, not 200"),
        ({"dpi": 1}, "10 to 2400 dots per inch, not 1"),
        ({"width": 50, "height": 50, "dpi": 600}, "more than 100 million pixels"),
    ],
)
def test_a_size_that_cannot_be_drawn_is_refused(options, words):
    with pytest.raises(UsageError, match=words):
        Canvas(**options)


def test_refusing_does_not_load_matplotlib():
    code = """
import sys
import rocconf.plot as plot
plot.require_kind("sweep", "pr"), plot.require_form("a.png"), plot.Canvas(width=8)
sys.exit(any(name in sys.modules for name in ("matplotlib", "scipy", "pandas", "numpy")))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
