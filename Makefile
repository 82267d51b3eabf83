# Each target sets itself up: a machine with Python 3.11 or newer, git and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint browser bench gate clean

demo: $(VENV)/.core
	$(BIN)/tamis extract examples/harbour.html --extractor boilerpipe-article --with-metadata --highlight build/harbour-highlighted.html
	@echo
	@echo "The same page with its content marked: build/harbour-highlighted.html"

test: lint browser
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report=term

# Tests of what is seen on a screen need Chromium. Where it can't be installed they say that they did not run.
browser:
	@command -v chromium chromium-browser google-chrome > /dev/null || { \
		command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends chromium > /dev/null; } || \
		echo "no Chromium here: tests in a browser will be skipped"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	-$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.speed --linear
	$(BIN)/python -m benchmarks.speed --startup
	$(BIN)/python -m benchmarks.hostile
	$(BIN)/python -m benchmarks.web2text
	$(BIN)/python -m benchmarks.boilernet
	$(BIN)/python -m benchmarks.r4

# About four minutes on two cores; needs the five corpora that the floors are pinned on.
gate: $(VENV)/.dev
	$(BIN)/tamis bench --corpus wcxb:dev --corpus cleaneval:test --corpus l3s-gn1 --corpus googletrends-2017:test \
		--corpus chaos --no-peers --gate benchmarks/floors.toml --output build/gate

clean:
	rm -rf $(VENV) build dist .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tamis needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=24,<27' # older ones trip over lxml's extras

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.core
