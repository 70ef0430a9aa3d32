"""No case is counted twice, and no threshold is chosen on cases that are judged, however that is spelled."""

import json
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocconf as library
from rocconf.conditions import Condition, are_exclusive
from rocconf.gate import Verdicts
from rocconf.read.cells import CellError, holds

POINT = ("--at", "fpr<=0.1", "--require", "tpr@fpr<=0.1 >= 0.2", "--isolated")


@pytest.fixture
def run(rocconf, tmp_path):
    """Run a command in a folder with cases: all.csv of 600, and two halves of it."""
    random = np.random.default_rng(5)
    labels = random.random(600) < 0.4
    scores = (random.normal(size=600) + 1.5 * labels).round(4)
    rows = [f"{at},{label:d},{score}\n" for at, (label, score) in enumerate(zip(labels, scores, strict=True))]
    for name, some in {"all": rows, "one": rows[:300], "two": rows[300:]}.items():
        (tmp_path / f"{name}.csv").write_text("id,label,score\n" + "".join(some))
    return lambda *arguments: rocconf(*arguments, "-q") if arguments[0] == "count" else rocconf(*arguments)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize(("judged", "choice"), [("one", "all"), ("all", "one")])
def test_thresholds_are_not_chosen_on_more_or_fewer_of_the_same_cases(run, judged, choice, suffix):
    assert run("count", f"{choice}.csv", "-o", f"c.{suffix}").status == 0
    for chosen_on in (f"{choice}.csv", f"c.{suffix}"):
        ran = run("sweep", f"{judged}.csv", "--label", "label", "--score", "score", "--choose-on", chosen_on, *POINT)
        assert (ran.status, ran.out) == (2, ""), ran.err
    assert run("sweep", "one.csv", "--choose-on", "two.csv", *POINT).status == 0


@pytest.mark.usefixtures("run")
def test_nor_in_python(tmp_path):
    one, whole = (library.count(library.read_predictions(tmp_path / f"{name}.csv")) for name in ("one", "all"))
    for judged, choice in ((one, whole), (whole, one)):
        with pytest.raises(library.UsageError, match="these are the cases"):
            library.judge(library.sweep(judged), "tpr@youden >= 0.1", choose_on={judged.model: choice})
        with pytest.raises(library.UsageError, match="these are the cases"):
            library.sweep(judged, at="youden", choose_on=choice)


def test_rounded_scores_of_many_cases_are_known_again(run, tmp_path):
    lines = (tmp_path / "all.csv").read_text().splitlines()
    rounded = [f"{line[: line.rindex(',')]},{round(float(line.rpartition(',')[2])):d}.5" for line in lines[1:]]
    (tmp_path / "a.csv").write_text("\n".join([lines[0], *rounded]))
    (tmp_path / "b.csv").write_text("\n".join([lines[0], *reversed(rounded)]))
    ran = run("sweep", "a.csv", "--choose-on", "b.csv", *POINT)
    assert (ran.status, "these are the cases that are judged" in ran.err) == (2, True), ran.err
    ran = run("count", "a.csv", "b.csv", "-o", "n.parquet")
    assert (ran.status, "a.csv and b.csv have the same content" in ran.err) == (2, True), ran.err
    assert run("count", "a.csv", "--resolution", "5", "-o", "a.parquet").status == 0
    ran = run("count", "a.parquet", "b.csv", "-o", "n.parquet")
    assert (ran.status, "a.parquet and b.csv have the same content" in ran.err) == (2, True), ran.err


def test_no_rule_is_judged_on_copies(run, tmp_path):
    header, *rows = (tmp_path / "all.csv").read_text().splitlines()
    (tmp_path / "twice.csv").write_text("\n".join([header.replace("id", "place"), *rows, *rows, ""]))
    named, rule = ("--label", "label", "--score", "score"), ("--require", "auc >= 0.5")
    said = "rule 'auc >= 0.5' cannot be judged on copies"
    assert run("sweep", "all.csv", *named, *rule).status == 0
    ran = run("sweep", "twice.csv", *named, *rule)
    assert (ran.status, ran.out, said in ran.err) == (2, "", True)
    assert run("sweep", "twice.csv", *named, *rule, "--cluster", "place").status == 0
    ran = run("sweep", "twice.csv", *named, "-o", "r.json")
    assert (ran.status, "as if each case were there 2 times" in ran.err) == (0, True)
    assert run("gate", "r.json", *rule).status == 2
    ran = run("compare", "all.csv", *named, "--baseline", "r.json", "--require", "delta_auc >= -0.9")
    assert (ran.status, "as if each case were there 2 times" in ran.err) == (2, True)
    cases = library.read_predictions(tmp_path / "twice.csv", id=None, score="score")
    with pytest.raises(library.UsageError, match="cannot be judged on copies"):
        library.judge(library.sweep(library.count(cases)), "auc >= 0.5")


@pytest.mark.parametrize(("n", "status"), [(40, 0), (30_000, 2)])
def test_few_equal_counts_may_be_chance(run, tmp_path, n, status):
    cases = {"label": [0, 0, 1, 1] * (n // 4), "score": [0, 1, 0, 1] * (n // 4)}
    pl.DataFrame(cases).write_csv(tmp_path / "a.csv")
    pl.DataFrame(cases).reverse().write_csv(tmp_path / "b.csv")
    assert run("count", "a.csv", "b.csv", "-o", "n.parquet").status == status


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
CONDITIONS = st.builds(
    Condition, st.sampled_from("ab"), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), st.sampled_from("123")
)


@given(st.lists(CONDITIONS, max_size=3), st.lists(CONDITIONS, max_size=3))
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


@pytest.mark.parametrize("where", [[], ["id>=0"], ["no condition"]])
def test_a_report_does_not_choose_on_a_file_that_was_counted(run, rocconf, tmp_path, where):
    for name in ("one", "two"):
        assert run("count", f"{name}.csv", "-o", f"{name}.parquet").status == 0
    assert run("sweep", "one.parquet", "--choose-on", "two.parquet", *POINT, "-o", "r.json", "-q").status == 0
    assert rocconf("gate", "r.json", "--isolated", "-q").status == 0
    report = json.loads((tmp_path / "r.json").read_text())
    data, choice = report["inputs"]
    choice["counted"][0] |= {"sha256": data["counted"][0]["sha256"], "where": where}
    (tmp_path / "r.json").write_text(json.dumps(report))
    ran = rocconf("gate", "r.json", "--isolated", "-q")
    assert (ran.status, ran.out) == (2, ""), ran.err
