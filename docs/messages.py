"""Write docs/messages.md, the explanations of all messages as `rocconf explain` prints them."""

from itertools import groupby
from pathlib import Path

from rocconf.messages import Explanation, explained_codes, explanation
from rocconf.report.markdown import as_markdown

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Messages

Every warning, note and error has a code, which stands in brackets at its end, in the caveats of JSON reports, and in
Python as `error.code`. `rocconf explain CODE` prints the same texts as this page, which `make docs` writes.

A warning changes how a shown number must be read; a note is background and in JSON only; an error ends the run with 2.
"""


def page() -> str:
    """Return the page."""
    found = [each for code in explained_codes() if (each := explanation(code))]
    parts = [HEAD]
    for kind, of_kind in groupby(found, key=lambda each: each.kind):
        parts.append(f"\n## {kind.capitalize()}s\n")
        group = list(of_kind)
        parts += [_errors(group)] if kind == "error" else [_section(each) for each in group]
    return "".join(parts)


def _section(each: Explanation) -> str:
    lines = [f"- {heading}: {as_markdown(text)}\n" for heading, text in each.parts]
    return f"\n### {each.code}\n\n> {as_markdown(each.says)}\n\n{''.join(lines)}"


def _errors(errors: list[Explanation]) -> str:
    groups: dict[tuple[tuple[str, str], ...], list[Explanation]] = {}
    for each in errors:
        groups.setdefault(each.parts, []).append(each)
    return "".join(
        "\n" + " ".join(as_markdown(text) for heading, text in parts if heading != "See")
        + "\n\n| code | message |\n|---|---|\n"
        + "".join(f"| {each.code} | {as_markdown(each.says)} |\n" for each in group)
        for parts, group in groups.items()
    )  # fmt: skip


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
