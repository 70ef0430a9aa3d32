"""Bad files: their content, the options, and the message word for word."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.conditions import parse_conditions

if TYPE_CHECKING:
    from collections.abc import Mapping


class Bad(NamedTuple):
    what: str
    content: str | bytes
    message: str
    options: Mapping[str, Any] = MappingProxyType({})
    file: str = "scores.csv"

    def __str__(self):
        return self.what.replace(" ", "-")


HEAD = "label,score\n"
GOOD = HEAD + "1,0.9\n0,0.1\n"
MANY = "".join(f"{row % 2},{row / 7}\n" for row in range(20_000))
REST = "with more than two classes, rest takes that of positive=NAME as positive and all others as negative"
REST_HINT = f"\n  ({REST})"
NAME_HINT = "\n  (if these are the names of the classes, positive=NAME says which one is positive)"
LABEL_HINT = f"\n  (if these are the names of the classes, positive=NAME says which one is positive; {REST})"
MISSING_HINT = "\n  (na='drop' leaves out the rows without a value, and counts them)"
BOTH_HINTS = f"{LABEL_HINT[:-1]}; {MISSING_HINT[4:]}"
COMMA_HINT = "\n  (where no comma delimits cells, str.replace(',', '.') writes numbers with points)"
PERCENT_HINT = "\n  (str.rstrip('%') writes numbers: scores need not be fractions)"
DUPLICATE_HINT = "\n  (every case must have a different id: cases are assumed to be independent; model=COLUMN reads a row for each case and model)"
DIGITS = "9" * 400

COLUMNS = [
    Bad(
        "a missing label column",
        "outcome,score\n1,0.9\n0,0.1\n",
        "which column is the label?\n  labels could be: outcome (1, 0)\n  try: label='outcome'",
    ),
    Bad(
        "a missing column with one like it",
        "Outcome,score\n1,0.9\n",
        "no column 'outcom' (found: Outcome, score); did you mean 'Outcome'?",
        {"label": "outcom"},
    ),
    Bad("a missing column with none like it", GOOD, "no column 'zzz' (found: label, score)", {"score": ("zzz",)}),
    Bad("a missing id column", GOOD, "no column 'key' (found: label, score)", {"id": "key"}),
    Bad(
        "a missing column of many",
        ",".join(f"c{column}" for column in range(30)) + "\n",
        f"no column 'label' (found: {', '.join(f'c{column}' for column in range(20))} and 10 more)",
        {"label": "label"},
    ),
    Bad(
        "two label columns",
        "label,target,score\n1,1,0.9\n0,2,0.1\n",
        "which column is the label?\n  labels could be: label (1, 0), target (1, 2)\n  try: label='label'",
    ),
    Bad(
        "several numeric columns",
        "label,a,b,c\n1,0.9,0.8,x\n0,1,0.2,y\n",
        "which column is the score?\n  scores could be: a, b\n  try: score='a'",
    ),
    Bad(
        "a usual score column that occurs twice",
        "label,score,score\n1,0.9,0.8\n0,1,2\n",
        "2 columns are called 'score'",
    ),
    Bad(
        "one numeric name that occurs twice",
        "label,a,a\n1,0.9,0.8\n0,1,2\n",
        "2 columns are called 'a'",
    ),
    Bad(
        "a column called id beside another for the ids",
        "id,label,score\n1,1,0.9\n2,0,0.1\n",
        "which column is the score?\n  scores could be, but only with score=NAME: id",
        {"id": "score"},
    ),
    Bad(
        "no numeric column",
        "label,a\n1,x\n0,y\n",
        "which column is the score?\n  no column holds numbers (found: label, a)",
    ),
    Bad("only a label column", "label\n1\n0\n", "which column is the score?\n  no column holds numbers (found: label)"),
    Bad(
        "a column name that occurs twice",
        "label,score,score\n1,0.9,0.8\n0,1,2\n",
        "2 columns are called 'score'",
        {"score": ("score",)},
    ),
    Bad("a label column that occurs twice", "label,label,score\n1,1,0.9\n", "2 columns are called 'label'"),
    Bad("an id column that occurs twice", "id,label,id,score\n1,1,1,0.9\n", "2 columns are called 'id'"),
    Bad(
        "numeric columns of one name",
        "label,a,a\n1,0.9,0.8\n",
        "2 columns are called 'a'",
        {"several": True},
    ),
    Bad(
        "no header",
        "1,0.9\n0,0.1\n",
        "which column is the label?\n  found: 1, 0.9\n  the first line looks like data, but must name the columns",
    ),
    Bad(
        "no header, where a column is asked for",
        "1,0.9\n0,0.1\n",
        "no column 'outcome' (found: 1, 0.9)\n  (the first line looks like data, but must name the columns)",
        {"label": "outcome"},
    ),
    Bad(
        "semicolons in a csv file",
        "label;score\n1;0,9\n",
        "which character separates the cells?\n  the header looks separated by ';'\n  try: delimiter=';'",
    ),
    Bad(
        "tabs in a csv file",
        "label\tscore\n1\t0.9\n",
        "which character separates the cells?\n  the header looks separated by 'tab'\n  try: delimiter='tab'",
    ),
    Bad(
        "commas in a tsv file",
        GOOD,
        "which character separates the cells?\n  the header looks separated by ','\n  try: delimiter=','",
        {"label": "label"},
        "scores.tsv",
    ),
    Bad(
        "a filter by a column that is not there",
        GOOD,
        "no column 'site' (found: label, score)",
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
    Bad(
        "a filter by a column like one that is there",
        "label,score,Site\n1,0.9,A\n",
        "no column 'site' (found: label, score, Site); did you mean 'Site'?",
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
]

LABELS = [
    Bad(
        "a label that is neither 0 nor 1",
        HEAD + "1,0.9\n0,0.1\nmaybe,0.5\n",
        "line 4: label 'maybe' is neither 0 nor 1" + LABEL_HINT,
    ),
    Bad(
        "labels of two other words",
        HEAD + "good,0.9\nbad,0.1\n bad,0.2\ngood,x\n",
        "which value of label is the positive class?\n  it could be: bad, good\n  try: positive='bad'",
    ),
    Bad(
        "labels of two other numbers",
        HEAD + "2,0.9\n3,0.1\n2.0,0.2\n",
        "which value of label is the positive class?\n  it could be: 3, 2\n  try: positive='3'",
    ),
    Bad(
        "labels of three other words",
        HEAD + "a,0.9\nb,0.1\nc,0.2\n",
        "3 faults\n  line 2: label 'a' is neither 0 nor 1\n  line 3: label 'b' is neither 0 nor 1\n"
        "  line 4: label 'c' is neither 0 nor 1" + LABEL_HINT,
    ),
    Bad("a label 2", HEAD + "1,0.9\n2,0.1\n", "line 3: label '2' is neither 0 nor 1" + NAME_HINT),
    Bad("a label -1", HEAD + "1,0.9\n-1,0.1\n", "line 3: label '-1' is neither 0 nor 1" + NAME_HINT),
    Bad(
        "a label in other digits",
        HEAD + "1,0.9\n\uff10,0.1\n",
        "line 3: label '\uff10' is neither 0 nor 1" + NAME_HINT,
    ),
    Bad(
        "a long label",
        HEAD + "1,0.9\n0,0.1\n" + "x" * 5000 + ",0.1\n",
        f"line 4: label '{'x' * 40}...' is neither 0 nor 1" + LABEL_HINT,
    ),
    Bad("no label", HEAD + "1,0.9\n0,0.1\n,0.5\n", "line 4: label has no value" + MISSING_HINT),
    Bad("a blank label", HEAD + "1,0.9\n0,0.1\n  ,0.5\n", "line 4: label has no value" + MISSING_HINT),
    Bad("a label NA", HEAD + "1,0.9\n0,0.1\nNA,0.5\n", "line 4: label has no value" + MISSING_HINT),
    Bad(
        "a third class",
        HEAD + "sick,0.9\nwell,0.1\nsick,0.8\nmaybe,0.5\n",
        "line 5: label 'maybe' is neither 'sick' nor 'well'" + REST_HINT,
        {"positive": "sick"},
    ),
    Bad(
        "a positive label that never occurs",
        HEAD + "sick,0.9\nwell,0.1\n",
        "no label equals positive='Sick' (found: 'sick', 'well')",
        {"positive": "Sick"},
    ),
    Bad(
        "a positive label that never occurs, among other faults",
        HEAD + "sick,0.9\nwell,\nwell,x\n",
        "no label equals positive='ill' (found: 'sick', 'well')",
        {"positive": "ill"},
    ),
    Bad(
        "only negative labels",
        HEAD + "0,0.9\n0,0.1\n",
        "only one class: 0 of 2 cases are positive (label 1), and both classes are needed",
    ),
    Bad(
        "only positive labels",
        HEAD + "1,0.9\n1,0.1\n",
        "only one class: 2 of 2 cases are positive (label 1), and both classes are needed",
    ),
    Bad(
        "only positive labels of a name",
        HEAD + "sick,0.9\nsick,0.1\n",
        "only one class: 2 of 2 cases are positive (label sick), and both classes are needed",
        {"positive": "sick"},
    ),
    Bad(
        "long numbers that differ in their last digit",
        HEAD + "10000000000000000001,0.9\n10000000000000000002,0.1\n10000000000000000003,0.1\n",
        "line 4: label '10000000000000000003' is neither '10000000000000000001' nor '10000000000000000002'" + REST_HINT,
        {"positive": "10000000000000000001"},
    ),
]

NOT_NUMBERS = [
    "high",
    "1_0",
    "0x1p3",
    "0x10",
    "1e",
    "e5",
    ".",
    "-",
    "+-1",
    "1 2",
    "٣",
    "\uff11",
    "1d5",
    "infin",
    "-nan",
    "--1",
]

SCORES = [
    *(
        Bad(f"a score {text}", HEAD + f"1,0.9\n0,0.1\n1,{text}\n", f"line 4: score {text!r} is not a number")
        for text in NOT_NUMBERS
    ),
    *(
        Bad(f"a score {text!r}", HEAD + f"1,0.9\n0,0.1\n1,{text}\n", "line 4: score has no value" + MISSING_HINT)
        for text in ["", " ", "nan", "NaN", "NA", "N/A", "null", "None", '""']
    ),
    Bad(
        "a decimal comma",
        "label;score\n1;0.9\n0;0,1\n",
        "line 3: score '0,1' is not a number; write numbers with a point" + COMMA_HINT,
        {"delimiter": ";"},
    ),
    Bad(
        "a decimal comma in quotes",
        HEAD + '1,0.9\n0,"0,1"\n',
        "line 3: score '0,1' is not a number; write numbers with a point" + COMMA_HINT,
    ),
    Bad("a percent sign alone", HEAD + "1,0.9\n0,%\n", "line 3: score '%' is not a number"),
    Bad(
        "a number of 400 digits",
        GOOD + f"1,{DIGITS}\n",
        f"line 4: score '{'9' * 40}...' is too large for a 64-bit float",
    ),
    Bad("a score 1e400", GOOD + "1,1e400\n", "line 4: score '1e400' is too large for a 64-bit float"),
    Bad("a score -1e400", GOOD + "1,-1e400\n", "line 4: score '-1e400' is too large for a 64-bit float"),
    Bad("a quoted score 1e400", GOOD + '1," 1e400"\n', "line 4: score ' 1e400' is too large for a 64-bit float"),
    Bad("a score True", GOOD + "1,True\n", "line 4: score 'True' is not a number"),
    Bad("a date for a score", GOOD + "1,2024-01-05\n", "line 4: score '2024-01-05' is not a number"),
    Bad(
        "a percentage for a score",
        GOOD + "1,45%\n",
        "line 4: score '45%' is a percentage; write a number" + PERCENT_HINT,
    ),
    Bad(
        "a bad score in one of two columns",
        "label,a,b\n1,0.9,0.8\n0,0.1,x\n1,y,\n",
        "3 faults\n  line 3: b 'x' is not a number\n  line 4: a 'y' is not a number\n  line 4: b has no value"
        + MISSING_HINT,
        {"score": ("a", "b")},
    ),
]

ROWS = [
    Bad("an empty file", "", "the file is empty; its first line must name the columns"),
    Bad("a file of blank lines", "\n\r\n\n", "the file is empty; its first line must name the columns"),
    Bad("a byte order mark alone", b"\xef\xbb\xbf", "the file is empty; its first line must name the columns"),
    Bad("a header alone", HEAD, "no rows below the header", {"score": ("score",)}),
    Bad("a header and blank lines", "label,score\n\n\n", "no rows below the header", {"score": ("score",)}),
    Bad(
        "a header alone, and no score named",
        "label,a\n",
        "which column is the score?\n  no column holds numbers (found: label, a)",
    ),
    Bad("a short row", GOOD + "1\n0,0.2\n", "line 4: 1 cell, but the header has 2"),
    Bad("a long row", GOOD + "1,0.2,0.3\n0,0.2\n", "line 4: 3 cells, but the header has 2"),
    Bad("a delimiter too many", GOOD + "1,0.2,\n0,0.2\n", "line 4: 3 cells, but the header has 2"),
    Bad("a short last row", GOOD + "1,0.2\n0", "line 5: 1 cell, but the header has 2"),
    Bad(
        "a long row in columns nobody asked for",
        "label,score,note\n1,0.9,a\n0,0.1,b,c\n",
        "line 3: 4 cells, but the header has 3",
    ),
    Bad(
        "a short row in columns nobody asked for",
        "label,score,note\n1,0.9,a\n0,0.1\n",
        "line 3: 2 cells, but the header has 3",
    ),
    Bad(
        "a long row and a short one",
        "label,note,score\n1,a,0.9,x\n0,b,0.2\n1,0.3\n",
        "2 faults\n  line 2: 4 cells, but the header has 3\n  line 4: 2 cells, but the header has 3",
    ),
    Bad(
        "a long row and a short one that make up for each other",
        "label,score,note\n1,0.9,a,b\n0,0.1\n",
        "2 faults\n  line 2: 4 cells, but the header has 3\n  line 3: 2 cells, but the header has 3",
    ),
    Bad(
        "quotes in the middle of a cell",
        'label,score,note\n1,0.9,a"b,c"\n0,0.1,d\n',
        "line 2: 4 cells, but the header has 3",
    ),
    Bad("a line of blanks", GOOD + "  \n", "line 4: 1 cell, but the header has 2"),
    Bad(
        "a carriage return inside a row",
        GOOD + "1\r,0.5\n",
        "2 faults\n  line 4: 1 cell, but the header has 2\n  line 5: label has no value" + MISSING_HINT,
    ),
    Bad(
        "a carriage return in a column nobody asked for",
        "label,score,note\n1,0.9,a\rb\n0,0.1,c\n",
        "line 3: 1 cell, but the header has 3",
    ),
    Bad(
        "an unclosed quote",
        GOOD + '1,"0.5\n0,0.2\n1,0.7\n',
        "line 4: the quote opened in the row that begins here is never closed",
    ),
    Bad(
        "an unclosed quote far from the end",
        GOOD + '1,"0.5\n' + MANY + "x" * (1 << 24),
        "line 4: the quote opened in the row that begins here is never closed",
    ),
    Bad(
        "an unclosed quote far below",
        HEAD + MANY + '1,"0.5\n' + MANY,
        "line 20002: the quote opened in the row that begins here is never closed",
    ),
    Bad(
        "an unclosed quote in the header",
        'label,"score\n1,0.5\n',
        "line 1: the quote opened in the row that begins here is never closed",
    ),
    Bad("text after a closing quote", GOOD + '1,"0.5"x\n', "line 4: text follows a closing quote"),
    Bad(
        "a blank after a closing quote",
        'label,score,note\n1,0.9,"a" \n0,0.1,b\n',
        "line 2: text follows a closing quote",
    ),
    Bad(
        "text after a closing quote, below another fault",
        GOOD + '1,high\n1,"0.5"x\n1,low\n',
        "2 faults\n  line 4: score 'high' is not a number\n  line 5: text follows a closing quote",
    ),
    Bad(
        "faults below blank lines",
        "\nlabel,score\n\n1,0.9\n\n\n0,high\n",
        "line 7: score 'high' is not a number",
    ),
    Bad(
        "faults below cells of several lines",
        'label,score,note\n1,0.9,"a\nb\r\nc\rd"\n0,high,"e\n"\n0,low,f\n',
        "2 faults\n  line 6: score 'high' is not a number\n  line 8: score 'low' is not a number",
    ),
    Bad(
        "faults below a header of several lines",
        'label,"sco\nre"\n1,0.9\n0,high\n',
        "line 4: sco\\nre 'high' is not a number",
        {"score": ("sco\nre",)},
    ),
    Bad("faults in a file of carriage returns", "label,score\r1,0.9\r0,high\r", "line 3: score 'high' is not a number"),
    Bad(
        "faults in a file of both line ends",
        "label,score\r\n1,0.9\r\n\r\n0,high\r\n",
        "line 4: score 'high' is not a number",
    ),
    Bad("a fault far below", HEAD + MANY + "1,high\n" + MANY, "line 20002: score 'high' is not a number"),
    Bad(
        "more faults than are spelled out",
        HEAD + "1,0.9\n" + "".join(f"0,bad{row}\n" for row in range(7)) + "maybe,0.5\n1\n,\n",
        "11 faults\n"
        + "".join(f"  line {row + 3}: score 'bad{row}' is not a number\n" for row in range(5))
        + "  and 6 more"
        + BOTH_HINTS,
    ),
    Bad(
        "faults of all kinds in the order of the file",
        "id,label,score\na,1,0.9\nb,maybe,0.1\nc,1\na,0,0.3\nd,0,x\n",
        "4 faults\n  line 3: label 'maybe' is neither 0 nor 1\n  line 4: 2 cells, but the header has 3\n"
        "  line 5: id 'a' is already on line 2\n  line 6: score 'x' is not a number"
        f"{LABEL_HINT[:-1]}; {DUPLICATE_HINT[4:]}",
    ),
    Bad(
        "missing values of every row",
        HEAD + MANY.replace("\n", "x\n") + "1,\n" * 20_000,
        "40000 faults\n"
        + "".join(f"  line {row + 2}: score '{row / 7}x' is not a number\n" for row in range(5))
        + "  and 39995 more"
        + MISSING_HINT,
        {"score": ("score",)},
    ),
    Bad(
        "many bad labels",
        HEAD + "1,0.5\n" + "good,0.5\nbad,0.5\n" * 20_000,
        "40000 faults\n"
        + "".join(f"  line {row + 3}: label '{('good', 'bad')[row % 2]}' is neither 0 nor 1\n" for row in range(5))
        + "  and 39995 more"
        + LABEL_HINT,
    ),
]

IDS = [
    Bad(
        "ids that occur twice",
        "id,label,score\na,1,0.9\nb,0,0.1\na,1,0.8\nb,1,0.8\n",
        "2 faults\n  line 4: id 'a' is already on line 2\n  line 5: id 'b' is already on line 3" + DUPLICATE_HINT,
    ),
    Bad(
        "ids that occur twice, far apart",
        "label,score,case\n0,0.5,x\n" + "".join(f"1,0.5,{row}\n" for row in range(40_000)) + "0,0.5,x\n",
        "line 40003: id 'x' is already on line 2" + DUPLICATE_HINT,
        {"id": "case"},
    ),
    Bad(
        "an id of a row with a value and of one that is left out",
        "id,label,score\na,1,\na,1,0.9\nb,0,0.1\n",
        "line 3: id 'a' also has a row without a value" + DUPLICATE_HINT,
        {"na": "drop"},
    ),
    Bad("an empty id", "id,label,score\na,1,0.9\n,0,0.1\n", "line 3: the id has no value"),
]

SLICES = [
    Bad(
        "a slice without a row",
        "label,score,site\n1,0.9,A\n0,0.1,B\n1,0.2,A\n",
        "no row with site=C (found site: A, B)",
        {"where": parse_conditions({"site": "C"}, "where")},
    ),
    Bad(
        "texts where a condition compares numbers",
        "label,score,age\n1,0.9,60\n0,0.1,old\n1,0.2,\n1,0.3,1,5\n".replace("1,5", '"1,5"'),
        "3 faults\n"
        "  line 3: age 'old' is not a number\n"
        "  line 4: age has no value\n"
        "  line 5: age '1,5' is not a number; write numbers with a point" + MISSING_HINT,
        {"score": ("score",), "where": parse_conditions(["age>=50"], "where")},
    ),
    Bad(
        "scores that are whole numbers above 2^53",
        "label,score\n1,9007199254740993\n0,9007199254740992\n1,-18446744073709551617.0\n",
        "2 faults\n"
        "  line 2: score '9007199254740993' is a whole number that a 64-bit float cannot hold, and others would become "
        "equal to it: subtract a constant, or replace the numbers by their ranks\n"
        "  line 4: score '-18446744073709551617.0' is a whole number that a 64-bit float cannot hold, and others would "
        "become equal to it: subtract a constant, or replace the numbers by their ranks",
    ),
    Bad(
        "two conditions that no row meets",
        "label,score,site,year\n1,0.9,A,1\n0,0.1,B,2\n",
        "no row with site=A and year=2 (found site: A, B; year: 1, 2)",
        {"score": ("score",), "where": parse_conditions({"site": "A", "year": "2"}, "where")},
    ),
    Bad(
        "a slice without a row of many values",
        "label,score,site\n" + "".join(f"1,0.9,s{row}\n" for row in range(20)),
        f"no row with site=x (found site: {', '.join(f's{row}' for row in range(10))})",
        {"where": parse_conditions({"site": "x"}, "where")},
    ),
    Bad(
        "a slice of one class",
        "label,score,site\n1,0.9,A\n0,0.1,B\n",
        "only one class: 1 of 1 cases are positive (label 1), and both classes are needed",
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
    Bad(
        "a fault in the slice, and one outside",
        "label,score,site\n1,0.9,A\n0,x,B\n0,y,A\n",
        "line 4: score 'y' is not a number",
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
]

DROPPED = [
    Bad(
        "rows that all lack a value",
        HEAD + "1,\n,0.5\nNA,NaN\n",
        "all 3 rows have missing values",
        {"score": ("score",), "na": "drop"},
    ),
    Bad(
        "one class after rows are left out",
        HEAD + "1,0.9\n0,\n0,nan\n",
        "only one class: 1 of 1 cases are positive (label 1), and both classes are needed",
        {"na": "drop"},
    ),
    Bad("text beside missing values", HEAD + "1,0.9\n0,\n0,x\n", "line 4: score 'x' is not a number", {"na": "drop"}),
    Bad(
        "a number too large beside missing values",
        HEAD + "1,0.9\n0,\n0,1e999\n",
        "line 4: score '1e999' is too large for a 64-bit float",
        {"na": "drop"},
    ),
    Bad(
        "a signed nan beside missing values",
        HEAD + "1,0.9\n0,\n0,-nan\n",
        "line 4: score '-nan' is not a number",
        {"na": "drop"},
    ),
]

BAD = [*COLUMNS, *LABELS, *SCORES, *ROWS, *IDS, *SLICES, *DROPPED]
