"""A saved report whose seal holds, and a model of it as a baseline: made by `read`, judged by `gate` and `compare`."""

from __future__ import annotations

from importlib import import_module
from math import isclose
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.seal import SEALED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.records import IntervalKind, Source

SCORES = "scores"
"""The key, in the row of a class, of the model that scores it."""


@dataclass(frozen=True, slots=True)
class SavedReport:
    """A report of one analysis, of one model or several."""

    source: Source
    record: Mapping[str, Any]
    """All of the report, as it stands in JSON; perhaps without rows of thresholds."""
    caveats: tuple[Message, ...]
    sealed: str = SEALED[-1]
    """How it is sealed, as a code of messages."""

    @property
    def command(self) -> str:
        """The command that wrote it."""
        return str(self.record["schema"].split("/")[1])

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the run."""
        options: Mapping[str, Any] = self.record["options"]
        return options

    @property
    def level(self) -> float | None:
        """The level of the run; None where there were no scores, and so no interval."""
        return self.options.get("level")

    @property
    def models(self) -> Mapping[str, Mapping[str, Any]]:
        """The summary of each model."""
        return {row["model"]: row for row in self.record["tables"]["models"]}

    @property
    def evidence(self) -> Mapping[str, Mapping[str, Any]]:
        """The evidence on each subject of rules: the models or, of several classes, each class and all together."""
        return {each["model"]: each for each in self.record["evidence"]}

    @property
    def gates(self) -> Sequence[Mapping[str, Any]]:
        """The verdicts of the run."""
        gates: Sequence[Mapping[str, Any]] = self.record["gates"]
        return gates

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.source.name

    @property
    def data(self) -> tuple[str, ...]:
        """The digests of the files of cases, or their names; empty where the report names none."""
        return tuple(each["sha256"] or each["name"] for each in self.record["inputs"] if each["role"] == "data")

    @property
    def baseline(self) -> str | None:
        """The model that the others were compared with."""
        return self.options.get("baseline")


@dataclass(frozen=True, slots=True)
class Reported:
    """A model of an earlier report, with what a comparison on other cases needs."""

    model: str
    evidence: Mapping[str, Any]
    """The evidence on the model, as the report holds it."""
    interval_kind: IntervalKind
    source: Source
    data: Source | None = None
    """The cases of the model, where the report names them."""
    lower_is_positive: bool = False
    max_fpr: float | None = None
    cost: str | None = None

    @property
    def is_binned(self) -> bool:
        """Whether its scores are in bins."""
        return bool(self.evidence["is_binned"])

    @property
    def points(self) -> list[str]:
        """The operating points of the report."""
        found: list[str] = _evidence().points_of(self.evidence)
        return found

    @property
    def auc(self) -> float:
        """The AUC."""
        return float(self.estimate("auc", None).value)

    def has_point(self, rule: Any) -> bool:
        """Whether the report has an operating point."""
        return self.has("tp", rule)

    def has(self, metric: str, rule: Any) -> bool:
        """Whether the report has a metric, at an operating point or of the whole curve."""
        return self._find(metric, rule) is not None

    def estimate(self, metric: str, rule: Any) -> Any:
        """Return the estimate of a metric; None without a value."""
        found = self._find(metric, rule)
        return found and found.estimate

    def threshold(self, rule: Any) -> float | None:
        """Return the threshold of an operating point, None where nothing is predicted positive."""
        found = self._find("tp", rule)
        threshold: float | None = found and found.at and found.at.threshold
        return threshold

    def is_open(self, metric: str, rule: Any) -> bool:
        """Whether the report has too few clusters for a verdict on a metric."""
        found = self._find(metric, rule)
        return found is not None and bool(found.is_open)

    def is_of(self, counts: Any, area: Any) -> bool:
        """Whether this is the model of these counts, as far as the numbers of cases and the area tell."""
        if (counts.n, counts.p) != (self.evidence["n"], self.evidence["positives"]):
            return False
        own = self.estimate("auc", None)
        pairs = ((own.value, area.value), (own.variance or 0.0, area.variance or 0.0))
        return all(isclose(one, other, rel_tol=1e-9) for one, other in pairs)

    def _find(self, metric: str, rule: Any) -> Any:
        return _evidence().find_entry(self.evidence, metric, rule)


def _evidence() -> Any:
    """Return the package that reads the evidence of a report, which knows this one by name."""
    return import_module("rocconf.compute.evidence")
