"""The benchmarks run, measure the right processes, and do not time wrong answers."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def contest():
    return import_module("contest")


@pytest.fixture
def workloads():
    return import_module("workloads")


def silent(_):
    pass


def contestant(contest, name, auc, seconds=0.0):
    code = f"import time; time.sleep({seconds}); print('table'); print('{{\"auc\": {auc}}}')"
    return contest.Contestant(name, (sys.executable, "-c", code))


@pytest.mark.thorough
def test_a_quick_run_measures_and_writes_a_page(tmp_path):
    page = tmp_path / "RESULTS.md"
    options = ["--quick", "--repeat", "1", "--data", str(tmp_path), "--results", str(page), "--date", "2009-01-01"]
    only = ["--only", "start", "--only", "csv-10k", "--only", "parquet-10M"]
    peers = ["--peer", "polars query", "--peer", "R pROC"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *options, *only, *peers],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for text in (done.stdout, page.read_text()):
        assert all(name in text for name in ("rocconf --help", "floor", "import numpy", "polars query"))
        assert "not run: r proc (reads no parquet)" in text.lower() or "R or its package" in text
    assert "2009-01-01" in page.read_text()
    assert "SIMD" in page.read_text()


def test_contestants_that_agree_are_timed_in_turn(contest):
    turns = []
    quick, slow = contestant(contest, "quick", 0.5), contestant(contest, "slow", 0.5 + 1e-10, seconds=0.2)
    outcomes = contest.run_contest([quick, slow], repeat=2, log=turns.append)
    assert [len(outcome.seconds) for outcome in outcomes] == [2, 2]
    assert outcomes[1].least >= 0.2
    assert [turn for turn in turns if turn.startswith("turn")] == turns[-2:]


@pytest.mark.parametrize("wrong", ["0.500000002", "NaN"])
def test_wrong_answers_are_not_timed(contest, wrong):
    with pytest.raises(contest.DisagreementError, match=r"auc: right 0\.5, wrong"):
        contest.run_contest(
            [contestant(contest, "right", 0.5), contestant(contest, "wrong", wrong)], repeat=1, log=silent
        )


def test_an_absent_contestant_is_skipped(contest):
    absent = contest.Contestant("absent", ("no-such-program",), absent="not installed")
    outcomes = contest.run_contest([contestant(contest, "here", 0.5), absent], repeat=1, log=silent)
    assert [outcome.contestant.name for outcome in outcomes] == ["here"]


def test_a_failing_contestant_stops_the_run_with_its_error(contest):
    failing = contest.Contestant("failing", (sys.executable, "-c", "raise SystemExit('no memory')"), answers=False)
    with pytest.raises(RuntimeError, match="no memory"):
        contest.run_contest([failing], repeat=1, log=silent)


def test_peak_memory_is_the_contestant_s_own():
    code = """if True:
        import contest, sys
        grows = contest.Contestant("grows", (sys.executable, "-c", "bytearray(100_000_000)[-1]"), answers=False)
        (outcome,) = contest.run_contest([grows], repeat=1, log=lambda _: None)
        print(100e6 < outcome.peak < 200e6)
    """  # in another process: this one may hold more memory than the contestant
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_the_harness_itself_stays_small():
    """A process inherits the high-water mark of its parent's memory."""
    code = "import sys; import run; print(not {'numpy', 'polars', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.fixture
def outcomes(contest):
    def outcome(name, seconds, peak):
        return contest.Outcome(contest.Contestant(name, ()), seconds=[9.0, seconds], peak=peak)

    return [outcome("rocconf", 1.0, 100), outcome("duckdb SQL", 2.0, 300), outcome("polars query", 1.5, 400)]


def test_a_goal_compares_with_the_best_of_several_contestants(workloads, outcomes):
    goal = workloads.Goal("faster than any query", 1.6, workloads.QUERIES)
    assert goal.ratio(outcomes) == 1.5
    assert not goal.is_met(1.5)
    assert goal.is_met(1.6)


def test_a_goal_on_memory_compares_peaks(workloads, outcomes):
    goal = workloads.Goal("smaller", 0.6, ("duckdb SQL",), "at most", "memory")
    assert goal.ratio(outcomes) == pytest.approx(1 / 3)
    assert goal.is_met(0.6)
    assert not goal.is_met(0.7)


def test_a_goal_without_contestants_has_no_ratio(workloads, outcomes):
    assert workloads.Goal("faster than pROC", 3, ("R pROC",)).ratio(outcomes) is None


@pytest.mark.thorough
def test_the_kernels_are_measured_at_every_size():
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "kernels.py"), "--quick"], capture_output=True, text=True, check=True
    )
    heading, _, *rows = done.stdout.splitlines()
    assert "10,000" in heading
    assert len(rows) == 6
    assert all(float(cell.replace(",", "")) > 0 for row in rows for cell in row.split("|")[2:-1])


@pytest.mark.thorough
def test_workloads_of_several_models_run(tmp_path):
    page = tmp_path / "RESULTS.md"
    options = ["--quick", "--repeat", "1", "--data", str(tmp_path), "--results", str(page), "--only", "compare-10M"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "paired DeLong" in page.read_text()
    assert "floor" in page.read_text()
