"""`rocconf count --print-sql`: the text and nothing else, and its result read as counts."""

import json
import sqlite3
import subprocess
from shutil import which

import duckdb
import polars as pl
import pytest
from conftest import SAMPLE_DATA

FLU = SAMPLE_DATA / "flu.csv"
COLUMNS = ("--label", "label", "--score", "score")


def sql_of(rocconf, dialect, table, *more):
    ran = rocconf("count", "--print-sql", "--dialect", dialect, table, *(more or COLUMNS))
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def report_of(ran):
    """Return a report without its inputs, which say where it came from."""
    assert ran.status == 0, ran.err
    report = json.loads(ran.out)
    del report["inputs"], report["digest"]
    return report


def run_sqlite(folder, sql, cases):
    """Run SQL in the shell of SQLite where there is one, and in Python where not."""
    database = folder / "cases.db"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE scores (label INTEGER, score REAL)")
        connection.executemany("INSERT INTO scores VALUES (?, ?)", cases)
    connection.close()
    if which("sqlite3"):
        ran = subprocess.run(
            ["sqlite3", "-csv", "-header", database], input=sql, capture_output=True, text=True, check=True
        )
        return ran.stdout
    with sqlite3.connect(database) as connection:
        found = connection.execute(sql)
        rows = [[name for name, *_ in found.description], *found]
    connection.close()
    return "".join(",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows)


def test_what_sqlite_writes_is_read_as_it_is(rocconf, tmp_path):
    cases = list(pl.read_csv(FLU).select("label", "score").iter_rows())
    result = run_sqlite(tmp_path, sql_of(rocconf, "sqlite", "scores"), cases)
    (tmp_path / "result.csv").write_text(result, encoding="utf-8")
    options = ("--require", "auc >= 0.5", "--at", "youden", "--format", "json", "--all", "-q", "--isolated")
    assert report_of(rocconf("sweep", "result.csv", *options)) == report_of(rocconf("sweep", FLU, *COLUMNS, *options))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_duckdb_writes_is_read_as_it_is(form, rocconf, tmp_path):
    sql = sql_of(rocconf, "duckdb", str(FLU))
    duckdb.connect().execute(f"COPY ({sql}) TO '{tmp_path}/result.{form}'")
    options = ("--require", "auc >= 0.5", "--format", "json", "--all", "-q", "--isolated")
    of_counts, of_cases = rocconf("sweep", f"result.{form}", *options), rocconf("sweep", FLU, *COLUMNS, *options)
    assert report_of(of_counts) == report_of(of_cases)


def test_infinite_scores_come_through(rocconf, tmp_path):
    cases = [(1, float("inf")), (1, 0.75), (0, 0.1 + 0.2), (0, float("-inf")), (1, 5e-324), (0, 0.0), (0, -0.0)]
    result = run_sqlite(tmp_path, sql_of(rocconf, "sqlite", "scores"), cases)
    (tmp_path / "sqlite.csv").write_text(result, encoding="utf-8")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE scores (label INTEGER, score DOUBLE)")
    connection.executemany("INSERT INTO scores VALUES (?, ?)", cases)
    connection.execute(f"COPY ({sql_of(rocconf, 'duckdb', 'scores')}) TO '{tmp_path}/duckdb.csv'")
    for name in ("sqlite", "duckdb"):
        assert rocconf("count", f"{name}.csv", "-o", f"{name}.parquet", "-q").status == 0
        counted = pl.read_parquet(tmp_path / f"{name}.parquet").select("score", "positives", "negatives")
        assert counted.rows() == [
            (float("inf"), 1, 0),
            (0.75, 1, 0),
            (0.30000000000000004, 0, 1),
            (5e-324, 1, 0),
            (0.0, 0, 2),
            (float("-inf"), 0, 1),
        ]


def test_several_models_keep_their_names(rocconf, tmp_path):
    sql = sql_of(
        rocconf, "duckdb", str(SAMPLE_DATA / "hypothyroid.csv"), "--label", "label", "--score", "S", "--score", "F"
    )
    duckdb.connect().execute(f"COPY ({sql}) TO '{tmp_path}/result.csv'")
    ran = rocconf("sweep", "result.csv", "--score", "F", "--format", "json", "-q")
    assert json.loads(ran.out)["summary"]["model"] == "F"


HYPOTHYROID = SAMPLE_DATA / "hypothyroid.csv"
MODELS = ("--label", "label", "--score", "S", "--score", "F")


def copy(sql, path):
    duckdb.connect().execute(f"COPY ({sql}) TO '{path}'")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_pairs_give_the_verdict_of_the_cases(form, rocconf, tmp_path):
    sql = sql_of(rocconf, "duckdb", str(HYPOTHYROID), "--label", "label", "--paired", "F,S")
    copy(sql, tmp_path / f"pairs.{form}")
    options = ("--baseline", "S", "--require", "delta_auc >= 0.005", "--format", "json", "-q", "--isolated")
    of_cases = json.loads(rocconf("compare", HYPOTHYROID, *MODELS, *options).out)
    of_pairs = json.loads(rocconf("compare", f"pairs.{form}", *options).out)
    keys = ("value", "lower", "upper", "verdict", "n", "positives")
    found, expected = ([{key: gate[key] for key in keys} for gate in each["gates"]] for each in (of_pairs, of_cases))
    assert found == expected
    pair = next(row for row in of_cases["tables"]["pairs"] if row["metric"] == "auc")
    assert of_pairs["tables"]["pairs"][0]["p"] == pair["p"]


def test_whole_numbers_are_those_that_count_computes(rocconf, tmp_path):
    copy(sql_of(rocconf, "duckdb", str(HYPOTHYROID), *MODELS, "--exact"), tmp_path / "numbers.csv")
    copy(sql_of(rocconf, "duckdb", str(HYPOTHYROID), *MODELS), tmp_path / "counts.csv")
    assert rocconf("count", "counts.csv", "numbers.csv", "-o", "one.parquet", "-q").status == 0
    assert rocconf("count", HYPOTHYROID, *MODELS, "--exact", "-o", "two.parquet", "-q").status == 0
    one, two = (
        json.loads(pl.read_parquet_metadata(tmp_path / f"{name}.parquet")["rocconf"]) for name in ("one", "two")
    )
    assert one["numbers"] == two["numbers"]


def test_pairs_without_a_score_are_an_error_or_dropped(rocconf, tmp_path):
    cases = "label,a,b\n1,0.5,0.4\n0,0.25,0.5\n1,,0.3\n1,0.4,0.3\n0,0.1,0.2\n"
    (tmp_path / "cases.csv").write_text(cases, encoding="utf-8")
    copy(
        sql_of(rocconf, "duckdb", str(tmp_path / "cases.csv"), "--label", "label", "--paired", "a,b"),
        tmp_path / "p.csv",
    )
    assert rocconf("compare", "p.csv", "--baseline", "b").status == 2
    assert rocconf("compare", "p.csv", "--baseline", "b", "--na", "drop").status == 0


def test_pairs_of_a_third_class_are_always_an_error(rocconf, tmp_path):
    (tmp_path / "cases.csv").write_text("label,a,b\n1,0.5,0.4\n0,0.25,0.5\n2,0.1,0.3\n", encoding="utf-8")
    copy(
        sql_of(rocconf, "duckdb", str(tmp_path / "cases.csv"), "--label", "label", "--paired", "a,b"),
        tmp_path / "p.csv",
    )
    for more in ((), ("--na", "drop")):
        assert rocconf("compare", "p.csv", "--baseline", "b", *more).status == 2


@pytest.mark.parametrize("pair", ["a", "a,", "a,a", "a,b,c", ""])
def test_a_pair_has_two_columns(pair, rocconf):
    ran = rocconf("count", "--print-sql", "--dialect", "duckdb", "cases", "--label", "y", "--paired", pair)
    assert (ran.status, ran.out) == (2, "")
    assert "--paired takes the columns of a model and of its baseline" in ran.err


@pytest.mark.thorough
@pytest.mark.parametrize("bins", [("--resolution", "3"), ("--resolution", "11"), ("--thresholds", "0.1,0.5,-2,0.9")])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_bins_of_a_query_are_those_of_count(form, bins, rocconf, tmp_path):
    sql = sql_of(rocconf, "duckdb", str(FLU), *COLUMNS, *bins)
    duckdb.connect().execute(f"COPY ({sql}) TO '{tmp_path}/result.{form}'")
    assert rocconf("count", f"result.{form}", "-o", "one.csv", "-q").status == 0
    assert rocconf("count", FLU, *COLUMNS, *bins, "-o", "two.csv", "-q").status == 0
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "two.csv").read_text()
    options = ("--require", "auc >= 0.1", "--format", "json", "--isolated", "-q")
    report_one, report_two = (rocconf("sweep", name, *options) for name in (f"result.{form}", "two.csv"))
    assert (report_one.status, report_two.status) == (0, 0), report_one.err
    one, two = (json.loads(each.out)["summary"] for each in (report_one, report_two))
    assert one == two


def test_bins_of_sqlite_come_through(rocconf, tmp_path):
    cases = [
        (1, float("inf")),
        (1, 0.75),
        (0, 0.1 + 0.2),
        (0, float("-inf")),
        (1, 5e-324),
        (0, 0.0),
        (0, 3e-23),
        (1, 0.30001),
    ]
    result = run_sqlite(tmp_path, sql_of(rocconf, "sqlite", "scores", *COLUMNS, "--resolution", "3"), cases)
    (tmp_path / "result.csv").write_text(result, encoding="utf-8")
    rows = "".join(f"{label},{score}\n" for label, score in cases)
    (tmp_path / "cases.csv").write_text(f"label,score\n{rows}", encoding="utf-8")
    assert rocconf("count", "result.csv", "-o", "one.csv", "-q").status == 0
    assert rocconf("count", "cases.csv", *COLUMNS, "--resolution", "3", "-o", "two.csv", "-q").status == 0
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "two.csv").read_text()


UNCOUNTED = (
    "model,score,positives,negatives,missing_labels,other_labels\nm,0.5,3,1,0,0\nm,0.25,1,2,{},{}\nm,{},{},0,0,0\n"
)


@pytest.mark.parametrize("missing", ["", "NaN", "nan"])
def test_cases_without_a_score_are_an_error_or_dropped_and_counted(missing, rocconf, tmp_path):
    (tmp_path / "result.csv").write_text(UNCOUNTED.format(0, 0, missing, 4), encoding="utf-8")
    refused = rocconf("sweep", "result.csv")
    assert (refused.status, refused.out) == (2, "")
    assert "m: 0 cases have no label and 4 others no score; --na drop" in refused.err
    dropped = rocconf("sweep", "result.csv", "--na", "drop", "--format", "json")
    report = json.loads(dropped.out)
    assert (report["inputs"][0]["dropped"], report["summary"]["n"]) == (4, 7)
    assert "4 cases without a value were left out, 7 are left" in dropped.err


def test_cases_without_a_label_are_an_error_or_dropped_and_counted(rocconf, tmp_path):
    (tmp_path / "result.csv").write_text(UNCOUNTED.format(5, 0, "0.1", 0), encoding="utf-8")
    assert rocconf("sweep", "result.csv", "--require", "auc >= 0.1").status == 2
    assert rocconf("count", "result.csv", "-o", "x.parquet").status == 2
    counted = rocconf("count", "result.csv", "--na", "drop", "-o", "x.json", "-q")
    assert counted.status == 0, counted.err
    assert json.loads((tmp_path / "x.json").read_text())["inputs"][0]["dropped"] == 5


def test_cases_of_a_third_class_are_always_an_error(rocconf, tmp_path):
    (tmp_path / "result.csv").write_text(UNCOUNTED.format(0, 2, "0.1", 0), encoding="utf-8")
    for more in ((), ("--na", "drop")):
        ran = rocconf("sweep", "result.csv", *more)
        assert (ran.status, ran.out) == (2, "")
        assert "m: 2 cases have a label of a third class: make the SQL again with --positive" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--print-sql needs the dialect of the engine: --dialect duckdb, postgres"),
        (("--dialect", "snowflak"), "no dialect 'snowflak' of SQL; did you mean 'snowflake'?"),
        (("--dialect", "duckdb", "another"), "--print-sql counts one table, not 2"),
        (("--dialect", "duckdb", "--where", "day=1"), "write the condition into a view"),
        (("--dialect", "duckdb", "--na", "drop"), "--na is for what reads it"),
        (("--dialect", "duckdb", "-o", "x.csv"), "redirect standard output"),
        (("--dialect", "duckdb", "--format", "csv"), "cannot be combined with --format"),
        (("--dialect", "duckdb", "--remote", "sc://a"), "cannot be combined with --remote"),
        (("--dialect", "duckdb", "--rest"), "--rest"),
    ],
)
def test_what_makes_no_sql_is_refused(options, said, rocconf):
    ran = rocconf("count", "--print-sql", "cases", *COLUMNS, *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("--print-sql", "--dialect", "duckdb", "cases"), "missing: --label and --score"),
        (("--print-sql", "--dialect", "duckdb", "cases", "--label", "y"), "missing: --score"),
        (("--print-sql", "--dialect", "duckdb", *COLUMNS), "--print-sql counts one table, not 0"),
        (("--print-sql", "--dialect", "duckdb", "a..b", *COLUMNS), "'a..b' does not name a table"),
        (("--dialect", "duckdb", "cases.csv"), "--dialect is for --print-sql"),
        (("--paired", "a,b", "cases.csv"), "--paired is for --print-sql"),
        (
            ("--print-sql", "--dialect", "duckdb", "t", *COLUMNS, "--exact", "--resolution", "3"),
            "one query gives the counts",
        ),
        (("--print-sql", "--dialect", "duckdb", "t", *COLUMNS, "--max-scores", "3"), "combined with --max-scores"),
        (("--print-sql", "--dialect", "duckdb", "t", *COLUMNS, "--paired", "a,b"), "--paired names the columns"),
    ],
)
def test_what_is_missing_is_said(line, said, rocconf):
    ran = rocconf("count", *line)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_columns_of_the_configuration_are_taken(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text('[data]\nlabel = "churned"\npositive = "yes"\n', encoding="utf-8")
    ran = rocconf("count", "--print-sql", "--dialect", "bigquery", "data.scores", "--score", "p")
    assert ran.status == 0
    assert "rocconf_source.`churned`" in ran.out
    assert "FROM `data`.`scores` AS rocconf_source" in ran.out
    assert "label IN ('yes')" in ran.out


def test_a_dialect_of_the_help_is_a_dialect_of_the_engines():
    from rocconf.cli.print_sql import DIALECTS as NAMED
    from rocconf.engines import DIALECTS

    assert tuple(DIALECTS) == NAMED
