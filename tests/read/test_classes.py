"""Which column holds the scores of which class, and which labels are classes."""

import numpy as np
import pytest

from rocconf import read_classes
from rocconf.errors import InputError, TooFewCasesError, UsageError
from rocconf.read import UnnamedError
from rocconf.read.classes import parse_class_column

PETS = "label,p_cat,p_dog,p_big cat\n" + "cat,.5,.3,.2\ndog,.1,.8,.1\nbig cat,.3,.3,.4\ndog,.2,.5,.3\n"


@pytest.fixture
def read(tmp_path):
    """Read a text as a file."""

    def read(text, name="a.csv", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_classes(path, **options)

    return read


def renamed(text, **names):
    header, _, rest = text.partition("\n")
    for old, new in names.items():
        header = header.replace(old, new)
    return f"{header}\n{rest}"


def test_columns_are_found_by_the_names_of_the_classes_after_a_common_prefix(read):
    cases = read(PETS)
    assert (cases.classes, cases.models) == (("big cat", "cat", "dog"), ("p",))
    assert cases.labels.tolist() == [1, 2, 0, 2]
    assert cases.scores["p"].tolist() == [[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.4, 0.3, 0.3], [0.3, 0.2, 0.5]]
    (source,) = cases.sources
    assert (source.n, source.positive, source.dropped) == (4, "big cat, cat, dog", 0)


@pytest.mark.parametrize("prefix", ["", "score ", "a.b-", "probability of "])
def test_any_prefix_will_do_and_the_file_names_a_model_without_one(read, prefix):
    cases = read(PETS.replace("p_", prefix), name="pets.csv")
    assert cases.models == (prefix.strip("_-.: /") or "pets",)
    assert cases.scores[cases.models[0]][0].tolist() == [0.2, 0.5, 0.3]


@pytest.mark.parametrize("labels", [["0", "1", "11"], ["0.0", "1.0", "11.0"], ["0", "1.0", "11.0"]], ids=str)
def test_numbers_are_classes_whatever_their_spelling_and_in_their_order(read, labels):
    rows = "".join(f"{label},.{at},.2,.3\n" for at, label in enumerate(reversed(labels)))
    cases = read(f"label,p11,p0,p1\n{rows}")
    assert [float(name) for name in cases.classes] == [0, 1, 11]
    assert cases.labels.tolist() == [2, 1, 0]
    assert cases.scores["p"][:, 2].tolist() == [0.0, 0.1, 0.2]


def test_each_prefix_is_a_model_and_names_choose_some(read):
    text = "label,old_a,old_b,new_a,new_b\n" + "a,.9,.1,.8,.2\nb,.4,.6,.3,.7\n"
    assert read(text).models == ("old", "new")
    assert read(text, score="new").models == ("new",)
    assert read(text, score=["new_", "old"]).models == ("new", "old")
    with pytest.raises(InputError, match=r"no model 'x' has a column for each class \(found: old, new\)"):
        read(text, score="x")


def test_named_columns_are_those_of_the_classes_in_their_order(read):
    cases = read(PETS, classes={"dog": "p_dog", "cat": "p_big cat", "big cat": "p_cat"})
    assert (cases.classes, cases.models) == (("dog", "cat", "big cat"), ("p",))
    assert cases.scores["p"][0].tolist() == [0.3, 0.2, 0.5]
    both = read("label,u,v,w,x\n" + "a,.9,.1,.8,.2\nb,.4,.6,.3,.7\n", classes={"a": ["u", "w"], "b": ["v", "x"]})
    assert both.models == ("a1", "a2")
    assert both.scores["a2"].tolist() == [[0.8, 0.2], [0.3, 0.7]]


def test_a_class_called_like_a_missing_value_can_be_named(read):
    text = "label,p_none,p_dog\n" + "none,.9,.1\ndog,.4,.6\n"
    cases = read(text, classes={"none": "p_none", "dog": "p_dog"})
    assert cases.labels.tolist() == [0, 1]


def test_a_column_of_a_class_without_cases_is_a_class_too(read):
    text = PETS.replace("big cat,.3", "cat,.3")
    cases = read(text)
    assert cases.classes == ("big cat", "cat", "dog")
    assert np.bincount(cases.labels, minlength=3).tolist() == [0, 2, 2]
    assert read(text, classes={"cat": "p_cat", "dog": "p_dog"}).classes == ("cat", "dog")


@pytest.mark.parametrize("other", ["p_id", "p_date", "q_bird", "p_"])
def test_other_columns_are_no_classes(read, other):
    rows = [f"{line},7" for line in PETS.splitlines()[1:]]
    cases = read("\n".join([f"{PETS.splitlines()[0]},{other}", *rows]) + "\n")
    assert cases.classes == ("big cat", "cat", "dog")


def test_a_column_of_text_after_the_prefix_is_no_class(read):
    rows = [f"{line},x" for line in PETS.splitlines()[1:]]
    assert read("\n".join([f"{PETS.splitlines()[0]},p_note", *rows]) + "\n").classes == ("big cat", "cat", "dog")


def test_a_slice_keeps_the_classes_of_the_file(read):
    text = "label,group,a,b,c\n" + "a,x,.9,.1,0\nb,x,.4,.6,0\nc,y,.1,.1,.8\na,y,.5,.2,.3\n"
    cases = read(text, where="group=x")
    assert (cases.classes, len(cases)) == (("a", "b", "c"), 2)
    assert np.bincount(cases.labels, minlength=3).tolist() == [1, 1, 0]


def test_a_class_that_a_slice_leaves_out_needs_no_column(read):
    text = "label,a,b\n" + "a,.9,.1\nb,.4,.6\nother,.1,.1\n"
    with pytest.raises(InputError, match="class 'other' has no column of scores: 'other' is missing"):
        read(text)
    assert read(text, where="label!=other").classes == ("a", "b")


def test_a_label_that_no_column_was_named_for_is_a_fault_of_its_line(read):
    with pytest.raises(InputError) as caught:
        read(PETS, classes={"cat": "p_cat", "dog": "p_dog"})
    assert "line 4: label 'big cat' is none of the classes 'cat', 'dog'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PETS.replace(".5,.3,.2", ".5,,.2"), "line 2: p_dog has no value"),
        (PETS.replace(".5,.3,.2", ".5,nan,.2"), "line 2: p_dog has no value"),
        (PETS.replace(".5,.3,.2", ".5,x,.2"), "line 2: p_dog 'x' is not a number"),
        (PETS.replace("\ncat,", "\n,"), "line 2: label has no value"),
        (PETS.replace("p_big cat", "big_cat"), "class 'big cat' has no column of scores: 'p_big cat' is missing"),
        ("label,x,z\na,.1,.2\nb,.3,.4\n", "the classes 'a', 'b' have no columns of scores"),
        ("label,a,b\na,.1,.2\na,.3,.4\n", "label has one class (a), and two or more are needed"),
        ("label,a,b\n", "label has one class (none)"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(read, text, said):
    with pytest.raises(InputError) as caught:
        read(text)
    assert said in str(caught.value)


def test_missing_values_are_dropped_and_counted(read):
    cases = read(PETS.replace(".5,.3,.2", ".5,,.2"), na="drop")
    assert (len(cases), cases.sources[0].dropped) == (3, 1)
    assert cases.classes == ("big cat", "cat", "dog")


def test_a_label_of_very_many_values_is_none(read):
    rows = "".join(f"c{at},.1,.2\n" for at in range(101))
    with pytest.raises(InputError, match="label has more than 100 values"):
        read(f"label,a,b\n{rows}")


def test_the_label_must_be_named(read):
    with pytest.raises(UnnamedError) as caught:
        read(PETS.replace("label", "pet"))
    assert caught.value.answers == {"label": ("pet",)}


@pytest.mark.parametrize("form", [".parquet", ".jsonl", ".csv.gz"])
def test_every_form_has_the_same_classes(read, tmp_path, form):
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(PETS.encode())
    path = tmp_path / f"a{form}"
    if form == ".parquet":
        frame.write_parquet(path)
    elif form == ".jsonl":
        frame.write_ndjson(path)
    else:
        import gzip

        path.write_bytes(gzip.compress(PETS.encode()))
    there, here = read_classes(path), read(PETS)
    assert (there.classes, there.models) == (here.classes, here.models)
    assert there.labels.tolist() == here.labels.tolist()
    assert there.scores["p"].tolist() == here.scores["p"].tolist()


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ({"cat": "p_cat"}, "two classes or more need a column"),
        ({"1": "p_cat", "1.0": "p_dog"}, "two classes or more need a column"),
        ({"cat": ["p_cat", "p_dog"], "dog": "p_big cat"}, "a column of scores for each model (found: cat 2, dog 1)"),
        ({"cat": "p_cat", "dog": "p_cat"}, "score column 'p_cat' is named twice"),
        ({"cat": "p_cat", "dog": "label"}, "column 'label' cannot be both the label and a score"),
    ],
    ids=str,
)
def test_columns_that_make_no_sense_are_refused(read, classes, said):
    with pytest.raises(UsageError) as caught:
        read(PETS, label="label", classes=classes)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["cat", "=p_cat", "cat=", " = "])
def test_a_class_and_its_column_are_written_with_a_sign_between(text):
    with pytest.raises(UsageError, match="the name of a class and the column of its scores"):
        parse_class_column(text)


def test_a_file_without_rows_of_a_slice_is_told_so(read):
    with pytest.raises(TooFewCasesError):
        read(PETS, where="label=bird")


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("label,a,b\n", {}, "no rows below the header"),
        ("label,a,b\na,,0.1\nb,0.2,\n", {"na": "drop"}, "all 2 rows have missing values"),
        ("label,x,a,b\na,1,0.1,0.2\nb,1,0.3,0.2\n", {"where": "x=2"}, "no row with x=2"),
    ],
)
def test_a_file_without_cases_of_named_classes_is_refused(tmp_path, text, options, said):
    (tmp_path / "empty.csv").write_text(text, encoding="utf-8")
    with pytest.raises(TooFewCasesError, match=said):
        read_classes(tmp_path / "empty.csv", classes={"a": "a", "b": "b"}, **options)
