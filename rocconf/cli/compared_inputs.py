"""The inputs of `compare`: models on the same cases or on different ones, and a baseline, perhaps a file or a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocconf.cli.commands import ANALYSES
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean
from rocconf.naming import baseline_name, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.cli.inputs import Inputs
    from rocconf.cli.options import Data
    from rocconf.records import Predictions, ScoreCounts, Source
    from rocconf.saved import Reported

REPORT = (".json", ".html")


@dataclass(frozen=True, slots=True)
class ComparedInputs:
    """Models on the same cases or the counts of each, and the name of the baseline or a report of it."""

    models: Predictions | tuple[Predictions, ...] | tuple[ScoreCounts, ...]
    baseline: str | None = None
    reported: Reported | None = None

    @property
    def counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of every model."""
        from rocconf.compute.slices import counts_of

        return tuple(counts_of(self.models).values())


def read_compared(
    inputs: Inputs,
    data: Data,
    baseline: str | None,
    *,
    by_row: bool,
    unpaired: bool,
    groups: Sequence[str] = (),
    fold: str | None = None,
) -> ComparedInputs:
    """Read the files and the baseline, and pair their cases unless they are different ones."""
    columns = groups if fold is None else (*groups, fold)
    if by_row and unpaired:
        raise UsageError("by-row-and-unpaired")
    file = _file(baseline)
    if file is not None and is_report(file):
        if by_row:
            raise UsageError("by-row-and-report")
        return _against_report(inputs, data, file)
    if file is not None and _is_among(file, data.files) and len(data.files) > 1:
        raise UsageError("baseline-is-input", file=file, model=stem(file))
    if file is not None and len(data.files) > 1 and file in map(stem, data.files):
        raise UsageError("baseline-ambiguous", baseline=file)
    files = data if file is None else replace(data, files=[*data.files, file])
    if unpaired:
        found = _unpaired(inputs, files, baseline, file, groups=columns)
    else:
        found = _paired(inputs, files, baseline, file, by_row=by_row, groups=columns)
    if fold is None:
        return found
    models: Any = found.models
    folded = tuple(each.with_folds(fold) for each in models) if unpaired else models.with_folds(fold)
    return replace(found, models=folded)


def _is_among(file: str, files: Sequence[str]) -> bool:
    """Whether a file is one of these, perhaps under another name."""
    return any(Path(file).samefile(each) for each in files if Path(each).is_file())


def is_report(baseline: str | None) -> bool:
    """Whether a baseline is a saved report."""
    return baseline is not None and baseline.lower().endswith(REPORT) and _file(baseline) is not None


def _file(baseline: str | None) -> str | None:
    """Return the baseline if it is a file."""
    return baseline if baseline and Path(baseline).exists() and not Path(baseline).is_dir() else None


def _unpaired(
    inputs: Inputs, data: Data, baseline: str | None, file: str | None, *, groups: Sequence[str]
) -> ComparedInputs:
    """Read the files, of which the last one is the baseline if that is a file: their counts, or their cases in groups."""
    found: list[tuple[Any, ...]]
    if groups:
        found = [tuple(map(table.of_model, table.models)) for table in inputs.read_predictions(data, groups)]
        models = [[name for cases in of_file for name in cases.models] for of_file in found]
    else:
        found = [*inputs.read_counts_by_file(data, several=True, pairing="none")]
        models = [[counts.model for counts in of_file] for of_file in found]
    inputs.require_two(data, models)
    name = _baseline(models, baseline, file, data.files if inputs.needs_baseline else ())
    if file is not None:
        found[-1] = tuple(replace(each, sources=_of_baseline(each.sources)) for each in found[-1])
    return ComparedInputs(tuple(each for of_file in found for each in of_file), name)


def _paired(
    inputs: Inputs, data: Data, baseline: str | None, file: str | None, *, by_row: bool, groups: Sequence[str]
) -> ComparedInputs:
    """Read the cases of the files, of which the last one is the baseline if that is a file, and pair them."""
    import rocconf

    tables = inputs.read_predictions(data, groups)
    models = [table.models for table in tables]
    inputs.require_two(data, models)
    unpaired = [] if by_row or len(tables) < 2 or all(table.ids is not None for table in tables) else data.files
    with inputs.asking_for_ids(data, unpaired):
        name = _baseline(models, baseline, file, data.files if inputs.needs_baseline else ())
    if file is not None:
        tables[-1] = replace(tables[-1], sources=_of_baseline(tables[-1].sources))
    return ComparedInputs(rocconf.pair(tables, by_row=by_row), name)


def _of_baseline(sources: Sequence[Source]) -> tuple[Source, ...]:
    return tuple(replace(source, role="baseline") for source in sources)


def _baseline(
    models: Sequence[Sequence[str]], baseline: str | None, file: str | None, lacking_one: Sequence[str]
) -> str | None:
    """Return the name of the baseline: the model asked for, or the only model of the baseline's file, which is the last.

    `lacking_one` are the files of a run whose rules need a baseline although no option names one.
    """
    if file is not None:
        return _baseline_of_file(models, file)
    names = [name for of_file in models for name in of_file]
    if lacking_one and len(names) > 1:
        from rocconf.cli.inputs import command_line
        from rocconf.read import UnnamedError, about_baseline

        question = about_baseline(names, choices=True)
        raise UnnamedError(", ".join(lacking_one), [question], for_rules=True, line=command_line())
    if baseline is not None and baseline not in names:
        raise UsageError(
            "baseline-unknown",
            baseline=baseline or "''",
            models=", ".join(names),
            did_you_mean=did_you_mean(baseline, names),
        )
    return baseline


def _baseline_of_file(models: Sequence[Sequence[str]], file: str) -> str:
    *others, last = models
    if any(file in (name, name.partition(":")[2]) for of_file in others for name in of_file):
        raise UsageError("baseline-ambiguous", baseline=file)
    if len(last) > 1:
        raise UsageError("baseline-of-several-models", file=file, models=", ".join(last))
    return last[0]


def _against_report(inputs: Inputs, data: Data, file: str) -> ComparedInputs:
    from rocconf.read import baseline_of, find_input, read_report

    report = read_report(find_input(file), role="baseline", commands=ANALYSES)
    models = inputs.read_counts(data, several=True)
    names = [counts.model for counts in models]
    reported = baseline_of(report)
    return ComparedInputs(models, None, replace(reported, model=baseline_name(reported.model, file, names)))
