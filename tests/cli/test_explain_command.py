"""`rocconf explain` knows every code, offline, and the page of the documents has the same texts."""

import re
import runpy

import pytest
from conftest import ROOT

from rocconf.messages import CATALOGUE, explained_codes, explanation
from rocconf.messages.texts import TEXTS

CODES = [code for code, (kind, _) in CATALOGUE.items() if kind != "answer"]


def test_every_code_is_explained():
    for code in CODES:
        each = explanation(code)
        assert all(text.endswith((".", "?")) for _, text in each.parts[:3]), code
        assert each.reference, code
        assert "{" not in each.says, code


def test_every_warning_has_an_explanation_of_its_own():
    missing = [code for code in CODES if CATALOGUE[code][0] == "warning" and code not in TEXTS]
    assert missing == [], "add what, why, do and a reference to rocconf/messages/texts.py"
    assert set(TEXTS) <= set(CODES)


def test_references_of_the_documents_exist():
    for code in CODES:
        name = explanation(code).reference.partition(",")[0]
        assert not name.endswith(".md") or (ROOT / name).exists(), code


def test_options_that_explanations_name_exist(rocconf):
    named = {option for texts in TEXTS.values() for text in texts for option in re.findall(r"--[a-z-]+", text)}
    commands = ("count", "sweep", "tango", "chi2-contours", "sensibility", "compare", "plan")
    known = " ".join(rocconf(command, "--help").out for command in commands)
    assert {option for option in named if option not in known} == set()


def test_a_code_is_explained_with_what_why_and_what_to_do(rocconf):
    ran = rocconf("explain", "in-sample", "rule-form")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("in-sample (warning)\n  RULES: chosen on these cases")
    assert [line.split()[0] for line in ran.out.splitlines() if re.match("(What|Why|Do|See) ", line)] == [
        "What",
        "Why",
        "Do",
        "See",
    ] * 2
    assert "--choose-on FILE" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(("typed", "meant"), [("in-smple", "'in-sample'"), ("few_scores", "'few-scores'")])
def test_an_unknown_code_gets_a_suggestion(rocconf, typed, meant):
    ran = rocconf("explain", typed)
    assert (ran.status, ran.out) == (2, "")
    assert f"did you mean {meant}" in ran.err


def test_without_a_code_all_are_listed(rocconf):
    ran = rocconf("explain")
    assert ran.status == 0
    assert set(explained_codes()) <= set(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_reader_that_leaves_early_changes_nothing(process):
    code = "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-m', 'rocconf', 'explain'], stdout=open('/dev/full', 'w')).returncode)"
    assert process(code=code).status == 2


def test_the_page_of_the_documents_has_the_same_texts():
    page = runpy.run_path(str(ROOT / "docs" / "messages.py"))["page"]()
    assert (ROOT / "docs" / "messages.md").read_text(encoding="utf-8") == page, "`make docs` updates it"


def test_a_warning_on_a_terminal_names_its_code(rocconf, table1):
    ran = rocconf("sweep", table1, "--at", "youden")
    (code,) = re.findall(r"\[([a-z-]+)\]$", ran.err.splitlines()[0])
    assert rocconf("explain", code).out.startswith(f"{code} (warning)")
