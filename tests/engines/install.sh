#!/usr/bin/env bash
# Installs what the tests of engines need: Spark and an emulator of S3 in a folder of their own, Spark's client beside
# rocconf, and Java and PostgreSQL where they are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v java >/dev/null; then
  as_root=$([ "$(id -u)" = 0 ] || echo sudo)
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null; then
  as_root=$([ "$(id -u)" = 0 ] || echo sudo)
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq --no-install-recommends postgresql
fi
.venv/bin/python -m pip install --quiet --editable '.[spark]'
[ -d .venv-engines ] || .venv/bin/python -m venv .venv-engines # the server and the client are both called pyspark
.venv-engines/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
.venv-engines/bin/python -m pip install --quiet --group engines
