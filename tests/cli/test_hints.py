"""What a mistake is answered with: the word, number or option that was meant, and where a default comes from."""

import shlex

import pytest

from rocconf.messages import did_you_mean, number_meant

SCORES = "label,score\n" + "1,0.9\n0,0.8\n1,0.7\n0,0.1\n" * 5


@pytest.fixture
def files(tmp_path):
    """Files that are easily mistaken."""
    texts = {
        "scores.csv": SCORES,
        "churn.csv": SCORES.replace("label,score", "churned,p_churn"),
        "semicolons.csv": SCORES.replace(",", ";"),
        "commas.csv": SCORES.replace(",", ";").replace(".", ","),
        "percent.csv": SCORES.replace("\n", "%\n").replace("score%", "score"),
        "old.csv": SCORES.replace("0.7", "0.6"),
        "new.csv": SCORES.replace("0.8", "0.75"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        (["churn.csv", "--label", "churn"], "did you mean 'churned'?"),
        (["semicolons.csv"], "set --delimiter ';'"),
        (["commas.csv", "--delimiter", ";"], "sed 's/,/./g' FILE writes numbers with points)"),
        (["percent.csv"], "sed 's/%//g' FILE writes numbers: scores need not be fractions)"),
        (["scores.csv", "--require", "fpr@threshold=0.5 <= 0.3%"], "'0.3%' is not a number; did you mean 0.003?"),
        (["scores.csv", "--require", "auc >= 0,85"], "'0,85' is not a number; did you mean 0.85?"),
        (["scores.csv", "--at", "fpr<=1%"], "'1%' is not a finite number; did you mean 0.01?"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("files")
def test_a_mistake_is_answered_with_what_was_meant(rocconf, line, ends):
    ran = rocconf("sweep", *line)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip().endswith(ends)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("0.3%", "0.003"),
        ("0,3 %", "0.003"),
        ("85%", "0.85"),
        ("100%", "1"),
        ("0,85", "0.85"),
        ("-0,01", "-0.01"),
        ("0.85", ""),
        ("1,234.5", ""),
        ("high%", ""),
        ("%", ""),
    ],
)
def test_a_number_for_people_is_told_as_one_for_programs(text, meant):
    assert number_meant(text) == (f"; did you mean {meant}?" if meant else "")


def test_a_word_is_first_taken_for_the_beginning_of_another():
    assert did_you_mean("churn", ["p_churn", "churned_ever", "churned"]) == "; did you mean 'churned'?"
    assert did_you_mean("scor", ["points", "score"]) == "; did you mean 'score'?"
    assert did_you_mean("a", ["auc", "b"]) == ""


@pytest.mark.parametrize(
    ("line", "toml", "key"),
    [
        ("sweep scores.csv", 'label = "nope"', "label"),
        ("sweep scores.csv", 'id = "nope"', "id"),
        ("sweep scores.csv", 'score = ["a", "a"]', "score"),
        ("sweep scores.csv", 'where = "region=north"', "where"),
        ("sweep scores.csv", 'where = "label=7"', "where"),
        ("sweep scores.csv", 'positive = "sick"', "positive"),
        ("sweep scores.csv", 'na = "skip"', "na"),
        ("sweep scores.csv", 'delimiter = "ab"', "delimiter"),
        ("sweep scores.csv", 'model = "kind"', "model"),
        ("compare old.csv new.csv --by-row", 'baseline = "oldd"', "baseline"),
    ],
)
def test_an_error_about_a_value_of_the_configuration_names_it(rocconf, files, line, toml, key):
    (files / "rocconf.toml").write_text(f"[data]\n{toml}\n", encoding="utf-8")
    ran = rocconf(*line.split(), "-q")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip().endswith(f"({key} of [data] in {files / 'rocconf.toml'})")


def test_an_error_about_what_was_typed_does_not_name_the_configuration(rocconf, files):
    (files / "rocconf.toml").write_text('[data]\nlabel = "nope"\nna = "drop"\n', encoding="utf-8")
    assert "rocconf.toml" not in rocconf("sweep", "scores.csv", "--label", "nope", "-q").err
    (files / "rocconf.toml").write_text('[data]\nna = "drop"\n', encoding="utf-8")
    assert "rocconf.toml" not in rocconf("sweep", "missing.csv", "-q").err


@pytest.mark.usefixtures("files")
def test_choose_on_with_several_files_needs_a_column_for_each(rocconf, tmp_path):
    ran = rocconf("sweep", "old.csv", "new.csv", "--choose-on", "churn.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "--choose-on churn.csv: no column old, new (found: churned, p_churn); it needs a column of scores" in ran.err
    (tmp_path / "others.csv").write_text(
        "label,old,new\n1,0.8,0.9\n0,0.3,0.6\n1,0.5,0.4\n0,0.2,0.1\n", encoding="utf-8"
    )
    assert rocconf("sweep", "old.csv", "new.csv", "--choose-on", "others.csv").status == 0


@pytest.mark.parametrize(
    "options",
    [
        "sweep --max-fpr 2",
        "sweep --level 95",
        "sweep --prevalence 2",
        "sweep --thresholds grid:0",
        "sweep --at best",
        "sweep --interval exact",
        "sweep --delimiter ab",
        "sweep --where site",
        "sweep --model label --label label",
        "sweep --width -1 --plot a.png",
        "tango --test exactly",
        "tango --margin 2",
        "chi2-contours --levels -3",
        "chi2-contours --significance 2",
        "chi2-contours --cost a",
        "chi2-contours --accuracy-contours 7",
        "sensibility --midpoint middle",
        "compare --margin 5",
        "compare --band wide",
        "compare --bootstrap -1",
        "compare --seed -1",
        "compare --max-fpr 0",
    ],
)
def test_a_bad_value_is_refused_before_a_file_is_opened(rocconf, options):
    ran = rocconf(*options.split(), "missing.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "missing.csv" not in ran.err
    assert ran.err.startswith("rocconf: ")


@pytest.mark.parametrize("typed", [[], ["--positive", "dog"]], ids=str)
def test_a_third_class_is_answered_with_a_command_that_works(rocconf, tmp_path, typed):
    text = "label,score\n" + "cat,0.9\ndog,0.8\nbig cat,0.7\ndog,0.1\n" * 5
    (tmp_path / "animals.csv").write_text(text, encoding="utf-8")
    ran = rocconf("sweep", "animals.csv", *typed)
    assert ran.status == 2
    line = ran.err.partition("try: rocconf ")[2].splitlines()[0].removesuffix(")")
    assert line.endswith(" --rest")
    again = rocconf(*shlex.split(line))
    assert (again.status, "n=20 positives=10" in again.err) == (0, "dog" in line)
