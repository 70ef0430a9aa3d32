"""No case is counted twice, and no threshold is chosen on cases that are judged, however that is spelled."""

import json
from itertools import product

import numpy as np
import polars as pl
import pytest
from gating import required, write_cases
from hypothesis import given
from hypothesis import strategies as st

import rocconf as library
from rocconf.conditions import Condition, are_exclusive
from rocconf.gate import Verdicts
from rocconf.read.cells import CellError, holds

POINT = ("--at", "fpr<=0.1", "--require", "tpr@fpr<=0.1 >= 0.2")
SAME = "these are the cases that are judged"


@pytest.fixture
def run(rocconf, tmp_path):
    """Run a command in a folder with cases: all.csv of 600, and two halves of it."""
    random, at = np.random.default_rng(5), np.arange(600)
    labels = (random.random(600) < 0.4).astype(int)
    scores = (random.normal(size=600) + 1.5 * labels).round(4)
    orders = {"all": at, "one": at[:300], "two": at[300:], "turned": at[::-1], "copy": at}
    for name, own in orders.items():
        write_cases(tmp_path / f"{name}.csv", id=own, label=labels[own], score=scores[own])
    return lambda *arguments: rocconf(*arguments, "-q") if arguments[0] == "count" else rocconf(*arguments)


@pytest.mark.parametrize(
    ("judged", "choice", "said"),
    [
        ("one", "all", "all cases of the smaller set are in the other one, too"),
        ("all", "one", "all cases of the smaller set are in the other one, too"),
        ("all", "all", SAME),
        ("all", "./all", SAME),
        ("all", "copy", SAME),
        ("all", "turned", SAME),
        ("one", "two", None),
    ],
)
def test_thresholds_are_not_chosen_on_more_or_fewer_of_the_same_cases_in_any_order(run, judged, choice, said):
    for counts in ("c.csv", "c.parquet"):
        assert run("count", f"{choice}.csv", "-o", counts).status == 0
    for chosen_on in (f"{choice}.csv", "c.csv", "c.parquet"):
        ran = run("sweep", f"{judged}.csv", "--choose-on", chosen_on, *POINT)
        assert ran.status == (2 if said else 0), ran.err
        if said:
            assert ran.out == ""
            assert said in ran.err, ran.err


@pytest.mark.usefixtures("run")
def test_nor_in_python(tmp_path):
    one, whole = (library.count(library.read_predictions(tmp_path / f"{name}.csv")) for name in ("one", "all"))
    for judged, choice in ((one, whole), (whole, one)):
        with pytest.raises(library.UsageError, match="these are the cases"):
            library.judge(library.sweep(judged), "tpr@youden >= 0.1", choose_on={judged.model: choice})
        with pytest.raises(library.UsageError, match="these are the cases"):
            library.sweep(judged, at="youden", choose_on=choice)


def test_rounded_scores_of_many_cases_are_known_again(run, tmp_path):
    cases = pl.read_csv(tmp_path / "all.csv").with_columns(pl.col("score").round() + 0.5)
    cases.write_csv(tmp_path / "a.csv")
    cases.reverse().write_csv(tmp_path / "b.csv")
    ran = run("sweep", "a.csv", "--choose-on", "b.csv", *POINT)
    assert (ran.status, SAME in ran.err) == (2, True), ran.err
    assert run("count", "a.csv", "--resolution", "5", "-o", "a.parquet").status == 0
    for name in ("a.csv", "a.parquet"):
        ran = run("count", name, "b.csv", "-o", "n.parquet")
        assert (ran.status, f"{name} and b.csv have the same content" in ran.err) == (2, True), ran.err


@pytest.mark.parametrize(("n", "status"), [(40, 0), (30_000, 2)])
def test_few_equal_counts_may_be_chance(run, tmp_path, n, status):
    cases = pl.DataFrame({"label": [0, 0, 1, 1] * (n // 4), "score": [0, 1, 0, 1] * (n // 4)})
    cases.write_csv(tmp_path / "a.csv")
    cases.reverse().write_csv(tmp_path / "b.csv")
    assert run("count", "a.csv", "b.csv", "-o", "n.parquet").status == status
    assert run("sweep", "a.csv", "--at", "youden", "--choose-on", "b.csv", "-q").status == status


def test_no_rule_is_judged_on_copies(run, tmp_path):
    header, *rows = (tmp_path / "all.csv").read_text().splitlines()
    (tmp_path / "twice.csv").write_text("\n".join([header.replace("id", "place"), *rows, *rows, ""]))
    named, rule = ("--label", "label", "--score", "score"), required("auc >= 0.5")
    assert run("sweep", "all.csv", *named, *rule).status == 0
    ran = run("sweep", "twice.csv", *named, *rule)
    assert (ran.status, ran.out) == (2, "")
    assert "rule 'auc >= 0.5' cannot be judged on copies" in ran.err
    assert run("sweep", "twice.csv", *named, *rule, "--cluster", "place").status == 0
    copies = "as if each case were there 2 times"
    ran = run("sweep", "twice.csv", *named, "-o", "r.json")
    assert (ran.status, copies in ran.err) == (0, True)
    assert run("gate", "r.json", *rule).status == 2
    ran = run("compare", "all.csv", *named, "--baseline", "r.json", *required("delta_auc >= -0.9"))
    assert (ran.status, copies in ran.err) == (2, True)
    cases = library.read_predictions(tmp_path / "twice.csv", id=None, score="score")
    with pytest.raises(library.UsageError, match="cannot be judged on copies"):
        library.judge(library.sweep(library.count(cases)), "auc >= 0.5")


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ("id>=0", "id>=-1", 2),
        ("id>=0", "id>=0.0", 2),
        ("id<400", "id>=300", 2),
        ("id!=3", "id!=4", 2),
        ("id<300", "id>=300", 0),
        ("id<=299.5", "id>299.5", 0),
    ],
)
def test_cases_that_meet_two_conditions_are_not_counted_twice(run, one, other, status):
    for name, where in (("a", one), ("b", other)):
        assert run("count", "all.csv", "--where", where, "-o", f"{name}.parquet").status == 0
    assert run("count", "a.parquet", "b.parquet", "-o", "ab.parquet").status == status
    assert run("sweep", "a.parquet", "--choose-on", "b.parquet", *POINT).status == status


CELLS = ["1", "2", "1.0", "02", "x", "", "3"]
CONDITIONS = st.lists(
    st.builds(
        Condition, st.sampled_from("ab"), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), st.sampled_from("123")
    ),
    max_size=3,
)


@given(CONDITIONS, CONDITIONS)
def test_no_case_meets_conditions_that_exclude_each_other(one, other):
    texts = [tuple(condition.text for condition in each) for each in (one, other)]
    if not are_exclusive(*texts):
        assert not are_exclusive(*reversed(texts))
        return
    for cells in product(CELLS, repeat=2):
        case = dict(zip("ab", cells, strict=True))
        try:
            assert not all(holds(each, case[each.column]) for each in (*one, *other))
        except CellError:
            continue


def test_one_of_two_objects_of_a_name_is_the_other(run, tmp_path):
    """An object has no digest."""
    for name in ("one", "two"):
        assert run("count", f"{name}.csv", "-o", f"{name}.parquet").status == 0
        path = tmp_path / f"{name}.parquet"
        said = json.loads(pl.read_parquet_metadata(path)["rocconf"])
        said["sources"][0] |= {"name": "s3://lake/a.csv", "sha256": None}
        pl.read_parquet(path).write_parquet(path, metadata={"rocconf": json.dumps(said)})
    assert run("count", "one.parquet", "two.parquet", "-o", "both.parquet").status == 2
    ran = run("sweep", "one.parquet", "--choose-on", "two.parquet", *POINT)
    assert (ran.status, ran.out) == (2, ""), ran.err


def test_counts_of_opposite_classes_are_not_added_up(run):
    for name, positive in (("one", "1"), ("two", "0")):
        assert run("count", f"{name}.csv", "--positive", positive, "-o", f"{name}.parquet").status == 0
    ran = run("count", "one.parquet", "two.parquet", "-o", "both.parquet")
    assert (ran.status, "positive class is '0'" in ran.err) == (2, True), ran.err
    assert run("count", "one.parquet", "two.csv", "--positive", "0", "-o", "both.parquet").status == 2
    ran = run("sweep", "one.parquet", "--choose-on", "two.parquet", *POINT)
    assert (ran.status, "its positive class is 0" in ran.err) == (2, True), ran.err


def test_verdicts_that_are_joined_or_cut_are_true_only_if_all_passed():
    counts = library.count([0, 0, 1, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2])
    bad, good = (library.judge(library.sweep(counts), rule) for rule in ("positives >= 99", "positives >= 2"))
    assert good
    assert good + good
    for found in (bad + good, good + bad, sum([good, bad], ()), bad[:], (good + bad)[:2], bad * 2, 2 * bad):
        assert isinstance(found, Verdicts)
        assert not found
    assert (good + bad)[0] is good[0]
