"""Every diff of docs/contributing.md applies to the code as it is, and does what the document says."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, SAMPLE_DATA, environment

PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (.*?)\n.*?^```diff\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))

READ = f"counts = rocconf.count(rocconf.read_predictions({str(SAMPLE_DATA / 'hypothyroid.csv')!r}, score='F'))"
CHECKS = {
    "A measure of a threshold": """
result = rocconf.sweep(counts, thresholds="0.5", intervals=True)
row = result.table().records()[1]
assert row["fnr_lower"] < row["fnr"] == row["fn"] / result.counts.p < row["fnr_upper"]
(verdict,) = rocconf.judge(result, "fnr@threshold=0.5 <= 0.2")
assert verdict.measure.interval.lower < verdict.measure.value == row["fnr"] < verdict.measure.interval.upper
""",
    "A summary metric": """
result = rocconf.sweep(counts)
(verdict,) = rocconf.judge(result, "gini >= 0.8")
assert verdict.outcome == "pass"
assert verdict.measure.interval.lower < verdict.measure.value == 2 * result.auc.value - 1
both = rocconf.compare(rocconf.read_predictions(DATA, score=["F", "T"]), baseline="T")
(verdict,) = rocconf.judge(both, "delta_gini >= 0")
assert verdict.measure.interval.lower < verdict.measure.value < verdict.measure.interval.upper
""",
    "A figure": """
run("sweep", DATA, "--score", "F", "--score", "T", "--plot", "mistakes:mistakes.png")
assert Path("mistakes.png").read_bytes().startswith(b"\\x89PNG")
""",
    "A command": """
result = rocconf.calibration(counts)
bins = result.table().records()
assert sum(row["n"] for row in bins) == counts.n
assert all(row["share_lower"] <= row["share"] <= row["share_upper"] for row in bins)
run("calibration", DATA, "--score", "F", "--require", "square <= 0.1", "-o", "report.json")
run("gate", "report.json", "--require", "square <= 0.1")
""",
    "An input format": """
import numpy
numpy.savez("cases.npz", label=[1, 0], score=[0.9, 0.2])
assert rocconf.read_predictions("cases.npz").scores["score"].tolist() == [0.9, 0.2]
numpy.savez("bad.npz", label=[1, 2], score=["high", "0.2"])
try:
    rocconf.read_predictions("bad.npz")
except rocconf.InputError as error:
    assert [str(fault)[:5] for fault in error.faults] == ["row 1", "row 2"]
""",
    "A message": """
few = rocconf.ScoreCounts.of([0.9, 0.5, 0.1], [2, 1, 0], [0, 1, 3])
assert "few-cases" in {caveat.code for caveat in rocconf.sweep(few).caveats}
assert "few-cases" not in {caveat.code for caveat in rocconf.sweep(counts).caveats}
""",
    "A mistake": """
sys.path.insert(0, "tests/mistakes")
from mistake_files import write_files
from mistake_runner import mistakes_of, run_mistake
mistake = mistakes_of("in_a_hurry.toml")[-1]
Path("shared").mkdir()
Path("empty").mkdir()
write_files(Path("shared"))
ran = run_mistake(mistake, Path("shared").absolute(), Path("empty").absolute())
assert mistake.run.startswith("sweep score")
assert (ran.status, mistake.says in ran.err) == (2, True)
""",
    "An output format": """
run("sweep", DATA, "--score", "F", "--at", "threshold=0.5", "-o", "operating_points:points.tex")
assert Path("points.tex").read_text().startswith("\\\\begin{tabular}")
""",
}
"""What holds of the changed code."""

BEFORE = f"""
import subprocess, sys
from pathlib import Path
import rocconf
import test_layers, test_messages

DATA = {str(SAMPLE_DATA / "hypothyroid.csv")!r}
{READ}

def run(*arguments):
    subprocess.run([sys.executable, "-m", "rocconf", *arguments, "-q"], check=True, stdout=subprocess.DEVNULL)

assert test_layers.breaches(test_layers.PACKAGE) == []
test_layers.test_every_part_of_the_package_has_its_place()
test_messages.test_every_message_of_the_catalogue_is_used()
test_messages.test_every_template_has_the_values_that_its_callers_give()
"""
"""The rules of the code that every change keeps, and what the checks use."""


def test_every_section_is_checked():
    assert SECTIONS.keys() == CHECKS.keys()


@pytest.mark.parametrize("section", SECTIONS)
def test_the_diff_applies(section):
    tried = subprocess.run(
        ["git", "apply", "--check", "-"], cwd=ROOT, input=SECTIONS[section], capture_output=True, text=True, check=False
    )
    assert tried.returncode == 0, tried.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("section", CHECKS)
def test_the_diff_applies_and_works(section, tmp_path):
    for folder in ("rocconf", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "recorded"))
    applied = subprocess.run(
        ["git", "apply", "-"], cwd=tmp_path, input=SECTIONS[section], capture_output=True, text=True, check=False
    )
    assert applied.returncode == 0, applied.stderr
    surroundings = environment(PYTHONPATH=f"{tmp_path}:{tmp_path / 'tests'}", PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + CHECKS[section]],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
