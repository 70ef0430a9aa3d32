"""The layout of a table: the position of the label, the scores, the id and the filters in its header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocconf.dataclass import dataclass
from rocconf.errors import InputError, UsageError
from rocconf.examples import example, hides_examples
from rocconf.messages import did_you_mean, message
from rocconf.read.candidates import (
    LABELS,
    SCORES,
    Kind,
    LabelCandidate,
    is_group,
    label_candidate,
    label_candidates,
    likely_scores,
    listed,
    score_candidates,
    whole_numbers,
    with_points,
)
from rocconf.read.unnamed import Question, UnnamedError, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from rocconf.conditions import Condition
    from rocconf.messages import Message
    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable

ID = "id"
COUNTS = ("score", "positives", "negatives")
MODEL = "model"
UNCOUNTED = ("missing_labels", "other_labels")
"""The columns in which the result of a query tells how many cases it did not count."""
UPPER = "upper"
"""The upper edge of the bins of a counts file; a row without one holds all scores from its lower edge on."""
OF_COUNTS = (*COUNTS, MODEL, UPPER, *UNCOUNTED)
"""The columns of a counts file, but those of groups."""
DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
Pairing = Literal["required", "if_ids", "none"]
"""Whether the models of a long table have the same cases: always, then found by their ids; where there are ids; or not."""

NO_LABEL = -1
"""The position of the label where labels are not read."""

LONGEST_LIST = 20
"""How many columns a message lists."""

MOST_CANDIDATES = 6
"""How many columns a message lists that could be the label, or the score."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Wanted:
    """The columns and options requested of an input."""

    label: str | None = None
    score: tuple[str, ...] = ()
    id: str | None = None
    model: str | None = None
    """The column of models of a long table, which has a row for each case and model."""
    positive: str | None = None
    rest: bool = False
    """Whether all classes but the positive one are negative."""
    classes: bool = False
    """Whether there may be more than two classes, none of which is the positive one."""
    lower_is_positive: bool = False
    where: tuple[Condition, ...] = ()
    na: str = "error"
    delimiter: str | None = None
    several: bool = False
    """Whether all candidates are scores when none is named, or exactly one must be."""
    for_rules: bool = False
    """Whether a verdict rests on the scores, which must then be named or have a default name."""
    keep_ids: bool | Literal["packed"] = True
    """Whether the ids are kept, as texts or where possible packed, or only checked for duplicates."""
    pairing: Pairing = "required"
    """How the models of a long table are paired."""
    time: str | None = None
    """The column of times."""
    groups: tuple[str, ...] = ()
    """The columns that divide the cases into groups."""
    cluster: str | None = None
    """The column of clusters: cases that belong together."""
    only_counts: bool = False
    """Whether the cases are not needed, where counts say all that is wanted of them."""

    @property
    def keeps_cases(self) -> bool:
        """Whether the cases must be kept."""
        return not self.only_counts or not (self.model is self.time is self.cluster is None) or bool(self.groups)

    def __post_init__(self) -> None:
        if self.na not in ("error", "drop"):
            raise UsageError("na-choice", found=self.na)
        for name in self.score:
            if self.score.count(name) > 1:
                raise UsageError("score-twice", name=name)
        if self.positive is not None and not self.positive.strip():
            raise UsageError("positive-blank")
        if self.rest and self.positive is None:
            raise UsageError("rest-without-positive")
        character = self.character
        if character is not None and (len(character) != 1 or character in '"\r\n'):
            raise UsageError("delimiter-form", found=self.delimiter)
        if self.label in self.score:
            raise UsageError("label-is-score", name=self.label)
        if self.model is not None and len(self.score) > 1:
            raise UsageError("model-and-scores", model=self.model)
        self._require_a_use_of_time()
        self._require_a_use_of_groups()
        if self.model is not None and self.model in (self.label, self.id, *self.score):
            raise UsageError("model-is-other", name=self.model)

    def _require_a_use_of_time(self) -> None:
        if self.time is not None and self.model is not None:
            raise UsageError("time-and-model")
        if self.time is not None and self.time in (self.label, self.id, *self.score):
            raise UsageError("time-is-other", name=self.time)

    def _require_a_use_of_groups(self) -> None:
        if self.cluster is not None and not self.cluster.strip():
            raise UsageError("cluster-blank")
        named = (*self.groups, *((self.cluster,) if self.cluster is not None else ()))
        if named and self.model is not None:
            raise UsageError("groups-and-model", column=named[0])
        if self.cluster is not None and self.cluster in (self.label, *self.score):
            raise UsageError("group-is-other", column=self.cluster)
        for name in self.groups:
            if self.groups.count(name) > 1:
                raise UsageError("group-twice", column=name)
            if name in (self.label, *self.score):
                raise UsageError("group-is-other", column=name)

    @property
    def character(self) -> str | None:
        """The requested delimiter, if there is one."""
        return None if self.delimiter is None else DELIMITERS.get(self.delimiter, self.delimiter)


class Guessed(NamedTuple):
    """Scores that are neither named nor have a default name: their positions, and what their first rows hold."""

    scores: tuple[int, ...]
    kind: Kind


class Layout(NamedTuple):
    """The positions of the columns that are needed."""

    header: tuple[str, ...]
    label: int
    scores: tuple[int, ...]
    id: int | None
    where: tuple[tuple[int, Condition], ...]
    guessed: Guessed | None = None
    """How the scores were found if they are neither named nor have a default name."""
    model: int | None = None
    """The column of models of a long table."""
    time: int | None = None
    """The column of times."""
    groups: tuple[int, ...] = ()
    """The columns that divide the cases into groups."""
    cluster: int | None = None
    """The column of clusters."""

    @property
    def kinds(self) -> dict[int, CellKind]:
        """How each column is read: a column with two uses as text, of which all else can be made."""
        uses: list[tuple[int, CellKind]] = [(self.label, "label")] if self.label != NO_LABEL else []
        uses += [(at, "number") for at in self.scores]
        uses += [(at, "text") for at in (*(at for at, _ in self.where), *self.groups)]
        uses += [(at, "text") for at in (self.model, self.time, self.cluster) if at is not None]
        uses += [(self.id, "id")] if self.id is not None else []
        kinds: dict[int, CellKind] = {}
        for at, kind in uses:
            kinds[at] = "text" if at in kinds else kind
        return kinds

    def name(self, position: int) -> str:
        """Return a column's name."""
        return self.header[position]


def lay_out(table: OpenTable, wanted: Wanted) -> Layout:
    """Return where the label, the scores, the id and the columns to filter by are."""
    header = _Header(table)
    identity = header.position(wanted.id) if wanted.id else header.optional(ID)
    where = tuple((header.position(condition.column), condition) for condition in wanted.where)
    model = header.position(wanted.model) if wanted.model else None
    time = header.position(wanted.time) if wanted.time else None
    groups = tuple(map(header.position, wanted.groups))
    cluster = header.position(wanted.cluster) if wanted.cluster is not None else None
    if model is not None:
        wanted = replace(wanted, several=False)
    label = header.position(wanted.label) if wanted.label else header.only(LABELS)
    # columns to filter by may be scores too: a slice must have the scores of the whole
    default = header.only(SCORES, but={label, identity, model, cluster, *groups})
    scores = tuple(map(header.position, wanted.score)) if wanted.score else () if default is None else (default,)
    guessed = None
    if label is None or not scores:
        unnamed = _Unnamed(header, table, wanted, label, {identity, model, time, cluster, *groups})
        guessed = None if scores else unnamed.guess()
        scores = scores or (guessed.scores if guessed else ())
        if label is None or not scores or (guessed and wanted.for_rules):
            raise unnamed.error(asks_score=not scores or (guessed is not None and wanted.for_rules))
    _require_one_use(header, label, scores, identity, model=model, time=time, groups=(*groups, cluster))
    for at in (label, *scores, *(at for at, _ in where), identity, model, time, cluster, *groups):
        if at is not None and table.is_nested(at):
            raise InputError(table.name, [message("column-nested", name=header.names[at])])
    return Layout(header.names, label, scores, identity, where, guessed, model, time, groups, cluster)


def _require_one_use(
    header: _Header,
    label: int,
    scores: Sequence[int],
    identity: int | None,
    *,
    model: int | None,
    time: int | None,
    groups: Sequence[int | None],
) -> None:
    """Refuse a column that would be the label, a score, the models, the times or groups at once."""
    if label in scores:
        raise UsageError("label-is-score", name=header.names[label])
    if time is not None and time in (label, identity, *scores):
        raise UsageError("time-is-other", name=header.names[time])
    if model is not None and model in (label, identity, *scores):
        raise UsageError("model-is-other", name=header.names[model])
    for group in groups:
        if group is not None and group in (label, *scores):
            raise UsageError("group-is-other", column=header.names[group])


def lay_out_label(table: OpenTable, wanted: Wanted, scores: Sequence[str] = ()) -> Layout:
    """Return the positions of the label, the id, the columns to filter by, and the scores of these names, if any."""
    header = _Header(table)
    identity = header.position(wanted.id) if wanted.id else header.optional(ID)
    groups = tuple(map(header.position, wanted.groups))
    cluster = header.position(wanted.cluster) if wanted.cluster is not None else None
    where = tuple((header.position(condition.column), condition) for condition in wanted.where)
    label = header.position(wanted.label) if wanted.label else header.only(LABELS, but={*map(header.optional, scores)})
    if label is None:
        raise _Unnamed(header, table, wanted, None, {identity, cluster, *groups}).error(asks_score=False)
    places = tuple(map(header.position, scores))
    _require_one_use(header, label, places, identity, model=None, time=None, groups=(*groups, cluster))
    for at in (label, *places, *(at for at, _ in where), identity, cluster, *groups):
        if at is not None and table.is_nested(at):
            raise InputError(table.name, [message("column-nested", name=header.names[at])])
    return Layout(header.names, label, places, identity, where, groups=groups, cluster=cluster)


def lay_out_scores(table: OpenTable, wanted: Wanted) -> Layout:
    """Return the positions of the scores, the id and the columns to filter by; labels, if any, are not read."""
    header = _Header(table)
    identity = header.position(wanted.id) if wanted.id else header.optional(ID)
    where = tuple((header.position(condition.column), condition) for condition in wanted.where)
    labels = {at for at, name in enumerate(header.names) if name in (*LABELS, wanted.label)}
    default = header.only(SCORES, but={identity, *labels})
    scores = tuple(map(header.position, wanted.score)) if wanted.score else () if default is None else (default,)
    guessed = None
    if not scores:
        unnamed = _Unnamed(header, table, wanted, NO_LABEL, {identity, *labels})
        guessed = unnamed.guess()
        if guessed is None:
            raise unnamed.error(asks_score=True)
        scores = guessed.scores
    for at in (*scores, *(at for at, _ in where), identity):
        if at is not None and table.is_nested(at):
            raise InputError(table.name, [message("column-nested", name=header.names[at])])
    return Layout(header.names, NO_LABEL, scores, identity, where, guessed)


def is_of_counts(header: Iterable[str]) -> bool:
    """Whether the columns are those of a counts file."""
    names = {name.strip() for name in header}
    return names.issuperset(COUNTS) and names.isdisjoint(LABELS)


def lay_out_counts(table: OpenTable, groups: Sequence[str] = ()) -> dict[str, int]:
    """Return where the columns of a counts file are, and those that divide its cases into groups."""
    header = _Header(table)
    refuse_as_groups(groups)
    for column in groups:
        if column not in header.names:
            raise header.error("groups-not-counted", column=column)
    missing = [name for name in COUNTS if name not in header.names]
    if missing:
        raise header.error("no-counts-column", missing=", ".join(missing), wanted=", ".join(COUNTS))
    present = [name for name in (MODEL, UPPER, *UNCOUNTED) if name in header.names]
    return {name: header.position(name) for name in (*COUNTS, *present, *groups)}


def refuse_as_groups(columns: Iterable[str]) -> None:
    """Refuse columns of groups whose names are those of other columns of counts."""
    for column in columns:
        if column in OF_COUNTS:
            raise UsageError("group-of-counts", column=column)


def other_columns(header: Iterable[str]) -> list[str]:
    """Return the columns of a counts file that are not about the counts, and may divide the cases into groups."""
    return [name.strip() for name in header if name.strip() not in OF_COUNTS]


class _Header:
    """The names of the columns."""

    def __init__(self, table: OpenTable) -> None:
        self.file, self.names = table.name, tuple(name.strip() for name in table.header)

    def position(self, name: str) -> int:
        """Return where a column is, of which there must be one."""
        n = self.names.count(name)
        if n > 1:
            raise self.error("columns-of-one-name", n=n, name=name)
        if not n:
            joined = self._looks_joined()
            meant = "" if joined else did_you_mean(name, self.names)
            raise self.error("no-column", joined or ([] if meant else self._looks_like_data()), name=name, meant=meant)
        return self.names.index(name)

    def optional(self, name: str) -> int | None:
        """Return where a column is, if there is one."""
        return self.position(name) if name in self.names else None

    def only(self, usual: Sequence[str], *, but: Collection[int | None] = ()) -> int | None:
        """Return where the only column is that has one of these names."""
        names = self.usual(usual, but=but)
        return self.position(names[0]) if len(names) == 1 else None

    def usual(self, usual: Sequence[str], *, but: Collection[int | None] = ()) -> list[str]:
        """Return the names among these that columns have, in the order of the columns."""
        return list(dict.fromkeys(name for at, name in enumerate(self.names) if name in usual and at not in but))

    def hints(self) -> list[Message]:
        """Return what may be wrong with a header without a label."""
        return self._looks_joined() or self._looks_like_data()

    @property
    def found(self) -> str:
        """The first names, or what is shown in their place if they are cells of a file without a header."""
        names = listed(map(shown, self.names), LONGEST_LIST)
        return str(example(names)) if self._looks_like_data() else names

    def error(self, code: str, hints: Sequence[Message] = (), /, **values: object) -> InputError:
        """Return an error about the header, with the columns it has."""
        return InputError(self.file, [message(code, found=self.found, **values)], hints=hints)

    def _looks_joined(self) -> list[Message]:
        for delimiter, name in ((";", ";"), ("\t", "tab"), ("|", "|"), (",", ",")):
            if len(self.names) == 1 and delimiter in self.names[0]:
                return [message("header-joined", delimiter=name)]
        return []

    def _looks_like_data(self) -> list[Message]:
        return [message("header-is-data")] if any(map(_is_number, self.names)) else []


class _Unnamed:
    """What the columns that nobody named could be."""

    def __init__(
        self, header: _Header, table: OpenTable, wanted: Wanted, label: int | None, others: Collection[int | None]
    ) -> None:
        self._header, self._wanted, self._label = header, wanted, label
        self._taken = {label, *others}
        columns = [at for at, name in enumerate(header.names) if name and at not in others and not table.is_nested(at)]
        heads = table.head(columns)
        pointed = {at: column for at, cells in heads.items() if (column := with_points(cells)) is not None}
        self._commas = set(pointed)
        """The columns of numbers with decimal commas."""
        self._heads: Mapping[int, Cells] = {**heads, **pointed}

    def guess(self) -> Guessed | None:
        """Return the scores: all candidates, or the only one where one is wanted."""
        if self._several_usual:
            return None
        found, kind = self._score_candidates
        if not self._commas.isdisjoint(found):
            return None
        names = list(dict.fromkeys(self._header.names[at] for at in found))
        if not names or (len(names) > 1 and not self._wanted.several):
            return None
        return Guessed(tuple(map(self._header.position, names)), kind)

    def error(self, *, asks_score: bool) -> UnnamedError:
        """Return the error that asks for the label, the positive class and the scores, as far as they are missing."""
        questions = [self._about_label()] if self._label is None else self._about_positive(self._label)
        if asks_score:
            questions.append(self._about_score())
        hints = self._header.hints() if self._label is None and not self._header.usual(LABELS) else []
        if hints:  # the columns are not what they seem
            questions = [Question(question.message, None, {}) for question in questions]
            hints = [message("columns-found", found=self._header.found), *hints]
        return UnnamedError(
            self._header.file,
            questions,
            for_rules=self._wanted.for_rules and asks_score,
            hints=hints,
            commas=[self._header.names[at] for at in sorted(self._commas)],
        )

    @property
    def _several_usual(self) -> list[str]:
        names = self._header.usual(SCORES, but=self._taken)
        return names if len(names) > 1 else []

    @property
    def _score_candidates(self) -> tuple[list[int], Kind]:
        return score_candidates(self._header.names, {at: self._heads[at] for at in self._heads.keys() - self._taken})

    def _about_label(self) -> Question:
        names, usual = self._header.names, self._header.usual(LABELS)
        heads = {at: head for at, head in self._heads.items() if names[at] not in self._wanted.score}
        candidates = [
            label_candidate(at, head) for at, head in heads.items() if names[at] in usual
        ] or label_candidates(names, heads)
        if not candidates:
            return Question(message("which-label"), message("no-label-candidate", found=self._header.found), {})
        choices = listed((_shown(names[each.at], each) for each in candidates), MOST_CANDIDATES)
        wants_two = not self._wanted.classes
        possible = [each for each in candidates if (len(each.values) == 2) == wants_two]
        likely = next((each for each in possible if not is_group(names[each.at])), None)
        answers = {"label": (names[likely.at],)} | self._positive(likely) if likely else {}
        return Question(message("which-label"), message("labels-could-be", choices=choices), answers)

    def _positive(self, label: LabelCandidate) -> dict[str, tuple[str, ...]]:
        return (
            {"positive": label.values[:1]}
            if not hides_examples()
            and label.needs_positive
            and self._wanted.positive is None
            and not self._wanted.classes
            else {}
        )

    def _about_positive(self, label: int) -> list[Question]:
        if label not in self._heads or self._wanted.positive is not None:
            return []
        return about_positive(self._header.names[label], label_candidate(label, self._heads[label]))

    def _about_score(self) -> Question:
        names = self._several_usual or [self._header.names[at] for at in self._score_candidates[0]]
        asked = message("which-scores" if self._wanted.several else "which-score")
        if names:
            choices = message("scores-could-be", choices=listed(map(shown, names), MOST_CANDIDATES))
            return Question(asked, choices, {"score": tuple(names) if self._wanted.several else (names[0],)})
        heads = {at: head for at, head in self._heads.items() if at not in self._taken and whole_numbers(head)}
        if heads:
            return self._about_whole_numbers(asked, heads)
        return Question(asked, message("no-score-candidate", found=self._header.found), {})

    def _about_whole_numbers(self, asked: Message, heads: Mapping[int, Cells]) -> Question:
        """Return the question which columns of whole numbers are scores: these are scores only if they are named."""
        names = self._header.names
        choices = message("scores-by-name", choices=listed((shown(names[at]) for at in heads), MOST_CANDIDATES))
        likely = list(dict.fromkeys(names[at] for at in likely_scores(names, heads)))
        chosen = likely if self._wanted.several else likely[:1]
        return Question(asked, choices, {"score": tuple(chosen)} if chosen else {})


def about_positive(label: str, candidate: LabelCandidate) -> list[Question]:
    """Return the question which of two values is the positive class, unless they say so themselves."""
    values = candidate.values
    if len(values) != 2 or not candidate.needs_positive:
        return []
    if hides_examples():
        return [Question(message("which-positive", label=shown(label)), None, {})]
    choices = message("positive-could-be", choices=", ".join(map(shown, values)))
    return [Question(message("which-positive", label=shown(label)), choices, {"positive": values[:1]})]


def _shown(name: str, label: LabelCandidate) -> str:
    """Return a candidate for the label with its two values, or the number of them."""
    n = len(label.values)
    values = (
        ", ".join(map(shown, label.values))
        if n == 2 and not hides_examples()
        else "1 value"
        if n == 1
        else f"{n} values"
    )
    return f"{shown(name)} ({values})"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
