"""What a counts file says of the files that were counted: written, read back, added up, and refused where it is wrong."""

import hashlib
import json

import polars as pl
import pytest

import rocconf.compute.counted as of_counts
from rocconf.read import find_input, open_table
from rocconf.read.provenance import provenance_of

NAMED = ("--label", "label", "--score", "score")
DAYS = {
    "monday.csv": "label,score,region\n1,0.9,eu\n0,0.1,us\n0,,us\n",
    "tuesday.csv": "label,score,region\n1,0.8,eu\n0,0.3,us\n0,0.2,eu\n",
    "wednesday.csv": "label,score,region\n1,0.7,eu\n0,0.4,us\n",
}


@pytest.fixture(autouse=True)
def days(tmp_path):
    for name, text in DAYS.items():
        (tmp_path / name).write_text(text)


@pytest.fixture
def count(rocconf):
    def run(*arguments, status=0):
        ran = rocconf("count", *arguments, *NAMED, "--na", "drop", "-q")
        assert ran.status == status, ran.err
        return ran

    return run


def metadata(path):
    return json.loads(pl.read_parquet_metadata(path)["rocconf"])


TOTAL = {"model": "score", "positives": 1, "negatives": 1}


def written(path, record):
    """Write the counts with other metadata."""
    frame = pl.DataFrame({"score": [0.9, 0.1], "positives": [1, 0], "negatives": [0, 1]})
    frame.write_parquet(path, metadata={"rocconf": record if isinstance(record, str) else json.dumps(record)})


def test_a_counts_file_names_what_was_counted(count, tmp_path):
    count("monday.csv", "tuesday.csv", "-o", "c.parquet")
    found = metadata(tmp_path / "c.parquet")
    assert (found["schema"], found["numbers"], found["pairs"], found["resolution"]) == (1, [], [], None)
    assert [
        (each["name"], each["n"], each["positives"], each["dropped"], each["sha256"]) for each in found["sources"]
    ] == [
        ("monday.csv", 2, 1, 1, hashlib.sha256(DAYS["monday.csv"].encode()).hexdigest()),
        ("tuesday.csv", 3, 1, 0, hashlib.sha256(DAYS["tuesday.csv"].encode()).hexdigest()),
    ]


def test_counts_of_counts_name_the_files_of_cases(count, tmp_path):
    count("monday.csv", "-o", "1.parquet")
    count("1.parquet", "tuesday.csv", "-o", "2.parquet")
    count("2.parquet", "wednesday.csv", "-o", "3.parquet")
    count(*DAYS, "-o", "all.parquet")
    assert metadata(tmp_path / "3.parquet")["sources"] == metadata(tmp_path / "all.parquet")["sources"]
    assert pl.read_parquet(tmp_path / "3.parquet").equals(pl.read_parquet(tmp_path / "all.parquet"))


def test_a_report_names_the_counts_and_what_was_counted(count, rocconf, tmp_path):
    count("monday.csv", "tuesday.csv", "-o", "c.parquet")
    ran = rocconf("sweep", "c.parquet", "--require", "auc >= 0.01", "-o", "r.json", "-q")
    assert ran.status == 0, ran.err
    (source,) = json.loads((tmp_path / "r.json").read_text())["inputs"]
    assert (source["name"], source["n"], source["positives"], source["dropped"]) == ("c.parquet", 5, 2, 1)
    assert source["sha256"] == hashlib.sha256((tmp_path / "c.parquet").read_bytes()).hexdigest()
    assert source["counted"] == metadata(tmp_path / "c.parquet")["sources"]
    assert rocconf("gate", "r.json", "--require", "auc >= 0.01").status == 0


def test_cases_do_not_count_twice(count):
    count("monday.csv", "-o", "1.parquet")
    count("monday.csv", "tuesday.csv", "-o", "2.parquet")
    for twice in (("1.parquet", "monday.csv"), ("monday.csv", "2.parquet"), ("1.parquet", "2.parquet")):
        ran = count(*twice, "-o", "c.parquet", status=2)
        assert f"the cases of monday.csv are in {twice[0]} and in {twice[1]}, and would count twice" in ran.err


def test_parts_of_a_file_are_counted_apart_and_added_up(count, tmp_path):
    for region in ("eu", "us"):
        count("tuesday.csv", "--where", f"region={region}", "-o", f"{region}.parquet")
    count("eu.parquet", "us.parquet", "-o", "both.parquet")
    assert [each["where"] for each in metadata(tmp_path / "both.parquet")["sources"]] == [["region=eu"], ["region=us"]]
    count("tuesday.csv", "-o", "all.parquet")
    assert pl.read_parquet(tmp_path / "both.parquet").equals(pl.read_parquet(tmp_path / "all.parquet"))
    assert "would count twice" in count("eu.parquet", "tuesday.csv", status=2).err
    assert "would count twice" in count("eu.parquet", "both.parquet", status=2).err


def test_files_that_are_not_named_cannot_be_known_again(rocconf, monkeypatch):
    monkeypatch.setattr(of_counts, "MOST_NAMED", 300)
    line = ("--na", "drop", *NAMED, "-o")
    assert "[files-unnamed]" not in rocconf("count", "monday.csv", *line, "1.parquet").err
    assert "more files were counted than the metadata" in rocconf("count", *DAYS, *line, "3.parquet").err
    monkeypatch.undo()
    ran = rocconf("count", "3.parquet", *line, "again.parquet")
    assert "[files-unnamed]" in ran.err
    chosen = ("--at", "youden", "--require", "tpr@youden >= 0.01", "--na", "drop")
    for judged, choice in (("3.parquet", "wednesday.csv"), ("tuesday.csv", "3.parquet")):
        ran = rocconf("sweep", judged, "--choose-on", choice, *chosen)
        assert (ran.status, ran.out) == (2, "")
        assert "do not name all files that were counted" in ran.err


def test_very_many_files_are_added_up(count, monkeypatch, tmp_path):
    monkeypatch.setattr(of_counts, "MOST_NAMED", 300)
    count(*DAYS, "-o", "c.parquet")
    first, others = metadata(tmp_path / "c.parquet")["sources"]
    assert (first["name"], others["name"], others["sha256"]) == ("monday.csv", "2 other files", None)
    assert (others["n"], others["positives"], others["negatives"], others["dropped"]) == (5, 2, 3, 0)


def test_numbers_are_passed_on_as_they_are(tmp_path):
    numbers = [{"model": "score", "sum_v": str(10**30)}]
    written(tmp_path / "c.parquet", {"schema": 1, "sources": [], "numbers": numbers, "pairs": [{"model": "a"}]})
    found = provenance_of(open_table(find_input(str(tmp_path / "c.parquet"))))
    assert (found.numbers, found.pairs) == (tuple(numbers), ({"model": "a"},))


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("{", "are not those of rocconf count"),
        ("[" * 100_000, "are not those of rocconf count"),
        ("[]", "are not those of rocconf count (no schema)"),
        ({"schema": 2, "sources": []}, "have the schema 2, but this rocconf reads versions up to 1"),
        ({"schema": 1}, "metadata: no field 'sources'"),
        ({"schema": 1, "sources": [], "numbers": [1]}, "numbers[0] must be an object, not 1"),
        ({"schema": 1, "sources": [{"name": 1}]}, "sources[0]: "),
        ('{"schema": 1, "sources": [], "sources": []}', "the key 'sources' stands there twice"),
        ({"schema": 1, "sources": [], "totals": [{"model": "a"}]}, "totals[0]: no field"),
        ({"schema": 1, "sources": [], "totals": [TOTAL, TOTAL]}, "totals of one model twice"),
        ({"schema": 1, "sources": [{"name": "a"}]}, "sources[0]: no field"),
    ],
)
def test_metadata_of_another_kind_are_refused(record, said, rocconf, tmp_path):
    written(tmp_path / "c.parquet", record)
    ran = rocconf("sweep", "c.parquet", "--require", "auc >= 0.01")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_file_without_metadata_is_its_own_source(rocconf, tmp_path):
    pl.DataFrame({"score": [0.9, 0.1], "positives": [1, 0], "negatives": [0, 1]}).write_parquet(tmp_path / "c.parquet")
    report = json.loads(rocconf("sweep", "c.parquet", "--format", "json").out)
    assert [(each["name"], "counted" in each) for each in report["inputs"]] == [("c.parquet", False)]
