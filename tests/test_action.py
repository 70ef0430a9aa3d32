"""The action for GitHub, parsed, and its steps run as the runner would, with inputs that nobody should be able to abuse."""

import json
import re
import stat
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, environment

yaml = pytest.importorskip("yaml")

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
RUNNER = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
PYTHON = f"""#!/bin/bash
case "$*" in
  "-I -m venv "*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
  "-I -m pip install "*) for last; do :; done; printf '%s' "$last" > installed ;;
  "-I -m rocconf "*) shift; [ -z "$DIES" ] || exec sh -c "$DIES"; exec {sys.executable} "$@" ;;
  *) exec {sys.executable} "$@" ;;
esac
"""
"""A python that makes an environment of this very rocconf, and writes down what it was to install."""


def test_it_says_what_the_host_demands():
    assert (
        {"name", "description", "runs"} <= set(ACTION) <= {"name", "description", "author", "inputs", "outputs", "runs"}
    )
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert set(step) <= {"name", "id", "shell", "env", "run"}
        assert step["shell"] == "bash"
    for each in ACTION["inputs"].values():
        assert set(each) <= {"description", "required", "default"}
        assert each.get("required", False) != ("default" in each)
    for each in ACTION["outputs"].values():
        assert set(each) == {"description", "value"}


def test_every_input_is_used_and_every_used_one_is_declared():
    used = {found for step in STEPS for value in step["env"].values() for found in EXPRESSION.findall(value)}
    assert used == {f"inputs.{name}" for name in ACTION["inputs"]}
    for step in STEPS:
        for name in step["env"]:
            assert f"${name}" in step["run"] or f"${{{name}" in step["run"], name


def test_no_input_is_part_of_a_script():
    assert not any("${{" in step["run"] for step in STEPS)


def test_every_output_is_one_of_a_step():
    values = {name: EXPRESSION.fullmatch(each["value"])[1] for name, each in ACTION["outputs"].items()}
    assert values == {name: f"steps.judge.outputs.{name}" for name in ("verdict", "exit-code", "report")}
    assert [step.get("id") for step in STEPS] == [None, "judge"]


def write_cases(path, distance):
    random, labels = np.random.default_rng(3), np.arange(200) % 2
    scores = random.normal(size=200) + distance * labels
    lines = [f"c{at},{label},{score}" for at, (label, score) in enumerate(zip(labels, scores, strict=True))]
    path.write_text("\n".join(["id,label,score", *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def act(tmp_path):
    """Run the steps in an empty working directory, and return the last one's status, the outputs and what was said."""
    work, temp = tmp_path / "work", tmp_path / "temp"
    work.mkdir()
    temp.mkdir()
    python = tmp_path / "python"
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    write_cases(work / "new.csv", 1.8)
    write_cases(work / "old.csv", 1.2)

    def run(**given):
        inputs = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
        inputs |= {"python": str(python), "files": "new.csv", "baseline": "old.csv"} | given
        files = {"GITHUB_OUTPUT": str(temp / "output"), "GITHUB_STEP_SUMMARY": str(temp / "summary")}
        (temp / "output").write_text("", encoding="utf-8")
        for step in STEPS:
            mapped = {
                name: EXPRESSION.sub(lambda found: inputs[found[1].removeprefix("inputs.")], value)
                for name, value in step["env"].items()
            }
            (temp / "script.sh").write_text(step["run"], encoding="utf-8")
            given_by_runner = {**files, **mapped, "RUNNER_TEMP": str(temp), "GITHUB_ACTION_PATH": str(ROOT)}
            done = subprocess.run(
                [*RUNNER, str(temp / "script.sh")],
                cwd=work,
                env=environment(**given_by_runner),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                break
        summary = temp / "summary"
        done.outputs = outputs_of((temp / "output").read_text(encoding="utf-8"))
        done.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""
        return done

    run.work = work
    return run


def outputs_of(text):
    """Read outputs as the runner does: name=value, or lines until a mark."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, _, mark = line.partition("<<")
        if "=" in name:
            name, _, found[name] = line.partition("=")
            found[name] = line.partition("=")[2]
        else:
            found[name] = "\n".join(iter(lambda: next(lines), mark))  # read at once
    return found


def test_it_installs_its_own_checkout(act):
    act()
    assert (act.work / "installed").read_text(encoding="utf-8") == str(ROOT)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "status", "verdict"),
    [
        ("", 0, "none"),
        ("delta_auc >= -0.01\nauc >= 0.7\n", 0, "pass"),
        ("auc >= 0.7\n\n  \ndelta_auc >= 0.5", 1, "fail"),
        ("auc >= 0.7\r\nauc >= 0.9\r\n", 3, "inconclusive"),
    ],
)
def test_the_verdict_is_the_status_and_an_output(act, rules, status, verdict):
    done = act(require=rules)
    assert done.returncode == status, done.stderr
    assert done.outputs == {"verdict": verdict, "exit-code": str(status), "report": "rocconf.json"}
    report = json.loads((act.work / "rocconf.json").read_text(encoding="utf-8"))
    assert len(report["gates"]) == sum(bool(line.strip()) for line in rules.splitlines())
    assert done.summary.startswith("# rocconf compare")
    assert (act.work / "rocconf.junit.xml").exists()
    assert ("::error title=" in done.stderr) == (status in (1, 3))
    assert done.stdout == ""


@pytest.mark.thorough
def test_what_cannot_run_reports_nothing_older(act):
    (act.work / "rocconf.json").write_text('{"verdict": "pass"}', encoding="utf-8")
    for wrong in ({"require": "auk >= 1"}, {"files": "missing.csv"}, {"baseline": "missing.csv"}, {"files": ""}):
        done = act(**wrong)
        assert done.returncode == 2, done.stderr
        assert done.outputs == {"verdict": "none", "exit-code": "2", "report": ""}


@pytest.mark.parametrize(("dies", "status"), [("exit 0", 2), ("exit 1", 2), ("exit 3", 2), ("kill -9 $$", 137)])
def test_a_status_without_a_report_of_this_run_is_no_verdict(act, monkeypatch, dies, status):
    for code, verdict in ((0, "pass"), (1, "fail"), (3, "inconclusive")):
        older = json.dumps({"verdict": verdict, "exit_code": code})
        (act.work / "rocconf.json").write_text(older, encoding="utf-8")
        monkeypatch.setenv("DIES", dies)
        done = act(require="auc >= 0.7")
        assert done.returncode == status, done.stderr
        assert done.outputs == {"verdict": "none", "exit-code": str(status), "report": ""}
        assert ("::error title=rocconf could not run::" in done.stderr) == (status == 2)


def test_nothing_of_the_job_takes_its_place():
    script = "".join(step["run"] for step in STEPS)
    assert re.findall(r'[Pp](?:ython|YTHON)" (?!-I )', script) == []


@pytest.mark.thorough
def test_options_scores_and_names_are_passed_on(act):
    text = (act.work / "new.csv").read_text(encoding="utf-8").replace("id,label,score", "case,sick,p one")
    (act.work / "new.csv").write_text(text, encoding="utf-8")
    text = (act.work / "old.csv").read_text(encoding="utf-8").replace("id,label,score", "case,sick,p one")
    (act.work / "old.csv").write_text(text, encoding="utf-8")
    columns = {"label": "sick", "id": "case", "score": "p one\n"}
    done = act(**columns, require="auc >= 0.9", options="--inconclusive=pass\n--level=0.9\n", report="the report.json")
    assert done.returncode == 0, done.stderr
    assert done.outputs == {"verdict": "inconclusive", "exit-code": "0", "report": "the report.json"}
    assert json.loads((act.work / "the report.json").read_text(encoding="utf-8"))["gates"][0]["level"] == 0.9


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ['a b"c$(touch owned)', "it's `touch owned`", "-q", "--help", "*", "a;touch owned;#", "$HOME"]
)
def test_a_file_may_be_called_anything(act, name):
    (act.work / "new.csv").rename(act.work / f"{name}.csv")
    (act.work / "old.csv").rename(act.work / f"old {name}.csv")
    done = act(
        files=f"{name}.csv\n", baseline=f"old {name}.csv", require="delta_auc >= -0.01", report=f"./r {name}.json"
    )
    assert done.returncode == 0, done.stderr
    assert done.outputs["report"] == f"./r {name}.json"
    assert not (act.work / "owned").exists()


HOSTILE = [
    "$(touch owned)",
    "`touch owned`",
    "'; touch owned; '",
    '"; touch owned; "',
    "a\n$(touch owned)\nb",
    "&& touch owned",
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(set(ACTION["inputs"]) - {"python", "report"}))
@pytest.mark.parametrize("value", HOSTILE)
def test_no_input_is_ever_run(act, name, value):
    done = act(**{name: value})
    assert done.returncode == 2, done.stderr
    assert done.outputs["exit-code"] == "2"
    assert not (act.work / "owned").exists()


def test_a_report_cannot_forge_outputs(act):
    name = "x\nEOF\nverdict=pass\nreport<<EOF\ny"
    (act.work / name).mkdir()
    done = act(require="auc >= 0.99", report=f"{name}/r.json")
    assert done.returncode == 1
    assert done.outputs == {"verdict": "fail", "exit-code": "1", "report": f"{name}/r.json"}
    assert (act.work / name / "r.md").exists()
