"""`rocconf count --engine spark` on a cluster of two workers: the counts of files, errors, interrupts and lost workers."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from itertools import combinations

import adversarial
import numpy as np
import polars as pl
import pytest
from conftest import environment
from in_process import run_in_process
from spark_cluster import Cluster, missing
from spark_examples import documents, refreshed

IS_REQUIRED = os.environ.get("ROCCONF_ENGINES") == "required"
LONG = 300
"""Seconds that anything may take on a busy machine."""

ADVERSARIAL = [0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 0.1 + 0.2, 0.3, 1 - 2**-53, 1.0, 1 + 2**-52, 1e308, -1e308]
ADVERSARIAL += [float("inf"), float("-inf"), 2.0**53, 2.0**53 - 1, float(np.float32(0.1)), 0.1, 1e-17, -0.5]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if not IS_REQUIRED:
        pytest.skip("`make test-engines` starts a Spark cluster for it")
    assert missing() is None, missing()
    split = {"spark.sql.files.maxPartitionBytes": "1m", "spark.sql.files.openCostInBytes": "1m"}
    with Cluster(tmp_path_factory.mktemp("cluster"), **split) as running:
        yield running


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Cases with scores that engines may read as others, in files of both forms."""
    folder = tmp_path_factory.mktemp("cases")
    draw = np.random.default_rng(20)
    scores = np.concatenate([np.repeat(ADVERSARIAL, 7), draw.random(3000), draw.normal(size=2000).round(2)])
    labels = draw.integers(0, 2, len(scores))
    cases = pl.DataFrame({"label": labels, "score": scores, "other": scores[::-1].copy()})
    cases = cases.sample(fraction=1, shuffle=True, seed=3)
    cases[:2000].write_parquet(folder / "a.parquet")
    cases[2000:4000].write_parquet(folder / "b.parquet", row_group_size=300)
    cases[4000:].write_csv(folder / "c.csv")
    cases[:0].write_parquet(folder / "empty.parquet")
    return folder


@pytest.fixture
def run(cluster, tmp_path):
    """Run a command in this process; --remote is added where --engine is."""

    def of(*arguments):
        words = list(map(str, arguments))
        if "--engine" in words and "--remote" not in words:
            words += ["--remote", cluster.remote]
        return run_in_process(words, folder=tmp_path, env={"MASTER": "local[1]"})

    return of


def digest(path):
    return hashlib.md5(path.read_bytes()).hexdigest()  # noqa: S324  # to compare


def spark(*arguments):
    return ("count", "--engine", "spark", *arguments)


def test_counts_are_those_of_the_local_engine(run, files, tmp_path):
    names = [files / name for name in ("a.parquet", "b.parquet", "c.csv", "empty.parquet")]
    there = run(*spark(*names, "--score", "score", "--score", "other", "-o", "there.csv", "-o", "run.json"))
    assert there.status == 0, there.err
    here = run("count", *names[:3], "--score", "score", "--score", "other", "-o", "here.csv")
    assert here.status == 0, here.err
    assert digest(tmp_path / "there.csv") == digest(tmp_path / "here.csv")
    assert pl.read_csv(tmp_path / "there.csv")["positives"].sum() > 0


@pytest.mark.parametrize("how", [("--resolution", "5"), ("--thresholds", "0,0.25,0.5,1"), ("--max-scores", "1000")])
def test_bins_are_those_of_the_local_engine(how, run, files, tmp_path):
    names = [files / name for name in ("a.parquet", "b.parquet", "c.csv")]
    columns = ("--score", "score", "--score", "other")
    there = run(*spark(*names, *columns, *how, "-o", "there.csv"))
    here = run("count", *names, *columns, *how, "-o", "here.csv")
    assert (there.status, here.status) == (0, 0), there.err + here.err
    assert digest(tmp_path / "there.csv") == digest(tmp_path / "here.csv")
    assert ("[scores-over-budget]" in there.err) == ("[scores-over-budget]" in here.err)


def test_whole_numbers_are_those_of_the_local_engine(run, files, tmp_path):
    names = [files / name for name in ("a.parquet", "b.parquet", "c.csv")]
    columns = ("--score", "score", "--score", "other", "--exact")
    files_of = lambda place: [part for name in ("numbers", "pairs") for part in ("-o", f"{name}:{place}-{name}.csv")]  # noqa: E731
    there = run(*spark(*names, *columns, *files_of("there")))
    here = run("count", *names, *columns, *files_of("here"))
    assert (there.status, here.status) == (0, 0), there.err + here.err
    for name in ("numbers", "pairs"):
        assert digest(tmp_path / f"there-{name}.csv") == digest(tmp_path / f"here-{name}.csv")


def scores_of_every_kind():
    """Return scores that are infinite, beside powers of two, tied, constant and within one range of the query."""
    special = np.array(adversarial.adversarial_scores())
    draw = np.random.default_rng(8)
    draw.shuffle(special)
    tied, narrow = draw.integers(0, 3, len(special)) / 3, 1000 + draw.random(len(special)) / 1e6
    return {
        "special": special,
        "ranks": np.unique(special, return_inverse=True)[1] / 7 - 50,  # in the same order
        "narrow": np.where(draw.random(len(special)) < 0.5, narrow[0], narrow),
        "tied": tied,
        "again": tied.copy(),
        "constant": np.full(len(special), 0.7),
    }


@pytest.mark.parametrize("models", [("special", "ranks", "narrow", "tied"), ("tied", "again", "constant")])
def test_whole_numbers_of_every_kind_are_those_of_the_cases(models, run, tmp_path):
    scores = scores_of_every_kind()
    labels = np.random.default_rng(9).integers(0, 2, len(scores["special"]))
    pl.DataFrame({"label": labels, **scores}).write_parquet(tmp_path / "x.parquet")
    columns = [word for name in models for word in ("--score", name)]
    tables = ("-o", "numbers:numbers.csv", "-o", "pairs:pairs.csv")
    ran = run(*spark(tmp_path / "x.parquet", *columns, "--exact", *tables))
    assert ran.status == 0, ran.err
    singles = pl.read_csv(tmp_path / "numbers.csv", infer_schema=False).rows()
    assert tuple(row[0] for row in singles) == models
    for model, *found in singles:
        cases = list(zip(labels.tolist(), scores[model].tolist(), strict=True))
        assert list(map(int, found)) == adversarial.whole_numbers(cases), model
    pairs = pl.read_csv(tmp_path / "pairs.csv", infer_schema=False).rows()
    assert {row[:2] for row in pairs} == {(model, baseline) for baseline, model in combinations(models, 2)}
    for model, baseline, *found in pairs:
        cases = list(zip(labels.tolist(), scores[model].tolist(), scores[baseline].tolist(), strict=True))
        *expected, same_order, same_scores = adversarial.paired_numbers(cases)
        assert list(map(int, found[:-2])) == expected, (model, baseline)
        assert [word == "true" for word in found[-2:]] == [same_order, same_scores], (model, baseline)


def test_tables_and_folders_of_partitions_are_sources_too(run, cluster, files, tmp_path):
    name_view(cluster, "cases", f"SELECT * FROM parquet.`{files}/a.parquet`")
    saved = f"USING parquet PARTITIONED BY (label) AS SELECT score, label FROM parquet.`{files}/b.parquet`"
    ask(cluster, f"CREATE TABLE saved {saved}")
    days = tmp_path / "days"
    for day in ("day=2026-11-01", "day=2026-11-02", "day=2026-11-03"):
        (days / day).mkdir(parents=True)
    pl.read_csv(files / "c.csv").write_parquet(days / "day=2026-11-01" / "0.parquet")
    (days / "day=2026-11-02" / "0.parquet").write_bytes((files / "empty.parquet").read_bytes())
    (days / "_SUCCESS").touch()
    tables = ("--table", "global_temp.cases", "--table", "saved")
    there = run(*spark(*tables, f"{tmp_path}/da*s", "--score", "score", "-o", "there.csv"))
    assert there.status == 0, there.err
    parts = (files / "a.parquet", files / "b.parquet", days / "day=2026-11-01")
    here = run("count", *parts, "--score", "score", "-o", "here.csv")
    assert here.status == 0, here.err
    assert digest(tmp_path / "there.csv") == digest(tmp_path / "here.csv")
    of_folder = run(*spark(days, "--label", "day", "--score", "score", "-o", "day.csv"))
    assert (of_folder.status, "no column 'day'" in of_folder.err) == (2, True)


def name_view(cluster, name, sql):
    """Make a view that all sessions of the server see."""
    ask(cluster, f"CREATE OR REPLACE GLOBAL TEMPORARY VIEW {name} AS {sql}")


def ask(cluster, sql):
    """Run a statement on the server."""
    from rocconf.engines.connect import Connection

    connection = Connection(cluster.remote)
    connection.query(sql, about=sql)
    connection.close()


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        (["yes", "no", "yes", "no"], ["--positive", "yes"]),
        (["1.0", "0", "true", "FALSE"], []),
        (["a", "b", "c", "a"], ["--positive", "a", "--rest"]),
        ([1, 0, None, 1], ["--na", "drop"]),
    ],
)
def test_labels_mean_what_they_mean_in_a_file(labels, options, run, tmp_path):
    pl.DataFrame({"label": labels, "score": [0.1, 0.2, 0.3, 0.4]}).write_csv(tmp_path / "x.csv")
    there = run(*spark(tmp_path / "x.csv", *options, "-o", "there.csv"))
    here = run("count", tmp_path / "x.csv", *options, "-o", "here.csv")
    assert (there.status, here.status) == (0, 0), there.err
    assert digest(tmp_path / "there.csv") == digest(tmp_path / "here.csv")
    assert ("left out" in there.err) == ("left out" in here.err)


def bad(folder):
    """Make inputs that cannot be counted, and return for each the arguments, the name and the words of its error."""
    good = pl.DataFrame({"label": [0, 1], "score": [0.1, 0.2]})
    (folder / "many").mkdir()
    for number in range(30):
        good.write_parquet(folder / "many" / f"{number:03}.parquet")
    good.drop("score").write_parquet(folder / "many" / "017.parquet")
    (folder / "first").mkdir()
    good.drop("score").write_parquet(folder / "first" / "0.parquet")
    good.write_parquet(folder / "first" / "1.parquet")
    (folder / "types").mkdir()
    good.write_parquet(folder / "types" / "0.parquet")
    good.cast({"score": pl.String}).write_parquet(folder / "types" / "1.parquet")
    (folder / "some").mkdir()
    good.write_parquet(folder / "some" / "0.parquet")
    (folder / "cut").mkdir()
    good.write_parquet(folder / "cut" / "0.parquet")
    (folder / "cut" / "1.parquet").write_bytes((folder / "cut" / "0.parquet").read_bytes()[:-30])
    (folder / "days").mkdir()
    (folder / "days" / "a.csv").write_text("label,score\n1,0.5\n0,0.2\n")
    (folder / "days" / "b.csv").write_text("score,label\n0.5,1\n")
    (folder / "ragged.csv").write_text("label,score\n1,0.5,7\n0,0.2\n")
    (folder / "text.csv").write_text("label,score\n1,0.5\n0,1.0d\n")
    (folder / "third.csv").write_text("label,score\n1,0.5\n0,0.2\nmaybe,0.3\n")
    (folder / "null.csv").write_text("label,score\n1,0.5\n0,\n")
    pl.DataFrame({"label": [0, 1], "score": [0.1, float("nan")]}).write_parquet(folder / "nan.parquet")
    good[:0].write_parquet(folder / "empty.parquet")
    (folder / "two words").mkdir()
    good.write_parquet(folder / "two words" / "0.parquet")
    good.drop("score").write_parquet(folder / "two words" / "1.parquet")
    return {
        "column": ((folder / "many",), "017.parquet", "no column 'score'"),
        "column-dropped": ((folder / "many", "--na", "drop"), "017.parquet", "no column 'score'"),
        "column-spaces": ((folder / "two words", "--na", "drop"), "two words/1.parquet", "no column 'score'"),
        "twice": ((folder / "some", folder / "some/0.parquet"), "some/0.parquet", "would count twice"),
        "column-first": ((folder / "first",), "first/0.parquet", "no column 'score'"),
        "column-nowhere": ((folder / "types/0.parquet", "--score", "scores"), "0.parquet", "did you mean 'score'"),
        "types": ((folder / "types",), "types/1.parquet", "cannot read"),
        "truncated": ((folder / "cut",), "cut/1.parquet", "cannot read"),
        "schema": ((folder / "days/*.csv",), "b.csv", "cannot read"),
        "ragged": ((folder / "ragged.csv",), "ragged.csv", "cannot read"),
        "text": ((folder / "text.csv",), "text.csv", "'1.0d'"),
        "third": ((folder / "third.csv",), "third.csv", "'maybe' (1 row)"),
        "null": ((folder / "null.csv",), "null.csv", "--na drop"),
        "nan": ((folder / "nan.parquet",), "nan.parquet", "NaN"),
        "empty": ((folder / "empty.parquet",), "empty.parquet", "no rows"),
        "nothing": ((folder / "nosuch.parquet",), "nosuch.parquet", "finds no files"),
        "table": (("--table", "no_such"), "no_such", "knows no table"),
        "injected": (("--table", "x; DROP TABLE y"), "", ""),
    }


BAD = [
    "column",
    "column-dropped",
    "column-spaces",
    "twice",
    "column-first",
    "column-nowhere",
    "types",
    "truncated",
    "schema",
    "ragged",
    "text",
]
BAD += ["third", "null", "nan", "empty", "nothing", "table", "injected"]


@pytest.fixture(scope="module")
def bad_inputs(tmp_path_factory):
    return bad(tmp_path_factory.mktemp("bad"))


@pytest.mark.parametrize("fault", BAD)
def test_bad_input_ends_with_2_and_names_what_is_wrong(fault, run, bad_inputs, tmp_path):
    assert set(bad_inputs) == set(BAD)
    arguments, name, words = bad_inputs[fault]
    ran = run(*spark(*arguments, "-o", "counts.parquet"))
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert name in ran.err
    assert words in ran.err
    assert_is_short(ran.err)
    assert list(tmp_path.iterdir()) == []


def assert_is_short(err):
    """No trace of the server or of Python, and one error."""
    assert "\tat " not in err
    assert "Traceback" not in err
    assert "JVM" not in err
    assert "internal error" not in err
    assert len(err) < 900, err


def test_a_server_that_is_not_there_ends_with_2(run):
    ran = run(*spark("x.parquet", "--remote", "sc://127.0.0.1:1/;token=secret", "-o", "counts.parquet"))
    assert ran.status == 2
    assert "sc://127.0.0.1:1: no Spark Connect server answers" in ran.err
    assert "secret" not in ran.err
    assert_is_short(ran.err)


@pytest.fixture
def start(cluster, tmp_path):
    """Start a count of its own process, which ends with the test whatever happens."""
    started = []

    def of(*arguments):
        started.append(start_in(tmp_path, cluster, *arguments))
        return started[-1]

    yield of
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def start_in(folder, cluster, *arguments):
    command = [sys.executable, "-m", "rocconf", *spark(*arguments), "--remote", cluster.remote, "-o", "counts.csv"]
    return subprocess.Popen(
        list(map(str, command)),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(condition):
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_jobs_on_the_server(number, cluster, start, tmp_path):
    name_view(cluster, "endless", "SELECT id % 2 AS label, id / 1e11 AS score FROM range(100000000000)")
    process = start("--table", "global_temp.endless")
    assert wait_until(lambda: cluster.jobs("running"))
    process.send_signal(number)
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == 128 + number
    time.sleep(5)
    assert cluster.jobs("running") == []
    assert_is_short(err)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def many_cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    draw = np.random.default_rng(5)
    for number in range(16):
        scores = draw.random(100_000)
        labels = (draw.random(100_000) < scores).astype(np.int8)
        pl.DataFrame({"label": labels, "score": scores.round(4)}).write_parquet(folder / f"{number}.parquet")
    return folder


def test_a_lost_worker_changes_nothing(cluster, many_cases, run, start, tmp_path):
    here = run("count", many_cases, "-o", "here.csv")
    assert here.status == 0, here.err
    for _ in range(5):
        seen = {stage["stageId"] for stage in cluster.stages()}
        log = cluster.log("server").read_text().count("Resubmitted ")
        process = start(many_cases)
        assert wait_until(lambda: process.poll() is not None or is_half_shuffled(cluster, seen))  # noqa: B023  # waits here
        cluster.kill_worker()
        _, err = process.communicate(timeout=LONG)
        cluster.restart_worker()
        assert process.returncode == 0, err
        assert digest(tmp_path / "counts.csv") == digest(tmp_path / "here.csv")
        if cluster.log("server").read_text().count("Resubmitted ") > log:
            return
    pytest.fail("no shuffle output was lost in five tries")


def is_half_shuffled(cluster, seen):
    """Whether a stage of scores has shuffle output on the worker that is killed, and is not done."""
    return any(
        stage["stageId"] not in seen and 4 <= stage["numCompleteTasks"] < stage["numTasks"]
        for stage in cluster.stages()
        if stage["status"] == "ACTIVE"
    )


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_the_examples_of_the_documents_show_what_is_printed(document, cluster):
    text = document.read_text(encoding="utf-8")
    assert refreshed(text, cluster) == text, "`python tests/engines/spark_examples.py` refreshes them"


def test_a_server_that_dies_ends_with_2(cluster, start, tmp_path):
    name_view(cluster, "endless", "SELECT id % 2 AS label, id / 1e11 AS score FROM range(100000000000)")
    process = start("--table", "global_temp.endless")
    assert wait_until(lambda: cluster.jobs("running"))
    cluster.kill_server()
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, out) == (2, ""), err
    assert f"{cluster.remote}: no Spark Connect server answers" in err
    assert_is_short(err)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_demands_a_token_gets_it_and_nobody_else_does(cluster, run, files, tmp_path):
    cluster.restart_server(**{"spark.connect.authenticate.token": "xyzzy"})
    cases, local = files / "c.csv", f"sc://localhost:{cluster.port}"  # where a token needs no TLS
    refused = {local: "No authentication token", f"{local}/;token=plugh": "Invalid authentication token"}
    refused[f"{cluster.remote}/;token=xyzzy"] = "no connection over TLS"
    for remote, words in refused.items():
        ran = run(*spark(cases, "--score", "score", "--remote", remote, "-o", "counts.parquet"))
        assert (ran.status, ran.out) == (2, ""), ran.err
        assert f"{remote.partition('/;')[0]}: " in ran.err
        assert words in ran.err
        assert_is_short(ran.err)
        assert "details" not in ran.err
        assert "plugh" not in ran.err
        assert "xyzzy" not in ran.err
        assert list(tmp_path.iterdir()) == []
    words = [f"{local}/;token=xyzzy", "-o", "counts.parquet", "-o", "run.json", "-o", "report.html"]
    ran = run(*spark(cases, "--score", "score", "--thresholds", "0.5", "--remote", *words))
    assert ran.status == 0, ran.err
    written = [path.read_bytes() for path in tmp_path.iterdir()]
    assert len(written) == 3
    assert all(b"xyzzy" not in each for each in (ran.out.encode(), ran.err.encode(), *written))
