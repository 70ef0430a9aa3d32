"""Cells and ids of the data are not quoted in messages and reports if nobody else is to read them."""

import json

import numpy as np
import pandas as pd
import pytest

import rocconf
from rocconf.cli import app
from rocconf.errors import RocconfError
from rocconf.examples import Hidden

SECRETS = ("secret", "4711", "0815", "7.25")
FILES = {
    "label": "label,score\n1,0.5\nsecret,0.2\n0,0.1\n",
    "score": "label,score\n1,secret\n0,0.2\n",
    "comma": 'label,score\n1,"4711,5"\n0,0.2\n',
    "large": "label,score\n1,4711e999\n0,0.2\n",
    "ids": "id,label,score\n4711,1,0.5\n4711,0,0.2\n0815,0,0.1\n",
    "dropped": "id,label,score\n4711,1,0.5\n4711,0,\n0815,0,0.1\n",
    "classes": "label,score\nsecret,0.5\n0815,0.2\n",
    "unnamed": "outcome,score\nsecret,0.5\n0815,0.2\n",
    "fractions": "label,x\n" + "1,0.5\n0,0.25\n" * 600 + "1,7.25\n",
    "headless": "4711,0.5\n0815,0.2\n",
    "long": "id,model,label,score\n4711,a,1,0.5\n4711,a,1,0.4\n0815,a,0,0.1\n",
    "pairs": "id,model,label,score\n4711,a,1,0.5\n0815,a,0,0.4\n12,b,0,0.1\n12,a,0,0.1\n",
    "counts": "score,positives,negatives\n0.5,4711.5,1\n",
}


def message_of(*arguments):
    with pytest.raises(RocconfError) as raised:
        app([str(part) for part in arguments], standalone_mode=False)
    return raised.value.text("shell")


@pytest.mark.parametrize("name", FILES)
def test_no_message_quotes_a_cell_or_an_id(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(FILES[name], encoding="utf-8")
    options = {"dropped": ["--na", "drop"], "long": ["--model", "model"], "pairs": ["--model", "model"]}.get(name, [])
    shown, hidden = (message_of("sweep", "a.csv", *options, *more) for more in ([], ["--no-examples"]))
    assert any(secret in shown for secret in SECRETS)
    assert not any(secret in hidden for secret in SECRETS)
    assert hidden.startswith("a.csv: ")
    assert not name.startswith(("label", "score")) or "line 3: " in hidden or "line 2: " in hidden


@pytest.mark.parametrize("options", [["--positive", "yes"], ["--where", "id=x"]])
def test_values_that_could_be_meant_are_not_listed(tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(FILES["ids"].replace("4711,0", "12,0"), encoding="utf-8")
    assert "found: (not shown))" in message_of("sweep", "a.csv", "--no-examples", *options).replace(
        "found (", "found: ("
    )


def test_files_that_do_not_fit_are_told_without_ids(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, ids in (("a", ("4711", "b", "0815")), ("b", ("secret", "b", "0815"))):
        rows = (f"{key},{label},0.{label}5\n" for key, label in zip(ids, (1, 0, 1), strict=True))
        (tmp_path / f"{name}.csv").write_text("id,label,score\n" + "".join(rows), encoding="utf-8")
    shown, hidden = (message_of("compare", "a.csv", "b.csv", *more) for more in ([], ["--no-examples"]))
    assert "id '4711' is only in a.csv" in shown
    assert hidden.split("\n")[:3] == [
        "a.csv and b.csv: 2 faults",
        "  id (not shown) is only in a.csv",
        "  id (not shown) is only in b.csv",
    ]
    both = (tmp_path / "b.csv").read_text(encoding="utf-8").replace("secret,1", "4711,0")
    (tmp_path / "b.csv").write_text(both, encoding="utf-8")
    assert "id (not shown) is positive in a.csv" in message_of("compare", "a.csv", "b.csv", "--no-examples")


def test_the_configuration_can_ask_for_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rocconf.toml").write_text("[data]\nno_examples = true\n", encoding="utf-8")
    (tmp_path / "a.csv").write_text(FILES["score"], encoding="utf-8")
    assert message_of("sweep", "a.csv", "-q") == "a.csv: line 2: score (not shown) is not a number"


def test_what_was_hidden_stays_hidden_and_what_follows_is_shown(tmp_path):
    (tmp_path / "a.csv").write_text(FILES["label"], encoding="utf-8")
    with pytest.raises(RocconfError) as raised, rocconf.without_examples():
        rocconf.read_predictions(tmp_path / "a.csv")
    assert "secret" not in repr(vars(raised.value)) + str(raised.value)
    with pytest.raises(RocconfError, match="secret"):
        rocconf.read_predictions(tmp_path / "a.csv")


def test_frames_and_predictions_hide_them_too():
    frame = pd.DataFrame({"id": ["4711", "4711"], "label": [1, 0], "score": [0.5, 0.25]})
    one = rocconf.Predictions(np.array([True, False]), {"a": np.array([0.5, 0.2])}, np.array(["4711", "b"]))
    other = rocconf.Predictions(np.array([True, False]), {"b": np.array([0.5, 0.2])}, np.array(["0815", "b"]))
    for act in (
        lambda: rocconf.read_frame(frame),
        lambda: rocconf.pair([one, other]),
        lambda: rocconf.pair([one, other], by_row=True),
    ):
        with pytest.raises(RocconfError) as raised, rocconf.without_examples():
            act()
        assert not any(secret in str(raised.value) for secret in SECRETS)


def test_a_report_has_no_examples_either(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("id,label,score\n4711,1,0.5\n0815,0,0.25\n12,0,\n", encoding="utf-8")
    app(["sweep", "a.csv", "--na", "drop", "--no-examples", "-q", "-o", "a.json"], standalone_mode=False)
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert not any(secret in text for secret in SECRETS)
    assert json.loads(text)["inputs"][0]["dropped"] == 1


def test_hidden_examples_are_equal():
    assert Hidden() == Hidden() != "(not shown)"
    assert len({Hidden(), Hidden()}) == 1
    assert f"{Hidden():.17g} {Hidden()!r}" == "(not shown) (not shown)"
