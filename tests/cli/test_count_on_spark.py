"""The options of `rocconf count --engine spark`, before a server is asked; tests/engines has one."""

import sys

import pytest

from rocconf.cli.inputs import typed_command

SERVER = ("--remote", "sc://127.0.0.1:1/;token=secret")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("x.csv", "--engine", "presto"), "--engine takes spark, not 'presto'"),
        (("x.csv", "--engine", "spark"), "--remote sc://HOST:15002"),
        (("--engine", "spark", *SERVER), "nothing to count"),
        (("x.csv", *SERVER), "--remote belongs to --engine spark"),
        (("x.csv", "--table", "scores"), "--table belongs to --engine spark"),
        (("x.csv", "--engine", "spark", *SERVER, "--where", "day=1"), "--where is not for --engine spark"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, words, rocconf):
    ran = rocconf("count", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize("remote", ["127.0.0.1:15002", "http://host", "sc://", "sc://host;token=secret", "sc://host:x"])
def test_an_address_that_is_none_is_refused_without_its_token(remote, rocconf):
    ran = rocconf("count", "x.csv", "--engine", "spark", "--remote", remote)
    assert (ran.status, ran.out) == (2, "")
    assert "--remote takes sc://HOST:PORT" in ran.err
    assert "secret" not in ran.err


def test_a_missing_client_is_named_with_the_command_that_installs_it(rocconf, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql.connect.client", None)
    ran = rocconf("count", "x.csv", "--engine", "spark", *SERVER)
    assert ran.status == 2
    assert "pip install 'rocconf[spark]'" in ran.err


@pytest.mark.parametrize("word", ["sc://a:1/;token=xyzzy", "--remote=sc://a/;use_ssl=true;token=xyzzy;user_id=b"])
def test_the_command_is_shown_without_a_token(word, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rocconf", "count", "token=x.csv", word])
    assert typed_command() == ("rocconf", "count", "token=x.csv", word.replace("xyzzy", "TOKEN"))
