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
from rocconf.compute.roc.summary import MODEL, has_few_clusters
from rocconf.compute.stats.clusters import FEWEST_CLUSTERS
from rocconf.compute.stats.holm import holm
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
KNOWN = ("scores", "class", "metric", "level", "interval")
"""What a slice has from all cases."""
ALWAYS = ("model", "n", "positives", "negatives", "prevalence", *KNOWN)
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
    sizes: Mapping[str, tuple[int, int]]
    """The positives and negatives of each model, or of each class of it against the rest."""
    min_cases: int
    result: Any
    """The analysis of the cases, None where they are of one class only."""
    counted: Mapping[str, tuple[tuple[int, int], ...]]
    """For each model the true and false positives at each operating point of the whole."""
    from_rest: tuple[FromRest, ...] = ()

    @property
    def n(self) -> int:
        """The number of cases, of models on different cases the largest."""
        return max(map(sum, self.sizes.values()))

    def size(self, unit: str) -> tuple[int, int]:
        """Return the positives and negatives of a model, or of a class; of all classes those of the smallest."""
        return self.sizes.get(unit) or min(self.sizes.values())

    @property
    def is_decided(self) -> bool:
        """Whether there are enough cases of every class for a verdict."""
        return min(map(min, self.sizes.values())) >= self.min_cases

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


def slices_table(slices: Sequence[Slice], units: Sequence[tuple[str, str]], whole: Table) -> Table:
    """Return a row for each model, or class of a model, with its measure in each slice.

    Parameters
    ----------
    slices
        The slices.
    units
        The names of models or classes, each with the measure that is compared with that of the rest.
    whole
        The same of all cases: a table with a row for each unit.
    """
    own = (_may_lack(column, OF_ONE_CLASS) for column in whole.columns if column.name != MODEL.name)
    columns = (MODEL, BY, SLICE, DECIDED, *own, *_of_difference(""))
    return Table.of("slices", columns, list(_records(slices, units, whole)))


def _records(slices: Sequence[Slice], units: Sequence[tuple[str, str]], whole: Table) -> Iterator[dict[str, Any]]:
    of_run = dict(zip(units, whole.records(), strict=True)) if slices else {}
    found = [{} if each.result is None else _by_unit(each.result.table(whole.name), units) for each in slices]
    for unit in units:
        known = {key: of_run[unit][key] for key in KNOWN if key in of_run[unit]} if slices else {}
        for each, rows in zip(slices, found, strict=True):
            sizes = _sizes(*each.size(unit[0]))
            lacking = {key: sizes.get(key) for key in whole.names} | known
            yield {
                **rows.get(unit, lacking),
                "model": unit[0],
                "by": each.by,
                "slice": each.value,
                "decided": each.is_decided,
                **each.difference(*unit).record(),
            }


def _by_unit(table: Table, units: Sequence[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    return dict(zip(units, table.records(), strict=True))


def _sizes(positives: int, negatives: int) -> dict[str, float | None]:
    n = positives + negatives
    return {"n": n, "positives": positives, "negatives": negatives, "prevalence": positives / n if n else None}


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
        | _rates(model, each, at)
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


def _rates(model: Swept, each: Slice, at: int) -> dict[str, float | None]:
    """Return the columns of an operating point, the counts alone of a slice of one class."""
    name, rates = model.counts.model, model.rates
    (tp, fp), (positives, negatives) = each.counted[name][at], each.size(name)
    own = next((found for found in getattr(each.result, "sweeps", ()) if found.counts.model == name), None)
    if own is not None:
        return {**replace(rates, sizes=own.rates.sizes).record(tp, fp, positives, negatives)}
    counts = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
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
        few = [each.name for each in own if each.is_decided and any(map(has_few_clusters, each.result.model_counts))]
        if few:
            yield message(
                "slices-few-clusters", by=by, few=len(few), of=len(own), fewest=FEWEST_CLUSTERS, names=_listed(few)
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


def slice_conclusions(
    slices: Sequence[Slice], models: Sequence[str], *, level: float, metric: str = "auc"
) -> Iterator[Message]:
    """Yield for each column the lowest and the highest value of a measure, and which slices differ from the rest."""
    for by in columns_of(slices):
        own = [each for each in slices if each.by == by]
        for model in models:
            values = [(_value(each.result, model, metric), each.name) for each in own if each.is_decided]
            if not values:
                yield message("answer-no-slices", by=by, of=len(own))
                return
            found = [(each.name, each.difference(model, metric)) for each in own]
            sure = [(name, of) for name, of in found if of.p_adjusted is not None and of.p_adjusted <= 1 - level]
            yield message(
                "answer-slices",
                by=by,
                metric=spelled(metric),
                **_ends(values, wording.rate),
                decided=len(values),
                of=len(own),
                differing=_differing(sure, "slices-do-not-differ"),
            )


def spelled(area: str) -> str:
    """Return the name of an area as sentences have it, like macro AUC."""
    return area.replace("_", " ").replace("auc", "AUC")


def _value(result: Any, model: str, metric: str) -> float:
    if metric == "auc":
        return next(float(each.auc.value) for each in result.sweeps if each.counts.model == model)
    return next(float(each.averages[metric].value) for each in result.models if each.name == model)


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
