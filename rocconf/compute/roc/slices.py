"""The slices of a result: the same analysis of the cases with each value of a column, and how each differs from the rest.

The p-values of the differences are adjusted by Holm's method over all slices of all columns, for each measure by
itself. Of a column with two values the two differences are one test, which counts once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from rocconf import wording
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.roc.rows import POINT_COLUMNS, point_record
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.holm import holm
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.roc.rates import Rates
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts

MIN_CASES = 10
"""The least number of cases of each class in a slice on which a rule is decided."""

EMPTY = "(empty)"
"""What people see in place of an empty cell."""

RATES = ("tpr", "fpr")
"""The rates of a slice that are compared with those of the rest."""

WITHOUT_CASES = "all cases of the slice were left out"
OF_ONE_CLASS = "the slice has cases of one class only"
UNTESTED = "the slice or the rest has too few cases of a class"
NO_TEST = f"{UNTESTED}, or no test can be made"
BY, SLICE = Column("by", "text"), Column("slice", "text")
DECIDED = Column("decided", "flag")
ALWAYS = ("model", "n", "positives", "negatives", "prevalence", "level", "interval")
"""What every slice has."""


@dataclass(frozen=True, slots=True)
class FromRest:
    """A measure of a model in a slice less that in the rest; `rule` is the place of its operating point."""

    model: str
    metric: str
    rule: int | None
    difference: Measured | None
    p_adjusted: float | None = None

    def record(self, prefix: str = "") -> dict[str, Any]:
        """Return the columns of the difference."""
        found = self.difference
        limits = found.interval.ends if found else (None, None)
        return {
            f"{prefix}difference": found and found.value,
            f"{prefix}difference_lower": limits[0],
            f"{prefix}difference_upper": limits[1],
            f"{prefix}p": found and found.p,
            f"{prefix}p_adjusted": self.p_adjusted,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Slice:
    """The cases with one value of a column."""

    by: str
    """The column."""
    value: str
    positives: int
    negatives: int
    min_cases: int
    result: Result | None
    """The analysis of the cases, None where they are of one class only."""
    counted: Mapping[str, tuple[tuple[int, int], ...]]
    """For each model the true and false positives at each operating point of the whole."""
    from_rest: tuple[FromRest, ...] = ()

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.positives + self.negatives

    @property
    def is_decided(self) -> bool:
        """Whether there are enough cases of both classes for a verdict."""
        return min(self.positives, self.negatives) >= self.min_cases

    @property
    def name(self) -> str:
        """The value as people see it."""
        return self.value or EMPTY

    def difference(self, model: str, metric: str, rule: int | None = None) -> FromRest:
        """Return how a measure differs from that of the rest."""
        for found in self.from_rest:
            if (found.model, found.metric, found.rule) == (model, metric, rule):
                return found
        return FromRest(model, metric, rule, None)


class Swept(Protocol):
    """An analysis of all cases of a model."""

    @property
    def counts(self) -> ScoreCounts:
        """The counts of the model."""

    @property
    def points(self) -> tuple[OperatingPoint, ...]:
        """The operating points."""

    @property
    def rates(self) -> Rates:
        """The rates of a point."""


def adjusted(slices: Sequence[Slice]) -> tuple[Slice, ...]:
    """Return slices whose p-values are adjusted for the number of tests of each measure."""
    values: dict[str, int] = {}
    for each in slices:
        values[each.by] = values.get(each.by, 0) + bool(each.n)
    families: dict[tuple[str, str, int | None], dict[tuple[str, str | None], float]] = {}
    for each in slices:
        test = each.by, None if values[each.by] == 2 else each.value
        for found in each.from_rest:
            if found.difference is not None and found.difference.p is not None:
                family = families.setdefault((found.model, found.metric, found.rule), {})
                family[test] = max(found.difference.p, family.get(test, 0.0))
    found_p = {key: dict(zip(family, holm([*family.values()]), strict=True)) for key, family in families.items()}

    def with_p(each: Slice, found: FromRest) -> FromRest:
        test = each.by, None if values[each.by] == 2 else each.value
        family = found_p.get((found.model, found.metric, found.rule), {})
        has_p = found.difference is not None and found.difference.p is not None
        return replace(found, p_adjusted=family[test]) if has_p else found

    return tuple(replace(each, from_rest=tuple(with_p(each, found) for found in each.from_rest)) for each in slices)


def slice_columns(models: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of a slice: those of the summary, and the difference from the rest."""
    own = (_may_lack(column, OF_ONE_CLASS) for column in models if column.name != MODEL.name)
    return (MODEL, BY, SLICE, DECIDED, *own, *_of_difference(""))


def slices_table(slices: Sequence[Slice], columns: Sequence[Column], models: Sequence[str], whole: Table) -> Table:
    """Return a row for each model and slice; `columns` are those of the summary, and `whole` that of all cases."""
    return Table.of("slices", slice_columns(columns), list(_records(slices, columns, models, whole)))


def _records(
    slices: Sequence[Slice], columns: Sequence[Column], models: Sequence[str], whole: Table
) -> Iterator[dict[str, Any]]:
    of_run = {row["model"]: row for row in whole.records()} if slices else {}
    found = {at: _summaries(each) for at, each in enumerate(slices)}
    for model in models:
        for at, each in enumerate(slices):
            record = found[at].get(model) or dict.fromkeys(column.name for column in columns) | {
                "n": each.n,
                "positives": each.positives,
                "negatives": each.negatives,
                "prevalence": each.positives / each.n if each.n else None,
                "level": of_run[model]["level"],
                "interval": of_run[model]["interval"],
            }
            yield {
                **record,
                "model": model,
                "by": each.by,
                "slice": each.value,
                "decided": each.is_decided,
                **each.difference(model, "auc").record(),
            }


def _summaries(each: Slice) -> dict[str, dict[str, Any]]:
    return {} if each.result is None else {row["model"]: row for row in each.result.table("models").records()}


def slice_points_table(slices: Sequence[Slice], models: Sequence[Swept]) -> Table:
    """Return a row for each model, slice and operating point; `models` are the analyses of all cases."""
    rates = (
        column if column.name in COUNTED else _may_lack(column, OF_ONE_CLASS) for column in models[0].rates.columns
    )
    columns = (POINT_COLUMNS[0], BY, SLICE, *POINT_COLUMNS[1:], *rates)
    columns += tuple(column for rate in RATES for column in _of_difference(f"{rate}_"))
    records = [
        point_record(model.counts.model, point)
        | {"by": each.by, "slice": each.value}
        | _rates(model.rates, each, *each.counted[model.counts.model][at])
        | {
            key: value
            for rate in RATES
            for key, value in each.difference(model.counts.model, rate, at).record(f"{rate}_").items()
        }
        for model in models
        for each in slices
        for at, point in enumerate(model.points)
    ]
    return Table.of("slice_points", columns, records)


def _rates(rates: Rates, each: Slice, tp: int, fp: int) -> dict[str, float | None]:
    """Return the columns of an operating point, the counts alone of a slice of one class."""
    if each.result is not None:
        return {**rates.record(tp, fp, each.positives, each.negatives)}
    counts = {"tp": tp, "fp": fp, "fn": each.positives - tp, "tn": each.negatives - fp}
    return dict.fromkeys(column.name for column in rates.columns) | counts


def _of_difference(prefix: str) -> tuple[Column, ...]:
    return (
        Column(f"{prefix}difference", "number", UNTESTED),
        Column(f"{prefix}difference_lower", "number", UNTESTED),
        Column(f"{prefix}difference_upper", "number", UNTESTED),
        Column(f"{prefix}p", "p", NO_TEST, spare=True),
        Column(f"{prefix}p_adjusted", "p", NO_TEST),
    )


def _may_lack(column: Column, why: str) -> Column:
    if column.name == "prevalence":
        return replace(column, undefined=WITHOUT_CASES)
    if column.name in ALWAYS:
        return column
    return replace(column, undefined=f"{column.undefined}, or {why}" if column.undefined else why)


def columns_of(slices: Iterable[Slice]) -> list[str]:
    """Return the columns that the slices are of."""
    return list(dict.fromkeys(each.by for each in slices))


def options_of(slices: Sequence[Slice]) -> dict[str, Any]:
    """Return the options of slices, none without any."""
    return {"by": columns_of(slices), "min_cases": slices[0].min_cases} if slices else {}


def slice_caveats(slices: Sequence[Slice]) -> Iterator[Message]:
    """Yield what must be known of the slices of each column."""
    for by in columns_of(slices):
        own = [each for each in slices if each.by == by]
        few = [each.name for each in own if not each.is_decided]
        if few:
            yield message(
                "slices-undecided", by=by, few=len(few), of=len(own), least=own[0].min_cases, names=_listed(few)
            )
        with_cases = [each.name for each in own if each.n]
        if len(with_cases) == 1:
            yield message("slice-of-all", by=by, name=with_cases[0])
        alike: dict[str, list[str]] = {}
        for each in own:
            alike.setdefault(" ".join(each.value.split()).casefold(), []).append(each.value)
        for twins in alike.values():
            if len(twins) > 1:
                yield message("slices-alike", by=by, names=", ".join(map(repr, twins)))


def slices_on_screen(table: Table) -> Table:
    """Return the slices with the lowest AUC first and those not decided last, named as people see them."""
    rows = [
        {**row, "slice": row["slice"] or EMPTY}
        for row in sorted(table.records(), key=lambda row: (not row["decided"], row["auc"] is None, row["auc"] or 0.0))
    ]
    return Table.of(table.name, table.columns, rows)


def points_on_screen(table: Table) -> Table:
    """Return the operating points of slices whose thresholds were not chosen on these cases."""
    rows = [{**row, "slice": row["slice"] or EMPTY} for row in table.records() if not row["in_sample"]]
    return Table.of(table.name, table.columns, rows)


def slice_conclusions(slices: Sequence[Slice], models: Sequence[str], *, level: float) -> Iterator[Message]:
    """Yield for each column the lowest and the highest AUC, and which slices differ from the rest."""
    for by in columns_of(slices):
        own = [each for each in slices if each.by == by]
        for model in models:
            areas = [(_summaries(each)[model]["auc"], each.name) for each in own if each.is_decided]
            if not areas:
                yield message("answer-no-slices", by=by, of=len(own))
                return
            found = [(each.name, each.difference(model, "auc")) for each in own]
            sure = [(name, of) for name, of in found if of.p_adjusted is not None and of.p_adjusted <= 1 - level]
            yield message(
                "answer-slices",
                by=by,
                **_ends(areas, wording.rate),
                decided=len(areas),
                of=len(own),
                differing=_differing(sure, "slices-do-not-differ"),
            )


def _ends(values: Sequence[tuple[float, str]], shown: Callable[[float], str]) -> dict[str, str]:
    (lowest, lowest_name), (highest, highest_name) = min(values), max(values)
    return {
        "lowest": shown(lowest),
        "lowest_name": lowest_name,
        "highest": shown(highest),
        "highest_name": highest_name,
    }


def _differing(sure: Sequence[tuple[str, FromRest]], none: str) -> Message:
    if not sure:
        return message(none)
    told = [
        f"{name} {wording.signed(of.difference.value)} ({wording.p_value(of.p_adjusted)})"
        for name, of in sure
        if of.difference is not None
    ]
    return message("slices-differ", names=_listed(told))


MOST_NAMED = 5
"""How many slices a message names."""


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
