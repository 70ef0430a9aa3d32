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
decides("sweep", "--score", "F", metric="fnr@threshold=0.5", value=row["fnr"])
decides("compare", "--score", "F", "--score", "T", "--baseline", "T", metric="delta_fnr@threshold=0.5")
decides("sweep", "--score", "F", "--by", "sex", metric="fnr@threshold=0.5 by sex")
decides("sweep", "--score", "F", "--cluster", "patient", metric="fnr@threshold=0.5", value=row["fnr"])
""",
    "A metric without a difference": """
decides("sweep", "--score", "F", metric="jaccard@threshold=0.5")
both = rocconf.compare(rocconf.read_predictions(DATA, score=["F", "T"]), baseline="T")
try:
    rocconf.judge(both, "delta_jaccard@threshold=0.5 >= 0")
except rocconf.UsageError as error:
    assert "delta_jaccard" in str(error)
else:
    raise AssertionError("a difference that was declared to mean nothing was judged")
""",
    "A summary metric": """
area = rocconf.sweep(counts).auc.value
decides("sweep", "--score", "F", metric="gini", value=2 * area - 1)
decides("compare", "--score", "F", "--score", "T", "--baseline", "T", metric="delta_gini")
decides("sweep", "--score", "F", "--by", "sex", metric="gini by sex")
decides("sweep", "--score", "F", "--cluster", "patient", metric="gini", value=2 * area - 1)
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
import json, subprocess, sys
from pathlib import Path
import rocconf
import test_layers, test_messages

DATA = {str(SAMPLE_DATA / "hypothyroid.csv")!r}
{READ}

def run(*arguments):
    subprocess.run([sys.executable, "-m", "rocconf", *arguments, "-q"], check=True, stdout=subprocess.DEVNULL)

def decides(command, *arguments, metric, value=None):
    # the rule that the value and its interval meet passes, and a slightly stricter one fails: live and of a saved report
    data = Path("cases.csv")
    if not data.exists():
        rows = Path(DATA).read_text().splitlines()
        extra = ["sex,patient"] + [f"{{'mf'[k % 2]}},{{k // 2}}" for k in range(len(rows) - 1)]
        data.write_text("".join(f"{{row}},{{more}}\\n" for row, more in zip(rows, extra)))
    line = [sys.executable, "-m", "rocconf"]
    ran = subprocess.run([*line, command, data, *arguments, "-q", "-o", "report.json",
                          "--require", metric + (" >= 0.001" if metric[:3] in ("fnr", "jac") else " >= -0.99")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    verdicts = json.loads(Path("report.json").read_text())["gates"]
    for verdict in verdicts:
        assert verdict["lower"] < verdict["value"] < verdict["upper"], verdict
        assert value is None or abs(verdict["value"] - value) < 1e-12, verdict
    limit = min(verdict["lower"] for verdict in verdicts)
    judged = [*line, "gate", "report.json", "-q", "--require"]
    for rule, status in ((limit - 1e-9, 0), (limit + 1e-9, 3)):
        assert subprocess.run([*judged, metric + f" >= {{rule!r}}"]).returncode == status, (metric, rule)

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
