"""The cases of an analysis, however they are passed: as labels and scores, in a data frame, or as our records."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter, cleandoc, signature
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from rocconf.compute.roc.counts import count, is_of_same_cases
from rocconf.conditions import parse_conditions
from rocconf.errors import UsageError
from rocconf.read import Wanted, is_frame, read_arrays, read_frame_of, spelled_alike
from rocconf.records import Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Analysis = TypeVar("Analysis", bound=Callable[..., Any])


class Columns(TypedDict, total=False):
    """Where the labels and scores of a data frame are, and how they are read."""

    label: str | None
    score: str | Sequence[str] | None
    id: str | None
    model: str | None
    cluster: str | None
    positive: Any
    rest: bool
    lower_is_positive: bool
    where: Mapping[str, Any] | Sequence[str] | str
    na: Literal["error", "drop"]


DEFAULTS: dict[str, Any] = {
    "label": None,
    "score": None,
    "id": None,
    "model": None,
    "cluster": None,
    "positive": None,
    "rest": False,
    "lower_is_positive": False,
    "where": (),
    "na": "error",
}
"""The values of the columns that are not given."""

OF_ARRAYS = ("positive", "rest", "lower_is_positive", "na")
"""Those that labels and scores have too, which have no columns."""

ABOUT_COLUMNS = """\
label, score, id
    The columns of a data frame; by default those with a usual name (`label`, `score`, `id`).
model
    The column of models of a long data frame, which has a row for each case and model.
cluster
    The column of what the cases belong to, like patients with several images.
positive
    The label of the positive class, where labels are not 0/1 or true/false.
rest
    Whether all labels but the positive one are negative.
lower_is_positive
    Whether low scores mean positive.
where
    Conditions on the rows of a data frame, like `age>=65`, or the values that columns equal.
na
    Whether a missing label or score is an error, or the case is dropped and counted.
"""


def on_cases(of: Callable[..., Any]) -> Callable[[Analysis], Analysis]:
    """Complete the signature and the documentation of a function by those of the analysis that it calls.

    `help` then shows every parameter, and none is documented twice.
    """

    def completed(function: Analysis) -> Analysis:
        own = signature(function)
        named = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        columns = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=DEFAULTS[name], annotation=annotation.__forward_arg__)
            for name, annotation in Columns.__annotations__.items()
        ]
        function.__signature__ = own.replace(parameters=[*named, *columns])  # type: ignore[attr-defined]  # inspect reads it
        function.__doc__ = _with_parameters(function.__doc__ or "", f"{_options_in(of.__doc__ or '')}\n{ABOUT_COLUMNS}")
        return function

    return completed


def _options_in(documentation: str) -> str:
    """Return the parameters that a docstring describes, but the first ones, which are the cases."""
    described = cleandoc(documentation).partition("----------\n")[2]
    lines = described.split("\n")
    heads = [at for at, line in enumerate(lines) if line and not line.startswith(" ")]
    return "\n".join(lines[heads[1] :]).strip("\n") if len(heads) > 1 else ""


def _with_parameters(documentation: str, more: str) -> str:
    """Return a docstring with more parameters after its own."""
    text = cleandoc(documentation)
    before, heading, after = text.partition("\n\nExamples\n")
    return f"{before}\n{more.strip()}{heading}{after}"


def predictions_of(data: Any, scores: Any, columns: Columns, *, several: bool, **more: Any) -> Predictions:
    """Return the cases of labels and scores, or of a data frame.

    Parameters
    ----------
    data, scores
        The labels and the scores; or a data frame and None.
    columns
        Where the columns are.
    several
        Whether there may be several models.
    **more
        Other columns of a data frame that an analysis needs: `by` and `time`.
    """
    if scores is not None:
        for name, value in {**columns, **more}.items():
            if name not in OF_ARRAYS and value not in (None, ()):
                raise UsageError("column-of-arrays", name=name)
        given: dict[str, Any] = {name: value for name, value in columns.items() if name in OF_ARRAYS}
        return read_arrays(data, scores, **given)
    if isinstance(data, str | PathLike):
        raise UsageError("path-not-cases", path=str(data))
    if not is_frame(data):
        raise UsageError(
            "labels-without-scores" if hasattr(data, "__len__") else "not-cases", found=type(data).__name__
        )
    return read_frame_of(data, _wanted(columns, several=several, **more))


def _wanted(columns: Columns, *, several: bool, by: str | Sequence[str] = (), time: str | None = None) -> Wanted:
    given: dict[str, Any] = {**DEFAULTS, **columns}
    positive = given.pop("positive")
    return Wanted(
        **given | {"score": _names(given["score"]), "where": parse_conditions(given["where"], "where")},
        positive=None if positive is None else _as_cell(positive),
        groups=_names(by),
        time=time,
        several=several,
    )


def _names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names or ())


def _as_cell(value: Any) -> str:
    """Return a label as it is read of a frame: True is true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_no_columns(data: Any, scores: Any, columns: Columns) -> None:
    """Refuse options of reading for cases that have been read."""
    if scores is not None:
        raise UsageError("read-already", name="scores", found=type(data).__name__)
    for name in columns:
        raise UsageError("read-already", name=name, found=type(data).__name__)


def one_model(data: Any, scores: Any, columns: Columns) -> ScoreCounts:
    """Return the counts of the only model of the cases, or of the model of predictions that `scores` names."""
    if isinstance(data, ScoreCounts):
        require_no_columns(data, scores, columns)
        return data
    if isinstance(data, Predictions):
        require_no_columns(data, None, columns)
        return count(data, scores)
    return count(predictions_of(data, scores, columns, several=False))


def other_cases(data: Any, columns: Columns, model: str) -> ScoreCounts:
    """Return the counts of a model on other cases: a data frame with the same columns, or a pair of labels and scores."""
    if isinstance(data, ScoreCounts):
        return data
    if not isinstance(data, Predictions):
        labels, scores = data if isinstance(data, tuple) and len(data) == 2 else (data, None)
        given = columns if scores is not None else {**columns, "score": model}
        kept: Any = {name: value for name, value in given.items() if scores is None or name in OF_ARRAYS}
        data = predictions_of(labels, scores, kept, several=False)
    return count(data, model if model in data.models else None)


def choice_for(data: Any, columns: Columns, judged: ScoreCounts) -> ScoreCounts:
    """Return the cases on which thresholds are chosen, which must not be those that are judged."""
    chosen_on = other_cases(data, columns, judged.model)
    if is_of_same_cases(chosen_on, judged):
        raise UsageError("choose-on-itself", model=judged.model)
    if judged.clusters is None:
        return chosen_on
    known = set(map(spelled_alike, judged.clusters.names))
    names = () if chosen_on.clusters is None else chosen_on.clusters.names
    shared = [name for name in names if spelled_alike(name) in known]
    if shared:
        raise UsageError("choose-on-clusters", column=judged.clusters.column, shared=len(shared))
    return replace(chosen_on, clusters=None)
