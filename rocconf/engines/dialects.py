"""The dialects of SQL, and all in which they differ for our queries."""

from __future__ import annotations

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean

STANDARD_FLOOR = "FLOOR({})"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How an engine spells what our queries need."""

    name: str
    quote: str = '"'
    """What stands around identifiers."""
    backslash: bool = False
    """Whether a backslash in a text is an escape."""
    backslash_names: bool = False
    """Whether a backslash in a quoted identifier is an escape."""
    text: str = "VARCHAR"
    double: str = "DOUBLE"
    integer: str = "BIGINT"
    whole: str = "DECIMAL(38, 0)"
    """The type of the largest whole numbers."""
    whole_result: str | None = None
    """The type in which they are returned, if it is another."""
    floor: str = STANDARD_FLOOR
    infinity: str = "CAST('{sign}Infinity' AS {double})"
    nan: str | None = "ISNAN({})"
    """The test of NaN; None if there is none."""
    number: str = "CAST({column} AS {double})"
    """A column as a double."""
    shown: str = "{}"
    """A double as the result has it; as text with all digits, where the engine's csv would round it."""
    fence: str = ""
    """What keeps the planner from computing the columns of a step again wherever the next step names them."""
    most_numbers: int | None = None
    """The most cases whose sums of squares fit the whole numbers, if that may be too few."""
    most_pairs: int | None = 3_300_000_000
    """The most cases whose sums of cubes fit the whole numbers, by default 38 digits."""
    tested: str = ""
    """On what its queries are tested; empty if they are only parsed."""

    def name_of(self, identifier: str) -> str:
        """Return an identifier in quotes, whatever it is made of."""
        if self.backslash_names:
            return f"{self.quote}{_escaped(identifier, self.quote)}{self.quote}"
        return f"{self.quote}{identifier.replace(self.quote, 2 * self.quote)}{self.quote}"

    def text_of(self, text: str) -> str:
        """Return a literal of a text, whatever it is made of."""
        return f"'{_escaped(text, chr(39))}'" if self.backslash else "'{}'".format(text.replace("'", "''"))

    def double_of(self, value: float) -> str:
        """Return a literal of a double, exactly."""
        if value in (float("inf"), float("-inf")):
            sign = "-" if value < 0 else ""
            return self.infinity.format(sign=sign, double=self.double)
        digits, _, exponent = repr(float(value)).partition("e")
        return f"{digits.removesuffix('.0')}E{int(exponent or 0)}"  # with an exponent it is no decimal number

    def number_of(self, column: str) -> str:
        """Return a column as a double; what is added makes -0.0 the same as 0.0."""
        return f"{self.number.format(column=column, double=self.double)} + 0E0"


def _escaped(text: str, quote: str) -> str:
    escapes = {"\\": "\\\\", quote: f"\\{quote}", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(escapes.get(character, character) for character in text)


SQLITE_NUMBER = """CASE
      WHEN TYPEOF({column}) IN ('integer', 'real') THEN CAST({column} AS REAL)
      WHEN LOWER(TRIM({column})) IN ('inf', '+inf', 'infinity', '+infinity') THEN 9E999
      WHEN LOWER(TRIM({column})) IN ('-inf', '-infinity') THEN -9E999
      WHEN {column} GLOB '*[0-9]*' AND TRIM({column}) NOT GLOB '*[^0-9.eE+-]*' THEN CAST({column} AS REAL)
    END"""
"""SQLite takes any text for a number: 'x' and the empty text for 0."""

DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("duckdb", whole="HUGEINT", whole_result="DECIMAL(38, 0)", tested="duckdb"),
        Dialect(
            "postgres",
            text="TEXT",
            double="DOUBLE PRECISION",
            whole="NUMERIC",
            nan="{} = CAST('NaN' AS DOUBLE PRECISION)",
            fence="\n  OFFSET 0",
            most_pairs=None,
            tested="PostgreSQL",
        ),
        Dialect(
            "sqlite",
            text="TEXT",
            double="REAL",
            integer="INTEGER",
            whole="INTEGER",
            floor="(CAST({0} AS INTEGER) - ({0} < CAST({0} AS INTEGER)))",
            infinity="{sign}9E999",
            nan=None,
            number=SQLITE_NUMBER,
            shown="CASE WHEN {0} IS NULL THEN NULL ELSE PRINTF('%!.20g', {0}) END",
            fence="\n  LIMIT -1",
            most_numbers=2_400_000,
            most_pairs=57_000,
            tested="SQLite",
        ),
        Dialect("datafusion", infinity="CAST('{sign}Inf' AS {double})", tested="DataFusion"),
        Dialect("spark", quote="`", backslash=True, text="STRING", tested="Spark"),
        Dialect(
            "bigquery",
            quote="`",
            backslash=True,
            backslash_names=True,
            text="STRING",
            double="FLOAT64",
            integer="INT64",
            whole="BIGNUMERIC",
            most_pairs=None,
            nan="IS_NAN({})",
        ),
        Dialect(
            "snowflake",
            backslash=True,
            nan="{} = CAST('NaN' AS DOUBLE)",
            infinity="CAST('{sign}inf' AS {double})",
        ),
        Dialect(
            "clickhouse",
            backslash=True,
            backslash_names=True,
            text="Nullable(String)",
            double="Nullable(Float64)",
            integer="Int64",
            whole="Int256",
            most_pairs=None,
            infinity="CAST('{sign}inf' AS Float64)",
            nan="isNaN({})",
        ),
        Dialect("trino", nan="IS_NAN({})"),
        Dialect(
            "redshift",
            backslash=True,
            text="VARCHAR(65535)",
            double="DOUBLE PRECISION",
            nan="{} = CAST('NaN' AS DOUBLE PRECISION)",
        ),
    )
}
"""All dialects, those that are tested first."""


def dialect_of(name: str) -> Dialect:
    """Return a dialect by its name."""
    known = {"postgresql": "postgres", "databricks": "spark", "sparksql": "spark", "presto": "trino", "athena": "trino"}
    word = name.strip().lower()
    found = DIALECTS.get(known.get(word, word))
    if found is None:
        raise UsageError("dialect-unknown", found=name, known=", ".join(DIALECTS), meant=did_you_mean(word, DIALECTS))
    return found
