"""The verdict of a gate on a screen: what it means, and a sentence for each rule, the worst first."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocconf.messages import message
from rocconf.report.verdict_table import rule_as_written, rule_in_words, value_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.answer import Answer

MARKS = {"pass": "+", "fail": "x", "inconclusive": "?"}
IN_WORDS = {"pass": "passed", "fail": "failed", "inconclusive": "not enough evidence"}
TITLES = {"pass": "verdict-pass", "fail": "verdict-fail", "inconclusive": "verdict-inconclusive"}
REASONS = {"fail": "reason-fails", "inconclusive": "reason-open"}
WORST_FIRST = ("fail", "inconclusive", "pass")
MOST_RULES, MOST_SLICES = 4, 5
"""The rules that the reason of a verdict names, and the slices of a rule."""
SHARE_OF_RULE = 0.4
"""A rule wider than this share of the screen stands on a line of its own."""


def verdict_lines(answer: Answer, *, width: int, most: int) -> list[str]:
    """Return at most so many lines: the verdict, and its rules as far as there is room."""
    title = wrap(verdict_title(answer), width, subsequent_indent="  ", break_on_hyphens=False)
    gates = worst_first(answer.gates)
    texts = [(MARKS[gate["verdict"]], _rule(gate), gate["message"]) for gate in gates]
    longest = max((len(rule) for _, rule, _ in texts), default=0)
    beside = longest + 6 if longest <= SHARE_OF_RULE * width else 0
    blocks = [_block(mark, rule, sentence, width, beside) for mark, rule, sentence in texts]
    lines, shown = title, 0
    for block in blocks:
        needs = len(block) + (shown + 1 < len(blocks))
        if shown and len(lines) + needs > most:
            break
        lines, shown = lines + block, shown + 1
    if shown < len(blocks):
        left = answer_counts(gates[shown:])
        lines.append(f"  {message('more-verdicts', more=left).text(answer.audience)}"[:width])
    for each in answer.results[0].about_verdict:
        lines += wrap(each.text(answer.audience), width, subsequent_indent="  ", break_on_hyphens=False)
    return lines


def verdict_title(answer: Answer) -> str:
    """Return the verdict, the exit status, and what to do."""
    code = TITLES[answer.verdict or "inconclusive"]
    if answer.verdict == "pass" and any(gate["verdict"] != "pass" for gate in answer.gates):
        code = "verdict-pass-with-warnings"
    return message(code, status=answer.exit_code).text(answer.audience)


def verdict_reason(answer: Answer) -> str:
    """Return in a sentence whether the evidence allows a release, and which rules do not pass, in which slices."""
    decides = [gate for gate in answer.gates if gate["severity"] != "warn"]
    warns = _not_passed([gate for gate in answer.gates if gate["severity"] == "warn"])
    if answer.verdict == "pass":
        told = message("reason-pass-but", rules=warns) if warns else message("reason-pass")
    elif not answer.gates:
        told = message("reason-no-rule")
    else:
        passed = message("reason-rest-passes") if any(gate["verdict"] == "pass" for gate in decides) else ""
        only_warns = message("reason-warns", rules=warns) if warns else ""
        told = message("reason-not-passed", rules=_not_passed(decides), passed=passed, warns=only_warns)
    return told.text(answer.audience)


def _not_passed(gates: Sequence[dict[str, Any]]) -> str:
    """Return the rules that failed and those left open, those first that have a value."""
    models: dict[str, set[str]] = {}
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for gate in gates:
        models.setdefault(rule_as_written(gate), set()).add(gate["model"])
    for gate in worst_first(gates):
        if gate["verdict"] != "pass":
            groups.setdefault((rule_as_written(gate), gate["model"], gate["verdict"]), []).append(gate)
    clauses = [
        f"{rule}{f' of {model}' * (len(models[rule]) > 1)} {message(REASONS[verdict])}{_where(found)}"
        for (rule, model, verdict), found in groups.items()
    ]
    more = len(clauses) - MOST_RULES
    return "; ".join([*clauses[:MOST_RULES], *([str(message("reason-more-rules", count=more))] if more > 0 else [])])


def _where(gates: Sequence[dict[str, Any]]) -> str:
    """Return the slices in which a rule does not pass, each with its value, or its value on all cases."""
    told = []
    for gate in sorted(gates, key=lambda gate: gate["value"] is None):
        value = " ".join(value_in_words(gate)).strip() if gate["value"] is not None else ""
        name = "" if gate.get("slice") is None else gate["slice"] or "(empty)"
        told.append(" ".join([*[name] * bool(name), *[f"({value})"] * bool(value)]))
    named, more = told[:MOST_SLICES], len(told) - MOST_SLICES
    named += [f"{more} more"] if more > 0 else []
    *first, last = named
    whole = f"{', '.join(first)} and {last}" if first else last
    return f" in {whole}" if gates[0].get("slice") is not None else f" {whole}" * bool(whole)


def worst_first(gates: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the verdicts, those that decide first, and of those left open the ones with a value."""
    return sorted(
        gates,
        key=lambda gate: (WORST_FIRST.index(gate["verdict"]), gate["severity"] == "warn", gate.get("value") is None),
    )


def answer_counts(gates: list[dict[str, Any]]) -> str:
    """Return how many rules passed, failed or stayed open, as text."""
    counts = {word: sum(gate["verdict"] == verdict for gate in gates) for verdict, word in IN_WORDS.items()}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count)


def _rule(gate: dict[str, Any]) -> str:
    warning = " (only warns)" if gate["severity"] == "warn" else ""
    return "".join(letter if letter.isprintable() else " " for letter in rule_in_words(gate) + warning)


def _block(mark: str, rule: str, sentence: str, width: int, beside: int) -> list[str]:
    plain = "".join(letter if letter.isprintable() else " " for letter in sentence)
    if beside:
        first, *others = wrap(plain, max(width - beside, 1), break_on_hyphens=False) or [""]
        return [f"  {mark} {rule:<{beside - 4}}{first}", *(" " * beside + other for other in others)]
    head = wrap(rule, width - 4) or [""]
    lines = [f"  {mark} {head[0]}", *(f"    {other}" for other in head[1:])]
    return lines + [f"      {line}" for line in wrap(plain, width - 6, break_on_hyphens=False)]
