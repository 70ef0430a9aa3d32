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
    path.write_text("the key of the release\n")
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
    monkeypatch.setenv("ROCCONF_KEY", " the key of the release")
    write(rocconf)
    assert rocconf("gate", "a.json").status == 0
    monkeypatch.delenv("ROCCONF_KEY")
    assert rocconf("gate", "a.json", "--key", key).status == 0
    monkeypatch.setenv("ROCCONF_KEY", "another key of a release")
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
    (tmp_path / "key.json").write_text("the key of the release")
    ran = rocconf("sweep", CASES, "--score", "F", "--key", "key.json", "-o", "key.json")
    assert (ran.status, (tmp_path / "key.json").read_text()) == (2, "the key of the release")


def test_the_page_is_sealed_with_the_key_too(rocconf, tmp_path, key):
    write(rocconf, "--key", key, name="a.html")
    assert rocconf("gate", "a.html", "--key", key).status == 0
    (tmp_path / "other").write_text("another key of a release")
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


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xff\xfe\r\0\n\0",
        b"\0" * 40,
        "\u00a0\u200b".encode(),
        ("\u00a0\u200b" * 20).encode(),
        b"\x7f" * 20,
        b"guessed",
        "password".encode("utf-16"),
        b"*" * 16,
    ],
)
def test_what_nobody_would_call_a_key_is_none(rocconf, tmp_path, content):
    (tmp_path / "key").write_bytes(content)
    ran = rocconf("sweep", CASES, "--score", "F", "--key", tmp_path / "key")
    assert (ran.status, ran.out) == (2, "")
    assert "holds no key" in ran.err or "holds a key of fewer than 16 characters" in ran.err


def test_a_key_after_the_mark_of_utf_8_is_the_same_key(rocconf, tmp_path, key):
    write(rocconf, "--key", key)
    (tmp_path / "windows").write_bytes(b"\xef\xbb\xbf" + key.read_bytes() + b"\r\n")
    assert rocconf("gate", "a.json", "--key", tmp_path / "windows").status == 0


def test_a_name_in_halves_of_letters_is_no_report(rocconf, tmp_path):
    (tmp_path / "e.csv").write_text("label,n\U0001f600\n1,0.9\n0,0.1\n1,0.8\n0,0.3\n", encoding="utf-8")
    rocconf("sweep", "e.csv", "--score", "n\U0001f600", "-o", "a.json", "-q")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert "\\ud83d\\ude00" in text or "\U0001f600" in text
    halves = text.replace("\\ud83d\\ude00", "\U0001f600").replace("\U0001f600", "\ud83d\ude00")
    (tmp_path / "b.json").write_bytes(halves.encode("utf-8", "surrogatepass"))
    ran = rocconf("gate", "b.json", "--require", "n == 4")
    assert (ran.status, ran.out, "not valid JSON" in ran.err) == (2, "", True)


@pytest.mark.parametrize("change", [{"level": 0.99}, {"on_undefined": "fail"}])
def test_a_carried_failure_is_said_unless_a_rule_as_strict_is_judged(rocconf, tmp_path, change):
    """A rule of the same words at a lower level passed without a word."""
    more = "".join(f"{key} = {json.dumps(value)}\n" for key, value in change.items())
    rule = f'[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.9\n{more}'
    (tmp_path / "rules.toml").write_text(rule)
    rows = "".join(f"{k % 2},{(k % 2) * 0.5 + (k * 37 % 100) / 100}\n" for k in range(120))
    (tmp_path / "c.csv").write_text(f"label,score\n{rows}")
    assert rocconf("sweep", "c.csv", "--config", "rules.toml", "-o", "a.json", "-q").status != 0
    told = rocconf("gate", "a.json", "--require", "auc >= 0.9", "--isolated", "--format", "json")
    codes = {each["code"] for each in json.loads(told.out)["caveats"]}
    assert "carried-rules-replaced" in codes
    other = rocconf("gate", "a.json", "--require", "n == 120", "--isolated", "--format", "json")
    assert "carried-rules-replaced" in {each["code"] for each in json.loads(other.out)["caveats"]}


def test_a_carried_failure_of_the_baseline_is_not_repeated_by_a_rule_on_the_others(rocconf):
    named = ("--score", "S", "--score", "F", "--baseline", "S")
    assert rocconf("compare", CASES, *named, "--require", "auc[S] >= 0.9", "-o", "a.json", "-q").status != 0
    told = rocconf("gate", "a.json", "--require", "auc >= 0.5", "--format", "json")
    assert "carried-rules-replaced" in {each["code"] for each in json.loads(told.out)["caveats"]}
    again = rocconf("gate", "a.json", "--require", "auc[S] >= 0.9", "--format", "json")
    assert "carried-rules-replaced" not in {each["code"] for each in json.loads(again.out)["caveats"]}


@pytest.mark.parametrize("name", ["./dis.csv", "copy.csv"])
def test_the_same_cases_under_another_name_are_the_same_evidence(rocconf, tmp_path, name):
    for file in ("dis.csv", "copy.csv"):
        (tmp_path / file).write_bytes(CASES.read_bytes())
    assert rocconf("sweep", "dis.csv", "--score", "F", *RULE, "-o", "a.json", "-q").status == 0
    assert rocconf("sweep", name, "--score", "F", *RULE, "--level", "0.9", "-o", "b.json", "-q").status == 0
    assert "hold the same evidence" in rocconf("gate", "a.json", "b.json").err
    rocconf("sweep", name, "--score", "F", *RULE, "--at", "threshold=0.2", "-o", "c.json", "-q")
    assert rocconf("gate", "a.json", "c.json").status == 0


def test_random_bytes_are_a_key(rocconf, tmp_path):
    (tmp_path / "random").write_bytes(bytes(range(128, 148)))
    write(rocconf, "--key", tmp_path / "random")
    assert rocconf("gate", "a.json", "--key", tmp_path / "random").status == 0


def test_reports_of_other_slices_of_the_same_cases_are_other_evidence(rocconf, tmp_path):
    rows = "".join(f"{k % 2},{(k % 2) * 0.5 + (k * 37 % 100) / 100},{k % 3},{k % 5}\n" for k in range(240))
    (tmp_path / "c.csv").write_text(f"label,score,site,fold\n{rows}")
    for name, options in (("a", ()), ("b", ("--by", "site")), ("c", ("--by", "fold"))):
        rocconf("sweep", "c.csv", "--score", "score", *options, "-o", f"{name}.json", "-q")
    assert rocconf("gate", "a.json", "b.json", "c.json", "--require", "n == 240").status == 0


def test_a_carried_failure_at_a_lower_level_is_not_repeated_by_an_open_verdict(rocconf, tmp_path):
    rows = "".join(f"{k % 2},{(k % 2) * 0.5 + (k * 37 % 100) / 100}\n" for k in range(120))
    (tmp_path / "c.csv").write_text(f"label,score\n{rows}")
    for name, level in (("low", 0.5), ("high", 0.999999)):
        rule = f'[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.9\nlevel = {level}\n'
        (tmp_path / f"{name}.toml").write_text(rule)
    assert rocconf("sweep", "c.csv", "--config", "low.toml", "-o", "a.json", "-q").status == 1
    told = rocconf("gate", "a.json", "--config", "high.toml", "--format", "json")
    assert told.status == 3
    assert "carried-rules-replaced" in {each["code"] for each in json.loads(told.out)["caveats"]}
