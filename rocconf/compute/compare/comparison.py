"""What a comparison says: several models side by side, and every difference of two of them with its test."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf.answer import Result
from rocconf.compute.compare.model import BOOTSTRAPPED, ROWS, ComparedModel, models_columns
from rocconf.compute.compare.pairs import Pair, pairs_table
from rocconf.compute.compare.rate_difference import RATES
from rocconf.compute.roc.auc import AREAS
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.difference import Margin
from rocconf.errors import UsageError
from rocconf.records import Caveat
from rocconf.table import Block, Column, Table, stack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocconf.compute.compare.bands import Band
    from rocconf.compute.roc.operating import Rule
    from rocconf.records import Floats, Reported, ScoreCounts, Source
    from rocconf.table import Rows, Values

DELTA = "delta_"
RESAMPLED = ("cauc", "cauc_roc", "aved_abs")
REPLICATES = 2000
"""How many replicates a difference has that nobody but a rule asked for."""

BANDS = (
    MODEL,
    Column("kind", "text"),
    Column("level", "share"),
    Column("fpr", "share"),
    Column("tpr", "share"),
    Column("lower", "share"),
    Column("upper", "share"),
)

MAX_CHI2 = Caveat(
    "max-chi2",
    "max_chi2 is the largest of many: it passes 3.84 by chance in a quarter of all samples and more; rocconf "
    "chi2-contours gives its p-value",
)
UNPAIRED = Caveat(
    "unpaired", "models are compared as on different cases: on the same ones, paired, smaller differences can be told"
)
BANDS_DECIDE_NOTHING = Caveat(
    "bands",
    "bands illustrate: where they overlap nothing follows, and what decides between models is the table of pairs",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a comparison was asked to do; its fields are the options of the output."""

    level: float
    baseline: str | None
    all_pairs: bool
    paired: bool
    at: tuple[str, ...]
    margin: float | None
    thresholds: str
    max_fpr: float | None
    bootstrap: int
    seed: int
    band: str | None
    lower_is_positive: bool


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """Several models side by side, and in pairs."""

    command: ClassVar[str] = "compare"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "pairs", "operating_points", "bands")
    shown: ClassVar[tuple[str, ...]] = ("pairs", "operating_points")
    rows_title: ClassVar[str] = ""
    may_choose_on: ClassVar[bool] = True
    measured: ClassVar[tuple[str, ...]] = (
        *AREAS,
        *BOOTSTRAPPED,
        *("confident_points", "threshold_low", "threshold_high"),
        *(f"{DELTA}{metric}" for metric in ("auc", "partial_auc", "average_precision", *RESAMPLED)),
    )
    measured_at_point: ClassVar[tuple[str, ...]] = tuple(f"{DELTA}{rate}" for rate in RATES)

    models: tuple[ComparedModel, ...]
    pairs: tuple[Pair, ...]
    asked: Asked
    bands: tuple[Band | None, ...] = ()
    """A band for each model, None where its kind has none for this curve."""
    no_band: tuple[str, ...] = ()
    """For each model why it has no band; empty if it has one."""
    alike: tuple[tuple[str, str], ...] = ()
    """Models that were compared with their own scores."""
    reported: Reported | None = None
    again: Callable[..., Comparison] | None = field(default=None, compare=False, repr=False)
    """Compares the same cases with some options changed."""

    def __repr__(self) -> str:
        """Name the models; what is said of them is in `table`."""
        return f"Comparison(models={tuple(model.name for model in self.models)}, baseline={self.asked.baseline!r})"

    @property
    def options(self) -> dict[str, Any]:
        """What the analysis was asked to do."""
        return asdict(self.asked) | {"at": list(self.asked.at)}

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from, and the baseline if it is a report."""
        of_models = tuple(source for model in self.models for source in model.sweep.sources)
        return of_models if self.reported is None else (*of_models, self.reported.source)

    @property
    def margin(self) -> Margin | None:
        """How much worse is still good enough."""
        return None if self.asked.margin is None else Margin(self.asked.margin)

    @property
    def counts(self) -> ScoreCounts:
        """The positives and negatives of the one model that is left, or of the first."""
        return self.models[0].counts

    @property
    def max_fpr(self) -> float | None:
        """The false positive rate up to which partial areas are taken."""
        return self.asked.max_fpr

    @property
    def is_baseline(self) -> bool:
        """Whether the one model that is left is what the others are compared with."""
        return self.models[0].name == self.asked.baseline

    def title(self, name: str) -> str:
        """Return what people are told a table is."""
        if name == "pairs" and not self.asked.all_pairs:
            return f"pairs: each model less {self.asked.baseline}"
        return super(Comparison, self).title(name)

    def judged(self) -> tuple[Comparison, ...]:
        """Return what rules are about: each model by itself, with its own pairs."""
        return tuple(
            replace(
                self,
                models=(model,),
                bands=(),
                no_band=(),
                pairs=tuple(pair for pair in self.pairs if pair.model == model.name),
            )
            for model in self.models
        )

    def delta(self, name: str, *, at: Rule | None, level: float) -> Pair:
        """Return the difference, called `delta_METRIC`, of the one model that is left and its baseline."""
        model, metric = self.models[0].name, name.removeprefix(DELTA)
        if self.asked.all_pairs or self.is_baseline:
            why = "--all-pairs has no baseline" if self.asked.all_pairs else f"{model} is the baseline"
            raise UsageError(f"{name}: is a model less its baseline, and {why}")
        text = None if at is None else at.text
        for pair in self.pairs:
            if level == self.asked.level and (pair.metric, pair.at) == (metric, text):
                return pair
        if self.again is None or (metric == "partial_auc" and self.max_fpr is None):
            return Pair(model, self.asked.baseline or "", metric, text, None, self.asked.paired)
        resampled = REPLICATES if metric not in (*RATES, "auc") else 0
        found = self.again(at=() if at is None else (at,), level=level, bootstrap=resampled, band=None)
        same = (pair for pair in found.pairs if (pair.model, pair.metric) == (model, metric))
        return next(same, Pair(model, self.asked.baseline or "", metric, text, None, self.asked.paired))

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What weakens the answer."""
        of_models = (caveat for model in self.models for caveat in model.caveats())
        return (*of_models, MAX_CHI2, *self._of_the_pairs(), *self._of_the_bands())

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summaries (`models`), the pairs, the operating points or the bands."""
        if name == "pairs":
            return pairs_table(self.pairs, self.margin)
        if name == "operating_points":
            return stack(model.sweep.table(name) for model in self.models)
        if name == "bands":
            found = zip(self.models, self.bands, strict=bool(self.bands))
            return Table(name, BANDS, tuple(_block(model.name, band) for model, band in found if band))
        columns = ROWS if name == "rows" else models_columns(bootstrap=self.asked.bootstrap > 0)
        return Table.of(name, columns, [model.record() for model in self.models])

    def _of_the_pairs(self) -> Iterator[Caveat]:
        for model, baseline in self.alike:
            yield Caveat("same-scores", f"{model} has the scores of {baseline}: it is compared with itself")
        if not all(pair.paired for pair in self.pairs):
            yield UNPAIRED
        for pair in self.pairs:
            if pair.difference and pair.difference.test == "square-and-add":
                yield Caveat(
                    "no-variance",
                    f"{pair.model} against {pair.baseline}: the variance of the difference of the AUCs is 0 or undefined, "
                    "so there is no test, and its limits are those of the two AUCs, squared and added",
                )
        yield from self._of_the_bootstrap()

    def _of_the_bootstrap(self) -> Iterator[Caveat]:
        if not self.asked.bootstrap:
            return
        from rocconf.compute.compare.paired_bootstrap import BOOTSTRAP, least_replicates

        drawn = [pair for pair in self.pairs if pair.difference and pair.difference.test == BOOTSTRAP]
        if not drawn:
            return
        asked = self.asked
        said = f"differences tested by bootstrap rest on {asked.bootstrap} replicates (seed {asked.seed}), and "
        yield Caveat("bootstrap-pairs", f"{said}no p of theirs is below {min(2 / (asked.bootstrap + 1), 1):.2g}")
        least = least_replicates(asked.level)
        if asked.bootstrap < least:
            yield Caveat("few-replicates", f"limits at a level of {asked.level:g} need {least} replicates or more")
            return
        for pair in drawn:
            if pair.difference and not isfinite(pair.difference.interval.upper - pair.difference.interval.lower):
                yield Caveat(
                    "no-limit",
                    f"{pair.model} against {pair.baseline}: replicates leave the limits of {pair.metric} open: they lack a "
                    "value, or cannot vary as samples do (with one case of a class, or a perfect or a tied model)",
                )

    def _of_the_bands(self) -> Iterator[Caveat]:
        if self.bands:
            yield BANDS_DECIDE_NOTHING
        for model, why in zip(self.models, self.no_band, strict=bool(self.no_band)):
            if why:
                yield Caveat("no-band", f"{model.name}: no {self.asked.band} band: {why}")


def _block(model: str, band: Band) -> Block:
    def values(key: str, rows: Rows) -> Values:
        fixed = {"model": model, "kind": band.kind, "level": band.level}
        if key in fixed:
            like = object if key != "level" else np.float64
            return np.full(len(band.fpr), fixed[key], dtype=like)[rows]
        found: Floats = getattr(band, key)
        return found[rows]

    return Block(len(band.fpr), values)
