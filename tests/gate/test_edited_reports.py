"""A report that was changed after it was written is refused, and one that was only formatted anew is not.

Every value of a genuine report of each command and design is changed, emptied, spelled as text, swapped and removed, one
at a time; `make test` takes some of these edits.
"""

import copy
import json
from random import Random

import pytest
from analyses import RUNS
from conftest import SAMPLE_DATA
from gating import judged, read
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.errors import InputError
from rocconf.seal import EMBEDDED, digest_of

pytestmark = pytest.mark.usefixtures("few_replicates")


def text_of(name):
    return RUNS[name].text


def refusal(text):
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


def nodes(value, path=()):
    """Yield the path of every value in a report."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if path:
        yield path
    for key, each in parts:
        yield from nodes(each, (*path, key))


def other_values(value):
    """Give other values for one: `...` removes it."""
    numbers = [value + 1, value * (1 + 1e-15) + 5e-324, -value - 1e9, str(value)] if type(value) in (int, float) else []
    flags = [not value, int(value)] if isinstance(value, bool) else []
    texts = [value + "x", value.upper() + " "] if isinstance(value, str) else []
    lists = [value[::-1], value * 2] if isinstance(value, list) and value[::-1] != value else []
    return [*numbers, *flags, *texts, *lists, None if value is not None else 0, [value], ...]


def at(record, path):
    for key in path:
        record = record[key]
    return record


def changed(record, path, value):
    again = copy.copy(record)
    inner = again
    for key in path[:-1]:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return again


@pytest.mark.parametrize("most", [40, pytest.param(800, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("command", RUNS)
def test_every_changed_value_is_found(command, most):
    record = json.loads(text_of(command))
    assert read(json.dumps(record)).gates
    of_seal = record["digest"], record["digest"], record.get("hmac")
    paths, random = list(nodes(record)), Random(1)
    for path in random.choices(paths, k=most):
        value = random.choice([*other_values(at(record, path)), "swapped"])
        if value == "swapped":
            other = next(each for each in paths if at(record, each) not in (at(record, path), None))
            edited = changed(changed(record, path, at(record, other)), other, at(record, path))
        else:
            edited = changed(record, path, value)
        assert (digest_of(edited), edited.get("digest"), edited.get("hmac")) != of_seal, path
        with pytest.raises(InputError):
            read(json.dumps(edited))


@pytest.mark.parametrize("command", RUNS)
def test_a_report_that_was_formatted_anew_has_its_verdicts(command):
    record = json.loads(text_of(command))
    expected = [verdict.to_dict() for verdict in judged(text_of(command))]
    for text in (
        json.dumps(turned(record), indent=4),
        json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        json.dumps(as_floats(record)),
        "\ufeff" + json.dumps(record),
        f"<!doctype html>\n{EMBEDDED}{json.dumps(record)}</script>",
    ):
        assert [verdict.to_dict() for verdict in judged(text)] == expected


def turned(value):
    """Return a value with the keys of all objects in another order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return list(map(turned, value)) if isinstance(value, list) else value


def as_floats(value):
    """Return a value with all numbers as floats."""
    if isinstance(value, dict):
        return {key: as_floats(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(as_floats, value))
    return float(value) if type(value) is int else value


@examples(300)
@given(st.data())
def test_bytes_that_change_are_found_or_mean_the_same(data):
    text = text_of("sweep").encode()
    place, size = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 6))
    piece = data.draw(st.binary(max_size=4) | st.sampled_from([b"0", b" ", b",", b"}", b"]", b'"', b"null", b"1e400"]))
    edited = text[:place] + piece + text[place + size :]
    try:
        saved = read(edited)
    except InputError:
        return
    assert digest_of(saved.record) == json.loads(text)["digest"]


@pytest.mark.parametrize("step", [101, pytest.param(3, marks=pytest.mark.thorough)])
def test_every_byte_of_the_report_in_a_page_counts(step, rocconf, tmp_path):
    rocconf("sweep", SAMPLE_DATA / "table1.csv", "--require", "auc >= 0.1", "-o", "a.html", "-q")
    page = (tmp_path / "a.html").read_bytes()
    start = page.index(EMBEDDED.encode())
    end = page.index(b"</script>", start) + len(b"</script>")
    assert read(page).gates
    accepted = 0
    for place in range(start, end, step):
        for other in (page[place] ^ 1, ord(" ")):
            edited = page[:place] + bytes([other]) + page[place + 1 :]
            try:
                saved = read(edited)
            except InputError:
                continue
            accepted += 1
            assert digest_of(saved.record) == read(page).record["digest"], place
    assert accepted < (end - start) / step


def twice(key, value):
    """Return a report with a key that is there twice."""
    return text_of("sweep").replace(f'"{key}": ', f'"{key}": {value}, "{key}": ', 1)


MARK = '"exit_code": '


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lambda: "", "not valid JSON"),
        (lambda: "[]", "not a rocconf report"),
        (lambda: "null", "not a rocconf report"),
        (lambda: "[" * 100_000, "not valid JSON"),
        (lambda: "9" * 5000, "not valid JSON"),
        (lambda: text_of("sweep")[:-1], "not valid JSON"),
        (lambda: text_of("sweep") * 2, "not valid JSON"),
        (lambda: text_of("sweep") + "\n" + text_of("tango"), "not valid JSON"),
        (lambda: twice("gates", "[]"), "the key 'gates' stands there twice"),
        (lambda: twice("form", '"known"'), "the key 'form' stands there twice"),
        (lambda: twice("digest", '"0"'), "the key 'digest' stands there twice"),
        (lambda: text_of("sweep").replace(MARK, '"x": NaN, ' + MARK), "NaN is not a number"),
        (lambda: text_of("sweep").replace(MARK, '"x": -Infinity, ' + MARK), "-Infinity is not a number"),
        (lambda: text_of("sweep").replace(MARK, '"x": 1e400, ' + MARK), "not valid JSON"),
        (lambda: text_of("sweep").replace(MARK, f'"x": {"9" * 5000}, ' + MARK), "not valid JSON"),
        (lambda: text_of("sweep").replace(MARK, f'"x": {"9" * 400}, ' + MARK), "changed since it was written"),
        (lambda: text_of("sweep").replace(MARK, '"x": "\\udcff", ' + MARK), "changed since it was written"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/compare/3"), "changed since it was written"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/2"), "run rocconf sweep again"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/4"), "written by another version"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep/03"), "written by another version"),
        (lambda: text_of("sweep").replace('"digest"', '"Digest"'), "written by another version"),
        (lambda: text_of("sweep").replace("rocconf/sweep/3", "rocconf/sweep"), "not a rocconf report"),
        (lambda: text_of("sweep").replace('"digest": "', '"digest": null, "x": "'), "changed since it was written"),
    ],
)
def test_what_is_not_a_report_as_it_was_written_is_refused(text, said):
    assert said in refusal(text())


@pytest.mark.parametrize("key", ["evidence", "options", "tables", "digest", "caveats"])
def test_parts_of_two_reports_make_no_report(key):
    one, other = (json.loads(text_of(command)) for command in ("sweep", "sweep of bins"))
    assert "changed since it was written" in refusal(json.dumps({**one, key: other[key]}))


@pytest.mark.parametrize("command", RUNS)
def test_rows_are_sealed_unless_they_are_of_thresholds(command):
    result = RUNS[command].result
    record = json.loads(json.dumps(result.to_dict(rows=True)))
    assert ("unsealed" in record) == result.rows_are_thresholds
    without = json.dumps({key: value for key, value in record.items() if key != "rows"})
    if result.rows_are_thresholds:
        assert read(without).models == read(json.dumps(record)).models
        assert "rows" not in json.loads(text_of(command))
        for key, value in (("unsealed", ["rows", "gates"]), ("unsealed", []), ("rows", [])):
            assert "changed since" in refusal(json.dumps({**json.loads(text_of(command)), key: value}))
    else:
        assert "changed since" in refusal(without)


@pytest.mark.parametrize("edit", ["gate", "baseline", "plan"])
def test_every_reader_of_reports_refuses_an_edited_one(edit, rocconf, tmp_path):
    text = text_of("sweep")
    record = json.loads(text)
    record["evidence"][0]["n"] += 1
    cases = SAMPLE_DATA / "dis.csv"
    runs = {
        "gate": ("gate", "a.json", "--require", "auc >= 0.1"),
        "plan": ("plan", "a.json", "--require", "auc >= 0.1"),
        "baseline": ("compare", cases, "--score", "S", "--baseline", "a.json", "--at", "threshold=0.2"),
    }
    for content in (text, json.dumps(record)):
        (tmp_path / "a.json").write_text(content)
        ran = rocconf(*runs[edit])
        if content == text:
            assert ran.status == 0, ran.err
        else:
            assert (ran.status, ran.out) == (2, "")
            assert "changed since it was written: run rocconf sweep again" in ran.err


OTHER_BLOCK = '<script id="report" type="application/json">{}</script>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!--", "-->"),
        (OTHER_BLOCK, ""),
        ("", OTHER_BLOCK),
        ("", "<SCRIPT\nid = report >"),
        (OTHER_BLOCK.replace("<script", '<script data-note="a > b"'), ""),
        ("<div hidden id='report'>{}</div>", ""),
        (OTHER_BLOCK.replace("report", "&#114;eport"), ""),
    ],
)
def test_a_page_whose_report_a_reader_may_take_for_another_is_refused(rocconf, tmp_path, before, after):
    cases = SAMPLE_DATA / "dis.csv"
    assert rocconf("sweep", cases, "--score", "F", "--require", "auc >= 0.5", "-o", "a.html", "-q").status == 0
    assert rocconf("gate", "a.html", "-q").status == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    start = page.index('<script type="application/json" id="report">')
    end = page.index("</script>", start) + len("</script>")
    (tmp_path / "b.html").write_text(f"{page[:start]}{before}{page[start:end]}{after}{page[end:]}", encoding="utf-8")
    ran = rocconf("gate", "b.html")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "reports, not one" in ran.err
