"""What every analysis has around it: look at the options before a file is read, read, judge, and give the answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocconf.cli.judging import JudgeOfResults, say
from rocconf.cli.outlet import Outlet
from rocconf.cli.progress import counting
from rocconf.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from rocconf.answer import Result
    from rocconf.cli.options import Data, Gate, Output
    from rocconf.plot import Drawing
    from rocconf.read import Input, Wanted
    from rocconf.records import Interval, Predictions, ScoreCounts

SAME_CASES = "holds the very cases that are judged"
FEW_SCORES = 10
"""So few distinct scores may be the same in two sets of cases by chance."""


class Run:
    """One run of a command: its output was looked at before anything is read.

    `extras` are options of figures, which must be asked for.
    """

    def __init__(
        self, result: type[Result], output: Output, gate: Gate, *, choose_on: str | None = None, **extras: object
    ) -> None:
        self.output, self.choose_on = output, choose_on
        self.judge = JudgeOfResults(gate, result, choose_on=choose_on, quiet=output.quiet)
        self.choice: dict[str, ScoreCounts] = {}
        self._inputs: dict[str, Input] = {}
        self._ranges: dict[str, Interval] = {}
        sheet = {name: getattr(output, name) for name in ("title", "width", "height", "dpi")}
        self.sheet = {name: value for name, value in sheet.items() if value is not None}
        self.figures = _figures(output.plot or (), result.command, self.sheet)
        self.extras = {name: value for name, value in extras.items() if value}
        for name in self.extras:
            if not any(figure.extras({name: True}) for figure in self.figures):
                raise UsageError(f"--{name.replace('_', '-')} is for a figure that --plot does not ask for")
        self.outlet = Outlet(output, result.table_names, figures=[figure.path for figure in self.figures])

    def refuse(self, name: str, *, without: str) -> None:
        """Refuse a table and a figure of this name: the option that they come from was not given."""
        asked = [f"-o {name}:{place.path}" for place in self.outlet.places if place.table == name]
        asked += [f"--plot {name}:{figure.path}" for figure in self.figures if figure.kind == name]
        if asked:
            raise UsageError(f"{asked[0]} needs {without}")

    def read(self, data: Data, *, several: bool = False, rescale: bool = False) -> tuple[ScoreCounts, ...]:
        """Read and count every model of the files."""
        from dataclasses import replace

        inputs, wanted = self.find(data), _wanted(data, several=several, keep_ids=False)
        counts = []
        for source in inputs:
            with self.waiting(f"reading {source.name}"):
                counts.append(_count(source, wanted))
        names = _names(inputs, [[model.model for model in models] for models in counts])
        if several:
            self._say_which(names, data)
        models = [model for of_file in counts for model in of_file]
        named = tuple(
            replace(model, model=name) if model.model != name else model
            for model, name in zip(models, names, strict=True)
        )
        return tuple(self._rescaled(model) for model in named) if rescale else named

    def read_predictions(self, data: Data) -> list[Predictions]:
        """Read every file's cases, with the scores of all its models."""
        from dataclasses import replace

        from rocconf import read

        inputs = self.find(data)
        wanted = _wanted(data, several=True, keep_ids=len(inputs) > 1)
        several = []
        for source in inputs:
            if wanted.label is None and read.has_counts(source, wanted.delimiter):
                raise InputError(source.name, ["is a counts file, whose cases are added up and cannot be paired"])
            with self.waiting(f"reading {source.name}"):
                several.append(read.read_cases(source, wanted))
        names = _names(inputs, [predictions.models for predictions in several])
        self._say_which(names, data)
        left = iter(names)
        return [replace(each, scores={next(left): column for column in each.scores.values()}) for each in several]

    def find(self, data: Data) -> list[Input]:
        """Find the files; what cannot be read twice is read now."""
        from rocconf import read

        for file in data.files:
            if file not in self._inputs:  # a slice of standard input reads it again
                self._inputs[file] = read.find_input(file)
        inputs = [self._inputs[file] for file in data.files]
        self.outlet.refuse_overwriting(inputs)
        return inputs

    def _rescaled(self, counts: ScoreCounts) -> ScoreCounts:
        """Stretch the scores of a model over the range that all its cases have, also where a part of them is read."""
        from dataclasses import replace

        from rocconf.compute.roc.counts import rescaled, score_range
        from rocconf.records import Caveat

        over = self._ranges.setdefault(counts.model, score_range(counts))
        said = f"{counts.model}: scores from {over.lower:g} to {over.upper:g} were stretched to [0, 1], thresholds too"
        sources = (replace(source, caveats=(*source.caveats, Caveat("rescaled", said))) for source in counts.sources)
        return replace(rescaled(counts, over), sources=tuple(sources))

    def _say_which(self, models: Sequence[str], data: Data) -> None:
        """Say which models there are if nobody named them."""
        if not data.score and len(models) > 1 and not self.output.quiet:
            say(f"models: {', '.join(models)}")

    def read_choice(
        self, data: Data, models: Sequence[ScoreCounts], *, rescale: bool = False
    ) -> dict[str, ScoreCounts]:
        """Read the cases on which thresholds are chosen: for each model those of the same name, or the only one."""
        if self.choose_on is not None and not self.choice:  # a slice is judged at the thresholds of the whole
            if rescale:
                raise UsageError("--rescale would stretch the cases to choose on by other scores than those to judge")
            self._refuse_choosing_on_what_is_judged(self.choose_on, data)
            self.choice = self._read_beside("choose_on", self.choose_on, data, models)
            if any(_are_alike(self.choice[model.model], model) for model in models):
                raise UsageError(f"--choose-on {self.choose_on}: {SAME_CASES}, in another order or another file")
        return self.choice

    def _refuse_choosing_on_what_is_judged(self, choose_on: str, data: Data) -> None:
        from rocconf import read

        other = self._inputs.setdefault(choose_on, read.find_input(choose_on))
        for judged in (self._inputs[file] for file in data.files):
            if judged is other or (judged.size == other.size and judged.digest()() == other.digest()()):
                raise UsageError(f"--choose-on {choose_on}: {SAME_CASES}")

    def read_reference(self, file: str | None, data: Data, models: Sequence[ScoreCounts]) -> dict[str, ScoreCounts]:
        """Read the cases of before: for each model those of the same name, or the only one."""
        return self._read_beside("reference", file, data, models)

    def _read_beside(
        self, role: str, file: str | None, data: Data, models: Sequence[ScoreCounts]
    ) -> dict[str, ScoreCounts]:
        if file is None:
            return {}
        from dataclasses import replace

        beside = self.read(replace(data, files=[file]), several=len(models) > 1)
        if len(beside) == len(models) == 1:
            return {models[0].model: _in_role(beside[0], role)}
        by_name = {counts.model: _in_role(counts, role) for counts in beside}
        lacking = [counts.model for counts in models if counts.model not in by_name]
        if lacking:
            option = f"--{role.replace('_', '-')}"
            raise UsageError(f"{option} {file}: no scores of {', '.join(lacking)} (found: {', '.join(by_name)})")
        return by_name

    def waiting(self, message: str) -> AbstractContextManager[None]:
        """Say what is going on if it takes more than a second."""
        return self.outlet.waiting(message)

    def counting(self, message: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Say how far a work in steps has come if it takes more than a second."""
        return counting(message, total, wanted=self.outlet.tells_progress)

    def answer(self, analyse: Callable[[Data], Sequence[Result]], data: Data) -> None:
        """Analyse and judge the data, write the files and figures, say what weakens the answer, and print it."""
        from dataclasses import replace

        from rocconf.answer import Answer

        data = self.judge.with_defaults(data)
        results = analyse(data)
        chosen_elsewhere = self.choice
        for part in self.judge.slices:
            if part and not chosen_elsewhere:  # nobody runs a model at a threshold of a slice's own
                self.choice = {each.counts.model: each.counts for result in results for each in result.judged()}  # type: ignore[attr-defined]
            conditions = [f"{column}={value}" for column, value in part]
            cut = replace(data, where=[*(data.where or ()), *conditions])
            with self.waiting("judging"):
                self.judge.judge(results, part, chosen_elsewhere, partial(analyse, cut) if part else None)
        answer = Answer(tuple(results), self.judge.records, self.judge.word, self.judge.status)
        self.outlet.give(answer, self.judge, draw=partial(self._draw, results))

    def _draw(self, results: Sequence[Result]) -> None:
        for figure in self.figures:
            from rocconf import plot

            with self.waiting(f"drawing {figure.path}"):
                plot.draw(results, figure.kind, figure.path, plot.Canvas(**self.sheet), **figure.extras(self.extras))


def _figures(asked: Sequence[str], command: str, sheet: dict[str, Any]) -> list[Drawing]:
    """Return the figures asked for, each with a sheet to go on; a run without any loads nothing for them."""
    if not (asked or sheet):
        return []
    from rocconf import plot

    figures = [plot.drawing_of(text, command) for text in asked]
    plot.Canvas(**sheet)  # refuses a sheet that is none
    return figures


def numbers(text: str | None, option: str) -> list[float] | None:
    """Read a list of numbers like 0.5,0.9."""
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} takes numbers like 0.5,0.9, not {text!r}") from None


def _wanted(data: Data, *, several: bool, keep_ids: bool) -> Wanted:
    from rocconf.read import Wanted
    from rocconf.records import parse_condition

    return Wanted(
        label=data.label,
        score=tuple(data.score or ()),
        id=data.id,
        positive=data.positive,
        lower_is_positive=data.lower_is_positive,
        where=tuple(parse_condition(text, "--where") for text in data.where or ()),
        na=data.na or "error",
        delimiter=data.delimiter,
        several=several,
        keep_ids=keep_ids,
    )


def _count(source: Input, wanted: Wanted) -> tuple[ScoreCounts, ...]:
    import rocconf
    from rocconf import read

    if wanted.label is None and read.has_counts(source, wanted.delimiter):
        return read.counts_of(source, delimiter=wanted.delimiter, lower_is_positive=wanted.lower_is_positive)
    return rocconf.count_each(read.read_cases(source, wanted))


def _names(inputs: Sequence[Input], models: Sequence[Sequence[str]]) -> list[str]:
    """Name the models: by column in one file, by stem in several with a model each, else by both.

    Files of one stem in different folders are called by their paths.
    """
    if len(inputs) == 1:
        return list(models[0])
    single = all(len(of_file) == 1 for of_file in models)
    stems = [source.stem for source in inputs]
    called = [source.path_stem if stems.count(source.stem) > 1 else source.stem for source in inputs]
    names = [
        file if single else f"{file}:{model}" for file, of_file in zip(called, models, strict=True) for model in of_file
    ]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two models are called {', '.join(twice)}: give the files different names")
    return names


def _are_alike(first: ScoreCounts, second: ScoreCounts) -> bool:
    """Whether two files have the same labels at the same scores, which no two sets of cases have by chance."""
    import numpy as np

    pairs = ((first.thresholds, second.thresholds), (first.tp, second.tp), (first.fp, second.fp))
    return len(first) > FEW_SCORES and all(np.array_equal(one, other) for one, other in pairs)


def _in_role(counts: ScoreCounts, role: str) -> ScoreCounts:
    from dataclasses import replace

    return replace(counts, sources=tuple(replace(source, role=role) for source in counts.sources))
