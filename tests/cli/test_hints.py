"""What a mistake is answered with: the word, number or option that was meant, and where a default comes from."""

import shlex
from itertools import pairwise

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
        (["semicolons.csv"], "try: rocconf sweep semicolons.csv --delimiter ';'"),
        (
            ["commas.csv", "--delimiter", ";"],
            "try: sed 's/,/./g' commas.csv > commas.numbers.csv && rocconf sweep commas.numbers.csv --delimiter ';'",
        ),
        (
            ["percent.csv"],
            "try: sed 's/%//g' percent.csv > percent.numbers.csv && rocconf sweep percent.numbers.csv",
        ),
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


STUDY = (
    "PatientNo;Sex;Age;Diagnosis;Marker;RiskScore\n"
    + "P1;F;50;malignant;3,1;0,91\nP2;M;42;benign;4,0;0,12\nP3;F;61;malignant;2,2;0,55\nP4;M;38;benign;3,7;0,60\n" * 3
)
MEND = "sed 's/,/./g' study.csv > study.numbers.csv && "


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--label Diagnosis",
        "--label Diagnosis --score RiskScore",
        "--delimiter ;",
        "--delimiter ; --label Diagnosis --score RiskScore",
        "--delimiter ; --label Diagnosis --score RiskScore --positive malignant",
    ],
)
def test_one_error_asks_for_everything_and_its_command_works(rocconf, tmp_path, options):
    (tmp_path / "study.csv").write_text(STUDY, encoding="utf-8")
    ran = rocconf("sweep", "study.csv", *options.split())
    assert (ran.status, ran.out) == (2, "")
    command = ran.err.splitlines()[-1].removeprefix("  try: ")
    assert command.startswith(MEND)
    (tmp_path / "study.numbers.csv").write_text(STUDY.replace(",", "."), encoding="utf-8")
    words = shlex.split(command.removeprefix(MEND))
    assert words[:3] == ["rocconf", "sweep", "study.numbers.csv"]
    for option, value in (("--label", "Diagnosis"), ("--positive", "malignant"), ("--score", "RiskScore")):
        assert words[words.index(option) + 1] == value
    answered = rocconf(*words[1:])
    assert answered.status == 0, answered.err


def test_columns_with_decimal_commas_are_named(rocconf, tmp_path):
    (tmp_path / "study.csv").write_text(STUDY, encoding="utf-8")
    err = rocconf("sweep", "study.csv").err
    assert "  decimal commas in Marker, RiskScore: write numbers with points\n" in err
    assert "  scores could be: RiskScore\n" in err


@pytest.mark.parametrize(
    ("header", "likely"),
    [
        ("sex,plan,Churned?", "Churned?"),
        ("gender,Diagnosis", "Diagnosis"),
        ("flag,hasRelapsed", "hasRelapsed"),
        ("a,died_30d", "died_30d"),
        ("Group,answer", "answer"),
        ("smoker,is_fraud", "is_fraud"),
        ("first,second", "first"),
    ],
)
def test_the_label_is_proposed_by_its_name_and_never_a_group(rocconf, tmp_path, header, likely):
    n = header.count(",") + 1
    rows = (",".join([cell] * n + [f"0.{at}"]) for at, cell in enumerate(["yes", "no"] * 4))
    (tmp_path / "a.csv").write_text("\n".join([f"{header},risk", *rows]) + "\n", encoding="utf-8")
    words = shlex.split(rocconf("sweep", "a.csv").err.splitlines()[-1])
    assert words[words.index("--label") + 1] == likely


@pytest.mark.parametrize("name", ["sex", "Gender", "treatment_group", "Arm", "ethnicity", "patient sex"])
def test_a_group_is_listed_but_no_command_proposes_it(rocconf, tmp_path, name):
    (tmp_path / "a.csv").write_text(f"{name},risk\nyes,0.9\nno,0.8\n", encoding="utf-8")
    ran = rocconf("sweep", "a.csv")
    assert f"labels could be: {name} (yes, no)" in ran.err
    assert "try:" not in ran.err


CLASS = "Student,gender,passed,hours,mock_exam\n" + "".join(
    f"{k},{'fm'[k % 2]},{'pass' if k * 7 % 5 > 1 else 'fail'},{k * 3 % 11},{k * 5 % 37}\n" for k in range(1, 20)
)


@pytest.mark.parametrize(
    ("line", "scores"),
    [
        ("sweep class.csv", ["mock_exam"]),
        ("compare class.csv", ["mock_exam", "hours"]),
        ("compare class.csv --label passed --positive pass --score hours", ["hours", "mock_exam"]),
    ],
)
def test_whole_numbers_are_proposed_by_name_and_row_numbers_are_not(rocconf, tmp_path, line, scores):
    (tmp_path / "class.csv").write_text(CLASS, encoding="utf-8")
    ran = rocconf(*line.split())
    words = shlex.split(ran.err.splitlines()[-1].removeprefix("  try: "))
    assert [value for option, value in pairwise(words) if option == "--score"] == scores
    assert rocconf(*words[1:]).status == 0


def test_a_comparison_of_the_only_candidate_names_the_columns_that_may_be_another(rocconf, tmp_path):
    (tmp_path / "a.csv").write_text("label,p_new,age\n" + "1,0.9,50\n0,0.2,40\n1,0.4,61\n0,0.5,39\n", encoding="utf-8")
    ran = rocconf("compare", "a.csv")
    assert "which model is compared with p_new?\n  other scores could be: age\n" in ran.err
    assert ran.err.endswith("  try: rocconf compare a.csv --score p_new --score age\n")


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
    assert "--one-vs-rest, of sweep and compare, each class by a column of its own" in " ".join(ran.err.split())
    again = rocconf(*shlex.split(line))
    assert (again.status, "n=20 positives=10" in again.err) == (0, "dog" in line)


@pytest.mark.parametrize(
    ("options", "asked"), [((), "--id case_id"), (("--require", "delta_auc >= 0"), "--baseline old")]
)
def test_files_without_ids_ask_for_their_column_and_the_command_works(rocconf, tmp_path, options, asked):
    rows = [(f"k{number}", number % 3 == 0, (number * 7 % 100) / 100) for number in range(90)]
    for name, order in (("old", rows), ("new", rows[::-1])):
        cells = "".join(f"{case},{int(label)},{score}\n" for case, label, score in order)
        (tmp_path / f"{name}.csv").write_text(f"case_id,label,score\n{cells}", encoding="utf-8")
    ran = rocconf("compare", "old.csv", "new.csv", *options)
    assert ran.status == 2
    command = shlex.split(next(line for line in ran.err.splitlines() if "try: " in line).partition("try: ")[2])
    assert "--id case_id" in " ".join(command)
    assert asked in " ".join(command)
    again = rocconf(*command[1:])
    assert again.status == (3 if options else 0)


def test_files_without_a_likely_column_of_ids_say_how_else_they_are_compared(rocconf, tmp_path):
    for name in ("old", "new"):
        (tmp_path / f"{name}.csv").write_text("label,score\n1,0.5\n0,0.25\n", encoding="utf-8")
    ran = rocconf("compare", "old.csv", "new.csv")
    assert ran.status == 2
    assert "no ids to match" in ran.err
