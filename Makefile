# Everything a person or CI does with a checkout. The virtual environment is made when it is first needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ORACLE := .venv-oracle
JOBS ?= $(shell nproc)
GAMES := ../shared/data/games
FIRMWARE := hw/firmware/clock

.PHONY: help venv run demo show test lint check missing mutants test-slow test-browser newcomer replay soak sweep bench \
	figures firmware hil hil-system oracle clean

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

venv: $(STAMP) ## make the virtual environment in .venv

run: $(STAMP) ## the daemon on a simulated board, a game ready to play on the Bench's page
	$(BIN)/crownhead run --config config/simulated.toml --bench

demo: $(STAMP) ## the same, and a story plays there: a breach, an "I adjust", a crowning, a flag
	$(BIN)/crownhead run --config config/simulated.toml --demo

show: $(STAMP) ## a recorded game in the terminal, less than a minute
	$(BIN)/crownhead run --config config/simulated.toml --show

lint: $(STAMP) ## ruff and mypy over everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests that need a program of the system skip where it is missing; this says beforehand what to install.
missing:
	@.ci/packages missing

# Two at a time: many tests live in real time and wait for it. More than two was never measured.
check: $(STAMP) missing ## the tests alone
	$(BIN)/pytest -n 2 --dist worksteal

test: lint check ## what CI runs first: lint, types, tests

test-slow: $(STAMP) ## the tests marked slow
	$(BIN)/pytest -m slow --timeout 2400

test-browser: $(STAMP) missing ## the pages in a real browser; pictures of them in build/screenshots
	$(BIN)/pytest -m browser tests/console

newcomer: $(STAMP) missing ## timed: a clean clone, make run, a first move in the browser
	$(BIN)/python tests/console/newcomer.py

# replay,FILE,CODE: all games of an archive by human hands. tinsley.pdn holds one illegal game: it is reported.
define replay
	@if [ -e $(GAMES)/$(1) ]; then echo "$(1):"; \
		$(BIN)/crownhead replay --hands human --code $(2) --jobs $(JOBS) $(GAMES)/$(1); \
	else echo "no $(GAMES)/$(1) beside this checkout: left out"; fi
endef

replay: $(STAMP) ## the archives of recorded games, whole, by simulated human hands
	$(call replay,acf.pdn,acf)
	$(call replay,tinsley.pdn,acf)
	$(call replay,pool.pdn,pool)

soak: $(STAMP) ## a million moves with every kind of breach; then 20,000 by each habit of clumsy hands
	$(BIN)/crownhead soak --moves 1000000 --code both --breaches 0.05 --seed 1 --jobs $(JOBS) --json
	$(BIN)/crownhead soak --moves 20000 --code both --breaches 0.05 --seed 1 --jobs $(JOBS) --hands each

sweep: $(STAMP) ## ten thousand tries of each kind of trouble: no wrong move, nobody innocent accused
	$(BIN)/crownhead sweep --kind all --tries 10000 --seed 1 --jobs $(JOBS)

# SAMPLE=8 SEED=TEXT: so many, drawn by that text; ONLY="A5 link": those by name or room.
mutants: $(STAMP) ## small changes of the program, one at a time, each of which a test should notice
	$(BIN)/python -m tests.mutants.run --jobs $(JOBS) $(if $(SAMPLE),--sample $(SAMPLE) --seed "$(SEED)") $(ONLY)

figures: $(STAMP) ## how simple the code is: state, complexity, size, arrows, each beside its goal
	$(BIN)/python tests/figures.py

bench: $(STAMP) ## figures: speed and memory
	$(BIN)/pytest -m bench -s tests/bench

firmware: ## the clock unit's firmware: ELF, HEX, figures, and its core's tests
	$(MAKE) -C $(FIRMWARE)
	$(MAKE) -C $(FIRMWARE) test

hil: $(STAMP) missing ## tests in the loop: compiled firmware and more
	$(BIN)/pytest -m hil --timeout 2400 tests/hil

hil-system: $(STAMP) missing ## the installed unit under real systemd and udev, in the same kernel
	$(BIN)/pytest -m system --timeout 2400 tests/hil/system

# pydraughts is the ACF rules' oracle. Its module shares a name with another package: an environment of its own.
oracle: ## the environment of the oracle for the acf rules, in .venv-oracle
	$(PYTHON) -m venv $(ORACLE)
	$(ORACLE)/bin/pip install --quiet --disable-pip-version-check pydraughts==0.6.7

clean: ## remove what was built
	rm -rf $(VENV) $(ORACLE) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .cache
	$(MAKE) -C $(FIRMWARE) clean
