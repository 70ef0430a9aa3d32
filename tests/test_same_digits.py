"""Results have the same digits whatever the processor can do and however many threads there are."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT, SAMPLE_DATA, environment

ANALYSES = f"""
import json, numpy as np, rocconf
rng = np.random.default_rng(3)
labels = rng.random(1501) < 0.1
scores = {{name: 1 / (1 + np.exp(-rng.normal(labels * shift - 1))).round(4) for name, shift in (("a", 1.5), ("b", 1.0))}}
many = rocconf.Predictions(labels, scores)
few = rocconf.read_predictions({str(SAMPLE_DATA / "dis.csv")!r}, score=["S", "F"])
for cases in (many, few):
    first, second = rocconf.count_each(cases)
    results = [
        rocconf.sweep(first, at=["youden", "cost=1:5"], max_fpr=0.2, prevalence=0.03),
        rocconf.tango(first, margin=0.05, bootstrap=60),
        rocconf.chi2_contours(first, permutations=19),
        rocconf.compare(cases, at=["fpr<=0.05"], margin=0.05, bootstrap=60, max_fpr=0.3, band="simultaneous"),
        rocconf.compare(cases, band="working-hotelling"),
        rocconf.compare(cases, band="pointwise", interval="delong"),
    ]
    if cases is many:
        results.append(rocconf.sensibility(first, reference=second, permutations=19, bootstrap=60))
    for result in results:
        print(result.command, json.dumps(result.to_dict(rows=True)))
"""


def results(**more):
    """Return what a process prints under these circumstances."""
    code = [sys.executable, "-c", ANALYSES]
    done = subprocess.run(code, cwd=ROOT, env=environment(**more), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.thorough
def test_the_processor_and_the_threads_change_no_digit():
    core = pytest.importorskip("numpy._core._multiarray_umath")
    names = [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]
    if not names:
        pytest.skip("this numpy uses no more than what every processor has")
    plain = {"NPY_DISABLE_CPU_FEATURES": " ".join(names), "OPENBLAS_CORETYPE": "Nehalem"}
    one = {"OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    expected = results(OPENBLAS_NUM_THREADS=str(os.cpu_count()))
    found = results(**plain, **one)
    assert len(expected) == 13
    for of_this, of_any in zip(expected, found, strict=True):
        command, _, text = of_this.partition(" ")
        here, anywhere = json.loads(text), json.loads(of_any.partition(" ")[2])
        sums, others = (flat(each.pop("evidence")) for each in (here, anywhere))
        del here["digest"], anywhere["digest"]
        assert sums.keys() == others.keys(), command
        for path, value in sums.items():  # raw sums, whose last digits are those of the processor
            assert others[path] == (pytest.approx(value, rel=1e-9, abs=1e-15) if isinstance(value, float) else value), (
                path
            )
        assert anywhere == here, command


def flat(value, path=()):
    """Return every leaf of a report by its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        return {path: value}
    return {key: leaf for name, each in inner for key, leaf in flat(each, (*path, name)).items()}
