"""A run of an analysis: check the options before a file is read, read, analyse, judge, and emit the answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocconf.cli.checking import stop_if_checking
from rocconf.cli.inputs import Inputs, typed_command, typed_options
from rocconf.cli.judging import JudgeOfResults
from rocconf.cli.outlet import Outlet
from rocconf.cli.progress import counting
from rocconf.errors import UsageError
from rocconf.examples import without_examples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from rocconf.answer import Result
    from rocconf.cli.options import Data, Gate, Output
    from rocconf.cli.promises import Promises
    from rocconf.plot import Drawing
    from rocconf.records import GroupedCounts, Predictions, ScoreCounts


LEAST_CASES = 10
"""The cases of each class on which a slice is decided by default."""


class Run:
    """A run of a command.

    `unasked` are codes of warnings about defaults, `extras` options that change a figure, and `also` is another command
    whose rules of the configuration are judged.
    """

    def __init__(
        self,
        result: type[Result],
        output: Output,
        gate: Gate,
        *,
        choose_on: str | None = None,
        promises: Promises | None = None,
        unasked: Sequence[str] = (),
        also: str | None = None,
        **extras: object,
    ) -> None:
        self.result, self.choose_on = result, choose_on
        self.judge = JudgeOfResults(gate, result, choose_on=choose_on, promises=promises, quiet=output.quiet, also=also)
        self.choice: dict[str, ScoreCounts] = {}
        sheet = {name: getattr(output, name) for name in ("title", "width", "height", "dpi")}
        self.sheet = {name: value for name, value in sheet.items() if value is not None}
        self.figures = _figures(output.plot or (), result.command, self.sheet)
        self.extras = {name: value for name, value in extras.items() if value}
        for name in self.extras:
            if not any(figure.extras({name: True}) for figure in self.figures):
                raise UsageError("option-of-figure", option=f"--{name.replace('_', '-')}")
        self.outlet = Outlet(output, result.table_names, figures=[figure.path for figure in self.figures])
        self.outlet.claim(self.judge.step_summary)
        configuration = self.judge.configured.path if self.judge.configured else None
        self.outlet.refuse_overwriting(configuration, choose_on)
        self.outlet.unasked = tuple(unasked)
        self.inputs = Inputs(self.outlet, for_rules=bool(self.judge.rules))

    def refuse(self, name: str, *, without: str) -> None:
        """Refuse a table or a figure that needs an option, in a run without that option."""
        asked = [f"-o {name}:{place.path}" for place in self.outlet.places if place.table == name]
        asked += [f"--plot {name}:{figure.path}" for figure in self.figures if figure.kind == name]
        if asked:
            raise UsageError("needs-option", asked=asked[0], option=without)

    def shows(self, table: str, *, figure: str) -> bool:
        """Whether a table is written, alone or in a report, or a figure of it is drawn; always with --quiet."""
        wholes = ((None, ".json"), (None, ".html"))
        written = any(
            (place.table, place.path.suffix) in ((table, place.path.suffix), *wholes) for place in self.outlet.places
        )
        return (
            self.outlet.quiet
            or self.outlet.form == "json"
            or written
            or any(each.kind == figure for each in self.figures)
        )

    def read_choice(self, data: Data, models: Sequence[ScoreCounts]) -> dict[str, ScoreCounts]:
        """Return the cases on which the thresholds of each model are chosen, if not on its own; a slice has the same."""
        if self.choose_on is not None and not self.choice:
            self.choice = self.inputs.read_choice(self.choose_on, data, models)
        return self.choice

    def slices_by(
        self, typed: Sequence[str] | None, *, min_cases: int, without: Mapping[str, object]
    ) -> tuple[str, ...]:
        """Return the columns of slices: those typed, and those that rules are about; none with options in `without`."""
        columns = tuple(dict.fromkeys([*(typed or ()), *self.judge.columns]))
        if not columns:
            for name in ("slices", "slice_points", "slice_pairs"):
                self.refuse(name, without="--by")
            if min_cases != LEAST_CASES:
                raise UsageError("min-cases-without-slices")
        for option, value in without.items():
            if columns and value:
                raise UsageError("slices-with", option=option)
        return columns

    def counting(self, task: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Show how far a task in steps has come if it takes longer than a second."""
        return counting(task, total, wanted=self.outlet.shows_progress)

    def answer_each(
        self,
        analyse: Callable[..., Result],
        data: Data,
        *,
        several: bool = False,
        rescale: bool = False,
        reference: str | None = None,
        time: str | None = None,
        steps: tuple[str, int] | None = None,
        check: Callable[[Sequence[ScoreCounts]], object] | None = None,
        groups: Sequence[str] = (),
        needs_cases: bool = False,
    ) -> None:
        """Analyse each model by itself, and answer.

        Parameters
        ----------
        analyse
            Takes the counts of a model and, by keyword, whichever of `choose_on`, `reference` and `progress` the run has.
        data
            The files.
        several
            Whether all columns of a file that may be scores are models.
        rescale
            Whether to rescale the scores to [0, 1].
        reference
            The file of earlier cases.
        time
            The column of times, for an analysis that also takes `cases`.
        steps
            The task that takes long, and its number of steps for a model.
        check
            Refuses models that cannot be analysed together.
        groups
            The columns that divide the cases, for an analysis that takes the cases, or the counts of each group, in
            place of their counts.
        needs_cases
            Whether it needs the cases.
        """
        from rocconf.compute.roc.counts import count
        from rocconf.records import GroupedCounts

        if rescale and self.choose_on is not None:
            raise UsageError("rescale-and-choose-on")

        def analyse_each(data: Data) -> list[Result]:
            cases: dict[str, Predictions] = {}
            grouped: dict[str, Predictions | GroupedCounts] = {}
            if time is not None and reference is not None:
                cases = self.inputs.read_timed(data, time, reference)
                models = tuple(map(count, cases.values()))
            elif groups:
                grouped = self.inputs.read_grouped(data, groups, needs_cases=needs_cases)
                models = tuple(
                    each.whole if isinstance(each, GroupedCounts) else count(each) for each in grouped.values()
                )
            else:
                models = alike(self.inputs.read_counts(data, several=several, rescale=rescale))
            self.inputs.refuse_copies(data.files)
            if check:
                check(models)
            beside: dict[str, Mapping[str, object]] = {}
            if self.result.may_choose_on:
                beside["choose_on"] = self.read_choice(data, models)
            if cases:
                beside["cases"] = cases
            if reference is not None:
                beside["reference"] = self.inputs.read_reference(reference, data, models)
            task, each = steps or ("", 0)
            with self.counting(task, each * len(models)) as progress:
                shared = {"progress": progress} if steps else {}
                return [
                    analyse(
                        grouped.get(model.model, model),
                        **{role: cases.get(model.model) for role, cases in beside.items()},
                        **shared,
                    )
                    for model in models
                ]

        self.answer(analyse_each, data, beside=reference)

    def answer(self, analyse: Callable[[Data], Sequence[Result]], data: Data, *, beside: str | None = None) -> None:
        """Analyse the data, judge the results, and emit the answer; `beside` is a file that is read beside the data."""
        data = self.judge.with_defaults(data)
        if data.cluster is None:
            self.refuse("effective_sizes", without="--cluster")
        with without_examples(hidden=data.no_examples):
            self._answer(analyse, data, beside)

    def _answer(self, analyse: Callable[[Data], Sequence[Result]], data: Data, beside: str | None) -> None:
        from dataclasses import replace

        from rocconf.answer import Answer

        analyse = self.judge.naming_config()(analyse)
        self.judge.naming_config()(self.inputs.check_options)(data)
        self.outlet.refuse_overwriting(*(data.files or ()), beside)
        stop_if_checking(self.judge)
        results = analyse(data)
        chosen_elsewhere = self.choice
        for part in self.judge.slices:
            if part and not chosen_elsewhere:  # a slice is judged at the thresholds of the whole
                self.choice = {counts.model: counts for result in results for counts in result.model_counts}
            cut = replace(data, where=[*(data.where or ()), *(condition.text for condition in part)])
            with self.outlet.waiting("judging"):
                self.judge.judge(results, part, chosen_elsewhere, partial(analyse, cut) if part else None)
        self.judge.check_thresholds(results)
        answer = Answer(
            tuple(results),
            self.judge.records,
            self.judge.outcome,
            self.judge.status,
            "shell",
            about_gates=self.judge.caveats,
            all_rows=self.outlet.all_rows,
            reading={"where": data.where or [], "na": data.na or "error", "configured": self.judge.defaults},
            given=tuple(option.lstrip("-").replace("-", "_") for option in typed_options()),
            command_line=typed_command(),
        )
        self.outlet.emit(answer, self.judge, draw=partial(self._draw, results))

    def _draw(self, results: Sequence[Result]) -> None:
        for figure in self.figures:
            from rocconf import plot

            with self.outlet.waiting(f"drawing {figure.path}"):
                plot.draw(results, figure.kind, figure.path, plot.Canvas(**self.sheet), **figure.extras(self.extras))


def alike(models: tuple[ScoreCounts, ...]) -> tuple[ScoreCounts, ...]:
    """Return models whose tables have the same columns: those of bins for all, if the scores of one are in bins."""
    from dataclasses import replace

    if all(model.tops is None for model in models):
        return models
    return tuple(replace(model, tops=model.scores) if model.tops is None else model for model in models)


def _figures(asked: Sequence[str], command: str, sheet: dict[str, Any]) -> list[Drawing]:
    """Return the figures to draw; a run without any does not import what draws them."""
    if not (asked or sheet):
        return []
    from rocconf import plot

    figures = [plot.drawing_of(text, command) for text in asked]
    plot.Canvas(**sheet)  # refuses an impossible size
    return figures
