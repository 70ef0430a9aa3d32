"""Names: of commands in reports, and of models.

A model is called by its column in one file, by the stem in several files with one model each, else stem:column.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    Names = list[list[str]]

ONE_VS_REST = "one-vs-rest"
"""The command in reports of several classes, whether sweep or compare wrote them."""

COMPARE_AUC = "compare-auc"
"""The command in reports of compare on whole numbers, which have the AUC alone."""

UNLABELLED = "unlabelled"
"""The command in results of cases without labels, which no rule can judge."""

COMPRESSIONS = (".gz", ".zst")
SUFFIXES = (
    *(".csv", ".tsv", ".tab", ".txt", ".dat"),
    *(".parquet", ".pq", ".feather", ".arrow", ".ipc"),
    *(".json", ".jsonl", ".ndjson"),
)
"""The suffixes of formats, which are not part of a name; `v1` in m.v1.csv is."""


def stem(file: str) -> str:
    """Return the name of a file without folder and suffixes: `scores.v1` for data/scores.v1.csv.gz, `stdin` for `-`."""
    return "stdin" if file == "-" else _without_suffixes(Path(file).name)


def model_names(files: Sequence[str], models: Sequence[Sequence[str]]) -> Names:
    """Return the names of each file's models, from their columns.

    Files with the same stem are called by their paths without suffixes.
    """
    if len(files) == 1:
        return [list(models[0])]
    called = _distinct_stems(files, _without_suffixes)
    if all(len(of_file) == 1 for of_file in models):
        return _require_distinct([[name] for name in called])
    return _require_distinct(_prefixed(called, models))


def report_model_names(reports: Sequence[str], models: Sequence[Sequence[str]]) -> Names:
    """Return the names of each report's models: as in the report or, where two would be equal, stem:model.

    Reports with the same stem are called by their paths.
    """
    if not _repeated(_flat(models)):
        return [list(of_report) for of_report in models]
    return _require_distinct(_prefixed(_distinct_stems(reports, str), models))


def baseline_name(model: str, report: str, others: Collection[str]) -> str:
    """Return the name of a report's model that others are compared with: stem:model if one of them has its name."""
    return f"{stem(report)}:{model}" if model in others else model


def require_distinct_files(files: Sequence[str]) -> None:
    """Refuse a file that is given twice."""
    if twice := _repeated(files):
        raise UsageError("file-twice", files=twice)


def _require_distinct(names: Names) -> Names:
    if twice := _repeated(_flat(names)):
        raise UsageError("models-of-one-name", models=twice)
    return names


def _distinct_stems(files: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return the stem of each file, or its path where several files have that stem."""
    stems = [stem(file) for file in files]
    return [path(file) if stems.count(own) > 1 else own for file, own in zip(files, stems, strict=True)]


def _prefixed(called: Sequence[str], models: Sequence[Sequence[str]]) -> Names:
    return [[f"{file}:{model}" for model in of_file] for file, of_file in zip(called, models, strict=True)]


def _without_suffixes(path: str) -> str:
    """Remove the suffix of the compression and that of the format, if they are known ones."""
    for known in (COMPRESSIONS, SUFFIXES):
        suffix = Path(path).suffix
        if suffix.lower() in known:
            path = path.removesuffix(suffix)
    return path


def _flat(names: Sequence[Sequence[str]]) -> list[str]:
    return [name for of_file in names for name in of_file]


def _repeated(names: Sequence[str]) -> str:
    return ", ".join(sorted({name for name in names if names.count(name) > 1}))
