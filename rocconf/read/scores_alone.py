"""Reads the scores of cases whose labels are not known, or do not count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.naming import stem
from rocconf.read.cases import Cases, joined
from rocconf.read.formats import collect, failures_as_errors
from rocconf.read.layout import is_of_counts, lay_out_scores
from rocconf.read.partitions import open_with_partitions
from rocconf.records import Scores, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.read.columns import Cells, Codes
    from rocconf.read.layout import Wanted
    from rocconf.read.source import Input
    from rocconf.records import Flags


def read_scores_of(source: Input, wanted: Wanted) -> tuple[Scores, ...]:
    """Return the scores of each model of an input."""
    with failures_as_errors(source.name):
        table = open_with_partitions(source, wanted)
        if not wanted.label and is_of_counts(table.header):
            from rocconf.read.counts_file import read_counted

            found = [each.whole for each in read_counted(table, wanted, model=stem(source.name))]
            for each in found:
                if each.wide is not None:
                    raise InputError(source.name, [message("bins-of-labels", model=each.model)])
            return tuple(
                Scores.of(
                    each.scores,
                    each.positives + each.negatives,
                    model=each.model,
                    sources=tuple(replace(of, labelled=False) for of in each.sources),
                )
                for each in found
            )
        layout = lay_out_scores(table, wanted)
        return collect(table, layout.kinds, lambda: _ScoreCases(table, layout, wanted))


class _ScoreCases(Cases):
    """The scores of cases as they are read, piece by piece."""

    def _codes(self, places: Sequence[int], columns: Mapping[int, Cells]) -> Codes:  # noqa: ARG002  # no column has them
        return np.zeros(len(places), dtype=np.int8)

    def _labels_of(self, codes: Codes) -> Flags:
        return codes.astype(np.bool_)

    def finish(self) -> tuple[Scores, ...]:  # type: ignore[override]  # scores without labels
        """Return the scores of each model, or raise all faults."""
        self._ids.require_exact()
        self._note_repeated_ids()
        self.faults.raise_if_any()
        kept = sum(map(len, self._labels))
        self._require_cases(kept)
        source = Source(
            name=self._table.name,
            n=kept,
            positives=0,
            negatives=0,
            positive="",
            dropped=self._n_dropped,
            caveats=self._caveats(kept),
            digest=self._table.digest,
            where=tuple(condition.text for condition in self._wanted.where),
            guessed=tuple(map(self._layout.name, self._layout.guessed.scores)) if self._layout.guessed else (),
            labelled=False,
        )
        columns = zip(self._layout.scores, self._scores, strict=True)
        return tuple(
            Scores.of(joined(pieces), model=self._layout.name(at), sources=(source,)) for at, pieces in columns
        )
