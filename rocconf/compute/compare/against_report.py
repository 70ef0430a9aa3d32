"""Whether a model of an earlier report can be the baseline: what the two runs must share, and what must be known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.compute.roc.operating import parse_costs
from rocconf.errors import UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts, Source
    from rocconf.saved import Reported


def require_comparable(
    models: Sequence[ScoreCounts],
    reported: Reported,
    *,
    interval: IntervalKind | None,
    max_fpr: float | None,
    cost: str | None,
) -> None:
    """Reject a report about another positive class, of other options, or where only one side has clusters."""
    file, kind, data = reported.source.name, reported.interval_kind, reported.data
    if interval not in (None, kind):
        raise UsageError("baseline-interval", file=file, found=kind, interval=interval)
    if None not in (max_fpr, reported.max_fpr) and max_fpr != reported.max_fpr:
        raise UsageError("baseline-max-fpr", file=file, found=reported.max_fpr, asked=max_fpr)
    here, there = parse_costs(cost), parse_costs(reported.cost)
    if here is not None and there is not None and here.numbers != there.numbers:
        raise UsageError("baseline-cost", file=file, found=there.text, asked=here.text)
    if reported.is_binned:
        raise UsageError("bins-cannot", model=reported.model, what=message("bins-compare"))
    clusters = reported.evidence["clusters"] is not None
    if any((model.clusters is not None) != clusters for model in models):
        has, lacks = ("the report has", "these cases") if clusters else ("these cases have", "the report")
        raise UsageError("baseline-clusters", file=file, has=has, lacks=lacks)
    for source in _cases(models):
        if data is not None and source.positive != data.positive:
            raise UsageError("baseline-positive", file=file, found=data.positive, positive=source.positive)


def about_baseline(models: Sequence[ScoreCounts], reported: Reported) -> tuple[Message, ...]:
    """Return how the report's scores and cases differ from those of the models."""
    file, found = reported.source.name, list(reported.source.caveats)
    if any(model.lower_is_positive != reported.lower_is_positive for model in models):
        direction = "low" if reported.lower_is_positive else "high"
        found.append(message("baseline-direction", file=file, direction=direction))
    data, sources = reported.data, _cases(models)
    if data is None:
        return (*found, message("baseline-unnamed-cases", file=file))
    if any(source.rescaled != data.rescaled for source in sources):
        scores = "rescaled to [0, 1]" if data.rescaled else "as they were"
        found.append(message("baseline-rescaled", file=file, scores=scores))
    for source in sources[:1]:
        if _is_same(source, data):
            found.append(message("baseline-same-cases", file=file, data=source.name))
        else:
            found.append(message("baseline-other-cases", file=file, there=_size(data), here=_size(source)))
    return tuple(found)


def _cases(models: Sequence[ScoreCounts]) -> list[Source]:
    return list(dict.fromkeys(source for model in models for source in model.sources))


def _is_same(one: Source, other: Source) -> bool:
    totals = [(each.positives, each.negatives) for each in (one, other)]
    if totals[0] != totals[1] or one.digest is None or other.digest is None:
        return False
    return one.digest() == other.digest()


def _size(source: Source) -> str:
    return f"{source.name} ({source.n} cases, prevalence {source.positives / source.n:.3g})"
