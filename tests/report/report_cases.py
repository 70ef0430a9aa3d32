"""Answers to write, and how they look."""

import io
from dataclasses import replace

import numpy as np

import rocconf
from rocconf import Predictions
from rocconf.answer import Answer
from rocconf.report import human
from rocconf.report.screen import write_screen
from rocconf.table import Column, Table


def answer_of(n, *, models=("score",), seed=7, audience="library"):
    random = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    predictions = Predictions(labels, {name: random.random(n) for name in models})
    return Answer(tuple(map(rocconf.sweep, rocconf.count_each(predictions))), audience=audience)


def drawn(answer, width, stream=None):
    """Return the whole answer, as --all shows it."""
    stream = stream or io.StringIO()
    write_screen(replace(answer, all_rows=True), stream, size=(width, 24))
    return stream.getvalue()


def thresholds_of(answer, width):
    (shown,) = [table for table in human.shown_tables(answer, width=width) if table.title == "thresholds"]
    return shown


class Described:
    """A result with words at the end of its rows."""

    command, table_names, shown, rows_title, caveats = "described", ("rows", "models"), (), "rows", ()

    def title(self, name):
        return name

    def table(self, name="rows"):
        columns = [Column("model", "text"), Column("value", "number"), Column("meaning", "text")]
        rows = [("m", 0.5, "one two three four five six seven eight nine ten"), ("m", 0.25, "eleven")]
        records = [dict(zip(("model", "value", "meaning"), row, strict=True)) for row in rows]
        return Table.of(name, columns, records[:1] if name == "models" else records)
