"""The result of an analysis, ready for any form of output: tables, sources, warnings and notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

import numpy as np

from rocconf import __version__, wording
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.records import slices
from rocconf.seal import ROWS, SCHEMA, UNSEALED, seal_of
from rocconf.table import Column, Table, plain_values, stack
from rocconf.threads import both

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.messages import Audience, Message, MessageKind
    from rocconf.metric import Metric
    from rocconf.records import ScoreCounts, Source

    OnAxes = TypeVar("OnAxes", bound=Axes | Iterable[Axes])

TOOL = {"name": "rocconf", "version": __version__}
"""What wrote a file."""

NAMED = ("model", "n", "positives", "negatives", "auc")
"""The keys of the summary that the repr of a result shows."""

GATES = "gates"
GATE_COLUMNS = (
    Column("model", "text"),
    Column("name", "text"),
    Column("verdict", "text"),
    Column("value", "number"),
    Column("lower", "number"),
    Column("upper", "number"),
    Column("level", "share"),
    Column("interval", "text"),
    Column("command", "text"),
    Column("metric", "text"),
    Column("at", "text"),
    Column("op", "text"),
    Column("limit", "number"),
    Column("n", "count"),
    Column("positives", "count"),
    Column("where", "text"),
    Column("by", "text"),
    Column("slice", "text"),
    Column("slices", "count"),
    Column("rule_level", "share"),
    Column("threshold", "score"),
    Column("in_sample", "flag"),
    Column("judged_on", "text"),
    Column("on_undefined", "text"),
    Column("allow_identical", "flag"),
    Column("reason", "text"),
    Column("severity", "text"),
    Column("codes", "text"),
    Column("message", "text"),
)
"""The columns of a verdict."""


class Result(ABC):
    """The result of an analysis: its tables, of which `models` is the summary."""

    __slots__ = ()
    command: ClassVar[str]
    table_names: ClassVar[tuple[str, ...]]
    """The names that `table` takes."""
    shown: ClassVar[tuple[str, ...]] = ()
    """The tables that the formats for people show beside the summary and the rows."""
    may_choose_on: ClassVar[bool] = False
    """Whether operating points can be chosen on other cases."""
    metrics: ClassVar[tuple[Metric, ...]] = ()
    """The metrics of the summary that a rule can be about, beside those of every model."""
    average_metrics: ClassVar[tuple[Metric, ...]] = ()
    """The metrics of all classes of a model together: averages, which a single class does not have."""
    has_slices: ClassVar[bool] = False
    """Whether a rule can be about every slice of the cases."""
    has_points: ClassVar[bool] = True
    """Whether a rule can judge an operating point."""
    point_metrics: ClassVar[tuple[Metric, ...]] = ()
    """The metrics of an operating point that a rule can be about, beside those of every model."""
    given_metrics: ClassVar[tuple[Metric, ...]] = ()
    """The metrics that a rule can judge at a point given by its rates."""
    summaries: ClassVar[tuple[str, ...]] = ("models",)
    """The tables that summarize the answer where the format has rows only."""
    rows_title: ClassVar[str] = "thresholds"
    """The title of the rows in the formats for people; empty if they are not shown, as the summary says the same."""
    rows_are_thresholds: ClassVar[bool] = True
    """Whether there is a row for each threshold; JSON then has the rows only if they are asked for."""
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The tables that fit a screen, with their keys in the order in which there is room for them.

    The key of a lower limit is the interval, beside its estimate. `rows` are shown for one model, the others for several.
    """
    screen_tells: ClassVar[tuple[str, ...]] = ()
    """The codes of warnings that a screen has beside the numbers."""
    marks: ClassVar[str] = ""
    """What the rows to keep are, which a screen marks."""

    @property
    @abstractmethod
    def options(self) -> dict[str, Any]:
        """The options of the analysis."""

    @property
    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from."""

    @property
    @abstractmethod
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes."""

    @abstractmethod
    def table(self, name: str = "rows") -> Table:
        """Return a table: `rows` is the main one, `models` the summary; `table_names` has all."""

    def metadata(self, name: str) -> Mapping[str, str]:  # noqa: ARG002  # a subclass uses it
        """Return what a file of a table says of it beside its rows, if its format has room for that."""
        return {}

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """The answer in sentences, the most important first."""
        return tuple(auc_answer(record) for record in self.table("models").records())

    @property
    def about_verdict(self) -> tuple[Message, ...]:
        """Sentences that follow the verdict."""
        return ()

    def on_screen(self, name: str) -> Table:
        """Return a table with the columns and rows that a screen chooses from."""
        return self.table(name)

    def keys_on_screen(self, name: str) -> tuple[str, ...]:
        """Return the keys of a table for a screen, in the order in which there is room for them."""
        return self.screen.get(name, ())

    def about_screen(self, name: str) -> tuple[Message, ...]:  # noqa: ARG002  # a subclass uses it
        """Return the notes under a table on a screen."""
        return ()

    def __repr__(self) -> str:
        """Return the model and its size."""
        summary = self.summary()
        shown = {key: summary[key] for key in NAMED if summary.get(key) is not None}
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in shown.items())})"

    @property
    def model_counts(self) -> tuple[ScoreCounts, ...]:
        """The counts of each model; only a comparison has several."""
        counts: ScoreCounts = self.counts  # type: ignore[attr-defined]  # every analysis of one model has them
        return (counts,)

    def title(self, name: str) -> str:
        """Return the title of a table in the formats for people."""
        return self.rows_title if name == "rows" else name.replace("_", " ")

    def summary(self) -> dict[str, Any]:
        """Return the one-row summary."""
        return self.table("models").records()[0]

    def to_frame(self, name: str = "rows") -> pd.DataFrame:
        """Return a table as a pandas data frame."""
        return self.table(name).to_frame()

    def to_dict(self, *, rows: bool = False) -> dict[str, Any]:
        """Return everything, as it stands in JSON; a row for each threshold only with `rows`."""
        return Answer((self,), all_rows=rows).to_dict()

    @overload
    def plot(self, kind: str | None = None, ax: None = None, *, title: str | None = None, **options: Any) -> Figure: ...

    @overload
    def plot(self, kind: str | None, ax: OnAxes, *, title: str | None = None, **options: Any) -> OnAxes: ...

    @overload
    def plot(self, kind: str | None = None, *, ax: OnAxes, title: str | None = None, **options: Any) -> OnAxes: ...

    def plot(self, kind: str | None = None, ax: Any = None, *, title: str | None = None, **options: Any) -> Any:
        """Draw the result on axes of yours, and return them, or on a figure of its own, and return that.

        Parameters
        ----------
        kind
            The kind of figure, as `--plot KIND:FILE` has it; by default the first of the command.
        ax
            The axes; a list of them for a figure of several panels.
        title
            The title in place of the usual one; an empty one is left out.
        **options
            The options of the kind, such as `hull=True` of `roc`.
        """
        return _loaded("plot").plot_result(self, kind, ax, title=title, **options)

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it."""
        html: str = _loaded("report").html_of(Answer((self,)))
        return html


def _loaded(package: str) -> Any:
    """Return a package that knows results, and that results know by name alone: they are drawn and shown there."""
    from importlib import import_module

    return import_module(f"rocconf.{package}")


def auc_answer(record: Mapping[str, Any], more: str = "") -> Message:
    """Return the sentence on the AUC in a summary."""
    return message(
        "answer-auc",
        model=record["model"],
        auc=wording.rate(record["auc"]),
        interval=wording.interval(record["auc_lower"], record["auc_upper"]),
        kind=record["interval"],
        level=wording.level(record["level"]),
        more=more,
        cases=wording.cases(record["n"], record["positives"], record.get("clusters")),
    )


@dataclass(frozen=True, slots=True)
class Remark:
    """A warning or a note of an answer, in the words of its audience."""

    code: str
    kind: MessageKind
    message: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answer:
    """The results of one command, a result for each model."""

    results: tuple[Result, ...]
    gates: tuple[dict[str, Any], ...] = ()
    verdict: str | None = None
    exit_code: int = 0
    audience: Audience = "library"
    about_gates: tuple[Message, ...] = ()
    """What must be known of the verdict and the exit status."""
    all_rows: bool = False
    """Whether JSON has a row for each threshold, outside its seal, and the formats for people leave out no row."""
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Which rows a command read, what it did with missing cells, and the options that the configuration set."""
    given: tuple[str, ...] = ()
    """The options that were typed, which need not be pointed out."""
    command_line: tuple[str, ...] = ()
    """The words of the command, if there was one."""

    @property
    def has_rows(self) -> bool:
        """Whether JSON has the rows of the main table."""
        return self.all_rows or not self.results[0].rows_are_thresholds

    @property
    def command(self) -> str:
        """The command."""
        return self.results[0].command

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from, each source once."""
        return _once(source for result in self.results for source in result.sources)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The warnings and notes, each once."""
        messages = [message for result in self.results for message in result.caveats] + list(self.about_gates)
        return _once(Remark(each.code, each.kind, each.text(self.audience)) for each in messages)

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """The remarks that change how a number is read."""
        return tuple(remark for remark in self.remarks if remark.kind == "warning")

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names of the tables: rows, models, the command's own, and the gates."""
        return (*self.results[0].table_names, GATES)

    def table(self, name: str = "rows") -> Table:
        """Return a table with the rows of all models."""
        if name == GATES:
            return Table.of(GATES, GATE_COLUMNS, self.gates)
        return stack(result.table(name) for result in self.results)

    def metadata(self, name: str = "rows") -> Mapping[str, str]:
        """Return what a file of a table says of it beside its rows."""
        return self.results[0].metadata(name)

    def head(self) -> dict[str, Any]:
        """Return everything but the rows of the main table, as it stands in JSON."""
        inputs, tables = both(self._inputs, self._tables)
        models, of_run = json_records(tables["models"]), self.results[0]
        record = {
            "schema": f"rocconf/{self.command}/{SCHEMA}",
            "tool": TOOL,
            "inputs": inputs,
            "options": {**self.reading, **of_run.options},
            "summary": models[0] if len(models) == 1 else None,
            "tables": {name: json_records(table) for name, table in tables.items() if name != "rows"},
            "undefined": [reason for table in tables.values() for reason in undefined(table)],
            "caveats": [asdict(remark) for remark in self.remarks],
            **self._evidence(),
            "gates": list(self.gates),
            "verdict": self.verdict,
            "exit_code": self.exit_code,
        }
        if self.all_rows and of_run.rows_are_thresholds:
            record[UNSEALED] = ROWS
        elif self.has_rows:
            return {**record, **seal_of({**record, "rows": json_records(tables["rows"])})}
        return {**record, **seal_of(record)}

    @property
    def as_report(self) -> Answer:
        """The answer without rows of thresholds, which a report does not hold: there may be millions."""
        return replace(self, all_rows=False)

    def _evidence(self) -> dict[str, Any]:
        """Return what rules judge, of an analysis that rules can be about."""
        of_run = self.results[0]
        if not (of_run.metrics or of_run.average_metrics):
            return {}
        return {"evidence": _loaded("compute.evidence").evidence_records(self.results)}

    def _tables(self) -> dict[str, Table]:
        return {name: self.table(name) for name in self.results[0].table_names if name != "rows" or self.has_rows}

    def _inputs(self) -> list[dict[str, Any]]:
        """Return the inputs, of which the digests take long."""
        return [input_record(source) for source in self.sources]

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as it stands in JSON."""
        return self.head() | ({"rows": json_records(self.table())} if self.has_rows else {})


def json_records(table: Table) -> list[dict[str, Any]]:
    """Return the rows as they stand in JSON: None for a missing value, an infinite score as the text inf or -inf."""
    return [row for chunk in table.chunks() for row in json_rows(chunk)]


def json_rows(chunk: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of one chunk as they stand in JSON."""
    columns = [json_values(values) for values in chunk.values()]
    return [dict(zip(chunk, row, strict=True)) for row in zip(*columns, strict=True)]


def undefined(table: Table) -> list[dict[str, Any]]:
    """Return the reason for every missing value; a column without any value has one reason, for the row null."""
    found = []
    for column in table.columns:
        if column.undefined:
            rows = np.flatnonzero(_missing_in(table, column.name)).tolist()
            found += [
                {"table": table.name, "row": row, "key": column.name, "reason": column.undefined}
                for row in ([None] if 1 < len(rows) == len(table) else rows)
            ]
    return found


def _missing_in(table: Table, key: str) -> Any:
    """Return whether each row lacks a value, computed a chunk at a time."""
    chunks = [_missing(block.values(key, rows)) for block in table.blocks for rows in slices(block.length)]
    return np.concatenate([np.zeros(0, dtype=np.bool_), *chunks])


def _missing(values: Any) -> Any:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype != object:
        return np.zeros(len(values), dtype=np.bool_)
    return np.array([value is None or (isinstance(value, list) and None in value) for value in values])


def json_values(values: Any) -> list[Any]:
    """Return the values of a column as they stand in JSON."""
    plain = plain_values(values)
    if values.dtype.kind == "f" and np.isinf(values).any():
        return _spelled(plain)
    return (
        [_spelled(value) if isinstance(value, list) else value for value in plain] if values.dtype == object else plain
    )


def _spelled(values: list[Any]) -> list[Any]:
    return [str(value) if value in (np.inf, -np.inf) else value for value in values]


def input_record(source: Source) -> dict[str, Any]:
    """Return a source as it stands in JSON."""
    of_labels = {"positives": source.positives, "negatives": source.negatives, "positive": source.positive}
    of_labels = of_labels if source.labelled else {}
    of_report = {"command": source.schema.split("/")[1], "schema": source.schema} if source.schema else {}
    return {
        "role": source.role,
        "name": source.name,
        "sha256": source.digest() if source.digest else None,
        "n": source.n,
        **of_labels,
        "dropped": source.dropped,
        "rescaled": source.rescaled,
        "guessed": list(source.guessed),
        **({} if source.cluster is None else {"cluster": source.cluster, "clusters": source.clusters}),
        **({"where": list(source.where)} if source.where else {}),
        **({"counted": [input_record(each) for each in source.counted]} if source.counted else {}),
        **of_report,
    }


def _once(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(things))
