"""PostgreSQL counts what there is to count, and what psql writes is read as it is."""

import csv
import io
import os
from math import inf, isnan

import adversarial
import postgres
import pytest

from rocconf.engines import DIALECTS, Table, bins, counts, facts, numbers, pairs

IS_REQUIRED = os.environ.get("ROCCONF_ENGINES") == "required"
DIALECT = DIALECTS["postgres"]
ROWS = adversarial.adversarial_cases()
CASES = Table('"cases"', "label", ("score",))
OF_TWO_CLASSES = Table("(SELECT * FROM cases WHERE label IN (0, 1) OR label IS NULL)", "label", ("score",))
pytestmark = pytest.mark.thorough  # a server takes seconds to start


@pytest.fixture(scope="module")
def server():
    """A server with the adversarial cases."""
    if postgres.programs() is None:
        if IS_REQUIRED:
            pytest.fail("PostgreSQL is required here: apt-get install postgresql")
        pytest.skip("PostgreSQL is not installed")
    with postgres.running() as running:
        values = ",".join(f"({_literal(label)}, {_literal(score)})" for label, score in ROWS)
        running.csv("CREATE TABLE cases (label INTEGER, score DOUBLE PRECISION)")
        running.csv(f"INSERT INTO cases VALUES {values}")
        yield running


def _literal(cell):
    return "NULL" if cell is None else f"'{cell!r}'"


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))[1:]


def found(server, sql, width):
    """Return the counts of a result by their edges."""
    result = {}
    for _, *row in rows_of(server.csv(sql)):
        key = None if row[0] in ("", "NaN") else float(row[0])
        if width == 2 and key is not None:
            key = (key, float(row[1]) if row[1] else inf)
        tally = result.setdefault(key, [0, 0, 0, 0])
        for place, cases in enumerate(row[width:]):
            tally[place] += int(cases)
    return result


def test_counts_every_distinct_score(server):
    assert found(server, counts(DIALECT, CASES), 1) == adversarial.tallied(ROWS, lambda score: score)


@pytest.mark.parametrize("resolution", [1, 11, 52])
def test_bins_are_those_of_their_definition(server, resolution):
    assert found(server, bins(DIALECT, CASES, resolution=resolution), 2) == adversarial.binned(ROWS, resolution)


def test_thresholds_are_the_edges_of_bins(server):
    edges = [-1.0, 0.0, 5e-324, 0.25, 2.0**70]
    assert found(server, bins(DIALECT, CASES, thresholds=edges), 2) == adversarial.between(ROWS, edges)


def test_whole_numbers_are_those_of_the_cases(server):
    ((_, *row),) = rows_of(server.csv(numbers(DIALECT, OF_TWO_CLASSES)))
    assert list(map(int, row[:-3])) == adversarial.whole_numbers(ROWS)


def test_paired_numbers_are_those_of_the_cases(server):
    other = "(SELECT label, score, -score AS other FROM cases WHERE label IN (0, 1))"
    rows = [(label, score, None if score is None else -score) for label, score in ROWS]
    sql = pairs(DIALECT, Table(other, "label", ("score", "other")), model="score", baseline="other")
    ((_, _, *row),) = rows_of(server.csv(sql))
    assert list(map(int, row[:-3])) == adversarial.paired_numbers(rows)


def test_facts_tell_what_cannot_be_counted(server):
    ((*row,),) = rows_of(server.csv(facts(DIALECT, CASES, "score")))
    nan = sum(score is not None and isnan(score) for _, score in ROWS)
    null = sum(score is None for _, score in ROWS)
    assert list(map(float, row[3:9])) == [3, 2, null, nan, -inf, inf]


def test_what_psql_writes_is_read_as_it_is(server, rocconf, tmp_path):
    table = "(SELECT label, score FROM cases WHERE label IN (0, 1) AND score <> 'NaN')"
    result = server.csv(counts(DIALECT, Table(table, "label", ("score",))))
    (tmp_path / "result.csv").write_text(result, encoding="utf-8")
    (tmp_path / "cases.csv").write_text(server.csv(f"SELECT * FROM {table} AS cases"), encoding="utf-8")
    assert rocconf("count", "result.csv", "-o", "one.csv", "-q").status == 0
    assert rocconf("count", "cases.csv", "-o", "two.csv", "-q").status == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
