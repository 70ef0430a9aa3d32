"""Every message has a code, a kind and one sentence; raise sites and templates agree; the library names no flag."""

import ast
import re
from importlib import import_module
from pathlib import Path
from string import Formatter

import rocconf
from rocconf.messages import CATALOGUE, Message, did_you_mean, message
from rocconf.messages.of_cli import OF_CLI

PACKAGE = Path(rocconf.__file__).parent
TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent.name != "messages"
}
SPEAKERS = {"message", "RocconfError", "UsageError", "UndefinedError", "NotInReportError", "CellError"}
"""What takes a code and the values of its template."""


def calls():
    """List every call that takes a code, with the file and the line."""
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in SPEAKERS
                and node.args
            ):
                yield f"{name}:{node.lineno}", node


def codes_of(argument):
    """Return the codes that an argument can be, where they are written there."""
    if isinstance(argument, ast.IfExp):
        return codes_of(argument.body) + codes_of(argument.orelse)
    return [argument.value] if isinstance(argument, ast.Constant) else []


def placeholders(template):
    spelled = re.sub(r"<[^<>]*\|", "<", template)  # values stand on both sides of a choice, or on the right one
    return {name for _, name, _, _ in Formatter().parse(spelled) if name} | {
        name for _, name, _, _ in Formatter().parse(template) if name
    }


def test_every_code_that_is_used_is_in_the_catalogue():
    unknown = [(where, code) for where, node in calls() for code in codes_of(node.args[0]) if code not in CATALOGUE]
    assert unknown == []


def test_every_message_of_the_catalogue_is_used():
    written = {
        node.value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(CATALOGUE) - written == set()


def test_every_template_has_the_values_that_its_callers_give():
    wrong = []
    for where, node in calls():
        given = {keyword.arg for keyword in node.keywords}
        for code in codes_of(node.args[0]):
            wanted = placeholders(CATALOGUE[code][1]) if code in CATALOGUE else set()
            added = {"where", "column"} if where.startswith("read/") else set()  # by what collects the faults of a file
            wrong += [(where, code, given ^ wanted)] * (None not in given and given | added != wanted | added)
    assert wrong == []


def test_no_code_is_used_twice():
    parts = [import_module(f"rocconf.messages.{path.stem}") for path in (PACKAGE / "messages").glob("of_*.py")]
    assert sum(len(vars(part)[part.__name__.rpartition(".")[2].upper()]) for part in parts) == len(CATALOGUE)


def test_a_message_is_a_code_a_kind_and_one_sentence():
    for code, (kind, template) in CATALOGUE.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
        assert kind in ("error", "warning", "note", "answer"), code
        assert template.strip(" .") == template, code


def test_the_library_names_no_flag():
    for code in CATALOGUE.keys() - OF_CLI.keys():
        for_the_library = Message(code).spelled("library")
        assert not re.search(r"(^|[\s(])--?[a-z]", for_the_library), (code, for_the_library)
        assert "<" not in re.sub(r"[<>]=?", "", for_the_library), (code, for_the_library)


def test_no_other_string_of_the_library_names_a_flag():
    named = [
        (name, node.lineno, node.value)
        for name, tree in TREES.items()
        if not name.startswith("cli/") and name not in ("__main__.py", "gate/saved_model.py")  # which spells commands
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"(^|\s)--[a-z]+", node.value)
    ]
    assert named == []


def test_parameters_are_spelled_for_their_audience():
    told = message("max-fpr-range", max_fpr=2.0)
    assert told.text() == "max_fpr must be in (0, 1], not 2"
    assert told.text("shell") == "--max-fpr must be in (0, 1], not 2"
    assert str(rocconf.UsageError("max-fpr-range", max_fpr=2.0)) == told.text()


def test_what_a_file_holds_is_not_taken_for_a_parameter():
    told = message("unknown-baseline", baseline="<max_fpr>", found="{x}, <na=drop>")
    assert told.text("shell") == "no model '<max_fpr>' to be the baseline (found: {x}, <na=drop>)"


def test_a_message_within_another_speaks_to_the_same_audience():
    told = message("rule", rule="auc >= 2", why=message("rule-restated"))
    assert told.text() == "rule 'auc >= 2': prevalence restates the metric, which then has no interval"
    assert told.text("shell") == "rule 'auc >= 2': --prevalence restates the metric, which then has no interval"


def test_a_close_word_is_suggested_and_a_far_one_is_not():
    assert did_you_mean("Scroe", ["label", "score"]) == "; did you mean 'score'?"
    assert did_you_mean("x", ["label", "score"]) == ""


def test_an_explanation_leaves_no_placeholder_at_the_end_of_a_word():
    from rocconf.messages import explained

    codes = [code for code in CATALOGUE if explained.explanation_of(code)]
    says = {code: explained.explanation_of(code).says for code in codes}
    assert len(says) > 100
    assert [code for code, text in says.items() if re.search(r"[a-z][A-Z]{3,}", text)] == []
