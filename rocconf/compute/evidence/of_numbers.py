"""The evidence of a comparison by whole numbers on each of its models."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.compare import AucComparison
from rocconf.compute.evidence.protocol import Evidence, find_pair, require_baseline
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.compare import Pair
    from rocconf.compute.evidence.protocol import Point
    from rocconf.compute.roc.operating import PointRule
    from rocconf.errors import RocconfError
    from rocconf.records import Interval


@dataclass
class NumbersEvidence(Evidence):
    """The evidence of a comparison by whole numbers on one of its models."""

    result: AucComparison
    name: str
    again: dict[float, tuple[Pair, ...]] = field(default_factory=dict)
    """Cached differences at other levels, shared by all models."""

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.name

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return AucComparison

    @property
    def baseline(self) -> str | None:
        """The model that others are compared with."""
        return self.result.asked.baseline

    @property
    def is_paired(self) -> bool:
        """Whether the models are compared on the same cases, which they always are."""
        return True

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the run."""
        return self.result.options

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""
        records = self.result.table("models").records()
        return next(record for record in records if record["model"] == self.name)

    def reason(self, name: str) -> str:
        """Return why there is no value."""
        reasons = {column.name: column.undefined for column in self.result.table("models").columns}
        return reasons[name]

    def point(self, at: PointRule) -> Point:
        """Raise an error: whole numbers have no operating point."""
        raise UsageError("numbers-without", what=at.text)

    def missing_interval(self, name: str, level: float) -> Interval | None:  # noqa: ARG002  # all have a formula
        """Return None: every interval has a formula."""
        return None

    def other_level(self, name: str, level: float) -> RocconfError:  # noqa: ARG002  # as above
        """Return the error of a number that exists only at the level of the run."""
        return UsageError("level-of-run", metric=name)

    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:  # noqa: ARG002  # no points
        """Return the difference from the baseline."""
        require_baseline(name, self.name, self.baseline)
        if level not in self.again:
            self.again[level] = self.result.at_level(level).pairs
        pair = find_pair(self.again[level], self.name, name, None)
        return pair.difference if pair else None


def evidence_of_numbers(result: AucComparison) -> list[Evidence]:
    """Return the evidence of a comparison by whole numbers on each of its models."""
    again: dict[float, tuple[Pair, ...]] = {}
    return [NumbersEvidence(result, name, again) for name in result.names]
