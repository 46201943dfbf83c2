# Each target makes its own virtual environment on a fresh machine; it is made anew when pyproject.toml changes.
PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help demo test accept lint format types contracts bench clean

help:
	@echo "make demo       play the packaged users offline and print the table"
	@echo "make test       the tests, without the long acceptance checks"
	@echo "make accept     the long acceptance checks"
	@echo "make lint       style and formatting"
	@echo "make format     put the formatting right"
	@echo "make types      static types"
	@echo "make contracts  which room may import which"
	@echo "make bench      speed and scale"
	@echo "Variables: PYTHON=$(PYTHON) VENV=$(VENV) WORKERS=$(WORKERS)"

$(STAMP): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=python3.11')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

demo: $(STAMP)
	$(BIN)/python -m mempa_gym demo

test: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) -m "not accept"

accept: $(STAMP)
	$(BIN)/python -m pytest -m accept --timeout 0

lint: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

format: $(STAMP)
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

types: $(STAMP)
	$(BIN)/python -m mypy

contracts: $(STAMP)
	$(BIN)/lint-imports

bench: $(STAMP)
	@set -e; for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
