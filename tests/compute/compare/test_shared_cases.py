"""Cases of several files are found by id; whatever is doubtful about them is an error with counts and examples."""

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf import InputError, Predictions, UsageError
from rocconf.compute.compare.shared_cases import match_cases, pair
from rocconf.compute.roc.counts import count
from rocconf.errors import TooFewCasesError
from rocconf.packed_texts import PackedTexts
from rocconf.records import ClassPredictions, Grouping, Source


def predictions(name, labels, scores, ids=None, **more):
    ids = None if ids is None else np.array(ids, dtype=object)
    source = Source(f"{name}.csv", len(labels), sum(labels), len(labels) - sum(labels), "1")
    return Predictions(np.array(labels, dtype=bool), {name: np.array(scores, float)}, ids, sources=(source,), **more)


OLD = predictions("old", [1, 0, 0], [0.9, 0.2, 0.4], ["a", "b", "c"])


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_the_order_of_the_rows_does_not_matter(first, second):
    labels, scores, ids = [1, 1, 0, 0, 1, 0, 1, 0], [3, 1, 4, 1, 5, 9, 2, 6], list("abcdefgh")

    def shuffled(name, order):
        return predictions(name, *([column[at] for at in order] for column in (labels, scores, ids)))

    paired = pair([shuffled("one", first), shuffled("two", second)])
    assert paired.models == ("one", "two")
    assert [source.name for source in paired.sources] == ["one.csv", "two.csv"]
    assert (paired.scores["one"] == paired.scores["two"]).all()
    assert count(paired, "two") == count(shuffled("one", range(8)))


IDS = st.lists(st.sampled_from(["", "a", "b", "aa", "ab", "é", "case 7", "a" * 65]), min_size=2, max_size=5)


def outcome_of(first, other):
    """Return where the cases are, or what is wrong with them."""
    try:
        found = match_cases(first, other, by_row=False)
    except InputError as error:
        return str(error)
    return np.arange(len(other))[found].tolist()


@given(IDS, IDS, st.booleans())
def test_ids_together_are_found_where_each_alone_is_with_the_same_errors(one, two, are_packed):
    def cases(name, ids):
        found = predictions(name, [1, *[0] * (len(ids) - 1)], range(len(ids)), ids)
        return replace(found, ids=PackedTexts.of(found.ids)) if are_packed else found

    first = cases("one", one)
    for other in (cases("two", two), cases("two", one[::-1])):
        with mock.patch.object(PackedTexts, "rows_of", return_value=None):
            one_by_one = outcome_of(first, other)
        assert outcome_of(first, other) == one_by_one


def test_packed_ids_are_named_where_labels_differ_and_rows_pair_by_order():
    def packed(given_):
        return replace(given_, ids=PackedTexts.of(given_.ids))

    new = packed(predictions("new", [0, 0, 1], [0.1, 0.8, 0.3], ["c", "a", "b"]))
    with pytest.raises(InputError, match="id 'a'"):
        pair([packed(OLD), new])
    with pytest.raises(InputError, match="case 1 is id 'a' and id 'c'"):
        pair([packed(OLD), new], by_row=True)
    kept = pair([packed(OLD), lacking(packed(predictions("new", [1, 0], [0.1, 0.8], ["a", "c"])), "b")])
    assert kept.ids.tolist() == ["a", "c"]


def lacking(predictions_, *ids):
    (source,) = predictions_.sources
    lost = replace(source, dropped=len(ids), dropped_ids=ids)
    return replace(predictions_, sources=(lost,))


def test_a_case_dropped_from_one_file_is_left_out_of_all_and_counted():
    new = lacking(predictions("new", [0, 1], [0.1, 0.8], ["d", "a"]), "b", "c")
    old = lacking(predictions("old", [1, 0, 0], [0.9, 0.4, 0.5], ["a", "c", "d"]), "b")
    other = predictions("other", [0, 0, 1, 0], [1, 2, 3, 4], list("dcab"))
    paired = pair([old, new, other])
    assert {name: column.tolist() for name, column in paired.scores.items()} == {
        "old": [0.9, 0.5],
        "new": [0.8, 0.1],
        "other": [3, 1],
    }
    assert paired.ids.tolist() == ["a", "d"]
    sources = [(source.n, source.positives, source.negatives, source.dropped) for source in paired.sources]
    assert sources == [(2, 1, 1, 2), (2, 1, 1, 2), (2, 1, 1, 2)]
    said = [caveat.text() for source in paired.sources for caveat in source.caveats]
    assert said == [
        "old.csv: 1 more case was left out, without a value in another file, 2 are left",
        "other.csv: 2 more cases were left out, without a value in another file, 2 are left",
    ]


def test_dropped_cases_leave_others_to_pair():
    with pytest.raises(TooFewCasesError, match="0 of the 2 cases with a value in every file are positive"):
        pair([OLD, lacking(predictions("new", [0, 0], [0.8, 0.1], ["b", "c"]), "a")])
    assert "id 'c' is only in old.csv" in message(OLD, lacking(predictions("new", [1], [0.8], ["a"]), "b"))
    said = message(OLD, lacking(predictions("new", [1, 0, 0], [1, 2, 3]), "x"), by_row=True)
    assert "new.csv: 1 of 4 rows were left out" in said
    assert "id names a column of ids" in said


def message(*several, **more):
    with pytest.raises(InputError) as raised:
        pair(several, **more)
    return str(raised.value)


OTHER_LABEL = ["case 2 is negative in old.csv and positive in new.csv"]
FAULTS = {
    "ids in one file only": (
        ["a", "b", "x", "y"],
        [1, 0, 0, 0],
        False,
        ["new.csv: 3 faults", "id 'c' is only in old.csv", "id 'x' is only in new.csv", "from the counts of each"],
    ),
    "a repeated id": (["a", "c", "c"], [1, 0, 0], False, ["new.csv: id 'c' occurs 2 times"]),
    "other labels": (["b", "a", "c"], [1, 1, 1], False, ["2 faults", OTHER_LABEL[0].replace("case 2", "id 'b'")]),
    "no ids": (None, [1, 0, 0], False, ["new.csv: no ids", "by_row=True"]),
    "fewer rows": (None, [1, 0], True, ["3 and 2 rows"]),
    "rows with other labels": (None, [1, 1, 0], True, OTHER_LABEL),
    "rows with other ids": (["a", "c", "b"], [1, 0, 0], True, ["2 faults", "case 2 is id 'b' and id 'c'"]),
}


@pytest.mark.parametrize(("ids", "labels", "by_row", "words"), FAULTS.values(), ids=FAULTS)
def test_cases_that_do_not_match_are_counted_and_named(ids, labels, by_row, words):
    said = message(OLD, predictions("new", labels, range(len(labels)), ids), by_row=by_row)
    assert [each for each in words if each not in said] == []


def test_of_many_missing_ids_five_are_named():
    many = [f"i{at}" for at in range(30)]
    old = predictions("old", [1] * 30, [0] * 30, many)
    said = message(old, predictions("new", [1], [0], ["i3"]))
    assert "29 faults" in said
    assert "and 24 more" in said
    assert "id 'i1' is only in old.csv" in said
    few = message(old, predictions("new", [1] * 20, [0] * 20, many[:20]))
    assert [f"id 'i{at}' is only in old.csv" in few for at in (20, 24, 25)] == [True, True, False]


def test_an_id_repeated_in_both_is_an_error():
    twice = [predictions(name, [1, 0, 0], [1, 2, 3], ["a", "c", "c"]) for name in ("old", "new")]
    assert "old.csv: id 'c' occurs 2 times" in message(*twice)


def test_pairing_by_row_has_a_warning_and_needs_the_same_groups():
    def grouped(name, sites):
        return predictions(name, [1, 0, 0], [1, 2, 3], groups=(Grouping.of("site", sites),))

    paired = pair([grouped("old", "xyx"), grouped("new", "xyx")], by_row=True)
    assert paired.scores["new"].tolist() == [1, 2, 3]
    (said,) = paired.sources[0].caveats
    assert said.code == "by-row"
    assert "old.csv and new.csv" in said.text()
    other = message(grouped("old", "xyx"), grouped("new", "xxy"), by_row=True)
    assert ("2 faults" in other, "case 2 has site 'y' in old.csv and 'x' in new.csv" in other) == (True, True)


def test_models_of_one_name_and_opposite_directions_cannot_be_paired():
    with pytest.raises(UsageError, match="two models are called old"):
        pair([OLD, OLD])
    turned = predictions("new", [1, 0, 0], [1, 2, 3], ["a", "b", "c"], lower_is_positive=True)
    with pytest.raises(UsageError, match="opposite directions"):
        pair([OLD, turned])


def of_classes(name, classes, labels, ids, **more):
    source = Source(f"{name}.csv", len(labels), len(labels), 0, "", **more)
    scores = {name: np.arange(3.0 * len(labels)).reshape(-1, 3)}
    return ClassPredictions(classes, np.array(labels), scores, np.array(ids, dtype=object), sources=(source,))


def test_cases_of_several_classes_are_matched_by_id():
    one = of_classes("one", tuple("xyz"), [0, 1, 2, 1], list("abcd"))
    other = of_classes("other", tuple("xyz"), [2, 0, 1], list("cab"), dropped=1, dropped_ids=("d",))
    paired = pair([one, other])
    assert paired.scores["other"][:, 0].tolist() == [3, 6, 0]
    assert [(source.n, source.positives, source.dropped) for source in paired.sources] == [(3, 3, 1), (3, 3, 1)]
    with pytest.raises(InputError, match=r"id 'a' is x in one.csv and y in other.csv"):
        pair([one, of_classes("other", tuple("xyz"), [1, 1, 2, 1], list("abcd"))])
    with pytest.raises(InputError, match=r"x, y, z.*y, x, z"):
        pair([one, of_classes("other", tuple("yxz"), [0, 1, 2, 1], list("abcd"))])
