"""What a reader asks of the differences of models: which one is better, at which thresholds, and what is adjusted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.report.rounding import show, show_column
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rocconf.answer import Answer

    Row = Mapping[str, Any]

BETTER = Column("better", "text")
"""The model that is better, as far as the data tell."""

CHOSEN = " (chosen on these cases)"
COST = "cost"
NOT_TOLD, TOO_FEW = "not told apart", "too few cases"
ROUNDING = 1e-12
"""1 - level is rarely exact."""

FIRST = {
    "pairs": ("metric", "better", "difference", "difference_lower", "difference_upper", "p_adjusted"),
    "operating_points": ("rule", "threshold", "cost", "tpr", "fpr", "precision", "tp", "fp", "fn", "tn"),
    "slices": (
        *("slice", "auc", "auc_lower", "auc_upper", "decided", "n", "positives"),
        *("difference", "difference_lower", "difference_upper", "p_adjusted"),
    ),
    "slice_pairs": ("slice", "better", "difference", "difference_lower", "difference_upper", "p_adjusted"),
    "slice_points": (
        *("slice", "threshold", "tpr", "fpr"),
        *("tpr_difference", "tpr_difference_lower", "tpr_difference_upper", "tpr_p_adjusted"),
        *("fpr_difference", "fpr_difference_lower", "fpr_difference_upper", "fpr_p_adjusted"),
    ),
    "windows": ("window", "n", "positives", "auc", "auc_lower", "auc_upper"),
}
"""The columns of a table that are read first; the others follow."""

GROUPED = {
    "pairs": ("model", "at"),
    "operating_points": ("model",),
    "slices": ("model", "by"),
    "slice_pairs": ("model", "by", "metric", "at"),
    "slice_points": ("model", "by", "rule"),
    "rows": ("metric",),
    "class_pairs": ("model", "class"),
    **dict.fromkeys(
        ("windows", "folds", "drift", "martingales", "restated", "concavities", "effective_sizes"),
        ("model",),
    ),
}
"""What the rows of a group share, so that the first column tells them apart."""


def grouped_by(name: str, rows: Sequence[Row]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns by which the rows of a table are grouped, and those that all of its rows share."""
    keys = [key for key in GROUPED.get(name, ()) if rows and key in rows[0]]
    common = [key for key in keys if len({_shared(row, key) for row in rows}) == 1]
    return tuple(key for key in keys if key not in common), tuple(common)


def in_groups(rows: Sequence[Row], keys: Sequence[str], baseline: str) -> list[Row]:
    """Return the rows, those of a group together; models come before the baseline."""

    def group(row: Row) -> tuple[Any, ...]:
        return tuple(_shared(row, key) for key in keys)

    first = {key: at for at, key in reversed([*enumerate(map(group, rows))])}
    return sorted(rows, key=lambda row: ("model" in keys and row["model"] == baseline, first[group(row)]))


def group_title(row: Row, keys: Sequence[str]) -> str:
    """Return what the rows of a group share."""
    found = {key: row[key] for key in keys}
    at = found.get("at") or found.get("rule")
    rule = f"at {at}" if at else "over all thresholds" if "at" in found and "metric" not in found else ""
    what = " ".join(filter(None, (str(found.get("metric", "")), rule)))
    model = _shared(row, "model") if "model" in found else ""
    return ", ".join(
        filter(None, (model, f"by {found['by']}" if "by" in found else "", str(found.get("class", "")), what))
    )


def _shared(row: Row, key: str) -> Any:
    """Return what a row shares with others of its group; a model with the one that it is compared with."""
    return " less ".join(str(row[name]) for name in (key, "baseline") if name in row) if key == "model" else row[key]


def told(answer: Answer, name: str) -> Table:
    """Return a table with the words that it needs on a page, the columns that are read first in front."""
    table = answer.table(name)
    rows: list[dict[str, Any]] = table.records()
    columns = {column.name: column for column in table.columns}
    if {"difference", "baseline", "metric"} <= columns.keys():
        few, lower, thresholds = undecided(answer), _lower_is_better(answer), _thresholds(answer)
        silent = _no_quality(answer)
        columns |= {BETTER.name: BETTER}
        rows = [
            {**row, BETTER.name: _better(answer, row, few, lower) if row["metric"] not in silent else None}
            for row in rows
        ]
        if "at" in columns:
            rows = [{**row, "at": _at(row, thresholds)} if row.get("at") else row for row in rows]
    if {"rule", "in_sample"} <= columns.keys():
        rows = [{**row, "rule": f"{row['rule']}{CHOSEN * bool(row['in_sample'])}"} for row in rows]
    if name in ("operating_points", "slice_points"):  # their rules say so
        columns.pop("in_sample", None)
    first = [key for key in FIRST.get(name, ()) if key in columns]
    order = [*first, *(key for key in columns if key not in first)]
    return Table.of(name, tuple(columns[key] for key in order), rows)


def about(answer: Answer, name: str) -> Iterator[str]:
    """Yield what must be known to read a table: what an interval, a p-value and a word allow for."""
    table = answer.table(name)
    rows = table.records()
    level = f"{100 * _level(answer):.10g}%"
    if {"difference", "baseline", "metric"} <= set(table.names):
        metrics, silent = {str(row["metric"]) for row in rows}, _no_quality(answer)
        lower, neither = sorted(metrics & _lower_is_better(answer) - silent), sorted(metrics & silent)
        yield (
            f"Difference: a model less its baseline. A model is named as better where the interval at {level} excludes 0 and "
            f"the adjusted p-value is at most {1 - _level(answer):.10g}; elsewhere the data do not tell the two apart."
            + f" Lower is better for: {', '.join(lower)}." * bool(lower)
            + f" No measures of quality, so that neither model is better by them: {', '.join(neither)}." * bool(neither)
        )
        tests = Counter((row["metric"], row.get("at")) for row in rows if row["p"] is not None)
        most = max(tests.values(), default=0)
    if name == "operating_points" and (costs := answer.results[0].options.get("cost")):
        alarm, miss, *_ = str(costs).split(":")
        yield (
            f"Cost: of one case, at the costs of this run, where a false alarm costs {alarm} and a miss {miss}; what is set "
            "in the panel changes nothing here."
        )
    if name == "pairs":
        adjusted = (
            f"for the {most} models of a measure at a threshold" if most > 1 else "for one pair, which changes nothing"
        )
        yield f"p is adjusted {adjusted} (Holm), not for the number of measures; an interval allows for itself alone."
    elif name == "slice_pairs":
        yield (
            f"p is adjusted for all slices and pairs of a measure at a threshold (Holm, up to {most}); an interval is at "
            f"{level} for its slice alone."
        )
    elif name == "slice_points":
        yield (
            "Of each model and operating point: the slice with the lowest tpr first, those of too few cases last. Differences: "
            "a rate of the slice less that of all other cases. p is adjusted for all slices that are compared so (Holm); an "
            f"interval is at {level} for its slice alone."
        )
    elif name == "slices":
        yield (
            "Of each model: decided slices first, then the lowest AUC. Difference: the AUC of the slice less that of all other cases. p is adjusted for all slices "
            f"that are compared so (Holm); an interval is at {level} for its slice alone."
        )
    few = sorted({_shown(value) for _, value in undecided(answer)})
    if few and name in ("slices", "slice_pairs"):
        least = answer.results[0].options.get("min_cases")
        yield (
            f"Of too few cases (--min-cases {least}), so that no rule is decided on them, whatever their numbers are: "
            f"{', '.join(few)}."
        )


def beside_rules(answer: Answer, name: str) -> str:
    """Return why the rules about slices have other intervals than a table of slices, empty where they have the same."""
    differences = {"slices": False, "slice_pairs": True}
    if name not in differences:
        return ""
    found = _levels(gate for gate in answer.gates if str(gate["metric"]).startswith(DELTA) == differences[name])
    for whole, slices, level in found:
        if level != _level(answer):
            return (
                message(
                    "page-rule-intervals",
                    wider="wider" if level > _level(answer) else "narrower",
                    level=f"{100 * _level(answer):.10g}%",
                    slices=slices,
                    each=f"{100 * level:.4g}%",
                    whole=f"{100 * whole:.4g}%",
                ).text(answer.audience)
                + "."
            )
    return ""


def _levels(gates: Iterable[Mapping[str, Any]]) -> list[tuple[float, int, float]]:
    """Return the level of each rule about slices, its slices, and the level in each."""
    found = {(gate["rule_level"], gate["slices"], gate["level"]) for gate in gates if gate.get("slices")}
    return [each for each in sorted(found, key=str) if None not in each]


def about_rules(answer: Answer) -> str:
    """Return what the rules about slices have instead of the level of a table."""
    told_ = [
        f" A rule about every slice allows for the {slices} that are decided: its intervals are at {100 * level:.4g}% each, "
        f"so that all together are at {100 * whole:.4g}%."
        for whole, slices, level in _levels(answer.gates)
    ]
    return "".join(told_[:1])


def cost_difference(answer: Answer, model: str, costs: str) -> str:
    """Return how the least cost of a model differs from that of its baseline; empty for the baseline."""
    baseline = answer.results[0].options.get("baseline")
    if "pairs" not in answer.results[0].table_names or model == baseline:
        return ""
    for row in answer.table("pairs").records():
        if (row["model"], row["metric"], row["at"]) != (model, COST, f"{COST}={costs}"):
            continue
        better = _better(answer, row, set(), {COST})
        told_ = message("page-cheaper", model=better) if better in (row["model"], row["baseline"]) else NOT_TOLD
        limits = (show(row[key], "number") for key in ("difference_lower", "difference_upper"))
        return message(
            "page-cost-difference",
            difference=show(row["difference"], "number"),
            interval=f"[{', '.join(limits)}]",
            baseline=row["baseline"],
            told=told_,
        ).text(answer.audience)
    return message("page-cost-not-compared", baseline=baseline).text(answer.audience) if baseline else ""


def _better(answer: Answer, row: Row, few: Collection[tuple[Any, Any]], lower_is_better: set[str]) -> str:
    """Return the better model of a pair, if the interval excludes 0 and the adjusted p-value rejects."""
    if (row.get("by"), row.get("slice")) in few:
        return TOO_FEW
    value, lower, upper, p = (row[key] for key in ("difference", "difference_lower", "difference_upper", "p_adjusted"))
    if value is None:
        return ""
    above, below = lower is not None and lower > 0, upper is not None and upper < 0
    if not (above or below) or (p is not None and p > 1 - _level(answer) + ROUNDING):
        return NOT_TOLD
    return str(row["model"] if above != (row["metric"] in lower_is_better) else row["baseline"])


def _lower_is_better(answer: Answer) -> set[str]:
    """Return the metrics whose lower values are better."""
    result = answer.results[0]
    return {each.name.removeprefix(DELTA) for each in (*result.metrics, *result.point_metrics) if each.lower_is_better}


def _no_quality(answer: Answer) -> set[str]:
    """Return the metrics by whose values no model is better than another."""
    result = answer.results[0]
    return {each.name.removeprefix(DELTA) for each in (*result.metrics, *result.point_metrics) if not each.is_quality}


def _thresholds(answer: Answer) -> dict[tuple[str, str], float | None]:
    """Return the threshold of each model and operating point."""
    if "operating_points" not in answer.results[0].table_names:
        return {}
    return {(point["model"], point["rule"]): point["threshold"] for point in answer.table("operating_points").records()}


def _at(row: Row, known: Mapping[tuple[str, str], float | None]) -> str:
    """Return an operating point, with the thresholds of both models where these differ."""
    rule, models = row["at"], (row["model"], row["baseline"])
    thresholds = [known.get((model, rule)) for model in models]
    if thresholds[0] == thresholds[1]:
        return str(rule)
    each = zip(models, show_column(thresholds, "score"), strict=True)
    return f"{rule} ({', '.join(f'{model} {threshold}' for model, threshold in each)})"


def undecided(answer: Answer) -> dict[tuple[Any, Any], tuple[int, int]]:
    """Return the columns and values of the slices with too few cases, and their positives and negatives."""
    if "slices" not in answer.results[0].table_names:
        return {}
    return {
        (row["by"], row["slice"]): (row["positives"], row["negatives"])
        for row in answer.table("slices").records()
        if not row["decided"]
    }


def _level(answer: Answer) -> float:
    return float(answer.results[0].options.get("level") or 0.95)


def _shown(value: str) -> str:
    return value or "(empty)"
