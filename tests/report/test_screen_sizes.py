"""Every answer on every sample file fits screens of three sizes, without a terminal."""

import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.answer import Answer
from rocconf.report.screen import screen_lines
from rocconf.report.shown import text_width

FILES = {path.stem: path for path in sorted(SAMPLE_DATA.glob("*.csv")) if path.stem != "wine"}  # of three classes
SIZES = [(80, 24), (200, 50), (60, 20)]
RULES = {"auc": ["auc >= 0.8", "precision@threshold=0.5 >= 0.2"], "pair": ["auc >= 0.5", "delta_auc >= -0.01"]}


def answers_of(path):
    """Return the answers of the commands on a file, with and without verdicts."""
    columns = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
    scores = [name for name in columns if name not in ("id", "label", "day", "patient", "region", "fold")]
    cases = rocconf.read_predictions(path, label="label", score=scores)
    models = rocconf.count_each(cases)
    results = [
        rocconf.sweep(models[-1]),
        rocconf.sweep(models[0], prevalence=0.01, intervals=True),
        rocconf.tango(models[0]),
    ]
    results.append(rocconf.chi2_contours(models[0], permutations=19))
    judged = [(results[0], RULES["auc"])]
    if len(models) > 1:
        results.append(rocconf.compare(cases, baseline=cases.models[0], at="threshold=0.5", margin=0.05))
        judged.append((results[-1], RULES["pair"]))
    if "patient" in columns:
        clustered = rocconf.read_predictions(path, label="label", score=scores, cluster="patient")
        results.append(rocconf.tango(rocconf.count_each(clustered)[0]))
        results.append(rocconf.compare(clustered, baseline=scores[0], at="threshold=0.5", margin=0.05))
        judged.append((results[-1], RULES["pair"]))
    yield from (Answer((result,), audience="shell") for result in results)
    yield Answer(tuple(map(rocconf.tango, models)), audience="shell")
    for result, rules in judged:
        verdicts = rocconf.judge(result, rules)
        outcome = max((each.outcome for each in verdicts), key=["pass", "inconclusive", "fail"].index)
        yield Answer((result,), tuple(each.to_dict() for each in verdicts), outcome, 1, "shell")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if at % 3 else []) for at, name in enumerate(FILES)]
)
def test_no_answer_is_wider_or_higher_than_its_screen(name):
    for answer in answers_of(FILES[name]):
        for width, height in SIZES:
            lines = [line for line, _ in screen_lines(answer, width=width, height=height, used=0)]
            assert len(lines) < height, (answer.command, width, lines)
            assert max(map(text_width, lines)) <= width, (answer.command, width, lines)
            assert lines[0].strip(), (answer.command, width, lines)
            text = " ".join(" ".join(lines).split())
            if answer.verdict:
                assert "verdict: " in text, (answer.command, width, lines)
            else:
                assert "--all" in text, (answer.command, width, lines)
