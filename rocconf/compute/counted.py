"""The counts of a model: how many positives and negatives there are at each distinct score.

Every analysis of one model needs no more than this, however many cases were counted, in however many files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf import wording
from rocconf.answer import TOOL, Result, input_record
from rocconf.messages import message
from rocconf.table import Block, Column, Table
from rocconf.whole_numbers import NUMBER_COLUMNS, PAIR_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.records import ScoreCounts, Source
    from rocconf.table import Rows, Values

METADATA_SCHEMA = 1
"""The version of the metadata of a file."""

MOST_NAMED = 1 << 22
"""About how many characters of metadata may be the names of files; those for which there is no room are added up."""

TOTALS = ("n", "positives", "negatives", "dropped")
MODEL = Column("model", "text")
COUNTS = (MODEL, Column("score", "score"), Column("positives", "count"), Column("negatives", "count"))
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

    @property
    def options(self) -> dict[str, Any]:
        """The options of the count, which has none: what was read, and how, is in the inputs."""
        return {}

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that were counted."""
        return self.counts.sources

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""
        found = [caveat for source in self.counts.sources for caveat in source.caveats]
        if np.isinf(self.counts.scores[[0, -1]]).any():
            found.append(message("infinite-scores", model=self.counts.model))
        if not (self.counts.p and self.counts.q):
            found.append(
                message("counted-one-class", model=self.counts.model, n=self.counts.n, positives=self.counts.p)
            )
        return tuple(found)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in a sentence."""
        files = len(self.counts.sources)
        return (
            message(
                "answer-counted",
                model=self.counts.model,
                cases=wording.cases(self.counts.n, self.counts.p),
                scores=f"{len(self.counts):,} distinct score{'s' * (len(self.counts) != 1)}",
                files=f"{files:,} file{'s' * (files != 1)}",
            ),
        )

    def table(self, name: str = "rows") -> Table:
        """Return the counts, the summary (`models`), or the whole numbers of the model and of its pairs (`numbers`, `pairs`)."""
        model = self.counts.model
        if name == "numbers":
            return Table.of(name, NUMBER_COLUMNS, [each for each in self.numbers if each["model"] == model])
        if name == "pairs":
            return Table.of(name, PAIR_COLUMNS, [each for each in self.pairs if each["model"] == model])
        return Table("rows", COUNTS, (Block(len(self.counts), self._values),)) if name == "rows" else self._models()

    def metadata(self, name: str) -> Mapping[str, str]:
        """Return what the counts say of themselves: the files that were counted, and how."""
        if name != "rows":
            return {}
        record = {
            "schema": METADATA_SCHEMA,
            "version": TOOL["version"],
            "sources": _inputs(self.sources),
            "resolution": None,
            "binned_by": None,
            "numbers": list(self.numbers),
            "pairs": list(self.pairs),
        }
        return {"rocconf": json.dumps(record, ensure_ascii=False)}

    def _values(self, key: str, rows: Rows) -> Values:
        if key == "model":
            return np.full(len(self.counts.scores[rows]), self.counts.model, dtype=object)
        if key == "score":
            return self.counts.scores[rows]
        total = self.counts.tp if key == "positives" else self.counts.fp
        return total[1:][rows] - total[:-1][rows]

    def _models(self) -> Table:
        counts = self.counts
        record = {
            "model": counts.model,
            "n": counts.n,
            "positives": counts.p,
            "negatives": counts.q,
            "prevalence": counts.p / counts.n,
            "scores": len(counts),
            "least": counts.scores.min(),
            "most": counts.scores.max(),
            "files": len(counts.sources),
            "dropped": sum(source.dropped for source in counts.sources),
        }
        return Table.of("models", SUMMARY, [record])


def _inputs(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Return the files of cases: of a counts file those that it names."""
    named = [each for source in sources for each in source.counted or (source,)]
    records: list[dict[str, Any]] = []
    size = 0
    for at, each in enumerate(named):
        record = input_record(each)
        size += len(json.dumps(record))
        if size > MOST_NAMED:
            rest = named[at:]
            totals = {key: sum(getattr(other, key) for other in rest) for key in TOTALS}
            others = replace(each, name=f"{len(rest):,} other files", digest=None, where=(), **totals)
            return [*records, input_record(others)]
        records.append(record)
    return records
