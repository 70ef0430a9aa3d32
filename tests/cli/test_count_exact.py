"""`rocconf count --exact`: whole numbers of cases, in a file beside the counts, and what is read from them."""

import csv
import json

import polars as pl
import pytest
from conftest import SAMPLE_DATA, assert_close
from strategies import whole_numbers_of

from rocconf import read_predictions
from rocconf.read import spilled

DIS = SAMPLE_DATA / "dis.csv"
NAMED = ("--label", "label", "--score", "S", "--score", "F", "--score", "B")
PAIRS = whole_numbers_of(read_predictions(DIS, score=["S", "F", "B"]))


@pytest.fixture(autouse=True)
def parts(tmp_path):
    """The cases in two files of two forms."""
    table = pl.read_csv(DIS)
    table[:400].write_parquet(tmp_path / "a.parquet")
    table[400:].write_csv(tmp_path / "b.csv")


@pytest.fixture
def counts(rocconf):
    ran = rocconf("count", "a.parquet", "b.csv", *NAMED, "--exact", "-o", "counts.parquet")
    assert ran.status == 0, ran.err
    return "counts.parquet"


def metadata(path):
    return json.loads(pl.read_parquet_metadata(path)["rocconf"])


def test_the_file_has_the_numbers_of_all_pairs_and_models(counts, tmp_path):
    record = metadata(tmp_path / counts)
    assert record["pairs"] == [
        {
            key: value if isinstance(value, bool | str) or key in ("positives", "negatives") else str(value)
            for key, value in each.record().items()
        }
        for each in PAIRS
    ]
    assert {each["model"]: int(each["sum_vv"]) for each in record["numbers"]} == {
        "S": PAIRS[0].of_baseline.sum_vv,
        "F": PAIRS[0].of_model.sum_vv,
        "B": PAIRS[1].of_model.sum_vv,
    }


def areas(ran):
    report = json.loads(ran.out)
    pairs = [row for row in report["tables"]["pairs"] if row["metric"] == "auc"]
    models = {
        row["model"]: (row["auc"], row["auc_lower"], row["auc_upper"], row["auc_se"])
        for row in report["tables"]["models"]
    }
    return models, pairs, report["verdict"]


def test_a_comparison_of_the_file_is_that_of_the_cases(rocconf, counts):
    asked = ("--baseline", "S", "--margin", "0.2", "--require", "delta_auc[F] >= -0.3", "--format", "json", "-q")
    of_cases, of_counts = rocconf("compare", DIS, *NAMED, *asked), rocconf("compare", counts, *asked)
    assert of_counts.status == of_cases.status == 0, of_counts.err
    assert_close(areas(of_counts), areas(of_cases))


def test_the_tables_can_be_written_alone_and_put_together(rocconf, tmp_path, counts):
    ran = rocconf(
        "count",
        "a.parquet",
        "b.csv",
        *NAMED,
        "--exact",
        "-o",
        "rows:rows.csv",
        "-o",
        "numbers:numbers.csv",
        "-o",
        "pairs:pairs.csv",
    )
    assert ran.status == 0, ran.err
    ran = rocconf("count", "rows.csv", "numbers.csv", "pairs.csv", "-o", "again.parquet")
    assert ran.status == 0, ran.err
    one, other = metadata(tmp_path / counts), metadata(tmp_path / "again.parquet")
    assert (one["numbers"], one["pairs"]) == (other["numbers"], other["pairs"])


EDITS = {
    "numbers.csv": {"positives": "14", "negatives": "960", "sum_vv": "30203695", "model": "X"},
    "pairs.csv": {"positives": "14", "negatives": "960", "pos_uu": "30203695", "neg_vv": "433924", "model": "X"},
}


@pytest.mark.parametrize(("file", "key"), [(file, key) for file, keys in EDITS.items() for key in keys])
def test_numbers_of_other_cases_are_refused(rocconf, tmp_path, file, key):
    rocconf(
        "count", DIS, *NAMED, "--exact", "-o", "rows:rows.csv", "-o", "numbers:numbers.csv", "-o", "pairs:pairs.csv"
    )
    rows = list(csv.DictReader((tmp_path / file).read_text().splitlines()))
    rows[0][key] = EDITS[file][key]
    with (tmp_path / file).open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    ran = rocconf("count", "rows.csv", "numbers.csv", "pairs.csv", "-o", "again.parquet")
    assert ran.status == 2
    assert file in ran.err
    assert not (tmp_path / "again.parquet").exists()


def damaged(folder, change):
    path = folder / "counts.parquet"
    record = metadata(path)
    change(record)
    pl.read_parquet(path).write_parquet(path, metadata={"rocconf": json.dumps(record)})


def exchanged(record):
    for each in record["pairs"]:
        each["model"], each["baseline"] = each["baseline"], each["model"]


DAMAGE = {
    "names exchanged": exchanged,
    "a better model": lambda record: record["pairs"][0].update(pos_v="20076", neg_v="20076", pos_vv="34842534"),
    "cases": lambda record: [each.update(positives=14, negatives=958) for each in record["pairs"]],
    "the same order": lambda record: record["pairs"][0].update(same_order=True),
    "the same scores": lambda record: record["pairs"][0].update(same_order=True, same_scores=True),
    "not an object": lambda record: record.update(pairs=["x"]),
    "no sums": lambda record: [each.pop("neg_ddd") for each in record["pairs"]],
}


@pytest.mark.parametrize("name", DAMAGE)
def test_an_edited_file_has_no_verdict(rocconf, tmp_path, counts, name):
    damaged(tmp_path, DAMAGE[name])
    ran = rocconf("compare", counts, "--baseline", "S", "--require", "delta_auc[F] >= -0.9")
    assert (ran.status, ran.out) == (2, "")
    assert counts in ran.err


def test_a_model_that_is_its_baseline_cannot_be_edited_into_another(rocconf, tmp_path):
    table = pl.read_csv(DIS).with_columns(T=pl.col("S"))
    table.write_csv(tmp_path / "same.csv")
    rocconf("count", "same.csv", "--label", "label", "--score", "S", "--score", "T", "--exact", "-o", "counts.parquet")
    asked = ("compare", "counts.parquet", "--baseline", "S", "--require", "delta_auc >= -0.1")
    assert rocconf(*asked).status == 3
    assert rocconf(*asked, "--allow-identical").status == 0
    damaged(tmp_path, lambda record: record["pairs"][0].update(same_scores=False))
    assert rocconf(*asked).status == 2


def test_numbers_do_not_add_up_over_files(rocconf, tmp_path, counts):
    ran = rocconf("count", counts, "-o", "again.parquet", "-o", "run.json")
    assert ran.status == 0, ran.err
    assert metadata(tmp_path / "again.parquet")["pairs"] == []
    assert "numbers-dropped" in {each["code"] for each in json.loads((tmp_path / "run.json").read_text())["caveats"]}
    ran = rocconf("compare", "again.parquet", "--baseline", "S")
    assert ran.status == 2
    assert "--exact" in ran.err


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("counts.parquet", "--exact", "-o", "x.parquet"), "no cases"),
        (("a.parquet", *NAMED, "--exact"), "-o counts.parquet"),
        (("a.parquet", *NAMED, "-o", "pairs:x.csv"), "--exact"),
        (("pairs.csv", "-o", "x.parquet"), "no file has counts"),
        (("a.parquet", "pairs.csv", *NAMED, "--exact", "-o", "x.parquet"), "leave out pairs.csv"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("counts")
def test_what_has_no_numbers_is_an_error(rocconf, tmp_path, asked, words):
    rocconf("count", DIS, *NAMED, "--exact", "-o", "pairs:pairs.csv", "-o", "numbers:numbers.csv")
    ran = rocconf("count", *asked)
    assert ran.status == 2
    assert words in ran.err
    assert not (tmp_path / "x.parquet").exists()


def test_a_disk_without_room_leaves_no_file(rocconf, tmp_path, monkeypatch):
    monkeypatch.setattr(spilled, "MOST_HELD", 100)
    monkeypatch.setattr(spilled, "_free", lambda: 0)
    ran = rocconf("count", DIS, *NAMED, "--exact", "-o", "x.parquet")
    assert ran.status == 2
    assert "TMPDIR" in ran.err
    assert not (tmp_path / "x.parquet").exists()


def test_an_order_that_only_the_counts_contradict_is_refused(rocconf, tmp_path):
    """Two negatives are tied by one model only: every sum is the same, but not the order."""
    (tmp_path / "tied.csv").write_text("label,a,b\n1,3,3\n0,2,1\n0,1,1\n1,3,3\n")
    rocconf("count", "tied.csv", "--label", "label", "--score", "a", "--score", "b", "--exact", "-o", "counts.parquet")
    record = metadata(tmp_path / "counts.parquet")["pairs"][0]
    assert record["pos_vv"] == record["pos_uu"] == record["pos_vu"]
    assert not record["same_order"]
    asked = ("compare", "counts.parquet", "--baseline", "a", "--require", "delta_auc >= -0.1")
    assert rocconf(*asked).status == 3
    damaged(tmp_path, lambda record: record["pairs"][0].update(same_order=True))
    ran = rocconf(*asked)
    assert ran.status == 2
    assert "same_order of b and a contradicts" in ran.err


@pytest.fixture
def binned(rocconf):
    ran = rocconf("count", "a.parquet", "b.csv", *NAMED, "--exact", "--resolution", "1", "-o", "binned.parquet")
    assert ran.status == 0, ran.err
    return "binned.parquet"


@pytest.mark.parametrize(
    ("kind", "turned"), [("robust", ()), pytest.param("delong", ("--lower-is-positive",), marks=pytest.mark.thorough)]
)
def test_the_area_of_scores_in_bins_is_that_of_the_cases(rocconf, binned, turned, kind):
    asked = ("--interval", kind, *turned, "--require", "auc >= 0.1", "--format", "json", "-q")
    reports = [rocconf("sweep", file, "--score", "B", *asked) for file in (DIS, binned)]
    of_cases, of_bins = (json.loads(ran.out) for ran in reports)
    keys = ("auc", "auc_lower", "auc_upper", "auc_se", "auc_df")
    assert_close([of_bins["summary"][key] for key in keys], [of_cases["summary"][key] for key in keys])
    assert (of_bins["summary"]["binned"], of_bins["summary"]["auc_bin_lower"]) == (True, None)
    judged = ("value", "lower", "upper", "verdict")
    assert_close([of_bins["gates"][0][key] for key in judged], [of_cases["gates"][0][key] for key in judged])
    assert of_bins["summary"]["average_precision"] != of_cases["summary"]["average_precision"]


def test_rules_on_bins_are_judged_again_from_the_report(rocconf, binned):
    status = rocconf("sweep", binned, "--score", "F", "--require", "auc >= 0.55", "-o", "a.json").status
    assert status == rocconf("gate", "a.json").status == 0
    assert rocconf("sweep", binned, "--score", "F", "--require", "average_precision >= 0.01").status == 2


def test_a_comparison_of_scores_in_bins_is_that_of_the_cases(rocconf, binned):
    asked = ("--baseline", "S", "--margin", "0.2", "--require", "delta_auc[F] >= -0.3", "--format", "json", "-q")
    of_cases, of_counts = rocconf("compare", DIS, *NAMED, *asked), rocconf("compare", binned, *asked)
    assert of_counts.status == of_cases.status == 0, of_counts.err
    assert_close(areas(of_counts), areas(of_cases))


OF_BINS = {
    "other cases": ({"positives": 14, "negatives": 958}, "contradict"),
    "a better area": ({"sum_v": "23000", "sum_w": "23000", "sum_vv": "42000000", "sum_ww": "566000"}, "in these bins"),
    "squares": ({"sum_vv": "34842534"}, "contradict those of its pairs"),
    "an impossible sum": ({"sum_w": "20076"}, "sum_v"),
    "no number": ({"sum_ww": None}, "in digits"),
}


@pytest.mark.parametrize("name", OF_BINS)
def test_edited_numbers_of_bins_have_no_verdict(rocconf, tmp_path, binned, name):
    change, words = OF_BINS[name]
    path = tmp_path / binned
    record = metadata(path)
    next(each for each in record["numbers"] if each["model"] == "F").update(change)
    if words == "in these bins":
        record["pairs"] = []
    pl.read_parquet(path).write_parquet(path, metadata={"rocconf": json.dumps(record)})
    ran = rocconf("sweep", binned, "--score", "F", "--require", "auc >= 0.5")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert words in ran.err


def test_pairs_of_other_models_than_were_counted_in_bins_are_refused(rocconf, tmp_path, binned):
    path = tmp_path / binned
    record = metadata(path)
    record["numbers"] = []
    names = {"S": "S", "F": "B", "B": "F"}
    for each in record["pairs"]:
        each["model"], each["baseline"] = names[each["model"]], names[each["baseline"]]
    pl.read_parquet(path).write_parquet(path, metadata={"rocconf": json.dumps(record)})
    ran = rocconf("compare", binned, "--baseline", "S", "--require", "delta_auc[F] >= -0.9")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "in these bins" in ran.err


def doubled(record):
    record["numbers"] *= 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (doubled, "a model has two rows of whole numbers"),
        (lambda record: record.update(pairs=[], numbers=[better(each) for each in record["numbers"]]), "of the counts"),
    ],
)
def test_one_model_of_an_edited_file_has_no_verdict(change, said, rocconf, tmp_path, counts):
    assert rocconf("sweep", counts, "--score", "S", "--require", "auc >= 0.01").status == 0
    damaged(tmp_path, change)
    ran = rocconf("sweep", counts, "--score", "S", "--require", "auc >= 0.01")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def better(numbers):
    """Return numbers of other cases."""
    return {**numbers, "sum_vv": str(int(numbers["sum_vv"]) - 2)}
