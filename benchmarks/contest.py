"""Run contestants as processes, in turn, and record the times, the peak memory and the answer of each.

A process inherits the high-water mark of its parent, so this module imports nothing large.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import NormalDist, median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMPARED = ("auc", "auc_se", "difference", "z", "p")
AGREEMENT = 1e-9
"""The largest difference allowed between the answers of contestants."""

BYTES = 1 if sys.platform == "darwin" else 1024
"""The unit in which the system counts peak memory."""

SLOWED_BY = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONDEVMODE", "COVERAGE_PROCESS_START")
"""Variables of a developer's shell that slow down Python."""


class DisagreementError(Exception):
    """Contestants that should give the same number do not."""


@dataclass(frozen=True)
class Contestant:
    """A command that does the work; `absent` says why it cannot run here.

    The last line of its output is the answer in JSON. A contestant that rounds what it prints has another command for
    the answer (`answer_command`), which writes it to the file `answer_in`. One that only starts up has no answer.
    """

    name: str
    command: tuple[str, ...]
    absent: str = ""
    answer_command: tuple[str, ...] = ()
    answer_in: Path | None = None
    answers: bool = True


@dataclass
class Outcome:
    """The times, the peak memory and the answer of a contestant."""

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
        """The median time, in seconds; far above the least where the machine was busy."""
        return median(self.seconds)


def run_contest(contestants: Sequence[Contestant], *, repeat: int, log: Callable[[str], None]) -> list[Outcome]:
    """Compare the answers of all contestants that can run here, then time them in turn.

    The order changes with every turn: memory that the previous process has just freed can double a time, so no
    contestant should always follow the same one.
    """
    outcomes = [Outcome(contestant) for contestant in contestants if not contestant.absent]
    with tempfile.TemporaryDirectory() as empty:  # no folder of a project, whose settings would be read
        folder = Path(empty)
        for outcome in outcomes:  # also warms up: bytecode is written and the files are cached
            log(f"asking {outcome.contestant.name}")
            outcome.answer = _answer(outcome.contestant, folder)
        require_agreement(outcomes)
        for turn in range(repeat):
            for outcome in Random(turn).sample(outcomes, len(outcomes)):
                seconds, processor_seconds, peak = timed(outcome.contestant.command, folder)
                outcome.seconds.append(seconds)
                outcome.processor_seconds.append(processor_seconds)
                outcome.peak = max(outcome.peak, peak)
            times = ", ".join(f"{o.contestant.name} {o.seconds[-1]:.3f}" for o in outcomes)
            log(f"turn {turn + 1} of {repeat}: {times}")
    return outcomes


def require_agreement(outcomes: Sequence[Outcome]) -> None:
    """Raise an error unless all contestants that give a number give the same one."""
    for key in COMPARED:
        values = {o.contestant.name: o.answer[key] for o in outcomes if key in o.answer}
        # each with the first, also the first itself: NaN differs from everything
        if not all(abs(value - next(iter(values.values()))) <= AGREEMENT for value in values.values()):
            raise DisagreementError(f"{key}: " + ", ".join(f"{name} {value!r}" for name, value in values.items()))


def _answer(contestant: Contestant, folder: Path) -> dict[str, float]:
    command = contestant.answer_command or contestant.command
    done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    if not contestant.answers:
        return {}
    text = contestant.answer_in.read_text() if contestant.answer_in else done.stdout.splitlines()[-1]
    parsed = json.loads(text)
    answer = parsed[0] if isinstance(parsed, list) else parsed
    if "difference_lower" in answer:  # z from the interval: where p underflows, z keeps its digits
        half_width = (answer["difference_upper"] - answer["difference_lower"]) / 2
        answer["z"] = answer["difference"] * NormalDist().inv_cdf(0.975) / half_width
    return {key: float(answer[key]) for key in COMPARED if key in answer}


def timed(command: Sequence[str], folder: Path) -> tuple[float, float, int]:
    """Return the seconds, the seconds on all cores and the peak memory in bytes of a process and its children."""
    with tempfile.TemporaryFile() as errors:
        begun = perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=_environment(), cwd=folder)
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed:\n{errors.read().decode()}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * BYTES


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in SLOWED_BY}
