"""Reads what `rocconf count` writes into a parquet file beside the counts: the files that were counted, and how."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.cells import meaning
from rocconf.read.fields import Fields, object_of
from rocconf.read.parquet import ParquetTable
from rocconf.read.partitions import Partitioned
from rocconf.records import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.read.formats import OpenTable

KEY = b"rocconf"
"""The key of the metadata of the file."""

NEWEST = 1
"""The newest version of the metadata that can be read."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a counts file says of its counts; nothing of a file without metadata."""

    sources: tuple[Source, ...] = ()
    is_binned: bool = False
    """Whether scores are in bins."""
    numbers: tuple[Mapping[str, Any], ...] = ()
    """The whole numbers of each model, as they stand in the file."""
    pairs: tuple[Mapping[str, Any], ...] = ()
    """The whole numbers of each pair of models, as they stand in the file."""
    totals: Mapping[str, tuple[int, int]] | None = None
    """The positives and negatives of each model, None of a file that does not say."""

    @property
    def positive(self) -> str:
        """The label of the positives, as the files that were counted spell it."""
        return self.sources[0].positive if self.sources else "1"

    @property
    def dropped(self) -> int:
        """The number of rows that were left out."""
        return sum(source.dropped for source in self.sources)


def provenance_of(table: OpenTable) -> Provenance:
    """Return what a counts file says of its counts."""
    text = table.metadata.get(KEY) if isinstance(table, ParquetTable | Partitioned) else None
    if text is None:
        return Provenance()
    record = _parsed(table.name, text)
    fields = Fields(table.name, "metadata", record)
    numbers, pairs = (tuple(each.record for each in fields.items_if_any(key)) for key in ("numbers", "pairs"))
    found = tuple(map(_source, fields.items("sources")))
    if len({meaning(source.positive) for source in found}) > 1:
        raise _fault(table.name, "sources of different positive classes")
    binned = record.get("binned_by") is not None
    return Provenance(found, binned, numbers, pairs, _totals(fields))


def _totals(fields: Fields) -> dict[str, tuple[int, int]] | None:
    if "totals" not in fields.record:
        return None
    models = fields.items("totals")
    totals = {each.text("model"): (each.count("positives"), each.count("negatives")) for each in models}
    if len(totals) < len(models):
        raise _fault(fields.file, "totals of one model twice")
    return totals


def _parsed(file: str, text: bytes) -> dict[str, Any]:
    try:
        record = json.loads(text, object_pairs_hook=object_of)
    except (ValueError, RecursionError) as error:
        raise _fault(file, str(error) or type(error).__name__) from None
    if not isinstance(record, dict) or not isinstance(record.get("schema"), int):
        raise _fault(file, "no schema")
    if not 1 <= record["schema"] <= NEWEST:
        raise InputError(file, [message("metadata-schema", schema=record["schema"], newest=NEWEST)])
    return record


def _fault(file: str, reason: str) -> InputError:
    return InputError(file, [message("metadata-invalid", reason=reason)])


def _source(fields: Fields) -> Source:
    digest = fields.text_or_none("sha256")
    return Source(
        name=fields.text("name"),
        n=fields.count("n"),
        positives=fields.count("positives"),
        negatives=fields.count("negatives"),
        positive=fields.text("positive"),
        dropped=fields.count("dropped"),
        digest=None if digest is None else partial(str, digest),
        where=tuple(fields.texts("where")) if "where" in fields.record else (),
    )
