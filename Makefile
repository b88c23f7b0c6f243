# Everything a person or CI does with a checkout. The virtual environment is made when it is first needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help run test lint check test-slow bench clean

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

venv: $(STAMP) ## make the virtual environment in .venv

run: $(STAMP) ## the daemon on the simulated board: one recorded game, shown in the terminal
	$(BIN)/crownhead run --config config/simulated.toml --show

lint: $(STAMP) ## ruff and mypy over everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: $(STAMP) ## the tests alone
	$(BIN)/pytest

test: lint check ## what CI runs: lint, types, tests

test-slow: $(STAMP) ## the tests marked slow
	$(BIN)/pytest -m slow

bench: $(STAMP) ## figures: speed and memory
	$(BIN)/pytest -m bench -s tests/bench

clean: ## remove what was built
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
