"""The coverage of bands: of the whole true curve, and at false positive rates chosen beforehand."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from rocconf.compute.compare.bands import KINDS, band
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.errors import UndefinedError
from simulations.running import Promise, Share, Simulation, Tally
from simulations.truth import Binormal

if TYPE_CHECKING:
    from numpy.random import Generator

REPLICATES = 400
AT = (5, 10, 20, 50)
"""The false positive rates, in percent, at which coverage is counted."""
ROUNDING = 1e-9


def band_coverage(truth: Binormal, rng: Generator, runs: int) -> Tally:
    """Count how often each kind of band around samples of a curve covers that curve."""
    tally: Tally = Counter()
    seeds = rng.integers(2**31, size=runs).tolist()
    for cases, seed in zip(truth.draw(rng, runs), seeds, strict=True):
        roc = curve(count(cases))
        for kind in KINDS:
            try:
                drawn = band(roc, kind, replicates=REPLICATES, seed=seed)
            except UndefinedError:
                continue
            tpr = truth.tpr(drawn.fpr)
            covered = (drawn.lower <= tpr + ROUNDING) & (tpr <= drawn.upper + ROUNDING)
            tally[kind] += 1
            tally[f"{kind} whole"] += bool(covered.all())
            tally[f"{kind} area"] += drawn.area
            for at in AT:
                tally[f"{kind} {at}"] += bool(covered[at])
    return tally


def _rows(truth: Binormal, tally: Tally, _: int) -> list[tuple[str, ...]]:
    rows = []
    for kind in KINDS:
        bands = tally[kind]
        at = [str(Share(tally[f"{kind} {each}"], bands)) for each in AT]
        area = f"{tally[f'{kind} area'] / bands:.3f}"
        rows.append((truth.size, f"{truth.auc:.2f}", kind, str(Share(tally[f"{kind} whole"], bands)), *at, area))
    return rows


def _promises(truth: Binormal, tally: Tally, _: int) -> list[Promise]:
    share = Share(tally["simultaneous whole"], tally["simultaneous"])
    text = f"{truth.size} cases, AUC {truth.auc:.2f}: the simultaneous band covers the whole curve in 93% to 97%"
    return [Promise(text, share, least=0.93, most=0.97, slack=0)]


SIMULATIONS = (
    Simulation(
        key="bands",
        title="Bands, nominal 0.95",
        about=(
            f"Coverage of binormal curves at the 101 false positive rates of the band, with {REPLICATES} replicates. "
            "`pointwise` is meant for one rate chosen beforehand and `threshold-averaged` for one threshold, so neither "
            "promises the whole curve; the others do. `area` is the share of ROC space inside the band."
        ),
        runs=1000,
        settings=[
            Binormal(p, q, a, b) for (p, q), (a, b) in product(((100, 100), (20, 400)), ((1, 1), (2, 1), (1.5, 0.7)))
        ],
        simulate=band_coverage,
        headings=("cases", "AUC", "band", "whole curve", *(f"at fpr {at / 100:g}" for at in AT), "area"),
        rows=_rows,
        promises=_promises,
    ),
)
