"""Measure the kernels alone, in nanoseconds per case, at several sizes: `python benchmarks/kernels.py`.

The cost per case of an n log n kernel hardly grows from 10,000 cases to ten million, and that of a bootstrap replicate
does not grow with n. `run.py` appends the table to its page. The number is the least processor time of several calls
after one that warms up.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded, as the command line has it

import argparse
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from rocconf import Predictions
from rocconf.compute.compare.bands import band
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import count, count_each
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.stats.score_tests import tango_interval

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
REPLICATES = 1000
PREVALENCE = 0.05
SECONDS = 0.5
"""How long a kernel is called repeatedly."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="small data, to test that everything runs")
    sizes = tuple(size // 100 for size in SIZES) if parser.parse_args().quick else SIZES
    columns = [kernel_costs(size) for size in sizes]
    print("| kernel | " + " | ".join(f"{size:,}" for size in sizes) + " |")
    print("| --- |" + " ---: |" * len(sizes))
    for name in columns[0]:
        print(f"| {name} | " + " | ".join(f"{column[name]:,.1f}" for column in columns) + " |")


def kernel_costs(size: int) -> dict[str, float]:
    """Return the cost of each kernel: nanoseconds per case, or replicates per second."""
    random = np.random.default_rng(1)
    labels = random.random(size) < PREVALENCE
    labels[:2] = True, False
    old = random.standard_normal(size)
    new = 0.9 * old + 0.4 * random.standard_normal(size) + 1.5 * labels
    old += 1.5 * labels
    one, two = Predictions(labels, {"old": old}), Predictions(labels, {"old": old, "new": new})
    counts, models = count(one), tuple(map(Observed, count_each(two)))
    roc = curve(counts)
    missed, alarms = roc.p - roc.tp, roc.fp
    return {
        "sweep, ns per case": _nanoseconds(lambda: count(one), size),
        "AUC and DeLong's error from counts, ns per case": _nanoseconds(lambda: auc(counts), size),
        "Tango's interval, ns per threshold": _nanoseconds(lambda: tango_interval(missed, alarms, size), len(roc)),
        "paired DeLong of two models, ns per case": _nanoseconds(
            lambda: AUC.paired(OnSameCases(two, models).pair(1, 0)), size
        ),
        "pointwise band, replicates per second": _per_second(lambda: band(roc, "pointwise", replicates=REPLICATES)),
        "simultaneous band, replicates per second": _per_second(
            lambda: band(roc, "simultaneous", replicates=REPLICATES)
        ),
    }


def _least(call: Callable[[], object]) -> float:
    """Return the processor seconds of the fastest call, after one that warms up."""
    call()
    begun, least = process_time(), float("inf")
    while process_time() - begun < SECONDS:
        before = process_time()
        call()
        least = min(least, process_time() - before)
    return least


def _nanoseconds(call: Callable[[], object], cases: int) -> float:
    return _least(call) / cases * 1e9


def _per_second(call: Callable[[], object]) -> float:
    return REPLICATES / _least(call)


if __name__ == "__main__":
    main()
