"""A rule is read as it is meant, or refused with what was wrong."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.errors import UsageError
from rocconf.gate.rule import parse_gate_rule


def parts_of(rule):
    return rule.metric, rule.model, rule.at, rule.by, rule.op, rule.limit


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("auc >= 0.85", ("auc", None, None, None, ">=", 0.85)),
        ("auc>=.85", ("auc", None, None, None, ">=", 0.85)),
        (" auc\t>=\n+.7 ", ("auc", None, None, None, ">=", 0.7)),
        ("delta_tpr@fpr<=0.01 >= -0.02", ("delta_tpr", None, "fpr<=0.01", None, ">=", -0.02)),
        ("tpr @ fpr <= 0.01 > 5e-1", ("tpr", None, "fpr <= 0.01", None, ">", 0.5)),
        ("tpr[my model:v2]@threshold=0.5 < 1", ("tpr", "my model:v2", "threshold=0.5", None, "<", 1.0)),
        ("positives == 100", ("positives", None, None, None, "==", 100.0)),
        ("fp@cost=1:5 <= 10", ("fp", None, "cost=1:5", None, "<=", 10.0)),
        ("auc >= 1e-400", ("auc", None, None, None, ">=", 0.0)),
        ("auc[a[b]] >= 0.5", ("auc", "a[b]", None, None, ">=", 0.5)),
        ("tpr[a]@b]@fpr<=0.1 >= 0.5", ("tpr", "a]@b", "fpr<=0.1", None, ">=", 0.5)),
        ("auc[a]>=0.5] >= 0.6", ("auc", "a]>=0.5", None, None, ">=", 0.6)),
        ("auc[x@y=z] < 1", ("auc", "x@y=z", None, None, "<", 1.0)),
        ("auc[] >= 0.5", ("auc", "", None, None, ">=", 0.5)),
        ("auc by region >= 0.8", ("auc", None, None, "region", ">=", 0.8)),
        ("auc[a by b] by my region >= 0.8", ("auc", "a by b", None, "my region", ">=", 0.8)),
        ("auc[a by b] >= 0.8", ("auc", "a by b", None, None, ">=", 0.8)),
        ("tpr[m]@fpr<=0.1   by  region>=0.8", ("tpr", "m", "fpr<=0.1", "region", ">=", 0.8)),
        ("auc.point[F] >= 0.9", ("auc", "F", None, None, ">=", 0.9)),
        ("auc.point by region > 0.8", ("auc", None, None, "region", ">", 0.8)),
        ("n >= " + "0" * 5000 + "12", ("n", None, None, None, ">=", 12.0)),  # Python's int refuses that many digits
    ],
)
def test_the_parts_of_a_rule_are_found_and_written_as_they_are_read(text, parts):
    rule = parse_gate_rule(text)
    assert parts_of(rule) == parts
    assert rule.point_only == (".point" in text)
    assert parse_gate_rule(rule.text) == replace(rule, name=rule.text)


@given(
    st.sampled_from(["auc", "tpr", "delta_auc"]),
    st.none() | st.text("abc D:_-", min_size=1),
    st.none() | st.sampled_from(["closest", "fpr<=0.01", "tpr>=0.9", "threshold=0.5"]),
    st.sampled_from([">=", ">", "<=", "<"]),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_a_rule_reads_back_what_it_writes_to_the_last_digit(metric, model, at, op, limit):
    model_text = "" if model is None else f"[{model}]"
    rule = parse_gate_rule(f"{metric}{model_text}{'' if at is None else '@' + at} {op} {limit!r}")
    for each in (rule, parse_gate_rule(rule.text)):
        assert parts_of(each) == (metric, model, at, None, op, limit)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "auc", "auc 0.5", "auc >= high", "auc >=", ">= 0.5", "0.9 <= auc", "auc >= 0.9 or n >= 5"),
        *("auc >= nan", "auc >= inf", "auc >= 1_0", "auc >= 0x1", "auc >= 0,7", "auc >= 70%", "auc >= 1e400"),
        *("auc >= .", "auc >= 1e", "auc@ >= 1", "a-b >= 1", "auc[F >= 1", "auc@[F] >= 1"),
        *("auc ≥ 0.7", "auc => 0.7", "auc = 0.7", "auc != 0.7", "auc > = 0.7", "auc >= >= 0.7", "auc <= 0.7 <= 0.8"),
        *("auc.point.point >= 0.7", "auc.lower >= 0.7"),
        "auc >= \u0660.\u0667",  # digits, but not everybody's
        "\u0430uc >= 0.7",  # a Cyrillic letter
    ],
)
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(UsageError, match="rule"):
        parse_gate_rule(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("auc[F].point >= 0.8", r"write \.point before the model: auc\.point\[F\]"),
        ("tpr[F] .point@threshold=1 >= 0.8", r"write \.point before the model: tpr\.point\[F\]"),
        ("n >= " + "9" * 5000, "64-bit float"),
    ],
)
def test_what_was_meant_is_told(text, said):
    with pytest.raises(UsageError, match=said):
        parse_gate_rule(text)
