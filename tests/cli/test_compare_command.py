"""`rocconf compare`, as a process: the contract of its keys, how files are brought together, and baselines."""

import csv
import io
import json

import polars as pl
import pytest
from conftest import REFERENCE, SAMPLE_DATA

DIS = SAMPLE_DATA / "dis.csv"
NAMED = ("--score", "S", "--score", "T", "--score", "F", "--score", "B")
"""All models of DIS by name, as rules need them."""
LABELS = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
FIRST = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]
SECOND = [0.9, 0.7, 0.75, 0.8, 0.3, 0.35, 0.6, 0.4, 0.1, 0.2]
ROWS = [
    *(
        "model",
        "n",
        "positives",
        "auc",
        "auc_lower",
        "auc_upper",
        "interval",
        "cauc",
        "cauc_tp",
        "cauc_fp",
        "cauc_roc",
        "aved",
    ),
    *("aved_abs", "confident_points", "threshold_low", "threshold_high", "struggle_ratio", "max_chi2"),
]
PAIRS = [
    *("model", "baseline", "metric", "at", "difference", "difference_lower", "difference_upper", "p", "p_adjusted"),
    *("test", "interval", "paired", "margin", "non_inferior", "equivalent"),
]


def rows_of(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def write(folder, name, rows, header="id,label,score"):
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


@pytest.fixture
def two_files(tmp_path):
    """The ten cases with a model in either file, the second in another order."""
    cases = list(zip("abcdefghij", LABELS, FIRST, SECOND, strict=True))
    write(tmp_path, "old.csv", [(key, label, first) for key, label, first, _ in cases])
    shuffled = [cases[at] for at in (3, 9, 0, 6, 1, 8, 5, 2, 7, 4)]
    write(tmp_path, "new.csv", [(key, label, second) for key, label, _, second in shuffled])
    return tmp_path


def pairs_of(ran):
    answer = json.loads(ran.out)
    return {(pair["model"], pair["metric"], pair["at"]): pair for pair in answer["tables"]["pairs"]}


@pytest.mark.usefixtures("two_files")
def test_the_worked_example_of_delong(rocconf):
    options = ("--baseline", "new", "--interval", "delong", "--format", "json")
    ran = rocconf("compare", "new.csv", "old.csv", *options)
    assert ran.status == 0
    pair = pairs_of(ran)["old", "auc", None]
    assert pair["difference"] == pytest.approx(0.04, abs=1e-12)
    assert pair["p"] == pytest.approx(0.7456027889274613, abs=1e-12)
    reach = (pair["difference_upper"] - pair["difference_lower"]) / 2
    assert pair["difference"] / reach * 1.959963984540054 == pytest.approx(0.3244428422615253, abs=1e-12)
    assert (pair["test"], pair["interval"], pair["paired"]) == ("delong", "delong", True)


@pytest.mark.usefixtures("two_files")
def test_the_interval_is_robust_by_default(rocconf):
    worked = json.loads((REFERENCE / "robust_auc.json").read_text(encoding="utf-8"))["worked"]
    ran = rocconf("compare", "new.csv", "old.csv", "--baseline", "old", "--format", "json")
    pair = pairs_of(ran)["new", "auc", None]
    found = [pair[key] for key in ("difference", "difference_lower", "difference_upper")]
    assert found == pytest.approx(worked["difference_s2_minus_s1"], abs=1e-12)
    assert (pair["test"], pair["interval"]) == ("robust", "robust")
    answer = json.loads(ran.out)
    assert {row["interval"] for row in (*answer["rows"], answer["options"])} == {"robust"}


def test_a_comparison_has_the_kind_of_interval_of_its_report(rocconf):
    report = REFERENCE / "schema1" / "sweep.json"
    command = ("compare", SAMPLE_DATA / "flu_population.csv", "--baseline", report, "--format", "json")
    ran = rocconf(*command)
    answer = json.loads(ran.out)
    assert {row["interval"] for row in (*answer["rows"], *answer["tables"]["pairs"])} == {"delong"}
    refused = rocconf(*command, "--interval", "robust")
    assert (refused.status, refused.out) == (2, "")
    assert "sweep.json is a report of the interval delong, not robust: set --interval delong" in refused.err


def test_the_keys_are_the_contract(rocconf):
    ran = rocconf("compare", DIS, "--format", "json", "--at", "fpr<=0.05", "--band", "ks")
    answer = json.loads(ran.out)
    assert answer["schema"] == "rocconf/compare/2"
    assert list(answer["rows"][0]) == ROWS
    assert list(answer["tables"]) == ["models", "pairs", "operating_points", "bands"]
    assert list(answer["tables"]["pairs"][0]) == PAIRS
    assert list(answer["tables"]["bands"][0]) == ["model", "kind", "level", "fpr", "tpr", "lower", "upper"]
    assert list(answer["tables"]["models"][0])[:12] == [
        *("model", "n", "positives", "negatives", "prevalence"),
        *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
    ]
    assert answer["summary"] is None


def test_rows_and_pairs_go_to_files(rocconf, tmp_path):
    ran = rocconf("compare", DIS, "-q", "--format", "csv", "-o", "pairs:pairs.csv", "-o", "bands:b.csv", "--band", "ks")
    assert ran.out.splitlines()[0].split(",") == ROWS
    assert [row["model"] for row in rows_of(ran.out)] == ["S", "T", "F", "B"]
    assert (tmp_path / "pairs.csv").read_text(encoding="utf-8").splitlines()[0].split(",") == PAIRS
    assert len((tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()) == 1 + 4 * 101


def test_a_terminal_is_shown_models_pairs_and_operating_points(rocconf):
    ran = rocconf("compare", DIS, "--format", "table", "--at", "fpr<=0.05", "-q", "--all")
    assert "pairs: each model less S" in ran.out
    assert "operating points" in ran.out
    assert ran.out.count("0.8051") == 1


def test_the_models_of_a_file_are_named(rocconf):
    assert "rocconf: models: S, T, F, B" in rocconf("compare", DIS).err


def test_a_shuffled_file_gives_the_same_bytes(rocconf, two_files):
    lines = (two_files / "old.csv").read_text(encoding="utf-8").splitlines()
    options = (
        "--at",
        "youden",
        "--bootstrap",
        "30",
        "--margin",
        "0.1",
        "-q",
        "-o",
        "pairs:pairs.csv",
        "--format",
        "csv",
    )
    ran = []
    for _ in range(2):
        first = rocconf("compare", "old.csv", "new.csv", *options)
        ran.append((first.out, (two_files / "pairs.csv").read_bytes()))
        write(two_files, "old.csv", [line.split(",") for line in reversed(lines[1:])])
    assert ran[0] == ran[1]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", 1, 1), ("b", 0, 0), ("b", 0, 0)], "id 'b' is already on line 3"),
        ([("a", 1, 1), ("b", 0, 0)], "id 'c' is only in one.csv"),
        ([("a", 1, 1), ("b", 0, 0), ("c", 1, 0), ("x", 0, 0)], "id 'x' is only in two.csv"),
        ([("a", 1, 1), ("b", 1, 0), ("c", 0, 0)], "id 'b' is negative in one.csv and positive in two.csv"),
    ],
)
def test_cases_that_do_not_agree_are_an_error(rocconf, tmp_path, rows, said):
    write(tmp_path, "one.csv", [("a", 1, 0.9), ("b", 0, 0.1), ("c", 1, 0.4)])
    write(tmp_path, "two.csv", rows)
    ran = rocconf("compare", "one.csv", "two.csv")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_is_dropped_from_one_file_is_dropped_from_the_other_and_counted(rocconf, two_files, form):
    rows = rows_of((two_files / "new.csv").read_text(encoding="utf-8"))
    scores = [None if row["id"] in "ch" else float(row["score"]) for row in rows]
    frame = pl.DataFrame({"id": [row["id"] for row in rows], "label": [row["label"] for row in rows], "score": scores})
    getattr(frame, f"write_{form}")(two_files / f"holes.{form}")
    write(two_files, "few.csv", [row for row in zip("abcdefghij", LABELS, FIRST, strict=True) if row[0] not in "ch"])
    ran = rocconf("compare", "old.csv", f"holes.{form}", "--na", "drop", "--format", "json")
    inputs = json.loads(ran.out)["inputs"]
    assert [(source["n"], source["dropped"]) for source in inputs] == [(8, 2), (8, 2)]
    assert "old.csv: 2 more cases were left out, without a value in another file, 8 are left" in ran.err
    write(two_files, "holes.csv", [(r["id"], r["label"], r["score"]) for r in rows if r["id"] not in "ch"])
    again = rocconf("compare", "few.csv", "holes.csv", "--format", "json")
    assert pairs_of(ran)["holes", "auc", None]["p"] == pairs_of(again)["holes", "auc", None]["p"]


def test_rows_are_paired_by_order_only_when_asked_and_it_is_said(rocconf, tmp_path):
    for name, scores in (("one.csv", FIRST), ("two.csv", SECOND)):
        write(tmp_path, name, zip(LABELS, scores, strict=True), "label,score")
    refused = rocconf("compare", "one.csv", "two.csv")
    assert refused.status == 2
    assert "--by-row" in refused.err
    ran = rocconf("compare", "one.csv", "two.csv", "--by-row", "--interval", "delong", "--format", "json")
    assert ran.status == 0
    assert "one.csv and two.csv are paired by the order of their rows" in ran.err
    assert pairs_of(ran)["two", "auc", None]["p"] == pytest.approx(0.7456027889274613, abs=1e-12)


def test_files_of_different_cases_are_compared_unpaired(rocconf, two_files):
    write(two_files, "other.csv", [("x", 1, 0.7), ("y", 1, 0.2), ("z", 0, 0.1), ("w", 0, 0.3)])
    ran = rocconf("compare", "old.csv", "other.csv", "--unpaired", "--format", "json", "--at", "threshold=0.5")
    pair = pairs_of(ran)["other", "accuracy", "threshold=0.5"]
    assert (pair["test"], pair["paired"]) == ("miettinen-nurminen-cc", False)
    assert "as if on different cases" in ran.err
    assert [row["n"] for row in json.loads(ran.out)["rows"]] == [10, 4]


def test_counts_can_be_compared_unpaired_but_not_paired(rocconf, two_files):
    (two_files / "counts.csv").write_text("score,positives,negatives\n0.9,3,1\n0.2,1,4\n", encoding="utf-8")
    assert rocconf("compare", "old.csv", "counts.csv", "--unpaired").status == 0
    refused = rocconf("compare", "old.csv", "counts.csv")
    assert refused.status == 2
    assert "counts.csv: is a counts file, which has no cases to pair; --unpaired compares counts" in refused.err


@pytest.mark.usefixtures("two_files")
def test_a_file_cannot_be_its_own_baseline(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "new.csv")
    assert (ran.status, ran.out, ran.err) == (2, "", "rocconf: new.csv: given twice\n")


@pytest.mark.usefixtures("two_files")
def test_a_baseline_can_be_a_file_of_the_same_cases(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "old.csv", "--format", "json")
    pair = pairs_of(ran)["new", "auc", None]
    assert pair["baseline"] == "old"
    assert pair["difference"] == pytest.approx(-0.04)
    assert pair["paired"]
    assert [source["role"] for source in json.loads(ran.out)["inputs"]] == ["data", "baseline"]


def test_a_baseline_of_other_cases_is_refused(rocconf, two_files):
    write(two_files, "other.csv", [("x", 1, 0.7), ("y", 0, 0.2)])
    ran = rocconf("compare", "new.csv", "--baseline", "other.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "12 faults" in ran.err


def test_a_baseline_that_is_the_data_is_compared_with_itself(rocconf, two_files):
    (two_files / "copy.csv").write_bytes((two_files / "old.csv").read_bytes())
    ran = rocconf("compare", "old.csv", "--baseline", "copy.csv", "--format", "json")
    pair = pairs_of(ran)["old", "auc", None]
    assert (pair["difference"], pair["difference_lower"], pair["difference_upper"], pair["p"]) == (0, 0, 0, 1)
    assert "it is compared with itself" in ran.err


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("X", "--baseline X is neither a model (found: S, T, F, B) nor a file"),
        ("f", "nor a file; did you mean 'F'?"),
        ("", "--baseline '' is neither a model"),
        (".", "--baseline . is neither a model"),
        ("S", "--baseline S is both a model and a file; ./S is the file"),
        ("hypothyroid.csv", "hypothyroid.csv has several models (hypothyroid:S, "),
    ],
)
def test_a_baseline_that_is_none_is_refused(rocconf, tmp_path, baseline, said):
    (tmp_path / "hypothyroid.csv").write_bytes((SAMPLE_DATA / "hypothyroid.csv").read_bytes())
    if baseline == "S":
        write(tmp_path, "S", [("a", 1, 0.9), ("b", 0, 0.1)])
    ran = rocconf("compare", DIS, "--baseline", baseline)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_folder_named_like_a_model_is_no_file(rocconf, tmp_path):
    (tmp_path / "F").mkdir()
    ran = rocconf("compare", DIS, "--baseline", "F", "--format", "json")
    assert json.loads(ran.out)["options"]["baseline"] == "F"


@pytest.mark.parametrize("options", [(), ("--unpaired",)])
def test_a_baseline_that_is_a_file_and_the_model_of_another_is_refused(rocconf, two_files, options):
    (two_files / "old").write_bytes((two_files / "old.csv").read_bytes())
    ran = rocconf("compare", "new.csv", "old.csv", "--baseline", "old", *options)
    assert ran.status == 2
    assert "--baseline old is both a model and a file; ./old is the file" in ran.err


def test_all_measures_of_a_pair_are_shown_to_people(rocconf):
    ran = rocconf(
        "compare", DIS, "--bootstrap", "40", "--max-fpr", "0.1", "--at", "fpr<=0.1", "--format", "table", "--all", "-q"
    )
    assert ran.out.count("partial_auc") == 3
    assert ran.out.count("cauc_roc") == 3


@pytest.mark.usefixtures("report")
def test_a_rule_of_a_report_is_found_however_it_is_written(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", "--at", "fpr <= .20", "--format", "json")
    assert pairs_of(ran)["score", "tpr", "fpr <= .20"]["test"] == "miettinen-nurminen-cc"
    assert rocconf("compare", "new.csv", "--baseline", "report.json", "--by-row").status == 2


@pytest.fixture
def report(rocconf, two_files):
    """A report of the first file's model, at two operating points."""
    rocconf("sweep", "old.csv", "--at", "fpr<=0.2", "--at", "youden", "-o", "report.json", "-q")
    return two_files / "report.json"


@pytest.mark.usefixtures("report")
def test_a_baseline_can_be_a_report(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", "--at", "fpr<=0.2", "--format", "json")
    assert ran.status == 0
    pairs = pairs_of(ran)
    assert pairs["score", "auc", None]["baseline"] == "report:score"
    assert {pair["paired"] for pair in pairs.values()} == {False}
    assert "as if on different cases" in ran.err
    assert [(source["role"], source["n"]) for source in json.loads(ran.out)["inputs"]] == [
        ("data", 10),
        ("baseline", 10),
    ]


RULE = ("--require", "delta_auc >= -0.9")


def told_of(rocconf, *arguments):
    """Give the codes of the verdict, after a look at every place where the caveats must stand."""
    ran = rocconf("compare", *arguments, *RULE, "--format", "json", "-o", "a.junit.xml", "-o", "a.md", "-o", "a.json")
    assert ran.status in (0, 3), ran.err
    answer = json.loads(ran.out)
    (gate,) = answer["gates"]
    messages = {caveat["code"]: caveat["message"] for caveat in answer["caveats"]}
    assert all(gate["message"].count(messages[code]) == 1 for code in gate["codes"])
    assert gate["message"].endswith(messages[gate["codes"][-1]])
    again = rocconf("gate", "a.json", "--format", "json", "--isolated")
    assert json.loads(again.out)["gates"] == [gate]
    return {code: messages[code] for code in gate["codes"]}


@pytest.mark.usefixtures("report")
def test_the_verdict_on_a_report_names_other_cases_and_the_same_ones(rocconf, two_files):
    text = (two_files / "new.csv").read_text(encoding="utf-8")
    (two_files / "more.csv").write_text(text + "k,1,0.5\nl,0,0.4\n", encoding="utf-8")
    assert told_of(rocconf, "more.csv", "--baseline", "report.json") == {
        "baseline-other-cases": "report.json is about other cases: old.csv (10 cases, prevalence 0.5), "
        "and here more.csv (12 cases, prevalence 0.5)"
    }
    junit = (two_files / "a.junit.xml").read_text(encoding="utf-8")
    page = (two_files / "a.md").read_text(encoding="utf-8")
    assert "old.csv (10 cases, prevalence 0.5)" in junit
    assert "old.csv (10 cases, prevalence 0.5)" in page
    assert list(told_of(rocconf, "old.csv", "--baseline", "report.json")) == [
        "baseline-same-cases",
        "compared-with-itself",
    ]
    github = rocconf("compare", "more.csv", "--baseline", "report.json", "--require", "delta_auc >= 0.9", "--github")
    assert "::error" in github.err
    assert "report.json is about other cases" in next(line for line in github.err.splitlines() if "::error" in line)


def test_a_report_about_another_positive_class_is_no_baseline(rocconf, two_files):
    rows = [("a", "yes", 0.9), ("b", "no", 0.1), ("c", "yes", 0.4), ("d", "no", 0.5)]
    write(two_files, "words.csv", rows)
    rocconf("sweep", "words.csv", "--positive", "no", "-o", "no.json", "-q")
    ran = rocconf("compare", "words.csv", "--positive", "yes", "--baseline", "no.json", *RULE)
    assert (ran.status, ran.out) == (2, "")
    assert "no.json is about the positive class 'no', and these cases about 'yes'" in ran.err


@pytest.mark.usefixtures("two_files")
def test_a_report_of_turned_or_rescaled_scores_is_named(rocconf):
    rocconf("sweep", "old.csv", "--lower-is-positive", "-o", "low.json", "-q")
    assert list(told_of(rocconf, "new.csv", "--baseline", "low.json")) == ["baseline-direction", "baseline-other-cases"]
    rocconf("sweep", "old.csv", "--rescale", "-o", "scaled.json", "-q")
    told = told_of(rocconf, "new.csv", "--baseline", "scaled.json")
    assert told["baseline-rescaled"] == "the scores of scaled.json are rescaled to [0, 1], and these are not"


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("choice", ["pass", "fail", "inconclusive"])
def test_what_a_report_cannot_be_compared_in_does_not_pass_as_undefined(rocconf, two_files, choice):
    rule = f'command = "compare"\nmetric = "delta_cauc"\nop = ">="\nvalue = 0\non_undefined = "{choice}"\n'
    (two_files / "rocconf.toml").write_text(f"[[gate]]\n{rule}", encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--score", "score", "--baseline", "report.json")
    assert (ran.status, ran.out) == (2, "")
    assert "delta_cauc is drawn from the cases, which a baseline that is a report does not have" in ran.err


def test_a_report_that_contradicts_itself_is_no_baseline(rocconf, report):
    record = json.loads(report.read_text(encoding="utf-8"))
    record["tables"]["models"][0]["auc_se"] = record["summary"]["auc_se"] = 0.05
    report.write_text(json.dumps(record), encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", *RULE)
    assert (ran.status, ran.out) == (2, "")
    assert "report.json: 2 faults\n  models[0]: auc_lower is" in ran.err


def test_a_baseline_can_be_a_report_of_schema_1(rocconf):
    report = REFERENCE / "schema1" / "sweep.json"
    ran = rocconf("compare", SAMPLE_DATA / "flu_population.csv", "--baseline", report, "--format", "json")
    assert ran.status == 0, ran.err
    (pair,) = json.loads(ran.out)["tables"]["pairs"]
    assert (pair["metric"], pair["interval"]) == ("auc", "delong")
    assert "sweep.json has the schema rocconf/sweep/1: the interval of its AUC is of the kind delong" in ran.err


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        ({}, ("--at", "closest"), "report.json has no operating point 'closest' (found: fpr<=0.2, youden)"),
        ({}, ("--level", "0.9"), "report.json is a report at a level of 0.95"),
        ({"schema": "rocconf/sweep/3"}, (), "has the schema rocconf/sweep/3, but this rocconf reads versions up to 2"),
        ({"schema": "other/1"}, (), "not a rocconf report"),
        ({"tables": {}}, (), "tables: no field 'models'"),
    ],
)
def test_a_report_that_cannot_be_compared_with_is_refused(rocconf, report, change, options, said):
    report.write_text(json.dumps(json.loads(report.read_text(encoding="utf-8")) | change), encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_report_that_is_no_json_is_refused(rocconf, report):
    report.write_text("{", encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json")
    assert ran.status == 2
    assert "report.json: not valid JSON" in ran.err


def test_of_a_report_of_several_models_the_one_of_the_same_name_is_the_baseline(rocconf):
    rocconf("compare", DIS, "-o", "last.json", "-q")
    one = rocconf("compare", DIS, "--score", "F", "--baseline", "last.json", "--format", "json")
    assert pairs_of(one)["F", "auc", None]["baseline"] == "last:F"
    assert pairs_of(one)["F", "auc", None]["difference"] == 0
    several = rocconf("compare", DIS, "--score", "F", "--score", "T", "--baseline", "last.json")
    assert several.status == 2
    assert "reports 4 models (S, T, F, B), but a baseline is one model" in several.err


def test_thresholds_are_chosen_on_another_file(rocconf, two_files):
    rows = list(zip("abcdefghij", LABELS, FIRST, SECOND, strict=True))
    write(two_files, "both.csv", rows, "id,label,one,two")
    write(two_files, "held.csv", rows[1:], "id,label,one,two")
    inside = rocconf("compare", "both.csv", "--at", "youden")
    assert "youden: chosen on these cases, which flatters it" in inside.err
    outside = rocconf("compare", "both.csv", "--at", "youden", "--choose-on", "held.csv", "--format", "json")
    assert "chosen on these cases" not in outside.err
    assert not any(point["in_sample"] for point in json.loads(outside.out)["tables"]["operating_points"])


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("delta_auc[B] < 0.05", 0),  # 17 positives show no less
        ("delta_auc[B] < 0", 3),
        ("delta_auc[B] >= -0.01", 3),
        ("delta_auc[B] >= 0.03", 1),
        ("delta_auc >= -0.9", 0),
        ("delta_auc[T] >= -0.2", 3),
        ("delta_specificity[T]@threshold=0.3 >= -0.05", 0),
        ("delta_specificity[B]@threshold=0.3 >= -0.05", 1),
        ("delta_auc.point[B] < -0.28", 0),
        ("delta_average_precision >= -0.9", 0),
        ("auc[F] >= 0.5", 0),
        ("auc >= 0.99", 1),
        ("positives >= 10", 0),
    ],
)
def test_a_release_is_gated_on_differences(rocconf, rule, status):
    ran = rocconf("compare", DIS, *NAMED, "--baseline", "F", "--require", rule, "-q")
    assert ran.status == status, ran.err


def test_replicates_that_tell_nothing_decide_nothing(rocconf, tmp_path):
    rows = [(k, int(k < 5), k < 5, 1 - k / 10 + (k < 5)) for k in range(10)]
    write(tmp_path, "perfect.csv", [(k, label, float(a), b) for k, label, a, b in rows], "id,label,a,b")
    named = ("--score", "a", "--score", "b", "--baseline", "a", "--interval", "delong")
    ran = rocconf("compare", "perfect.csv", *named, "--require", "delta_average_precision >= -0.5", "--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["verdict"], gate["value"], gate["lower"]) == (3, "inconclusive", 0, None)


def test_a_rule_without_a_model_is_about_all_but_the_baseline(rocconf):
    ran = rocconf("compare", DIS, *NAMED, "--baseline", "F", "--require", "delta_auc >= -0.9", "--format", "json")
    assert [gate["model"] for gate in json.loads(ran.out)["gates"]] == ["S", "T", "B"]


def test_a_rule_gives_its_own_level_and_operating_point(rocconf):
    answers = [
        json.loads(
            rocconf("compare", DIS, *NAMED[4:6], *NAMED[:2], "--baseline", "F", *options, "--format", "json").out
        )
        for options in (
            ("--require", "delta_tpr@threshold=0.2 >= -0.9"),
            ("--at", "threshold=0.2"),
        )
    ]
    (gate,), (pair,) = answers[0]["gates"], [p for p in answers[1]["tables"]["pairs"] if p["metric"] == "tpr"]
    assert (gate["value"], gate["lower"]) == (pair["difference"], pair["difference_lower"])


SLICE = """
[[gate]]
command = "compare"
metric = "{metric}"
at = "fpr<=0.05"
op = ">="
value = {limit}
where = {{odd = {odd}}}
"""


@pytest.fixture
def halves(tmp_path):
    """Cases in two halves, and their rows."""
    lines = DIS.read_text(encoding="utf-8").splitlines()
    rows = [(*line.split(","), at % 2) for at, line in enumerate(lines[1:])]
    write(tmp_path, "halves.csv", rows, lines[0] + ",odd")
    return rows_of((tmp_path / "halves.csv").read_text(encoding="utf-8"))


def test_a_slice_is_judged_at_every_models_threshold_of_the_whole(rocconf, tmp_path, halves):
    (tmp_path / "rocconf.toml").write_text(
        "".join(SLICE.format(metric=metric, odd=1, limit=0.01) for metric in ("tpr", "delta_tpr")), encoding="utf-8"
    )
    options = (*NAMED[2:], "--baseline", "F", "--at", "fpr<=0.05", "--allow-in-sample")
    answer = json.loads(rocconf("compare", "halves.csv", *options, "--format", "json").out)
    points = {point["model"]: point["threshold"] for point in answer["tables"]["operating_points"]}
    sick = [row for row in halves if row["odd"] == row["label"] == "1"]
    tpr = {model: sum(float(row[model]) >= points[model] for row in sick) / len(sick) for model in "FTB"}
    found = {(gate["metric"], gate["model"]): gate["value"] for gate in answer["gates"]}
    assert found == pytest.approx(
        {("tpr", "T"): tpr["T"], ("tpr", "B"): tpr["B"]}
        | {("delta_tpr", model): tpr[model] - tpr["F"] for model in "TB"}
    )


def test_the_models_are_named_once_also_where_a_slice_is_judged(rocconf, tmp_path, halves):
    for model in "FB":
        rows = [(row["id"], row["label"], row[model], row["odd"]) for row in halves]
        write(tmp_path, f"{model}.csv", rows, "id,label,score,odd")
    (tmp_path / "rocconf.toml").write_text(SLICE.format(metric="tpr", odd=1, limit=0.01), encoding="utf-8")
    ran = rocconf("compare", "F.csv", "B.csv", "--allow-in-sample")
    assert ran.status == 0, ran.err
    assert ran.err.count("rocconf: models: F, B\n") == 1


@pytest.mark.usefixtures("halves")
def test_a_slice_without_cases_decides_nothing_of_any_model_but_the_baseline(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text(SLICE.format(metric="delta_tpr", odd=7, limit=-0.9), encoding="utf-8")
    ran = rocconf("compare", "halves.csv", *NAMED[2:], "--baseline", "F", "--allow-in-sample", "-q")
    assert ran.status == 3
    assert ran.err.count("no row with odd=7") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--require", "delta_auc[F] >= 0"), "F is the baseline"),
        (("--all-pairs", "--require", "delta_auc >= 0"), "--all-pairs"),
        (("--require", "delta_tpr@youden >= 0"), "--choose-on FILE"),
        (("--require", "delta_tpr >= 0"), "delta_tpr needs an operating point"),
        (("--require", "delta_aucs >= 0"), "did you mean 'delta_auc'?"),
    ],
)
def test_a_rule_that_cannot_be_judged_is_refused(rocconf, options, said):
    baseline = () if "--all-pairs" in options else ("--baseline", "F")
    ran = rocconf("compare", DIS, *NAMED, *baseline, *options)
    assert ran.status == 2
    assert said in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--score", "S"), "which model is compared with S?"),
        (("--all-pairs", "--baseline", "S"), "leave out --baseline"),
        (("--by-row", "--unpaired"), "--by-row and --unpaired contradict each other"),
        (("-o", "bands:b.csv"), "-o bands:b.csv needs --band"),
        (("--band", "wide"), "no band 'wide'"),
        (("--margin", "2"), "between 0 and 1"),
        (("--only-confident",), "a figure that --plot does not request"),
    ],
)
def test_options_without_a_meaning_are_refused(rocconf, options, said):
    ran = rocconf("compare", DIS, *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.thorough
def test_figures_are_drawn(rocconf, tmp_path):
    plots = [part for kind in ("cauc", "roc", "intervals", "forest") for part in ("--plot", f"{kind}:{kind}.svg")]
    ran = rocconf("compare", DIS, *plots, "--band", "ks", "--margin", "0.05", "-q")
    assert ran.status == 0, ran.err
    for kind in ("cauc", "roc", "intervals", "forest"):
        assert (tmp_path / f"{kind}.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_standard_input_is_compared(rocconf):
    assert rocconf("compare", "-", stdin=DIS.read_text(encoding="utf-8")).status == 0


def test_standard_input_is_compared_beside_a_file_and_a_baseline(rocconf, two_files):
    write(two_files, "third.csv", zip("abcdefghij", LABELS, FIRST, strict=True))
    stdin = (two_files / "new.csv").read_text(encoding="utf-8")
    ran = rocconf("compare", "-", "old.csv", "--baseline", "third.csv", "-q", stdin=stdin)
    assert [row["model"] for row in rows_of(ran.out, "\t")] == ["stdin", "old", "third"]


@pytest.mark.parametrize(("sign", "mixed"), [(-1, True), (1, False)])
def test_scores_in_opposite_directions_are_warned_of(rocconf, tmp_path, sign, mixed):
    rows = "".join(f"{k % 2},{k % 2 + k * 7 % 10 / 9:.3f},{sign * (k % 2 + k * 3 % 10 / 9):.3f}\n" for k in range(60))
    (tmp_path / "a.csv").write_text(f"label,risk,marker\n{rows}", encoding="utf-8")
    for more in ((), ("--lower-is-positive",)):
        err = rocconf("compare", "a.csv", "--score", "risk", "--score", "marker", *more).err
        assert (
            "--lower-is-positive turns all of them, so negate one side in the file [mixed-directions]" in err
        ) == mixed
