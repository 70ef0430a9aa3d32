"""The slices of a result: the same analysis of the cases with each value of a column, and how each differs from the rest.

The p-values of the differences are adjusted by Holm's method over all slices of all columns, for each measure by
itself. Of a column with two values the two differences are one test, which counts once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocconf import wording
from rocconf.compute.roc.rates import COUNTED, POINT_COLUMNS, point_record
from rocconf.compute.roc.summary import MODEL, has_few_clusters
from rocconf.compute.stats.design import FEWEST_CLUSTERS
from rocconf.compute.stats.holm import holm
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.roc.rates import Rates
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message

MIN_CASES = 10
"""The least number of cases of each class in a slice on which a rule is decided."""

EMPTY = "(empty)"
"""What people see in place of an empty cell."""

MOST_NAMED = 5
"""How many slices a sentence names."""

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

    @property
    def measure(self) -> tuple[str, str, int | None]:
        """What is compared."""
        return self.model, self.metric, self.rule

    @property
    def p(self) -> float | None:
        """The p-value of the difference, if it has one."""
        return None if self.difference is None else self.difference.p

    def record(self, prefix: str = "") -> dict[str, Any]:
        """Return the columns of the difference."""
        found = (self.difference.value, *self.difference.interval.ends) if self.difference else (None,) * 3
        return record_of(_of_difference(prefix), (*found, self.p, self.p_adjusted))


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
        found = (each for each in self.from_rest if each.measure == (model, metric, rule))
        return next(found, FromRest(model, metric, rule, None))


def adjusted(slices: Sequence[Slice]) -> tuple[Slice, ...]:
    """Return slices whose p-values are adjusted for the number of tests of each measure."""
    values = Counter(each.by for each in slices if each.n)

    def test(each: Slice) -> tuple[str, str | None]:
        return each.by, None if values[each.by] == 2 else each.value

    families: dict[tuple[str, str, int | None], dict[tuple[str, str | None], float]] = {}
    for each in slices:
        for found in each.from_rest:
            if found.p is not None:
                family = families.setdefault(found.measure, {})
                family[test(each)] = max(found.p, family.get(test(each), 0.0))
    adjusted_p = {
        measure: dict(zip(family, holm([*family.values()]), strict=True)) for measure, family in families.items()
    }

    def with_p(each: Slice, found: FromRest) -> FromRest:
        return found if found.p is None else replace(found, p_adjusted=adjusted_p[found.measure][test(each)])

    return tuple(replace(each, from_rest=tuple(with_p(each, found) for found in each.from_rest)) for each in slices)


def slices_table(slices: Sequence[Slice], units: Sequence[tuple[str, str]], whole: Table) -> Table:
    """Return a row for each slice and unit: a model or a class, with the measure that is compared with that of the rest.

    `whole` has a row for each unit, of all cases.
    """
    own = (_may_lack(column) for column in whole.columns if column.name != MODEL.name)
    columns = (MODEL, BY, SLICE, DECIDED, *own, *_of_difference(""))
    return Table.of("slices", columns, list(_records(slices, units, whole)) if slices else [])


def _records(slices: Sequence[Slice], units: Sequence[tuple[str, str]], whole: Table) -> Iterator[dict[str, Any]]:
    found = [None if each.result is None else each.result.table(whole.name).records() for each in slices]
    for at, (unit, of_all) in enumerate(zip(units, whole.records(), strict=True)):
        for each, rows in zip(slices, found, strict=True):
            yield {
                **(_of_one_class(each.size(unit[0]), of_all) if rows is None else rows[at]),
                "model": unit[0],
                "by": each.by,
                "slice": each.value,
                "decided": each.is_decided,
                **each.difference(*unit).record(),
            }


def _of_one_class(size: tuple[int, int], of_all: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a slice that is not analysed: its sizes, and what it has from all cases."""
    (positives, negatives), n = size, sum(size)
    sizes = {"n": n, "positives": positives, "negatives": negatives, "prevalence": positives / n if n else None}
    return {key: value if key in KNOWN else sizes.get(key) for key, value in of_all.items()}


def slice_points_table(slices: Sequence[Slice], models: Sequence[tuple[str, Sequence[OperatingPoint], Rates]]) -> Table:
    """Return a row for each model, slice and operating point; a model has its points and the rates of all cases."""
    rates = (column if column.name in COUNTED else _may_lack(column) for column in models[0][2].columns)
    columns = (POINT_COLUMNS[0], BY, SLICE, *POINT_COLUMNS[1:], *rates)
    columns += tuple(column for rate in RATES for column in _of_difference(f"{rate}_"))
    records = []
    for name, points, of_all in models:
        for each in slices:
            for at, point in enumerate(points):
                record = (
                    point_record(name, point) | {"by": each.by, "slice": each.value} | _rates(name, of_all, each, at)
                )
                for rate in RATES:
                    record |= each.difference(name, rate, at).record(f"{rate}_")
                records.append(record)
    return Table.of("slice_points", columns, records)


def _rates(name: str, rates: Rates, each: Slice, at: int) -> dict[str, float | None]:
    """Return the columns of an operating point, the counts alone of a slice of one class."""
    (tp, fp), (positives, negatives) = each.counted[name][at], each.size(name)
    own = next((found for found in getattr(each.result, "sweeps", ()) if found.counts.model == name), None)
    if own is not None:
        return {**replace(rates, sizes=own.rates.sizes).record(tp, fp, positives, negatives)}
    counts = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
    return dict.fromkeys(column.name for column in rates.columns) | counts


def _of_difference(prefix: str) -> tuple[Column, ...]:
    return (
        *(Column(f"{prefix}difference{end}", "number", UNTESTED) for end in ("", "_lower", "_upper")),
        Column(f"{prefix}p", "p", NO_TEST, spare=True),
        Column(f"{prefix}p_adjusted", "p", NO_TEST),
    )


def _may_lack(column: Column) -> Column:
    """Return a column of all cases with the reason why a slice may lack it."""
    if column.name == "prevalence":
        return replace(column, undefined=WITHOUT_CASES)
    if column.name in ALWAYS:
        return column
    return replace(column, undefined=f"{column.undefined}, or {OF_ONE_CLASS}" if column.undefined else OF_ONE_CLASS)


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
            sizes = {"few": len(few), "of": len(own), "least": own[0].min_cases}
            yield message("slices-undecided", by=by, **sizes, names=listed(few))
        few = [each.name for each in own if each.is_decided and any(map(has_few_clusters, each.result.model_counts))]
        if few:
            sizes = {"few": len(few), "of": len(own), "fewest": FEWEST_CLUSTERS}
            yield message("slices-few-clusters", by=by, **sizes, names=listed(few))
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
    rows = sorted(table.records(), key=lambda row: (not row["decided"], row["auc"] is None, row["auc"] or 0.0))
    return with_names(table, rows)


def points_on_screen(table: Table) -> Table:
    """Return the operating points of slices whose thresholds were not chosen on these cases."""
    return with_names(table, [row for row in table.records() if not row["in_sample"]])


def with_names(table: Table, rows: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table with other rows, whose slices are named as people see them."""
    return Table.of(table.name, table.columns, [{**row, "slice": row["slice"] or EMPTY} for row in rows])


def slice_conclusions(slices: Sequence[Slice], model: str, *, level: float, metric: str = "auc") -> Iterator[Message]:
    """Yield for each column the lowest and the highest value of a measure, and which slices differ from the rest."""
    for by in columns_of(slices):
        own = [each for each in slices if each.by == by]
        values = [(_value(each.result, model, metric), each.name) for each in own if each.is_decided]
        if not values:
            yield message("answer-no-slices", by=by, of=len(own))
            return
        (lowest, lowest_name), (highest, highest_name) = min(values), max(values)
        differing = _differing([(each.name, each.difference(model, metric)) for each in own], level)
        yield message(
            "answer-slices",
            by=by,
            metric=spelled(metric),
            lowest=wording.rate(lowest),
            lowest_name=lowest_name,
            highest=wording.rate(highest),
            highest_name=highest_name,
            decided=len(values),
            of=len(own),
            differing=message("slices-differ", names=differing) if differing else message("slices-do-not-differ"),
        )


def spelled(area: str) -> str:
    """Return the name of an area as sentences have it, like macro AUC."""
    return area.replace("_", " ").replace("auc", "AUC")


def _value(result: Any, model: str, metric: str) -> float:
    if metric == "auc":
        return next(float(each.auc.value) for each in result.sweeps if each.counts.model == model)
    return next(float(each.averages[metric].value) for each in result.models if each.name == model)


def _differing(found: Sequence[tuple[str, FromRest]], level: float) -> str:
    """Return the slices that surely differ from the rest, each with its difference."""
    return listed(
        [
            f"{name} {wording.signed(of.difference.value)} ({wording.p_value(of.p_adjusted)})"
            for name, of in found
            if of.difference is not None and of.p_adjusted is not None and of.p_adjusted <= 1 - level
        ]
    )


def listed(names: Sequence[str]) -> str:
    """Return the names of the first slices, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
