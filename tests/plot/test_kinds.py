"""The kinds of figures: what cannot be drawn is refused, in words, before anything is read."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from plot_cases import ten_cases

from rocconf.errors import UsageError
from rocconf.plot import KINDS, FigureKind, draw, drawing_of, kinds, require_figure_kind, require_form


def test_the_default_kind_comes_first():
    assert kinds("sweep") == (
        "roc",
        "pr",
        "det",
        "gain",
        "thresholds",
        "scores",
        "cost",
        "net-benefit",
        "calibration",
        "slices",
    )
    assert require_figure_kind("sweep") == "roc"
    assert require_figure_kind("sweep", "det") == "det"


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(
        UsageError,
        match=r"sweep has no figure 'rok'; did you mean 'roc'\? \(known: roc, pr, det, gain, thresholds, scores, cost",
    ):
        require_figure_kind("sweep", "rok")


@pytest.mark.parametrize(
    ("text", "kind"),
    [("roc.png", "roc"), ("out/forest.svg", "forest"), ("new.png", "cauc"), ("forest:roc.png", "forest")],
)
def test_a_file_called_like_a_kind_is_of_that_kind(text, kind):
    assert drawing_of(text, "compare").kind == kind


def test_an_unknown_kind_before_a_file_is_refused():
    with pytest.raises(UsageError) as error:
        drawing_of("dett:a.png", "sweep")
    assert error.value.text("shell").startswith("--plot dett:a.png: no figure is called 'dett'; did you mean 'det'? (")


def test_a_kind_of_another_command_is_refused_with_that_command_and_the_kinds_that_exist():
    with pytest.raises(UsageError) as error:
        drawing_of("det:a.png", "compare")
    assert error.value.text("shell") == (
        "--plot: compare has no figure 'det', which is one of sweep (figures of compare: cauc, roc, intervals, forest, scores, "
        "cost, net-benefit, calibration, slices)"
    )


@pytest.mark.parametrize("text", ["a.png", "roc:a.png"])
def test_a_command_without_figures_says_so(text):
    with pytest.raises(UsageError, match="gate draws no figures"):
        drawing_of(text, "gate")


@pytest.mark.parametrize(("path", "form"), [("a.png", "png"), ("b/a.b.SVG", "svg"), ("x.pdf", "pdf")])
def test_the_suffix_is_the_format(path, form):
    assert require_form(path) == form


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("roc.jpg", r"roc\.jpg: unknown figure format '\.jpg' \(known: \.png, \.svg, \.pdf\)"),
        ("roc.png.gz", r"unknown figure format '\.gz'"),
        ("roc", r"roc: a figure needs a suffix that names its format \(\.png, \.svg, \.pdf\)"),
    ],
)
def test_an_unknown_suffix_is_refused_with_the_known_ones(path, message):
    with pytest.raises(UsageError, match=message):
        require_form(path)


def test_an_option_belongs_to_its_kind(tmp_path):
    with pytest.raises(UsageError, match="the pr figure of sweep has no hull"):
        draw(ten_cases(), "pr", tmp_path / "pr.png", hull=True)


def test_a_new_kind_is_a_module_and_a_line(tmp_path, monkeypatch):
    def paint(figure, results, _, *, size=1):
        figure.add_subplot().plot([result.auc.value for result in results], "o", markersize=size)

    monkeypatch.setitem(sys.modules, "dots_figure", SimpleNamespace(paint=paint))
    monkeypatch.setitem(KINDS["sweep"], "dots", FigureKind("dots_figure", extras=("size",)))
    drawing = drawing_of(f"dots:{tmp_path / 'dots.png'}", "sweep")
    draw(ten_cases(), drawing.kind, drawing.path, **drawing.extras({"size": 3, "hull": True}))
    assert drawing.path.read_bytes().startswith(b"\x89PNG")


def test_refusing_does_not_load_matplotlib():
    code = """
import sys
import rocconf.plot as plot
plot.require_figure_kind("sweep", "pr"), plot.require_form("a.png"), plot.Canvas(width=8)
sys.exit(any(name in sys.modules for name in ("matplotlib", "scipy", "pandas", "numpy")))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
