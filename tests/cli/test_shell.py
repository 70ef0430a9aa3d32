"""What every command promises around its answer: streams, files, exit status, and kindness."""

import gzip
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import SAMPLE_DATA, environment

import rocconf as package
from rocconf import report
from rocconf.compute.roc.operating import FORMS

SCORES = "label,score\n1,0.9\n0,0.8\n1,0.7\n0,0.1\n"


@pytest.fixture
def scores(tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return "scores.csv"


def test_standard_output_is_the_answer_only(rocconf, scores):
    ran = rocconf("sweep", scores, "--at", "youden")
    assert [line.split("\t")[0] for line in ran.out.splitlines()] == ["model", *["score"] * 5]
    assert "in-sample" not in ran.out
    assert "warning: youden: chosen on these cases" in ran.err
    assert "[in-sample]\n" in ran.err
    assert "warning" not in rocconf("sweep", scores).err  # nobody asked for the default
    assert "auc=0.75 " in ran.err


def test_a_summary_is_one_line_a_model_and_quotes_what_has_blanks(rocconf, tmp_path):
    (tmp_path / "two.csv").write_text(
        'label,my model,"""b"\n1,0.9,0.8\n0,0.8,0.9\n1,0.7,0.1\n0,0.1,0.2\n', encoding="utf-8"
    )
    lines = [line for line in rocconf("tango", "two.csv").err.splitlines() if not line.startswith("rocconf: ")]
    pairs = [dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)', line)) for line in lines]
    assert [json.loads(pair["model"]) for pair in pairs] == ["my model", '"b']
    assert [pair["test"] for pair in pairs] == ["tango", "tango"]


def test_quiet_leaves_standard_error_empty(rocconf, scores):
    ran = rocconf("sweep", scores, "-q")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("tsv", "model\tthreshold"),
        ("csv", "model,threshold"),
        ("json", "{\n"),
        ("ndjson", '{"model"'),
        ("md", "# rocconf"),
    ],
)
def test_the_form_of_the_answer_can_be_chosen(rocconf, scores, form, beginning):
    assert rocconf("sweep", scores, "--format", form).out.startswith(beginning)


def test_the_answer_can_go_to_files_of_every_form(rocconf, scores, tmp_path):
    names = ["a.json", "a.ndjson", "a.csv", "a.tsv", "a.md", "a.parquet", "b.json.gz", "b.csv.gz"]
    ran = rocconf("sweep", scores, "-q", *(part for name in names for part in ("-o", name)))
    assert ran.status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([scores, *names])
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["summary"]["auc"] == 0.75
    assert gzip.decompress((tmp_path / "b.csv.gz").read_bytes()) == (tmp_path / "a.csv").read_bytes()
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").replace(",", "\t") == ran.out


def test_a_table_can_be_picked_by_name(rocconf, scores, tmp_path):
    rocconf("sweep", scores, "-o", "operating_points:points.csv", "-o", "summary:sum.json", "-o", "./odd:name.csv")
    assert (tmp_path / "points.csv").read_text(encoding="utf-8").startswith("model,rule,threshold,in_sample,tied,")
    assert json.loads((tmp_path / "sum.json").read_text(encoding="utf-8"))[0]["n"] == 4
    assert (tmp_path / "./odd:name.csv").exists()


def test_a_colon_in_a_path_that_cannot_be_a_name_is_a_path(rocconf, scores, tmp_path):
    (tmp_path / "run:1").mkdir()
    names = ["c:x.csv", "run:1/x.csv", "a.b:x.csv"]
    ran = rocconf("sweep", scores, "-q", *(part for name in names for part in ("-o", name)), "--plot", "c:x.png")
    assert ran.status == 0
    assert all((tmp_path / name).exists() for name in [*names, "c:x.png"])


def test_the_same_input_gives_the_same_bytes(rocconf, scores, tmp_path):
    files = ["a.json", "a.csv.gz", "a.parquet", "a.png"]
    arguments = ["-o", "a.json", "-o", "a.csv.gz", "-o", "a.parquet", "--plot", "a.png"]
    rocconf("sweep", scores, *arguments)
    first = [(tmp_path / name).read_bytes() for name in files]
    time.sleep(1.1)
    rocconf("sweep", scores, *arguments)
    assert [(tmp_path / name).read_bytes() for name in files] == first


def test_a_failed_run_leaves_the_older_file(rocconf, scores, tmp_path):
    (tmp_path / "kept.csv").write_text("old", encoding="utf-8")
    ran = rocconf("sweep", scores, "-o", "kept.csv", "-o", "nowhere/out.csv")
    assert ran.status == 2
    assert "nowhere/out.csv" in ran.err
    ran = rocconf("sweep", "missing.csv", "-o", "kept.csv")
    assert ran.status == 2
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_input_is_never_overwritten(rocconf, scores, tmp_path):
    ran = rocconf("sweep", scores, "-o", scores)
    assert (ran.status, ran.out) == (2, "")
    assert "would overwrite" in ran.err
    assert (tmp_path / scores).read_text(encoding="utf-8") == SCORES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "xml"], "--format takes table, tsv, csv, json, ndjson, md, not 'xml'"),
        (["-o", "a.xlsx"], "unknown format of 'a.xlsx'"),
        (
            ["-o", "operating_point:d.csv"],
            "no table is called 'operating_point'; did you mean 'operating_points'? (known: rows, models,",
        ),
        (["-o", "contours:d.csv"], "for a file of that name: ./contours:d.csv"),
        (
            ["--plot", "foo:x.png"],
            "no figure is called 'foo' (known: roc, pr, det, gain, thresholds, scores, cost, net-benefit, calibration, slices;",
        ),
        (["--plot", "ro:x.png"], "did you mean 'roc'?"),
        (["-o", "hull:a.md"], ".md holds the whole answer"),
        (["--plot", "a.bmp"], "a.bmp"),
        (["--hull", "--plot", "pr:a.png"], "--hull is for a figure"),
        (["--at", "best"], "no rule 'best'"),
        (["--level", "95"], "a level must be between 0 and 1, not 95"),
        (["--thresholds", "some"], "--thresholds 'some'"),
        (["--where", "site"], "--where takes COLUMN=VALUE (or !=, and <, <=, >, >= for numbers), not 'site'"),
        (["--na", "skip"], "--na takes error or drop, not 'skip'"),
        (["--delimiter", "ab"], "--delimiter takes one character"),
        (["--nonsense"], "No such option"),
        (["--score", "a", "--score", "a"], "named twice"),
        (["--prevalence", "2"], "between 0 and 1"),
        (["--max-fpr", "0"], "--max-fpr must be in (0, 1]"),
        (["-o", "a.csv", "-o", "a.csv"], "written twice"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_meaningless_option_is_told_and_ends_with_2(rocconf, scores, tmp_path, arguments, message):
    ran = rocconf("sweep", scores, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: ")
    assert message in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [scores]


def test_no_file_or_command_is_a_usage_error(rocconf):
    assert rocconf("sweep").status == 2
    assert rocconf("sweeep").status == 2


def test_no_command_shows_the_help_and_is_no_answer(rocconf):
    ran = rocconf()
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip() == rocconf("--help").out.strip()


@pytest.mark.parametrize("arguments", ["sweep scores.csv", "sweep scores.csv -o a.csv", "--help"])
def test_a_closed_standard_output_is_told(tmp_path, scores, arguments):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rocconf {arguments} >&-"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "rocconf: standard output is closed\n")
    assert [path.name for path in tmp_path.iterdir()] == [scores]


def test_a_closed_standard_error_changes_nothing(tmp_path, scores):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rocconf sweep {scores} 2>&-"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 6


def test_a_crash_in_a_computation_is_no_verdict(rocconf, scores):
    code = (
        "import sys, rocconf.compute.sweep\n"
        "def crash(*a, **k): raise ZeroDivisionError('planted')\n"
        "sys.modules['rocconf.compute.sweep'].auc = crash\n"
        "from rocconf.__main__ import main; main()"
    )
    ran = rocconf("sweep", scores, code=code)
    assert (ran.status, ran.out) == (2, "")
    assert "internal error: ZeroDivisionError: planted" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in rocconf("sweep", scores, "--debug", code=code).err


@pytest.mark.parametrize("module", ["typer", "numpy", "rocconf.cli.sweep", "rocconf.errors", "rocconf.report.screen"])
def test_a_failing_import_is_no_verdict(rocconf, scores, module):
    code = f"import sys\nsys.modules[{module!r}] = None\nfrom rocconf.__main__ import main; main()"
    ran = rocconf("sweep", scores, "--format", "table", code=code)
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


@pytest.mark.thorough
def test_a_reader_who_leaves_early_changes_nothing(tmp_path):
    lines = "".join(f"{i % 2},{i / 50000}\n" for i in range(50000))
    (tmp_path / "many.csv").write_text("label,score\n" + lines, encoding="utf-8")
    command = f"{sys.executable} -m rocconf sweep many.csv -o kept.csv; echo $? >&2"
    for form in ("csv", "json", "table"):
        done = subprocess.run(
            ["bash", "-c", f"({command.replace('-o', f'-q --format {form} -o')}) | head -1"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == "0\n"
        assert len((tmp_path / "kept.csv").read_text(encoding="utf-8").splitlines()) == 50002


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(tmp_path, scores):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rocconf sweep {scores} > /dev/full"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_ends_with_130(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "rocconf", "sweep", "-", "-q"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(0.7)  # it waits for standard input by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


def test_help_and_version_answer(rocconf):
    assert rocconf("--version").out == "rocconf 0.2.0\n"
    assert "sweep" in rocconf("--help").out
    assert "independent" in rocconf("sweep", "--help").out


@pytest.mark.parametrize("result", ["Sweep", "ConfidentSegment", "Chi2Contours", "Sensibility"])
def test_help_names_every_table_and_form(rocconf, result):
    kind = getattr(package, result)
    said = " ".join(rocconf(kind.command, "--help").out.split())
    tables = said.partition("Tables: ")[2].partition(" Arguments:")[0]
    assert set(re.findall("[a-z_0-9]+", tables)) >= {*kind.table_names, "summary", "gates"}
    assert all(suffix in said for suffix in report.SUFFIXES)


@pytest.mark.parametrize("command", ["sweep", "chi2-contours", "compare"])
def test_help_names_every_rule_for_an_operating_point(rocconf, command):
    assert FORMS in " ".join(rocconf(command, "--help").out.split())


def test_a_small_csv_loads_no_engine_and_no_gate_that_nobody_asked_for(rocconf, scores):
    code = (
        "import sys\n"
        "try:\n    from rocconf.__main__ import main; main()\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'pandas', 'scipy', 'matplotlib', 'polars', 'numpy.ma', 'rocconf.gate', 'tomllib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    assert rocconf("sweep", scores, "-q", "--format", "table", code=code).err == "[]\n"


def test_standard_input_is_read_only_if_typed(rocconf):
    ran = rocconf("sweep", "-", "--format", "json", stdin=SCORES)
    assert json.loads(ran.out)["inputs"][0]["name"] == "-"
    assert len(json.loads(ran.out)["inputs"][0]["sha256"]) == 64


def test_what_was_dropped_stands_in_every_form(rocconf, tmp_path):
    (tmp_path / "holes.csv").write_text(SCORES + "1,\n,0.4\n0,nan\n", encoding="utf-8")
    ran = rocconf("sweep", "holes.csv", "--na", "drop", "--format", "json")
    answer = json.loads(ran.out)
    assert answer["inputs"][0]["dropped"] == 3
    assert "3 rows without a value were left out, 4 are left" in ran.err
    assert "dropped" in {caveat["code"] for caveat in answer["caveats"]}
    assert "3 rows without a value" in rocconf("sweep", "holes.csv", "--na", "drop", "--format", "md").out


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_table_fits_its_terminal(rocconf, width):
    ran = rocconf(
        "sweep", SAMPLE_DATA / "dis.csv", "--score", "F", "--format", "table", "-q", env={"COLUMNS": str(width)}
    )
    assert max(len(line) for line in ran.out.splitlines()) <= width
    assert "of 119 thresholds: " in " ".join(ran.out.split())
    assert "-o rows.csv" in " ".join(ran.out.split())


def test_a_table_shows_its_operating_points(rocconf):
    ran = rocconf("sweep", SAMPLE_DATA / "dis.csv", "--score", "F", "--format", "table", "-q")
    assert [line[0] for line in ran.out.splitlines() if " 0.000947449 " in line] == ["*"]


@pytest.mark.parametrize("option", ["-o", "--plot"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_read(rocconf, tmp_path, option):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "folder.csv").mkdir()
    suffix = {"-o": "csv", "--plot": "svg"}[option]
    for place, said in ((f"missing/a.{suffix}", "there is no directory"), (f"folder.{suffix}", "it is a directory")):
        ran = rocconf("sweep", "none.csv", option, place)
        assert (ran.status, ran.out) == (2, "")
        assert f"{place}: cannot be written: {said}" in ran.err
        assert "none.csv" not in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("sweep", "--level", "95"), "a level must be between 0 and 1, not 95"),
        (("sensibility", "--level", "0"), "a level must be between 0 and 1, not 0"),
        (("tango", "--thresholds", "nope"), "--thresholds 'nope' is not distinct"),
        (("chi2-contours", "--thresholds", "grid:2"), "a grid's step must be in (0, 1], not 2"),
        (("compare", "--thresholds", "quantiles:0"), "quantiles:K needs a whole number K"),
        (("compare", "--band", "nope"), "no band 'nope'"),
        (("compare", "--margin", "7"), "margin"),
    ],
)
def test_an_option_that_no_data_can_serve_is_refused_before_anything_is_read(rocconf, options, said):
    command, *rest = options
    ran = rocconf(command, "none.csv", *rest)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "none.csv" not in ran.err


@pytest.mark.parametrize(
    ("env", "has_escapes"),
    [
        ({"FORCE_COLOR": "1", "TERM": "xterm"}, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        ({"FORCE_COLOR": "1", "TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm"}, False),
    ],
    ids=str,
)
def test_escapes_are_only_where_they_are_wanted(rocconf, scores, env, has_escapes):
    ran = rocconf("sweep", scores, "--format", "table", env=env)
    assert ("\x1b" in ran.out + ran.err) == has_escapes


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["sweep", "tango", "chi2-contours", "compare"])
def test_infinite_scores_are_written_in_every_form(rocconf, tmp_path, command):
    (tmp_path / "endless.csv").write_text("label,a,b\n1,inf,0.8\n0,inf,0.3\n1,inf,0.2\n0,-inf,-inf\n", encoding="utf-8")
    code = (
        "import sys\n"
        "from rocconf.cli import app\n"
        "scores = ['--score', 'a', *(['--score', 'b'] if sys.argv[1] == 'compare' else [])]\n"
        "for form in ('tsv', 'csv', 'ndjson'):\n"
        "    line = [sys.argv[1], 'endless.csv', *scores, '--format', form, '-o', f'a.{form}', '-o', 'a.parquet']\n"
        "    app(line, standalone_mode=False)\n"
    )
    ran = rocconf(command, code=code, env={"PYTHONOPTIMIZE": "2"})
    assert ran.status == 0, ran.err
    assert ran.err.count("model=a ") == 3
    if command != "compare":
        ends = {json.loads(line)["threshold"] for line in (tmp_path / "a.ndjson").read_text().splitlines()}
        assert ends == {None, "inf", "-inf"}


@pytest.mark.thorough
@pytest.mark.usefixtures("scores")
def test_every_command_works_without_docstrings_and_asserts(process, tmp_path):
    (tmp_path / "rules.toml").write_text(
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.99\n', encoding="utf-8"
    )
    code = (
        "import sys\n"
        "from rocconf.cli import app\n"
        "lines = ['sweep scores.csv -o report.json --plot roc.svg', 'sensibility scores.csv --plot a.svg',\n"
        "    'gate report.json --config rules.toml', 'check --config rules.toml', 'sweep scores.csv --config rules.toml']\n"
        "print(*[app(line.split(), standalone_mode=False) or 0 for line in lines], file=sys.stderr)"
    )
    ran = process(code=code, env={"PYTHONOPTIMIZE": "2"})
    assert ran.status == 0, ran.err
    assert ran.err.splitlines()[-1] == "0 0 3 0 3"
