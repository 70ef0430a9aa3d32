"""What a run promises of its operating points: the level of its rules, and the assurance of its thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.gate import GateRule


@dataclass(frozen=True, slots=True)
class Promises:
    """The level of a run, the assurance of its operating points, and these as they were typed.

    An assurance holds for the rules of the gate too. It is checked before anything is read.
    """

    level: float
    assurance: float | None = None
    at: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.assurance is not None:
            from rocconf.compute.roc.operating import parse_point_rules

            parse_point_rules(self.at, self.assurance)

    def of(self, rules: Iterable[GateRule]) -> tuple[GateRule, ...]:
        """Return rules with the assurance, where they choose a threshold."""
        if self.assurance is None:
            return tuple(rules)
        return tuple(rule if rule.at is None else replace(rule, at=self._assured(rule.at)) for rule in rules)

    def _assured(self, at: str) -> str:
        from rocconf.compute.roc.operating import parse_point_rule, parse_point_rules

        if not parse_point_rule(at).chooses:
            return at
        (rule,) = parse_point_rules(at, self.assurance)
        return rule.text
