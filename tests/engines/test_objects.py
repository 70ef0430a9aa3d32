"""Objects in a store are read as files are; an error about one never shows a key or a token."""

import gzip
import io
import json
import os

import object_store
import polars as pl
import pytest
from conftest import SAMPLE_DATA
from object_store import SECRET

from rocconf.read import objects

IS_REQUIRED = os.environ.get("ROCCONF_ENGINES") == "required"
FLU = SAMPLE_DATA / "flu.csv"
NAMED = ("--label", "label", "--score", "score")
pytestmark = pytest.mark.thorough  # a server takes seconds to start


def parquet(frame, **options):
    file = io.BytesIO()
    frame.write_parquet(file, **options)
    return file.getvalue()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with the cases of flu.csv in three objects of three forms."""
    if object_store.program() is None:
        if IS_REQUIRED:
            pytest.fail("moto_server is required here: make engines")
        pytest.skip("moto_server is not installed (make engines)")
    flu = pl.read_csv(FLU)
    with object_store.running(tmp_path_factory.mktemp("store")) as running:
        running.put("lake")
        running.put("lake/flu/day=1/a.parquet", parquet(flu[:600], row_group_size=250))
        running.put("lake/flu/day=2/b.csv", flu[600:800].write_csv().encode())
        running.put("lake/flu/day=3/c.csv.gz", gzip.compress(flu[800:].write_csv().encode()))
        running.put("lake/flu/_SUCCESS")
        running.put("lake/flu/.hidden.parquet", b"nothing")
        running.put("lake/flu/notes.md", b"nothing")
        running.put("lake/parts/1.parquet", parquet(flu[:700]))
        running.put("lake/parts/2.parquet", parquet(flu[700:]))
        running.put("lake/bad/short.parquet", parquet(flu)[:-3000])
        running.put("lake/bad/torn.parquet", torn(parquet(flu.select("label", "score"), compression="uncompressed")))
        running.put("lake/bad/empty.parquet", parquet(flu[:0]))
        running.put("lake/bad/third.csv", b"label,score\n1,0.5\n0,0.2\n2,0.1\n")
        running.put("lake/bad/bytes.csv", b"label,score\n1,\xff\xfe\n")
        running.put("lake/bad/other.parquet", parquet(flu.rename({"score": "points"})))
        running.put("lake/bad/words.parquet", parquet(flu.with_columns(score=pl.lit("high"))))
        for at in range(40):
            part = flu[at * 25 : at * 25 + 25]
            running.put(f"lake/many/{at:02}.parquet", parquet(part if at != 31 else part.drop("score")))
            running.put(f"lake/changed/{at:02}.parquet", parquet(part if at < 20 else retyped(part)))
        yield running


def torn(data):
    """Return a parquet file of whose first pages nothing is left."""
    return data[:4] + b"\xff" * 300 + data[304:]


def retyped(cases):
    """Return cases with columns in another order and of other types, which mean the same."""
    return cases.select(pl.col("score").cast(pl.String), pl.lit(0).alias("new"), pl.col("label").cast(pl.Boolean))


@pytest.fixture
def run(rocconf, store):
    def run(*arguments):
        return rocconf(*arguments, env=store.env)

    return run


@pytest.mark.parametrize(
    "sources",
    [
        ["s3://lake/flu/"],
        ["s3://lake/parts/*.parquet"],
        ["s3://lake/flu/**/*.parquet", "s3://lake/flu/day=2/b.csv", "s3://lake/flu/day=3/c.csv.gz"],
    ],
)
def test_objects_are_counted_as_files(sources, run, rocconf, tmp_path, monkeypatch):
    monkeypatch.setattr(objects, "BATCH", 170)
    ran = run("count", *sources, *NAMED, "-o", "counts.csv", "-o", "run.json")
    assert ran.status == 0, ran.err
    assert rocconf("count", FLU, *NAMED, "-o", "expected.csv").status == 0
    assert (tmp_path / "counts.csv").read_text() == (tmp_path / "expected.csv").read_text()
    inputs = json.loads((tmp_path / "run.json").read_text())["inputs"]
    assert all(each["name"].startswith("s3://lake/") and each["sha256"] is None for each in inputs)
    assert sum(each["n"] for each in inputs) == pl.read_csv(FLU).height


@pytest.mark.parametrize("name", ["s3://lake/flu/day=1/a.parquet", "s3://lake/flu/day=2/b.csv"])
def test_every_command_reads_an_object(name, run, rocconf, tmp_path):
    flu = pl.read_csv(FLU)
    (flu[:600] if name.endswith("parquet") else flu[600:800]).write_csv(tmp_path / "local.csv")
    line = (*NAMED, "--require", "auc >= 0.5", "--format", "json", "--isolated")
    of_object, of_file = json.loads(run("sweep", name, *line).out), json.loads(rocconf("sweep", "local.csv", *line).out)
    del of_object["digest"], of_file["digest"]
    assert of_object.pop("inputs")[0]["sha256"] is None
    assert len(of_file.pop("inputs")[0]["sha256"]) == 64
    assert of_object == of_file


def test_ids_that_stand_twice_in_an_object_are_named(run, store):
    flu = pl.read_csv(FLU).with_columns(id=pl.format("case-{}", pl.int_range(pl.len()) % 900))
    store.put("lake/ids/twice.parquet", parquet(flu, row_group_size=250))
    ran = run("sweep", "s3://lake/ids/twice.parquet", *NAMED, "--isolated", "--require", "auc >= 0.5")
    assert (ran.status, ran.out) == (2, "")
    assert "row 901: id 'case-0' is already on row 1" in ran.err


def test_counts_in_a_store_keep_what_they_say_of_themselves(run, store, tmp_path):
    assert run("count", "s3://lake/parts/", *NAMED, "-o", "counts.parquet").status == 0
    store.put("lake/counts.parquet", (tmp_path / "counts.parquet").read_bytes())
    ran = run("sweep", "s3://lake/counts.parquet", "--format", "json", "--isolated")
    counted = json.loads(ran.out)["inputs"][0]["counted"]
    assert [each["name"] for each in counted] == ["s3://lake/parts/1.parquet", "s3://lake/parts/2.parquet"]
    twice = run("count", "counts.parquet", "s3://lake/parts/2.parquet", *NAMED, "-o", "sum.csv")
    assert (twice.status, twice.out) == (2, "")
    assert "s3://lake/parts/2.parquet" in twice.err
    assert not (tmp_path / "sum.csv").exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("s3://lake/no.parquet", "s3://lake/no.parquet: there is no such object"),
        ("s3://lake/no.csv", "s3://lake/no.csv: there is no such object"),
        ("s3://sea/no.parquet", "s3://sea/no.parquet: there is no such bucket"),
        ("s3://sea/*.parquet", "s3://sea/*.parquet: there is no such bucket"),
        ("s3://lake/no/*.parquet", "s3://lake/no/*.parquet: "),
        ("s3://lake/no/", "s3://lake/no/: "),
        ("s3://lake/bad/short.parquet", "s3://lake/bad/short.parquet: "),
        ("s3://lake/bad/torn.parquet", "s3://lake/bad/torn.parquet: "),
        ("s3://lake/bad/empty.parquet", "s3://lake/bad/empty.parquet: "),
        ("s3://lake/bad/third.csv", "s3://lake/bad/third.csv: "),
        ("s3://lake/bad/bytes.csv", "s3://lake/bad/bytes.csv: "),
        ("s3://lake/bad/other.parquet", "s3://lake/bad/other.parquet: no column 'score'"),
        ("s3://lake/bad/words.parquet", "s3://lake/bad/words.parquet: "),
        ("s3://lake/many/", "s3://lake/many/31.parquet: no column 'score'"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_written(source, said, run, tmp_path):
    ran = run("count", "s3://lake/parts/1.parquet", source, *NAMED, "-o", "counts.csv")
    assert (ran.status, ran.out) == (2, ""), ran
    assert said in ran.err
    assert SECRET not in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "counts.csv").exists()


def test_objects_whose_schema_changes_count_as_what_they_mean(run, rocconf, tmp_path):
    flu = pl.read_csv(FLU)
    flu.write_csv(tmp_path / "whole.csv")
    assert run("count", "s3://lake/changed/", *NAMED, "-o", "counts.csv").status == 0
    assert rocconf("count", "whole.csv", *NAMED, "-o", "expected.csv").status == 0
    assert (tmp_path / "counts.csv").read_text() == (tmp_path / "expected.csv").read_text()


def test_a_third_class_in_an_object_is_one_in_the_whole(run):
    ran = run("count", "s3://lake/bad/third.csv", "s3://lake/parts/1.parquet", *NAMED)
    assert (ran.status, ran.out) == (2, "")
    assert "third.csv" in ran.err


DENIED = f"<Error><Code>InvalidAccessKeyId</Code><Message>no</Message><AWSAccessKeyId>{SECRET}</AWSAccessKeyId></Error>".encode()


@pytest.mark.parametrize("name", ["s3://wrong/a.parquet", "s3://wrong/a.csv", "s3://wrong/*.csv"])
def test_wrong_credentials_are_named_without_them(name, rocconf):
    with object_store.answering(403, DENIED) as store:
        ran = rocconf("sweep", name, *NAMED, env=store.env)
    assert (ran.status, ran.out) == (2, "")
    assert f"{name}: the store refuses to give it: the credentials are missing or wrong" in ran.err
    assert SECRET not in ran.err


def test_missing_credentials_are_named(rocconf):
    with object_store.answering(403, b"") as store, object_store.answering(404, b"") as nobody:
        env = {**store.env, "AWS_METADATA_ENDPOINT": nobody.endpoint}
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            del env[name]
        ran = rocconf("sweep", "s3://nobody/a.parquet", *NAMED, env=env)
    assert (ran.status, ran.out) == (2, "")
    assert "s3://nobody/a.parquet: the store refuses to give it: the credentials are missing" in ran.err


def test_a_store_that_does_not_answer_is_an_error_in_time(rocconf):
    env = object_store.environment("http://127.0.0.1:9")
    for name in ("s3://silent/a.parquet", "s3://silent/a.csv"):
        ran = rocconf("count", name, *NAMED, env=env)
        assert (ran.status, ran.out) == (2, "")
        assert f"{name}: the store could not be read: " in ran.err
        assert SECRET not in ran.err


def test_an_answer_that_breaks_off_is_an_error(rocconf):
    body = b"label,score\n" + b"1,0.5\n0,0.25\n" * 100
    with object_store.answering(200, body, length=len(body) + 50) as store:
        ran = rocconf("count", "s3://cut/a.csv", *NAMED, env=store.env)
    assert (ran.status, ran.out) == (2, "")
    assert "s3://cut/a.csv: the store could not be read: " in ran.err
