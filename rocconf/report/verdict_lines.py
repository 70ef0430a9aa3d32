"""The verdict of a gate on a screen: what it means, and a sentence for each rule, the worst first."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocconf.messages import message
from rocconf.report.verdict_table import rule_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.answer import Answer

MARKS = {"pass": "+", "fail": "x", "inconclusive": "?"}
IN_WORDS = {"pass": "passed", "fail": "failed", "inconclusive": "not enough evidence"}
TITLES = {"pass": "verdict-pass", "fail": "verdict-fail", "inconclusive": "verdict-inconclusive"}
WORST_FIRST = ("fail", "inconclusive", "pass")
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
    return lines


def verdict_title(answer: Answer) -> str:
    """Return the verdict, the exit status, and what to do."""
    code = TITLES[answer.verdict or "inconclusive"]
    if answer.verdict == "pass" and any(gate["verdict"] != "pass" for gate in answer.gates):
        code = "verdict-pass-with-warnings"
    return message(code, status=answer.exit_code).text(answer.audience)


def worst_first(gates: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the verdicts, those that decide first."""
    return sorted(gates, key=lambda gate: (WORST_FIRST.index(gate["verdict"]), gate["severity"] == "warn"))


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
