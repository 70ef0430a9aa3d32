"""`--one-vs-rest` of `sweep` and `compare`: more than two classes, each with its own column of scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocconf.cli.options import typed_options
from rocconf.cli.run import LEAST_CASES, Run
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.cli.options import Data, Gate, Output
    from rocconf.records import ClassPredictions, IntervalKind

OF_TWO_CLASSES = ("positive", "rest", "model")
"""The options of the data that several classes do not have."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a run."""

    level: float
    interval: IntervalKind
    baseline: str | None = None
    margin: float | None = None
    by_row: bool = False
    by: Sequence[str] | None = None
    min_cases: int = LEAST_CASES


def run_classes(
    command: str,
    data: Data,
    output: Output,
    gate: Gate,
    *,
    columns: Sequence[str],
    asked: Asked,
    others: Mapping[str, tuple[Any, Any]],
) -> None:
    """Run a command on several classes.

    Parameters
    ----------
    command
        sweep, which takes one model, or compare, which takes several.
    data, output, gate
        The options that all commands share.
    columns
        NAME=COLUMN of each class and model; by default the columns called like the classes.
    asked
        The options of the analysis.
    others
        The options that several classes do not have, each with its value and its default.
    """
    import rocconf
    from rocconf.cli.inputs import command_line
    from rocconf.read import UnnamedError, about_baseline

    _refuse(data, others)
    compares = command == "compare"
    if not compares and len(data.files or ()) > 1:
        raise UsageError("classes-of-files", files=len(data.files))
    run = Run(rocconf.OneVsRest, output, gate, also=command)
    baseline = run.judge.baseline(asked.baseline) if compares else None
    run.judge.check_options(level=asked.level, baseline=baseline, reported=False)
    if run.judge.judges_differences and not compares:
        raise UsageError(
            "classes-without-baseline", rule=next(rule.text for rule in run.judge.rules if rule.is_difference)
        )
    if not compares:
        run.refuse("pairs", without="compare")
        run.refuse("slice_pairs", without="compare")
    groups = run.slices_by(asked.by, min_cases=asked.min_cases, without={})
    file = baseline if baseline is not None and Path(baseline).is_file() else None

    def analyse(data: Data) -> list[Result]:
        files = data if file is None else replace(data, files=[*data.files, file])
        cases = run.inputs.read_classes(files, columns, several=compares, by_row=asked.by_row, groups=groups)
        if compares and len(cases.models) < 2:
            raise UsageError("classes-of-one-model", model=cases.models[0])
        if run.judge.judges_differences and baseline is None:
            question = about_baseline(cases.models, choices=True)
            raise UnnamedError(", ".join(data.files), [question], for_rules=True, line=command_line())
        name = cases.models[-1] if file is not None else baseline
        options: dict[str, Any] = {"by": groups, "min_cases": asked.min_cases} if groups else {}
        analysis = rocconf.one_vs_rest_slices if groups else rocconf.one_vs_rest
        options |= {"margin": asked.margin, "level": asked.level, "interval": asked.interval}
        return [analysis(_with_role(cases, file), baseline=name, **options)]

    run.answer(analyse, data, beside=file)


def _with_role(cases: ClassPredictions, file: str | None) -> ClassPredictions:
    """Mark the last source as that of the baseline, if it is a file of its own."""
    if file is None:
        return cases
    *others, last = cases.sources
    return replace(cases, sources=(*others, replace(last, role="baseline")))


def _refuse(data: Data, others: Mapping[str, tuple[Any, Any]]) -> None:
    """Refuse options that are about two classes."""
    if typed := typed_options(data, OF_TWO_CLASSES, others):
        raise UsageError("classes-without-option", option=typed[0])


def require_one_vs_rest(columns: Sequence[str] | None) -> None:
    """Refuse columns of classes in a run of two classes."""
    if columns:
        raise UsageError("class-without-classes")
