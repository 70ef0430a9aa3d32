"""The default answer fits one screen, with its messages, and begins with the answer."""

import re

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from on_terminal import run_on_terminal

FILES = {path.name: path for path in sorted(SAMPLE_DATA.glob("*.csv")) if path.stem != "wine"}  # of three classes
SIZES = [(80, 24), (200, 50), (60, 20)]
ALONE = {"sweep": (), "chi2-contours": ("--permutations", "99"), "sensibility": ("--bootstrap", "100")}
RARE = "rare.csv"


@pytest.fixture(scope="module")
def rare(tmp_path_factory):
    """Return a file of 12,000 rows with 2% positives and the scores of two models."""
    random = np.random.default_rng(12)
    labels = np.arange(12_000) % 50 == 0
    path = tmp_path_factory.mktemp("rare") / RARE
    scores = [1 / (1 + np.exp(-(random.normal(size=12_000) + skill * labels - 4))) for skill in (1.2, 1.6)]
    rows = zip(labels.astype(int), *scores, strict=True)
    path.write_text("label,old,new\n" + "".join(f"{y},{a:.6f},{b:.6f}\n" for y, a, b in rows), encoding="utf-8")
    return path


def columns_of(file):
    return file.read_text(encoding="utf-8").partition("\n")[0].split(",")


def commands(file):
    """Return every command for a file; those of one model take the third one where there are several."""
    scores = [name for name in columns_of(file) if name not in ("id", "day", "label", "patient", "region", "fold")]
    one = scores[min(2, len(scores) - 1)]
    for command, options in ALONE.items():
        rescaled = ["--rescale"] if command == "sensibility" and file.stem in ("hypothyroid", "sick-euthyroid") else []
        yield [
            command,
            file,
            "--score",
            one,
            *options,
            *(rescaled or (["--rescale"] if command == "sensibility" and len(scores) > 1 else [])),
        ]
    if "day" in columns_of(file):
        followed = ["--time", "day", "--reference", SAMPLE_DATA / "flu.csv", "--permutations", "9"]
        yield ["sensibility", file, *followed, "--require", "drift_alarm == 0"]
        yield ["sensibility", file, *followed, "--every", "day"]
    yield ["tango", file]
    if "patient" in columns_of(file):
        yield ["sweep", file, "--score", one, "--cluster", "patient", "--at", "fpr<=0.1", "--require", "auc >= 0.8"]
        yield ["tango", file, "--cluster", "patient"]
        yield ["compare", file, "--cluster", "patient", "--at", "0.5"]
    if "region" in columns_of(file):
        by_region = ["--by", "region", "--at", "0.4"]
        yield ["sweep", file, "--score", one, *by_region]
        yield ["sweep", file, "--score", one, *by_region, "--require", "auc by region >= 0.8"]
        yield ["compare", file, "--score", scores[0], "--score", one, *by_region]
    if len(scores) > 1:
        yield ["compare", file]
        yield ["compare", file, "--baseline", scores[0], *(f"--score={name}" for name in scores), "--at", "fpr<=0.1",
               "--margin", "0.05", "--require", "auc >= 0.5", "--require", "delta_auc >= -0.01"]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.thorough if at % 3 else []) for at, name in enumerate([RARE, *FILES])],
)
def test_every_answer_fits_the_screen(name, rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for line in commands(FILES.get(name, rare)):
        screen = run_on_terminal(*line)
        assert screen.status in (0, 1, 3), (line, screen.text)
        assert screen.height <= 23, (line, screen.text)


@pytest.mark.parametrize("size", SIZES)
def test_no_line_is_wider_than_the_screen_and_none_scrolls_away(size, rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for line in commands(rare):
        screen = run_on_terminal(*line, size=size)
        assert screen.height < size[1], (line, screen.text)
        answer = [each for each in screen.lines if not each.startswith("rocconf: ")]
        assert max(map(len, answer)) <= size[0], (line, screen.text)


def test_a_higher_screen_has_more_rows_and_a_wider_one_more_columns(rare):
    small, large = (run_on_terminal("sweep", rare, "--score", "new", size=size) for size in SIZES[:2])
    assert len(large.lines) > len(small.lines) + 8
    heading = next(line for line in large.lines if "flagged" in line)
    assert {"specificity", "mcc"} <= set(heading.split())


def test_rows_are_dense_where_few_cases_are_flagged(rare):
    lines = run_on_terminal("sweep", rare, "--score", "new").lines
    shares = [float(found[1]) for line in lines if (found := re.match(r"[* ] +([\d.]+)%", line))]
    for wanted in (0.1, 0.5, 1, 2, 5, 10, 20):
        assert any(abs(share - wanted) <= 0.1 * wanted + 0.02 for share in shares), (wanted, shares)


def test_the_verdict_is_the_last_thing_on_the_screen(rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    screen = run_on_terminal("sweep", rare, "--score", "new", "--require", "auc >= 0.99")
    at = next(k for k, line in enumerate(screen.lines) if line.startswith("verdict: failed (status 1)"))
    rest = " ".join(" ".join(screen.lines[at:]).split())
    assert screen.status == 1
    assert "x auc >= 0.99 new: auc is 0.8" in rest
    assert "even the high end is not >= 0.99" in rest
    assert rest.count("auc is") == " ".join(screen.text.split()).count("auc is") == 1


def test_all_shows_all_rows_measures_and_notes():
    file = FILES["spectf_cv80.csv"]
    short, whole = (run_on_terminal("compare", file, *more) for more in ((), ("--all",)))
    assert "cauc" not in short.text
    assert "struggle" not in short.text
    for word in ("cauc roc", "aved abs", "struggle ratio", "max chi2", "rocconf: note: "):
        assert word in whole.text
    thresholds = run_on_terminal("tango", file, "--score", "B", "--all").lines
    assert sum(line.endswith((" yes", " no")) for line in thresholds) == 67


def test_notes_and_warnings_about_defaults_stay_out_of_the_terminal(rare):
    for command in ("sweep", "chi2-contours", "compare", "tango"):
        scores = ["--score", "new"] if command in ALONE else []
        assert "rocconf: " not in run_on_terminal(command, rare, *scores).text


def test_a_threshold_chosen_in_sample_is_marked_and_said_to_be_once(rare):
    screen = run_on_terminal("sweep", rare, "--score", "new", "--at", "youden", "--at", "threshold=0.5")
    assert len([line for line in screen.lines if re.match(r"\* +[\d.]+%", line)]) == 2
    assert screen.text.count("chosen on these cases") == 1


def test_a_comparison_begins_with_a_sentence_for_each_model(rare):
    first = run_on_terminal("compare", rare).lines[0]
    assert re.match(r"new ranks better than old: AUC \+0\.\d+ \[0\.\d+, 0\.\d+\] \(robust, paired, p [<\d. ]+\)", first)
    back = run_on_terminal("compare", rare, "--baseline", "new").lines[0]
    assert back.startswith("old ranks worse than new: AUC -0.")


def test_a_report_without_rules_is_answered(rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    run_on_terminal("sweep", rare, "--score", "new", "-o", "report.json")
    screen = run_on_terminal("gate", "report.json")
    assert screen.status == 3
    assert "internal error" not in screen.text
    assert "no rule was judged" in screen.text
    assert "verdict: not enough evidence (status 3)" in screen.text
    assert screen.height <= 23


def test_a_rule_that_passes_at_a_threshold_of_its_own_cases_is_warned_of(rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    screen = run_on_terminal("sweep", rare, "--score", "new", "--require", "tpr@youden >= 0.5", "--allow-in-sample")
    assert screen.status == 0
    assert "warning: youden: chosen on these cases, which flatters it [in-sample]" in screen.text


@pytest.mark.parametrize(
    "line",
    [
        ("sweep", "--score", "new", "--cost", "1:50"),
        (
            "sweep",
            "--score",
            "new",
            "--cost",
            "1:50",
            "--at",
            "threshold=0.05",
            "--require",
            "cost@threshold=0.05 <= 0.9",
        ),
        ("tango", "--score", "new", "--cost", "1:50"),
        ("chi2-contours", "--score", "new", "--cost", "1:50", "--permutations", "19"),
        ("compare", "--score", "old", "--score", "new", "--cost", "1:50"),
    ],
)
def test_costs_fit_the_screen(line, rare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    command, *options = line
    screen = run_on_terminal(command, rare, *options)
    assert (screen.status, screen.height <= 23) == (0, True), screen.text
    assert "at costs 1:50 the cheapest threshold is" in screen.text


def test_calibration_fits_the_screen():
    screen = run_on_terminal(
        "sweep", FILES["hypothyroid.csv"], "--score", "F", "--calibration", "--require", "brier <= 0.02"
    )
    assert (screen.status, screen.height <= 23) == (0, True), screen.text
    assert "Brier score 0.0085" in screen.text
