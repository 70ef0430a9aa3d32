"""Markdown: a page with tables and remarks, in which every name is shown as it is."""

import html
import io
import re

import pytest
from report_cases import answer_of

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
