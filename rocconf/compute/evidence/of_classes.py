"""The evidence of a result of several classes: on each class of a model, and on all classes of it together."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes import AVERAGES, OneVsRest
from rocconf.compute.evidence.protocol import Evidence, find_pair, require_baseline
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.compare import Pair
    from rocconf.compute.evidence.protocol import Point
    from rocconf.compute.roc.operating import PointRule
    from rocconf.errors import RocconfError
    from rocconf.records import Interval


@dataclass
class ClassEvidence(Evidence):
    """The evidence on a class of a model or, where `place` is None, on all its classes."""

    result: OneVsRest
    at: int
    """The index of the model."""
    place: int | None
    """The index of the class."""
    again: dict[float, tuple[Pair, ...]] = field(default_factory=dict)
    """Cached differences at other levels, shared by all classes."""

    @property
    def model(self) -> str:
        """The name of the class, or of the model."""
        return self._named(self.at)

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return OneVsRest

    @property
    def baseline(self) -> str | None:
        """The same class, or all classes, of the model that others are compared with."""
        baseline = self.result.asked.baseline
        return None if baseline is None else self._named(self.result.cases.models.index(baseline))

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
        """The summary of the class, or the averages over all classes."""
        asked, model = self.result.asked, self.result.models[self.at]
        of = model if self.place is None else model.classes[self.place]
        return of.summary(asked.level, asked.interval)

    def is_about(self, name: str) -> bool:
        """Whether the metric is one of a class or, if this is the evidence on all of them, an average."""
        return (name.removeprefix(DELTA) in AVERAGES) == (self.place is None)

    def reason(self, name: str) -> str:
        """Return why there is no value."""
        if name in AVERAGES:
            return AVERAGES[name].undefined
        reasons = {column.name: column.undefined for column in self.result.table("models").columns}
        return reasons[name]

    def point(self, at: PointRule) -> Point:
        """Raise an error: several classes have no operating point."""
        raise UsageError("classes-without-points", at=at.text)

    def missing_interval(self, name: str, level: float) -> Interval | None:  # noqa: ARG002  # all have a formula
        """Return None: every interval has a formula."""
        return None

    def other_level(self, name: str, level: float) -> RocconfError:  # noqa: ARG002  # as above
        """Return the error of a number that exists only at the level of the run."""
        return UsageError("level-of-run", metric=name)

    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:  # noqa: ARG002  # no points
        """Return the difference from the baseline."""
        require_baseline(name, self.model, self.baseline)
        pairs = self.result.pairs
        if level != self.level:
            if level not in self.again:
                self.again[level] = self.result.at_level(level).pairs
            pairs = self.again[level]
        pair = find_pair(pairs, self.model, name, None)
        return pair.difference if pair else None

    def _named(self, at: int) -> str:
        model = self.result.models[at]
        return model.name if self.place is None else model.classes[self.place].name


def evidence_of_classes(result: OneVsRest) -> list[Evidence]:
    """Return the evidence of a result on every class of each model, and on all classes of it."""
    again: dict[float, tuple[Pair, ...]] = {}
    places = (*range(len(result.asked.classes)), None)
    return [ClassEvidence(result, at, place, again) for at in range(len(result.models)) for place in places]
