"""Change one operator, number or condition at a time, and see whether a test of the module fails: `make mutate`.

A mutant that no test detects is a gap of the tests, or means the same as the original.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[2]
PACKAGES = ("gate", "compute", "read")
NEEDED = ("rocconf", "tests", "sample_data", "docs", "pyproject.toml", "README.md", "CHANGELOG.md")
"""What tests read."""

PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div)),
)
OTHER = dict(PAIRS) | {second: first for first, second in PAIRS}
"""The operator that takes the place of another."""

SECONDS = 600


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    path: str
    line: int
    change: str
    source: str


def sites_of(path):
    """Return the places of a module that can be changed: the path and the number of the node."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [(path, at) for at, node in enumerate(ast.walk(tree)) if _change(node)]


def mutant_of(path, at):
    """Return the mutant of a place."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    node = next(islice(ast.walk(tree), at, None))
    before, change = ast.unparse(node), _change(node)
    change(node)
    return Mutant(path, node.lineno, f"{before} -> {ast.unparse(node)}", ast.unparse(tree))


def _change(node):
    """Return a function that changes the node, or None."""
    if isinstance(node, ast.Compare):
        return lambda twin: twin.ops.__setitem__(0, OTHER[type(twin.ops[0])]())
    if isinstance(node, ast.BoolOp) or (isinstance(node, ast.BinOp) and type(node.op) in OTHER and not _is_text(node)):
        return lambda twin: setattr(twin, "op", OTHER[type(twin.op)]())
    if isinstance(node, ast.If | ast.IfExp) and ast.unparse(node.test) != "TYPE_CHECKING":
        return lambda twin: setattr(twin, "test", ast.UnaryOp(ast.Not(), twin.test))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return lambda twin: setattr(twin, "value", not twin.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return lambda twin: setattr(twin, "value", twin.value + 1)
    return None


def _is_text(node):
    """Whether an operation joins texts, whose mutant would be an error of types."""
    return any(isinstance(side, ast.JoinedStr | ast.List | ast.Tuple) for side in (node.left, node.right))


def suites_of(path):
    """Return the tests to run until one fails: those named after the module, then those of its package and around it."""
    package = Path("tests") / Path(path).relative_to("rocconf").parent
    while not (ROOT / package).is_dir():
        package = package.parent
    named = sorted(str(each.relative_to(ROOT)) for each in (ROOT / package).glob(f"test_{Path(path).stem}*.py"))
    around = [str(each) for each in (package, *package.parents) if each.name not in ("tests", "")]
    return [tests for tests in (named, *([each] for each in around)) if tests]


def is_detected(mutant, folder):
    """Whether a test fails, or does not end, in a copy of the project with the mutant."""
    module = folder / mutant.path
    original = module.read_text(encoding="utf-8")
    module.write_text(mutant.source, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return any(
            subprocess.run(
                [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
                cwd=folder,
                env=env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=SECONDS,
                check=False,
            ).returncode
            for tests in suites_of(mutant.path)
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        module.write_text(original, encoding="utf-8")


def copied(place):
    """Return a copy of the project."""
    for name in NEEDED:
        source, target = ROOT / name, place / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return place


def sample(number, seed, packages):
    """Return so many mutants, drawn from all of the packages, and how many there are."""
    paths = sorted(path for each in packages for path in (ROOT / "rocconf" / each).rglob("*.py"))
    sites = [site for path in paths for site in sites_of(str(path.relative_to(ROOT)))]
    return [mutant_of(*site) for site in random.Random(seed).sample(sites, min(number, len(sites)))], len(sites)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mutants", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=os.cpu_count())
    options.add_argument("--package", choices=PACKAGES, action="append")
    asked = options.parse_args()
    mutants, total = sample(asked.mutants, asked.seed, asked.package or PACKAGES)
    folders = SimpleQueue()
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(asked.workers) as pool:
        for worker in range(asked.workers):
            (Path(place) / str(worker)).mkdir()
            folders.put(copied(Path(place) / str(worker)))

        def tried(mutant):
            folder = folders.get()
            try:
                return is_detected(mutant, folder)
            finally:
                folders.put(folder)

        survivors = 0
        for mutant, detected in zip(mutants, pool.map(tried, mutants), strict=True):
            survivors += not detected
            print(
                f"{'detected' if detected else 'SURVIVES'}  {mutant.path}:{mutant.line}  {mutant.change[:200]!r}",
                flush=True,
            )
    print(f"{len(mutants) - survivors} of {len(mutants)} mutants detected, of {total} (seed {asked.seed})")


if __name__ == "__main__":
    main()
