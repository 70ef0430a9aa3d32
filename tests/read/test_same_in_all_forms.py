"""The same cases give the same report in every form: only the inputs differ."""

import io
import json

import numpy as np
import polars as pl
import pytest
import typer

from rocconf.cli import app

GROUP = typer.main.get_command(app)
RANDOM = np.random.default_rng(11)
N = 80
LABELS = RANDOM.random(N) < 0.4
FRAME = pl.DataFrame(
    {
        "id": [f"case {at}" for at in range(N)],
        "churned": np.where(LABELS, "yes", "no"),
        "old": np.round(RANDOM.random(N) + 0.3 * LABELS, 3) / 1.3,
        "new": np.round(RANDOM.random(N) + 0.5 * LABELS, 3) / 1.5,
        "region": RANDOM.choice(["north", "south"], N),
    }
)
LONG = FRAME.unpivot(["old", "new"], index=["id", "churned", "region"], variable_name="model", value_name="p_churn")
WRITERS = {
    "csv": pl.DataFrame.write_csv,
    "parquet": pl.DataFrame.write_parquet,
    "feather": pl.DataFrame.write_ipc,
    "jsonl": pl.DataFrame.write_ndjson,
}
COMMANDS = {
    "compare": ["--baseline", "old", "--at", "fpr<=0.2", "--require", "delta_auc >= -0.5"],
    "sweep": ["--at", "youden", "--require", "auc >= 0.5"],
    "tango": ["--all"],
}


def report(command, file, *options):
    """Return the report of a run without its inputs."""
    line = [command, file, "--label", "churned", "--positive", "yes", *options, *COMMANDS[command]]
    stream = io.TextIOWrapper(io.BytesIO())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream)
        GROUP.main(args=[*line, "--format", "json", "--isolated", "-q"], prog_name="rocconf", standalone_mode=False)
    stream.seek(0)
    answer = json.loads(stream.read())
    assert all(given.pop("sha256") for given in answer["inputs"])
    for each in (answer, *answer["gates"]):
        del each["evidence"]  # whose sums differ in the last digit by the order of the cases
    del answer["digest"]
    (given,) = answer.pop("inputs")
    assert (given["n"], given["positives"], given["dropped"]) == (N, LABELS.sum(), 0)
    return answer


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write the cases in every form, wide and long."""
    for suffix, write in WRITERS.items():
        write(FRAME, tmp_path / f"wide.{suffix}")
        write(LONG, tmp_path / f"long.{suffix}")
        write(
            LONG.sample(fraction=1, shuffle=True, seed=2).sort("model", descending=True), tmp_path / f"mixed.{suffix}"
        )
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_cases_give_the_same_report(command):
    wide = ["--score", "old", "--score", "new"]
    expected = report(command, "wide.csv", *wide)
    assert len(expected["tables"]["models"]) == 2
    for suffix in WRITERS:
        assert report(command, f"wide.{suffix}", *wide) == expected
        assert report(command, f"long.{suffix}", "--model", "model", "--score", "p_churn") == expected
        assert report(command, f"mixed.{suffix}", "--model", "model", "--score", "p_churn") == expected
