"""JSON lines mean what csv means, cell by cell."""

import gzip
from math import inf

import pytest

from rocconf.errors import InputError
from rocconf.read import Input, Wanted, open_table, read_frame, read_predictions, read_table


def read(text, *, name="scores.jsonl", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_table(Input(name, None, data), Wanted(**options))


def refused(text, **options):
    with pytest.raises(InputError) as caught:
        read(text, **options)
    return caught.value.text("shell")


GOOD = '{"label": 1, "score": 0.9}\n{"score": 0.25, "label": 0}\n'


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "A.JSONL", "a.json"])
def test_each_line_is_a_row_and_the_order_of_keys_does_not_matter(name):
    cases = read(GOOD, name=name)
    assert (cases.labels.tolist(), cases.scores["score"].tolist()) == ([True, False], [0.9, 0.25])


def test_blank_lines_line_ends_and_a_mark_are_nothing():
    assert read(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n\r\n  \n").encode()).labels.tolist() == [True, False]


def test_files_may_be_compressed(tmp_path):
    path = tmp_path / "scores.jsonl.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert read_predictions(path).scores["score"].tolist() == [0.9, 0.25]


@pytest.mark.parametrize(
    ("one", "other", "positive"),
    [("1", "0", None), ("true", "false", None), ('"yes"', '"no"', "yes"), ("1.0", "0e0", None), ("2", "3", "2")],
)
def test_labels_may_be_numbers_truth_values_or_texts(one, other, positive):
    cases = read(f'{{"label": {one}, "score": 0.9}}\n{{"label": {other}, "score": 0.2}}\n', positive=positive)
    assert cases.labels.tolist() == [True, False]


@pytest.mark.parametrize("missing", ['"score": null', '"score": NaN', '"score": ""', '"other": 1'])
def test_a_missing_score_is_a_fault_or_dropped(missing):
    text = GOOD + f'{{"label": 1, {missing}}}\n'
    assert refused(text).startswith("scores.jsonl: line 3: score has no value")
    assert read(text, na="drop").sources[0].dropped == 1


def test_infinities_rank():
    text = '{"label": 1, "score": Infinity}\n{"label": 0, "score": "-inf"}\n'
    assert read(text).scores["score"].tolist() == [inf, -inf]


def test_every_fault_has_its_line():
    faults = [
        '{"label": 3, "score": 0.1}',
        '{"label": 1, "score": "high"}',
        '{"label": 1, "score": true}',
        "[1, 2]",
        '{"label": 1, "score":',
        '{"label": 1, "label": 0, "score": 1}',
        '{"label": 1, "score": "\\ud800"}',
    ]
    lines = []
    for at, fault in enumerate(faults):
        message = refused(GOOD + "\n" + fault + "\n" + GOOD)
        assert message.startswith("scores.jsonl: line 4: "), (at, message)
        lines.append(message.partition("line 4: ")[2].partition("\n")[0])
    assert lines[0] == "label '3' is neither 0 nor 1"
    assert lines[1] == "score 'high' is not a number"
    assert lines[2] == "score 'true' is not a number"
    assert all(line.startswith("not a JSON object (") for line in lines[3:])
    assert "a key stands there twice" in lines[5]
    assert refused("\n".join([GOOD, *faults])).startswith("scores.jsonl: 7 faults\n")


def test_deep_brackets_and_bytes_that_are_no_text_are_faults():
    assert "line 3: not a JSON object" in refused(GOOD + "[" * 100_000)
    assert "line 3: byte 0xff is not UTF-8 text" in refused(GOOD.encode() + b'{"label": 1, "score": "\xff"}')


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("rocconf.read.json_lines.LONGEST_LINE", 100)
    assert "line 3: not a JSON object (longer than 100 bytes)" in refused(GOOD + " " * 200 + GOOD)


def test_a_damaged_file_is_refused():
    data = gzip.compress((GOOD * 5000).encode())[:-20]
    assert "from here on the file is damaged" in refused(data, name="scores.jsonl.gz")


def test_nested_values_are_refused_wherever_they_stand():
    nested = '{"label": 1, "score": [0.5]}\n'
    assert "column 'score' is nested" in refused(nested + GOOD)
    assert refused(GOOD * 600 + nested).endswith("line 1201: score holds a list or an object")
    assert read('{"label": 1, "score": 1, "more": {"a": [1]}}\n' + GOOD).models == ("score",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty; each line must be a JSON object"),
        ("\n \n", "the file is empty; each line must be a JSON object"),
        ("{}\n", "the file is empty; each line must be a JSON object"),
        ('[\n{"label": 1}\n]', "each line must be an object, as jq -c '.[]' scores.jsonl writes it"),
        ('{\n "schema": "rocconf/sweep/3"\n}', "is a report of rocconf, which has no cases; rocconf gate scores.jsonl"),
        ("label,score\n1,0.9\n", "line 1: not a JSON object"),
    ],
)
def test_what_is_no_file_of_json_lines_is_told_what_it_is(text, says):
    assert says in refused(text)


def test_a_key_that_first_occurs_late_is_a_column():
    text = '{"label": 1, "score": 0.5}\n' * 1500 + '{"label": 0, "score": 0.4, "late": 7}\n'
    assert open_table(Input("a.jsonl", None, text.encode())).header == ["label", "score", "late"]


def test_whole_numbers_keep_their_digits():
    text = '{"label": 1, "score": 0.5, "id": 9007199254740993}\n{"label": 0, "score": 0.4, "id": 9007199254740992}\n'
    assert read(text).ids.tolist() == ["9007199254740993", "9007199254740992"]
    assert "64-bit float cannot hold" in refused(text.replace("score", "x").replace("id", "score"))


def test_what_may_be_a_score_is_what_may_be_one_elsewhere():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"label": [1, 0, 1], "a": [0.5, 0.25, 1.0], "n": [3, 4, 5], "b": [7.5, 8.0, 9.0]})
    lines = frame.to_json(orient="records", lines=True)
    assert read(lines, several=True).models == read_frame(frame).models == ("a",)
