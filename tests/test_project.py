"""What the project is beside its code: workflows, hooks, citation, and what a wheel and an sdist hold."""

import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, environment, load_script
from examples import refreshed

import rocconf as package

yaml = pytest.importorskip("yaml")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PAGES = ("CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", ".github/pull_request_template.md")
COMPLETIONS = {"bash": "rocconf.bash", "zsh": "_rocconf", "fish": "rocconf.fish"}


def jobs(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def steps():
    return [step for path in WORKFLOWS for job in jobs(path).values() for step in job["steps"]]


def test_workflows_call_targets_that_make_has():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    called = [
        word
        for step in steps()
        for line in re.findall(r"make ([a-z -]+)", step.get("run", ""))
        for word in line.split()
    ]
    assert called
    assert set(called) <= set(targets)


def test_workflows_run_the_tests_that_there_are():
    (line,) = [step["run"] for step in steps() if "-m pytest" in step.get("run", "")]
    assert [word for word in line.split() if word.startswith("tests/") and not (ROOT / word).exists()] == []


def test_workflows_test_the_versions_of_python_that_are_promised():
    promised = [line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", line)]
    tests = jobs(ROOT / ".github" / "workflows" / "tests.yml")
    assert promised == ["3.11", "3.12", "3.13", "3.14"]
    assert {job: tests[job]["strategy"]["matrix"]["python"] for job in ("linux", "windows")} == {
        "linux": promised,
        "windows": promised,
    }
    assert set(tests["macos"]["strategy"]["matrix"]["python"]) <= set(promised)
    assert [tests[job]["runs-on"] for job in ("linux", "macos", "windows")] == [
        "ubuntu-latest",
        "macos-latest",
        "windows-latest",
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_no_more_than_it_needs(path):
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert found["permissions"] == {"contents": "read"}
    writers = [name for name, job in found["jobs"].items() if "permissions" in job]
    assert writers == (["publish"] if path.name == "release.yml" else [])
    assert "${{ github.event" not in path.read_text(encoding="utf-8")


def test_a_release_is_what_was_tagged_and_stores_no_password():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    release = yaml.safe_load(text)
    assert release[True] == {"push": {"tags": ["v*"]}}  # `on` is true in YAML 1.1
    assert release["jobs"]["publish"]["permissions"] == {
        "id-token": "write",
        "attestations": "write",
        "contents": "write",
    }
    assert "secrets." not in text
    used = [step["uses"].partition("@")[0] for step in release["jobs"]["publish"]["steps"] if "uses" in step]
    assert used[1:] == ["actions/attest-build-provenance", "pypa/gh-action-pypi-publish"]


def test_the_version_is_the_same_everywhere():
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert (package.__version__, CITATION["version"]) == (heading, heading)
    assert f"@v{heading}" in (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def test_the_citation_names_the_four_papers():
    assert CITATION["cff-version"] == "1.2.0"
    found = {(paper["authors"][0]["family-names"], paper["year"]) for paper in CITATION["references"]}
    assert found == {("Elazmeh", 2006), ("Bradley", 1996), ("Klement", 2009), ("Hamel", 2009)}
    assert all({"type", "title", "authors"} <= paper.keys() for paper in CITATION["references"])


def test_forms_ask_for_what_is_needed():
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.name != "config.yml":
            assert {"name", "description", "body"} <= form.keys()
            assert all(field["id"] and field["attributes"]["label"] for field in form["body"])


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_pages_of_the_project_lead_somewhere(name):
    page = ROOT / name
    for link in re.findall(r"\]\((?!https?:)([^)\s#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_no_page_has_an_address_that_might_be_nobodys():
    for name in (*PAGES, "CITATION.cff", "Dockerfile", ".pre-commit-hooks.yaml"):
        assert not re.search(r"https?://|\S@\S+\.\w", (ROOT / name).read_text(encoding="utf-8"))


def test_the_hook_of_rules_checks_the_configuration(rocconf, tmp_path):
    hook = HOOKS["rocconf-check"]
    assert re.search(hook["files"], "models/rocconf.toml")
    assert hook["pass_filenames"] is False
    command = hook["entry"].split()[1:]
    (tmp_path / "rocconf.toml").write_text('[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.8\n')
    assert rocconf(*command).status == 0
    (tmp_path / "rocconf.toml").write_text('[[gate]]\ncommand = "sweep"\nmetric = "auk"\nop = ">="\nvalue = 0.8\n')
    assert rocconf(*command).status == 2


def test_the_hook_of_reports_judges_them(rocconf, tmp_path):
    hook = HOOKS["rocconf-gate"]
    names = [
        name for name in ("rocconf.json", "reports/rocconf-new.json", "package.json") if re.search(hook["files"], name)
    ]
    assert names == ["rocconf.json", "reports/rocconf-new.json"]
    rows = "".join(f"{at % 3 == 0:d},{at % 3 == 0:d}.{at}\n" for at in range(90))
    (tmp_path / "scores.csv").write_text(f"label,score\n{rows}")
    for rule, status in (("auc >= 0.5", 0), ("auc < 0.5", 1)):
        rocconf("sweep", "scores.csv", "--isolated", "--exit-zero", "--require", rule, "-o", "rocconf.json")
        assert rocconf(*hook["entry"].split()[1:], "rocconf.json").status == status


BUILD = load_script(ROOT / "hatch_build.py")


@pytest.mark.parametrize(
    ("remote", "found"),
    [
        ("https://example.org/team/rocconf.git", "https://example.org/team/rocconf"),
        ("https://user:token@example.org/team/rocconf", "https://example.org/team/rocconf"),
        ("git@example.org:team/rocconf.git", "https://example.org/team/rocconf"),
        ("ssh://git@example.org/team/rocconf.git", "https://example.org/team/rocconf"),
        ("/srv/git/rocconf.git", ""),
        ("file:///srv/git/rocconf", ""),
        ("http://localhost:8080/x/y", ""),
        ("", ""),
    ],
)
def test_the_addresses_are_those_of_the_repository_that_is_built(remote, found, tmp_path):
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    if remote:
        subprocess.run([*git, "remote", "add", "origin", remote], check=True)
    assert BUILD.address({}, str(tmp_path)) == found
    assert bool(BUILD.urls_of(found)) == bool(found)


def test_a_workflow_knows_the_address_of_its_repository(tmp_path):
    variables = {"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "team/rocconf"}
    assert BUILD.address(variables, str(tmp_path)) == "https://example.org/team/rocconf"
    assert BUILD.urls_of("https://example.org/team/rocconf")["Changelog"].endswith("/rocconf/blob/main/CHANGELOG.md")


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_the_completions_are_those_of_the_command(rocconf, shell):
    stored = (ROOT / "docs" / "completions" / COMPLETIONS[shell]).read_text(encoding="utf-8")
    assert stored.strip() == rocconf("--show-completion", shell).out.strip(), "`make docs` updates it"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def clean(built, tmp_path_factory):
    """An environment with the wheel, and the packages it needs from the environment of the tests."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, str(wheel)], check=True)
    (place,) = folder.glob("lib/python*/site-packages")
    ours = Path(yaml.__file__).parents[
        1
    ]  # whose own .pth files, such as that of an editable rocconf, do not count here
    (place / "packages.pth").write_text(f"{ours}\n", encoding="utf-8")
    return folder


@pytest.mark.thorough
def test_the_wheel_holds_the_package_the_manual_and_the_completions(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    code = [path.relative_to(ROOT).as_posix() for path in (ROOT / "rocconf").rglob("*.py")]
    assert set(code) <= set(names)
    assert "rocconf/py.typed" in names
    shared = [name.partition(".data/data/")[2] for name in names if ".data/data/" in name]
    assert sorted(shared) == [
        "share/bash-completion/completions/rocconf",
        "share/fish/vendor_completions.d/rocconf.fish",
        "share/man/man1/rocconf.1",
        "share/zsh/site-functions/_rocconf",
    ]
    assert not any(name.startswith("tests") for name in names)


@pytest.mark.thorough
def test_the_sdist_makes_the_same_wheel(built, tmp_path):
    (sdist,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True)
    (again,) = (tmp_path / "dist").glob("*.whl")
    first, second = zipfile.ZipFile(wheel), zipfile.ZipFile(again)
    assert {each.filename: each.CRC for each in first.infolist()} == {
        each.filename: each.CRC for each in second.infolist()
    }
    assert (source / "tests").is_dir()


@pytest.mark.thorough
def test_a_clean_environment_runs_every_command_of_the_readme(clean):
    where = [str(clean / "bin" / "python"), "-c", "import rocconf; print(rocconf.__file__)"]
    done = subprocess.run(where, env=environment(PYTHONPATH=""), cwd=clean, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(clean))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert refreshed(text, installed=clean / "bin") == text
