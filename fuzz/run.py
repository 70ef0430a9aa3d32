"""Fuzz all targets one after the other, each for its share of the time: `python fuzz/run.py --seconds 60`.

The seeds are fixed. Failing inputs are kept in out/fuzz, and the status is then 1.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parent
CORPUS = FOLDER / "corpus"
FAILURES = FOLDER.parent / "out" / "fuzz"
LARGEST = 1 << 13
SLOWEST = 20
"""Seconds for one input."""

LINES_SHOWN = 40


def main() -> int:
    """Run the targets and return the status."""
    arguments = _arguments()
    if not find_spec("atheris"):
        print("fuzz: atheris is not installed: pip install --group fuzz (it has wheels for Linux)", file=sys.stderr)
        return 2
    FAILURES.mkdir(parents=True, exist_ok=True)
    targets = arguments.targets or sorted(each.name for each in CORPUS.iterdir())
    share = max(1, arguments.seconds // len(targets))
    return max([_fuzz(target, share, arguments.seed) for target in targets])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="time for all targets together")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutations")
    parser.add_argument("targets", nargs="*", help="the targets; by default all")
    return parser.parse_args()


def _fuzz(target: str, seconds: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as found:  # new inputs are put there, not in the corpus
        command = [
            *(sys.executable, str(FOLDER / "one.py"), target),
            *(f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LARGEST}", f"-timeout={SLOWEST}"),
            *(f"-dict={FOLDER / 'tokens.dict'}", f"-artifact_prefix={FAILURES / target}-"),
            *(found, str(CORPUS / target)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    runs = re.search(r"Done (\d+) runs in (\d+) second", done.stderr)
    if done.returncode == 0 and runs:
        print(f"{target:8} {int(runs[1]):>9,} inputs in {runs[2]} s: no failure", flush=True)
        return 0
    print(f"{target:8} failed (status {done.returncode}); the input is in {FAILURES}", flush=True)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("#")]
    print("\n".join(lines[-LINES_SHOWN:]))
    print(f"again: {sys.executable} fuzz/one.py {target} out/fuzz/{target}-...")
    return 1


if __name__ == "__main__":
    sys.exit(main())
