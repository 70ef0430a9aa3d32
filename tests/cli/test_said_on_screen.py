"""What a screen says beside the numbers: options that changed nothing, files, defaults and words."""

import re

import numpy as np
import pytest
from on_terminal import run_on_terminal

from rocconf.cli.commands import ABOUT
from rocconf.messages.columns import COLUMNS, OTHERS
from rocconf.messages.glossary import ALIASES, GLOSSARY, meaning_of


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Return a file of 30,000 rows with 1% positives and the scores of two models."""
    random = np.random.default_rng(5)
    labels = np.arange(30_000) % 100 == 0
    scores = [np.round(1 / (1 + np.exp(4 - random.normal(size=30_000) - skill * labels)), 5) for skill in (2, 2.4)]
    path = tmp_path_factory.mktemp("many") / "many.csv"
    rows = zip(labels.astype(int), *scores, strict=True)
    path.write_text("label,old,new\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows), encoding="utf-8")
    return path


def columns(screen):
    return next(line for line in screen.lines if "flagged" in line).split()


def test_fpr_is_shown_however_wide_the_counts_are(many):
    screen = run_on_terminal("sweep", many, "--score", "old", "--at", "fpr<=0.01")
    assert {"tp", "fp", "precision", "tpr", "fpr"} <= set(columns(screen))
    assert "0.0098" in screen.text or "0.010" in screen.text


def test_intervals_that_are_asked_for_come_before_the_counts(many):
    plain, asked = (run_on_terminal("sweep", many, "--score", "old", *more) for more in ((), ("--intervals",)))
    rows = [next(line for line in each.lines if line.startswith("*")) for each in (plain, asked)]
    assert rows[0].count("[") < rows[1].count("[") == 2
    assert "tp" not in columns(asked)


def test_a_restated_precision_is_said_to_have_no_interval(many):
    said = "precision and npv at a prevalence of 0.002, so without intervals"
    assert said in run_on_terminal("sweep", many, "--score", "old", "--prevalence", "0.002").text
    assert said not in run_on_terminal("sweep", many, "--score", "old").text


def test_the_default_operating_point_is_said_to_be_one(many):
    said = "closest, where --at names no other: nearest to tpr 1 and fpr 0"
    assert said in " ".join(run_on_terminal("sweep", many, "--score", "old").text.split())
    assert said not in " ".join(run_on_terminal("sweep", many, "--score", "old", "--at", "closest").text.split())


def test_options_that_were_given_are_not_offered(many):
    for given in (["--at", "youden"], ["--max-fpr=0.1"]):
        line = ["sweep", str(many), "--score", "old", *given]
        _, _, offered = " ".join(run_on_terminal(*line).text.split()).partition("; also: ")
        assert "--choose-on" in offered
        assert given[0].partition("=")[0] not in offered


def test_no_option_is_broken_where_a_line_ends(many):
    for width in (64, 77, 78, 80, 82, 90):
        screen = run_on_terminal("sweep", many, "--score", "old", "--at", "youden", size=(width, 24))
        assert not [line for line in screen.lines if re.search("-$", line)], screen.text


def test_files_that_were_written_are_named_in_one_line_of_a_terminal(many, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outs = [word for name in "abcde" for word in ("-o", f"models:{name}.csv")]
    screen = run_on_terminal("sweep", many, "--score", "old", *outs)
    assert screen.lines[0] == "rocconf: wrote a.csv, b.csv, c.csv, 2 more"
    assert screen.text.count("wrote") == 1
    assert screen.height <= 23
    assert "wrote" not in run_on_terminal("sweep", many, "--score", "old", *outs, "-q").text


def test_files_are_not_named_in_a_pipe(rocconf, many):
    assert "wrote" not in rocconf("sweep", many, "--score", "old", "-o", "models:a.csv").err


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ((), True),
        pytest.param(("--plot", "roc:roc.svg"), False, marks=pytest.mark.thorough),
        (("-o", "bands:bands.csv"), False),
        (("-o", "models:models.json"), True),
        (("--format", "json"), False),
    ],
)
def test_a_band_that_no_output_has_is_warned_of(rocconf, tmp_path, options, warned):
    rows = "".join(f"{at % 2},{at * 7 % 20 / 20},{at * 3 % 20 / 20}\n" for at in range(20))
    (tmp_path / "a.csv").write_text(f"label,old,new\n{rows}", encoding="utf-8")
    assert ("[band-unseen]" in rocconf("compare", "a.csv", "--band", "pointwise", *options).err) == warned


@pytest.mark.parametrize(
    ("line", "others"),
    [
        ("sweep a.csv --band ks", "rocconf compare has it"),
        ("tango a.csv --reference b.csv", "rocconf sensibility has it"),
        ("compare a.csv --intervals", "rocconf sweep has it"),
        ("sensibility a.csv --margin 0.1", "rocconf tango, rocconf compare and rocconf plan have it"),
    ],
)
def test_an_option_of_another_command_is_answered_with_the_command_that_has_it(rocconf, line, others):
    ran = rocconf(*line.split())
    option = line.split()[2]
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip().endswith(f"has no option {option}; {others}")


@pytest.mark.parametrize("word", ["flagged", "auc", "closest", "cauc", "tango", "recall", "delta_auc", *ABOUT])
def test_a_word_of_the_screen_is_explained(rocconf, word):
    ran = rocconf("explain", word)
    assert (ran.status, ran.err) == (0, "")
    name = (meaning_of(word) or (word,))[0]
    assert f"{name}: " in ran.out
    assert "See " in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_every_column_of_the_screens_is_explained(many):
    for command in ("sweep", "tango"):
        for column in columns(run_on_terminal(command, many, "--score", "old", size=(200, 50))):
            assert meaning_of(column) or column in ("diff", "z", "chi2", "lower"), column


def test_words_are_not_explained_twice():
    assert set(ALIASES.values()) <= set(GLOSSARY)
    assert set(OTHERS.values()) <= {*GLOSSARY, *COLUMNS}
    every = [*ALIASES, *GLOSSARY, *COLUMNS, *OTHERS]
    assert len(every) == len(set(every))


def test_the_list_of_what_can_be_explained_fits_a_terminal():
    screen = run_on_terminal("explain")
    assert screen.height <= 23
    assert {"closest,", "in-sample,"} <= set(screen.text.split())


@pytest.fixture(scope="module")
def quiz(tmp_path_factory):
    """Return a file of 40 cases with seven distinct scores, the best of which is 3 by two rules."""
    path = tmp_path_factory.mktemp("quiz") / "quiz.csv"
    cases = [(1, 7), (1, 6), (1, 6), (1, 5), (1, 4), (0, 5), *[(0, score) for score in (1, 2, 3) * 11]]
    path.write_text("label,points\n" + "".join(f"{label},{score}\n" for label, score in cases), encoding="utf-8")
    return path


def test_several_rules_of_one_threshold_are_one_row(quiz):
    rules = ("--at", "youden", "--at", "accuracy", "--at", "closest")
    screen = run_on_terminal("sweep", quiz, "--label", "label", "--score", "points", *rules)
    assert len([line for line in screen.lines if line.startswith("*") and "%" in line and ":" not in line]) == 1
    assert screen.text.count("(15.4%)") == len(rules) // 2
    assert "all 7 thresholds" in screen.text


@pytest.mark.parametrize(
    ("command", "meaning"),
    [
        ("sweep", "* closest, where --at names no other: nearest"),
        ("chi2-contours", "* chi2, where --at names no other: of"),
    ],
)
def test_the_default_point_is_described_as_what_it_is(quiz, command, meaning):
    screen = run_on_terminal(command, quiz, "--label", "label", "--score", "points")
    assert meaning in screen.text


def test_low_scores_that_are_flagged_are_said_to_be(quiz):
    line = ("sweep", quiz, "--label", "label", "--score", "points")
    told = "a case is flagged if its score is at most the threshold"
    assert told in run_on_terminal(*line, "--lower-is-positive").text
    assert told not in run_on_terminal(*line).text


def test_a_threshold_chosen_on_other_cases_is_said_to_be(many, tmp_path):
    header, *lines = many.read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("one", lines[:15_000]), ("two", lines[15_000:])):
        (tmp_path / f"{name}.csv").write_text("".join([header, *part]), encoding="utf-8")
    line = ("sweep", tmp_path / "one.csv", "--score", "old", "--at", "fpr<=0.01", "--at", "threshold=0.5")
    screen = run_on_terminal(*line, "--choose-on", tmp_path / "two.csv")
    assert "chosen on other cases" in screen.text
    assert "threshold=0.5" not in screen.text.partition("chosen on other cases")[0].rpartition(";")[2]


def test_an_option_and_its_file_stay_on_one_line(many):
    for width in range(60, 90, 5):
        lines = run_on_terminal("sweep", many, "--score", "old", size=(width, 24)).lines
        assert not any(line.rstrip().endswith(("--plot", "-o")) for line in lines), width
