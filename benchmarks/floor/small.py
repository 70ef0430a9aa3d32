"""The least cost of sweeping a small file: typer, numpy.loadtxt, one sort and a rich table, without validation."""

import os
from pathlib import Path
from typing import Annotated

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: its threads would cost as much as itself

import numpy as np
import typer
from sweeping import areas, print_answer
from sweeping import sweep as sweep_scores

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Sweep a file."""


@app.command()
def sweep(file: Annotated[Path, typer.Argument()]) -> None:
    from rich.console import Console
    from rich.table import Table

    labels, scores = np.loadtxt(file, delimiter=",", skiprows=1).T
    thresholds, tp, fp = sweep_scores(labels.astype(np.uint8), scores)
    shown = np.linspace(0, len(thresholds) - 1, 24).round().astype(int)
    table = Table("threshold", "tp", "fp", "tpr", "fpr", "precision", "accuracy")
    columns = (
        [f"{value:.6g}" for value in thresholds[shown]],
        [str(value) for value in tp[shown]],
        [str(value) for value in fp[shown]],
        [f"{value:.4f}" for value in tp[shown] / tp[-1]],
        [f"{value:.4f}" for value in fp[shown] / fp[-1]],
        [f"{value:.4f}" for value in tp[shown] / np.maximum(tp[shown] + fp[shown], 1)],
        [f"{value:.4f}" for value in (tp[shown] + fp[-1] - fp[shown]) / (tp[-1] + fp[-1])],
    )
    table.add_row(*("\n".join(column) for column in columns))
    Console().print(table)
    print_answer(*areas(tp, fp))


app()
