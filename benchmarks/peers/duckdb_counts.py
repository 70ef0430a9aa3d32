"""The counts of positives and negatives at each score as a hand-written DuckDB query."""

import json
import sys

import duckdb

QUERY = """
with counts as (
  select score, count(*) filter (label = 1) as positives, count(*) filter (label = 0) as negatives
  from '{path}' group by score
)
select sum(positives), sum(negatives), count(*) from counts
"""
(found,) = duckdb.sql(QUERY.format(path=sys.argv[1])).fetchall()
print(json.dumps(dict(zip(("positives", "negatives", "scores"), map(int, found), strict=True))))
