"""Completes an error about an input: one error asks for the delimiter, the label, its classes and the scores at once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.candidates import IDS, label_candidate, likely_scores, listed, numbers_of, with_points
from rocconf.read.formats import open_table
from rocconf.read.layout import MOST_CANDIDATES, about_positive, is_of_counts, lay_out
from rocconf.read.unnamed import Question, UnnamedError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Wanted
    from rocconf.read.source import Input


def asking_everything(error: InputError, source: Input, table: OpenTable, wanted: Wanted) -> InputError:
    """Return the error, completed by the questions that would follow if only those that it asks were answered."""
    joined = next((hint for hint in error.hints if hint.code == "header-joined"), None)
    if joined is not None:
        return _with_delimiter(error, source, replace(wanted, delimiter=str(dict(joined.values)["delimiter"])))
    asks_class_only = isinstance(error, UnnamedError) and set(error.answers) == {"positive"} and not error.for_rules
    return (_about_cells(table, wanted) or error) if asks_class_only else error


def about_other_models(source: Input, wanted: Wanted, found: str) -> Question | None:
    """Return the question which other columns are scores; None if no column may be one."""
    table = open_table(source, wanted.character)
    if is_of_counts(table.header) and not wanted.label:
        return None
    layout = lay_out(table, wanted)
    names = table.header
    taken = {layout.label, *layout.scores, layout.id}
    heads = table.head(
        [at for at, name in enumerate(names) if name.strip() and at not in taken and not table.is_nested(at)]
    )
    others = [
        names[at].strip()
        for at in likely_scores(names, {at: head for at, head in heads.items() if numbers_of(head) is not None})
    ]
    if not others:
        return None
    choices = message("other-scores-could-be", choices=listed(map(shown, others), MOST_CANDIDATES))
    return Question(message("which-other-model", found=shown(found)), choices, {"score": (others[0],)})


def about_ids(sources: Sequence[Input], wanted: Wanted) -> Question | None:
    """Return the question which column has the ids that pair the cases; None if no name that all files have tells."""
    headers = [open_table(source, wanted.character).header for source in sources]
    names = [name.strip() for name in headers[0]]
    taken = {wanted.label, *(wanted.score or ())}
    shared = [name for name in names if all(name in map(str.strip, header) for header in headers)]
    likely = [name for name in shared if name not in taken and IDS.fullmatch(re.sub(r"\W+", "_", name))]
    if not likely:
        return None
    choices = message("ids-could-be", choices=listed(map(shown, likely), MOST_CANDIDATES))
    return Question(message("which-ids"), choices, {"id": (likely[0],)})


def _with_delimiter(error: InputError, source: Input, wanted: Wanted) -> InputError:
    """Return the error of a file with another delimiter, and the questions that remain once it is given."""
    delimiter = str(wanted.delimiter)
    asked = Question(
        message("which-delimiter"), message("cells-separated", delimiter=delimiter), {"delimiter": (delimiter,)}
    )
    try:
        table = open_table(source, wanted.character)
        if is_of_counts(table.header) and not wanted.label:
            return UnnamedError(source.name, [asked])
        more = _about_cells(table, wanted)
    except UnnamedError as unnamed:
        more = unnamed
    except InputError:
        return error
    return UnnamedError(source.name, [asked]) if more is None else more.asking_first(asked)


def _about_cells(table: OpenTable, wanted: Wanted) -> UnnamedError | None:
    """Return the questions that the cells of named columns raise; None if there are none."""
    layout = lay_out(table, wanted)
    heads = table.head(list({layout.label, *layout.scores}))
    label = label_candidate(layout.label, heads[layout.label])
    questions = [] if wanted.positive is not None else about_positive(layout.name(layout.label), label)
    commas = [layout.name(at) for at in layout.scores if with_points(heads[at]) is not None]
    return UnnamedError(table.name, questions, commas=commas) if questions else None
