"""Mistakes, those made in a hurry and those made on purpose, and how each must end: never in a silent status of 0."""

import json

import pytest
from mistake_files import write_files
from mistake_runner import mistakes_of, run_mistake, write_reports

from rocconf.messages import CATALOGUE

IN_A_HURRY, ON_PURPOSE = mistakes_of("in_a_hurry.toml"), mistakes_of("on_purpose.toml")
ALL = IN_A_HURRY + ON_PURPOSE
IN_PROCESS = [each for each in ALL if not each.shell]
IN_SHELLS = [
    pytest.param(each, marks=pytest.mark.thorough if at % 5 else [])
    for at, each in enumerate(each for each in ALL if each.shell)
]


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shared")
    write_files(folder)
    write_reports(folder)
    return folder


@pytest.mark.parametrize("mistake", [*IN_PROCESS, *IN_SHELLS], ids=lambda mistake: mistake.name)
def test_a_mistake_ends_as_it_must(mistake, shared, tmp_path):
    ran = run_mistake(mistake, shared, tmp_path)
    assert ran.status == mistake.status, ran.err
    assert mistake.says in ran.err
    if ran.report is None:
        assert mistake.shell or (ran.status, ran.out) == (2, "")
        return
    assert ran.report["exit_code"] == ran.status
    found = {caveat["code"] for caveat in ran.report["caveats"]}
    assert set(mistake.codes) <= found | {code for gate in ran.report["gates"] for code in gate["codes"]}


def test_no_mistake_is_accepted_in_silence():
    silent = [each.name for each in ALL if each.status == 0 and not each.codes]
    assert silent == ["the rules are ignored by --isolated"]  # which is what the option is for


def test_a_status_of_0_is_explained_on_standard_error(shared, tmp_path):
    for at, mistake in enumerate(each for each in ALL if each.status == 0 and each.codes):
        folder = tmp_path / str(at)
        folder.mkdir()
        ran = run_mistake(mistake, shared, folder)
        words = {caveat["code"]: caveat["message"] for caveat in ran.report["caveats"]}
        assert all(words[code] in ran.err for code in mistake.codes), (mistake.name, ran.err)


def test_the_lists_are_as_long_as_the_documents_say_and_without_doubles():
    assert len(IN_A_HURRY) >= 150
    assert len(ON_PURPOSE) >= 60
    names, runs = ([getattr(each, key) for each in ALL] for key in ("name", "run"))
    assert len(set(names)) == len(names)
    assert len({json.dumps([each.run, each.toml, each.files, each.edits, each.env]) for each in ALL}) == len(runs)


def test_the_codes_are_those_of_the_catalogue():
    assert {code for each in ALL for code in each.codes} <= CATALOGUE.keys()
