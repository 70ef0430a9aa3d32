"""Figures as files: the same bytes everywhere, whole or not at all, with what made them in the metadata."""

import json
import os
import subprocess
import sys
import warnings
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from PIL import Image
from plot_cases import RULES, random_models, results_of, sweeps, ten_cases

from rocconf import __version__
from rocconf.errors import RocconfError, UsageError
from rocconf.plot import Canvas, draw

FORMS = ("png", "svg", "pdf")

ONE_RUN = """
import sys
sys.path[:0] = {tests!r}
from plot_cases import ten_cases, random_models
from rocconf.plot import draw
for form in ("png", "svg", "pdf"):
    draw(ten_cases(), None, f"one.{{form}}", hull=True)
    draw(random_models(50, 3), "det", f"many.{{form}}")
if "matplotlib.pyplot" in sys.modules:
    sys.exit("pyplot keeps figures and settings of its own")
"""

RUDE = """
font.size: 30
font.family: serif
svg.hashsalt: other
svg.fonttype: none
savefig.dpi: 30
savefig.bbox: tight
lines.linewidth: 9
axes.facecolor: pink
text.parse_math: True
image.cmap: jet
pdf.compression: 0
"""


def opened(path):
    with Image.open(path) as image:
        return image.size, image.text


def drawn(path, results, kind=None, **options):
    draw(results, kind, path, **options)
    return path.read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_settings_of_the_program_around_do_not_change_a_byte_and_stay_as_they_were(tmp_path, form):
    plain = drawn(tmp_path / f"plain.{form}", ten_cases())
    rude = {
        "font.size": 30,
        "svg.hashsalt": None,
        "savefig.dpi": 30,
        "lines.linewidth": 9,
        "axes.grid": False,
    }
    with mpl.rc_context(rude):
        before = dict(mpl.rcParams)
        assert drawn(tmp_path / f"rude.{form}", ten_cases()) == plain
        assert dict(mpl.rcParams) == before


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("date", ["yesterday", "9" * 20])
def test_a_source_date_that_is_no_date_changes_no_byte(tmp_path, monkeypatch, form, date):
    plain = drawn(tmp_path / f"plain.{form}", ten_cases())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", date)
    assert drawn(tmp_path / f"dated.{form}", ten_cases()) == plain
    assert os.environ["SOURCE_DATE_EPOCH"] == date


@pytest.mark.thorough
def test_another_process_with_another_matplotlibrc_writes_the_same_bytes_without_pyplot(tmp_path):
    (tmp_path / "rude").mkdir()
    (tmp_path / "rude" / "matplotlibrc").write_text(RUDE)
    found = []
    for run, rc in enumerate(("plain", "rude/matplotlibrc")):
        home = tmp_path / f"run{run}"
        home.mkdir()
        around = {**os.environ, "PYTHONHASHSEED": str(run + 1), "SOURCE_DATE_EPOCH": str(run * 10**9)}
        around["PYTHONPATH"] = str(Path(__file__).parents[2])
        if "rude" in rc:
            around["MATPLOTLIBRC"] = str(tmp_path / rc)
        code = ONE_RUN.format(tests=[str(folder) for folder in Path(__file__).parents[:2]])
        subprocess.run([sys.executable, "-c", code], check=True, cwd=home, env=around)
        found.append({path.name: sha256(path.read_bytes()).hexdigest() for path in home.iterdir()})
    assert len(found[0]) == 6
    assert found[0] == found[1]


def test_a_png_names_what_made_it_and_how(tmp_path):
    draw(ten_cases(RULES), "roc", tmp_path / "roc.png", hull=True)
    _, text = opened(tmp_path / "roc.png")
    assert text["Software"] == f"rocconf {__version__}"
    made = json.loads(text["Description"])
    assert (made["command"], made["plot"], made["hull"]) == ("sweep", "roc", True)
    assert made["options"]["at"] == list(RULES)
    assert made["options"]["level"] == 0.95


@pytest.mark.thorough
def test_svg_and_pdf_name_what_made_them_and_have_no_date(tmp_path):
    svg = drawn(tmp_path / "roc.svg", ten_cases()).decode()
    assert f"rocconf {__version__}" in svg
    assert "&quot;command&quot;: &quot;sweep&quot;" in svg or '"command": "sweep"' in svg
    assert "<dc:date>" not in svg
    pdf = drawn(tmp_path / "roc.pdf", ten_cases())
    assert f"rocconf {__version__}".encode() in pdf
    assert b"CreationDate" not in pdf


def test_the_description_says_how_to_make_the_figure_again(tmp_path):
    draw(results_of("tango", "ten cases"), "intervals", tmp_path / "one.svg", only_confident=True)
    svg = (tmp_path / "one.svg").read_text(encoding="utf-8")
    made = json.loads(svg.partition("<dc:description>")[2].partition("</dc:description>")[0].replace("&quot;", '"'))
    assert (made["command"], made["only_confident"], made["options"]["test"]) == ("tango", True, "tango")


def test_a_png_has_the_size_of_its_canvas(tmp_path):
    draw(ten_cases(), None, tmp_path / "roc.png", Canvas(width=5, height=4, dpi=100))
    assert opened(tmp_path / "roc.png")[0] == (500, 400)


def test_without_a_height_the_figure_takes_what_its_width_needs(tmp_path):
    draw(ten_cases(), None, tmp_path / "roc.png", Canvas(width=5, dpi=100))
    (width, height), _ = opened(tmp_path / "roc.png")
    assert width == 500
    assert 400 <= height <= 550


def test_a_draw_that_fails_leaves_the_older_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "roc.png"
    path.write_text("old")

    def write_half(_, target, **__):
        Path(target).write_bytes(b"half")
        raise RuntimeError

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", write_half)
    with pytest.raises(RuntimeError):
        draw(ten_cases(), None, path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["roc.png"]


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(RocconfError, match="there is no directory"):
        draw(ten_cases(), None, tmp_path / "nowhere" / "roc.png")


def test_an_unknown_kind_or_suffix_is_refused(tmp_path):
    with pytest.raises(UsageError, match="has no figure 'rok'"):
        draw(ten_cases(), "rok", tmp_path / "roc.png")
    with pytest.raises(UsageError, match=r"unknown figure format '\.gif'"):
        draw(ten_cases(), None, tmp_path / "roc.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_million_cases_are_a_small_file(tmp_path):
    svg = drawn(tmp_path / "roc.svg", random_models(1_000_000, 1))
    assert len(svg) < 400_000


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_letters_that_the_font_lacks_give_no_warning(tmp_path, form):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        draw(sweeps([1, 0, 1], モデル=[3, 2, 1]), None, tmp_path / f"figure.{form}")
    assert not given


@pytest.mark.parametrize("kind", ["roc", "det"])
def test_an_svg_is_well_formed_and_shows_control_characters_escaped(kind, tmp_path):
    name = "a\x1b[31m<b>&--\x00\ufffe\udcff"
    results = [*sweeps([1, 0, 1], **{name: [3, 2, 1]}), *sweeps([1, 0, 1], other=[3, 1, 2])]
    draw(results, kind, tmp_path / "figure.svg", Canvas(title="\x07 title"))
    root = ET.parse(tmp_path / "figure.svg").getroot()  # noqa: S314  # we wrote it ourselves
    assert root.tag.endswith("svg")
    shown = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert r"a\x1b[31m&lt;b&gt;&amp;- -\x00\ufffe\udcff" in shown
    assert r"\x07 title" in shown
