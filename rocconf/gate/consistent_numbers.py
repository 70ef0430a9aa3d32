"""Whether a saved comparison by whole numbers follows from its numbers: areas, intervals, differences and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.compute.compare import AucComparison, compare_aucs
from rocconf.errors import RocconfError
from rocconf.gate.consistent_row import Row
from rocconf.messages import message
from rocconf.naming import COMPARE_AUC
from rocconf.records import INTERVAL_KINDS, ROBUST
from rocconf.whole_numbers import PairNumbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.saved import SavedReport


def number_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:  # noqa: ARG001  # one of several parts
    """Yield what does not follow from the whole numbers, which are those of each model less its baseline."""
    if report.command != COMPARE_AUC:
        return
    try:
        again = _again(report)
    except RocconfError as error:
        yield message("field-invalid", where="numbers", fault=error.message)
        return
    options = {key: value for key, value in again.options.items() if key != "baseline_named"}
    yield from Row("options", report.options).differing(options)
    for name in ("models", "pairs", "numbers"):
        rows, expected = report.record["tables"].get(name, []), again.table(name).records()
        if len(rows) != len(expected):
            yield message(
                "report-contradiction", where="tables", key=name, found=str(len(rows)), expected=str(len(expected))
            )
            return
        for at, (row, record) in enumerate(zip(rows, expected, strict=True)):
            yield from Row(f"{name}[{at}]", row).differing(record)


def _again(report: SavedReport) -> AucComparison:
    """Return the comparison of the numbers of a report, by its options."""
    options = report.options
    numbers = [PairNumbers.of(row) for row in report.record["tables"].get("numbers", [])]
    all_pairs, interval = options.get("all_pairs") is True, options.get("interval")
    return compare_aucs(
        [each.turned() for each in numbers] if options.get("lower_is_positive") is True else numbers,
        baseline=None if all_pairs else report.baseline,
        all_pairs=all_pairs,
        margin=options.get("margin"),
        level=report.level or 0.95,
        interval=interval if interval in INTERVAL_KINDS else ROBUST,
        lower_is_positive=options.get("lower_is_positive") is True,
    )
