"""The mutants of `make mutate` are changes of the code, the same for every run of a seed."""

import ast

import pytest
from mutate import PACKAGES, ROOT, mutant_of, sample, sites_of, suites_of


@pytest.mark.thorough
def test_a_sample_changes_one_place_of_each_of_its_modules():
    mutants, total = sample(20, 1, PACKAGES)
    assert (mutants, total) == sample(20, 1, PACKAGES)
    assert len(mutants) == 20 < total
    for mutant in mutants:
        original = ast.unparse(ast.parse((ROOT / mutant.path).read_text(encoding="utf-8")))
        assert mutant.source != original
        before, after = mutant.change.split(" -> ")
        assert before != after


def test_a_difference_becomes_a_sum():
    changes = {mutant_of(*site).change for site in sites_of("rocconf/compute/stats/holm.py")}
    assert "len(p_values) - rank -> len(p_values) + rank" in changes


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        (
            "rocconf/compute/stats/holm.py",
            [["tests/compute/stats/test_holm.py"], ["tests/compute/stats"], ["tests/compute"]],
        ),
        ("rocconf/gate/saved_model.py", [["tests/gate"]]),
        ("rocconf/read/delimited/quick.py", [["tests/read/delimited"], ["tests/read"]]),
    ],
)
def test_the_suites_of_a_module_come_before_those_of_its_package(path, tests):
    assert suites_of(path) == tests
