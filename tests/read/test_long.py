"""Long tables have a row for each case and model."""

import re

import numpy as np
import pandas as pd
import pytest

from rocconf.conditions import parse_conditions
from rocconf.errors import InputError, UsageError
from rocconf.gate.config import read_config
from rocconf.read import Input, Wanted, read_frame, read_table
from rocconf.records import Predictions

HEADER = "id,label,score,kind\n"
ROWS = ["a,1,0.9,old", "b,0,0.2,old", "a,1,0.8,new", "c,0,0.1,old", "c,0,0.3,new", "b,0,0.4,new"]


def read(rows, *, header=HEADER, model="kind", where=(), **options):
    wanted = Wanted(model=model, where=parse_conditions(where, "where"), **options)
    return read_table(Input("long.csv", None, (header + "\n".join(rows) + "\n").encode()), wanted)


def refused(rows, **options):
    with pytest.raises(InputError) as caught:
        read(rows, **options)
    return str(caught.value)


def without_ids(rows):
    return {"rows": [row.partition(",")[2] for row in rows], "header": HEADER.partition(",")[2]}


def test_rows_are_paired_by_their_ids_in_any_order():
    cases = read(ROWS)
    assert cases.ids.tolist() == ["a", "b", "c"]
    assert cases.labels.tolist() == [True, False, False]
    assert {name: scores.tolist() for name, scores in cases.scores.items()} == {
        "old": [0.9, 0.2, 0.1],
        "new": [0.8, 0.4, 0.3],
    }
    assert (cases.sources[0].n, cases.sources[0].positives, cases.sources[0].dropped) == (3, 1, 0)


def test_a_data_frame_may_be_long():
    frame = pd.DataFrame({"who": [1, 2, 1, 2], "kind": list("ffgg"), "label": [1, 0, 1, 0], "s": [0.5, 0.25, 0.1, 0.9]})
    cases = read_frame(frame, model="kind", id="who", score="s")
    assert {name: scores.tolist() for name, scores in cases.scores.items()} == {"f": [0.5, 0.25], "g": [0.1, 0.9]}


def test_a_pair_that_stands_there_twice_is_an_error_with_both_lines():
    message = refused([*ROWS, "b,0,0.2,old", "b,0,0.7,old"])
    assert "line 8: id 'b' of model 'old' is already on line 3\n" in message
    assert "line 9: id 'b' of model 'old' is already on line 3" in message


def test_missing_pairs_are_counted_and_five_of_them_spelled_out():
    more = [f"x{at},1,0.5,new" for at in range(7)]
    message = refused([*ROWS[1:], *more])
    assert message.startswith(
        "long.csv: 8 faults\n  id 'a' has no row of model 'old'\n  id 'x0' has no row of model 'old'"
    )
    assert message.count("has no row of model") == 5
    assert "and 3 more\n  (every case needs a row of each model)" in message


def test_the_labels_of_a_case_agree():
    message = refused([*ROWS[:-1], "b,1,0.4,new"])
    assert message == "long.csv: line 7: id 'b' is positive here, but negative on line 3"
    assert "is negative here, but positive on line 2" in refused([row.replace("a,1,0.8", "a,0,0.8") for row in ROWS])
    assert "line 7: id 'b'" in refused([*ROWS[:-1], "b,1,0.4,new"], pairing="none")


def test_several_models_need_ids_only_where_they_are_paired():
    assert "2 models (old, new) are compared case by case" in refused(**without_ids(ROWS))
    for pairing in ("if_ids", "none"):
        old, new = read(**without_ids(ROWS), pairing=pairing)
        assert (old.model, old.scores.tolist(), old.p, old.q) == ("old", [0.9, 0.2, 0.1], 1, 2)
        assert (new.model, new.scores.tolist()) == ("new", [0.8, 0.4, 0.3])
        assert new.sources[0].n == 3
    only_one = read(**without_ids(ROWS[:2]))
    assert isinstance(only_one, Predictions)
    assert only_one.models == ("old",)


def test_models_may_be_on_different_cases_only_if_nothing_is_paired():
    rows = [*ROWS, "d,1,0.6,new"]
    assert "id 'd' has no row of model 'old'" in refused(rows, pairing="if_ids")
    old, new = read(rows, pairing="none")
    assert (old.n, new.n) == (3, 4)


def test_a_case_is_dropped_for_every_model_if_one_row_has_no_value():
    rows = [*ROWS[:-1], "b,0,,new", "d,1,nan,old", "d,1,0.5,new"]
    cases = read(rows, na="drop")
    assert cases.ids.tolist() == ["a", "c"]
    assert (cases.sources[0].dropped, cases.sources[0].dropped_ids) == (2, ("b", "d"))
    assert "2 rows without a value were left out, 2 are left" in str(cases.sources[0].caveats[0])
    old, new = read(rows, na="drop", pairing="none")
    assert (old.sources[0].dropped, new.sources[0].dropped) == (1, 1)
    assert "long.csv: 2 faults\n  line 7: score has no value\n  line 8: score has no value" in refused(rows)


def test_a_dropped_row_without_an_id_is_an_error():
    assert "has no id either" in refused([*ROWS, ",1,,old"], na="drop")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (",1,0.5,old", "line 8: the id has no value"),
        ("d,1,0.5,", "line 8: kind has no value"),
        ("d,maybe,0.5,old", "line 8: label 'maybe' is neither 0 nor 1"),
        ("d,1,high,old", "line 8: score 'high' is not a number"),
    ],
)
def test_every_fault_has_its_line(row, fault):
    assert refused([*ROWS, row]).startswith(f"long.csv: {fault}")


def test_a_slice_may_pick_the_models():
    assert read(ROWS, where=["kind=new"]).models == ("new",)
    assert refused(ROWS, where=["kind=other"]) == "long.csv: no row with kind=other (found kind: old, new)"
    assert "no rows below the header" in refused([])


def test_both_classes_are_needed():
    assert "only one class: 0 of 2 cases are positive" in refused([ROWS[1], ROWS[3]])
    rows = [*ROWS, "d,0,0.6,third"]
    assert "only one class: third has 0 positives and 1 negatives" in refused(rows, pairing="none")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"score": ("a", "b")}, "takes one score column"),
        ({"label": "kind"}, "column 'kind' cannot be the models"),
        ({"id": "kind"}, "column 'kind' cannot be the models"),
        ({"score": ("kind",)}, "column 'kind' cannot be the models"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, says):
    with pytest.raises(UsageError, match=re.escape(says)):
        Wanted(model="kind", **options)


def test_the_score_is_found_as_elsewhere():
    rows = ["1,0.5,x", "0,0.25,x"]
    assert read(rows, header="label,p_a,kind\n").scores["x"].tolist() == [0.5, 0.25]
    assert "which column is the score" in refused(rows, header="label,p_a,kind\n", for_rules=True)
    two = {"header": "label,p_a,p_b,kind\n", "several": True}  # as for compare, whose models are the columns elsewhere
    assert "which column is the score" in refused(["1,0.5,0.5,x", "0,0.25,0.5,x"], **two)
    assert "no column 'kin'" in refused(rows, header="label,p_a,kind\n", model="kin")
    with pytest.raises(UsageError, match="cannot be the models"):
        read(["1,0.5", "0,0.25"], header="y,score\n", model="y")


def test_a_long_file_that_is_read_as_a_wide_one_is_warned_of():
    options = {"header": "label,score,model\n", "model": None}
    rows = ["1,0.9,old", "0,0.2,old", "1,0.8,new", "0,0.1,new"]

    def codes(cases):
        return [caveat.code for caveat in cases.sources[0].caveats]

    assert codes(read(rows, **options)) == ["models-in-one"]
    assert codes(read(rows[:2], **options)) == []
    assert codes(read(rows, **options, where=["model=old"])) == []
    assert codes(read(rows, header="label,score,model\n", model="model", where=["model=old"])) == []


def test_a_counts_file_names_its_models_itself():
    assert "names its models in its column model" in refused(["0.5,1,2"], header="score,positives,negatives\n")


def test_many_models_and_cases_are_those_of_the_wide_table():
    random = np.random.default_rng(5)
    scores, labels = random.random((200, 150)), random.random(150) < 0.5
    frame = pd.DataFrame(
        {
            "id": np.tile(np.arange(150), 200),
            "label": np.tile(labels, 200),
            "score": scores.ravel(),
            "model": np.repeat([f"m{at}" for at in range(200)], 150),
        }
    )
    cases = read_frame(frame.sample(frac=1, random_state=1), model="model")
    assert len(cases.models) == 200
    order = cases.ids.astype(int)
    assert all((cases.scores[f"m{at}"] == scores[at][order]).all() for at in range(200))
    assert (cases.labels == labels[order]).all()


def test_the_configuration_may_name_the_column(tmp_path):
    path = tmp_path / "rocconf.toml"
    path.write_text('[data]\nmodel = "kind"\n', encoding="utf-8")
    assert read_config(path, ["compare"]).data == {"model": "kind"}
