"""Counting in bins: from cases, by merging files, and where scores are too many; the bins against those of every score."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import examples

from rocconf.answer import Answer
from rocconf.bins import Dyadic, Thresholds
from rocconf.compute.counted import Counted
from rocconf.errors import InputError, UsageError
from rocconf.read import Bins, Wanted, count_files, find_input, parquet, read_counts, tally
from rocconf.report import place_of, save

SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, np.inf, -np.inf, 5e-324, 2.0**-64, 1e-30, -1e-30, 1e30, -1e30]),
    st.floats(0, 1),
    st.floats(allow_nan=False),
)
CASES = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=40)
BINNINGS = st.one_of(
    st.integers(1, 12).map(Dyadic),
    st.lists(st.floats(-1, 2), min_size=1, max_size=4).map(lambda edges: Thresholds(np.unique(edges) + 0.0)),
)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return tmp_path_factory.mktemp("counted")


def written(cases, path):
    frame = pl.DataFrame(
        {"label": [int(label) for label, _ in cases], "score": [score for _, score in cases]},
        schema={"label": pl.Int8, "score": pl.Float64},
    )
    frame.write_parquet(path)
    return path


def count(*files, bins=None):
    wanted = Wanted(label="label", several=True)
    of_counts = [find_input(str(file)) for file in files]
    return count_files(of_counts, wanted if any("cases" in file.name for file in files) else Wanted(), bins=bins)[
        0
    ].whole


def saved(counts, path):
    save(Answer((Counted(counts),)), place_of(str(path), ("rows",)))
    return path


def by_hand(cases, binning):
    """Return the positives and negatives of each bin by its edges, case by case."""
    bins = {}
    for label, score in cases:
        least, most = (float(end[0]) for end in binning.ends(np.array([score + 0.0])))
        bins.setdefault((least, most), []).append((label, score + 0.0))
    found = {}
    for (least, most), own in bins.items():
        scores = {score for _, score in own}
        ends = (*scores, *scores) if len(scores) == 1 and isinstance(binning, Dyadic) else (least, most)
        found[ends] = (sum(label for label, _ in own), sum(not label for label, _ in own))
    return found


def found(counts):
    cases = zip(counts.positives[::-1].tolist(), counts.negatives[::-1].tolist(), strict=True)
    return dict(zip(zip(*(column.tolist() for column in counts.ends), strict=True), cases, strict=True))


@examples(60)
@given(CASES, BINNINGS)
def test_the_bins_of_cases_are_counted_case_by_case(here, cases, binning):
    counts = count(written(cases, here / "cases.parquet"), bins=Bins(binning))
    assert found(counts) == by_hand(cases, binning)


@examples(60)
@given(CASES, CASES, BINNINGS, st.sampled_from(["parquet", "csv"]))
@example([(False, 0.0)], [(False, 0.0), (False, 0.5)], Thresholds(np.array([5e-324])), "csv")
@example([(False, 0.0)], [(False, 0.5)], Thresholds(np.array([5e-324])), "parquet")
def test_merging_is_counting_together(here, monday, tuesday, binning, form):
    assume(len(monday) != len(tuesday))  # copies are refused
    files = [written(cases, here / f"cases{at}.parquet") for at, cases in enumerate((monday, tuesday))]
    days = [saved(count(file, bins=Bins(binning)), here / f"{at}.{form}") for at, file in enumerate(files)]
    together = by_hand([*monday, *tuesday], binning)
    assert found(count(*days, bins=Bins(binning))) == together
    assert found(count(days[0], files[1], bins=Bins(binning))) == together
    assert found(count(*days[:1], bins=Bins(binning))) == by_hand(monday, binning)


@examples(60)
@given(CASES, CASES, st.integers(1, 8), st.integers(1, 8))
def test_bins_of_two_resolutions_add_up_at_the_coarser(here, monday, tuesday, one, other):
    assume(one != other and len(monday) != len(tuesday))  # copies are refused
    days = [
        saved(count(written(cases, here / "cases.parquet"), bins=Bins(Dyadic(m))), here / f"{m}.csv")
        for cases, m in ((monday, one), (tuesday, other))
    ]
    coarser = Dyadic(min(one, other))
    assert found(count(*days, bins=Bins(coarser))) == by_hand([*monday, *tuesday], coarser)


@examples(60)
@given(CASES, BINNINGS, st.sampled_from(["parquet", "csv"]))
def test_bins_are_written_and_read(here, cases, binning, form):
    cases = [*cases, (True, 0.25), (False, 0.75)]
    counts = count(written(cases, here / "cases.parquet"), bins=Bins(binning))
    (again,) = read_counts(saved(counts, here / f"again.{form}"))
    assert again.tp.tolist() == counts.tp.tolist()
    assert again.fp.tolist() == counts.fp.tolist()
    for there, here_ in zip(again.ends, counts.ends, strict=True):
        assert [0.0 if each == 5e-324 else each for each in there.tolist()] == [
            0.0 if each == 5e-324 else each for each in here_.tolist()
        ]


@pytest.mark.parametrize("most", [9, 10])
def test_too_many_scores_are_counted_in_bins_and_said_so(here, monkeypatch, most):
    monkeypatch.setattr(parquet, "BATCH", 4)
    monkeypatch.setattr(tally, "MOST_PENDING", 2)
    cases = [(at % 3 == 0, at % 10 / 32 + 1e-5 * (at % 10)) for at in range(40)]
    n = len(set(cases))
    counts = count(written(cases, here / "cases.parquet"), bins=Bins(most=n - 10 + most))
    caveats = [caveat.code for source in counts.sources for caveat in source.caveats]
    if most == 10:
        assert (found(counts), caveats) == ({(s, s): both for (s, _), both in found(counts).items()}, [])
    else:
        assert caveats == ["scores-over-budget"]
    assert found(counts) == by_hand(cases, Dyadic(11) if most == 9 else Dyadic(52))


def test_many_files_are_too_many_scores_together(here):
    files = [
        written([(at % 2 == 0, (at + k) / 97) for at in range(0, 30, 3)], here / f"cases{k}.parquet") for k in (0, 1)
    ]
    whole = count(*files, bins=Bins(most=15))
    assert whole.sources[0].caveats[-1].code == "scores-over-budget"
    cases = [(at % 2 == 0, (at + k) / 97) for k in (0, 1) for at in range(0, 30, 3)]
    assert found(whole) == by_hand(cases, Dyadic(11))


def test_bins_that_others_divide_are_refused(here):
    cases = [(at % 2 == 0, at / 97) for at in range(97)]
    file = written(cases, here / "cases.parquet")
    by_hand_, dyadic = (
        saved(count(file, bins=Bins(binning)), here / name)
        for binning, name in ((Thresholds(np.array([0.3, 0.6])), "t.csv"), (Dyadic(2), "d.csv"))
    )
    other = saved(
        count(written([(not label, s + 1e-3) for label, s in cases], file), bins=Bins(Dyadic(2))), here / "e.csv"
    )
    for files, bins in (
        ((by_hand_, other), None),
        ((by_hand_,), Bins(Thresholds(np.array([0.5])))),
        ((by_hand_,), Bins(Dyadic(9))),
        ((dyadic,), Bins(Thresholds(np.array([0.3])))),
    ):
        with pytest.raises(InputError, match="are in bins, which the bins"):
            count(*files, bins=bins)
    assert len(count(by_hand_, bins=Bins(Thresholds(np.array([0.3]))))) == 2


def test_bins_of_the_same_cases_are_refused(here):
    cases = [(at % 3 == 0, at / 997 % 1) for at in range(400)]
    file = written(cases, here / "cases.parquet")
    binned = saved(count(file, bins=Bins(Dyadic(7))), here / "binned.csv")
    coarser = saved(count(file, bins=Bins(Dyadic(4))), here / "coarser.csv")
    for files in ((file, binned), (coarser, binned)):
        with pytest.raises(UsageError, match="have the same content"):
            count(*files)


def test_bins_that_are_coarser_than_asked_are_said(here):
    cases = [(at % 3 == 0, at / 97) for at in range(97)]
    coarse = saved(count(written(cases, here / "cases.parquet"), bins=Bins(Dyadic(2))), here / "coarse.csv")
    for resolution, codes in ((5, ["bins-coarser"]), (2, []), (1, [])):
        counts = count(coarse, bins=Bins(Dyadic(resolution)))
        assert [caveat.code for source in counts.sources for caveat in source.caveats] == codes
        assert found(counts) == by_hand(cases, Dyadic(min(resolution, 2)))


def test_too_many_scores_lose_no_case(here):
    cases = [(k % 3 == 0, 0.5 + k / 2**15) for k in range(3000)]
    file = written(cases, here / "cases_too_many.parquet")
    over, asked = count(file, bins=Bins(most=100)), count(file, bins=Bins(Dyadic(11)))
    assert (over.n, over.p) == (3000, 1000)
    assert over == asked
