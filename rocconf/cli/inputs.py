"""The inputs of a run: the cases to analyse, and those beside them to choose thresholds on or to compare with."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rocconf.cli.same_cases import is_same_file, refuse_copies, refuse_counted_cases, require_same_positive
from rocconf.cli.stderr import say, without_panics
from rocconf.errors import InputError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.naming import model_names, require_distinct_files, stem
from rocconf.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from rocconf.cli.options import Data
    from rocconf.cli.outlet import Outlet
    from rocconf.read import Bins, Input, Kept, Pairing, Wanted
    from rocconf.records import (
        ClassPredictions,
        ClusteredCases,
        CountsOfCases,
        GroupedCounts,
        Interval,
        Predictions,
        ScoreCounts,
        Scores,
        Source,
        Times,
    )
    from rocconf.whole_numbers import PairNumbers, WholeNumbers

    Taken = TypeVar("Taken")
    Cases = Predictions | CountsOfCases | tuple[ScoreCounts, ...] | tuple[GroupedCounts, ...]

SCORE = ("score",)
"""The column of scores of a file in which it has a default name."""

TOKEN = pattern(r"\btoken=[^;]*")
"""What lets a run use a server, in the address of it."""

SOME = 3
"""How many clusters are named that two files share."""


class Inputs:
    """The inputs of a run. A slice reads them again, and standard input can be read only once."""

    def __init__(self, outlet: Outlet, *, for_rules: bool = False) -> None:
        self._outlet, self._for_rules = outlet, for_rules
        self.needs_baseline = False
        """Whether rules need a baseline that is not named."""
        self._counts_files: set[str] = set()
        self._found: dict[str, Input] = {}
        self._ranges: dict[str, Interval] = {}
        self._shows_models = not outlet.quiet and outlet.form != "table"  # which names them

    def check_options(self, data: Data) -> None:
        """Refuse invalid options and files that are named twice, before a file is looked for."""
        _wanted(data, several=True, keep_ids=False, for_rules=self._for_rules)
        require_distinct_files(data.files or ())

    def read_counts(self, data: Data, *, several: bool = False, rescale: bool = False) -> tuple[ScoreCounts, ...]:
        """Return the counts of every model of the files."""
        models = [counts for of_file in self.read_counts_by_file(data, several=several) for counts in of_file]
        return tuple(map(self._rescaled, models) if rescale else models)

    def read_counts_by_file(
        self, data: Data, *, several: bool, pairing: Pairing = "if_ids"
    ) -> list[tuple[ScoreCounts, ...]]:
        """Return the counts of the models of each file."""
        counted = self._read(data, _counts_of, several=several, keep_ids=False, pairing=pairing, only_counts=True)
        names = model_names(data.files, [[counts.model for counts in of_file] for of_file in counted])
        if several:
            self._show_models(data, names)
        return [
            tuple(
                counts if counts.model == name else replace(counts, model=name)
                for counts, name in zip(of_file, its_names, strict=True)
            )
            for of_file, its_names in zip(counted, names, strict=True)
        ]

    def read_timed(self, data: Data, time: str, reference: str) -> dict[str, Predictions]:
        """Return the cases of each model with their times, and a warning if the reference is not earlier."""
        from dataclasses import replace

        refuse_clusters(data, "clusters-time")
        tables = self._read(data, _cases_of_stream, several=False, keep_ids=False, time=time)
        names = model_names(data.files, [table.models for table in tables])
        later = self._times_of(reference, data, time)
        cases = {}
        for table, its_names in zip(tables, names, strict=True):
            warned = table if later is None else _with_overlap(table, reference, later, time)
            for column, name in zip(table.models, its_names, strict=True):
                cases[name] = replace(warned, scores={name: table.scores[column]})
        return cases

    def read_grouped(
        self, data: Data, columns: Sequence[str], *, needs_cases: bool = False
    ) -> dict[str, Predictions | GroupedCounts]:
        """Return the cases of each model with the columns that divide them, or the counts of each group."""
        take = _cases_of_groups if needs_cases else _of_each_model
        tables = self._read(data, take, several=False, keep_ids=False, groups=columns)
        names = model_names(data.files, [[*table] for table in tables])
        return {
            name: _named(table[own], name)
            for table, its_names in zip(tables, names, strict=True)
            for own, name in zip(table, its_names, strict=True)
        }

    def _times_of(self, file: str, data: Data, time: str) -> Times | None:
        """Return the times of the reference, if it has the column."""
        from rocconf.read import Wanted, open_table

        (source,) = self._find([file])
        header = [name.strip() for name in open_table(source, Wanted(delimiter=data.delimiter).character).header]
        if time not in header:
            return None
        from dataclasses import replace

        (table,) = self._read(replace(data, files=[file]), _cases_of_stream, several=True, keep_ids=False, time=time)
        return table.times

    def refuse_copies(self, files: Sequence[str]) -> None:
        """Refuse files with the same content: one of them was probably given by mistake."""
        refuse_copies(self._find(files))

    def read_predictions(self, data: Data, groups: Sequence[str] = ()) -> list[Predictions]:
        """Return the cases of each file, with the scores of all its models."""
        ids: Literal["packed", False] = "packed" if len(data.files) > 1 else False
        tables = self._read(data, _cases_of, several=True, keep_ids=ids, pairing="required", groups=groups)
        names = model_names(data.files, [table.models for table in tables])
        self._show_models(data, names)
        return [
            replace(table, scores=dict(zip(its_names, table.scores.values(), strict=True)))
            for table, its_names in zip(tables, names, strict=True)
        ]

    def read_classes(
        self, data: Data, columns: Sequence[str], *, several: bool, by_row: bool = False, groups: Sequence[str] = ()
    ) -> ClassPredictions:
        """Return the cases of several classes, those of several files paired."""
        from rocconf.compute.compare import pair
        from rocconf.read import UnnamedError, WantedClasses, parse_class_column, read_classes_of

        require_distinct_files(data.files)
        keep_ids = len(data.files) > 1
        wanted = WantedClasses(
            replace(
                _wanted(data, several=several, keep_ids=keep_ids, for_rules=self._for_rules, groups=groups),
                score=(),
                positive=None,
                rest=False,
                classes=True,
            ),
            tuple(map(parse_class_column, columns)),
            tuple(data.score or ()),
            several,
        )
        tables = []
        for source in self._find(data.files):
            with without_panics(), self._outlet.waiting(f"reading {source.name}"):
                try:
                    tables.append(read_classes_of(source, wanted))
                except UnnamedError as error:
                    raise error.in_command(command_line(), models=None) from None
        names = model_names(data.files, [table.models for table in tables])
        renamed = [
            replace(table, scores=dict(zip(own, table.scores.values(), strict=True)))
            for table, own in zip(tables, names, strict=True)
        ]
        return pair(renamed, by_row=by_row)

    def read_scores(self, data: Data, reference: str) -> tuple[list[Scores], list[Scores]]:
        """Return the scores of each model of a file and of the reference, without their labels."""
        refuse_clusters(data, "clusters-unlabelled")
        require_distinct_files(data.files)
        cases, of_counts = self._scores_of(data)
        names = data.score if of_counts else [each.model for each in cases]
        beside, _ = self._scores_of(replace(data, files=[reference], score=names))
        earlier = [
            replace(each, sources=tuple(replace(source, role="reference") for source in each.sources))
            for each in beside
        ]
        if len(cases) == len(earlier) == 1:
            return cases, [replace(earlier[0], model=cases[0].model)]
        by_name = {each.model: each for each in earlier}
        missing = [each.model for each in cases if each.model not in by_name]
        if missing:
            raise UsageError(
                "models-missing",
                option="--reference",
                file=reference,
                missing=", ".join(missing),
                found=", ".join(by_name),
            )
        return cases, [by_name[each.model] for each in cases]

    def _scores_of(self, data: Data) -> tuple[list[Scores], bool]:
        """Return the scores of each model of a file, and whether it is a counts file."""
        from rocconf.read import UnnamedError, is_of_counts, open_table, read_scores_of

        wanted = _wanted(data, several=False, keep_ids=False, for_rules=False)
        (source,) = self._find(data.files)
        with without_panics(), self._outlet.waiting(f"reading {source.name}"):
            try:
                found = list(read_scores_of(source, wanted))
            except UnnamedError as error:
                raise error.in_command(command_line(), models=None) from None
        return found, is_of_counts(open_table(source, wanted.character).header)

    def read_choice(self, file: str, data: Data, models: Sequence[ScoreCounts]) -> dict[str, ScoreCounts]:
        """Return the cases of `--choose-on FILE` for each model; they must be other cases than those judged."""
        from rocconf.compute.roc.counts import have_same_cases, shares_all_cases

        (chosen_on,) = self._find([file])
        if any(is_same_file(chosen_on, judged) for judged in self._find(data.files)):
            raise UsageError("choose-on-judged-cases", file=file)
        judged = models[0].clusters if models else None
        choice = self._read_beside("choose_on", file, data, models, cluster=None if judged is None else judged.column)
        if judged is not None:
            choice = {name: _without_clusters(counts, judged, file) for name, counts in choice.items()}
        if any(have_same_cases(choice[model.model], model) for model in models):
            raise UsageError("choose-on-same-cases", file=file)
        if any(shares_all_cases(choice[model.model], model) for model in models):
            raise UsageError("choose-on-shared-cases", file=file)
        for model in models:
            refuse_counted_cases(choice[model.model], model, file, judged_where=tuple(data.where or ()))
            require_same_positive(choice[model.model], model, file, unnamed=self._counts_files)
        return {name: _with_caveats(counts) for name, counts in choice.items()}

    def read_reference(self, file: str, data: Data, models: Sequence[ScoreCounts]) -> dict[str, ScoreCounts]:
        """Return the cases of `--reference FILE` for each model."""
        return self._read_beside("reference", file, data, models)

    def _read_beside(
        self, role: str, file: str, data: Data, models: Sequence[ScoreCounts], *, cluster: str | None = None
    ) -> dict[str, ScoreCounts]:
        """Return the counts of each model in a file: of the column of its name, or of a counts file's only model."""
        of_counts = not self._counts_files.isdisjoint(data.files)
        names = [model.model for model in models]
        columns = data.score if of_counts or data.model else names
        if self._has_one_model(file, data):
            columns = None
        if len(data.files) > 1 and columns is names:
            self._require_columns_of_files(role, file, data, names)
        beside = [
            replace(counts, sources=tuple(replace(source, role=role) for source in counts.sources))
            for counts in self.read_counts(
                replace(data, files=[file], score=columns, cluster=cluster), several=len(models) > 1
            )
        ]
        if len(beside) == len(models) == 1 and (of_counts or beside[0].model == stem(file)):
            return {models[0].model: beside[0]}
        by_name = {counts.model: counts for counts in beside}
        missing = [model.model for model in models if model.model not in by_name]
        if missing:
            option = f"--{role.replace('_', '-')}"
            raise UsageError(
                "models-missing", option=option, file=file, missing=", ".join(missing), found=", ".join(by_name)
            )
        return by_name

    def require_two(self, data: Data, models: Sequence[Sequence[str]]) -> None:
        """Refuse a comparison of one model in one file, and name the columns that may be another."""
        if [len(of_file) for of_file in models] != [1] or data.model is not None:
            return
        from rocconf.read import UnnamedError, about_other_models

        (source,), ((model,),) = self._find(data.files), models
        question = about_other_models(source, _wanted(data, several=True, keep_ids=False, for_rules=False), model)
        if question is None:
            return
        line = command_line()
        if "--score" not in typed_options():
            question = replace(question, answers={"score": (model, *question.answers["score"])})
        raise UnnamedError(source.name, [question], line=line)

    @contextmanager
    def asking_for_ids(self, data: Data, files: Sequence[str]) -> Iterator[None]:
        """Ask for the id column of files whose cases cannot be paired, together with all other questions about them."""
        from rocconf.read import UnnamedError, about_ids

        sources = self._find(files)
        wanted = _wanted(data, several=True, keep_ids=False, for_rules=False)
        question = about_ids(sources, wanted) if sources and data.id is None else None
        if question is None:
            yield
            return
        try:
            yield
        except UnnamedError as error:
            raise error.asking_first(question) from None
        raise UnnamedError(", ".join(files), [question], line=command_line())

    def _has_one_model(self, file: str, data: Data) -> bool:
        """Whether a file has counts of one model without its name."""
        from rocconf.read import Wanted, is_of_counts, open_table

        (source,) = self._find([file])
        header = open_table(source, Wanted(delimiter=data.delimiter).character).header
        return is_of_counts(header) and "model" not in {name.strip() for name in header}

    def _require_columns_of_files(self, role: str, file: str, data: Data, models: Sequence[str]) -> None:
        """Refuse a file that lacks the column of one of the models."""
        from rocconf.read import Wanted, open_table

        (source,) = self._find([file])
        header = [name.strip() for name in open_table(source, Wanted(delimiter=data.delimiter).character).header]
        missing = [model for model in models if model not in header]
        if missing:
            option = f"--{role.replace('_', '-')}"
            raise UsageError(
                "models-of-files", option=option, file=file, missing=", ".join(missing), found=", ".join(header)
            )

    def _read(
        self,
        data: Data,
        take: Callable[[Input, Cases], Taken],
        *,
        several: bool,
        keep_ids: bool | Literal["packed"],
        pairing: Pairing = "if_ids",
        time: str | None = None,
        groups: Sequence[str] = (),
        only_counts: bool = False,
    ) -> list[Taken]:
        """Return the result of `take` for each file; everything else is freed before the next file is read."""
        require_distinct_files(data.files)
        wanted = _wanted(
            data,
            several=several,
            keep_ids=keep_ids,
            for_rules=self._for_rules,
            pairing=pairing,
            time=time,
            groups=groups,
            only_counts=only_counts,
        )  # refuses bad options before a file is opened
        inputs = self._find(data.files)
        taken = []
        for source in inputs:
            with without_panics(), self._outlet.waiting(f"reading {source.name}"):
                table = self._read_table(source, wanted, data)
            if isinstance(table, tuple) and data.model is None:
                self._counts_files.add(source.name)
            taken.append(take(source, table))
        return taken

    def _read_table(self, source: Input, wanted: Wanted, data: Data) -> Cases:
        from rocconf.read import (
            SED,
            UnnamedError,
            Wanted,
            copy_of,
            open_table,
            read_table,
            with_copy_written,
            with_options,
        )

        try:
            return read_table(source, wanted)
        except UnnamedError as error:
            scores = error.answers.get("score", data.score or SCORE)
            delimiter = error.answers.get("delimiter", (wanted.delimiter,))[0]
            headers = [
                open_table(each, Wanted(delimiter=delimiter).character).header for each in self._find(data.files)
            ]
            if "score" in error.answers and not all(set(header).issuperset(scores) for header in headers):
                error = error.without_answers(message("scores-named-differently"))
            names = model_names(data.files, [scores] * len(data.files))
            asks_baseline = self.needs_baseline and data.model is None  # whose values are not read yet
            models = [name for of_file in names for name in of_file] if asks_baseline else None
            raise error.in_command(command_line(), models=models) from None
        except InputError as error:
            if error.likely_positive is not None:
                answers = {} if data.positive else {"positive": (error.likely_positive,)}
                line = with_options(command_line(), answers, "--rest")
                error.hints = (*error.hints, message("try", what=line))
            mended = [hint.code for hint in error.hints if hint.code in SED]
            commas_delimit = "decimal-commas" in mended and wanted.character in (None, ",")
            if len(mended) == 1 and copy_of(source.name) is not None and not commas_delimit:
                what = with_copy_written(command_line(), source.name, mended[0])
                error.hints = (*error.hints, message("try", what=what))
            raise

    def size_of(self, files: Sequence[str]) -> int:
        """Return the number of bytes of some files."""
        return sum(file.share for file in self._find(files))

    def wanted_of_counts(self, data: Data) -> Wanted:
        """Return which columns are counted; they must be named or have a default name, as a verdict may rest on them."""
        return _wanted(data, several=True, keep_ids=False, for_rules=True)

    def count(
        self,
        data: Data,
        bins: Bins,
        progress: Callable[[int], object],
        kept: Kept | None = None,
        groups: Sequence[str] = (),
        *,
        names_files: bool,
    ) -> tuple[GroupedCounts, ...]:
        """Return the counts of each model over all files, whose cases are kept only if asked for, on disk.

        Where the files are named with their digests, these are computed meanwhile.
        """
        from rocconf.read import Digests, UnnamedError, count_files

        refuse_clusters(data, "clusters-counts")
        require_distinct_files(data.files)
        wanted = replace(self.wanted_of_counts(data), groups=tuple(groups))
        files = self._find(data.files)
        refuse_copies(files)
        with without_panics(), Digests() as digests:
            try:
                ahead = digests if names_files else None
                return count_files(files, wanted, bins=bins, progress=progress, kept=kept, digests=ahead)
            except UnnamedError as error:
                raise error.in_command(command_line(), models=None) from None

    def has_whole_numbers(self, file: str, delimiter: str | None) -> bool:
        """Whether a file is a table of whole numbers, in place of cases or counts."""
        from rocconf.read import STORES, Wanted, is_of_whole_numbers

        (source,) = self._find([file])
        is_here = file != "-" and not file.startswith(STORES)
        return is_here and is_of_whole_numbers(source, Wanted(delimiter=delimiter).character)

    def read_numbers(
        self, files: Sequence[str], data: Data, models: Sequence[ScoreCounts]
    ) -> tuple[dict[str, WholeNumbers], tuple[PairNumbers, ...]]:
        """Return the whole numbers in files, which must be those of the counts of the models."""
        from rocconf.compute.roc.checked_numbers import require_pairs_of
        from rocconf.read import Wanted, whole_numbers_in

        numbers: dict[str, WholeNumbers] = {}
        pairs: list[PairNumbers] = []
        for source in self._find(files):
            own, of_pairs = whole_numbers_in(source, Wanted(delimiter=data.delimiter).character, na=data.na or "error")
            with naming_file(source.name):
                if not numbers.keys().isdisjoint(own):
                    raise UsageError("numbers-twice")
                require_pairs_of(models, of_pairs, own)
            numbers |= own
            pairs += of_pairs
        return numbers, tuple(pairs)

    def read_pairs(self, data: Data) -> tuple[tuple[PairNumbers, ...], Source]:
        """Return the whole numbers of pairs of models in a file, of the models that are wanted, and the file."""
        from rocconf.compute.roc.checked_numbers import require_pairs_of
        from rocconf.read import Wanted, pair_numbers
        from rocconf.records import Source

        (source,) = self._find(data.files)
        with without_panics(), self._outlet.waiting(f"reading {source.name}"):
            found, dropped, counts = pair_numbers(
                source, Wanted(delimiter=data.delimiter).character, na=data.na or "error"
            )
            with naming_file(source.name):
                if counts:
                    require_pairs_of(counts, found)
        names = {name for each in found for name in (each.model, each.baseline)}
        unknown = [name for name in data.score or () if name not in names]
        if unknown:
            fault = message("counts-no-model", model=unknown[0], found=", ".join(sorted(names)))
            raise InputError(source.name, [fault])
        wanted = set(data.score or names)
        pairs = tuple(each for each in found if {each.model, each.baseline} <= wanted)
        if not pairs:
            raise InputError(source.name, [message("numbers-of-one", model=", ".join(wanted))])
        p, q = pairs[0].positives, pairs[0].negatives
        alone = Source(source.name, p + q, p, q, "1", dropped, digest=source.digest())
        return pairs, counts[0].sources[0] if counts else alone

    def _find(self, files: Sequence[str]) -> list[Input]:
        from rocconf.read import find_input

        for file in files:
            if file not in self._found:
                self._found[file] = find_input(file)
        return [self._found[file] for file in files]

    def _rescaled(self, counts: ScoreCounts) -> ScoreCounts:
        """Rescale the scores of a model by the range of all its cases, also where only a slice of them is read."""
        from rocconf.compute.roc.counts import rescaled, score_range

        over = self._ranges.setdefault(counts.model, score_range(counts))
        remark = message("scores-rescaled", model=counts.model, lower=over.lower, upper=over.upper)
        stretched = rescaled(counts, over)
        sources = (replace(source, caveats=(*source.caveats, remark)) for source in stretched.sources)
        return replace(stretched, sources=tuple(sources))

    def _show_models(self, data: Data, names: Sequence[Sequence[str]]) -> None:
        """Show once which models there are, if there are several and --score names none."""
        models = [name for of_file in names for name in of_file]
        if self._shows_models and not data.score and len(models) > 1:
            say(message("models-read", models=", ".join(models)).text("shell"))
            self._shows_models = False


def _without_clusters(chosen_on: ScoreCounts, judged: ClusteredCases, file: str) -> ScoreCounts:
    """Return the counts that thresholds are chosen on, of which no cluster may be judged too; nothing else asks for them."""
    from rocconf.read import spelled_alike

    known = set(map(spelled_alike, judged.names))
    names = () if chosen_on.clusters is None else chosen_on.clusters.names
    shared = [name for name in names if spelled_alike(name) in known]
    if shared:
        some = example(", ".join(map(repr, shared[:SOME])))
        raise UsageError("choose-on-same-clusters", file=file, shared=len(shared), column=judged.column, some=some)
    sources = tuple(replace(source, cluster=None, clusters=None) for source in chosen_on.sources)
    return replace(chosen_on, clusters=None, sources=sources)


def refuse_clusters(data: Data, what: str) -> None:
    """Refuse clusters where `what` takes cases as independent."""
    if data.cluster is not None:
        raise UsageError("clusters-cannot", what=message(what))


@contextmanager
def naming_file(name: str) -> Iterator[None]:
    """Add the name of a file to an error about its content."""
    try:
        yield
    except UsageError as error:
        raise InputError(name, [error.message]) from None


def command_line() -> list[str]:
    """Return the words of the command as they were typed, but for tokens: what it is for is shown and written."""
    return ["rocconf", *(TOKEN.sub("token=TOKEN", word) if "sc://" in word else word for word in sys.argv[1:])]


def typed_options() -> tuple[str, ...]:
    """Return the options that were typed."""
    return tuple(word.partition("=")[0] for word in sys.argv[1:] if word.startswith("-") and word != "-")


def typed_command() -> tuple[str, ...]:
    """Return the words of the command line."""
    return tuple(command_line())


def _wanted(
    data: Data,
    *,
    several: bool,
    keep_ids: bool | Literal["packed"],
    for_rules: bool,
    pairing: Pairing = "if_ids",
    time: str | None = None,
    groups: Sequence[str] = (),
    only_counts: bool = False,
) -> Wanted:
    from rocconf.conditions import parse_conditions
    from rocconf.read import Wanted

    return Wanted(
        label=data.label,
        score=tuple(data.score or ()),
        id=data.id,
        model=data.model,
        positive=data.positive,
        rest=data.rest,
        lower_is_positive=data.lower_is_positive,
        where=parse_conditions(data.where or (), "--where"),
        na=data.na or "error",
        delimiter=data.delimiter,
        several=several,
        keep_ids=keep_ids,
        for_rules=for_rules,
        pairing=pairing,
        time=time,
        cluster=data.cluster,
        groups=tuple(groups),
        only_counts=only_counts,
    )


def _counts_of(source: Input, cases: Cases) -> tuple[ScoreCounts, ...]:  # noqa: ARG001  # as `_cases_of`
    import rocconf
    from rocconf.records import CountsOfCases, GroupedCounts, Predictions

    if isinstance(cases, Predictions):
        return rocconf.count_each(cases)
    if isinstance(cases, CountsOfCases):
        return cases.models
    return tuple(each.whole if isinstance(each, GroupedCounts) else each for each in cases)


def _cases_of(source: Input, cases: Cases) -> Predictions:
    from rocconf.records import Predictions

    if not isinstance(cases, Predictions):
        raise InputError(source.name, [message("counts-not-paired")])
    return cases


def _cases_of_stream(source: Input, cases: Cases) -> Predictions:
    from rocconf.records import Predictions

    if not isinstance(cases, Predictions):
        raise InputError(source.name, [message("time-of-counts")])
    return cases


def _cases_of_groups(source: Input, cases: Cases) -> dict[str, Predictions | GroupedCounts]:
    from rocconf.records import Predictions

    if not isinstance(cases, Predictions):
        raise InputError(source.name, [message("long-groups")])
    return _of_each_model(source, cases)


def _of_each_model(source: Input, cases: Cases) -> dict[str, Predictions | GroupedCounts]:
    """Return the cases of each model, or the counts of its groups."""
    from rocconf.records import GroupedCounts, Predictions

    if isinstance(cases, Predictions):
        return {model: replace(cases, scores={model: scores}) for model, scores in cases.scores.items()}
    found: dict[str, Predictions | GroupedCounts] = {}
    for each in cases if isinstance(cases, tuple) else cases.models:
        if not isinstance(each, GroupedCounts):  # a long table whose models have different cases
            raise InputError(source.name, [message("long-groups")])
        found[each.whole.model] = each
    return found


def _named(cases: Predictions | GroupedCounts, name: str) -> Predictions | GroupedCounts:
    """Return cases of one model with another name of the model."""
    from rocconf.records import GroupedCounts

    if isinstance(cases, GroupedCounts):
        return replace(cases, whole=replace(cases.whole, model=name))
    (scores,) = cases.scores.values()
    return replace(cases, scores={name: scores})


def _with_overlap(cases: Predictions, file: str, earlier: Times, time: str) -> Predictions:
    """Add a warning if some cases of the reference are not earlier than all others."""
    from dataclasses import replace

    from rocconf.compute.sensibility import time_text

    times = cases.times
    if times is None or earlier.kind != times.kind:
        found, others = earlier.kind, times.kind if times else "none"
        raise UsageError("times-differ-in-kind", file=file, time=time, found=found, others=others)
    first = times.values.argmin()
    later = int((earlier.values >= times.values[first]).sum())
    if not later:
        return cases
    moment = time_text(times, int(first))
    remark = message("reference-overlaps", file=file, later=later, n=len(earlier), first=moment)
    sources = (replace(source, caveats=(*source.caveats, remark)) for source in cases.sources)
    return replace(cases, sources=tuple(sources))


def _with_caveats(choice: ScoreCounts) -> ScoreCounts:
    """Add a warning if the scores rank worse than chance on the cases to choose on, as with the classes swapped."""
    from rocconf.compute.roc.observed import Observed

    area = Observed(choice).ranks.area
    if area >= 0.5:
        return choice
    remark = message("choice-below-half", model=choice.model, auc=area)
    sources = (replace(source, caveats=(*source.caveats, remark)) for source in choice.sources)
    return replace(choice, sources=tuple(sources))
