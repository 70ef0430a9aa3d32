"""What can go wrong, told once: every error a reader can put right is a RocconfError."""

SPELLED_OUT = 5


class RocconfError(Exception):
    """Something the reader of the message can put right."""


class UsageError(RocconfError):
    """An option, or a combination of options, that has no meaning."""


class UndefinedError(RocconfError):
    """A number that does not exist for these counts."""


class InputError(RocconfError):
    """A file that does not say what it should: where, what was found and what was looked for."""

    def __init__(self, where: str, faults: list[str], *, total: int | None = None, hint: str = "") -> None:
        self.where, self.hint = where, hint
        self.faults = tuple(faults[:SPELLED_OUT])
        self.total = len(faults) if total is None else total
        super().__init__(self._text())

    def _text(self) -> str:
        if self.total == 1:
            lines = [f"{self.where}: {self.faults[0]}"]
        else:
            lines = [f"{self.where}: {self.total} faults", *(f"  {fault}" for fault in self.faults)]
        if self.total > len(self.faults):
            lines.append(f"  and {self.total - len(self.faults)} more")
        return "\n".join([*lines, *([f"  ({self.hint})"] if self.hint else [])])


class TooFewCasesError(InputError):
    """Rows of a file that are as they should be, but too few to say anything: none, or of one class only."""
