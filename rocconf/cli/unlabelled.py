"""`sensibility --unlabelled`: the scores of cases whose labels are not known yet, against those of a reference."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocconf.cli.judging import JudgeOfResults
from rocconf.cli.options import typed_options
from rocconf.cli.run import Run
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.cli.options import Data, Gate, Output

OF_LABELS = ("label", "positive", "rest", "lower_is_positive", "model")
"""The options of the data that scores alone do not have."""


def run_unlabelled(
    data: Data,
    output: Output,
    gate: Gate,
    *,
    reference: str | None,
    level: float,
    permutations: int,
    seed: int,
    others: Mapping[str, tuple[Any, Any]],
) -> None:
    """Compare scores with those of a reference.

    Parameters
    ----------
    data, output, gate
        The options that all commands share.
    reference
        The file of earlier cases.
    level, permutations, seed
        The options of the analysis.
    others
        The options that scores alone do not have, each with its value and its default.
    """
    import rocconf

    _refuse(data, others)
    if reference is None:
        raise UsageError("unlabelled-needs-reference")
    if len(data.files) > 1:
        raise UsageError("unlabelled-files", files=len(data.files))
    _refuse_rules(gate)
    run = Run(rocconf.Unlabelled, output, gate)

    def analyse(data: Data) -> list[Result]:
        cases, earlier = run.inputs.read_scores(data, reference)
        with run.counting("permuting", permutations * len(cases)) as progress:
            compare = partial(rocconf.unlabelled, level=level, permutations=permutations, seed=seed, progress=progress)
            return [compare(new, old) for new, old in zip(cases, earlier, strict=True)]

    def without_labels(data: Data) -> list[Result]:
        """Analyse without what the configuration says of labels."""
        return analyse(replace(data, positive=None, rest=False, lower_is_positive=False, model=None))

    run.answer(without_labels, data, beside=reference)


def _refuse(data: Data, others: Mapping[str, tuple[Any, Any]]) -> None:
    """Refuse options that are about labels."""
    if typed := typed_options(data, OF_LABELS, others):
        raise UsageError("unlabelled-without-option", option=typed[0])


def _refuse_rules(gate: Gate) -> None:
    """Refuse every rule that would be judged on labelled cases: none passes for lack of labels."""
    import rocconf

    if gate.require:
        raise UsageError("unlabelled-rules", rule=gate.require[0])
    rules = JudgeOfResults(gate, rocconf.Sensibility, choose_on=None, quiet=True).rules
    if rules:
        raise UsageError("unlabelled-rules", rule=rules[0].text)
