"""Markdown: a page with tables and remarks, in which every name is shown as it is."""

import html
import io
import re

import pytest
from report_cases import answer_of

import rocconf
from rocconf.answer import Answer
from rocconf.report.markdown import as_markdown, write_markdown

MARKED = ["a|b", "`code`", "<b>", "</td>", "<!--", "&lt;", "*bold*", "_it_", "[a](b)", "\\", "~~no~~", "a\nb", "\\|"]


def test_markdown_is_a_page_with_its_remarks():
    stream = io.StringIO()
    write_markdown(answer_of(60, models=("a|b",)), stream)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "# rocconf sweep"
    assert "> **auc-below-half**: " in stream.getvalue()
    tables = [line for line in lines if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_a_summary_reads_on_its_own_and_has_warnings_but_no_notes():
    rule = {"metric": "auc", "at": None, "op": ">=", "limit": 0.9, "severity": "error", "model": "score"}
    gates = (
        {
            **rule,
            "name": "ranks well",
            "verdict": "fail",
            "message": "score: auc is 0.4: even the high end is not >= 0.9",
        },
    )
    results = tuple(rocconf.tango(result.counts) for result in answer_of(60).results)
    stream = io.StringIO()
    write_markdown(Answer(results, gates, "fail", 1, "shell"), stream)
    title, _, verdict, *_ = stream.getvalue().splitlines()
    assert (title, verdict[:28]) == ("# rocconf tango", "**verdict: failed (status 1)")
    assert (
        "| failed | ranks well: auc >= 0.9 | score: auc is 0.4: even the high end is not >= 0.9 |" in stream.getvalue()
    )
    assert "misses and false alarms" in stream.getvalue()
    codes = {caveat.code: caveat.kind for result in results for caveat in result.caveats}
    assert "note" in codes.values()
    assert {code for code, kind in codes.items() if f"**{code}**" in stream.getvalue()} == {
        code for code, kind in codes.items() if kind == "warning"
    }


@pytest.mark.parametrize("name", MARKED)
def test_markdown_shows_a_name_as_it_is(name):
    (line,) = as_markdown(f"model {name} wins").splitlines()
    escaped = re.sub(r"\\([\\`*|_(~])", lambda mark: f"&#{ord(mark[1])};", line)
    assert not re.search(r"[\\`*|]|<[\w/!]|\b_\b|\]\(|~~", escaped)
    assert html.unescape(escaped) == " ".join(f"model {name} wins".split())


@pytest.mark.parametrize(
    "text", ["tpr@fpr<=0.01 >= 0.8", "true_rate", "auc[F] >= 0.9", "f1 < 0.5", "R&D", "[0.1, 0.2]"]
)
def test_markdown_leaves_plain_names_alone(text):
    assert as_markdown(text) == text
