"""The benchmarks run, measure the right processes, and do not time wrong answers."""

import math
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


def test_the_harness_has_help():
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), "--help"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, "rule-10%" in done.stdout, done.stderr) == (0, True, "")


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


def test_a_missed_goal_says_why(workloads, outcomes):
    results_page = import_module("results_page")
    goals = [workloads.Goal("faster", times, ("duckdb SQL",), why="it sorts twice") for times in (2, 3)]
    work = workloads.Workload("sweep", "sweep", None, lambda _: [], tuple(goals))
    results = [result for _, result in results_page.Measured(work, outcomes, []).goals]
    assert results == ["met: 2.00", "NOT MET: 2.00 (it sorts twice)"]


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


@pytest.fixture
def corners():
    return import_module("corners")


@pytest.fixture
def growth():
    return import_module("growth")


def measured_corner(corners, *, seconds=1.0, peak=50e6, why="", **more):
    corner = corners.Corner("join", "two files joined", ("compare",), 0.7, 40, why=why)
    return corners.MeasuredCorner(corner, 2.0, seconds, 1.5, peak, **more)


def test_a_corner_s_goal_is_scaled_and_its_memory_is_not(corners):
    assert measured_corner(corners, peak=39e6).faults == []
    assert measured_corner(corners, seconds=1.5).faults == ["1.50 s is more than 1.40 s", "50 MB is more than 40 MB"]


def test_a_missed_corner_says_why(corners):
    assert measured_corner(corners, peak=39e6, why="slow disk").row[-1] == "met"
    assert measured_corner(corners, why="slow disk").row[-1] == "NOT MET: 50 MB is more than 40 MB (slow disk)"


def test_a_corner_that_fails_is_named_with_its_error(corners, tmp_path):
    failing = corners.Corner("x", "x", ("sweep", "no-such-file.csv"), 1.0)
    (found,) = corners.measure_corners([failing], 10, tmp_path, scale=1, repeat=1, log=silent)
    assert found.faults[0].startswith("failed: ")
    assert "no-such-file.csv" in found.faults[0]


def test_commands_print_a_table_and_not_every_row(tmp_path):
    stored = import_module("stored")
    command = stored.placed(("sweep", "@usual.csv"), 10, tmp_path, silent)
    assert command[-4:-2] == ("--format", "table")
    assert command[-5] == str(tmp_path / "scores-usual-10.csv")
    assert (tmp_path / "scores-usual-10.csv").exists()


def grown(growth, seconds, megabytes=(), start=0.1, **more):
    points = [
        growth.Point(10 ** (4 + at), value, 1e6 * (megabytes[at] if megabytes else 50))
        for at, value in enumerate(seconds)
    ]
    work = growth.Work("x", "some work", ("sweep",), **more)
    return growth.Grown(work, growth.FULL.cases, growth.Point(200, start, 40e6), tuple(points))


def test_a_power_has_its_exponent(growth):
    found = growth.exponents([(size, 3e-6 * size**1.5) for size in (10_000, 100_000, 1_000_000)], 0.1)
    assert (found.fitted, found.last) == (pytest.approx(1.5), pytest.approx(1.5))


def test_what_is_little_above_the_start_has_no_exponent(growth):
    assert growth.exponents([(10, 0.01), (100, 0.01), (1000, 5.0)], 0.02) is None


def test_n_log_n_is_not_called_worse_and_a_square_is(growth):
    sizes = growth.FULL.cases
    assert grown(growth, [0.1 + 2e-7 * n * math.log(n) for n in sizes]).faults == []
    assert grown(growth, [0.1 + 1e-9 * n**2 for n in sizes[:2]]).faults == ["time grows faster than n log n"]


def test_growth_that_begins_late_is_seen_in_the_last_step(growth):
    assert grown(growth, [0.1, 0.2, 1.1, 30]).faults == ["time grows faster than n log n"]


def test_memory_is_compared_with_n(growth):
    assert grown(growth, [0.1, 0.1, 0.1], [40, 50, 140]).faults == []
    worse = grown(growth, [0.1, 0.1, 0.1], [40, 50, 440], why="pairs of cases")
    assert worse.faults == ["memory grows faster than n"]
    assert worse.row[-1] == "memory grows faster than n (pairs of cases)"


def test_a_start_that_takes_longer_than_more_cases_is_no_growth(growth):
    slow = grown(growth, [0.2 + 1e-6 * n for n in growth.FULL.cases], start=0.4)
    assert slow.of_time.worst == pytest.approx(1, abs=0.06)


def test_sizes_that_would_take_too_long_are_left_out(growth, tmp_path, monkeypatch):
    walls = {200: 0.1, 10_000: 0.1, 100_000: 1.0, 1_000_000: 2.5}

    def placed(_command, rows, *_):
        return (rows,)

    def timed(command, _):
        return walls[command[0]], 0.0, 0

    monkeypatch.setattr(growth, "placed", placed)
    monkeypatch.setattr(growth, "timed", timed)
    found = growth.measure_growth(growth.BY_CASES[0], growth.FULL, tmp_path, log=silent)
    assert [point.size for point in found.points] == [10_000, 100_000, 1_000_000]
    assert found.row.count("–") == 4  # both tables of ten million cases, and both exponents


def test_the_growth_of_every_command_is_measured(growth):
    commands = import_module("rocconf.cli.commands").COMMANDS
    assert {work.command[0] for work in growth.BY_CASES} == set(commands) - {"check", "explain"}


def test_missed_goals_stand_at_the_top_of_the_page(corners, growth):
    results_page = import_module("results_page")
    work = grown(growth, [0.1 + 1e-9 * n**2 for n in growth.FULL.cases[:2]])
    results = results_page.Results([], [measured_corner(corners)], [work], 1)
    page = results_page.page(results, {}, date=None, kernels="")
    missed = page.partition("## Missed goals")[2].partition("##")[0].strip().splitlines()
    assert missed == ["- two files joined: 50 MB is more than 40 MB", "- some work: time grows faster than n log n"]
    none = results_page.page(results_page.Results([], [], [], 1), {}, date=None, kernels="")
    assert "## Missed goals\n\nNone.\n" in none


@pytest.mark.thorough
def test_a_quick_run_of_corners_and_growth_writes_their_tables(tmp_path):
    page = tmp_path / "RESULTS.md"
    options = ["--quick", "--repeat", "1", "--data", str(tmp_path), "--results", str(page)]
    only = [word for key in ("join", "gate", "growth-count", "models-pairs") for word in ("--only", key)]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *options, *only], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for text in (done.stdout, page.read_text()):
        assert text.count("two files joined by ids of text") == 1
        assert text.count("| count |") == 1
        assert "| met |" in text
        assert "failed" not in text


@pytest.mark.thorough
def test_the_contestants_in_counting_agree_and_are_timed(tmp_path):
    options = ["--rows", "20000", "--repeat", "1", "--data", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "counting.py"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert all(work in done.stdout for work in ("rocconf", "floor", "duckdb", "SHA-256"))
