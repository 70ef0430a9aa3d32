"""Good files, some of them odd: their content, the options, and what they mean."""

from __future__ import annotations

import gzip
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import zstandard

from rocconf.conditions import parse_conditions

if TYPE_CHECKING:
    from collections.abc import Mapping


class Good(NamedTuple):
    what: str
    content: str | bytes
    labels: str
    scores: dict[str, list[float]]
    options: Mapping[str, Any] = MappingProxyType({})
    file: str = "scores.csv"
    quick: bool = True
    """Whether the quick reader reads it, or leaves it to the careful one."""
    ids: list[str] | None = None
    dropped: int = 0

    def __str__(self):
        return self.what.replace(" ", "-")


HEAD = "label,score\n"
TEXT = HEAD + "1,0.9\n0,0.1\n"
SCORES = {"score": [0.9, 0.1]}
NUMBERS = {
    "0": 0.0,
    "-0": -0.0,
    "-0.0": -0.0,
    "1.": 1.0,
    ".5": 0.5,
    "+.5": 0.5,
    "007": 7.0,
    "1e5": 1e5,
    "1E-5": 1e-5,
    "1.5e+3": 1500.0,
    "1.e2": 100.0,
    "1e-320": 1e-320,
    "5e-324": 5e-324,
    "1e-400": 0.0,
    "1e308": 1e308,
    "-1.7976931348623157e308": -1.7976931348623157e308,
    "inf": inf,
    "-inf": -inf,
    "+Infinity": inf,
    "INF": inf,
    "0.1000000000000000055511151231257827021181583404541015625": 0.1,
    "1.00000000000000022204460492503131": 1.0000000000000002,
    "1.00000000000000011102230246251565404": 1.0,
    "1.00000000000000011102230246251565405": 1.0000000000000002,
    "2.2250738585072011e-308": 2.225073858507201e-308,
    "1.2345678901234568e29": 1.2345678901234568e29,
}

GOOD = [
    Good("a plain file", TEXT, "10", SCORES),
    Good("a final line without an end", TEXT.rstrip(), "10", SCORES),
    Good("a byte order mark", "\ufeff" + TEXT, "10", SCORES),
    Good("carriage returns before line ends", TEXT.replace("\n", "\r\n"), "10", SCORES),
    Good("carriage returns for line ends", TEXT.replace("\n", "\r"), "10", SCORES, quick=False),
    Good("both kinds of line ends", "label,score\r\n1,0.9\n0,0.1\r\n", "10", SCORES),
    Good("blank lines", "\n\nlabel,score\n\n1,0.9\n\r\n0,0.1\n\n", "10", SCORES, quick=False),
    Good("quotes around everything", '"label","score"\n"1","0.9"\n"0","0.1"\n', "10", SCORES),
    Good(
        "quoted names with blanks and commas",
        '"the label","score, scaled","note"\n1,0.9,a\n0,0.1,b\n',
        "10",
        {"score, scaled": [0.9, 0.1]},
        {"label": "the label"},
    ),
    Good(
        "quoted names with quotes",
        '"label","say ""so"""\n1,0.9\n0,0.1\n',
        "10",
        {'say "so"': [0.9, 0.1]},
    ),
    Good("names between blanks", " label , score \n1,0.9\n0,0.1\n", "10", SCORES),
    Good("blanks around cells", HEAD + " 1 , 0.9 \n\t0,0.1\t\n", "10", SCORES),
    Good("blanks before cells", HEAD + " 1, 0.9\n 0, 0.1\n", "10", SCORES),
    Good("true and false", HEAD + "True,0.9\nFalse,0.1\ntrue,1\nFALSE,2\n", "1010", {"score": [0.9, 0.1, 1, 2]}),
    Good("labels with a point", HEAD + "1.0,0.9\n0.0,0.1\n1,2\n", "101", {"score": [0.9, 0.1, 2]}),
    Good(
        "labels of all kinds", HEAD + "+1,0.9\n-0,0.1\n1e0,2\n00,3\nTRUE,4\n", "10101", {"score": [0.9, 0.1, 2, 3, 4]}
    ),
    Good(
        "the names of classes",
        HEAD + "ill,0.9\nwell,0.1\nill,2\n",
        "101",
        {"score": [0.9, 0.1, 2]},
        {"positive": "ill"},
    ),
    Good("quoted names of classes", HEAD + '"ill",0.9\n"well",0.1\n', "10", SCORES, {"positive": "ill"}),
    Good(
        "names of classes with a comma", HEAD + '"ill, old",0.9\n"well",0.1\n', "10", SCORES, {"positive": "ill, old"}
    ),
    Good("names of classes with a quote", HEAD + '"""x""",0.9\ny,0.1\n', "10", SCORES, {"positive": '"x"'}),
    Good(
        "names of classes that are not ASCII", HEAD + "größer,0.9\nkleiner,0.1\n", "10", SCORES, {"positive": "größer"}
    ),
    Good("numbers for classes", HEAD + "2,0.9\n1,0.1\n2.0,3\n", "101", {"score": [0.9, 0.1, 3]}, {"positive": "2"}),
    Good("zero for the positive class", HEAD + "1,0.9\n0,0.1\n", "01", SCORES, {"positive": "0"}),
    Good("false for the positive class", HEAD + "1,0.9\n0,0.1\n", "01", SCORES, {"positive": "False"}),
    Good("none for the positive class", HEAD + "none,0.9\nsome,0.1\n", "10", SCORES, {"positive": "none"}),
    Good(
        "long numbers for classes",
        HEAD + "10000000000000000001,0.9\n10000000000000000002,0.1\n",
        "10",
        SCORES,
        {"positive": "10000000000000000001"},
    ),
    *(
        Good(f"a score {text[:20]}", f"{HEAD}1,{text}\n0,0.5\n", "10", {"score": [value, 0.5]})
        for text, value in NUMBERS.items()
    ),
    Good("infinite scores", HEAD + "1,inf\n0,-inf\n1,1\n", "101", {"score": [inf, -inf, 1]}),
    Good("an infinite score beside blanks", HEAD + "1, inf\n0, 0.1\n", "10", {"score": [inf, 0.1]}),
    Good(
        "an infinite score beside a missing one",
        HEAD + "1,inf\n0,\n0,2\n",
        "10",
        {"score": [inf, 2]},
        {"na": "drop"},
        dropped=1,
    ),
    Good(
        "a column with sometimes a usual name",
        "y_true,age,prob\n1,40,0.9\n0,50,0.1\n",
        "10",
        {"prob": [0.9, 0.1]},
    ),
    Good("the only numeric column", "target,note,points\n1,a,0.9\n0,b,0.1\n", "10", {"points": [0.9, 0.1]}),
    Good(
        "a numeric column that begins with gaps",
        HEAD.replace("score", "s") + "1,\n" * 9 + "1,0.9\n0,0.1\n",
        "10",
        {"s": [0.9, 0.1]},
        {"na": "drop"},
        dropped=9,
    ),
    Good("a column without a name", ",label,score\n7,1,0.9\n8,0,0.1\n", "10", SCORES),
    Good(
        "all columns of fractions",
        "label,a,note,b,c\n1,0.9,x,1,0.5\n0,0.1,y,2,1\n",
        "10",
        {"a": [0.9, 0.1], "c": [0.5, 1]},
        {"several": True},
    ),
    Good(
        "columns in the order asked for",
        "a,label,b\n0.9,1,1\n0.1,0,2\n",
        "10",
        {"b": [1, 2], "a": [0.9, 0.1]},
        {"score": ("b", "a")},
    ),
    Good(
        "columns nobody asked for that share a name",
        "x,label,score,x\n1,1,0.9,a\n2,0,0.1,b\n",
        "10",
        SCORES,
    ),
    Good(
        "a name as an engine would make it up",
        "x,x,label,x_duplicated_0\n1,2,1,0.9\n2,3,0,0.1\n",
        "10",
        {"x_duplicated_0": [0.9, 0.1]},
        {"score": ("x_duplicated_0",)},
    ),
    Good(
        "names with quotes in them",
        'x"y,z",label,score\n1,0,1,0.9\n0,1,0,0.1\n',
        "10",
        SCORES,
    ),
    Good("a column nobody asked for with gaps", "label,score,note\n1,0.9,\n0,0.1,x\n", "10", SCORES),
    Good("quotes within cells", 'label,score,note\n1,0.9,"say ""a, b"""\n0,0.1,""""\n', "10", SCORES),
    Good("a column nobody asked for in quotes", 'label,score,note\n1,0.9,"a, b"\n0,0.1,""\n', "10", SCORES),
    Good(
        "a column nobody asked for with quotes in it",
        'label,note,score\n1,5" pipe,0.9\n0,"""q""",0.1\n',
        "10",
        SCORES,
        quick=False,
    ),
    Good(
        "a column nobody asked for of several lines",
        'label,note,score\n1,"a\nb",0.9\n0,"c\r\n",0.1\n',
        "10",
        SCORES,
        quick=False,
    ),
    Good("a long cell", f"label,note,score\n1,{'x' * 200_000},0.9\n0,y,0.1\n", "10", SCORES),
    Good("a long quoted cell", f'label,note,score\n1,"{"x" * 200_000}",0.9\n0,y,0.1\n', "10", SCORES),
    Good("ids", "id,label,score\na,1,0.9\nb,0,0.1\n", "10", SCORES, ids=["a", "b"]),
    Good("ids that look like numbers", "id,label,score\n01,1,0.9\n1,0,0.1\n", "10", SCORES, ids=["01", "1"]),
    Good("ids with blanks", "id,label,score\n a,1,0.9\na ,0,0.1\n", "10", SCORES, ids=[" a", "a "]),
    Good("ids in quotes", 'id,label,score\n"a,b",1,0.9\n"b",0,0.1\n', "10", SCORES, ids=["a,b", "b"]),
    Good("ids that look missing", "id,label,score\nNA,1,0.9\nnull,0,0.1\n", "10", SCORES, ids=["NA", "null"]),
    Good(
        "ids that are scores",
        "label,score\n1,0.90\n0,0.1\n",
        "10",
        SCORES,
        {"id": "score", "score": ("score",)},
        ids=["0.90", "0.1"],
    ),
    Good(
        "ids of rows without a value",
        "id,label,score\na,1,0.9\n,1,\nb,0,0.1\n",
        "10",
        SCORES,
        {"na": "drop"},
        ids=["a", "b"],
        dropped=1,
    ),
    Good("missing scores left out", HEAD + "1,0.9\n1,\n0,nan\n0,0.1\n", "10", SCORES, {"na": "drop"}, dropped=2),
    Good("missing labels left out", HEAD + "1,0.9\n,1\n0,0.1\n,\n", "10", SCORES, {"na": "drop"}, dropped=2),
    Good(
        "quoted missing values left out", HEAD + '1,0.9\n"",1\n0,""\n0,0.1\n', "10", SCORES, {"na": "drop"}, dropped=2
    ),
    Good(
        "words for missing values left out",
        HEAD + "1,0.9\nNA,1\n0,N/A\n0,null\n1,None\n0,0.1\n",
        "10",
        SCORES,
        {"na": "drop"},
        dropped=4,
    ),
    Good(
        "a row left out where one of two scores is missing",
        "label,a,b\n1,0.9,1\n1,,2\n0,3,\n0,0.1,4\n",
        "10",
        {"a": [0.9, 0.1], "b": [1, 4]},
        {"score": ("a", "b"), "na": "drop"},
        dropped=2,
    ),
    Good(
        "a slice",
        "label,score,site\n1,0.9,A\n1,5,B\n0,0.1,A\n",
        "10",
        SCORES,
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
    Good(
        "a slice by a number",
        "label,score,year\n1,0.9,2020\n1,5,2020.0\n0,0.1,2020\n1,6,02020\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions({"year": "2020"}, "where")},
    ),
    Good(
        "a slice of all other texts",
        "label,score,year\n1,0.9,2020.0\n1,5,2020\n0,0.1,\n1,6,2020\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions(["year!=2020"], "where")},
    ),
    Good(
        "a slice by the order of long numbers",
        "label,score,key\n1,0.9,9007199254740993\n1,5,9007199254740992\n0,0.1,90071992547409925e-1\n1,6,-1\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions(["key>9007199254740992"], "where")},
    ),
    Good(
        "a slice between decimal fractions",
        "label,score,x\n1,0.9,0.10\n1,5,0.1000000000000000000001\n0,0.1,.1\n1,6,1e-1\n",
        "101",
        {"score": [0.9, 0.1, 6]},
        {"score": ("score",), "where": parse_conditions(["x>=0.1", "x<=0.1"], "where")},
    ),
    Good(
        "a slice of numbers, where another condition leaves texts aside",
        "label,score,x,site\n1,0.9,3,A\n1,5,none of it,B\n0,0.1,4,A\n1,6,,B\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions(["x<5", "site=A"], "where")},
    ),
    Good(
        "a slice of numbers without those that are missing",
        "label,score,x\n1,0.9,3\n1,5,\n0,0.1,4\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions(["x<5"], "where"), "na": "drop"},
        dropped=1,
    ),
    Good(
        "a slice by a long number",
        "label,score,key\n1,0.9,10000000000000000001\n1,5,10000000000000000002\n0,0.1,10000000000000000001\n",
        "10",
        SCORES,
        {"score": ("score",), "where": parse_conditions({"key": "10000000000000000001"}, "where")},
    ),
    Good(
        "a slice of rows without a value",
        "label,score,site\n1,0.9,\n1,5,B\n0,0.1,\n",
        "10",
        SCORES,
        {"where": parse_conditions({"site": ""}, "where")},
    ),
    Good(
        "a slice by two columns",
        "label,score,site,kind\n1,0.9,A,x\n1,5,A,y\n0,6,B,x\n0,0.1,A,x\n",
        "10",
        SCORES,
        {"where": parse_conditions({"site": "A", "kind": "x"}, "where")},
    ),
    Good(
        "a slice that leaves the missing values aside",
        "label,score,site\n1,0.9,A\n1,,B\n0,0.1,A\n",
        "10",
        SCORES,
        {"where": parse_conditions({"site": "A"}, "where")},
    ),
    Good(
        "a slice by the scores",
        "label,score\n1,0.9\n1,5\n0,0.90\n",
        "10",
        {"score": [0.9, 0.9]},
        {"where": parse_conditions(["score<=0.900"], "where"), "score": ("score",)},
    ),
    Good(
        "whole scores that a float holds",
        "label,score\n1,9007199254740992\n0,-9007199254740994.000\n",
        "10",
        {"score": [9007199254740992.0, -9007199254740994.0]},
    ),
    Good("tabs", TEXT.replace(",", "\t"), "10", SCORES, file="scores.tsv"),
    Good("tabs, packed", gzip.compress(TEXT.replace(",", "\t").encode(), mtime=0), "10", SCORES, file="scores.tab.gz"),
    Good("semicolons", TEXT.replace(",", ";"), "10", SCORES, {"delimiter": "semicolon"}),
    Good("bars", TEXT.replace(",", "|"), "10", SCORES, {"delimiter": "|"}),
    Good("hats", TEXT.replace(",", "^") + '1^"2"\n', "101", {"score": [0.9, 0.1, 2]}, {"delimiter": "^"}),
    Good("brackets", TEXT.replace(",", "]") + '1]"2"\n', "101", {"score": [0.9, 0.1, 2]}, {"delimiter": "]"}),
    Good("blanks between cells", TEXT.replace(",", " "), "10", SCORES, {"delimiter": "space"}),
    Good("a delimiter of two bytes", TEXT.replace(",", "§"), "10", SCORES, {"delimiter": "§"}, quick=False),
    Good("gz", gzip.compress(TEXT.encode(), mtime=0), "10", SCORES, file="scores.csv.gz"),
    Good(
        "gz in two parts",
        gzip.compress(TEXT[:14].encode(), mtime=0) + gzip.compress(TEXT[14:].encode(), mtime=0),
        "10",
        SCORES,
        file="scores.csv.gz",
    ),
    Good("zst", zstandard.compress(TEXT.encode()), "10", SCORES, file="scores.csv.zst"),
    Good(
        "zst in two frames",
        zstandard.compress(TEXT[:14].encode()) + zstandard.compress(TEXT[14:].encode()),
        "10",
        SCORES,
        file="scores.CSV.ZST",
    ),
    Good("no suffix", TEXT, "10", SCORES, file="scores"),
    Good("a name with brackets and stars", TEXT, "10", SCORES, file="scores[1]*.csv"),
]
