"""`rocconf compare`: the contract of its keys, and how files are brought together."""

import json

import polars as pl
import pytest
from compared import DIS, FIRST, LABELS, SECOND, pairs_of, rows_of, write, write_two_files
from conftest import REFERENCE, SAMPLE_DATA

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


@pytest.fixture
def two_files(tmp_path):
    """The ten cases with a model in either file, the second in another order."""
    return write_two_files(tmp_path)


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
    rocconf("sweep", SAMPLE_DATA / "flu.csv", "--interval", "delong", "-o", "sweep.json", "-q")
    command = (
        "compare",
        SAMPLE_DATA / "flu_population.csv",
        "--baseline",
        "sweep.json",
        "--at",
        "closest",
        "--format",
        "json",
    )
    ran = rocconf(*command)
    answer = json.loads(ran.out)
    assert {row["interval"] for row in (*answer["rows"], *answer["tables"]["pairs"])} == {"delong"}
    refused = rocconf(*command, "--interval", "robust")
    assert (refused.status, refused.out) == (2, "")
    assert "sweep.json is a report of the interval delong, not robust: set --interval delong" in refused.err


def test_the_keys_are_the_contract(rocconf):
    ran = rocconf("compare", DIS, "--format", "json", "--at", "fpr<=0.05", "--band", "ks")
    answer = json.loads(ran.out)
    assert answer["schema"] == "rocconf/compare/3"
    assert list(answer["rows"][0]) == ROWS
    assert list(answer["tables"]) == [
        *("models", "pairs", "operating_points", "bands"),
        *("effective_sizes", "slices", "slice_points", "slice_pairs"),
    ]
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
    assert (
        "counts.csv: is a counts file, which has no cases to pair; --unpaired compares counts, and rocconf count"
        in refused.err
    )


def test_all_measures_of_a_pair_are_shown_to_people(rocconf):
    ran = rocconf(
        "compare", DIS, "--bootstrap", "40", "--max-fpr", "0.1", "--at", "fpr<=0.1", "--format", "table", "--all", "-q"
    )
    assert ran.out.count("partial_auc") == 3
    assert ran.out.count("cauc_roc") == 3


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
