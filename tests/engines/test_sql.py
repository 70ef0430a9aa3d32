"""The SQL of counts gives what there is to count, on engines that run here; the others' is parsed in their dialect."""

import re
import sqlite3
from math import inf, isnan, ldexp

import adversarial
import duckdb
import pytest
import sqlglot
from sqlglot import exp

from rocconf.engines import (
    DIALECTS,
    Table,
    bins,
    counts,
    dialect_of,
    facts,
    numbers,
    other_labels,
    pairs,
    relation,
)
from rocconf.errors import UsageError

ROWS = adversarial.adversarial_cases()
PAIRS = [
    (
        label,
        score,
        None if score is None else (-score if place % 5 == 0 else score * score if abs(score) < 1 else score),
    )
    for place, (label, score) in enumerate(ROWS)
]
RESOLUTIONS = (1, 3, 11, 52)
EDGES = (-1.0, 0.0, 5e-324, 0.25, 0.3, ldexp(1.0, 70))
AWKWARD = ['"', "a\"b'c`d\\e", "x; DROP TABLE t --", "SELECT", "score", "label", "s", "é√", "a.b", " ", "%", "/* */"]


def in_duckdb(rows, columns):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE cases ({columns})")
    lists = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(f"INSERT INTO cases SELECT {', '.join(['UNNEST(?)'] * len(lists))}", lists)
    return lambda sql: connection.execute(sql).fetchall()


def in_sqlite(rows, columns):
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE cases ({columns})")
    connection.executemany(f"INSERT INTO cases VALUES ({', '.join('?' * len(rows[0]))})", rows)
    return lambda sql: connection.execute(sql).fetchall()


ENGINES = {"duckdb": in_duckdb, "sqlite": in_sqlite}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    """Return a dialect and what runs it on the adversarial cases."""
    run = ENGINES[request.param](PAIRS, "label INTEGER, score DOUBLE, other DOUBLE")
    return DIALECTS[request.param], run


def table_of(dialect, **more):
    return Table(relation(dialect, "cases"), "label", ("score",), **more)


def read_counts(result, width):
    """Return the counts of a result by their edges: NaN and missing scores are None, no upper edge is infinite."""
    found = {}
    for _, *row in result:
        key = None if row[0] is None or isnan(float(row[0])) else float(row[0])
        if width == 2 and key is not None:
            key = (key, inf if row[1] is None else float(row[1]))
        tally = found.setdefault(key, [0, 0, 0, 0])
        for place, cases in enumerate(row[width:]):
            tally[place] += cases
    return found


def test_counts_every_distinct_score(engine):
    dialect, run = engine
    result = run(counts(dialect, table_of(dialect)))
    assert read_counts(result, 1) == adversarial.tallied(ROWS, lambda score: score)


def test_rows_of_counts_are_in_order(engine):
    dialect, run = engine
    cells = [float(row[1]) for row in run(counts(dialect, table_of(dialect))) if row[1] is not None]
    scores = [score for score in cells if not isnan(score)]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == len(set(scores))


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_bins_are_those_of_their_definition(engine, resolution):
    dialect, run = engine
    result = run(bins(dialect, table_of(dialect), resolution=resolution))
    assert read_counts(result, 2) == adversarial.binned(ROWS, resolution)


def test_thresholds_are_the_edges_of_bins(engine):
    dialect, run = engine
    result = run(bins(dialect, table_of(dialect), thresholds=EDGES))
    assert read_counts(result, 2) == adversarial.between(ROWS, list(EDGES))


def of_two_classes(_):
    """Return the table without the cases of a third class: a relation may be a query."""
    return Table("(SELECT * FROM cases WHERE label IN (0, 1) OR label IS NULL)", "label", ("score",))


def test_whole_numbers_are_those_of_the_cases(engine):
    dialect, run = engine
    ((model, *row),) = run(numbers(dialect, of_two_classes(dialect)))
    *found, labels, others, scores = map(int, row)
    assert model == "score"
    assert found == adversarial.whole_numbers(ROWS)
    assert (labels, others) == (3, 0)
    assert scores == sum((score is None or isnan(score)) and label in (0, 1, None) for label, score in ROWS)


def test_paired_numbers_are_those_of_the_cases(engine):
    dialect, run = engine
    ((_, _, *row),) = run(pairs(dialect, of_two_classes(dialect), model="score", baseline="other"))
    assert list(map(int, row[:-3])) == adversarial.paired_numbers(PAIRS)


@pytest.mark.parametrize("name", ENGINES)
def test_whole_numbers_have_no_value_where_there_is_a_third_class(name):
    dialect = DIALECTS[name]
    run = ENGINES[name]([(1, 0.5, 0.5), (0, 0.25, 0.3), (2, 0.3, 0.3)], "label INTEGER, score DOUBLE, other DOUBLE")
    (row,) = run(numbers(dialect, table_of(dialect)))
    assert set(row[3:7]) == {None}
    (row,) = run(pairs(dialect, table_of(dialect), model="score", baseline="other"))
    assert set(row[4:16]) == {None}


@pytest.mark.parametrize(
    ("rows", "same"),
    [
        ([(1, 0.5, 2.0), (0, 0.25, 1.0), (0, 0.25, 1.0), (1, 0.1, 0.0)], (1, 0)),
        ([(1, 0.5, 2.0), (0, 0.25, 1.0), (0, 0.25, 1.5), (1, 0.1, 0.0)], (0, 0)),
        ([(1, 0.5, 0.5), (0, 0.25, 0.25), (0, 0.0, -0.0), (1, None, 3.0)], (1, 1)),
        ([(1, 0.5, 0.5), (1, 0.6, 0.7), (1, 0.7, 0.6), (0, 0.0, 0.0)], (0, 0)),
    ],
    ids=["same order", "a tie is broken", "same scores", "positives change places"],
)
@pytest.mark.parametrize("name", ENGINES)
def test_pairs_know_what_is_the_same(name, rows, same):
    dialect = DIALECTS[name]
    run = ENGINES[name](rows, "label INTEGER, score DOUBLE, other DOUBLE")
    (row,) = run(pairs(dialect, table_of(dialect), model="score", baseline="other"))
    assert row[16:18] == same


def test_facts_tell_what_cannot_be_counted(engine):
    dialect, run = engine
    (row,) = run(facts(dialect, table_of(dialect), "score"))
    nan = sum(score is not None and isnan(score) for _, score in ROWS)
    null = sum(score is None for _, score in ROWS)
    if dialect.name == "sqlite":
        null, nan = null + nan, 0  # it has no NaN
    distinct = len({score for _, score in ROWS if score is not None and not isnan(score)})
    assert row[0] == len(ROWS)
    assert row[3:] == (3, 2, null, nan, -inf, inf, distinct)
    assert run(other_labels(dialect, table_of(dialect))) == [("2", 1), ("7", 1)]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("type_", "labels", "positive", "rest", "found"),
    [
        ("BOOLEAN", [True, False, None], None, False, (1, 1, 1, 0)),
        ("VARCHAR", ["1", "0", " 1 ", "TRUE", "False", "", "NaN", "yes"], None, False, (3, 2, 2, 1)),
        ("DOUBLE", [1.0, 0.0, 2.0], None, False, (1, 1, 0, 1)),
        ("VARCHAR", ["yes", "no", "no", None, "n/a"], "yes", False, (1, 2, 2, 0)),
        ("VARCHAR", ["yes", "no", "Yes", "no"], "yes", False, (1, 1, 0, 2)),
        ("VARCHAR", ["yes", "no", "maybe", ""], "yes", True, (1, 2, 1, 0)),
        ("INTEGER", [2, 1, 1, 3], "2", True, (1, 3, 0, 0)),
        ("DOUBLE", [2.0, 1.0, 1.0], "2", False, (1, 2, 0, 0)),
        ("BOOLEAN", [True, False, False], "false", False, (2, 1, 0, 0)),
        ("VARCHAR", ["none", "some", "null"], "none", False, (1, 1, 1, 0)),
        ("VARCHAR", ["it's \\", "other"], "it's \\", False, (1, 1, 0, 0)),
    ],
)
def test_labels_mean_what_they_mean_in_files(name, type_, labels, positive, rest, found):
    dialect = DIALECTS[name]
    run = ENGINES[name]([(label, 0.5) for label in labels], f"label {type_}, score DOUBLE")
    ((_, _, *counted),) = run(counts(dialect, table_of(dialect, positive=positive, rest=rest)))
    if positive == "yes" and "Yes" in labels:  # which of two other labels is the negative one is not promised
        assert (counted[0], counted[1] + counted[3]) == (1, 3)
        assert counted[3] > 0
    else:
        assert tuple(counted) == found


def test_text_that_sqlite_would_take_for_a_number_is_no_score():
    cells = ["0.5", " 0.25 ", "", "x", "0.5x", "1e-3", "inf", "-Infinity", None, "nan"]
    run = in_sqlite([(1, cell) for cell in cells], "label INTEGER, score TEXT")
    found = read_counts(run(counts(DIALECTS["sqlite"], table_of(DIALECTS["sqlite"]))), 1)
    assert {score: tally[0] for score, tally in found.items()} == {
        **dict.fromkeys((0.5, 0.25, 0.001, inf, -inf), 1),
        None: 5,
    }


@pytest.mark.parametrize("name", ["sqlite"])
def test_sums_that_may_not_fit_have_no_value(name):
    dialect = DIALECTS[name]
    rows = [(place % 2, place % 7, -(place % 7)) for place in range(60_000)]
    run = ENGINES[name](rows, "label INTEGER, score DOUBLE, other DOUBLE")
    (row,) = run(pairs(dialect, table_of(dialect), model="score", baseline="other"))
    assert row[2:4] == (30_000, 30_000)
    assert set(row[4:16]) == {None}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("column", AWKWARD)
def test_any_name_of_a_column_is_safe(name, column):
    dialect = DIALECTS[name]
    others = [each for each in ("one", "two") if each != column]
    quoted = [dialect.name_of(each) for each in (column, *others)]
    rows = [(1, 1, 0.5), (0, 0, 0.25)]
    run = ENGINES[name](rows, f"{quoted[0]} DOUBLE, {quoted[1]} INTEGER, {quoted[2]} DOUBLE")
    shown = str if name == "sqlite" else float
    as_label = counts(dialect, Table('"cases"', column, (others[1],)))
    assert run(as_label) == [(others[1], shown(0.5), 1, 0, 0, 0), (others[1], shown(0.25), 0, 1, 0, 0)]
    as_score = counts(dialect, Table('"cases"', others[0], (column,)))
    assert run(as_score) == [(column, shown(1.0), 1, 0, 0, 0), (column, shown(0.0), 0, 1, 0, 0)]


@pytest.mark.thorough
def test_several_models_are_counted_in_one_query(engine):
    dialect, run = engine
    both = Table(relation(dialect, "cases"), "label", ("score", "other"))
    for query in (counts, bins, numbers):
        alone = [row for each in both.scores for row in run(query(dialect, Table(both.relation, "label", (each,))))]
        assert sorted(map(repr, run(query(dialect, both)))) == sorted(map(repr, alone))


STATEMENTS = {
    "counts": counts,
    "bins": bins,
    "thresholds": lambda dialect, table: bins(dialect, table, thresholds=EDGES),
    "facts": lambda dialect, table: facts(dialect, table, table.scores[0]),
    "other labels": other_labels,
    "numbers": numbers,
    "pairs": lambda dialect, table: pairs(dialect, table, model=table.scores[0], baseline=table.scores[1]),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "datafusion"])  # which sqlglot does not know
@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_dialect_parses_its_text(name, statement):
    dialect = DIALECTS[name]
    awkward = "a\"b'c`d\\e"
    table = Table(relation(dialect, "db.cases"), awkward, (awkward + "1", "two"), positive="it's \\ `\"")
    (parsed,) = sqlglot.parse(STATEMENTS[statement](dialect, table), dialect=name)
    assert awkward in {column.name for column in parsed.find_all(exp.Column)}
    assert "it's \\ `\"" in {literal.name for literal in parsed.find_all(exp.Literal)}
    assert {(each.db, each.name) for each in parsed.find_all(exp.Table) if each.db} == {("db", "cases")}


@pytest.mark.parametrize("name", ENGINES)
def test_literals_of_doubles_are_exact(name):
    dialect = DIALECTS[name]
    values = [ldexp(1.0, exponent) for exponent in range(-64, 117)] + [0.1, 1 / 3, 5e-324, inf, -inf, 1e-300]
    run = ENGINES[name]([(1,)], "one INTEGER")
    for value in values:
        assert run(f"SELECT {dialect.double_of(value)}") == [(value,)]


@pytest.mark.parametrize(
    ("dialect", "name", "quoted"),
    [
        ("duckdb", "scores", '"scores"'),
        ("postgres", "public.scores", '"public"."scores"'),
        ("bigquery", "project.data.scores", "`project`.`data`.`scores`"),
        ("postgres", '"my.schema"."a""b"', '"my.schema"."a""b"'),
        ("spark", "`a.b`.c", "`a.b`.`c`"),
        ("duckdb", "day=1/scores.parquet", '"day=1/scores.parquet"'),
        ("sqlite", "x y", '"x y"'),
    ],
)
def test_each_part_of_a_tables_name_is_quoted(dialect, name, quoted):
    assert relation(DIALECTS[dialect], name) == quoted


@pytest.mark.parametrize("name", ["", " ", "a..b", ".a", "a.", 'a"b', '"a', "a\nb", '"a"b'])
def test_what_names_no_table_is_refused(name):
    with pytest.raises(UsageError, match="does not name a table"):
        relation(DIALECTS["postgres"], name)


def test_dialects_are_known_by_their_other_names():
    assert dialect_of("PostgreSQL").name == "postgres"
    assert dialect_of("databricks").name == "spark"
    with pytest.raises(UsageError, match=re.escape("did you mean 'snowflake'")):
        dialect_of("snowflak")
