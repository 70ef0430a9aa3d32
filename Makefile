# All tasks; `make` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BASE ?= HEAD
SECONDS ?= 60
PROFILE ?= all

unexport PYTHONDONTWRITEBYTECODE # byte code saves a fifth of the time of the tests

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-lowest engines test-engines coverage check limits faults some-faults fuzz mutate lint types recorded dist docs docs-site papers simulate bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rocconf needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: $(READY) ## may the new model replace the old one? one screen, and figures and a report in out/
	@mkdir -p out
	@echo "rocconf compare sample_data/hypothyroid.csv --score S --score F --baseline S ..."
	@$(BIN)/rocconf compare sample_data/hypothyroid.csv --score S --score F --baseline S \
	  --at threshold=0.3 --require 'auc >= 0.95' --require 'delta_auc >= 0' --isolated --format table --no-progress \
	  -o out/report.json -o out/compare.csv -o pairs:out/pairs.csv -o out/summary.md \
	  --plot roc:out/roc.png --plot forest:out/forest.png --plot intervals:out/intervals.png --plot cauc:out/cauc.png
	@echo "out/: roc.png forest.png intervals.png cauc.png report.json summary.md compare.csv"

test: $(READY) ## run the tests, with fewer examples of each property
	$(BIN)/python -m pytest -n auto

test-all: $(READY) ## run the tests with all examples, and those that try everything; new examples: make test-all PROFILE=search
	$(BIN)/python -m pytest -n auto -m 'not slow and not limits' --hypothesis-profile $(PROFILE)

test-lowest: ## run the tests with the lowest versions that pyproject.toml allows
	$(PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-lowest/bin/python -m pip install --quiet --editable . --group dev --constraint tests/lowest.txt
	$(VENV)-lowest/bin/python -m pytest -n auto

engines: $(READY) ## install what the tests of engines need: Spark, its client, and Java where it is missing
	tests/engines/install.sh

test-engines: engines ## run the tests of engines, all of which must be there
	ROCCONF_ENGINES=required $(BIN)/python -m pytest -n 0 -m 'not slow and not limits' tests/engines

coverage: $(READY) ## run the tests of make test, and list the lines of the package that none of them runs in its process
	$(BIN)/python -m pytest -n auto --cov --cov-report term-missing

check: lint types limits some-faults test-all ## run lint, types and all tests, as CI does

limits: $(READY) ## simulate a few rules at their limit: the short form of make simulate, with fixed seeds
	$(BIN)/python -m pytest -m limits -n auto

faults: $(READY) ## disturb 500 runs: signals, full disks, limits, odd environments; docs/reliability.md
	$(BIN)/python tests/faults/faults.py

some-faults: $(READY) ## disturb 60 runs, which takes about a minute
	$(BIN)/python tests/faults/faults.py --runs 60

mutate: $(READY) ## change 100 operators, numbers and conditions of gate, stats and read, one by one: is a test failing?
	$(BIN)/python tests/mutation/mutate.py

lint: $(READY) ## run ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## run mypy
	$(BIN)/mypy

recorded: $(READY) ## compare the outputs of the working tree with those of a revision: make recorded BASE=HEAD~1
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	record="$(CURDIR)/$(BIN)/python $(CURDIR)/tests/recorded/record.py"; \
	git archive --prefix=tree/ --output="$$folder/tree.tar" "$(BASE)"; cd "$$folder"; tar -xf tree.tar; \
	$$record tree base; $$record "$(CURDIR)" here; $$record --compare base here

dist: $(READY) ## build the wheel and the sdist in dist/
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist

docs: $(READY) ## refresh the examples of the documents, the manual page and the figures of docs/figures
	$(BIN)/python -m rocconf.cli.man > docs/rocconf.1
	$(BIN)/rocconf --show-completion bash > docs/completions/rocconf.bash
	$(BIN)/rocconf --show-completion zsh > docs/completions/_rocconf
	$(BIN)/rocconf --show-completion fish > docs/completions/rocconf.fish
	$(BIN)/python docs/messages.py
	$(BIN)/python tests/examples.py
	$(BIN)/python docs/figures/bradley_1996.py
	$(BIN)/python docs/figures/intervals.py
	$(BIN)/python docs/figures/gallery.py

docs-site: $(READY) ## build the site of the documents in site/; a broken link is an error
	$(BIN)/python -m pip install --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

fuzz: $(READY) ## try mutated inputs of every kind, with fixed seeds: make fuzz SECONDS=3600
	$(BIN)/python -m pip install --quiet --group fuzz
	$(BIN)/python fuzz/run.py --seconds $(SECONDS)

PAGE := rocconf/report/html/script
.PHONY: html browser

$(VENV)/page/node_modules: $(PAGE)/package-lock.json | $(READY)
	mkdir -p $(@D) && cp $(PAGE)/package*.json $(PAGE)/.npmrc $(@D)
	cd $(@D) && npm ci --silent
	@touch $@

html: $(VENV)/page/node_modules ## check and build the script of report.html (needs Node 20 or newer, which nothing else does)
	cp $(PAGE)/* $(VENV)/page && cd $(VENV)/page && npm run --silent check && node build.js $(CURDIR)/$(PAGE)/../page.js

browser: $(VENV)/page/node_modules ## try report.html in Chromium, and check its script
	cp $(PAGE)/* $(VENV)/page && cd $(VENV)/page && npm run --silent check
	$(BIN)/python -m pip install --quiet --group browser
	ROCCONF_BROWSER=required $(BIN)/python -m pytest tests/test_html_in_browser.py -m 'not slow'

papers: $(READY) ## compare the tables and figures of the papers with ours: docs/papers.md, docs/six_data_sets.md
	$(BIN)/python docs/papers.py
	$(BIN)/python docs/six_data_sets.py

simulate: $(READY) ## simulate level, power and coverage, write benchmarks/SIMULATIONS.md, and run the slow tests
	$(BIN)/python benchmarks/simulate.py --date "$$(date +%F)"
	$(BIN)/python -m pytest -m slow -n auto

bench: $(READY) ## measure rocconf and its peers (installs the bench group; some peers need R)
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/run.py --date "$$(date +%F)"

clean: ## remove the files that the other targets write
	rm -rf $(VENV) $(VENV)-lowest $(VENV)-engines out build dist site .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
