"""`compare` of files with the whole numbers of pairs of models, in place of the cases: the AUC alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.cli.options import typed_options
from rocconf.cli.run import Run
from rocconf.errors import RocconfError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.cli.options import Data, Gate, Output
    from rocconf.compute.compare import AucComparison
    from rocconf.records import IntervalKind

OF_CASES = ("label", "id", "model", "positive", "rest", "where", "cluster")
"""The options of the data that choose cases or their class."""


def holds_pairs(data: Data, *, alone: bool) -> bool:
    """Whether the only file has the whole numbers of pairs of models, and nothing else if `alone`.

    A file that cannot be read has none: whatever reads it next says why.
    """
    if len(data.files or ()) != 1 or data.files[0] == "-":
        return False
    from rocconf.read import Wanted, find_input, has_pairs

    try:
        return has_pairs(find_input(data.files[0]), Wanted(delimiter=data.delimiter).character, alone=alone)
    except RocconfError:
        return False


def run_numbers(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    baseline: str | None,
    all_pairs: bool,
    margin: float | None,
    level: float,
    interval: IntervalKind,
    others: Mapping[str, tuple[Any, Any]],
) -> None:
    """Compare the AUCs of a file with whole numbers.

    Parameters
    ----------
    data, output, gate
        The options that all commands share.
    baseline, all_pairs, margin, level, interval
        The options of the analysis.
    others
        The options that need the cases, each with its value and its default.
    """
    from rocconf.cli.inputs import command_line
    from rocconf.compute.compare import AucComparison
    from rocconf.read import UnnamedError, about_baseline

    if typed := typed_options(data, OF_CASES, others):
        raise UsageError("numbers-without", what=typed[0])
    run = Run(AucComparison, output, gate, also="compare")
    if all_pairs and baseline is not None:
        raise UsageError("all-pairs-and-baseline")
    baseline = None if all_pairs else run.judge.baseline(baseline)
    lower_is_positive = run.judge.with_defaults(data).lower_is_positive
    run.judge.check_options(
        level=level, lower_is_positive=lower_is_positive, all_pairs=all_pairs, baseline=baseline, reported=False
    )

    def analyse(data: Data) -> Sequence[AucComparison]:
        if data.where:
            raise UsageError("numbers-without", what=f"--where {data.where[0]}")
        numbers, source = run.inputs.read_pairs(data)
        names = list(dict.fromkeys(name for each in numbers for name in (each.baseline, each.model)))
        if run.judge.judges_differences and baseline is None and not all_pairs:
            question = about_baseline(names, choices=True)
            raise UnnamedError(data.files[0], [question], for_rules=True, line=command_line())
        from rocconf.compute.compare import compare_aucs

        return [
            compare_aucs(
                numbers,
                baseline=baseline,
                all_pairs=all_pairs,
                margin=margin,
                level=level,
                interval=interval,
                lower_is_positive=data.lower_is_positive,
                sources=[source],
            )
        ]

    run.answer(analyse, data)
