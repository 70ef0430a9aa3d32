"""The inputs of `compare`: models on the same cases or on different ones, and a baseline, perhaps a file or a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.cli.commands import ANALYSES
from rocconf.cli.judging import result_of
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean
from rocconf.naming import baseline_name, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.cli.inputs import Inputs
    from rocconf.cli.options import Data
    from rocconf.records import Predictions, ScoreCounts
    from rocconf.saved import Reported

REPORT = ".json"


@dataclass(frozen=True, slots=True)
class ComparedInputs:
    """Models on the same cases or the counts of each, and the name of the baseline or a report of it."""

    models: Predictions | tuple[ScoreCounts, ...]
    baseline: str | None = None
    reported: Reported | None = None

    @property
    def counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of every model."""
        import rocconf

        return self.models if isinstance(self.models, tuple) else rocconf.count_each(self.models)


def read_compared(inputs: Inputs, data: Data, baseline: str | None, *, by_row: bool, unpaired: bool) -> ComparedInputs:
    """Read the files and the baseline, and pair their cases unless they are different ones."""
    if by_row and unpaired:
        raise UsageError("by-row-and-unpaired")
    file = _file(baseline)
    if file is not None and is_report(file):
        if by_row:
            raise UsageError("by-row-and-report")
        return _against_report(inputs, data, file)
    if file is not None and len(data.files) > 1 and file in map(stem, data.files):
        raise UsageError("baseline-ambiguous", baseline=file)
    files = data if file is None else replace(data, files=[*data.files, file])
    if unpaired:
        counts = inputs.read_counts(files, several=True)
        return ComparedInputs(counts, _baseline(baseline, file, [each.model for each in counts]))
    models = _paired(inputs, files, by_row=by_row, baseline=file)
    return ComparedInputs(models, _baseline(baseline, file, models.models))


def is_report(baseline: str | None) -> bool:
    """Whether a baseline is a saved report."""
    return baseline is not None and baseline.lower().endswith(REPORT) and _file(baseline) is not None


def _file(baseline: str | None) -> str | None:
    """Return the baseline if it is a file."""
    return baseline if baseline and Path(baseline).exists() and not Path(baseline).is_dir() else None


def _paired(inputs: Inputs, data: Data, *, by_row: bool, baseline: str | None) -> Predictions:
    """Read the files, of which the last one may be the baseline, and pair their cases."""
    import rocconf

    several = inputs.read_predictions(data)
    if baseline is not None:
        *others, last = several
        if any(baseline in (name, name.partition(":")[2]) for each in others for name in each.models):
            raise UsageError("baseline-ambiguous", baseline=baseline)
        if len(last.models) > 1:
            raise UsageError("baseline-of-several-models", file=baseline, models=", ".join(last.models))
        several[-1] = replace(last, sources=tuple(replace(source, role="baseline") for source in last.sources))
    return rocconf.pair(several, by_row=by_row)


def _baseline(baseline: str | None, file: str | None, models: Sequence[str]) -> str | None:
    """Return the name of the baseline: the model asked for or, of a file, which is read last, its model."""
    if file is not None:
        return models[-1]
    if baseline is not None and baseline not in models:
        raise UsageError(
            "baseline-unknown",
            baseline=baseline or "''",
            models=", ".join(models),
            did_you_mean=did_you_mean(baseline, models),
        )
    return baseline


def _against_report(inputs: Inputs, data: Data, file: str) -> ComparedInputs:
    from rocconf.answer import SCHEMA
    from rocconf.gate import require_consistent
    from rocconf.read import baseline_of, find_input, read_report

    report = read_report(find_input(file), newest=SCHEMA, role="baseline", commands=ANALYSES)
    require_consistent(report, result_of(report.command))
    models = inputs.read_counts(data, several=True)
    names = [counts.model for counts in models]
    reported = baseline_of(report, names[0] if len(names) == 1 else None)
    return ComparedInputs(models, None, replace(reported, model=baseline_name(reported.model, file, names)))
