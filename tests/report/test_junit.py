"""The verdicts as JUnit XML, which has two schemas: Ant's, whose demands are strict, and surefire's, which CI reads."""

import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import rocconf
from rocconf.answer import Answer
from rocconf.records import Predictions
from rocconf.report import write

CASES = Predictions(np.array([1, 1, 0, 0], dtype=bool), {"m": np.array([0.9, 0.2, 0.4, 0.1])})
INTEGER, SECONDS, TIME = r"\d+", r"\d+(\.\d*)?", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
SUITE = {
    **dict.fromkeys(("id", "tests", "failures", "errors", "skipped"), INTEGER),
    "name": r"\S.*",
    "package": r"\S.*",
    "hostname": r"\S.*",
    "timestamp": TIME,
    "time": SECONDS,
}
"""The attributes of a suite among suites in Ant's schema, all required but skipped, and what they look like."""
CASE = {"name": ".*", "classname": ".*", "time": SECONDS}
OUTCOMES = {"skipped", "error", "failure"}


def gate(verdict="pass", severity="error", **more):
    named = {"name": "auc >= 0.5", "model": "m", "message": f"it is {verdict}"}
    return named | {"verdict": verdict, "severity": severity} | more


def junit(*gates, verdict=None, exit_code=0):
    stream = io.StringIO()
    (counts,) = rocconf.count_each(CASES)
    write(Answer((rocconf.sweep(counts),), gates, verdict, exit_code), "junit.xml", stream)
    return stream.getvalue()


def breaches(text):
    """List what both schemas would refuse."""
    root = ET.fromstring(text)  # noqa: S314  # we wrote it ourselves
    found = [] if (root.tag, root.attrib) == ("testsuites", {}) else ["the root is no bare testsuites"]
    for suite in root:
        found += wrong(suite, SUITE)
        tags = [child.tag for child in suite]
        cases = tags.count("testcase")
        if tags != ["properties", *["testcase"] * cases, "system-out", "system-err"]:
            found.append(f"a suite holds {tags}")
        for name in suite.iter("property"):
            found += wrong(name, {"name": r"\S.*", "value": ".*"})
        for case in suite.iter("testcase"):
            found += wrong(case, CASE)
            found += [f"{key} has blanks" for key in ("name", "classname") if case.get(key) != token(case.get(key))]
            if not {child.tag for child in case} <= OUTCOMES or len(case) > 1:
                found.append("a case has more than one outcome")
            found += [
                f"{child.tag} has no type" for child in case if child.tag != "skipped" and "type" not in child.attrib
            ]
        found += [
            f"{key} is not the number of {tag}"
            for key, tag in (
                ("tests", "testcase"),
                ("failures", "failure"),
                ("errors", "error"),
                ("skipped", "skipped"),
            )
            if int(suite.get(key)) != len(list(suite.iter(tag)))
        ]
    return found


def wrong(element, wanted):
    found = [f"{element.tag} has {key}" for key in element.attrib.keys() ^ wanted.keys()]
    return found + [
        f"{key} is {element.get(key)!r}" for key in wanted if not re.fullmatch(wanted[key], element.get(key, ""))
    ]


def token(text):
    return " ".join(text.split())


EVERY = (
    gate(),
    gate("fail", name="b"),
    gate("inconclusive", name="c"),
    gate("fail", "warn", name="d"),
    gate("inconclusive", "warn", name="e"),
)


@pytest.mark.parametrize("gates", [(), *((each,) for each in EVERY), EVERY], ids=len)
def test_both_schemas_are_kept_to(gates):
    assert breaches(junit(*gates)) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace(' package="rocconf"', ""),
        lambda text: text.replace('timestamp="1970-01-01T', 'timestamp="1970-01-01 '),
        lambda text: text.replace("<system-err>", "<system-err/><system-err>"),
        lambda text: text.replace(' errors="1"', ' errors="0"'),
        lambda text: text.replace(' type="fail"', ""),
        lambda text: text.replace("<testsuites>", '<testsuites name="all">'),
        lambda text: text.replace("</testcase>", "<system-out/></testcase>"),
    ],
)
def test_a_planted_breach_is_found(spoil):
    text = junit(*EVERY)
    assert spoil(text) != text
    assert breaches(spoil(text)) != []


def test_evidence_against_is_a_failure_and_no_evidence_an_error():
    root = ET.fromstring(junit(*EVERY, verdict="fail", exit_code=1))  # noqa: S314  # we wrote it ourselves
    outcomes = [[child.tag for child in case] for case in root.iter("testcase")]
    assert outcomes == [[], ["failure"], ["error"], ["skipped"], ["skipped"]]
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert (properties["verdict"], properties["exit_code"]) == ("fail", "1")


def test_a_message_is_told_where_any_reader_looks():
    (case,) = ET.fromstring(junit(gate("fail", message="0.4 < 0.5 & so"))).iter("failure")  # noqa: S314  # ours
    assert case.get("message") == case.text == "0.4 < 0.5 & so"
    assert "it is pass\n" in ET.fromstring(junit(gate())).find("*/system-out").text  # noqa: S314  # ours


@pytest.mark.parametrize(
    "name", ["a\x00b", "\x1b[2J", "a\nb\r\nc", "<&\"'>", "]]>", "\ud800", "\ufffe", "\x85 \u2028", "😀", " a  b "]
)
def test_no_name_makes_it_unreadable(name):
    text = junit(gate("fail", name=name, model=name, message=name))
    assert breaches(text) == []
    text.encode()


def test_what_xml_can_hold_is_kept():
    (case,) = ET.fromstring(junit(gate(name="<&\"'>😀é"))).iter("testcase")  # noqa: S314  # we wrote it ourselves
    assert case.get("name") == "<&\"'>😀é"


def cases_in(text):
    """Return the class name and the name of each test case."""
    root = ET.fromstring(text)  # noqa: S314  # we wrote it ourselves
    return [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]


def cases(*gates):
    return cases_in(junit(*gates))


def test_a_case_has_the_name_of_its_rule_and_the_class_of_its_command_and_model():
    gates = [gate(name=rule, model=model) for model in ("m", "other") for rule in ("auc >= 0.5", "tpr >= 0.1")]
    assert cases(*gates) == [
        ("rocconf.sweep.m", "auc >= 0.5"),
        ("rocconf.sweep.m", "tpr >= 0.1"),
        ("rocconf.sweep.other", "auc >= 0.5"),
        ("rocconf.sweep.other", "tpr >= 0.1"),
    ]


def test_only_a_repeated_rule_of_a_model_is_numbered():
    other = gate(model="other")
    assert [name for _, name in cases(gate(), other, gate("fail"), other, gate())] == [
        "auc >= 0.5",
        "auc >= 0.5",
        "auc >= 0.5 (2)",
        "auc >= 0.5 (2)",
        "auc >= 0.5 (3)",
    ]


@pytest.mark.parametrize("rules", [["a"], ["a", "b"], ["a", "b", "a"]])
@pytest.mark.parametrize("mixed", [False, True], ids=["model by model", "rule by rule"])
def test_another_model_leaves_the_cases_of_the_first_as_they_were(rules, mixed):
    first, second = ([gate(name=rule, model=model) for rule in rules] for model in ("m", "m2"))
    for one, other in ((first, second), (second, first)):
        together = [each for pair in zip(one, other, strict=True) for each in pair] if mixed else [*one, *other]
        assert [case for case in cases(*together) if case in cases(*first)] == cases(*first)


@pytest.mark.parametrize("rule", ["auc >= 0.5", "tpr@threshold=0.5 >= 0.1"])
def test_a_second_model_of_the_file_renames_no_case_of_the_first(rocconf, tmp_path, rule):
    (tmp_path / "cases.csv").write_text("label,a,b\n1,0.9,0.4\n0,0.2,0.6\n1,0.7,0.8\n0,0.1,0.3\n", encoding="utf-8")
    for name, models in (("one", ["a"]), ("two", ["a", "b"]), ("turned", ["b", "a"])):
        scores = [part for model in models for part in ("--score", model)]
        rocconf("sweep", "cases.csv", *scores, "--require", rule, "-q", "-o", f"{name}.junit.xml")
    one, *others = (
        set(cases_in((tmp_path / f"{name}.junit.xml").read_text(encoding="utf-8"))) for name in ("one", "two", "turned")
    )
    assert one == {("rocconf.sweep.a", rule)}
    assert others == [one | {("rocconf.sweep.b", rule)}] * 2


def test_the_same_answer_is_the_same_bytes():
    assert junit(*EVERY) == junit(*EVERY)
