"""What `compare` reads: models on the same cases or each on its own, and a baseline that may be a file or a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.cli.options import Data
    from rocconf.cli.shell import Run
    from rocconf.records import Predictions, Reported, ScoreCounts

REPORT = ".json"
BOTH = "--baseline {0} is both a model and a file; ./{0} is the file"


@dataclass(frozen=True, slots=True)
class Cases:
    """What is compared: models on the same cases or the counts of each, and the baseline's name or a report of it."""

    models: Predictions | tuple[ScoreCounts, ...]
    baseline: str | None = None
    reported: Reported | None = None

    @property
    def counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of every model."""
        import rocconf

        return self.models if isinstance(self.models, tuple) else rocconf.count_each(self.models)


def read_cases(run: Run, data: Data, baseline: str | None, *, by_row: bool, unpaired: bool) -> Cases:
    """Read all files, and bring the models together."""
    from rocconf.read import find_input

    if by_row and unpaired:
        raise UsageError("--by-row pairs cases, and --unpaired does not: say one of them")
    file = baseline if baseline and Path(baseline).exists() and not Path(baseline).is_dir() else None
    if file is not None and file.lower().endswith(REPORT):
        if by_row:
            raise UsageError("--by-row pairs cases, and a report has none")
        return _against_report(run, data, file)
    if file is not None and len(data.files) > 1 and file in (find_input(other).stem for other in data.files):
        raise UsageError(BOTH.format(file))
    files = data if file is None else replace(data, files=[*data.files, file])
    if unpaired:
        models: Predictions | tuple[ScoreCounts, ...] = run.read(files, several=True)
        names = [counts.model for counts in models]  # type: ignore[union-attr]  # counts, here
    else:
        models = _paired(run, files, by_row=by_row, baseline=file is not None)
        names = list(models.models)
    return Cases(models, _name_of(baseline, file, names))


def _paired(run: Run, data: Data, *, by_row: bool, baseline: bool) -> Predictions:
    import rocconf

    several = run.read_predictions(data)
    if baseline:
        *others, of_file = several
        file = data.files[-1]
        if any(file in (name, name.partition(":")[2]) for each in others for name in each.models):
            raise UsageError(BOTH.format(file))
        if len(of_file.models) > 1:
            raise UsageError(
                f"--baseline {file} holds several models ({', '.join(of_file.models)}), and a baseline is one; "
                "--score names the column"
            )
        sources = tuple(replace(source, role="baseline") for source in of_file.sources)
        several[-1] = replace(of_file, sources=sources)
    return rocconf.pair(several, by_row=by_row)


def _name_of(baseline: str | None, file: str | None, names: Sequence[str]) -> str | None:
    """Return the name of the baseline: a model of that name, or the model of the file of that name, read last."""
    if file is not None:
        return names[-1]
    if baseline is not None and baseline not in names:
        from difflib import get_close_matches

        lowered = {name.lower(): name for name in names}
        close = get_close_matches(baseline.lower(), lowered, n=1)
        meant = f"; did you mean {lowered[close[0]]!r}?" if close else ""
        said = baseline or "''"
        raise UsageError(f"--baseline {said} is neither a model (found: {', '.join(names)}) nor a file{meant}")
    return baseline


def _against_report(run: Run, data: Data, file: str) -> Cases:
    from rocconf.answer import SCHEMA
    from rocconf.read import find_input
    from rocconf.read.json_report import read_report

    models = run.read(data, several=True)
    names = [counts.model for counts in models]
    source = find_input(file)
    reported = read_report(source, newest=SCHEMA, model=names[0] if len(names) == 1 else None)
    if reported.model in names:
        reported = replace(reported, model=f"{source.stem}:{reported.model}")
    return Cases(models, None, reported)
