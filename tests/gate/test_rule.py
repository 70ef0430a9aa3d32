"""A rule is read as it is meant, or refused with what was wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.errors import UsageError
from rocconf.gate.rule import parse_gate_rule


@pytest.mark.parametrize(
    ("text", "metric", "model", "at", "op", "limit"),
    [
        ("auc >= 0.85", "auc", None, None, ">=", 0.85),
        ("auc>=.85", "auc", None, None, ">=", 0.85),
        ("delta_auc >= -0.01", "delta_auc", None, None, ">=", -0.01),
        ("delta_tpr@fpr<=0.01 >= -0.02", "delta_tpr", None, "fpr<=0.01", ">=", -0.02),
        ("tpr @ fpr <= 0.01 > 5e-1", "tpr", None, "fpr <= 0.01", ">", 0.5),
        ("auc[F] >= 0.9", "auc", "F", None, ">=", 0.9),
        ("tpr[my model:v2]@threshold=0.5 < 1", "tpr", "my model:v2", "threshold=0.5", "<", 1.0),
        ("drift_p >= 0.01", "drift_p", None, None, ">=", 0.01),
        ("positives == 100", "positives", None, None, "==", 100.0),
        ("fp@cost=1:5 <= 10", "fp", None, "cost=1:5", "<=", 10.0),
        (" auc\t>=\n+.7 ", "auc", None, None, ">=", 0.7),
        ("auc >= 1e-400", "auc", None, None, ">=", 0.0),
        ("auc[a[b]] >= 0.5", "auc", "a[b]", None, ">=", 0.5),
        ("tpr[a]@b]@fpr<=0.1 >= 0.5", "tpr", "a]@b", "fpr<=0.1", ">=", 0.5),
        ("auc[a]>=0.5] >= 0.6", "auc", "a]>=0.5", None, ">=", 0.6),
        ("auc[x@y=z] < 1", "auc", "x@y=z", None, "<", 1.0),
        ("auc[] >= 0.5", "auc", "", None, ">=", 0.5),
    ],
)
def test_the_parts_of_a_rule_are_found(text, metric, model, at, op, limit):
    rule = parse_gate_rule(text)
    assert (rule.metric, rule.model, rule.at, rule.op, rule.limit) == (metric, model, at, op, limit)
    assert not rule.point_only


def test_a_point_is_asked_for_by_name():
    rule = parse_gate_rule("auc.point[F] >= 0.9")
    assert (rule.metric, rule.model, rule.point_only) == ("auc", "F", True)
    assert rule.text == "auc.point[F] >= 0.9"


@pytest.mark.parametrize("text", ["auc[F].point >= 0.8", "tpr[F] .point@threshold=1 >= 0.8"])
def test_the_order_of_point_and_model_is_told(text):
    with pytest.raises(UsageError, match=r"write \.point before the model: (auc|tpr)\.point\[F\]"):
        parse_gate_rule(text)


@given(
    st.sampled_from(["auc", "tpr", "delta_auc"]),
    st.none() | st.text("abc D:_-", min_size=1),
    st.none() | st.sampled_from(["closest", "fpr<=0.01", "tpr>=0.9", "threshold=0.5"]),
    st.sampled_from([">=", ">", "<=", "<"]),
    st.integers(-1000, 1000).map(lambda k: k / 100),
)
def test_a_rule_reads_back_what_it_writes(metric, model, at, op, limit):
    model_text = "" if model is None else f"[{model}]"
    rule = parse_gate_rule(f"{metric}{model_text}{'' if at is None else '@' + at} {op} {limit}")
    assert (rule.metric, rule.model, rule.at, rule.op, rule.limit) == (metric, model, at, op, limit)
    again = parse_gate_rule(rule.text)
    assert (again.metric, again.model, again.at, again.op, again.limit) == (metric, model, at, op, limit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "auc",
        "auc 0.5",
        "auc >= high",
        "auc >=",
        ">= 0.5",
        "auc >= nan",
        "auc >= inf",
        "auc@ >= 1",
        "a-b >= 1",
        "auc[F >= 1",
        "auc@[F] >= 1",
        "auc >= 1_0",
        "auc >= 0x1",
        "auc >= \u0660.\u0667",  # digits, but not everybody's
        "auc >= 0,7",
        "auc >= 70%",
        "auc >= 1e400",
        "auc >= .",
        "auc >= 1e",
        "auc ≥ 0.7",
        "auc => 0.7",
        "auc = 0.7",
        "auc != 0.7",
        "auc > = 0.7",
        "auc >= >= 0.7",
        "auc <= 0.7 <= 0.8",
        "auc.point.point >= 0.7",
        "auc.lower >= 0.7",
        "\u0430uc >= 0.7",  # a Cyrillic letter
    ],
)
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(UsageError, match="rule"):
        parse_gate_rule(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_limit_is_read_back_to_the_last_digit(limit):
    assert parse_gate_rule(parse_gate_rule(f"threshold@closest >= {limit!r}").text).limit == limit


def test_a_limit_may_have_thousands_of_digits():
    """Python's int refuses that many."""
    assert parse_gate_rule("n >= " + "0" * 5000 + "12").limit == 12
    with pytest.raises(UsageError, match="64-bit float"):
        parse_gate_rule("n >= " + "9" * 5000)
