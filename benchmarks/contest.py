"""Run contestants as whole processes, in turn, and keep the least time of each, its peak memory and its answer.

A process inherits the high-water mark of the process that starts it, so this one imports nothing that is large.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from random import Random
from statistics import NormalDist, median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

COMPARED = ("auc", "auc_se", "difference", "z", "p")
AGREEMENT = 1e-9
"""How far the answers of contestants may be apart."""

BYTES = 1 if sys.platform == "darwin" else 1024
"""What the system counts peak memory in."""

SLOWED_BY = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONDEVMODE", "COVERAGE_PROCESS_START")
"""Settings of a developer's shell that would slow down Python contestants."""


class DisagreementError(Exception):
    """Contestants that ought to give the same number do not."""


@dataclass(frozen=True)
class Contestant:
    """A command that does the work; `absent` says why it cannot be run here.

    The last line of its output is its answer in JSON. One that rounds what it prints is asked by another command,
    which leaves the answer in a file; one that only starts has none.
    """

    name: str
    command: tuple[str, ...]
    absent: str = ""
    asking: tuple[str, ...] = ()
    answer_in: Path | None = None
    answers: bool = True


@dataclass
class Outcome:
    """What a contestant needed."""

    contestant: Contestant
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)
    peak: int = 0
    answer: dict[str, float] = field(default_factory=dict)

    @property
    def least(self) -> float:
        """The least time, in seconds."""
        return min(self.seconds)

    @property
    def usual(self) -> float:
        """The median time, in seconds; where it is far above the least, the machine was not quiet."""
        return median(self.seconds)


def run_contest(contestants: Sequence[Contestant], *, repeat: int, tell: Callable[[str], None]) -> list[Outcome]:
    """Ask every contestant that is here once, compare the answers, then time all of them in turn.

    Each turn has another order, for nobody should always follow the same one: where a system hands out memory anew that
    was just given back, what the one before left can double a time.
    """
    outcomes = [Outcome(contestant) for contestant in contestants if not contestant.absent]
    for outcome in outcomes:  # also warms up: bytecode is written and the files are in memory
        tell(f"asking {outcome.contestant.name}")
        outcome.answer = _answer(outcome.contestant)
    require_agreement(outcomes)
    for turn in range(repeat):
        for outcome in Random(turn).sample(outcomes, len(outcomes)):  # noqa: S311  # an order, no secret
            seconds, processor_seconds, peak = _timed(outcome.contestant.command)
            outcome.seconds.append(seconds)
            outcome.processor_seconds.append(processor_seconds)
            outcome.peak = max(outcome.peak, peak)
        tell(f"turn {turn + 1} of {repeat}: " + ", ".join(f"{o.contestant.name} {o.seconds[-1]:.3f}" for o in outcomes))
    return outcomes


def require_agreement(outcomes: Sequence[Outcome]) -> None:
    """Refuse to time a wrong number: every contestant that gives a number gives the same one."""
    for key in COMPARED:
        given = {o.contestant.name: o.answer[key] for o in outcomes if key in o.answer}
        # each against the first, itself too: NaN agrees with nothing
        if not all(abs(value - next(iter(given.values()))) <= AGREEMENT for value in given.values()):
            raise DisagreementError(f"{key}: " + ", ".join(f"{name} {value!r}" for name, value in given.items()))


def _answer(contestant: Contestant) -> dict[str, float]:
    command = contestant.asking or contestant.command
    done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    if not contestant.answers:
        return {}
    text = contestant.answer_in.read_text() if contestant.answer_in else done.stdout.splitlines()[-1]
    found = json.loads(text)
    answer = found[0] if isinstance(found, list) else found
    if "difference_lower" in answer:  # what an interval says of z, which has all its digits where p has none
        reach = (answer["difference_upper"] - answer["difference_lower"]) / 2
        answer["z"] = answer["difference"] * NormalDist().inv_cdf(0.975) / reach
    return {key: float(answer[key]) for key in COMPARED if key in answer}


def _timed(command: Sequence[str]) -> tuple[float, float, int]:
    """Return the seconds, the seconds on all cores and the peak memory in bytes of a process and those it started."""
    with tempfile.TemporaryFile() as errors:
        begun = perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=_environment())
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed:\n{errors.read().decode()}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * BYTES


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in SLOWED_BY}
