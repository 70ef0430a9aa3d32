"""A key: who does not have it cannot write a report that passes where it is set."""

import json

import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.seal import digest_of, keyed, seal_of

CASES = SAMPLE_DATA / "dis.csv"
RULE = ("--require", "auc >= 0.5")
LIMIT = 0.999


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key"
    path.write_text("of the release\n")
    return path


def write(rocconf, *options, name="a.json"):
    assert rocconf("sweep", CASES, "--score", "F", *RULE, "-o", name, "-q", *options).status == 0


def forged(record):
    """Return a report that passes a rule it fails, with a digest that is right."""
    record = json.loads(json.dumps(record))
    for entry in record["evidence"][0]["entries"]:
        if entry["metric"] == "auc":
            entry["estimate"]["value"] = LIMIT
    return {**record, "digest": digest_of(record)}


def test_a_report_under_the_key_is_judged_and_says_so(rocconf, tmp_path, key):
    write(rocconf, "--key", key)
    ran = rocconf("gate", "a.json", "--key", key)
    assert ran.status == 0
    assert "a.json: sealed with a key" in ran.err
    assert "not checked" not in ran.err
    record = json.loads((tmp_path / "a.json").read_text())
    (tmp_path / "b.json").write_text(json.dumps(record, indent=3, sort_keys=True))
    assert rocconf("gate", "b.json", "--key", key).status == 0


def test_a_file_and_the_environment_hold_the_same_key(rocconf, monkeypatch, key):
    monkeypatch.setenv("ROCCONF_KEY", " of the release")
    write(rocconf)
    assert rocconf("gate", "a.json").status == 0
    monkeypatch.delenv("ROCCONF_KEY")
    assert rocconf("gate", "a.json", "--key", key).status == 0
    monkeypatch.setenv("ROCCONF_KEY", "another")
    assert rocconf("gate", "a.json").status == 2
    assert rocconf("gate", "a.json", "--key", key).status == 0  # what is typed counts


def test_without_a_key_the_verdict_says_what_that_means(rocconf, key):
    write(rocconf)
    assert "a.json: sealed without a key: whoever can write the file can write a seal" in rocconf("gate", "a.json").err
    write(rocconf, "--key", key)
    assert "a.json: sealed with a key, which was not checked, as no key is set here" in rocconf("gate", "a.json").err


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (forged, "not sealed with this key"),
        (lambda record: {name: value for name, value in forged(record).items() if name != "hmac"}, "without a key"),
        (lambda record: {name: value for name, value in record.items() if name != "hmac"}, "not sealed with a key"),
        (lambda record: {**record, "hmac": None}, "not sealed with a key"),
        (lambda record: {**record, "hmac": ""}, "not sealed with this key"),
        (lambda record: {**record, "hmac": [record["hmac"]]}, "not sealed with this key"),
        (lambda record: {**record, "hmac": record["digest"]}, "not sealed with this key"),
        (lambda record: {**forged(record), **seal_of(forged(record))}, "not sealed with a key"),
    ],
)
def test_who_lacks_the_key_cannot_write_a_report(rocconf, tmp_path, key, edit, said):
    write(rocconf, "--key", key)
    (tmp_path / "a.json").write_text(json.dumps(edit(json.loads((tmp_path / "a.json").read_text()))))
    for run in (
        ("gate", "a.json", *RULE, "--key", key),
        ("plan", "a.json", *RULE, "--key", key),
        ("compare", CASES, "--score", "S", "--baseline", "a.json", *RULE, "--key", key),
    ):
        ran = rocconf(*run)
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err or "not sealed with" in ran.err


def test_the_mark_of_one_report_is_none_of_another(rocconf, tmp_path, key):
    write(rocconf, "--key", key)
    write(rocconf, "--at", "threshold=0.2", "--key", key, name="b.json")
    one, other = (json.loads((tmp_path / name).read_text()) for name in ("a.json", "b.json"))
    (tmp_path / "c.json").write_text(json.dumps({**one, "hmac": other["hmac"]}))
    assert rocconf("gate", "c.json", "--key", key).status == 2


@pytest.mark.parametrize("command", ["gate", "sweep"])
@pytest.mark.parametrize("content", ["", "\n", " \t "])
def test_an_empty_key_is_an_error_and_never_no_key(rocconf, tmp_path, monkeypatch, command, content):
    write(rocconf)
    run = {"gate": ("gate", "a.json"), "sweep": ("sweep", CASES, "--score", "F", *RULE)}[command]
    (tmp_path / "empty").write_text(content)
    ran = rocconf(*run, "--key", tmp_path / "empty")
    assert (ran.status, ran.out, "holds no key: it is empty" in ran.err) == (2, "", True)
    monkeypatch.setenv("ROCCONF_KEY", content)
    ran = rocconf(*run)
    assert (ran.status, ran.out, "ROCCONF_KEY holds no key: it is empty" in ran.err) == (2, "", True)


def test_a_key_that_cannot_be_read_is_an_error(rocconf):
    ran = rocconf("sweep", CASES, "--score", "F", "--key", "nowhere")
    assert (ran.status, ran.out, "nowhere: the key cannot be read" in ran.err) == (2, "", True)


def test_a_key_is_not_written_over(rocconf, tmp_path):
    (tmp_path / "key.json").write_text("of the release")
    ran = rocconf("sweep", CASES, "--score", "F", "--key", "key.json", "-o", "key.json")
    assert (ran.status, (tmp_path / "key.json").read_text()) == (2, "of the release")


def test_the_page_is_sealed_with_the_key_too(rocconf, tmp_path, key):
    write(rocconf, "--key", key, name="a.html")
    assert rocconf("gate", "a.html", "--key", key).status == 0
    (tmp_path / "other").write_text("another")
    assert rocconf("gate", "a.html", "--key", tmp_path / "other").status == 2


def test_the_library_seals_with_a_key_too(key):
    result = rocconf.sweep(rocconf.read_predictions(CASES, score="F"))
    assert "hmac" not in result.to_dict()
    with keyed(key):
        record = result.to_dict()
    assert {name: record[name] for name in ("digest", "hmac")} != seal_of(record)
    with keyed(key):
        assert {name: record[name] for name in ("digest", "hmac")} == seal_of(record)


def test_the_same_evidence_is_not_judged_twice(rocconf, tmp_path):
    write(rocconf)
    (tmp_path / "b.json").write_text(json.dumps(json.loads((tmp_path / "a.json").read_text()), indent=1))
    ran = rocconf("gate", "a.json", "b.json")
    assert (ran.status, ran.out) == (2, "")
    assert "a.json and b.json hold the same evidence" in ran.err


def test_the_report_says_which_rows_were_read_and_what_the_configuration_set(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text('[data]\nscore = ["F"]\n')
    assert rocconf("sweep", CASES, "--where", "S>0.01", "--na", "drop", "-o", "a.json", "-q").status == 0
    record = json.loads((tmp_path / "a.json").read_text())
    assert record["options"]["where"] == record["inputs"][0]["where"] == ["S>0.01"]
    assert (record["options"]["na"], record["options"]["configured"]) == ("drop", {"score": ["F"]})
