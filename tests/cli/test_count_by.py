"""`rocconf count --by`: the slices of counts are those of the cases, and nobody takes one group for the whole."""

import json
from itertools import starmap

import numpy as np
import polars as pl
import pytest
from conftest import SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import rocconf as package
from rocconf.compute.counted import Counted
from rocconf.read import Wanted, count_files, find_input
from rocconf.records import Grouping, Predictions

FILE = SAMPLE_DATA / "readmission.csv"
NAMED = ("--score", "new", "--score", "old")
RULES = ("--require", "auc by region >= 0.7", "--require", "tpr@threshold=0.4 by region >= 0.1")


@pytest.fixture
def counted(rocconf, tmp_path):
    """The counts of readmission.csv by region and fold, of its two halves, in a csv file."""
    cases = pl.read_csv(FILE)
    cases[:1000].write_parquet(tmp_path / "a.parquet")
    cases[1000:].write_csv(tmp_path / "b.csv")
    ran = rocconf("count", "a.parquet", "b.csv", *NAMED, "--by", "region", "--by", "fold", "-o", "counts.csv", "-q")
    assert ran.status == 0, ran.err
    return "counts.csv"


def report(ran):
    found = json.loads(ran.out)
    del found["inputs"], found["digest"]
    return found


@pytest.mark.parametrize("columns", [("region",), ("fold", "region")])
def test_slices_of_counts_are_those_of_cases(columns, rocconf, counted):
    by = [word for column in columns for word in ("--by", column)]
    line = ("--score", "new", *by, "--at", "0.4", *RULES, "--format", "json", "--all", "--isolated")
    of_cases, of_counts = (rocconf("sweep", file, *line) for file in (FILE, counted))
    assert of_cases.status == of_counts.status == 3, of_counts.err
    assert report(of_counts) == report(of_cases)


def test_without_by_the_groups_are_added_up(rocconf, counted):
    line = ("--score", "new", "--format", "json", "--all", "--isolated")
    assert report(rocconf("sweep", counted, *line)) == report(rocconf("sweep", FILE, *line))
    again = rocconf("count", counted, "-o", "whole.csv", "--format", "json")
    assert "its groups are added up over region, fold; --by COLUMN keeps" in again.out
    assert rocconf("count", FILE, *NAMED).out == rocconf("count", "whole.csv").out


def test_groups_of_counts_are_counted_again(rocconf, counted, tmp_path):
    assert rocconf("count", counted, "--by", "fold", "-o", "fold.parquet", "-q").status == 0
    assert rocconf("count", FILE, *NAMED, "--by", "fold", "-o", "cases.parquet", "-q").status == 0
    found, expected = (pl.read_parquet(tmp_path / name) for name in ("fold.parquet", "cases.parquet"))
    assert found.columns == ["model", "fold", "score", "positives", "negatives"]
    assert found.equals(expected)
    said = json.loads(pl.read_parquet_metadata(tmp_path / "fold.parquet")["rocconf"])
    assert said["by"] == ["fold"]


def test_cases_and_counts_add_up(rocconf, tmp_path, counted):
    rocconf("count", "a.parquet", *NAMED, "--by", "region", "-o", "a_counts.parquet", "-q")
    assert rocconf("count", "a_counts.parquet", "b.csv", *NAMED, "--by", "region", "-o", "ab.csv", "-q").status == 0
    assert rocconf("count", counted, "--by", "region", "-o", "again.csv", "-q").status == 0
    assert (tmp_path / "ab.csv").read_text() == (tmp_path / "again.csv").read_text()


def test_the_summary_counts_the_groups(rocconf):
    ran = rocconf("count", FILE, *NAMED, "--by", "region", "--by", "fold", "--format", "json", "-o", "x.json")
    found = json.loads(ran.out)
    pairs = pl.read_csv(FILE).select("region", "fold").unique().height
    assert [row["groups"] for row in found["tables"]["models"]] == [pairs, pairs]
    assert found["options"]["by"] == ["region", "fold"]


def test_a_group_whose_rows_were_dropped_is_not_lost(rocconf, tmp_path):
    rows = [(k % 2, k / 40, "a" if k < 20 else "b") for k in range(40)] + [(1, None, "c")]
    pl.DataFrame(rows, schema=["label", "score", "site"], orient="row").write_csv(tmp_path / "x.csv")
    for binned in ((), ("--resolution", "3")):
        assert rocconf("count", "x.csv", "--by", "site", "--na", "drop", *binned, "-o", "n.csv", "-q").status == 0
        kept = pl.read_csv(tmp_path / "n.csv").filter(pl.col("site") == "c")
        assert kept.select("positives", "negatives").rows() == [(0, 0)]
        assert rocconf("sweep", "n.csv", "-q").status == 0
    rocconf("count", "x.csv", "--by", "site", "--na", "drop", "-o", "n.csv", "-q")
    line = ("--by", "site", "--require", "auc by site >= 0.1", "--format", "json", "--isolated")
    of_cases, of_counts = rocconf("sweep", "x.csv", "--na", "drop", *line), rocconf("sweep", "n.csv", *line)
    assert of_cases.status == of_counts.status == 3
    found, expected = (json.loads(ran.out)["tables"]["slices"] for ran in (of_counts, of_cases))
    assert found == expected
    assert [row["slice"] for row in found] == ["a", "b", "c"]


def test_bins_of_groups_add_up_to_bins_of_cases(rocconf, tmp_path):
    for more in (("--resolution", "2"), ("--thresholds", "0.2,0.4"), ("--max-scores", "100")):
        line = ("--score", "new", *more, "-q")
        assert rocconf("count", FILE, *line, "--by", "region", "-o", "groups.csv").status == 0
        assert rocconf("count", FILE, *line, "-o", "whole.csv").status == 0
        assert rocconf("count", "groups.csv", "-o", "sum.csv", "-q").status == 0
        assert (tmp_path / "sum.csv").read_text() == (tmp_path / "whole.csv").read_text()
    ran = rocconf("sweep", "groups.csv", "--by", "region")
    assert (ran.status, ran.out) == (2, "")
    assert "new: an analysis of slices needs the scores, of which only bins were counted" in ran.err


def test_a_column_without_groups_in_one_file_is_an_error(rocconf, counted):
    rocconf("count", "a.parquet", *NAMED, "-o", "plain.csv", "-q")
    ran = rocconf("count", "b.csv", "plain.csv", *NAMED, "--by", "region", "-o", "x.csv")
    assert (ran.status, ran.out) == (2, "")
    assert (
        "plain.csv: these counts are not divided by 'region' (columns: model, score, positives, negatives)" in ran.err
    )
    for line, said in (
        (("sweep", counted, "--by", "ward"), "these counts are not divided by 'ward'"),
        (("sweep", counted, "--fold", "region"), "the cases are not known one by one"),
        (("compare", counted, "--by", "region"), "is a counts file, which has no cases to pair"),
    ):
        ran = rocconf(*line)
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("count", FILE, *NAMED, "--by", "score"), "column 'score' of the cases cannot divide counts"),
        (("count", FILE, *NAMED, "--by", "new"), "column 'new' cannot be groups of cases and the label or a score too"),
        (("count", FILE, *NAMED, "--by", "id"), "column 'id' has more than 500 values"),
        (("count", FILE, *NAMED, "--by", "place"), "no column 'place'"),
        (("count", FILE, *NAMED, "--by", "region", "--exact", "-o", "x.parquet"), "does not go with --exact"),
    ],
)
def test_what_cannot_divide_counts_is_refused(line, said, rocconf):
    ran = rocconf(*line)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_too_many_groups_together_are_refused(rocconf, tmp_path):
    n = 10_201
    columns = {"label": [0, 1] * (n // 2) + [0], "score": [0.5] * n}
    columns |= {"a": [k % 101 for k in range(n)], "b": [k // 101 for k in range(n)]}
    pl.DataFrame(columns).write_parquet(tmp_path / "x.parquet")
    ran = rocconf("count", "x.parquet", "--by", "a", "--by", "b")
    assert (ran.status, ran.out) == (2, "")
    assert "columns a and b divide the cases into more than 10000 groups" in ran.err


CASES = st.lists(
    st.tuples(st.booleans(), st.integers(-2, 4), st.sampled_from(["a", "b", "", "10", "9"]), st.sampled_from("xy")),
    min_size=2,
    max_size=40,
).filter(lambda cases: 0 < sum(case[0] for case in cases) < len(cases))


@examples(27)
@given(cases=CASES, share=st.floats(0, 1), lower=st.booleans())
def test_slices_of_any_counts_are_those_of_cases(cases, share, lower, tmp_path_factory):
    labels, scores, sites, kinds = zip(*cases, strict=True)
    cut = 1 + round(share * (len(cases) - 2))  # both files have cases
    groups = tuple(starmap(Grouping.of, (("site", sites), ("kind", kinds))))
    given_cases = Predictions(
        np.array(labels), {"score": np.array(scores, dtype=np.float64)}, lower_is_positive=lower, groups=groups
    )
    folder = tmp_path_factory.mktemp("cases")
    header = "label,score,site,kind\n"
    rows = [f"{label:d},{score},{site},{kind}\n" for label, score, site, kind in cases]
    names = [folder / "a.csv", folder / "b.csv"]
    for name, part in zip(names, (rows[:cut], rows[cut:]), strict=True):
        name.write_text(header + "".join(part))
    (found,) = count_files([find_input(str(name)) for name in names], Wanted(groups=("site", "kind")))
    table = Counted(found.whole, grouped=found).table()
    pl.DataFrame({name: table[name].tolist() for name in table.names}).write_parquet(folder / "counts.parquet")
    (read,) = package.read_counts(folder / "counts.parquet", by=("site", "kind"), lower_is_positive=lower)
    options = {"min_cases": 2, "at": ["youden", "threshold=1"], "intervals": True, "by": ["kind", "site"]}
    of_cases, of_counts = (package.sweep_slices(each, **options) for each in (given_cases, read))
    for name in ("rows", "models", "slices", "slice_points"):
        assert repr(of_counts.table(name).records()) == repr(of_cases.table(name).records())
    rules = ["auc by site >= 0.5", "tpr@threshold=1 by kind >= 0.4"]
    verdicts = [package.judge(each, rules) for each in (of_cases, of_counts)]
    assert verdicts[0].exit_code == verdicts[1].exit_code
    assert list(map(str, verdicts[0])) == list(map(str, verdicts[1]))


def cases_of(path, column, groups):
    """Write cases whose groups are called so."""
    rows = [(k % 2, k / 40, groups[k % len(groups)]) for k in range(40)]
    pl.DataFrame(rows, schema=["label", "score", column], orient="row").write_parquet(path)


@pytest.mark.parametrize("groups", [("=a", "'=a"), ("a\nb", "a\\nb"), ("::a", "'::a")])
def test_groups_that_would_be_one_in_csv_are_refused(groups, rocconf, tmp_path):
    cases_of(tmp_path / "x.parquet", "site", groups)
    for suffix in ("csv", "tsv"):
        ran = rocconf("count", "x.parquet", "--by", "site", "-o", f"n.{suffix}")
        assert (ran.status, ran.out) == (2, "")
        assert "two values of site would be written as " in ran.err
        assert not (tmp_path / f"n.{suffix}").exists()
    ran = rocconf("count", "x.parquet", "--by", "site", "-o", "n.csv", "--no-escape-formulas")
    assert ran.status == (0 if groups[0] == "=a" else 2)
    assert rocconf("count", "x.parquet", "--by", "site", "-o", "n.parquet").status == 0
    assert set(pl.read_parquet(tmp_path / "n.parquet")["site"]) == set(groups)


def test_models_that_would_be_one_in_csv_are_refused(rocconf, tmp_path):
    pl.DataFrame({"label": [0, 1], "=m": [0.1, 0.9], "'=m": [0.9, 0.1]}).write_csv(tmp_path / "x.csv")
    models = ("--score", "=m", "--score", "'=m")
    ran = rocconf("count", "x.csv", *models, "-o", "n.csv")
    assert (ran.status, "two values of model would be written as '=m" in ran.err) == (2, True)
    assert rocconf("count", "x.csv", *models, "-o", "n.parquet").status == 0
    assert rocconf("sweep", "n.parquet", "--score", "=m", "--format", "csv", "-o", "models:m.csv").status == 0


def test_a_nul_at_the_end_of_a_group_or_model_stays(rocconf, tmp_path):
    cases_of(tmp_path / "x.parquet", "site", ("a", "a\0"))
    assert rocconf("count", "x.parquet", "--by", "site", "-o", "n.parquet").status == 0
    assert pl.read_parquet(tmp_path / "n.parquet")["site"].unique().sort().to_list() == ["a", "a\0"]
    counts = {"model": ["m", "m\0"] * 2, "score": [0.9, 0.9, 0.1, 0.1], "positives": [1, 1, 0, 0]}
    pl.DataFrame({**counts, "negatives": [0, 0, 1, 1]}).write_parquet(tmp_path / "y.parquet")
    assert rocconf("count", "y.parquet", "-o", "n.parquet").status == 0
    assert pl.read_parquet(tmp_path / "n.parquet")["model"].unique().sort().to_list() == ["m", "m\0"]


def test_groups_cannot_be_removed_from_a_file_that_says_its_totals(rocconf, tmp_path):
    assert rocconf("count", FILE, *NAMED, "--by", "region", "-o", "n.parquet", "-q").status == 0
    frame, metadata = pl.read_parquet(tmp_path / "n.parquet"), pl.read_parquet_metadata(tmp_path / "n.parquet")
    totals = json.loads(metadata["rocconf"])["totals"]
    sums = frame.group_by("model", maintain_order=True).agg(pl.col("positives", "negatives").sum())
    assert totals == sums.to_dicts()
    for rows in (frame.filter(pl.col("region") != frame["region"][0]), frame.filter(pl.col("model") != "old")):
        rows.write_parquet(tmp_path / "less.parquet", metadata={"rocconf": metadata["rocconf"]})
        ran = rocconf("sweep", "less.parquet", "--score", "new", "--require", "auc >= 0.1")
        assert (ran.status, ran.out) == (2, "")
        assert "rows were changed after the count" in ran.err
