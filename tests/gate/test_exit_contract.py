"""Whatever is typed, the status is 0, 1, 2 or 3; 2 leaves standard output empty; and 0 means that every rule passed.

The rules are computed again from the rows, in fractions: the AUC by comparing every positive with every negative.
"""

import tempfile
from collections import Counter
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from pathlib import Path

from gating import required as options_of
from gating import write_cases
from hypothesis import event, given
from hypothesis import strategies as st
from in_process import run_in_process
from strategies import examples

OPS = {">=": ge, "<=": le, "==": eq, ">": gt, "<": lt}
SCORES = [f"{eighth / 8:g}" for eighth in range(9)]
ODD_CELLS = ["", "x", "nan", "2", "-0", "1e999", "1,5", '"', "\0", "inf", "true"]
ODD_WORDS = [
    *("--nonsense", "--at", "--level", "2", "", "missing.csv", "-"),
    *("--score", "auc", "--format", "xml", "--", "-o"),
]
OPTIONS = [
    *(["--at", "youden"], ["--at", "fpr<=0.25"], ["--level", "0.8"], ["--interval", "delong"], ["-q"], ["--all"]),
    *(["--format", form] for form in ("table", "tsv", "csv", "json", "ndjson", "md")),
    *(["--na", "drop"], ["--max-fpr", "0.5"], ["--lower-is-positive"], ["--positive", "1"]),
]
ODD_RULES = ["auc", "auc >= ", ">= 0.5", "auc => 0.5", "auc >= 0", "fpr <= 1", "auc >= nan", "tpr >= 0.5", "auk >= 0.5"]

cases = st.lists(st.tuples(st.sampled_from("01"), st.sampled_from(SCORES)), min_size=2, max_size=40).map(
    lambda rows: [("1", "0.75"), ("0", "0.25"), *rows]
)
METRICS = [
    *("n", "positives", "negatives", "prevalence", "auc", "auc.point", "auc.point", "auc[score]"),
    *(f"{rate}@threshold={at}" for rate in ("tpr", "tpr.point", "fpr.point", "tp", "fn") for at in ("0.3", *SCORES)),
]


@st.composite
def rules(draw, rows):
    """A rule whose limit is far from the value or next to it."""
    metric, op = draw(st.sampled_from(METRICS)), draw(st.sampled_from([">=", ">=", "<=", "<=", ">", "<", "=="]))
    value = 1000 * value_of(metric, rows)
    limit = draw(st.sampled_from([value // 1, -(-value // 1), value // 1 - 50, value // 1 + 50, 100, 900]))
    return f"{metric} {op} {limit // 1000 if metric in ('n', 'positives', 'negatives') else limit / 1000}"


def value_of(metric, rows):
    """Compute a metric by its definition."""
    positives = [Fraction(score) for label, score in rows if label == "1"]
    negatives = [Fraction(score) for label, score in rows if label == "0"]
    p, q = len(positives), len(negatives)
    name, _, threshold = metric.partition("@threshold=")
    name = name.removesuffix(".point").removesuffix("[score]")
    if name == "auc":
        better = Counter((x > y) - (x < y) for x in positives for y in negatives)
        return (better[1] + Fraction(better[0], 2)) / (p * q)
    tp, fp = (sum(x >= Fraction(threshold or 0) for x in of_class) for of_class in (positives, negatives))
    rates = {"tpr": Fraction(tp, p), "fpr": Fraction(fp, q), "tp": tp, "fn": p - tp}
    return {**rates, "n": p + q, "positives": p, "negatives": q, "prevalence": Fraction(p, p + q)}[name]


def is_met(rule, rows):
    """Whether the value itself meets a rule; an interval that does cannot lie elsewhere."""
    metric, op, limit = rule.split()
    return OPS[op](value_of(metric, rows), Fraction(limit))


def is_judged_on_its_value(rule):
    return rule.split()[0].partition("@")[0] not in ("auc", "auc[score]", "tpr", "prevalence")


def run(rows, words, required):
    with tempfile.TemporaryDirectory() as folder:
        labels, scores = zip(*rows, strict=True)
        write_cases(Path(folder, "s.csv"), label=labels, score=scores)
        return run_in_process(["sweep", "s.csv", *words, *options_of(*required)], folder=Path(folder))


def require_contract(ran):
    assert ran.status in (0, 1, 2, 3)
    assert "internal error" not in ran.err
    assert "Traceback" not in ran.err
    if ran.status == 2:
        assert ran.out == ""
        assert ran.err.startswith(("rocconf: ", "Usage", "usage"))


@examples(60)
@given(cases, st.data())
def test_a_status_is_what_the_rules_say_of_the_rows(rows, data):
    required = data.draw(st.lists(rules(rows), min_size=1, max_size=2))
    ran = run(rows, [], required)
    event(f"status {ran.status}")
    require_contract(ran)
    are_met, of_values = all(is_met(rule, rows) for rule in required), all(map(is_judged_on_its_value, required))
    allowed = {0, 2, 3} if are_met else {1, 2, 3}
    assert ran.status in allowed - ({3} if of_values else set())


@examples(60)
@given(
    cases,
    st.lists(st.one_of(st.sampled_from(OPTIONS), st.sampled_from(ODD_WORDS).map(lambda word: [word])), max_size=3),
    st.data(),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 1), st.sampled_from(ODD_CELLS)), max_size=2),
)
def test_any_command_line_and_any_rows_keep_the_contract(rows, options, data, damage):
    required = data.draw(st.lists(st.one_of(rules(rows), rules(rows), st.sampled_from(ODD_RULES)), max_size=2))
    cells = [list(row) for row in rows]
    for row, column, cell in damage:
        cells[row % len(cells)][column] = cell
    words = [word for option in options for word in option]
    ran = run(cells, words, required)
    event(f"status {ran.status}")
    require_contract(ran)
    if ran.status == 0 and required and not damage and "--lower-is-positive" not in words:
        assert not set(required) & set(ODD_RULES)
        assert all(is_met(rule, rows) for rule in required)
