"""Disturb runs of the command, and check that each ends as promised: `make faults`.

A run may end with any status of the contract, but not with 0, 1 or 3 unless all its files are new. Every file is the
older one or the whole new one, nothing else is left, and no error is a traceback.
"""

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "sample_data"
OLDER = b"older\n"

START = """import os, sys, resource
from rocconf import __main__ as entry
{limit}
os.write({started}, b"!")
entry.program()
"""
"""Start the command and signal when it begins: faults in Python's own start-up are not tested."""

TEMPORARY = re.compile(r"\.(.+)\.rocconf-[0-9a-f]{8}\.tmp")

RUNS = {
    "passes": "sweep many.csv --at threshold=0.5 --require 'auc >= 0.6' -q",
    "fails": "sweep many.csv --at threshold=0.5 --require 'auc >= 0.99' -q",
    "undecided": "compare dis.csv --score S --score F --baseline S --require 'delta_auc >= 0.03' -q",
}
OUTPUTS = {
    "passes": ("rows.csv", "report.json", "roc.png"),
    "fails": ("rows.tsv.gz", "report.junit.xml", "roc.svg"),
    "undecided": ("pairs.csv", "compared.json", "cauc.pdf"),
}
STATUS = {"passes": 0, "fails": 1, "undecided": 3}


@dataclass
class Ended:
    """How a run ended: its status as a shell has it, what it printed, and the files of its folder."""

    status: int
    out: bytes
    err: str
    files: dict
    killed: bool = False


@dataclass
class Fault:
    """A disturbance: of the environment, by code that is run first, or by what happens after the start."""

    name: str
    env: dict = field(default_factory=dict)
    limit: str = ""
    strike: object = None
    same: bool = False
    """Whether the run must end as if nothing had happened."""


def command_of(name, folder):
    """Return the arguments of a run that writes its outputs to a folder."""
    outputs = [
        part
        for file in OUTPUTS[name]
        for part in ("--plot" if file.endswith((".png", ".svg", ".pdf")) else "-o", str(folder / file))
    ]
    return [*shlex.split(RUNS[name]), *outputs]


def start(name, folder, fault):
    """Start a run; return the process, and the end of a pipe that tells when the command begins."""
    told, telling = os.pipe()
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
    }
    env = {key: value for key, value in (env | fault.env).items() if value is not None}
    code = START.format(limit=fault.limit, started=telling)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *command_of(name, folder / "out")],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(telling,),
    )
    os.close(telling)
    return process, told


def prepared(folder):
    """Fill a folder with the inputs and with older outputs."""
    for data in ("many.csv", "dis.csv"):
        os.link(SHARED / data, folder / data)
    (folder / "out").mkdir()
    for files in OUTPUTS.values():
        for file in files:
            (folder / "out" / file).write_bytes(OLDER)


def run(name, fault):
    """Run with a fault, in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=SHARED) as place:
        folder = Path(place)
        prepared(folder)
        process, told = start(name, folder, fault)
        os.read(told, 1)  # nothing if the process ends before
        os.close(told)
        if fault.strike:
            fault.strike(process, folder / "out")
        out, err = process.communicate(timeout=120)
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        files = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
        return Ended(status, out, err.decode(errors="replace"), files, killed=process.returncode == -signal.SIGKILL)


def breaches(name, fault, ended, whole):
    """Return the promises that a run broke; `whole` are the files of an undisturbed run."""
    mine = OUTPUTS[name]
    new = [file for file in mine if ended.files.get(file) == whole[file]]
    torn = [file for file in mine if ended.files.get(file) not in (OLDER, whole[file])]
    extra = [file for file in ended.files if file not in whole and not (ended.killed and TEMPORARY.fullmatch(file))]
    other = [file for file in ended.files if file in whole and file not in mine and ended.files[file] != OLDER]
    return [
        said
        for said, broken in (
            (f"status {ended.status}, outside the contract", ended.status not in (0, 1, 2, 3) and ended.status < 129),
            (f"status {ended.status} instead of {STATUS[name]}", ended.status in {0, 1, 3} - {STATUS[name]}),
            (f"status {ended.status}, but only {new} are new", ended.status in (0, 1, 3) and len(new) < len(mine)),
            (f"neither older nor whole: {torn + other}", torn or other),
            (f"left behind: {extra}", extra),
            (
                "a traceback",
                "Traceback" in ended.err or ("internal error: " in ended.err and not _is_shortage(ended.err)),
            ),
            ("an answer without a status of one", ended.status == 2 and ended.out),
            ("not as if nothing had happened", fault.same and (ended.status, len(new)) != (STATUS[name], len(mine))),
        )
        if broken
    ]


def _is_shortage(err):
    """Whether an internal error names a lack of memory or descriptors, which can strike anywhere, also an import."""
    words = (
        "MemoryError",
        "allocate",
        "memory",
        "Too many open files",
        "ImportError",
        "error return without exception set",
    )
    return any(word in err for word in words)


def strike_at_random(number, seconds, process, _):
    """Send a signal at a random moment of a run that takes so many seconds."""
    time.sleep(seconds)
    process.send_signal(number)


def strike_while_writing(number, seconds, process, out):
    """Send a signal some moments after the first temporary file appears."""
    while process.poll() is None and not any(TEMPORARY.fullmatch(name) for name in os.listdir(out)):  # noqa: PTH208  # quicker than Path
        time.sleep(0.001)
    time.sleep(seconds)
    process.send_signal(number)


def write_beside(name, _, out):
    """Run the same command twice more, with the same outputs."""
    others = [
        subprocess.Popen(
            [sys.executable, "-m", "rocconf", *command_of(name, out)],
            cwd=out.parent,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    for other in others:
        assert other.wait(120) == STATUS[name]


def unwritable(_, out):
    """Make a folder read-only for everybody but root."""
    out.chmod(0o555)


def limited(kind, value):
    """Return code that lowers a limit of the process."""
    return f"resource.setrlimit(resource.RLIMIT_{kind}, ({value}, {value}))"


ALWAYS = [
    *(
        Fault(f"SOURCE_DATE_EPOCH={value}", {"SOURCE_DATE_EPOCH": value}, same=True)
        for value in ("-1", "9" * 20, "x", "")
    ),
    Fault("TZ=Nowhere/At+99", {"TZ": "Nowhere/At+99"}, same=True),
    *(Fault(f"LC_ALL={value}", {"LC_ALL": value}, same=True) for value in ("C", "POSIX", "xx_YY.UTF-8", "de_DE")),
    Fault("PYTHONIOENCODING=ascii", {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, same=True),
    Fault("HOME unset", {"HOME": None}, same=True),
    *(Fault(f"HOME={value}", {"HOME": value}, same=True) for value in ("/nonexistent", "/proc")),
    Fault("TMPDIR missing", {"TMPDIR": "/nonexistent"}, same=True),
    Fault("MPLCONFIGDIR missing", {"MPLCONFIGDIR": "/proc/nonexistent"}, same=True),
    Fault("standard output closed", limit="os.close(1)\nsys.stdout = None"),
    Fault("standard output full", limit="os.dup2(os.open('/dev/full', 1), 1)"),
    Fault("standard error full", limit="os.dup2(os.open('/dev/full', 1), 2)", same=True),
]
"""Each is tried with every command."""


def drawn(rng, seconds):
    """Return a random fault of each kind that has a moment or a size, for runs that take so many seconds."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGPIPE):
        at = partial(strike_at_random, number, rng.uniform(0, 1.1 * seconds))
        yield Fault(f"{number.name} at any moment", strike=at)
        yield Fault(f"{number.name} while writing", strike=partial(strike_while_writing, number, rng.uniform(0, 0.1)))
    yield Fault("full disk (file size limit)", limit=limited("FSIZE", rng.choice([0, 10, 500, 5_000, 30_000, 200_000])))
    yield Fault("memory limit", limit=limited("AS", rng.randrange(60, 600) << 20))
    yield Fault("descriptor limit", limit=limited("NOFILE", rng.randrange(3, 24)))
    yield Fault("three writers of the same files", strike=write_beside, same=True)
    if os.getuid():
        yield Fault("read-only folder", strike=unwritable)


def tries(runs, seed, seconds):
    """Return as many faults, each with the command that it strikes; those that need no chance come first."""
    rng = random.Random(seed)
    names = list(RUNS)
    always = [
        (name, fault) for at, fault in enumerate(ALWAYS) for name in (names if runs > 200 else names[at % 3 :][:1])
    ]
    while len(always) < runs:
        always += [(rng.choice(names), fault) for fault in drawn(rng, seconds)]
    return [
        (
            name,
            Fault(fault.name, strike=partial(write_beside, name), same=True) if fault.strike is write_beside else fault,
        )
        for name, fault in always[: max(runs, len(ALWAYS))]
    ]


def undisturbed():
    """Return the files of each command without a fault, and the seconds that one takes."""
    whole, begun = {}, time.monotonic()
    for name in RUNS:
        ended = run(name, Fault("none"))
        whole |= {file: ended.files[file] for file in OUTPUTS[name]}
        if ended.status != STATUS[name] or OLDER in whole.values():
            sys.exit(f"undisturbed, {name!r} ends with {ended.status}: {ended.err}")
    return whole, (time.monotonic() - begun) / len(RUNS)


def page(ends):
    """Return the table of the page: for each kind of fault, how often it was tried, and how the runs ended."""
    yield "| fault | runs | status: runs | broken |\n| --- | ---: | --- | ---: |"
    for kind in dict.fromkeys(fault.name for _, fault, *_ in ends):
        of_kind = [(ended.status, said) for _, fault, ended, said in ends if fault.name == kind]
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(Counter(s for s, _ in of_kind).items()))
        yield f"| {kind} | {len(of_kind)} | {statuses} | {sum(bool(said) for _, said in of_kind)} |"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=os.cpu_count())
    asked = options.parse_args()
    rng = random.Random(0)
    rows = (f"{label},{min(max(rng.gauss(0.4 + 0.2 * label, 0.2), 0), 1):.4f}\n" for label in (0, 1) * 10_000)
    (SHARED / "many.csv").write_text("label,score\n" + "".join(rows), encoding="utf-8")
    shutil.copy(DATA / "dis.csv", SHARED / "dis.csv")
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
        if signal.getsignal(number) is signal.SIG_IGN:  # as of a job in the background: no run inherits it
            signal.signal(number, lambda *_: None)
    whole, seconds = undisturbed()
    with ThreadPoolExecutor(asked.workers) as pool:
        chosen = tries(asked.runs, asked.seed, seconds)
        ends = [
            (name, fault, ended, breaches(name, fault, ended, whole))
            for (name, fault), ended in zip(chosen, pool.map(lambda each: run(*each), chosen), strict=True)
        ]
    print(*page(ends), sep="\n")
    broken = [end for end in ends if end[-1]]
    for name, fault, ended, said in broken:
        print(f"\n{name}, {fault.name} {fault.limit}: {'; '.join(said)}\n  {ended.err.strip()[-400:]}")
    print(f"\n{len(ends)} runs, {len(broken)} broke a promise (seed {asked.seed})")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as shared:
        SHARED = Path(shared)
        main()
