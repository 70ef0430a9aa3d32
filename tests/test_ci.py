"""docs/ci.md is enough to gate a release: its blocks are taken as they stand, and run without their hosts."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from conftest import ROOT, environment
from examples import make_folder

yaml = pytest.importorskip("yaml")

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BETTER, WORSE, OPEN = "-0.01", "0.2", "0.0346"
"""Limits of delta_auc that the page's candidate keeps, breaks, and leaves open."""
MOST = [pytest.param(BETTER, marks=pytest.mark.thorough), WORSE, pytest.param(OPEN, marks=pytest.mark.thorough)]
STATUS = {BETTER: 0, WORSE: 1, OPEN: 3}


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """What a newcomer has who followed the page up to the rules: the command, two files of scores, and the rules."""
    make_folder(tmp_path)
    pip = tmp_path / "bin" / "pip"
    pip.write_text("#!/bin/sh\nshift $(($# - 1)); printf '%s' \"$1\" > installed\n", encoding="utf-8")
    pip.chmod(0o755)
    (models,) = blocks("python")
    subprocess.run([sys.executable, "-c", models], cwd=tmp_path, check=True)
    (rules,) = blocks("toml")
    (tmp_path / "rocconf.toml").write_text(rules, encoding="utf-8")
    return tmp_path


def ask(folder, limit):
    (rules,) = blocks("toml")
    assert rules.count(BETTER) == 1
    (folder / "rocconf.toml").write_text(rules.replace(BETTER, limit), encoding="utf-8")


def run(command, folder, **more):
    surroundings = environment(**{"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "ROCCONF": "a clone of it"} | more)
    return subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)


def bash(script, folder, **more):
    return run(["bash", "-eo", "pipefail", "-c", script], folder, **more)


@pytest.mark.parametrize("limit", list(STATUS))
def test_one_line_judges_a_release(folder, limit):
    ask(folder, limit)
    done = bash(blocks("sh")[1], folder)
    assert done.returncode == STATUS[limit], done.stderr
    assert "rocconf: configuration: " in done.stderr
    assert json.loads((folder / "gate.json").read_text(encoding="utf-8"))["exit_code"] == STATUS[limit]
    assert (folder / "gate.md").exists()
    (suite,) = ET.parse(folder / "gate.junit.xml").getroot()  # noqa: S314  # we wrote it ourselves
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (
        *("3", str(int(limit == WORSE))),
        str(int(limit == OPEN)),
    )


@pytest.mark.parametrize("limit", MOST)
def test_a_status_is_asked_for_its_report(folder, limit):
    ask(folder, limit)
    assert bash(blocks("sh")[2], folder).returncode == STATUS[limit]


@pytest.mark.thorough
@pytest.mark.parametrize(("ends", "status"), [(1, 2), (2, 2), (137, 137)])
def test_a_status_without_a_report_of_the_run_is_no_verdict(folder, ends, status):
    ask(folder, WORSE)
    assert bash(blocks("sh")[2], folder).returncode == 1
    (folder / "bin" / "rocconf").write_text(f"#!/bin/sh\nexit {ends}\n", encoding="utf-8")
    assert bash(blocks("sh")[2], folder).returncode == status


@pytest.mark.thorough
@pytest.mark.parametrize(("anchor", "status"), [("production.csv", 0), ("candidate.csv", 3), ("better.csv", 1)])
def test_the_anchor_stops_what_the_last_release_lets_pass(folder, anchor, status):
    lines = (folder / "candidate.csv").read_text(encoding="utf-8").splitlines()
    perfect = [f"{case},{label},{label}{score[1:]}" for case, label, score in (line.split(",") for line in lines[1:])]
    (folder / "better.csv").write_text("\n".join([lines[0], *perfect]) + "\n", encoding="utf-8")
    (folder / "anchor.csv").write_bytes((folder / anchor).read_bytes())
    done = bash(blocks("sh")[3], folder)
    assert done.returncode == status, done.stderr
    assert json.loads((folder / "anchor-gate.json").read_text(encoding="utf-8"))["exit_code"] == status


def test_installing_names_no_place_of_its_own():
    assert blocks("sh")[0].splitlines()[1].endswith('pip install "$ROCCONF"')
    assert not re.search(r"https?://", PAGE)


@pytest.mark.thorough
def test_the_recipe_for_make_stops_a_release_and_leaves_the_report(folder):
    (folder / "Makefile").write_text(blocks("make")[0], encoding="utf-8")
    for limit in (WORSE, WORSE, OPEN):  # a failure is one also when it is asked again
        ask(folder, limit)
        done = run(["make", "gate.ok"], folder)
        assert done.returncode == 2  # make's own, whatever a recipe ends with
        assert f"Error {STATUS[limit]}" in done.stderr
        assert not (folder / "gate.ok").exists()
        assert json.loads((folder / "gate.json").read_text(encoding="utf-8"))["exit_code"] == STATUS[limit]
    ask(folder, BETTER)
    assert run(["make", "gate.ok"], folder).returncode == 0
    assert (folder / "gate.ok").exists()
    assert "up to date" in run(["make", "gate.ok"], folder).stdout


WORKFLOW, STEPS, GITLAB, PRE_COMMIT = (yaml.safe_load(block) for block in blocks("yaml"))


@pytest.mark.thorough
@pytest.mark.parametrize("limit", list(STATUS))
def test_the_recipe_for_gitlab_ends_as_the_gate_does(folder, limit):
    ask(folder, limit)
    (job,) = GITLAB.values()
    assert set(job) == {"image", "variables", "script", "artifacts"}
    assert all(isinstance(line, str) for line in job["script"])
    done = bash("\n".join(job["script"]), folder, **job["variables"])
    assert (done.returncode, done.stdout) == (STATUS[limit], ""), done.stderr
    assert (folder / "installed").read_text(encoding="utf-8") == job["variables"]["ROCCONF"]
    assert job["artifacts"]["when"] == "always"  # also of a job that failed
    for name in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (folder / name).exists()


@pytest.mark.parametrize("limit", MOST)
def test_the_steps_for_github_end_as_the_gate_does(folder, limit):
    ask(folder, limit)
    done = bash("\n".join(step["run"] for step in STEPS), folder, GITHUB_STEP_SUMMARY=str(folder / "summary"))
    assert done.returncode == STATUS[limit]
    assert (folder / "summary").read_text(encoding="utf-8").startswith("# rocconf compare")
    assert (folder / "gate.junit.xml").exists()


def test_the_workflow_uses_the_action_as_it_is():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (job,) = WORKFLOW["jobs"].values()
    assert {"name", "jobs"} < set(WORKFLOW)  # `on` is a truth to YAML 1.1
    (gate,) = (step for step in job["steps"] if step.get("id") == "gate")
    assert set(gate["with"]) <= set(action["inputs"])
    needed = {name for name, each in action["inputs"].items() if each.get("required")}
    assert needed <= set(gate["with"])
    used = re.findall(r"steps\.gate\.outputs\.([\w-]+)", PAGE)
    assert used
    assert set(used) <= set(action["outputs"])


def test_the_recipe_for_jenkins_judges_like_the_line_of_the_page(folder):
    (recipe,) = blocks("groovy")
    lines = re.findall(r"sh '(.*)'", recipe)
    assert lines[0] == """python3 -m venv gate && gate/bin/pip install "$ROCCONF\""""
    ask(folder, WORSE)
    assert bash(lines[1].replace("gate/bin/", ""), folder).returncode == STATUS[WORSE]
    assert all((folder / name).exists() for name in ("gate.json", "gate.md", "gate.junit.xml"))
    assert recipe.count("{") == recipe.count("}")


def test_the_recipe_for_pre_commit_names_hooks_that_there_are():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = PRE_COMMIT["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in hooks]
