"""The counts of a model: how many positives and negatives there are at each distinct score.

Every analysis of one model needs no more than this, however many cases were counted, in however many files.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import TOOL, Result, input_record
from rocconf.bins import Dyadic, binning_of, edges_of
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.summary import MODEL, about_bins
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.records import OTHERS
from rocconf.table import Block, Column, Table, record_of, repeated
from rocconf.whole_numbers import NUMBER_COLUMNS, PAIR_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.records import GroupedCounts, ScoreCounts, Source
    from rocconf.table import Rows, Values

METADATA_SCHEMA = 1
"""The version of the metadata of a file."""

MOST_NAMED = 1 << 22
"""About how many characters of metadata may be the names of files; those for which there is no room are added up."""

DIGEST = 62
"""How many more characters a digest has than its absence."""

EXACT = "the scores are counted exactly"
TOTALS = ("n", "positives", "negatives", "dropped")
SCORE, UPPER = Column("score", "score"), Column("upper", "score")
CASES = (Column("positives", "count"), Column("negatives", "count"))
GROUPS = Column("groups", "count")
BINNED = (Column("binned_by", "text", EXACT), Column("resolution", "count", f"{EXACT}, or the bins are not dyadic"))
"""The columns of a summary where the scores of a model are in bins."""

SUMMARY = (
    MODEL,
    *(Column(name, "count") for name in ("n", "positives", "negatives")),
    Column("prevalence", "share"),
    Column("scores", "count"),
    *(Column(name, "score") for name in ("least", "most")),
    Column("files", "count"),
    Column("dropped", "count"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Counted(Result):
    """The counts of one model."""

    command: ClassVar[str] = "count"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "numbers", "pairs")
    has_points: ClassVar[bool] = False
    rows_title: ClassVar[str] = "scores"
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "models": ("model", "n", "positives", "prevalence", "scores", "least", "most", "files", "dropped")
    }

    counts: ScoreCounts
    numbers: tuple[Mapping[str, Any], ...] = ()
    """The whole numbers of each model, in digits."""
    pairs: tuple[Mapping[str, Any], ...] = ()
    """The whole numbers of each pair of models, in digits."""
    totals: tuple[Mapping[str, Any], ...] = ()
    """The positives and negatives of each model; nothing is written of totals that are not known."""
    grouped: GroupedCounts | None = None
    """The counts of each group, if columns divide the cases."""

    @property
    def options(self) -> dict[str, Any]:
        """The columns of groups; what else was read, and how, is in the inputs."""
        return {"by": list(self.columns)} if self.columns else {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that divide the cases into groups."""
        return () if self.grouped is None else self.grouped.columns

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that were counted."""
        return self.counts.sources

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.counts.sources for caveat in source.caveats]
        if self.counts.wide is not None and self.counts.p and self.counts.q:
            found.append(about_bins(self.counts, auc(self.counts), self.counts.wide))
        if _unnamed(self.counts.sources):
            found.append(message("files-unnamed"))
        if self.counts.has_infinite:
            found.append(message("infinite-scores", model=self.counts.model))
        if not (self.counts.p and self.counts.q):
            sizes = {"n": self.counts.n, "positives": self.counts.p}
            found.append(message("counted-one-class", model=self.counts.model, **sizes))
        return tuple(found)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in a sentence."""
        counts, groups = self.counts, ""
        if self.grouped is not None:
            n = len(self.grouped.parts)
            groups = f" in {n:,} group{'s' * (n != 1)} of {' and '.join(self.columns)}"
        rows, files = "distinct score" if counts.wide is None else "bin", len(counts.sources)
        return (
            message(
                "answer-counted",
                model=counts.model,
                cases=wording.cases(counts.n, counts.p),
                scores=f"{len(counts):,} {rows}{'s' * (len(counts) != 1)}",
                groups=groups,
                files=f"{files:,} file{'s' * (files != 1)}",
            ),
        )

    def table(self, name: str = "rows") -> Table:
        """Return the counts, the summary (`models`), or the whole numbers of the model and of its pairs (`numbers`, `pairs`)."""
        if name == "models":
            return self._models()
        if name != "rows":
            columns, records = (NUMBER_COLUMNS, self.numbers) if name == "numbers" else (PAIR_COLUMNS, self.pairs)
            own = [each for each in records if each["model"] == self.counts.model]
            return Table.of(name, columns, own, is_read_back=True)
        groups = (Column(column, "text") for column in self.columns)
        columns = (MODEL, *groups, SCORE, *(UPPER,) * (self.counts.tops is not None), *CASES)
        length, values = _values(self.counts) if self.grouped is None else _values_of_groups(self.grouped)
        return Table("rows", columns, (Block(length, values),), is_read_back=True)

    @property
    def _bins(self) -> dict[str, Any]:
        """How the bins were made, None of exact scores, and the resolution of dyadic ones."""
        if self.counts.wide is None:
            return {"resolution": None, "binned_by": None}
        binning = binning_of(self.counts.ends)
        if isinstance(binning, Dyadic):
            return {"resolution": binning.resolution, "binned_by": "dyadic"}
        return {"resolution": None, "binned_by": "thresholds"}

    def metadata(self, name: str) -> Mapping[str, str]:
        """Return what the counts say of themselves: the files that were counted, and how."""
        if name != "rows":
            return {}
        record = {
            "schema": METADATA_SCHEMA,
            "version": TOOL["version"],
            "sources": _inputs(self.sources),
            **self._bins,
            "by": list(self.columns),
            **({"totals": list(self.totals)} if self.totals else {}),
            "numbers": list(self.numbers),
            "pairs": list(self.pairs),
        }
        return {"rocconf": json.dumps(record, ensure_ascii=False)}

    def _models(self) -> Table:
        counts = self.counts
        of_cases = counts.model, counts.n, counts.p, counts.q, counts.p / counts.n
        of_scores = len(counts), counts.ends.least[0], counts.ends.most[-1]
        of_files = len(counts.sources), sum(source.dropped for source in counts.sources)
        record = {**record_of(SUMMARY, (*of_cases, *of_scores, *of_files)), **self._bins}
        columns = SUMMARY
        if self.grouped is not None:
            columns, record["groups"] = (*columns, GROUPS), len(self.grouped.parts)
        if counts.tops is not None:
            columns = (*columns, *BINNED)
        return Table.of("models", columns, [record])


def totals_of(models: Sequence[ScoreCounts]) -> tuple[Mapping[str, Any], ...]:
    """Return the positives and negatives of each model."""
    return tuple({"model": each.model, "positives": each.p, "negatives": each.q} for each in models)


def _values(counts: ScoreCounts) -> tuple[int, Callable[[str, Rows], Values]]:
    """Return the number of rows of counts, and what returns some rows of a column."""
    lower, upper = (counts.scores,) * 2 if counts.tops is None else [edge[::-1] for edge in edges_of(counts.ends)]

    def values(key: str, rows: Rows) -> Values:
        if key == "model":
            return repeated(counts.model, len(lower[rows]))
        if key in ("score", "upper"):
            return (upper if key == "upper" else lower)[rows]
        total = counts.tp if key == "positives" else counts.fp
        return total[1:][rows] - total[:-1][rows]

    return len(counts), values


def _values_of_groups(grouped: GroupedCounts) -> tuple[int, Callable[[str, Rows], Values]]:
    """Return the same of the counts of each group, of one without cases a row that says so."""
    found: dict[str, list[Values]] = {
        name: [] for name in ("model", *grouped.columns, "score", "upper", "positives", "negatives")
    }
    lowest = tuple(edge[:1] for edge in edges_of(grouped.whole.ends))
    for group, part in grouped.parts.items():
        edges = tuple(edge[::-1] for edge in edges_of(part.ends)) if len(part) else lowest
        none = np.zeros(1, dtype=np.int64)
        cases = (part.positives, part.negatives) if len(part) else (none, none)
        texts = (repeated(text, len(edges[0])) for text in (part.model, *group))
        for name, values in zip(found, (*texts, *edges, *cases), strict=True):
            found[name].append(values)
    columns = {name: np.concatenate(pieces) for name, pieces in found.items()}
    return len(columns["model"]), lambda key, rows: columns[key][rows]


def _inputs(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Return the files of cases, those without room as one."""
    named, rest = _files(sources)
    if rest:
        totals = {key: sum(getattr(other, key) for other in rest) for key in TOTALS}
        named.append(replace(rest[0], name=f"{len(rest):,} {OTHERS}", digest=None, where=(), **totals))
    return [input_record(each) for each in named]


def _files(sources: Sequence[Source]) -> tuple[list[Source], list[Source]]:
    """Return the files of cases, of a counts file those that it names: those that metadata have room for, and the rest.

    No digest is computed for it.
    """
    files, size = [each for source in sources for each in source.of_cases], 0
    for at, each in enumerate(files):
        size += len(json.dumps(input_record(replace(each, digest=None)))) + DIGEST * (each.digest is not None)
        if size > MOST_NAMED:
            return files[:at], files[at:]
    return files, []


def _unnamed(sources: Sequence[Source]) -> bool:
    """Whether a counts file would have files that it does not name."""
    named, rest = _files(sources)
    return bool(rest) or any(each.is_of_others for each in named)
