"""The messages of `api`, which only the library has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_API: dict[str, tuple[MessageKind, str]] = {
    "choose-on-clusters": (
        "error",
        "choose_on: {shared} of its clusters of {column} are judged too: put every cluster on one side",
    ),
    "choose-on-itself": (
        "error",
        "choose_on: these are the cases of {model} that are judged; split them and choose on one part",
    ),
    "column-of-arrays": (
        "error",
        "{name} names a column of a data frame, and labels and scores have none: leave it out",
    ),
    "columns-without-pilot": ("error", "{name} is about the pilot: add pilot=frame or pilot=(y, scores)"),
    "labels-without-scores": (
        "error",
        "{found} is no data frame; if it has the labels, pass the scores too, as in rocconf.sweep(y, scores)",
    ),
    "not-cases": (
        "error",
        "labels and scores, a data frame, ScoreCounts or Predictions are needed, not {found}",
    ),
    "panels": (
        "error",
        "the figure {kind!r} has {needed} panels: pass as many axes as a list, or none for a figure of its own",
    ),
    "path-not-cases": (
        "error",
        "{path!r} is a path or a name: rocconf.read_predictions({path!r}) reads a file, and the result can be passed",
    ),
    "read-already": ("error", "{name} says how to read cases, and {found} has been read: leave it out"),
    "scores-by-model": (
        "error",
        "compare takes the scores by the names of the models, as in rocconf.compare(y, dict(old=..., new=...))",
    ),
}
