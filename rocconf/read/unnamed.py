"""The error about columns that nobody named: one for all of them, with what they could be and what to add."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.pattern import pattern
from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.messages import Audience, Message

LONGEST_SHOWN = 100
"""How many characters of a name or a cell a message shows."""

PLAIN = (".csv", ".tsv", ".txt", ".tab")
"""The suffixes of files of plain text."""

SED = {"decimal-commas": "s/,/./g", "percentages": "s/%//g"}
"""The sed commands that rewrite numbers for programs, by the code of the hint."""

IN_PLACE = pattern(r"old|prod|current|base|champion|reference", re.IGNORECASE)
"""The names of models that are in place already."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that an option answers, the possible answers, and the options to try with their values."""

    message: Message
    choices: Message | None
    answers: Mapping[str, tuple[str, ...]]
    """Empty if no answer is likely."""


class UnnamedError(InputError):
    """Columns, a class or a baseline that nobody named."""

    def __init__(
        self,
        where: str,
        questions: Sequence[Question],
        *,
        for_rules: bool = False,
        hints: Sequence[Message] = (),
        commas: Sequence[str] = (),
        line: Sequence[str] | None = None,
    ) -> None:
        super().__init__(where, [question.message for question in questions], hints=hints)
        self.questions, self.for_rules, self._line = tuple(questions), for_rules, line
        self.commas = tuple(commas)
        """The columns of numbers with decimal commas, which must be written with points first."""

    def in_command(self, line: Sequence[str], *, models: Sequence[str] | None) -> UnnamedError:
        """Return the error of a command line, which asks for the baseline too if its rules need one of some models."""
        baseline = [] if models is None else [about_baseline(models)]
        for_rules = self.for_rules or models is not None
        questions = [*self.questions, *baseline]
        return UnnamedError(self.where, questions, for_rules=for_rules, hints=self.hints, commas=self.commas, line=line)

    def without_answers(self, hint: Message) -> UnnamedError:
        """Return the error without an attempt, which would not work, but with what else to do."""
        return UnnamedError(
            self.where, self.questions, for_rules=self.for_rules, hints=[*self.hints, hint], commas=self.commas
        )

    def asking_first(self, question: Question) -> UnnamedError:
        """Return the error with this question before its own."""
        return UnnamedError(
            self.where,
            [question, *self.questions],
            for_rules=self.for_rules,
            hints=self.hints,
            commas=self.commas,
            line=self._line,
        )

    @property
    def answers(self) -> Mapping[str, tuple[str, ...]]:
        """The options to try with their values; none if one of them is unknown."""
        if self.hints or not all(question.answers for question in self.questions):
            return {}
        return {option: values for question in self.questions for option, values in question.answers.items()}

    def text(self, audience: Audience = "library") -> str:
        """Return the questions as one sentence, the possible answers, and what to try."""
        *first, last = (question.message.text(audience) for question in self.questions)
        asked = f"{', '.join(first)}, and {last}" if first else last
        reason = f" ({message('never-a-guess').text(audience)})" if self.for_rules else ""
        lines = [f"{visible(self.where)}: {asked}?{reason}"]
        lines += [question.choices.text(audience) for question in self.questions if question.choices]
        if self.commas:
            columns = ", ".join(map(shown, self.commas))
            lines.append(message("commas-in", columns=columns).text(audience))
        lines += [hint.text(audience) for hint in self.hints]
        if self.answers and not (self.commas and copy_of(self.where) is None):
            lines.append(message("try", what=self._attempt(audience)).text(audience))
            if self.for_rules and audience == "shell":
                lines.append(message("try-config", lines=_in_toml(self.answers)).text(audience))
        return "\n  ".join(lines)

    def _attempt(self, audience: Audience) -> str:
        if audience == "library":
            return ", ".join(f"{option}={_one_or_all(values)!r}" for option, values in self.answers.items())
        if self._line is None:
            return _typed(_flags(self.answers))
        if self.commas:
            return with_copy_written(words_with_options(self._line, self.answers), self.where, "decimal-commas")
        return with_options(self._line, self.answers)


def with_options(line: Sequence[str], answers: Mapping[str, Sequence[str]], *flags: str) -> str:
    """Return a command line with more options, as it is typed in bash."""
    return _typed(words_with_options(line, answers, *flags))


def words_with_options(line: Sequence[str], answers: Mapping[str, Sequence[str]], *flags: str) -> list[str]:
    """Return the words of a command line with more options."""
    at = line.index("--") if "--" in line else len(line)  # which ends the options
    return [*line[:at], *_flags(answers), *flags, *line[at:]]


def about_baseline(models: Sequence[str], *, choices: bool = False) -> Question:
    """Return the question which model is the baseline, with the models if nothing else lists them."""
    likely = [model for model in models if IN_PLACE.search(model)] or models
    return Question(
        message("which-baseline"),
        message("models-are", choices=", ".join(map(shown, models))) if choices else None,
        {"baseline": (likely[0],)} if len(models) > 1 else {},
    )


def copy_of(file: str) -> str | None:
    """Return the name for a copy of a text file with other numbers; None if sed cannot write one."""
    path = Path(file)
    return str(path.with_suffix(f".numbers{path.suffix}")) if path.suffix.lower() in PLAIN and path.is_file() else None


def with_copy_written(words: Sequence[str], file: str, fault: str) -> str:
    """Return a command line that writes a copy of a file without such faults, and then takes it in place of the file."""
    copy = str(copy_of(file))
    written = f"sed '{SED[fault]}' {_typed([file])} > {_typed([copy])}"
    return f"{written} && {_typed([copy if word == file else word for word in words])}"


def shown(name: str) -> str:
    """Return a name or a cell: shortened if it is long, quoted if it has characters that are not printable."""
    short = name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}..."
    return short if short.isprintable() else repr(short)


def _typed(words: Sequence[str]) -> str:
    """Return words as they are typed in bash, on one line."""
    return " ".join(shlex.quote(word) if word.isprintable() else _escaped(word) for word in words)


def _escaped(word: str) -> str:
    return "$'" + word.encode("unicode_escape").decode().replace("'", r"\'") + "'"


def _flags(answers: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the words of the shell's options; a value that begins with a dash is joined to its option."""
    words: list[str] = []
    for option, values in answers.items():
        for value in values:
            words += [f"--{option}={value}"] if value.startswith("-") else [f"--{option}", value]
    return words


def _in_toml(answers: Mapping[str, Sequence[str]]) -> str:
    import json

    return ", ".join(
        f"{option} = {json.dumps(_one_or_all(values), ensure_ascii=False)}" for option, values in answers.items()
    )


def _one_or_all(values: Sequence[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else list(values)
