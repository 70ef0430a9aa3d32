"""Which column is what: by usual names, by numbers, or as asked for."""

import pytest

from rocconf.errors import InputError, UsageError
from rocconf.messages import CATALOGUE
from rocconf.read import Input, Wanted, read_predictions, read_table
from rocconf.read.candidates import LABELS, SCORES
from rocconf.read.layout import Layout

GOOD = b"label,score\n1,0.9\n0,0.1\n"


def read(text, **options):
    return read_table(Input("scores.csv", None, text.encode()), Wanted(**options))


def refused(text, **options):
    with pytest.raises(InputError) as caught:
        read(text, **options)
    return str(caught.value)


@pytest.mark.parametrize("name", SCORES)
def test_a_usual_name_makes_a_column_the_score(name):
    assert read(f"age,label,{name}\n40,1,0.9\n50,0,0.1\n").models == (name,)


@pytest.mark.parametrize("name", LABELS)
def test_a_usual_name_makes_a_column_the_label(name):
    assert read(f"score,{name}\n0.9,1\n0.1,0\n").labels.tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("label,score,prob\n1,0.9,0.8\n0,0.1,0.2\n", "score, prob"),
        ("label,age,y_prob,p\n1,40,0.9,0.8\n0,50,0.1,0.2\n", "y_prob, p"),
        ("label,score,prob\n1,0.9,high\n0,0.1,low\n", "score, prob"),
    ],
    ids=["two", "two beside another number", "one of them text"],
)
@pytest.mark.parametrize("several", [False, True])
def test_several_default_score_columns_are_an_error_that_lists_them(text, listed, several):
    assert f"  scores could be: {listed}\n" in refused(text, several=several)
    name = listed.partition(",")[0]
    assert read(text, score=(name,), several=several).models == (name,)


def test_one_usual_score_column_is_the_only_model_even_where_several_are_wanted():
    assert read("label,age,score\n1,40,0.9\n0,50,0.1\n", several=True).models == ("score",)


def test_a_column_with_two_uses_is_read_as_text():
    uses = {"label": 0, "scores": (1, 2), "id": 2, "where": ((3, "a"), (1, "0.5"))}
    assert Layout(header=("y", "a", "b", "c"), **uses).kinds == {0: "label", 1: "text", 2: "text", 3: "text"}


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r", "semi"])
def test_a_delimiter_is_one_character(delimiter):
    with pytest.raises(UsageError, match="delimiter takes one character"):
        Wanted(delimiter=delimiter)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"na": "omit"}, "na takes error or drop, not 'omit'"),
        ({"score": ("a", "b", "a")}, "score column 'a' is named twice"),
        ({"positive": ""}, "positive takes the name of a class"),
        ({"score": ("label",)}, "column 'label' cannot be both the label and a score"),
    ],
)
def test_options_that_contradict_each_other_or_have_no_meaning_are_refused(options, message):
    with pytest.raises(UsageError) as caught:
        read_table(Input("scores.csv", None, GOOD), Wanted(**options))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "options", "shell"),
    [
        ("a,score\n1,2\n0,3\n", {}, "try: --label a"),
        ("label,a,b\n1,0.2,0.3\n", {}, "try: --score a"),
        ("label;score\n1;2\n", {}, "try: --delimiter ';'"),
        ("label,score\na,1\nb,2\n", {}, "try: --positive a"),
        ("label,score\na,1\nb,2\n", {"positive": "c"}, "no label equals --positive 'c'"),
        ("label,score\n1,\n0,2\n", {}, "--na drop leaves out"),
    ],
)
def test_the_shell_names_options_where_the_library_names_parameters(text, options, shell):
    with pytest.raises(InputError) as caught:
        read(text, **options)
    assert shell in caught.value.text("shell")
    assert "--" not in str(caught.value)


def test_the_code_of_an_error_is_that_of_its_first_fault():
    with pytest.raises(InputError) as caught:
        read("label,score\n1,0.9\n0,high\n")
    assert caught.value.code == "not-a-number"
    assert caught.value.code in CATALOGUE


def test_many_spellings_are_not_taken_for_two_classes(tmp_path):
    """Five cells of two meanings were spelled out, and a third meaning comes after them."""
    path = tmp_path / "a.csv"
    path.write_text('label,score\n"a",1\n" a",2\n"a ",3\n"  a",4\n"b",5\n"c",6\n', encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_predictions(path)
    assert {fault.code for fault in raised.value.faults} == {"label-unknown"}


CLASSES = "label,score\na,0.9\nb,0.1\nc,0.2\n,0.5\nb,0.3\n"


def test_the_rest_of_the_classes_is_negative():
    cases = read(CLASSES, positive="a", rest=True, na="drop")
    assert cases.labels.tolist() == [True, False, False, False]
    assert (cases.sources[0].positive, cases.sources[0].dropped) == ("a", 1)


def test_a_missing_label_is_no_class_of_the_rest():
    assert "line 5: label has no value" in refused(CLASSES, positive="a", rest=True)


def test_the_positive_class_of_the_rest_needs_a_name():
    with pytest.raises(UsageError, match="positive=NAME"):
        read(CLASSES, rest=True)
    assert "no label equals positive='A'" in refused(CLASSES, positive="A", rest=True, na="drop")


@pytest.mark.parametrize("options", [{}, {"positive": "b"}], ids=str)
def test_a_third_class_names_the_rest(options):
    assert "rest takes that of positive=NAME as positive and all others as negative" in refused(
        CLASSES, na="drop", **options
    )


def test_two_classes_do_not_name_the_rest():
    assert "rest" not in refused("label,score\n1,0.9\n1,0.1\nx,0.2\n")
