"""The records of a saved report that rules need: made by `read` and judged by `gate`."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.naming import ONE_VS_REST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.conditions import Condition
    from rocconf.messages import Message
    from rocconf.records import Interval, IntervalKind, Source


EMBEDDED = '<script type="application/json" id="report">'
"""How the report begins in a page."""

Part = tuple[str, str]
"""A slice: the column, and the value of its cases."""

SCORES = "scores"
"""The key, in the row of a class, of the model that scores it."""


@dataclass(frozen=True, slots=True)
class SavedPoint:
    """A model at an operating point; a threshold of None predicts nothing positive."""

    model: str
    rule: str
    threshold: float | None
    in_sample: bool
    tp: int
    fp: int


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A metric of a model minus that of its baseline; the difference is None where one of them has no value."""

    model: str
    metric: str
    at: str | None
    difference: float | None
    interval: Interval | None
    kind: IntervalKind | None
    test: str


@dataclass(frozen=True, slots=True)
class SavedGate:
    """A saved verdict on a model: the rule and the measure that was judged."""

    name: str
    model: str
    metric: str
    """The metric; it ends in `.point` if the value alone was judged."""
    at: str | None
    op: str
    limit: float
    level: float
    where: tuple[Condition, ...]
    severity: str
    on_undefined: str
    value: float | None
    interval: Interval | None
    """Infinite where a limit is unknown."""
    kind: IntervalKind | None
    """The kind of the interval; None of one that was bootstrapped."""
    n: int
    positives: int
    threshold: float | None
    in_sample: bool | None
    reason: str
    is_from_itself: bool
    """Whether a model was compared with itself."""
    allow_identical: bool
    part: Part | None = None
    """The slice and its column, of a rule about every slice."""
    slices: int | None = None
    """The number of slices that were decided."""
    rule_level: float | None = None
    """The level of the rule, over all slices."""


@dataclass(frozen=True, slots=True)
class SavedSlice:
    """A slice of the cases."""

    is_decided: bool
    models: Mapping[str, Mapping[str, Any]]
    """The summary of each model, whose AUC is None where the cases are of one class only."""
    points: tuple[SavedPoint, ...]
    pairs: tuple[SavedPair, ...]


@dataclass(frozen=True, slots=True)
class SavedReport:
    """A report of one analysis, of one model or several."""

    command: str
    level: float | None
    """The level of the run; None where there were no scores, and so no interval."""
    options: Mapping[str, Any]
    models: Mapping[str, Mapping[str, Any]]
    """The summary of each model."""
    points: tuple[SavedPoint, ...]
    pairs: tuple[SavedPair, ...]
    gates: tuple[SavedGate, ...]
    reasons: Mapping[tuple[str, str], str]
    """Why a model's summary has no value for a key."""
    caveats: tuple[Message, ...]
    source: Source
    record: Mapping[str, Any]
    """All of the report, as it stands in JSON."""
    averages: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """For each model of several classes the rows of its averages over them."""

    slices: Mapping[Part, SavedSlice] = field(default_factory=dict)
    """The slices of the cases."""
    part: Part | None = None
    """The slice that this is about, None of all cases."""

    def slices_by(self, column: str) -> dict[str, SavedSlice]:
        """Return the slices of a column by their values."""
        return {value: found for (by, value), found in self.slices.items() if by == column}

    def in_slice(self, part: Part) -> SavedReport:
        """Return what the report says of a slice, as a report of its cases alone."""
        found, tables = self.slices[part], self.record["tables"]
        rows = {
            own: [row for row in tables.get(name, []) if (row["by"], row["slice"]) == part]
            for own, name in (("operating_points", "slice_points"), ("pairs", "slice_pairs"))
        }
        known = {model: row for model, row in found.models.items() if row["auc"] is not None}
        return replace(
            self,
            models=known,
            points=found.points,
            pairs=found.pairs,
            record={**self.record, "tables": {"models": list(known.values()), **rows}},
            slices={},
            part=part,
        )

    @property
    def units(self) -> Mapping[str, Mapping[str, Any]]:
        """The subjects of rules, with their numbers: the models or, of several classes, each class and all together."""
        return {**self.models, **{name: rows[0] for name, rows in self.averages.items()}}

    def baseline_of(self, unit: str) -> str | None:
        """Return the baseline of a model, or the same class of the baseline."""
        if self.baseline is None or unit not in self.models or self.command != ONE_VS_REST:
            return self.baseline
        wanted = (self.baseline, self.models[unit].get("class"))
        same = [name for name, each in self.models.items() if (each.get(SCORES), each.get("class")) == wanted]
        return same[0] if same else None

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.source.name

    @property
    def data(self) -> tuple[str, ...]:
        """The digests of the files of cases, or their names; empty where the report names none."""
        inputs = [each for each in self.record.get("inputs", []) if each["role"] == "data"]
        return tuple(each.get("sha256") or each["name"] for each in inputs)

    @property
    def baseline_report(self) -> Mapping[str, Any] | None:
        """The report whose model is the baseline, as it stands among the inputs, with its cases and positives."""
        found = [each for each in self.record.get("inputs", []) if each["role"] == "baseline" and "schema" in each]
        return found[0] if found else None

    @property
    def baseline(self) -> str | None:
        """The model that the others were compared with."""
        baseline: str | None = self.options.get("baseline")
        return baseline


@dataclass(frozen=True, slots=True)
class Reported:
    """A model of an earlier report, with what a comparison on other cases needs."""

    model: str
    p: int
    q: int
    auc: float
    auc_se: float | None
    auc_df: float | None
    auc_interval: Interval
    interval_kind: IntervalKind
    level: float
    points: dict[str, tuple[int, int]]
    """True and false positives at each rule for an operating point."""
    source: Source
    data: Source | None = None
    """The cases of the model, where the report names them."""
    lower_is_positive: bool = False
    clusters: int | None = None
    """The number of clusters of its cases, None of independent cases."""
    is_binned: bool = False
    """Whether its scores are in bins."""
