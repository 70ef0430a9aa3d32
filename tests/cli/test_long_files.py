"""Long files wherever a file of cases is taken."""

import json

import pytest

WIDE = "id,label,old,new\n" + "".join(
    f"c{at},{at % 3 == 0:d},{(at * 7 % 83) / 83 + 0.2 * (at % 3 == 0)},{(at * 11 % 40) / 50 + 0.3 * (at % 3 == 0)}\n"
    for at in range(40)
)


def long_of(wide, *, models=("old", "new")):
    header, *rows = [line.split(",") for line in wide.splitlines()]
    lines = [f"{row[0]},{row[1]},{row[header.index(name)]},{name}" for name in models for row in rows]
    return "\n".join(["id,label,score,model", *lines]) + "\n"


@pytest.fixture
def answer(rocconf, tmp_path):
    """Run commands that print a report, and return it without its inputs."""
    other = WIDE.replace("c", "d").replace("0.2", "0.3")
    for name, text in {"wide": WIDE, "long": long_of(WIDE), "other": other, "other_long": long_of(other)}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    (tmp_path / "base.csv").write_text(long_of(WIDE, models=["old"]), encoding="utf-8")
    (tmp_path / "candidate.csv").write_text(long_of(WIDE, models=["new"]), encoding="utf-8")

    def run(line):
        ran = rocconf(*line.split(), "--format", "json", "-q")
        assert ran.status == 0, ran.err
        report = json.loads(ran.out)
        del report["digest"]
        report["roles"] = [(given["role"], given["n"]) for given in report.pop("inputs")]
        return report

    return run


@pytest.mark.parametrize(
    "line",
    [
        "compare {} --baseline old",
        "compare {} --baseline old --unpaired",
        "compare {} --baseline old --at youden --choose-on {other}",
        "sweep {} --choose-on {other} --at fpr<=0.2",
        "sensibility {} --rescale --reference {other} --permutations 19",
        "chi2-contours {} --permutations 9",
    ],
)
def test_a_long_file_takes_every_role(answer, line):
    wide = answer(line.format("wide.csv", other="other.csv") + " --score old --score new")
    assert answer(line.format("long.csv", other="other_long.csv") + " --model model") == wide


def test_a_baseline_may_be_a_long_file(answer):
    expected = answer("compare wide.csv --score old --score new --baseline old")
    found = answer("compare candidate.csv --model model --baseline base.csv")
    assert [row["auc"] for row in found["rows"]] == [row["auc"] for row in reversed(expected["rows"])]
    assert found["roles"] == [("data", 40), ("baseline", 40)]


def test_a_rule_judges_every_model_of_a_long_file_and_never_rests_on_a_guess(rocconf, answer, tmp_path):
    assert answer  # writes the files
    rule = ["--require", "auc >= 0.99"]
    assert rocconf("sweep", "long.csv", "--model", "model", *rule).status == 1
    (tmp_path / "guess.csv").write_text(long_of(WIDE).replace("score", "p_x"), encoding="utf-8")
    assert rocconf("sweep", "guess.csv", "--model", "model", *rule).status == 2
    assert "baseline" in rocconf("compare", "long.csv", "--model", "model", "--require", "delta_auc >= 0").err


def test_models_that_are_compared_need_ids_and_the_error_says_so(rocconf, answer, tmp_path):
    assert answer
    text = "\n".join(line.partition(",")[2] for line in long_of(WIDE).splitlines())
    (tmp_path / "no_ids.csv").write_text(text, encoding="utf-8")
    ran = rocconf("compare", "no_ids.csv", "--model", "model")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip().endswith(
        "2 models (old, new) are compared case by case, and no column names the case: --id NAME"
    )
    assert rocconf("compare", "no_ids.csv", "--model", "model", "--unpaired").status == 0
    assert rocconf("sweep", "no_ids.csv", "--model", "model").status == 0


def test_a_missing_pair_is_an_error_that_says_what_else_to_run(rocconf, answer, tmp_path):
    assert answer
    lines = long_of(WIDE).splitlines()
    (tmp_path / "short.csv").write_text("\n".join(lines[:-7]), encoding="utf-8")
    ran = rocconf("compare", "short.csv", "--model", "model")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: short.csv: 7 faults\n  id 'c33' has no row of model 'new'\n")
    assert "and 2 more" in ran.err
    assert "compare --unpaired takes models on different cases" in ran.err
    ran = rocconf("compare", "short.csv", "--model", "model", "--unpaired", "--format", "json")
    assert ran.status == 0
    assert [row["n"] for row in json.loads(ran.out)["rows"]] == [40, 33]
